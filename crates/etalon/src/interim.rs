//! Exports between the stages of an experiment: what is done is on disk, whatever comes after.
//!
//! Owns: when they are written. That is after every finished stage, as long as writing has taken no
//! longer than executing: every analysis compares all pairs of commands, which for many short ones
//! is more work than the commands are. Refuses to tell of failures: the files are written again when
//! there is more, at the latest at the end, and what fails then is told.

use etalon_probe::clock::now_ns;
use etalon_record::store::NewRecord;

use crate::cli;
use crate::exports::Exports;
use crate::report;

/// Exports of an experiment under way.
#[derive(Debug)]
pub(crate) struct Interim<'a> {
    /// What is written, and how it is analysed; absent where nothing is.
    written: Option<(&'a Exports<'a>, &'a cli::Analysis)>,
    began_ns: u64,
    spent_ns: u64,
}

impl<'a> Interim<'a> {
    /// The exports of an experiment that begins now.
    pub(crate) fn new(exports: &'a Exports<'a>, asked: &'a cli::Analysis) -> Interim<'a> {
        Interim { written: Some((exports, asked)), ..Interim::none() }
    }

    /// No exports.
    pub(crate) fn none() -> Interim<'a> {
        Interim { written: None, began_ns: now_ns(), spent_ns: 0 }
    }

    /// A stage is done, and this is the record so far.
    pub(crate) fn stage_done(&mut self, record: &NewRecord) {
        let Some((exports, asked)) = self.written else { return };
        let now = now_ns();
        if exports.is_empty() || !is_due(self.spent_ns, now - self.began_ns) {
            return;
        }
        let _told_at_the_end = report::export(record, asked, exports);
        self.spent_ns += now_ns() - now;
    }
}

/// Whether at most half of the time has gone into writing.
fn is_due(spent_ns: u64, elapsed_ns: u64) -> bool {
    spent_ns <= elapsed_ns / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_always_due_and_writing_never_outweighs_executing() {
        assert!(is_due(0, 0));
        assert!(is_due(50, 100));
        assert!(!is_due(51, 100));
    }
}
