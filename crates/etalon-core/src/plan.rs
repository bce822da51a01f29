//! The plan: what an experiment was asked to do, and in which order that happens.
//!
//! Pure and seeded: the same plan gives the same schedule on every machine, so a record that holds
//! the plan holds the order. Executing a schedule is `etalon-run`'s business; deciding from what
//! came out of it is [`crate::compare`]'s.
//!
//! A schedule is a list of *stages*; the subjects of a stage are executed in blocks, each block
//! holding every subject of the stage once. Order `blocks` is one stage with all subjects, order
//! `sequential` one stage per subject, so there is one loop for both, and data pair exactly when
//! they share a block.

use crate::random::Random;

/// In which order compared subjects are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Randomised blocks: each block holds every subject once, in an order of its own.
    Blocks,
    /// All executions of one subject, then all of the next.
    Sequential,
}

/// When enough has been measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stopping {
    /// After this many blocks.
    Runs(u32),
    /// When every interval's half-width is at most `target` of its median, looked at after the
    /// blocks that [`look_at`] names, or when the time is spent.
    Precision {
        /// Half-width over median.
        target: f64,
        /// Seconds per subject; a stage may take as many times that as it has subjects.
        budget: f64,
    },
}

/// What an experiment was asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Executions of every subject before the measured ones.
    pub warmup: u32,
    /// The order of execution.
    pub order: Order,
    /// When to stop.
    pub stopping: Stopping,
    /// The seed all random choices come from.
    pub seed: u64,
}

/// How large a difference has to be to matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Margin {
    /// A share of the base: 0.01 is one percent.
    Relative(f64),
    /// An absolute amount in base units.
    Absolute(f64),
}

/// How p-values of one family are adjusted, where the user chose.
pub use crate::stats::Correction;

/// What the analysis was asked for. Stored with the data, so that a later report says the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The metric that is ranked.
    pub metric: String,
    /// The benchmark all others are compared with; without one, all pairs are compared.
    pub reference: Option<String>,
    /// The largest difference that still counts as the same.
    pub margin: Margin,
    /// A difference must lie wholly beyond this share to be called one.
    pub at_least: Option<f64>,
    /// Significance level.
    pub alpha: f64,
    /// Level of every interval, 0..1.
    pub confidence: f64,
    /// Correction within a family; the family's own default if absent.
    pub correction: Option<Correction>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            metric: "cpu".to_owned(),
            reference: None,
            margin: Margin::Relative(0.01),
            at_least: None,
            alpha: 0.05,
            confidence: 0.95,
            correction: None,
        }
    }
}

/// Subjects executed together, by index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// Indices of the subjects each block holds once.
    pub subjects: Vec<usize>,
}

impl Plan {
    /// The stages of this plan for `subjects` subjects.
    #[must_use]
    pub fn stages(&self, subjects: usize) -> Vec<Stage> {
        match self.order {
            Order::Blocks => vec![Stage { subjects: (0..subjects).collect() }],
            Order::Sequential => (0..subjects).map(|s| Stage { subjects: vec![s] }).collect(),
        }
    }

    /// The order within one block: a random permutation that depends on the seed and the block's
    /// number only, so any block can be had without the ones before it. Warm-up blocks use numbers
    /// of their own (`Phase::Warmup` has its own stream).
    #[must_use]
    pub fn block(&self, stage: &Stage, stream: Stream, number: u32) -> Vec<usize> {
        let mut order = stage.subjects.clone();
        Random::new(self.seed).stream(stream as u64).stream(u64::from(number)).shuffle(&mut order);
        order
    }
}

/// Independent streams of random numbers drawn from one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Orders of warm-up blocks.
    Warmup = 1,
    /// Orders of measured blocks.
    Measured = 2,
}

/// The number of blocks after which the precision is looked at for the `look`-th time (from 0):
/// 10, 15, 23, 34, 51…, each half as many again. Few looks, so that looking costs nothing.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // rounded and clamped above 0
pub fn look_at(look: u32) -> u32 {
    let exact = 10.0 * 1.5_f64.powi(look.min(40).cast_signed());
    exact.round().min(1e8) as u32
}

/// The fewest blocks a comparison is based on when the number is left to etalon.
pub const FEWEST_BLOCKS: u32 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(order: Order) -> Plan {
        Plan { warmup: 0, order, stopping: Stopping::Runs(10), seed: 42 }
    }

    #[test]
    fn looks_are_the_documented_ones() {
        let looks: Vec<u32> = (0..6).map(look_at).collect();
        assert_eq!(looks, [10, 15, 23, 34, 51, 76]);
        assert!(look_at(u32::MAX) > look_at(30));
    }

    #[test]
    fn every_block_holds_every_subject_once_and_any_block_can_be_had_alone() {
        let plan = plan(Order::Blocks);
        let stage = &plan.stages(5)[0];
        for number in 0..200 {
            let mut order = plan.block(stage, Stream::Measured, number);
            assert_eq!(order, plan.block(stage, Stream::Measured, number));
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn positions_are_balanced() {
        // Would catch a shuffle that favours a position: 4 sigma of a binomial(3000, 1/3).
        let plan = plan(Order::Blocks);
        let stage = &plan.stages(3)[0];
        let mut first = [0_i32; 3];
        for number in 0..3000 {
            first[plan.block(stage, Stream::Measured, number)[0]] += 1;
        }
        assert!(first.iter().all(|n| (n - 1000).abs() < 104), "{first:?}");
    }

    #[test]
    fn streams_and_seeds_differ() {
        let plan = plan(Order::Blocks);
        let stage = &plan.stages(8)[0];
        let orders = |p: &Plan, stream| -> Vec<Vec<usize>> {
            (0..4).map(|n| p.block(stage, stream, n)).collect()
        };
        let measured = orders(&plan, Stream::Measured);
        assert_ne!(measured, orders(&plan, Stream::Warmup));
        assert_ne!(measured, orders(&Plan { seed: 43, ..plan.clone() }, Stream::Measured));
    }

    #[test]
    fn sequential_is_one_stage_per_subject() {
        let stages = plan(Order::Sequential).stages(3);
        assert_eq!(stages.iter().map(|s| s.subjects.clone()).collect::<Vec<_>>(), [[0], [1], [2]]);
    }
}
