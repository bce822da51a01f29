//! "Sampling Details": how much was measured, how, and whether that was enough.

use etalon_core::analysis::{Analysis, CaseFacts, Suite, Target};
use etalon_core::model::{Collector, Sampling};

use super::{measured, name};
use crate::number::percent;
use crate::table::{Align, Cell, Column, Table};

/// How each case was sampled.
pub(super) fn table(analysis: &Analysis, suite: &Suite) -> Table {
    let columns = [
        ("Name", Align::Left),
        ("Samples", Align::Right),
        ("Outliers", Align::Left),
        ("Conf Level", Align::Right),
        ("Target RCIW", Align::Left),
        ("GC Mode", Align::Left),
    ];
    let criteria = &analysis.settings.criteria;
    let row = |case: super::Measured<'_>| {
        let sampling = case.summary.benchmark.case.as_ref().map(|case| case.sampling)?;
        Some(vec![
            name(analysis, case.index),
            Cell::words(case.facts.samples.to_string()),
            Cell::words_or_absent(outliers(case.facts)),
            Cell::words(crate::words::level(criteria.level(Some(sampling.confidence)))),
            Cell::words_or_absent(target(&sampling, case.facts)),
            Cell::words(collector(sampling.collector)),
        ])
    };
    Table {
        title: "Sampling Details".to_owned(),
        columns: columns.iter().map(|(title, align)| Column::new(title, *align)).collect(),
        rows: measured(analysis, suite).into_iter().filter_map(row).collect(),
        ..Table::default()
    }
}

#[allow(clippy::cast_precision_loss)] // counts
fn outliers(facts: &CaseFacts) -> Option<String> {
    let found = facts.outliers?;
    let count = found.below + found.above;
    let share = count as f64 / facts.samples as f64;
    Some(format!("{count} ({:.1}\u{a0}%)", share * 100.0))
}

fn target(sampling: &Sampling, facts: &CaseFacts) -> Option<String> {
    let target = percent(sampling.target?);
    Some(match facts.precision.and_then(|precision| precision.target) {
        Some(Target::Met) => target,
        Some(Target::Missed) => format!("{target}, missed"),
        None => format!("{target}, no interval"),
    })
}

fn collector(collector: Collector) -> String {
    match collector {
        Collector::Off => "off".to_owned(),
        Collector::Full => "full GC".to_owned(),
        Collector::Step(kilobytes) => format!("steps of {kilobytes} KB"),
    }
}
