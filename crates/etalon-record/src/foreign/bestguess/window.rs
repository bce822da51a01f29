//! The part of a stream that is being looked at.
//!
//! Owns one buffer of bounded size that a record may be split from, tried again in another reading,
//! or given up for its first line. Refuses to know what a record is.

use std::io::{self, BufRead, Read};

/// The longest record, in bytes. Because: twice what one `execve` takes, for a command whose every
/// character is escaped; a longer one is a damaged file, and memory has to stay bounded.
pub(super) const LONGEST_RECORD: usize = 4 * 1024 * 1024;

/// Bytes read at first; each further read for the same record doubles what there is, so that
/// trying again after each costs no more than once over.
const CHUNK: usize = 256 * 1024;

/// A window that moves over a stream.
pub(super) struct Window<R> {
    reader: R,
    bytes: Vec<u8>,
    at: usize,
    /// Whether the stream has ended.
    pub(super) ends: bool,
    /// The line that starts the window, counted from 1.
    pub(super) line: u64,
}

impl<R: BufRead> Window<R> {
    pub(super) fn new(reader: R) -> Window<R> {
        Window { reader, bytes: Vec::new(), at: 0, ends: false, line: 1 }
    }

    /// The bytes in the window.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Reads on. `false` if the window is full.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub(super) fn grow(&mut self) -> io::Result<bool> {
        self.bytes.drain(..self.at);
        self.at = 0;
        if self.bytes.len() > LONGEST_RECORD {
            return Ok(false);
        }
        let more = self.bytes.len().max(CHUNK);
        let read = self.reader.by_ref().take(more as u64).read_to_end(&mut self.bytes)?;
        self.ends = read < more;
        Ok(true)
    }

    /// Moves past a record of so many bytes.
    pub(super) fn pass(&mut self, length: usize) {
        let passed = &self.bytes[self.at..self.at + length];
        // Most records are one line; counting it there is faster than counting everywhere.
        let ends = match passed {
            [inner @ .., b'\n'] if !inner.contains(&b'\n') => 1,
            _ => passed.iter().filter(|b| **b == b'\n').count(),
        };
        self.line += ends as u64;
        self.at += length;
    }

    /// Moves past the first line, also one that is longer than the window.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub(super) fn pass_line(&mut self) -> io::Result<()> {
        if let Some(end) = self.bytes().iter().position(|b| *b == b'\n') {
            self.pass(end + 1);
            return Ok(());
        }
        self.at = self.bytes.len();
        self.line += 1;
        self.reader.skip_until(b'\n')?;
        Ok(())
    }
}
