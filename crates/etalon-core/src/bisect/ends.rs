//! Whether the ends of a range differ: they are measured alone first, with second builds.

use super::change::{Change, Control, LEVEL, p_of};
use super::disturbed::Scale;
use crate::stats::{Looks, SignedBlocks, normal_quantile};

/// Blocks at the first look.
const FIRST_LOOK: u32 = 15;
/// The power that a change is called visible with.
const POWER: f64 = 0.9;

/// The ends, as they were measured alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Ends {
    /// How many blocks.
    pub blocks: usize,
    /// The bad end over the good one.
    pub change: Change,
    /// The p of no change, and what the last look could call significant.
    pub p: f64,
    /// See [`Ends::p`].
    pub alpha: f64,
    /// The smallest change that so many blocks show with a power of 0.9, as a logarithm.
    pub visible: f64,
    /// Each end against its own second build; empty without second builds.
    pub controls: Vec<Control>,
    /// The scatter of the logarithm of an execution that was not disturbed.
    pub scatter: Option<f64>,
}

/// A block of the ends: the builds of the good one, and of the bad one.
pub(super) type EndsBlock = [Vec<f64>; 2];

impl Ends {
    /// After these blocks, of which so many are the most there will be. `None` where nobody looks yet.
    pub(super) fn new(
        blocks: &[EndsBlock],
        last: usize,
        (most, alpha): (u32, f64),
        looks: &mut Looks,
    ) -> Option<Ends> {
        let number = u32::try_from(blocks.len()).unwrap_or(u32::MAX);
        if number == 0 || !looks_after(number, most) {
            return None;
        }
        looks.take(number);
        let alpha = if most <= FIRST_LOOK { alpha } else { looks.level(alpha) };
        let each = blocks[0][0].len().max(1);
        let pairs = blocks.iter().flat_map(|[good, bad]| bad.iter().zip(good));
        let differences: Vec<f64> = pairs.map(|(bad, good)| bad - good).collect();
        let shift = SignedBlocks::new(&differences, each).ok()?.shift(LEVEL)?;
        let (lo, hi) = shift.interval.map_or((shift.estimate, shift.estimate), |it| (it.lo, it.hi));
        let of_one: Vec<f64> = blocks.iter().map(|[good, bad]| bad[0] - good[0]).collect();
        let scale = Scale::from_ends(&of_one);
        let error = (hi - lo) / 2.0 / normal_quantile(f64::midpoint(1.0, LEVEL));
        let reach = normal_quantile(1.0 - alpha / 2.0) + normal_quantile(POWER);
        let twins = |end: usize| -> Vec<f64> {
            blocks.iter().filter_map(|block| Some(block[end].get(1)? - block[end][0])).collect()
        };
        let controls = [(0, 0), (1, last)];
        let controls =
            controls.iter().filter_map(|(at, commit)| Control::new(*commit, &twins(*at)));
        Some(Ends {
            blocks: blocks.len(),
            change: Change { estimate: shift.estimate, lo, hi },
            p: p_of(&differences, each),
            alpha,
            visible: error * reach,
            controls: controls.collect(),
            scatter: scale.map(|scale| scale.scatter),
        })
    }

    /// Whether they differ.
    #[must_use]
    pub fn differ(&self) -> bool {
        self.p <= self.alpha
    }

    /// The control that moves by half of the change, if one does: the layout of a build may be all of it.
    #[must_use]
    pub fn undermined(&self) -> Option<&Control> {
        self.controls.iter().find(|control| control.explains(self.change.estimate))
    }

    /// The scatter of an execution over the change; 0 where it is not known, as where nothing scatters.
    #[must_use]
    pub fn noise_to_change(&self) -> f64 {
        self.scatter.unwrap_or(0.0) / self.change.estimate.abs().max(f64::MIN_POSITIVE)
    }
}

/// Whether somebody looks after so many blocks: from the first look on each look has half as many blocks again.
fn looks_after(blocks: u32, most: u32) -> bool {
    let mut at = f64::from(FIRST_LOOK.min(most));
    while at.round() < f64::from(blocks) {
        at *= 1.5;
    }
    blocks >= most || (at.round() - f64::from(blocks)).abs() < 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_few_and_the_last_is_at_the_end() {
        let looks = |most| (1..=most).filter(|at| looks_after(*at, most)).collect::<Vec<u32>>();
        assert_eq!(looks(60), [15, 23, 34, 51, 60]);
        assert_eq!(looks(10), [10]);
        assert_eq!(looks(15), [15]);
    }

    /// Would catch a control that is not looked at, and one that is taken for a change.
    #[test]
    fn a_build_that_moves_by_half_of_the_change_undermines_it() {
        let wave = |at: usize, by: usize| (at * by % 11) as f64 / 1000.0;
        let blocks = |layout: f64| -> Vec<EndsBlock> {
            let block = |at: usize| {
                let bad = 0.03 + wave(at, 5);
                [vec![wave(at, 3), wave(at, 7)], vec![bad, bad + layout + wave(at, 2) / 10.0]]
            };
            (0..15).map(block).collect()
        };
        let of = |layout| {
            Ends::new(&blocks(layout), 9, (60, 0.05), &mut Looks::default()).expect("a look")
        };
        assert!(of(0.0).differ() && of(0.0).undermined().is_none());
        let moved = of(0.03);
        assert_eq!(moved.undermined().map(|it| it.commit), Some(9));
        assert!(Ends::new(&blocks(0.0)[..14], 9, (60, 0.05), &mut Looks::default()).is_none());
    }
}
