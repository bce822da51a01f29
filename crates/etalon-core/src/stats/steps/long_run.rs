//! The long-run variance: n times the variance of the mean of n values that depend on one another.

use super::sums::Sums;

/// Tentative steps that are taken out before the scatter is measured: with one, half of the levels that came and went
/// would count as scatter.
const TENTATIVE: usize = 2;
/// Points a side of a tentative step, and the fewest of a stretch that gets one.
const TENTATIVE_SIDE: usize = 15;
const TENTATIVE_STRETCH: usize = 40;
/// Means are taken of this share of the points, and of so many at least.
const BATCHES: usize = 15;
const SMALLEST_BATCH: usize = 5;
/// Fewer means say nothing.
const FEWEST_BATCHES: usize = 4;
/// A larger autocorrelation cannot be told from a walk.
const LARGEST_PHI: f64 = 0.95;
/// Values that differ by less than this share of the largest are equal: what arithmetic leaves of a constant.
const EQUAL: f64 = 1e-9;

/// The scatter of a series around its levels.
#[derive(Debug, Clone, Copy)]
pub(super) struct LongRun {
    /// n times the variance of a mean of n values; above 0.
    pub(super) variance: f64,
    /// The autocorrelation of neighbours, in [0, 0.95].
    pub(super) phi: f64,
}

impl LongRun {
    /// The smallest around no, one and two tentative steps, each the largest of those in the stretches before. `None`
    /// of values that are all equal, or too close for arithmetic.
    pub(super) fn smallest(values: &[f64]) -> Option<LongRun> {
        let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let least = (EQUAL * largest).powi(2);
        if least == 0.0 {
            return None;
        }
        let sums = Sums::new(values);
        let mut steps = Vec::new();
        let mut smallest = LongRun::around(values, &steps);
        for _ in 0..TENTATIVE {
            let ends = stretches(&steps, values.len());
            let long = ends.filter(|(start, end)| end - start >= TENTATIVE_STRETCH);
            let best = long.map(|(start, end)| sums.largest(start..end, TENTATIVE_SIDE));
            let Some((_, at)) = best.flatten().reduce(|a, b| if b.0 > a.0 { b } else { a }) else {
                break;
            };
            steps.push(at);
            steps.sort_unstable();
            let around = LongRun::around(values, &steps);
            if around.variance < smallest.variance {
                smallest = around;
            }
        }
        smallest.variance = smallest.variance.max(least);
        Some(smallest)
    }

    /// Around the means between these steps: the larger variance of an autoregression and of means of consecutive
    /// points.
    pub(super) fn around(values: &[f64], steps: &[usize]) -> LongRun {
        let rest = residuals(values, steps);
        let (n, taken) = (rest.len(), steps.len() as f64 + 1.0);
        let squares: f64 = rest.iter().map(|r| r * r).sum();
        let products: f64 = rest.windows(2).map(|pair| pair[0] * pair[1]).sum();
        let r1 = if squares > 0.0 { products / squares } else { 0.0 };
        // r1 is biased towards 0, by each mean that was taken away.
        let phi = (r1 + (1.0 + 4.0 * r1.max(0.0)) * taken / n as f64).clamp(0.0, LARGEST_PHI);
        let autoregressive = news(&rest, phi) / (n as f64 - 1.0 - taken) / (1.0 - phi).powi(2);
        let size = SMALLEST_BATCH.max(n / BATCHES);
        let batches = n / size;
        let of_batch = |batch: &[f64]| (batch.iter().sum::<f64>() / size as f64).powi(2);
        // From the end: what does not fill a batch is the oldest.
        let means: f64 = rest.rchunks_exact(size).map(of_batch).sum();
        let of_means = size as f64 * means / (batches as f64 - taken).max(1.0);
        let variance = match batches < FEWEST_BATCHES {
            true => autoregressive,
            false => autoregressive.max(of_means),
        };
        LongRun { variance, phi }
    }

    /// How many degrees of freedom the variance has around so many steps: as those of so many independent points.
    pub(super) fn df(&self, points: usize, steps: usize) -> f64 {
        let worth = points as f64 * (1.0 - self.phi) / (1.0 + self.phi);
        (worth - steps as f64 - 1.0).max(1.0)
    }

    /// The standard error of a difference of means of so many points.
    pub(super) fn error(&self, before: usize, after: usize) -> f64 {
        (self.variance * (1.0 / before as f64 + 1.0 / after as f64)).sqrt()
    }

    /// The variance of what is new in a point.
    pub(super) fn news_variance(&self) -> f64 {
        self.variance * (1.0 - self.phi).powi(2)
    }
}

/// Start and end of each stretch between steps in ascending order.
fn stretches(steps: &[usize], n: usize) -> impl Iterator<Item = (usize, usize)> {
    let starts = std::iter::once(0).chain(steps.iter().copied());
    starts.zip(steps.iter().copied().chain(std::iter::once(n)))
}

/// Residuals of the means between steps.
pub(super) fn residuals(values: &[f64], steps: &[usize]) -> Vec<f64> {
    let of_stretch = |(start, end): (usize, usize)| {
        let mean = values[start..end].iter().sum::<f64>() / (end - start) as f64;
        values[start..end].iter().map(move |value| value - mean)
    };
    stretches(steps, values.len()).flat_map(of_stretch).collect()
}

/// The squares of what is new in residuals.
pub(super) fn news(rest: &[f64], phi: f64) -> f64 {
    rest.windows(2).map(|pair| (pair[1] - phi * pair[0]).powi(2)).sum()
}
