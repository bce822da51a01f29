//! `etalon run FILE.toml`: an experiment file becomes an experiment, executed, saved, and shown as its tables and its page.
//!
//! Here: the course of things. What cells execute is [`plan`]'s, what is shown [`crate::experiments`]'.

mod earlier;
mod generated;
mod metrics;
mod packages;
mod plan;
mod schedule;
mod sides;
mod subjects;
mod suites;

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use clap::ArgMatches;
use etalon_core::plan::Stopping;
use etalon_probe::launcher::Launcher;
use etalon_report::number::{counted, duration};
use etalon_report::text::clean;
use etalon_run::lua::{CaseSetup, LuaCases, expected_seconds};
use etalon_run::services::ServiceSpec;
use etalon_run::{Commands, Experiment, Origins, RunError};

use crate::cli;
use crate::destination::Destination;
use crate::experiments::file::File;
use crate::experiments::{Wanted, machines, page, parsed, read, tables};
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::keeping::Saving;
use crate::pages::Page;
use crate::progress::{Watch, Watched};
use crate::resume::Interrupted;
use crate::session::{self, Executed, Keeping, Shown};
use crate::toml_text::Source;
use crate::{destination, output, report, services};

use generated::Generated;
use plan::{Planned, Setup};
use sides::OnSides;
use subjects::Site;

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
    if recorded.sides.base.is_some() {
        return Err(interrupted.refusal(&"it is one of two sides, which is not resumed"));
    }
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
    page::check(source, &file)?;
    let only_told = options.list || options.dry_run;
    let output: Option<&Path> = options.recording.output.as_deref().map(Path::new);
    let exports = Exports::check(&options.reporting.exports, output.as_slice())?;
    let second = if only_told { None } else { destination::asked(&options.recording)? };
    let interim = report::interim(&exports, &options.reporting.analysis);
    let mut watch = Watch::new(options.reporting.view.quiet, interim)?;
    let sides = match only_told {
        false => OnSides::of(source, &file, declared, &watch)?,
        true => None,
    };
    let places = places(source, sides.as_ref())?;
    let files = Generated::write(source, &file, &places)?;
    let planned = plan::of(source, &file, (declared, &places), &mut watch)?;
    let ControlFlow::Continue(planned) = planned else { return Ok(Exit::Interrupted) };
    let Planned { mut experiment, setup, binaries } = planned;
    if only_told {
        let told = dry_run(source, &experiment, &setup, options.dry_run);
        // The largest things there are; the program is about to end.
        std::mem::forget((experiment, setup));
        return told;
    }
    let origins = match &sides {
        Some(sides) => Some(sides.origins(&mut experiment, &watch)?),
        None => {
            add_outputs(source, &file, &mut experiment)?;
            None
        }
    };
    if let Some(interrupted) = interrupted {
        interrupted.resume(&mut experiment)?;
    }
    if !options.reporting.view.quiet {
        announce(&experiment, &setup);
        let told = second.as_ref().and_then(Destination::format_told);
        told.iter().for_each(|told| output::remark(told));
    }
    let saving = Saving::unless(options.recording.no_save);
    let kept = Keeping { saving, second: second.as_ref() };
    let services = declared_services(&file, options)?;
    let executed = execute(source, (&experiment, setup, origins), services, kept, &mut watch)?;
    drop((files, binaries));
    let has_sides = sides.map(drop).is_some();
    match &executed.finished.error {
        Some(RunError::NothingPrinted { metric }) => {
            return Err(nothing_printed(source, &file, &experiment, *metric));
        }
        Some(RunError::Origin(_)) => session::failure(&executed)?,
        _ => {}
    }
    if has_sides {
        return sides::shown(source, &file, &executed, options);
    }
    let has_failed = show(source, &file, &executed, (options, exports.page()))?;
    let shown = Shown::new(&options.reporting, &exports, options.recording.output.is_none());
    session::say_saved(&executed, &shown);
    let exit = session::exit(&executed, None);
    Ok(if exit == Exit::Done && has_failed { Exit::Failed } else { exit })
}

/// Adds what a page of the file shows besides what is measured.
fn add_outputs(
    source: Source<'_>,
    file: &File,
    experiment: &mut Experiment,
) -> Result<(), Failure> {
    if let Some(recorded) = &mut experiment.file {
        recorded.outputs = page::outputs(source, file)?;
        recorded.outputs.extend(machines::texts(source, file)?);
    }
    Ok(())
}

/// Where cells are executed: where the file is, or in each copy of two sides.
fn places(source: Source<'_>, sides: Option<&OnSides>) -> Result<Vec<Site>, Failure> {
    match sides {
        Some(sides) => Ok(sides.places.clone()),
        None => Ok(vec![Site { directory: schedule::directory(source)?, copy: None }]),
    }
}

/// Executes what is planned, with services around it.
fn execute(
    source: Source<'_>,
    (experiment, setup, origins): (&Experiment, Setup, Option<Origins>),
    services: Vec<ServiceSpec>,
    kept: Keeping<'_>,
    watch: &mut Watch<'_>,
) -> Result<Executed, Failure> {
    let directory = Path::new(source.path).parent().unwrap_or(Path::new(""));
    match setup {
        Setup::Commands(setup) => {
            watch.now_watches(Watched::commands(experiment));
            let launcher =
                Launcher::start().map_err(|error| Failure::new(RunError::Launcher(error)))?;
            let executor = Commands::new(*setup, launcher).on_sides(origins);
            let mut executor = services::around_in(executor, services, directory, watch)?;
            session::execute(experiment, &mut executor, kept, watch)
        }
        Setup::Cases(setup) => {
            watch.now_watches(Watched::cases(experiment));
            let executor = LuaCases::new(*setup);
            let mut executor = services::around_in(executor, services, directory, watch)?;
            session::execute(experiment, &mut executor, kept, watch)
        }
    }
}

/// Shows what there is, and says whether a cell failed.
fn show(
    source: Source<'_>,
    file: &File,
    executed: &Executed,
    (options, page): (&cli::Run, Option<&Page>),
) -> Result<bool, Failure> {
    let data = executed.kept.read().map_err(Failure::new)?;
    let has_failed = data.has_failures();
    session::failure(executed)?;
    let cli::Reporting { view, analysis, .. } = &options.reporting;
    let wanted = Wanted { view, analysis, page };
    tables::of_file(source, file, data, &wanted)?;
    Ok(has_failed)
}

/// The services of a file, and those that were named besides.
fn declared_services(file: &File, options: &cli::Run) -> Result<Vec<ServiceSpec>, Failure> {
    let mut all = file.service.0.clone();
    all.extend(services::declared(&options.services)?);
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
        ("precision", "--precision", "runs"),
        ("until", "--until", "runs"),
    ];
    if let Some((_, option, key)) = of_file.iter().find(|(id, ..)| typed(id)) {
        let why = format!("an experiment file says this with the key `{key}`: write it there");
        return Err(Failure::about(*option, why));
    }
    Ok(())
}

/// Says how much there is to do.
fn announce(experiment: &Experiment, setup: &Setup) {
    match setup {
        Setup::Commands(_) => output::remark(&announced(experiment)),
        Setup::Cases(setup) => crate::cases::announce(experiment, setup),
    }
}

/// How much there is to do.
fn announced(experiment: &Experiment) -> String {
    let cells = counted(experiment.benchmarks.len(), "cell", "cells");
    let Stopping::Runs(runs) = experiment.plan.stopping else { return cells };
    let blocks = counted(runs as usize, "block", "blocks");
    match experiment.stages.len() {
        1 => format!("{cells}, {blocks}"),
        stages => format!("{cells} in {stages} stages, {blocks} each"),
    }
}

/// Tells what would be executed, and with a schedule in which order and how often.
fn dry_run(
    source: Source<'_>,
    experiment: &Experiment,
    setup: &Setup,
    with_schedule: bool,
) -> Result<Exit, Failure> {
    let mut lines = Vec::new();
    if with_schedule {
        lines.push(announced(experiment));
        lines.push(expected(source, experiment, setup));
        lines.push(String::new());
    }
    for line in &experiment.benchmarks {
        let label = clean(&line.to_benchmark().label());
        let command = line.command.as_ref().map(|text| text.to_string_lossy().into_owned());
        let suite = || line.case.as_ref().map(|case| case.file.clone());
        let executed = command.or_else(suite).unwrap_or_default();
        lines.push(format!("{label}: {}", clean(&executed)));
    }
    if with_schedule {
        lines.push(String::new());
        for (number, stage) in experiment.stages.iter().enumerate() {
            if let [_, _, ..] = &experiment.stages[..] {
                lines.push(format!(
                    "stage {}: {}",
                    number + 1,
                    counted(stage.subjects.len(), "cell", "cells")
                ));
            }
        }
        if let Some(stage) = experiment.stages.first() {
            let order = experiment.plan.block(stage, etalon_core::plan::Stream::Measured, 0);
            let label =
                |&subject: &usize| clean(&experiment.benchmarks[subject].to_benchmark().label());
            lines.push(format!("the first block, with seed {}:", experiment.plan.seed));
            lines.extend(order.iter().map(|subject| format!("  {}", label(subject))));
        }
    }
    output::lines(&lines)?;
    Ok(Exit::Done)
}

/// What is known of the time it takes before anything was executed.
fn expected(source: Source<'_>, experiment: &Experiment, setup: &Setup) -> String {
    let setup = match setup {
        Setup::Commands(setup) => setup,
        Setup::Cases(setup) => {
            let CaseSetup { cases, budget, .. } = &**setup;
            let Experiment { stages, plan, .. } = experiment;
            return format!("about {}", duration(expected_seconds(cases, stages, plan, *budget)));
        }
    };
    let Stopping::Runs(runs) = experiment.plan.stopping else { return String::new() };
    let number = (runs + experiment.plan.warmup) as usize * experiment.benchmarks.len();
    let executions = counted(number, "execution", "executions");
    let each = setup
        .timeout_ns
        .map(|ns| format!(" of at most {} each", duration(Duration::from_nanos(ns).as_secs_f64())));
    let all = experiment
        .plan
        .limits
        .within
        .map(|seconds| format!(", in {} at most", duration(f64::from(seconds))));
    let bounds = format!("{}{}", each.unwrap_or_default(), all.unwrap_or_default());
    match earlier::seconds(source, experiment) {
        Some(seconds) => {
            let time = duration(seconds);
            format!("{executions}{bounds}; about {time}, as long as when this was measured last")
        }
        None => format!(
            "{executions}{bounds}; -r 1 measures one block, and says while it does how long it takes"
        ),
    }
}

fn nothing_printed(
    source: Source<'_>,
    file: &File,
    experiment: &Experiment,
    metric: usize,
) -> Failure {
    let name = experiment.metrics.get(metric).map_or("", |metric| metric.name.as_str());
    let declared = file.metric.iter().find(|(known, _)| known.get_ref() == name);
    let unit = declared.map_or("", |(_, metric)| metric.unit.as_str());
    let message = format!(
        "no command printed `{name}` in {unit}: execute one by hand, and say where its number stands with `line`, \
         `json`, `pattern` or `go`"
    );
    match declared {
        Some((known, _)) => source.at(known.span(), message),
        None => Failure::about(source.path, message),
    }
}
