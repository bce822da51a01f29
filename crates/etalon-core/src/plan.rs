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

use crate::criteria::Criteria;
use crate::metrics;
use crate::random::Random;
use crate::scope::By;
use crate::stats::BLOCKS_A_NODE;

/// In which order compared subjects are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Randomised blocks: each block holds every subject once, in an order of its own.
    Blocks,
    /// Blocks in the order declared and in its reverse, interleaved: A B, B A, A B…
    Abba,
    /// All executions of one subject, then all of the next.
    Sequential,
}

/// When enough has been measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stopping {
    /// After this many blocks.
    Runs(u32),
    /// When every interval's half-width is at most `target` of its median, looked at after 10, 15, 23, 34, 51…
    /// blocks, or when the time is spent.
    Precision {
        /// Half-width over median.
        target: f64,
        /// Seconds per subject; a stage may take as many times that as it has subjects.
        budget: f64,
    },
    /// When every comparison has a verdict, looked at after 10, 12, 14, 17, 21… blocks with a share of alpha
    /// each ([`crate::stats::Looks`]), or when the time is spent.
    Decided {
        /// Seconds per subject.
        budget: f64,
    },
}

/// How few and how many blocks may be measured where a [`Stopping`] rule decides: it holds from the
/// fewest on, and at the most measuring ends whether it holds or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BlockLimits {
    /// The fewest blocks, also where they take longer than the budget.
    pub min: Option<u32>,
    /// The most blocks.
    pub max: Option<u32>,
    /// The time in s for all stages together, after which none is begun of a fixed number of blocks.
    pub within: Option<u32>,
}

/// The plan of an experiment.
///
/// ```
/// use etalon_core::plan::{Order, Plan, Stopping, Stream};
///
/// let plan = Plan::new(Order::Abba, Stopping::Runs(10), 7);
/// let stage = &plan.stages(2)[0];
/// assert_eq!(plan.block(stage, Stream::Measured, 0), [0, 1]);
/// assert_eq!(plan.block(stage, Stream::Measured, 1), [1, 0]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Executions of every subject before the measured ones.
    pub warmup: u32,
    /// The order of execution.
    pub order: Order,
    /// When to stop.
    pub stopping: Stopping,
    /// Between which numbers of blocks that rule decides.
    pub limits: BlockLimits,
    /// The seed all random choices come from.
    pub seed: u64,
    /// Where the size of the environment is part of what is randomised: every block's is larger by
    /// a random number of bytes below this.
    pub padding: Option<u32>,
}

/// Settings of the analysis. Stored with the data, so that a later report says the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The metric that is ranked.
    pub metric: String,
    /// The benchmark all others are compared with; without one, all pairs are compared.
    pub reference: Option<String>,
    /// Which parameters of cases are jobs: cases are compared within the same job.
    pub by: By,
    /// The criteria of its verdicts.
    pub criteria: Criteria,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            metric: metrics::WALL.to_owned(),
            reference: None,
            by: By::default(),
            criteria: Criteria::default(),
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
    /// A plan without warm-up, of as many blocks as it takes.
    #[must_use]
    pub fn new(order: Order, stopping: Stopping, seed: u64) -> Plan {
        let limits = BlockLimits::default();
        Plan { warmup: 0, order, stopping, limits, seed, padding: None }
    }

    /// The stages of this plan for `subjects` subjects.
    #[must_use]
    pub fn stages(&self, subjects: usize) -> Vec<Stage> {
        match self.order {
            Order::Blocks | Order::Abba => vec![Stage { subjects: (0..subjects).collect() }],
            Order::Sequential => (0..subjects).map(|s| Stage { subjects: vec![s] }).collect(),
        }
    }

    /// The order within one block. It depends on the seed and the block's number only, so any
    /// block can be had without the ones before it: a random permutation, or with [`Order::Abba`]
    /// the stage's own order in even blocks and its reverse in odd ones. Warm-up blocks use
    /// numbers of their own (`Phase::Warmup` has its own stream).
    #[must_use]
    pub fn block(&self, stage: &Stage, stream: Stream, number: u32) -> Vec<usize> {
        let mut order = stage.subjects.clone();
        match self.order {
            Order::Abba if number % 2 == 1 => order.reverse(),
            Order::Abba => {}
            Order::Blocks | Order::Sequential => {
                self.random(stream, number).shuffle(&mut order);
            }
        }
        order
    }

    /// Bytes by which the environment of a block is larger, if that is randomised. All executions
    /// of a block have the same: where a program's stack begins is then not what differs between
    /// its subjects, and over the blocks it is averaged instead of fixed by accident (Mytkowicz,
    /// Diwan, Hauswirth & Sweeney, "Producing Wrong Data Without Doing Anything Obviously Wrong!",
    /// ASPLOS 2009).
    #[must_use]
    pub fn padding(&self, stream: Stream, number: u32) -> Option<u32> {
        let most = usize::try_from(self.padding?).ok()?;
        let stream = match stream {
            Stream::Warmup => Stream::WarmupPadding,
            _ => Stream::Padding,
        };
        u32::try_from(self.random(stream, number).below(most)).ok()
    }

    /// The order within one turn of a block, of who is there: a random permutation, or with
    /// [`Order::Abba`] theirs in even turns and its reverse in odd ones, in odd blocks the other way round.
    #[must_use]
    pub fn turn(&self, present: &[usize], block: u32, turn: u32) -> Vec<usize> {
        let mut order = present.to_vec();
        order.sort_unstable(); // in whatever order they are kept
        match self.order {
            Order::Abba if block % 2 != turn % 2 => order.reverse(),
            Order::Abba => {}
            Order::Blocks | Order::Sequential => {
                self.random(Stream::Turns, block).stream(u64::from(turn)).shuffle(&mut order);
            }
        }
        order
    }

    fn random(&self, stream: Stream, number: u32) -> Random {
        Random::new(self.seed).stream(stream as u64).stream(u64::from(number))
    }
}

/// The environment's largest random growth, exclusive: a page, within which every alignment of
/// the stack that a program can notice occurs.
pub const PADDING: u32 = 4096;

/// Independent streams of random numbers drawn from one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Orders of warm-up blocks.
    Warmup = 1,
    /// Orders of measured blocks.
    Measured = 2,
    /// Sizes of measured blocks' environments.
    Padding = 3,
    /// Sizes of warm-up blocks' environments.
    WarmupPadding = 4,
    /// Orders of turns within blocks.
    Turns = 5,
}

impl Stopping {
    /// The fewest blocks with which some of so many comparisons, corrected together, can have a verdict: of looks that
    /// are paid for, at the first of them.
    #[must_use]
    pub fn fewest_blocks(self, comparisons: usize, criteria: &Criteria) -> u32 {
        let criteria = match self {
            Stopping::Runs(_) | Stopping::Precision { .. } => *criteria,
            Stopping::Decided { .. } => criteria.after_looks([FEWEST_BLOCKS].into_iter().collect()),
        };
        criteria.fewest_blocks(comparisons)
    }
}

impl BlockLimits {
    /// The number of blocks after which the stopping rule is looked at first.
    #[must_use]
    pub fn first_look(self) -> u32 {
        FEWEST_BLOCKS.max(self.min.unwrap_or(0)).min(self.max.unwrap_or(u32::MAX))
    }

    /// The limits where so many comparisons are corrected together: with fewer blocks, or fewer at the first look that is
    /// paid for, none of them could have a verdict ([`Stopping::fewest_blocks`]). A number that was asked for stays.
    #[must_use]
    pub fn for_family(
        self,
        stopping: Stopping,
        comparisons: usize,
        criteria: &Criteria,
    ) -> BlockLimits {
        if let Stopping::Runs(_) = stopping {
            return self;
        }
        self.at_least(stopping.fewest_blocks(comparisons, criteria))
    }

    /// The limits where so many nodes take the blocks: with fewer, a node may have too few to count. A number that was
    /// asked for stays.
    #[must_use]
    pub fn for_nodes(self, stopping: Stopping, nodes: usize) -> BlockLimits {
        match stopping {
            Stopping::Precision { .. } | Stopping::Decided { .. } if nodes > 1 => {
                self.at_least(u32::try_from(nodes * BLOCKS_A_NODE).unwrap_or(u32::MAX))
            }
            _ => self,
        }
    }

    fn at_least(self, needed: u32) -> BlockLimits {
        let needed = needed.min(self.max.unwrap_or(u32::MAX));
        let min = if needed > self.first_look() { Some(needed) } else { self.min };
        BlockLimits { min, ..self }
    }
}

impl Plan {
    /// The number of blocks that was asked for, or the most; absent where a [`Stopping`] rule decides without an end.
    #[must_use]
    pub fn most_blocks(&self) -> Option<u32> {
        match self.stopping {
            Stopping::Runs(runs) => Some(runs),
            Stopping::Precision { .. } | Stopping::Decided { .. } => self.limits.max,
        }
    }

    /// The number of blocks at the look that follows one after `blocks`, within the limits. Looks at the precision are
    /// few, so that looking costs nothing: each has half as many blocks again as the one before, from 10 on. Looks at
    /// the verdicts are paid for, whether they are many or few: each has a fifth more, from the first look on.
    #[must_use]
    pub fn look_after(&self, blocks: u32) -> u32 {
        let first = self.limits.first_look();
        if blocks < first {
            return first;
        }
        let (from, growth) = match self.stopping {
            Stopping::Decided { .. } => (first, 1.2_f64),
            Stopping::Runs(_) | Stopping::Precision { .. } => (FEWEST_BLOCKS, 1.5),
        };
        let grown = (0..).map(|look| f64::from(from) * growth.powi(look)).map(whole);
        let next = grown.take(MOST_LOOKS).find(|at| *at > blocks).unwrap_or(u32::MAX);
        next.min(self.limits.max.unwrap_or(u32::MAX))
    }
}

/// The looks of any number of blocks: 1.2 to the 128th power is beyond 2³².
const MOST_LOOKS: usize = 128;

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
fn whole(blocks: f64) -> u32 {
    blocks.round() as u32
}

/// The fewest blocks a comparison is based on when the number is left to etalon.
pub const FEWEST_BLOCKS: u32 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch nodes of which none has the blocks to count, and a number asked for that is not measured.
    #[test]
    fn each_node_gets_the_blocks_that_it_needs() {
        let limits = BlockLimits::default();
        let precise = Stopping::Precision { target: 0.02, budget: 1.0 };
        assert_eq!(limits.for_nodes(precise, 3).first_look(), 45);
        assert_eq!(limits.for_nodes(precise, 1), limits);
        assert_eq!(limits.for_nodes(Stopping::Runs(12), 3), limits);
        let most = BlockLimits { max: Some(20), ..limits };
        assert_eq!(most.for_nodes(precise, 3).first_look(), 20);
    }

    fn plan(order: Order) -> Plan {
        let (stopping, limits) = (Stopping::Runs(10), BlockLimits::default());
        Plan { limits, ..Plan::new(order, stopping, 42) }
    }

    /// Would catch a look before the fewest blocks or beyond the most, one that is left out, and one after all numbers.
    #[test]
    fn looks_are_the_documented_ones_within_the_limits() {
        let looks = |stopping, min, max| -> Vec<u32> {
            let plan = Plan {
                stopping,
                limits: BlockLimits { min, max, within: None },
                ..plan(Order::Blocks)
            };
            let next = |at: &u32| Some(plan.look_after(*at)).filter(|next| next > at);
            std::iter::successors(Some(plan.look_after(0)), next).take(6).collect()
        };
        let precision = Stopping::Precision { target: 0.02, budget: 10.0 };
        let decided = Stopping::Decided { budget: 10.0 };
        assert_eq!(looks(precision, None, None), [10, 15, 23, 34, 51, 76]);
        assert_eq!(looks(precision, Some(4), Some(23)), [10, 15, 23]);
        assert_eq!(looks(precision, Some(20), Some(40)), [20, 23, 34, 40]);
        assert_eq!(looks(precision, None, Some(3)), [3]);
        assert_eq!(looks(precision, Some(7), Some(7)), [7]);
        assert_eq!(looks(decided, None, None), [10, 12, 14, 17, 21, 25]);
        assert_eq!(looks(decided, Some(13), Some(20)), [13, 16, 19, 20]);
        for stopping in [precision, decided] {
            let plan = Plan { stopping, ..plan(Order::Blocks) };
            assert_eq!(plan.look_after(u32::MAX), u32::MAX);
            assert!(plan.look_after(1 << 31) > 1 << 31);
        }
    }

    /// ½ⁿ⁻¹ ≤ 0.1·α/m. Would catch a first look that no data could decide.
    #[test]
    fn the_first_look_at_a_family_could_decide_it() {
        let decided = Stopping::Decided { budget: 10.0 };
        let first = |comparisons, min, max| {
            BlockLimits { min, max, within: None }
                .for_family(decided, comparisons, &Criteria::default())
                .first_look()
        };
        assert_eq!([1, 3, 10, 45].map(|of| first(of, None, None)), [10, 11, 12, 15]);
        assert_eq!((first(45, Some(20), None), first(45, None, Some(12))), (20, 12));
        let precision = Stopping::Precision { target: 0.01, budget: 10.0 };
        let fewest = |comparisons| {
            BlockLimits::default()
                .for_family(precision, comparisons, &Criteria::default())
                .first_look()
        };
        assert_eq!([1, 10, 27, 4950].map(fewest), [10, 10, 11, 18]);
        let limits = BlockLimits::default();
        let criteria = Criteria::default();
        assert_eq!(limits.for_family(decided, 1, &criteria), limits);
        assert_eq!(limits.for_family(Stopping::Runs(5), 45, &criteria), limits);
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
    fn abba_alternates_the_order_and_its_reverse() {
        let plan = plan(Order::Abba);
        for subjects in 1..6 {
            let stage = &plan.stages(subjects)[0];
            let there: Vec<usize> = (0..subjects).collect();
            let back: Vec<usize> = (0..subjects).rev().collect();
            for number in 0..20 {
                let expected = if number % 2 == 0 { &there } else { &back };
                assert_eq!(plan.block(stage, Stream::Measured, number), *expected);
            }
        }
    }

    #[test]
    fn padding_is_random_by_block_and_has_streams_of_its_own() {
        let without = plan(Order::Blocks);
        let with = Plan { padding: Some(PADDING), ..without.clone() };
        assert_eq!(without.padding(Stream::Measured, 7), None);
        let sizes =
            |stream| -> Vec<u32> { (0..2000).map(|n| with.padding(stream, n).unwrap()).collect() };
        let measured = sizes(Stream::Measured);
        assert_eq!(measured, sizes(Stream::Measured));
        assert_ne!(measured, sizes(Stream::Warmup));
        assert!(measured.iter().all(|size| *size < PADDING));
        let below = measured.iter().filter(|size| **size < PADDING / 2).count();
        assert!((911..1089).contains(&below), "{below}"); // 4 sigma of binomial(2000, 1/2)
        // The order of blocks does not depend on it.
        let stage = &with.stages(5)[0];
        let order = |plan: &Plan| plan.block(stage, Stream::Measured, 3);
        assert_eq!(order(&with), order(&without));
    }

    #[test]
    fn sequential_is_one_stage_per_subject() {
        let stages = plan(Order::Sequential).stages(3);
        assert_eq!(stages.iter().map(|s| s.subjects.clone()).collect::<Vec<_>>(), [[0], [1], [2]]);
    }
}
