//! Deviations that benchmarks have in common in the blocks that they were measured in.
//!
//! Owns how far benchmarks are from what is usual for them in a block. Refuses to say that they vary for it:
//! `crate::variation` tests that.

use rustc_hash::FxHashMap;

use super::ranking;
use super::subject::Subject;
use crate::dataset::{Column, RunOf};
use crate::plan::{Order, Settings};
use crate::stats::{self, Sorted};

/// A block of a run.
type Block = (RunOf, u32);

/// How far benchmarks that are executed together are from what is usual for each: sums by block.
#[derive(Debug, Default)]
pub(super) struct Together {
    /// Of each benchmark, which sums are its.
    scopes: Vec<usize>,
    sums: FxHashMap<(usize, Block), (f64, u32)>,
}

impl Together {
    /// Of all benchmarks that took turns, by the `readings` of each.
    pub(super) fn new<'d>(
        subjects: &[Subject<'d>],
        settings: &Settings,
        readings: impl Fn(&Subject<'d>) -> Option<Column>,
    ) -> Together {
        let mut together =
            Together { scopes: vec![usize::MAX; subjects.len()], ..Together::default() };
        for (scope, scoped) in ranking::scopes(subjects, settings).into_iter().enumerate() {
            let members: Vec<usize> =
                scoped.members.into_iter().filter(|at| took_turns(&subjects[*at])).collect();
            if members.len() < 2 {
                continue;
            }
            for member in members {
                together.scopes[member] = scope;
                let Some(readings) = readings(&subjects[member]) else { continue };
                for (block, deviation) in deviations(&subjects[member], &readings) {
                    let (sum, count) = together.sums.entry((scope, block)).or_default();
                    *sum += deviation;
                    *count += 1;
                }
            }
        }
        together
    }

    /// Of each reading of a benchmark, the mean of the others in its block; absent where more than one in ten has none.
    pub(super) fn others(
        &self,
        at: usize,
        subject: &Subject<'_>,
        readings: &Column,
    ) -> Option<Vec<f64>> {
        let scope = *self.scopes.get(at)?;
        let own = deviations(subject, readings);
        let of_block = |block: Block| {
            let (sum, count) = self.sums.get(&(scope, block))?;
            let others = count - u32::from(own.contains_key(&block));
            let of_others = sum - own.get(&block).copied().unwrap_or(0.0);
            (others > 0).then(|| of_others / f64::from(others))
        };
        let found: Vec<Option<f64>> =
            blocks(subject, readings).map(|block| of_block(block?)).collect();
        let have_others = found.iter().flatten().count();
        // Without others in its block, as at the end of a run that was stopped, a reading says nothing for or against
        // it.
        (have_others * 10 >= found.len() * 9)
            .then(|| found.into_iter().map(Option::unwrap_or_default).collect())
    }
}

fn took_turns(subject: &Subject<'_>) -> bool {
    let plan = subject.data.run_sets[subject.run_set.at()].plan.as_ref();
    plan.is_none_or(|plan| plan.order != Order::Sequential)
}

/// The block of each reading.
fn blocks<'s>(
    subject: &'s Subject<'_>,
    readings: &'s Column,
) -> impl Iterator<Item = Option<Block>> + 's {
    let data = subject.data;
    let block = |row: usize| Some((data.run_of(row), data.rows.place(row)?.block));
    readings.rows.iter().map(move |row| block(*row as usize))
}

/// The logarithm of the mean of each block, less the median of these; none of what can be 0.
fn deviations(subject: &Subject<'_>, readings: &Column) -> FxHashMap<Block, f64> {
    let mut means: FxHashMap<Block, (f64, f64)> = FxHashMap::default();
    for (block, value) in blocks(subject, readings).zip(&readings.values) {
        let (Some(block), true) = (block, *value > 0.0) else { return FxHashMap::default() };
        let (sum, count) = means.entry(block).or_default();
        *sum += value;
        *count += 1.0;
    }
    let logs: FxHashMap<Block, f64> =
        means.into_iter().map(|(block, (sum, count))| (block, (sum / count).ln())).collect();
    let middle =
        Sorted::from_vec(logs.values().copied().collect()).ok().and_then(|all| stats::median(&all));
    let middle = middle.unwrap_or(0.0);
    logs.into_iter().map(|(block, log)| (block, log - middle)).collect()
}
