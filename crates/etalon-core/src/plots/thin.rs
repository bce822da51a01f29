//! Fewer points that look the same.
//!
//! Owns the choice: of each column of a picture the smallest and the largest value, so that no extreme is lost, or of
//! what ascends so many at equal distances; and the same ones each time.

use super::Point;

/// Columns of a picture; at least as many as it has pixels across.
pub(crate) const COLUMNS: usize = 480;
/// More points than this are thinned.
pub(super) const MOST: usize = 2_000;

/// Points in the order of `at`, or of many of them the smallest and the largest of each column, in that order.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within 0 and COLUMNS
pub(super) fn thinned(points: Vec<Point>) -> Vec<Point> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return points };
    if points.len() <= MOST {
        return points;
    }
    let (from, extent) = (first.at, (last.at - first.at).max(f64::MIN_POSITIVE));
    let column = |point: &Point| (((point.at - from) / extent) * COLUMNS as f64) as usize;
    let mut kept = Vec::with_capacity(2 * COLUMNS);
    for of_column in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_value = |a: &&Point, b: &&Point| a.value.total_cmp(&b.value);
        let (least, most) = (of_column.iter().min_by(by_value), of_column.iter().max_by(by_value));
        let mut both: Vec<Point> = least.into_iter().chain(most).copied().collect();
        both.sort_by(|a, b| a.at.total_cmp(&b.at));
        both.dedup();
        kept.extend(both);
    }
    kept
}

/// At most so many (two at least), as many before each as before the next, the first and the last among them.
pub(crate) fn evenly<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    match all.len() > most {
        true => (0..most).map(|at| all[at * (all.len() - 1) / (most - 1)].clone()).collect(),
        false => all.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch an end that is lost, one that is there twice, and things that are chosen out of order.
    #[test]
    fn ends_stay_where_some_are_chosen() {
        for (n, most) in
            [(0, 2), (1, 2), (2, 2), (3, 2), (7, 5), (480, 480), (481, 480), (100_000, 480)]
        {
            let all: Vec<usize> = (0..n).collect();
            let some = evenly(&all, most);
            assert_eq!(some.len(), n.min(most));
            assert!(some.is_sorted_by(|a, b| a < b), "{n} {most}");
            assert_eq!((some.first(), some.last()), (all.first(), all.last()));
        }
    }

    /// Would catch an extreme that is not drawn, and few points that are.
    #[test]
    fn extremes_stay() {
        let points = |n: u32| -> Vec<Point> {
            let value = |at: u32| f64::from(at.wrapping_mul(2_654_435_761) % 1_000);
            (0..n).map(|at| Point { at: f64::from(at), value: value(at) }).collect()
        };
        let mut many = points(100_000);
        many[77_777].value = 1e6;
        many[5].value = -1e6;
        let few = thinned(many);
        assert!((COLUMNS..=2 * COLUMNS + 2).contains(&few.len()), "{}", few.len());
        for value in [1e6, -1e6] {
            assert_eq!(few.iter().filter(|it| it.value == value).count(), 1);
        }
        assert!(few.windows(2).all(|two| two[0].at <= two[1].at));
        assert_eq!(thinned(points(2_000)), points(2_000));
        assert_eq!(thinned(Vec::new()), []);
    }
}
