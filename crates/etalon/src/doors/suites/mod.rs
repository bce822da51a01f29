//! `etalon run`: from what was typed to suites, cases and an experiment on them; executed, saved and
//! shown.
//!
//! Here: the course of things. Which files are suites, which of their cases are wanted and what is executed is
//! [`crate::cases`]' business, on which Luas [`crate::hosts`]'.

mod sides;

use std::ops::ControlFlow;
use std::path::Path;

use etalon_core::metrics::INSTRUCTIONS;
use etalon_core::model::{self, Note, NoteCode};
use etalon_lua::Source;
use etalon_record::BenchmarkLine;
use etalon_run::lua::{self, CaseSetup, LuaCase, LuaCases, SuiteSpec, Variant, discover};
use etalon_run::services::ServiceSpec;
use etalon_run::{CountSpec, Experiment};

use crate::cases::experiment::{self, CaseFilter};
use crate::cases::{Conditions, Selection, Twins, announced, files, planned, promised};
use crate::cli::{self, BenchFrom};
use crate::counting::{self, Beside, Counts, Means};
use crate::course::{self, Job};
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::nodes::luggage::Luggage;
use crate::planning::{OfRanking, OfSides};
use crate::progress::{Watch, Watched};
use crate::resume::Interrupted;
use crate::showing::{Ranking, Show, Sides};
use crate::sides::{OnSides, SidesRequest, in_each};
use crate::{hosts, nodes, output, report, services, tool};

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Run, interrupted: Option<&Interrupted>) -> Result<Exit, Failure> {
    if options.sides.base.is_none() && interrupted.is_none() {
        options.reporting.view.check_ranks().map_err(Failure::new)?;
    }
    if options.dry_run {
        let why = "is of experiment files; --list says which cases of suites would be measured";
        return Err(Failure::about("--dry-run", why));
    }
    let output: Option<&Path> = options.recording.output.as_deref().map(Path::new);
    let exports = Exports::check(&options.reporting.exports, output.as_slice())?;
    let interim = report::interim(&exports, &options.reporting.analysis);
    let quiet = options.reporting.view.quiet;
    let mut watch = match options.list {
        true => Watch::new(quiet, interim)?,
        false => course::watch(&options.recording, quiet, interim)?,
    };
    let prepared = match interrupted {
        Some(interrupted) => resumed(interrupted, &mut watch)?,
        None => prepared(options, &mut watch)?,
    };
    let ControlFlow::Continue(prepared) = prepared else { return Ok(Exit::Interrupted) };
    let Prepared { experiment, setup, services, on_sides, nodes, luggage, means } = prepared;
    if options.list {
        return list(&setup.cases, &experiment.notes);
    }
    let watched = Some(Watched::cases(&experiment));
    counting::refuse_nginx(means.as_ref(), &setup.cases)?;
    let cost = Means::remark(means.as_ref());
    let remarks = announced(&experiment, &setup).into_iter().chain(cost).collect();
    let promised = Some(promised(&experiment, &setup));
    let copies = on_sides.as_ref().map_or(&[][..], OnSides::copies);
    let rows = match on_sides {
        Some(_) => sides::rows(&experiment.benchmarks),
        None => lua::rows(&setup.cases, &experiment.settings),
    };
    let cases = Means::around(means, LuaCases::new(setup), &experiment, rows, copies)?;
    let executor = Box::new(services::around(cases, services, &watch)?);
    let job = Job { watched, remarks, promised, nodes, luggage, ..Job::new(experiment, executor) };
    let refusal = report::refusal(&options.reporting.analysis).filter(|_| on_sides.is_none());
    let job = Job { refusal, ..job };
    let job = crate::sides::around(job, on_sides, &options.comparison())?;
    let mut showing = showing(options, &exports, job.experiment.sides);
    course::run(job, &options.recording, &mut watch, &mut *showing)
}

/// How the suites are shown: as a ranking or as two sides, or what it takes to compare them so.
fn showing<'a>(
    options: &'a cli::Run,
    exports: &'a Exports<'a>,
    sides: Option<model::Sides>,
) -> Box<dyn Show + 'a> {
    let reporting = &options.reporting;
    let explain_noise = reporting.view.explain_noise;
    let compare = || options.comparison();
    match (sides, options.amount.plan) {
        (Some(_), true) => Box::new(OfSides { compare: compare(), sides }),
        (Some(_), false) => Box::new(Sides { compare: compare(), explain_noise }),
        (None, true) => Box::new(OfRanking(reporting)),
        (None, false) => Box::new(Ranking { reporting, exports }),
    }
}

/// An experiment, how its cases are executed, and what is there meanwhile.
struct Prepared {
    experiment: Experiment,
    setup: CaseSetup,
    services: Vec<ServiceSpec>,
    on_sides: Option<OnSides>,
    /// The machines that it is executed on, and what these are sent.
    nodes: cli::Nodes,
    luggage: Luggage,
    means: Option<Means>,
}

/// The means of counting, where that is asked for.
fn means(options: &cli::Run, watch: &Watch<'_>) -> Result<Option<Means>, Failure> {
    let beside = Beside {
        results: false,
        on: options.nodes.on.is_some(),
        plan: options.amount.plan,
        metric: options.reporting.analysis.metric.as_deref() == Some(INSTRUCTIONS),
    };
    let count = options.sampling.count.filter(|_| !options.list);
    counting::means((Counts::Calls, count), beside, watch)
}

/// Loads the suites, and makes an experiment of what is in them; breaks if the user stops it before.
fn prepared(
    options: &cli::Run,
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), Prepared>, Failure> {
    let means = means(options, watch)?;
    let services = services::declared(&options.services)?;
    let selection = Selection::of(options)?;
    let wanted = files::wanted(options)?;
    let luggage = luggage(options, &wanted)?;
    let conditions = Conditions::of(options)?;
    if options.sides.base.is_some() {
        let prepared = on_sides(options, (wanted, &conditions), (services, &selection), watch)?;
        return Ok(prepared.map_continue(|it| Prepared { luggage, means, ..it }));
    }
    let planned = planned(options, (wanted, &conditions, &selection), Twins::None, watch)?;
    let nodes = options.nodes.clone();
    let prepared = |(experiment, setup)| Prepared {
        experiment,
        setup,
        services,
        on_sides: None,
        nodes,
        luggage,
        means,
    };
    Ok(planned.map_continue(prepared))
}

/// What other machines are sent: suites and scripts, every file of Lua below this directory, and what was asked for.
fn luggage(options: &cli::Run, wanted: &[SuiteSpec]) -> Result<Luggage, Failure> {
    let mut luggage = Luggage::default();
    if options.nodes.on.is_none() || options.list {
        return Ok(luggage);
    }
    nodes::refuse_rows(&options.recording)?;
    luggage.add_lua()?;
    for suite in wanted {
        if let Source::File(path) | Source::Script(path) = &suite.source
            && path.is_relative()
        {
            luggage.asked("--on with", &[path.into()])?;
        }
    }
    luggage.asked("--service", &options.services)?;
    luggage.asked("--send", &options.nodes.send)?;
    if let Some(directory) = &options.cwd {
        luggage.directory_at(Path::new(directory), &tool::here()?)?;
    }
    Ok(luggage)
}

/// Assembles the experiment on two sides of the project around.
fn on_sides(
    options: &cli::Run,
    (wanted, conditions): (Vec<SuiteSpec>, &Conditions),
    (services, selection): (Vec<ServiceSpec>, &Selection),
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), Prepared>, Failure> {
    let ControlFlow::Continue(variants) =
        hosts::wanted(options, &conditions.discovery(&[]), watch)?
    else {
        return Ok(ControlFlow::Break(()));
    };
    let counted = options.sampling.count.map(|_| CountSpec::metric_of_calls());
    sides::refuse_units(&options.comparison(), counted)?;
    let files = sides::files(&wanted)?;
    services::check(&services, Path::new(""))?;
    experiment::hooks(options)?;
    let whose = options.sides.benches.bench_from.unwrap_or(BenchFrom::Head);
    let laid = if whose == BenchFrom::Head { &files[..] } else { &[] };
    let checks = options.based.checks.file.as_deref();
    let nodes = if options.list { &cli::Nodes::default() } else { &options.nodes };
    let request = SidesRequest::with_files(&options.sides, checks, laid, nodes);
    let on_sides = OnSides::prepare(&request, watch, &|_| Ok(()))?;
    let differing = sides::differing(&files, whose, &on_sides)?;
    let mut suites = Vec::new();
    for (suite, copy) in in_each(&wanted, on_sides.copies()) {
        let variants: Vec<Variant> = variants.iter().map(|it| sides::at_copy(it, copy)).collect();
        let spec = conditions.discovery(&variants);
        let suite = sides::in_copy(suite, copy, whose)?;
        let found = discover(vec![suite], &spec, watch).map_err(Failure::new)?;
        let ControlFlow::Continue(found) = found else { return Ok(ControlFlow::Break(())) };
        suites.extend(found);
    }
    let wants = |_, case: &BenchmarkLine| selection.wants(case);
    let wanted = CaseFilter { selection, wants: &wants };
    let (mut experiment, setup) =
        experiment::assembled(options, suites, &wanted, conditions.limits)?;
    experiment.context.extend(differing);
    if !options.list && !options.nodes.is_node() {
        experiment.context.extend(sides::read(options, &files, &on_sides, watch)?);
    }
    on_sides.declare(&mut experiment);
    let (nodes, luggage) = (options.nodes.clone(), Luggage::default());
    let (on_sides, means) = (Some(on_sides), None);
    let prepared = Prepared { experiment, setup, services, on_sides, nodes, luggage, means };
    Ok(ControlFlow::Continue(prepared))
}

/// The experiment that resumes a run.
fn resumed(
    interrupted: &Interrupted,
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), Prepared>, Failure> {
    let (cli, _) = interrupted.command_line("run")?;
    let cli::Command::Run(options) = cli.command else {
        return Err(interrupted.refusal(&"it is not an execution of `etalon run`"));
    };
    let prepared = prepared(&options, watch).map_err(|failure| interrupted.refusal(&failure))?;
    let ControlFlow::Continue(mut prepared) = prepared else {
        return Ok(ControlFlow::Break(()));
    };
    interrupted.resume(&mut prepared.experiment)?;
    Ok(ControlFlow::Continue(prepared))
}

/// The first line of an error and the last, which in Lua's say what failed and what to do.
fn in_a_line(message: &str) -> String {
    let mut lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    match (lines.next(), lines.next_back()) {
        (None, _) => first.to_owned(),
        (Some(second), None) => format!("{first} {second}"),
        (Some(_), Some(last)) => format!("{first} … {last}"),
    }
}

/// Cases on standard output, one a line; what has none beside it.
fn list(cases: &[LuaCase], notes: &[Note]) -> Result<Exit, Failure> {
    for note in notes.iter().filter(|note| note.code == Some(NoteCode::NoCase)) {
        output::remark(&etalon_report::text::clean(&format!("{}: {}", note.about, note.text)));
    }
    let line = |case: &LuaCase| {
        let declared = case.line.case.as_ref();
        let place = declared.map_or(String::new(), |case| match case.line {
            Some(line) => format!("{}:{line}", case.file),
            None => case.file.clone(),
        });
        let state = match (&case.failure, declared.and_then(|case| case.skipped.as_ref())) {
            (Some(failure), _) => format!("  broken: {}", in_a_line(&failure.message)),
            (None, Some(why)) => format!("  skipped: {why}"),
            (None, None) => String::new(),
        };
        etalon_report::text::clean(&format!("{place}  {}{state}", case.line.to_benchmark().label()))
    };
    output::lines(cases.iter().map(line).collect::<Vec<_>>())?;
    let broken = cases.iter().any(|case| case.failure.is_some());
    Ok(if broken { Exit::Failed } else { Exit::Done })
}
