//! How what was just measured is shown: a ranking, or two sides beside each other.
//!
//! Refuses to say how a run ended and where it is: that is [`crate::course`]'s.

use etalon_core::dataset::Dataset;
use etalon_core::run_set::StoppedBy;
use etalon_report::view::Again;

use crate::cli::{self, Comparison};
use crate::compare::{self, sides};
use crate::executed::Executed;
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::{output, packages, report, runs};

/// The label of the run that was measured just now.
const LIVE: &str = "this run";

/// Shows an execution that is over.
pub(crate) trait Show {
    /// Shows it. The exit is that of what was asked of the data, such as a check that failed.
    ///
    /// # Errors
    /// If it cannot be shown.
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure>;

    /// Whether nothing else is said.
    fn is_silent(&self) -> bool;

    /// Whether what failed is part of the answer, and not a failure of the run.
    fn expects_failures(&self) -> bool {
        false
    }

    /// Whether it is a pilot: saved, it is not what its report shows.
    fn is_pilot(&self) -> bool {
        false
    }
}

/// A ranking, with exports.
pub(crate) struct Ranking<'a> {
    pub(crate) reporting: &'a cli::Reporting,
    pub(crate) exports: &'a Exports<'a>,
}

impl Show for Ranking<'_> {
    /// Nothing is shown of what failed before anything was measured: that was told. Where the user ended it, the report says
    /// that there is nothing, and no file of an earlier one is replaced. One that went to its end is shown whatever it
    /// measured: that everything failed is a result.
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure> {
        let kept = &executed.kept;
        let is_empty = executed.was_cut_short() && (0..data.len()).all(|row| !data.counts(row));
        if is_empty && self.exports.is_asked() {
            output::remark("etalon: nothing was measured: no file of a report is written");
        }
        if is_empty && executed.ending() != Exit::Interrupted {
            return Ok(Exit::Done);
        }
        let cli::Reporting { analysis, view, .. } = self.reporting;
        let again = if kept.reference.is_some() { Again::Saved } else { Again::Options };
        let nowhere = self.exports.nowhere();
        let exports = if is_empty { &nowhere } else { self.exports };
        match report::show(data, analysis, view, exports, again) {
            Ok(analysis) => {
                if kept.is_saved() {
                    runs::keep(kept.id(), &analysis);
                }
                // The program is about to end: giving back piece by piece would take a while.
                std::mem::forget(analysis);
                Ok(Exit::Done)
            }
            Err(failure)
                if executed.finished.stopped_by == StoppedBy::Interrupt
                    && failure.follows_interrupt() =>
            {
                Ok(Exit::Done)
            }
            Err(failure) => Err(failure.after_saving(kept.reference.as_deref())),
        }
    }

    fn is_silent(&self) -> bool {
        self.reporting.view.quiet || self.reporting.view.json
    }
}

/// The tables of commands that are harnesses.
pub(crate) struct Harnesses(pub(crate) Comparison);

impl Show for Harnesses {
    fn show(&mut self, executed: &Executed, mut data: Dataset) -> Result<Exit, Failure> {
        match (0..data.len()).any(|row| data.counts(row)) {
            true => {
                label(&mut data);
                packages::tables(self.0.clone(), data)
            }
            false => {
                executed.damage()?;
                compare::failed::tell(&data);
                Ok(Exit::Done)
            }
        }
    }

    fn is_silent(&self) -> bool {
        self.0.show.quiet || self.0.show.json
    }
}

/// Two sides of a project beside each other.
pub(crate) struct Sides {
    pub(crate) compare: Comparison,
    /// Whether it is said below why readings differ.
    pub(crate) explain_noise: bool,
}

impl Show for Sides {
    fn show(&mut self, executed: &Executed, mut data: Dataset) -> Result<Exit, Failure> {
        label(&mut data);
        let explained = self.explain_noise.then(|| data.clone());
        let checked = match has_readings(&data)? {
            true => compare::sides_compared(&self.compare, data)
                .map_err(|failure| failure.after_saving(executed.kept.reference.as_deref()))?,
            false if executed.ending() == Exit::Interrupted => {
                output::remark("etalon: interrupted before there was something to compare");
                Exit::Done
            }
            // What stopped it was told.
            false if executed.ending() != Exit::Done => Exit::Done,
            false if executed.finished.error.is_some() => {
                return executed.damage().map(|()| Exit::Done);
            }
            false if data.has_failures() => {
                compare::failed::tell(&data);
                Exit::Done
            }
            false => return Err(Failure::new(sides::NOTHING)),
        };
        explained.map_or(Ok(checked), |data| report::explain_readings(&data).map(|()| checked))
    }

    fn is_silent(&self) -> bool {
        self.compare.show.quiet || self.compare.show.json
    }
}

/// Gives the run that was measured just now its name in reports, which is no path.
pub(crate) fn label(data: &mut Dataset) {
    data.run_sets.iter_mut().for_each(|set| set.label = LIVE.to_owned());
}

/// Whether a side has a reading: of one that was built twice, all builds in one block.
fn has_readings(data: &Dataset) -> Result<bool, Failure> {
    let counts = |data: &Dataset| (0..data.len()).any(|row| data.counts(row));
    Ok(counts(data) && counts(sides::joined(data)?.as_ref()))
}
