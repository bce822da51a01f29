//! The warm-ups that a page carries beside its observations: they are drawn over time, and stand in nothing else.
//!
//! Owns which they are: times of one run set, as many as have room.

use etalon_core::dataset::{Dataset, Group, WarmupBatch};
use etalon_core::metrics;
use serde::Serialize;

use super::column::column;
use super::columns::Columns;

/// More warm-ups than this are left out. Because: of more, a plot that is a thousand pixels wide shows no single one.
const MOST: usize = 20_000;

/// When warm-ups were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum When {
    /// Executions before all others.
    First,
    /// Calls at the beginning of each block, which is a process.
    Blocks,
}

/// Where a page has its warm-ups: columns, in the order of blocks.
#[derive(Debug, Serialize)]
pub(super) struct Warmups {
    count: usize,
    when: When,
    /// The metric that they are readings of.
    metric: usize,
    benchmark: usize,
    block: usize,
    value: usize,
}

impl Warmups {
    /// Adds columns of them; absent where there are none, or too many, or where they have no common order.
    pub(super) fn new(data: &Dataset, groups: &[Group], made: &mut Columns) -> Option<Warmups> {
        let metric = made.metrics.iter().position(|(metric, _)| metric.name == metrics::WALL)?;
        let is_case = |group: &Group| group.benchmark.case.is_some();
        let cases = groups.iter().filter(|group| is_case(group)).count();
        let when = match cases {
            0 => When::First,
            all if all == groups.len() => When::Blocks,
            _ => return None,
        };
        let of_group = |(at, group): (usize, &Group)| -> Vec<(usize, WarmupBatch)> {
            let batches = group.tally(data).map_or(&[][..], |tally| &tally.warmups);
            batches.iter().map(|it| (at, *it)).collect()
        };
        let mut all: Vec<(usize, WarmupBatch)> =
            groups.iter().enumerate().flat_map(of_group).collect();
        if data.run_sets.len() != 1 || all.is_empty() || all.len() > MOST {
            return None;
        }
        all.sort_by_key(|(_, batch)| batch.block);
        let mut add = |of: &dyn Fn(&(usize, WarmupBatch)) -> f64| {
            let values: Vec<Option<f64>> = all.iter().map(|it| Some(of(it))).collect();
            made.columns.push(column(&values));
            made.columns.len() - 1
        };
        #[allow(clippy::cast_precision_loss, reason = "indices")]
        let warmups = Warmups {
            count: all.len(),
            when,
            metric,
            benchmark: add(&|(at, _)| *at as f64),
            block: add(&|(_, batch)| f64::from(batch.block)),
            value: add(&|(_, batch)| batch.per_call()),
        };
        Some(warmups)
    }
}
