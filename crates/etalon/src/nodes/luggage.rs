//! The files that travel with a job: those that its texts name below this directory, those of `--send`, and whole copies
//! of sides.
//!
//! Refuses what is elsewhere: an absolute path means the same on every machine, and is that machine's own file.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use etalon_probe::travel::Payload;
use etalon_record::entries::entries;
use etalon_record::{BenchmarkLine, Text};
use etalon_report::number::counted;
use etalon_report::runs::size;
use etalon_report::text::clean;
use etalon_run::nodes::protocol::SideCopy;
use etalon_run::nodes::{Parcel, length};
use etalon_run::{without_detours, words};

use super::modules::needs_others;
use super::tree::{OF_COPIES, Tree};
use crate::failure::Failure;
use crate::tool;

/// More files that texts name are not sent.
const MOST: usize = 10_000;

/// More entries of directories are not looked at.
const LOOKED_AT: usize = 200_000;

/// The end of the name of a suite.
const SUITE: &str = "_bench.lua";

/// The function of Lua that loads a library of C.
const LOADS: &[u8] = b"ffi.load";

/// The directory on the other side that copies are in.
const COPIES: &str = "etalon-sides";

/// Files that travel, and remarks on what does not.
#[derive(Debug, Default)]
pub(crate) struct Luggage {
    files: BTreeMap<PathBuf, Parcel>,
    copies: Vec<SideCopy>,
    /// Whether something of it loads a library of C.
    has_c: bool,
    /// Files of Lua among them that are asked for, and not by others of them.
    suites: BTreeSet<PathBuf>,
    remarks: Vec<String>,
}

impl Luggage {
    /// The files in order of their paths, and the copies among them.
    pub(crate) fn packed(self) -> (Vec<Parcel>, Vec<SideCopy>) {
        (self.files.into_values().collect(), self.copies)
    }

    /// What is to be said of it.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = self.remarks.clone();
        if !self.copies.is_empty() {
            let parcels: Vec<Parcel> = self.files.values().cloned().collect();
            let (files, contents) =
                (counted(parcels.len(), "file", "files"), size(length(&parcels)));
            remarks
                .push(format!("each machine is sent the builds: {files}, {contents} of contents"));
        }
        remarks
    }

    /// Whether this file, which has an absolute path, is sent.
    pub(crate) fn has(&self, path: &Path) -> bool {
        let is_it = |parcel: &&Parcel| {
            parcel.from.file_name() == path.file_name()
                && parcel
                    .from
                    .canonicalize()
                    .is_ok_and(|from| path.canonicalize().ok() == Some(from))
        };
        self.files.values().any(|parcel| is_it(&parcel))
    }

    /// Adds a file of this machine, to be at a path below the directory there.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn put(&mut self, path: &Path, there: PathBuf) -> Result<(), Failure> {
        self.file(path, there)
    }

    /// Adds copies of sides as they are now: each with its top, and the directory that commands are executed in.
    ///
    /// # Errors
    /// If one cannot be read, or all are more than is sent.
    pub(crate) fn sides<'c>(
        &mut self,
        copies: impl Iterator<Item = ((&'c str, Option<usize>), (&'c Path, &'c Path))>,
    ) -> Result<(), Failure> {
        let mut left = OF_COPIES;
        for ((side, build), (root, directory)) in copies {
            let place = place_of_copy(side, build);
            let directory = directory.strip_prefix(root).unwrap_or(Path::new(""));
            let mut tree = Tree { side, root, left };
            tree.walk(root, &place, &mut self.files)?;
            left = tree.left;
            self.copies.push(SideCopy {
                side: side.to_owned(),
                build,
                root: place.as_os_str().into(),
                directory: directory.as_os_str().into(),
            });
        }
        Ok(())
    }

    /// Adds what the texts of commands and their hooks name, which are executed in this directory where they have none of
    /// their own.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn named(
        &mut self,
        benchmarks: &[BenchmarkLine],
        directory: &Path,
    ) -> Result<(), Failure> {
        for line in benchmarks {
            let texts = [&line.command, &line.setup, &line.prepare, &line.conclude, &line.cleanup];
            let own = line.cwd.as_ref().map(|it| Path::new(OsStr::from_bytes(it.as_bytes())));
            let texts = texts.into_iter().flatten().map(Text::as_bytes);
            self.texts(texts, own.unwrap_or(directory))?;
        }
        Ok(())
    }

    /// Adds what texts name that are executed in a directory, and that.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn texts<'t>(
        &mut self,
        texts: impl Iterator<Item = &'t [u8]>,
        directory: &Path,
    ) -> Result<(), Failure> {
        let here = tool::here()?;
        self.directory_at(directory, &here)?;
        for text in texts {
            // What does not close is refused elsewhere.
            for word in words::split(text).unwrap_or_default() {
                self.word(&word, directory, &here)?;
            }
        }
        Ok(())
    }

    /// Has a directory be there, as far as it is below this one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn directory_at(&mut self, directory: &Path, here: &Path) -> Result<(), Failure> {
        let directory = without_detours(&here.join(directory));
        let Ok(below) = directory.strip_prefix(here) else { return Ok(()) };
        if below.as_os_str().is_empty() || !directory.is_dir() {
            return Ok(());
        }
        let parcel = Parcel::without_content(&directory, below);
        let parcel = parcel.map_err(|error| Failure::about(directory.display(), error))?;
        self.files.insert(below.to_owned(), parcel);
        Ok(())
    }

    /// Adds the file that a word names, if it names one.
    fn word(&mut self, word: &[u8], directory: &Path, here: &Path) -> Result<(), Failure> {
        let word = Path::new(OsStr::from_bytes(word));
        let path = without_detours(&directory.join(word));
        let below = path.strip_prefix(here).ok().filter(|_| word.is_relative());
        let Some(below) = below.map(Path::to_owned) else { return Ok(()) };
        match fs::metadata(&path) {
            Ok(about) if about.is_file() => self.file(&path, below),
            Ok(about) if about.is_dir() && !below.as_os_str().is_empty() => {
                let name = clean(&below.to_string_lossy());
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
        self.has_c |= match path.extension().and_then(OsStr::to_str) {
            Some("so") => true,
            Some("lua") => {
                fs::read(path).is_ok_and(|text| text.windows(LOADS.len()).any(|word| word == LOADS))
            }
            _ => false,
        };
        self.files.insert(below, parcel);
        Ok(())
    }

    /// Adds every file of Lua below this directory, as it may be required; hidden directories aside.
    ///
    /// # Errors
    /// If one cannot be read, or there are too many.
    pub(crate) fn add_lua(&mut self) -> Result<(), Failure> {
        self.lua_below(Path::new(""), &mut 0)
    }

    fn lua_below(&mut self, directory: &Path, seen: &mut usize) -> Result<(), Failure> {
        let here = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        // What cannot be read here is read by no suite.
        for entry in entries(here).into_iter().flatten().flatten() {
            *seen += 1;
            if *seen > LOOKED_AT {
                let why = "has more than 200,000 files below it, and those of Lua are sent: start etalon further down";
                return Err(Failure::about("--on with the current directory", why));
            }
            let Ok(kind) = entry.file_type() else { continue };
            let (name, path) = (entry.file_name(), directory.join(entry.file_name()));
            if kind.is_dir() && !name.as_bytes().starts_with(b".") {
                self.lua_below(&path, seen)?;
            } else if path.extension().is_some_and(|it| it == "lua") && path.is_file() {
                self.file(&path, path.clone())?;
            }
        }
        Ok(())
    }

    /// The kind of what is sent, by which the program is chosen: one that is linked statically loads no library of C. A
    /// module that is required and not sent may be one.
    pub(crate) fn payload(&self) -> Payload {
        let is_suite = |path: &&PathBuf| {
            let name = path.file_name().and_then(OsStr::to_str);
            name.is_some_and(|name| name.ends_with(SUITE)) || self.suites.contains(*path)
        };
        let suites = self.files.keys().filter(is_suite).map(PathBuf::as_path);
        let files = self.files.keys().map(PathBuf::as_path).collect();
        let read = |path: &Path| {
            self.files.get(path).and_then(|it| fs::read(&it.from).ok()).unwrap_or_default()
        };
        match self.has_c || needs_others(suites, &files, read) {
            true => Payload::CModules,
            false => Payload::Plain,
        }
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
                false => {
                    if path.extension().is_some_and(|it| it == "lua") {
                        self.suites.insert(below.clone());
                    }
                    self.file(path, below)?;
                }
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
        for entry in entries(path).map_err(about)? {
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

/// The place of a copy on the other side.
pub(crate) fn place_of_copy(side: &str, build: Option<usize>) -> PathBuf {
    let build = build.map_or(String::new(), |build| format!(".{build}"));
    Path::new(COPIES).join(format!("{side}{build}"))
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
