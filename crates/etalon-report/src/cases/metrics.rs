//! "Metrics": the numbers that suites give of their cases, and those that scripts print, in the units they give
//! them in.

use etalon_core::analysis::{Analysis, MetricSummary, Suite, Summary};
use etalon_core::metrics;
use etalon_core::model::Kind;

use super::{name, rows};
use crate::figures::Figures;
use crate::number::exact;
use crate::table::{Align, Cell, Column, Table};
use crate::text::clean;

/// Metrics that a script has as every case has; all others are of its process, or numbers that it printed.
const OF_EVERY_CASE: [&str; 3] = [metrics::WALL, metrics::CPU, metrics::RSS];

/// The metrics that only a script has; none of a case that is no script.
pub(crate) fn script_metrics(benchmark: &Summary) -> impl Iterator<Item = &MetricSummary> {
    let process = benchmark.metric(metrics::PROCESS).filter(|_| benchmark.benchmark.case.is_some());
    let is_script = process.is_some_and(|process| process.metric.kind == Kind::Noisy);
    let own = benchmark.metrics.iter().filter(move |_| is_script);
    own.filter(|own| !OF_EVERY_CASE.contains(&own.metric.name.as_str()))
}

/// The table; one without rows where no case gives a number.
pub(super) fn table(analysis: &Analysis, suite: &Suite) -> Table {
    let of_case = |&index: &usize| {
        let benchmark = &analysis.benchmarks[index];
        let exact = benchmark.metrics.iter().filter(|own| own.metric.kind == Kind::Exact);
        exact.chain(script_metrics(benchmark)).map(move |own| (index, own))
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
            words(&|own| value(own).0),
            words(&|own| clean(&value(own).1)),
        ]),
        ..Table::default()
    }
}

/// The value, or where it was not the same in every process, from the least to the most; of a noisy one the median,
/// too. And the unit of that.
fn value(own: &MetricSummary) -> (String, String) {
    let q = &own.quartiles;
    if own.metric.kind == Kind::Noisy {
        let figures = Figures::new(own.metric.unit.base(), [q.median]);
        let [median, least, most] = [q.median, q.min, q.max].map(|value| figures.digits(value));
        return (format!("{median} ({least} … {most})"), figures.symbol());
    }
    let shown = |value: f64| exact(own.metric.unit.from_base(value));
    let (least, most) = (shown(q.min), shown(q.max));
    let value = if least == most { least } else { format!("{least} … {most}") };
    (value, own.metric.unit.symbol().to_owned())
}
