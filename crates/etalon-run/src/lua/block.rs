//! One block: a fresh process for every case of the stage; all are made ready, one after the other; then they take
//! turns, one batch each in an order that is new every turn, one running while the others wait, all on the CPU that the
//! system chose for the first (CPUs differ by what else they are at work on); then what they allocate is counted, and
//! they are put away.
//!
//! A case that breaks is an outcome of that case; the others go on.

use std::ops::ControlFlow;

use etalon_core::model::Kind;
use etalon_core::run_set::StoppedBy;
use etalon_lua::{
    Answer, Clock, Load, Loaded, Prepare, Prepared, Request, Source, Worker, WorkerSpec,
};
use etalon_probe::clock;
use etalon_probe::launcher::protocol::Hook;

use super::cases::LuaCase;
use super::executor::{LuaCases, Spent};
use super::failure::CaseFailure;
use super::lines::{Lines, Place};
use super::listen::{Listener, Reply};
use super::turns::{LONG_CALL_NS, Turns, at_once, readings, turns};
use crate::error::RunError;
use crate::executor::{Batch, Executed, Executor, Flow, Stop};
use crate::monitor::Monitor;

/// A batch's length: 2 to 5 ms are far above a clock's resolution, and far below the drift of a machine.
const BATCH_NS: u64 = 3_000_000;

/// The most that a sample may allocate with the collector stopped.
pub(super) const ALLOCATION: u64 = 64 << 20;

/// A case in the block under way.
pub(super) struct LiveWorker {
    case: usize,
    worker: Worker,
    prepared: Prepared,
    /// The time that loading and hooks took.
    before_ns: f64,
}

/// A block under way.
pub(super) struct Block<'b> {
    pub(super) cases: &'b LuaCases,
    pub(super) lines: Lines<'b>,
    number: u32,
    /// How many bytes the environment is larger, if that is randomised.
    padding: Option<u32>,
    /// Whether it is the first of its stage.
    is_first: bool,
    began_ns: u64,
    live: Vec<LiveWorker>,
    /// Cases whose `--prepare` was executed.
    prepared: Vec<usize>,
    given_up: Vec<usize>,
}

impl LuaCases {
    /// Executes a batch, which is one block.
    pub(super) fn block(
        &mut self,
        batch: &Batch,
        monitor: &mut Monitor<'_>,
    ) -> Result<Executed, RunError> {
        let over = |deadline: u64| self.now_ns() >= deadline;
        let Some(order) = batch.orders.first().filter(|_| !batch.deadline_ns.is_some_and(over))
        else {
            let flow = Stop::by(StoppedBy::Budget);
            return Ok(Executed { blocks: 0, given_up: Vec::new(), flow });
        };
        let mut block = Block {
            cases: self,
            lines: self.lines(monitor),
            number: batch.first,
            padding: batch.padding.first().copied(),
            is_first: batch.first_of_stage,
            began_ns: clock::now_ns(),
            live: Vec::new(),
            prepared: Vec::new(),
            given_up: Vec::new(),
        };
        let mut spent = Vec::new();
        let flow = block.execute(order, &mut spent, monitor)?;
        let flow = block.conclude(flow, monitor)?;
        let (given_up, blocks) = (block.given_up, u32::from(flow.is_continue()));
        for (case, Spent { before, samples, batch }) in spent {
            self.batches[case].get_or_insert(batch);
            self.spent[case].before += before;
            self.spent[case].samples += samples;
        }
        Ok(Executed { blocks, given_up, flow })
    }
}

impl Block<'_> {
    fn execute(
        &mut self,
        order: &[usize],
        spent: &mut Vec<(usize, Spent)>,
        monitor: &mut Monitor<'_>,
    ) -> Result<Flow, RunError> {
        for &case in order {
            let flow = self.cases.hooks.perform(Hook::Prepare, case, monitor)?;
            if flow.is_break() {
                return Ok(flow);
            }
            self.prepared.push(case);
            monitor.under_way(case);
            let reply = match &self.cases.setup.cases[case].source {
                Source::Script(_) => self.script(case, monitor)?,
                Source::File(_) | Source::Chunk { .. } => self.ready(case, monitor)?,
            };
            match reply {
                Reply::Answer(ready) => self.live.extend(ready),
                Reply::Failed(failure) => self.failed(case, &failure)?,
                Reply::Interrupted => return Ok(interrupted()),
            }
        }
        let alive = self.live.iter().map(|live| &live.prepared);
        let turns = turns(alive, self.cases.setup.budget, clock::now_ns() - self.began_ns);
        spent.extend(self.live.iter().map(|live| {
            let samples = f64::from(turns) * live.prepared.turn_ns;
            let batch = live.prepared.iterations;
            (live.case, Spent { before: live.before_ns, samples, batch })
        }));
        let mut first = 0;
        while first < turns && !self.live.is_empty() {
            let count = match &self.live[..] {
                [alone] => at_once(&alone.prepared).min(turns - first),
                _ => 1,
            };
            let flow = self.take_turns(Turns { first, count }, monitor)?;
            if flow.is_break() {
                return Ok(flow);
            }
            first += count;
        }
        self.put_away(monitor)
    }

    /// A fresh process that has loaded its suite, and what it said of that.
    pub(super) fn start(
        &self,
        case: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<(Worker, Reply<Loaded>), RunError> {
        let setup = &self.cases.setup;
        let LuaCase { source, place, variant, .. } = &setup.cases[case];
        let mut worker = Worker::start(&WorkerSpec {
            host: &variant.host,
            limits: &setup.limits,
            control: &setup.control,
            directory: &place.directory,
            padding: self.padding,
            under: &[],
        })
        .map_err(RunError::Worker)?;
        let load = Load { source: source.clone(), place: place.clone(), clock: Clock::Best };
        let loaded = self.ask(monitor, &mut worker, &Request::Load(load), |answer| {
            Ok(match answer {
                Answer::Loaded(loaded) => Some(loaded),
                _ => None,
            })
        })?;
        if let Reply::Answer(_) = loaded {
            drop(worker.output()); // what it prints while loading was shown when it was discovered
        }
        Ok((worker, loaded))
    }

    /// A fresh process with its suite loaded and its case warm.
    #[allow(clippy::cast_precision_loss)] // nanoseconds of loading
    fn ready(
        &self,
        case: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<Reply<Option<LiveWorker>>, RunError> {
        let declared = &self.cases.setup.cases[case];
        let Some(sampling) = declared.case().map(|case| case.sampling) else {
            return Ok(Reply::Interrupted); // there is none: cases of this crate all have it
        };
        let (mut worker, loaded) = self.start(case, monitor)?;
        let numbered = match loaded {
            Reply::Answer(loaded) => {
                declared.number_in(&loaded.cases).map(|number| (number, loaded.ns))
            }
            Reply::Failed(failure) => Err(failure),
            Reply::Interrupted => return Ok(Reply::Interrupted),
        };
        let (number, load_ns) = match numbered {
            Ok(numbered) => numbered,
            Err(failure) => {
                let orphans = worker.kill().orphans;
                return Ok(Reply::Failed(CaseFailure { orphans, ..failure }));
            }
        };
        let prepare = Prepare {
            case: number,
            benchmark: case,
            block: self.number,
            started_ns: self.cases.started_ns,
            warmup: sampling.warmup.seconds(),
            until_level: sampling.warmup.until_level(),
            gc_step: sampling.collector.gc_step(),
            batch_ns: BATCH_NS,
            allocation: ALLOCATION,
            long_ns: LONG_CALL_NS,
        };
        let lines = &self.lines;
        let prepared =
            self.ask(monitor, &mut worker, &Request::Prepare(prepare), |answer| match answer {
                Answer::Prepared(prepared) => Ok(Some(prepared)),
                Answer::Observation(reading) => lines.observed(&reading).map(|()| None),
                _ => Ok(None),
            })?;
        Ok(match prepared {
            Reply::Answer(prepared) => {
                let before_ns = load_ns as f64 + prepared.hooks_ns;
                Reply::Answer(Some(LiveWorker { case, worker, prepared, before_ns }))
            }
            Reply::Failed(failure) => {
                self.lines.printed(case, worker.output())?;
                Reply::Failed(CaseFailure { orphans: worker.kill().orphans, ..failure })
            }
            Reply::Interrupted => Reply::Interrupted,
        })
    }

    pub(super) fn ask<T>(
        &self,
        monitor: &mut Monitor<'_>,
        worker: &mut Worker,
        request: &Request,
        take: impl FnMut(Answer) -> Result<Option<T>, RunError>,
    ) -> Result<Reply<T>, RunError> {
        let setup = &self.cases.setup;
        let mut interrupted = || monitor.interrupted();
        let (timeout, limits) = (setup.timeout, setup.limits);
        let mut listener = Listener { interrupted: &mut interrupted, timeout, limits };
        listener.ask(worker, request, take)
    }

    /// Ends what is still alive, and concludes what was prepared, whatever came before. The first failure
    /// is told.
    fn conclude(&mut self, flow: Flow, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.live.clear();
        let mut flow = flow;
        for case in std::mem::take(&mut self.prepared) {
            let concluded = self.cases.hooks.perform(Hook::Conclude, case, monitor)?;
            if flow.is_continue() {
                flow = concluded;
            }
        }
        Ok(flow)
    }

    /// One batch of every case; several where there is only one.
    fn take_turns(&mut self, turns: Turns, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let Turns { first, count } = turns;
        let cases: Vec<usize> = self.live.iter().map(|live| live.case).collect();
        let order = monitor.experiment.plan.turn(&cases, self.number, first);
        // Once a turn, before it: which case that is is random.
        order.first().into_iter().for_each(|&case| monitor.under_way(case));
        let mut cpu = None;
        for case in order {
            let request = match count {
                1 => Request::Turn { turn: first, cpu },
                _ => Request::Turns { first, count },
            };
            let mut left = count;
            match self.observe(case, &request, monitor, |answer| {
                if let Answer::Observation(sample) = answer {
                    left -= 1;
                    cpu = cpu.or(sample.cpu);
                }
                left == 0
            })? {
                Reply::Answer(()) => {}
                Reply::Failed(failure) => self.failed(case, &failure)?,
                Reply::Interrupted => return Ok(interrupted()),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Asks a case for observations, which go into the record, until `is_last` is said. A case that
    /// fails is not live any more.
    fn observe(
        &mut self,
        case: usize,
        request: &Request,
        monitor: &mut Monitor<'_>,
        mut is_last: impl FnMut(&Answer) -> bool,
    ) -> Result<Reply<()>, RunError> {
        let Some(index) = self.live.iter().position(|live| live.case == case) else {
            return Ok(Reply::Answer(()));
        };
        let mut live = self.live.swap_remove(index);
        let (lines, at) = (self.lines, self.place_of(case));
        let mut reply = self.ask(monitor, &mut live.worker, request, |answer| {
            let last = is_last(&answer);
            match &answer {
                Answer::Observation(reading) => lines.observed(reading)?,
                Answer::Finished(finished) => {
                    // It says what it says.
                    lines.own_metrics(at, &finished.metrics, Kind::Exact)?;
                    lines.aborts(case, &finished.aborts)?;
                }
                Answer::Note(note) => lines.note(case, &note.text)?,
                _ => {}
            }
            Ok(last.then_some(()))
        })?;
        if let Reply::Failed(failure) = &mut reply {
            self.lines.printed(case, live.worker.output())?;
            failure.orphans = live.worker.kill().orphans;
        } else {
            self.live.push(live);
        }
        Ok(reply)
    }

    /// Counts what calls allocate, and ends the processes.
    fn put_away(&mut self, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let mut cases: Vec<(usize, u32)> = self
            .live
            .iter()
            .map(|live| (live.case, readings(&live.prepared, self.is_first)))
            .collect();
        cases.sort_unstable();
        for (case, readings) in cases {
            let mut reply = Reply::Answer(());
            if readings > 0 {
                let request = Request::Memory { readings };
                reply =
                    self.observe(case, &request, monitor, |answer| matches!(answer, Answer::Done))?;
            }
            if let Reply::Answer(()) = reply {
                reply = self.observe(case, &Request::Finish, monitor, |answer| {
                    matches!(answer, Answer::Finished(_))
                })?;
            }
            match reply {
                Reply::Answer(()) => {}
                Reply::Failed(failure) => self.failed(case, &failure)?,
                Reply::Interrupted => return Ok(interrupted()),
            }
            if let Some(at) = self.live.iter().position(|live| live.case == case) {
                let mut worker = self.live.swap_remove(at).worker;
                self.lines.printed(case, worker.output())?;
                self.lines.left(self.place_of(case), worker.kill().orphans)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Records that a case failed.
    fn failed(&mut self, case: usize, failure: &CaseFailure) -> Result<(), RunError> {
        if self.cases.gives_up(&failure.outcome, self.is_first) {
            self.given_up.push(case);
        }
        self.lines.failed(self.place_of(case), failure)
    }

    pub(super) fn place_of(&self, case: usize) -> Place {
        Place { benchmark: case, block: self.number }
    }
}

fn interrupted() -> Flow {
    Stop::by(StoppedBy::Interrupt)
}
