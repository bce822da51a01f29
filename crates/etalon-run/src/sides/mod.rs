//! Two states of a project side by side: a revision, and another one or the working tree as it is now.
//!
//! Owns: copies of both at paths of equal length, one for each build of them, below a directory of etalon's own that
//! goes with [`Sides`], or where builds are `kept` from one etalon to the next; what an etalon that was killed has left
//! of such directories goes when the next one begins. Refuses: to write to the user's repository or working tree, and
//! to build, and to execute what a repository or the user's settings name (`git`, `view`). The copies are made through
//! a view of the repository that reads the user's objects (`objects/info/alternates`); of the working tree, tracked
//! files and untracked ones that are not ignored are copied one by one: git would touch objects of the user's that it
//! finds there already. Submodules come from where they are checked out; of what git ignores, what is asked for. No
//! copy is a repository: nothing in it knows its revision.

pub(crate) mod contents;
mod copies;
mod error;
mod git;
mod kept;
mod key;
mod lineage;
mod listing;
pub mod origin;
mod reading;
mod revisions;
mod room;
mod view;

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use contents::are_placed_alike;
pub use error::{History, SidesError};
pub use key::Recipe;
pub use lineage::{Lineage, Standing, lineage};
pub use listing::Listing;
pub use revisions::{BuildPlace, RangeSpec, Revisions};
pub use room::{Scratch, sweep};

use etalon_probe::machine::{Repository, repository_around};

use copies::{Copies, State};
use git::Git;
use kept::Place;
use room::Room;
use view::View;

/// Two states of a project, and how they are checked out.
#[derive(Debug, Clone, Copy)]
pub struct CheckoutSpec<'a> {
    /// A revision.
    pub base: &'a str,
    /// Another one; without it, the working tree.
    pub head: Option<&'a str>,
    /// How many copies of each, from 1 to 9.
    pub copies: usize,
    /// Whether each copy of a side is a layout of its own ([`LAYOUT`]).
    pub layouts: bool,
    /// Files and directories that git ignores, from where etalon was started, that each copy has all the same.
    pub along: &'a [PathBuf],
    /// Files below where etalon was started that each copy has as they are now.
    pub laid: &'a [PathBuf],
    /// A file, from where etalon was started, that is read on both sides before anything is copied.
    pub read: Option<&'a Path>,
    /// Where builds are kept; without it, none is.
    pub kept: Option<BuildCache<'a>>,
    /// etalon's own variables, of which git is given a few.
    pub environment: &'a [(OsString, OsString)],
}

/// How builds are kept.
#[derive(Debug, Clone, Copy)]
pub struct BuildCache<'a> {
    /// A directory of etalon's own, which is made when something is kept.
    pub builds: &'a Path,
    /// How copies are built.
    pub recipe: Recipe<'a>,
    /// The use of builds from earlier.
    pub earlier: Earlier,
}

/// The variable that tells a build which of several layouts it makes, from 1.
pub const LAYOUT: &str = "ETALON_LAYOUT";

/// The use of builds that an earlier etalon has kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// They are used.
    Used,
    /// They are made anew.
    Rebuilt,
}

/// One of two states of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// Its copies.
    pub copies: Vec<Checkout>,
    /// The commit; of a working tree, the one that it is on.
    pub revision: String,
}

/// A copy of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// Its top.
    pub root: PathBuf,
    /// The directory in it that etalon was started in.
    pub directory: PathBuf,
    /// When an earlier etalon has built it; of a copy that is to be built, nothing.
    pub built: Option<SystemTime>,
}

/// Two states of a project. They go when this is dropped, but for builds that are kept.
#[derive(Debug)]
pub struct Sides {
    /// The older one.
    pub base: Side,
    /// The newer one.
    pub head: Side,
    /// The top of the working tree that they are copies of.
    pub top: PathBuf,
    /// The content of the file that was asked for, on base and head, where there is one.
    pub read: [Option<Vec<u8>>; 2],
    /// Files that were laid over others in a copy, from where etalon was started.
    pub laid_over: Vec<PathBuf>,
    // In the order in which they go.
    places: Vec<Place>,
    _room: Room,
    _bound: Option<Bound>,
}

/// Kept builds, of which the longest unused go with it.
#[derive(Debug)]
struct Bound(PathBuf);

impl Drop for Bound {
    fn drop(&mut self) {
        kept::sweep(&self.0, SystemTime::now());
    }
}

impl Sides {
    /// Checks out two states of the project around an absolute directory, below `temporary` or where builds are kept.
    /// Takes as long as git does.
    ///
    /// # Errors
    /// If that is not possible; nothing is left then.
    pub fn check_out(
        spec: &CheckoutSpec<'_>,
        here: &Path,
        temporary: &Path,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Sides, SidesError> {
        let (repository, prefix) = around(here)?;
        // Without a directory to keep builds in, none is kept.
        let kept = spec.kept.filter(|kept| room::private(kept.builds).is_ok());
        if let Some(kept) = &kept {
            sweep_kept(kept.builds);
            sweep(temporary);
        }
        let bound = kept.map(|kept| Bound(kept.builds.to_owned()));
        let room = Room::new(kept.map_or(temporary, |kept| kept.builds))?;
        let git = Git { environment: spec.environment, interrupted };
        let mut copies = Copies { git, room, views: 0 };
        let view = copies.view(repository)?;
        let base = copies.git.commit(&view, spec.base)?;
        let head = spec.head.map(|head| copies.git.commit(&view, head)).transpose()?;
        let current = copies.git.commit(&view, "HEAD")?;
        let read = match spec.read {
            Some(path) => {
                let path = reading::from_top(path, (&view.repository.top, &prefix))?;
                let states = [State::Commit(&base), state(head.as_deref())];
                reading::on_sides(&mut copies.git, &view, &path, states)?
            }
            None => [None, None],
        };
        // Before anything is copied, which may take a while.
        let along = copies::along(spec.along, here, &view.repository.top)?;
        let (places, laid_over) = (Vec::new(), Vec::new());
        let mut making =
            Making { copies, here, view, prefix, spec, along, kept, places, laid_over };
        let of_base = making.side("base", State::Commit(&base))?;
        let of_head = making.side("head", state(head.as_deref()))?;
        let Making { copies: Copies { room, .. }, view, places, laid_over, .. } = making;
        Ok(Sides {
            base: Side { copies: of_base, revision: base },
            head: Side { copies: of_head, revision: head.unwrap_or(current) },
            top: view.repository.top,
            read,
            laid_over,
            places,
            _room: room,
            _bound: bound,
        })
    }

    /// Whether there are such revisions around an absolute directory; nothing is copied.
    ///
    /// # Errors
    /// If one is not there, or there is no repository.
    pub fn find(
        revisions: &[&str],
        environment: &[(OsString, OsString)],
        (here, temporary): (&Path, &Path),
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<(), SidesError> {
        let no_repository = || SidesError::NoRepository(here.to_owned());
        let repository = repository_around(here).ok_or_else(no_repository)?;
        let git = Git { environment, interrupted };
        let mut copies = Copies { git, room: Room::new(temporary)?, views: 0 };
        let view = copies.view(repository)?;
        revisions.iter().try_for_each(|revision| copies.git.commit(&view, revision).map(drop))
    }

    /// A file, as named in an absolute directory of a project, in a revision and in the working tree; nothing where
    /// there is none. Nothing is copied.
    ///
    /// # Errors
    /// If there is no such revision or no repository, or the path leads out of it.
    pub fn read(
        path: &Path,
        revision: &str,
        environment: &[(OsString, OsString)],
        (here, temporary): (&Path, &Path),
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<[Option<Vec<u8>>; 2], SidesError> {
        let (repository, prefix) = around(here)?;
        let git = Git { environment, interrupted };
        let mut copies = Copies { git, room: Room::new(temporary)?, views: 0 };
        let view = copies.view(repository)?;
        let commit = copies.git.commit(&view, revision)?;
        let path = reading::from_top(path, (&view.repository.top, &prefix))?;
        let states = [State::Commit(&commit), State::WorkingTree];
        reading::on_sides(&mut copies.git, &view, &path, states)
    }

    /// The file that a copy's builder has to have open as long as it lives, if the build is to be kept.
    #[must_use]
    pub fn building(&self, copy: &Path) -> Option<&File> {
        self.places.iter().find(|place| place.root() == copy)?.building()
    }

    /// Keeps all builds as they are now. Call it when all have succeeded.
    pub fn keep(&mut self) {
        let now = SystemTime::now();
        self.places.iter_mut().for_each(|place| place.keep(now));
    }
}

/// The state of the head: a commit, or the working tree.
/// The repository around an absolute directory, and where that is in it.
fn around(here: &Path) -> Result<(Repository, PathBuf), SidesError> {
    let no_repository = || SidesError::NoRepository(here.to_owned());
    let repository = repository_around(here).ok_or_else(no_repository)?;
    let inside = here.canonicalize().map_err(|_| no_repository())?;
    let prefix = inside.strip_prefix(&repository.top).map(Path::to_owned);
    Ok((repository, prefix.map_err(|_| no_repository())?))
}

fn state(head: Option<&str>) -> State<'_> {
    head.map_or(State::WorkingTree, State::Commit)
}

/// Removes what killed etalons have left where builds are kept, and of the builds those that nobody used for long.
pub fn sweep_kept(builds: &Path) {
    sweep(builds);
    kept::sweep(builds, SystemTime::now());
}

/// Copies of both sides, while they are made.
struct Making<'a> {
    copies: Copies<'a>,
    here: &'a Path,
    view: View,
    prefix: PathBuf,
    spec: &'a CheckoutSpec<'a>,
    /// Paths that are copied along, below the top.
    along: Vec<PathBuf>,
    kept: Option<BuildCache<'a>>,
    places: Vec<Place>,
    laid_over: Vec<PathBuf>,
}

impl Making<'_> {
    /// All copies of a side. What is kept of it is found by the content of the first.
    fn side(&mut self, name: &str, state: State<'_>) -> Result<Vec<Checkout>, SidesError> {
        let mut made = Vec::new();
        let mut key = None;
        let mut spare = None;
        for number in 1..=self.spec.copies {
            let room = self.copies.room.path.join(format!("{name}-{number}"));
            let Some(kept) = self.kept else {
                made.push(self.copy(&room, state)?);
                continue;
            };
            let of_content = match &key {
                Some(key) => key,
                None => {
                    let first = self.copy(&room, state)?;
                    let found = key::key(&first, &kept.recipe, self.copies.git.interrupted)?;
                    spare = Some(first);
                    key.insert(found)
                }
            };
            let of_layout = self.spec.layouts.then(|| key::with_layout(of_content, number));
            let key = of_layout.as_ref().unwrap_or(of_content);
            let place = kept::take(kept.builds, key, kept.earlier)?;
            let root = place.root();
            if place.built().is_none() {
                let copy = match spare.take() {
                    Some(copy) => copy,
                    None => self.copy(&room, state)?,
                };
                let moved = std::fs::rename(&copy.root, &root);
                moved.map_err(|error| SidesError::Io { path: root.clone(), error })?;
            }
            let directory = root.join(&self.prefix);
            made.push(Checkout { root, directory, built: place.built() });
            self.places.push(place);
        }
        Ok(made)
    }

    /// A new copy of a state.
    fn copy(&mut self, root: &Path, state: State<'_>) -> Result<Checkout, SidesError> {
        let Making { copies, here, view, prefix, spec, along, .. } = self;
        copies.state(root, view, state)?;
        copies::take_along(along, &view.repository.top, root)?;
        let directory = root.join(prefix);
        std::fs::create_dir_all(&directory)
            .map_err(|error| SidesError::Io { path: directory.clone(), error })?;
        for file in lay(spec.laid, here, &directory)? {
            if !self.laid_over.contains(&file) {
                self.laid_over.push(file);
            }
        }
        Ok(Checkout { root: root.to_owned(), directory, built: None })
    }
}

/// Copies files below one directory to the same place below another, where they are others; these.
///
/// # Errors
/// If one cannot be read or written.
pub fn lay(files: &[PathBuf], from: &Path, to: &Path) -> Result<Vec<PathBuf>, SidesError> {
    let mut others = Vec::new();
    for file in files {
        if copies::lay(&from.join(file), &to.join(file))? {
            others.push(file.clone());
        }
    }
    Ok(others)
}
