//! Suites before and after they were loaded once, and how that is done.
//!
//! Plain data; [`discover`](super::discover()) loads them.

use std::time::Duration;

use etalon_lua::{Host, Limits, Loaded, Output, Place, Source};
use etalon_probe::launcher::protocol::Control;

use super::failure::CaseFailure;
use super::variant::Variant;

/// A suite to be looked at.
#[derive(Debug, Clone)]
pub struct SuiteSpec {
    /// Its name: the path as typed, or `-e`.
    pub name: String,
    /// Its code.
    pub source: Source,
    /// Where it is executed.
    pub place: Place,
}

/// A suite that was looked at.
#[derive(Debug)]
pub struct Suite {
    /// Its name: the path as typed, or `-e`.
    pub name: String,
    /// Its code.
    pub source: Source,
    /// Where it is executed.
    pub place: Place,
    /// The Lua that loaded it.
    pub variant: Variant,
    /// Its output while it was loaded.
    pub printed: Output,
    /// Its contents, or why nobody knows them.
    pub loaded: Result<Loaded, CaseFailure>,
    /// Why nothing of it is measured although it is known what is in it: another Lua has loaded it.
    pub refused: Option<CaseFailure>,
}

/// How suites are looked at.
#[derive(Debug, Clone, Copy)]
pub struct Discovery<'a> {
    /// The Luas that are asked for.
    pub variants: &'a [Variant],
    /// Others that are installed, to tell whether they can read what one of those cannot.
    pub others: &'a [Host],
    /// The limits of workers.
    pub limits: Limits,
    /// The conditions that they are executed under.
    pub control: &'a Control,
    /// The longest that loading may take.
    pub timeout: Duration,
}
