//! The executor of commands: hands blocks to the launcher, and waits for it.
//!
//! The launcher runs a whole batch ahead and records it; how it is asked is in [`super::requests`]. Refuses to decide how
//! many blocks there are to be.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStringExt;

use etalon_core::model::{
    Accept, Coordinates, Metric, NotStarted, Note, Observation, Outcome, Phase,
};
use etalon_core::plan::Stage;
use etalon_core::run_set::StoppedBy;
use etalon_probe::launcher::protocol::{self, Extent, Hook, OnFailure, Over, Setup};
use etalon_probe::launcher::{Finished, Launcher, paused_ns};
use etalon_probe::machine;
use etalon_record::Text;

use super::hooks::{HookTable, Leftovers};
use super::origins::Origins;
use super::requests::{finish, flow_of, perform, performs_in_order, set_up, wait_until_ready};
use super::setup::{CommandSetup, Failing};
use crate::error::{OriginError, RunError};
use crate::executor::{Batch, Executed, Executor, Flow, Stop};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;
use crate::state::Started;

/// Executions in a batch at most: the launcher holds a batch in memory.
const BATCH: usize = 2000;

/// Executes commands.
#[derive(Debug)]
pub struct Commands {
    pub(super) setup: CommandSetup,
    hooks: HookTable,
    launcher: Launcher,
    /// Of the stage under way: what is not installed, with what was said of it.
    missing: BTreeMap<usize, Text>,
    /// Whether a block was executed: from then on, what is printed was seen.
    has_executed: bool,
    /// The first command of the first stage, once that was begun.
    first: Option<usize>,
    /// The search for what each side is of, before anything is measured.
    origins: Option<Origins>,
    leftovers: Leftovers,
}

impl Commands {
    /// By this launcher, which has nothing to do yet.
    #[must_use]
    pub fn new(setup: CommandSetup, launcher: Launcher) -> Commands {
        let hooks = HookTable::from_hooks(&setup.hooks, &setup.around_all);
        let (missing, has_executed) = (BTreeMap::new(), false);
        let (origins, leftovers) = (None, Leftovers::default());
        let first = None;
        Commands { setup, hooks, launcher, missing, has_executed, first, origins, leftovers }
    }

    /// On two sides of a project: finds out before anything is measured what each command is of.
    #[must_use]
    pub fn on_sides(self, origins: Option<Origins>) -> Commands {
        Commands { origins, ..self }
    }

    /// Finds what a stage's commands are of, where that could not be found out before its hooks were executed.
    fn find_origins(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let Some(origins) = &mut self.origins else { return Ok(ControlFlow::Continue(())) };
        let missing = &self.missing;
        let is_there =
            |subject| stage.subjects.contains(&subject) && !missing.contains_key(&subject);
        match origins.find(&self.setup, is_there) {
            Err(RunError::Origin(OriginError::Interrupted)) => {
                monitor.was_interrupted = true;
                Ok(Stop::by(StoppedBy::Interrupt))
            }
            Err(error) => Err(error),
            Ok(facts) => {
                for (about, text) in facts {
                    monitor.records.note(&Note::new(about, text))?;
                }
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// In warm-up and first block: with every exit code accepted only a command that cannot be
    /// started stops; it never will be.
    fn on_failure(&self) -> OnFailure {
        if self.setup.failing == Failing::IsGivenUp {
            OnFailure::GiveUp
        } else if self.setup.commands.iter().all(|c| c.accept == Accept::Any) {
            OnFailure::StopIfNotStarted
        } else {
            OnFailure::Stop
        }
    }

    fn perform_all(
        &mut self,
        stage: &Stage,
        role: Hook,
        monitor: &mut Monitor<'_>,
    ) -> Result<Flow, RunError> {
        let subjects = stage.subjects.iter().copied();
        let subjects = subjects.filter(|subject| !self.missing.contains_key(subject)).collect();
        let performs = self.hooks.for_stage(&Stage { subjects }, role);
        performs_in_order(&mut self.launcher, &performs, monitor)
    }

    /// Finds out what of a stage is not installed.
    fn look_for(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.missing.clear();
        for hook in self.hooks.for_stage(stage, Hook::Requires) {
            self.launcher.perform(hook).map_err(RunError::Launcher)?;
            let over = finish(&mut self.launcher, monitor, |_| Ok(()))?;
            match over.why {
                // One that stopped itself has answered nothing.
                Over::Stopped(failure) if failure.outcome.stopped_by().is_none() => {
                    let with =
                        stage.subjects.iter().filter(|&&s| self.hooks.requires(s, hook.hook));
                    self.missing.extend(with.map(|&subject| (subject, failure.stderr.clone())));
                }
                _ => {
                    let flow = flow_of(over, monitor)?;
                    if flow.is_break() {
                        return Ok(flow);
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Leaves what is not installed out of blocks, and records that; which those were.
    fn without_missing(
        &self,
        batch: &Batch,
        monitor: &Monitor<'_>,
    ) -> Result<(Vec<Vec<usize>>, Vec<usize>), RunError> {
        let mut orders = batch.orders.clone();
        let missing: Vec<usize> = self.missing.keys().copied().collect();
        let missing: Vec<usize> = match orders.first() {
            Some(first) => missing.into_iter().filter(|subject| first.contains(subject)).collect(),
            None => Vec::new(),
        };
        for &benchmark in &missing {
            let (block, why) = (Some(batch.first), NotStarted::NotInstalled);
            let observation = Observation {
                outcome: Outcome::NotStarted { why },
                ..Observation::new(
                    benchmark,
                    Phase::Measured,
                    Coordinates { node: None, block, turn: None, at_ns: None },
                    Vec::new(),
                )
            };
            monitor.records.observation(&observation, self.missing.get(&benchmark))?;
        }
        orders.iter_mut().for_each(|order| order.retain(|subject| !missing.contains(subject)));
        Ok((orders, missing))
    }
}

impl Commands {
    /// Refuses a metric that no command printed in the first block: it is declared wrongly. Where all failed, nothing can
    /// be said of it.
    fn check_printed(
        &self,
        unseen: &[usize],
        given_up: &[usize],
        batch: &Batch,
    ) -> Result<(), RunError> {
        let executed = batch.orders.iter().flatten().any(|subject| !given_up.contains(subject));
        let first = unseen.first().and_then(|place| self.setup.printed.get(*place));
        match first {
            Some(printed) if executed => Err(RunError::NothingPrinted { metric: printed.metric }),
            _ => Ok(()),
        }
    }
}

impl Executor for Commands {
    fn begin(
        &mut self,
        experiment: &Experiment,
        records: &Records<'_>,
        started_ns: u64,
    ) -> Result<(), RunError> {
        let CommandSetup { commands, environment, cwd, stdio, timeout_ns, control, .. } =
            &self.setup;
        let setup = Setup {
            commands: commands.clone(),
            hooks: self.hooks.distinct.clone(),
            environment: environment.clone(),
            directory: Some(cwd.clone().into_os_string().into()),
            stdio: stdio.clone(),
            timeout_ns: *timeout_ns,
            control: control.clone(),
            counters: self.setup.counters,
            cgroup: self.setup.cgroup,
            // What is counted has the name of what perf counts, which the launcher would read.
            metrics: experiment.metrics.iter().map(|m| launched(m).to_owned()).collect(),
            printed: self.setup.printed.clone(),
            iterations: self.setup.iterations.clone(),
            started_ns,
        };
        set_up(&mut self.launcher, &setup, records)
    }

    fn start(
        &mut self,
        experiment: &Experiment,
        _: &Records<'_>,
        _: u64,
    ) -> Result<Started, RunError> {
        let CommandSetup { cwd, environment, .. } = &self.setup;
        let mut facts = machine::facts(cwd, environment.iter().filter_map(assignment));
        wait_until_ready(&mut self.launcher)?;
        let ready = self.launcher.ready();
        let ranked = &experiment.settings.metric;
        if let Some(missing) = ready.unavailable.iter().find(|u| u.metric == *ranked) {
            let (metric, why) = (ranked.clone(), missing.why.clone());
            return Err(RunError::NotAvailable { metric, why });
        }
        facts.extend(super::extras::facts(ready));
        if let Some(mut origins) = self.origins.take_if(|_| self.hooks.distinct.is_empty()) {
            facts.extend(origins.find(&self.setup, |_| true)?);
        }
        Ok(Started { facts, notes: super::extras::notes(ready), ..Started::default() })
    }

    fn batch_size(&self, stage: &Stage) -> u32 {
        u32::try_from((BATCH / stage.subjects.len().max(1)).max(1)).unwrap_or(1)
    }

    fn set_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        if self.first.is_none() {
            let first = stage.subjects.first().copied().unwrap_or(0);
            self.first = Some(first);
            if let Some(hook) = self.hooks.around_all(Hook::Setup, first) {
                let flow = perform(&mut self.launcher, hook, monitor)?;
                if flow.is_break() {
                    return Ok(flow);
                }
            }
        }
        let flow = self.look_for(stage, monitor)?;
        if flow.is_break() {
            return Ok(flow);
        }
        let flow = self.perform_all(stage, Hook::Setup, monitor)?;
        if flow.is_break() {
            return Ok(flow);
        }
        self.find_origins(stage, monitor)
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        let stops = batch.phase == Phase::Warmup || batch.first_of_stage;
        let (orders, mut given_up) = self.without_missing(batch, monitor)?;
        let is_empty = orders.iter().all(Vec::is_empty);
        let request = protocol::Batch {
            phase: batch.phase,
            first_block: batch.first,
            blocks: orders,
            padding: batch.padding.clone(),
            deadline_ns: batch.deadline_ns.map(|deadline| deadline + paused_ns()),
            on_failure: if stops { self.on_failure() } else { OnFailure::Continue },
        };
        self.launcher.begin(&request).map_err(RunError::Launcher)?;
        let over = finish(&mut self.launcher, monitor, |monitor| monitor.progress())?;
        let Finished { blocks, unseen, .. } = &over;
        let (blocks, unseen) = (*blocks, unseen.clone());
        given_up.extend(&over.given_up);
        let flow = flow_of(over, monitor)?;
        if !self.has_executed && !is_empty && batch.phase == Phase::Measured && flow.is_continue() {
            self.has_executed = true;
            self.check_printed(&unseen, &given_up, batch)?;
        }
        Ok(Executed { blocks, given_up, flow })
    }

    fn clean_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let cleaned = self.perform_all(stage, Hook::Cleanup, monitor)?;
        self.leftovers.end(&mut self.launcher, Extent::Stage, monitor)?;
        Ok(cleaned)
    }

    fn put_away(&mut self, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let cleaned = match self.first.and_then(|it| self.hooks.around_all(Hook::Cleanup, it)) {
            Some(hook) => perform(&mut self.launcher, hook, monitor)?,
            None => Flow::Continue(()),
        };
        self.leftovers.end(&mut self.launcher, Extent::All, monitor)?;
        Ok(cleaned)
    }

    fn gives_up(&self, outcome: &Outcome, first_block: bool) -> bool {
        let is_not_installed =
            matches!(outcome, Outcome::NotStarted { why: NotStarted::NotInstalled });
        let fails = outcome.is_failure() || matches!(outcome, Outcome::NotStarted { .. });
        self.setup.failing == Failing::IsGivenUp && fails && (first_block || is_not_installed)
    }

    /// The launcher ends while the record is read and shown.
    fn end(&mut self) {
        self.launcher.hang_up();
    }
}

/// The name of a metric for the launcher, which times and does not count.
fn launched(metric: &Metric) -> &str {
    if metric.is_of_work() { "" } else { &metric.name }
}

/// A variable and its value.
fn assignment(text: &Text) -> Option<(OsString, OsString)> {
    let text = text.as_bytes();
    let at = text.iter().position(|byte| *byte == b'=')?;
    let part = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    Some((part(&text[..at]), part(&text[at + 1..])))
}
