//! From options and suites to an experiment on their cases: everything decided before anything is measured.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use etalon_core::metrics::WALL;
use etalon_core::model::{Context, Metric, Note, NoteCode};
use etalon_core::plan::{Order, PADDING, Plan, Settings, Stage, Stopping};
use etalon_core::scope::By;
use etalon_core::units::Base;
use etalon_lua::{Limits, Runtime, metrics};
use etalon_probe::launcher::protocol::Execute;
use etalon_probe::{clock, machine};
use etalon_record::{BenchmarkLine, Text};
use etalon_report::text::clean;
use etalon_run::lua::{self, CaseHooks, CaseSetup, LuaCase, Overrides, Suite, Variant};
use etalon_run::{CommandSpec, CountSpec, Experiment, resolve_hook};

use super::budget::{blocks_in_time, budget, case_budget};
use super::selection::Selection;
use crate::cli::{self, UntilArg, commands};
use crate::failure::Failure;
use crate::{enough, pilot, recorded, report, settings, tool};

/// Contents of suites, as far as they are selected.
#[derive(Default)]
struct SuiteContents {
    cases: Vec<LuaCase>,
    /// Output of files while they were loaded.
    printed: Vec<(String, Text)>,
    notes: Vec<Note>,
    /// Cases that are described, wanted or not.
    described: usize,
    /// Their parameters.
    params: BTreeSet<String>,
    /// The runtimes that execute it, a file's and a Lua's at a time.
    runtimes: Vec<(Variant, Runtime)>,
}

/// Which cases are wanted.
pub(crate) struct CaseFilter<'a> {
    /// The selection as typed, for messages.
    pub(crate) selection: &'a Selection,
    /// Whether a case is, by the number of its suite.
    pub(crate) wants: &'a dyn Fn(usize, &BenchmarkLine) -> bool,
}

/// The experiment: cases that are wanted, in groups that are measured together; and how they are
/// executed.
pub(crate) fn assembled(
    options: &cli::Run,
    suites: Vec<Suite>,
    wanted: &CaseFilter<'_>,
    limits: Limits,
) -> Result<(Experiment, CaseSetup), Failure> {
    let found = found(options, suites, wanted);
    one_of_each(&found.cases)?;
    if found.cases.is_empty() {
        return Err(nothing_to_measure(wanted.selection, &found));
    }
    let SuiteContents { mut cases, printed, mut notes, runtimes, .. } = found;
    if options.sampling.show_overhead {
        add_empty_loops(&mut cases);
    }
    name_hooks(options, &mut cases);
    let hooks = hooks(options)?;
    let order = options.schedule.order.map_or(Order::Blocks, Order::from);
    let settings = settings::with(
        Settings { metric: WALL.to_owned(), ..Settings::default() },
        &options.reporting.analysis,
    );
    check_params(&settings.by, &cases)?;
    let stages = lua::stages(&cases, order, &settings);
    if order != Order::Sequential {
        notes.extend(split_notes(&stages, &cases));
    }
    let clock_facts = clock::measure();
    let mut metrics = metrics::with_resolution(tool::resolution(clock_facts.as_ref()));
    metrics.extend(options.sampling.count.map(|_| CountSpec::metric_of_calls()));
    check_metric(&settings.metric, &metrics, &options.reporting.analysis)?;
    pilot::check(settings.criteria.conditions, options.amount.plan)?;
    let budget = budget(options, &stages);
    let benchmarks = cases.iter().map(|case| case.line.clone()).collect();
    let plan = plan(options, &cases, &stages, &settings)?;
    let mut experiment = recorded::experiment(benchmarks, plan, settings);
    experiment.stages = stages;
    experiment.metrics = metrics;
    experiment.context = context(options, limits, &runtimes, clock_facts.as_ref());
    experiment.printed = printed;
    experiment.notes.splice(0..0, notes);
    let setup = CaseSetup {
        cases,
        budget: case_budget(budget, blocks_in_time(options)),
        limits,
        timeout: Duration::from_secs_f64(options.sampling.timeout),
        control: options.surroundings.control(),
        hooks,
    };
    Ok((experiment, setup))
}

/// The contents of suites that are selected.
fn found(options: &cli::Run, suites: Vec<Suite>, wanted: &CaseFilter<'_>) -> SuiteContents {
    let overrides = Overrides {
        warmup: options.sampling.warmup,
        gc_step: options.sampling.gc_step,
        confidence: options.reporting.analysis.judging.confidence,
        precision: options.amount.precision,
    };
    let mut found = SuiteContents::default();
    for (number, mut suite) in suites.into_iter().enumerate() {
        let output = std::mem::take(&mut suite.printed);
        if !output.text.is_empty() {
            found.printed.push((suite.name.clone(), lua::printed_text(output)));
        }
        match &suite.loaded {
            Err(failure) => found.cases.push(lua::not_loaded(&suite, failure)),
            Ok(loaded) => {
                if suite.refused.is_none() {
                    found.runtimes.push((suite.variant.clone(), loaded.runtime.clone()));
                }
                let of_suite = lua::cases(&suite, loaded, &overrides);
                found.described += of_suite.len();
                let params = of_suite.iter().flat_map(|case| &case.line.params);
                found.params.extend(params.map(|(name, _)| name.clone()));
                if of_suite.is_empty() {
                    let text = "describes no case: nothing of it is measured";
                    found.notes.push(Note::new(&*suite.name, text).with_code(NoteCode::NoCase));
                }
                let wants = |case: &LuaCase| (wanted.wants)(number, &case.line);
                found.cases.extend(of_suite.into_iter().filter(wants));
            }
        }
    }
    found
}

/// Refuses cases with parameters that say what etalon's own say.
fn one_of_each(cases: &[LuaCase]) -> Result<(), Failure> {
    let twice = |case: &&LuaCase| {
        let own = case.line.params.len().saturating_sub(case.variant.params.len());
        let (own, of_lua) = case.line.params.split_at(own);
        own.iter().any(|param| of_lua.iter().any(|other| other.0 == param.0))
    };
    let Some(case) = cases.iter().find(twice) else { return Ok(()) };
    let label = clean(&case.line.to_benchmark().label());
    let why = "it has a param that --lua or --jit adds, too: give that of the file another name";
    Err(Failure::about(format!("case {label}"), why))
}

/// Has every case's line say which commands are around it.
fn name_hooks(options: &cli::Run, cases: &mut [LuaCase]) {
    let cli::RunHooks { setup, prepare, conclude, cleanup } = &options.hooks;
    let text = |hook: &Option<OsString>| hook.clone().map(Text::from);
    for case in cases.iter_mut().filter(|case| case.is_measured()) {
        case.line.setup = text(setup);
        case.line.prepare = text(prepare);
        case.line.conclude = text(conclude);
        case.line.cleanup = text(cleanup);
    }
}

/// Commands around cases, resolved.
///
/// # Errors
/// If one cannot be executed.
pub(crate) fn hooks(options: &cli::Run) -> Result<CaseHooks, Failure> {
    let cli::RunHooks { setup, prepare, conclude, cleanup } = &options.hooks;
    let here = tool::here()?;
    let cwd = options.cwd.as_ref().map_or_else(|| here.clone(), |dir| here.join(dir));
    let path = std::env::var_os("PATH");
    let resolve = |option: &str, hook: &Option<OsString>| {
        let Some(text) = hook.as_ref().map(|text| text.as_bytes()) else { return Ok(None) };
        let path = path.as_deref();
        let spec = CommandSpec { text, shell: None, path, cwd: &cwd, to_come: None };
        resolved(option, spec).map(Some)
    };
    Ok(CaseHooks {
        setup: resolve("--setup", setup)?,
        prepare: resolve("--prepare", prepare)?,
        conclude: resolve("--conclude", conclude)?,
        cleanup: resolve("--cleanup", cleanup)?,
        around_all: false,
        environment: tool::assignments(std::env::vars_os()),
        cwd,
    })
}

fn resolved(option: &str, spec: CommandSpec<'_>) -> Result<Execute, Failure> {
    let text = spec.text;
    resolve_hook(spec).map_err(|error| {
        Failure::about(format!("{option} `{}`", clean(&commands::shown(text))), error)
    })
}

/// Refuses what cannot be ranked before anything is measured. Whether a suite has a number of its own
/// is known afterwards only.
fn check_metric(asked: &str, known: &[Metric], analysis: &cli::Analysis) -> Result<(), Failure> {
    if let Some(metric) = known.iter().find(|metric| metric.name == asked) {
        // Times are compared whatever is ranked.
        let times = [Base::Seconds];
        return analysis.check_base(asked, metric.unit.base(), &times).map_err(Failure::new);
    }
    if metrics::may_be_own(asked) {
        return Ok(());
    }
    let names: Vec<&str> = known.iter().map(|metric| metric.name.as_str()).collect();
    Err(Failure::new(format!(
        "--metric {asked}: not measured of functions; write one of {}, or what a suite gives to \
         measure.metric",
        names.join(", ")
    )))
}

/// Refuses parameters that no case has before anything is measured.
fn check_params(by: &By, cases: &[LuaCase]) -> Result<(), Failure> {
    let By::Params(params) = by else { return Ok(()) };
    let known = cases.iter().flat_map(|case| &case.line.params);
    let known: BTreeSet<&str> = known.map(|param| param.0.as_str()).collect();
    let unknown = params.iter().find(|param| !known.contains(param.as_str()));
    unknown.map_or(Ok(()), |asked| Err(report::unknown_param(asked, &known)))
}

/// The refusal where no case is left: the selection wants none, or the suites describe none.
fn nothing_to_measure(selection: &Selection, found: &SuiteContents) -> Failure {
    match found.notes.first() {
        Some(note) if found.described == 0 => Failure::about(
            &note.about,
            "describes no case: declare one with measure.describe('name').run(function() … end)",
        ),
        _ => {
            let said = selection.said();
            let hint = unknown_part(selection, &found.params).unwrap_or_else(|| {
                match selection.may_mean_expression() {
                    true => "a regular expression is written between slashes, such as /^name$/",
                    false => {
                        "a word is searched in names and tags, .file:/x/ in files; --list without \
                         them shows what there is"
                    }
                }
                .to_owned()
            });
            Failure::new(format!("no case left to measure{said}: {hint}"))
        }
    }
}

/// A parameter that is asked for and that no case has, beside those there are.
fn unknown_part(selection: &Selection, params: &BTreeSet<String>) -> Option<String> {
    let asked = selection.params().find(|asked| !params.contains(*asked))?;
    let known: Vec<String> = params.iter().map(|name| format!("/{name}")).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Some(format!("no case has the parameter /{asked}; there are {known}"))
}

/// An empty loop beside the cases of every file, on every Lua.
fn add_empty_loops(cases: &mut Vec<LuaCase>) {
    let mut loops: BTreeMap<String, LuaCase> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.is_measured()) {
        let Some(declared) = &case.line.case else { continue };
        let key = format!("{:?} {:?}", declared.place(), case.variant.params);
        loops.entry(key).or_insert_with(|| lua::empty_loop(case));
    }
    cases.extend(loops.into_values());
}

/// Notes for the reader where not all cases of a file are measured side by side.
fn split_notes(stages: &[Stage], cases: &[LuaCase]) -> Vec<Note> {
    let (mut seen, mut split) = (BTreeSet::new(), BTreeSet::new());
    for stage in stages {
        let first = stage.subjects[0];
        if !seen.insert(first) {
            split.insert(first);
        }
    }
    let note = |&first: &usize| {
        let BenchmarkLine { case, .. } = &cases[first].line;
        let label = cases[first].line.to_benchmark().label();
        let text = format!(
            "more cases than are measured side by side: they are in groups that all hold {label}, or \
             the next case if that breaks"
        );
        Note::new(case.as_ref().map_or("", |case| &case.file), text)
    };
    split.iter().map(note).collect()
}

fn plan(
    options: &cli::Run,
    cases: &[LuaCase],
    stages: &[Stage],
    settings: &Settings,
) -> Result<Plan, Failure> {
    let budget = budget(options, stages);
    let order = options.schedule.order.map_or(Order::Blocks, Order::from);
    if options.amount.until == UntilArg::Decided {
        if options.reporting.analysis.judging.confidence.is_some() {
            return Err(Failure::new(settings::LEVEL_FOLLOWS));
        }
        if order == Order::Sequential {
            let why = "it looks after blocks, and --order sequential has none";
            return Err(Failure::about("--until decided", why));
        }
        if stages.len() > 1 || lua::families(cases, settings) > 1 {
            return Err(Failure::about(
                "--until decided",
                "looks at one family of comparisons: name one file (or group) of two to 16 cases, on one Lua \
                 or of one name",
            ));
        }
    }
    if options.amount.plan && order == Order::Sequential {
        return Err(Failure::new(pilot::IN_SEQUENCE));
    }
    let runs = pilot::blocks(options.amount.runs, options.amount.plan)?;
    let stopping = match (runs, options.amount.until) {
        (Some(runs), _) => Stopping::Runs(runs),
        (None, UntilArg::Precision) => {
            Stopping::Precision { target: lua::narrowest_target(cases), budget }
        }
        (None, UntilArg::Decided) => Stopping::Decided { budget },
    };
    let limits = options.amount.limits.block_limits().map_err(Failure::new)?;
    let lines: Vec<BenchmarkLine> = cases.iter().map(|case| case.line.clone()).collect();
    let family = match (options.sides.base.is_some(), order) {
        (_, Order::Sequential) => 0,
        (true, _) => enough::rows_of_sides(&lines),
        (false, _) => enough::ranked(&lines, stages, settings),
    };
    Ok(Plan {
        limits: limits
            .for_family(stopping, family, &settings.criteria)
            .for_nodes(stopping, options.nodes.count()),
        padding: options.schedule.randomize_env.then_some(PADDING),
        ..Plan::new(order, stopping, options.schedule.seed.unwrap_or_else(tool::new_seed))
    })
}

/// Facts about the machine, the runtimes, the clock, and what was asked for.
fn context(
    options: &cli::Run,
    limits: Limits,
    runtimes: &[(Variant, Runtime)],
    clock: Option<&clock::ClockFacts>,
) -> Context {
    let here = std::env::current_dir().unwrap_or_default();
    let mut context = machine::facts(&here, std::env::vars_os());
    context.extend(recorded::facts(&here, clock));
    let mut add = |key: &str, value: String| context.insert(key.to_owned(), value);
    add("timeout_s", options.sampling.timeout.to_string());
    if let Some(memory) = limits.memory {
        add("memory_limit", memory.bytes.to_string());
    }
    context.extend(options.surroundings.facts());
    context.extend(runtime_facts(runtimes));
    context
}

/// Facts about the runtimes of the cases, as far as it is the same for all.
fn runtime_facts(runtimes: &[(Variant, Runtime)]) -> Vec<(String, String)> {
    let facts = |(variant, runtime): &(Variant, Runtime)| {
        let Runtime { version, language, jit, clock, memory, assertions } = runtime.clone();
        let path = lua::program_of(&variant.host).map(|path| path.to_string_lossy().into_owned());
        let hash = variant.hash.as_deref().map(str::to_owned);
        let facts = [
            ("host", Some(variant.host.name.clone())),
            ("path", path),
            ("hash", hash),
            ("version", Some(version)),
            ("language", Some(language)),
            ("jit", Some(jit)),
            ("clock", Some(clock)),
            ("memory", Some(memory)),
            ("assertions", assertions.then(|| "on".to_owned())),
        ];
        facts.map(|(key, value)| Some((format!("runtime.{key}"), value?)))
    };
    let mut all = runtimes.iter().map(facts);
    let Some(first) = all.next() else { return Vec::new() };
    let common = all.fold(first, |first, other| {
        std::array::from_fn(|at| first[at].clone().filter(|_| first[at] == other[at]))
    });
    let mut hosts: Vec<String> = Vec::new();
    for (variant, runtime) in runtimes {
        let name = format!("{} ({})", variant.host.name, runtime.version);
        if !hosts.contains(&name) {
            hosts.push(name);
        }
    }
    let several = (hosts.len() > 1).then(|| ("runtime.hosts".to_owned(), hosts.join(", ")));
    common.into_iter().flatten().chain(several).collect()
}
