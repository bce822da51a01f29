//! Waiting until a service is ready, or it is known that it will not be.

use std::time::{Duration, Instant};

use etalon_core::model::Outcome;
use etalon_probe::launcher::protocol::Execute;
use etalon_probe::service::{Executed, Reply};
use etalon_record::Text;

use super::resolved::{Resolved, WhenReady};
use super::{Interrupted, PATIENCE, Running, VERSION_WITHIN, first_line};
use crate::error::{ServiceError, Trouble, how};

/// The pause between two attempts is this at first, and grows to [`PATIENCE`]: many services are ready in a moment.
const FIRST_PAUSE: Duration = Duration::from_millis(5);

/// An attempt to see whether a service answers.
enum Attempt {
    Ready,
    Failed(String),
    /// The deadline came before it was over.
    CutShort,
}

impl Attempt {
    fn from_result(tried: Result<(), String>) -> Attempt {
        tried.map_or_else(Attempt::Failed, |()| Attempt::Ready)
    }
}

/// Waiting for a service.
pub(super) struct Waiting<'w> {
    pub(super) service: &'w Resolved,
    pub(super) running: &'w mut Running,
    pub(super) interrupted: Interrupted<'w>,
}

impl Waiting<'_> {
    /// Has it started, and waits for that.
    pub(super) fn until_started(&mut self) -> Result<(), ServiceError> {
        let Resolved { name, start, .. } = self.service;
        self.running.guard.begin().map_err(|error| self.running.lost(error))?;
        loop {
            match self.running.listen(PATIENCE)? {
                Some(Reply::NotStarted { why }) => {
                    let (name, start) = (name.clone(), start.clone());
                    return Err(Trouble::NotStarted { name, start, why }.into());
                }
                Some(_) => return Ok(()),
                None => self.go_on()?,
            }
        }
    }

    /// Tries until it answers.
    pub(super) fn until_ready(&mut self) -> Result<(), ServiceError> {
        let deadline = Instant::now() + self.service.within;
        let mut pause = FIRST_PAUSE;
        let mut last = None;
        loop {
            let tried = self.attempt(deadline)?;
            let is_ready = matches!(tried, Attempt::Ready);
            self.running.listen(if is_ready { Duration::ZERO } else { pause })?;
            self.still_there()?;
            self.go_on()?;
            match tried {
                Attempt::Ready => return Ok(()),
                // It says less than an attempt before it.
                Attempt::CutShort => {}
                Attempt::Failed(why) => last = Some(why),
            }
            if Instant::now() >= deadline {
                return Err(self.too_late(last.as_deref().unwrap_or("it took too long")));
            }
            pause = PATIENCE.min(pause * 2);
        }
    }

    /// Whether it answers now.
    fn attempt(&mut self, deadline: Instant) -> Result<Attempt, ServiceError> {
        let service = self.service;
        match &service.ready {
            WhenReady::Tcp(address) => Ok(Attempt::from_result(address.try_connecting())),
            WhenReady::Http(request, wanted) => {
                let mut stopped = false;
                let answer = request.send(&mut || {
                    stopped = stopped || (self.interrupted)();
                    !stopped && Instant::now() < deadline
                });
                if stopped {
                    return Err(self.was_interrupted());
                }
                let answered = answer.and_then(|status| match wanted {
                    Some(wanted) if status == *wanted => Ok(()),
                    None if (200..400).contains(&status) => Ok(()),
                    _ => Err(format!("the answer has status {status}")),
                });
                Ok(Attempt::from_result(answered))
            }
            WhenReady::Command(_, execute) => {
                let left = deadline.saturating_duration_since(Instant::now());
                let Executed { outcome, output } = self.execute(execute, left)?;
                let last = || output.to_string_lossy().lines().last().map(str::to_owned);
                let said = || last().map_or_else(String::new, |line| format!(": {line}"));
                Ok(match outcome {
                    Outcome::Ok => Attempt::Ready,
                    Outcome::TimedOut => Attempt::CutShort,
                    outcome => Attempt::Failed(format!("it {}{}", how(&outcome), said())),
                })
            }
        }
    }

    /// Asks for its version, if it is said how.
    pub(super) fn ask_version(&mut self) -> Result<(), ServiceError> {
        let Some((command, execute)) = &self.service.version else { return Ok(()) };
        let Executed { outcome, output } = self.execute(execute, VERSION_WITHIN)?;
        if outcome != Outcome::Ok {
            let (name, command) = (self.service.name.clone(), command.clone());
            return Err(Trouble::NoVersion { name, command, outcome, output }.into());
        }
        self.running.version = first_line(&output);
        Ok(())
    }

    /// Executes a command beside it to its end.
    fn execute(&mut self, execute: &Execute, within: Duration) -> Result<Executed, ServiceError> {
        let asked = self.running.guard.execute(execute, within);
        asked.map_err(|error| self.running.lost(error))?;
        loop {
            if let Some(Reply::Executed(executed)) = self.running.listen(PATIENCE)? {
                return Ok(executed);
            }
            self.still_there()?;
            self.go_on()?;
        }
    }

    fn still_there(&self) -> Result<(), ServiceError> {
        let Some(ended) = &self.running.ended else { return Ok(()) };
        Err(Trouble::EndedEarly {
            name: self.service.name.clone(),
            start: self.service.start.clone(),
            waited_for: match &self.service.ready {
                WhenReady::Tcp(address) => format!("{address} answered"),
                WhenReady::Http(request, _) => format!("{request} answered"),
                WhenReady::Command(command, _) => format!("`{command}` succeeded"),
            },
            outcome: ended.outcome.clone(),
            log: self.running.log(),
        }
        .into())
    }

    fn go_on(&mut self) -> Result<(), ServiceError> {
        if (self.interrupted)() { Err(self.was_interrupted()) } else { Ok(()) }
    }

    fn was_interrupted(&self) -> ServiceError {
        Trouble::Interrupted { name: self.service.name.clone() }.into()
    }

    fn too_late(&self, last: &str) -> ServiceError {
        let log: Text = self.running.log();
        Trouble::NotReady {
            name: self.service.name.clone(),
            start: self.service.start.clone(),
            waited_for: match &self.service.ready {
                WhenReady::Tcp(address) => format!("{address} did not answer"),
                WhenReady::Http(request, Some(status)) => {
                    format!("{request} did not answer with status {status}")
                }
                WhenReady::Http(request, None) => format!("{request} did not answer well"),
                WhenReady::Command(command, _) => format!("`{command}` did not succeed"),
            },
            within: format!("{:?}", self.service.within),
            last: format!(" ({last})"),
            log,
        }
        .into()
    }
}
