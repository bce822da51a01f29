//! About how many more values would settle an open verdict, and from where to where that number reaches.

use std::sync::LazyLock;

use super::Adjusted;
use crate::compare::{EquivalenceBounds, Evidence, Scale};
use crate::criteria::{Conditions, Criteria};
use crate::estimate::Estimate;
use crate::random::Random;
use crate::stats;

/// How many more values would settle an open verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct More {
    /// About so many, two significant digits.
    pub about: usize,
    /// Fewer settle nothing, whatever they are.
    least: usize,
    /// Values there are.
    n: usize,
    rules: Option<Rules>,
}

/// How many more values would settle it; `least` do not suffice whatever they are.
pub(super) fn more(
    evidence: &Evidence,
    adjusted: &Adjusted,
    criteria: &Criteria,
    least: usize,
) -> Option<More> {
    let about = more_blocks(evidence, adjusted, criteria)?.max(least);
    let n = evidence.n.0.min(evidence.n.1);
    Some(More { about, least, n, rules: rules(evidence, adjusted, criteria) })
}

impl More {
    /// A number that is known.
    pub(super) fn exactly(about: usize) -> More {
        More { about, least: about, n: 0, rules: None }
    }

    /// From where to where the number reaches: the middle share `HELD` of simulated continuations; absent where it is
    /// not known. The upper end is absent where no number may be large enough: too many continuations are open after
    /// `FARTHEST` times the blocks.
    ///
    /// With n blocks an estimate of standard error s, and m more, the estimate moves as s·W(m / (n + m)), W a
    /// Brownian motion: so much is known about the true value (a flat prior), and so much the new blocks scatter. The
    /// half-width shrinks with √(n / (n + m)); of few blocks s itself is known to a factor only, that of χ² with n − 1 degrees
    /// of freedom. A continuation is settled at the first m at which the rules of the verdict hold. Takes some 100 µs: for
    /// what is shown.
    #[must_use]
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn between(&self) -> Option<(usize, Option<usize>)> {
        let rules = self.rules.as_ref()?;
        let scatters = (0..).map(|at| scatter(at, self.n));
        let mut settled: Vec<f64> = PATHS
            .iter()
            .zip(scatters)
            .map(|(path, scatter)| rules.settled_at(path, scatter))
            .collect();
        settled.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| settled[((settled.len() - 1) as f64 * share).round() as usize];
        let n = self.n as f64;
        let blocks = |ratio: f64| (ratio.is_finite() && n * ratio <= 1e6).then_some(n * ratio);
        let lo = blocks(at((1.0 - HELD) / 2.0))?.max(1.0);
        let hi = blocks(at((1.0 + HELD) / 2.0)).map(|hi| two_digits(hi.max(1.0)) as usize);
        let unit = digit(lo);
        let lo = (lo / unit).floor() * unit;
        Some(((lo as usize).max(self.least), hi.map(|hi| hi.max(self.least))))
    }

    /// From where to where the number is told: as the range, where its ends are not too far apart. A number without a range
    /// is its own.
    #[must_use]
    pub fn told(&self) -> Option<(usize, usize)> {
        More::reaching(std::iter::once(self))
    }

    /// The number itself, where its range is told: within that, for it takes the estimate as it is, and the range does not.
    #[must_use]
    pub fn told_about(&self) -> Option<usize> {
        self.told().map(|(lo, hi)| self.about.max(lo).min(hi))
    }

    /// The number for several, as far as it is told: from the lower end of the smallest number to the upper end of the
    /// largest, where these are not too far apart. A number without a range is its own.
    #[must_use]
    pub fn reaching<'a>(all: impl Iterator<Item = &'a More> + Clone) -> Option<(usize, usize)> {
        let ends = |more: &More| more.between().unwrap_or((more.about, Some(more.about)));
        let (lo, _) = ends(all.clone().min_by_key(|more| more.about)?);
        let (_, hi) = ends(all.max_by_key(|more| more.about)?);
        let hi = hi?;
        (hi <= TOLD.saturating_mul(lo)).then_some((lo, hi))
    }
}

/// About how many more values would settle it, taking the estimate as it is. Interval widths shrink
/// with 1/√n: a half-width has to shrink to the distance to "no difference", or to what the margin
/// leaves beside the estimate, each at the level that the family's correction asks for.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn more_blocks(evidence: &Evidence, adjusted: &Adjusted, criteria: &Criteria) -> Option<usize> {
    if !evidence.design.gains_by_more() {
        return None;
    }
    let n = evidence.n.0.min(evidence.n.1) as f64;
    let (estimate, _) = evidence.decisive(&evidence.differing)?;
    let (half_width, distance) = extent(&estimate, evidence.scale)?;
    let level = adjusted.strictest;
    // The half-width is that of a two-sided test at alpha; each of the two one-sided tests of
    // sameness spends the family's level alone.
    let tails = if evidence.one_sided.is_some() { 1.0 } else { 2.0 };
    let stricter = |tail: f64| {
        let here = stats::normal_quantile(1.0 - criteria.alpha / tails);
        (stats::normal_quantile(1.0 - tail) / here).max(1.0)
    };
    // A level of 1 − 2 alpha is asked of sameness: its interval may be narrower than the one that is shown.
    let sameness =
        stats::normal_quantile(1.0 - level) / stats::normal_quantile(1.0 - criteria.alpha / tails);
    // What `at_least` asks for is asked of the ratio, also where the verdict is made on the difference.
    let far_enough = match criteria.at_least {
        None => Some(half_width / distance),
        Some(share) => evidence
            .differing
            .ratio
            .as_ref()
            .and_then(|ratio| extent(ratio, Scale::Ratio))
            .map(|(half_width, distance)| half_width / (distance - (1.0 + share).ln())),
    };
    let to_differ = far_enough.map(|narrower| {
        narrower * stricter(level / tails) * slowdown(evidence, criteria.conditions)
    });
    let to_be_same = evidence.bounds.map(|EquivalenceBounds { hi, .. }| {
        half_width * sameness / (on(evidence.scale, hi) - distance)
    });
    let factor = [to_differ, to_be_same]
        .into_iter()
        .flatten()
        .filter(|f| f.is_finite() && *f > 0.0)
        .min_by(f64::total_cmp)?;
    let more = (n * factor * factor - n).max(1.0);
    (more <= 1e6).then(|| two_digits(more) as usize)
}

/// Half the width of an estimate's interval, and how far the estimate is from "no difference": of
/// logarithms on the scale of ratios.
pub(super) fn extent(estimate: &Estimate, scale: Scale) -> Option<(f64, f64)> {
    let interval = estimate.interval.ok()?;
    let half_width = (on(scale, interval.hi) - on(scale, interval.lo)) / 2.0;
    Some((half_width, on(scale, estimate.value).abs()))
}

/// Where "no difference" is 0 and both directions are alike.
fn on(scale: Scale, x: f64) -> f64 {
    match scale {
        Scale::Ratio => x.ln(),
        Scale::Difference => x,
    }
}

/// How much narrower than for a difference alone the interval has to be for the conditions, as a
/// factor; NaN where no number of blocks helps.
fn slowdown(evidence: &Evidence, conditions: Conditions) -> f64 {
    let lower = evidence.superiority.max(1.0 - evidence.superiority);
    if conditions.superiority.is_some_and(|at_most| 1.0 - lower > at_most) {
        return f64::NAN;
    }
    let distance = evidence.differing.difference.map(|difference| difference.value.abs());
    match conditions.epsilon.zip(distance) {
        Some((epsilon, distance)) if epsilon >= distance => f64::NAN,
        Some((epsilon, distance)) => distance / (distance - epsilon),
        None => 1.0,
    }
}

/// Rounded up to two significant digits: the estimate is not better than that.
fn two_digits(x: f64) -> f64 {
    let unit = digit(x);
    (x / unit).ceil() * unit
}

/// The value of a step of the second significant digit, at least 1.
fn digit(x: f64) -> f64 {
    10_f64.powf((x.log10().floor() - 1.0).max(0.0))
}

/// The rules for a continuation of the comparison. None where one direction, a share or a condition is
/// asked for: their rules are not simulated.
fn rules(evidence: &Evidence, adjusted: &Adjusted, criteria: &Criteria) -> Option<Rules> {
    let asks_for_more = criteria.at_least.is_some()
        || criteria.conditions != Conditions::default()
        || evidence.one_sided.is_some();
    if asks_for_more {
        return None;
    }
    let (estimate, _) = evidence.decisive(&evidence.differing)?;
    let (half_width, distance) = extent(&estimate, evidence.scale)?;
    let shown = stats::normal_quantile(1.0 - criteria.alpha / 2.0);
    let level = adjusted.strictest;
    let rules = Rules {
        start: distance * shown / half_width,
        differs: stats::normal_quantile(1.0 - level / 2.0).max(shown),
        same: stats::normal_quantile(1.0 - level),
        margin: evidence.bounds.map(|bounds| on(evidence.scale, bounds.hi) * shown / half_width),
    };
    rules.start.is_finite().then_some(rules)
}

/// Ranges are told that reach to so many times their lower end. Because: nobody can plan with "3 to 410".
const TOLD: usize = 10;

/// The share of simulated continuations between the ends: above the 80 % that are promised, for estimates are
/// not quite normal, and a flat prior is not everyone's.
const HELD: f64 = 0.88;
const CONTINUATIONS: u64 = 300;
/// Continuations end at so many times the blocks there are.
const FARTHEST: f64 = 1e4;

/// Distances that settle a comparison, in standard errors of the estimate at hand.
#[derive(Debug, Clone, PartialEq)]
struct Rules {
    start: f64,
    differs: f64,
    same: f64,
    margin: Option<f64>,
}

impl Rules {
    /// After how many times the blocks there are a continuation is settled; infinite if it stays open.
    /// The true scatter is so many times that of the blocks there are.
    fn settled_at(&self, path: &[f64], scatter: f64) -> f64 {
        let settled = STEPS.iter().zip(path).find(|((_, narrower), moved)| {
            let distance = (self.start + scatter * **moved).abs();
            let narrower = scatter * narrower;
            let within = |margin: f64| distance + self.same * narrower < margin;
            distance > self.differs * narrower || self.margin.is_some_and(within)
        });
        settled.map_or(f64::INFINITY, |((ratio, _), _)| *ratio)
    }
}

/// The true scatter in a continuation as a multiple of that of `n` blocks: √((n − 1)/χ²) at quantiles that are spread evenly,
/// in an order that has nothing to do with the paths. By Wilson and Hilferty, PNAS 17 (1931).
#[allow(clippy::cast_precision_loss)] // numbers of blocks
fn scatter(at: u64, n: usize) -> f64 {
    let degrees = n.saturating_sub(1).max(1) as f64;
    let place = (at * STRIDE % CONTINUATIONS) as f64 + 0.5;
    let z = stats::normal_quantile(place / CONTINUATIONS as f64);
    let part = 2.0 / (9.0 * degrees);
    let root = (1.0 - part + z * part.sqrt()).max(0.1);
    root.powi(3).sqrt().recip()
}

/// Has no factor in common with the number of continuations.
const STRIDE: u64 = 127;

/// The looks of a continuation: more blocks as a multiple of those at hand, and the factor of the half-width.
static STEPS: LazyLock<Vec<(f64, f64)>> = LazyLock::new(|| {
    let ratios = std::iter::successors(Some(0.03), |ratio| Some(ratio * 1.1));
    let looks = ratios.take_while(|ratio| *ratio < FARTHEST);
    looks.map(|ratio| (ratio, (1.0 / (1.0 + ratio)).sqrt())).collect()
});

/// Where Brownian motions are at each look; the same for all comparisons, and mirrored in pairs.
static PATHS: LazyLock<Vec<Vec<f64>>> = LazyLock::new(|| {
    let path = |seed: u64| {
        let mut random = Random::new(seed);
        let (mut time, mut place) = (0.0, 0.0);
        let moved = |(ratio, _): &(f64, f64)| {
            let now = ratio / (1.0 + ratio);
            let normal = stats::normal_quantile(random.uniform().clamp(1e-12, 1.0 - 1e-12));
            place += (now - time).sqrt() * normal;
            time = now;
            place
        };
        STEPS.iter().map(moved).collect::<Vec<f64>>()
    };
    let mirrored = |path: &Vec<f64>| path.iter().map(|place| -place).collect();
    let pairs = (1..=CONTINUATIONS / 2).map(path).map(|path| [mirrored(&path), path]);
    pairs.flatten().collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn more(start: f64, n: usize) -> More {
        let rules = Rules { start, differs: 1.96, same: 1.64, margin: None };
        More { about: n, least: 0, n, rules: Some(rules) }
    }

    /// Would catch a number outside the range that is told with it, and a range whose ends are the wrong way round.
    #[test]
    fn the_number_lies_within_its_range() {
        let mut random = Random::new(20);
        let mut told = 0;
        for _ in 0..400 {
            let (n, least) = (3 + random.below(300), random.below(40));
            let about = 1 + random.below(2000);
            let mut up_to = |most: f64| random.uniform() * most;
            let margin = Some(up_to(4.0)).filter(|margin| *margin > 1.0);
            let (start, differs) = (up_to(3.0), 1.96 + up_to(1.5));
            let rules = Rules { start, differs, same: 1.64, margin };
            let more = More { about, least, n, rules: Some(rules) };
            let Some((lo, hi)) = more.told() else {
                assert_eq!(more.told_about(), None);
                continue;
            };
            let number = more.told_about().unwrap();
            assert!(lo <= number && number <= hi, "{number} in {lo} to {hi}: {more:?}");
            assert!(about < lo || about > hi || number == about, "{more:?}");
            told += 1;
        }
        assert!(told > 100, "{told}");
    }

    /// Would catch ranges of 1 to 100 and without an end that are told all the same.
    #[test]
    fn ranges_that_help_nobody_are_not_told() {
        let mut told = 0;
        for start in [0.0, 0.3, 1.0, 1.5, 1.9, 1.95] {
            let more = more(start, 40);
            let Some((lo, hi)) = more.between() else { continue };
            let is_narrow = hi.is_some_and(|hi| hi <= 10 * lo);
            let reach = more.told();
            assert_eq!(reach, hi.filter(|_| is_narrow).map(|hi| (lo, hi)), "{start}");
            told += usize::from(reach.is_some());
        }
        assert!(told < 6, "{told}");
        let exact = [More::exactly(3), More::exactly(30), More::exactly(31)];
        assert_eq!(More::reaching(exact[..2].iter()), Some((3, 30)));
        assert_eq!(More::reaching(exact.iter()), None);
    }
}
