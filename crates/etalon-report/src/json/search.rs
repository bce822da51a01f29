//! The document of a bisection, written.

use std::io::{self, Write};

use etalon_core::analysis::{self, Bisected};
use etalon_core::bisect;

use super::bisection::Bisection;
use super::document::{Document, Kind};
use super::executions::Settings;
use super::visible::write_document;

/// A bisection, with what is said beside it.
pub(crate) struct BisectionReport<'a> {
    /// The answer in one line.
    pub(crate) headline: String,
    /// The bisection.
    pub(crate) found: &'a Bisected,
    /// Its end, or what would come next.
    pub(crate) step: &'a bisect::Step,
    /// The run.
    pub(crate) executions: &'a [analysis::Execution],
}

/// Writes the document of a bisection.
///
/// # Errors
/// Errors of the writer.
pub(crate) fn bisection(
    report: BisectionReport<'_>,
    settings: Settings<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let document = Document {
        headline: Some(report.headline),
        bisection: Some(Bisection::new(report.found, report.step)),
        ..Document::new(Kind::Bisection, report.executions, settings)
    };
    write_document(&document, out)
}
