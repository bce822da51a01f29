//! Where packages are built: in the working tree, or in copies of both sides.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use etalon_run::sides::{
    self, BuildCache, CheckoutSpec, Earlier, Recipe, Scratch, Sides, SidesError,
};

use super::request::Request;
use crate::failure::Failure;
use crate::sides::copies::{Builds, kept_at};
use crate::sides::failure;

/// Where binaries are; they go with it.
#[expect(dead_code, reason = "held until the binaries are not needed any more")]
pub(super) enum Room {
    Sides(Sides),
    Scratch(Scratch),
}

/// A side that is built.
pub(super) struct Side {
    /// Its name; nothing where there is one side.
    pub(super) name: Option<&'static str>,
    pub(super) directory: PathBuf,
    pub(super) built: PathBuf,
    pub(super) revision: Option<String>,
    /// A binary that is there already.
    pub(super) binary: Option<PathBuf>,
}

impl Side {
    /// Its name in messages, also where there is one side.
    pub(super) fn called(&self) -> &str {
        self.name.unwrap_or("the package")
    }
}

/// The sides, the base first; the head is last.
pub(super) fn sides(
    asked: &Request<'_>,
    here: &Path,
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<(Room, Vec<Side>), Failure> {
    match asked.base {
        Some(revision) => copied(revision, here, interrupted),
        None => in_place(asked.base_binary, here),
    }
}

/// The working tree as it is: alone, or as the head of a test binary.
fn in_place(base: Option<&OsStr>, here: &Path) -> Result<(Room, Vec<Side>), Failure> {
    if let Some(builds) = kept_at(Builds::Kept) {
        sides::sweep_kept(&builds);
    }
    let room = Scratch::new(&std::env::temp_dir()).map_err(failure)?;
    let (directory, built) = (here.to_owned(), room.path.clone());
    let side = |name, binary| Side {
        name,
        directory: directory.clone(),
        built: built.clone(),
        revision: None,
        binary,
    };
    let sides = match base {
        None => vec![side(None, None)],
        Some(file) => {
            let path = std::path::absolute(file).and_then(std::fs::canonicalize);
            let path = path.map_err(|error| {
                Failure::about(format!("--base-binary {}", file.display()), error)
            })?;
            vec![side(Some("base"), Some(path)), side(Some("head"), None)]
        }
    };
    Ok((Room::Scratch(room), sides))
}

/// Copies of a revision and of the working tree. They stay where they are, so that Go finds in its own cache what it has
/// compiled there before.
fn copied(
    revision: &str,
    here: &Path,
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<(Room, Vec<Side>), Failure> {
    let builds = kept_at(Builds::Kept);
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let kept = builds.as_deref().map(|builds| BuildCache {
        builds,
        recipe: Recipe { command: OsStr::new("go test -c"), given: &[], environment: &environment },
        earlier: Earlier::Used,
    });
    let wanted = CheckoutSpec {
        base: revision,
        head: None,
        copies: 1,
        along: &[],
        laid: &[],
        kept,
        environment: &environment,
    };
    let checked_out = Sides::check_out(&wanted, here, &std::env::temp_dir(), interrupted);
    let room = checked_out.map_err(|error| match error {
        error @ SidesError::NoRevision { .. } => Failure::new(format!("--base {error}")),
        error => failure(error),
    })?;
    let side = |name, of: &sides::Side| Side {
        name: Some(name),
        directory: of.copies.first().map(|copy| copy.directory.clone()).unwrap_or_default(),
        built: room.built.clone(),
        revision: Some(of.revision.clone()),
        binary: None,
    };
    let sides = vec![side("base", &room.base), side("head", &room.head)];
    Ok((Room::Sides(room), sides))
}
