//! What an exit code in a foreign file means.
//!
//! Owns one rule for all sources, the shell's: what a shell, `timeout` and etalon's own rows give for an
//! execution that did not end by itself is none that counts. Other tools mix those with the rest:
//! a command that does not exist is then the fastest of all.

use std::collections::BTreeMap;

use etalon_core::model::Outcome;

/// The outcome that an exit code stands for: 124 for a timeout, 127 for a command that could not be
/// started, 128 + signal (1 to 64) for one that was killed; every other is the program's own.
pub(super) fn of_exit_code(code: i32) -> Outcome {
    match code {
        0 => Outcome::Ok,
        124 => Outcome::TimedOut,
        127 => Outcome::NotStarted { why: "exit code 127".to_owned() },
        129..=192 => Outcome::Killed { signal: code - 128 },
        _ => Outcome::Failed { code },
    }
}

/// A note for each exit code by which executions are left out.
pub(super) fn left_out(codes: &BTreeMap<i32, u64>) -> Vec<String> {
    let text = |(code, count): (&i32, &u64)| {
        let meaning = match of_exit_code(*code) {
            Outcome::TimedOut => "timed out".to_owned(),
            Outcome::NotStarted { .. } => "could not be started".to_owned(),
            Outcome::Killed { signal } => format!("was killed by signal {signal}"),
            Outcome::Ok | Outcome::Failed { .. } => "did not end by itself".to_owned(),
        };
        let have = if *count == 1 { "has" } else { "have" };
        format!(
            "{} {have} exit code {code}, what a shell gives for a command that {meaning}: counted, \
             not measured",
            executions(*count)
        )
    };
    codes.iter().map(text).collect()
}

/// So many executions.
pub(super) fn executions(count: u64) -> String {
    if count == 1 { "1 execution".to_owned() } else { format!("{count} executions") }
}
