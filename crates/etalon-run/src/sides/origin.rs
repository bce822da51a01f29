//! Where a command takes its files from: of its own side, or of somewhere else.
//!
//! Owns: the decision from what one execution on each side has opened, and nothing else: what is opened is
//! [`etalon_probe::trace`]'s, contents are whoever compares them. Refuses to take for a reading what says nothing of a
//! side: caches, logs, files of version control.
//!
//! Two files are namesakes if their paths end in the same words, of which one tells a project from others: `lib/index.js`
//! is a file of every package. Another place of the same project, such as the working tree, needs no such words.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// Directories that hold nothing of a revision.
const CACHES: [&str; 10] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    ".cache",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    "__pycache__",
];

/// Directories that packages of all kinds have: they tell nothing apart.
const COMMON_DIRECTORIES: [&str; 30] = [
    "bin", "build", "cjs", "common", "config", "core", "data", "dist", "docs", "es", "esm", "etc",
    "examples", "include", "internal", "lib", "lib64", "main", "out", "release", "scripts",
    "share", "src", "target", "test", "tests", "types", "util", "utils", "vendor",
];

/// Names without what follows their first dot that files of all kinds of packages have.
const COMMON_NAMES: [&str; 18] = [
    "__init__",
    "__main__",
    "base",
    "common",
    "config",
    "constants",
    "errors",
    "helpers",
    "index",
    "init",
    "main",
    "mod",
    "package",
    "setup",
    "types",
    "util",
    "utils",
    "version",
];

/// One execution of a command on one side.
#[derive(Debug, Clone, Copy)]
pub struct Execution<'a> {
    /// The name of the side.
    pub side: &'static str,
    /// The top of its copy, links resolved.
    pub root: &'a Path,
    /// The files that it opened, as absolute paths with links resolved.
    pub opened: &'a BTreeSet<PathBuf>,
    /// Names below the top that it has seen without opening them: of files that it asked about, and of directories that
    /// it listed.
    pub seen: &'a BTreeSet<PathBuf>,
}

/// A project: its name, where it is besides, and the files of its copies.
#[derive(Debug, Clone, Default)]
pub struct Project {
    name: OsString,
    elsewhere: Vec<PathBuf>,
    files: BTreeSet<PathBuf>,
    /// Those that are evidence, by their names without directories: there may be as many as commands times files to ask.
    by_name: BTreeMap<OsString, Vec<PathBuf>>,
}

impl Project {
    /// One that is called by the directory it is in, and is `elsewhere` too (its other copies, the working tree; links
    /// resolved); `files` are paths of what both sides or one of them have, below their tops.
    #[must_use]
    pub fn new(name: OsString, elsewhere: Vec<PathBuf>, files: BTreeSet<PathBuf>) -> Project {
        let mut by_name: BTreeMap<OsString, Vec<PathBuf>> = BTreeMap::new();
        for file in files.iter().filter(|file| is_evidence(file)) {
            if let Some(name) = file.file_name() {
                by_name.entry(name.to_owned()).or_default().push(file.clone());
            }
        }
        Project { name, elsewhere, files, by_name }
    }

    /// Whether a side had this file, below its top.
    #[must_use]
    pub(crate) fn has(&self, file: &Path) -> bool {
        self.files.contains(file)
    }

    /// Whether a side had a file below this directory, itself below its top.
    #[must_use]
    pub(crate) fn has_below(&self, directory: &Path) -> bool {
        let next = self.files.range(directory.to_owned()..).next();
        next.is_some_and(|file| file.starts_with(directory))
    }
}

/// Where a command's files come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A side reads another file in place of its own, which differs between the sides.
    Elsewhere {
        /// Which side.
        side: &'static str,
        /// Its own file, below its top.
        own: PathBuf,
        /// The file that it reads.
        instead: PathBuf,
    },
    /// A side neither reads nor sees anything of its own.
    Nowhere {
        /// Which side.
        side: &'static str,
    },
    /// Both read their own.
    Own(Reading),
}

/// The files of their own that two sides have read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Paths below their tops.
    pub files: BTreeSet<PathBuf>,
    /// Those of them that differ.
    pub differing: BTreeSet<PathBuf>,
    /// Names and directories below their tops that they have seen without opening them.
    pub seen: BTreeSet<PathBuf>,
    /// Whether they have read the same files besides.
    pub outside: Outside,
}

/// The files outside both that two sides have read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Outside {
    /// Both have read equal ones.
    #[default]
    Same,
    /// Other ones each.
    Other,
}

/// Where the files of a command come from. `differs` compares a file of both sides by content; one that a side lacks
/// differs.
pub(crate) fn origin(
    sides: [Execution<'_>; 2],
    project: &Project,
    differs: &mut dyn FnMut(&Path) -> bool,
) -> Origin {
    let read = sides.map(|side| Files::of(&side));
    for (execution, files) in sides.iter().zip(&read) {
        if let Some((own, instead)) = files.in_place_of_its_own(project, differs) {
            return Origin::Elsewhere { side: execution.side, own, instead };
        }
    }
    for (execution, files) in sides.iter().zip(&read) {
        if files.own.is_empty() && !execution.seen.iter().any(|path| is_evidence(path)) {
            return Origin::Nowhere { side: execution.side };
        }
    }
    let [base, head] = read;
    let outside = if base.outside == head.outside { Outside::Same } else { Outside::Other };
    let files: BTreeSet<PathBuf> = base.own.into_iter().chain(head.own).collect();
    let differing = files.iter().filter(|file| differs(file)).cloned().collect();
    let seen = sides.iter().flat_map(|side| side.seen).filter(|path| is_evidence(path));
    Origin::Own(Reading { seen: seen.cloned().collect(), files, differing, outside })
}

/// The files that one execution opened, by where they are.
struct Files {
    /// Below the side's top.
    own: BTreeSet<PathBuf>,
    /// Anywhere else.
    outside: BTreeSet<PathBuf>,
}

impl Files {
    fn of(execution: &Execution<'_>) -> Files {
        let (mut own, mut outside) = (BTreeSet::new(), BTreeSet::new());
        for path in execution.opened {
            let path = source(path);
            match path.strip_prefix(execution.root) {
                Ok(inside) if is_evidence(inside) => drop(own.insert(inside.to_owned())),
                Ok(_cache) => {}
                Err(_) => drop(outside.insert(path)),
            }
        }
        Files { own, outside }
    }

    /// A file of its own that differs and is not read, and what is read in its place.
    fn in_place_of_its_own(
        &self,
        project: &Project,
        differs: &mut dyn FnMut(&Path) -> bool,
    ) -> Option<(PathBuf, PathBuf)> {
        for path in self.outside.iter().filter(|path| is_evidence(path)) {
            let in_project = project.elsewhere.iter().find_map(|root| path.strip_prefix(root).ok());
            let in_project = in_project.filter(|file| project.files.contains(*file));
            let named = path.file_name().and_then(|name| project.by_name.get(name));
            let named = named.into_iter().flatten().map(PathBuf::as_path);
            let shared = named.filter_map(|own| Some((shared(&project.name, own, path)?, own)));
            let mut shared: Vec<(usize, &Path)> = shared.collect();
            // The one that is named most alike comes first.
            shared.sort_by_key(|(words, _)| std::cmp::Reverse(*words));
            let candidates = in_project.into_iter().chain(shared.into_iter().map(|(_, own)| own));
            for own in candidates.filter(|own| !self.own.contains(*own)) {
                if differs(own) {
                    return Some((own.to_owned(), path.clone()));
                }
            }
        }
        None
    }
}

/// How many words a file of the project shares with the end of another path, where these are at least two and tell the
/// project from others. The project's name stands before the first word, and is not counted.
fn shared(project: &OsStr, own: &Path, other: &Path) -> Option<usize> {
    let words = |path: &Path| -> Vec<OsString> {
        let normal = path.components().filter_map(|part| match part {
            Component::Normal(word) => Some(unversioned(word).to_owned()),
            _ => None,
        });
        normal.collect()
    };
    let (mut own, other) = (words(own), words(other));
    let of_its_own = own.len();
    own.insert(0, project.to_owned());
    let shared = own.iter().rev().zip(other.iter().rev()).take_while(|(one, two)| one == two);
    let shared: Vec<&OsStr> = shared.map(|(word, _)| word.as_os_str()).collect();
    let [file, directories @ ..] = &shared[..] else { return None };
    let is_common = |word: &OsStr| COMMON_DIRECTORIES.iter().any(|common| word == *common);
    let stem = file.to_string_lossy();
    let stem = stem.split('.').next().unwrap_or_default();
    let tells = !COMMON_NAMES.contains(&stem) || directories.iter().any(|word| !is_common(word));
    (!directories.is_empty() && tells).then_some(shared.len().min(of_its_own))
}

/// A word without the version that Go puts behind the name of a module.
fn unversioned(word: &OsStr) -> &OsStr {
    let bytes = word.as_bytes();
    let end = bytes.windows(2).position(|pair| pair == b"@v").filter(|at| *at > 0);
    OsStr::from_bytes(&bytes[..end.unwrap_or(bytes.len())])
}

/// The file that was compiled into this one, where Python keeps such: the source itself is not opened then.
fn source(path: &Path) -> PathBuf {
    let of_source = || {
        let directory = path.parent().filter(|it| it.ends_with("__pycache__"))?.parent()?;
        let name = path.file_name()?.to_str()?;
        let (module, tag) = name.split_once('.')?;
        tag.ends_with("pyc").then(|| directory.join(format!("{module}.py")))
    };
    of_source().unwrap_or_else(|| path.to_owned())
}

/// Whether a file that is read says what state of a project it is of.
pub(super) fn is_evidence(path: &Path) -> bool {
    let of_cache = |word: &OsStr| CACHES.iter().any(|cache| word == *cache);
    let ends = path.extension().and_then(OsStr::to_str);
    !path.iter().any(of_cache) && !matches!(ends, Some("log" | "pyc" | "pyo"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(all: &[&str]) -> BTreeSet<PathBuf> {
        all.iter().map(PathBuf::from).collect()
    }

    /// The origin in a project with these files, of which those with `new` in their path differ; both sides open the
    /// same paths, in which `~` is the top of each.
    fn origin_from_files(files: &[&str], opened: &[&str]) -> Origin {
        let elsewhere = vec!["/home/me/work".into()];
        let project = Project::new("shop".into(), elsewhere, paths(files));
        let of = |root: &str| -> BTreeSet<PathBuf> {
            opened.iter().map(|path| PathBuf::from(path.replace('~', root))).collect()
        };
        let (base, head) = (of("/b"), of("/h"));
        let seen = &BTreeSet::new();
        let sides = [
            Execution { side: "base", root: Path::new("/b"), opened: &base, seen },
            Execution { side: "head", root: Path::new("/h"), opened: &head, seen },
        ];
        let is_new = |path: &Path| path.to_string_lossy().contains("new");
        origin(sides, &project, &mut |path| is_new(path))
    }

    fn elsewhere(own: &str, instead: &str) -> Origin {
        Origin::Elsewhere { side: "base", own: own.into(), instead: instead.into() }
    }

    /// Would catch a library that is installed and compared with itself.
    #[test]
    fn a_namesake_in_place_of_a_changed_file_is_told() {
        let files = ["bench.py", "src/shop/new.py", "src/shop/old.py", "lib/libnew.so"];
        let judged = |opened: &[&str]| origin_from_files(&files, opened);
        let site = "/usr/lib/python3/site-packages/shop/new.py";
        assert_eq!(judged(&["~/bench.py", site]), elsewhere("src/shop/new.py", site));
        let cached = "/usr/lib/python3/site-packages/shop/__pycache__/new.cpython-311.pyc";
        assert_eq!(judged(&["~/bench.py", cached]), elsewhere("src/shop/new.py", site));
        let library = "/opt/lib/libnew.so";
        assert_eq!(judged(&["~/bench.py", library]), elsewhere("lib/libnew.so", library));
        // The project's own name counts as a directory; a module of Go has a version behind it; the working tree is known.
        let module = "/go/pkg/mod/example.com/shop@v1.2.0/new.py";
        for instead in ["/opt/shop/new.py", module, "/home/me/work/new.py"] {
            let alone = ["bench.py", "new.py"];
            assert_eq!(
                origin_from_files(&alone, &["~/bench.py", instead]),
                elsewhere("new.py", instead)
            );
        }
    }

    /// Would catch a comparison that is refused because of a file of some other package, or of one that both sides read.
    #[test]
    fn what_is_no_namesake_or_is_read_beside_its_own_passes() {
        let files =
            ["bench.py", "src/shop/new.py", "lib/index.js", "newer/lib/index.js", "old/x.py"];
        let own = |opened: &[&str]| matches!(origin_from_files(&files, opened), Origin::Own(_));
        assert!(own(&["~/bench.py", "/usr/lib/other/new.py"]));
        assert!(own(&["~/bench.py", "/usr/lib/new.py"]));
        assert!(own(&["~/bench.py", "/usr/lib/old/x.py"]));
        assert!(own(&["~/bench.py", "~/src/shop/new.py", "/usr/lib/shop/new.py"]));
        assert!(own(&[
            "~/bench.py",
            "~/src/shop/__pycache__/new.cpython-311.pyc",
            "/u/shop/new.py"
        ]));
        assert!(own(&["~/bench.py", "/srv/node_modules/other/lib/index.js"]));
        assert!(!own(&["~/bench.py", "/srv/node_modules/newer/lib/index.js"]));
    }

    /// Would catch a side that is said to be read because something was written or cached there.
    #[test]
    fn caches_and_logs_are_no_reading() {
        for opened in [
            &["/usr/bin/ls"][..],
            &["~/.git/HEAD", "/usr/bin/git"],
            &["~/run.log", "~/.cache/x", "~/a.pyc"],
        ] {
            assert_eq!(
                origin_from_files(&[], opened),
                Origin::Nowhere { side: "base" },
                "{opened:?}"
            );
        }
    }

    /// Would catch a listing that counts for nothing, one side's that counts for the other, and a cache that is asked
    /// about.
    #[test]
    fn what_is_seen_of_a_side_is_its_own() {
        let nothing = BTreeSet::new();
        let judged = |seen: [&[&str]; 2]| {
            let [base, head] = seen.map(paths);
            let opened = &nothing;
            let sides = [
                Execution { side: "base", root: Path::new("/b"), opened, seen: &base },
                Execution { side: "head", root: Path::new("/h"), opened, seen: &head },
            ];
            origin(sides, &Project::default(), &mut |_| false)
        };
        let Origin::Own(found) = judged([&["", "d/a"], &["d"]]) else { panic!() };
        assert_eq!((found.seen, found.files), (paths(&["", "d", "d/a"]), paths(&[])));
        assert_eq!(judged([&["d"], &[]]), Origin::Nowhere { side: "head" });
        assert_eq!(judged([&[".git/HEAD", "x.log"], &["d"]]), Origin::Nowhere { side: "base" });
        let project = Project::new("p".into(), Vec::new(), paths(&["d/a", "dd"]));
        assert_eq!(["", "d", "e"].map(|it| project.has_below(Path::new(it))), [true, true, false]);
    }

    /// Would catch "the same bytes" of sides of which one file differs, or which read other files besides.
    #[test]
    fn what_differs_of_what_was_read_is_named() {
        let Origin::Own(same) = origin_from_files(&["a", "new"], &["~/a", "/bin/x"]) else {
            panic!()
        };
        assert_eq!((same.differing, same.outside), (paths(&[]), Outside::Same));
        let Origin::Own(differing) = origin_from_files(&["a", "new"], &["~/a", "~/new"]) else {
            panic!()
        };
        assert_eq!(differing.differing, paths(&["new"]));
        assert_eq!(differing.files, paths(&["a", "new"]));
        let Origin::Own(other) = origin_from_files(&["a"], &["~/a", "/opt~/data"]) else {
            panic!()
        };
        assert_eq!(other.outside, Outside::Other);
    }
}
