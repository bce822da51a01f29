//! Statistics that an export gives without the readings they are of.
//!
//! Owns which these are: those of a metric that no run has a value of. Refuses to take them for readings.

use std::collections::BTreeMap;

use etalon_core::metrics;
use etalon_core::model::BenchmarkKey;
use etalon_core::run_set::{Figure, Statistic};

use super::fields;
use super::wire::{Measurement, ResultWire, Statistics};
use crate::foreign::wire::Scalar;

/// Takes them from a result.
pub(super) fn take(result: &mut ResultWire, of: &BenchmarkKey) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut add = |metric: &str, statistics: Statistics| {
        let Statistics { mean, stddev, median, min, max } = statistics;
        let given = [
            (Statistic::Mean, mean),
            (Statistic::Stddev, stddev),
            (Statistic::Median, median),
            (Statistic::Min, min),
            (Statistic::Max, max),
        ];
        let values = given.into_iter().filter_map(|(name, cell)| Some((name, value(&cell?)?)));
        figures.extend(values.map(|(statistic, value)| Figure {
            of: of.clone(),
            metric: metric.to_owned(),
            statistic,
            value,
        }));
    };
    let own = result.take_statistics();
    if let Some(summary) = result.summary.take() {
        let measured = result.measurements.as_deref().unwrap_or_default();
        for (metric, statistics) in without_readings(summary, measured) {
            add(metric, statistics);
        }
        return figures;
    }
    if result.times.is_none() && result.measurements.is_none() {
        add(metrics::WALL, own);
    }
    for (metric, mean, is_listed) in [
        (metrics::USER, result.user.take(), result.user_times.is_some()),
        (metrics::SYS, result.system.take(), result.system_times.is_some()),
    ] {
        if !is_listed {
            add(metric, Statistics { mean, ..Statistics::default() });
        }
    }
    figures
}

/// The entries of a summary for metrics that no run has.
fn without_readings<'m>(
    summary: BTreeMap<String, Statistics>,
    measured: &'m [Measurement],
) -> impl Iterator<Item = (&'static str, Statistics)> + 'm {
    let has = |metric: &str, Measurement(run): &Measurement| {
        run.iter().any(|(name, quantity)| name == metric && quantity.value != Scalar::Null)
    };
    let known = summary
        .into_iter()
        .filter_map(|(name, statistics)| Some((fields::named(&name)?.metric, statistics)));
    known.filter(move |(metric, _)| !measured.iter().any(|run| has(metric, run)))
}

/// A number that a statistic can be.
fn value(cell: &Scalar) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a double is what is shown")]
    match cell {
        Scalar::Number(value) => Some(*value).filter(|value| value.is_finite() && *value >= 0.0),
        Scalar::Integer(value) => (*value >= 0).then_some(*value as f64),
        _ => None,
    }
}
