//! How often executions ended in which way.

use super::{Outcome, StopSignal};

/// Outcomes counted by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    /// Exit code 0.
    pub ok: usize,
    /// Non-zero exit codes, accepted ones included.
    pub failed: usize,
    /// Ended by a signal.
    pub killed: usize,
    /// How many of these had stopped themselves, by signal as in [`StopSignal::ALL`].
    pub stopped: [usize; 4],
    /// Ended by the timeout.
    pub timed_out: usize,
    /// Stopped and continued on the way.
    pub suspended: usize,
    /// Could not be started.
    pub not_started: usize,
}

impl OutcomeCounts {
    /// Counts one more.
    pub fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Ok => self.ok += 1,
            Outcome::Failed { .. } => self.failed += 1,
            Outcome::Killed { .. } => {
                self.killed += 1;
                let by = outcome.stopped_by();
                let all = self.stopped.iter_mut().zip(StopSignal::ALL);
                all.for_each(|(count, signal)| *count += usize::from(by == Some(signal)));
            }
            Outcome::TimedOut => self.timed_out += 1,
            Outcome::Suspended => self.suspended += 1,
            Outcome::NotStarted { .. } => self.not_started += 1,
        }
    }

    /// Everything that is not `ok`.
    #[must_use]
    pub fn not_ok(&self) -> usize {
        self.failed + self.killed + self.timed_out + self.suspended + self.not_started
    }
}
