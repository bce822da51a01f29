//! From a file to an experiment: everything resolved, checked and decided before anything is measured.
//!
//! Here: commands, and packages of Go among them. An experiment on cases is [`super::suites`]'.

use std::ops::ControlFlow;
use std::path::Path;

use etalon_core::model::Context;
use etalon_core::model::SIDE;
use etalon_core::plan::Settings;
use etalon_core::run_set::ExperimentFile;
use etalon_probe::launcher::protocol::{Cgroup, Counters};
use etalon_probe::{clock, launcher};
use etalon_run::harness::ResultsSpec;
use etalon_run::lua::CaseSetup;
use etalon_run::{CommandSetup, Experiment, Naming};
use indexmap::IndexSet;

use super::kinds::{Kind, kind};
use super::metrics::printed;
use super::packages::{Building, Packages};
use super::schedule::{order, plan, stages, timeout};
use super::sent;
use super::subjects::{Binaries, CellCommand, Site, Surroundings, declared};
use crate::cases::Selection;
use crate::cli;
use crate::experiments::file::{File, Table};
use crate::failure::Failure;
use crate::harnesses::ResultsRoom;
use crate::progress::Watch;
use crate::toml_text::{Source, hint};
use crate::{recorded, settings, tool};

/// An experiment, and how its subjects are executed.
pub(super) struct Planned {
    pub(super) experiment: Experiment,
    pub(super) setup: Setup,
    /// The test binaries of Go in each place; they go with it.
    pub(super) binaries: Vec<Binaries>,
    /// Where results are, if the commands are harnesses, and the directory for them.
    pub(super) results: (Option<ResultsSpec>, Option<ResultsRoom>),
}

/// How subjects are executed.
pub(super) enum Setup {
    Commands(Box<CommandSetup>),
    Cases(Box<CaseSetup>),
}

/// The experiment that a file declares, with what was typed besides, in each of several places; breaks if the user stops it
/// before.
pub(super) fn prepare(
    source: Source<'_>,
    file: &File,
    (options, places): (&cli::Run, &[Site]),
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), Planned>, Failure> {
    super::results::check(source, file)?;
    let (mut binaries, mut results) = (Vec::new(), (None, None));
    let (mut experiment, setup) = match kind(source, file)? {
        Kind::Commands => {
            let mut surroundings = surroundings(source, (file, options, places), watch)?;
            let (experiment, setup, read) =
                prepare_commands(source, file, (options, places), &mut surroundings)?;
            results = read.unzip();
            binaries.extend(surroundings.into_iter().map(Surroundings::into_binaries));
            (experiment, Setup::Commands(Box::new(setup)))
        }
        Kind::Suites => match super::suites::prepare(source, file, options, watch)? {
            ControlFlow::Continue((experiment, setup)) => {
                (experiment, Setup::Cases(Box::new(setup)))
            }
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
        },
    };
    check(source, file, &experiment, options)?;
    experiment.file = Some(ExperimentFile {
        path: source.path.to_owned(),
        text: source.text.to_owned(),
        outputs: Vec::new(),
    });
    Ok(ControlFlow::Continue(Planned { experiment, setup, binaries, results }))
}

/// The experiment on commands in copies that are still to be built, as far as no build changes it.
///
/// # Errors
/// As [`prepare`].
pub(super) fn check_commands(
    source: Source<'_>,
    file: &File,
    (options, places): (&cli::Run, &[Site]),
    watch: &Watch<'_>,
) -> Result<(Experiment, CommandSetup), Failure> {
    super::results::check(source, file)?;
    let mut surroundings = surroundings(source, (file, options, places), watch)?;
    let (experiment, setup, _) =
        prepare_commands(source, file, (options, places), &mut surroundings)?;
    check(source, file, &experiment, options)?;
    Ok((experiment, setup))
}

/// Surroundings of commands in each place.
fn surroundings<'s>(
    source: Source<'s>,
    (file, options, places): (&File, &cli::Run, &[Site]),
    watch: &Watch<'_>,
) -> Result<Vec<Surroundings<'s>>, Failure> {
    let is_to_come = |place: &Site| place.copy.as_ref().is_some_and(|copy| copy.is_to_be_built);
    let is_built_elsewhere = options.nodes.is_node();
    let only_told = options.list || options.dry_run || places.iter().any(is_to_come);
    let arrived = match is_built_elsewhere {
        true => sent::binaries(file, watch)?,
        false => Vec::new(),
    };
    let around = |place: &Site| {
        let (place, interrupts) = (place.clone(), watch.interrupts());
        let building = match &place.copy {
            _ if only_told || is_built_elsewhere => Building::Nothing,
            Some(_) => Building::OnSide,
            None => Building::InPlace,
        };
        let packages = Packages::new(source, place.directory.clone(), interrupts, building)
            .with(sent::of_place(&arrived, &place));
        Surroundings::new(source, place, packages)
    };
    Ok(places.iter().map(around).collect())
}

/// An experiment on commands, how they are executed, and where their results are if they are harnesses.
type Commands = (Experiment, CommandSetup, Option<(ResultsSpec, ResultsRoom)>);

fn prepare_commands(
    source: Source<'_>,
    file: &File,
    (options, places): (&cli::Run, &[Site]),
    surroundings: &mut [Surroundings<'_>],
) -> Result<Commands, Failure> {
    let here = tool::here()?;
    let results = super::results::prepare(source, file)?;
    let in_place =
        |around: &mut Surroundings<'_>| selected(source, (file, results.as_ref()), options, around);
    let all: Vec<Vec<CellCommand>> =
        surroundings.iter_mut().map(in_place).collect::<Result<_, _>>()?;
    let directories: Vec<&Path> = places.iter().map(|place| place.directory.as_path()).collect();
    let Some(first) = surroundings.first() else {
        return Err(Failure::about(source.path, "is executed nowhere"));
    };
    let clock_facts = clock::measure();
    let resolution = tool::resolution(clock_facts.as_ref());
    let mut metrics = launcher::metrics(resolution, Counters::Off, Cgroup::Off);
    metrics.extend(super::counted::metric(file));
    let printed = printed(source, file, &mut metrics)?;
    let settings = settings(file, options);
    let (mut lines, mut commands, mut hooks) = (Vec::new(), Vec::new(), Vec::new());
    for CellCommand { line, command, hooks: around } in in_turn(all) {
        lines.push(line);
        commands.push(command);
        hooks.push(around);
    }
    let order = order(file, options);
    let stages = stages(file, &lines, order);
    let plan = plan(source, file, options, &lines, &settings)?;
    let context = context(options, file, &here, clock_facts.as_ref());
    let mut setup = CommandSetup {
        commands,
        hooks,
        around_all: first.around_all(file, &directories)?,
        timeout_ns: timeout(source, file)?,
        ..first.setup(file, options, printed)
    };
    let mut experiment = recorded::experiment(lines, plan, settings);
    experiment.stages = stages;
    experiment.metrics = metrics;
    experiment.context = context;
    let results = results.map(|room| (room.declare(&mut experiment, &mut setup), room));
    Ok((experiment, setup, results))
}

/// The first of each list, the second of each, and so on: a cell in all places, then the next cell.
fn in_turn(all: Vec<Vec<CellCommand>>) -> Vec<CellCommand> {
    let mut lists: Vec<_> = all.into_iter().map(Vec::into_iter).collect();
    let mut turned = Vec::new();
    loop {
        let next: Vec<CellCommand> = lists.iter_mut().filter_map(Iterator::next).collect();
        if next.is_empty() {
            return turned;
        }
        turned.extend(next);
    }
}

/// The cells that are selected.
fn selected(
    source: Source<'_>,
    (file, results): (&File, Option<&ResultsRoom>),
    options: &cli::Run,
    surroundings: &mut Surroundings<'_>,
) -> Result<Vec<CellCommand>, Failure> {
    let selection = Selection::of(options)?;
    let all = declared(source, (file, results), surroundings)?;
    let number = all.len();
    let all: Vec<CellCommand> = all.into_iter().filter(|it| selection.wants(&it.line)).collect();
    if all.is_empty() {
        let said = selection.said();
        let why = match number {
            0 => "declares nothing to execute: add a [[subject]] with a command".to_owned(),
            _ => format!("no cell left to measure{said}: there are {number} without that"),
        };
        return Err(Failure::about(source.path, why));
    }
    Ok(all)
}

/// The ranked metric, and the criteria of the ranking.
fn settings(file: &File, options: &cli::Run) -> Settings {
    let metric = file.measure.metric.as_ref().or(file.metric.keys().next());
    let usual = Settings::default();
    let metric = metric.map_or(usual.metric.clone(), |name| name.get_ref().clone());
    settings::with(Settings { metric, ..usual }, &options.reporting.analysis)
}

/// Refuses tables and a metric that cannot be shown of what is measured.
fn check(
    source: Source<'_>,
    file: &File,
    experiment: &Experiment,
    options: &cli::Run,
) -> Result<(), Failure> {
    let known = || experiment.metrics.iter().map(|metric| metric.name.as_str());
    let is_of_harness = experiment.naming != Naming::Subjects;
    // A suite may give numbers that are known once it is measured, and a harness does.
    let is_of_suites = experiment.benchmarks.iter().any(|line| line.case.is_some());
    let is_known = |name: &str| {
        known().any(|known| known == name)
            || is_of_harness
            || is_of_suites && etalon_lua::metrics::may_be_own(name)
    };
    let unknown = |name: &str| format!("no metric `{name}`: {}", hint(name, known()));
    let ranked = &experiment.settings.metric;
    if !is_known(ranked) {
        let placed = file.measure.metric.as_ref().filter(|placed| placed.get_ref() == ranked);
        return Err(match placed {
            Some(placed) => source.at(placed.span(), unknown(ranked)),
            None => Failure::about("--metric", unknown(ranked)),
        });
    }
    let params = experiment.benchmarks.iter().flat_map(|line| &line.params);
    let mut params: IndexSet<&str> = params.map(|(name, _)| name.as_str()).collect();
    // Those of a harness's benchmarks come with its results.
    let named = if is_of_harness { named_in_tables(file) } else { Vec::new() };
    params.extend(named.iter().map(String::as_str));
    params.extend(options.sides.base.as_ref().map(|_| SIDE));
    for table in &file.table {
        let name = table.metric.get_ref();
        if !is_known(name) {
            return Err(source.at(table.metric.span(), unknown(name)));
        }
        crate::experiments::tables::check(source, file, table, &params)?;
    }
    Ok(())
}

/// The keys that tables are made of.
fn named_in_tables(file: &File) -> Vec<String> {
    let of_table = |table: &Table| {
        let only = table.only.keys().map(|key| key.get_ref().clone());
        let keys = [&table.rows, &table.columns].map(|keys| keys.get_ref().texts());
        only.chain(keys.concat()).collect::<Vec<_>>()
    };
    file.table.iter().flat_map(of_table).collect()
}

/// Facts about the clock, and what was asked for. The executor adds those about the machine.
fn context(
    options: &cli::Run,
    file: &File,
    here: &Path,
    clock: Option<&clock::ClockFacts>,
) -> Context {
    let mut context = recorded::facts(here, clock);
    if let Some(timeout) = &file.measure.timeout {
        context.insert("timeout".to_owned(), timeout.get_ref().clone());
    }
    context.extend(options.surroundings.facts());
    context
}
