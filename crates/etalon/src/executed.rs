//! An execution that is over: how it ended, and where its record is.

use etalon_core::dataset::Dataset;
use etalon_core::run_set::StoppedBy;
use etalon_run::{Finished, RunError};

use crate::failure::{Exit, Failure};
use crate::keeping::FinishedRecord;

/// An execution that is over.
pub(crate) struct Executed {
    /// How it ended.
    pub finished: Finished,
    pub kept: FinishedRecord,
}

impl Executed {
    /// The data of its record.
    ///
    /// # Errors
    /// If it cannot be read; where something went wrong around it, with that.
    pub(crate) fn read(&self) -> Result<Dataset, Failure> {
        self.kept.read().or_else(|error| self.damage().and(Err(Failure::new(error))))
    }

    /// Whatever went wrong around it. A file that cannot be read because somebody cut it is told as that.
    ///
    /// # Errors
    /// With all of it.
    pub(crate) fn damage(&self) -> Result<(), Failure> {
        let mut messages = self.kept.damage.clone();
        match &self.finished.error {
            Some(RunError::Read(_)) if !messages.is_empty() => {}
            Some(error) => messages.push(error.to_string()),
            None => {}
        }
        if messages.is_empty() { Ok(()) } else { Err(Failure::new(messages.join("\n"))) }
    }

    /// Whether it was stopped before its end.
    pub(crate) fn was_cut_short(&self) -> bool {
        let stopped_by = &self.finished.stopped_by;
        matches!(stopped_by, StoppedBy::Failure | StoppedBy::Interrupt | StoppedBy::Error)
    }

    /// The exit that its end deserves, whatever was measured.
    pub(crate) fn ending(&self) -> Exit {
        match self.finished.stopped_by {
            StoppedBy::Failure => Exit::Failed,
            StoppedBy::Interrupt => Exit::Interrupted,
            _ if self.finished.failure.is_some() => Exit::Failed, // a cleanup, after all was done
            _ => Exit::Done,
        }
    }
}
