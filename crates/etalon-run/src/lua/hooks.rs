//! Commands around cases: once around a stage, and around every process of a case.
//!
//! Owns the launcher that executes them, if there are any. Refuses to measure anything with it.

use std::cell::RefCell;
use std::path::PathBuf;

use etalon_probe::launcher::Launcher;
use etalon_probe::launcher::protocol::{Control, Execute, Extent, Hook, Perform, Setup, Stdio};
use etalon_record::Text;

use crate::commands::{Leftovers, perform, set_up, wait_until_ready};
use crate::error::RunError;
use crate::executor::Flow;
use crate::monitor::Monitor;
use crate::record::Records;

/// Commands around cases, and how they are executed.
#[derive(Debug, Default)]
pub struct CaseHooks {
    /// Once before the first process of a stage.
    pub setup: Option<Execute>,
    /// Before every process of a case.
    pub prepare: Option<Execute>,
    /// After every block, once for each process that was prepared.
    pub conclude: Option<Execute>,
    /// Once after the last process of a stage, also after a failure or an interrupt.
    pub cleanup: Option<Execute>,
    /// Whether the first and the last of these are executed once around all stages instead.
    pub around_all: bool,
    /// Their environment, `NAME=VALUE`.
    pub environment: Vec<Text>,
    /// The absolute directory they are executed in.
    pub cwd: PathBuf,
}

/// The launcher that executes hooks.
#[derive(Debug, Default)]
pub(super) struct HookRunner {
    /// Which there are; their place is the launcher's index.
    roles: Vec<Hook>,
    /// Whether setup and cleanup are executed around all stages.
    around_all: bool,
    /// Absent where there are none.
    launcher: RefCell<Option<Launcher>>,
    leftovers: RefCell<Leftovers>,
}

impl HookRunner {
    /// Starts a launcher if there is anything for it to do.
    pub(super) fn start(
        hooks: &CaseHooks,
        control: &Control,
        timeout_ns: u64,
        records: &Records<'_>,
    ) -> Result<HookRunner, RunError> {
        let CaseHooks { setup, prepare, conclude, cleanup, around_all, environment, cwd } = hooks;
        let around_all = *around_all;
        let all = [
            (Hook::Setup, setup),
            (Hook::Prepare, prepare),
            (Hook::Conclude, conclude),
            (Hook::Cleanup, cleanup),
        ];
        let given = all.into_iter().filter_map(|(role, hook)| Some((role, hook.clone()?)));
        let (roles, hooks): (Vec<Hook>, Vec<Execute>) = given.unzip();
        if hooks.is_empty() {
            return Ok(HookRunner::default());
        }
        let setup = Setup {
            hooks,
            environment: environment.clone(),
            directory: Some(cwd.clone().into_os_string().into()),
            stdio: Stdio::default(),
            timeout_ns: Some(timeout_ns),
            control: control.clone(),
            ..Setup::default()
        };
        let mut launcher = Launcher::start().map_err(RunError::Launcher)?;
        set_up(&mut launcher, &setup, records)?;
        wait_until_ready(&mut launcher)?;
        let launcher = RefCell::new(Some(launcher));
        Ok(HookRunner { roles, around_all, launcher, leftovers: RefCell::default() })
    }

    /// Executes a hook for a case, if there is one of that kind.
    pub(super) fn perform(
        &self,
        role: Hook,
        case: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<Flow, RunError> {
        let hook = self.roles.iter().position(|known| *known == role);
        match (hook, self.launcher.borrow_mut().as_mut()) {
            (Some(hook), Some(launcher)) => {
                let is_around_all = self.around_all && matches!(role, Hook::Setup | Hook::Cleanup);
                let extent = if is_around_all { Extent::All } else { Extent::Stage };
                perform(launcher, Perform { hook, role, command: case, extent }, monitor)
            }
            _ => Ok(Flow::Continue(())),
        }
    }

    /// Ends what hooks have left running that has to end now.
    pub(super) fn end(&self, extent: Extent, monitor: &mut Monitor<'_>) -> Result<(), RunError> {
        match self.launcher.borrow_mut().as_mut() {
            Some(launcher) => self.leftovers.borrow_mut().end(launcher, extent, monitor),
            None => Ok(()),
        }
    }
}
