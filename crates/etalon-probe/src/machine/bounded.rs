//! Bounded reading: small text files of the kernel or of a repository, under a root that tests
//! choose.
//!
//! Nothing here blocks (a FIFO reads as empty), nothing reads more than its bound, and whatever is
//! missing, unreadable, too large or not UTF-8 is absent, never half a value.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Take};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Most bytes read from one file. Because the longest one wanted in whole is `/proc/PID/cgroup`
/// with a few KB, and the wanted part of a longer one (`/proc/cpuinfo`) is at its beginning.
pub(super) const FILE_LIMIT: u64 = 64 * 1024;

/// Most bytes of a file that holds one value: a sysfs attribute is at most a page.
const VALUE_LIMIT: u64 = 4096;

/// Opens for reading without ever waiting for a writer.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

/// The whole of a file of at most `limit` bytes; an error if it is longer.
pub(super) fn bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::with_capacity(512);
    open(path)?.take(limit + 1).read_to_end(&mut content)?;
    if content.len() as u64 > limit {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(content)
}

/// The lines of the first `limit` bytes of a file, without their line ends. Lines that are not
/// UTF-8 are passed over; a line cut off by the limit is not given.
pub(super) fn lines(path: &Path, limit: u64) -> io::Result<Lines> {
    let reader = BufReader::new(open(path)?.take(limit));
    Ok(Lines { reader })
}

/// See [`lines`].
pub(super) struct Lines {
    reader: BufReader<Take<File>>,
}

impl Iterator for Lines {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            let mut line = Vec::new();
            // A read error ends the lines, like the end of the file.
            let length = self.reader.read_until(b'\n', &mut line).ok()?;
            let whole = line.pop_if(|last| *last == b'\n').is_some();
            if length == 0 || (!whole && self.reader.get_ref().limit() == 0) {
                return None;
            }
            if let Ok(line) = String::from_utf8(line) {
                return Some(line);
            }
        }
    }
}

/// A value fit for a context: trimmed, not empty, without control characters.
pub(super) fn clean(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    let fit = !text.is_empty() && !text.contains(char::is_control);
    fit.then(|| text.to_owned())
}

/// The file system as seen from a root: `/`, or a fixture.
pub(crate) struct Tree<'a> {
    root: &'a Path,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(root: &'a Path) -> Tree<'a> {
        Tree { root }
    }

    /// The path of `name` (relative) under the root.
    fn at(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// A file that holds one value: its trimmed text.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        let content = bytes(&self.at(name), VALUE_LIMIT).ok()?;
        clean(std::str::from_utf8(&content).ok()?)
    }

    /// A file's content up to [`FILE_LIMIT`].
    pub(crate) fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        bytes(&self.at(name), FILE_LIMIT).ok()
    }

    /// A file's lines up to [`FILE_LIMIT`]; none at all if it cannot be opened.
    pub(crate) fn lines(&self, name: &str) -> impl Iterator<Item = String> + use<> {
        lines(&self.at(name), FILE_LIMIT).into_iter().flatten()
    }

    /// The value after `key` and `separator` on the first line that has both.
    pub(crate) fn field(&self, name: &str, key: &str, separator: char) -> Option<String> {
        self.lines(name).find_map(|line| {
            let (found, value) = line.split_once(separator)?;
            (found.trim() == key).then(|| value.trim().to_owned())
        })
    }

    /// Whether something of that name exists and may be seen.
    pub(crate) fn exists(&self, name: &str) -> bool {
        self.at(name).exists()
    }

    /// Names in a directory; none if it cannot be read. In no particular order.
    pub(crate) fn names(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(name)).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::fixture;
    use super::*;

    /// Catches values made from what is empty, binary, multi-line or larger than any attribute.
    #[test]
    fn unfit_values_are_absent() {
        let dir = fixture(&[
            ("good", "  powersave \n"),
            ("terminated", "Board\0"),
            ("empty", "\n"),
            ("lines", "a\nb\n"),
            ("huge", &"x".repeat(5000)),
        ]);
        fs::write(dir.path().join("binary"), [0xff, 0xfe, b'a']).unwrap();
        let tree = Tree::new(dir.path());
        assert_eq!(tree.value("good").as_deref(), Some("powersave"));
        assert_eq!(tree.value("terminated").as_deref(), Some("Board"));
        for name in ["empty", "lines", "huge", "binary", "missing", "."] {
            assert_eq!(tree.value(name), None, "{name}");
        }
    }

    /// Catches a value read from half a line, and a line without an end being lost.
    #[test]
    fn a_line_cut_by_the_limit_is_not_given() {
        let dir = fixture(&[("f", "one\ntwo\nthree")]);
        let path = dir.path().join("f");
        let read = |limit| lines(&path, limit).unwrap().collect::<Vec<_>>();
        assert_eq!(read(6), ["one"]);
        assert_eq!(read(100), ["one", "two", "three"]);
    }

    /// Catches the end of the lines at the first one that is not UTF-8.
    #[test]
    fn lines_that_are_not_text_are_passed_over() {
        let dir = fixture(&[]);
        let path = dir.path().join("f");
        fs::write(&path, b"a\n\xff\xfe\nb\n").unwrap();
        assert_eq!(lines(&path, 100).unwrap().collect::<Vec<_>>(), ["a", "b"]);
    }

    /// Catches waiting for ever on a FIFO that stands where a file is expected.
    #[test]
    fn a_fifo_does_not_block() {
        let dir = fixture(&[]);
        let path = dir.path().join("fifo");
        let name = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: `name` is a valid C string for the whole call.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        assert_eq!(Tree::new(dir.path()).value("fifo"), None);
    }
}
