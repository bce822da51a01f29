//! Metrics that follow from recorded ones by addition. They are not recorded: a sum stored beside
//! its terms could disagree with them.

use crate::dataset::Column;
use crate::metrics;
use crate::model::{Direction, Kind, Metric};
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

/// Adds each sum whose terms are there and which is not there itself. A row has the sum if it has
/// both terms.
pub(super) fn add_sums(metrics: &mut Vec<Metric>, columns: &mut Vec<Column>) {
    for (name, terms) in SUMS {
        let at = |term: &str| metrics.iter().position(|m| m.name == term);
        let (None, Some(a), Some(b)) = (at(name), at(terms[0]), at(terms[1])) else { continue };
        if metrics[a].unit.base() != metrics[b].unit.base() {
            continue;
        }
        let sum = add(metrics[a].unit.base(), &columns[a], &columns[b]);
        let metric = Metric {
            name: name.to_owned(),
            unit: crate::units::Unit::new(&metrics[a].unit.base().to_string()),
            direction: Direction::Lower,
            kind: Kind::Noisy,
            resolution: metrics[a].resolution,
            per: crate::model::Per::Observation,
        };
        metrics.push(metric);
        columns.push(sum);
    }
}

fn add(base: &Base, a: &Column, b: &Column) -> Column {
    let mut sum = Column::default();
    let mut terms = b.rows.iter().zip(&b.values).peekable();
    for (row, x) in a.rows.iter().zip(&a.values) {
        while terms.next_if(|(r, _)| *r < row).is_some() {}
        if let Some((_, y)) = terms.next_if(|(r, _)| *r == row) {
            sum.rows.push(*row);
            sum.values.push(total(base, *x, *y));
        }
    }
    sum
}

/// The sum of what was counted, rounded once: 0.1 s + 0.2 s is the double that 0.3 s + 0 s is.
fn total(base: &Base, x: f64, y: f64) -> f64 {
    match (base.whole(x), base.whole(y)) {
        (Some(x), Some(y)) => base.of_whole(x + y),
        _ => x + y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Unit;

    fn metric(name: &str) -> Metric {
        Metric {
            name: name.to_owned(),
            unit: Unit::new("us"),
            direction: Direction::Lower,
            kind: Kind::Noisy,
            resolution: None,
            per: crate::model::Per::Observation,
        }
    }

    #[test]
    fn a_row_has_the_sum_only_with_both_terms_and_a_recorded_sum_is_kept() {
        let column = |rows: &[u32]| Column {
            rows: rows.to_vec(),
            values: rows.iter().map(|r| f64::from(*r)).collect(),
        };
        let mut metrics = vec![metric("user"), metric("sys")];
        let mut columns = vec![column(&[0, 1, 3]), column(&[1, 2, 3])];
        add_sums(&mut metrics, &mut columns);
        assert_eq!(metrics[2].name, "cpu");
        assert_eq!(metrics[2].unit.symbol(), "s");
        assert_eq!(columns[2], Column { rows: vec![1, 3], values: vec![2.0, 6.0] });
        add_sums(&mut metrics, &mut columns);
        assert_eq!(metrics.len(), 3);
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
