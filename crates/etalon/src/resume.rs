//! `--resume RUN`: an interrupted execution, whose experiment is made again and goes on where it stopped.
//!
//! The recorded command line is understood again, and what it means now has to be what it meant
//! then: subjects, programs, hooks, metrics, directory. Seed, plan and settings are the record's.
//! Refuses options that would change any of it, and what has nothing left to do.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches, Id};

use etalon_core::model::{Bisection, Metric};
use etalon_core::plan::{Plan, Settings};
use etalon_core::run_set::{RunSet, StoppedBy};
use etalon_record::lock::{self, Lock};
use etalon_record::raw::{Unfinished, read_unfinished};
use etalon_record::{BenchmarkLine, Strictness, Text, open};
use etalon_report::text::clean;
use etalon_run::{Experiment, Naming, Resumed};

use crate::cli::{Cli, Exports, Recording, Resumption, View};
use crate::failure::Failure;
use crate::{in_use, saved};

/// The fact that says where etalon was started: what relative names in the command line mean.
pub(crate) const DIRECTORY: &str = "directory";

/// An execution that can be resumed.
pub(crate) struct Interrupted {
    /// As it was named.
    run: OsString,
    id: String,
    record: Unfinished,
    plan: Plan,
    settings: Settings,
    /// Held until the end: nobody else resumes the same record.
    _lock: File,
}

impl Interrupted {
    /// Opens and locks a run that `subcommand` is to resume; `matches` are what was typed now.
    pub(crate) fn open(
        run: &OsStr,
        subcommand: &str,
        matches: &ArgMatches,
    ) -> Result<Interrupted, Failure> {
        only_output(subcommand, matches)?;
        let about = |message: &dyn std::fmt::Display| refusal(run, message);
        let path = saved::path(run)?;
        let lock = locked(&path).map_err(|message| about(&message))?;
        let mut data = open(&path, Strictness::Strict).map_err(|error| about(&error))?;
        let set = data.run_sets.pop().unwrap_or_default();
        has_something_left(&set, data.has_failures()).map_err(|message| about(&message))?;
        if set.sides.is_some() {
            let why = "it is one of two sides, which is not resumed: measure again, with the builds that were kept";
            return Err(about(&why));
        }
        let bytes = std::fs::read(&path).map_err(|error| about(&error))?;
        let source = path.display().to_string();
        let record = read_unfinished(&bytes, &source).map_err(|error| about(&error))?;
        let (Some(plan), Some(settings)) = (set.plan, set.settings) else {
            return Err(about(&"it does not say what it was asked for"));
        };
        let id = record.header.id.clone().unwrap_or(source);
        Ok(Interrupted { run: run.to_owned(), id, record, plan, settings, _lock: lock })
    }

    /// Why it cannot be resumed.
    pub(crate) fn refusal(&self, message: &dyn std::fmt::Display) -> Failure {
        refusal(&self.run, message)
    }

    /// The recorded command line, parsed: it is of `subcommand`, given in this directory.
    pub(crate) fn command_line(&self, subcommand: &str) -> Result<(Cli, ArgMatches), Failure> {
        let not_understood = |error: clap::Error| {
            let text = error.render().to_string();
            let reason = text.trim_start_matches("error: ").trim();
            self.refusal(&format!("its command line is not understood: {reason}"))
        };
        let argv = self.record.header.argv.iter();
        let argv: Vec<OsString> = argv.map(|word| OsString::from_vec(word.0.clone())).collect();
        let matches = Cli::command().try_get_matches_from(argv).map_err(not_understood)?;
        let cli = Cli::from_arg_matches(&matches).map_err(not_understood)?;
        let Some(matches) = matches.subcommand_matches(subcommand) else {
            return Err(self.refusal(&format!("it is not an execution of `etalon {subcommand}`")));
        };
        // Before anything is looked for: relative names would be elsewhere.
        if let Some(then) = self.record.header.context.get(DIRECTORY)
            && let Ok(now) = std::env::current_dir()
            && now.to_string_lossy() != **then
        {
            let message = format!("it was started in {}: go there first", clean(then));
            return Err(self.refusal(&message));
        }
        Ok((cli, matches.clone()))
    }

    /// Makes the experiment that its command line means now the one that is resumed.
    pub(crate) fn resume(&self, experiment: &mut Experiment) -> Result<(), Failure> {
        same(&self.record, experiment).map_err(|message| self.refusal(&message))?;
        self.take_over(experiment);
        Ok(())
    }

    /// Plan, settings and metrics are the record's.
    fn take_over(&self, experiment: &mut Experiment) {
        experiment.plan = self.plan.clone();
        experiment.settings = self.settings.clone();
        let metrics = &self.record.metrics;
        let own = match experiment.naming {
            // Those of its harness follow.
            Naming::Behind(_) => experiment.metrics.len().min(metrics.len()),
            Naming::Subjects | Naming::Harness(_) => metrics.len(),
        };
        experiment.metrics = metrics[..own].to_vec();
        experiment.notes.clear();
        experiment.resumed = Some(Resumed { id: self.id.clone(), record: self.record.clone() });
    }
}

impl Interrupted {
    /// Makes the bisection that its command line means now the one that is resumed: of the same commits. Its copies are
    /// elsewhere.
    pub(crate) fn resume_bisection(&self, experiment: &mut Experiment) -> Result<(), Failure> {
        let (then, now) = (&self.record.header.bisection, &experiment.bisection);
        let commits = |of: &Option<Bisection>| of.as_ref().map(|it| it.commits.clone());
        if commits(then) != commits(now) {
            let why = "its commits are not what they were: name the ends by their commits, and start a new execution";
            return Err(self.refusal(&why));
        }
        self.take_over(experiment);
        Ok(())
    }
}

fn refusal(run: &OsStr, message: &dyn std::fmt::Display) -> Failure {
    Failure::about(format!("--resume {}", run.display()), message)
}

/// A command that has the options that may be given: they say where a record goes and how a result is shown,
/// not how it comes about.
fn output_command() -> Command {
    let record = Resumption::augment_args(Recording::augment_args(Command::new("output")));
    Exports::augment_args(View::augment_args(record))
}

/// Whether nothing else is asked for than how to show it.
fn only_output(subcommand: &str, matches: &ArgMatches) -> Result<(), Failure> {
    let mut command = Cli::command();
    command.build();
    let Some(command) = command.find_subcommand(subcommand) else { return Ok(()) };
    let typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let output = output_command();
    let is_output = |id: &Id| output.get_arguments().any(|argument| argument.get_id() == id);
    let mut arguments = command.get_arguments();
    let other = arguments
        .find(|argument| typed(argument.get_id().as_str()) && !is_output(argument.get_id()));
    let Some(other) = other else { return Ok(()) };
    let name = match (other.get_long(), other.is_positional()) {
        (Some(long), _) => format!("--{long}"),
        (None, _) if subcommand == "cmd" => "a command".to_owned(),
        (None, _) => "a path".to_owned(),
    };
    Err(Failure::new(format!(
        "{name} with --resume: what is measured, order and amount are the recorded ones; only options \
         for output and report can be given"
    )))
}

/// The longest that a lock is waited for. Because: what an etalon that was killed has started ends by itself, within
/// seconds on a busy machine, and holds the lock until then.
const PASSING: Duration = Duration::from_secs(5);

/// The record, which nobody else writes or resumes.
fn locked(path: &Path) -> Result<File, String> {
    let cannot = |error: io::Error| format!("cannot be read: {error}");
    let file = File::open(path).map_err(cannot)?;
    let is_file = file.metadata().map_err(cannot)?.is_file();
    let until = Instant::now() + PASSING;
    loop {
        match lock::take(&file) {
            Lock::Held if is_file && Instant::now() < until => thread::sleep(PASSING / 100),
            Lock::Held if is_file => {
                let holder = in_use::by(&file);
                return Err(format!("is in use by {holder}: wait until it ends, or interrupt it"));
            }
            _ => return Ok(file),
        }
    }
}

fn has_something_left(set: &RunSet, has_failures: bool) -> Result<(), String> {
    let Some(end) = &set.end else { return Ok(()) };
    let why = match end.stopped_by {
        StoppedBy::Interrupt | StoppedBy::Error | StoppedBy::Failure => return Ok(()),
        StoppedBy::Runs => "all blocks asked for were executed",
        StoppedBy::Precision => "the precision asked for was reached",
        StoppedBy::Decided => "every comparison had a verdict",
        StoppedBy::Budget => "its budget is spent",
    };
    let failed = match has_failures {
        true => "; what failed in them is a result, too, and is not executed again",
        false => "",
    };
    Err(format!("it is finished ({why}{failed}): start a new execution for more"))
}

/// Whether the same would be measured.
fn same(record: &Unfinished, experiment: &Experiment) -> Result<(), String> {
    let (mut then, now) = (&record.benchmarks[..], &experiment.benchmarks[..]);
    if matches!(experiment.naming, Naming::Behind(_)) {
        // Those of its harness follow.
        then = &then[..then.len().min(now.len())];
    }
    if then.len() != now.len() {
        let what = match then.iter().any(|line| line.case.is_some()) {
            true => "cases",
            false => "commands",
        };
        return Err(format!("it has {} {what}, and its command line {}", then.len(), now.len()));
    }
    let both = || then.iter().zip(now);
    let changed = both().find_map(|(then, now)| change(then, now));
    if let Some(changed) = changed.or_else(|| both().find_map(|(then, now)| other_code(then, now)))
    {
        return Err(changed);
    }
    let names = |metrics: &[Metric]| -> Vec<String> {
        metrics.iter().map(|metric| metric.name.clone()).collect()
    };
    // Suites may have added some of their own.
    if !names(&record.metrics).starts_with(&names(&experiment.metrics)) {
        return Err("other metrics are measured by this version".to_owned());
    }
    Ok(())
}

/// The change of a benchmark since then, in words.
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
    let of = quoted(&then.to_benchmark().label());
    let host = |line: &BenchmarkLine| line.case.as_ref().and_then(|case| case.host.clone());
    if let (Some(was), Some(is)) = (host(then), host(now))
        && was != is
    {
        return Some(format!(
            "the Lua of {of} is not what it was: {} was changed",
            quoted(&was.name)
        ));
    }
    if then.case != now.case {
        return Some(format!("case {of} is not what it was: its file describes it otherwise now"));
    }
    let (what, then_was, now_is) = facts.into_iter().find(|(_, then, now)| then != now)?;
    let kind = if then.case.is_some() { "case" } else { "command" };
    Some(format!("{kind} {of} is not what it was: its {what} was {then_was}, and is {now_is} now"))
}

/// Whether what is declared the same is another program or suite by now, in words.
fn other_code(then: &BenchmarkLine, now: &BenchmarkLine) -> Option<String> {
    then.hash.as_ref().zip(now.hash.as_ref()).filter(|(then, now)| then != now)?;
    let program = || now.path.as_ref().map(|path| path.to_string_lossy().into_owned());
    let file = now.case.as_ref().map(|case| case.file.clone()).or_else(program)?;
    let of = quoted(&now.to_benchmark().label());
    Some(format!("{of} is other code now: {} was changed; start a new execution", quoted(&file)))
}

fn quoted(text: &str) -> String {
    format!("`{}`", clean(text))
}
