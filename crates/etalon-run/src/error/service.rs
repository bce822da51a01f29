//! Errors of services, in words: which one, what was waited for, how it ended, its last lines, what to do.

use etalon_core::excerpt::excerpt;
use etalon_core::model::Outcome;
use etalon_probe::service::GuardError;
use etalon_record::Text;

/// Why services are not there.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ServiceError(Box<Trouble>);

impl ServiceError {
    /// The trouble itself.
    #[must_use]
    pub fn trouble(&self) -> &Trouble {
        &self.0
    }
}

impl From<Trouble> for ServiceError {
    fn from(trouble: Trouble) -> ServiceError {
        ServiceError(Box::new(trouble))
    }
}

/// A trouble with a service.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// A declaration cannot hold.
    #[error("service {name}: {what}: {why}")]
    Declared {
        /// The service.
        name: String,
        /// The key, or the text.
        what: String,
        /// Why, with a remedy.
        why: String,
    },
    /// Its address is in use.
    #[error(
        "service {name}: something else answers at {address} already: stop that, or give the service another address"
    )]
    Taken {
        /// The service.
        name: String,
        /// The address.
        address: String,
    },
    /// Its program could not be executed.
    #[error("service {name}: `{start}` could not be started: {why}")]
    NotStarted {
        /// The service.
        name: String,
        /// The command.
        start: String,
        /// The operating system's reason.
        why: String,
    },
    /// It ended before it was ready.
    #[error(
        "service {name}: `{start}` {} before {waited_for}{}\n  {}",
        how(outcome),
        lines(log),
        to_stay(outcome)
    )]
    EndedEarly {
        /// The service.
        name: String,
        /// The command.
        start: String,
        /// The event that was waited for.
        waited_for: String,
        /// How it ended.
        outcome: Outcome,
        /// The end of its log.
        log: Text,
    },
    /// It was not ready in time.
    #[error(
        "service {name}: `{start}` was started, but within {within} {waited_for}{last}{}\n  check what `ready` \
         names, or give it more time with ready_within",
        lines(log)
    )]
    NotReady {
        /// The service.
        name: String,
        /// The command.
        start: String,
        /// The event that was waited for, in vain.
        waited_for: String,
        /// How long.
        within: String,
        /// The last sight of it, in parentheses.
        last: String,
        /// The end of its log.
        log: Text,
    },
    /// The command that was to print its version did not.
    #[error(
        "service {name}: version: `{command}` {}{}\n  correct the command, or leave `version` out",
        how(outcome),
        lines(output)
    )]
    NoVersion {
        /// The service.
        name: String,
        /// The command.
        command: String,
        /// How it ended.
        outcome: Outcome,
        /// Its output.
        output: Text,
    },
    /// It ended while it was needed.
    #[error(
        "service {name} ended while something was measured: `{start}` {}{}\n  what was measured until then is kept, \
         some of it perhaps without the service",
        how(outcome),
        lines(log)
    )]
    Died {
        /// The service.
        name: String,
        /// The command.
        start: String,
        /// How it ended.
        outcome: Outcome,
        /// The end of its log.
        log: Text,
    },
    /// The user interrupted its start.
    #[error("interrupted before service {name} was ready: nothing was measured")]
    Interrupted {
        /// The service.
        name: String,
    },
    /// There is nobody to look after it.
    #[error("service {name}: {error}")]
    Guard {
        /// The service.
        name: String,
        /// Why.
        error: GuardError,
    },
}

/// How a process ended, as a verb.
pub(crate) fn how(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok => "exited with code 0".to_owned(),
        Outcome::Failed { code } => format!("exited with code {code}"),
        Outcome::Killed { signal } => outcome
            .stopped_by()
            .map_or_else(|| format!("was ended by signal {signal}"), |stopped| stopped.to_string()),
        Outcome::TimedOut => "took too long".to_owned(),
        Outcome::Suspended => "was suspended".to_owned(),
        Outcome::NotStarted { why } => format!("could not be started: {why}"),
    }
}

/// The first and the last lines of a text, each on a line of its own below a message.
fn lines(text: &Text) -> String {
    let lines = excerpt(&text.to_string_lossy());
    if lines.is_empty() {
        return "\n  it wrote nothing".to_owned();
    }
    lines.iter().map(|line| format!("\n  | {line}")).collect()
}

/// The remedy for one that did not stay.
fn to_stay(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => {
            "a service has to stay: its command goes on, or leaves a daemon behind (`docker run` without -d)"
        }
        _ => "execute the command by hand to see more; no shell is used for it",
    }
}
