//! Reasons why two sides of a project are not to be compared, with what to do.

/// Why sides are not to be compared.
#[derive(Debug, thiserror::Error)]
pub enum OriginError {
    /// A side reads another file in place of its own.
    #[error(
        "{command}: {side} does not read its own {own}, which differs between the sides: it reads {instead} in its place: have each side find its own, such as with --copy PATH, a path relative to the side in PYTHONPATH, NODE_PATH, LD_LIBRARY_PATH or a `replace` of go.mod, or an installation below the side that --build makes (a virtual environment)"
    )]
    Elsewhere {
        /// Its name in messages.
        command: String,
        /// Which side.
        side: &'static str,
        /// Its own file, below its top.
        own: String,
        /// The file that it reads.
        instead: String,
    },
    /// A side reads nothing of its own.
    #[error(
        "{command}: the same artefact twice: {program} lies outside both sides{}: name what each side has of its own, such as ./program or {{side}}/program, or have it read files of the side, such as with --copy PATH or an installation below {{side}} that --build makes",
        match .side { Some(side) => format!(", and no file of {side} is opened, listed or asked about"), None => String::new() }
    )]
    Nowhere {
        /// Its name in messages.
        command: String,
        /// Which side, where that was seen.
        side: Option<&'static str>,
        /// The program that it executes.
        program: String,
    },
    /// The user did not want to wait.
    #[error("interrupted while it was traced which files are read")]
    Interrupted,
}
