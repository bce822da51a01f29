//! Services around an experiment: started before it in their order, stopped after it in reverse, whatever happens.
//!
//! Owns: their life, and what is recorded of it. [`ServiceSpec`] is a service as a file declares it, [`Services`] are
//! some that run, [`WithServices`] puts them around an [executor](crate::Executor). Refuses: to look after processes
//! itself: every service has a guard for that (`etalon_probe::service`), which outlives etalon by as long as it takes.

mod executor;
mod ready;
mod resolved;
mod spec;

use std::path::Path;
use std::time::Duration;

use etalon_core::model::{Note, Outcome, Service, ServiceEnd};
use etalon_probe::service::{Ended, Executed, Guard, GuardError, Line, Reply, Stopped};
use etalon_record::Text;

pub use crate::error::{ServiceError, Trouble};
pub use executor::WithServices;
pub use spec::{Ready, ServiceSpec, ServiceSpecs};

use crate::error::how;
use ready::Waiting;
use resolved::Resolved;

/// How often the user is asked whether to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// How long a command that prints a version may take.
const VERSION_WITHIN: Duration = Duration::from_secs(10);

/// The longest version that is kept, in characters.
const LONGEST_VERSION: usize = 200;

/// Whether the user asked to stop since this was called last.
pub(crate) type Interrupted<'a> = &'a mut dyn FnMut() -> bool;

/// Services that run. Dropping them stops them.
#[derive(Debug, Default)]
pub struct Services {
    /// In the order in which they were started.
    running: Vec<Running>,
    line: Line,
}

/// The end of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceReport {
    /// Its line in the record.
    pub service: Service,
    /// A remark about its end.
    pub remark: Option<Note>,
}

/// A service that was started.
#[derive(Debug)]
struct Running {
    name: String,
    start: String,
    version: Option<String>,
    guard: Guard,
    /// How it ended by itself.
    ended: Option<Ended>,
    within: Duration,
}

impl Services {
    /// Starts services one after the other; each is ready before the next is started. `environment` is etalon's own as
    /// `NAME=VALUE`, relative names are in the absolute directory `cwd`. Call it on the thread that lives longest.
    ///
    /// # Errors
    /// If one of them cannot be had, or the user interrupts it: then none is left.
    pub fn start(
        specs: &[ServiceSpec],
        environment: &[Text],
        cwd: &Path,
        interrupted: Interrupted<'_>,
    ) -> Result<Services, ServiceError> {
        let resolved = specs.iter().map(|spec| Resolved::from_spec(spec, environment, cwd));
        let resolved = resolved.collect::<Result<Vec<_>, _>>()?;
        let mut services = Services::default();
        for service in &resolved {
            if let Err(error) = services.add(service, interrupted) {
                let was_interrupted = matches!(error.trouble(), Trouble::Interrupted { .. });
                services.stop(was_interrupted, interrupted);
                return Err(error);
            }
        }
        Ok(services)
    }

    /// Whether everything that services name is there, before any of them is started; arguments are those of
    /// [`Services::start`].
    ///
    /// # Errors
    /// What is not there.
    pub fn find(
        specs: &[ServiceSpec],
        environment: &[Text],
        cwd: &Path,
    ) -> Result<(), ServiceError> {
        specs.iter().try_for_each(|spec| Resolved::from_spec(spec, environment, cwd).map(drop))
    }

    fn add(
        &mut self,
        service: &Resolved,
        interrupted: Interrupted<'_>,
    ) -> Result<(), ServiceError> {
        if let Some(address) = service.ready.address().filter(|it| it.try_connecting().is_ok()) {
            let (name, address) = (service.name.clone(), address.to_string());
            return Err(Trouble::Taken { name, address }.into());
        }
        let guard = Guard::start(&service.name, &service.setup, &mut self.line)
            .map_err(|error| Trouble::Guard { name: service.name.clone(), error })?;
        self.running.push(Running {
            name: service.name.clone(),
            start: service.start.clone(),
            version: None,
            guard,
            ended: None,
            within: Duration::from_nanos(service.setup.stop_within_ns),
        });
        let Some(running) = self.running.last_mut() else { return Ok(()) };
        let mut waiting = Waiting { service, running, interrupted };
        waiting.until_started()?;
        waiting.until_ready()?;
        waiting.ask_version()
    }

    /// Whether all are still there. Some µs for each.
    ///
    /// # Errors
    /// Which one has ended by itself, and how.
    pub fn check(&mut self) -> Result<(), ServiceError> {
        for running in &mut self.running {
            running.listen(Duration::ZERO)?;
            if let Some(ended) = &running.ended {
                return Err(Trouble::Died {
                    name: running.name.clone(),
                    start: running.start.clone(),
                    outcome: ended.outcome.clone(),
                    log: running.log(),
                }
                .into());
            }
        }
        Ok(())
    }

    /// Stops all of them, the last first, and says what became of each, in the order in which they were started. The
    /// second request of the user to stop kills them; the first may have come before (`was_interrupted`).
    pub fn stop(
        &mut self,
        was_interrupted: bool,
        interrupted: Interrupted<'_>,
    ) -> Vec<ServiceReport> {
        let mut reports = Vec::new();
        let mut hurry = if was_interrupted { Hurry::Some } else { Hurry::None };
        while let Some(mut running) = self.running.pop() {
            let stopped = running.stop(&mut hurry, interrupted);
            reports.push(running.report(stopped));
        }
        reports.reverse();
        reports
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        self.stop(false, &mut || false);
    }
}

/// How much of a hurry the user is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hurry {
    /// None.
    None,
    /// The user has asked to stop.
    Some,
    /// The user has asked twice.
    Great,
}

impl Running {
    /// The guard's message within this time. An end of the service is remembered.
    fn listen(&mut self, patience: Duration) -> Result<Option<Reply>, ServiceError> {
        let said = self.guard.listen(patience).map_err(|error| self.lost(error))?;
        if let Some(Reply::Ended(ended)) = &said {
            self.ended = Some(ended.clone());
        }
        Ok(said)
    }

    fn lost(&self, error: GuardError) -> ServiceError {
        Trouble::Guard { name: self.name.clone(), error }.into()
    }

    /// The end of what it has written.
    fn log(&self) -> Text {
        Text(self.guard.log().end())
    }

    /// Has it stopped, and waits for that; nothing if its guard is gone.
    fn stop(&mut self, hurry: &mut Hurry, interrupted: Interrupted<'_>) -> Option<Stopped> {
        let _what_was_said = self.listen(Duration::ZERO);
        let asked = if *hurry == Hurry::Great { self.guard.kill() } else { self.guard.stop() };
        asked.ok()?;
        loop {
            match self.listen(PATIENCE) {
                Ok(Some(Reply::Stopped(stopped))) => return Some(stopped),
                Ok(_) => {}
                Err(_) => return None,
            }
            if interrupted() {
                *hurry = match hurry {
                    Hurry::None => Hurry::Some,
                    Hurry::Some | Hurry::Great => Hurry::Great,
                };
                if *hurry == Hurry::Great {
                    self.guard.kill().ok()?;
                }
            }
        }
    }

    fn report(self, stopped: Option<Stopped>) -> ServiceReport {
        let gone =
            Stopped { outcome: Outcome::Killed { signal: KILLED }, killed: 1, stop_failed: None };
        let Stopped { outcome, killed, stop_failed } = stopped.unwrap_or(gone);
        let remark = match (&self.ended, stop_failed) {
            (Some(_), _) => None, // that is an error
            (None, Some(failed)) => Some(self.not_stopped(&failed)),
            (None, None) if killed > 0 => {
                Some(format!("did not stop within {:?}, and was killed", self.within))
            }
            (None, None) => None,
        };
        let (ended, outcome) = match &self.ended {
            Some(ended) => (ServiceEnd::Itself, ended.outcome.clone()),
            None if killed > 0 => (ServiceEnd::Killed, outcome),
            None => (ServiceEnd::Stopped, outcome),
        };
        let log = self.log().to_string_lossy().into_owned();
        let log_bytes = self.guard.log().bytes();
        let about = format!("service {}", self.name);
        let Running { name, start, version, .. } = self;
        ServiceReport {
            service: Service { name, start, version, ended, outcome, killed, log_bytes, log },
            remark: remark.map(|text| Note::new(about, text)),
        }
    }

    fn not_stopped(&self, failed: &Executed) -> String {
        let last = failed.output.to_string_lossy();
        let last = last.lines().last().map_or_else(String::new, |line| format!(" ({line})"));
        format!("its stop command {}{last}; it was ended by a signal", how(&failed.outcome))
    }
}

/// SIGKILL.
const KILLED: i32 = 9;

/// The first line that says something.
fn first_line(output: &Text) -> Option<String> {
    let text = output.to_string_lossy();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(LONGEST_VERSION).collect())
}
