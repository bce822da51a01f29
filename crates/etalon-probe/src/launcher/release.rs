//! Making the launcher small again before it executes anything.
//!
//! Owns: giving back what start, set-up and reading messages have touched, and resetting the peak.
//! A program's peak resident size starts at the launcher's, so every page still mapped here hides
//! what a smaller program really uses: a launcher of 2.4 MB reports `/bin/true`, which needs
//! 1.0 MB, as 2.4 MB; most of that is code that ran once. Refuses: to lose anything; only pages
//! whose content is the file's are let go, and they come back from the page cache when needed.
//! Where the kernel offers none of this the launcher is simply larger, and its floor says so.

use std::ffi::{c_int, c_void};
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// A mapping of this process that can be given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mapping {
    start: usize,
    end: usize,
}

/// Bytes that a page fault may bring in at once, from the mappings given back. Because: the kernel
/// maps up to 16 pages around a fault, but none beyond the mapping; the code an execution needs is
/// scattered over some fifty pages, and with its neighbours that is most of the launcher.
const AROUND: usize = 16 * 1024;

/// Memory that can be given back.
#[derive(Debug)]
pub(super) struct Releasable {
    mappings: Vec<Mapping>,
}

impl Releasable {
    /// Finds what can be given back: what no own page is in.
    pub(super) fn new() -> Releasable {
        let text = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let Some(pages) = Pages::open() else { return Releasable { mappings: vec![] } };
        let found = text.lines().filter_map(mapping).filter_map(|it| Some((it, pages.read(it)?)));
        let mappings = found.flat_map(|(mapping, read)| pages.without_own(mapping, &read));
        Releasable { mappings: mappings.collect() }
    }

    /// Arranges that what is resident comes back in small pieces: neighbouring pieces differ in a
    /// flag (whether a core dump holds them), so each is a mapping of its own. Only what is
    /// resident, because a piece costs 6 µs, and again when the launcher ends. Call it when nothing has been
    /// touched since [`Releasable::release`] but what executions touch.
    pub(super) fn split(&self) {
        let Some(pages) = Pages::open() else { return };
        for mapping in &self.mappings {
            let read = pages.read(*mapping).unwrap_or_default();
            let around = (AROUND / pages.size).max(1);
            for (number, pieces) in read.chunks(2 * around).enumerate() {
                if pieces.contains(&Page::OfFile) {
                    let piece = mapping.start + number * 2 * around * pages.size;
                    let end = mapping.end.min(piece + around * pages.size);
                    mapping.advise(piece..end, libc::MADV_DONTDUMP);
                }
            }
        }
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
    fn advise(&self, range: Range<usize>, advice: c_int) {
        let start = std::ptr::with_exposed_provenance_mut::<c_void>(range.start);
        // SAFETY: the range lies in a private, read-only mapping of a file without pages of its
        // own. The two kinds of advice used change what a core dump holds, and let pages go whose
        // content is the file's; code running in them takes a page fault.
        unsafe { libc::madvise(start, range.len(), advice) };
    }
}

/// The kind of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    /// Nothing yet.
    Absent,
    /// The file's page.
    OfFile,
    /// A page that was written to, and is this process's own.
    Own,
}

/// The pages of this process, as `/proc/self/pagemap` describes them.
struct Pages {
    file: File,
    /// Bytes of one.
    size: usize,
}

impl Pages {
    fn open() -> Option<Pages> {
        // SAFETY: no preconditions.
        let size = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
        Some(Pages { file: File::open("/proc/self/pagemap").ok()?, size })
    }

    /// The parts of a mapping between own pages.
    fn without_own(&self, mapping: Mapping, pages: &[Page]) -> Vec<Mapping> {
        let mut start = mapping.start;
        let mut parts = Vec::new();
        for part in pages.split(|page| *page == Page::Own) {
            let end = start + part.len() * self.size;
            if start < end {
                parts.push(Mapping { start, end });
            }
            start = end + self.size;
        }
        parts
    }

    fn read(&self, mapping: Mapping) -> Option<Vec<Page>> {
        let mut entries = vec![0_u8; (mapping.end - mapping.start) / self.size * size_of::<u64>()];
        let at = mapping.start / self.size * size_of::<u64>();
        self.file.read_exact_at(&mut entries, at as u64).ok()?;
        let (entries, _) = entries.as_chunks();
        Some(entries.iter().map(|entry| page(u64::from_ne_bytes(*entry))).collect())
    }
}

/// An entry of `pagemap` (proc_pid_pagemap(5)): bit 63 says that it is in memory, 62 that it is swapped out or
/// on its way, 61 that it is a file's.
fn page(entry: u64) -> Page {
    match (entry >> 62, entry >> 61 & 1) {
        (0, _) => Page::Absent,
        (_, 1) => Page::OfFile,
        _ => Page::Own,
    }
}

/// A mapping that can be given back as far as a line of `maps` tells, `start-end perms offset device
/// inode path`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let start = usize::from_str_radix(start, 16).ok()?;
    let end = usize::from_str_radix(end, 16).ok()?;
    let permissions = fields.next()?;
    let is_file = fields.nth(2).is_some_and(|inode| inode != "0");
    (is_file && matches!(permissions, "r--p" | "r-xp") && start < end)
        .then_some(Mapping { start, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_read_only_file_mappings_are_let_go() {
        // Would catch dropping the heap or what others share, which no page fault brings back.
        let text = "\
55d0a1000-55d0a9000 r-xp 00001000 fe:00 1234   /usr/bin/etalon (deleted)
55d0aa000-55d0ab000 rw-p 0000a000 fe:00 1234   /usr/bin/etalon
55d0ab000-55d0ac000 r--s 0000a000 fe:00 1234   /usr/bin/etalon
55d0ac000-55d0ad000 r--p 00000000 00:00 0
7ffd1000-7ffd2000 r-xp 00000000 00:00 0        [vdso]
";
        let found: Vec<Mapping> = text.lines().filter_map(mapping).collect();
        assert_eq!(found, [Mapping { start: 0x5_5d0a_1000, end: 0x5_5d0a_9000 }]);
    }

    #[test]
    fn pages_of_files_and_own_pages_are_told_apart() {
        // Would catch letting go of a relocated page, in memory or swapped out.
        assert_eq!(page(0), Page::Absent);
        assert_eq!(page(1 << 61 | 1 << 56), Page::Absent);
        assert_eq!(page(1 << 63 | 1 << 61), Page::OfFile);
        assert_eq!(page(1 << 62 | 1 << 61), Page::OfFile);
        assert_eq!(page(1 << 63), Page::Own);
        assert_eq!(page(1 << 62 | 5), Page::Own);
    }

    #[test]
    fn a_written_page_is_kept() {
        // Would catch the same where the kernel says it: a private copy is read-only again.
        let file = tempfile::NamedTempFile::new().unwrap();
        let pages = Pages::open().unwrap();
        std::fs::write(file.path(), vec![7_u8; 2 * pages.size]).unwrap();
        // SAFETY: a new private mapping of two pages of a file of that length, its first byte
        // written while it may be.
        let start = unsafe {
            use std::os::fd::AsRawFd;
            let (rights, private) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE);
            let fd = file.as_file().as_raw_fd();
            let at = libc::mmap(std::ptr::null_mut(), 2 * pages.size, rights, private, fd, 0);
            assert_ne!(at, libc::MAP_FAILED);
            at.cast::<u8>().write(8);
            libc::mprotect(at, 2 * pages.size, libc::PROT_READ);
            at.expose_provenance()
        };
        let end = start + 2 * pages.size;
        assert_eq!(pages.read(Mapping { start, end }).unwrap()[0], Page::Own);
        let holds = |address| {
            let found = Releasable::new().mappings;
            found.iter().any(|it| it.start <= address && address < it.end)
        };
        assert!(!holds(start));
        assert!(holds(start + pages.size));
    }

    #[test]
    fn a_release_is_survived() {
        // Would catch letting go of something that cannot come back: this very code and its data.
        let before = "relocated".to_owned() + &std::process::id().to_string();
        let releasable = Releasable::new();
        assert!(!releasable.mappings.is_empty());
        releasable.release();
        releasable.split();
        releasable.release();
        assert_eq!(before, "relocated".to_owned() + &std::process::id().to_string());
    }
}
