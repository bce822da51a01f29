//! From options and declared commands to an experiment: everything resolved, checked and decided
//! before anything is measured.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use etalon_core::analysis::comparisons;
use etalon_core::metrics;
use etalon_core::model::{Context, Metric, Note};
use etalon_core::plan::{Order, PADDING, Plan, Settings, Stopping};
use etalon_core::units::Base;
use etalon_probe::launcher::protocol::{
    Aslr, Cgroup, Command, Control, Counters, Execute, Foreground, Input, Output, Stdio,
};
use etalon_probe::{clock, launcher, program};
use etalon_record::{BenchmarkLine, Text};
use etalon_run::words;
use etalon_run::{AroundAll, CommandSetup, CountSpec, Experiment, Failing, StageHooks};

use super::place::{Place, Shared, Shares, Through, absolute, input};
use super::texts::{Hooks, Texts};
use super::{Subject, Subjects};
use crate::cli::habits;
use crate::cli::values::{self, StdoutArg};
use crate::cli::{self, AslrArg, Budgets, UntilArg, budget_per_subject};
use crate::failure::Failure;
use crate::{pilot, recorded, settings, tool};

/// Half-width over median that is asked for by default: a difference of some percent can be seen.
const PRECISION: f64 = 0.02;

/// Seconds per command that are spent on it at most by default: what one waits without thinking.
const BUDGET: f64 = 10.0;

/// How commands are measured, of whichever command line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// When enough has been measured.
    pub(crate) amount: &'a cli::Amount,
    /// In which order.
    pub(crate) schedule: &'a cli::Schedule,
    /// The conditions they are executed under.
    pub(crate) control: &'a cli::Control,
    /// How it is analysed.
    pub(crate) analysis: &'a cli::Analysis,
}

/// The experiment, and how its commands are executed.
pub(crate) fn assembled(
    options: &Request<'_>,
    subjects: &Subjects,
) -> Result<(Experiment, CommandSetup), Failure> {
    let shared = Shared::of(&subjects.all);
    let place = &Place::of(&shared)?;
    let order = order(options, subjects)?;
    let mut benchmarks = Vec::new();
    let mut commands = Vec::new();
    let mut hooks = Vec::new();
    let mut hashes = Hashes::default();
    for subject in &subjects.all {
        let place = place.for_subject(subject, &shared)?;
        let hook = |role: &str, hook: &Option<Vec<u8>>| {
            hook.as_ref().map(|text| place.resolve(role, text, Through::HookShell)).transpose()
        };
        let shell = shell(subject.texts.shell.as_deref())?;
        let execute = place.resolve(&subject.role(), &subject.texts.command, shell)?;
        let hash = hashes.hash(&execute.path);
        benchmarks.push(BenchmarkLine { hash, ..benchmark(subject, &execute, options) });
        let of_hooks = &subject.texts.hooks;
        commands.push(Command {
            execute,
            prepare: hook("--prepare", &of_hooks.prepare)?,
            conclude: hook("--conclude", &of_hooks.conclude)?,
            accept: options.control.ignore_failure.clone().unwrap_or_default(),
            files: shared.files_of(subject, &place.here)?,
        });
        hooks.push(StageHooks {
            requires: None,
            setup: hook("--setup", &of_hooks.setup)?,
            cleanup: hook("--cleanup", &of_hooks.cleanup)?,
        });
    }
    let clock_facts = clock::measure();
    let setup = setup(options, (place, &shared), commands, hooks)?;
    let settings = Settings {
        reference: subjects.reference.clone(),
        ..settings::with(Settings::default(), options.analysis)
    };
    let resolution = tool::resolution(clock_facts.as_ref());
    let metrics = measured(options.control, resolution);
    check_metric(&settings.metric, &metrics, options.analysis)?;
    pilot::check(settings.criteria.conditions, options.amount.plan)?;
    let plan = plan(options, order, (subjects.all.len(), &settings))?;
    let mut experiment = recorded::experiment(benchmarks, plan, settings);
    experiment.metrics = metrics;
    experiment.notes.splice(0..0, forced_order(options, order));
    experiment.context = context((options, &shared), &place.here, clock_facts.as_ref());
    Ok((experiment, setup))
}

/// How the commands are executed.
fn setup(
    options: &Request<'_>,
    (place, shared): (&Place, &Shared),
    commands: Vec<Command>,
    hooks: Vec<StageHooks>,
) -> Result<CommandSetup, Failure> {
    Ok(CommandSetup {
        commands,
        around_all: AroundAll::default(),
        hooks,
        environment: tool::assignments(place.environment.iter().cloned()),
        cwd: place.cwd.clone(),
        stdio: stdio(options, place, shared)?,
        timeout_ns: options.control.timeout.map(values::nanoseconds),
        control: control(options.control),
        counters: if options.control.counters { Counters::On } else { Counters::Off },
        cgroup: if options.control.cgroup { Cgroup::On } else { Cgroup::Off },
        printed: Vec::new(),
        iterations: None,
        failing: Failing::Stops,
    })
}

/// The metrics of commands that are executed like this.
pub(crate) fn measured(control: &cli::Control, clock_resolution: Option<f64>) -> Vec<Metric> {
    let counters = if control.counters { Counters::On } else { Counters::Off };
    let cgroup = if control.cgroup { Cgroup::On } else { Cgroup::Off };
    let work = control.count.map(|_| CountSpec::metric());
    launcher::metrics(clock_resolution, counters, cgroup).into_iter().chain(work).collect()
}

/// Refuses what cannot be ranked before anything is measured.
fn check_metric(asked: &str, measured: &[Metric], analysis: &cli::Analysis) -> Result<(), Failure> {
    if !analysis.by.is_empty() {
        let why = "functions of suites are compared by it; of commands, \
                   `etalon report @last --row /PARAM --col .name` makes a table";
        return Err(Failure::about("--by", why));
    }
    let derived = [metrics::FAULTS, metrics::CSW];
    let known = measured.iter().find(|m| m.name == asked);
    if known.is_some() || derived.contains(&asked) {
        let base = known.map_or(&Base::Count, |m| m.unit.base()); // what is derived is counts
        return analysis.check_base(asked, base, &[]).map_err(Failure::new);
    }
    let with = |counters, cgroup| launcher::metrics(None, counters, cgroup);
    let asked_for = [
        ("--counters", with(Counters::On, Cgroup::Off)),
        ("--cgroup", with(Counters::Off, Cgroup::On)),
    ];
    if let Some((option, _)) =
        asked_for.iter().find(|(_, metrics)| metrics.iter().any(|m| m.name == asked))
    {
        return Err(Failure::new(format!("--metric {asked}: measured with {option} only")));
    }
    let known: Vec<&str> = measured.iter().map(|m| m.name.as_str()).chain(derived).collect();
    Err(Failure::new(format!("--metric {asked}: not measured; write one of {}", known.join(", "))))
}

/// Shells, as hyperfine takes them.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "fish"];

/// Hashes of programs, each read once.
#[derive(Default)]
struct Hashes(HashMap<Text, Option<Box<str>>>);

impl Hashes {
    fn hash(&mut self, path: &Text) -> Option<Box<str>> {
        let hash = || program::hash(Path::new(OsStr::from_bytes(&path.0)));
        self.0.entry(path.clone()).or_insert_with(hash).clone()
    }
}

/// The shell that was asked for. BestGuess's and etalon's -s is a shell; hyperfine's a setup, and no
/// setup ends in an option that takes a command.
fn shell(shell: Option<&[u8]>) -> Result<Through<'_>, Failure> {
    let Some(shell) = shell else { return Ok(Through::Nothing) };
    let words = words::split(shell).unwrap_or_default(); // what does not close is refused later
    match words.last() {
        Some(last) if !last.starts_with(b"-") => {
            let shell = String::from_utf8_lossy(shell);
            let program = shell.split(' ').next().and_then(|path| path.rsplit('/').next());
            let typed = match &*shell {
                "none" => "--shell=none",
                "default" => "--shell=default",
                _ if program.is_some_and(|name| SHELLS.contains(&name)) => "-S",
                _ => "-s",
            };
            Err(Failure::new(habits::misread("-s", &shell, typed)))
        }
        _ => Ok(Through::Shell(shell)),
    }
}

/// A benchmark as the record keeps it.
fn benchmark(subject: &Subject, execute: &Execute, options: &Request<'_>) -> BenchmarkLine {
    let text = |bytes: &Vec<u8>| Text::from(OsString::from_vec(bytes.clone()));
    let Texts { command, shell, hooks, .. } = &subject.texts;
    let Hooks { setup, prepare, conclude, cleanup } = hooks;
    BenchmarkLine {
        name: subject.shown_name(),
        params: subject.params.clone(),
        cwd: execute.directory.clone(),
        env: execute.environment.clone(),
        command: Some(text(command)),
        argv: execute.argv.clone(),
        path: Some(execute.path.clone()),
        shell: shell.as_ref().map(text),
        setup: setup.as_ref().map(text),
        prepare: prepare.as_ref().map(text),
        conclude: conclude.as_ref().map(text),
        cleanup: cleanup.as_ref().map(text),
        accept: options.control.ignore_failure.clone().unwrap_or_default(),
        ..BenchmarkLine::default()
    }
}

/// The order asked for. Without one: blocks, unless the commands need surroundings of their own,
/// which only executing them one after the other gives.
fn order(options: &Request<'_>, subjects: &Subjects) -> Result<Order, Failure> {
    let order = match options.schedule.order {
        Some(typed) => typed.into(),
        None if subjects.surroundings_differ() => Order::Sequential,
        None => Order::Blocks,
    };
    if options.amount.plan && order == Order::Sequential && subjects.all.len() > 1 {
        return Err(Failure::new(pilot::IN_SEQUENCE));
    }
    if options.amount.until == UntilArg::Decided {
        if options.analysis.judging.confidence.is_some() {
            return Err(Failure::new(settings::LEVEL_FOLLOWS));
        }
        if subjects.all.len() < 2 {
            return Err(Failure::new(
                "--until decided: there is nothing to compare: name two commands",
            ));
        }
        if order == Order::Sequential {
            let why = match options.schedule.order {
                Some(_) => "it looks after blocks, and --order sequential has none",
                None => {
                    "--setup or --cleanup differ between commands, so they are executed one after \
                     the other; --order blocks executes all setups first"
                }
            };
            return Err(Failure::about("--until decided", why));
        }
    }
    Ok(order)
}

/// Why commands are executed one after the other that nobody asked to be.
fn forced_order(options: &Request<'_>, order: Order) -> Option<Note> {
    let is_forced = options.schedule.order.is_none() && order == Order::Sequential;
    is_forced.then(|| {
        Note::new(
            "order",
            "setup or cleanup differ between commands, so they are executed one after the other; \
             --order blocks executes all setups first and interleaves the commands",
        )
    })
}

/// The conditions that the commands are executed under.
fn control(options: &cli::Control) -> Control {
    Control {
        aslr: match options.aslr {
            AslrArg::Keep => Aslr::Keep,
            AslrArg::Off => Aslr::Off,
        },
        ..options.surroundings.control()
    }
}

fn plan(
    options: &Request<'_>,
    order: Order,
    (subjects, settings): (usize, &Settings),
) -> Result<Plan, Failure> {
    let cli::Amount { runs, warmup, limits, until, precision, budget, total_budget, plan } =
        *options.amount;
    let runs = pilot::blocks(runs, plan)?;
    let budget =
        budget_per_subject(Budgets { each: budget, total: total_budget }, subjects, BUDGET);
    let stopping = match (runs, until) {
        (Some(runs), _) => Stopping::Runs(runs),
        (None, UntilArg::Precision) => {
            Stopping::Precision { target: precision.unwrap_or(PRECISION), budget }
        }
        (None, UntilArg::Decided) => Stopping::Decided { budget },
    };
    let limits = limits.block_limits().map_err(Failure::new)?;
    let family = match order {
        Order::Sequential => 0,
        Order::Blocks | Order::Abba => comparisons(subjects, settings.reference.is_some()),
    };
    Ok(Plan {
        warmup,
        limits: limits.for_family(stopping, family, &settings.criteria),
        padding: options.schedule.randomize_env.then_some(PADDING),
        ..Plan::new(order, stopping, options.schedule.seed.unwrap_or_else(tool::new_seed))
    })
}

fn stdio(options: &Request<'_>, place: &Place, shared: &Shared) -> Result<Stdio, Failure> {
    let inherit = options.control.show_output || options.control.stdout == StdoutArg::Inherit;
    let stdin = match &shared.input {
        Shares::Alike(Some(file)) => input(file, &place.here)?.map_or(Input::Null, Input::File),
        Shares::Alike(None) | Shares::Own => Input::Null,
    };
    let (stdout, stderr) = match (&options.control.stdout, &shared.stdout) {
        _ if inherit => (Output::Inherit, Output::Inherit),
        (StdoutArg::Pipe, _) => (Output::Pipe, Output::Pipe),
        (_, Shares::Alike(Some(file))) => (Output::File(absolute(file, &place.here)), Output::Pipe),
        (_, Shares::Alike(None) | Shares::Own) => (Output::Null, Output::Pipe),
    };
    let foreground = if inherit { Foreground::Lend } else { Foreground::Keep };
    Ok(Stdio { stdin, stdout, stderr, foreground })
}

/// Facts about the clock, and what the commands were given. The executor adds those about the machine.
fn context(
    (options, shared): (&Request<'_>, &Shared),
    here: &Path,
    clock: Option<&clock::ClockFacts>,
) -> Context {
    let mut context = recorded::facts(here, clock);
    let mut add = |key: &str, value: String| context.insert(key.to_owned(), value);
    for (name, value) in &shared.env {
        add(&format!("env.{name}"), value.clone());
    }
    for (key, text) in [("cwd", &shared.cwd), ("input", &shared.input)] {
        if let Shares::Alike(Some(text)) = text {
            add(key, String::from_utf8_lossy(text).into_owned());
        }
    }
    if let Some(seconds) = options.control.timeout {
        add("timeout_s", seconds.to_string());
    }
    for (fact, value) in options.control.surroundings.facts() {
        add(&fact, value);
    }
    if options.control.aslr == AslrArg::Off {
        add("control.aslr", "off".to_owned());
    }
    context
}
