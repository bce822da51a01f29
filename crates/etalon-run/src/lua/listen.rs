//! Asking a worker and waiting for what it says: how long is too long, and what its end means.

use std::time::Duration;

use etalon_core::model::Outcome;
use etalon_lua::{Answer, Failed, Limits, Request, Stage, Worker, WorkerError};
use etalon_probe::clock;

use super::failure::CaseFailure;
use crate::error::RunError;

/// How often the user is asked whether to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// The words of every Lua that gets no memory.
const OUT_OF_MEMORY: &str = "not enough memory";

/// The result of a request.
pub(super) enum Reply<T> {
    Answer(T),
    /// The case, or its process, did not get there.
    Failed(CaseFailure),
    /// The user asked to stop.
    Interrupted,
}

/// Whoever waits for workers.
pub(super) struct Listener<'a> {
    /// Whether the user asked to stop since this was called last.
    pub(super) interrupted: &'a mut dyn FnMut() -> bool,
    /// The longest that nothing may be heard of a request under way.
    pub(super) timeout: Duration,
    /// The limits of workers.
    pub(super) limits: Limits,
}

impl Listener<'_> {
    /// Asks, and hands everything that is said to `take` until that has the answer. A worker that
    /// takes too long is not killed here: whoever owns it drops it.
    pub(super) fn ask<T>(
        &mut self,
        worker: &mut Worker,
        request: &Request,
        mut take: impl FnMut(Answer) -> Result<Option<T>, RunError>,
    ) -> Result<Reply<T>, RunError> {
        if let Err(error) = worker.ask(request) {
            return out_of_order(error).map(Reply::Failed);
        }
        let mut heard_ns = clock::now_ns();
        let mut failed: Option<Failed> = None;
        loop {
            // Before waiting, too: workers may be answering all the time.
            if (self.interrupted)() {
                return Ok(Reply::Interrupted);
            }
            let said = match worker.wait(PATIENCE) {
                Ok(said) => said,
                Err(error) => return out_of_order(error).map(Reply::Failed),
            };
            match said {
                Some(Answer::Failed(failure)) => failed = Some(failure),
                Some(Answer::Ended(outcome)) => {
                    let is_syntax =
                        failed.as_ref().is_some_and(|failed| failed.stage == Stage::Syntax);
                    let failed = failed.map(|failed| self.message_of(failed));
                    let failure = failure_of(outcome, failed);
                    return Ok(Reply::Failed(CaseFailure { is_syntax, ..failure }));
                }
                Some(answer) => {
                    if let Some(found) = take(answer)? {
                        return Ok(Reply::Answer(found));
                    }
                    heard_ns = clock::now_ns();
                    continue; // more may be there already
                }
                None => {}
            }
            if Duration::from_nanos(clock::now_ns() - heard_ns) > self.timeout {
                return Ok(Reply::Failed(self.too_long(failed)));
            }
        }
    }

    /// The failure of a worker that does not get on; after an error it is putting away what was set up.
    fn too_long(&self, failed: Option<Failed>) -> CaseFailure {
        let seconds = self.timeout.as_secs_f64();
        let message = match failed {
            Some(failed) => format!(
                "{}; what its hooks and teardown did then took longer than {seconds} s",
                self.message_of(failed)
            ),
            None => format!("took longer than {seconds} s: --timeout allows more"),
        };
        CaseFailure::new(Outcome::TimedOut, message)
    }

    /// A worker's message of an error, with the limit that it met.
    fn message_of(&self, Failed { stage, message }: Failed) -> String {
        let message = match stage.as_str() {
            "syntax" | "load" | "run" => message,
            other => format!("{message} (in {other})"),
        };
        match self.limits.memory.filter(|_| message.contains(OUT_OF_MEMORY)) {
            Some(memory) => format!("{message}; {memory}"),
            None => message,
        }
    }
}

/// A worker that says nonsense, or does not listen, is what a suite has made of it: the FFI and C
/// modules reach everything in a process. The others go on.
fn out_of_order(error: WorkerError) -> Result<CaseFailure, RunError> {
    match error {
        WorkerError::Deaf | WorkerError::Garbled { .. } => {
            Ok(CaseFailure::new(Outcome::Failed { code: 1 }, error.to_string()))
        }
        error => Err(RunError::Worker(error)),
    }
}

/// The failure of a process that ended unasked.
fn failure_of(outcome: Outcome, failed: Option<String>) -> CaseFailure {
    if let Some(message) = failed {
        return CaseFailure::new(Outcome::Failed { code: 1 }, message);
    }
    let message = match &outcome {
        // Code 0 is no success: nothing was measured.
        Outcome::Ok => "the suite ended its process (os.exit)".to_owned(),
        Outcome::Failed { code } => {
            format!("the suite ended its process with exit code {code} (os.exit)")
        }
        Outcome::Killed { signal } => outcome.stopped_by().map_or_else(
            || format!("its process was ended by signal {signal}"),
            |stopped| format!("its process {stopped}"),
        ),
        Outcome::NotStarted { why } => format!("its process could not be started: {why}"),
        Outcome::TimedOut | Outcome::Suspended => "its process ended".to_owned(),
    };
    let outcome = if outcome == Outcome::Ok { Outcome::Failed { code: 0 } } else { outcome };
    CaseFailure::new(outcome, message)
}
