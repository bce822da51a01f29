//! `etalon ab`: two states of a project, copied, built, measured side by side, and compared.
//!
//! Here: the course of things. Copies and their builds are [`crate::sides`]', what is to hold of them before anything is
//! measured [`held`]'s, what to type for a project [`typed`]'s.

mod held;
mod subjects;
mod typed;

use std::ffi::OsStr;
use std::path::Path;

use clap::ArgMatches;
use etalon_core::dataset::SIDE;
use etalon_core::plan::Settings;
use etalon_probe::launcher::Launcher;
use etalon_record::ReadError;
use etalon_report::number::counted;
use etalon_run::{Commands, RunError};

use crate::cli::commands::{self, Declared};
use crate::cli::{self, Compare};
use crate::commands::texts;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::keeping::Saving;
use crate::progress::{Watch, Watched};
use crate::session::{self, Executed, Keeping};
use crate::sides::copies::{self, Builds, Made};
use crate::{compare, destination, output, pages, pilot, planning, services, sides};
use subjects::{check, joined};

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Ab, matches: &ArgMatches) -> Result<Exit, Failure> {
    let here = std::env::current_dir().map_err(|e| Failure::about("the current directory", e))?;
    let declared = declared(options, matches)?;
    if declared.is_empty() {
        return typed::show(options, &here);
    }
    pilot::blocks(Some(options.amount.runs), options.amount.plan)?;
    let judged =
        Compare::of_go(options.show.clone(), options.checks.clone(), options.judging.clone());
    let criteria = compare::criteria(&judged)?;
    let services = services::declared(&options.services)?;
    texts::refuse_in_services(&services, &[SIDE])?;
    let mut watch = Watch::new(options.show.quiet, Interim::none())?;
    let recording = options.recording.record();
    pages::check_beside(&options.show.page, recording.output.as_deref())?;
    let second = destination::asked(&recording)?;
    let asked = copies::Asked {
        base: &options.base,
        head: options.head.as_deref(),
        dir: options.dir,
        build: options.build.as_deref(),
        along: &options.along,
        no_control: options.no_control,
        env: &options.control.env,
        laid: &[],
        builds: Builds::of(&options.builds),
    };
    let (made, copies) = match copies::of(&asked, &here, &watch)? {
        Ok(made) => made,
        Err(unbuilt) => {
            output::remark(&unbuilt);
            return Ok(Exit::Failed);
        }
    };
    let held = held::planned(options, &declared, (&made, &copies), &watch)?;
    let (mut planned, setup, origins) = match held {
        Ok(planned) => planned,
        Err(why_not) => {
            output::remark(&why_not);
            return Ok(Exit::Failed);
        }
    };
    let Made { room, facts } = made;
    planned.context.extend(facts);
    planned.sides = Some(sides::OF_PARAMETERS);
    planned.settings = Settings { criteria, ..planned.settings };
    planned.plan.limits.within = options.amount.total_budget.map(whole_seconds);
    if !options.show.quiet {
        announce(options.amount.runs, declared.len(), copies.len(), &watch);
    }
    watch.now_watches(Watched::commands(&planned));
    watch.foresees(compare::foresight(&judged, sides::OF_PARAMETERS, options.amount.runs));
    let kept = Keeping { saving: Saving::unless(recording.no_save), second: second.as_ref() };
    let launcher = Launcher::start().map_err(|error| Failure::new(RunError::Launcher(error)))?;
    let commands = Commands::new(setup, launcher).on_sides(Some(origins));
    let mut executor = services::around(commands, services, &watch)?;
    let executed = session::execute(&planned, &mut executor, kept, &mut watch)?;
    drop((executor, room));
    let exit = shown(&executed, judged, options)?;
    session::failure(&executed)?;
    Ok(exit)
}

/// Says how much there is to do.
fn announce(blocks: u32, commands: usize, copies: usize, watch: &Watch<'_>) {
    let blocks = counted(blocks as usize, "block", "blocks");
    let commands = counted(commands, "command", "commands");
    let copies = counted(copies, "copy", "copies");
    output::remark(&format!("{commands} in {copies} of the sides, {blocks}"));
    if watch.is_attended() {
        output::remark("executing each command once on each side first, to see what it reads");
    }
}

/// Shows the comparison, or what it takes.
fn shown(executed: &Executed, judged: Compare, options: &cli::Ab) -> Result<Exit, Failure> {
    if options.amount.plan {
        return planning::of_sides(executed, judged, Some(sides::OF_PARAMETERS));
    }
    let exit = session::shown_sides(executed, &judged)?;
    if options.explain_noise {
        session::explain_noise(executed)?;
    }
    Ok(exit)
}

/// The command behind `--`, or those of files.
fn declared(options: &cli::Ab, matches: &ArgMatches) -> Result<Vec<Declared>, Failure> {
    let mut declared = Vec::new();
    if !options.command.is_empty() {
        declared.push(Declared { text: joined(&options.command), name: None, place: None });
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

/// At least one. Positive and below 3e9 s, see [`cli::values::duration`].
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole_seconds(seconds: f64) -> u32 {
    seconds.ceil() as u32
}

/// A text for people.
fn shown_text(text: &OsStr) -> String {
    etalon_report::text::clean(&text.to_string_lossy())
}
