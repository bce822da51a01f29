//! Test binaries of the Go packages of a file on other machines.
//!
//! Owns the list of them, which travels with them: a package is built once for each place, and executed there without Go.
//! Where binaries are there is [`crate::nodes::binaries`]'.

use std::path::{Path, PathBuf};

use etalon_run::go::Binary;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::subjects::{Binaries, Site};
use crate::experiments::file::File;
use crate::failure::Failure;
use crate::nodes::binaries;
use crate::nodes::luggage::Luggage;
use crate::progress::Watch;
use crate::sides::Copy;
use crate::tool;

/// A test binary that travels.
#[derive(Serialize, Deserialize)]
pub(super) struct Sent {
    /// The parameters of its place.
    of: Vec<(String, String)>,
    package: String,
    binary: Binary,
}

/// Adds the test binaries of all places, and the list of them.
///
/// # Errors
/// If a package is elsewhere, or something cannot be read.
pub(super) fn send(
    all: &[Binaries],
    copies: &[(PathBuf, PathBuf)],
    luggage: &mut Luggage,
) -> Result<(), Failure> {
    let mut sent = Vec::new();
    for (number, Binaries { of, by_package, room }) in all.iter().enumerate() {
        let Some(room) = room else { continue };
        // What could not be built is required, and its cells say so there.
        let built = by_package.iter().filter(|(_, binary)| binary.path.starts_with(&room.path));
        for (package, binary) in built {
            let name = binary.path.file_name().unwrap_or_default();
            let place = Path::new(&number.to_string()).join(name);
            let binary = binaries::send(binary, &place, copies, luggage)?;
            sent.push(Sent { of: of.clone(), package: package.clone(), binary });
        }
    }
    match all.iter().find_map(|it| it.room.as_ref()) {
        Some(room) => binaries::send_list(&sent, &room.path, luggage),
        None => Ok(()),
    }
}

/// The test binaries that were sent to this machine.
///
/// # Errors
/// If one cannot be executed here.
pub(super) fn binaries(file: &File, watch: &Watch<'_>) -> Result<Vec<Sent>, Failure> {
    if file.subject.iter().all(|subject| subject.get_ref().go.is_none()) {
        return Ok(Vec::new());
    }
    let here = tool::here()?;
    let mut all: Vec<Sent> = binaries::list()?.unwrap_or_default();
    for Sent { binary, .. } in &mut all {
        *binary = binaries::arrived(binary, &here);
    }
    let named = all.iter().map(|it| (format!("package {}", it.package), &it.binary));
    binaries::executable(named, &[], watch)?;
    Ok(all)
}

/// Those of a place, by their packages.
pub(super) fn of_place(all: &[Sent], place: &Site) -> IndexMap<String, Binary> {
    let of = place.copy.as_ref().map_or(Vec::new(), Copy::params);
    let own = all.iter().filter(|it| it.of == of);
    own.map(|it| (it.package.clone(), it.binary.clone())).collect()
}
