//! The documents of an A/A experiment and of a pilot: of what later comparisons will show, in place of one.

use std::io::{self, Write};

use etalon_core::analysis::{self, Execution};

use super::document::{Document, Kind};
use super::executions::Settings;
use super::noise::Noise;
use super::plan::Plan;
use super::visible::write_document;

/// analysis::Noise noise, with what is said beside it.
pub(crate) struct NoiseReport<'a> {
    /// The answer in one line.
    pub(crate) headline: String,
    /// Of each benchmark.
    pub(crate) noise: &'a [analysis::Noise],
    /// The runs one after the other, and those in blocks.
    pub(crate) executions: &'a [Execution],
    /// The settings of the verdicts that are counted.
    pub(crate) settings: Settings<'a>,
    /// The seed of all orders.
    pub(crate) seed: u64,
    /// Whether it was ended before it was done.
    pub(crate) cut_short: bool,
}

/// Writes the document of an A/A experiment.
///
/// # Errors
/// Errors of the writer.
pub(crate) fn noise(report: NoiseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let noise = Noise::new(report.noise, report.cut_short);
    let document = Document {
        headline: Some(report.headline),
        seed: Some(report.seed.to_string()),
        noise: Some(noise),
        ..Document::new(Kind::Noise, report.executions, report.settings)
    };
    write_document(&document, out)
}

/// A plan, with what is said beside it.
pub(crate) struct PlanReport<'a> {
    /// The answer in one line.
    pub(crate) headline: String,
    /// The pilot.
    pub(crate) executions: &'a [Execution],
    /// The settings of the verdicts.
    pub(crate) settings: Settings<'a>,
    /// The numbers.
    pub(crate) plan: Plan<'a>,
}

/// Writes the document of a pilot.
///
/// # Errors
/// Errors of the writer.
pub(crate) fn plan(report: PlanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        headline: Some(report.headline),
        plan: Some(report.plan),
        ..Document::new(Kind::Plan, report.executions, report.settings)
    };
    write_document(&document, out)
}
