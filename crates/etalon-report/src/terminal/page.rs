//! Benchmarks that have none of a command's metrics, such as Go's: one table, a column for each metric.
//!
//! Owns when there is one. The numbers are those of `etalon compare --view plain`: median ± interval.

use etalon_core::analysis::{Analysis, MetricSummary};
use etalon_core::model::Metric;
use etalon_core::units::{Base, Unit};

use super::summary;
use crate::table::{Align, Cell, Column, Table};
use crate::text::clean;
use crate::tidied::{plain, plain_unit};
use crate::view::{Statistics, Style};
use crate::words;

/// The table; absent where a benchmark has one of its own or failed executions to tell of, or if no
/// statistics are asked for.
pub(crate) fn table(analysis: &Analysis, statistics: Statistics) -> Option<Table> {
    let usual = summary::metrics_shown(Statistics::Full, Style::Etalon);
    let has_own = analysis.benchmarks.iter().any(|benchmark| {
        benchmark.case.is_some()
            || benchmark.outcomes.not_ok() > 0
            || usual.iter().any(|name| benchmark.metric(name).is_some())
    });
    if has_own || statistics == Statistics::None {
        return None;
    }
    let mut metrics: Vec<&Metric> = Vec::new();
    for summary in analysis.benchmarks.iter().flat_map(|benchmark| &benchmark.metrics) {
        if !metrics.iter().any(|known| known.name == summary.metric.name) {
            metrics.push(&summary.metric);
        }
    }
    if metrics.is_empty() {
        return None;
    }
    let mut columns = vec![Column::new("Benchmark", Align::Left)];
    columns.extend(metrics.iter().map(|metric| Column::new(&title(metric), Align::Right).first()));
    let row = |index: usize| {
        let of = |metric: &&Metric| analysis.benchmarks[index].metric(&metric.name).map(shown);
        let name = Cell::words(words::name(analysis, index));
        [name].into_iter().chain(metrics.iter().map(|m| Cell::words_or_absent(of(m)))).collect()
    };
    let rows = (0..analysis.benchmarks.len()).map(row).collect();
    Some(Table { columns, rows, ..Table::default() })
}

/// The metric where its name says its unit, as Go's do; else with the unit.
fn title(metric: &Metric) -> String {
    let base = metric.unit.base();
    let symbol = match base {
        Base::Seconds => "ns",
        Base::Bytes => "B",
        Base::Count | Base::Other(_) => return clean(&metric.name),
    };
    match Unit::of_name(&metric.name).base() == base {
        true => clean(&plain_unit(&metric.name, base)),
        false => format!("{}, {symbol}", words::metric_title(metric)),
    }
}

fn shown(summary: &MetricSummary) -> String {
    plain(&summary.median, summary.metric.unit.base())
}
