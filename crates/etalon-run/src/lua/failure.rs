//! Failures of suites and cases: outcomes of what is measured, and no errors of etalon's.

use etalon_core::model::Outcome;

/// A suite, or a case, that did not get there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFailure {
    /// How its process ended.
    pub outcome: Outcome,
    /// The words of the error.
    pub message: String,
    /// How many processes its own had left running, which were killed with it.
    pub orphans: u32,
    /// Whether its Lua does not know its syntax.
    pub is_syntax: bool,
}

impl CaseFailure {
    /// Without anything left behind.
    #[must_use]
    pub fn new(outcome: Outcome, message: String) -> CaseFailure {
        CaseFailure { outcome, message, orphans: 0, is_syntax: false }
    }
}
