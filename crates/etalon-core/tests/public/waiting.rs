//! Executions that waited for a CPU: the note on them, from what was looked up, and from bounds where it was not; and
//! what their waiting does to comparisons between runs.
//!
//! Would catch a busy machine that is not told of because most executions were not looked up, executions that are
//! counted as disturbed for having slept, and a note where nobody knows; a busy machine that makes unchanged code
//! slower (34 of 200 comparisons, live), and waiting that hides what has nothing to do with it.

use crate::support::{Column, Layout, RunSet, Series, cpu, data, labelled_data};
use etalon_core::analysis::analyse;
use etalon_core::compare::Design;
use etalon_core::metrics;
use etalon_core::model::Metric;
use etalon_core::notes::{ComparisonNote, ExecutionNote, Note, NoteKind};
use etalon_core::plan::Settings;
use etalon_core::tables::{Method, Query, QuerySpec, Style, tabulate};
use etalon_core::verdict::{Assessment, Verdict};

/// How long an execution waited, and at most did, in s.
type Waiting = (Option<f64>, Option<f64>);

/// Executions of 1 s with how long they waited, or at most did, where that is known.
fn noted(executions: &[Waiting]) -> Option<ExecutionNote> {
    let walls = vec![1.0; executions.len()];
    let notes =
        analyse(&data(&[measured(&walls, executions)]), &Settings::default()).unwrap().notes;
    let of_executions = |note: &Note| match &note.what {
        NoteKind::Executions(waited @ ExecutionNote::Waited { .. }) => Some(waited.clone()),
        _ => None,
    };
    notes.iter().find_map(of_executions)
}

/// A run with these readings of wall clock in s, and how long their executions waited.
fn measured(walls: &[f64], executions: &[Waiting]) -> RunSet {
    let metric = |name: &str| Metric { name: name.to_owned(), ..cpu(1e-9) };
    let mut set = crate::support::run_set(metric(metrics::WALL), &[Vec::new()], Layout::Blocks);
    set.metrics.extend([metrics::CPU_WAIT, metrics::CPU_WAIT_MAX].map(metric));
    let rows = u32::try_from(executions.len()).unwrap();
    let column = |value: fn(&Waiting) -> Option<f64>| {
        let there = (0..rows).zip(executions).filter_map(|(row, it)| Some((row, value(it)?)));
        let (rows, values) = there.unzip();
        Column { rows, values }
    };
    let walls = Column { rows: (0..rows).collect(), values: walls.to_vec() };
    let columns = vec![walls, column(|it| it.0), column(|it| it.1)];
    set.series = vec![Series { blocks: (0..rows).collect(), rows, columns, ..Series::default() }];
    set
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

/// Fifteen executions around a level, each of which waited for a share of its time.
fn run(level: f64, waited: f64) -> RunSet {
    let walls: Vec<f64> =
        (0..15).map(|at| level * (1.0 + 0.001 * f64::from(at * 7 % 15))).collect();
    let waits: Vec<Waiting> = walls.iter().map(|wall| (Some(waited * wall), None)).collect();
    measured(&walls, &waits)
}

/// The comparison of wall clock of two runs, as a table has it, and as a report has it.
fn compared(base: &RunSet, candidate: &RunSet) -> [Assessment; 2] {
    let data = labelled_data(&[("old", base), ("new", candidate)]);
    let asked = QuerySpec { filter: ".unit:sec/op".parse().unwrap(), ..QuerySpec::default() };
    let query = Query::new(asked);
    let tables = tabulate(&data, query, &Method::new(Style::Etalon));
    let cell = tables.tables[0].rows[0].cells[1].as_ref().unwrap();
    let of_table = cell.comparison.as_ref().unwrap().assessment.as_deref().unwrap().clone();
    let settings = Settings { metric: metrics::WALL.to_owned(), ..Settings::default() };
    let analysis = analyse(&data, &settings).unwrap();
    let of_report = analysis.rankings[0].comparisons[0].assessment.clone();
    assert_eq!(of_table.evidence.differing, of_report.evidence.differing);
    [of_table, of_report]
}

#[test]
fn waiting_for_a_cpu_makes_nothing_slower_between_runs() {
    let quiet = run(0.01, 0.0);
    for of in compared(&quiet, &run(0.02, 0.0)) {
        assert_eq!(of.decision.verdict, Verdict::Slower);
        assert_eq!(ComparisonNote::on_evidence(&of.evidence), []);
    }
    // Half of the time was waiting: what is left did not change.
    for of in compared(&quiet, &run(0.02, 0.5)) {
        assert_eq!(of.decision.verdict, Verdict::Unclear);
        assert_eq!(
            ComparisonNote::on_evidence(&of.evidence),
            [ComparisonNote::Waited { base: 0.0, candidate: 0.5 }]
        );
        let interval = of.evidence.ratio_interval().unwrap();
        assert!(interval.lo < 1.0 && interval.hi > 2.0, "{interval:?}");
        let Design::Runs(runs) = of.evidence.design else { panic!("{of:?}") };
        assert!((runs.compared.unwrap().p(0.0) - 1.0).abs() < 1e-12);
    }
    // A tenth of it explains little of a factor of two, and both sides waiting alike explains nothing.
    for (base, candidate) in [(quiet, run(0.02, 0.1)), (run(0.01, 0.5), run(0.02, 0.5))] {
        for of in compared(&base, &candidate) {
            assert_eq!(of.decision.verdict, Verdict::Slower);
        }
    }
}

/// Where only a bound is known it counts as waiting up to a tenth; of more nobody knows what it was.
#[test]
fn bounds_of_waiting_count_where_they_are_small() {
    let with_bound = |share: f64| {
        let walls = [0.02; 15];
        measured(&walls, &walls.map(|wall| (None, Some(share * wall))))
    };
    let waited = |candidate: &RunSet| {
        let [of, _] = compared(&run(0.01, 0.0), candidate);
        let Design::Runs(runs) = of.evidence.design else { panic!("{of:?}") };
        runs.waited[1]
    };
    assert!((waited(&with_bound(0.08)) - 0.08).abs() < 1e-12);
    assert_eq!(waited(&with_bound(0.5)).to_bits(), 0.0_f64.to_bits());
}
