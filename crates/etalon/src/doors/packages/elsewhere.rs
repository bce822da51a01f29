//! Test binaries on other machines: built and listed here, sent with what they read, executed there without Go.
//!
//! Owns the list of them, which travels with them, and where everything is there. Refuses to build there, and to send what
//! a working tree has beside the directories of packages and their `testdata`: `--send` does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use etalon_core::excerpt::excerpt;
use etalon_core::model::Note;
use etalon_probe::machine;
use etalon_record::ReadError;
use etalon_report::text::clean;
use etalon_run::go::{Binary, GoBuild, GoSubject, alternatives};
use etalon_run::nodes::protocol::Remark;
use serde::{Deserialize, Serialize};

use super::prepared::{Prepared, VERSION, experiment, setup};
use super::request::{Request, failure};
use super::sites::room;
use crate::cli;
use crate::failure::Failure;
use crate::nodes::luggage::{Luggage, place_of_copy};
use crate::progress::Watch;
use crate::sides::Copy;
use crate::{recorded, tool};

/// The list on the other side.
const LIST: &str = "etalon-go.json";

/// The directory of binaries there.
const BINARIES: &str = "etalon-go";

/// The directory that benchmarks read, by the convention of Go.
const DATA: &str = "testdata";

/// A fact that binaries print of their machine, which a record of several machines has of each.
const OF_MACHINE: [&str; 1] = ["cpu"];

/// A list of what is executed.
#[derive(Serialize, Deserialize)]
struct List {
    /// The version of Go that has built it.
    version: Option<String>,
    /// Remarks that were made where it was built.
    notes: Vec<Remark>,
    /// With the places that binaries have there.
    subjects: Vec<GoSubject>,
}

/// Binaries with what they read besides copies of sides, and the list of them, where other machines are asked for.
///
/// # Errors
/// If a package is elsewhere, or something cannot be read.
pub(super) fn luggage(options: &cli::Go, prepared: &Prepared) -> Result<Luggage, Failure> {
    let mut luggage = Luggage::default();
    if options.nodes.on.is_none() {
        return Ok(luggage);
    }
    luggage.asked("--service", &options.services)?;
    luggage.asked("--send", &options.nodes.send)?;
    let Prepared { experiment, setup, on_sides, room, notes } = prepared;
    let copies = on_sides.as_ref().map_or(&[][..], |on_sides| on_sides.travelling());
    let here = tool::here()?;
    let mut subjects = setup.subjects.clone();
    for binary in subjects.iter_mut().filter_map(|subject| subject.binary.as_mut().ok()) {
        let path = place_of_binary(&binary.path, &room.path);
        luggage.put(&binary.path, path.clone())?;
        let directory = match in_copy(&binary.directory, copies) {
            Some(directory) => directory,
            None => in_place(&binary.directory, &here, &mut luggage)?,
        };
        *binary = Binary { path, directory };
    }
    let version = experiment.context.get(VERSION).cloned();
    let notes = notes.iter().map(Remark::from).collect();
    let list = room.path.join(LIST);
    let text = serde_json::to_vec(&List { version, notes, subjects });
    let text = text.map_err(|error| Failure::about(LIST, error))?;
    fs::write(&list, text).map_err(|error| Failure::about(list.display(), error))?;
    luggage.put(&list, LIST.into())?;
    Ok(luggage)
}

/// The place of a binary there: as below the directory of all, or beside those.
fn place_of_binary(path: &Path, room: &Path) -> PathBuf {
    let own = path.strip_prefix(room).ok();
    let beside = || Path::new("beside").join(path.file_name().unwrap_or_default());
    Path::new(BINARIES).join(own.map_or_else(beside, Path::to_owned))
}

/// The place of a directory that is in one of the copies, which are sent as a whole.
fn in_copy(directory: &Path, copies: &[Copy]) -> Option<PathBuf> {
    let directory = real(directory);
    copies.iter().find_map(|copy| {
        let below = directory.strip_prefix(real(&copy.root)).ok()?;
        Some(place_of_copy(copy.side, copy.build).join(below))
    })
}

/// The place of a package's directory in the working tree, which is sent with its data.
fn in_place(directory: &Path, here: &Path, luggage: &mut Luggage) -> Result<PathBuf, Failure> {
    let directory = real(directory);
    let Ok(below) = directory.strip_prefix(real(here)) else {
        let package = format!("--on with the package in {}", clean(&directory.to_string_lossy()));
        let why = "is not below this directory, which is what travels: start etalon further up";
        return Err(Failure::about(package, why));
    };
    luggage.directory_at(&directory, &real(here))?;
    let data = below.join(DATA);
    if directory.join(DATA).is_dir() {
        luggage.asked("--on with", &[data.into()])?;
    }
    Ok(below.to_owned())
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The experiment as it was made where the binaries were built, on the machine that was sent these.
///
/// # Errors
/// If a binary cannot be executed here.
pub(super) fn arrived(asked: &Request<'_>, watch: &Watch<'_>) -> Result<Prepared, Failure> {
    let here = tool::here()?;
    let list = Path::new(LIST);
    let text = fs::read(list).map_err(|error| ReadError::open(list, &error))?;
    let list: List = serde_json::from_slice(&text).map_err(|error| Failure::about(LIST, error))?;
    let List { version, notes, mut subjects } = list;
    for binary in subjects.iter_mut().filter_map(|subject| subject.binary.as_mut().ok()) {
        let Binary { path, directory } = &*binary;
        *binary = Binary { path: here.join(path), directory: here.join(directory) };
    }
    executable(asked, &subjects, watch)?;
    let mut setup = setup(asked, subjects);
    setup.of_machine = &OF_MACHINE;
    let mut context = machine::facts(&here, std::env::vars_os());
    context.extend(recorded::facts(&here, None));
    context.extend(version.map(|version| (VERSION.to_owned(), version)));
    let notes: Vec<Note> = notes.into_iter().map(Note::from).collect();
    let experiment = experiment(asked, &setup, (context, notes.clone()));
    Ok(Prepared { experiment, setup, on_sides: None, room: room()?, notes })
}

/// Refuses binaries that cannot be executed on this machine, before anything is measured.
fn executable(
    asked: &Request<'_>,
    subjects: &[GoSubject],
    watch: &Watch<'_>,
) -> Result<(), Failure> {
    let interrupts = watch.interrupts();
    let mut interrupted = || interrupts.come();
    let mut go = GoBuild { interrupted: &mut interrupted, temporary: None };
    let none = alternatives("^$");
    let mut seen = BTreeSet::new();
    for GoSubject { name, binary, .. } in subjects {
        let Ok(binary) = binary else { continue };
        if seen.insert(&binary.path)
            && let Err(error) = go.benchmarks(binary, &none, asked.arguments)
        {
            let why = excerpt(failure(error).message()).join("\n");
            let why = format!("its test binary cannot be executed there: {why}");
            return Err(Failure::about(format!("benchmark {name}"), why));
        }
    }
    Ok(())
}
