//! A view of a repository: its objects and references as they are, under settings that etalon has written.
//!
//! Owns: which settings git gets to see ([`KEPT`]). A list of what does harm would never be complete, so a setting that
//! is not in it does not exist, whatever it may do: filters, hooks, remotes with their transports, programs of any
//! kind. The view is a directory of etalon's own that stands in for what the working trees of a repository share
//! (`GIT_COMMON_DIR`): its configuration is new, its objects are read through `objects/info/alternates`, the rest are
//! links. HEAD and the index stay where they are. Refuses: `include.path`, `core.worktree`, and whatever else leads
//! elsewhere; the working tree is the directory in which `.git` was found.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use etalon_probe::machine::Repository;

use super::SidesError;

/// Settings that git gets to see: how files are written, which are ignored, what `@{upstream}` and `@{push}` mean. Git
/// executes none of them. `*` stands for any name.
const KEPT: [&str; 13] = [
    "core.autocrlf",
    "core.eol",
    "core.symlinks",
    "core.ignorecase",
    "core.excludesfile",
    "core.attributesfile",
    "branch.*.remote",
    "branch.*.merge",
    "branch.*.pushremote",
    "remote.*.fetch",
    "remote.*.push",
    "remote.pushdefault",
    "push.default",
];

/// How the repository itself is stored; those of its own configuration only.
const FORMAT: [&str; 2] = ["extensions.objectformat", "extensions.refstorage"];

/// Settings that hold a path, and the file in the user's directory of settings that is meant without one.
const PATHS: [(&str, &str); 2] =
    [("core.excludesfile", "git/ignore"), ("core.attributesfile", "git/attributes")];

/// Parts that working trees share, besides objects and configuration.
const LINKED: [&str; 6] = ["refs", "packed-refs", "reftable", "logs", "info", "shallow"];

/// A repository as git gets to see it.
#[derive(Debug)]
pub(super) struct View {
    pub(super) repository: Repository,
    /// Whether objects may be missing that git would fetch when they are needed.
    pub(super) is_partial: bool,
    place: PathBuf,
}

/// Lists the settings in a file, or those of the user and the system, as `git config -z --list` does; the directory has
/// no repository.
pub(super) type List<'a> = &'a mut dyn FnMut(Option<&Path>, &Path) -> Result<Vec<u8>, SidesError>;

/// A setting: its name, `SECTION.SUBSECTION.KEY`, and its value.
struct Setting<'a> {
    name: &'a [u8],
    value: &'a [u8],
}

impl View {
    /// Makes one at a place where nothing is yet; etalon's variables say where the user is at home.
    pub(super) fn new(
        repository: Repository,
        place: PathBuf,
        environment: &[(OsString, OsString)],
        list: List<'_>,
    ) -> Result<View, SidesError> {
        let failed = |error| SidesError::Io { path: place.clone(), error };
        fs::create_dir_all(place.join("objects/info")).map_err(failed)?;
        let common = repository.common.canonicalize();
        let common =
            common.map_err(|error| SidesError::Io { path: repository.common.clone(), error })?;
        let of_user = list(None, &place)?;
        let own = common.join("config");
        let of_repository = if own.is_file() { list(Some(&own), &place)? } else { Vec::new() };
        let written = configuration(environment, &of_user, &of_repository);
        let alternates = [&quoted_path(&common.join("objects")), &b"\n"[..]].concat();
        let made = fs::write(place.join("objects/info/alternates"), alternates)
            .and_then(|()| LINKED.iter().try_for_each(|name| link(&common, &place, name)))
            .and_then(|()| fs::write(place.join("config"), written));
        made.map_err(failed)?;
        let is_partial = settings(&of_repository).any(|setting| setting.is_of_a_partial_clone());
        Ok(View { repository, is_partial, place })
    }

    /// Whether only the newest history is there.
    pub(super) fn is_shallow(&self) -> bool {
        self.place.join("shallow").exists()
    }

    /// An index for copies.
    pub(super) fn index(&self) -> PathBuf {
        self.place.join("index")
    }

    /// Variables by which git finds the view.
    pub(super) fn variables(&self) -> Vec<(OsString, OsString)> {
        vec![
            ("GIT_DIR".into(), self.repository.own.clone().into()),
            ("GIT_COMMON_DIR".into(), self.place.clone().into()),
        ]
    }
}

/// Leads from the view to what the repository has.
fn link(common: &Path, place: &Path, name: &str) -> io::Result<()> {
    match common.join(name) {
        there if there.exists() => symlink(there, place.join(name)),
        _ => Ok(()),
    }
}

impl Setting<'_> {
    /// The name of its kind: `*` in place of a subsection.
    fn kind(&self) -> Vec<u8> {
        let (section, subsection, key) = self.parts();
        let any = subsection.map_or(&b"."[..], |_| b".*.");
        [section, any, key].concat()
    }

    /// Section, subsection and key. Only a subsection may have dots.
    fn parts(&self) -> (&[u8], Option<&[u8]>, &[u8]) {
        let is_dot = |byte: &u8| *byte == b'.';
        let first = self.name.iter().position(is_dot).unwrap_or(self.name.len());
        let last = self.name.iter().rposition(is_dot).unwrap_or(first);
        let key = self.name.get(last + 1..).unwrap_or_default();
        (&self.name[..first], self.name.get(first + 1..last), key)
    }

    fn is_one_of(&self, kinds: &[&str]) -> bool {
        let kind = self.kind();
        kinds.iter().any(|it| it.as_bytes() == kind)
    }

    fn is_of_a_partial_clone(&self) -> bool {
        let is_on = !matches!(self.value, b"false" | b"0" | b"no" | b"off" | b"");
        self.is_one_of(&["extensions.partialclone", "remote.*.promisor"]) && is_on
    }

    /// As lines of a configuration file.
    fn written(&self, value: &[u8]) -> Vec<u8> {
        let (section, subsection, key) = self.parts();
        let subsection = subsection.map(|name| [b" \"", &escaped(name)[..], b"\""].concat());
        let subsection = subsection.unwrap_or_default();
        [b"[", section, &subsection, b"]\n\t", key, b" = \"", &escaped(value), b"\"\n"].concat()
    }
}

/// Settings as `git config -z --list` prints them: a name, a line feed and a value; a name alone is true.
fn settings(listed: &[u8]) -> impl Iterator<Item = Setting<'_>> {
    listed.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()).map(|entry| {
        match entry.iter().position(|byte| *byte == b'\n') {
            Some(end) => Setting { name: &entry[..end], value: &entry[end + 1..] },
            None => Setting { name: entry, value: b"true" },
        }
    })
}

/// The view's configuration: defaults, then what is kept of the user's settings and the repository's.
fn configuration(
    environment: &[(OsString, OsString)],
    of_user: &[u8],
    of_repository: &[u8],
) -> Vec<u8> {
    let variable = |name: &str| {
        let found = environment.iter().find(|(known, value)| known == name && !value.is_empty());
        found.map(|(_, value)| Path::new(value))
    };
    let home = variable("HOME");
    let directory = variable("XDG_CONFIG_HOME").map(Path::to_owned);
    let directory = directory.or_else(|| Some(home?.join(".config")));
    let mut text = b"[core]\n\trepositoryformatversion = 1\n".to_vec();
    for (name, file) in PATHS {
        let Some(path) = directory.as_ref().map(|directory| directory.join(file)) else { continue };
        let setting = Setting { name: name.as_bytes(), value: path.as_os_str().as_bytes() };
        text.extend(setting.written(setting.value));
    }
    let format = settings(of_repository).filter(|setting| setting.is_one_of(&FORMAT));
    let both = settings(of_user).chain(settings(of_repository));
    for setting in format.chain(both.filter(|setting| setting.is_one_of(&KEPT))) {
        let is_path = PATHS.iter().any(|(name, _)| name.as_bytes() == setting.name);
        match setting.value.strip_prefix(b"~/").zip(home).filter(|_| is_path) {
            // Git has no home here.
            Some((below, home)) => {
                let path = home.join(OsStr::from_bytes(below));
                text.extend(setting.written(path.as_os_str().as_bytes()));
            }
            None => text.extend(setting.written(setting.value)),
        }
    }
    text
}

/// A text between quotation marks of a configuration file.
fn escaped(text: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    for byte in text {
        match byte {
            b'\\' | b'"' => escaped.extend([b'\\', *byte]),
            b'\n' => escaped.extend(b"\\n"),
            _ => escaped.push(*byte),
        }
    }
    escaped
}

/// A path in `objects/info/alternates`, where a line feed would end it.
fn quoted_path(path: &Path) -> Vec<u8> {
    let path = path.as_os_str().as_bytes();
    match path.contains(&b'\n') {
        true => [b"\"", &escaped(path)[..], b"\""].concat(),
        false => path.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a setting that git gets to see although nobody has judged it, one that ends its line and begins
    /// another, and the user's file of what is ignored that is lost.
    #[test]
    fn only_what_is_kept_is_written() {
        let of_user = b"core.excludesfile\n~/x\0core.editor\nevil\0filter.a.smudge\nevil\0\
                        include.path\nevil\0push.default\ncurrent\0";
        let of_repository = b"extensions.partialclone\nevil\0extensions.objectformat\nsha256\0\
                              core.worktree\nevil\0branch.a\"\\.b.merge\nre\"fs\n[evil]\n\\\0\
                              remote.o.url\nevil\0remote.o.fetch\n+a:b\0remote.o.promisor\0";
        let environment = [("HOME".into(), "/home/u".into())];
        let text = configuration(&environment, of_user, of_repository);
        let expected = r#"[core]
	repositoryformatversion = 1
[core]
	excludesfile = "/home/u/.config/git/ignore"
[core]
	attributesfile = "/home/u/.config/git/attributes"
[extensions]
	objectformat = "sha256"
[core]
	excludesfile = "/home/u/x"
[push]
	default = "current"
[branch "a\"\\.b"]
	merge = "re\"fs\n[evil]\n\\"
[remote "o"]
	fetch = "+a:b"
"#;
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        let partial: Vec<bool> =
            settings(of_repository).map(|it| it.is_of_a_partial_clone()).collect();
        assert_eq!(partial, [true, false, false, false, false, false, true]);
        assert!(!settings(b"remote.o.promisor\nfalse\0").any(|it| it.is_of_a_partial_clone()));
    }
}
