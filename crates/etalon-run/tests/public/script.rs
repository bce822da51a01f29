//! An executor that follows a script, and what is needed to have one executed. It is what a new kind of
//! subject takes: one implementation of [`Executor`].

use std::ops::ControlFlow;

use etalon_core::dataset::Dataset;
use etalon_core::model::{Context, Coordinates, Metric, Number, Observation, Outcome, Phase};
use etalon_core::plan::{Order, Plan, Settings, Stage, Stopping};
use etalon_core::run_set::StoppedBy;
use etalon_record::raw::read_unfinished;
use etalon_record::store::NewRecord;
use etalon_record::{BenchmarkLine, Text};
use etalon_run::{
    Batch, Executed, Executor, Experiment, Files, Finished, Flow, Monitor, Naming, Progress,
    Records, Resumed, RunError, Started, Stop, Watcher, execute,
};

/// The time of the clock at the start, in ns: far from 0, as clocks are.
const START_NS: u64 = 1 << 40;

/// The time of one execution, in ns.
const TAKES_NS: u64 = 1_000_000;

/// Executes nothing, and says that it did.
pub(crate) struct Script {
    /// Events, in order.
    pub log: Vec<String>,
    /// The time of a subject in a block, in ns.
    pub value: fn(usize, u32) -> i64,
    /// Subjects that fail, in the block of this number and all that follow.
    pub fails: Vec<(usize, u32)>,
    /// Blocks taken at once.
    pub batch: u32,
    /// The time of one execution, in ns.
    pub takes_ns: fn(u32) -> u64,
    now_ns: u64,
}

impl Script {
    pub(crate) fn new(value: fn(usize, u32) -> i64) -> Script {
        Script {
            log: Vec::new(),
            value,
            fails: Vec::new(),
            batch: 4,
            takes_ns: |_| TAKES_NS,
            now_ns: START_NS,
        }
    }

    /// Seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        (self.now_ns - START_NS) as f64 / 1e9
    }

    /// The subjects of the measured blocks in their order, `block:subject`.
    pub(crate) fn executed(&self) -> Vec<String> {
        self.log.iter().filter_map(|line| line.strip_prefix("measured ")).map(Into::into).collect()
    }
}

impl Executor for Script {
    fn start(&mut self, _: &Experiment, _: &Records<'_>, _: u64) -> Result<Started, RunError> {
        self.log.push("start".to_owned());
        Ok(Started::default())
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn batch_size(&self, _: &Stage) -> u32 {
        self.batch
    }

    fn set_up(&mut self, stage: &Stage, _: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.log.push(format!("set up {:?}", stage.subjects));
        Ok(ControlFlow::Continue(()))
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        let mut executed = Executed { blocks: 0, given_up: Vec::new(), flow: Flow::Continue(()) };
        for (number, order) in (batch.first..).zip(&batch.orders) {
            if batch.deadline_ns.is_some_and(|deadline| self.now_ns >= deadline) {
                executed.flow = Stop::by(StoppedBy::Budget);
                break;
            }
            for &subject in order {
                if monitor.interrupted() {
                    executed.flow = Stop::by(StoppedBy::Interrupt);
                    return Ok(executed);
                }
                let fails = self.fails.iter().any(|(s, from)| *s == subject && number >= *from);
                let outcome = if fails { Outcome::Failed { code: 1 } } else { Outcome::Ok };
                if self.gives_up(&outcome, batch.first_of_stage) {
                    executed.given_up.push(subject);
                }
                let phase = if batch.phase == Phase::Warmup { "warm-up" } else { "measured" };
                self.log.push(format!("{phase} {number}:{subject}"));
                let values = vec![(0, Number::Integer((self.value)(subject, number)))];
                let observation = Observation {
                    outcome,
                    ..Observation::new(
                        subject,
                        batch.phase,
                        Coordinates {
                            node: None,
                            block: Some(number),
                            turn: None,
                            at_ns: Some(self.now_ns - START_NS),
                        },
                        values,
                    )
                };
                monitor.records.observation(&observation, None::<&Text>)?;
                self.now_ns += (self.takes_ns)(number);
            }
            executed.blocks += 1;
        }
        Ok(executed)
    }

    fn clean_up(&mut self, stage: &Stage, _: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.log.push(format!("clean up {:?}", stage.subjects));
        Ok(ControlFlow::Continue(()))
    }

    fn gives_up(&self, outcome: &Outcome, first_block: bool) -> bool {
        first_block && *outcome != Outcome::Ok
    }
}

/// Watches, and interrupts when it was asked that often.
#[derive(Default)]
pub(crate) struct Watching {
    pub interrupts_at: Option<u32>,
    pub asked: u32,
    pub warned: Vec<f64>,
    /// What it was said to take, in s.
    pub promised: Option<f64>,
    /// Blocks that the time allows.
    pub allowed: Vec<u32>,
    pub stages_done: u32,
}

impl Watcher for Watching {
    fn wants_progress(&self) -> bool {
        true
    }

    fn progress(&mut self, _: &Progress<'_>) {}

    fn will_take(&mut self, _: u32, seconds: f64) {
        self.warned.push(seconds);
    }

    fn promised(&self) -> Option<f64> {
        self.promised
    }

    fn will_allow(&mut self, blocks: u32) {
        self.allowed.push(blocks);
    }

    fn interrupted(&mut self) -> bool {
        self.asked += 1;
        self.interrupts_at == Some(self.asked)
    }

    fn stage_done(&mut self, _: &NewRecord) {
        self.stages_done += 1;
    }
}

/// An experiment on so many subjects, ranked by wall clock.
pub(crate) fn experiment(subjects: usize, order: Order, stopping: Stopping) -> Experiment {
    let plan = Plan::new(order, stopping, 7);
    let line = |number| BenchmarkLine { name: format!("s{number}"), ..BenchmarkLine::default() };
    Experiment {
        file: None,
        checks: None,
        sides: None,
        bisection: None,
        benchmarks: (0..subjects).map(line).collect(),
        stages: plan.stages(subjects),
        metrics: vec![Metric::new("wall", "ns")],
        plan,
        settings: Settings { metric: "wall".to_owned(), ..Settings::default() },
        context: Context::default(),
        tool: "script".to_owned(),
        argv: Vec::new(),
        printed: Vec::new(),
        notes: Vec::new(),
        naming: Naming::Subjects,
        resumed: None,
    }
}

/// An execution that is over.
pub(crate) struct Done {
    pub finished: Finished,
    pub record: NewRecord,
}

impl Done {
    pub(crate) fn data(&self) -> Dataset {
        etalon_run::read(&self.record, "a script").expect("a record")
    }

    /// Blocks at which was looked.
    pub(crate) fn looks(&self) -> Vec<u32> {
        self.data().run_sets[0].looks.iter().map(|look| look.blocks).collect()
    }

    /// Its record, to be resumed.
    pub(crate) fn resumed(&self) -> Resumed {
        let mut bytes = Vec::new();
        std::io::copy(&mut self.record.contents(), &mut bytes).expect("its bytes");
        let record = read_unfinished(&bytes, "a script").expect("a record");
        Resumed { id: self.record.id.clone(), record }
    }
}

/// Has an experiment executed.
pub(crate) fn done(experiment: &Experiment, script: &mut Script, watching: &mut Watching) -> Done {
    let file = etalon_probe::memory_file::create().expect("a file in memory");
    let record = NewRecord::in_memory(file, "20261122T000000-script");
    let finished = execute(experiment, script, Files { record: &record, second: None }, watching)
        .expect("to be begun");
    assert!(finished.error.is_none(), "{:?}", finished.error);
    Done { finished, record }
}
