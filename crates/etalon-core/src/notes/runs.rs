//! Notes that follow from runs as they stand in a dataset: how they ended, and what ran beside them.

use super::{DesignNote, ExecutionNote, Note, NoteKind};
use crate::dataset::{ChangingLoad, Dataset, Waiting};
use crate::run_set::{RunSet, StoppedBy};

/// Experiments that did not come to the end they were asked for; each by its label where there are several.
#[must_use]
pub fn cut_short(data: &Dataset) -> Vec<Note> {
    let note = |set: &RunSet| {
        set.plan.as_ref()?;
        let stopped_by = set.end.as_ref().map(|end| end.stopped_by.clone());
        let is_cut = match stopped_by {
            None => true,
            Some(ref by) => {
                matches!(by, StoppedBy::Interrupt | StoppedBy::Failure | StoppedBy::Error)
            }
        };
        let about = if data.run_sets.len() == 1 { String::new() } else { set.label.clone() };
        is_cut
            .then_some(Note { about, what: NoteKind::Design(DesignNote::CutShort { stopped_by }) })
    };
    data.run_sets.iter().filter_map(note).collect()
}

/// Runs in which executions waited for a CPU much longer at some times than at others.
#[must_use]
pub fn load_changed(data: &Dataset) -> Vec<Note> {
    let note = |(about, load): (String, ChangingLoad)| Note {
        about,
        what: NoteKind::Design(DesignNote::LoadChanged(load)),
    };
    data.changing_load().into_iter().map(note).collect()
}

/// Runs of which many executions waited long for a CPU.
#[must_use]
pub fn often_waited(data: &Dataset) -> Vec<Note> {
    let note = |(about, Waiting { disturbed, of }): (String, Waiting)| Note {
        about,
        what: NoteKind::Executions(ExecutionNote::Waited { disturbed, of }),
    };
    data.often_waiting().into_iter().map(note).collect()
}
