//! Metrics that follow from recorded ones by addition. They are not recorded: a sum stored beside
//! its terms could disagree with them.

use std::sync::Arc;

use crate::dataset::{Column, Dataset, SpellingId};
use crate::metrics;
use crate::model::Metric;
use crate::units::Base;

/// Name of the sum and of its terms.
const SUMS: [(&str, [&str; 2]); 3] = [
    (metrics::CPU, [metrics::USER, metrics::SYS]),
    (metrics::FAULTS, [metrics::MINFLT, metrics::MAJFLT]),
    (metrics::CSW, [metrics::VCSW, metrics::IVCSW]),
];

/// The recorded metrics that a metric is known from: itself, and the terms of a sum.
#[must_use]
pub fn terms(metric: &str) -> Vec<String> {
    let sum = SUMS.iter().find(|(name, _)| *name == metric);
    let terms = sum.into_iter().flat_map(|(_, terms)| terms.iter());
    std::iter::once(&metric).chain(terms).map(|name| (*name).to_owned()).collect()
}

/// The metric of this name: a recorded one, or a sum of such; absent where there is none.
#[must_use]
pub fn metric_called(recorded: &[Metric], name: &str) -> Option<Metric> {
    let recorded = recorded.iter().map(|metric| (metric.clone(), Vec::new())).collect();
    let called = measures(recorded).into_iter().find(|measure| measure.metric.name == name);
    called.map(|measure| Arc::unwrap_or_clone(measure.metric))
}

/// A metric of a run set with where its readings are.
#[derive(Debug)]
pub(crate) struct Measure {
    pub(crate) metric: Arc<Metric>,
    /// The spellings of the recorded metrics that it is the sum of: one, or the terms of a sum.
    terms: Vec<Vec<SpellingId>>,
}

impl Measure {
    /// The spelling it is recorded in; absent of a sum.
    pub(crate) fn spelling(&self) -> Option<SpellingId> {
        match &self.terms[..] {
            [spellings] => spellings.first().copied(),
            _ => None,
        }
    }
}

/// The readings of measures in some rows, in one pass. A row has a sum if it has both terms, and a double
/// holds it.
pub(super) fn columns(data: &Dataset, rows: &[u32], measures: &[&Measure]) -> Vec<Column> {
    let terms: Vec<&[SpellingId]> =
        measures.iter().flat_map(|measure| &measure.terms).map(Vec::as_slice).collect();
    let mut columns = data.columns(rows, &terms).into_iter();
    let column = |measure: &&Measure| {
        let terms = columns.by_ref().take(measure.terms.len());
        terms.reduce(|a, b| add(measure.metric.unit.base(), &a, &b)).unwrap_or_default()
    };
    measures.iter().map(column).collect()
}

/// The recorded metrics, and each sum whose terms are there and which is not there itself.
pub(super) fn measures(recorded: Vec<(Metric, Vec<SpellingId>)>) -> Vec<Measure> {
    let recorded = recorded.into_iter();
    let measure =
        |(metric, spellings)| Measure { metric: Arc::new(metric), terms: vec![spellings] };
    let mut measures: Vec<Measure> = recorded.map(measure).collect();
    for (name, terms) in SUMS {
        let at = |term: &str| measures.iter().find(|measure| measure.metric.name == term);
        let (None, Some(a), Some(b)) = (at(name), at(terms[0]), at(terms[1])) else { continue };
        if a.metric.unit.base() != b.metric.unit.base() {
            continue;
        }
        let metric = Metric {
            resolution: a.metric.resolution,
            ..Metric::new(name, &a.metric.unit.base().to_string())
        };
        let terms = [&a.terms[..], &b.terms[..]].concat();
        measures.push(Measure { metric: Arc::new(metric), terms });
    }
    measures
}

fn add(base: &Base, a: &Column, b: &Column) -> Column {
    let mut sum = Column::default();
    let mut terms = b.rows.iter().zip(&b.values).peekable();
    for (row, x) in a.rows.iter().zip(&a.values) {
        while terms.next_if(|(r, _)| *r < row).is_some() {}
        if let Some((_, y)) = terms.next_if(|(r, _)| *r == row) {
            let total = total(base, *x, *y);
            if total.is_finite() {
                sum.rows.push(*row);
                sum.values.push(total);
            }
        }
    }
    sum
}

/// The sum of what was counted, rounded once: 0.1 s + 0.2 s is the double that 0.3 s + 0 s is.
fn total(base: &Base, x: f64, y: f64) -> f64 {
    match (base.whole(x), base.whole(y)) {
        (Some(x), Some(y)) => base.value_from_whole(x + y),
        _ => x + y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Unit;

    fn metric(name: &str) -> Metric {
        Metric::new(name, "us")
    }

    #[test]
    fn a_row_has_the_sum_only_with_both_terms_and_a_recorded_sum_is_kept() {
        let column = |rows: &[u32]| Column {
            rows: rows.to_vec(),
            values: rows.iter().map(|r| f64::from(*r)).collect(),
        };
        let sum = add(&Base::Seconds, &column(&[0, 1, 3]), &column(&[1, 2, 3]));
        assert_eq!(sum, Column { rows: vec![1, 3], values: vec![2.0, 6.0] });
        let of = |names: &[&str]| {
            let measures = measures(names.iter().map(|name| (metric(name), Vec::new())).collect());
            let names = measures.into_iter().map(|measure| measure.metric);
            names
                .map(|metric| (metric.name.clone(), metric.unit.symbol().to_owned()))
                .collect::<Vec<_>>()
        };
        let owned = |name: &str, unit: &str| (name.to_owned(), unit.to_owned());
        assert_eq!(of(&["user", "sys"])[2], owned("cpu", "s"));
        assert_eq!(of(&["cpu", "user", "sys"])[0], owned("cpu", "us"));
        assert_eq!(of(&["cpu", "user", "sys"]).len(), 3);
    }

    /// Would catch an infinity among values that are finite.
    #[test]
    fn a_sum_beyond_doubles_is_not_there() {
        let column = |values: [f64; 2]| Column { rows: vec![0, 1], values: values.to_vec() };
        let sum = add(&Base::Seconds, &column([f64::MAX, 1.0]), &column([f64::MAX, 2.0]));
        assert_eq!(sum, Column { rows: vec![1], values: vec![3.0] });
    }

    /// Would catch equal totals that are told apart by how they split into user and system.
    #[test]
    fn equal_totals_are_the_same_double() {
        let column = |micros: [u32; 3]| Column {
            rows: vec![0, 1, 2],
            values: micros.iter().map(|us| Unit::new("us").to_base(f64::from(*us))).collect(),
        };
        let all_user = add(&Base::Seconds, &column([300_000; 3]), &column([0; 3]));
        let split = add(&Base::Seconds, &column([100_000; 3]), &column([200_000; 3]));
        assert_eq!(all_user, split);
        let thirds =
            add(&Base::Seconds, &all_user, &Column { values: vec![1.0 / 3.0; 3], ..split });
        assert_eq!(thirds.values[0].to_bits(), (0.3 + 1.0 / 3.0_f64).to_bits());
    }
}
