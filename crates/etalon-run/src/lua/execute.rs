//! Executing an experiment on Lua cases: stage after stage, each until its stopping rule holds.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use etalon_core::analysis::{decided, half_widths, settings_at};
use etalon_core::model::{Look, StoppedBy};
use etalon_core::plan::{Stopping, look_at};
use etalon_probe::clock;
use etalon_probe::peers::Presence;
use etalon_record::store::NewRecord;

use super::experiment::{LuaExperiment, LuaStage};
use super::lines::Lines;
use crate::error::RunError;
use crate::execute::Finished;
use crate::experiment::{Output, Progress, Watcher};
use crate::record::Records;

/// Why a stage was left, if it was not for the number of blocks.
pub(super) type Flow = ControlFlow<StoppedBy>;

/// What the time of a case went into, in ns, its warm-up aside.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    /// Loading its file, and hooks before its first call.
    pub(super) before: f64,
    /// Samples.
    pub(super) samples: f64,
}

/// An execution under way.
pub(super) struct Session<'a> {
    pub(super) lines: Lines<'a>,
    pub(super) watcher: &'a mut dyn Watcher,
    /// `CLOCK_MONOTONIC` at the start.
    pub(super) started_ns: u64,
    /// Number of the next block in the run set.
    pub(super) next_block: u32,
    /// Cases that are not tried again.
    pub(super) dropped: Vec<bool>,
    /// What the time of each case went into.
    pub(super) spent: Vec<Spent>,
    /// Looks taken so far.
    looks: u32,
}

/// Executes an experiment into a new record (and a second file). The record is complete when this
/// returns, whatever happened; it is closed by whoever owns it.
///
/// # Errors
/// If the record cannot be begun: nothing was measured then.
pub fn execute(
    experiment: &LuaExperiment,
    record: &NewRecord,
    second: Option<&Output>,
    watcher: &mut dyn Watcher,
) -> Result<Finished, RunError> {
    let presence = Presence::announce();
    let records = Records::new(record, second, &experiment.settings.metric);
    let now = jiff::Timestamp::now().to_string();
    let lines = Lines::begin(records, experiment, &now)?;
    let mut session = Session {
        lines,
        watcher,
        started_ns: clock::now_ns(),
        next_block: 0,
        dropped: vec![false; experiment.cases.len()],
        spent: vec![Spent::default(); experiment.cases.len()],
        looks: 0,
    };
    let finished = match session.all() {
        Ok(stopped_by) => Finished::by(stopped_by, None),
        Err(error) => Finished::with(error),
    };
    Ok(session.lines.records.close(finished, &presence))
}

impl<'a> Session<'a> {
    pub(super) fn experiment(&self) -> &'a LuaExperiment {
        self.lines.experiment
    }

    fn all(&mut self) -> Result<StoppedBy, RunError> {
        let experiment = self.experiment();
        for (index, case) in experiment.cases.iter().enumerate() {
            if let Some(broken) = &case.broken {
                self.lines.broken((index, 0), broken)?;
            }
        }
        let mut last = match experiment.plan.stopping {
            Stopping::Runs(_) => StoppedBy::Runs,
            Stopping::Precision { .. } => StoppedBy::Precision,
            Stopping::Decided { .. } => StoppedBy::Decided,
        };
        // What is compared with in place of a case that broke, for the groups that follow.
        let mut instead = BTreeMap::new();
        for (number, stage) in experiment.stages.iter().enumerate() {
            let mut stage = stage.clone();
            let compared_with = stage.subjects[0];
            if let Some(&next) = instead.get(&compared_with) {
                stage.subjects[0] = next;
            }
            let flow = self.stage(&stage)?;
            self.note_spent(&stage)?;
            if self.dropped[compared_with] && !instead.contains_key(&compared_with) {
                let next = stage.subjects.iter().find(|&&case| !self.dropped[case]);
                instead.extend(next.map(|&next| (compared_with, next)));
            }
            match flow {
                ControlFlow::Break(StoppedBy::Interrupt) => return Ok(StoppedBy::Interrupt),
                ControlFlow::Break(StoppedBy::Budget) => last = StoppedBy::Budget,
                _ => {}
            }
            if number + 1 < experiment.stages.len() {
                self.watcher.stage_done(self.lines.records.record);
            }
        }
        Ok(last)
    }

    /// A stage until its stopping rule holds.
    #[allow(clippy::cast_precision_loss)] // a handful of cases
    fn stage(&mut self, stage: &LuaStage) -> Result<Flow, RunError> {
        let began_ns = clock::now_ns();
        let elapsed = || (clock::now_ns() - began_ns) as f64 / 1e9;
        let budget = match self.experiment().plan.stopping {
            Stopping::Runs(_) => None,
            Stopping::Precision { budget, .. } | Stopping::Decided { budget } => {
                Some(budget * stage.subjects.len() as f64)
            }
        };
        let mut look = 0;
        for done in 0.. {
            if stage.subjects.iter().all(|&case| self.dropped[case]) {
                return Ok(ControlFlow::Continue(()));
            }
            if let Stopping::Runs(runs) = self.experiment().plan.stopping
                && done >= runs
            {
                return Ok(ControlFlow::Continue(()));
            }
            let at_look = budget.is_some() && done == look_at(look);
            let over = look > 0 && budget.is_some_and(|budget| elapsed() >= budget);
            if at_look || over {
                look += u32::from(at_look);
                if let Some(reason) = self.look(stage, done)? {
                    return Ok(ControlFlow::Break(reason));
                }
                if budget.is_some_and(|budget| elapsed() >= budget) {
                    return Ok(ControlFlow::Break(StoppedBy::Budget));
                }
            }
            let flow = self.block(stage, done)?;
            if flow.is_break() {
                return Ok(flow);
            }
            self.tell(stage, done + 1, (elapsed(), budget));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Says which cases spent more on getting ready than on samples.
    fn note_spent(&mut self, stage: &LuaStage) -> Result<(), RunError> {
        for &case in &stage.subjects {
            let spent = std::mem::take(&mut self.spent[case]);
            if spent.before > spent.samples {
                self.lines.note(
                    case,
                    "loading the file and its hooks took more time than the samples; --budget TIME \
                     changes how many a process takes",
                )?;
            }
        }
        Ok(())
    }

    /// Looks whether enough has been measured, and records that it did.
    fn look(&mut self, stage: &LuaStage, done: u32) -> Result<Option<StoppedBy>, RunError> {
        self.looks += 1;
        let data = self.lines.records.read()?;
        let settings = &self.experiment().settings;
        let is_decided = matches!(self.experiment().plan.stopping, Stopping::Decided { .. });
        let at = if is_decided { settings_at(settings, self.looks) } else { settings.clone() };
        let all = half_widths(&data, &at).map_err(RunError::Analysis)?;
        let widths: Vec<Option<f64>> =
            stage.subjects.iter().map(|case| all.get(*case).copied().flatten()).collect();
        let present =
            || stage.subjects.iter().zip(&widths).filter(|(case, _)| !self.dropped[**case]);
        let widest: Option<Vec<f64>> = present().map(|(_, width)| *width).collect();
        let widest = widest.and_then(|widths| widths.into_iter().max_by(f64::total_cmp));
        let alpha = is_decided.then_some(at.alpha);
        self.lines.records.look(&Look { blocks: done, widest, alpha })?;
        if is_decided {
            let decided = decided(&data, Some(&stage.subjects), settings, self.looks);
            let decided = decided.map_err(RunError::Analysis)?;
            return Ok(decided.then_some(StoppedBy::Decided));
        }
        let precise = present().all(|(case, width)| {
            let target = self.experiment().cases[*case].case().and_then(|c| c.sampling.target);
            width.zip(target).is_some_and(|(width, target)| 2.0 * width <= target)
        });
        Ok(precise.then_some(StoppedBy::Precision))
    }

    fn tell(&mut self, stage: &LuaStage, done: u32, (elapsed, budget): (f64, Option<f64>)) {
        let of = match self.experiment().plan.stopping {
            Stopping::Runs(runs) => Some(runs),
            _ => None,
        };
        let a_block = elapsed / f64::from(done);
        let to_look = f64::from(look_at(0).saturating_sub(done)) * a_block;
        let seconds_left = match of {
            Some(runs) => f64::from(runs.saturating_sub(done)) * a_block,
            None => budget.map_or(0.0, |budget| budget - elapsed).max(to_look),
        };
        if done == 1 && budget.is_some_and(|budget| to_look > 3.0 * budget) {
            self.watcher.will_take(to_look);
        }
        if self.watcher.wants_progress() {
            self.watcher.progress(&Progress {
                command: (self.experiment().stages.len() > 1).then(|| stage.subjects[0]),
                warmup: false,
                blocks: done,
                of,
                medians: Vec::new(),
                seconds_left: Some(seconds_left.max(0.0)),
            });
        }
    }
}
