//! Metrics that follow from recorded ones by addition. They are not recorded: a sum stored beside
//! its terms could disagree with them.

use crate::model::{Column, Direction, Kind, Metric};

/// Name of the sum and of its terms.
const SUMS: [(&str, [&str; 2]); 3] =
    [("cpu", ["user", "sys"]), ("faults", ["minflt", "majflt"]), ("csw", ["vcsw", "ivcsw"])];

/// Adds each sum whose terms are there and which is not there itself. A row has the sum if it has
/// both terms.
pub(super) fn add_sums(metrics: &mut Vec<Metric>, columns: &mut Vec<Column>) {
    for (name, terms) in SUMS {
        let at = |term: &str| metrics.iter().position(|m| m.name == term);
        let (None, Some(a), Some(b)) = (at(name), at(terms[0]), at(terms[1])) else { continue };
        if metrics[a].unit.base() != metrics[b].unit.base() {
            continue;
        }
        let sum = add(&columns[a], &columns[b]);
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

fn add(a: &Column, b: &Column) -> Column {
    if a.rows == b.rows {
        let values = a.values.iter().zip(&b.values).map(|(x, y)| x + y).collect();
        return Column { rows: a.rows.clone(), values };
    }
    let mut sum = Column::default();
    let mut terms = b.rows.iter().zip(&b.values).peekable();
    for (row, x) in a.rows.iter().zip(&a.values) {
        while terms.next_if(|(r, _)| *r < row).is_some() {}
        if let Some((_, y)) = terms.next_if(|(r, _)| *r == row) {
            sum.rows.push(*row);
            sum.values.push(x + y);
        }
    }
    sum
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
}
