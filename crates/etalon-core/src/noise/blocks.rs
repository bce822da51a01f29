//! Two of the same in the blocks of one run.

use std::sync::Arc;

use super::{Alarms, BLOCKS, judged, middle};
use crate::compare::{Contrast, Origin, Scales};
use crate::criteria::Criteria;
use crate::estimate::Estimate;
use crate::model::Metric;
use crate::random::Random;
use crate::sample::{Pairs, Sample, pairs};
use crate::stats::{self, NotFinite, Sorted};
use crate::verdict::{Assessment, Verdict};

/// How often the orders within blocks are drawn anew. Because: a share of 5 % is then known to 0.7 points.
pub const ORDERS: usize = 1000;

/// The interquartile range of normal values in standard deviations.
const ROBUST: f64 = 1.349;

/// Comparisons of two of the same, executed in the same blocks.
///
/// Within a block the order is random, and what is the same has no names: with other random numbers each reading could
/// have been the other's. Every one of [`ORDERS`] drawings gives each block one of its two orders, and is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct InBlocks {
    /// How many blocks.
    pub blocks: usize,
    /// The robust standard deviation of the log ratios within blocks, divided by √2: the share by which one reading
    /// scatters beside its neighbour.
    pub scatter: f64,
    /// How many of the drawings are called a difference.
    pub alarms: Alarms,
    /// The smallest visible change with [`BLOCKS`] of them: the middle one of the drawings.
    pub visible: [Option<f64>; BLOCKS.len()],
    /// The one of the two over the other, as they were executed.
    pub ratio: Option<Estimate>,
    /// The verdict on that.
    pub verdict: Verdict,
}

impl InBlocks {
    /// The comparison of two in blocks; absent without common blocks, and where a value is not above 0.
    #[must_use]
    pub fn from_twins(
        metric: &Metric,
        (one, other): (&Sample, &Sample),
        criteria: &Criteria,
        seed: u64,
    ) -> Option<InBlocks> {
        let pairs = pairs(one, other).filter(|_| one.is_positive() && other.is_positive())?;
        let criteria = criteria.for_unit(metric.unit.base());
        let assess = |base: &Sample, candidate: &Sample| {
            let contrast = Contrast {
                metric,
                base,
                candidate,
                origin: Origin::SameRunSet,
                earlier: &[],
                dependence: None,
                scales: Scales::OfVerdict,
            };
            judged(&contrast, &criteria)
        };
        let executed = assess(one, other)?;
        let random = Random::new(seed);
        let mut alarms = Alarms::default();
        let mut visible: [Vec<f64>; BLOCKS.len()] = Default::default();
        for drawing in 0..ORDERS {
            let (base, candidate) = drawn(&pairs, &mut random.stream(drawing as u64)).ok()?;
            let Some(assessment) = assess(&base, &candidate) else { continue };
            alarms.count(&assessment);
            for (values, blocks) in visible.iter_mut().zip(BLOCKS) {
                values.extend(assessment.visible_at(blocks));
            }
        }
        let logs = Sorted::new(&pairs.within_blocks(|base, other| (other / base).ln())).ok()?;
        let quartiles = stats::quartiles(&logs)?;
        let Assessment { evidence, decision, .. } = executed;
        Some(InBlocks {
            blocks: pairs.blocks(),
            scatter: (quartiles.q3 - quartiles.q1) / ROBUST / std::f64::consts::SQRT_2,
            alarms,
            visible: [0, 1, 2].map(|at| middle(&visible[at])),
            ratio: evidence.shown().ratio,
            verdict: decision.verdict,
        })
    }
}

/// The two, in each block the one or the other way round.
fn drawn(pairs: &Pairs, random: &mut Random) -> Result<(Sample, Sample), NotFinite> {
    let Pairs { base, candidate, ends, .. } = pairs;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let mut places = Vec::new();
    let mut from = 0;
    for (block, end) in (0_u32..).zip(ends) {
        let swap = random.below(2) == 1;
        let (one, other) = if swap { (candidate, base) } else { (base, candidate) };
        left.extend_from_slice(&one[from..*end]);
        right.extend_from_slice(&other[from..*end]);
        places.extend((0_u32..).take(*end - from).map(|turn| (block, turn)));
        from = *end;
    }
    let places: Arc<[(u32, u32)]> = places.into();
    if places.len() == ends.len() {
        let blocks: Arc<[u32]> = places.iter().map(|(block, _)| *block).collect();
        let left = Sample::new(left, Arc::clone(&blocks))?;
        return Ok((left, Sample::new(right, blocks)?));
    }
    let left = Sample::in_turns(left, Arc::clone(&places))?;
    Ok((left, Sample::in_turns(right, places)?))
}
