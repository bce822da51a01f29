//! The note on executions that waited for a CPU: from what was looked up, and from bounds where it was not.
//!
//! Would catch a busy machine that is not told of because most executions were not looked up, executions that are
//! counted as disturbed for having slept, and a note where nobody knows.

use crate::support::{Column, Layout, Series, cpu, data};
use etalon_core::analysis::{ExecutionNote, Note, NoteKind, analyse};
use etalon_core::metrics;
use etalon_core::model::Metric;
use etalon_core::plan::Settings;

/// How long an execution waited, and at most did, in s.
type Waiting = (Option<f64>, Option<f64>);

/// Executions of 1 s with how long they waited, or at most did, where that is known.
fn noted(executions: &[Waiting]) -> Option<ExecutionNote> {
    let metric = |name: &str| Metric { name: name.to_owned(), ..cpu(1e-9) };
    let mut set = crate::support::run_set(metric(metrics::WALL), &[Vec::new()], Layout::Blocks);
    set.metrics.extend([metrics::CPU_WAIT, metrics::CPU_WAIT_MAX].map(metric));
    let rows = u32::try_from(executions.len()).unwrap();
    let column = |value: fn(&Waiting) -> Option<f64>| {
        let there = (0..rows).zip(executions).filter_map(|(row, it)| Some((row, value(it)?)));
        let (rows, values) = there.unzip();
        Column { rows, values }
    };
    let columns = vec![column(|_| Some(1.0)), column(|it| it.0), column(|it| it.1)];
    set.series = vec![Series { blocks: (0..rows).collect(), rows, columns, ..Series::default() }];
    let notes = analyse(&data(&[set]), &Settings::default()).unwrap().notes;
    let of_executions = |note: &Note| match &note.what {
        NoteKind::Executions(waited @ ExecutionNote::Waited { .. }) => Some(waited.clone()),
        _ => None,
    };
    notes.iter().find_map(of_executions)
}

#[test]
fn executions_that_waited_are_counted_among_all() {
    let (waited, slept, busy) = ((Some(0.3), None), (Some(0.0), None), (None, Some(0.05)));
    let mixed = [waited, slept, busy, waited, busy, slept];
    assert_eq!(noted(&mixed), Some(ExecutionNote::Waited { disturbed: 2, of: 6 }));
    assert_eq!(noted(&[slept, busy, busy, slept]), None);
    assert_eq!(noted(&[busy; 4]), None);
}

#[test]
fn nothing_is_said_where_one_may_have_waited() {
    let waited = (Some(0.3), None);
    assert_eq!(noted(&[waited, waited, (None, Some(0.4))]), None);
    assert_eq!(noted(&[waited, waited, (None, None)]), None);
}
