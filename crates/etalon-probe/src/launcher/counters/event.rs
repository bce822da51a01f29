//! The events, and how one is opened.
//!
//! Owns: `perf_event_attr`, as far as it is needed: the 64 bytes of its first version, which every
//! kernel since 2.6.32 takes. (`perf-event-open-sys` would bring all of the header's bindings for
//! them; the kernel's promise is the same.) Refuses: groups of events, which cannot be inherited
//! and read with their parts.

use std::fs::File;
use std::io;
use std::os::fd::{FromRawFd, RawFd};

use crate::launcher::metrics::Source;

/// An event that is counted.
pub(super) struct Event {
    pub(super) source: Source,
    kind: u32,
    config: u64,
}

/// In which mode of the CPU it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::launcher) enum Scope {
    /// Programs and what the kernel does for them.
    Whole,
    /// Programs only.
    User,
}

impl Scope {
    /// The part of it that is in another one.
    pub(super) fn within(self, most: Scope) -> Scope {
        if most == Scope::User { most } else { self }
    }
}

/// `PERF_TYPE_HARDWARE` and `PERF_TYPE_SOFTWARE`.
const HARDWARE: u32 = 0;
const SOFTWARE: u32 = 1;

const fn event(source: Source, kind: u32, config: u64) -> Event {
    Event { source, kind, config }
}

/// All events, by `perf_hw_id` and `perf_sw_ids` (linux/perf_event.h).
pub(super) const EVENTS: [Event; 10] = [
    event(Source::TaskClock, SOFTWARE, 1),
    event(Source::PageFaults, SOFTWARE, 2),
    event(Source::ContextSwitches, SOFTWARE, 3),
    event(Source::Migrations, SOFTWARE, 4),
    event(Source::Cycles, HARDWARE, 0),
    event(Source::Instructions, HARDWARE, 1),
    event(Source::CacheRefs, HARDWARE, 2),
    event(Source::CacheMisses, HARDWARE, 3),
    event(Source::Branches, HARDWARE, 4),
    event(Source::BranchMisses, HARDWARE, 5),
];

/// Whether it needs one of the CPU's counters, which it may have to share.
pub(super) fn is_hardware(source: Source) -> bool {
    EVENTS.iter().any(|event| event.source == source && event.kind == HARDWARE)
}

/// `struct perf_event_attr`, `PERF_ATTR_SIZE_VER0`.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    bp_type: u32,
    bp_addr: u64,
}

/// `size_of::<Attributes>()`, which is what the kernel goes by.
const SIZE: u32 = 64;
const _: () = assert!(size_of::<Attributes>() == SIZE as usize);

/// `PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING`.
const TIMES: u64 = 0b11;
/// Bits of the flags, from the lowest: disabled, inherit, …, `exclude_kernel`, `exclude_hv`, …
const DISABLED: u64 = 1;
const INHERIT: u64 = 1 << 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const ENABLE_ON_EXEC: u64 = 1 << 12;
/// Do not pass the descriptor on.
const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;

impl Event {
    /// Opens it on this thread, for its descendants (see [`super`]).
    pub(super) fn open(&self, scope: Scope) -> io::Result<File> {
        let excluded = match scope {
            Scope::Whole => 0,
            Scope::User => EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
        };
        self.open_with(INHERIT | ENABLE_ON_EXEC | excluded)
    }

    /// Opens it on this thread alone, which it counts from then on, in user mode.
    pub(super) fn open_running(&self) -> io::Result<File> {
        self.open_as(EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR)
    }

    /// Opens an event that counts nothing and is not inherited. While it is there, a child's events
    /// are not a full copy of ours; of full copies the kernel exchanges one for the other when it
    /// switches from parent to child, and then it is ours that `execve` enables, once, and no later
    /// child's. (Seen: from the first such switch on, nothing was counted.)
    pub(super) fn open_anchor() -> io::Result<File> {
        event(Source::TaskClock, SOFTWARE, 1).open_with(EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR)
    }

    fn open_with(&self, flags: u64) -> io::Result<File> {
        self.open_as(DISABLED | flags)
    }

    fn open_as(&self, flags: u64) -> io::Result<File> {
        let attributes = Attributes {
            kind: self.kind,
            size: SIZE,
            config: self.config,
            read_format: TIMES,
            flags,
            ..Attributes::default()
        };
        let (own, any_cpu, no_group) = (0, -1, -1);
        // SAFETY: `attributes` is readable for the size it states; the other arguments are numbers.
        let opened = unsafe {
            let attributes = &raw const attributes;
            let call = libc::SYS_perf_event_open;
            libc::syscall(call, attributes, own, any_cpu, no_group, CLOSE_ON_EXEC)
        };
        match RawFd::try_from(opened) {
            // SAFETY: a new descriptor that nothing else owns.
            Ok(fd) if fd >= 0 => Ok(unsafe { File::from_raw_fd(fd) }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Whether it can be counted without the kernel: switches and migrations happen there, and
    /// would be counted as 0.
    pub(super) fn makes_sense_in_user_mode(&self) -> bool {
        self.kind == HARDWARE || self.source == Source::TaskClock
    }
}
