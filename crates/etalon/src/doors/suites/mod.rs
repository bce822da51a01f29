//! `etalon run`: from what was typed to suites, cases and an experiment on them; executed, saved and
//! shown.
//!
//! Here: the course of things. Which files are suites, which of their cases are wanted and what is executed is
//! [`crate::cases`]' business, on which Luas [`crate::hosts`]'.

mod sides;

use std::ops::ControlFlow;
use std::path::Path;

use etalon_core::model::{Note, NoteCode};
use etalon_core::plan::Stopping;
use etalon_record::BenchmarkLine;
use etalon_run::Experiment;
use etalon_run::lua::{CaseSetup, LuaCase, LuaCases, SuiteSpec, Variant, discover};
use etalon_run::services::ServiceSpec;
use etalon_run::sides::Sides;

use crate::cases::experiment::{self, Wanted};
use crate::cases::{Conditions, Selection, Twins, announce, files, planned};
use crate::cli;
use crate::destination::Destination;
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::keeping::Saving;
use crate::progress::{Watch, Watched};
use crate::resume::Interrupted;
use crate::session::{self, Keeping, Shown};
use crate::sides::OF_PARAMETERS;
use crate::{compare, destination, hosts, output, planning, report, services};

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Run, interrupted: Option<&Interrupted>) -> Result<Exit, Failure> {
    if options.dry_run {
        let why = "is of experiment files; --list says which cases of suites would be measured";
        return Err(Failure::about("--dry-run", why));
    }
    let output: Option<&Path> = options.recording.output.as_deref().map(Path::new);
    let exports = Exports::check(&options.reporting.exports, output.as_slice())?;
    let interim = report::interim(&exports, &options.reporting.analysis);
    let mut watch = Watch::new(options.reporting.view.quiet, interim)?;
    let prepared = match interrupted {
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
            true => planning::of_sides(&executed, compare, Some(OF_PARAMETERS)),
            false => session::shown_sides(&executed, &compare),
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
        watch.foresees(compare::foresight(&shown, OF_PARAMETERS, runs));
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
    experiment.sides = Some(OF_PARAMETERS);
    Ok(ControlFlow::Continue(Prepared { experiment, setup, services, room: laid.made.room }))
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
    output::lines(&cases.iter().map(line).collect::<Vec<_>>())?;
    let broken = cases.iter().any(|case| case.failure.is_some());
    Ok(if broken { Exit::Failed } else { Exit::Done })
}
