//! Words for the failure that stopped an experiment: what failed, how, and its last words.

use etalon_core::model::Outcome;
use etalon_probe::launcher::protocol::{Failure, Hook};
use etalon_record::BenchmarkLine;
use etalon_report::text::clean;

use crate::output;

/// Lines of standard error that are shown.
const LAST_LINES: usize = 10;

/// Whether it could not even be started.
pub(crate) fn cannot_start(stopped: &Failure) -> bool {
    matches!(stopped.outcome, Outcome::NotStarted { .. })
}

/// The failure that stopped the experiment, with the last lines that were written. What was executed is
/// as the record says.
pub(crate) fn describe(stopped: &Failure, benchmarks: &[BenchmarkLine]) -> String {
    let line = benchmarks.get(stopped.command);
    let (role, what) = match stopped.hook {
        Some(Hook::Requires) => ("requires", None),
        Some(Hook::Setup) => ("--setup", line.and_then(|line| line.setup.as_ref())),
        Some(Hook::Cleanup) => ("--cleanup", line.and_then(|line| line.cleanup.as_ref())),
        Some(Hook::Prepare) => ("--prepare", line.and_then(|line| line.prepare.as_ref())),
        Some(Hook::Conclude) => ("--conclude", line.and_then(|line| line.conclude.as_ref())),
        None => ("command", line.and_then(|line| line.command.as_ref())),
    };
    let what = clean(&what.map_or_else(String::new, |text| text.to_string_lossy().into_owned()));
    let how = match &stopped.outcome {
        Outcome::Ok => "succeeded".to_owned(),
        Outcome::Failed { code } => format!("exited with code {code}"),
        Outcome::Killed { signal } => killed(*signal),
        Outcome::TimedOut => "took longer than --timeout".to_owned(),
        Outcome::Suspended => "was suspended".to_owned(),
        Outcome::NotStarted { why } => format!("could not be started: {why}"),
    };
    let mut text = format!("etalon: {role} `{what}` {how}");
    let stderr = stopped.stderr.to_string_lossy();
    let lines: Vec<&str> = stderr.lines().collect();
    for line in &lines[lines.len().saturating_sub(LAST_LINES)..] {
        text.push_str(&format!("\n  | {}", clean(line)));
    }
    if matches!(stopped.outcome, Outcome::Failed { .. }) && stopped.hook.is_none() {
        text.push_str("\n  use -i to count non-zero exits as measured, -i=CODES for some of them");
    }
    text
}

/// Death by a signal; stop signals mean that it wanted the terminal.
fn killed(signal: i32) -> String {
    let (name, stops) = output::signal_name(signal);
    if stops {
        format!("stopped because it wanted the terminal ({name}); --show-output gives it to it")
    } else {
        format!("was killed by {name}")
    }
}
