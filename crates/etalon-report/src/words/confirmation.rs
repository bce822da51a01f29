//! The words for a step whose neighbours were measured against each other, or could not be.

use etalon_core::history::Unmeasured;

use crate::text::clean;

/// Why neighbours were not measured.
pub(crate) fn unmeasured(why: &Unmeasured) -> String {
    match why {
        Unmeasured::NoRecord => "no saved run says how".to_owned(),
        Unmeasured::OtherCommand(name) => {
            format!("its runs are of `etalon {}`, not of `etalon ab`", clean(name))
        }
        Unmeasured::OtherMachine(name) => format!("its machine is another: {}", clean(name)),
        Unmeasured::OtherDirectory(path) => {
            format!("its runs were started in {}: go there", clean(path))
        }
        Unmeasured::NoCommit(commit) => format!("{} is not in this repository", clean(commit)),
        Unmeasured::Failed(message) => {
            format!("it failed: {}", clean(message.lines().next().unwrap_or_default()))
        }
        Unmeasured::ControlMoved => "a side differs from its own second build".to_owned(),
        Unmeasured::NoReadings => "the run has no readings of it on both sides".to_owned(),
        Unmeasured::NoTime => "the time was over".to_owned(),
        Unmeasured::Interrupted => "interrupted".to_owned(),
    }
}
