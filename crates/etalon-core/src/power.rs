//! How many blocks a comparison takes, from a pilot of a few: planned before it is measured.
//!
//! Owns the way from the scatter that a pilot shows to a number of blocks with which a difference of some size is
//! called one with power [`POWER`]. A pilot knows the scatter badly, and a plan that takes it at its word is right in
//! half of all cases: the number is chosen so that the power is reached on average over the pilots that there could
//! have been. Refuses to know what executes blocks, and to decide anything from the pilot's own difference.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::compare::{Design, Evidence};
use crate::criteria::{Criteria, Levels, Margin};
use crate::random::Random;
use crate::sample::Sample;
use crate::stats::{self, Sorted, Widening};

/// The probability with which a difference of the size is to be called one.
pub const POWER: f64 = 0.8;

/// The differences that are planned for where nobody asks for others.
pub const DIFFERENCES: [f64; 3] = [0.01, 0.02, 0.05];

/// The fewest blocks of a pilot: of fewer, the scatter is anybody's guess.
pub const FEWEST: usize = 5;

/// The most blocks that may be asked for with `-r`.
const MOST: f64 = 1e7;

/// The level of the intervals that scatter is read from, of pairs and of a subject beside itself. Because: of 50 to
/// 95 % and the standard deviation, these depend least on the tails, of which ten readings show nothing (pairs: power
/// between .78 and .83 with tails from normal to Student's with two degrees of freedom; the standard deviation .80 to
/// .90).
const LEVEL: f64 = 0.8;
const LEVEL_OF_ONE: f64 = 0.9;

/// Simulated pilots, and the most blocks that one has: larger ones know the scatter almost as well as those.
const PILOTS: u64 = 400;
const MOST_SIMULATED: usize = 60;

/// Blocks that it costs to be wary of serial dependence: one comparison of six shows some where there is none, and is
/// widened. Because: the power of 10, 15, 20, 30, 60 and 100 blocks is that of 3 to 4 fewer without.
const FOR_DEPENDENCE: f64 = 3.0;

/// √(π/3): the standard error of the Hodges–Lehmann estimate of normal values, times the root of their number, in
/// standard deviations.
const OF_NORMAL: f64 = 1.023_326_707_946_488_5;

/// Criteria that make evidence which a [`Pilot`] can be read from: its intervals have the level that scatter is read
/// at.
#[must_use]
pub fn criteria_of_pilot(criteria: Criteria) -> Criteria {
    Criteria { confidence: LEVEL, levels: Levels::Common, ..criteria }
}

/// Why a pilot says nothing about a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unplanned {
    /// The two were not executed in the same blocks.
    NotInBlocks,
    /// It has too few blocks.
    TooFew,
    /// A value at or below 0 has no ratio, and differences are planned as shares.
    NotPositive,
    /// The values are exact: any difference shows at once.
    Exact,
}

/// The design of a pilot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Of {
    /// The two that are to be compared.
    Both,
    /// One of them.
    One,
}

/// A pilot's scatter of two subjects against each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pilot {
    of: Of,
    /// Blocks.
    pub n: usize,
    /// Half the width of the interval of the shift of logarithms.
    half_width: f64,
    /// Serial dependence, where it is beyond doubt.
    pub dependence: Option<Widening>,
}

impl Pilot {
    /// That of two subjects in the same blocks, from evidence by the [criteria of a pilot](criteria_of_pilot).
    ///
    /// # Errors
    /// Why it says nothing.
    pub fn from_evidence(evidence: &Evidence) -> Result<Pilot, Unplanned> {
        if evidence.exact {
            return Err(Unplanned::Exact);
        }
        if evidence.design != Design::Blocks {
            return Err(Unplanned::NotInBlocks);
        }
        let n = evidence.n.0;
        if n < FEWEST {
            return Err(Unplanned::TooFew);
        }
        let ratio = evidence.differing.ratio.ok_or(Unplanned::NotPositive)?;
        let interval = ratio.interval.map_err(|_| Unplanned::TooFew)?;
        let half_width = (interval.hi.ln() - interval.lo.ln()) / 2.0;
        // The interval is as wide as readings make it that were independent, unless they surely are not: one pilot of
        // six shows some dependence where there is none, and a plan would be several times too large for it.
        let widening = evidence.dependence;
        let plain = widening.map_or(1.0, |widening| widening.factor);
        let surely = |widening: &Widening| widening.r1 > SURELY / (n as f64).sqrt();
        let dependence = widening.filter(surely);
        let half_width = if dependence.is_some() { half_width } else { half_width / plain };
        Ok(Pilot { of: Of::Both, n, half_width, dependence })
    }

    /// That of one subject, as if it were compared with another one that scatters like it.
    ///
    /// # Errors
    /// Why it says nothing.
    pub fn from_sample(sample: &Sample) -> Result<Pilot, Unplanned> {
        let n = sample.values.len();
        if n < FEWEST {
            return Err(Unplanned::TooFew);
        }
        if !sample.is_positive() {
            return Err(Unplanned::NotPositive);
        }
        let logs: Vec<f64> = sample.values.iter().map(|value| value.ln()).collect();
        let half_width = beside_the_next(&logs).ok_or(Unplanned::TooFew)?;
        Ok(Pilot { of: Of::One, n, half_width, dependence: None })
    }

    /// By how much two subjects scatter against each other within a block: the standard deviation of normal log
    /// ratios that show as much.
    #[must_use]
    pub fn scatter(&self) -> f64 {
        let level = match self.of {
            Of::Both => LEVEL,
            Of::One => LEVEL_OF_ONE,
        };
        let z = stats::normal_quantile(f64::midpoint(1.0, level));
        self.half_width * (self.n as f64).sqrt() / (z * OF_NORMAL)
    }
}

/// A dependence is beyond doubt from so many standard errors of its coefficient on.
const SURELY: f64 = 2.0;

/// Half the width of the interval of the shift between a value and the next, the last and the first included. The next
/// one, because a drift of the machine then counts as little as it does within blocks.
fn beside_the_next(logs: &[f64]) -> Option<f64> {
    let nexts = logs.iter().cycle().skip(1);
    let differences: Vec<f64> = logs.iter().zip(nexts).map(|(value, next)| value - next).collect();
    half_width(&differences, LEVEL_OF_ONE)
}

fn half_width(values: &[f64], level: f64) -> Option<f64> {
    let shift = stats::one_sample(&Sorted::new(values).ok()?, level)?;
    Some(shift.interval.ok()?.half_width())
}

/// Criteria of a planned comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedCriteria {
    /// The level that the smallest p of the family has to reach.
    pub strictest: f64,
    /// Level of the intervals that have to exclude "no difference".
    pub confidence: f64,
    /// Differences within this share count as the same.
    pub margin: f64,
    /// A difference has to lie beyond this share.
    pub at_least: Option<f64>,
}

impl PlannedCriteria {
    /// The criteria for values of this size; `strictest` is the level that the smallest p of the family has to
    /// reach.
    #[must_use]
    pub fn new(criteria: &Criteria, strictest: f64, size: f64) -> PlannedCriteria {
        let margin = match criteria.margin {
            Margin::Relative(share) => share,
            Margin::Absolute(amount, _) => amount / size.abs(),
        };
        let Criteria { confidence, at_least, .. } = *criteria;
        PlannedCriteria { strictest, confidence, margin, at_least }
    }

    /// How many standard errors an estimate has to be away from "no difference".
    fn away(&self) -> f64 {
        let two_sided = |level: f64| stats::normal_quantile(1.0 - level / 2.0);
        two_sided(self.strictest).max(two_sided(1.0 - self.confidence))
    }
}

/// How many blocks a difference takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// So many.
    Blocks(Blocks),
    /// It is within the margin: with enough blocks it is called the same.
    WithinMargin,
    /// It is not beyond what a difference has to be beyond.
    NotBeyond,
    /// More than can be asked for.
    TooMany,
}

/// A planned number of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// To be asked for; two significant digits.
    pub planned: u32,
    /// As many as are needed, in four of five pilots: one says no more than that.
    pub likely: (u32, u32),
}

/// How many blocks it takes to call a difference of this share one, with power [`POWER`].
///
/// The Hodges–Lehmann estimate of the log ratio is normal with standard error τ/√N, and has to be z of these away from
/// 0; N = (c·s/δ)² + z²/2 + 3 blocks are planned, s the half-width that the pilot has, times the root of its blocks.
/// The factor c is chosen such that Φ(c·s/τ − z) is [`POWER`] on average over simulated pilots of as many blocks, after
/// Julious and Owen, "Sample size calculations for clinical studies allowing for uncertainty about the variance",
/// Pharmaceutical Statistics 5 (2006); z²/2 is what small samples need more (Guenther, The American Statistician 35,
/// 1981), 3 what wariness of serial dependence costs.
#[must_use]
pub fn need(pilot: &Pilot, difference: f64, wanted: &PlannedCriteria) -> Need {
    if difference < wanted.margin {
        return Need::WithinMargin;
    }
    let distance = difference.ln_1p() - wanted.at_least.unwrap_or(0.0).ln_1p();
    if distance <= 0.0 {
        return Need::NotBeyond;
    }
    let z = wanted.away();
    let pilots = Pilots::like(pilot);
    let (factor, likely) = pilots.factor(z);
    let scatter = pilot.half_width * (pilot.n as f64).sqrt();
    let large = (factor * scatter / distance).powi(2);
    let small = z * z / 2.0 + FOR_DEPENDENCE;
    let fewest = stats::signed_rank_needed(wanted.strictest.min(1.0 - wanted.confidence)) as f64;
    let blocks = |times: f64| (large * times + small).max(fewest).min(MOST);
    if large + small > MOST {
        return Need::TooMany;
    }
    let [lo, planned, hi] = [blocks(likely.0), blocks(1.0), blocks(likely.1)].map(two_digits);
    Need::Blocks(Blocks { planned, likely: (lo, hi) })
}

/// Rounded up to two significant digits: a pilot says no more.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 10⁷
fn two_digits(blocks: f64) -> u32 {
    let unit = 10_f64.powf((blocks.log10().floor() - 1.0).max(0.0));
    ((blocks / unit).ceil() * unit) as u32
}

/// Simulated pilots of normal values: the half-widths that they have, times the root of their blocks, in standard
/// errors of the estimate.
struct Pilots(Vec<f64>);

/// By what was executed and by the number of blocks.
type PilotCache = HashMap<(Of, usize), Rc<Pilots>>;

thread_local! {
    static KNOWN: RefCell<PilotCache> = RefCell::default();
}

impl Pilots {
    fn like(pilot: &Pilot) -> Rc<Pilots> {
        let key = (pilot.of, pilot.n.min(MOST_SIMULATED));
        let known = KNOWN.with_borrow(|known| known.get(&key).map(Rc::clone));
        known.unwrap_or_else(|| {
            let made = Rc::new(Pilots::simulated(key.0, key.1));
            KNOWN.with_borrow_mut(|known| known.insert(key, Rc::clone(&made)));
            made
        })
    }

    fn simulated(of: Of, n: usize) -> Pilots {
        let one = |seed: u64| {
            let mut random = Random::new(seed).stream(n as u64);
            let normal = |_| stats::normal_quantile(random.uniform().clamp(1e-12, 1.0 - 1e-12));
            let values: Vec<f64> = (0..n).map(normal).collect();
            let (half_width, error) = match of {
                Of::Both => (half_width(&values, LEVEL), OF_NORMAL),
                Of::One => (beside_the_next(&values), OF_NORMAL * f64::sqrt(2.0)),
            };
            Some(half_width? * (n as f64).sqrt() / error)
        };
        Pilots((0..PILOTS).filter_map(one).collect())
    }

    /// The factor for tests that need an estimate z standard errors away, and between which multiples of the planned
    /// number the one lies that is needed, in the middle four fifths of the pilots.
    fn factor(&self, z: f64) -> (f64, (f64, f64)) {
        let mean = |factor: f64| {
            let power = |scatter: &f64| stats::normal_cdf(factor * scatter - z);
            self.0.iter().map(power).sum::<f64>() / self.0.len().max(1) as f64
        };
        // The power grows with the factor: bisected, from where it is next to nothing to where it is next to 1.
        let (mut lo, mut hi) = (0.0, 200.0);
        for _ in 0..60 {
            let middle = f64::midpoint(lo, hi);
            if mean(middle) < POWER { lo = middle } else { hi = middle }
        }
        let enough = z + stats::normal_quantile(POWER);
        let mut times: Vec<f64> =
            self.0.iter().map(|scatter| (enough / (hi * scatter)).powi(2)).collect();
        times.sort_unstable_by(f64::total_cmp);
        let last = times.len().saturating_sub(1);
        let at = |tenths: usize| times.get(last * tenths / 10).copied().unwrap_or(1.0);
        (hi, (at(1), at(9)))
    }
}

/// The blocks that one difference takes in a family of comparisons.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Planned {
    /// As a share.
    pub difference: f64,
    /// For each comparison of the family.
    pub each: Need,
    /// For half of them, where there are several.
    pub half: Option<Need>,
}

/// The blocks that each difference takes, of comparisons with criteria of their own.
#[must_use]
pub fn plan(pilots: &[(Pilot, PlannedCriteria)], differences: &[f64]) -> Vec<Planned> {
    let planned = |&difference: &f64| {
        let of = |(pilot, wanted): &(Pilot, PlannedCriteria)| need(pilot, difference, wanted);
        let mut needs: Vec<Need> = pilots.iter().map(of).collect();
        needs.sort_by_key(|need| match need {
            Need::Blocks(blocks) => blocks.planned,
            _ => u32::MAX,
        });
        let each = *needs.last()?;
        let half = (needs.len() > 1).then(|| needs[(needs.len() - 1) / 2]);
        Some(Planned { difference, each, half })
    };
    differences.iter().filter_map(planned).collect()
}

/// How many blocks it takes until the median of one subject is known to ± a share, given how well this many know it:
/// widths shrink with the root of the number. Absent where more would be needed than can be asked for.
#[must_use]
pub fn for_precision(reached: f64, blocks: usize, target: f64) -> Option<u32> {
    let needed = blocks as f64 * (reached / target).powi(2);
    (needed <= MOST).then(|| two_digits(needed.max(FEWEST as f64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a factor that takes the pilot at its word: with a known scatter it is z + z(0.8) = 2.80 standard
    /// errors, and a few blocks ask for more.
    #[test]
    fn few_blocks_of_a_pilot_ask_for_more() {
        let z = stats::normal_quantile(0.975);
        let relative = |of, n, level| {
            let unit = stats::normal_quantile(f64::midpoint(1.0, level));
            Pilots::simulated(of, n).factor(z).0 * unit / 2.801_6
        };
        let both: Vec<f64> = [5, 10, 30, 60].map(|n| relative(Of::Both, n, LEVEL)).to_vec();
        assert!(both.windows(2).all(|pair| pair[0] > pair[1]), "{both:?}");
        assert!((0.98..1.06).contains(&both[3]), "{both:?}");
        let one = relative(Of::One, 60, LEVEL_OF_ONE);
        assert!((0.95..1.06).contains(&one), "{one}");
    }

    #[test]
    fn differences_that_are_none_are_not_planned() {
        let pilot = Pilot { of: Of::Both, n: 10, half_width: 0.005, dependence: None };
        let wanted =
            PlannedCriteria { strictest: 0.05, confidence: 0.95, margin: 0.02, at_least: None };
        assert_eq!(need(&pilot, 0.01, &wanted), Need::WithinMargin);
        let beyond = PlannedCriteria { at_least: Some(0.05), ..wanted };
        assert_eq!(need(&pilot, 0.05, &beyond), Need::NotBeyond);
        assert_eq!(need(&Pilot { half_width: 1e3, ..pilot }, 0.02, &wanted), Need::TooMany);
        let Need::Blocks(fewest) = need(&Pilot { half_width: 0.0, ..pilot }, 0.02, &wanted) else {
            panic!("a number");
        };
        assert_eq!(fewest.planned, 6, "fewer blocks have no p of 0.05");
        let stricter = PlannedCriteria { strictest: 0.005, ..wanted };
        let planned = |wanted| match need(&pilot, 0.02, wanted) {
            Need::Blocks(blocks) => blocks.planned,
            _ => 0,
        };
        assert!(planned(&stricter) > planned(&wanted));
    }
}
