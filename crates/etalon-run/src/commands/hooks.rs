//! What is executed once before and once after a stage.
//!
//! A setup or cleanup that several commands of a stage share is executed once, in the order of the
//! commands. Refuses to leave a cleanup out: only etalon's own end or a second interrupt does.

use etalon_core::model::{Note, Outcome};
use etalon_core::plan::Stage;
use etalon_probe::launcher::protocol::{Execute, Failure, Hook, Perform};

use crate::error::RunError;
use crate::monitor::Monitor;

/// What is executed once around all executions of a command in a stage.
#[derive(Debug, Clone, Default)]
pub struct StageHooks {
    /// Before the first.
    pub setup: Option<Execute>,
    /// After the last, also after a failure or an interrupt.
    pub cleanup: Option<Execute>,
}

/// All setups and cleanups, each once, and which command has which.
#[derive(Debug)]
pub(super) struct HookTable {
    /// What the launcher is set up with; the others refer to it by index.
    pub(super) distinct: Vec<Execute>,
    setups: Vec<Option<usize>>,
    cleanups: Vec<Option<usize>>,
}

impl HookTable {
    /// The hooks of commands, in the commands' order.
    pub(super) fn of(hooks: &[StageHooks]) -> HookTable {
        let mut distinct: Vec<Execute> = Vec::new();
        let mut place = |hook: &Option<Execute>| {
            let hook = hook.as_ref()?;
            let same = |other: &Execute| other.path == hook.path && other.argv == hook.argv;
            let known = distinct.iter().position(same);
            Some(known.unwrap_or_else(|| {
                distinct.push(hook.clone());
                distinct.len() - 1
            }))
        };
        let setups = hooks.iter().map(|hooks| place(&hooks.setup)).collect();
        let cleanups = hooks.iter().map(|hooks| place(&hooks.cleanup)).collect();
        HookTable { distinct, setups, cleanups }
    }

    /// What a stage needs, each once, in the order of its commands.
    pub(super) fn of_stage(&self, stage: &Stage, role: Hook) -> Vec<Perform> {
        let of_commands = if role == Hook::Setup { &self.setups } else { &self.cleanups };
        let mut performs: Vec<Perform> = Vec::new();
        for &command in &stage.subjects {
            let Some(hook) = of_commands.get(command).copied().flatten() else { continue };
            if performs.iter().all(|known| known.hook != hook) {
                performs.push(Perform { hook, role, command });
            }
        }
        performs
    }
}

/// A hook's failure stands in the record: no observation tells of it.
pub(super) fn note_failure(failure: &Failure, monitor: &Monitor<'_>) -> Result<(), RunError> {
    let hook = match failure.hook {
        None => return Ok(()),
        Some(Hook::Setup) => "--setup",
        Some(Hook::Prepare) => "--prepare",
        Some(Hook::Conclude) => "--conclude",
        Some(Hook::Cleanup) => "--cleanup",
    };
    let how = match &failure.outcome {
        Outcome::Ok => return Ok(()),
        Outcome::Failed { code } => format!("exited with code {code}"),
        Outcome::Killed { signal } => format!("was ended by signal {signal}"),
        Outcome::TimedOut => "took longer than --timeout".to_owned(),
        Outcome::Suspended => "was suspended".to_owned(),
        Outcome::NotStarted { why } => format!("could not be started: {why}"),
    };
    let about = monitor.experiment.label(failure.command);
    monitor.records.note(&Note { about, text: format!("{hook} {how}") })
}

#[cfg(test)]
mod tests {
    use etalon_record::Text;

    use super::*;

    fn hook(name: &str) -> Option<Execute> {
        Some(Execute { path: Text::from(name), argv: vec![Text::from(name)] })
    }

    #[test]
    fn a_stage_performs_each_hook_once_in_the_order_of_its_commands() {
        let around = |setup, cleanup| StageHooks { setup, cleanup };
        let hooks = HookTable::of(&[
            around(hook("b"), hook("z")),
            around(None, None),
            around(hook("a"), hook("b")),
            around(hook("b"), hook("z")),
        ]);
        assert_eq!(hooks.distinct.len(), 3);
        let performed = |subjects: &[usize], role| -> Vec<(String, usize)> {
            let stage = Stage { subjects: subjects.to_vec() };
            let name = |p: &Perform| hooks.distinct[p.hook].path.to_string_lossy().into_owned();
            hooks.of_stage(&stage, role).iter().map(|p| (name(p), p.command)).collect()
        };
        let all = [0, 1, 2, 3];
        assert_eq!(performed(&all, Hook::Setup), [("b".into(), 0), ("a".into(), 2)]);
        assert_eq!(performed(&all, Hook::Cleanup), [("z".into(), 0), ("b".into(), 2)]);
        assert_eq!(performed(&[3], Hook::Setup), [("b".into(), 3)]);
        assert_eq!(performed(&[1], Hook::Cleanup), []);
    }
}
