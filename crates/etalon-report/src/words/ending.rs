//! The end of what is left out for it, in words.

use etalon_core::model::Outcome;

use crate::text::clean;

/// The end of what was left out for it.
pub(crate) fn ending_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok => "measured".to_owned(),
        Outcome::Failed { code } => format!("exits with code {code}"),
        Outcome::Killed { signal } => format!("killed by signal {signal}"),
        Outcome::TimedOut => "takes too long".to_owned(),
        Outcome::Suspended => "was suspended".to_owned(),
        Outcome::NotStarted { why } => clean(&why.to_string()),
    }
}
