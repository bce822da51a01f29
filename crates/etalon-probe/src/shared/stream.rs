//! A stream of bytes over a file that one machine appends to and another one reads.
//!
//! Both open the file each time: a network file system shows what was written when it is closed, and looks for more when it
//! is opened.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Bytes that are read at once.
const PIECE: usize = 4 << 20;

/// The side that writes. Dropped, or where something cannot be written, it says that there is no more.
#[derive(Debug)]
pub struct Outgoing {
    path: PathBuf,
    closed: PathBuf,
}

impl Outgoing {
    /// Appends to a file; that there is no more, another one says.
    #[must_use]
    pub fn new(path: PathBuf, closed: PathBuf) -> Outgoing {
        Outgoing { path, closed }
    }

    fn close(&self) {
        // Where that cannot be written either, no sign of life will be.
        let _closed = fs::write(&self.closed, "");
    }
}

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = File::options().append(true).create(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(bytes));
        match written {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                self.close();
                Err(error)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        self.close();
    }
}

/// The side that reads.
#[derive(Debug)]
pub(super) struct Incoming {
    path: PathBuf,
    closed: PathBuf,
    at: u64,
}

/// The outcome of a look at a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// There is more.
    More,
    /// There is nothing new.
    Nothing,
    /// There will never be more.
    Closed,
}

impl Incoming {
    /// Reads a file from its beginning; that there is no more, another one says.
    pub(super) fn new(path: PathBuf, closed: PathBuf) -> Incoming {
        Incoming { path, closed, at: 0 }
    }

    /// Appends what is new to the bytes. A file that is not there yet has nothing.
    ///
    /// # Errors
    /// If it cannot be read now.
    pub(super) fn more(&mut self, into: &mut Vec<u8>) -> io::Result<Look> {
        self.some(into, PIECE)
    }

    /// [`Incoming::more`] of so many bytes at most.
    pub(super) fn some(&mut self, into: &mut Vec<u8>, most: usize) -> io::Result<Look> {
        // In this order: what was written before it was closed is read.
        let is_closed = self.closed.exists();
        let read = match File::open(&self.path) {
            Ok(mut file) => {
                file.seek(SeekFrom::Start(self.at))?;
                file.take(most as u64).read_to_end(into)? as u64
            }
            Err(error) if error.kind() == ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        self.at += read;
        Ok(match (read, is_closed) {
            (0, true) => Look::Closed,
            (0, false) => Look::Nothing,
            _ => Look::More,
        })
    }
}

/// How often is looked: often where something has just come, seldom where nothing does.
#[derive(Debug)]
pub(crate) struct Pace(Instant);

impl Pace {
    pub(crate) fn new() -> Pace {
        Pace(Instant::now())
    }

    /// Something came.
    pub(crate) fn moved(&mut self) {
        self.0 = Instant::now();
    }

    /// Waits until it is time for the next look.
    pub(crate) fn wait(&self) {
        let (least, most) = (Duration::from_millis(2), Duration::from_millis(100));
        sleep((self.0.elapsed() / 8).clamp(least, most));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch bytes that are read twice or never, an end that is seen before the last of them, and a stream that cannot
    /// be written any more and stays open.
    #[test]
    fn bytes_arrive_once_and_in_order() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let mut incoming = Incoming::new(at("in"), at("closed"));
        let mut bytes = Vec::new();
        assert_eq!(incoming.more(&mut bytes).unwrap(), Look::Nothing);
        let mut outgoing = Outgoing::new(at("in"), at("closed"));
        outgoing.write_all(b"one\n").unwrap();
        outgoing.write_all(b"tw").unwrap();
        assert_eq!(incoming.more(&mut bytes).unwrap(), Look::More);
        outgoing.write_all(b"o\n").unwrap();
        drop(outgoing);
        assert_eq!(incoming.more(&mut bytes).unwrap(), Look::More);
        assert_eq!(incoming.more(&mut bytes).unwrap(), Look::Closed);
        assert_eq!(bytes, b"one\ntwo\n");

        let mut lost = Outgoing::new(at("none/in"), at("lost"));
        assert!(lost.write_all(b"x").is_err());
        assert!(at("lost").exists());
    }
}
