//! `etalon cmd`: from what was typed to an experiment, executed, saved and shown.
//!
//! Here: the course of things. What is executed is worked out in [`subjects`] (commands, hooks,
//! parameters by [`scan`]) and [`experiment`], or by [`resume`] from a record; the words for a
//! failure that stopped it in [`stopped`].

mod experiment;
mod resume;
mod scan;
mod stopped;
mod subjects;

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

use clap::ArgMatches;

use etalon_core::model::StoppedBy;
use etalon_record::store::make_id;
use etalon_run::{Finished, RunError};

use crate::cli;
use crate::cli::commands::{self, Declared};
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::progress::Watch;
use crate::{destination, output, report, saved};
use subjects::Subject;

/// Runs the subcommand.
pub fn run(options: &cli::Cmd, matches: &ArgMatches) -> Result<Exit, Failure> {
    let (subjects, experiment) = match &options.resume {
        Some(run) => resume::of(run, matches)?,
        None => {
            let subjects = subjects::of(options, matches, declared(options, matches)?)?;
            let experiment = experiment::of(options, &subjects)?;
            (subjects, experiment)
        }
    };
    if !options.view.quiet {
        let notes = experiment.notes.iter().map(|note| &note.text);
        subjects.remarks.iter().chain(notes).for_each(|remark| output::remark(remark));
    }
    let output: Option<&Path> = options.output.as_deref().map(Path::new);
    let exports = Exports::check(&options.exports, output.as_slice())?;
    let second =
        options.output.as_ref().map(|o| destination::open(o, options.force)).transpose()?;
    let store = saved::store()?;
    let id = make_id(jiff::Timestamp::now(), entropy());
    let record = store.create(&id).map_err(Failure::new)?;
    let mut watch = Watch::new(&experiment, options.view.quiet)?;
    let finished = etalon_run::execute(&experiment, &record, second.as_ref(), &mut watch);
    watch.done();
    let finished = match finished {
        Ok(finished) => finished,
        Err(error) => {
            // Nothing was measured: an empty record would only be in the way.
            drop(record);
            let _still_there = store.remove(&id);
            return Err(Failure::new(error));
        }
    };
    // A record that could not be written to its end stays what it is: unfinished.
    let path = match &finished.error {
        Some(RunError::Write(error)) if error.path == record.path => record.path.clone(),
        _ => record.finish().map_err(Failure::new)?,
    };
    conclude(options, &finished, &subjects.all, &path, &exports)
}

/// Shows what there is, says what went wrong, and decides the exit.
fn conclude(
    options: &cli::Cmd,
    finished: &Finished,
    subjects: &[Subject],
    path: &Path,
    exports: &Exports<'_>,
) -> Result<Exit, Failure> {
    if let Some(stopped) = &finished.failure {
        output::remark(&stopped::describe(stopped, subjects));
    }
    let set = saved::read(path, etalon_record::Strictness::Lenient)?;
    let nothing = set.series.iter().all(|series| series.rows == 0);
    let shown = if nothing && finished.stopped_by != StoppedBy::Runs {
        None
    } else {
        Some(report::show(vec![set], &options.analysis, &options.view, exports)?)
    };
    if let Some(error) = &finished.error {
        return Err(Failure::new(error));
    }
    if finished.failure.as_ref().is_some_and(stopped::cannot_start) {
        return Err(Failure::new("nothing was measured: a command cannot be started"));
    }
    if !options.view.quiet && !options.view.json && options.output.is_none() {
        output::remark("saved; `etalon report @last` shows this again");
    }
    match finished.stopped_by {
        StoppedBy::Failure => Ok(Exit::Failed),
        StoppedBy::Interrupt => Ok(Exit::Interrupted),
        _ if finished.failure.is_some() => Ok(Exit::Failed), // a cleanup, after all was done
        _ => Ok(shown.map_or(Exit::Done, |analysis| report::exit(&analysis, &finished.stopped_by))),
    }
}

/// All commands: those of the command line, then those of the files.
fn declared(options: &cli::Cmd, matches: &ArgMatches) -> Result<Vec<Declared>, Failure> {
    let mut declared = commands::from_arguments(matches, &options.commands, &options.names)
        .map_err(|error| Failure::new(error.message()))?;
    for file in &options.files {
        let content = read_list(file)?;
        declared.extend(
            commands::from_file(&content)
                .map_err(|error| Failure::about(file.display(), error.message()))?,
        );
    }
    if declared.is_empty() {
        return Err(Failure::new(
            "no command to time: name one, such as `etalon cmd 'ls -l'`, or a file with -f",
        ));
    }
    Ok(declared)
}

fn read_list(file: &OsString) -> Result<Vec<u8>, Failure> {
    if file == "-" {
        let mut content = Vec::new();
        std::io::stdin()
            .read_to_end(&mut content)
            .map_err(|error| Failure::about("-f -: standard input", error))?;
        return Ok(content);
    }
    std::fs::read(file).map_err(|error| Failure::about(file.display(), error))
}

/// Tells ids of the same microsecond apart.
fn entropy() -> u16 {
    u16::try_from(std::process::id() & 0xffff).unwrap_or_default()
}
