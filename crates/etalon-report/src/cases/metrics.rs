//! "Metrics": the numbers that suites give of their cases, in the units they give them in.

use etalon_core::analysis::{Analysis, MetricSummary, Suite};
use etalon_core::model::Kind;

use super::{name, rows};
use crate::number::exact;
use crate::table::{Align, Cell, Column, Table};
use crate::text::clean;

/// The table; one without rows where no case gives a number.
pub(super) fn table(analysis: &Analysis, suite: &Suite) -> Table {
    let of_case = |&index: &usize| {
        let metrics = analysis.benchmarks[index].metrics.iter();
        metrics.filter(|own| own.metric.kind == Kind::Exact).map(move |own| (index, own))
    };
    let mut given: Vec<(usize, &MetricSummary)> = suite.members.iter().flat_map(of_case).collect();
    given.sort_by(|a, b| a.1.metric.name.cmp(&b.1.metric.name)); // stable: cases keep their order
    let words = |word: &dyn Fn(&MetricSummary) -> String| -> Vec<Cell> {
        given.iter().map(|(_, own)| Cell::words(word(own))).collect()
    };
    Table {
        title: "Metrics".to_owned(),
        caption: "Numbers that the suite gives; exact.".to_owned(),
        columns: vec![
            Column::new("Name", Align::Left),
            Column::new("Metric", Align::Left),
            Column::new("Value", Align::Point),
            Column::new("Unit", Align::Left),
        ],
        rows: rows(vec![
            given.iter().map(|(index, _)| name(analysis, *index)).collect(),
            words(&|own| clean(&own.metric.name)),
            words(&value),
            words(&|own| clean(own.metric.unit.symbol())),
        ]),
        ..Table::default()
    }
}

/// The value, or where it was not the same in every process, from the least to the most.
fn value(own: &MetricSummary) -> String {
    let shown = |value: f64| exact(own.metric.unit.from_base(value));
    let (least, most) = (shown(own.quartiles.min), shown(own.quartiles.max));
    if least == most { least } else { format!("{least} … {most}") }
}
