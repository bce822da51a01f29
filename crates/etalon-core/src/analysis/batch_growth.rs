//! Calls that take longer the more calls were made since the last collection.
//!
//! Owns what is seen of that in the calls between a collection and a sample, which are an eighth of those of the
//! sample. Refuses to correct a time for it: how many calls a program makes between two collections is not known.

use super::subject::Subject;
use crate::dataset::Dataset;
use crate::metrics;
use crate::notes::Growth;
use crate::stats::{self, Sorted};

/// A call of a sample takes at least so many times what one takes right after a collection, whose caches are cold.
const GROWS: f64 = 1.25;

/// In so many of the blocks. Because: a sample is eight times as long as the calls before it, so where programs share a CPU
/// it is interrupted in about half of them, and they are not.
const NEARLY_ALL: f64 = 0.9;

/// The calls of one sample.
struct Pair {
    block: u32,
    calls: u64,
    first: f64,
    call: f64,
}

/// Whether times grow in [nearly all](NEARLY_ALL) blocks. O(n log n) in the readings.
#[allow(clippy::cast_precision_loss)] // numbers of blocks
pub(super) fn growth(subject: &Subject<'_>, data: &Dataset) -> Option<Growth> {
    let pairs = pairs(subject, data)?;
    let ratio = |pair: &Pair| pair.call / pair.first;
    let of_block: Vec<f64> = pairs
        .chunk_by(|a, b| a.block == b.block)
        .filter_map(|block| median(block.iter().map(ratio)))
        .collect();
    let growing = of_block.iter().filter(|ratio| **ratio > GROWS).count();
    let mut calls: Vec<u64> = pairs.iter().map(|pair| pair.calls).collect();
    calls.sort_unstable();
    let calls = *calls.get(calls.len().saturating_sub(1) / 2)?;
    let growth = Growth {
        first_calls: metrics::rewarming(calls),
        first: median(pairs.iter().map(|pair| pair.first))?,
        calls,
        call: median(pairs.iter().map(|pair| pair.call))?,
    };
    (growing as f64 >= NEARLY_ALL * of_block.len() as f64).then_some(growth)
}

/// Every sample with the calls before it.
#[allow(clippy::cast_precision_loss)] // a count of calls
fn pairs(subject: &Subject<'_>, data: &Dataset) -> Option<Vec<Pair>> {
    let [wall, rewarm] = subject.columns([metrics::WALL, metrics::REWARM])?;
    let mut walls = wall.rows.iter().zip(&wall.values).peekable();
    let mut pairs = Vec::new();
    for (row, spent) in rewarm.rows.iter().zip(&rewarm.values) {
        while walls.next_if(|(other, _)| *other < row).is_some() {}
        let Some((_, &call)) = walls.next_if(|(other, _)| *other == row) else { continue };
        let row = *row as usize;
        let calls = data.rows.iterations(row).and_then(|n| u64::try_from(n).ok());
        let (Some(calls), Some(place)) = (calls, data.rows.place(row)) else { continue };
        let first = spent / metrics::rewarming(calls) as f64;
        if first > 0.0 {
            pairs.push(Pair { block: place.block, calls, first, call });
        }
    }
    Some(pairs)
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    stats::median(&Sorted::new(&values).ok()?)
}
