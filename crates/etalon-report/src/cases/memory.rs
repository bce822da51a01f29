//! "Memory Analysis": what a call allocates, what stays behind, what collecting it costs.

use etalon_core::analysis::{Analysis, Memory, Suite};
use etalon_core::metrics;
use etalon_core::units::Base;

use super::{Measured, measured, name, rows, shared_unit, sorted};
use crate::number::fixed;
use crate::table::{ABSENT, Align, Cell, CellKind, Column, Table};
use crate::words;

/// The table; columns of which nothing is known are left out, and all of it if nothing is.
pub(super) fn table(analysis: &Analysis, suite: &Suite) -> Table {
    let cases = in_order(analysis, suite);
    let of = |value: fn(&Memory) -> Option<f64>| -> Vec<Option<f64>> {
        cases.iter().map(|case| value(&case.facts.memory)).collect()
    };
    let words = |title: &str, align, word: &dyn Fn(&Measured<'_>) -> String| {
        let cells = cases.iter().map(|case| Cell::words(word(case))).collect();
        (Column::new(title, align), cells)
    };
    let bytes = |title: &str, value| shared_unit::column(title, &Base::Bytes, &of(value));
    let largest = |case: &Measured<'_>| Some(case.summary.metric(metrics::RSS)?.quartiles.max);
    let resident: Vec<Option<f64>> = cases.iter().map(largest).collect();
    let names = cases.iter().map(|case| name(analysis, case.index)).collect();
    let all: Vec<(Column, Vec<Cell>)> = vec![
        (Column::new("Name", Align::Left), names),
        words("Samples", Align::Right, &|case| case.facts.memory.readings.to_string()),
        bytes("Max Alloc/Op", |m| m.max_alloc),
        bytes("Alloc/Op", |m| m.alloc),
        words("Relative", Align::Left, &|case| relative(case, suite)),
        shared_unit::column("RSS", &Base::Bytes, &resident),
        first(bytes("Peak Memory", |m| m.peak)),
        bytes("Uncollected", |m| m.retained),
        bytes("Avg Incr.", |m| m.retained_per_sample),
        shared_unit::column("Allocs/Op", &Base::Count, &of(|m| m.allocs)),
        shared_unit::column("GC/Op", &Base::Seconds, &of(|m| m.gc_time)),
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

/// How much a case allocates beside the baseline, in lua-measure's words.
fn relative(case: &Measured<'_>, suite: &Suite) -> String {
    match beside(case, suite) {
        Ok((ratio, word)) => match fixed(ratio, 3).as_str() {
            "1.000" => "same".to_owned(),
            shown => format!("{shown}× {word}"),
        },
        Err(word) => word.to_owned(),
    }
}

/// The ratios of each row in etalon's words.
pub(super) fn relatives(analysis: &Analysis, suite: &Suite) -> Vec<Cell> {
    let cell = |case: Measured<'_>| {
        Cell::words(match beside(&case, suite) {
            Ok((1.0, _)) => "same".to_owned(),
            Ok((ratio, word)) => format!("{} {word}", words::times(ratio)),
            Err(word) => word.to_owned(),
        })
    };
    in_order(analysis, suite).into_iter().map(cell).collect()
}

/// How many times as much, or as little, as the baseline a case allocates; or the word for it.
fn beside(case: &Measured<'_>, suite: &Suite) -> Result<(f64, &'static str), &'static str> {
    if Some(case.index) == suite.baseline {
        return Err("baseline");
    }
    match case.facts.memory.relative {
        None => Err(ABSENT),
        Some(0.0) => Err("none"),
        Some(ratio) if ratio > 1.0 => Ok((ratio, "more")),
        Some(ratio) => Ok((1.0 / ratio, "less")),
    }
}

/// The cases in the order of the rows, those of which nothing is known left out.
fn in_order<'a>(analysis: &'a Analysis, suite: &Suite) -> Vec<Measured<'a>> {
    let cases = sorted(measured(analysis, suite), |case| case.facts.memory.alloc);
    cases.into_iter().filter(|case| case.facts.memory != Memory::default()).collect()
}
