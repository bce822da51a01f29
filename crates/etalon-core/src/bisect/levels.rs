//! How likely each place of one step or two is, by what commits between the ends measured.
//!
//! Commits are on levels between that of the good end, 0, and that of the bad end, 1. Either one step leads from one to
//! the other, or two with a level of their own between.

use super::centre::centre;
use super::disturbed::Scale;

/// Levels between two steps: two of half the size, unequal ones, and those that overshoot.
const BETWEEN: [f64; 5] = [0.5, 0.25, 0.75, -0.5, 1.5];
/// Of the interval that says whether the ends differ.
const LEVEL: f64 = 0.95;
/// The chance beforehand that there are two steps.
const TWO: f64 = 0.1;
/// From this chance on there are two: what is left of a change after one step was named is looked for then.
const TOLD: f64 = 0.8;
/// Commits that are known already are taken where they tell at least so much of what the best one would: a build costs
/// more than a block.
const AS_GOOD: f64 = 0.85;

/// The values of a block: of both ends and of a commit between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reading {
    /// The commit's place among those that can be measured.
    pub place: usize,
    /// Good, bad, and the commit's.
    pub values: [f64; 3],
}

/// The levels of commits, as far as they are known.
#[derive(Debug, Clone)]
pub(super) struct Levels {
    /// By place of the first commit behind it: the chance that there is a step. Nothing at 0.
    steps: Vec<f64>,
    /// Mean and variance of each commit's level.
    means: Vec<f64>,
    variances: Vec<f64>,
    /// The chance that there are two.
    two: f64,
    /// The scatter of a reading in terms of the change between the ends.
    noise: f64,
    /// Whether the ends still differ.
    is_seen: bool,
}

impl Levels {
    /// Of commits that are `widths` apart, from differences of the ends and readings between them. `None` where the ends
    /// were not measured often enough.
    pub(super) fn new(
        widths: &[usize],
        ends: &[f64],
        readings: impl Iterator<Item = Reading>,
    ) -> Option<Levels> {
        let places = widths.len() + 1;
        let change = centre(ends, LEVEL)?;
        let is_seen = change.lo > 0.0 || change.hi < 0.0;
        let scale = Scale::from_ends(ends)?;
        let tables = Tables::new(places, scale, readings);
        let noise = scale.scatter / scale.change.abs();
        Some(Levels { is_seen, ..Levels::weighed(widths, &tables, noise) })
    }

    fn weighed(widths: &[usize], tables: &Tables, noise: f64) -> Levels {
        let places = widths.len() + 1;
        let all: f64 = widths.iter().sum::<usize>() as f64;
        let prior = |at: usize| widths[at - 1] as f64 / all;
        let pairs = pairs_of(places);
        let either: f64 = pairs.clone().map(|(one, two)| prior(one) * prior(two)).sum();
        let mut weights = Weights::new(places);
        for at in 1..places {
            let single = if places > 2 { 1.0 - TWO } else { 1.0 };
            weights.add(&[at], None, (single * prior(at)).ln() + tables.one(at));
        }
        for (one, two) in pairs {
            let beforehand = TWO * prior(one) * prior(two) / either / BETWEEN.len() as f64;
            for (number, level) in BETWEEN.iter().enumerate() {
                weights.add(
                    &[one, two],
                    Some(*level),
                    beforehand.ln() + tables.two(one, two, number),
                );
            }
        }
        weights.levels(noise)
    }

    /// The chance of a step just before a place, from 1.
    pub(super) fn chance(&self, at: usize) -> f64 {
        self.steps[at]
    }

    /// The place of the likeliest step that is none of `others` and has this chance at least.
    pub(super) fn step(&self, chance: f64, others: impl Fn(usize) -> bool) -> Option<usize> {
        let free = (1..self.steps.len()).filter(|at| !others(*at));
        let best = free.max_by(|a, b| self.steps[*a].total_cmp(&self.steps[*b]))?;
        (self.steps[best] >= chance).then_some(best)
    }

    /// The place between the ends whose level is least known; one that `is_known` already where that is nearly as good.
    pub(super) fn least_known(&self, is_known: impl Fn(usize) -> bool) -> Option<usize> {
        let between = 1..self.variances.len() - 1;
        let by_variance = |a: &usize, b: &usize| self.variances[*a].total_cmp(&self.variances[*b]);
        let best = between.clone().max_by(by_variance)?;
        let known = between.filter(|at| is_known(*at)).max_by(by_variance);
        let is_as_good = |at: &usize| self.variances[*at] >= AS_GOOD * self.variances[best];
        Some(known.filter(is_as_good).unwrap_or(best))
    }

    /// The last place that is as the good end with this chance, and the first that is as the bad one.
    pub(super) fn change_within(&self, chance: f64) -> (usize, usize) {
        let last = self.steps.len() - 1;
        let room = 1.0 - chance;
        let from = (1..=last).find(|at| self.means[*at].abs() > room).map_or(last, |at| at - 1);
        let to =
            (0..last).rev().find(|at| (1.0 - self.means[*at]).abs() > room).map_or(0, |at| at + 1);
        (from.min(last.saturating_sub(1)), to.max(1))
    }

    /// Whether two steps are much likelier than one.
    pub(super) fn are_two(&self) -> bool {
        self.two > TOLD
    }

    /// Whether the ends differ by all blocks together.
    pub(super) fn is_seen(&self) -> bool {
        self.is_seen
    }

    /// The scatter of a reading over the change between the ends.
    pub(super) fn noise_to_change(&self) -> f64 {
        self.noise
    }
}

/// Both steps of every pair, the first before the second.
fn pairs_of(places: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    (1..places).flat_map(move |one| (one + 1..places).map(move |two| (one, two)))
}

/// Sums of log likelihoods over the places up to one, by level.
struct Tables {
    good: Vec<f64>,
    bad: Vec<f64>,
    between: [Vec<f64>; BETWEEN.len()],
}

impl Tables {
    fn new(places: usize, scale: Scale, readings: impl Iterator<Item = Reading>) -> Tables {
        let mut of = [(); BETWEEN.len() + 2].map(|()| vec![0.0; places + 1]);
        for reading in readings {
            for (sums, level) in of.iter_mut().zip([0.0, 1.0].into_iter().chain(BETWEEN)) {
                sums[reading.place + 1] += scale.likelihood(reading.values, level);
            }
        }
        for sums in &mut of {
            for at in 1..sums.len() {
                sums[at] += sums[at - 1];
            }
        }
        let [good, bad, between @ ..] = of;
        Tables { good, bad, between }
    }

    /// Of one step before a place.
    fn one(&self, at: usize) -> f64 {
        self.good[at] + self.behind(at)
    }

    fn two(&self, one: usize, two: usize, level: usize) -> f64 {
        let between = &self.between[level];
        self.good[one] + between[two] - between[one] + self.behind(two)
    }

    /// From a place to the last.
    fn behind(&self, at: usize) -> f64 {
        self.bad[self.bad.len() - 1] - self.bad[at]
    }
}

/// Hypotheses with the logarithms of their weights.
struct Weights {
    places: usize,
    all: Vec<([usize; 2], Option<f64>, f64)>,
}

impl Weights {
    fn new(places: usize) -> Weights {
        Weights { places, all: Vec::new() }
    }

    fn add(&mut self, steps: &[usize], level: Option<f64>, weight: f64) {
        self.all.push(([steps[0], *steps.last().unwrap_or(&steps[0])], level, weight));
    }

    fn levels(&self, noise: f64) -> Levels {
        let most = self.all.iter().map(|it| it.2).fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = self.all.iter().map(|it| (it.2 - most).exp()).collect();
        let whole: f64 = weights.iter().sum();
        let mut steps = vec![0.0; self.places];
        let mut both = 0.0;
        // Differences of what each place adds to the mean and to the mean square, so that each hypothesis takes two sums.
        let mut first = vec![0.0; self.places + 1];
        let mut second = vec![0.0; self.places + 1];
        for (([one, two], level, _), weight) in self.all.iter().zip(weights) {
            let chance = weight / whole;
            steps[*one] += chance;
            let level = level.unwrap_or(1.0);
            first[*one] += chance * level;
            second[*one] += chance * level * level;
            if two != one {
                both += chance;
                steps[*two] += chance;
                first[*two] += chance * (1.0 - level);
                second[*two] += chance * (1.0 - level * level);
            }
        }
        let running = |all: &[f64]| -> Vec<f64> {
            let sum = |sum: &mut f64, it: &f64| {
                *sum += it;
                Some(*sum)
            };
            all[..self.places].iter().scan(0.0, sum).collect()
        };
        let (means, squares) = (running(&first), running(&second));
        let variances =
            means.iter().zip(squares).map(|(mean, square)| square - mean * mean).collect();
        Levels { steps, means, variances, two: both, noise, is_seen: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings() -> Vec<Reading> {
        let values =
            [(1, 0.001), (2, 0.02), (4, 0.035), (2, -0.004), (3, 0.5), (4, 0.02), (1, 0.012)];
        let reading =
            |(place, value): (usize, f64)| Reading { place, values: [0.01, 0.042, value + 0.01] };
        values.map(reading).to_vec()
    }

    fn ends() -> Vec<f64> {
        (0..20).map(|it| 0.03 + f64::from(it * 7 % 20 - 10) / 400.0).collect()
    }

    /// Every hypothesis by itself, every reading anew. Would catch sums over the wrong places, and weights that are none.
    #[test]
    fn chances_are_those_of_all_hypotheses() {
        let widths = [1, 2, 1, 3, 1];
        let scale = Scale::from_ends(&ends()).unwrap();
        let known = Levels::new(&widths, &ends(), readings().into_iter()).unwrap();
        let level = |place: usize, (one, two, between): (usize, usize, f64)| match place {
            it if it < one => 0.0,
            it if it < two => between,
            _ => 1.0,
        };
        let likelihood = |of: (usize, usize, f64)| -> f64 {
            readings()
                .iter()
                .map(|it| scale.likelihood(it.values, level(it.place, of)))
                .sum::<f64>()
                .exp()
        };
        let prior = |at: usize| widths[at - 1] as f64 / 8.0;
        let mut all = Vec::new();
        for at in 1..6 {
            all.push(((at, at, 1.0), (1.0 - TWO) * prior(at) * likelihood((at, at, 1.0))));
        }
        let pairs = || (1..6).flat_map(|one| (one + 1..6).map(move |two| (one, two)));
        let either: f64 = pairs().map(|(one, two)| prior(one) * prior(two)).sum();
        for (one, two) in pairs() {
            for between in BETWEEN {
                let weight = TWO * prior(one) * prior(two) / either / 5.0;
                all.push(((one, two, between), weight * likelihood((one, two, between))));
            }
        }
        let whole: f64 = all.iter().map(|it| it.1).sum();
        for place in 1..6 {
            let steps = all.iter().filter(|((one, two, _), _)| *one == place || *two == place);
            let expected = steps.map(|it| it.1).sum::<f64>() / whole;
            assert!((known.chance(place) - expected).abs() < 1e-12, "{place}");
            let mean =
                all.iter().map(|(of, weight)| level(place, *of) * weight).sum::<f64>() / whole;
            let square =
                all.iter().map(|(of, weight)| level(place, *of).powi(2) * weight).sum::<f64>()
                    / whole;
            assert!((known.means[place] - mean).abs() < 1e-12, "{place}");
            assert!((known.variances[place] - (square - mean * mean)).abs() < 1e-12, "{place}");
        }
    }

    #[test]
    fn what_is_known_already_is_taken_where_it_is_nearly_as_good() {
        let levels = Levels::new(&[1; 9], &ends(), std::iter::empty()).unwrap();
        assert_eq!(
            levels.least_known(|_| false).unwrap(),
            levels.least_known(|it| it > 9).unwrap()
        );
        let best = levels.least_known(|_| false).unwrap();
        assert!((4..=5).contains(&best), "{best}");
        assert_eq!(levels.least_known(|it| it == best + 1), Some(best + 1));
        assert_eq!(levels.least_known(|it| it == 1), Some(best));
        assert_eq!(levels.least_known(|_| true), Some(best));
        let alone = Levels::new(&[5], &ends(), std::iter::empty()).unwrap();
        assert_eq!((alone.least_known(|_| true), alone.step(0.98, |_| false)), (None, Some(1)));
    }
}
