//! Exit codes of files that have nothing else, and the outcomes they stand for.
//!
//! Owns one rule for all sources and for rows, the shell's: what a shell, `timeout` and etalon's own rows give for an
//! execution that did not end by itself is none that counts. Other tools mix those with the rest:
//! a command that does not exist is then the fastest of all.

use std::collections::BTreeMap;
use std::mem::discriminant;

use etalon_core::model::{NotStarted, Outcome};

/// The code of a shell for a command that Ctrl-Z stopped: 128 + SIGTSTP, which kills nothing.
const SUSPENDED: i32 = 148;

/// The outcome that an exit code stands for: 124 for a timeout, 127 for a command that could not be
/// started, 148 for one that was suspended, 128 + signal (1 to 64) for one that was killed; every
/// other is the program's own.
pub(crate) fn from_exit_code(code: i32) -> Outcome {
    match code {
        0 => Outcome::Ok,
        124 => Outcome::TimedOut,
        127 => Outcome::NotStarted { why: NotStarted::Other("exit code 127".to_owned()) },
        SUSPENDED => Outcome::Suspended,
        129..=192 => Outcome::Killed { signal: code - 128 },
        _ => Outcome::Failed { code },
    }
}

/// The exit code that stands for an outcome; the other way round.
pub(crate) fn exit_code(outcome: &Outcome) -> i32 {
    match outcome {
        Outcome::Ok => 0,
        Outcome::Failed { code } => *code,
        Outcome::Killed { signal } => signal.saturating_add(128),
        Outcome::TimedOut => 124,
        Outcome::Suspended => SUSPENDED,
        Outcome::NotStarted { .. } => 127,
    }
}

/// The word for an outcome, where a file has a place for it beside the exit code.
pub(crate) fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "ok",
        Outcome::Failed { .. } => "failed",
        Outcome::Killed { .. } => "killed",
        Outcome::TimedOut => "timed_out",
        Outcome::Suspended => "suspended",
        Outcome::NotStarted { .. } => "not_started",
    }
}

/// The outcome that does not count, of a word with its exit code; the other way round.
pub(crate) fn from_word(word: &str, code: i32) -> Option<Outcome> {
    Some(match word {
        "failed" => Outcome::Failed { code },
        "killed" => Outcome::Killed { signal: code.saturating_sub(128).max(0) },
        "timed_out" => Outcome::TimedOut,
        "suspended" => Outcome::Suspended,
        "not_started" => Outcome::NotStarted { why: NotStarted::Other("not started".to_owned()) },
        _ => return None,
    })
}

/// A note for each exit code by which executions are left out.
pub(crate) fn left_out(codes: &BTreeMap<i32, u64>) -> Vec<String> {
    let text = |(code, count): (&i32, &u64)| {
        format!(
            "{} exit code {code}, what a shell gives for a command that {}: counted, not measured",
            have(*count),
            meaning(*code)
        )
    };
    codes.iter().map(text).collect()
}

/// A note for each exit code that will be read as another outcome than it stands for.
pub(crate) fn misread<'a>(
    outcomes: impl Iterator<Item = &'a Outcome>,
) -> impl Iterator<Item = String> {
    let mut codes: BTreeMap<i32, u64> = BTreeMap::new();
    for outcome in outcomes {
        let code = exit_code(outcome);
        if discriminant(outcome) != discriminant(&from_exit_code(code)) {
            *codes.entry(code).or_default() += 1;
        }
    }
    codes.into_iter().map(|(code, count)| {
        format!("{} exit code {code}, which is read as: {}", have(count), meaning(code))
    })
}

/// Words for a command with this exit code.
fn meaning(code: i32) -> String {
    match from_exit_code(code) {
        Outcome::TimedOut => "timed out".to_owned(),
        Outcome::Suspended => "was suspended".to_owned(),
        Outcome::NotStarted { .. } => "could not be started".to_owned(),
        outcome @ Outcome::Killed { signal } => outcome.stopped_by().map_or_else(
            || format!("was killed by signal {signal}"),
            |stopped| format!("stopped itself by {}", stopped.name()),
        ),
        Outcome::Ok | Outcome::Failed { .. } => "ended by itself".to_owned(),
    }
}

fn have(count: u64) -> String {
    format!("{} {}", executions(count), if count == 1 { "has" } else { "have" })
}

/// So many executions.
pub(crate) fn executions(count: u64) -> String {
    if count == 1 { "1 execution".to_owned() } else { format!("{count} executions") }
}
