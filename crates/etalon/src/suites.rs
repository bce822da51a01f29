//! `etalon run`: from what was typed to suites, cases and an experiment on them; executed, saved and
//! shown.
//!
//! Here: the course of things. Which files are suites is [`files`]'s business, which of their cases
//! are wanted [`selection`]'s.

mod files;
mod selection;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use etalon_core::model::{Context, Metric, Note};
use etalon_core::plan::{Order, Plan, Settings, Stage, Stopping};
use etalon_core::units::Base;
use etalon_lua::{Host, Limits, MemoryLimit, MemoryOrigin, Runtime, metrics};
use etalon_probe::{clock, limits, machine};
use etalon_record::Text;
use etalon_run::Experiment;
use etalon_run::lua::{
    self, CaseSetup, LuaCase, LuaCases, Overrides, Suite, discover, expected_seconds,
};

use crate::cli::{self, UntilArg};
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::keeping::Saving;
use crate::progress::{Watch, Watched, duration};
use crate::session::{self, Shown};
use crate::{destination, output, report};
use selection::Selection;

/// Seconds per case where nobody says: with ten blocks a case takes two to three seconds.
const DEFAULT_BUDGET: f64 = 3.0;

/// Runs the subcommand.
pub fn run(options: &cli::Run) -> Result<Exit, Failure> {
    options.amount.check().map_err(Failure::new)?;
    let selection = Selection::of(options)?;
    let wanted = files::wanted(options)?;
    let output: Option<&Path> = options.output.as_deref().map(Path::new);
    let exports = Exports::check(&options.reporting.exports, output.as_slice())?;
    let interim = Interim::new(&exports, &options.reporting.analysis);
    let mut watch = Watch::new(Watched::nothing(), options.reporting.view.quiet, interim)?;
    let limits = Limits { memory: memory_limit(options) };
    let timeout = Duration::from_secs_f64(options.sampling.timeout);
    let found =
        discover(wanted, &Host::embedded(), (limits, timeout), &mut watch).map_err(Failure::new)?;
    let ControlFlow::Continue(suites) = found else { return Ok(Exit::Interrupted) };
    let (experiment, setup) = experiment(options, suites, &selection, limits)?;
    if options.list {
        return list(&setup.cases);
    }
    let second =
        options.output.as_ref().map(|o| destination::open(o, options.force)).transpose()?;
    if !options.reporting.view.quiet {
        announce(&experiment, &setup);
    }
    let ranked = &experiment.settings.metric;
    watch.now_watches(Watched {
        names: experiment.benchmarks.iter().map(|line| line.to_benchmark().label()).collect(),
        metric: experiment.metrics.iter().find(|m| m.name == *ranked).cloned(),
        terminal: true,
    });
    let saving = Saving::unless(options.no_save);
    let mut executor = LuaCases::new(setup);
    let executed = session::execute(saving, second.as_ref(), |record| {
        let second = second.as_ref().map(|second| &second.output);
        let finished =
            etalon_run::execute(&experiment, &mut executor, (record, second), &mut watch);
        watch.done();
        finished
    })?;
    let shown = Shown {
        analysis: &options.reporting.analysis,
        view: &options.reporting.view,
        exports: &exports,
        saved_only: options.output.is_none(),
    };
    let analysis = session::show(&executed, &shown)?;
    session::say_saved(&executed, &shown);
    Ok(session::exit(&executed, analysis))
}

/// The experiment: cases that are wanted, in groups that are measured together.
fn experiment(
    options: &cli::Run,
    suites: Vec<Suite>,
    selection: &Selection,
    limits: Limits,
) -> Result<(Experiment, CaseSetup), Failure> {
    let overrides = Overrides {
        warmup: options.sampling.warmup,
        gc_step: options.sampling.gc_step,
        confidence: options.reporting.analysis.confidence,
        precision: options.amount.precision,
    };
    let clock_facts = clock::measure();
    let mut context = context(options, limits);
    if let Some(facts) = &clock_facts {
        context.insert("clock.resolution_ns".to_owned(), facts.resolution_ns.to_string());
        context.insert("clock.cost_ns".to_owned(), format!("{:.1}", facts.cost_ns));
    }
    let (mut cases, mut printed, mut notes, mut described) = (vec![], vec![], vec![], 0);
    for mut suite in suites {
        let output = std::mem::take(&mut suite.printed);
        if !output.text.is_empty() {
            printed.push((suite.name.clone(), lua::printed_text(output)));
        }
        match &suite.loaded {
            Err(failure) => cases.push(lua::not_loaded(&suite, failure)),
            Ok(loaded) => {
                runtime_facts(&mut context, &loaded.runtime);
                let of_suite = lua::cases(&suite, loaded, &overrides);
                described += of_suite.len();
                if of_suite.is_empty() {
                    notes.push(Note {
                        about: suite.name.clone(),
                        text: "describes no case: nothing of it is measured".to_owned(),
                    });
                }
                let wanted = of_suite.into_iter().filter(|case| selection.wants(&case.line));
                cases.extend(wanted);
            }
        }
    }
    if cases.is_empty() {
        return Err(nothing_to_measure(selection, described, &notes));
    }
    if options.sampling.show_overhead {
        add_empty_loops(&mut cases);
    }
    let stages =
        lua::stages(&cases, Order::Blocks, options.reporting.analysis.reference.as_deref());
    notes.extend(split_notes(&stages, &cases));
    let plan = plan(options, &cases, stages.len())?;
    let mut settings = report::settings(
        Settings { metric: "wall".to_owned(), ..Settings::default() },
        &options.reporting.analysis,
    );
    if options.reporting.analysis.reference.is_none() {
        settings.reference = None;
    }
    let metrics = metrics::with_resolution(clock_facts.map(|facts| resolution(&facts)));
    check_metric(&settings.metric, &metrics, &options.reporting.analysis)?;
    let experiment = Experiment {
        benchmarks: cases.iter().map(|case| case.line.clone()).collect(),
        stages,
        metrics,
        plan,
        settings,
        context,
        tool: session::tool(),
        argv: std::env::args_os().map(Text::from).collect(),
        printed,
        notes,
        resumed: None,
    };
    let setup = CaseSetup {
        cases,
        budget: options.amount.budget.unwrap_or(DEFAULT_BUDGET),
        host: Host::embedded(),
        limits,
        timeout: Duration::from_secs_f64(options.sampling.timeout),
    };
    Ok((experiment, setup))
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

#[allow(clippy::cast_precision_loss)] // some tens of ns
fn resolution(facts: &clock::ClockFacts) -> f64 {
    facts.resolution_ns as f64 / 1e9
}

/// `described` are cases of suites, all of them unwanted; `notes` are about suites without any.
fn nothing_to_measure(selection: &Selection, described: usize, notes: &[Note]) -> Failure {
    match notes.first() {
        Some(note) if described == 0 => Failure::about(
            &note.about,
            "describes no case: declare one with measure.describe('name').run(function() … end)",
        ),
        _ => Failure::new(format!(
            "no case left to measure{}: --list without them shows what there is",
            selection.said()
        )),
    }
}

/// An empty loop beside the cases of every file.
fn add_empty_loops(cases: &mut Vec<LuaCase>) {
    let mut loops: BTreeMap<String, LuaCase> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.is_measured()) {
        let Some(declared) = &case.line.case else { continue };
        let key = format!("{:?}", declared.scope());
        loops.entry(key).or_insert_with(|| lua::empty_loop(case));
    }
    cases.extend(loops.into_values());
}

/// What a reader has to know where not all cases of a file are measured side by side.
fn split_notes(stages: &[Stage], cases: &[LuaCase]) -> Vec<Note> {
    let (mut seen, mut split) = (BTreeSet::new(), BTreeSet::new());
    for stage in stages {
        let first = stage.subjects[0];
        if !seen.insert(first) {
            split.insert(first);
        }
    }
    let note = |&first: &usize| Note {
        about: cases[first].line.case.as_ref().map_or("", |case| &case.file).to_owned(),
        text: format!(
            "more cases than are measured side by side: they are in groups that all hold {}, or the \
             next case if that breaks",
            cases[first].line.to_benchmark().label()
        ),
    };
    split.iter().map(note).collect()
}

fn plan(options: &cli::Run, cases: &[LuaCase], stages: usize) -> Result<Plan, Failure> {
    let amount = &options.amount;
    let budget = amount.budget.unwrap_or(DEFAULT_BUDGET);
    if amount.until == UntilArg::Decided {
        if options.reporting.analysis.confidence.is_some() {
            return Err(Failure::new(report::LEVEL_FOLLOWS));
        }
        if stages > 1 {
            return Err(Failure::about(
                "--until decided",
                "looks at one family of comparisons: name one file (or group) of two to 16 cases",
            ));
        }
    }
    Ok(Plan {
        warmup: 0,
        order: Order::Blocks,
        stopping: match (amount.runs, amount.until) {
            (Some(runs), _) => Stopping::Runs(runs),
            (None, UntilArg::Precision) => {
                Stopping::Precision { target: lua::narrowest_target(cases), budget }
            }
            (None, UntilArg::Decided) => Stopping::Decided { budget },
        },
        seed: amount.seed.unwrap_or_else(session::new_seed),
        padding: None,
    })
}

/// Facts about the machine and what was asked for.
fn context(options: &cli::Run, limits: Limits) -> Context {
    let here = std::env::current_dir().unwrap_or_default();
    let mut context = machine::facts(&here, std::env::vars_os());
    let mut add = |key: &str, value: String| context.insert(key.to_owned(), value);
    if cfg!(debug_assertions) {
        add("tool.build", "debug".to_owned());
    }
    add("timeout_s", options.sampling.timeout.to_string());
    if let Some(memory) = limits.memory {
        add("memory_limit", memory.bytes.to_string());
    }
    context
}

fn runtime_facts(context: &mut Context, runtime: &Runtime) {
    let facts = [
        ("runtime.version", &runtime.version),
        ("runtime.language", &runtime.language),
        ("runtime.jit", &runtime.jit),
        ("runtime.clock", &runtime.clock),
        ("runtime.memory", &runtime.memory),
    ];
    for (key, value) in facts {
        context.insert(key.to_owned(), value.clone());
    }
    if runtime.assertions {
        context.insert("runtime.assertions".to_owned(), "on".to_owned());
    }
}

/// What was asked for, else half of the memory that is available, so that a case that takes all it can get
/// ends alone; never more than this process was allowed itself.
fn memory_limit(options: &cli::Run) -> Option<MemoryLimit> {
    let allowed = limits::address_space();
    let (wanted, origin, most) = match options.sampling.memory_limit {
        Some(bytes) => (Some(bytes), MemoryOrigin::Asked, allowed.hard),
        None => {
            let half = machine::available_memory().map(|bytes| bytes / 2);
            (half, MemoryOrigin::Available, allowed.soft.or(allowed.hard))
        }
    };
    match (wanted, most) {
        (Some(bytes), Some(most)) if bytes > most => {
            Some(MemoryLimit { bytes: most, origin: MemoryOrigin::Inherited })
        }
        (None, Some(most)) => Some(MemoryLimit { bytes: most, origin: MemoryOrigin::Inherited }),
        (wanted, _) => wanted.map(|bytes| MemoryLimit { bytes, origin }),
    }
}

/// How much there is to do, and for how long.
fn announce(experiment: &Experiment, setup: &CaseSetup) {
    let CaseSetup { cases, budget, .. } = setup;
    let Experiment { stages, plan, .. } = experiment;
    let measured = cases.iter().filter(|case| case.is_measured()).count();
    if measured == 0 {
        return;
    }
    let count = etalon_report::number::counted(measured, "case", "cases");
    let seconds = duration(expected_seconds(cases, stages, plan, *budget));
    output::remark(&match plan.stopping {
        Stopping::Runs(runs) => {
            let blocks = etalon_report::number::counted(runs as usize, "block", "blocks");
            format!("{count}, {blocks}, about {seconds}")
        }
        Stopping::Precision { .. } | Stopping::Decided { .. } => {
            format!("{count}, about {seconds} or as long as ten blocks take")
        }
    });
}

fn list(cases: &[LuaCase]) -> Result<Exit, Failure> {
    let line = |case: &LuaCase| {
        let declared = case.line.case.as_ref();
        let place = declared.map_or(String::new(), |case| match case.line {
            Some(line) => format!("{}:{line}", case.file),
            None => case.file.clone(),
        });
        let state = match (&case.failure, declared.and_then(|case| case.skipped.as_ref())) {
            (Some(failure), _) => format!("  broken: {}", failure.message),
            (None, Some(why)) => format!("  skipped: {why}"),
            (None, None) => String::new(),
        };
        etalon_report::text::clean(&format!("{place}  {}{state}", case.line.to_benchmark().label()))
    };
    output::lines(&cases.iter().map(line).collect::<Vec<_>>())?;
    let broken = cases.iter().any(|case| case.failure.is_some());
    Ok(if broken { Exit::Failed } else { Exit::Done })
}
