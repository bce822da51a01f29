//! Who holds the lock of a file: for a message that names the process.
//!
//! Owns reading `/proc/locks`, which names the process that took a lock even where its files cannot be
//! looked into, and `/proc/PID/cmdline`. Refuses to be needed: where /proc is not mounted, or does not
//! know the process (it is in another container), there is no answer and no error.

use std::fs::File;
use std::os::unix::fs::MetadataExt;

/// A process that holds a lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Process ID.
    pub process: u32,
    /// Its command line, program first; empty if it has ended, and a process that it started holds on.
    pub words: Vec<String>,
}

/// The process that took the lock of this file with `flock`, if that can be found out.
#[must_use]
pub fn of(file: &File) -> Option<Holder> {
    let facts = file.metadata().ok()?;
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let (major, minor) = (libc::major(facts.dev()), libc::minor(facts.dev()));
    let process = taker(&locks, &format!("{major:02x}:{minor:02x}:{}", facts.ino()))?;
    let words = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    let words =
        words.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let mut words: Vec<String> = words.collect();
    words.pop(); // behind the last NUL
    Some(Holder { process, words })
}

/// The process that has an exclusive lock of the file `MAJOR:MINOR:INODE` in what `/proc/locks` says.
fn taker(locks: &str, file: &str) -> Option<u32> {
    locks.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        // `1: FLOCK ADVISORY WRITE 123 fe:00:4711 0 EOF`; with `->` after the number it waits.
        let ["FLOCK", _, "WRITE", process, at, ..] = *fields.get(1..)? else { return None };
        (at == file).then(|| process.parse().ok()).flatten().filter(|process| *process > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCKS: &str = "\
1: FLOCK  ADVISORY  WRITE 12690 fe:00:10264819 0 EOF
1: -> FLOCK  ADVISORY  WRITE 12691 fe:00:10264819 0 EOF
2: POSIX  ADVISORY  WRITE 12410 fe:00:10264605 0 EOF
3: FLOCK  ADVISORY  READ 12411 fe:00:10264606 0 EOF
4: FLOCK  ADVISORY  WRITE 0 fe:00:10264607 0 EOF
";

    /// Catches a reader of the file, one who waits, or a process of another container taken for the one.
    #[test]
    fn only_who_has_it_exclusively_is_named() {
        assert_eq!(taker(LOCKS, "fe:00:10264819"), Some(12690));
        for other in ["fe:00:10264605", "fe:00:10264606", "fe:00:10264607", "fe:01:10264819"] {
            assert_eq!(taker(LOCKS, other), None, "{other}");
        }
    }

    /// Catches fields in another order or base than the kernel writes them.
    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "what this process was started with is the point"
    )]
    fn this_process_is_found() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(of(&file), None);
        file.lock().unwrap();
        let holder = of(&file).unwrap();
        assert_eq!(holder.process, std::process::id());
        let own: Vec<String> = std::env::args().collect();
        assert_eq!(holder.words, own);
    }
}
