//! `results` of an experiment file: its commands are harnesses.
//!
//! Owns what is refused of such a file, and where `{results}` is filled in. Refuses to read results: that is
//! [`etalon_run::harness`]'.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::kinds::{Kind, kind};
use crate::cli;
use crate::commands::texts::{Hooks, Texts};
use crate::experiments::file::{File, Placed, Subject};
use crate::failure::Failure;
use crate::harnesses::{RESULTS, ResultsRoom};
use crate::toml_text::Source;

/// Where the results of a file's commands are, if they are harnesses.
///
/// # Errors
/// With place and remedy, if that cannot be obeyed.
pub(super) fn prepare(source: Source<'_>, file: &File) -> Result<Option<ResultsRoom>, Failure> {
    // Without the key `{results}` may be an axis.
    let Some(placed) = &file.measure.results else { return Ok(None) };
    if let Some(axis) = file.axes.keys().find(|axis| axis.get_ref() == RESULTS) {
        let why = "`results` is the path of a harness's results here: give the axis another name";
        return Err(source.at(axis.span(), why));
    }
    let arg = cli::results(placed.get_ref()).map_err(|why| source.at(placed.span(), why))?;
    let texts: Vec<Texts> = file.subject.iter().map(|it| texts(it.get_ref())).collect();
    ResultsRoom::prepare(Some(&arg), false, &texts)
        .map_err(|failure| source.at(placed.span(), failure.message()))
}

/// Refuses subjects that are no harnesses, and what reads standard output besides.
///
/// # Errors
/// With place and remedy.
pub(super) fn check(source: Source<'_>, file: &File) -> Result<(), Failure> {
    let Some(placed) = &file.measure.results else { return Ok(()) };
    let go = file.subject.iter().find_map(|subject| subject.get_ref().go.as_ref());
    if let Some(at) = go {
        let why =
            "benchmarks of Go are read without `results`, which is of commands: leave that out";
        return Err(source.at(at.span(), why));
    }
    if kind(source, file)? == Kind::Suites {
        let why = "is of commands that time benchmarks by themselves: suites are timed by etalon, leave it out";
        return Err(source.at(placed.span(), why));
    }
    if let Some((name, _)) = file.metric.first() {
        let why = "is read in what a program prints, and the results of a harness are all that is read of it: leave one of \
                   `results` and this out";
        return Err(source.at(name.span(), why));
    }
    Ok(())
}

/// The texts of a subject that `{results}` may stand in, or not.
fn texts(subject: &Subject) -> Texts {
    let text =
        |placed: &Option<Placed>| placed.as_ref().map(|it| it.get_ref().clone().into_bytes());
    let Subject { command, env, prepare, conclude, setup, cleanup, .. } = subject;
    let hooks = Hooks {
        setup: text(setup),
        prepare: text(prepare),
        conclude: text(conclude),
        cleanup: text(cleanup),
    };
    let env = env.iter().map(|(name, value)| (name.clone(), value.get_ref().clone())).collect();
    Texts { command: text(command).unwrap_or_default(), hooks, env, ..Texts::default() }
}

/// A text with the path for results in its place, before values of axes are filled in.
pub(super) fn filled(room: Option<&ResultsRoom>, text: &Placed) -> Placed {
    let Some(room) = room else { return text.clone() };
    let path = room.given();
    let path = braced(Path::new(path.as_os_str()));
    let place = format!("{{{RESULTS}}}");
    Placed::new(text.span(), text.get_ref().replace(&place, &path))
}

/// A path as it has to be written in a text in which braces have a meaning.
fn braced(path: &Path) -> String {
    let text = String::from_utf8_lossy(path.as_os_str().as_bytes()).into_owned();
    text.replace('{', "{{").replace('}', "}}")
}
