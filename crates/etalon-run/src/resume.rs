//! Where an execution that is resumed stands: what its record's events say about stages.
//!
//! Refuses to count half a block: one that some subject is missing from is not done, and its number is
//! not used again.

use std::collections::{BTreeMap, BTreeSet};

use etalon_core::metrics;
use etalon_core::model::{Note, NoteCode, Observation, Outcome, Phase};
use etalon_core::run_set::Look;
use etalon_core::stats::Looks;
use etalon_record::raw::Event;

use crate::executor::Executor;
use crate::experiment::Experiment;

/// The progress of an execution that is resumed.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ResumePoint {
    /// The stage it is in.
    pub(crate) stage: usize,
    /// The progress of that stage.
    pub(crate) within: StageProgress,
    /// The next measured and the next warm-up block's number.
    pub(crate) next: u32,
    pub(crate) next_warmup: u32,
    /// By subject, whether it was given up.
    pub(crate) given_up: Vec<bool>,
    /// Looks taken at the verdicts: they look at all subjects in one stage.
    pub(crate) looks: Looks,
    /// Nanoseconds from the start of the run set to the end of the last execution.
    pub(crate) ended_ns: u64,
}

/// The progress of a stage.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct StageProgress {
    /// Measured blocks that hold every subject.
    pub(crate) done: u32,
    /// Nanoseconds from the first measured execution to the end of the last, time between two
    /// sittings left out.
    pub(crate) spent_ns: u64,
    /// The last look.
    pub(crate) last_look: Option<Look>,
}

impl ResumePoint {
    /// Works it out from what happened; the beginning, of a new experiment.
    pub(crate) fn replayed(experiment: &Experiment, executor: &dyn Executor) -> ResumePoint {
        let given_up = vec![false; experiment.benchmarks.len()];
        let point = ResumePoint { given_up, ..ResumePoint::default() };
        let Some(resumed) = &experiment.resumed else { return point };
        let declared = &resumed.record.metrics;
        let named = |name: &str| declared.iter().position(|metric| metric.name == name);
        let wall = named(metrics::COMMAND).or_else(|| named(metrics::WALL));
        let blocks = BTreeMap::new();
        let mut replay = Replay { experiment, executor, wall, point, blocks, sitting: None };
        resumed.record.events.iter().for_each(|event| replay.event(event));
        replay.finish()
    }
}

/// The events of a record, one after the other.
struct Replay<'a> {
    experiment: &'a Experiment,
    executor: &'a dyn Executor,
    /// Index of the metric that says how long an execution took, in ns.
    wall: Option<usize>,
    point: ResumePoint,
    /// By block of the stage, the subjects that completed it.
    blocks: BTreeMap<u32, BTreeSet<usize>>,
    /// Beginning and end of the sitting under way.
    sitting: Option<(u64, u64)>,
}

impl Replay<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Noted(Note { code: Some(NoteCode::Resumed), .. }) => {
                self.point.within.spent_ns += length(self.sitting.take());
            }
            Event::Noted(_) => {}
            Event::Look(look) => {
                if look.alpha.is_some() {
                    self.point.looks.take(look.blocks);
                }
                self.point.within.last_look = Some(look.clone());
            }
            Event::Observed(observed) => self.observed(observed),
        }
    }

    fn observed(&mut self, observed: &Observation) {
        // What a harness measured is of the execution that stands before it.
        if observed.benchmark >= self.experiment.benchmarks.len() {
            return;
        }
        self.enter_stage(observed.benchmark);
        let began = observed.coordinates.at_ns.unwrap_or(self.point.ended_ns);
        let wall = observed.values.iter().find(|(metric, _)| Some(*metric) == self.wall);
        let ended = began.saturating_add(wall.map_or(0, |(_, value)| whole(value.as_f64())));
        self.point.ended_ns = self.point.ended_ns.max(ended);
        let Some(block) = observed.coordinates.block else { return };
        let after = block.saturating_add(1);
        // Where the plan has no warm-up blocks, every block warms up by itself.
        if observed.phase == Phase::Warmup && self.experiment.plan.warmup > 0 {
            self.point.next_warmup = self.point.next_warmup.max(after);
            return;
        }
        self.point.next = self.point.next.max(after);
        self.sitting = Some((self.sitting.map_or(began, |(first, _)| first), ended));
        if observed.phase == Phase::Warmup {
            return;
        }
        let subject = observed.benchmark;
        if observed.outcome != Outcome::Ok && self.gives_up(&observed.outcome, block) {
            self.point.given_up[subject] = true;
        }
        if self.executor.completes(observed) {
            self.blocks.entry(block).or_default().insert(subject);
        }
    }

    /// A subject that no stage so far has begins the stage it is in.
    fn enter_stage(&mut self, subject: usize) {
        let mut stages = self.experiment.stages.iter();
        let stage = stages.position(|stage| stage.subjects.contains(&subject));
        if let Some(stage) = stage.filter(|stage| *stage > self.point.stage) {
            (self.point.stage, self.point.within) = (stage, StageProgress::default());
            self.blocks.clear();
            self.sitting = None;
        }
    }

    fn gives_up(&self, outcome: &Outcome, block: u32) -> bool {
        // Few subjects fail, and those of most executors are never given up: counting is for the others.
        let may = self.executor.gives_up(outcome, true);
        may && self.executor.gives_up(outcome, !self.whole_blocks().any(|whole| whole != block))
    }

    /// The blocks that every subject has which is left in the stage.
    fn whole_blocks(&self) -> impl Iterator<Item = u32> {
        let stage = self.experiment.stages.get(self.point.stage);
        let subjects = stage.map_or(&[][..], |stage| &stage.subjects);
        let left: Vec<usize> =
            subjects.iter().copied().filter(|&subject| !self.point.given_up[subject]).collect();
        let whole = move |subjects: &BTreeSet<usize>| left.iter().all(|s| subjects.contains(s));
        self.blocks.iter().filter(move |(_, subjects)| whole(subjects)).map(|(block, _)| *block)
    }

    fn finish(mut self) -> ResumePoint {
        self.point.within.spent_ns += length(self.sitting);
        let done = self.whole_blocks().count();
        self.point.within.done = u32::try_from(done).unwrap_or(u32::MAX);
        self.point
    }
}

fn length(sitting: Option<(u64, u64)>) -> u64 {
    sitting.map_or(0, |(from, to)| to.saturating_sub(from))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
fn whole(nanoseconds: f64) -> u64 {
    nanoseconds.max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use etalon_core::model::{Context, Coordinates, Metric, Number};
    use etalon_core::plan::{Order, Plan, Settings, Stage, Stopping};

    use etalon_record::raw::Unfinished;
    use etalon_record::{BenchmarkLine, HeaderLine};

    use super::*;
    use crate::error::RunError;
    use crate::executor::{Batch, Executed};
    use crate::experiment::Resumed;
    use crate::monitor::Monitor;
    use crate::record::Records;
    use crate::state::{Started, resumed_note};

    /// Gives a subject up that fails in its first block.
    struct GivesUp;

    impl Executor for GivesUp {
        fn start(&mut self, _: &Experiment, _: &Records<'_>, _: u64) -> Result<Started, RunError> {
            Ok(Started::default())
        }

        fn batch_size(&self, _: &Stage) -> u32 {
            1
        }

        fn execute(&mut self, _: &Batch, _: &mut Monitor<'_>) -> Result<Executed, RunError> {
            unreachable!("nothing is executed")
        }

        fn gives_up(&self, outcome: &Outcome, first_block: bool) -> bool {
            first_block && *outcome != Outcome::Ok
        }
    }

    fn point(stages: &[&[usize]], events: &[Event]) -> ResumePoint {
        let subjects = stages.iter().flat_map(|stage| *stage).max().map_or(0, |last| last + 1);
        let wall = Metric::new("wall", "ns");
        let record = Unfinished {
            header: HeaderLine::default(),
            metrics: vec![wall],
            benchmarks: Vec::new(),
            nodes: Vec::new(),
            events: events.to_vec(),
            lines: Vec::new(),
        };
        let (order, stopping) = (Order::Blocks, Stopping::Runs(9));
        let experiment = Experiment {
            file: None,
            checks: None,
            sides: None,
            bisection: None,
            naming: crate::experiment::Naming::Subjects,
            benchmarks: vec![BenchmarkLine::default(); subjects],
            stages: stages.iter().map(|s| Stage { subjects: s.to_vec() }).collect(),
            metrics: Vec::new(),
            plan: Plan { warmup: 1, ..Plan::new(order, stopping, 1) },
            settings: Settings::default(),
            context: Context::default(),
            tool: String::new(),
            argv: Vec::new(),
            printed: Vec::new(),
            notes: Vec::new(),
            resumed: Some(Resumed { id: "x".to_owned(), record }),
        };
        ResumePoint::replayed(&experiment, &GivesUp)
    }

    fn observed(benchmark: usize, phase: Phase, block: u32, at: u64) -> Observation {
        Observation::new(
            benchmark,
            phase,
            Coordinates { node: None, block: Some(block), turn: None, at_ns: Some(at) },
            vec![(0, Number::Integer(5))],
        )
    }

    fn measured(benchmark: usize, block: u32, at: u64) -> Event {
        Event::Observed(observed(benchmark, Phase::Measured, block, at))
    }

    fn warming(benchmark: usize, block: u32, at: u64) -> Event {
        Event::Observed(observed(benchmark, Phase::Warmup, block, at))
    }

    fn failed(benchmark: usize, block: u32, at: u64) -> Event {
        let outcome = Outcome::Failed { code: 1 };
        Event::Observed(Observation { outcome, ..observed(benchmark, Phase::Measured, block, at) })
    }

    fn look(blocks: u32) -> Look {
        Look { blocks, widest: None, alpha: None }
    }

    #[test]
    fn half_a_block_is_not_done_and_its_number_is_gone() {
        let events = [
            warming(1, 0, 2),
            warming(0, 0, 10),
            measured(0, 0, 20),
            measured(1, 0, 30),
            Event::Look(look(1)),
            measured(1, 1, 40),
        ];
        let within = StageProgress { done: 1, spent_ns: 25, last_look: Some(look(1)) };
        let expected = ResumePoint {
            stage: 0,
            within,
            next: 2,
            next_warmup: 1,
            given_up: vec![false, false],
            looks: Looks::default(),
            ended_ns: 45,
        };
        assert_eq!(point(&[&[0, 1]], &events), expected);
    }

    /// Would catch looks that begin again, and looks at the precision that are paid for.
    #[test]
    fn looks_at_the_verdicts_go_on() {
        let verdicts = |blocks| Event::Look(Look { alpha: Some(0.005), ..look(blocks) });
        let events = [measured(0, 0, 0), Event::Look(look(1)), verdicts(2), verdicts(3)];
        assert_eq!(point(&[&[0]], &events).looks, [2, 3].into_iter().collect());
    }

    #[test]
    fn time_between_sittings_is_not_spent() {
        let events = [
            measured(0, 0, 10),
            measured(0, 1, 20),
            Event::Noted(resumed_note("x")),
            measured(0, 2, 1000),
            Event::Noted(Note::new("execution", "resumed from x")),
            measured(0, 3, 1010),
        ];
        let point = point(&[&[0]], &events);
        assert_eq!((point.within.done, point.within.spent_ns), (4, 15 + 15));
        assert_eq!(point.ended_ns, 1015);
    }

    #[test]
    fn the_stage_is_the_last_that_was_begun() {
        let stages: &[&[usize]] = &[&[0], &[1], &[2]];
        let events =
            [measured(0, 0, 0), measured(0, 1, 10), Event::Look(look(2)), measured(1, 2, 20)];
        let found = point(stages, &events);
        let within = StageProgress { done: 1, spent_ns: 5, last_look: None };
        assert_eq!((found.stage, found.next, found.within), (1, 3, within));
        let found = point(stages, &[measured(0, 0, 0), warming(1, 0, 9)]);
        assert_eq!((found.stage, found.within.done), (1, 0));
    }

    /// Would catch a block that is waited for from a subject that is left out, and one that is left out for
    /// a later failure.
    #[test]
    fn a_subject_that_was_given_up_is_not_waited_for() {
        let events = [
            measured(0, 0, 0),
            failed(1, 0, 10),
            measured(2, 0, 20),
            measured(0, 1, 30),
            failed(2, 1, 40),
        ];
        let point = point(&[&[0, 1, 2]], &events);
        assert_eq!(point.given_up, [false, true, false]);
        assert_eq!((point.within.done, point.next), (2, 2));
    }

    #[test]
    fn nothing_happened_yet() {
        let given_up = vec![false];
        assert_eq!(point(&[&[0]], &[]), ResumePoint { given_up, ..ResumePoint::default() });
    }
}
