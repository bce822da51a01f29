//! `--resume RUN`: an interrupted execution, made into an experiment that goes on where it stopped.
//!
//! The recorded command line is understood again, and what it means now has to be what it meant
//! then: commands, programs, hooks, metrics, directory. Seed, plan and settings are the record's.
//! Refuses options that would change any of it, and what has nothing left to do.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use etalon_core::model::{RunSet, StoppedBy};
use etalon_record::lock::{self, Lock};
use etalon_record::raw::{Unfinished, read_unfinished};
use etalon_record::{BenchmarkLine, Strictness, Text, open};
use etalon_report::text::clean;
use etalon_run::{CommandSetup, Experiment, Resumed};

use super::experiment::DIRECTORY;
use super::subjects::{self, Subjects};
use super::{declared, experiment};
use crate::cli::{self, Cli};
use crate::failure::Failure;
use crate::{in_use, saved};

/// Groups of options that say how a result is shown, not how it comes about.
const SHOWING: [&str; 2] = ["Report", "Exports"];
/// Others of that kind.
const OUTPUT: [&str; 4] = ["resume", "output", "force", "no_save"];

/// Subjects, the experiment on them, and how they are executed.
type Prepared = (Subjects, (Experiment, CommandSetup));

/// The experiment that resumes a run.
/// The open file is to be kept until the end: it holds the lock.
pub(super) fn of(run: &OsStr, matches: &ArgMatches) -> Result<(Prepared, File), Failure> {
    only_output(matches)?;
    let about = |message: &dyn std::fmt::Display| {
        Failure::about(format!("--resume {}", run.display()), message)
    };
    let path = saved::path(run)?;
    let lock = locked(&path).map_err(|message| about(&message))?;
    let mut data = open(&path, Strictness::Strict).map_err(|error| about(&error))?;
    let set = data.run_sets.pop().unwrap_or_default();
    has_something_left(&set).map_err(|message| about(&message))?;
    let bytes = std::fs::read(&path).map_err(|error| about(&error))?;
    let source = path.display().to_string();
    let record = read_unfinished(&bytes, &source).map_err(|error| about(&error))?;
    let (subjects, (mut experiment, setup)) = again(&record).map_err(|message| about(&message))?;
    same(&record, &experiment).map_err(|message| about(&message))?;
    let (Some(plan), Some(settings)) = (set.plan, set.settings) else {
        return Err(about(&"it does not say what it was asked for"));
    };
    experiment.stages = plan.stages(experiment.benchmarks.len());
    experiment.plan = plan;
    experiment.settings = settings;
    experiment.metrics.clone_from(&record.metrics);
    experiment.notes.clear();
    let id = record.header.id.clone().unwrap_or(source);
    experiment.resumed = Some(Resumed { id, record });
    Ok(((subjects, (experiment, setup)), lock))
}

/// Whether nothing else is asked for than how to show it.
fn only_output(matches: &ArgMatches) -> Result<(), Failure> {
    let command = Cli::command();
    let Some(cmd) = command.find_subcommand("cmd") else { return Ok(()) };
    let typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let other = cmd.get_arguments().find(|argument| {
        let shows = argument.get_help_heading().is_some_and(|group| SHOWING.contains(&group));
        let id = argument.get_id().as_str();
        typed(id) && !shows && !OUTPUT.contains(&id)
    });
    let Some(other) = other else { return Ok(()) };
    let name = match (other.get_long(), other.is_positional()) {
        (Some(long), _) => format!("--{long}"),
        (None, _) => "a command".to_owned(),
    };
    Err(Failure::new(format!(
        "{name} with --resume: commands, order and amount are the recorded ones; only options for \
         output and report can be given"
    )))
}

/// The record, which nobody else writes or goes on with.
fn locked(path: &Path) -> Result<File, String> {
    let cannot = |error: io::Error| format!("cannot be read: {error}");
    let file = File::open(path).map_err(cannot)?;
    let is_file = file.metadata().map_err(cannot)?.is_file();
    match lock::take(&file) {
        Lock::Held if is_file => {
            Err(format!("is in use by {}: wait until it ends, or interrupt it", in_use::by(&file)))
        }
        _ => Ok(file),
    }
}

fn has_something_left(set: &RunSet) -> Result<(), String> {
    let Some(end) = &set.end else { return Ok(()) };
    let why = match end.stopped_by {
        StoppedBy::Interrupt | StoppedBy::Error | StoppedBy::Failure => return Ok(()),
        StoppedBy::Runs => "all blocks asked for were executed",
        StoppedBy::Precision => "the precision asked for was reached",
        StoppedBy::Decided => "every comparison had a verdict",
        StoppedBy::Budget => "its budget is spent",
    };
    Err(format!("it is finished ({why}): start a new execution for more"))
}

/// What the recorded command line means now.
fn again(record: &Unfinished) -> Result<Prepared, String> {
    let not_understood = |error: clap::Error| {
        let text = error.render().to_string();
        format!("its command line is not understood: {}", text.trim_start_matches("error: ").trim())
    };
    let argv: Vec<OsString> =
        record.header.argv.iter().map(|word| OsString::from_vec(word.0.clone())).collect();
    let matches = Cli::command().try_get_matches_from(argv).map_err(not_understood)?;
    let options = Cli::from_arg_matches(&matches).map_err(not_understood)?;
    let (cli::Command::Cmd(options), Some(matches)) =
        (options.command, matches.subcommand_matches("cmd"))
    else {
        return Err("it is not an execution of `etalon cmd`".to_owned());
    };
    // Before commands are looked for: relative ones would be elsewhere.
    if let Some(then) = record.header.context.get(DIRECTORY)
        && let Ok(now) = std::env::current_dir()
        && now.to_string_lossy() != **then
    {
        return Err(format!("it was started in {}: go there first", clean(then)));
    }
    let in_words = |failure: Failure| failure.to_string();
    let declared = declared(&options, matches).map_err(in_words)?;
    let subjects = subjects::of(&options, matches, declared).map_err(in_words)?;
    let prepared = experiment::of(&options, &subjects).map_err(in_words)?;
    Ok((subjects, prepared))
}

/// Whether the same would be measured.
fn same(record: &Unfinished, experiment: &Experiment) -> Result<(), String> {
    let (then, now) = (&record.benchmarks, &experiment.benchmarks);
    if then.len() != now.len() {
        return Err(format!("it has {} commands, and its command line {}", then.len(), now.len()));
    }
    if let Some(changed) = then.iter().zip(now).find_map(|(then, now)| change(then, now)) {
        return Err(changed);
    }
    let names = |metrics: &[etalon_core::model::Metric]| -> Vec<String> {
        metrics.iter().map(|metric| metric.name.clone()).collect()
    };
    if names(&record.metrics) != names(&experiment.metrics) {
        return Err("other metrics are measured by this version".to_owned());
    }
    Ok(())
}

/// What is not as it was about a benchmark, in words.
fn change(then: &BenchmarkLine, now: &BenchmarkLine) -> Option<String> {
    let text = |text: &Option<Text>| {
        text.as_ref().map_or_else(|| "none".to_owned(), |t| quoted(&t.to_string_lossy()))
    };
    let words = |argv: &[Text]| {
        argv.iter().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
    };
    let params = |params: &[(String, String)]| {
        params
            .iter()
            .map(|(name, value)| format!("{name}={}", quoted(value)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let facts = [
        ("name", quoted(&then.name), quoted(&now.name)),
        ("parameters", params(&then.params), params(&now.params)),
        ("command", text(&then.command), text(&now.command)),
        ("program", text(&then.path), text(&now.path)),
        ("words", words(&then.argv), words(&now.argv)),
        ("shell", text(&then.shell), text(&now.shell)),
        ("--setup", text(&then.setup), text(&now.setup)),
        ("--prepare", text(&then.prepare), text(&now.prepare)),
        ("--conclude", text(&then.conclude), text(&now.conclude)),
        ("--cleanup", text(&then.cleanup), text(&now.cleanup)),
        ("accepted exit codes", format!("{:?}", then.accept), format!("{:?}", now.accept)),
    ];
    let (what, then_was, now_is) = facts.into_iter().find(|(_, then, now)| then != now)?;
    let of = quoted(&then.to_benchmark().key.label());
    Some(format!("command {of} is not what it was: its {what} was {then_was}, and is {now_is} now"))
}

fn quoted(text: &str) -> String {
    format!("`{}`", clean(text))
}
