//! Looking whether enough has been measured: at the precision, or at the verdicts.
//!
//! Looks are few and at blocks named beforehand, and each is recorded with what it spent. A look reads
//! what is new of the record. Refuses to look at a p-value to decide about precision, and twice at
//! the same data.

use std::ops::ControlFlow;

use etalon_core::analysis::{decided, half_widths, settings_at};
use etalon_core::dataset::Dataset;
use etalon_core::plan::{Settings, Stage, Stopping};
use etalon_core::run_set::{Look, StoppedBy};

use crate::error::RunError;
use crate::execute::{Session, Under};
use crate::executor::{Flow, Stop};
use crate::experiment::Naming;

/// The half-widths over median of the subjects that are left in a stage.
struct Widths {
    /// The widest; absent if some interval does not exist.
    widest: Option<f64>,
    /// Whether each is what its subject is measured to.
    all_reached: bool,
}

impl Session<'_> {
    /// Whether earlier sittings did everything that a stage was to do.
    pub(crate) fn is_finished(&self, under: &Under) -> Result<bool, RunError> {
        let done = under.before.done;
        let limits = self.monitor.experiment.plan.limits;
        Ok(match (self.monitor.experiment.plan.stopping, &under.before.last_look) {
            (Stopping::Runs(runs), _) => done >= runs,
            (Stopping::Precision { .. } | Stopping::Decided { .. }, _)
                if limits.max.is_some_and(|max| done >= max) =>
            {
                true
            }
            (Stopping::Precision { .. }, Some(look)) if look.blocks == done => {
                let data = self.monitor.records.read()?;
                self.widths(&data, &under.stage, &self.monitor.experiment.settings).all_reached
            }
            _ => false,
        })
    }

    /// Executes blocks until the stopping rule holds or the time is spent.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(crate) fn until(&mut self, under: &mut Under, budget: f64) -> Result<Flow, RunError> {
        let budget = budget * under.stage.subjects.len() as f64;
        let limits = self.monitor.experiment.plan.limits;
        let flow = self.first_and_more(under, limits.first_look())?;
        if flow.is_break() || self.present(&under.stage).is_empty() {
            return Ok(flow);
        }
        let deadline = under.began_ns + (budget * 1e9) as u64;
        let mut looked = under.before.last_look.as_ref().map_or(0, |look| look.blocks);
        let mut at = self.monitor.experiment.plan.look_after(looked);
        loop {
            // The fewest blocks are measured however long they take.
            let until = (at > limits.first_look()).then_some(deadline);
            let flow = self.blocks(under, at, until)?;
            if self.present(&under.stage).is_empty() {
                return Ok(flow);
            }
            let out_of_time =
                matches!(&flow, ControlFlow::Break(Stop { by: StoppedBy::Budget, .. }));
            if flow.is_break() && !out_of_time {
                return Ok(flow);
            }
            if under.done > looked {
                looked = under.done;
                if let Some(reason) = self.look(under)? {
                    return Ok(Stop::by(reason));
                }
            }
            if limits.max.is_some_and(|max| under.done >= max) {
                return Ok(Stop::by(StoppedBy::Runs));
            }
            if out_of_time || self.executor.now_ns() >= deadline {
                return Ok(Stop::by(StoppedBy::Budget));
            }
            at = self.monitor.experiment.plan.look_after(at);
        }
    }

    /// Looks, and records that it did. What it stops for, if the rule holds.
    fn look(&mut self, under: &Under) -> Result<Option<StoppedBy>, RunError> {
        let records = self.monitor.records;
        let data = records.read()?;
        let settings = &self.monitor.experiment.settings;
        if let Stopping::Decided { .. } = self.monitor.experiment.plan.stopping {
            self.looks.take(under.done);
            let at = settings_at(settings, self.looks);
            let widest = self.widths(&data, &under.stage, &at).widest;
            records.look(&Look { blocks: under.done, widest, alpha: Some(at.criteria.alpha) })?;
            let decided = decided(&data, &under.stage.subjects, &at);
            let decided = decided.map_err(RunError::Analysis)?;
            return Ok(decided.then_some(StoppedBy::Decided));
        }
        let Widths { widest, all_reached } = self.widths(&data, &under.stage, settings);
        records.look(&Look { blocks: under.done, widest, alpha: None })?;
        Ok(all_reached.then_some(StoppedBy::Precision))
    }

    fn widths(&self, data: &Dataset, stage: &Stage, at: &Settings) -> Widths {
        let experiment = self.monitor.experiment;
        let target = |subject| match experiment.plan.stopping {
            Stopping::Precision { target, .. } => Some(experiment.target(subject, target)),
            _ => None,
        };
        let all = half_widths(data, at);
        let rows: Vec<usize> = match experiment.naming {
            // What a harness measured, which of it has the metric, and not the commands.
            Naming::Behind(_) => (experiment.benchmarks.len()..all.len()).collect(),
            Naming::Subjects | Naming::Harness(_) => {
                let left = stage.subjects.iter().copied();
                left.filter(|subject| !self.given_up[*subject]).collect()
            }
        };
        let left = || rows.iter().filter_map(|&row| Some((row, all.get(row)?)));
        let widths: Option<Vec<f64>> = left().map(|(_, width)| *width).collect();
        let reached = |(subject, width): (usize, &Option<f64>)| {
            width.zip(target(subject)).is_some_and(|(width, target)| width <= target)
        };
        Widths {
            widest: widths.and_then(|widths| widths.into_iter().max_by(f64::total_cmp)),
            all_reached: !rows.is_empty() && left().all(reached),
        }
    }
}
