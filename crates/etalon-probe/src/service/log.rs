//! The output of a service: a file in memory, of which the end is kept.
//!
//! Owns: its size and its end. Refuses: to hold more memory than [`ROOM`] for long; what was written before the end is
//! given back between two measurements, so that a service may write as long as it likes.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;

use crate::memory_file;

/// So much of the end is kept, in bytes: what a server says in some hundred lines.
const KEPT: u64 = 64 * 1024;

/// How long it gets before its beginning is forgotten, in bytes.
const ROOM: u64 = 4 * 1024 * 1024;

/// Standard output and error of a service.
#[derive(Debug)]
pub struct Log {
    file: File,
    /// Where what is not forgotten begins.
    from: u64,
}

impl Log {
    pub(super) fn create() -> io::Result<Log> {
        Ok(Log { file: memory_file::named(c"etalon-service-log")?, from: 0 })
    }

    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// How much was written.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.file.metadata().map_or(0, |about| about.len())
    }

    /// The last 64 KB, or less: from the first character that is whole there.
    #[must_use]
    pub fn end(&self) -> Vec<u8> {
        let size = self.bytes();
        let from = size.saturating_sub(KEPT);
        let mut end = vec![0; usize::try_from(size - from).unwrap_or(0)];
        let read = self.file.read_at(&mut end, from).unwrap_or(0);
        end.truncate(read);
        // A character of UTF-8 has at most three bytes behind its first.
        let cut = if from == 0 {
            0
        } else {
            end.iter().take(3).take_while(|b| **b & 0xc0 == 0x80).count()
        };
        end.split_off(cut)
    }

    /// Gives memory back.
    pub(super) fn forget(&mut self) {
        let size = self.bytes();
        if size.saturating_sub(self.from) > ROOM {
            self.from = size - KEPT;
            memory_file::forget_before(&self.file, self.from);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::MetadataExt;

    use super::*;

    /// Would catch a log that fills the memory, and an end that is lost with the beginning.
    #[test]
    fn the_beginning_of_a_long_one_is_given_back() {
        let mut log = Log::create().unwrap();
        let line = [&[b'x'; 1023][..], b"\n"].concat();
        for _ in 0..16 * 1024 {
            log.file.write_all(&line).unwrap();
            log.forget();
        }
        log.file.write_all(b"the end").unwrap();
        assert_eq!(log.bytes(), 16 * 1024 * 1024 + 7);
        let end = log.end();
        assert_eq!(end.len(), 64 * 1024);
        assert!(end.ends_with(b"x\nthe end") && !end.contains(&0));
        let held = log.file.metadata().unwrap().blocks() * 512;
        assert!(held <= ROOM + 2 * KEPT, "{held}");
    }

    /// Would catch an end that begins in the middle of a character.
    #[test]
    fn the_end_begins_with_a_whole_character() {
        let mut log = Log::create().unwrap();
        let text = format!("{}x", "é".repeat(40_000));
        log.file.write_all(text.as_bytes()).unwrap();
        let end = log.end();
        assert!(text.ends_with(std::str::from_utf8(&end).unwrap()));
        assert_eq!(end.len(), 64 * 1024 - 1);
    }
}
