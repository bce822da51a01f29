//! The documents of an A/A experiment, of a pilot, of a history and of a bisection: of what is no comparison.

use std::io::{self, Write};

use etalon_core::analysis::{self, Bisected, Execution};
use etalon_core::bisect;
use etalon_core::history::{Answer, Critical, FalseAlarms, Series};

use super::bisection::Bisection;
use super::check::{Check, CheckOutcome};
use super::document::{Document, Kind};
use super::executions::Settings;
use super::history::History;
use super::layout::Index;
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

/// Answers of a history, with what is said beside them.
pub(crate) struct HistoryDocument<'a> {
    /// The answer in one line.
    pub(crate) headline: String,
    /// Each series with its answer.
    pub(crate) answers: &'a [(Series, Answer)],
    /// How many false alarms are allowed.
    pub(crate) allowed: FalseAlarms,
    /// How far a step has to stand out for that.
    pub(crate) critical: Critical,
    /// The outcome of the check.
    pub(crate) outcome: CheckOutcome<'a>,
}

/// Writes the document of a check of a history.
///
/// # Errors
/// Errors of the writer.
pub(crate) fn history(
    report: HistoryDocument<'_>,
    settings: Settings<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let HistoryDocument { headline, answers, allowed, critical, outcome } = report;
    let index = Index::default();
    let document = Document {
        headline: Some(headline),
        check: Some(Check::new(outcome, &index)),
        history: Some(History::new(answers, allowed, critical)),
        ..Document::new(Kind::History, &[], settings)
    };
    write_document(&document, out)
}

/// A bisection, with what is said beside it.
pub(crate) struct BisectionReport<'a> {
    /// The answer in one line.
    pub(crate) headline: String,
    /// The bisection.
    pub(crate) found: &'a Bisected,
    /// Its end, or what would come next.
    pub(crate) step: &'a bisect::Step,
    /// The run.
    pub(crate) executions: &'a [Execution],
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
