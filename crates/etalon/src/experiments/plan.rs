//! From a file to an experiment on commands: everything resolved, checked and decided before anything is measured.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use etalon_core::dataset::{BUILD, GROUP, SIDE, SUITE};
use etalon_core::model::{Case, Context};
use etalon_core::plan::{
    BlockLimits, FEWEST_BLOCKS, Order, PADDING, Plan, Settings, Stage, Stopping,
};
use etalon_core::run_set::ExperimentFile;
use etalon_core::stats::signed_rank_needed;
use etalon_probe::launcher::protocol::{Cgroup, Counters};
use etalon_probe::{clock, launcher};
use etalon_record::{BenchmarkLine, Text};
use etalon_run::lua::CaseSetup;
use etalon_run::sides::Scratch;
use etalon_run::{CommandSetup, Experiment, Naming};
use indexmap::{IndexMap, IndexSet};

use super::benchmarks::NAME;
use super::file::{self, File, Placed};
use super::metrics::printed;
use super::packages::Packages;
use super::subjects::{Declared, Kind, Site, Surroundings, declared, kind};
use crate::cli::{self, values};
use crate::failure::Failure;
use crate::progress::Watch;
use crate::suites::Selection;
use crate::toml_text::{Source, hint};
use crate::{report, session};

/// The most cells that are measured side by side where nobody says.
const STAGE: usize = 500;

/// How many executions of each cell of two sides there are where nobody says. Because: `etalon ab` has as many.
const RUNS_OF_SIDES: u32 = 30;

/// An experiment, and how its subjects are executed.
pub(super) struct Planned {
    pub(super) experiment: Experiment,
    pub(super) setup: Setup,
    /// Where the test binaries of Go are; they go with it.
    pub(super) binaries: Vec<Scratch>,
}

/// How subjects are executed.
pub(super) enum Setup {
    Commands(Box<CommandSetup>),
    Cases(Box<CaseSetup>),
}

/// The experiment that a file declares, with what was typed besides, in each of several places; breaks if the user stops it
/// before.
pub(super) fn of(
    source: Source<'_>,
    file: &File,
    (options, places): (&cli::Run, &[Site]),
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), Planned>, Failure> {
    let mut binaries = Vec::new();
    let (mut experiment, setup) = match kind(source, file)? {
        Kind::Commands => {
            let only_told = options.list || options.dry_run;
            let around = |place: &Site| {
                let (place, interrupts) = (place.clone(), watch.interrupts());
                let packages =
                    Packages::new(source, place.directory.clone(), interrupts, only_told);
                Surroundings::new(source, place, packages)
            };
            let mut surroundings: Vec<Surroundings<'_>> = places.iter().map(around).collect();
            let (experiment, setup) =
                of_commands(source, file, (options, places), &mut surroundings)?;
            binaries.extend(surroundings.into_iter().filter_map(Surroundings::into_binaries));
            (experiment, Setup::Commands(Box::new(setup)))
        }
        Kind::Suites => match super::suites::of(source, file, options, watch)? {
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
    Ok(ControlFlow::Continue(Planned { experiment, setup, binaries }))
}

/// The absolute directory of the file.
pub(super) fn directory(source: Source<'_>) -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().map_err(|e| Failure::about("the current directory", e))?;
    let parent = Path::new(source.path).parent().unwrap_or(Path::new(""));
    Ok(here.join(parent).components().collect())
}

fn of_commands(
    source: Source<'_>,
    file: &File,
    (options, places): (&cli::Run, &[Site]),
    surroundings: &mut [Surroundings<'_>],
) -> Result<(Experiment, CommandSetup), Failure> {
    let here = std::env::current_dir().map_err(|e| Failure::about("the current directory", e))?;
    let in_place =
        |surroundings: &mut Surroundings<'_>| selected(source, file, options, surroundings);
    let all: Vec<Vec<Declared>> =
        surroundings.iter_mut().map(in_place).collect::<Result<_, _>>()?;
    let directories: Vec<&Path> = places.iter().map(|place| place.directory.as_path()).collect();
    let Some(first) = surroundings.first() else {
        return Err(Failure::about(source.path, "is executed nowhere"));
    };
    let clock_facts = clock::measure();
    let resolution = session::resolution(clock_facts.as_ref());
    let mut metrics = launcher::metrics(resolution, Counters::Off, Cgroup::Off);
    let printed = printed(source, file, &mut metrics)?;
    let settings = settings(file, options);
    let (mut lines, mut commands, mut hooks) = (Vec::new(), Vec::new(), Vec::new());
    for Declared { line, command, hooks: around } in in_turn(all) {
        lines.push(line);
        commands.push(command);
        hooks.push(around);
    }
    let order = order(file, options);
    let stages = stages(file, &lines, order);
    let plan = plan(source, file, options, &lines, &settings)?;
    let context = context(options, file, &here, clock_facts.as_ref());
    let setup = CommandSetup {
        commands,
        hooks,
        around_all: first.around_all(file, &directories)?,
        timeout_ns: timeout(source, file)?,
        ..first.setup(file, options, printed)
    };
    let experiment = Experiment {
        benchmarks: lines,
        stages,
        metrics,
        plan,
        settings,
        context,
        tool: session::tool(),
        argv: std::env::args_os().map(Text::from).collect(),
        file: None,
        sides: None,
        printed: Vec::new(),
        notes: session::notes().collect(),
        naming: Naming::Subjects,
        resumed: None,
    };
    Ok((experiment, setup))
}

/// The first of each list, the second of each, and so on: a cell in all places, then the next cell.
fn in_turn(all: Vec<Vec<Declared>>) -> Vec<Declared> {
    let mut lists: Vec<_> = all.into_iter().map(Vec::into_iter).collect();
    let mut turned = Vec::new();
    loop {
        let next: Vec<Declared> = lists.iter_mut().filter_map(Iterator::next).collect();
        if next.is_empty() {
            return turned;
        }
        turned.extend(next);
    }
}

/// What of the cells is wanted.
fn selected(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
    surroundings: &mut Surroundings<'_>,
) -> Result<Vec<Declared>, Failure> {
    let selection = Selection::of(options)?;
    let all = declared(source, file, surroundings)?;
    let number = all.len();
    let all: Vec<Declared> = all.into_iter().filter(|it| selection.wants(&it.line)).collect();
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

/// What the experiment is called: as it says, else as its file.
pub(super) fn title(source: Source<'_>, file: &File) -> String {
    let stem =
        || Path::new(source.path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    file.title.clone().or_else(stem).unwrap_or_default()
}

/// What is ranked, and by which criteria.
fn settings(file: &File, options: &cli::Run) -> Settings {
    let metric = file.measure.metric.as_ref().or(file.metric.keys().next());
    let usual = Settings::default();
    let metric = metric.map_or(usual.metric.clone(), |name| name.get_ref().clone());
    report::settings(Settings { metric, ..usual }, &options.reporting.analysis)
}

/// Refuses tables and a metric that cannot be shown of what is measured.
fn check(
    source: Source<'_>,
    file: &File,
    experiment: &Experiment,
    options: &cli::Run,
) -> Result<(), Failure> {
    let known = || experiment.metrics.iter().map(|metric| metric.name.as_str());
    // A suite may give numbers that are known once it is measured.
    let is_of_suites = experiment.benchmarks.iter().any(|line| line.case.is_some());
    let is_known = |name: &str| {
        known().any(|known| known == name) || is_of_suites && etalon_lua::metrics::may_be_own(name)
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
    params.extend(options.sides.base.as_ref().map(|_| SIDE));
    for table in &file.table {
        let name = table.metric.get_ref();
        if !is_known(name) {
            return Err(source.at(table.metric.span(), unknown(name)));
        }
        super::tables::check(source, file, table, &params)?;
    }
    Ok(())
}

pub(super) fn order(file: &File, options: &cli::Run) -> Order {
    options.schedule.order.map_or(
        match file.measure.order {
            file::Order::Blocks => Order::Blocks,
            file::Order::Abba => Order::Abba,
            file::Order::Sequential => Order::Sequential,
        },
        Order::from,
    )
}

/// What is measured side by side: everything, or where that is much, rows of the first table, undivided.
fn stages(file: &File, lines: &[BenchmarkLine], order: Order) -> Vec<Stage> {
    if order == Order::Sequential {
        return (0..lines.len()).map(|subject| Stage { subjects: vec![subject] }).collect();
    }
    let most = file.measure.stage.as_ref().map_or(STAGE, |stage| *stage.get_ref()).max(1);
    if lines.len() <= most {
        return vec![Stage { subjects: (0..lines.len()).collect() }];
    }
    let mut stages: Vec<Stage> = Vec::new();
    for row in rows(file, lines) {
        match stages.last_mut() {
            Some(stage) if stage.subjects.len() + row.len() <= most => stage.subjects.extend(row),
            _ => stages.push(Stage { subjects: row }),
        }
    }
    stages
}

/// Cells that are compared: those that differ in nothing but the columns of the first table, or in the last axis, and in
/// the side.
fn rows(file: &File, lines: &[BenchmarkLine]) -> Vec<Vec<usize>> {
    let columns = columns(file).unwrap_or_default();
    let is_column = |key: &str| columns.iter().any(|column| column == key);
    let mut rows: IndexMap<([Option<&str>; 3], Vec<_>), Vec<usize>> = IndexMap::new();
    for (index, line) in lines.iter().enumerate() {
        let is_side = |axis: &str| axis == SIDE || axis == BUILD;
        let others = line.params.iter();
        let others = others.filter(|(axis, _)| !columns.contains(axis) && !is_side(axis)).collect();
        let (file, group) = line.case.as_ref().map(Case::place).unzip();
        let keys = [(NAME, Some(line.name.as_str())), (SUITE, file), (GROUP, group.flatten())];
        let of_row = keys.map(|(key, value)| value.filter(|_| !is_column(key)));
        rows.entry((of_row, others)).or_default().push(index);
    }
    rows.into_values().collect()
}

/// The columns of the first table, or the last axis; none where there is neither.
pub(super) fn columns(file: &File) -> Option<Vec<String>> {
    let of_table = file.table.first().map(|table| table.columns.get_ref().texts());
    of_table.or_else(|| file.axes.keys().last().map(|axis| vec![axis.get_ref().clone()]))
}

/// How many executions of each: as many as were asked for, else what a verdict on a row needs.
pub(super) fn runs(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
    lines: &[BenchmarkLine],
    settings: &Settings,
) -> Result<u32, Failure> {
    if let Some(none) = file.measure.runs.as_ref().filter(|runs| *runs.get_ref() == 0) {
        return Err(source.at(none.span(), "nothing is measured in 0 runs: write 1 or more"));
    }
    let declared = file.measure.runs.as_ref().map(|runs| *runs.get_ref());
    let family = rows(file, lines).iter().map(Vec::len).max().unwrap_or(1).saturating_sub(1).max(1);
    #[allow(clippy::cast_precision_loss)] // some dozens
    let needed = signed_rank_needed(settings.criteria.alpha / family as f64);
    let needed = u32::try_from(needed).unwrap_or(u32::MAX).max(FEWEST_BLOCKS);
    let of_sides = options.sides.base.as_ref().map(|_| RUNS_OF_SIDES);
    Ok(options.amount.runs.or(declared).or(of_sides).unwrap_or(needed))
}

fn plan(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
    lines: &[BenchmarkLine],
    settings: &Settings,
) -> Result<Plan, Failure> {
    let runs = runs(source, file, options, lines, settings)?;
    let within = match (options.amount.total_budget, &file.measure.budget) {
        (None, Some(budget)) => Some(duration(source, budget)?),
        (typed, _) => typed,
    };
    Ok(Plan {
        warmup: file.measure.warmup.as_ref().map_or(0, |warmup| *warmup.get_ref()),
        order: order(file, options),
        stopping: Stopping::Runs(runs),
        limits: BlockLimits { within: within.map(whole_seconds), ..BlockLimits::default() },
        seed: options.schedule.seed.or(file.measure.seed).unwrap_or_else(session::new_seed),
        padding: options.schedule.randomize_env.then_some(PADDING),
    })
}

pub(super) fn duration(source: Source<'_>, text: &Placed) -> Result<f64, Failure> {
    values::duration(text.get_ref()).map_err(|why| source.at(text.span(), why))
}

/// At least one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive and below 3e9
fn whole_seconds(seconds: f64) -> u32 {
    seconds.ceil() as u32
}

/// Positive and below 3e9 s, see [`values::duration`].
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn timeout(source: Source<'_>, file: &File) -> Result<Option<u64>, Failure> {
    let Some(timeout) = &file.measure.timeout else { return Ok(None) };
    Ok(Some((duration(source, timeout)? * 1e9).round() as u64))
}

/// Facts about the clock, and what was asked for. The executor adds those about the machine.
fn context(
    options: &cli::Run,
    file: &File,
    here: &Path,
    clock: Option<&clock::ClockFacts>,
) -> Context {
    let mut context = session::facts(here, clock);
    if let Some(timeout) = &file.measure.timeout {
        context.insert("timeout".to_owned(), timeout.get_ref().clone());
    }
    context.extend(options.surroundings.facts());
    context
}
