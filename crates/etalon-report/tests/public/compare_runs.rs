//! The sentence on the runs that a comparison rests on: goldens at 80 columns.
//!
//! The data sets are Go's format, a header for each run.

use etalon_core::dataset::Dataset;
use etalon_core::dataset::history::History;
use etalon_core::tables::{QuerySpec, natural, natural_beside};
use etalon_report::compare::{Remarks, terminal};
use etalon_report::view::View;

use crate::compare::{OLD, SCREEN, before_and_after, between, dataset, file, shown};

/// One after the other: each run's times by a factor.
fn runs(factors: &[f64]) -> String {
    let run = |factor: &f64| {
        let scaled = OLD.map(|(name, ns, bytes, allocs)| (name, ns * factor, bytes, allocs));
        file("Example 9000", 8, &scaled)
    };
    factors.iter().map(run).collect()
}

fn screen(data: &Dataset, said: Option<f64>) -> String {
    shown(&between(data, &natural(data), said), SCREEN, 80)
}

/// One run a side: how it was before was called a difference from 1 % on.
#[test]
fn one_run_a_side() {
    let data = before_and_after();
    insta::assert_snapshot!("runs_one", screen(&data, None));
    insta::assert_snapshot!("runs_one_said", screen(&data, Some(0.01)));
    let tables = between(&data, &natural(&data), None);
    let command = Some("etalon cmd OLD NEW");
    let said = Remarks { interleaved_by: command, ..Remarks::default() };
    let shown = terminal(tables, SCREEN, said, View { width: 80, ..View::SCREEN }).join("\n");
    assert!(shown.contains("--between).\nInterleaved: etalon cmd OLD NEW\n"), "{shown}");
}

/// Runs that scatter by 1 %, one side after the other and in turn.
#[test]
fn several_runs_a_side() {
    let (old, new) = ([1.0, 1.01, 0.99], [1.1, 1.11, 1.09]);
    let apart = dataset(&[("old.txt", runs(&old)), ("new.txt", runs(&new))]);
    insta::assert_snapshot!("runs_apart", screen(&apart, None));
    let round = |(old, new): (&f64, &f64)| {
        format!("commit: a\n{}commit: b\n{}", runs(&[*old]), runs(&[*new]))
    };
    let rounds = old.iter().zip(&new).map(round);
    let both = dataset(&[("both.txt", rounds.collect())]);
    let by_commit = QuerySpec {
        col: "commit".parse().unwrap(),
        ..natural_beside(&both, &[&"commit".parse().unwrap()])
    };
    let tables = between(&both, &by_commit, None);
    insta::assert_snapshot!("runs_alternating", shown(&tables, SCREEN, 80));
}

/// Ten earlier runs of the same benchmarks, each of a file of its own, say how much runs scatter; in one file without
/// times they are one occasion.
#[test]
fn earlier_runs() {
    let wobble: Vec<f64> = (0..10).map(|at| 1.0 + f64::from(at * 7 % 10) / 500.0).collect();
    let mut data = before_and_after();
    data.history = History::default();
    for (at, factor) in wobble.iter().enumerate() {
        data.history.add(&dataset(&[(&format!("earlier{at}.txt"), runs(&[*factor]))]));
    }
    insta::assert_snapshot!("runs_earlier", screen(&data, None));
    data.history = History::default();
    data.history.add(&dataset(&[("earlier.txt", runs(&wobble))]));
    insta::assert_snapshot!("runs_one_occasion", screen(&data, None));
}

/// So many rows of which nothing can be told.
fn nothing_told(rows: usize) -> Dataset {
    let names: Vec<String> = (0..rows).map(|at| format!("Case{at}")).collect();
    let scaled = |by: f64| -> Vec<(&str, f64, f64, u64)> {
        let scale = |at: usize| 1.0 + by * at as f64;
        names.iter().enumerate().map(|(at, name)| (&**name, 1e4 * scale(at), 64.0, 3)).collect()
    };
    dataset(&[
        ("old.txt", file("Example 9000", 8, &scaled(0.0))),
        ("new.txt", file("Example 9000", 8, &scaled(0.001))),
    ])
}

/// Where nothing can be told, a few rows and a count of the others; the largest change first.
#[test]
fn rows_that_tell_nothing_do_not_fill_the_screen() {
    insta::assert_snapshot!("runs_nothing_told", screen(&nothing_told(60), None));
}

/// Would catch a line that says of a single row that it is left out, in the room of that row.
#[test]
fn a_single_row_is_not_left_out() {
    let screen_of = |rows: usize| screen(&nothing_told(rows), None);
    assert!(!screen_of(6).contains("more unclear"), "{}", screen_of(6));
    assert!(screen_of(7).contains("2 more unclear"), "{}", screen_of(7));
}
