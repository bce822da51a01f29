//! Pairs: what two samples have in the same blocks, and in the same turns of them; of sides that were built several times
//! build by build.

use std::borrow::Cow;
use std::sync::Arc;

use super::nodes::{NodePart, by_node};
use super::{Sample, median_in};
use crate::model::Nodes;

/// The blocks two samples have in common.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pairs {
    /// The base's readings in common blocks, and in common turns of them.
    pub base: Vec<f64>,
    /// The candidate's readings of the same.
    pub candidate: Vec<f64>,
    /// Where each common block ends among them.
    pub ends: Vec<usize>,
    /// The number of each common block.
    pub numbers: Vec<u32>,
    /// The machines that blocks were executed on, where these are several.
    pub nodes: Option<Arc<Nodes>>,
    /// Blocks in which only one of the two has a value.
    pub dropped: usize,
    /// The pairs of each build of both sides, by their numbers, in the same places; none where a side is one.
    pub builds: Vec<Pairs>,
}

impl Pairs {
    /// Common blocks.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.ends.len()
    }

    /// The common blocks of each node, by their places among all; none where there are no nodes.
    #[must_use]
    pub(crate) fn by_node(&self) -> Vec<NodePart> {
        by_node(self.nodes.as_deref(), &self.numbers)
    }

    /// Base and candidate, one value each per common block: the median over its turns.
    pub(crate) fn by_block(&self) -> (Cow<'_, [f64]>, Cow<'_, [f64]>) {
        match self.ends.len() == self.base.len() {
            true => (Cow::Borrowed(&self.base), Cow::Borrowed(&self.candidate)),
            false => (
                Cow::Owned(self.within_blocks(|base, _| base)),
                Cow::Owned(self.within_blocks(|_, candidate| candidate)),
            ),
        }
    }

    /// How many values a block has to compare: one, or one of each build.
    #[must_use]
    pub(crate) fn each(&self) -> usize {
        self.builds.len().max(1)
    }

    /// As [`Pairs::within_blocks`], of each build: block by block, in each by the builds' numbers.
    #[must_use]
    pub fn within_builds(&self, between: impl Fn(f64, f64) -> f64 + Copy) -> Vec<f64> {
        if self.builds.is_empty() {
            return self.within_blocks(between);
        }
        let of: Vec<Vec<f64>> =
            self.builds.iter().map(|pairs| pairs.within_blocks(between)).collect();
        (0..self.blocks()).flat_map(|block| of.iter().map(move |of| of[block])).collect()
    }

    /// Every pair there is: of each build, or these.
    pub(crate) fn readings(&self) -> impl Iterator<Item = &Pairs> {
        let own = self.builds.is_empty().then_some(self);
        own.into_iter().chain(&self.builds)
    }

    /// One value per common block: the median over its turns of what `between` says of base and
    /// candidate.
    #[must_use]
    pub fn within_blocks(&self, between: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let mut from = 0;
        let mut within = Vec::new();
        let block = |end: &usize| {
            let readings = std::mem::replace(&mut from, *end)..*end;
            let both = self.base[readings.clone()].iter().zip(&self.candidate[readings]);
            within.clear();
            within.extend(both.map(|(base, candidate)| between(*base, *candidate)));
            median_in(&mut within)
        };
        self.ends.iter().filter_map(block).collect()
    }
}

/// Pairs two samples of one run set by block, and by turn where both have turns, O(n). `None` if
/// they share no block: then they are independent (executed one after the other, or without
/// blocks).
#[must_use]
pub fn pairs(base: &Sample, candidate: &Sample) -> Option<Pairs> {
    let pairs = own_pairs(base, candidate)?;
    let has_same = base.builds.len() == candidate.builds.len();
    let each = base.builds.iter().zip(&candidate.builds).filter(|_| has_same);
    let builds: Vec<Pairs> = each.filter_map(|(a, b)| own_pairs(a, b)).collect();
    Some(Pairs { builds, nodes: base.nodes.clone(), ..pairs })
}

/// The pairs of what stands in two samples themselves.
fn own_pairs(base: &Sample, candidate: &Sample) -> Option<Pairs> {
    let common = match (&base.turns, &candidate.turns) {
        (Some(base), Some(candidate)) => {
            common((&base.places, &base.values), (&candidate.places, &candidate.values), |place| {
                place.0
            })
        }
        _ => {
            common((&base.blocks, &base.values), (&candidate.blocks, &candidate.values), |block| {
                block
            })
        }
    };
    let blocks = common.blocks();
    let dropped = base.blocks.len() + candidate.blocks.len() - 2 * blocks;
    (blocks > 0).then_some(Pairs { dropped, ..common })
}

/// The readings at common places; `block` says which block a place is in.
fn common<P: Copy + Ord>(
    base: (&[P], &[f64]),
    candidate: (&[P], &[f64]),
    block: impl Fn(P) -> u32,
) -> Pairs {
    let most = base.0.len().min(candidate.0.len());
    let room = || Vec::with_capacity(most);
    let mut pairs = Pairs { base: room(), candidate: room(), ..Pairs::default() };
    let mut last = None;
    let (mut i, mut j) = (0, 0);
    while i < base.0.len() && j < candidate.0.len() {
        match base.0[i].cmp(&candidate.0[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                let here = Some(block(base.0[i]));
                if last != here {
                    pairs.ends.extend(last.map(|_| pairs.base.len()));
                    pairs.numbers.extend(here);
                }
                last = here;
                pairs.base.push(base.1[i]);
                pairs.candidate.push(candidate.1[j]);
                i += 1;
                j += 1;
            }
        }
    }
    if last.is_some() {
        pairs.ends.push(pairs.base.len());
    }
    pairs
}
