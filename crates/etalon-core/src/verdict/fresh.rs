//! The change that fresh data show: how far apart two subjects have to be for another experiment like this one to find it.
//!
//! Owns the way from the scatter of the blocks at hand to that change. Few blocks know their scatter badly, and another
//! experiment has a scatter of its own: the change is found with the power that is said on average over both. Refuses to
//! look at what the blocks at hand say of the difference.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::random::Random;
use crate::stats::{self, Sorted, Stretch};

/// The probability with which the change is found.
pub(super) const POWER: f64 = 0.9;

/// The power that is asked of values distributed like those at hand, where they are not near-normal. Because: those at
/// hand show less of a distribution's tails than there is; with .93 changes are found in 83 to 90 % where a fifth of the
/// readings is disturbed or has another mode, from 10 to 60 blocks and in families of 1 and 15 (`etalon-calibrate`).
const POWER_AT_HAND: f64 = 0.93;

/// Simulated experiments, of each of which both ends count, and the most blocks that one has: with more, everything goes with the root of their number.
const EXPERIMENTS: u64 = 128;
const MOST_SIMULATED: usize = 60;

/// Blocks at hand, the blocks of the other experiment, and the level of the intervals of each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Experiments {
    pub(super) at_hand: usize,
    pub(super) fresh: usize,
    /// Of those at hand.
    pub(super) level: f64,
    /// Two-sided: of the interval that has to exclude "no difference".
    pub(super) strict: f64,
}

impl Experiments {
    /// How many half-widths of the interval at hand a change has to have, of normal values; absent where no change is
    /// found with so few blocks.
    ///
    /// Of pairs of independent experiments the ratio of how far below the true value the one's interval begins, and the
    /// half-width of the other's: a change as large is found exactly in the share of pairs whose ratio is smaller.
    pub(super) fn half_widths(&self) -> Option<f64> {
        let Experiments { at_hand, fresh, level, strict } = *self;
        let few = |n: usize| n.min(MOST_SIMULATED);
        let key = (few(at_hand), few(fresh), level.to_bits(), strict.to_bits());
        let known = RATIOS.with_borrow(|known| known.get(&key).copied());
        let ratio = known.unwrap_or_else(|| {
            let found = ratio(&Simulated::like(key.0), &Simulated::like(key.1), (level, strict));
            RATIOS.with_borrow_mut(|known| known.insert(key, found));
            found
        })?;
        #[allow(clippy::cast_precision_loss)] // numbers of blocks
        let root = |n: usize| (n as f64 / few(n) as f64).sqrt();
        Some(ratio * root(at_hand) / root(fresh))
    }

    /// The shift that is found of values distributed like these, which are not near-normal; absent where none is.
    pub(super) fn shift(&self, shape: &[f64]) -> Option<f64> {
        let cut = stats::signed_rank_critical(self.fresh, self.strict)?;
        let (mut lo, mut hi) = (0.0, 2.0 * (shape.last()? - shape.first()?));
        for _ in 0..40 {
            let middle = f64::midpoint(lo, hi);
            let power = stats::signed_rank_power(shape, middle, self.fresh, cut);
            if power < POWER_AT_HAND { lo = middle } else { hi = middle }
        }
        Some(hi)
    }
}

/// Experiments with normal values in so many blocks.
struct Simulated(Vec<(Sorted, Option<Stretch>)>);

type RatioKey = (usize, usize, u64, u64);

thread_local! {
    static SIMULATED: RefCell<HashMap<usize, Rc<Simulated>>> = RefCell::default();
    static RATIOS: RefCell<HashMap<RatioKey, Option<f64>>> = RefCell::default();
}

impl Simulated {
    fn like(n: usize) -> Rc<Simulated> {
        let known = SIMULATED.with_borrow(|known| known.get(&n).map(Rc::clone));
        known.unwrap_or_else(|| {
            let made = Rc::new(Simulated::new(n));
            SIMULATED.with_borrow_mut(|known| known.insert(n, Rc::clone(&made)));
            made
        })
    }

    fn new(n: usize) -> Simulated {
        let one = |seed: u64| {
            let mut random = Random::new(seed).stream(n as u64);
            let normal = |_| stats::normal_quantile(random.uniform().clamp(1e-12, 1.0 - 1e-12));
            let values: Vec<f64> = (0..n).map(normal).collect();
            // Values that are independent look dependent now and then, and are widened.
            let stretch = Stretch::from_values(&values, None);
            Some((Sorted::new(&values).ok()?, stretch))
        };
        Simulated((0..EXPERIMENTS).filter_map(one).collect())
    }

    /// Of each, how far below the true value its interval of a level begins, how far above it ends, and half its width.
    fn intervals(&self, level: f64) -> Option<Vec<([f64; 2], f64)>> {
        let interval = |(sorted, stretch): &(Sorted, Option<Stretch>)| {
            let shift = stats::one_sample(sorted, level)?;
            let shift = stretch.map_or(shift, |stretch| stretch.shift(shift));
            let interval = shift.interval.ok()?;
            Some(([-interval.lo, interval.hi], interval.half_width()))
        };
        self.0.iter().map(interval).collect()
    }
}

fn ratio(at_hand: &Simulated, fresh: &Simulated, (level, strict): (f64, f64)) -> Option<f64> {
    let (at_hand, fresh) = (at_hand.intervals(level)?, fresh.intervals(strict)?);
    let mut ratios: Vec<f64> = Vec::with_capacity(2 * at_hand.len() * fresh.len());
    for (one, (_, half_width)) in at_hand.iter().enumerate() {
        let others = fresh.iter().enumerate().filter(|(other, _)| *other != one);
        ratios.extend(others.flat_map(|(_, (reach, _))| reach.map(|reach| reach / half_width)));
    }
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let at = ((ratios.len().saturating_sub(1)) as f64 * POWER) as usize;
    (!ratios.is_empty()).then(|| *ratios.select_nth_unstable_by(at, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(at_hand: usize, fresh: usize, strict: f64) -> Option<f64> {
        Experiments { at_hand, fresh, level: 0.95, strict }.half_widths()
    }

    /// Would catch a change that is promised of few blocks as if their scatter were known, and one that no p shows: with
    /// a known scatter it is (1.96 + 1.28)/1.96 = 1.65 half-widths.
    #[test]
    fn few_blocks_ask_for_more() {
        let all: Vec<f64> =
            [10, 15, 20, 30, 60].into_iter().filter_map(|n| of(n, n, 0.95)).collect();
        assert!(all.windows(2).all(|pair| pair[0] > pair[1]), "{all:?}");
        assert!((2.3..3.0).contains(&all[0]) && (1.65..1.85).contains(&all[4]), "{all:?}");
        assert_eq!(of(10, 10, 1.0 - 0.05 / 40.0), None, "ten blocks have no p as small");
        assert!(of(10, 11, 1.0 - 0.05 / 40.0).is_some());
        let (far, near) = (of(60, 6000, 0.95).unwrap(), of(60, 60, 0.95).unwrap());
        assert!((near / far - 10.0).abs() < 1e-9, "{near} {far}");
    }

    /// Would catch a gap that a shift has to cross and that a half-width does not see.
    #[test]
    fn modes_ask_for_more_than_their_scatter() {
        let modes: Vec<f64> = (0..60)
            .map(|at| [-0.18, 0.0, 0.0, 0.0, 0.18][at % 5] + 1e-4 * at as f64)
            .map(|value| value - 0.003)
            .collect();
        let mut modes = modes;
        modes.sort_by(f64::total_cmp);
        let of = |strict| Experiments { at_hand: 60, fresh: 60, level: 0.95, strict }.shift(&modes);
        let (alone, among) = (of(0.95).unwrap(), of(1.0 - 0.05 / 15.0).unwrap());
        assert!(alone < among && among > 0.003, "{alone} {among}");
        assert_eq!(
            Experiments { at_hand: 60, fresh: 5, level: 0.95, strict: 0.95 }.shift(&modes),
            None
        );
    }
}
