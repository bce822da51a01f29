//! Problems of a source that is not read line by line, as those of the dataset.
//!
//! Owns that remarks, losses and failures of every source are told like those of Go's benchmarks. Refuses to
//! judge them.

use etalon_core::dataset::{Dataset, Group, Problem, Reason, RunSetId};
use etalon_core::model::{Note, Outcome};
use etalon_core::run_set::RunSet;

/// Adds what is to be told of a run set that has all its rows.
pub(super) fn list(data: &mut Dataset, run_set: RunSetId) {
    let set = &data.run_sets[run_set.at()];
    let lost = set.lost.clone().map(Reason::Damaged);
    let groups = if data.rows.are_all_ok() { Vec::new() } else { data.groups() };
    let own = groups.iter().filter(|group| group.run_set == run_set);
    let failed = own.flat_map(|group| failures(data, group));
    let said: Vec<Reason> = remarks(set).chain(lost).chain(failed).collect();
    for reason in said {
        data.problems.add(Problem { run_set, line: None, reason });
    }
}

/// The remarks that were made while the run set was measured or read.
fn remarks(set: &RunSet) -> impl Iterator<Item = Reason> {
    set.notes.iter().map(|Note { about, text, .. }| {
        let itself = *about == set.source;
        Reason::Remark(if itself { text.clone() } else { format!("{about}: {text}") })
    })
}

/// The executions of a benchmark that failed.
fn failures(data: &Dataset, group: &Group) -> impl Iterator<Item = Reason> {
    let of = group.rows.len() + group.uncounted.len();
    let name = || group.benchmark.key.label();
    let is_failed = |row: &&u32| *data.rows.outcome(**row as usize) != Outcome::Ok;
    let counted = group.rows.iter().filter(is_failed).count();
    let not_counted = Some(group.uncounted.len()).filter(|failed| *failed > 0);
    let benchmark = (!group.rows.is_empty()).then_some(group.id);
    let not_counted =
        not_counted.map(|failed| Reason::NotCounted { name: name(), benchmark, failed, of });
    let counted = (counted > 0).then(|| Reason::Failed { name: name(), failed: counted, of });
    [not_counted, counted].into_iter().flatten()
}
