//! The commits between two of a project: listed once, and checked out one by one when somebody needs them.
//!
//! Owns where each build of a commit is: at a path that is known before it is there, and of one length for all. A build
//! that is kept has its own place, to which that path leads. Refuses to build.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::copies::{self, Copies, State};
use super::git::{Git, Tree};
use super::kept::{self, Place};
use super::room::{self, Room};
use super::view::View;
use super::{BuildCache, Earlier, Recipe, SidesError, around, key, sweep, sweep_kept};

/// Which commits, and how they are checked out.
#[derive(Debug, Clone, Copy)]
pub struct RangeSpec<'a> {
    /// The good end and the bad one.
    pub ends: [&'a str; 2],
    /// Whether commits of merged branches are among them.
    pub merged: bool,
    /// Only commits that change these, from where etalon was started.
    pub paths: &'a [PathBuf],
    /// Files and directories that git ignores, from where etalon was started, that each copy has all the same.
    pub along: &'a [PathBuf],
    /// Where builds are kept; without it, none is.
    pub kept: Option<BuildCache<'a>>,
    /// etalon's own variables, of which git is given a few.
    pub environment: &'a [(OsString, OsString)],
}

/// The commits between two, both included, and their copies. These go when this is dropped, but for builds that are kept.
#[derive(Debug)]
pub struct Revisions {
    /// Their names and the first lines of their messages, in their order.
    pub commits: Vec<(String, String)>,
    /// Of each, how many parents it has.
    pub parents: Vec<usize>,
    view: View,
    /// Where etalon was started, below the top.
    prefix: PathBuf,
    along: Vec<PathBuf>,
    cache: Option<Cache>,
    environment: Vec<(OsString, OsString)>,
    // In the order in which they go.
    places: BTreeMap<(usize, usize), Place>,
    room: Option<Room>,
    /// How many views of repositories there are.
    views: usize,
    path: PathBuf,
    _bound: Option<super::Bound>,
}

/// How builds are kept, as long as there are commits.
#[derive(Debug)]
struct Cache {
    builds: PathBuf,
    command: OsString,
    given: Vec<(OsString, OsString)>,
    earlier: Earlier,
}

/// A build of a commit, as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildPlace {
    /// The top of it.
    pub root: PathBuf,
    /// The directory in it that etalon was started in.
    pub directory: PathBuf,
    /// When an earlier etalon has built it.
    pub built: Option<SystemTime>,
}

impl Revisions {
    /// Lists the commits from one to another around an absolute directory.
    ///
    /// # Errors
    /// If there is no such revision, one does not lead to the other, or there is no repository.
    pub fn between(
        spec: &RangeSpec<'_>,
        (here, temporary): (&Path, &Path),
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Revisions, SidesError> {
        let (repository, prefix) = around(here)?;
        let kept = spec.kept.filter(|kept| room::private(kept.builds).is_ok());
        if let Some(kept) = &kept {
            sweep_kept(kept.builds);
            sweep(temporary);
        }
        let bound = kept.map(|kept| super::Bound(kept.builds.to_owned()));
        let room = Room::new(kept.map_or(temporary, |kept| kept.builds))?;
        let path = room.path.clone();
        let git = Git { environment: spec.environment, interrupted };
        let mut copies = Copies { git, room, views: 0 };
        let view = copies.view(repository)?;
        let good = copies.git.commit(&view, spec.ends[0])?;
        let bad = copies.git.commit(&view, spec.ends[1])?;
        let ends = [(&*good, spec.ends[0]), (&*bad, spec.ends[1])];
        // git is asked at the top.
        let paths: Vec<PathBuf> = spec.paths.iter().map(|path| prefix.join(path)).collect();
        let spec_at_top = RangeSpec { paths: &paths, ..*spec };
        let listed = listed(&mut copies.git, &view, ends, &spec_at_top)?;
        let along = copies::along(spec.along, here, &view.repository.top)?;
        let Copies { room, views, .. } = copies;
        let cache = kept.map(|kept| Cache {
            builds: kept.builds.to_owned(),
            command: kept.recipe.command.to_owned(),
            given: kept.recipe.given.to_vec(),
            earlier: kept.earlier,
        });
        Ok(Revisions {
            parents: listed.iter().map(|it| it.parents).collect(),
            commits: listed.into_iter().map(|it| (it.id, it.subject)).collect(),
            view,
            prefix,
            along,
            cache,
            environment: spec.environment.to_vec(),
            places: BTreeMap::new(),
            room: Some(room),
            views,
            path,
            _bound: bound,
        })
    }

    /// The top of the project's working tree.
    #[must_use]
    pub fn top(&self) -> &Path {
        &self.view.repository.top
    }

    /// Where a build of a commit is going to be, both from 0.
    #[must_use]
    pub fn root(&self, (commit, build): (usize, usize)) -> PathBuf {
        self.path.join(format!("{commit:04}-{}", build + 1))
    }

    /// The directory in it that etalon was started in.
    #[must_use]
    pub fn directory(&self, member: (usize, usize)) -> PathBuf {
        self.root(member).join(&self.prefix)
    }

    /// Checks a commit out for one of its builds, or finds a build of it that was kept.
    ///
    /// # Errors
    /// If that is not possible.
    pub fn check_out(
        &mut self,
        member: (usize, usize),
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<BuildPlace, SidesError> {
        let place = self.root(member);
        let Some(room) = self.room.take() else { return Err(SidesError::Interrupted) };
        let git = Git { environment: &self.environment, interrupted };
        let mut copies = Copies { git, room, views: self.views };
        let copied = self.copied(&mut copies, &place, member.0);
        let Copies { room, git, views } = copies;
        (self.room, self.views) = (Some(room), views);
        let directory = copied?;
        let Some(cache) = &self.cache else {
            return Ok(BuildPlace { root: place, directory, built: None });
        };
        let recipe =
            Recipe { command: &cache.command, given: &cache.given, environment: &self.environment };
        let checkout = super::Checkout { root: place.clone(), directory, built: None };
        let key = key::key(&checkout, &recipe, git.interrupted)?;
        let kept = kept::take(&cache.builds, &key, cache.earlier)?;
        let (root, built) = (kept.root(), kept.built());
        let failed = |error| SidesError::Io { path: place.clone(), error };
        match built {
            None => std::fs::rename(&place, &root).map_err(failed)?,
            Some(_) => std::fs::remove_dir_all(&place).map_err(failed)?,
        }
        symlink(&root, &place).map_err(failed)?;
        let directory = root.join(&self.prefix);
        self.places.insert(member, kept);
        Ok(BuildPlace { root, directory, built })
    }

    /// A new copy of a commit; the directory in it that etalon was started in.
    fn copied(
        &self,
        copies: &mut Copies<'_>,
        place: &Path,
        commit: usize,
    ) -> Result<PathBuf, SidesError> {
        copies.state(place, &self.view, State::Commit(&self.commits[commit].0))?;
        copies::take_along(&self.along, &self.view.repository.top, place)?;
        let directory = place.join(&self.prefix);
        std::fs::create_dir_all(&directory)
            .map_err(|error| SidesError::Io { path: directory.clone(), error })?;
        Ok(directory)
    }

    /// The file that a builder has to have open as long as it lives, if the build is to be kept.
    #[must_use]
    pub fn building(&self, member: (usize, usize)) -> Option<&File> {
        self.places.get(&member)?.building()
    }

    /// Keeps a build as it is now.
    pub fn keep(&mut self, member: (usize, usize)) {
        if let Some(place) = self.places.get_mut(&member) {
            place.keep(SystemTime::now());
        }
    }

    /// Removes a copy that cannot be built.
    pub fn discard(&mut self, member: (usize, usize)) {
        let place = self.root(member);
        match self.places.remove(&member) {
            Some(_gone) => drop(std::fs::remove_file(&place)),
            None => drop(std::fs::remove_dir_all(&place)),
        }
    }
}

/// A commit of a list.
struct Listed {
    id: String,
    parents: usize,
    subject: String,
}

/// The good end, and everything from there to the bad one.
fn listed(
    git: &mut Git<'_>,
    view: &View,
    [(good, asked_good), (bad, asked_bad)]: [(&str, &str); 2],
    spec: &RangeSpec<'_>,
) -> Result<Vec<Listed>, SidesError> {
    let is_before = match git.printed(view, Tree::Working, &["merge-base", good, bad]) {
        Ok(base) => String::from_utf8_lossy(&base).trim() == good,
        Err(SidesError::Git { .. }) => false,
        Err(other) => return Err(other),
    };
    let no_range = |why: &'static str| SidesError::NoRange {
        good: asked_good.to_owned(),
        bad: asked_bad.to_owned(),
        why,
    };
    if !is_before || good == bad {
        return Err(no_range("the bad end has to come after the good one"));
    }
    let first_parents = git.first_parents(view, bad)?;
    if !spec.merged && !first_parents.iter().any(|(commit, _)| commit == good) {
        return Err(no_range(
            "the good end is on a branch that was merged, which --all-commits takes in",
        ));
    }
    let range = format!("{good}..{bad}");
    let paths: Vec<String> =
        spec.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let mut words = vec!["rev-list", "--reverse", "--topo-order", "--format=%P%n%s"];
    words.extend((!spec.merged).then_some("--first-parent"));
    words.extend(["--end-of-options", &range, "--"]);
    words.extend(paths.iter().map(String::as_str));
    let mut all = parsed(&git.printed(view, Tree::Working, &words)?);
    if all.last().is_none_or(|last| last.id != bad) {
        // Paths may leave it out.
        all.extend(one(git, view, bad)?);
    }
    all.splice(0..0, one(git, view, good)?);
    Ok(all)
}

fn one(git: &mut Git<'_>, view: &View, commit: &str) -> Result<Option<Listed>, SidesError> {
    let words = ["rev-list", "--max-count=1", "--format=%P%n%s", "--end-of-options", commit];
    Ok(parsed(&git.printed(view, Tree::Working, &words)?).pop())
}

/// Three lines each: `commit` with the name, parents, subject.
fn parsed(listed: &[u8]) -> Vec<Listed> {
    let listed = String::from_utf8_lossy(listed);
    let lines: Vec<&str> = listed.lines().collect();
    let commit = |lines: &[&str]| {
        let id = lines[0].strip_prefix("commit ")?.to_owned();
        let parents = lines[1].split_ascii_whitespace().count();
        Some(Listed { id, parents, subject: lines[2].to_owned() })
    };
    lines.chunks_exact(3).filter_map(commit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_read_from_a_list() {
        let all = parsed(b"commit a1\nb c\nMerge x\ncommit d2\n\n\n");
        let of: Vec<_> = all.iter().map(|it| (&*it.id, it.parents, &*it.subject)).collect();
        assert_eq!(of, [("a1", 2, "Merge x"), ("d2", 0, "")]);
    }
}
