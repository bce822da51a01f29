//! Words for the failure that stopped an experiment: what failed, how, what it said, and what to do.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_core::excerpt::excerpt;
use etalon_core::model::{Accept, Outcome};
use etalon_probe::launcher::protocol::{Failure, Hook};
use etalon_record::BenchmarkLine;
use etalon_report::text::clean;
use etalon_run::Experiment;

use crate::{lacking, output, tool};

/// A reason for a failure that only commands of two sides have.
const ONCE_BEFORE: &str = "commands of two sides are executed once before, to see which files they read: if what that left \
                           is in the way, --prepare takes it away";

/// Whether a command could not even be started.
pub(crate) fn cannot_start(stopped: &Failure) -> bool {
    stopped.hook.is_none() && matches!(stopped.outcome, Outcome::NotStarted { .. })
}

/// The failure that stopped the experiment, with the first and the last lines that were written. What was executed
/// is as the record says.
pub(crate) fn describe(stopped: &Failure, experiment: &Experiment) -> String {
    let line = experiment.benchmarks.get(stopped.command);
    let role = stopped.hook.map(|hook| clean(&experiment.called(hook)));
    let role = role.unwrap_or_else(|| "command".to_owned());
    let what = line.and_then(|line| match stopped.hook {
        Some(Hook::Requires) => line.requires.as_ref(),
        // A file may have one of its own besides that of a subject; which of them failed is not told.
        Some(Hook::Setup | Hook::Cleanup) if experiment.file.is_some() => None,
        Some(Hook::Setup) => line.setup.as_ref(),
        Some(Hook::Cleanup) => line.cleanup.as_ref(),
        Some(Hook::Prepare) => line.prepare.as_ref(),
        Some(Hook::Conclude) => line.conclude.as_ref(),
        None => line.command.as_ref(),
    });
    let what = what.map(|text| format!(" `{}`", clean(&text.to_string_lossy())));
    let what = what.unwrap_or_default();
    let how = match &stopped.outcome {
        Outcome::Ok => "succeeded".to_owned(),
        Outcome::Failed { code } => format!("exited with code {code}"),
        Outcome::Killed { signal } => killed(*signal, &stopped.outcome, experiment),
        Outcome::TimedOut => format!("took longer than {}", experiment.timeout_called()),
        Outcome::Suspended => "was suspended".to_owned(),
        Outcome::NotStarted { why } => format!("could not be started: {why}"),
    };
    let mut text = format!("{role}{what} {how}");
    let stderr = stopped.stderr.to_string_lossy();
    for line in excerpt(&stderr) {
        text.push_str(&format!("\n  | {}", clean(&line)));
    }
    if let Some(remedy) = line.and_then(|line| lacks(experiment, line, &stderr)) {
        text.push_str(&format!("\n  {remedy}"));
        return text;
    }
    if let (Outcome::Failed { code }, None, None) =
        (&stopped.outcome, stopped.hook, &experiment.file)
    {
        let accepted = line.map_or(&Accept::Zero, |line| &line.accept);
        text.push_str(&format!("\n  {}", accepting(*code, accepted)));
        if experiment.sides.is_some() {
            text.push_str(&format!("\n  {ONCE_BEFORE}"));
        }
    }
    text
}

/// The remedy where a copy of a side lacks what its command asked for.
fn lacks(experiment: &Experiment, line: &BenchmarkLine, said: &str) -> Option<String> {
    experiment.sides?;
    let copy = PathBuf::from(OsStr::from_bytes(line.cwd.as_ref()?.as_bytes()));
    let file = experiment.file.as_ref().map(|file| Path::new(&file.path));
    let inside = file.and_then(Path::parent).unwrap_or(Path::new(""));
    lacking::remedy(said, (&tool::here().ok()?.join(inside), inside), &copy)
}

/// The option that lets this exit code count as measured, beside those accepted.
fn accepting(code: i32, accepted: &Accept) -> String {
    let codes = match accepted {
        Accept::Codes(codes) => &codes[..],
        Accept::Zero | Accept::Any => &[],
    };
    let list = |codes: &[i32]| codes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let more = list(&[codes, &[code]].concat());
    match codes {
        [] => format!("use -i to count non-zero exits as measured, -i={more} for this code alone"),
        [_] => {
            format!("-i={0} accepts code {0} only: -i={more} accepts this one, too", list(codes))
        }
        _ => {
            format!("-i={0} accepts these codes only: -i={more} accepts this one, too", list(codes))
        }
    }
}

/// Death by a signal, or for a stop.
fn killed(signal: i32, outcome: &Outcome, experiment: &Experiment) -> String {
    match outcome.stopped_by() {
        // A file gives no terminal to anybody.
        Some(by) if by.is_of_terminal() && experiment.file.is_none() => {
            format!("{by}; --show-output gives it to it")
        }
        Some(by) => by.to_string(),
        None => format!("was killed by {}", output::signal_name(signal)),
    }
}
