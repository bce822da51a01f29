//! `etalon ab`: two states of a project, copied, built, measured side by side, and compared.
//!
//! Here: the course of things. Copies and their builds are [`crate::sides`]', what is to hold of them before anything is
//! measured [`held`]'s, what to type for a project [`typed`]'s.

mod held;
mod subjects;
mod typed;

use std::any::Any;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use clap::ArgMatches;
use etalon_core::criteria::Criteria;
use etalon_core::model::{Metric, SIDE};
use etalon_probe::launcher::Launcher;
use etalon_record::{ReadError, Text};
use etalon_report::number::counted;
use etalon_run::services::ServiceSpec;
use etalon_run::{Commands, RunError};

use crate::cli::commands::{self, DeclaredCommand};
use crate::cli::{self, Belongs, values};
use crate::commands::experiment;
use crate::commands::{scan, texts};
use crate::counting::{self, Beside, Counts, Means};
use crate::course::{self, Job};
use crate::failure::{Exit, Failure};
use crate::harnesses::{self, RESULTS, ResultsRoom};
use crate::history::{IntoHistory, Line};
use crate::interim::Interim;
use crate::nodes::luggage::Luggage;
use crate::nodes::refuse_terminal;
use crate::planning::OfSides;
use crate::progress::{Watch, Watched};
use crate::showing::{Show, Sides};
use crate::sides::copies::OF_PARAMETERS;
use crate::sides::origins::before_elsewhere;
use crate::sides::{Build, Copy, OnSides, SidesRequest};
use crate::{compare, destination, pages, pilot, services, sides, tool};
use subjects::check;

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Ab, matches: &ArgMatches) -> Result<Exit, Failure> {
    let here = tool::here()?;
    let declared = declared(options, matches)?;
    if declared.is_empty() {
        return typed::show(options, &here);
    }
    let ready = Ready::new(options, declared)?;
    let recording = &options.recording;
    pages::check_beside(&options.show.page, recording.output.as_deref())?;
    let mut watch = course::watch(recording, options.show.quiet, Interim::none())?;
    let (compare, explain_noise) = (options.comparison(), options.explain_noise);
    let mut shown: Box<dyn Show> = match options.amount.plan {
        true => Box::new(OfSides { compare, sides: Some(OF_PARAMETERS) }),
        false => Box::new(Sides { compare, explain_noise }),
    };
    if options.series.is_some() {
        let belongs = Belongs { series: options.series.clone(), ..Belongs::default() };
        shown = Box::new(IntoHistory { shown, belongs });
    }
    course::run(ready.job(options, &watch)?, recording, &mut watch, &mut *shown)
}

/// Measures two commits against each other as a line says that nobody has typed.
///
/// # Errors
/// As of a line that somebody has typed.
pub(crate) fn measured(
    line: &Line,
    watch: &mut Watch<'_>,
    shown: &mut dyn Show,
) -> Result<Exit, Failure> {
    let Line { words, options, matches } = line;
    let ready = Ready::new(options, declared(options, matches)?)?;
    let mut job = ready.job(options, watch)?;
    job.experiment.argv = words.iter().map(|word| Text::from(word.clone())).collect();
    course::run(job, &options.recording, watch, shown)
}

/// All that is known before anything is copied.
struct Ready {
    declared: Vec<DeclaredCommand>,
    luggage: Luggage,
    services: Vec<ServiceSpec>,
    results: Option<ResultsRoom>,
    /// Which metrics a harness has is known once it was executed.
    metrics: Option<Vec<Metric>>,
    judged: cli::Comparison,
    criteria: Criteria,
}

impl Ready {
    fn new(options: &cli::Ab, declared: Vec<DeclaredCommand>) -> Result<Ready, Failure> {
        let luggage = luggage(options)?;
        pilot::blocks(Some(options.amount.runs), options.amount.plan)?;
        let judged = options.comparison();
        let criteria = compare::criteria(&judged)?;
        let services = services::declared(&options.services)?;
        texts::refuse_in_services(&services, &[SIDE, RESULTS])?;
        services::check(&services, Path::new(""))?;
        let results = subjects::results(options, &declared)?;
        let metrics = results.is_none().then(|| experiment::measured(&options.control, None));
        if let Some(metrics) = &metrics {
            let names: Vec<String> = declared.iter().map(DeclaredCommand::shown_name).collect();
            compare::refuse_unmeasured(&judged, &names.iter().map(String::as_str), metrics)?;
        }
        Ok(Ready { declared, luggage, services, results, metrics, judged, criteria })
    }

    /// The copies of both sides, built, and what is executed in them.
    fn job<'a>(self, options: &cli::Ab, watch: &Watch<'_>) -> Result<Job<'a>, Failure> {
        let Ready { declared, luggage, services, results, metrics, judged, criteria } = self;
        let means = means(options, results.is_some(), watch)?;
        let check = |copies: &[Copy]| held::check(options, &declared, copies, watch);
        let on_sides = OnSides::prepare(&asked(options, metrics.as_deref()), watch, &check)?;
        let measured = (&declared[..], results.as_ref());
        let held::Planned { mut experiment, mut setup, origins } =
            held::planned(options, measured, &on_sides, watch)?;
        let spec = results.as_ref().map(|asked| asked.declare(&mut experiment, &mut setup));
        destination::refuse_inputs(&options.recording, &setup)?;
        on_sides.declare(&mut experiment);
        let origins = before_elsewhere(&options.nodes, origins, (&mut experiment, &setup))?;
        experiment.settings.criteria = criteria;
        experiment.plan.limits.within = options.amount.total_budget.map(values::whole_seconds);
        let launcher =
            Launcher::start().map_err(|error| Failure::new(RunError::Launcher(error)))?;
        let copies = on_sides.copies().len();
        let cost = Means::remark(means.as_ref());
        let commands = Commands::new(setup, launcher).on_sides(origins);
        let subjects: Vec<usize> = (0..experiment.benchmarks.len()).collect();
        let rows = subjects.chunks(copies.max(1)).map(<[usize]>::to_vec).collect();
        let commands = Means::around(means, commands, &experiment, rows, on_sides.copies())?;
        let watched = Some(Watched::commands(&experiment));
        let mut remarks = announced(options.amount.runs, declared.len(), copies, watch);
        remarks.extend(cost);
        let executor = harnesses::around(services::around(commands, services, watch)?, spec);
        let holds = results.into_iter().map(|room| Box::new(room) as Box<dyn Any>).collect();
        let nodes = options.nodes.clone();
        let job = Job { watched, remarks, holds, nodes, luggage, ..Job::new(experiment, executor) };
        sides::around(job, Some(on_sides), &judged)
    }
}

/// The means of counting, where that is asked for.
fn means(options: &cli::Ab, results: bool, watch: &Watch<'_>) -> Result<Option<Means>, Failure> {
    let beside = Beside {
        results,
        on: options.nodes.on.is_some(),
        plan: options.amount.plan,
        metric: false,
    };
    counting::means((Counts::Commands, options.control.count), beside, watch)
}

/// The newer side, as typed; of a history a commit, because a working tree is none.
fn head(options: &cli::Ab) -> Option<&OsStr> {
    let checked_out = options.series.as_ref().map(|_| OsStr::new("HEAD"));
    options.head.as_deref().or(checked_out)
}

/// Files that other machines are sent beside the copies. Refuses what has no sense there.
fn luggage(options: &cli::Ab) -> Result<Luggage, Failure> {
    let mut luggage = Luggage::default();
    if options.nodes.on.is_none() {
        return Ok(luggage);
    }
    let control = &options.control;
    refuse_terminal(control)?;
    let own = control.input.as_slice();
    let is_sent = |it: &OsString| Path::new(it).is_relative() && !scan::uses(it.as_bytes(), SIDE);
    let own = if own.iter().all(is_sent) { own } else { &[] };
    for (option, paths) in [
        ("-f", &options.files[..]),
        ("--service", &options.services[..]),
        ("--input", own),
        ("--send", &options.nodes.send[..]),
    ] {
        luggage.asked(option, paths)?;
    }
    Ok(luggage)
}

/// Both sides, as typed.
fn asked<'a>(options: &'a cli::Ab, measured: Option<&'a [Metric]>) -> SidesRequest<'a> {
    SidesRequest {
        base: &options.base,
        head: head(options),
        option: None,
        dir: options.dir,
        build: Build::Command(options.build.as_deref()),
        copying: &options.copying,
        env: &options.control.env,
        laid: &[],
        checks: options.checks.file.as_deref(),
        measured,
        sides: OF_PARAMETERS,
        nodes: &options.nodes,
    }
}

/// How much there is to do.
fn announced(blocks: u32, commands: usize, copies: usize, watch: &Watch<'_>) -> Vec<String> {
    let blocks = counted(blocks as usize, "block", "blocks");
    let commands = counted(commands, "command", "commands");
    let copies = counted(copies, "copy", "copies");
    let mut said = vec![format!("{commands} in {copies} of the sides, {blocks}")];
    if watch.is_attended() {
        said.push(
            "executing each command once on each side first, to see what it reads".to_owned(),
        );
    }
    said
}

/// The command behind `--`, or those of files.
fn declared(options: &cli::Ab, matches: &ArgMatches) -> Result<Vec<DeclaredCommand>, Failure> {
    let mut declared = Vec::new();
    if !options.command.is_empty() {
        declared.push(DeclaredCommand {
            text: commands::joined(&options.command),
            name: None,
            place: None,
        });
    }
    for file in &options.files {
        let path = Path::new(file);
        let content = std::fs::read(path).map_err(|error| ReadError::open(path, &error))?;
        declared.extend(
            commands::from_file(&content, &file.to_string_lossy())
                .map_err(|error| Failure::about(file.display(), error.message()))?,
        );
    }
    check(options, matches, &declared)?;
    commands::tell_apart(&mut declared);
    Ok(declared)
}
