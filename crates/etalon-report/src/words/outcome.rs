//! How executions ended, in words.

use etalon_core::model::Outcome;

use crate::text::clean;

/// How something that was left out ended.
pub(crate) fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok => "measured".to_owned(),
        Outcome::Failed { code } => format!("exits with code {code}"),
        Outcome::Killed { signal } => format!("killed by signal {signal}"),
        Outcome::TimedOut => "takes too long".to_owned(),
        Outcome::Suspended => "was suspended".to_owned(),
        Outcome::NotStarted { why } => clean(&why.to_string()),
    }
}
