//! Copies of a state of a project: of a commit by git, of the working tree file by file.
//!
//! Owns: submodules, pointers of git-lfs, and what is copied along. Refuses: to write to what it copies.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use etalon_probe::machine::{Repository, repository_at};
use etalon_record::entries::entries;

use super::SidesError;
use super::git::{Git, Tree};
use super::room::{Room, directory};
use super::view::View;

/// Copies that are being made.
pub(super) struct Copies<'a> {
    pub(super) git: Git<'a>,
    pub(super) room: Room,
    /// How many views of repositories there are.
    pub(super) views: usize,
}

/// A state of a project.
#[derive(Clone, Copy)]
pub(super) enum State<'a> {
    /// That of a commit.
    Commit(&'a str),
    /// As the files are now.
    WorkingTree,
}

/// The file that git-lfs leaves in place of another.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// How many bytes such a pointer has at most.
const POINTER_BYTES: u64 = 1024;

impl Copies<'_> {
    /// A copy of a state of a repository.
    pub(super) fn state(
        &mut self,
        to: &Path,
        view: &View,
        state: State<'_>,
    ) -> Result<(), SidesError> {
        match state {
            State::Commit(commit) => self.revision(to, view, commit),
            State::WorkingTree => {
                directory(to)?;
                self.tree(to, view)
            }
        }
    }

    /// A view of a repository.
    pub(super) fn view(&mut self, repository: Repository) -> Result<View, SidesError> {
        let place = self.room.path.join(format!("git-{}", self.views));
        self.views += 1;
        View::new(repository, place, self.git.environment, &mut |file, nowhere| {
            self.git.settings(file, nowhere)
        })
    }

    /// A copy of the working tree as it is, with the submodules that are checked out.
    fn tree(&mut self, to: &Path, view: &View) -> Result<(), SidesError> {
        let top = &view.repository.top;
        let words =
            ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
        let listed = self.git.printed(view, Tree::Working, &words)?;
        let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        for path in paths.map(|path| Path::new(OsStr::from_bytes(path))) {
            if leads_out(path, to) {
                return Err(SidesError::Outside(path.to_owned()));
            }
            let (from, to) = (top.join(path), to.join(path));
            let is_directory = fs::symlink_metadata(&from).is_ok_and(|about| about.is_dir());
            if is_directory {
                fs::create_dir_all(&to)
                    .map_err(|error| SidesError::Io { path: to.clone(), error })?;
                if let Some(inner) = repository_at(&from) {
                    let inner = self.view(inner)?;
                    self.tree(&to, &inner)?;
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

    /// A copy of a commit of a repository, with its submodules.
    fn revision(&mut self, to: &Path, view: &View, commit: &str) -> Result<(), SidesError> {
        let made = fs::create_dir_all(to);
        made.map_err(|error| SidesError::Io { path: to.to_owned(), error })?;
        for words in [&["read-tree", commit][..], &["checkout-index", "--all", "--quiet"]] {
            match self.git.printed(view, Tree::Copy(to), words) {
                Err(SidesError::Git { .. }) if view.is_partial => {
                    return Err(SidesError::Partial { revision: commit.to_owned() });
                }
                done => drop(done?),
            }
        }
        let listed = self.git.printed(view, Tree::Copy(to), &["ls-files", "-z", "--stage"])?;
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
            let missing = || SidesError::NoSubmodule { path: path.clone(), commit: commit.clone() };
            let inner = repository_at(&view.repository.top.join(&path)).ok_or_else(missing)?;
            let inner = self.view(inner)?;
            self.git.commit(&inner, &commit).map_err(|_| missing())?;
            self.revision(&to.join(&path), &inner, &commit)?;
        }
        Ok(())
    }
}

/// Whether a path that an index names is written elsewhere than in the copy: git adds none such, but believes its
/// index.
fn leads_out(path: &Path, copy: &Path) -> bool {
    let is_link =
        |path: &Path| fs::symlink_metadata(copy.join(path)).is_ok_and(|about| about.is_symlink());
    !path.components().all(|part| matches!(part, Component::Normal(_)))
        || path.ancestors().skip(1).any(|above| !above.as_os_str().is_empty() && is_link(above))
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

/// Files to copy along, named from where etalon was started, as paths below the top of the working tree.
pub(super) fn along(
    asked: &[PathBuf],
    here: &Path,
    top: &Path,
) -> Result<Vec<PathBuf>, SidesError> {
    let below_top = |path: &PathBuf| {
        let gone = |error| SidesError::NoCopy { path: path.clone(), error };
        let inside = here.join(path).canonicalize().map_err(gone)?;
        let inside = inside.strip_prefix(top).map_err(|_| {
            gone(io::Error::other("lies outside the working tree: name a file or directory in it"))
        })?;
        Ok(inside.to_owned())
    };
    asked.iter().map(below_top).collect()
}

/// Copies that into a copy of the working tree.
pub(super) fn take_along(along: &[PathBuf], top: &Path, root: &Path) -> Result<(), SidesError> {
    along.iter().try_for_each(|inside| copy_all(&top.join(inside), &root.join(inside)))
}

/// Copies a file, unless the same is there: then its times stay what they are. Whether another one was there.
pub(super) fn lay(from: &Path, to: &Path) -> Result<bool, SidesError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| SidesError::Io { path, error }
    };
    let content = fs::read(from).map_err(failed(from))?;
    let there = fs::read(to).ok();
    if there.as_ref() == Some(&content) {
        return Ok(false);
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(failed(parent))?;
    }
    // Not through a link, which may lead out of the copy.
    if fs::symlink_metadata(to).is_ok_and(|about| about.is_symlink()) {
        fs::remove_file(to).map_err(failed(to))?;
    }
    fs::copy(from, to).map_err(failed(to))?;
    Ok(there.is_some())
}

/// Copies a file, a link, or a directory with everything in it. Files keep their times: build tools tell by them what
/// is older than what it was made of.
fn copy_all(from: &Path, to: &Path) -> Result<(), SidesError> {
    let failed = |error| SidesError::Io { path: from.to_owned(), error };
    let about = fs::symlink_metadata(from).map_err(failed)?;
    if about.is_file() {
        copy(from, to)?;
        let modified = about.modified().map_err(failed)?;
        return File::open(to).and_then(|copy| copy.set_modified(modified)).map_err(failed);
    }
    if !about.is_dir() {
        return copy(from, to);
    }
    fs::create_dir_all(to).map_err(failed)?;
    for entry in entries(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        copy_all(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a file that is written outside of its copy, because somebody has made an index that says so.
    #[test]
    fn nothing_is_written_outside_of_a_copy() {
        let scratch = tempfile::tempdir().unwrap();
        fs::create_dir_all(scratch.path().join("a/b")).unwrap();
        symlink("..", scratch.path().join("a/link")).unwrap();
        let cases = [
            ("a/b/c", false),
            ("a/link", false),
            ("..a", false),
            ("new/c", false),
            ("a/link/c", true),
            ("a/link/b/c", true),
            ("../c", true),
            ("a/../../c", true),
            ("/etc/c", true),
        ];
        for (path, expected) in cases {
            assert_eq!(leads_out(Path::new(path), scratch.path()), expected, "{path}");
        }
    }
}
