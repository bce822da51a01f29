//! Lua suites as subjects: a cell measures those cases of its suite whose parameters say what the cell says, on the
//! Lua and in the environment that the subject gives it.
//!
//! Owns what the keys of a file mean for suites. How cases become an experiment is [`crate::cases`]' business: the keys
//! stand for options there.

use std::ops::ControlFlow;

use etalon_core::model::Outcome;
use etalon_core::plan::Stopping;
use etalon_record::{BenchmarkLine, Text};
use etalon_run::Experiment;
use etalon_run::lua::{CaseSetup, Suite};

use super::counted;
use super::loads::{Discovery, Load, Loads, Unless, loads};
use super::schedule;
use super::subjects::Site;
use crate::cases::budget::{budget, case_budget};
use crate::cases::experiment::{self, CaseFilter};
use crate::cases::{Conditions, Selection};
use crate::cli::{self, values};
use crate::experiments::cells::{Cell, cells};
use crate::experiments::file::{self, File, Placed, Subject};
use crate::experiments::own;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::toml_text::Source;

/// The experiment that a file of suites declares, with what was typed besides.
pub(super) fn prepare(
    source: Source<'_>,
    file: &File,
    typed: &cli::Run,
    watch: &mut Watch<'_>,
) -> Unless<(Experiment, CaseSetup)> {
    check(source, file)?;
    let directory = Site::of_file(source)?.directory;
    let mut options = with_keys(source, file, typed)?;
    let conditions = Conditions::of(&options)?;
    let selection = Selection::of(&options)?;
    let cells = cells(source, file)?;
    let loads = loads(source, file, &cells, &directory)?;
    let looked = Discovery::new(source, &conditions).at(&loads, watch)?;
    let ControlFlow::Continue(mut suites) = looked else { return Ok(ControlFlow::Break(())) };
    describe_refused(&mut suites);
    unloaded(source, &suites, &loads)?;
    for (suite, (load, members)) in suites.iter_mut().zip(&loads) {
        suite.variant.params = params_beside(source, suite, load, members)?;
    }
    compare_within_rows(file, &suites, &mut options);
    let wants = |suite: usize, case: &BenchmarkLine| {
        let has = |cell: &&Cell<'_>| cell.params().iter().all(|param| agrees(case, param));
        selection.wants(case)
            && loads.get_index(suite).is_some_and(|(_, cells)| cells.iter().any(has))
    };
    let wanted = CaseFilter { selection: &selection, wants: &wants };
    let (mut experiment, mut setup) =
        experiment::assembled(&options, suites, &wanted, conditions.limits)?;
    for (line, case) in experiment.benchmarks.iter_mut().zip(&mut setup.cases) {
        let environment = case.variant.host.environment.iter();
        line.env = environment
            .map(|(name, value)| Text::from(format!("{name}={value}").as_str()))
            .collect();
        case.line.env.clone_from(&line.env);
    }
    setup.hooks.cwd = directory;
    setup.hooks.around_all = true;
    let runs = schedule::runs(source, file, typed, &experiment.benchmarks, &experiment.settings)?;
    experiment.plan.stopping = Stopping::Runs(runs);
    let within = options.amount.total_budget;
    experiment.plan.limits.within = within.map(values::whole_seconds);
    let of_case = budget(&options, &experiment.stages);
    setup.budget = case_budget(of_case, within.map(|_| runs));
    Ok(ControlFlow::Continue((experiment, setup)))
}

/// Refuses keys that say something of commands only.
fn check(source: Source<'_>, file: &File) -> Result<(), Failure> {
    let refused = |at: &Placed, why: &str| Err(source.at(at.span(), why));
    for subject in file.subject.iter().map(Placed::get_ref) {
        let Subject { name, prepare, conclude, setup, cleanup, .. } = subject;
        if let Some(name) = name {
            return refused(name, "a suite gives its cases names: leave this one out");
        }
        if let Some(hook) = [prepare, conclude, setup, cleanup].into_iter().flatten().next() {
            let why = "a suite has hooks of its own: write it there, or as `setup` or `cleanup` of the whole file";
            return refused(hook, why);
        }
    }
    if let Some((name, _)) = file.metric.first() {
        let why = "it is read in what commands print; a suite gives its own numbers with measure.metric, which need no key";
        return refused(name, why);
    }
    let file::Measure { iterations, warmup, stage, .. } = &file.measure;
    if let Some(iterations) = iterations {
        return refused(iterations, "etalon counts the calls of a function itself: leave it out");
    }
    if let Some(warmup) = warmup {
        let why = "a function is warmed up for a time that its suite says: leave it out";
        return Err(source.at(warmup.span(), why));
    }
    if let Some(stage) = stage {
        let why = "cases of a row are measured together, at most 16 at once: leave it out";
        return Err(source.at(stage.span(), why));
    }
    Ok(())
}

/// The options as typed, with the keys of the file where nothing was.
fn with_keys(source: Source<'_>, file: &File, typed: &cli::Run) -> Result<cli::Run, Failure> {
    let mut options = typed.clone();
    let file::Measure { timeout, budget, seed, metric, .. } = &file.measure;
    if let Some(timeout) = timeout {
        options.sampling.timeout = schedule::duration(source, timeout)?;
    }
    if let (Some(budget), None) = (budget, options.amount.total_budget) {
        options.amount.total_budget = Some(schedule::duration(source, budget)?);
    }
    // The number follows from the matrix; a number there has to be.
    options.amount.runs = options.amount.runs.or(Some(1));
    options.schedule.seed = options.schedule.seed.or(*seed);
    options.schedule.order = Some(schedule::order_arg(file, typed));
    options.sampling.count = counted::seeds(file);
    let analysis = &mut options.reporting.analysis;
    let declared = metric.as_ref().map(|metric| metric.get_ref().clone());
    analysis.metric = analysis.metric.take().or(declared);
    let hook =
        |hook: &Option<Placed>| hook.as_ref().map(|hook| own::in_shell(hook.get_ref()).into());
    options.hooks.setup = hook(&file.setup);
    options.hooks.cleanup = hook(&file.cleanup);
    Ok(options)
}

/// Where one Lua cannot load a suite that another has loaded, the cases are known: each is shown as not measured.
fn describe_refused(suites: &mut [Suite]) {
    let loaded: Vec<_> = suites
        .iter()
        .filter_map(|it| Some((it.name.clone(), it.loaded.as_ref().ok()?.clone())))
        .collect();
    for suite in suites {
        let twin = loaded.iter().find(|(name, _)| *name == suite.name);
        if let (Err(failure), Some((_, twin))) = (&suite.loaded, twin) {
            suite.refused = Some(failure.clone());
            suite.loaded = Ok(twin.clone());
        }
    }
}

/// Refuses a suite of which nobody can say what is in it.
fn unloaded(source: Source<'_>, suites: &[Suite], loads: &Loads<'_, '_>) -> Result<(), Failure> {
    for (suite, load) in suites.iter().zip(loads.keys()) {
        if let (Err(failure), Some(placed)) = (&suite.loaded, &load.subject.0.suite) {
            let what = match &failure.outcome {
                Outcome::NotStarted { .. } => "nothing of it is installed",
                _ => "it cannot be loaded",
            };
            return Err(source.at(placed.span(), format!("{what}: {}", failure.message)));
        }
    }
    Ok(())
}

/// The values of axes that a suite's cases have no parameters for; they are the same for all cells that execute the same.
fn params_beside(
    source: Source<'_>,
    suite: &Suite,
    load: &Load<'_>,
    cells: &[&Cell<'_>],
) -> Result<Vec<(String, String)>, Failure> {
    let cases = suite.loaded.as_ref().map_or(&[][..], |loaded| &loaded.cases);
    let is_own =
        |axis: &str| cases.iter().any(|case| case.params.iter().any(|param| param.0 == axis));
    let beside = |cell: &Cell<'_>| -> Vec<(String, String)> {
        cell.params().into_iter().filter(|(axis, _)| !is_own(axis)).collect()
    };
    let first = cells.first().map(|cell| beside(cell)).unwrap_or_default();
    for cell in cells {
        let other = beside(cell);
        let differing = other.iter().zip(&first).find(|(one, other)| one != other);
        if let (Some((one, other)), Some(placed)) = (differing, &load.subject.0.suite) {
            let axis = &one.0;
            let why = format!(
                "the axis `{axis}` changes nothing here, {} and {} execute the same: write {{{axis}}} in `lua`, `jit`, \
                 `env` or `suite`, or give the cases a param `{axis}`",
                other.1, one.1
            );
            return Err(source.at(placed.span(), why));
        }
    }
    Ok(first)
}

/// Whether a case has another value of a parameter.
fn agrees(case: &BenchmarkLine, (axis, value): &(String, String)) -> bool {
    let own = case.params.iter().find(|param| param.0 == *axis);
    own.is_none_or(|param| param.1 == *value)
}

/// Cases are compared that differ in nothing but the columns of the first table.
fn compare_within_rows(file: &File, suites: &[Suite], options: &mut cli::Run) {
    let by = &mut options.reporting.analysis.by;
    let Some(columns) = schedule::columns(file).filter(|_| by.is_empty()) else { return };
    let cases =
        suites.iter().filter_map(|suite| suite.loaded.as_ref().ok()).flat_map(|it| &it.cases);
    for (name, _) in cases.flat_map(|case| &case.params) {
        if !columns.contains(name) && !by.contains(name) {
            by.push(name.clone());
        }
    }
    if by.is_empty() {
        by.push("none".to_owned());
    }
}
