//! Where packages are built: in the working tree, alone or beside a test binary of another state, or in copies of both
//! sides.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use etalon_core::model::{BASE, BUILD, SIDE};
use etalon_core::model::{SaidBy, Sides};
use etalon_run::sides::Scratch;

use super::request::Request;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::sides::{Build, Copy, OnSides, SidesRequest, copies, failure};

/// How a run on two sides is told apart: a fact of each benchmark says which it is of, as names are Go's own.
const OF_FACTS: Sides = Sides { said_by: SaidBy::Fact };

/// A place in which packages are built.
pub(super) struct Site {
    /// Its side, and which build of that; nothing where there is one side.
    pub(super) params: Vec<(String, String)>,
    pub(super) directory: PathBuf,
    /// The directory of its binaries.
    pub(super) built: PathBuf,
    /// A binary that is there already.
    pub(super) binary: Option<PathBuf>,
    /// The top of its copy.
    pub(super) root: PathBuf,
    /// Benchmarks of the other side that stand for its own.
    pub(super) benches: Option<Benches>,
}

/// Benchmarks of the head on the base.
pub(super) struct Benches {
    /// The file by which Go is told.
    pub(super) overlay: PathBuf,
    /// The directories of packages, and those of the same of the head.
    pub(super) packages: Vec<(PathBuf, PathBuf)>,
}

impl Benches {
    /// Where a binary with the head's benchmarks is executed: where they find what they read.
    pub(super) fn place(&self, directory: &Path) -> Option<&Path> {
        let directory = directory.canonicalize().ok()?;
        let mut all = self.packages.iter();
        all.find(|(own, _)| *own == directory).map(|(_, head)| head.as_path())
    }
}

impl Site {
    /// Its side, where there are two.
    pub(super) fn side(&self) -> Option<&str> {
        let mut params = self.params.iter();
        params.find(|(key, _)| key == SIDE).map(|(_, side)| side.as_str())
    }

    /// Its name in messages, also where there is one side.
    pub(super) fn called(&self) -> &str {
        self.side().unwrap_or("the package")
    }

    /// Which build of its side; nothing where there is one.
    pub(super) fn build(&self) -> Option<&str> {
        let mut params = self.params.iter();
        params.find(|(key, _)| key == BUILD).map(|(_, build)| build.as_str())
    }

    /// Whether it is the first of its side.
    pub(super) fn is_first(&self) -> bool {
        self.build().is_none_or(|build| build == "1")
    }
}

/// Both sides, where there are two. Copies stay where they are, so that Go finds in its own cache what it has compiled
/// there before.
///
/// # Errors
/// If there is no such revision.
pub(super) fn sides(
    asked: &Request<'_>,
    here: &Path,
    watch: &Watch<'_>,
) -> Result<Option<OnSides>, Failure> {
    let Some(revision) = asked.base else {
        copies::sweep();
        let base = asked.base_binary.map(OsStr::to_string_lossy);
        return Ok(base.map(|base| OnSides::in_place(&base, here, OF_FACTS)));
    };
    let request = SidesRequest {
        nodes: asked.nodes,
        base: OsStr::new(revision),
        head: None,
        option: Some("--base"),
        dir: false,
        build: Build::Door(OsStr::new("go test -c")),
        copying: asked.copying,
        env: &[],
        laid: &[],
        checks: asked.checks,
        measured: None,
        sides: OF_FACTS,
    };
    // Packages are built by their door, after these are listed.
    OnSides::prepare(&request, watch, &|_| Ok(())).map(Some)
}

/// The places, the base's first; the last is the head's. Binaries go with `room`.
///
/// # Errors
/// If there is no such binary.
pub(super) fn sites(
    asked: &Request<'_>,
    on_sides: Option<&OnSides>,
    here: &Path,
    room: &Scratch,
) -> Result<Vec<Site>, Failure> {
    let Some(on_sides) = on_sides else {
        let (directory, root) = (here.to_owned(), here.to_owned());
        let (params, built) = (Vec::new(), room.path.clone());
        return Ok(vec![Site { params, directory, built, binary: None, root, benches: None }]);
    };
    let base = asked.base_binary.map(|file| {
        let path = std::path::absolute(file).and_then(std::fs::canonicalize);
        path.map_err(|error| Failure::about(format!("--base-binary {}", file.display()), error))
    });
    let base = base.transpose()?;
    let site = |copy: &Copy| {
        // At paths of equal length, because a process sees its own.
        let built = room.path.join(format!("{}-{}", copy.side, copy.build.unwrap_or(1)));
        std::fs::create_dir(&built).map_err(|error| Failure::about(built.display(), error))?;
        let binary = base.clone().filter(|_| copy.side == BASE);
        let (directory, root) = (copy.directory.clone(), copy.root.clone());
        Ok(Site { params: copy.params(), directory, built, binary, root, benches: None })
    };
    on_sides.copies().iter().map(site).collect()
}

/// A directory for binaries, which go with it.
///
/// # Errors
/// If it cannot be made.
pub(super) fn room() -> Result<Scratch, Failure> {
    Scratch::new(&std::env::temp_dir()).map_err(failure)
}
