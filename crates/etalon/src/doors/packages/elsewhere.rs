//! Benchmarks of packages on other machines: built and listed here, executed there without Go.
//!
//! Owns the list of them, which travels with their binaries. Where these are there is [`crate::nodes::binaries`]'.

use std::path::{Path, PathBuf};

use etalon_core::model::Note;
use etalon_probe::machine;
use etalon_run::go::GoSubject;
use etalon_run::nodes::protocol::Remark;
use serde::{Deserialize, Serialize};

use super::prepared::{Prepared, VERSION, experiment, setup};
use super::request::Request;
use super::sites::room;
use crate::cli;
use crate::failure::Failure;
use crate::nodes::binaries;
use crate::nodes::luggage::Luggage;
use crate::progress::Watch;
use crate::sides::OnSides;
use crate::{recorded, tool};

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
    let copies = on_sides.as_ref().map_or(Vec::new(), OnSides::places_elsewhere);
    let mut subjects = setup.subjects.clone();
    for binary in subjects.iter_mut().filter_map(|subject| subject.binary.as_mut().ok()) {
        let place = place_of_binary(&binary.path, &room.path);
        *binary = binaries::send(binary, &place, &copies, &mut luggage)?;
    }
    let version = experiment.context.get(VERSION).cloned();
    let notes = notes.iter().map(Remark::from).collect();
    binaries::send_list(&List { version, notes, subjects }, &room.path, &mut luggage)?;
    Ok(luggage)
}

/// The place of a binary there, below the directory of all: as it is here, or beside those.
fn place_of_binary(path: &Path, room: &Path) -> PathBuf {
    let own = path.strip_prefix(room).ok();
    let beside = || Path::new("beside").join(path.file_name().unwrap_or_default());
    own.map_or_else(beside, Path::to_owned)
}

/// The experiment as it was made where the binaries were built, on the machine that was sent these.
///
/// # Errors
/// If a binary cannot be executed here.
pub(super) fn arrived(asked: &Request<'_>, watch: &Watch<'_>) -> Result<Prepared, Failure> {
    let here = tool::here()?;
    let Some(List { version, notes, mut subjects }) = binaries::list()? else {
        return Err(Failure::new("no benchmarks were sent to this machine"));
    };
    for binary in subjects.iter_mut().filter_map(|subject| subject.binary.as_mut().ok()) {
        *binary = binaries::arrived(binary, &here);
    }
    let sent = subjects.iter().filter_map(|GoSubject { name, binary, .. }| {
        let binary = binary.as_ref().ok()?;
        Some((format!("benchmark {name}"), binary))
    });
    binaries::executable(sent, asked.arguments, watch)?;
    let mut setup = setup(asked, subjects);
    setup.of_machine = &OF_MACHINE;
    let mut context = machine::facts(&here, std::env::vars_os());
    context.extend(recorded::facts(&here, None));
    context.extend(version.map(|version| (VERSION.to_owned(), version)));
    let notes: Vec<Note> = notes.into_iter().map(Note::from).collect();
    let experiment = experiment(asked, &setup, (context, notes.clone()));
    Ok(Prepared { experiment, setup, on_sides: None, room: room()?, notes })
}
