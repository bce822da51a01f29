//! Placements: how many values of the other sample lie below each value. All that the Brunner–Munzel
//! statistic is made of, in whole numbers.

use std::ops::{AddAssign, Mul};

/// Sums over the doubled placements of two samples x and y, x moved by a shift: 2·#{below} + #{equal} for
/// each value, in the other sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placements {
    /// Sizes of x and y.
    pub(super) sizes: (usize, usize),
    /// Sums of the doubled placements of x and of y; together they are 2·m·n.
    sums: (u128, u128),
    /// Sums of their squares.
    squares: (u128, u128),
    /// Pairs of equal values.
    pub(super) ties: u128,
    /// The largest difference xᵢ − yⱼ that is at most the shift, and the smallest above it.
    pub(super) around: (f64, f64),
}

impl Placements {
    /// Of two samples in ascending order, x moved down by `shift`: x is below y where xᵢ − yⱼ < `shift`, so
    /// that a shift which is one of the differences ties exactly the pairs that differ by it. O(m + n).
    pub(super) fn new(x: &[f64], y: &[f64], shift: f64) -> Placements {
        // Sums of squares to 4·n³ are 64-bit numbers.
        let untied = match x.len().max(y.len()) <= 1 << 20 {
            true => Placements::untied::<u64>,
            false => Placements::untied::<u128>,
        };
        untied(x, y, shift).unwrap_or_else(|| Placements::tied(x, y, shift))
    }

    /// The placements in one walk, which sums in numbers of a width; `None` where a pair is tied.
    fn untied<T>(x: &[f64], y: &[f64], shift: f64) -> Option<Placements>
    where
        T: Copy + Default + From<u64> + Into<u128> + AddAssign + Mul<Output = T>,
    {
        let mut all = Placements::none((x.len(), y.len()));
        let (mut i, mut j) = (0, 0);
        // Sum and sum of squares, of x and of y.
        let mut sums = [(T::default(), T::default()); 2];
        let add = |(sum, squares): &mut (T, T), doubled: usize| {
            let doubled = T::from(doubled as u64);
            *sum += doubled;
            *squares += doubled * doubled;
        };
        while let (Some(a), Some(b)) = (x.get(i), y.get(j)) {
            let difference = a - b;
            if difference < shift {
                if difference > all.around.0 {
                    all.around.0 = difference;
                }
                add(&mut sums[0], 2 * j);
                i += 1;
            } else if difference > shift {
                if difference < all.around.1 {
                    all.around.1 = difference;
                }
                add(&mut sums[1], 2 * i);
                j += 1;
            } else {
                return None;
            }
        }
        let [(x_sum, x_squares), (y_sum, y_squares)] = sums;
        (all.sums, all.squares) =
            ((x_sum.into(), y_sum.into()), (x_squares.into(), y_squares.into()));
        all.add((x.len() - i, 2 * j), (y.len() - j, 2 * i));
        Some(all)
    }

    /// The placements where pairs are tied.
    fn tied(x: &[f64], y: &[f64], shift: f64) -> Placements {
        let mut all = Placements::none((x.len(), y.len()));
        let placed = |sum: &mut u128, squares: &mut u128, doubled: usize| {
            let doubled = doubled as u64;
            *sum += u128::from(doubled);
            *squares += u128::from(doubled) * u128::from(doubled);
        };
        let (mut below, mut upto) = (0, 0);
        for &value in x {
            while below < y.len() && value - y[below] > shift {
                below += 1;
            }
            upto = upto.max(below);
            while upto < y.len() && value - y[upto] >= shift {
                upto += 1;
            }
            all.ties += (upto - below) as u128;
            if below > 0 {
                all.around.1 = all.around.1.min(value - y[below - 1]);
            }
            if let Some(next) = y.get(below) {
                all.around.0 = all.around.0.max(value - next);
            }
            placed(&mut all.sums.0, &mut all.squares.0, below + upto);
        }
        (below, upto) = (0, 0);
        for &value in y {
            while below < x.len() && x[below] - value < shift {
                below += 1;
            }
            upto = upto.max(below);
            while upto < x.len() && x[upto] - value <= shift {
                upto += 1;
            }
            placed(&mut all.sums.1, &mut all.squares.1, below + upto);
        }
        all
    }

    fn none(sizes: (usize, usize)) -> Placements {
        let around = (f64::NEG_INFINITY, f64::INFINITY);
        Placements { sizes, sums: (0, 0), squares: (0, 0), ties: 0, around }
    }

    /// Adds so many values of each sample with this doubled placement each.
    fn add(&mut self, x: (usize, usize), y: (usize, usize)) {
        let products = |(count, placement): (usize, usize)| {
            let (count, placement) = (count as u128, placement as u128);
            (count * placement, count * placement * placement)
        };
        let ((x, x_squared), (y, y_squared)) = (products(x), products(y));
        self.sums = (self.sums.0 + x, self.sums.1 + y);
        self.squares = (self.squares.0 + x_squared, self.squares.1 + y_squared);
    }

    /// Brunner & Munzel's statistic: (Σa − mn)/√(v₁ + v₂), Σa over the doubled placements of x and
    /// vᵢ = nᵢ·(their variance). 0 where x and y balance, ±∞ where they do not overlap.
    pub(super) fn statistic(&self) -> f64 {
        let (m, n) = self.sizes;
        let balance = m as u128 * n as u128;
        let above = self.sums.0.cast_signed() - balance.cast_signed();
        let (v, w) = self.variances();
        if above == 0 { 0.0 } else { above as f64 / (v + w).sqrt() }
    }

    /// Whether every value is the same one.
    pub(super) fn is_all_tied(&self) -> bool {
        self.ties == self.sizes.0 as u128 * self.sizes.1 as u128
    }

    /// Twice the number of pairs in which x is above y, equal ones half: Mann and Whitney's 2U.
    pub(super) fn wins(&self) -> u128 {
        self.sums.0
    }

    /// Where one sample is a single value: in how many pairs x is above y, and below.
    pub(super) fn alone(&self) -> (f64, f64) {
        (((self.sums.0 - self.ties) / 2) as f64, ((self.sums.1 - self.ties) / 2) as f64)
    }

    /// Satterthwaite's degrees of freedom of the statistic; meaningless where nothing varies.
    pub(super) fn degrees_of_freedom(&self) -> f64 {
        let (m, n) = self.sizes;
        let (v, w) = self.variances();
        let largest = v.max(w);
        let (v, w) = (v / largest, w / largest);
        (v + w).powi(2) / (v * v / (m as f64 - 1.0) + w * w / (n as f64 - 1.0))
    }

    /// Size times variance of the doubled placements of either sample; 0 of a single value.
    fn variances(&self) -> (f64, f64) {
        let of = |n: usize, sum: u128, squares: u128| {
            let n = n as u128;
            if n < 2 { 0.0 } else { (n * squares - sum * sum) as f64 / (n - 1) as f64 }
        };
        let (m, n) = self.sizes;
        (of(m, self.sums.0, self.squares.0), of(n, self.sums.1, self.squares.1))
    }
}

/// The statistics of all C(N, m) ways to deal pooled values into samples of m and n, ascending; `tied` are the
/// sizes of the runs of equal values, in order. O(C·N).
pub(super) fn dealt(tied: &[usize], m: usize) -> Vec<f64> {
    let n = tied.iter().sum::<usize>() - m;
    // The smaller sample is the one dealt; exchanged samples have the other sign.
    let mut dealing = Dealing { tied, sizes: (m.min(n), m.max(n)), statistics: Vec::new() };
    dealing.run(0, (0, 0), (1, Placements::none(dealing.sizes)));
    let mut statistics = dealing.statistics;
    if m > n {
        statistics.iter_mut().for_each(|w| *w = -*w);
    }
    statistics.sort_unstable_by(f64::total_cmp);
    statistics
}

/// A walk over all ways to deal runs of equal values.
struct Dealing<'a> {
    tied: &'a [usize],
    sizes: (usize, usize),
    statistics: Vec<f64>,
}

impl Dealing<'_> {
    /// Deals the runs from `at` on, `below` of either sample being dealt: of a run of t equal values, k go to x
    /// in C(t, k) ways, which are all the same deal to the statistic.
    fn run(&mut self, at: usize, below: (usize, usize), (ways, so_far): (usize, Placements)) {
        let Some(&run) = self.tied.get(at) else {
            self.statistics.extend(std::iter::repeat_n(so_far.statistic(), ways));
            return;
        };
        let mut choose = 1;
        for k in 0..=run.min(self.sizes.0 - below.0) {
            let (x, y) = (k, run - k);
            if below.1 + y <= self.sizes.1 {
                let mut placed = so_far;
                placed.add((x, 2 * below.1 + y), (y, 2 * below.0 + x));
                self.run(at + 1, (below.0 + x, below.1 + y), (ways * choose, placed));
            }
            choose = choose * (run - k) / (k + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Placements;
    use crate::random::Random;
    use crate::stats::Sorted;

    /// Against the walk that knows ties, which counts every value by itself; in numbers of both widths.
    #[test]
    fn the_walk_without_ties_counts_the_same() {
        let mut random = Random::new(4);
        for (m, n) in [(1, 1), (1, 9), (5, 3), (40, 60)] {
            let mut of = |n| -> Vec<f64> { (0..n).map(|_| random.uniform()).collect() };
            let [x, y] = [m, n].map(|n| Sorted::new(&of(n)).expect("finite"));
            let (x, y) = (x.as_slice(), y.as_slice());
            for shift in [-2.0, -0.3, 1e-9, 0.1, 0.9, 2.0] {
                let expected = format!("{:?}", Placements::tied(x, y, shift));
                for walked in [
                    Placements::untied::<u64>(x, y, shift),
                    Placements::untied::<u128>(x, y, shift),
                ] {
                    // The walk notes neighbours only where it passes: `around` may lie closer.
                    let walked = walked.expect("no two are tied");
                    let same =
                        Placements { around: walked.around, ..Placements::tied(x, y, shift) };
                    assert_eq!(format!("{walked:?}"), format!("{same:?}"), "{expected}");
                }
            }
        }
    }
}
