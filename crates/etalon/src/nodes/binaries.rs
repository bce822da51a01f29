//! Test binaries of Go on other machines: built where etalon was started, sent with the directories of their packages,
//! executed there without Go.
//!
//! Owns where they are there, and whether they can be executed. Refuses to build there, and to send what a working tree has
//! beside the directories of packages and their `testdata`: `--send` does.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use etalon_core::excerpt::excerpt;
use etalon_record::ReadError;
use etalon_report::text::clean;
use etalon_run::go::{Binary, GoBuild, GoError, alternatives};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::luggage::Luggage;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::tool;

/// What is to be known of them there.
const LIST: &str = "etalon-go.json";

/// Their directory there.
const BINARIES: &str = "etalon-go";

/// The directory that benchmarks read, by the convention of Go.
const DATA: &str = "testdata";

/// Adds a binary, to be at `place` below the directory of all, with what it reads besides copies of sides, whose tops have
/// places there. As it is there.
///
/// # Errors
/// If its package is elsewhere, or something cannot be read.
pub(crate) fn send(
    binary: &Binary,
    place: &Path,
    copies: &[(PathBuf, PathBuf)],
    luggage: &mut Luggage,
) -> Result<Binary, Failure> {
    let path = Path::new(BINARIES).join(place);
    luggage.put(&binary.path, path.clone())?;
    let directory = match in_copy(&binary.directory, copies) {
        Some(directory) => directory,
        None => in_place(&binary.directory, &tool::here()?, luggage)?,
    };
    Ok(Binary { path, directory })
}

/// The place of a directory that is in one of the copies, which are sent as a whole.
fn in_copy(directory: &Path, copies: &[(PathBuf, PathBuf)]) -> Option<PathBuf> {
    let directory = real(directory);
    copies.iter().find_map(|(top, place)| {
        let below = directory.strip_prefix(real(top)).ok()?;
        Some(place.join(below))
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

/// Adds what is to be known of binaries, which is written to the directory of one of them.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn send_list(
    list: &impl Serialize,
    directory: &Path,
    luggage: &mut Luggage,
) -> Result<(), Failure> {
    let path = directory.join(LIST);
    let text = serde_json::to_vec(list).map_err(|error| Failure::about(LIST, error))?;
    fs::write(&path, text).map_err(|error| Failure::about(path.display(), error))?;
    luggage.put(&path, LIST.into())
}

/// What was sent by [`send_list`]; nothing where there is none.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn list<T: DeserializeOwned>() -> Result<Option<T>, Failure> {
    match fs::read(LIST) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| Failure::about(LIST, error)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ReadError::open(Path::new(LIST), &error).into()),
    }
}

/// A binary that was sent, on the machine that was sent it.
pub(crate) fn arrived(binary: &Binary, here: &Path) -> Binary {
    Binary { path: here.join(&binary.path), directory: here.join(&binary.directory) }
}

/// Refuses binaries that cannot be executed on this machine, before anything is measured. Each has a name for messages.
///
/// # Errors
/// With the name, and what was said.
pub(crate) fn executable<'b>(
    binaries: impl Iterator<Item = (String, &'b Binary)>,
    arguments: &[OsString],
    watch: &Watch<'_>,
) -> Result<(), Failure> {
    let interrupts = watch.interrupts();
    let mut interrupted = || interrupts.come();
    let mut go = GoBuild { interrupted: &mut interrupted, temporary: None };
    let none = alternatives("^$");
    let mut seen = BTreeSet::new();
    for (name, binary) in binaries {
        if !seen.insert(&binary.path) {
            continue;
        }
        match go.benchmarks(binary, &none, arguments) {
            Ok(_) => {}
            Err(error @ GoError::Interrupted) => return Err(Failure::interrupted(error)),
            Err(error) => {
                let why = excerpt(Failure::new(error).message()).join("\n");
                let why = format!("its test binary cannot be executed there: {why}");
                return Err(Failure::about(name, why));
            }
        }
    }
    Ok(())
}
