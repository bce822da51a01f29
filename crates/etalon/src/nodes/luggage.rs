//! The files that travel with a job: those that its texts name below this directory, and those of `--send`.
//!
//! Refuses what is elsewhere: an absolute path means the same on every machine, and is that machine's own file.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use etalon_record::BenchmarkLine;
use etalon_report::text::clean;
use etalon_run::nodes::Parcel;
use etalon_run::words;

use crate::failure::Failure;

/// More files are not sent.
const MOST: usize = 10_000;

/// Files that travel, and remarks on what does not.
#[derive(Debug, Default)]
pub(crate) struct Luggage {
    files: BTreeMap<PathBuf, Parcel>,
    pub(crate) remarks: Vec<String>,
}

impl Luggage {
    /// The files in order of their paths.
    pub(crate) fn files(self) -> Vec<Parcel> {
        self.files.into_values().collect()
    }

    /// Adds what the texts of commands and their hooks name.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn named(&mut self, benchmarks: &[BenchmarkLine]) -> Result<(), Failure> {
        for line in benchmarks {
            let texts = [&line.command, &line.setup, &line.prepare, &line.conclude, &line.cleanup];
            for text in texts.into_iter().flatten() {
                // What does not close is refused elsewhere.
                for word in words::split(text.as_bytes()).unwrap_or_default() {
                    self.word(&word)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the file that a word names, if it names one.
    fn word(&mut self, word: &[u8]) -> Result<(), Failure> {
        let path = Path::new(OsStr::from_bytes(word));
        let Some(below) = below(path) else { return Ok(()) };
        match fs::metadata(path) {
            Ok(about) if about.is_file() => self.file(path, below),
            Ok(about) if about.is_dir() && below.components().next().is_some() => {
                let name = clean(&path.to_string_lossy());
                let remark = format!("the directory {name} is not sent; --send {name} sends it");
                if !self.remarks.contains(&remark) {
                    self.remarks.push(remark);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn file(&mut self, path: &Path, below: PathBuf) -> Result<(), Failure> {
        if self.files.len() == MOST {
            return Err(Failure::new(format!("more than {MOST} files would be sent: send fewer")));
        }
        let about = |error| Failure::about(path.display(), format!("cannot be sent: {error}"));
        let parcel = Parcel::pack(path, &below).map_err(about)?;
        self.files.insert(below, parcel);
        Ok(())
    }

    /// Adds files and directories that are to be sent.
    ///
    /// # Errors
    /// If one is not below this directory, or not there.
    pub(crate) fn asked(&mut self, option: &str, paths: &[OsString]) -> Result<(), Failure> {
        for path in paths {
            let path = Path::new(path);
            let option = format!("{option} {}", clean(&path.to_string_lossy()));
            let Some(below) = below(path) else {
                let why = "is not below this directory: start etalon further up, or copy it there";
                return Err(Failure::about(option, why));
            };
            let about = fs::metadata(path).map_err(|error| Failure::about(&option, error))?;
            match about.is_dir() {
                true => self.directory(path, &below)?,
                false => self.file(path, below)?,
            }
        }
        // What is sent is not remarked on.
        let is_sent = |remark: &String| {
            paths
                .iter()
                .any(|path| remark.ends_with(&format!("--send {} sends it", path.display())))
        };
        self.remarks.retain(|remark| !is_sent(remark));
        Ok(())
    }

    fn directory(&mut self, path: &Path, below: &Path) -> Result<(), Failure> {
        let about = |error| Failure::about(path.display(), error);
        for entry in fs::read_dir(path).map_err(about)? {
            let entry = entry.map_err(about)?;
            let (from, to) = (entry.path(), below.join(entry.file_name()));
            match entry.file_type().map_err(about)? {
                kind if kind.is_dir() => self.directory(&from, &to)?,
                // A link to a directory might lead around in a circle.
                kind if kind.is_file() || from.is_file() => self.file(&from, to)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// A path as it is below this directory, if it is.
fn below(path: &Path) -> Option<PathBuf> {
    let path = match path.is_absolute() {
        true => return None,
        false => path,
    };
    let mut below = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => below.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(below)
}
