//! Looking whether enough has been measured: at the precision, or at the verdicts.
//!
//! Looks are few and at blocks named beforehand, and each is recorded with what it spent. Refuses
//! to look at a p-value to decide about precision, and twice at the same data.

use std::ops::ControlFlow;

use etalon_core::analysis::{decided, settings_at, widest_half_width};
use etalon_core::model::{Look, StoppedBy};
use etalon_core::plan::{FEWEST_BLOCKS, Stopping, look_at};
use etalon_probe::launcher::awake_ns;

use crate::error::RunError;
use crate::execute::{Flow, Session, Under};

/// If the fewest blocks take more than this many budgets, the user is told.
const BUDGETS_WORTH_A_WARNING: f64 = 3.0;

impl Session<'_> {
    /// Whether earlier sittings did everything that a stage was to do.
    pub(crate) fn is_finished(&self, under: &Under) -> bool {
        let done = under.before.done;
        match (self.experiment.plan.stopping, &under.before.last_look) {
            (Stopping::Runs(runs), _) => done >= runs,
            (Stopping::Precision { target, .. }, Some(look)) => {
                look.blocks == done && look.widest.is_some_and(|widest| widest <= target)
            }
            _ => false,
        }
    }

    /// Executes blocks until the stopping rule holds or the time is spent.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(crate) fn until(&mut self, under: &mut Under, budget: f64) -> Result<Flow, RunError> {
        let budget = budget * under.stage.subjects.len() as f64;
        let a_block = (awake_ns() - under.began_ns) as f64 / 1e9 / f64::from(under.done.max(1));
        let expected = a_block * f64::from(FEWEST_BLOCKS);
        if expected > BUDGETS_WORTH_A_WARNING * budget {
            self.watcher.will_take(expected);
        }
        let deadline = under.began_ns + (budget * 1e9) as u64;
        let mut looked = under.before.last_look.as_ref().map_or(0, |look| look.blocks);
        let first = (0..).find(|look| look_at(*look) > looked).unwrap_or(0);
        for look in first.. {
            let most = (look > 0).then_some(deadline);
            let flow = self.blocks(under, look_at(look), most)?;
            let out_of_time = matches!(flow, ControlFlow::Break((StoppedBy::Budget, _)));
            if flow.is_break() && !out_of_time {
                return Ok(flow);
            }
            if under.done > looked {
                looked = under.done;
                if let Some(reason) = self.look(under)? {
                    return Ok(ControlFlow::Break((reason, None)));
                }
            }
            if out_of_time || awake_ns() >= deadline {
                return Ok(ControlFlow::Break((StoppedBy::Budget, None)));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Looks, and records that it did. What it stops for, if the rule holds.
    fn look(&mut self, under: &Under) -> Result<Option<StoppedBy>, RunError> {
        self.looks += 1;
        let run_set = self.records.read()?;
        let settings = &self.experiment.settings;
        let (settings, target) = match self.experiment.plan.stopping {
            Stopping::Decided { .. } => (settings_at(settings, self.looks), None),
            Stopping::Precision { target, .. } => (settings.clone(), Some(target)),
            Stopping::Runs(_) => return Ok(None),
        };
        let widest = widest_half_width(run_set.clone(), &under.stage.subjects, &settings)
            .map_err(RunError::Analysis)?;
        let alpha = target.is_none().then_some(settings.criteria.alpha);
        self.records.look(&Look { blocks: under.done, widest, alpha })?;
        let reason = match target {
            Some(target) => widest.filter(|w| *w <= target).map(|_| StoppedBy::Precision),
            None => decided(run_set, &self.experiment.settings, self.looks)
                .map_err(RunError::Analysis)?
                .then_some(StoppedBy::Decided),
        };
        Ok(reason)
    }
}
