//! Instructions of a call: two processes of a case, of which one makes twice as many calls as the other.
//!
//! Owns how many calls these are, and what both processes have in common, which is not counted: loading, hooks, and the first
//! calls. Refuses to count what is a part of a call only.

use std::ops::ControlFlow;
use std::path::PathBuf;

use etalon_lua::{
    Answer, Clock, Count as Calls, Host, Interpreter, Limits, Load, Place, Request, Source, Worker,
    WorkerSpec,
};
use etalon_probe::launcher::protocol::Hook;
use etalon_record::Text;

use super::block::ALLOCATION;
use super::cases::LuaCase;
use super::executor::LuaCases;
use super::listen::{Listener, Reply};
use crate::commands::counts::{Countable, Ended, LONGER, Seeds, Slot, Task, fix_seeds};
use crate::error::{RunError, how};
use crate::monitor::Monitor;

/// Calls at most: their work is to be seen, and 30 million instructions are seen.
const MOST: u64 = 10_000;

/// Why a case is not counted that times a part of its calls.
const A_PART: &str = "run_with_timer times a part of a call, and calls are counted as a whole";

impl Countable for LuaCases {
    /// As many as a sample of the first of them has, rounded down to 1, 2 or 5 times a power of ten. A script is executed
    /// once.
    fn calls(&self, subject: usize, group: &[usize]) -> Option<u64> {
        let cases = &self.setup.cases;
        let case = cases.get(subject)?;
        if let Source::Script(_) = case.source {
            return Some(1);
        }
        let is_it = |at: &&usize| cases.get(**at).is_some_and(|other| other.is_elsewhere(case));
        let batches = group.iter().filter(is_it).filter_map(|at| self.batches.get(*at).copied()?);
        Some(batches.into_iter().next().map_or(1, round))
    }

    fn program(&self, subject: usize) -> Option<PathBuf> {
        let host = &self.setup.cases.get(subject)?.variant.host;
        Some(host.interpreter.program().map_or_else(|| "/proc/self/exe".into(), PathBuf::from))
    }

    fn count(&self, task: Task<'_>, monitor: &mut Monitor<'_>) -> Result<Ended, RunError> {
        let Some(case) = self.setup.cases.get(task.subject) else { return Ok(Ended::Interrupted) };
        if case.case().is_some_and(|case| case.timer) {
            return Ok(Ended::Not(A_PART.to_owned()));
        }
        let calls = task.calls.unwrap_or(1);
        let (few, many) = match case.source {
            Source::Script(_) => (0, calls),
            Source::File(_) | Source::Chunk { .. } => (calls, 2 * calls),
        };
        let few = match self.between_hooks(task, few, monitor)? {
            Ended::Counted(few) => few,
            other => return Ok(other),
        };
        Ok(match self.between_hooks(task, many, monitor)? {
            Ended::Counted(many) => Ended::Counted(many.beyond(&few)),
            other => other,
        })
    }
}

impl LuaCases {
    /// A process that is prepared and concluded as those are that are timed.
    fn between_hooks(
        &self,
        task: Task<'_>,
        calls: u64,
        monitor: &mut Monitor<'_>,
    ) -> Result<Ended, RunError> {
        let ended = match self.hooks.perform(Hook::Prepare, task.subject, monitor)? {
            ControlFlow::Continue(()) => self.process(task, calls, monitor),
            ControlFlow::Break(stop) => {
                return Ok(stop.failure.map_or(Ended::Interrupted, |failure| {
                    Ended::Not(format!("its --prepare {}", how(&failure.outcome)))
                }));
            }
        };
        let concluded = self.hooks.perform(Hook::Conclude, task.subject, monitor)?;
        match concluded {
            ControlFlow::Continue(()) => ended,
            ControlFlow::Break(_) => Ok(Ended::Interrupted),
        }
    }

    /// A process that makes so many calls.
    fn process(
        &self,
        Task { spec, subject, .. }: Task<'_>,
        calls: u64,
        monitor: &mut Monitor<'_>,
    ) -> Result<Ended, RunError> {
        let setup = &self.setup;
        let case = &setup.cases[subject];
        let slot = spec.placed(subject)?;
        let Place { directory, caller } = &case.place;
        let place = Place { directory: slot.moved(directory), caller: slot.moved(caller) };
        let host = self.host(&case.variant.host, &slot);
        let host = match spec.seeds {
            Seeds::Fixed => self.with_seeds(host, spec.room.path.as_path()),
            Seeds::Raw => Ok(host),
        };
        let mut worker = Worker::start(&WorkerSpec {
            host: &host.map_err(|error| spec.refused(&error))?,
            // That of what executes it would be limited, too.
            limits: &Limits::default(),
            control: &setup.control,
            directory: &place.directory,
            padding: None,
            under: &spec.words(),
        })
        .map_err(RunError::Worker)?;
        let timeout = setup.timeout.saturating_mul(u32::try_from(LONGER).unwrap_or(u32::MAX));
        let mut interrupted = || monitor.interrupted();
        let limits = Limits::default();
        let mut listener = Listener { interrupted: &mut interrupted, timeout, limits };
        let reply = asked(&mut listener, &mut worker, (case, place), calls)?;
        let failed = |why: &str| Ok(Ended::Not(spec.without_count("failed", why)));
        match reply {
            Reply::Answer(()) => {}
            Reply::Failed(failure) => return failed(&failure.message),
            Reply::Interrupted => return Ok(Ended::Interrupted),
        }
        worker.wait_for_its_end().map_err(RunError::Worker)?;
        drop(worker);
        let without = || Ended::Not(spec.without_count("left no count", ""));
        Ok(spec.left()?.map_or_else(without, Ended::Counted))
    }

    /// A Lua in the place of its side.
    fn host(&self, host: &Host, slot: &Slot<'_>) -> Host {
        let mut host = host.clone();
        if let Interpreter::Program(path) = &mut host.interpreter {
            *path = slot.moved(path);
        }
        for (_, value) in &mut host.environment {
            *value = slot.rewritten(&Text::from(value.as_str())).to_string_lossy().into_owned();
        }
        host
    }

    /// A Lua whose seeds are fixed.
    fn with_seeds(&self, mut host: Host, room: &std::path::Path) -> std::io::Result<Host> {
        let spelled =
            |(name, value): &(String, String)| Text::from(format!("{name}={value}").as_str());
        let mut own: Vec<Text> = host.environment.iter().map(spelled).collect();
        fix_seeds(room, &self.setup.hooks.environment, &mut own)?;
        let pair = |text: &Text| {
            let text = text.to_string_lossy();
            text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
        };
        host.environment = own.iter().filter_map(pair).collect();
        Ok(host)
    }
}

/// Has a process load its suite and make the calls.
fn asked(
    listener: &mut Listener<'_>,
    worker: &mut Worker,
    (case, place): (&LuaCase, Place),
    calls: u64,
) -> Result<Reply<()>, RunError> {
    let load = Load { source: case.source.clone(), place, clock: Clock::None };
    let loaded = listener.ask(worker, &Request::Load(load), |answer| {
        Ok(match answer {
            Answer::Loaded(loaded) => Some(loaded),
            _ => None,
        })
    })?;
    let loaded = match loaded {
        Reply::Answer(loaded) => loaded,
        Reply::Failed(failure) => return Ok(Reply::Failed(failure)),
        Reply::Interrupted => return Ok(Reply::Interrupted),
    };
    let number = match case.number_in(&loaded.cases) {
        Ok(number) => number,
        Err(failure) => return Ok(Reply::Failed(failure)),
    };
    let gc_step = case.case().map_or(0, |case| case.sampling.collector.gc_step());
    let count = Calls { case: number, calls, gc_step, allocation: ALLOCATION };
    listener.ask(worker, &Request::Count(count), |answer| {
        Ok(matches!(answer, Answer::Finished(_)).then_some(()))
    })
}

/// 1, 2 or 5 times a power of ten, so that a sample that is somewhat longer in one run than in another gives as many calls.
fn round(calls: u64) -> u64 {
    let calls = calls.clamp(1, MOST);
    let power = 10_u64.pow(calls.ilog10());
    [5, 2, 1].into_iter().map(|it| it * power).find(|it| *it <= calls).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a number of calls that is another one whenever a sample is somewhat longer, and one without end.
    #[test]
    fn calls_are_few_numbers() {
        let of = [0, 1, 3, 4, 9, 10, 49, 777, 9_999, 1_000_000];
        assert_eq!(of.map(round), [1, 1, 2, 2, 5, 10, 20, 500, 5_000, 10_000]);
    }
}
