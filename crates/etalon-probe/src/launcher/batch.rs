//! A batch: whole blocks executed ahead, every observation recorded before the next begins.
//!
//! Owns: the order of things around an execution (prepare, execute, record, conclude) and when a
//! batch is over. Refuses: to report anything before that; etalon follows the record itself.

use std::io;

use etalon_core::model::{Accept, Coordinates, Observation, Outcome, Phase};
use etalon_record::Text;

use super::execute::Executor;
use super::execution::{Executed, Execution};
use super::extras::Part;
use super::keeper::{Inherited, Keepers, Kind};
use super::metrics::{Source, Values};
use super::orphans::children;
use super::outputs::Outputs;
use super::parent::ParentLink;
use super::printed::PrintedMetrics;
use super::protocol::{Batch, Extent, Failure, Files, Hook, OnFailure, Over, Perform};
use super::signals;
use super::spawn::Program;
use super::streams::Streams;
use super::terminal::Terminal;
use crate::clock::now_ns;

/// Executions of nothing before the floor is read. The kernel counts resident pages in batches per
/// CPU, so one reading may be some dozen pages off, and the first has touched the least.
const REHEARSALS: usize = 2;

/// A command, ready to be executed.
pub(super) struct Subject {
    pub(super) program: Program,
    /// Their places among [`BatchRunner::hooks`].
    pub(super) prepare: Option<usize>,
    pub(super) conclude: Option<usize>,
    pub(super) accept: Accept,
    pub(super) files: Files,
}

/// An execution as it was planned.
#[derive(Debug, Clone, Copy)]
struct Planned {
    phase: Phase,
    block: u32,
    /// Index of the subject.
    command: usize,
}

/// Everything a batch needs.
pub(super) struct BatchRunner {
    pub(super) subjects: Vec<Subject>,
    /// All hooks, those of [`Setup::hooks`](super::protocol::Setup) first.
    pub(super) hooks: Vec<Program>,
    /// Who starts them.
    pub(super) keepers: Keepers,
    /// The length of the variable that the block under way has in its environment.
    pub(super) padding: Option<u32>,
    pub(super) parent: ParentLink,
    pub(super) executor: Executor,
    pub(super) streams: Streams,
    pub(super) outputs: Outputs,
    /// The source of each metric of the run set.
    pub(super) order: Vec<Option<Source>>,
    /// The metrics that are read in the output of commands.
    pub(super) printed: PrintedMetrics,
    /// Commands that are left out of the rest of the batch.
    pub(super) given_up: Vec<usize>,
    pub(super) started_ns: u64,
}

impl BatchRunner {
    /// Executes a batch; how many blocks were finished, and why it is over.
    pub(super) fn run(&mut self, batch: &Batch) -> (u32, Over) {
        let (finished, over) = self.blocks(batch);
        self.pad(None);
        (finished, over)
    }

    fn blocks(&mut self, batch: &Batch) -> (u32, Over) {
        let mut finished = 0;
        let paused_ns = signals::paused_ns();
        // The longest first, so that the buffer does not grow, nor the launcher, between blocks.
        self.pad(batch.padding.iter().copied().max());
        for (index, block) in batch.blocks.iter().enumerate() {
            self.pad(batch.padding.get(index).copied());
            let paused_ns = signals::paused_ns() - paused_ns;
            if batch.deadline_ns.is_some_and(|deadline| now_ns() >= deadline + paused_ns) {
                return (finished, Over::DeadlinePassed);
            }
            for &command in block {
                if self.given_up.contains(&command) {
                    continue;
                }
                if let Err(over) = self.once(batch, batch.first_block + finished, command) {
                    return (finished, over);
                }
            }
            finished += 1;
        }
        (finished, Over::Done)
    }

    fn pad(&mut self, length: Option<u32>) {
        self.executor.spawner.pad(length);
        self.padding = length;
    }

    /// One execution with its hooks. Conclude is executed whatever became of the command, once it
    /// has been prepared; of two failures the first is told.
    fn once(&mut self, batch: &Batch, block: u32, command: usize) -> Result<(), Over> {
        if signals::stopped() {
            return Err(Over::Interrupted);
        }
        self.hook(command, Hook::Prepare)?;
        let measured = self.measure(batch, block, command);
        if measured == Err(Over::Interrupted) && !self.outlives_the_interrupt() {
            return measured;
        }
        let concluded = self.hook(command, Hook::Conclude);
        measured.and(concluded)
    }

    /// The command itself, recorded.
    fn measure(&mut self, batch: &Batch, block: u32, command: usize) -> Result<(), Over> {
        let executed = match self.streams.for_command(&self.subjects[command].files) {
            Ok(()) => self.executor.execute(&self.subjects[command].program),
            Err(_) if signals::stopped() => Executed::Interrupted,
            Err(error) => Executed::Finished(Execution::not_started(&error)),
        };
        let Executed::Finished(execution) = executed else { return Err(Over::Interrupted) };
        let accepted = self.subjects[command].accept.accepts(&execution.outcome);
        let stderr = if accepted { Text::default() } else { Text(self.streams.said()) };
        match self.streams.printed() {
            Some(output) if accepted => self.printed.read(&output),
            _ => self.printed.forget(),
        }
        self.record(Planned { phase: batch.phase, block, command }, &execution, &stderr)?;
        let expected = accepted && self.subjects[command].accept != Accept::Any;
        if !expected && self.executor.caught_ctrl_c(&execution.outcome) {
            return Err(Over::Interrupted);
        }
        let goes_on = execution.outcome == Outcome::Suspended
            || match batch.on_failure {
                OnFailure::Stop => false,
                OnFailure::StopIfNotStarted => {
                    !matches!(execution.outcome, Outcome::NotStarted { .. })
                }
                OnFailure::GiveUp => {
                    self.given_up.extend((!accepted).then_some(command));
                    true
                }
                OnFailure::Continue => true,
            };
        if accepted || goes_on {
            return Ok(());
        }
        Err(Over::Stopped(Failure { command, hook: None, outcome: execution.outcome, stderr }))
    }

    /// Whether etalon is still there to want things put in order after an interrupt. If so, that
    /// interrupt has done its work, and the next one ends the putting in order.
    fn outlives_the_interrupt(&self) -> bool {
        let there = self.parent.is_there();
        if there {
            signals::clear_stop();
        }
        there
    }

    /// A setup or cleanup.
    pub(super) fn perform(&mut self, perform: Perform) -> Over {
        let Perform { hook, role, command, extent } = perform;
        match self.execute_hook(hook, Kind { hook: role, extent }) {
            Ok(()) => Over::Done,
            Err(failed) => failed.over(command, role),
        }
    }

    fn record(
        &mut self,
        planned: Planned,
        execution: &Execution,
        stderr: &Text,
    ) -> Result<(), Over> {
        let observation = self.observation(planned, execution);
        self.outputs.append(&observation, stderr)
    }

    fn observation(&self, planned: Planned, execution: &Execution) -> Observation {
        let Planned { phase, block, command } = planned;
        let at_ns = execution.began_ns.saturating_sub(self.started_ns);
        let mut values = Vec::with_capacity(self.order.len());
        execution.values.in_order(&self.order, &mut values);
        values.extend(self.printed.values());
        Observation {
            benchmark: command,
            phase,
            coordinates: Coordinates {
                node: None,
                block: Some(block),
                turn: None,
                at_ns: Some(at_ns),
            },
            outcome: execution.outcome.clone(),
            orphans: execution.orphans,
            iterations: self.printed.iterations(),
            values,
        }
    }

    /// The resident size a command starts at: the largest that [`REHEARSALS`] show.
    pub(super) fn floor(&mut self) -> Option<u64> {
        let peaks = (0..REHEARSALS).map(|_| self.rehearse());
        peaks.max().flatten().and_then(|bytes| u64::try_from(bytes).ok())
    }

    /// Touches everything an execution touches. The resident size of a child that
    /// cannot be started, which exits with our own.
    pub(super) fn rehearse(&mut self) -> Option<i64> {
        let nothing = Program::new(b"", &[]).ok()?;
        if !self.hooks.is_empty() {
            std::hint::black_box(children()); // as orphans are looked for beside keepers
        }
        self.keepers.rehearse();
        self.streams.forget();
        let peak = self.executor.rehearse(&nothing);
        std::hint::black_box(std::hint::black_box(Accept::Zero).accepts(&Outcome::Ok));
        let (outcome, values) = (Outcome::Ok, Values::full());
        let execution = Execution { outcome, began_ns: u64::MAX, values, orphans: 0 };
        let planned = Planned { phase: Phase::Measured, block: u32::MAX, command: 0 };
        let observation = self.observation(planned, &execution);
        self.outputs.rehearse(&observation);
        peak
    }

    fn hook(&mut self, command: usize, hook: Hook) -> Result<(), Over> {
        let subject = &self.subjects[command];
        let program = match hook {
            Hook::Prepare => subject.prepare,
            Hook::Conclude => subject.conclude,
            Hook::Requires | Hook::Setup | Hook::Cleanup => None, // see `perform`
        };
        let Some(program) = program else { return Ok(()) };
        self.execute_hook(program, Kind { hook, extent: Extent::Stage })
            .map_err(|failed| failed.over(command, hook))
    }

    fn execute_hook(&mut self, hook: usize, kind: Kind) -> Result<(), HookFailed> {
        match self.below_its_keeper(hook, kind) {
            Ok(Executed::Interrupted) => Err(HookFailed::Interrupted),
            Ok(Executed::Finished(Execution { outcome: Outcome::Ok, .. })) => Ok(()),
            Ok(Executed::Finished(Execution { outcome, .. }))
                if self.executor.caught_ctrl_c(&outcome) =>
            {
                Err(HookFailed::Interrupted)
            }
            Ok(Executed::Finished(Execution { outcome, .. })) => {
                Err(HookFailed::Ended { outcome, stderr: Text(self.streams.said()) })
            }
            Err(error) => {
                let Execution { outcome, .. } = Execution::not_started(&error);
                Err(HookFailed::Ended { outcome, stderr: Text(self.streams.said()) })
            }
        }
    }

    /// Makes the keepers that commands need, ahead of them: what that touches is given back before they are executed.
    /// One that cannot be made is made, or missed, when it is needed.
    pub(super) fn make_keepers(&mut self) {
        let needed = [
            (Hook::Prepare, self.subjects.iter().any(|subject| subject.prepare.is_some())),
            (Hook::Conclude, self.subjects.iter().any(|subject| subject.conclude.is_some())),
        ];
        for (hook, _) in needed.into_iter().filter(|(_, is_needed)| *is_needed) {
            let kind = Kind { hook, extent: Extent::Stage };
            let _seen_when_needed = self.keep(kind);
        }
    }

    fn keep(&mut self, kind: Kind) -> io::Result<()> {
        if self.keepers.get(kind).is_none() {
            self.streams.for_hook()?;
            self.begin_keeper(kind)?;
        }
        Ok(())
    }

    fn below_its_keeper(&mut self, hook: usize, kind: Kind) -> io::Result<Executed> {
        self.keep(kind)?;
        self.streams.forget();
        let keeper = self.keepers.get(kind).ok_or(io::ErrorKind::NotFound)?;
        Ok(self.executor.hook(keeper, hook, self.padding))
    }

    /// Makes a keeper. It would inherit open events, which then counted what hooks start; and the first execution after
    /// it would have to copy what the two share, which the rehearsal does.
    fn begin_keeper(&mut self, kind: Kind) -> io::Result<()> {
        let aside = self.executor.extras.set_aside(Part::Counters);
        let terminal = self.executor.terminal.as_ref().map(Terminal::descriptor);
        let (spawner, hooks) = (&mut self.executor.spawner, &self.hooks[..]);
        let begun = self.keepers.begin(kind, Inherited { spawner, hooks, terminal });
        self.executor.extras.put_back(aside, &self.order);
        self.executor.orphans.leave_alone(begun?);
        if !signals::stopped() {
            self.rehearse();
        }
        Ok(())
    }
}

/// A hook that did not succeed.
enum HookFailed {
    Interrupted,
    Ended { outcome: Outcome, stderr: Text },
}

impl HookFailed {
    fn over(self, command: usize, hook: Hook) -> Over {
        match self {
            HookFailed::Interrupted => Over::Interrupted,
            HookFailed::Ended { outcome, stderr } => {
                Over::Stopped(Failure { command, hook: Some(hook), outcome, stderr })
            }
        }
    }
}
