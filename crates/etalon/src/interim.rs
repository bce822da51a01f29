//! Exports between the stages of an experiment: what is done is on disk, whatever comes after.
//!
//! Owns: when they are written. That is after every finished stage, as long as writing has taken no
//! longer than executing: every analysis compares all pairs of commands, which for many short ones
//! is more work than the commands are. Refuses to tell of failures: the files are written again when
//! there is more, at the latest at the end, and what fails then is told.

use etalon_probe::clock::now_ns;
use etalon_record::store::NewRecord;

/// Writes exports of a record that may be unfinished.
type Write<'a> = Box<dyn Fn(&NewRecord) + 'a>;

/// Exports of an experiment under way.
pub(crate) struct Interim<'a> {
    /// How they are written; absent where none are.
    write: Option<Write<'a>>,
    began_ns: u64,
    spent_ns: u64,
}

impl<'a> Interim<'a> {
    /// Exports of an experiment that begins now.
    pub(crate) fn new(write: impl Fn(&NewRecord) + 'a) -> Interim<'a> {
        Interim { write: Some(Box::new(write)), ..Interim::none() }
    }

    /// No exports.
    pub(crate) fn none() -> Interim<'a> {
        Interim { write: None, began_ns: now_ns(), spent_ns: 0 }
    }

    /// A stage is done, and this is the record so far.
    pub(crate) fn stage_done(&mut self, record: &NewRecord) {
        let Some(write) = &self.write else { return };
        let now = now_ns();
        if !is_due(self.spent_ns, now - self.began_ns) {
            return;
        }
        write(record);
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
