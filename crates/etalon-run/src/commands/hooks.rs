//! Hooks that are executed once before and once after a stage.
//!
//! A setup or cleanup that several commands of a stage share is executed once, in the order of the commands. What hooks
//! leave running is ended after the cleanups, counted, and told in the record. Refuses to leave a cleanup out: only
//! etalon's own end or a second interrupt does.

use std::collections::{HashMap, HashSet};

use etalon_core::model::Note;
use etalon_core::plan::Stage;
use etalon_probe::launcher::Launcher;
use etalon_probe::launcher::protocol::{Execute, Extent, Hook, Leftover, Perform};

use super::requests::finish;
use crate::error::RunError;
use crate::experiment::Experiment;
use crate::monitor::Monitor;

/// Hooks that are executed once around all executions of a command in a stage.
#[derive(Debug, Clone, Default)]
pub struct StageHooks {
    /// Before anything else: a command without which it does not succeed is not installed.
    pub requires: Option<Execute>,
    /// Before the first.
    pub setup: Option<Execute>,
    /// After the last, also after a failure or an interrupt.
    pub cleanup: Option<Execute>,
}

/// Hooks that are executed once around all stages.
#[derive(Debug, Clone, Default)]
pub struct AroundAll {
    /// Before the first.
    pub setup: Option<Execute>,
    /// After the last, also after a failure or an interrupt.
    pub cleanup: Option<Execute>,
}

/// All setups and cleanups, each once, and which command has which.
#[derive(Debug)]
pub(super) struct HookTable {
    /// The programs that the launcher is set up with; the others refer to them by index.
    pub(super) distinct: Vec<Execute>,
    requirements: Vec<Option<usize>>,
    setups: Vec<Option<usize>>,
    cleanups: Vec<Option<usize>>,
    around_all: [Option<usize>; 2],
}

impl HookTable {
    /// The hooks of commands, in the commands' order.
    pub(super) fn from_hooks(hooks: &[StageHooks], around_all: &AroundAll) -> HookTable {
        let mut distinct: Vec<Execute> = Vec::new();
        let mut places: HashMap<Execute, usize> = HashMap::new();
        let mut place = |hook: &Option<Execute>| {
            let hook = hook.as_ref()?;
            Some(*places.entry(hook.clone()).or_insert_with(|| {
                distinct.push(hook.clone());
                distinct.len() - 1
            }))
        };
        let requirements = hooks.iter().map(|hooks| place(&hooks.requires)).collect();
        let setups = hooks.iter().map(|hooks| place(&hooks.setup)).collect();
        let cleanups = hooks.iter().map(|hooks| place(&hooks.cleanup)).collect();
        let around_all = [&around_all.setup, &around_all.cleanup].map(&mut place);
        HookTable { distinct, requirements, setups, cleanups, around_all }
    }

    /// The hook around all stages; failures are told of this command.
    pub(super) fn around_all(&self, role: Hook, command: usize) -> Option<Perform> {
        let [setup, cleanup] = self.around_all;
        let hook = if role == Hook::Setup { setup } else { cleanup };
        hook.map(|hook| Perform { hook, role, command, extent: Extent::All })
    }

    /// Whether these are executed for the same commands.
    pub(super) fn requires(&self, command: usize, hook: usize) -> bool {
        self.requirements.get(command).copied().flatten() == Some(hook)
    }

    /// The hooks of a stage, each once, in the order of its commands.
    pub(super) fn for_stage(&self, stage: &Stage, role: Hook) -> Vec<Perform> {
        let of_commands = match role {
            Hook::Requires => &self.requirements,
            Hook::Setup => &self.setups,
            _ => &self.cleanups,
        };
        let mut seen = HashSet::new();
        let hook = |&command: &usize| Some((command, of_commands.get(command).copied().flatten()?));
        let once = stage.subjects.iter().filter_map(hook).filter(|(_, hook)| seen.insert(*hook));
        let extent = Extent::Stage;
        once.map(|(command, hook)| Perform { hook, role, command, extent }).collect()
    }
}

/// Processes that hooks had left running when they were ended, over all stages.
#[derive(Debug, Default)]
pub(crate) struct Leftovers(Vec<Leftover>);

impl Leftovers {
    /// Adds those of a stage, or the last.
    fn add(&mut self, found: &[Leftover]) {
        for &Leftover { hook, processes } in found {
            match self.0.iter_mut().find(|known| known.hook == hook) {
                Some(known) => known.processes += processes,
                None => self.0.push(Leftover { hook, processes }),
            }
        }
    }

    /// Has a launcher end what has to end now, and adds what that was. With the last, all stands in the record.
    pub(crate) fn end(
        &mut self,
        launcher: &mut Launcher,
        extent: Extent,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), RunError> {
        if launcher.has_hooks() {
            launcher.end(extent).map_err(RunError::Launcher)?;
            self.add(&finish(launcher, monitor, |_| Ok(()))?.leftovers);
        }
        if extent == Extent::All {
            for leftover in std::mem::take(&mut self.0) {
                monitor.records.note(&told(leftover, monitor.experiment))?;
            }
        }
        Ok(())
    }
}

fn told(Leftover { hook, processes }: Leftover, experiment: &Experiment) -> Note {
    let called = experiment.called(hook);
    let (noun, verb) = if processes == 1 { ("process", "was") } else { ("processes", "were") };
    let text = format!("{processes} {noun} that {called} started {verb} ended after cleanup");
    Note::new("hooks", text)
}

#[cfg(test)]
mod tests {
    use etalon_record::Text;

    use super::*;

    fn hook(name: &str) -> Option<Execute> {
        let (path, argv) = (Text::from(name), vec![Text::from(name)]);
        Some(Execute { path, argv, ..Execute::default() })
    }

    #[test]
    fn a_stage_performs_each_hook_once_in_the_order_of_its_commands() {
        let around = |setup, cleanup| StageHooks { requires: None, setup, cleanup };
        let hooks = HookTable::from_hooks(
            &[
                around(hook("b"), hook("z")),
                around(None, None),
                around(hook("a"), hook("b")),
                around(hook("b"), hook("z")),
            ],
            &AroundAll { setup: hook("z"), cleanup: hook("c") },
        );
        assert_eq!(hooks.distinct.len(), 4);
        let all = |role| hooks.around_all(role, 7).map(|it| (it.hook, it.command));
        assert_eq!((all(Hook::Setup), all(Hook::Cleanup)), (Some((2, 7)), Some((3, 7))));
        let performed = |subjects: &[usize], role| -> Vec<(String, usize)> {
            let stage = Stage { subjects: subjects.to_vec() };
            let name = |p: &Perform| hooks.distinct[p.hook].path.to_string_lossy().into_owned();
            hooks.for_stage(&stage, role).iter().map(|p| (name(p), p.command)).collect()
        };
        let all = [0, 1, 2, 3];
        assert_eq!(performed(&all, Hook::Setup), [("b".into(), 0), ("a".into(), 2)]);
        assert_eq!(performed(&all, Hook::Cleanup), [("z".into(), 0), ("b".into(), 2)]);
        assert_eq!(performed(&[3], Hook::Setup), [("b".into(), 3)]);
        assert_eq!(performed(&[1], Hook::Cleanup), []);
    }
}
