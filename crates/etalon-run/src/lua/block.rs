//! One block: a fresh process for every case of the stage; all are made ready, one after the other;
//! then they take turns, one batch each in an order that is new every turn, one running while the
//! others wait; then what they allocate is counted, and they are put away.
//!
//! A case that breaks is an outcome of that case; the others go on.

use std::ops::ControlFlow;

use etalon_core::model::StoppedBy;
use etalon_lua::{Answer, Clock, Load, Prepare, Prepared, Request, Worker};
use etalon_probe::clock;

use super::discover::Broken;
use super::execute::{Flow, Session};
use super::experiment::{BLOCK_SHARE, LuaStage};
use super::listen::Said;
use crate::error::RunError;

/// A batch's length: 2 to 5 ms are far above a clock's step, and far below the drift of a machine.
const BATCH_NS: u64 = 3_000_000;

/// What a sample may allocate with the collector stopped.
const ALLOCATION: u64 = 64 << 20;

/// Turns of a block: enough for a median; more than this shows nothing new.
const FEWEST_TURNS: u32 = 3;
const MOST_TURNS: u32 = 200;

/// A call that takes longer than this is made as rarely as can be: three times a block, once to see how
/// long it takes and twice timed.
const LONG_CALL_NS: u64 = 20_000_000;
const FEWEST_LONG_TURNS: u32 = 2;

/// Readings of what calls allocate, in every block; of long calls one, in the first: it takes two more of
/// them or, where strings are made, four.
const MEMORY_READINGS: u32 = 2;

/// A case in the block under way.
struct Present {
    case: usize,
    worker: Worker,
    prepared: Prepared,
    /// What loading and hooks took.
    before_ns: f64,
}

impl Session<'_> {
    /// Executes a block. `done` is how many blocks of the stage came before it.
    pub(super) fn block(&mut self, stage: &LuaStage, done: u32) -> Result<Flow, RunError> {
        let number = self.next_block;
        self.next_block += 1;
        let began_ns = clock::now_ns();
        let order = self.experiment().plan.turn(&stage.subjects, number, u32::MAX);
        let mut present = Vec::new();
        for case in order {
            if self.dropped[case] {
                continue;
            }
            match self.prepare(case, number)? {
                Said::Answer(ready) => present.push(ready),
                Said::Broken(broken) => self.broke(case, number, done, &broken)?,
                Said::Interrupted => return Ok(interrupted()),
            }
        }
        let turns = self.turns(&present, began_ns);
        for one in &present {
            let spent = &mut self.spent[one.case];
            spent.before += one.before_ns;
            spent.samples += f64::from(turns) * one.prepared.turn_ns;
        }
        let mut turn = 0;
        while turn < turns && !present.is_empty() {
            let count = match &present[..] {
                [alone] => at_once(&alone.prepared).min(turns - turn),
                _ => 1,
            };
            let flow = self.turn(&mut present, (number, turn, count), done)?;
            if flow.is_break() {
                return Ok(flow);
            }
            turn += count;
        }
        self.put_away(present, number, done)
    }

    /// A fresh process with its suite loaded and its case warm.
    #[allow(clippy::cast_precision_loss)] // nanoseconds of loading
    fn prepare(&mut self, case: usize, block: u32) -> Result<Said<Present>, RunError> {
        let experiment = self.experiment();
        let declared = &experiment.cases[case];
        let Some(sampling) = declared.case().map(|case| case.sampling) else {
            return Ok(Said::Interrupted); // there is none: cases of this crate all have it
        };
        let place = &declared.place;
        let mut worker = Worker::start(&experiment.host, &experiment.limits, &place.directory)
            .map_err(RunError::Worker)?;
        let load =
            Load { source: declared.source.clone(), place: place.clone(), clock: Clock::Best };
        let prepare = Prepare {
            case: declared.number,
            benchmark: case,
            block,
            started_ns: self.started_ns,
            warmup: sampling.warmup,
            gc_step: sampling.collector.gc_step(),
            batch_ns: BATCH_NS,
            allocation: ALLOCATION,
            long_ns: LONG_CALL_NS,
        };
        let mut listener = experiment.listener(self.watcher);
        let loaded = listener.ask(&mut worker, &Request::Load(load), |answer| {
            Ok(match answer {
                Answer::Loaded(loaded) => Some(loaded.ns),
                _ => None,
            })
        })?;
        let load_ns = match loaded {
            Said::Answer(ns) => ns,
            Said::Broken(broken) => {
                let leftovers = worker.kill().leftovers;
                return Ok(Said::Broken(Broken { leftovers, ..broken }));
            }
            Said::Interrupted => return Ok(Said::Interrupted),
        };
        drop(worker.output()); // what it prints while loading was shown when it was discovered
        let lines = &self.lines;
        let prepared =
            listener.ask(&mut worker, &Request::Prepare(prepare), |answer| match answer {
                Answer::Prepared(prepared) => Ok(Some(prepared)),
                Answer::Observation(reading) => lines.observed(&reading).map(|()| None),
                _ => Ok(None),
            })?;
        Ok(match prepared {
            Said::Answer(prepared) => {
                let before_ns = load_ns as f64 + prepared.hooks_ns;
                Said::Answer(Present { case, worker, prepared, before_ns })
            }
            Said::Broken(broken) => {
                self.lines.printed(case, worker.output())?;
                Said::Broken(Broken { leftovers: worker.kill().leftovers, ..broken })
            }
            Said::Interrupted => Said::Interrupted,
        })
    }

    /// How many turns fit into what is left of the block's time.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn turns(&self, present: &[Present], began_ns: u64) -> u32 {
        let share_ns = self.experiment().budget * BLOCK_SHARE * 1e9 * present.len() as f64;
        let left_ns = share_ns - (clock::now_ns() - began_ns) as f64;
        let turn_ns: f64 = present.iter().map(|p| p.prepared.turn_ns).sum();
        let long = present.iter().any(|p| is_long(&p.prepared));
        let fewest = if long { FEWEST_LONG_TURNS } else { FEWEST_TURNS };
        ((left_ns / turn_ns.max(1.0)) as u32).clamp(fewest, MOST_TURNS)
    }

    /// One batch of every case; `count` of them where there is only one.
    fn turn(
        &mut self,
        present: &mut Vec<Present>,
        (block, turn, count): (u32, u32, u32),
        done: u32,
    ) -> Result<Flow, RunError> {
        let cases: Vec<usize> = present.iter().map(|p| p.case).collect();
        for case in self.experiment().plan.turn(&cases, block, turn) {
            let request = match count {
                1 => Request::Turn { turn },
                _ => Request::Turns { first: turn, count },
            };
            let mut left = count;
            match self.observe(present, (case, block), &request, |answer| {
                left -= u32::from(matches!(answer, Answer::Observation(_)));
                left == 0
            })? {
                Said::Answer(()) => {}
                Said::Broken(broken) => self.broke(case, block, done, &broken)?,
                Said::Interrupted => return Ok(interrupted()),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Asks a case for observations, which go into the record, until `is_last` is said. A case that
    /// breaks is not present any more.
    fn observe(
        &mut self,
        present: &mut Vec<Present>,
        (case, block): (usize, u32),
        request: &Request,
        mut is_last: impl FnMut(&Answer) -> bool,
    ) -> Result<Said<()>, RunError> {
        let Some(at) = present.iter().position(|p| p.case == case) else {
            return Ok(Said::Answer(()));
        };
        let lines = &self.lines;
        let mut listener = lines.experiment.listener(self.watcher);
        let mut said = listener.ask(&mut present[at].worker, request, |answer| {
            let last = is_last(&answer);
            match &answer {
                Answer::Observation(reading) => lines.observed(reading)?,
                Answer::Finished(finished) => {
                    lines.own_metrics((case, block), &finished.metrics)?;
                }
                Answer::Note(note) => lines.note(case, &note.text)?,
                _ => {}
            }
            Ok(last.then_some(()))
        })?;
        if let Said::Broken(broken) = &mut said {
            let mut worker = present.remove(at).worker;
            self.lines.printed(case, worker.output())?;
            broken.leftovers = worker.kill().leftovers;
        }
        Ok(said)
    }

    /// Counts what calls allocate, and ends the processes.
    fn put_away(
        &mut self,
        mut present: Vec<Present>,
        block: u32,
        done: u32,
    ) -> Result<Flow, RunError> {
        let cases: Vec<(usize, u32)> =
            present.iter().map(|p| (p.case, readings(&p.prepared, done))).collect();
        for (case, readings) in cases {
            let mut said = Said::Answer(());
            if readings > 0 {
                let request = Request::Memory { readings };
                said = self.observe(&mut present, (case, block), &request, |answer| {
                    matches!(answer, Answer::Done)
                })?;
            }
            if let Said::Answer(()) = said {
                said = self.observe(&mut present, (case, block), &Request::Finish, |answer| {
                    matches!(answer, Answer::Finished(_))
                })?;
            }
            match said {
                Said::Answer(()) => {}
                Said::Broken(broken) => self.broke(case, block, done, &broken)?,
                Said::Interrupted => return Ok(interrupted()),
            }
            if let Some(at) = present.iter().position(|p| p.case == case) {
                let mut worker = present.remove(at).worker;
                self.lines.printed(case, worker.output())?;
                self.lines.left((case, block), worker.kill().leftovers)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Records that a case broke. In the first block of a stage, or when it never ended, there is no
    /// point in trying again.
    fn broke(
        &mut self,
        case: usize,
        block: u32,
        done: u32,
        broken: &Broken,
    ) -> Result<(), RunError> {
        let endless = broken.outcome == etalon_core::model::Outcome::TimedOut;
        self.dropped[case] |= done == 0 || endless;
        self.lines.broken((case, block), broken)
    }
}

/// How many turns a case that is alone takes in one go: to be asked for each costs as much as waking two
/// processes, and a user who wants to stop is not kept waiting for long.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
fn at_once(prepared: &Prepared) -> u32 {
    const IN_ONE_GO_NS: f64 = 50e6;
    (IN_ONE_GO_NS / prepared.turn_ns.max(1.0)).clamp(1.0, 100.0) as u32
}

fn interrupted() -> Flow {
    ControlFlow::Break(StoppedBy::Interrupt)
}

fn readings(prepared: &Prepared, done: u32) -> u32 {
    match (is_long(prepared), done) {
        (false, _) => MEMORY_READINGS,
        (true, 0) => 1,
        (true, _) => 0,
    }
}

#[allow(clippy::cast_precision_loss)] // some ms
fn is_long(prepared: &Prepared) -> bool {
    prepared.call_ns > LONG_CALL_NS as f64
}
