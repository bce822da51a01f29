//! The places of commits in the history of a project: how many come before each by first parents, and when it was made.
//!
//! Refuses to write to the repository, as everything about sides does.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etalon_probe::machine::repository_around;

use super::SidesError;
use super::copies::Copies;
use super::git::Git;
use super::room::Room;

/// The places of some revisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineage {
    /// The top of the working tree.
    pub top: PathBuf,
    /// The branch that is checked out there, if one is.
    pub branch: Option<String>,
    /// Of each revision that was asked for; nothing of one that is not there.
    pub standings: Vec<Option<Standing>>,
}

/// The place of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its whole name.
    pub commit: String,
    /// How many commits come before it by first parents; not known in a shallow clone.
    pub position: Option<i64>,
    /// When it was made, in seconds since 1970.
    pub time: i64,
}

/// The places of revisions of the project around an absolute directory. What lies on one line is listed once.
///
/// # Errors
/// If there is no repository or no git, or git fails at something else than a revision that is not there.
pub fn lineage(
    revisions: &[&str],
    environment: &[(OsString, OsString)],
    (here, temporary): (&Path, &Path),
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<Lineage, SidesError> {
    let repository =
        repository_around(here).ok_or_else(|| SidesError::NoRepository(here.to_owned()))?;
    let top = repository.top.clone();
    let git = Git { environment, interrupted };
    let mut copies = Copies { git, room: Room::new(temporary)?, views: 0 };
    let view = copies.view(repository)?;
    let is_whole = !view.is_shallow();
    let mut known: HashMap<String, Standing> = HashMap::new();
    let mut standings = Vec::with_capacity(revisions.len());
    for revision in revisions {
        let commit = match copies.git.commit(&view, revision) {
            Ok(commit) => commit,
            Err(SidesError::NoRevision { .. }) => {
                standings.push(None);
                continue;
            }
            Err(other) => return Err(other),
        };
        if !known.contains_key(&commit) {
            let line = copies.git.first_parents(&view, &commit)?;
            for ((commit, time), position) in line.into_iter().rev().zip(0..) {
                let position = is_whole.then_some(position);
                known.insert(commit.clone(), Standing { commit, position, time });
            }
        }
        standings.push(known.get(&commit).cloned());
    }
    let branch = copies.git.branch(&view)?;
    Ok(Lineage { top, branch, standings })
}
