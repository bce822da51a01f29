//! Intervals of the rows that a table picks as changed.
//!
//! Fixed seeds. Would catch intervals of the level of single comparisons: chance helped to pick them, and 12 % of them
//! miss.

use crate::support::normal;
use crate::tables::Rows;
use etalon_core::criteria::Criteria;
use etalon_core::random::Random;
use etalon_core::stats::Correction;
use etalon_core::tables::{Method, Query, QuerySpec, Style, tabulate};

/// One of five rows takes 2 % longer, of 30, at 2 % noise.
fn rows(seed: u64) -> Rows {
    let mut rows = Rows::new(&["old", "new"]);
    let mut random = Random::new(seed * 43 + 1);
    for benchmark in 0..30 {
        for file in 0..2 {
            let change = if file == 1 { truth(benchmark) } else { 1.0 };
            for _ in 0..15 {
                let value = 1000.0 * change * (0.02 * normal(&mut random)).exp();
                rows.add(file, &[], &format!("B{benchmark}"), &[(value, "ns/op")]);
            }
        }
    }
    rows
}

fn truth(benchmark: usize) -> f64 {
    if benchmark.is_multiple_of(5) { 1.02 } else { 1.0 }
}

/// Rows that were picked, and those whose interval does not hold the truth.
fn missed(correction: Correction) -> (usize, usize) {
    // Values as if they had been interleaved.
    let criteria = Criteria {
        between: Some(0.0),
        correction: Some(correction),
        margin: etalon_core::criteria::Margin::Relative(0.0001),
        ..Criteria::default()
    };
    let method = Method { criteria, ..Method::new(Style::Etalon) };
    let (mut picked, mut missed) = (0, 0);
    for seed in 0..200 {
        let tables = tabulate(&rows(seed).0, Query::new(QuerySpec::default()), &method);
        for row in &tables.tables[0].rows {
            let name = row.labels[0].as_deref().unwrap();
            let benchmark: usize = name.trim_start_matches('B').parse().unwrap();
            let cell = row.cells[1].as_ref().unwrap();
            let judged = cell.comparison.as_ref().unwrap().assessment.as_deref().unwrap();
            if judged.decision.is_difference() {
                let interval = judged.evidence.ratio_interval().unwrap();
                assert!(!interval.contains(1.0), "{interval:?}");
                picked += 1;
                missed += usize::from(!interval.contains(truth(benchmark)));
            }
        }
    }
    (picked, missed)
}

#[test]
fn intervals_of_picked_rows_hold() {
    let (picked, missed) = missed(Correction::BenjaminiHochberg);
    println!("{missed} of {picked}");
    assert!(picked > 300, "{picked}");
    // 5 % and what chance adds in 1 of 100.
    assert!(missed * 1000 <= picked * 70, "{missed} of {picked}");
}
