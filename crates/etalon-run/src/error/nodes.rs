//! Why an experiment on nodes cannot go on.

/// Why an experiment on nodes cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum NodesError {
    /// There is no node, and why there is none.
    #[error("no node can be measured on:\n{}", .0.join("\n"))]
    None(Vec<String>),
    /// All nodes are gone.
    #[error("no node is left; what was measured is kept:\n{}", .0.join("\n"))]
    Lost(Vec<String>),
    /// They are not as much alike as was asked for.
    #[error("--same {0}")]
    Unequal(String),
    /// The user ended it before anything was measured.
    #[error("interrupted: nothing was measured")]
    Interrupted,
    /// Somebody talks to a worker who is no collector.
    #[error("what was asked for is not understood: {0}")]
    Asked(String),
}
