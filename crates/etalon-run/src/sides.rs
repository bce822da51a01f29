//! Two states of a project side by side: a revision, and another one or the working tree as it is now.
//!
//! Owns: copies of both at paths of equal length, one for each build of them, below a directory of etalon's own that goes with [`Sides`]; what an
//! etalon that was killed has left of such directories goes when the next one begins ([`sweep`]). Refuses: to write to
//! the user's repository or working tree. The copies are made by a bare repository of etalon's own, which reads the
//! user's objects (`objects/info/alternates`); of the working tree, tracked files and untracked ones that are not ignored
//! are copied one by one: git would touch objects of the user's that it finds there already. Submodules come from where
//! they are checked out; of what git ignores, what is asked for. No copy is a repository: nothing in it knows its revision.

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
        "{}: no such revision here: write a commit, a branch or a tag (`git log --oneline`, `git branch --all`){}",
        if .revision.is_empty() { "an empty word" } else { .revision },
        if *.shallow { "; this clone has the newest commits only: `git fetch --unshallow` brings the others" } else { "" }
    )]
    NoRevision {
        /// As it was asked for.
        revision: String,
        /// Whether the repository lacks history.
        shallow: bool,
    },
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
    /// A submodule is not there.
    #[error(
        "{}: a submodule that is not checked out here at {commit}: `git submodule update --init` does that", .path.display()
    )]
    NoSubmodule {
        /// Where it belongs.
        path: PathBuf,
        /// The commit that is wanted of it.
        commit: String,
    },
    /// A file is kept elsewhere by git-lfs.
    #[error(
        "{}: only a pointer of git-lfs in {side}: a program that reads it would not find its content, so commit it, or prepare both sides by hand and give them with --dir", .path.display()
    )]
    Pointer {
        /// Of which revision.
        side: String,
        /// Which file.
        path: PathBuf,
    },
    /// What is to be copied along is not there.
    #[error("--copy {}: {error}", .path.display())]
    NoCopy {
        /// As it was asked for.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The user did not want to wait.
    #[error("interrupted while the revisions were checked out")]
    Interrupted,
}

/// Which states of a project are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// A revision.
    pub base: &'a str,
    /// Another one; without it, the working tree.
    pub head: Option<&'a str>,
    /// How many copies of each, from 1 to 9.
    pub copies: usize,
    /// Files and directories that git ignores, from where etalon was started, that each copy has all the same.
    pub along: &'a [PathBuf],
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
}

/// Two states of a project. They go when this is dropped.
#[derive(Debug)]
pub struct Sides {
    /// The older one.
    pub base: Side,
    /// The newer one.
    pub head: Side,
    /// A directory for what is built of them.
    pub built: PathBuf,
    _room: Room,
}

impl Sides {
    /// Checks out two states of the project around an absolute directory, below `temporary`. Takes as long as git does.
    ///
    /// # Errors
    /// If that is not possible; nothing is left then.
    pub fn check_out(
        wanted: &Wanted<'_>,
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
        let base = git.commit(here, wanted.base)?;
        let head = wanted.head.map(|head| git.commit(here, head)).transpose()?;
        let current = git.commit(here, "HEAD")?;
        let room = Room::new(temporary)?;
        let mut copies = Copies { git, room, repositories: 0 };
        let mut sides = [Vec::new(), Vec::new()];
        for number in 1..=wanted.copies {
            for (name, commit) in [("base", Some(&base)), ("head", head.as_ref())] {
                let root = copies.room.path.join(format!("{name}-{number}"));
                match commit {
                    Some(commit) => copies.revision(&root, &top, commit)?,
                    None => copies.working_tree(&root, &top)?,
                }
                for path in wanted.along {
                    let from = here.join(path);
                    let gone = |error| SidesError::NoCopy { path: path.clone(), error };
                    let inside = from.canonicalize().map_err(gone)?;
                    let inside = inside.strip_prefix(&top).map_err(|_| {
                        gone(io::Error::other(
                            "lies outside the working tree: name a file or directory in it",
                        ))
                    })?;
                    copy_all(&top.join(inside), &root.join(inside))?;
                }
                let directory = root.join(&prefix);
                fs::create_dir_all(&directory)
                    .map_err(|error| SidesError::Io { path: directory.clone(), error })?;
                sides[usize::from(name == "head")].push(Checkout { root, directory });
            }
        }
        let room = copies.room;
        let built = room.path.join("built");
        directory(&built)?;
        let [of_base, of_head] = sides;
        Ok(Sides {
            base: Side { copies: of_base, revision: base },
            head: Side { copies: of_head, revision: head.unwrap_or(current) },
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
    /// How many repositories of etalon's own there are.
    repositories: usize,
}

/// What git-lfs leaves in place of a file.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// How many bytes such a pointer has at most.
const POINTER_BYTES: u64 = 1024;

impl Copies<'_> {
    /// A bare repository of etalon's own that reads the objects of the user's.
    fn repository(&mut self, top: &Path) -> Result<PathBuf, SidesError> {
        self.git.environment.clear();
        let objects = self
            .git
            .line(top, &["rev-parse", "--path-format=absolute", "--git-path", "objects"])?;
        let format = self.git.line(top, &["rev-parse", "--show-object-format"])?;
        let repository = self.room.path.join(format!("git-{}", self.repositories));
        self.repositories += 1;
        let format = format!("--object-format={format}");
        // Named, because one that is in the environment would be meant.
        self.git.environment = vec![("GIT_DIR".into(), repository.clone().into())];
        self.git.line(&self.room.path, &["init", "--quiet", "--bare", "--template=", &format])?;
        let info = repository.join("objects/info");
        let alternates = info.join("alternates");
        let written =
            fs::create_dir_all(&info).and_then(|()| fs::write(&alternates, format!("{objects}\n")));
        written.map_err(|error| SidesError::Io { path: alternates, error })?;
        Ok(repository)
    }

    /// A copy of the working tree as it is, with the submodules that are checked out.
    fn working_tree(&mut self, to: &Path, top: &Path) -> Result<(), SidesError> {
        directory(to)?;
        self.tree(to, top)
    }

    fn tree(&mut self, to: &Path, top: &Path) -> Result<(), SidesError> {
        self.git.environment.clear();
        let words =
            ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
        let listed = self.git.printed(top, &words)?;
        for path in listed.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            let path = Path::new(OsStr::from_bytes(path));
            let (from, to) = (top.join(path), to.join(path));
            let is_directory = fs::symlink_metadata(&from).is_ok_and(|about| about.is_dir());
            if is_directory {
                fs::create_dir_all(&to)
                    .map_err(|error| SidesError::Io { path: to.clone(), error })?;
                if from.join(".git").exists() {
                    self.tree(&to, &from)?;
                }
            } else {
                copy(&from, &to)?;
                refuse_pointer(&to, "the working tree", path)?;
            }
            if (self.git.interrupted)() {
                return Err(SidesError::Interrupted);
            }
        }
        Ok(())
    }

    /// A copy of a commit of the repository around `top`, with its submodules.
    fn revision(&mut self, to: &Path, top: &Path, commit: &str) -> Result<(), SidesError> {
        let made = fs::create_dir_all(to);
        made.map_err(|error| SidesError::Io { path: to.to_owned(), error })?;
        let repository = self.repository(top)?;
        self.git.environment = vec![
            ("GIT_DIR".into(), repository.clone().into()),
            ("GIT_WORK_TREE".into(), to.to_owned().into()),
            ("GIT_INDEX_FILE".into(), repository.join("index").into()),
            ("GIT_LFS_SKIP_SMUDGE".into(), "1".into()),
        ];
        self.git.line(to, &["read-tree", commit])?;
        self.git.line(to, &["checkout-index", "--all", "--quiet"])?;
        let listed = self.git.printed(to, &["ls-files", "-z", "--stage"])?;
        let mut submodules: Vec<(PathBuf, String)> = Vec::new();
        for entry in listed.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
            // MODE OBJECT STAGE, a tab, and the path.
            let Some(tab) = entry.iter().position(|byte| *byte == b'\t') else { continue };
            let (about, path) = entry.split_at(tab);
            let path = PathBuf::from(OsStr::from_bytes(&path[1..]));
            let about = String::from_utf8_lossy(about);
            let mut about = about.split(' ');
            match (about.next(), about.next()) {
                (Some("160000"), Some(object)) => submodules.push((path, object.to_owned())),
                _ => refuse_pointer(&to.join(&path), commit, &path)?,
            }
        }
        for (path, commit) in submodules {
            let from = top.join(&path);
            let missing = || SidesError::NoSubmodule { path: path.clone(), commit: commit.clone() };
            if !from.join(".git").exists() {
                return Err(missing());
            }
            self.git.environment.clear();
            self.git.commit(&from, &commit).map_err(|_| missing())?;
            self.revision(&to.join(&path), &from, &commit)?;
        }
        Ok(())
    }
}

/// Refuses a file whose content git-lfs keeps elsewhere.
fn refuse_pointer(file: &Path, side: &str, path: &Path) -> Result<(), SidesError> {
    let is_small = |about: &fs::Metadata| about.is_file() && about.len() <= POINTER_BYTES;
    if !fs::symlink_metadata(file).as_ref().is_ok_and(is_small) {
        return Ok(());
    }
    match fs::read(file) {
        Ok(content) if content.starts_with(POINTER) => {
            Err(SidesError::Pointer { side: side.to_owned(), path: path.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Copies a file, a link, or a directory with everything in it.
fn copy_all(from: &Path, to: &Path) -> Result<(), SidesError> {
    let failed = |error| SidesError::Io { path: from.to_owned(), error };
    if !fs::symlink_metadata(from).map_err(failed)?.is_dir() {
        return copy(from, to);
    }
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        copy_all(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Nothing that the user's settings name is executed, or written to the user's index.
const UNTOUCHED: [&str; 5] =
    ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/// git, asked one thing after the other.
struct Git<'a> {
    environment: Vec<(OsString, OsString)>,
    interrupted: &'a mut dyn FnMut() -> bool,
}

impl Git<'_> {
    /// The commit that a revision is.
    fn commit(&mut self, directory: &Path, revision: &str) -> Result<String, SidesError> {
        let named = format!("{revision}^{{commit}}");
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", &named];
        match self.line(directory, &words) {
            Err(SidesError::Git { .. }) => {
                let shallow = self.line(directory, &["rev-parse", "--is-shallow-repository"]);
                let shallow = shallow.is_ok_and(|said| said == "true");
                Err(SidesError::NoRevision { revision: revision.to_owned(), shallow })
            }
            commit => commit,
        }
    }

    /// What it prints, without the end of its line.
    fn line(&mut self, directory: &Path, words: &[&str]) -> Result<String, SidesError> {
        let printed = self.printed(directory, words)?;
        let printed = String::from_utf8_lossy(&printed);
        Ok(printed.strip_suffix('\n').unwrap_or(&printed).to_owned())
    }

    fn printed(&mut self, directory: &Path, words: &[&str]) -> Result<Vec<u8>, SidesError> {
        let arguments: Vec<OsString> = UNTOUCHED.iter().chain(words).map(Into::into).collect();
        let program = Program {
            program: OsStr::new("git"),
            arguments: &arguments,
            environment: &self.environment,
            input: None,
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
