//! A comparison over layouts: what placement alone does.

use etalon_core::compare::{Design, Evidence, Scale};
use serde::Serialize;

/// The layouts of both sides, which a comparison was made over.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Layouts {
    /// How many there are of each side.
    each: usize,
    /// The standard deviation of those of one side, as a share; `null` on the scale of differences.
    scatter: Option<f64>,
}

impl Layouts {
    /// Absent of what is not compared over layouts.
    pub(super) fn new(evidence: &Evidence) -> Option<Layouts> {
        let Design::Layouts(over) = &evidence.design else { return None };
        let scatter = over.scatter().filter(|_| evidence.scale == Scale::Ratio);
        Some(Layouts { each: over.layouts, scatter })
    }
}
