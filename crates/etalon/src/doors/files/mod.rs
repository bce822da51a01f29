//! `etalon run FILE.toml`: an experiment file becomes an experiment, executed, saved, and shown as its tables and its page.
//!
//! Here: the course of things. What cells execute is [`plan`]'s, what is shown [`shown`]'s and
//! [`crate::experiments`]'.

mod counted;
mod dry;
mod earlier;
mod elsewhere;
mod generated;
mod kinds;
mod loads;
mod metrics;
mod packages;
mod plan;
mod results;
mod schedule;
mod sent;
mod shown;
mod sides;
mod subjects;
mod suites;

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::Path;

use clap::ArgMatches;
use etalon_core::plan::Stopping;
use etalon_probe::launcher::Launcher;
use etalon_report::number::counted;
use etalon_run::harness::ResultsSpec;
use etalon_run::lua::LuaCases;
use etalon_run::services::ServiceSpec;
use etalon_run::{Commands, Executor, Experiment, Origins, RunError};

use crate::course::{self, Job};
use crate::experiments::file::File;
use crate::experiments::{machines, page, parsed, read};
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::progress::{Watch, Watched};
use crate::resume::Interrupted;
use crate::sides::OnSides;
use crate::sides::origins::before_elsewhere;
use crate::toml_text::Source;
use crate::{cases, cli, harnesses, report, services};
use counted::Counting;
use dry::dry_run;
use generated::Generated;
use plan::{Planned, Setup};
use shown::Cells;

/// Whether what `etalon run` is given is an experiment file.
pub(crate) fn is_experiment(options: &cli::Run) -> bool {
    options.paths.iter().any(|path| Path::new(path).extension() == Some(OsStr::new("toml")))
}

/// Whether an interrupted run is one of an experiment file.
///
/// # Errors
/// If its command line is no longer understood, or is of another subcommand.
pub(crate) fn is_of_experiment(interrupted: &Interrupted) -> Result<bool, Failure> {
    let (cli, _) = interrupted.command_line("run")?;
    Ok(matches!(cli.command, cli::Command::Run(recorded) if is_experiment(&recorded)))
}

/// Runs the subcommand for an experiment file, or goes on with an interrupted run of one.
pub(crate) fn run(
    options: &cli::Run,
    matches: &ArgMatches,
    interrupted: Option<&Interrupted>,
) -> Result<Exit, Failure> {
    let Some(interrupted) = interrupted else {
        check_options(matches)?;
        return measure(options, options, only(options)?, None);
    };
    let (cli, matches) = interrupted.command_line("run")?;
    let cli::Command::Run(recorded) = cli.command else {
        return Err(interrupted.refusal(&"it is not an execution of `etalon run`"));
    };
    check_options(&matches)?;
    measure(&recorded, options, only(&recorded)?, Some(interrupted))
}

/// The one file that is named.
fn only(options: &cli::Run) -> Result<&OsStr, Failure> {
    let [path] = &options.paths[..] else {
        return Err(Failure::new(
            "an experiment file is measured alone: name one, and nothing beside it",
        ));
    };
    Ok(path)
}

/// Measures what `declared` asks for; `options` say where it is kept and how it is shown.
fn measure(
    declared: &cli::Run,
    options: &cli::Run,
    path: &OsStr,
    interrupted: Option<&Interrupted>,
) -> Result<Exit, Failure> {
    let (shown_path, text) = read(path)?;
    let source = Source { path: &shown_path, text: &text };
    let file = parsed(source)?;
    let is_node = declared.nodes.is_node();
    (!is_node).then(|| page::check(source, &file)).transpose()?;
    let output: Option<&Path> = options.recording.output.as_deref().map(Path::new);
    let exports = Exports::check(&options.reporting.exports, output.as_slice())?;
    if options.list || options.dry_run {
        return told(source, &file, declared);
    }
    elsewhere::check(source, &file, declared)?;
    let interim = report::interim(&exports, &options.reporting.analysis);
    let mut watch = course::watch(&options.recording, options.reporting.view.quiet, interim)?;
    let services = declared_services(source, &file, options)?;
    let on_sides = sides::prepare(source, &file, declared, &watch)?;
    if on_sides.is_none() {
        options.reporting.view.check_ranks().map_err(Failure::new)?;
    }
    let places = sides::places(source, on_sides.as_ref().map(OnSides::copies))?;
    let files = Generated::write(source, &file, &places)?;
    let planned = plan::prepare(source, &file, (declared, &places), &mut watch)?;
    let ControlFlow::Continue(planned) = planned else { return Ok(Exit::Interrupted) };
    let Planned { mut experiment, setup, binaries, results: (spec, room) } = planned;
    let place = (source, &file);
    let origins = origins(place, on_sides.as_ref(), declared, (&mut experiment, &setup), &watch)?;
    let (executed, beside) = ((&experiment, &setup), (&binaries[..], on_sides.as_ref()));
    let luggage = elsewhere::luggage(source, &file, declared, executed, beside)?;
    interrupted.map(|it| it.resume(&mut experiment)).transpose()?;
    let mut cells = Cells {
        source,
        file: &file,
        reporting: &options.reporting,
        compare: options.comparison(),
        exports: &exports,
        metrics: experiment.metrics.iter().map(|metric| metric.name.clone()).collect(),
    };
    let counting =
        Counting::new(source, &file, (&experiment, declared), (on_sides.as_ref(), &watch))?;
    let remarks = announced(&experiment, &setup).into_iter().chain(counting.cost()).collect();
    let promised = promised(&experiment, &setup);
    let watched = Some(watched(&setup, &experiment));
    let executor =
        executor(source, (setup, origins, spec), (services, counting, &experiment), &watch)?;
    let family = schedule::family(&file, &experiment.benchmarks, &experiment.settings);
    let mut job = Job::new(experiment, executor);
    job.holds.push(Box::new((files, binaries, room)));
    let nodes = declared.nodes.clone();
    let job = Job { watched, remarks, family, promised, nodes, luggage, ..job };
    let job = crate::sides::around(job, on_sides, &options.comparison())?;
    course::run(job, &options.recording, &mut watch, &mut cells)
}

/// Where what is executed comes from, on two sides; else what a page shows besides. A node was sent both.
fn origins(
    (source, file): (Source<'_>, &File),
    on_sides: Option<&OnSides>,
    options: &cli::Run,
    (experiment, setup): (&mut Experiment, &Setup),
    watch: &Watch<'_>,
) -> Result<Option<Origins>, Failure> {
    match on_sides {
        _ if options.nodes.is_node() => Ok(None),
        Some(on_sides) => sides_origins(on_sides, options, (experiment, setup), watch),
        None => add_outputs(source, file, experiment),
    }
}

/// Says in the record that it is of two sides; what is to be found out of them by the executor.
fn sides_origins(
    on_sides: &OnSides,
    options: &cli::Run,
    (experiment, setup): (&mut Experiment, &Setup),
    watch: &Watch<'_>,
) -> Result<Option<Origins>, Failure> {
    crate::sides::refuse_absent(experiment, on_sides.copies())?;
    on_sides.declare(experiment);
    let origins = Some(on_sides.origins(experiment, watch)?);
    match setup {
        Setup::Commands(setup) => before_elsewhere(&options.nodes, origins, (experiment, setup)),
        Setup::Cases(_) => Ok(origins),
    }
}

/// The seconds that it was said to take, where that is known.
fn promised(experiment: &Experiment, setup: &Setup) -> Option<f64> {
    match setup {
        Setup::Commands(_) => None,
        Setup::Cases(setup) => Some(cases::promised(experiment, setup)),
    }
}

/// Tells what the live lines count.
fn watched(setup: &Setup, experiment: &Experiment) -> Watched {
    match setup {
        Setup::Commands(_) => Watched::commands(experiment),
        Setup::Cases(_) => Watched::cases(experiment),
    }
}

/// Tells what would be measured.
fn told(source: Source<'_>, file: &File, options: &cli::Run) -> Result<Exit, Failure> {
    let mut watch = Watch::new(options.reporting.view.quiet, Interim::none())?;
    let copies = sides::pretended(source, file, options)?;
    let places = sides::places(source, copies.as_deref())?;
    let files = Generated::write(source, file, &places)?;
    let planned = plan::prepare(source, file, (options, &places), &mut watch)?;
    let ControlFlow::Continue(planned) = planned else { return Ok(Exit::Interrupted) };
    let Planned { experiment, setup, .. } = planned;
    let told = dry_run(source, &experiment, &setup, options.dry_run);
    drop(files);
    // The largest things there are; the program is about to end.
    std::mem::forget((experiment, setup));
    told
}

/// Adds what a page of the file shows besides what is measured. There are no sides to find something out of.
fn add_outputs(
    source: Source<'_>,
    file: &File,
    experiment: &mut Experiment,
) -> Result<Option<Origins>, Failure> {
    if let Some(recorded) = &mut experiment.file {
        recorded.outputs = page::outputs(source, file)?;
        recorded.outputs.extend(machines::texts(source, file)?);
    }
    Ok(None)
}

/// The executor of what is planned, with services around it.
fn executor(
    source: Source<'_>,
    (setup, origins, spec): (Setup, Option<Origins>, Option<ResultsSpec>),
    (services, counting, experiment): (Vec<ServiceSpec>, Counting<'_>, &Experiment),
    watch: &Watch<'_>,
) -> Result<Box<dyn Executor>, Failure> {
    let directory = source.directory();
    Ok(match setup {
        Setup::Commands(setup) => {
            let launcher =
                Launcher::start().map_err(|error| Failure::new(RunError::Launcher(error)))?;
            let executor = Commands::new(*setup, launcher).on_sides(origins);
            let executor = counting.around(executor, experiment)?;
            harnesses::around(services::around_in(executor, services, directory, watch)?, spec)
        }
        Setup::Cases(setup) => {
            counting.refuse_nginx(&setup.cases)?;
            let executor = counting.around(LuaCases::new(*setup), experiment)?;
            Box::new(services::around_in(executor, services, directory, watch)?)
        }
    })
}

/// The services of a file, and those that were named besides; all of them can be started.
fn declared_services(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
) -> Result<Vec<ServiceSpec>, Failure> {
    let mut all = file.service.0.clone();
    all.extend(services::declared(&options.services)?);
    services::check(&all, source.directory())?;
    Ok(all)
}

/// Refuses options that say what the file says, or what only suites have.
fn check_options(matches: &ArgMatches) -> Result<(), Failure> {
    let typed = |id: &str| matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine);
    let of_suites = [
        ("chunks", "-e"),
        ("scripts", "--script"),
        ("lua", "--lua"),
        ("jit", "--jit"),
        ("warmup", "-w"),
        ("gc_step", "--gc-step"),
        ("memory_limit", "--memory-limit"),
        ("show_overhead", "--show-overhead"),
        ("bench_from", "--bench-from"),
    ];
    if typed("plan") {
        let why = "is of commands and Lua suites: an experiment file says with `runs` how much is measured";
        return Err(Failure::about("--plan", why));
    }
    if let Some((_, option)) = of_suites.iter().find(|(id, _)| typed(id)) {
        let why = "is of Lua suites: an experiment file says in its commands what is executed";
        return Err(Failure::about(*option, why));
    }
    let of_file = [
        ("prepare", "-p", "prepare"),
        ("setup", "--setup", "setup"),
        ("conclude", "--conclude", "conclude"),
        ("cleanup", "--cleanup", "cleanup"),
        ("cwd", "--cwd", "cwd"),
        ("timeout", "--timeout", "timeout"),
        ("budget", "--budget", "budget"),
        ("count", "--count", "count"),
        ("precision", "--precision", "runs"),
        ("until", "--until", "runs"),
    ];
    if let Some((_, option, key)) = of_file.iter().find(|(id, ..)| typed(id)) {
        let why = format!("an experiment file says this with the key `{key}`: write it there");
        return Err(Failure::about(*option, why));
    }
    Ok(())
}

/// How much there is to do.
fn announced(experiment: &Experiment, setup: &Setup) -> Option<String> {
    match setup {
        Setup::Commands(_) => Some(number(experiment)),
        Setup::Cases(setup) => cases::announced(experiment, setup),
    }
}

/// How many cells and blocks there are.
fn number(experiment: &Experiment) -> String {
    let cells = counted(experiment.benchmarks.len(), "cell", "cells");
    let Stopping::Runs(runs) = experiment.plan.stopping else { return cells };
    let blocks = counted(runs as usize, "block", "blocks");
    match experiment.stages.len() {
        1 => format!("{cells}, {blocks}"),
        stages => format!("{cells} in {stages} stages, {blocks} each"),
    }
}
