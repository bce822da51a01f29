//! The results of one execution: found where they are to be, fresh, and read.
//!
//! Owns what counts as written by an execution: standard output, a path where nothing was before it, or a file that is
//! not the one that was there before. Regular files only, no link is followed, and no more is read than fits in memory.
//! Refuses to know whose results they are.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use etalon_record::entries::entries;
use etalon_record::foreign::harness::results::{Part, Results, Source};
use etalon_record::foreign::harness::{self, HarnessFormat};
use etalon_record::{ReadError, open};

/// The most bytes of all files of an execution, and the most files and levels of a directory. Because: a harness writes
/// megabytes; what is more was not meant, and has to fit in memory.
const MOST: u64 = 256 << 20;
const FILES: usize = 100_000;
const DEPTH: usize = 12;
/// The most benchmarks of an execution.
const BENCHMARKS: usize = 100_000;

/// A file that is older than an execution by more than this was not written by it. Because: some file systems count time
/// in steps of 2 s.
const STEP: Duration = Duration::from_secs(2);

/// Bytes that say which format a file is in.
const BEGINNING: usize = 64 * 1024;

/// How results of executions are had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsSpec {
    /// Their format.
    pub format: HarnessFormat,
    /// Where they are.
    pub place: Place,
}

/// Where results are after an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The file that standard output goes to.
    Stdout(PathBuf),
    /// The path that the command was given: nothing is there before each execution.
    Given(PathBuf),
    /// A path below the directory of each subject, where earlier results may be.
    Own {
        /// Each of them.
        directories: Vec<PathBuf>,
        /// The path, of plain names only.
        path: PathBuf,
    },
}

/// What was there before an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Before {
    /// The files, each with what changes when it is written.
    files: Vec<(PathBuf, Stamp)>,
    /// When that was, with a step of a file system's time taken off.
    since: SystemTime,
}

impl Before {
    /// Now, with these files.
    fn now(files: Vec<(PathBuf, Stamp)>) -> Before {
        let now = SystemTime::now();
        Before { files, since: now.checked_sub(STEP).unwrap_or(now) }
    }

    /// Whether a file was there, as it is.
    fn has(&self, (path, about): &(PathBuf, fs::Metadata)) -> bool {
        self.files.iter().any(|(known, was)| known == path && *was == stamp(about))
    }

    /// Whether a file was written after that.
    fn precedes(&self, about: &fs::Metadata) -> bool {
        about.modified().is_ok_and(|written| written >= self.since)
    }
}

/// Device, inode, size, and time of the last change in s and ns.
type Stamp = (u64, u64, u64, i64, i64);

/// Results, or a sentence on why there are none.
pub(super) type Taken = Result<Results, String>;

impl ResultsSpec {
    /// Gets ready for an execution of a subject.
    ///
    /// # Errors
    /// In words, if what is left of the one before cannot be removed.
    pub(super) fn before(&self, subject: usize) -> Result<Before, String> {
        match &self.place {
            // It is emptied before each execution.
            Place::Stdout(_) => Ok(Before::now(Vec::new())),
            Place::Given(path) => removed(path).map(|()| Before::now(Vec::new())),
            Place::Own { directories, path } => {
                let files = directories.get(subject).map(|directory| {
                    let own = below_without_links(directory, path);
                    own.and_then(|path| files(&path, self.format)).unwrap_or_default()
                });
                let files = files.into_iter().flatten();
                Ok(Before::now(files.map(|(path, about)| (path, stamp(&about))).collect()))
            }
        }
    }

    /// The results that an execution of a subject wrote.
    pub(super) fn taken(&self, subject: usize, before: &Before) -> Taken {
        let (path, called) = match &self.place {
            Place::Stdout(path) => (path.clone(), "standard output".to_owned()),
            Place::Given(path) => (path.clone(), "{results}".to_owned()),
            Place::Own { directories, path } => match directories.get(subject) {
                Some(of) => (below_without_links(of, path)?, of.join(path).display().to_string()),
                None => return Err("it has no directory".to_owned()),
            },
        };
        let all = files(&path, self.format).map_err(|why| format!("{called}: {why}"))?;
        let is_there = !all.is_empty();
        let changed: Vec<_> = all.into_iter().filter(|file| !before.has(file)).collect();
        let is_changed = !changed.is_empty();
        let fresh: Vec<_> =
            changed.into_iter().filter(|(_, about)| before.precedes(about)).collect();
        if fresh.is_empty() {
            return Err(match &self.place {
                _ if is_changed => {
                    format!("{called} was not written: it is older than this execution")
                }
                Place::Own { .. } if is_there => {
                    format!("{called} was not written: it is as it was before this execution")
                }
                _ => format!("nothing was written to {called}"),
            });
        }
        if let (some @ 2.., None) = (fresh.len(), self.format.files()) {
            let format = self.format.name();
            return Err(format!(
                "{called}: {some} files were written, and results of {format} are one"
            ));
        }
        let source = self.source((&path, &called), &fresh);
        self.read(&source.map_err(|why| format!("{called}: {why}"))?, &called)
    }

    /// The files with those that they are read with, by what they are called.
    fn source(
        &self,
        (at, called): (&Path, &str),
        files: &[(PathBuf, fs::Metadata)],
    ) -> Result<Source, String> {
        let size: u64 = files.iter().map(|(_, about)| about.len()).sum();
        if size > MOST {
            return Err(format!("more than {} MB", MOST >> 20));
        }
        let shown = |path: &Path| match path.strip_prefix(at) {
            Ok(below) if !below.as_os_str().is_empty() => format!("{called}/{}", below.display()),
            _ => called.to_owned(),
        };
        let (mut parts, mut left) = (Vec::new(), MOST);
        for (path, _) in files {
            let text = text(path).map_err(|error| format!("{}: {error}", shown(path)))?;
            let remaining = left.checked_sub(text.len() as u64);
            left = remaining.ok_or_else(|| format!("more than {} MB", MOST >> 20))?;
            parts.push(Part { path: shown(path), text });
        }
        let directory = files.first().and_then(|(path, _)| path.parent()).unwrap_or(at);
        for name in self.format.beside() {
            let path = directory.join(name);
            let called = match path.strip_prefix(at) {
                Ok(_) => shown(&path),
                Err(_) => path.display().to_string(),
            };
            let is_read = parts.iter().any(|part| part.path == called);
            if !is_read && let Ok(text) = text(&path) {
                parts.push(Part { path: called, text });
            }
        }
        Ok(Source { parts })
    }

    fn read(&self, source: &Source, called: &str) -> Taken {
        let text = source.text();
        if text.trim_ascii().is_empty() && source.parts.len() == 1 {
            return Err(format!("nothing was written to {called}"));
        }
        let beginning = &text[..text.len().min(BEGINNING)];
        let candidates = HarnessFormat::candidates(beginning);
        if let Some(other) = candidates.first().filter(|_| !candidates.contains(&self.format)) {
            let (asked, found) = (self.format.name(), other.name());
            return Err(format!("{called} has results of {found}, not of {asked}"));
        }
        let results = harness::read(self.format, source).map_err(|error| match error {
            ReadError::Harness { source, line, reason, .. } => {
                format!("{source}:{line}: {reason}; it is no result of {}", self.format.name())
            }
            other => other.to_string(),
        })?;
        let lost = results.remarks.iter().find(|remark| remark.loses);
        match (results.benchmarks.len(), lost) {
            (0, Some(why)) => Err(format!("{called} has no benchmark: {}", why.text)),
            (0, None) => Err(format!("{called} has no benchmark")),
            (some, _) if some > BENCHMARKS => Err(format!(
                "{called} has {some} benchmarks, and {BENCHMARKS} of an execution are the most: execute fewer at once"
            )),
            _ => Ok(results),
        }
    }
}

/// A path below a directory, none of whose directories is a link.
fn below_without_links(directory: &Path, path: &Path) -> Result<PathBuf, String> {
    let mut here = directory.to_owned();
    for part in path.parent().into_iter().flat_map(Path::components) {
        here.push(part);
        if fs::symlink_metadata(&here).is_ok_and(|about| about.is_symlink()) {
            return Err(format!(
                "{}: {} is a link, and none is followed",
                path.display(),
                here.display()
            ));
        }
    }
    Ok(directory.join(path))
}

/// The regular files at a path: it, or those below it that its format names; of one that names none, all but those that
/// results are read with.
fn files(path: &Path, format: HarnessFormat) -> Result<Vec<(PathBuf, fs::Metadata)>, String> {
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
    };
    if about.is_dir() {
        let Some(is_of) = format.files() else {
            let beside: Vec<&OsStr> =
                format.beside().iter().filter_map(|name| Path::new(name).file_name()).collect();
            let mut all = below(path, |_| true)?;
            all.retain(|(path, _)| path.file_name().is_none_or(|name| !beside.contains(&name)));
            return Ok(all);
        };
        return below(path, is_of);
    }
    match about.is_file() {
        true => Ok(vec![(path.to_owned(), about)]),
        false => Err("no regular file, and no link is followed".to_owned()),
    }
}

/// The regular files below a directory that are meant, in the order of their names.
fn below(top: &Path, is_of: fn(&Path) -> bool) -> Result<Vec<(PathBuf, fs::Metadata)>, String> {
    let (mut found, mut next) = (Vec::new(), vec![(top.to_owned(), 0)]);
    while let Some((directory, depth)) = next.pop() {
        let entries = entries(&directory).map_err(|error| error.to_string())?;
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(about) = fs::symlink_metadata(&path) else { continue };
            if about.is_dir() && depth < DEPTH {
                next.push((path, depth + 1));
            } else if about.is_file() && is_of(&path) {
                found.push((path, about));
            }
        }
        if found.len() > FILES {
            return Err(format!("more than {FILES} files"));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found)
}

fn stamp(about: &fs::Metadata) -> Stamp {
    (about.dev(), about.ino(), about.len(), about.mtime(), about.mtime_nsec())
}

/// A file as text; not one that took the place of what was looked at.
fn text(path: &Path) -> io::Result<Vec<u8>> {
    let about = fs::symlink_metadata(path)?;
    if !about.is_file() {
        return Err(io::Error::other("no regular file"));
    }
    let file = File::open(path)?;
    let opened = file.metadata()?;
    if (opened.dev(), opened.ino()) != (about.dev(), about.ino()) {
        return Err(io::Error::other("another file took its place"));
    }
    open::whole_text(BufReader::new(file))
}

/// Removes whatever is at a path; a link itself.
fn removed(path: &Path) -> Result<(), String> {
    let gone = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(about) if about.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    gone.map_err(|error| format!("{} cannot be removed: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    const ONE: &str =
        r#"{"machine_info":{},"benchmarks":[{"name":"a","stats":{"data":[1.0],"median":1.0}}]}"#;

    fn spec(place: Place) -> ResultsSpec {
        ResultsSpec { format: HarnessFormat::PytestBenchmark, place }
    }

    /// Would catch results of an earlier execution, a link that is followed, and silence.
    #[test]
    fn only_what_was_written_counts() {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("out.json");
        let at = |path: &str| {
            let directories = vec![room.path().to_owned()];
            spec(Place::Own { directories, path: PathBuf::from(path) })
        };
        let own = at("out.json");
        let before = own.before(0).unwrap();
        let why = |taken: Taken| taken.map(drop).unwrap_err();
        assert!(why(own.taken(0, &before)).contains("nothing was written to"));
        fs::write(&path, ONE).unwrap();
        assert_eq!(own.taken(0, &before).unwrap().benchmarks.len(), 1);
        let before = own.before(0).unwrap();
        assert!(why(own.taken(0, &before)).contains("it is as it was before"));
        fs::rename(&path, room.path().join("kept")).unwrap();
        fs::write(&path, ONE).unwrap();
        assert!(own.taken(0, &before).is_ok());
        fs::remove_file(&path).unwrap();
        symlink(room.path().join("kept"), &path).unwrap();
        assert!(why(own.taken(0, &before)).contains("no regular file"));
        fs::create_dir(room.path().join("dir")).unwrap();
        fs::write(room.path().join("dir/out.json"), ONE).unwrap();
        assert!(at("dir/out.json").taken(0, &before).is_ok());
        symlink("dir", room.path().join("link")).unwrap();
        assert!(why(at("link/out.json").taken(0, &before)).contains("none is followed"));

        let given = spec(Place::Given(path.clone()));
        given.before(0).unwrap();
        assert!(!path.exists() && room.path().join("kept").exists());
        fs::create_dir(&path).unwrap();
        assert!(
            why(given.taken(0, &Before::now(Vec::new())))
                .contains("nothing was written to {results}")
        );
        fs::write(path.join("0001.json"), ONE).unwrap();
        assert!(given.taken(0, &Before::now(Vec::new())).is_ok());
        given.before(0).unwrap();
        assert!(!path.exists());
    }

    /// Would catch what stands beside results taken for some, results of earlier executions that get in the way, and one of
    /// two results that is left out in silence.
    #[test]
    fn of_a_directory_the_one_file_that_was_written_counts() {
        const ASV: &str =
            r#"{"commit_hash":"a","result_columns":["result"],"results":{"b":[[1.5]]}}"#;
        let room = tempfile::tempdir().unwrap();
        let machine = room.path().join("machine");
        fs::create_dir(&machine).unwrap();
        fs::write(machine.join("before.json"), ASV).unwrap();
        let directories = vec![room.path().to_owned()];
        let place = Place::Own { directories, path: PathBuf::new() };
        let asv = ResultsSpec { format: HarnessFormat::Asv, place };
        let before = asv.before(0).unwrap();
        for (file, text) in [
            ("benchmarks.json", r#"{"b":{"unit":"seconds"},"version":2}"#),
            ("machine/machine.json", r#"{"machine":"m"}"#),
            ("machine/after.json", ASV),
        ] {
            fs::write(room.path().join(file), text).unwrap();
        }
        let taken = asv.taken(0, &before).unwrap();
        assert_eq!(taken.benchmarks.len(), 1);
        assert_eq!(taken.facts.get("machine.host").map(String::as_str), Some("m"));
        fs::write(machine.join("other.json"), ASV).unwrap();
        let why = asv.taken(0, &before).map(drop).unwrap_err();
        assert!(why.contains("2 files were written, and results of asv are one"), "{why}");
    }

    /// Would catch another harness's results that are read as nothing, and an empty or cut file without a place.
    #[test]
    fn what_is_no_result_says_why() {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("out");
        let spec = spec(Place::Stdout(path.clone()));
        let jmh = r#"[{"jmhVersion":"1.37","benchmark":"a","primaryMetric":{"rawData":[[1.0]],"scoreUnit":"ns/op"}}]"#;
        for (text, said) in [
            ("", "nothing was written to standard output"),
            (" \n", "nothing was written to standard output"),
            (jmh, "results of jmh, not of pytest-benchmark"),
            (&ONE[..ONE.len() - 9], "pytest-benchmark"),
            (r#"{"machine_info":{},"benchmarks":[]}"#, "no benchmark"),
        ] {
            fs::write(&path, text).unwrap();
            let why = spec.taken(0, &Before::now(Vec::new())).map(drop).unwrap_err();
            assert!(why.contains(said), "{text}: {why}");
        }
    }
}
