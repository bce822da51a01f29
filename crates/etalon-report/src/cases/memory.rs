//! "Memory Analysis": what a call allocates, what stays behind, what collecting it costs.

use etalon_core::analysis::{Analysis, Memory, Suite};
use etalon_core::metrics;
use etalon_core::units::Base;

use super::{Measured, measured, name, rows, scale, sorted};
use crate::number::fixed;
use crate::table::{ABSENT, Align, Cell, CellKind, Column, Table};

/// The table; columns of which nothing is known are left out, and all of it if nothing is.
pub(super) fn table(analysis: &Analysis, suite: &Suite) -> Table {
    let cases = sorted(measured(analysis, suite), |case| case.facts.memory.alloc);
    let cases: Vec<Measured<'_>> =
        cases.into_iter().filter(|case| case.facts.memory != Memory::default()).collect();
    let of = |value: fn(&Memory) -> Option<f64>| -> Vec<Option<f64>> {
        cases.iter().map(|case| value(&case.facts.memory)).collect()
    };
    let words = |title: &str, align, word: &dyn Fn(&Measured<'_>) -> String| {
        let cells = cases.iter().map(|case| Cell::words(word(case))).collect();
        (Column::new(title, align), cells)
    };
    let bytes = |title: &str, value| scale::column(title, &Base::Bytes, &of(value));
    let largest = |case: &Measured<'_>| Some(case.summary.metric(metrics::RSS)?.quartiles.max);
    let resident: Vec<Option<f64>> = cases.iter().map(largest).collect();
    let names = cases.iter().map(|case| name(analysis, case.index)).collect();
    let all: Vec<(Column, Vec<Cell>)> = vec![
        (Column::new("Name", Align::Left), names),
        words("Samples", Align::Right, &|case| case.facts.memory.readings.to_string()),
        bytes("Max Alloc/Op", |m| m.max_alloc),
        bytes("Alloc/Op", |m| m.alloc),
        words("Relative", Align::Left, &|case| relative(case, suite)),
        scale::column("RSS", &Base::Bytes, &resident),
        first(bytes("Peak Memory", |m| m.peak)),
        bytes("Uncollected", |m| m.retained),
        bytes("Avg Incr.", |m| m.retained_per_sample),
        scale::column("Allocs/Op", &Base::Count, &of(|m| m.allocs)),
        scale::column("GC/Op", &Base::Seconds, &of(|m| m.gc_time)),
    ];
    let known = |(column, cells): &(Column, Vec<Cell>)| {
        column.align != Align::Point
            || cells.iter().any(|c| c.kind == CellKind::Number || c.text != ABSENT)
    };
    let (columns, cells) = all.into_iter().filter(known).unzip();
    Table {
        title: "Memory Analysis".to_owned(),
        caption: "Sorted by Alloc/Op (lower is better).".to_owned(),
        columns,
        rows: rows(cells),
        ..Table::default()
    }
}

fn first((column, cells): (Column, Vec<Cell>)) -> (Column, Vec<Cell>) {
    (column.first(), cells)
}

/// How many times as much, or as little, as the baseline allocates.
fn relative(case: &Measured<'_>, suite: &Suite) -> String {
    if Some(case.index) == suite.baseline {
        return "baseline".to_owned();
    }
    let (ratio, word) = match case.facts.memory.relative {
        None => return ABSENT.to_owned(),
        Some(0.0) => return "none".to_owned(),
        Some(ratio) if ratio > 1.0 => (ratio, "more"),
        Some(ratio) => (1.0 / ratio, "less"),
    };
    match fixed(ratio, 3).as_str() {
        "1.000" => "same".to_owned(),
        shown => format!("{shown}× {word}"),
    }
}
