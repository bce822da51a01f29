//! Commits that print something else are left out, where that is asked for: times of other work say nothing.
//!
//! Refuses ends that differ from themselves.

use etalon_core::bisect::Member;
use etalon_core::model::{NotStarted, Outcome};
use etalon_record::Text;
use etalon_run::bisection::Supplied;
use etalon_run::{CommandOutput, CommandSetup, RunError, once};

/// Outputs of the ends.
pub(super) struct SameOutput {
    setup: CommandSetup,
    builds: usize,
    last: usize,
    /// Of the good end and of the bad one.
    known: Vec<Printed>,
}

/// How an execution ended, and what it printed.
type Printed = (Outcome, Vec<u8>);

impl SameOutput {
    pub(super) fn new(setup: CommandSetup, builds: usize) -> SameOutput {
        let last = (setup.commands.len() / builds.max(1)).saturating_sub(1);
        SameOutput { setup, builds, last, known: Vec::new() }
    }

    /// Executes a build that is ready: one that prints what no end prints is not to be measured.
    pub(super) fn looked_at(
        &mut self,
        (commit, build): Member,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Supplied, RunError> {
        let alone = self.setup.alone(commit * self.builds + build).unwrap_or_default();
        let printed = once::printed(alone, interrupted)?;
        let CommandOutput::Ended(outcome, bytes) = printed else {
            return Ok(match printed {
                CommandOutput::Interrupted => Supplied::Interrupted,
                // It is measured, and fails there.
                _ => Supplied::Ready,
            });
        };
        let printed = (outcome, bytes);
        if commit == 0 || commit == self.last {
            if !self.known.contains(&printed) {
                self.known.push(printed);
            }
            return Ok(Supplied::Ready);
        }
        // What fails and no end does is measured, and fails there as what it is.
        let fails = self.known.iter().all(|(known, _)| *known != printed.0);
        Ok(match fails || self.known.contains(&printed) {
            true => Supplied::Ready,
            false => Supplied::Lacking {
                why: NotStarted::NoResult("prints what neither end prints".to_owned()),
                said: Text::default(),
            },
        })
    }
}
