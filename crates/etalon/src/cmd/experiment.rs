//! From options and declared commands to an experiment: everything resolved, checked and decided
//! before anything is measured.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use etalon_core::model::Context;
use etalon_core::plan::{Order, Plan, Settings, Stopping};
use etalon_core::random::Random;
use etalon_probe::launcher::protocol::{Command, Execute, Foreground, Input, Output, Stdio};
use etalon_probe::{clock, launcher, machine};
use etalon_record::{BenchmarkLine, Text};
use etalon_report::text::clean;
use etalon_run::{Experiment, Wanted};

use crate::cli::commands::{self, Declared};
use crate::cli::values::StdoutArg;
use crate::cli::{self, OrderArg};
use crate::failure::Failure;
use crate::report;

/// The experiment.
pub(super) fn of(
    options: &cli::Cmd,
    declared: &[Declared],
    reference: Option<String>,
) -> Result<Experiment, Failure> {
    let place = &Place::of(options)?;
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

/// The `--prepare` of a command: one for all, or each its own.
pub(super) fn prepare_of(options: &cli::Cmd, index: usize) -> Option<&OsString> {
    match &options.prepare[..] {
        [one] => Some(one),
        several => several.get(index),
    }
}

/// What a command is shown as.
pub(super) fn name_of(declared: &Declared) -> String {
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

    fn resolve(&self, text: &[u8], shell: Option<&OsString>) -> Result<Execute, Failure> {
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
