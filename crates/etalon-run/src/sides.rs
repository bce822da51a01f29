//! Two states of a project side by side: a revision, and the working tree as it is now.
//!
//! Owns: copies of both at paths of equal length, below a directory of etalon's own that goes with [`Sides`]; what an
//! etalon that was killed has left of such directories goes when the next one begins ([`sweep`]). Refuses: to write to
//! the user's repository or working tree. The copies are made by a bare repository of etalon's own, which reads the
//! user's objects (`objects/info/alternates`); of the working tree, tracked files and untracked ones that are not ignored
//! are copied one by one: git would touch objects of the user's that it finds there already. Refuses submodules and what
//! git ignores: they are in neither copy.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

use etalon_probe::untimed::{self, Program};
use etalon_record::lock::{self, Lock};

/// What directories of sides begin with.
const PREFIX: &str = "etalon-sides-";

/// What the name of the file ends in that is locked as long as a directory is used. It is there before the directory,
/// so that one without it is nobody's.
const LOCK: &str = ".lock";

/// Why there are no sides.
#[derive(Debug, thiserror::Error)]
pub enum SidesError {
    /// There is no git.
    #[error("git: not found in PATH: it has to be installed to check out another revision")]
    NoGit,
    /// The directory is in no working tree.
    #[error("{}: in no working tree of git, so that there is no other revision of it", .0.display())]
    NoRepository(PathBuf),
    /// There is no such revision.
    #[error(
        "{0}: no such revision here: write a commit, a branch or a tag (`git log --oneline`, `git branch --all`)"
    )]
    NoRevision(String),
    /// git said no.
    #[error("git {command}: {why}")]
    Git {
        /// What it was asked.
        command: String,
        /// The last line of what it said.
        why: String,
    },
    /// A file or directory could not be made.
    #[error("{}: {error}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The user did not want to wait.
    #[error("interrupted while the revisions were checked out")]
    Interrupted,
}

/// One of two states of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The directory in its copy that etalon was started in.
    pub directory: PathBuf,
    /// The commit; of a working tree, the one that it is on.
    pub revision: String,
}

/// Two states of a project. They go when this is dropped.
#[derive(Debug)]
pub struct Sides {
    /// The revision that was asked for.
    pub base: Side,
    /// The working tree.
    pub head: Side,
    /// A directory for what is built of them.
    pub built: PathBuf,
    _room: Room,
}

impl Sides {
    /// Checks out a revision of the project around an absolute directory, and its working tree as it is, below
    /// `temporary`. Takes as long as git does.
    ///
    /// # Errors
    /// If that is not possible; nothing is left then.
    pub fn check_out(
        revision: &str,
        here: &Path,
        temporary: &Path,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Sides, SidesError> {
        let mut git = Git { environment: Vec::new(), interrupted };
        let top =
            git.line(here, &["rev-parse", "--show-toplevel"]).map_err(|error| match error {
                SidesError::Git { .. } => SidesError::NoRepository(here.to_owned()),
                error => error,
            })?;
        let top = PathBuf::from(top);
        let prefix = git.line(here, &["rev-parse", "--show-prefix"])?;
        let named = format!("{revision}^{{commit}}");
        let commit = ["rev-parse", "--verify", "--quiet", "--end-of-options", &named];
        let commit = git.line(here, &commit).map_err(|error| match error {
            SidesError::Git { .. } => SidesError::NoRevision(revision.to_owned()),
            error => error,
        })?;
        let room = Room::new(temporary)?;
        let mut copies = Copies::new(git, room, &top)?;
        let base = copies.revision("base", &commit)?.join(&prefix);
        let head = copies.working_tree("head", &top)?.join(&prefix);
        copies.git.environment.clear();
        let current = copies.git.line(&top, &["rev-parse", "HEAD"])?;
        let room = copies.room;
        let built = room.path.join("built");
        directory(&built)?;
        Ok(Sides {
            base: Side { directory: base, revision: commit },
            head: Side { directory: head, revision: current },
            built,
            _room: room,
        })
    }
}

/// A directory for what is built, without sides. It goes when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    /// Where it is.
    pub path: PathBuf,
    _room: Room,
}

impl Scratch {
    /// Makes one below `temporary`.
    ///
    /// # Errors
    /// If that is not possible.
    pub fn new(temporary: &Path) -> Result<Scratch, SidesError> {
        let room = Room::new(temporary)?;
        Ok(Scratch { path: room.path.clone(), _room: room })
    }
}

/// Removes directories that an etalon has left which was killed.
pub fn sweep(temporary: &Path) {
    let Ok(entries) = fs::read_dir(temporary) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
        let bare = name.strip_suffix(LOCK).unwrap_or(name);
        let (path, lock) = (temporary.join(bare), temporary.join(format!("{bare}{LOCK}")));
        // What cannot be removed is another user's.
        match File::open(&lock) {
            Ok(file) if lock::take(&file) == Lock::Held => {}
            Ok(_held) => {
                let _left = fs::remove_dir_all(&path);
                if !path.exists() {
                    let _left = fs::remove_file(&lock);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let _left = fs::remove_dir_all(&path);
            }
            Err(_) => {}
        }
    }
}

/// A directory of etalon's own, in use as long as its lock is held.
#[derive(Debug)]
struct Room {
    path: PathBuf,
    lock: PathBuf,
    _held: File,
}

impl Room {
    fn new(temporary: &Path) -> Result<Room, SidesError> {
        sweep(temporary);
        let mut number = 0_u32;
        loop {
            let path = temporary.join(format!("{PREFIX}{}-{number}", std::process::id()));
            let lock = temporary.join(format!("{PREFIX}{}-{number}{LOCK}", std::process::id()));
            number += 1;
            let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&lock);
            let file = match made {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(SidesError::Io { path: lock, error }),
            };
            // A sweep may have been quicker.
            if lock::take(&file) == Lock::Held || !lock.exists() {
                continue;
            }
            let room = Room { path, lock, _held: file };
            directory(&room.path)?;
            return Ok(room);
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // What cannot be removed now, the next etalon removes.
        let _left = fs::remove_dir_all(&self.path);
        if !self.path.exists() {
            let _left = fs::remove_file(&self.lock);
        }
    }
}

fn directory(path: &Path) -> Result<(), SidesError> {
    let made = DirBuilder::new().mode(0o700).create(path);
    made.map_err(|error| SidesError::Io { path: path.to_owned(), error })
}

/// Copies that are being made.
struct Copies<'a> {
    git: Git<'a>,
    room: Room,
    repository: PathBuf,
}

impl<'a> Copies<'a> {
    /// A bare repository of etalon's own that reads the objects of the user's.
    fn new(mut git: Git<'a>, room: Room, top: &Path) -> Result<Copies<'a>, SidesError> {
        let objects =
            git.line(top, &["rev-parse", "--path-format=absolute", "--git-path", "objects"])?;
        let format = git.line(top, &["rev-parse", "--show-object-format"])?;
        let repository = room.path.join("git");
        let format = format!("--object-format={format}");
        // Named, because one that is in the environment would be meant.
        git.environment = vec![("GIT_DIR".into(), repository.clone().into())];
        git.line(&room.path, &["init", "--quiet", "--bare", "--template=", &format])?;
        let info = repository.join("objects/info");
        let alternates = info.join("alternates");
        let written =
            fs::create_dir_all(&info).and_then(|()| fs::write(&alternates, format!("{objects}\n")));
        written.map_err(|error| SidesError::Io { path: alternates, error })?;
        Ok(Copies { git, room, repository })
    }

    /// A copy of the working tree as it is.
    fn working_tree(&mut self, name: &str, top: &Path) -> Result<PathBuf, SidesError> {
        let to = self.room.path.join(name);
        directory(&to)?;
        self.git.environment.clear();
        let words =
            ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
        let listed = self.git.printed(top, &words)?;
        for path in listed.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            let path = Path::new(OsStr::from_bytes(path));
            copy(&top.join(path), &to.join(path))?;
            if (self.git.interrupted)() {
                return Err(SidesError::Interrupted);
            }
        }
        Ok(to)
    }

    /// A copy of a commit.
    fn revision(&mut self, name: &str, commit: &str) -> Result<PathBuf, SidesError> {
        let path = self.room.path.join(name);
        directory(&path)?;
        self.git.environment = vec![
            ("GIT_DIR".into(), self.repository.clone().into()),
            ("GIT_WORK_TREE".into(), path.clone().into()),
            ("GIT_INDEX_FILE".into(), self.repository.join(format!("index.{name}")).into()),
            ("GIT_LFS_SKIP_SMUDGE".into(), "1".into()),
        ];
        self.git.line(&path, &["read-tree", commit])?;
        self.git.line(&path, &["checkout-index", "--all", "--quiet"])?;
        Ok(path)
    }
}

/// git, asked one thing after the other.
struct Git<'a> {
    environment: Vec<(OsString, OsString)>,
    interrupted: &'a mut dyn FnMut() -> bool,
}

impl Git<'_> {
    /// What it prints, without the end of its line.
    fn line(&mut self, directory: &Path, words: &[&str]) -> Result<String, SidesError> {
        let printed = self.printed(directory, words)?;
        let printed = String::from_utf8_lossy(&printed);
        Ok(printed.strip_suffix('\n').unwrap_or(&printed).to_owned())
    }

    fn printed(&mut self, directory: &Path, words: &[&str]) -> Result<Vec<u8>, SidesError> {
        let arguments: Vec<OsString> = words.iter().map(Into::into).collect();
        let program = Program {
            program: OsStr::new("git"),
            arguments: &arguments,
            environment: &self.environment,
            directory,
        };
        let failed = |why: String| SidesError::Git { command: words.join(" "), why };
        let executed = match untimed::execute(&program, self.interrupted) {
            Ok(Some(executed)) => executed,
            Ok(None) => return Err(SidesError::Interrupted),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(SidesError::NoGit),
            Err(error) => return Err(failed(error.to_string())),
        };
        if !executed.is_ok() {
            let said = String::from_utf8_lossy(&executed.stderr);
            let last = said.trim_end().lines().next_back().unwrap_or_default();
            return Err(failed(last.to_owned()));
        }
        Ok(executed.stdout)
    }
}

/// Copies a file or a link. What is not there was removed; a directory is a submodule.
fn copy(from: &Path, to: &Path) -> Result<(), SidesError> {
    let failed = |error| SidesError::Io { path: from.to_owned(), error };
    let about = match fs::symlink_metadata(from) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
    };
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    let copied = match about.file_type() {
        kind if kind.is_symlink() => fs::read_link(from).and_then(|link| symlink(link, to)),
        kind if kind.is_file() => fs::copy(from, to).map(drop),
        _ => Ok(()),
    };
    copied.map_err(failed)
}
