//! Conditions that hold before two sides are measured: both have what is executed, and where that is asked for, both
//! print the same.
//!
//! Refuses to look at the files that commands read: that is [`crate::sides::origins`]'.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use etalon_core::model::Outcome;
use etalon_core::model::{BASE, HEAD};
use etalon_probe::launcher::protocol::Failure as Stopped;
use etalon_report::text::clean;
use etalon_run::{CommandOutput, CommandSetup, Experiment, Origins, once, without_detours};

use super::subjects;
use crate::cli;
use crate::cli::commands::{self, DeclaredCommand};
use crate::failure::Failure;
use crate::harnesses::ResultsRoom;
use crate::progress::Watch;
use crate::sides::origins::one_sided;
use crate::sides::{Copy, OnSides, filled, is_text, leads_out, refuse_absent, refuse_nowhere};
use crate::{destination, stopped, tool};

/// Whether commands can be executed in copies that are still to be built, all of them or all but the first, as far as no
/// build changes that.
///
/// # Errors
/// If one cannot.
pub(super) fn check(
    options: &cli::Ab,
    declared: &[DeclaredCommand],
    copies: &[Copy],
    watch: &Watch<'_>,
) -> Result<(), Failure> {
    let (planned, setup) = experiment(options, (declared, None), copies)?;
    destination::refuse_inputs(&options.recording, &setup)?;
    refuse_absent(&planned, copies)?;
    // Without a service, or where results are to be written, nothing is to be tried yet.
    match options.services.is_empty() && options.harness.results.is_none() {
        true => refuse_nowhere((&planned, &setup), copies, watch),
        false => Ok(()),
    }
}

/// Commands on both sides, ready to be executed.
pub(super) struct Planned {
    pub(super) experiment: Experiment,
    pub(super) setup: CommandSetup,
    /// What is to be found out of them; nothing on a machine that was sent the copies.
    pub(super) origins: Option<Origins>,
}

/// The experiment, how its commands are executed, and what is to be found out of them.
///
/// # Errors
/// If a command cannot be executed, on a side or at all, or prints something else where that is not to be.
pub(super) fn planned(
    options: &cli::Ab,
    (declared, results): (&[DeclaredCommand], Option<&ResultsRoom>),
    on_sides: &OnSides,
    watch: &Watch<'_>,
) -> Result<Planned, Failure> {
    let copies = on_sides.copies();
    let (planned, setup) = experiment(options, (declared, results), copies)?;
    if options.nodes.is_node() {
        return Ok(Planned { experiment: planned, setup, origins: None });
    }
    refuse_absent(&planned, copies)?;
    let origins = on_sides.origins(&planned, watch)?;
    if options.same_output {
        same_output(&planned, &setup, copies, watch)?;
    }
    Ok(Planned { experiment: planned, setup, origins: Some(origins) })
}

fn experiment(
    options: &cli::Ab,
    (declared, results): (&[DeclaredCommand], Option<&ResultsRoom>),
    copies: &[Copy],
) -> Result<(Experiment, CommandSetup), Failure> {
    refuse_no_directory(options, copies)?;
    subjects::experiment(options, (declared, results), copies).map_err(|error| {
        let one_sided = on_one_side(options, declared, copies);
        one_sided.unwrap_or_else(|| with_remedy(&error, options, declared, copies))
    })
}

/// Refuses a directory for commands that a copy does not have although no build is to come.
fn refuse_no_directory(options: &cli::Ab, copies: &[Copy]) -> Result<(), Failure> {
    let Some(cwd) = options.control.cwd.as_ref() else { return Ok(()) };
    let is_missing = |copy: &&Copy| {
        let cwd = OsString::from_vec(filled(cwd.as_bytes(), &copy.root));
        !copy.is_to_be_built && !copy.directory.join(cwd).is_dir()
    };
    let Some(copy) = copies.iter().find(is_missing) else { return Ok(()) };
    let (cwd, side) = (clean(&cwd.to_string_lossy()), copy.side);
    Err(Failure::about(format!("--cwd {cwd}"), format!("no such directory in {side}: check --cwd")))
}

/// That a command can be executed on one side only, where that is why there is no experiment.
fn on_one_side(
    options: &cli::Ab,
    declared: &[DeclaredCommand],
    copies: &[Copy],
) -> Option<Failure> {
    let is_one_built = copies.iter().any(|copy| !copy.is_to_be_built);
    declared.iter().find_map(|command| {
        let has = |side: &str| {
            let of_side = copies.iter().filter(|copy| copy.side == side);
            // Where one side is built, the other has what it has.
            let as_it_is = |copy: &Copy| Copy {
                is_to_be_built: copy.is_to_be_built && !is_one_built,
                ..copy.clone()
            };
            let of_side: Vec<Copy> = of_side.map(as_it_is).collect();
            subjects::experiment(options, (std::slice::from_ref(command), None), &of_side).is_ok()
        };
        let name = command.name.clone().unwrap_or_else(|| commands::shown(&command.text));
        let script = program(command).filter(|path| is_text(path));
        one_sided(&clean(&name), (has(BASE), has(HEAD)), script.as_deref())
    })
}

/// The program of a command, as it is named.
fn program(command: &DeclaredCommand) -> Option<PathBuf> {
    let word = command.text.split(u8::is_ascii_whitespace).find(|word| !word.is_empty())?;
    Some(PathBuf::from(OsStr::from_bytes(word)))
}

/// Why there is no experiment; where a program is in no copy, how it gets there.
fn with_remedy(
    error: &Failure,
    options: &cli::Ab,
    declared: &[DeclaredCommand],
    copies: &[Copy],
) -> Failure {
    let is_missing = |path: &PathBuf| {
        path.components().count() > 1 && !copies.iter().any(|it| it.directory.join(path).exists())
    };
    let missing = declared.iter().filter_map(program).find(is_missing).filter(|_| !options.dir);
    let outside = |path: &PathBuf| {
        let is_below = |it: &Copy| without_detours(&it.directory.join(path)).starts_with(&it.root);
        if copies.iter().any(is_below) { None } else { leads_out(path, &tool::here().ok()?) }
    };
    if let Some(why) = missing.as_ref().and_then(outside) {
        return Failure::about(error.message(), why);
    }
    let to_come = copies.iter().all(|copy| copy.is_to_be_built);
    let remedy = missing.filter(|_| !to_come).map(|path| match options.build {
        None if path.exists() => format!(
            "; it is here, but the copies have only what git knows: --build CMD builds each of them, --copy {} takes it along",
            path.display()
        ),
        None => "; the copies have only what git knows: --build CMD builds each of them".to_owned(),
        Some(_) => match copies.iter().find(|copy| !copy.is_to_be_built) {
            Some(built) if copies.iter().any(|copy| copy.is_to_be_built) => {
                format!("; --build did not make it in {}, and nothing else was built", built.side)
            }
            _ => "; --build did not make it in the copies".to_owned(),
        },
    });
    Failure::new(format!("{}{}", error.message(), remedy.unwrap_or_default()))
}

/// Executes each command on both sides, the base twice, as it is measured.
///
/// # Errors
/// If the head differs from the base, the base from itself, or one cannot be executed.
fn same_output(
    experiment: &Experiment,
    setup: &CommandSetup,
    copies: &[Copy],
    watch: &Watch<'_>,
) -> Result<(), Failure> {
    for (number, lines) in experiment.benchmarks.chunks(copies.len()).enumerate() {
        let name = clean(&lines[0].name);
        let mut printed = Vec::new();
        for side in [BASE, BASE, HEAD] {
            let copy = copies.iter().position(|copy| copy.side == side).unwrap_or_default();
            let subject = number * copies.len() + copy;
            printed.push(execute(experiment, setup, (side, subject), watch)?);
        }
        let [first, again, head] = &printed[..] else { continue };
        if first != again {
            return Err(Failure::about(
                format!("--same-output: `{name}`"),
                format!(
                    "the base differs from itself ({}): its output says nothing about the head's",
                    difference(first, again)
                ),
            ));
        }
        if first != head {
            let difference = difference(first, head);
            return Err(Failure::of_side(format!(
                "`{name}`: the head prints something else than the base ({difference}): nothing was measured"
            )));
        }
    }
    Ok(())
}

/// How a command ended, and what it printed.
///
/// # Errors
/// If something around it failed, it took too long, or it cannot be executed.
fn execute(
    experiment: &Experiment,
    setup: &CommandSetup,
    (side, subject): (&str, usize),
    watch: &Watch<'_>,
) -> Result<Output, Failure> {
    let interrupts = watch.interrupts();
    let alone = setup.alone(subject).unwrap_or_default();
    let printed = once::printed(alone, &mut || interrupts.come()).map_err(Failure::new)?;
    match printed {
        CommandOutput::Ended(outcome, bytes) => Ok((outcome, bytes)),
        CommandOutput::Stopped(stopped) => {
            let stopped = Stopped { command: subject, ..stopped };
            let stopped = stopped::describe(&stopped, experiment);
            Err(Failure::of_side(format!(
                "{stopped}\n  of {side}, outputs are not compared: nothing was measured"
            )))
        }
        CommandOutput::Interrupted => {
            Err(Failure::interrupted("interrupted while outputs were compared"))
        }
    }
}

/// How an execution ended, and what it printed.
type Output = (Outcome, Vec<u8>);

/// Where two outputs part.
fn difference(one: &Output, two: &Output) -> String {
    if one.0 != two.0 {
        return "another exit code".to_owned();
    }
    let lines = |output: &Output| -> Vec<Vec<u8>> {
        output.1.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (one, two) = (lines(one), lines(two));
    let same = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
    format!("from line {} on", same + 1)
}
