//! git, asked one thing after the other: the only place that starts it.
//!
//! Owns: that git executes nothing which the repository, the user's settings or the environment name. git never sees
//! the configuration of the repository it reads: that is replaced by a [`View`] whose every line etalon has written, so
//! that a program which a setting names (a filter, a hook, a watcher, a transport, …) does not have to be known to be
//! kept out. Of the environment, git is given what stands in [`GIVEN`]. What is closed a second time in [`CLOSED`]
//! holds if git should find another way to a setting. Refuses: to fetch anything.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use etalon_probe::untimed::{self, Program};

use super::SidesError;
use super::error::History;
use super::view::View;

/// Variables of etalon's own that git is given: where programs and libraries are, and the language of its errors.
const GIVEN: [&str; 6] = ["PATH", "LD_LIBRARY_PATH", "TMPDIR", "LANG", "LC_ALL", "LC_MESSAGES"];

/// Those of them that are lists of directories.
const LISTS: [&str; 2] = ["PATH", "LD_LIBRARY_PATH"];

/// Where the settings of the user and of the system are; for the one question that asks for them.
const SETTINGS: [&str; 5] =
    ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];

/// Variables of every git.
const CLOSED: [(&str, &str); 13] = [
    // An object that is missing is missing: it is not fetched from where a partial clone came from.
    ("GIT_NO_LAZY_FETCH", "1"),
    // No transport, not even a local one: each can be told to start programs.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_PROTOCOL_FROM_USER", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", "/bin/false"),
    ("GIT_SSH_COMMAND", "/bin/false"),
    ("GIT_PROXY_COMMAND", "/bin/false"),
    ("GIT_EDITOR", "/bin/false"),
    ("GIT_PAGER", "cat"),
    // Settings of the system and the user may send traces to files and sockets.
    ("GIT_TRACE2", "0"),
    ("GIT_TRACE2_EVENT", "0"),
    ("GIT_TRACE2_PERF", "0"),
];

/// No other settings than those of the view.
const ALONE: [(&str, &str); 3] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
];

/// Options of every git.
const UNTOUCHED: [&str; 7] = [
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
];

/// git.
pub(super) struct Git<'a> {
    /// etalon's own variables.
    pub(super) environment: &'a [(OsString, OsString)],
    pub(super) interrupted: &'a mut dyn FnMut() -> bool,
}

/// Which files git works on.
#[derive(Clone, Copy)]
pub(super) enum Tree<'a> {
    /// The user's, with the user's index.
    Working,
    /// Those of a copy, with an index of their own.
    Copy(&'a Path),
}

impl Git<'_> {
    /// The commit that a revision is.
    pub(super) fn commit(&mut self, view: &View, revision: &str) -> Result<String, SidesError> {
        let named = format!("{revision}^{{commit}}");
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", &named];
        match self.line(view, &words) {
            Err(SidesError::Git { .. }) => {
                let history = match view.is_partial {
                    true => History::Partial,
                    false if view.is_shallow() => History::Shallow,
                    false => History::Whole,
                };
                Err(SidesError::NoRevision { revision: revision.to_owned(), history })
            }
            commit => commit,
        }
    }

    /// The commits from one back to the first, by first parents, each with the time it was made in seconds since 1970.
    pub(super) fn first_parents(
        &mut self,
        view: &View,
        commit: &str,
    ) -> Result<Vec<(String, i64)>, SidesError> {
        let words = ["rev-list", "--first-parent", "--timestamp", "--end-of-options", commit];
        let listed = self.printed(view, Tree::Working, &words)?;
        let listed = String::from_utf8_lossy(&listed);
        let line = |line: &str| {
            let (time, commit) = line.split_once(' ')?;
            Some((commit.to_owned(), time.parse().ok()?))
        };
        Ok(listed.lines().filter_map(line).collect())
    }

    /// The branch that is checked out; nothing where none is.
    pub(super) fn branch(&mut self, view: &View) -> Result<Option<String>, SidesError> {
        match self.line(view, &["symbolic-ref", "--quiet", "--short", "HEAD"]) {
            Ok(branch) => Ok(Some(branch).filter(|branch| !branch.is_empty())),
            Err(SidesError::Git { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// The content of a file at a commit, by its path from the top; nothing where there is no such file.
    pub(super) fn file(
        &mut self,
        view: &View,
        commit: &str,
        path: &str,
    ) -> Result<Option<Vec<u8>>, SidesError> {
        let words = ["ls-tree", "-z", "--full-tree", commit, "--", path];
        let listed = self.printed(view, Tree::Working, &words)?;
        let listed = String::from_utf8_lossy(&listed);
        let is_file = |about: &[&str]| about.first().is_some_and(|mode| mode.starts_with("100"));
        let entry = listed.split('\0').find_map(|entry| {
            let (about, name) = entry.split_once('\t')?;
            let about: Vec<&str> = about.split(' ').collect();
            (name == path && is_file(&about)).then(|| about.last().map(|it| (*it).to_owned()))?
        });
        let Some(blob) = entry else { return Ok(None) };
        match self.printed(view, Tree::Working, &["cat-file", "blob", &blob]) {
            Err(SidesError::Git { .. }) if view.is_partial => {
                Err(SidesError::Partial { revision: commit.to_owned() })
            }
            content => content.map(Some),
        }
    }

    /// Its output about the working tree, without the end of its line.
    fn line(&mut self, view: &View, words: &[&str]) -> Result<String, SidesError> {
        let printed = self.printed(view, Tree::Working, words)?;
        let printed = String::from_utf8_lossy(&printed);
        Ok(printed.strip_suffix('\n').unwrap_or(&printed).to_owned())
    }

    /// Its output.
    pub(super) fn printed(
        &mut self,
        view: &View,
        tree: Tree<'_>,
        words: &[&str],
    ) -> Result<Vec<u8>, SidesError> {
        let mut environment = view.variables();
        environment.extend(owned(&ALONE));
        let directory = match tree {
            Tree::Working => &view.repository.top,
            Tree::Copy(copy) => {
                environment.push(("GIT_INDEX_FILE".into(), view.index().into()));
                copy
            }
        };
        environment.push(("GIT_WORK_TREE".into(), directory.into()));
        self.said(directory, &environment, words)
    }

    /// The settings in a file, or those of the user and the system: keys and values as `git config -z` lists them.
    /// `nowhere` is a directory without a repository; nothing that settings name is executed to read them.
    pub(super) fn settings(
        &mut self,
        file: Option<&Path>,
        nowhere: &Path,
    ) -> Result<Vec<u8>, SidesError> {
        let mut environment: Vec<(OsString, OsString)> = vec![("GIT_DIR".into(), nowhere.into())];
        let place = file.and_then(|file| Some((file.parent()?, file.file_name()?.to_str()?)));
        let Some((directory, name)) = place else {
            environment.extend(self.own(&SETTINGS));
            return self.said(nowhere, &environment, &["config", "--includes", "-z", "--list"]);
        };
        environment.extend(owned(&ALONE));
        let words = ["config", "--file", name, "--no-includes", "-z", "--list"];
        self.said(directory, &environment, &words)
    }

    /// Those of etalon's own variables that are among these.
    fn own(&self, names: &[&str]) -> Vec<(OsString, OsString)> {
        let is_given = |name: &OsStr| names.iter().any(|given| name == *given);
        let given = self.environment.iter().filter(|(name, _)| is_given(name));
        given.filter_map(|(name, value)| Some((name.clone(), anywhere(name, value)?))).collect()
    }

    fn said(
        &mut self,
        directory: &Path,
        environment: &[(OsString, OsString)],
        words: &[&str],
    ) -> Result<Vec<u8>, SidesError> {
        let environment =
            [&self.own(&GIVEN)[..], &owned(&CLOSED).collect::<Vec<_>>(), environment].concat();
        let arguments: Vec<OsString> = UNTOUCHED.iter().chain(words).map(Into::into).collect();
        let program = Program {
            program: OsStr::new("git"),
            arguments: &arguments,
            environment: &environment,
            input: None,
            directory,
            inherits: None,
        };
        let failed = |why: String| SidesError::Git { command: words.join(" "), why };
        let executed = match untimed::execute_apart(&program, self.interrupted) {
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

/// The value of a variable; of a list of directories, those that mean the same wherever git is. An empty one means the
/// current directory, which is the repository's.
fn anywhere(name: &OsStr, value: &OsStr) -> Option<OsString> {
    if !LISTS.iter().any(|list| name == *list) {
        return Some(value.to_owned());
    }
    let absolute: Vec<_> = std::env::split_paths(value).filter(|it| it.is_absolute()).collect();
    std::env::join_paths(&absolute).ok().filter(|_| !absolute.is_empty())
}

fn owned(variables: &[(&str, &str)]) -> impl Iterator<Item = (OsString, OsString)> {
    variables.iter().map(|(name, value)| (name.into(), value.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a library or a program of the repository that is loaded because a list of directories has an empty
    /// or relative one, as `$LD_LIBRARY_PATH:/opt/lib` makes it.
    #[test]
    fn no_list_leads_into_the_repository() {
        let of = |name: &str, value: &str| {
            anywhere(OsStr::new(name), OsStr::new(value)).map(|it| it.into_string().unwrap())
        };
        for list in LISTS {
            assert_eq!(of(list, ":/opt/lib::lib:/usr/lib:.").as_deref(), Some("/opt/lib:/usr/lib"));
            assert_eq!(of(list, ":lib"), None);
        }
        assert_eq!(of("LANG", ":x").as_deref(), Some(":x"));
    }
}
