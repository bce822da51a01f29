//! How long an experiment has still to go: an estimate from its plan and its pace, and a promise made of it.
//!
//! Pure: whoever executes says how much time has passed. Refuses to decide when to stop: that is
//! [`crate::plan::Stopping`]'s.

use std::iter;

use crate::plan::{Plan, Stopping};

/// The time that is left, in s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeLeft {
    /// About so much.
    About(f64),
    /// So much if no interval gets narrow enough before, and no verdict comes.
    AtMost(f64),
}

impl TimeLeft {
    /// In s.
    #[must_use]
    pub fn seconds(self) -> f64 {
        match self {
            TimeLeft::About(seconds) | TimeLeft::AtMost(seconds) => seconds,
        }
    }
}

/// Where an experiment stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Subjects of the stages that are finished, of the one under way, and of those that follow.
    pub before: usize,
    /// See [`Standing::before`].
    pub subjects: usize,
    /// See [`Standing::before`].
    pub after: usize,
    /// Measured blocks finished in the stage, and the time spent on them, in s.
    pub blocks: u32,
    /// See [`Standing::blocks`].
    pub elapsed: f64,
    /// The share of the block under way that is done, where blocks are long.
    pub part: f64,
    /// Blocks after which every interval should be narrow enough, as far as they tell by now.
    pub wanted: Option<f64>,
}

/// Below this share of what the budget leaves, a forecast of the precision is believed: intervals do not narrow
/// as regularly as 1/√n.
const BELIEVED: f64 = 0.8;

/// After so many blocks, or one and so many s, a pace is known: the first block has more to do than the others.
const PACE: (u32, f64) = (4, 1.0);

/// The share of a long first block after which so much time says something, too.
const FIRST: f64 = 0.1;

/// The time left by the plan at this pace; absent as long as nothing is known of the pace.
#[must_use]
#[allow(clippy::cast_precision_loss)] // numbers of subjects
pub fn time_left(plan: &Plan, at: &Standing) -> Option<TimeLeft> {
    let done = f64::from(at.blocks) + at.part;
    let is_known = at.blocks >= PACE.0 || (done >= FIRST && at.elapsed >= PACE.1);
    let a_block = is_known.then(|| at.elapsed / done);
    let for_blocks = |upto: u32| a_block.map(|a_block| a_block * (f64::from(upto) - done).max(0.0));
    let (subjects, after) = (at.subjects.max(1) as f64, at.after as f64);
    let budget = match plan.stopping {
        Stopping::Runs(runs) => {
            let later = a_block? / subjects * after * f64::from(runs + plan.warmup);
            return Some(TimeLeft::About(for_blocks(runs)? + later));
        }
        Stopping::Precision { budget, .. } | Stopping::Decided { budget } => budget,
    };
    let rest = budget * subjects - at.elapsed;
    let limits = plan.limits;
    let most = rest.max(for_blocks(limits.first_look()).unwrap_or(0.0)).max(0.0);
    let most = limits.max.and_then(for_blocks).map_or(most, |all| all.min(most)) + budget * after;
    let precise = at.wanted.filter(|_| at.after == 0 && at.blocks >= limits.first_look());
    let forecast = precise.and_then(|wanted| for_blocks(look_from(wanted, at.blocks, plan)));
    Some(match forecast {
        Some(seconds) if seconds < BELIEVED * rest => TimeLeft::About(seconds),
        _ => TimeLeft::AtMost(most),
    })
}

/// The first look after `done` blocks that finds `wanted`.
fn look_from(wanted: f64, done: u32, plan: &Plan) -> u32 {
    let next = |look: &u32| Some(plan.look_after(*look)).filter(|next| next > look);
    let is_enough = |look: &u32| f64::from(*look) >= wanted || Some(*look) == plan.limits.max;
    iter::successors(Some(plan.look_after(done)), next).find(is_enough).unwrap_or(u32::MAX)
}

/// How long blocks took that were measured, in s.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pace {
    /// Warming up and the first block, which has more to do than the others.
    pub first: f64,
    /// All the others.
    pub others: f64,
    /// Blocks, the first one included.
    pub blocks: u32,
}

impl Pace {
    /// Adds those of another stage, whose blocks follow.
    pub fn add(&mut self, stage: Pace) {
        self.first += stage.first;
        self.others += stage.others;
        self.blocks = self.blocks.max(stage.blocks);
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> f64 {
        self.first + self.others
    }

    /// How long so many blocks take at this pace; absent where no block was measured.
    #[must_use]
    pub fn seconds(&self, blocks: u32) -> Option<f64> {
        match self.blocks {
            0 => None,
            1 => Some(self.first * f64::from(blocks)),
            _ => {
                let another = self.others / f64::from(self.blocks - 1);
                Some(self.first + another * f64::from(blocks.saturating_sub(1)))
            }
        }
    }
}

/// The share of all blocks that is done, where their number is known.
#[must_use]
#[allow(clippy::cast_precision_loss)] // numbers of subjects
pub fn share_of_blocks(plan: &Plan, at: &Standing) -> Option<f64> {
    let Stopping::Runs(runs) = plan.stopping else { return None };
    let all = (at.before + at.subjects + at.after) as f64 * f64::from(runs);
    let blocks = f64::from(at.blocks) + at.part;
    let done = at.before as f64 * f64::from(runs) + at.subjects as f64 * blocks;
    Some((done / all.max(1.0)).min(1.0))
}

/// How often a promise is revised at most, in s.
const KEPT: f64 = 5.0;

/// By how much an estimate has to differ from a promise to be another: in s, and as a share of the larger one.
const OFF: (f64, f64) = (2.0, 0.25);

/// A time left that is kept: it counts down, and is revised only where it turns out to be far off.
#[derive(Debug, Clone, Copy, Default)]
pub struct Promise {
    made: Option<Announcement>,
}

/// A promised time, and when it was promised, in s.
#[derive(Debug, Clone, Copy)]
struct Announcement {
    left: TimeLeft,
    at: f64,
}

impl Promise {
    /// The time left at `now` (in s, on a clock that goes on), given the estimate there is by then.
    pub fn kept(&mut self, now: f64, estimate: Option<TimeLeft>) -> Option<TimeLeft> {
        if let Some(estimate) = estimate
            && self.made.is_none_or(|made| made.is_broken(now, estimate))
        {
            self.made = Some(Announcement { left: estimate, at: now });
        }
        self.made.map(|Announcement { left, at }| left.after(now - at))
    }
}

impl TimeLeft {
    /// The time that is left so many seconds later.
    fn after(self, seconds: f64) -> TimeLeft {
        match self {
            TimeLeft::About(left) => TimeLeft::About((left - seconds).max(0.0)),
            TimeLeft::AtMost(left) => TimeLeft::AtMost((left - seconds).max(0.0)),
        }
    }
}

impl Announcement {
    fn is_broken(&self, now: f64, estimate: TimeLeft) -> bool {
        let Announcement { left, at } = self;
        let (promised, estimated) = (left.after(now - at).seconds(), estimate.seconds());
        let off = OFF.0.max(OFF.1 * promised.max(estimated));
        now - at >= KEPT && (promised - estimated).abs() > off
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Order;

    fn plan(stopping: Stopping) -> Plan {
        Plan::new(Order::Blocks, stopping, 1)
    }

    fn at(blocks: u32, elapsed: f64) -> Standing {
        Standing { before: 0, subjects: 2, after: 0, blocks, elapsed, part: 0.0, wanted: None }
    }

    /// Would catch a rest without the stages that follow, or with the warm-ups of this one.
    #[test]
    fn a_number_of_blocks_takes_what_its_blocks_took() {
        let plan = plan(Stopping::Runs(30));
        assert_eq!([at(0, 3.0), at(3, 0.1)].map(|at| time_left(&plan, &at)), [None, None]);
        assert_eq!(time_left(&plan, &at(10, 4.0)), Some(TimeLeft::About(8.0)));
        assert_eq!(share_of_blocks(&plan, &at(15, 4.0)), Some(0.5));
        let staged = Standing { before: 1, subjects: 1, after: 2, ..at(10, 4.0) };
        assert_eq!(time_left(&plan, &staged), Some(TimeLeft::About(8.0 + 24.0)));
        assert_eq!(share_of_blocks(&plan, &staged), Some(40.0 / 120.0));
        let warm = Plan { warmup: 5, ..plan };
        assert_eq!(time_left(&warm, &staged), Some(TimeLeft::About(8.0 + 28.0)));
    }

    /// Would catch a budget that is not that of every subject, ten blocks that are forgotten, and a forecast
    /// between two looks.
    #[test]
    fn a_budget_is_an_upper_bound_until_the_precision_can_be_foreseen() {
        let plan = plan(Stopping::Precision { target: 0.02, budget: 10.0 });
        assert_eq!(time_left(&plan, &at(0, 1.0)), Some(TimeLeft::AtMost(19.0)));
        assert_eq!(time_left(&plan, &at(2, 8.0)), Some(TimeLeft::AtMost(32.0)));
        assert_eq!(
            time_left(&plan, &Standing { after: 3, ..at(9, 5.0) }),
            Some(TimeLeft::AtMost(45.0))
        );
        let foreseen = |wanted| time_left(&plan, &Standing { wanted: Some(wanted), ..at(12, 6.0) });
        assert_eq!(foreseen(5.0), Some(TimeLeft::About(1.5)), "the look at 15");
        assert_eq!(foreseen(16.0), Some(TimeLeft::About(5.5)), "the look at 23");
        assert_eq!(foreseen(200.0), Some(TimeLeft::AtMost(14.0)));
        assert_eq!(share_of_blocks(&plan, &at(12, 6.0)), None);
    }

    /// Would catch a time that jumps with every estimate, and one that is never corrected.
    #[test]
    fn a_promise_counts_down_and_is_revised_rarely() {
        let mut promise = Promise::default();
        assert_eq!(promise.kept(0.0, None), None);
        let mut revisions = Vec::new();
        let mut last: Option<f64> = None;
        for tick in 0..400 {
            let now = f64::from(tick) / 10.0;
            // A pace that wavers by a tenth, then halves after 20 s.
            let waver = if tick % 2 == 0 { 1.1 } else { 0.9 };
            let rest = if now < 20.0 { 30.0 - now } else { 60.0 - now };
            let left = promise.kept(now, Some(TimeLeft::About(rest * waver)));
            let seconds = left.expect("a promise").seconds();
            if last.is_some_and(|last| (last - 0.1 - seconds).abs() > 1e-6) {
                revisions.push(now);
            }
            last = Some(seconds);
        }
        assert!(revisions.len() <= 3, "{revisions:?}");
        assert!(revisions.iter().any(|at| (20.0..26.0).contains(at)), "{revisions:?}");
        assert!(revisions.windows(2).all(|pair| pair[1] - pair[0] >= KEPT), "{revisions:?}");
        assert_eq!(promise.kept(1e6, None), Some(TimeLeft::About(0.0)), "never below nothing");
    }

    /// Would catch a first block, which is slow, that is taken for one of many.
    #[test]
    fn a_slow_first_block_is_counted_once() {
        let mut pace = Pace { first: 5.0, others: 9.0, blocks: 10 };
        assert_eq!(
            (pace.seconds(10), pace.seconds(100), pace.all()),
            (Some(14.0), Some(104.0), 14.0)
        );
        assert_eq!(Pace { first: 2.0, others: 0.0, blocks: 1 }.seconds(3), Some(6.0));
        assert_eq!(Pace::default().seconds(3), None);
        pace.add(Pace { first: 1.0, others: 18.0, blocks: 10 });
        assert_eq!(pace.seconds(11), Some(6.0 + 30.0));
    }

    /// Would catch a matrix whose first block takes an hour and of which nothing is said until then.
    #[test]
    fn a_long_block_counts_before_it_is_done() {
        let plan = plan(Stopping::Runs(10));
        let standing = |part, elapsed| Standing { part, ..at(0, elapsed) };
        assert_eq!(share_of_blocks(&plan, &standing(0.5, 30.0)), Some(0.05));
        assert_eq!(time_left(&plan, &standing(0.5, 30.0)), Some(TimeLeft::About(570.0)));
        assert_eq!(time_left(&plan, &standing(0.05, 30.0)), None);
        assert_eq!(share_of_blocks(&plan, &at(5, 30.0)), Some(0.5));
    }
}
