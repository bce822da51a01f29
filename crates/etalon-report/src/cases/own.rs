//! The tables of cases in etalon's own words: lua-measure's without what the screen has said already.

use etalon_core::analysis::{Analysis, Suite};
use etalon_core::model::Warmup;

use super::{Measured, compiling};
use crate::number::separated;
use crate::table::{Align, Cell, CellKind, Column, Table};
use crate::view::Statistics;

/// Titles of lua-measure's report, with those that stand for them here; others are equal in both.
const WORDS: [(&str, &str); 35] = [
    ("Sampling Details", "Sampling"),
    ("Memory Analysis", "Memory"),
    ("Metrics", "Numbers that the suite gives"),
    ("Measurement Reliability Analysis", "Precision of the median"),
    ("Performance Analysis", "Time per call"),
    ("Pairwise Comparison", "Comparison of means"),
    ("Clusters", "Clusters of means"),
    ("Name", ""),
    ("Samples", "samples"),
    ("Outliers", "outliers"),
    ("Target RCIW", "target"),
    ("GC Mode", "collector"),
    ("Max Alloc/Op", "max alloc/call"),
    ("Alloc/Op", "alloc/call"),
    ("Relative", "against the baseline"),
    ("Peak Memory", "peak"),
    ("Uncollected", "retained"),
    ("Avg Incr.", "retained/sample"),
    ("Allocs/Op", "allocs/call"),
    ("GC/Op", "GC/call"),
    ("Metric", "metric"),
    ("Value", "value"),
    ("Unit", "unit"),
    ("CI Level", "interval"),
    ("CI Width", "width"),
    ("RCIW", "width/median"),
    ("Quality", "quality"),
    ("Ops/sec", "calls/s"),
    ("Mean", "mean"),
    ("p50", "median"),
    ("StdDev", "std dev"),
    ("Throughput", "throughput"),
    ("Items/sec", "items/s"),
    ("Against", "against"),
    ("Adjusted p", "adjusted p"),
];

/// Why a median is not that of the screen.
const OF_SAMPLES: &str =
    "Of all samples together; what is compared above is the median of the blocks.";

/// Tables whose caption says how they were tested.
const TESTED: [&str; 2] = ["Pairwise Comparison", "Clusters"];

/// Columns that the screen or another table answers, by table.
const ANSWERED: [(&str, &[&str]); 2] =
    [("Performance Analysis", &["Relative", "Verdict"]), ("Sampling Details", &["Conf Level"])];

/// The tables of a suite, in order; units stand beside their numbers. None where no figures are asked for: the screen
/// has the times.
pub(crate) fn own_tables(analysis: &Analysis, suite: &Suite, statistics: Statistics) -> Vec<Table> {
    if statistics == Statistics::None {
        return Vec::new();
    }
    let compiling = (statistics == Statistics::Full).then(|| compiling::table(analysis, suite));
    let tables = super::statistics_tables(analysis, suite, statistics).into_iter();
    let with_more = |table: Table| match table.title.as_str() {
        "Sampling Details" => with_batches(table, &super::measured(analysis, suite)),
        "Memory Analysis" => with_factors(table, super::memory::relatives(analysis, suite)),
        "Performance Analysis" => {
            with_cpu_time(table, super::performance::cpu_time(analysis, suite))
        }
        _ => table,
    };
    let tables = tables.chain(compiling.filter(|table| !table.rows.is_empty()));
    tables.map(|table| in_own_words(without_answered(with_more(table)))).collect()
}

/// How many blocks a case was measured in, how many calls were a sample, and what went before.
fn with_batches(mut table: Table, cases: &[Measured<'_>]) -> Table {
    for (row, case) in table.rows.iter_mut().zip(cases) {
        let sampling = case.summary.benchmark.case.as_ref().map(|case| case.sampling);
        let warmup = sampling.map(|sampling| warm_up(sampling.warmup));
        let cells = [
            Some(separated(&case.facts.blocks.to_string())),
            case.facts.iterations.map(|calls| separated(&calls.to_string())),
            warmup,
        ];
        row[1] = Cell::words(separated(&case.facts.samples.to_string()));
        row.splice(2..2, cells.map(Cell::words_or_absent));
    }
    let columns = ["blocks", "calls", "warm-up"].map(|title| Column::new(title, Align::Right));
    table.columns.splice(2..2, columns);
    table
}

fn warm_up(warmup: Warmup) -> String {
    match warmup {
        Warmup::For(seconds) => format!("{seconds} s"),
        Warmup::UntilLevel { at_most } => format!("≤ {at_most} s"),
    }
}

/// How much is allocated beside the baseline, as factors are written everywhere.
fn with_factors(mut table: Table, factors: Vec<Cell>) -> Table {
    let Some(at) = table.columns.iter().position(|column| column.title == "Relative") else {
        return table;
    };
    for (row, factor) in table.rows.iter_mut().zip(factors) {
        row[at] = factor;
    }
    table
}

/// The CPU time of a call behind the median of its wall clock.
fn with_cpu_time(mut table: Table, cpu_time: Option<(Column, Vec<Cell>)>) -> Table {
    let behind = table.columns.iter().position(|column| column.title == "p50");
    if let (Some(median), Some((column, cells))) = (behind, cpu_time) {
        table.columns.insert(median + 1, column);
        for (row, cell) in table.rows.iter_mut().zip(cells) {
            row.insert(median + 1, cell);
        }
    }
    table
}

fn without_answered(mut table: Table) -> Table {
    let answered = ANSWERED.iter().find(|(title, _)| *title == table.title);
    let answered = answered.map_or(&[][..], |(_, columns)| columns);
    let kept: Vec<bool> =
        table.columns.iter().map(|column| !answered.contains(&column.title.as_str())).collect();
    for row in &mut table.rows {
        let mut kept = kept.iter();
        row.retain(|_| kept.next().copied().unwrap_or(true));
    }
    let mut kept = kept.iter();
    table.columns.retain(|_| kept.next().copied().unwrap_or(true));
    table
}

fn in_own_words(mut table: Table) -> Table {
    let caption = std::mem::take(&mut table.caption);
    // In which order rows stand, and which way is better, is seen; how means were tested is not.
    if TESTED.contains(&table.title.as_str()) {
        table.remarks.insert(0, caption);
    }
    if table.title == "Performance Analysis" {
        table.remarks.insert(0, OF_SAMPLES.to_owned());
    }
    for (at, column) in table.columns.iter_mut().enumerate() {
        let unit = std::mem::take(&mut column.unit);
        for row in table.rows.iter_mut().filter(|_| !unit.is_empty()) {
            if row[at].kind == CellKind::Number {
                row[at].text = format!("{} {unit}", row[at].text);
            }
        }
        column.title = own(&column.title);
    }
    table.title = own(&table.title);
    table
}

fn own(title: &str) -> String {
    let found = WORDS.iter().find(|(theirs, _)| *theirs == title);
    found.map_or(title, |(_, ours)| *ours).to_owned()
}
