//! Commit: which commit is checked out in the git working tree around a directory, and where git
//! keeps what belongs to that.
//!
//! Reads `.git` itself, because starting git would cost more than all other facts together. It
//! follows gitrepository-layout(5): `.git` directories and files (worktrees, submodules), a shared
//! `commondir`, symbolic references, loose and packed ones. Not told: a bare repository (nothing is
//! checked out), one that keeps its references as reftable, and whether files were changed since
//! that commit. `GIT_DIR` and its like are not looked at. A reference that is there but cannot be
//! understood gives no commit, never an older value from elsewhere.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::bounded;

/// Symbolic references followed, as many as git does (`SYMREF_MAXDEPTH`).
const DEPTH: usize = 5;

/// Most bytes of a file with one reference or path.
const REFERENCE_LIMIT: u64 = 4096;

/// Most bytes of `packed-refs`. Branches come first in a sorted file and reading stops behind the
/// name wanted, so only an unsorted file is ever read that far, in about 10 ms.
const PACKED_LIMIT: u64 = 16 * 1024 * 1024;

/// The id of the commit checked out around `cwd`, 40 or 64 hexadecimal digits. Absent outside of a
/// working tree, before the first commit, and where the repository cannot be read.
#[must_use]
pub fn commit_of(cwd: &Path) -> Option<String> {
    repository_around(cwd)?.resolve("HEAD")
}

/// The repository whose working tree a directory is in. Absent outside of a working tree, and where
/// the repository cannot be read.
#[must_use]
pub fn repository_around(cwd: &Path) -> Option<Repository> {
    let cwd = fs::canonicalize(cwd).ok()?;
    Repository::at(cwd.ancestors().find(|dir| is_top(dir))?)
}

/// The repository of which a directory is the top of the working tree.
#[must_use]
pub fn repository_at(top: &Path) -> Option<Repository> {
    let top = fs::canonicalize(top).ok()?;
    is_top(&top).then(|| Repository::at(&top))?
}

/// Whether git would look for its repository no further up than here.
fn is_top(dir: &Path) -> bool {
    let dot_git = dir.join(".git");
    // A directory without HEAD is none of git's, who goes on looking further up.
    let has_head = || fs::symlink_metadata(dot_git.join("HEAD")).is_ok();
    fs::metadata(&dot_git).is_ok_and(|found| found.is_file() || found.is_dir() && has_head())
}

/// Where the `.git` file in `dir` points: `gitdir: PATH`, relative to `dir`.
fn linked(dir: &Path) -> Option<PathBuf> {
    let text = bounded::bytes(&dir.join(".git"), REFERENCE_LIMIT).ok()?;
    let target = text.strip_prefix(b"gitdir: ")?.trim_ascii_end();
    Some(dir.join(OsStr::from_bytes(target)))
}

/// A working tree and the two directories of its repository; these are the same one but for a linked
/// worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The top of the working tree.
    pub top: PathBuf,
    /// Where what belongs to this working tree is: HEAD, the index.
    pub own: PathBuf,
    /// Where what all working trees share is: objects, references, configuration.
    pub common: PathBuf,
}

impl Repository {
    /// That of a working tree; `None` if a file that says where it is cannot be read.
    fn at(top: &Path) -> Option<Repository> {
        let dot_git = top.join(".git");
        let own = if dot_git.is_file() { linked(top)? } else { dot_git };
        let common = match bounded::bytes(&own.join("commondir"), REFERENCE_LIMIT) {
            Ok(text) => own.join(OsStr::from_bytes(text.trim_ascii_end())),
            Err(error) if is_missing(&error) => own.clone(),
            Err(_) => return None,
        };
        Some(Repository { top: top.to_owned(), own, common })
    }

    /// The id that a reference stands for.
    fn resolve(&self, reference: &str) -> Option<String> {
        let mut name = reference.to_owned();
        for _ in 0..=DEPTH {
            let Some(text) = self.loose(&name).ok()? else {
                return self.packed(&name);
            };
            let Some(next) = text.strip_prefix("ref:") else {
                return id(text.trim());
            };
            name = safe(next.trim())?;
        }
        None
    }

    /// A loose reference's text: this worktree's own before the shared one. An error if it is
    /// there but unreadable.
    fn loose(&self, name: &str) -> io::Result<Option<String>> {
        for dir in [&self.own, &self.common] {
            match bounded::bytes(&dir.join(name), REFERENCE_LIMIT) {
                Ok(text) => {
                    let text = String::from_utf8(text);
                    return text.map(Some).map_err(|_| ErrorKind::InvalidData.into());
                }
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// A packed reference's id: lines of `ID NAME`, between comments (`#`) and peeled tags (`^`).
    fn packed(&self, name: &str) -> Option<String> {
        let mut sorted = false;
        for line in bounded::lines(&self.common.join("packed-refs"), PACKED_LIMIT).ok()? {
            if let Some(traits) = line.strip_prefix("# pack-refs with:") {
                sorted = traits.split(' ').any(|word| word == "sorted");
            }
            let Some((digits, found)) = line.split_once(' ') else {
                continue;
            };
            if found == name {
                return id(digits);
            }
            if sorted && !line.starts_with('#') && found > name {
                return None;
            }
        }
        None
    }
}

/// Nothing of that name, or a directory that longer names have left.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory)
}

/// A reference's name if it stays inside the repository.
fn safe(name: &str) -> Option<String> {
    let inside = name.starts_with("refs/") && !name.split('/').any(|part| part == "..");
    inside.then(|| name.to_owned())
}

/// An object id: SHA-1 or SHA-256 in hexadecimal.
fn id(text: &str) -> Option<String> {
    let fit = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
    fit.then(|| text.to_owned())
}

#[cfg(test)]
#[path = "commit_tests.rs"]
mod tests;
