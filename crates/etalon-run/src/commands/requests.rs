//! Requests to a launcher, and their consequences.
//!
//! Owns: waiting, with interrupts passed on, and the note of a hook that failed. Refuses to know what is asked for.

use std::ops::ControlFlow;
use std::time::Duration;

use etalon_core::model::{Note, Outcome};
use etalon_core::run_set::StoppedBy;
use etalon_probe::launcher::protocol::{Failure, Hook, Over, Perform, Setup};
use etalon_probe::launcher::{Finished, Launcher, LauncherError};
use etalon_record::sink::WriteError;

use crate::error::{RunError, how};
use crate::executor::{Flow, Stop};
use crate::monitor::Monitor;
use crate::record::Records;

/// How often the user is asked whether to stop.
pub(super) const PATIENCE: Duration = Duration::from_millis(100);

/// The note where a launcher had to be continued.
const STOPPED: &str = "etalon's launcher was stopped by another process (a command that stops its parent does that), and \
                       was made to go on to end what it executed";

/// Tells a launcher what it executes; it appends to these files.
pub(crate) fn set_up(
    launcher: &mut Launcher,
    setup: &Setup,
    records: &Records<'_>,
) -> Result<(), RunError> {
    let (record, second) = records.destinations();
    launcher.set_up(setup, &record, second.as_ref()).map_err(RunError::Launcher)
}

/// Waits until a launcher that was told is ready.
pub(crate) fn wait_until_ready(launcher: &mut Launcher) -> Result<(), RunError> {
    launcher.wait_until_ready().map_err(|error| match error {
        LauncherError::Refused(refusal) => RunError::Refused(refusal),
        error => RunError::Launcher(error),
    })
}

/// Executes hooks one after the other. The first that fails ends it, unless they are cleanups: all of
/// those are executed, and the first failure is told.
pub(super) fn performs_in_order(
    launcher: &mut Launcher,
    performs: &[Perform],
    monitor: &mut Monitor<'_>,
) -> Result<Flow, RunError> {
    let mut result = ControlFlow::Continue(());
    for &hook in performs {
        let flow = perform(launcher, hook, monitor)?;
        let failed = matches!(&result, ControlFlow::Break(Stop { failure: Some(_), .. }));
        if !failed && flow.is_break() {
            result = flow;
        }
        if result.is_break() && hook.role != Hook::Cleanup {
            break;
        }
    }
    Ok(result)
}

/// Executes one hook.
pub(crate) fn perform(
    launcher: &mut Launcher,
    hook: Perform,
    monitor: &mut Monitor<'_>,
) -> Result<Flow, RunError> {
    launcher.perform(hook).map_err(RunError::Launcher)?;
    let over = finish(launcher, monitor, |_| Ok(()))?;
    flow_of(over, monitor)
}

/// Waits for what the launcher does; an interrupt is passed on to it.
pub(super) fn finish(
    launcher: &mut Launcher,
    monitor: &mut Monitor<'_>,
    meanwhile: impl Fn(&mut Monitor<'_>) -> Result<(), RunError>,
) -> Result<Finished, RunError> {
    loop {
        if let Some(over) = launcher.wait(Some(PATIENCE)).map_err(RunError::Launcher)? {
            monitor.records.count(over.appended);
            if over.appended.record > 0 {
                monitor.records.observed()?;
            }
            if over.was_stopped {
                monitor.records.note(&Note::new("execution", STOPPED))?;
            }
            return Ok(over);
        }
        if monitor.interrupted() {
            launcher.interrupt();
        }
        meanwhile(monitor)?;
    }
}

/// The consequence of a request's end.
pub(super) fn flow_of(over: Finished, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
    monitor.interrupted();
    Ok(match over.why {
        Over::Done if monitor.was_interrupted => Stop::by(StoppedBy::Interrupt),
        Over::Done => ControlFlow::Continue(()),
        Over::DeadlinePassed => Stop::by(StoppedBy::Budget),
        Over::Stopped(failure) => {
            note_failure(&failure, monitor)?;
            Stop::failed(failure)
        }
        Over::Interrupted => Stop::by(StoppedBy::Interrupt),
        Over::WriteFailed { path, why, safe } => {
            let path = path.as_os_str().into();
            return Err(RunError::Write(WriteError { path, why, safe }));
        }
    })
}

/// A hook's failure stands in the record: no observation tells of it.
fn note_failure(failure: &Failure, monitor: &Monitor<'_>) -> Result<(), RunError> {
    let Some(hook) = failure.hook else { return Ok(()) };
    let hook = monitor.experiment.called(hook);
    let how = match &failure.outcome {
        Outcome::Ok => return Ok(()),
        Outcome::TimedOut => format!("took longer than {}", monitor.experiment.timeout_called()),
        outcome => how(outcome),
    };
    let about = monitor.experiment.label(failure.command);
    monitor.records.note(&Note::new(about, format!("{hook} {how}")))
}
