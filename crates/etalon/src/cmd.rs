//! `etalon cmd`: from what was typed to an experiment, executed, saved and shown.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use clap::ArgMatches;

use etalon_core::model::{Context, StoppedBy};
use etalon_core::plan::{Order, Plan, Settings, Stopping};
use etalon_core::random::Random;
use etalon_probe::launcher::protocol::{
    Command, Failure as Stopped, Foreground, Hook, Input, Output, Stdio,
};
use etalon_probe::{clock, launcher, machine};
use etalon_record::store::make_id;
use etalon_record::{BenchmarkLine, Text};
use etalon_report::text::clean;
use etalon_run::{Experiment, Finished, Wanted};

use crate::cli::commands::{self, Declared};
use crate::cli::values::StdoutArg;
use crate::cli::{self, OrderArg};
use crate::failure::{Exit, Failure};
use crate::progress::Watch;
use crate::{destination, output, report, saved};

/// Runs the subcommand.
pub fn run(options: &cli::Cmd, matches: &ArgMatches) -> Result<Exit, Failure> {
    let mut declared = declared(options, matches)?;
    let reference = reference(options, &mut declared)?;
    let place = Place::of(options)?;
    let experiment = experiment(options, &declared, &place, reference)?;
    let second =
        options.output.as_ref().map(|o| destination::open(o, options.force)).transpose()?;
    let store = saved::store()?;
    let id = make_id(jiff::Timestamp::now(), entropy());
    let record = store.create(&id).map_err(Failure::new)?;
    let mut watch = Watch::new(&experiment, options.view.quiet)?;
    let finished = etalon_run::execute(&experiment, &record, second.as_ref(), &mut watch);
    watch.done();
    let finished = match finished {
        Ok(finished) => finished,
        Err(error) => {
            // Nothing was measured: an empty record would only be in the way.
            drop(record);
            let _still_there = store.remove(&id);
            return Err(Failure::new(error));
        }
    };
    let path = record.finish().map_err(Failure::new)?;
    conclude(options, &finished, &declared, &path)
}

/// Shows what there is, says what went wrong, and decides the exit.
fn conclude(
    options: &cli::Cmd,
    finished: &Finished,
    declared: &[Declared],
    path: &Path,
) -> Result<Exit, Failure> {
    if let Some(stopped) = &finished.failure {
        output::remark(&describe(stopped, declared, options));
    }
    let set = saved::read(path, etalon_record::Strictness::Lenient)?;
    let nothing = set.series.iter().all(|series| series.rows == 0);
    let shown = if nothing && finished.stopped_by != StoppedBy::Runs {
        None
    } else {
        Some(report::show(vec![set], &options.analysis, &options.view)?)
    };
    if let Some(error) = &finished.error {
        return Err(Failure::new(error));
    }
    if finished.failure.as_ref().is_some_and(cannot_start) {
        return Err(Failure::new("nothing was measured: a command cannot be started"));
    }
    if !options.view.quiet && !options.view.json && options.output.is_none() {
        output::remark("saved; `etalon report @last` shows this again");
    }
    match finished.stopped_by {
        StoppedBy::Failure => Ok(Exit::Failed),
        StoppedBy::Interrupt => Ok(Exit::Interrupted),
        _ => Ok(shown.map_or(Exit::Done, |analysis| report::exit(&analysis, &finished.stopped_by))),
    }
}

fn cannot_start(stopped: &Stopped) -> bool {
    matches!(stopped.outcome, etalon_core::model::Outcome::NotStarted { .. })
}

/// The failure that stopped the experiment, with the last lines the command wrote.
fn describe(stopped: &Stopped, declared: &[Declared], options: &cli::Cmd) -> String {
    use etalon_core::model::Outcome;
    let command = declared.get(stopped.command);
    let what = match stopped.hook {
        Some(Hook::Prepare) => prepare_of(options, stopped.command).map(|p| p.as_bytes().to_vec()),
        Some(Hook::Conclude) | None => command.map(|c| c.text.clone()),
    };
    let what = clean(&commands::shown(&what.unwrap_or_default()));
    let role = if stopped.hook.is_some() { "--prepare" } else { "command" };
    let how = match &stopped.outcome {
        Outcome::Ok => "succeeded".to_owned(),
        Outcome::Failed { code } => format!("exited with code {code}"),
        Outcome::Killed { signal } => killed(*signal),
        Outcome::TimedOut => "took longer than --timeout".to_owned(),
        Outcome::NotStarted { why } => format!("could not be started: {why}"),
    };
    let mut text = format!("etalon: {role} `{what}` {how}");
    let stderr = stopped.stderr.to_string_lossy();
    let lines: Vec<&str> = stderr.lines().collect();
    for line in &lines[lines.len().saturating_sub(10)..] {
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

/// All commands: those of the command line, then those of the files.
fn declared(options: &cli::Cmd, matches: &ArgMatches) -> Result<Vec<Declared>, Failure> {
    let mut declared = commands::from_arguments(matches, &options.commands, &options.names)
        .map_err(|error| Failure::new(error.message()))?;
    for file in &options.files {
        let content = read_list(file)?;
        declared.extend(
            commands::from_file(&content)
                .map_err(|error| Failure::about(file.display(), error.message()))?,
        );
    }
    if declared.is_empty() {
        return Err(Failure::new(
            "no command to time: name one, such as `etalon cmd 'ls -l'`, or a file with -f",
        ));
    }
    Ok(declared)
}

fn read_list(file: &OsString) -> Result<Vec<u8>, Failure> {
    if file == "-" {
        let mut content = Vec::new();
        std::io::stdin()
            .read_to_end(&mut content)
            .map_err(|error| Failure::about("-f -: standard input", error))?;
        return Ok(content);
    }
    std::fs::read(file).map_err(|error| Failure::about(file.display(), error))
}

/// The name of the reference: a command that is there already, by name or text; any other is a
/// command of its own, timed first, as in hyperfine.
fn reference(options: &cli::Cmd, declared: &mut Vec<Declared>) -> Result<Option<String>, Failure> {
    let Some(asked) = &options.analysis.reference else { return Ok(None) };
    let is_it = |d: &Declared| d.name.as_ref() == Some(asked) || d.text == asked.as_bytes();
    match declared.iter().filter(|d| is_it(d)).count() {
        0 => declared.insert(0, Declared { text: asked.as_bytes().to_vec(), name: None }),
        1 => {}
        _ => return Err(Failure::new(format!("--reference {asked:?} is more than one command"))),
    }
    Ok(declared.iter().find(|d| is_it(d)).map(name_of))
}

/// What a command is shown as.
fn name_of(declared: &Declared) -> String {
    declared.name.clone().unwrap_or_else(|| commands::shown(&declared.text))
}

/// Where and with what commands are executed.
struct Place {
    cwd: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

impl Place {
    fn of(options: &cli::Cmd) -> Result<Place, Failure> {
        let here = std::env::current_dir()
            .map_err(|error| Failure::about("the current directory", error))?;
        let cwd = options.cwd.as_ref().map_or_else(|| here.clone(), |dir| here.join(dir));
        if !cwd.is_dir() {
            return Err(Failure::about(cwd.display(), "not a directory: check --cwd"));
        }
        let mut environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        for (name, value) in &options.env {
            environment.retain(|(known, _)| known != name.as_str());
            environment.push((name.into(), value.into()));
        }
        Ok(Place { cwd, environment })
    }

    fn path(&self) -> Option<&OsString> {
        self.environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value)
    }

    fn resolve(
        &self,
        text: &[u8],
        shell: Option<&OsString>,
    ) -> Result<launcher::protocol::Execute, Failure> {
        let wanted = Wanted {
            text,
            shell: shell.map(|s| s.as_bytes()),
            path: self.path().map(OsString::as_os_str),
            cwd: &self.cwd,
        };
        etalon_run::resolve(wanted).map_err(|error| {
            Failure::about(format!("command `{}`", clean(&commands::shown(text))), error)
        })
    }
}

fn experiment(
    options: &cli::Cmd,
    declared: &[Declared],
    place: &Place,
    reference: Option<String>,
) -> Result<Experiment, Failure> {
    let prepared = [0, 1, declared.len()].contains(&options.prepare.len());
    if !prepared {
        return Err(Failure::new(format!(
            "{} --prepare for {} commands: give one for all, or one for each",
            options.prepare.len(),
            declared.len()
        )));
    }
    let mut benchmarks = Vec::new();
    let mut executed = Vec::new();
    for (index, command) in declared.iter().enumerate() {
        let prepare = prepare_of(options, index);
        let execute = place.resolve(&command.text, options.shell.as_ref())?;
        benchmarks.push(BenchmarkLine {
            name: name_of(command),
            command: Some(OsString::from_vec(command.text.clone()).into()),
            argv: execute.argv.clone(),
            path: Some(execute.path.clone()),
            shell: options.shell.clone().map(Text::from),
            prepare: prepare.cloned().map(Text::from),
            accept: options.ignore_failure.clone().unwrap_or_default(),
            ..BenchmarkLine::default()
        });
        executed.push(Command {
            execute,
            prepare: prepare
                .map(|hook| place.resolve(hook.as_bytes(), options.shell.as_ref()))
                .transpose()?,
            conclude: None,
            accept: options.ignore_failure.clone().unwrap_or_default(),
        });
    }
    let clock_facts = clock::measure();
    let settings =
        Settings { reference, ..report::settings(Settings::default(), &options.analysis) };
    let metrics = launcher::metrics(clock_facts.as_ref().map(resolution));
    let derived = ["faults", "csw"];
    if !metrics.iter().any(|m| m.name == settings.metric)
        && !derived.contains(&settings.metric.as_str())
    {
        let known: Vec<&str> = metrics.iter().map(|m| m.name.as_str()).chain(derived).collect();
        return Err(Failure::new(format!(
            "--metric {}: not measured; write one of {}",
            settings.metric,
            known.join(", ")
        )));
    }
    Ok(Experiment {
        benchmarks,
        commands: executed,
        metrics,
        plan: plan(options),
        settings,
        environment: place
            .environment
            .iter()
            .map(|(name, value)| assignment(name, value))
            .collect(),
        cwd: place.cwd.clone(),
        stdio: stdio(options, place)?,
        timeout_ns: options.timeout.map(nanoseconds),
        context: context(options, place, clock_facts.as_ref()),
        tool: format!("etalon {}", env!("CARGO_PKG_VERSION")),
        argv: std::env::args_os().map(Text::from).collect(),
    })
}

fn prepare_of(options: &cli::Cmd, index: usize) -> Option<&OsString> {
    match &options.prepare[..] {
        [one] => Some(one),
        several => several.get(index),
    }
}

#[allow(clippy::cast_precision_loss)] // some tens of ns
fn resolution(facts: &clock::ClockFacts) -> f64 {
    facts.resolution_ns as f64 / 1e9
}

/// Positive and below 3e9 s, see [`cli::values::duration`].
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

fn plan(options: &cli::Cmd) -> Plan {
    Plan {
        warmup: options.warmup,
        order: match options.order {
            OrderArg::Blocks => Order::Blocks,
            OrderArg::Sequential => Order::Sequential,
        },
        stopping: match options.runs {
            Some(runs) => Stopping::Runs(runs),
            None => Stopping::Precision { target: options.precision, budget: options.budget },
        },
        seed: options.seed.unwrap_or_else(new_seed),
    }
}

/// A seed nobody chose: from the clock and the process. It is recorded, so nothing is lost by it
/// being short enough to type.
fn new_seed() -> u64 {
    let now = jiff::Timestamp::now().as_nanosecond().unsigned_abs();
    let random = Random::new(u64::try_from(now & u128::from(u64::MAX)).unwrap_or_default());
    random.stream(std::process::id().into()).next_u64() % 1_000_000_000
}

/// Tells ids of the same microsecond apart.
fn entropy() -> u16 {
    u16::try_from(std::process::id() & 0xffff).unwrap_or_default()
}

fn assignment(name: &OsString, value: &OsString) -> Text {
    let mut assignment = name.clone();
    assignment.push("=");
    assignment.push(value);
    Text::from(assignment)
}

fn stdio(options: &cli::Cmd, place: &Place) -> Result<Stdio, Failure> {
    let here = std::env::current_dir().unwrap_or_else(|_| place.cwd.clone());
    let absolute = |file: &OsString| Text::from(here.join(file).into_os_string());
    let inherit = options.show_output || options.stdout == StdoutArg::Inherit;
    let stdin = match &options.input {
        None => Input::Null,
        Some(file) => {
            std::fs::metadata(file)
                .map_err(|e| Failure::about(format!("--input {}", file.display()), e))?;
            Input::File(absolute(file))
        }
    };
    let (stdout, stderr) = match &options.stdout {
        _ if inherit => (Output::Inherit, Output::Inherit),
        StdoutArg::Pipe => (Output::Pipe, Output::Pipe),
        StdoutArg::File(file) => (Output::File(absolute(file)), Output::Pipe),
        StdoutArg::Null | StdoutArg::Inherit => (Output::Null, Output::Pipe),
    };
    let foreground = if inherit { Foreground::Lend } else { Foreground::Keep };
    Ok(Stdio { stdin, stdout, stderr, foreground })
}

/// Facts about the machine, the clock, and what the commands were given.
fn context(options: &cli::Cmd, place: &Place, clock: Option<&clock::ClockFacts>) -> Context {
    let mut context = machine::facts(&place.cwd, place.environment.iter().cloned());
    let mut add = |key: &str, value: String| context.insert(key.to_owned(), value);
    if let Some(facts) = clock {
        add("clock.resolution_ns", facts.resolution_ns.to_string());
        add("clock.cost_ns", format!("{:.1}", facts.cost_ns));
    }
    if cfg!(debug_assertions) {
        add("tool.build", "debug".to_owned());
    }
    for (name, value) in &options.env {
        add(&format!("env.{name}"), value.clone());
    }
    if let Some(cwd) = &options.cwd {
        add("cwd", cwd.to_string_lossy().into_owned());
    }
    if let Some(input) = &options.input {
        add("input", input.to_string_lossy().into_owned());
    }
    if let Some(seconds) = options.timeout {
        add("timeout_s", seconds.to_string());
    }
    context
}
