//! Making the launcher small again before it executes anything.
//!
//! Owns: giving back what start, set-up and reading messages have touched, and resetting the peak.
//! A program's peak resident size starts at the launcher's, so every page still mapped here hides
//! what a smaller program really uses: a launcher of 2.4 MB reports `/bin/true`, which needs
//! 1.0 MB, as 2.4 MB; most of that is code that ran once. Refuses: to lose anything; only pages
//! whose content is the file's are let go, and they come back from the page cache when needed.
//! Where the kernel offers none of this the launcher is simply larger, and its floor says so.

use std::ffi::{c_int, c_void};

/// A mapping of this process, as `/proc/self/smaps` describes it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Mapping {
    start: usize,
    end: usize,
    releasable: bool,
}

/// Bytes that a page fault may bring in at once, from the mappings given back. Because: the kernel
/// maps up to 16 pages around a fault, but none beyond the mapping; the code an execution needs is
/// scattered over some fifty pages, and with its neighbours that is most of the launcher.
const AROUND: usize = 16 * 1024;

/// What can be given back.
#[derive(Debug)]
pub(super) struct Releasable {
    mappings: Vec<Mapping>,
}

impl Releasable {
    /// Finds what can be given back, and arranges that it comes back in small pieces: neighbouring
    /// pieces differ in a flag (whether a core dump holds them), so each is a mapping of its own.
    pub(super) fn new() -> Releasable {
        let text = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        let mappings = mappings(&text).filter(|mapping| mapping.releasable).collect();
        let releasable = Releasable { mappings };
        for mapping in &releasable.mappings {
            for piece in (mapping.start..mapping.end).step_by(2 * AROUND) {
                mapping.advise(piece..mapping.end.min(piece + AROUND), libc::MADV_DONTDUMP);
            }
        }
        releasable
    }

    /// Gives it back, and resets the peak.
    pub(super) fn release(&self) {
        for mapping in &self.mappings {
            // Private, read-only, and no page of its own (nothing was ever written to it,
            // relocations included): the next access reads the same bytes from the file.
            mapping.advise(mapping.start..mapping.end, libc::MADV_DONTNEED);
        }
        #[cfg(target_env = "gnu")]
        // SAFETY: gives free heap memory back to the kernel; no preconditions.
        unsafe {
            libc::malloc_trim(0);
        }
        // 5 resets the peak of the resident size to the present one (proc_pid_clear_refs(5)).
        let _ = std::fs::write("/proc/self/clear_refs", "5");
    }
}

impl Mapping {
    fn advise(&self, range: std::ops::Range<usize>, advice: c_int) {
        let start = std::ptr::with_exposed_provenance_mut::<c_void>(range.start);
        // SAFETY: the range lies in a private, read-only mapping of a file without pages of its
        // own. The two kinds of advice used change what a core dump holds, and let pages go whose
        // content is the file's; code running in them takes a page fault.
        unsafe { libc::madvise(start, range.len(), advice) };
    }
}

/// The mappings in the text of `smaps`: a header line each, then `Name: value kB` lines.
fn mappings(text: &str) -> impl Iterator<Item = Mapping> {
    let mut lines = text.lines().peekable();
    std::iter::from_fn(move || {
        let header = lines.find_map(header)?;
        let mut mapping = header;
        let mut anonymous = None;
        while let Some(line) = lines.next_if(|line| self::header(line).is_none()) {
            if let Some(size) = line.strip_prefix("Anonymous:") {
                anonymous =
                    size.trim().strip_suffix(" kB").and_then(|size| size.parse::<u64>().ok());
            }
        }
        mapping.releasable &= anonymous == Some(0);
        Some(mapping)
    })
}

/// `start-end perms offset device inode path`; as far as this line tells, can it be released?
fn header(line: &str) -> Option<Mapping> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let start = usize::from_str_radix(start, 16).ok()?;
    let end = usize::from_str_radix(end, 16).ok()?;
    let permissions = fields.next()?;
    let is_file = fields.nth(2).is_some_and(|inode| inode != "0");
    let releasable = is_file && matches!(permissions, "r--p" | "r-xp") && start < end;
    Some(Mapping { start, end, releasable })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_untouched_read_only_file_mappings_are_let_go() {
        // Would catch dropping relocated pages or the heap, which no page fault brings back.
        let text = "\
55d0a1000-55d0a9000 r-xp 00001000 fe:00 1234   /usr/bin/etalon (deleted)
Size:                 32 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me sd
55d0a9000-55d0aa000 r--p 00009000 fe:00 1234   /usr/bin/etalon
Anonymous:             4 kB
55d0aa000-55d0ab000 rw-p 0000a000 fe:00 1234   /usr/bin/etalon
Anonymous:             0 kB
55d0ab000-55d0ac000 r--s 0000a000 fe:00 1234   /usr/bin/etalon
Anonymous:             0 kB
7ffd1000-7ffd2000 r-xp 00000000 00:00 0        [vdso]
Anonymous:             0 kB
7ffd2000-7ffd3000 r-xp 00000000 fe:00 99       /no/sizes/given
";
        let found: Vec<bool> = mappings(text).map(|mapping| mapping.releasable).collect();
        assert_eq!(found, [true, false, false, false, false, false]);
        let first = mappings(text).next().unwrap();
        assert_eq!((first.start, first.end), (0x5_5d0a_1000, 0x5_5d0a_9000));
    }

    #[test]
    fn a_release_is_survived() {
        // Would catch letting go of something that cannot come back: this very code and its data.
        let before = "relocated".to_owned() + &std::process::id().to_string();
        let releasable = Releasable::new();
        releasable.release();
        releasable.release();
        assert_eq!(before, "relocated".to_owned() + &std::process::id().to_string());
    }
}
