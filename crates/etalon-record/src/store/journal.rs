//! Files of lines that several processes append to: the order of runs, and the index.
//!
//! Owns that lines are appended and files replaced under a lock, one at a time, whoever is killed meanwhile; that a line
//! somebody tore is ended before the next one begins; and that no link is written through. Refuses to know what lines mean:
//! whoever reads them takes those that are whole.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::fresh::{self, Readers};
use crate::sink;

/// A file of lines.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
}

/// A file of lines that nobody else changes.
#[derive(Debug)]
pub(super) struct Locked<'j> {
    journal: &'j Journal,
    file: File,
}

impl Journal {
    pub(super) fn at(path: PathBuf) -> Journal {
        Journal { path }
    }

    /// The file, to be read; absent where there is none, or what stands there is no file.
    pub(super) fn open(&self) -> Option<File> {
        let is_file = self.path.symlink_metadata().is_ok_and(|found| found.is_file());
        is_file.then(|| File::open(&self.path).ok())?
    }

    /// Everything in it; nothing where it cannot be read.
    pub(super) fn contents(&self) -> Vec<u8> {
        let mut contents = Vec::new();
        if let Some(mut file) = self.open()
            && file.read_to_end(&mut contents).is_err()
        {
            contents.clear();
        }
        contents
    }

    /// The file, made if there is none, when nobody else has it.
    ///
    /// # Errors
    /// If it cannot be opened or made.
    pub(super) fn lock(&self) -> io::Result<Locked<'_>> {
        loop {
            match self.path.symlink_metadata() {
                Ok(found) if !found.is_file() => return Err(ErrorKind::AlreadyExists.into()),
                _ => {}
            }
            let mut options = OpenOptions::new();
            options.read(true).append(true).create(true).mode(0o600);
            let file = options.open(&self.path)?;
            // Where there are no locks, one write(2) still appends whole lines.
            let _unlocked = file.lock();
            // It may have been replaced while it was waited for.
            if fresh::leads_to(&self.path, &file)? {
                return Ok(Locked { journal: self, file });
            }
        }
    }
}

impl Locked<'_> {
    /// The file, to be read.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Adds whole lines.
    ///
    /// # Errors
    /// If they cannot be written; then none of them is there, or a torn one at the end.
    pub(super) fn append(&self, lines: &[u8]) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        let mut last = [b'\n'];
        if let Some(end) = length.checked_sub(1) {
            self.file.read_exact_at(&mut last, end)?;
        }
        let torn: &[u8] = if last == [b'\n'] { b"" } else { b"\n" };
        let written = sink::append(&self.file, &[torn, lines].concat(), &self.journal.path);
        written.map_err(io::Error::other)
    }

    /// Puts other lines in its place, as a whole.
    ///
    /// # Errors
    /// If they cannot be written; it stays what it was then.
    pub(super) fn replace(
        self,
        lines: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let directory = self.journal.path.parent().unwrap_or(Path::new("."));
        fresh::sweep(directory);
        let (file, hidden) = fresh::create(directory, Readers::Owner)?;
        let mut out = BufWriter::new(&file);
        lines(&mut out)?;
        out.flush()?;
        drop(out);
        hidden.take_name(&self.journal.path)
    }
}
