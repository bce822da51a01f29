//! The calibration in short: some rows of every table, few replicates, fixed seeds.
//!
//! Would catch a comparison that is wrong much more often than it says, an interval too narrow, a harness that fails
//! nothing, and figures that depend on threads.

use std::num::NonZeroUsize;

use etalon_calibrate::table::{Effort, Table, Weight, simulate};
use etalon_calibrate::{document, tables};

/// Every so manieth row of a table is simulated.
const ROWS: usize = 7;

fn effort(replicates: usize, threads: usize) -> Effort {
    Effort { replicates, seed: 1, threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN) }
}

/// The tables, but only some of their rows; headlines no more often than others.
fn short() -> Vec<Table> {
    let mut all = tables::all();
    for table in &mut all {
        let mut at = 0..;
        table.rows.retain(|_| at.next().is_some_and(|at| at % ROWS == 0));
        for row in table.rows.iter_mut().filter(|row| row.weight == Weight::Headline) {
            row.weight = Weight::Usual;
        }
    }
    all
}

#[test]
fn nothing_fails() {
    for table in short() {
        let counts = simulate(&table, effort(60, 2));
        let failed = table.failed(&counts);
        let named = |(row, column): &(usize, usize)| {
            let (title, name) = (&table.rows[*row].title, &table.columns[*column].0);
            format!("{title}, {name}: {:?}", counts[*row][*column])
        };
        let failed: Vec<String> = failed.iter().map(named).collect();
        assert!(failed.is_empty(), "{}: {failed:?}", table.title);
    }
}

#[test]
fn figures_do_not_depend_on_threads() {
    let text = |threads| document(&short()[..3], effort(10, threads), |_| ());
    assert_eq!(text(1), text(3));
    assert!(text(1).contains("| --- |"));
}

/// The drift of a machine is a difference to every rule that measures one subject after the other.
#[test]
fn what_is_wrong_is_seen() {
    let mut all = tables::all();
    let table = all.iter_mut().find(|table| table.title.starts_with("Other rules")).unwrap();
    table.rows.retain(|row| row.title == "common drift, 30");
    let counts = simulate(table, effort(60, 2));
    let shares: Vec<f64> = counts[0].iter().filter_map(|count| count.value()).collect();
    assert!(shares[0] < 0.1 && shares[1..4].iter().all(|share| *share > 0.3), "{shares:?}");
}
