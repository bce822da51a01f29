//! `etalon run`: from what was typed to suites, cases and an experiment on them; executed, saved and
//! shown.
//!
//! Here: the course of things. Which files are suites is [`files`]'s business, on which Luas they are executed
//! [`hosts`]', which of their cases are wanted [`selection`]'s, what is executed [`experiment`]'s.

pub(crate) mod experiment;
mod files;
pub(crate) mod hosts;
mod openresty;
mod selection;
pub(crate) mod sides;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use clap::ArgMatches;

use etalon_core::model::{Note, NoteCode};
use etalon_core::noise;
use etalon_core::plan::Stopping;
use etalon_lua::{Host, Limits, MemoryLimit, MemoryOrigin};
use etalon_probe::launcher::control;
use etalon_probe::launcher::protocol::Control;
use etalon_probe::{limits, machine};
use etalon_record::BenchmarkLine;
use etalon_run::lua::{
    CaseSetup, Discovery, LuaCase, LuaCases, SuiteSpec, Variant, discover, expected_seconds,
};
use etalon_run::services::ServiceSpec;
use etalon_run::sides::Sides;
use etalon_run::{Experiment, RunError};

use crate::cli;
use crate::destination::Destination;
use crate::experiments;
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::keeping::Saving;
use crate::progress::{Watch, Watched};
use crate::resume::Interrupted;
use crate::session::{self, Keeping, Shown};
use crate::{destination, output, planning, services};
use experiment::Wanted;
pub(crate) use selection::Selection;

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Run, matches: &ArgMatches) -> Result<Exit, Failure> {
    let interrupted = match &options.recording.resume {
        Some(run) => Some(Interrupted::open(run, "run", matches)?),
        None => None,
    };
    if let Some(interrupted) = &interrupted
        && let Some(ended) = experiments::resumed(options, interrupted)
    {
        return ended;
    }
    if options.dry_run {
        let why = "is of experiment files; --list says which cases of suites would be measured";
        return Err(Failure::about("--dry-run", why));
    }
    let output: Option<&Path> = options.recording.output.as_deref().map(Path::new);
    let exports = Exports::check(&options.reporting.exports, output.as_slice())?;
    let interim = Interim::new(&exports, &options.reporting.analysis);
    let mut watch = Watch::new(options.reporting.view.quiet, interim)?;
    let prepared = match &interrupted {
        Some(interrupted) => resumed(interrupted, &mut watch)?,
        None => prepared(options, &mut watch)?,
    };
    let ControlFlow::Continue(Prepared { experiment, setup, services, room }) = prepared else {
        return Ok(Exit::Interrupted);
    };
    if options.list {
        return list(&setup.cases, &experiment.notes);
    }
    let second = destination::asked(&options.recording)?;
    if !options.reporting.view.quiet {
        announce(&experiment, &setup);
        let told = second.as_ref().and_then(Destination::format_told);
        told.iter().for_each(|remark| output::remark(remark));
    }
    watch.now_watches(Watched::cases(&experiment));
    foresees(options, &experiment, &mut watch);
    let kept =
        Keeping { saving: Saving::unless(options.recording.no_save), second: second.as_ref() };
    let mut executor = services::around(LuaCases::new(setup), services, &watch)?;
    let executed = session::execute(&experiment, &mut executor, kept, &mut watch)?;
    if options.sides.base.is_some() {
        drop((executor, room));
        let compare = cli::Compare::of_reporting(&options.reporting);
        return match options.amount.plan {
            true => planning::of_sides(&executed, compare, Some(crate::sides::OF_PARAMETERS)),
            false => crate::sides::shown(&executed, &compare),
        };
    }
    if options.amount.plan {
        return planning::of_ranking(&executed, &options.reporting);
    }
    let shown = Shown::new(&options.reporting, &exports, options.recording.output.is_none());
    let analysis = session::show(&executed, &shown)?;
    session::say_saved(&executed, &shown);
    Ok(session::exit(&executed, analysis))
}

/// Has it said of two sides what so many blocks will show.
fn foresees(options: &cli::Run, experiment: &Experiment, watch: &mut Watch<'_>) {
    let Stopping::Runs(runs) = experiment.plan.stopping else { return };
    if options.sides.base.is_some() {
        let cli::Reporting { analysis, view, .. } = &options.reporting;
        let shown = cli::Compare::of_view(analysis, view);
        watch.foresees(crate::sides::foresight(&shown, crate::sides::OF_PARAMETERS, runs));
    }
}

/// An experiment, how its cases are executed, and what is there meanwhile.
struct Prepared {
    experiment: Experiment,
    setup: CaseSetup,
    services: Vec<ServiceSpec>,
    /// Copies of two sides; they go with it.
    room: Option<Sides>,
}

/// Loads the suites, and makes an experiment of what is in them; breaks if the user stops it before.
fn prepared(
    options: &cli::Run,
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), Prepared>, Failure> {
    let services = services::declared(&options.services)?;
    let selection = Selection::of(options)?;
    let wanted = files::wanted(options)?;
    let conditions = Conditions::of(options)?;
    if options.sides.base.is_some() {
        return on_sides(options, (wanted, &conditions), (services, &selection), watch);
    }
    let planned = planned(options, (wanted, &conditions, &selection), Twins::None, watch)?;
    let prepared = |(experiment, setup)| Prepared { experiment, setup, services, room: None };
    Ok(planned.map_continue(prepared))
}

/// Whether every case is there twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twins {
    /// Once.
    None,
    /// In two processes that differ in nothing, for an A/A experiment.
    Two,
}

/// The experiment on suites, and how their cases are executed: what an A/A experiment executes.
///
/// # Errors
/// If they cannot be loaded.
pub(crate) fn of_noise(
    options: &cli::Run,
    twins: Twins,
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), (Experiment, CaseSetup)>, Failure> {
    let selection = Selection::of(options)?;
    let wanted = files::wanted(options)?;
    let conditions = Conditions::of(options)?;
    planned(options, (wanted, &conditions, &selection), twins, watch)
}

fn planned(
    options: &cli::Run,
    (wanted, conditions, selection): (Vec<SuiteSpec>, &Conditions, &Selection),
    twins: Twins,
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), (Experiment, CaseSetup)>, Failure> {
    let ControlFlow::Continue(mut variants) =
        hosts::wanted(options, &conditions.discovery(&[]), watch)?
    else {
        return Ok(ControlFlow::Break(()));
    };
    if twins == Twins::Two {
        variants = variants.iter().flat_map(two_of).collect();
    }
    match discover(wanted, &conditions.discovery(&variants), watch).map_err(Failure::new)? {
        ControlFlow::Continue(suites) => {
            let wants = |_, case: &BenchmarkLine| selection.wants(case);
            let wanted = Wanted { selection, wants: &wants };
            experiment::of(options, suites, &wanted, conditions.limits).map(ControlFlow::Continue)
        }
        ControlFlow::Break(()) => Ok(ControlFlow::Break(())),
    }
}

/// A Lua, and again.
fn two_of(variant: &Variant) -> [Variant; 2] {
    noise::TWINS.map(|twin| {
        let mut variant = variant.clone();
        variant.params.push((noise::TWIN.to_owned(), twin.to_owned()));
        variant
    })
}

/// The same on two sides of the project around.
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
    let laid = match sides::of(options, &wanted, watch)? {
        Ok(laid) => laid,
        Err(unbuilt) => {
            let unbuilt = unbuilt.strip_prefix("etalon: ").unwrap_or(&unbuilt).to_owned();
            return Err(Failure::new(unbuilt));
        }
    };
    let (asked, mut suites) = (wanted, Vec::new());
    for suite in &asked {
        for copy in &laid.copies {
            let variants: Vec<Variant> =
                variants.iter().map(|it| sides::of_copy(it, copy)).collect();
            let spec = conditions.discovery(&variants);
            let found = discover(vec![sides::laid(suite, copy)], &spec, watch);
            let ControlFlow::Continue(found) = found.map_err(Failure::new)? else {
                return Ok(ControlFlow::Break(()));
            };
            suites.extend(found);
        }
    }
    let wants = |_, case: &BenchmarkLine| selection.wants(case);
    let wanted = Wanted { selection, wants: &wants };
    let (mut experiment, setup) = experiment::of(options, suites, &wanted, conditions.limits)?;
    if !options.list {
        experiment.context.extend(sides::read(options, &asked, &laid, watch)?);
    }
    experiment.context.extend(laid.made.facts);
    experiment.sides = Some(crate::sides::OF_PARAMETERS);
    Ok(ControlFlow::Continue(Prepared { experiment, setup, services, room: laid.made.room }))
}

/// What suites are looked at under.
pub(crate) struct Conditions {
    others: Vec<Host>,
    control: Control,
    pub(crate) limits: Limits,
    timeout: Duration,
}

impl Conditions {
    /// # Errors
    /// If this machine does not allow them.
    pub(crate) fn of(options: &cli::Run) -> Result<Conditions, Failure> {
        let control = options.surroundings.control();
        control::check(&control).map_err(|refusal| Failure::new(RunError::Refused(refusal)))?;
        Ok(Conditions {
            others: hosts::all_installed(),
            control,
            limits: Limits { memory: memory_limit(options) },
            timeout: Duration::from_secs_f64(options.sampling.timeout),
        })
    }

    pub(crate) fn discovery<'a>(&'a self, variants: &'a [Variant]) -> Discovery<'a> {
        let Conditions { others, control, limits, timeout } = self;
        Discovery { variants, others, limits: *limits, control, timeout: *timeout }
    }
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
pub(crate) fn announce(experiment: &Experiment, setup: &CaseSetup) {
    let CaseSetup { cases, budget, .. } = setup;
    let Experiment { stages, plan, .. } = experiment;
    let measured = cases.iter().filter(|case| case.is_measured()).count();
    if measured == 0 {
        return;
    }
    let count = etalon_report::number::counted(measured, "case", "cases");
    let seconds = etalon_report::number::duration(expected_seconds(cases, stages, plan, *budget));
    output::remark(&match plan.stopping {
        Stopping::Runs(runs) => {
            let blocks = etalon_report::number::counted(runs as usize, "block", "blocks");
            format!("{count}, {blocks}, about {seconds}")
        }
        Stopping::Precision { .. } | Stopping::Decided { .. } => {
            let fewest = plan.limits.first_look();
            format!("{count}, about {seconds} or as long as {fewest} blocks take")
        }
    });
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
    output::lines(&cases.iter().map(line).collect::<Vec<_>>())?;
    let broken = cases.iter().any(|case| case.failure.is_some());
    Ok(if broken { Exit::Failed } else { Exit::Done })
}
