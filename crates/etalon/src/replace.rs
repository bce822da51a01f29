//! Files that are replaced whole: exports and conversions.
//!
//! Owns the promise that whoever reads the file finds what was there before or all of what is new:
//! everything is written to a new file in the same directory, which then takes the name. Nothing
//! is truncated, and on any failure the old content is untouched. What can be found out before an
//! experiment is: a directory that is not there, a file that must not be written. Refuses what is
//! no regular file, since a device or a pipe cannot be replaced.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etalon_probe::stored;
use etalon_record::fresh::{self, Readers};

use crate::failure::Failure;

/// A file to replace.
#[derive(Debug)]
pub(crate) struct Target {
    /// As the user knows it: the option and the name.
    subject: String,
    /// Without links on the way, so that a link stays one.
    path: PathBuf,
}

impl Target {
    /// The file that `option` names, if it can be replaced as far as can be told now. `instead` is
    /// what to do for standard output.
    pub(crate) fn check(option: &str, name: &OsStr, instead: &str) -> Result<Target, Failure> {
        let subject = format!("{option} {}", name.display());
        if name.is_empty() {
            return Err(Failure::about(option, "needs the name of a file"));
        }
        if name == "-" || is_stream(Path::new(name)) {
            let own = if name == "-" { ". For a file of that name write ./-" } else { "" };
            return Err(Failure::about(
                subject,
                format!(
                    "the file is replaced as a whole, which a stream cannot be; {instead}{own}"
                ),
            ));
        }
        let cannot = |error: &io::Error| Failure::about(&subject, cannot_write(error));
        let path = real(Path::new(name)).map_err(|error| cannot(&error))?;
        match path.metadata() {
            Ok(found) if found.is_dir() => {
                return Err(Failure::about(subject, "is a directory: name a file in it"));
            }
            Ok(found) if !found.is_file() => {
                return Err(Failure::about(
                    subject,
                    "is no regular file, and only such a one can be replaced",
                ));
            }
            // A read-only file is meant to stay as it is, even where its directory allows replacing.
            Ok(_) => drop(OpenOptions::new().write(true).open(&path).map_err(|e| cannot(&e))?),
            Err(_) => {}
        }
        // A file size limit is an error to report, not a signal to die by with a file left behind.
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())
            .map_err(|error| cannot(&error))?;
        fresh::sweep(directory(&path));
        drop(fresh::create(directory(&path), Readers::Umask).map_err(|error| cannot(&error))?);
        Ok(Target { subject, path })
    }

    /// As the user knows it.
    pub(crate) fn subject(&self) -> &str {
        &self.subject
    }

    /// Whether this is that file.
    pub(crate) fn is(&self, other: &Path) -> bool {
        real(other).is_ok_and(|other| other == self.path)
    }

    /// Whether both name one file.
    pub(crate) fn is_same_as(&self, other: &Target) -> bool {
        self.path == other.path
    }

    /// Whether there is something in it.
    pub(crate) fn holds_something(&self) -> bool {
        self.path.metadata().is_ok_and(|found| found.len() > 0)
    }

    /// Replaces the file by what `write` writes.
    pub(crate) fn replace<T>(
        &self,
        write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<T>,
    ) -> Result<T, Failure> {
        self.try_replace(write).map_err(|error| Failure::about(&self.subject, cannot_write(&error)))
    }

    fn try_replace<T>(
        &self,
        write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<T>,
    ) -> io::Result<T> {
        let (file, hidden) = fresh::create(directory(&self.path), Readers::Umask)?;
        if let Ok(old) = self.path.metadata() {
            file.set_permissions(old.permissions())?;
        }
        let mut out = BufWriter::new(&file);
        let done = write(&mut out)?;
        out.flush()?;
        drop(out);
        stored::ask(&file)?;
        hidden.take_name(&self.path)?;
        Ok(done)
    }
}

fn cannot_write(error: &io::Error) -> String {
    format!("cannot be written: {error}; what was there is untouched")
}

/// Names of this process's own streams: replacing what they lead to would be replacing the file
/// that somebody redirected them to.
fn is_stream(path: &Path) -> bool {
    let streams = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];
    streams.iter().any(|stream| path == Path::new(stream))
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc/self")
}

/// The path without links. The last part may be missing, unless it is a link to nothing.
fn real(path: &Path) -> io::Result<PathBuf> {
    let (None, Some(name)) = (fs::symlink_metadata(path).ok(), path.file_name()) else {
        return fs::canonicalize(path);
    };
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok(fs::canonicalize(directory.unwrap_or(Path::new(".")))?.join(name))
}

/// The directory a file without links on the way is in.
fn directory(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}
