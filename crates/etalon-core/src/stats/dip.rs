//! Hartigan's dip: whether values have several modes.

use super::sorted::Sorted;

/// Hartigan's test that values come from a distribution with one mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dip {
    /// The largest difference between the distribution of the values and that with one mode which is nearest to it, in
    /// [1/(2n), ¼].
    pub dip: f64,
    /// The chance of at least that dip in uniform values, which of all with one mode have the largest; at least 0.0005.
    pub p: f64,
}

/// The test. p is interpolated in a table of simulated uniform samples. `None` below ten values and for values all
/// alike. About O(n log n).
///
/// Equal values that are rounded ones should be spread over what they were rounded from first, or every such heap is
/// a mode.
///
/// Hartigan & Hartigan, Annals of Statistics 13 (1985): on the interval that is thought to hold the mode, the convex
/// function below the distribution and the concave one above it are drawn; where they are furthest apart, the
/// interval is made narrower, until they are nowhere further apart than what was seen outside.
#[must_use]
pub fn dip(values: &Sorted) -> Option<Dip> {
    if values.len() < 10 || values.min() == values.max() {
        return None;
    }
    let n = values.len() as f64;
    // Products of differences must not be infinite; a power of two rounds nothing.
    let is_huge = values.as_slice().iter().any(|value| value.abs() > 1e150);
    let scale = if is_huge { 2.0_f64.powi(-512) } else { 1.0 };
    let scaled: Vec<f64> = values.as_slice().iter().map(|value| value * scale).collect();
    let dip = steps_apart(&scaled) / (2.0 * n);
    Some(Dip { dip, p: p_of(dip * n.sqrt(), n) })
}

/// Twice the dip in steps of the distribution.
fn steps_apart(x: &[f64]) -> f64 {
    let (mut low, mut high, mut apart) = (0, x.len() - 1, 1.0_f64);
    loop {
        let below = Hull::new(x, low, high, |turn| turn > 0.0);
        let above = Hull::new(x, low, high, |turn| turn < 0.0);
        let at_below = below.points.iter().map(|&i| (above.at(x, i) + 1.0 - i as f64, i, true));
        let at_above = above.points.iter().map(|&i| (i as f64 + 1.0 - below.at(x, i), i, false));
        let widest = at_below.chain(at_above).max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((width, at, is_below)) = widest else { return apart };
        if width <= apart {
            return apart;
        }
        let (from, to) = match is_below {
            true => (at, above.next(at)),
            false => (below.previous(at), at),
        };
        let left = (low..=from).map(|i| i as f64 + 1.0 - below.at(x, i));
        let right = (to..=high).map(|i| above.at(x, i) + 1.0 - i as f64);
        apart = left.chain(right).fold(apart, f64::max);
        if (from, to) == (low, high) {
            return apart;
        }
        (low, high) = (from, to);
    }
}

/// The points of a hull of (value, index), as indices.
struct Hull {
    points: Vec<usize>,
}

impl Hull {
    /// The hull of the points from `low` to `high` all of whose turns are such.
    fn new(x: &[f64], low: usize, high: usize, is_turn: impl Fn(f64) -> bool) -> Hull {
        let mut points: Vec<usize> = Vec::new();
        for c in low..=high {
            while let [.., a, b] = points[..] {
                let turn = (x[b] - x[a]) * (c - a) as f64 - (b - a) as f64 * (x[c] - x[a]);
                if is_turn(turn) {
                    break;
                }
                points.pop();
            }
            points.push(c);
        }
        Hull { points }
    }

    /// Its height over the value of an index.
    fn at(&self, x: &[f64], index: usize) -> f64 {
        let end = self.points.partition_point(|point| *point < index);
        let to = self.points[end.min(self.points.len() - 1)];
        let from = self.points[end.saturating_sub(1)];
        let width = x[to] - x[from];
        if to == index || width <= 0.0 {
            return index as f64;
        }
        from as f64 + (to - from) as f64 * ((x[index] - x[from]) / width)
    }

    /// Its first point from an index on.
    fn next(&self, index: usize) -> usize {
        let at = self.points.partition_point(|point| *point < index);
        self.points[at.min(self.points.len() - 1)]
    }

    /// Its last point up to an index.
    fn previous(&self, index: usize) -> usize {
        let behind = self.points.partition_point(|point| *point <= index);
        self.points[behind.saturating_sub(1)]
    }
}

/// The p of the table's columns.
const P: [f64; 9] = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.0005];

/// √n·dip that so large a share of uniform samples of n values reaches.
const TABLE: [(f64, [f64; 9]); 10] = [
    (10.0, [0.3092, 0.3759, 0.4123, 0.4412, 0.4774, 0.5047, 0.5274, 0.5507, 0.5809]),
    (12.0, [0.3153, 0.3813, 0.4164, 0.4510, 0.4904, 0.5144, 0.5381, 0.5661, 0.6059]),
    (15.0, [0.3241, 0.3861, 0.4268, 0.4600, 0.4978, 0.5257, 0.5499, 0.5778, 0.6191]),
    (20.0, [0.3276, 0.3952, 0.4344, 0.4707, 0.5112, 0.5398, 0.5646, 0.5945, 0.6399]),
    (30.0, [0.3367, 0.4051, 0.4463, 0.4829, 0.5247, 0.5549, 0.5825, 0.6151, 0.6605]),
    (50.0, [0.3453, 0.4162, 0.4595, 0.4979, 0.5433, 0.5751, 0.6045, 0.6428, 0.6906]),
    (100.0, [0.3548, 0.4276, 0.4722, 0.5103, 0.5588, 0.5929, 0.6221, 0.6637, 0.7049]),
    (200.0, [0.3599, 0.4335, 0.4788, 0.5201, 0.5676, 0.6011, 0.6353, 0.6724, 0.7147]),
    (500.0, [0.3683, 0.4425, 0.4901, 0.5320, 0.5806, 0.6164, 0.6425, 0.6808, 0.7456]),
    (2000.0, [0.3741, 0.4497, 0.4961, 0.5392, 0.5880, 0.6269, 0.6548, 0.6859, 0.7333]),
];

/// p of √n·dip: between rows by ln n, between columns by ln p.
fn p_of(scaled: f64, n: f64) -> f64 {
    let above = TABLE.partition_point(|(rows, _)| *rows < n).clamp(1, TABLE.len() - 1);
    let ((n0, row0), (n1, row1)) = (TABLE[above - 1], TABLE[above]);
    let weight = ((n / n0).ln() / (n1 / n0).ln()).clamp(0.0, 1.0);
    let critical = |column: usize| row0[column] + weight * (row1[column] - row0[column]);
    if scaled < critical(0) {
        return 1.0;
    }
    let Some(column) = (1..P.len()).find(|column| scaled < critical(*column)) else {
        return P[P.len() - 1];
    };
    let (before, behind) = (critical(column - 1), critical(column));
    let share = (scaled - before) / (behind - before);
    (P[column - 1].ln() + share * (P[column] / P[column - 1]).ln()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn uniform(n: usize, random: &mut Random) -> Vec<f64> {
        let mut values: Vec<f64> = (0..n).map(|_| random.uniform()).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// Would catch a hull, a choice of the interval or a table that is wrong: even values
    /// have the least dip, two far heaps the largest, and skewed values are not called several modes.
    #[test]
    fn two_modes_are_seen_and_one_is_not() {
        let even: Vec<f64> = (0..40).map(f64::from).collect();
        let found = dip(&Sorted::new(&even).unwrap()).unwrap();
        assert!((found.dip - 1.0 / 80.0).abs() < 1e-12 && found.p == 1.0, "{found:?}");
        let two: Vec<f64> = (0..40).map(|i| f64::from(i % 20) + f64::from(i / 20) * 1e6).collect();
        let found = dip(&Sorted::new(&two).unwrap()).unwrap();
        // Half of the values at either end: as far from one mode as there is.
        assert!((found.dip - 0.25).abs() < 0.02 && found.p == 0.0005, "{found:?}");
        assert_eq!(dip(&Sorted::new(&[1.0; 20]).unwrap()), None);
        let mut random = Random::new(9);
        let skewed = |_| (0..40).map(|_| random.uniform().ln().powi(2)).collect::<Vec<f64>>();
        let called = |values: Vec<f64>| dip(&Sorted::new(&values).unwrap()).unwrap().p <= 0.05;
        let called = (0..400).map(skewed).map(called).filter(|it| *it).count();
        assert!(called <= 20, "{called}");
    }

    /// Makes the table: `cargo test -p etalon-core table_of_dips -- --ignored --nocapture`.
    #[test]
    #[ignore = "makes the table"]
    fn table_of_dips() {
        for (n, times) in [
            (10, 100_000),
            (12, 100_000),
            (15, 100_000),
            (20, 100_000),
            (30, 100_000),
            (50, 60_000),
            (100, 40_000),
            (200, 30_000),
            (500, 20_000),
            (2000, 10_000),
        ] {
            let mut random = Random::new(n as u64);
            let root = (n as f64).sqrt();
            let mut dip = |_| steps_apart(&uniform(n, &mut random)) / (2.0 * n as f64) * root;
            let dips: Vec<f64> = (0..times).map(&mut dip).collect();
            let of = Sorted::from_vec(dips).unwrap();
            let critical = |p: &f64| crate::stats::quantile(&of, 1.0 - p).unwrap();
            let row: Vec<String> = P.iter().map(|p| format!("{:.4}", critical(p))).collect();
            println!("    ({n}.0, [{}]),", row.join(", "));
        }
    }
}
