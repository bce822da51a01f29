//! Events counted by the kernel and the CPU (perf) over the whole process tree of an execution.
//!
//! Owns: which events are opened, what they have counted since the last look, and what to say of
//! those that cannot be had. Refuses: stand-ins. An event the machine does not have is not
//! available; one that was never given a counter during an execution is absent for that execution;
//! one that shared its counter is scaled, and [`Source::Counted`] says so.
//!
//! The events are opened once, on the launcher itself: inherited by every process made from then
//! on, disabled, enabled by `execve`. The launcher never calls that, so only its descendants count,
//! from the first instruction of the program on; what a process has counted is added up here when
//! it dies, waited for or not. A look is one `read` per event. (Verified on Linux 6.18 with
//! `clone(CLONE_VM | CLONE_VFORK)`: task clock within the time before `execve` of rusage's CPU
//! time, page faults within a handful, for one process and for a shell with twenty.)

mod event;

use std::fs::File;
use std::io::{self, Read};

use super::metrics::{Origin, Source, Values};
use super::protocol::{Events, Unavailable};
pub(super) use event::Scope;
use event::{EVENTS, Event};

/// The count of an event, and for how long it counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Reading {
    value: u64,
    /// How long it was to be counted, in ns, over all processes.
    enabled_ns: u64,
    /// How long it had a counter.
    running_ns: u64,
}

/// An open event.
struct Open {
    source: Source,
    file: File,
    last: Reading,
}

/// The open events.
pub(super) struct Counting {
    open: Vec<Open>,
    /// See [`Event::open_anchor`].
    _anchor: Option<File>,
}

/// Counters that could be opened, and why others could not.
pub(super) struct Opened {
    pub(super) counting: Counting,
    pub(super) events: Events,
    pub(super) unavailable: Vec<Unavailable>,
}

impl Counting {
    /// Opens what is wanted and can be had, in as much of this scope as is permitted.
    pub(super) fn open(wanted: &[Option<Source>], most: Scope) -> Opened {
        let wanted = |source: Source| wanted.contains(&Some(source));
        let anchor = Event::open_anchor();
        let attempts = attempt(wanted, |event, scope| match &anchor {
            Ok(_) => event.open(scope.within(most)),
            Err(error) => Err(io::Error::from_raw_os_error(error.raw_os_error().unwrap_or(0))),
        });
        let open = attempts.files.into_iter();
        let open = open.map(|(source, file)| Open { source, file, last: Reading::default() });
        Opened {
            counting: Counting { open: open.collect(), _anchor: anchor.ok() },
            events: attempts.events,
            unavailable: attempts.unavailable,
        }
    }

    /// Reads the counts since the last look; a look after every execution keeps them apart.
    pub(super) fn look(&mut self, values: &mut Values) {
        let mut share = None;
        for open in &mut self.open {
            let Some(now) = read(&mut open.file) else { continue };
            let counted = since(open.last, now);
            open.last = now;
            if let Some(value) = scaled(counted) {
                values.set(open.source, value);
                if event::is_hardware(open.source) {
                    share = Some(share.unwrap_or(100).min(percent(counted)));
                }
            }
        }
        if let Some(share) = share {
            values.set(Source::Counted, share);
        }
    }
}

/// Whether the CPU counts the instructions of programs here: some machines have such an event, and it stays at 0.
#[must_use]
pub fn counts_instructions() -> bool {
    let event = EVENTS.iter().find(|event| event.source == Source::Instructions);
    let opened = event.and_then(|event| event.open_running().ok());
    opened.and_then(|mut file| read(&mut file)).is_some_and(|counted| counted.value > 0)
}

/// One event: value, time enabled, time running, each 64 bits.
fn read(file: &mut File) -> Option<Reading> {
    let mut bytes = [0_u8; 24];
    file.read_exact(&mut bytes).ok()?;
    let [value, enabled_ns, running_ns] =
        [0, 8, 16].map(|at| u64::from_ne_bytes(std::array::from_fn(|i| bytes[at + i])));
    Some(Reading { value, enabled_ns, running_ns })
}

fn since(last: Reading, now: Reading) -> Reading {
    Reading {
        value: now.value.wrapping_sub(last.value),
        enabled_ns: now.enabled_ns.wrapping_sub(last.enabled_ns),
        running_ns: now.running_ns.wrapping_sub(last.running_ns),
    }
}

/// The count of a counter that had been there all the time: value × enabled ÷ running,
/// rounded. Nothing if it never had one.
fn scaled(counted: Reading) -> Option<i64> {
    let Reading { value, enabled_ns, running_ns } = counted;
    if running_ns == 0 {
        return None;
    }
    if running_ns >= enabled_ns {
        return i64::try_from(value).ok();
    }
    let (enabled, running) = (u128::from(enabled_ns), u128::from(running_ns));
    i64::try_from((u128::from(value) * enabled + running / 2) / running).ok()
}

/// The share of the time it had a counter, in whole percent, rounded down.
fn percent(counted: Reading) -> i64 {
    let Reading { enabled_ns, running_ns, .. } = counted;
    let share = u128::from(running_ns) * 100 / u128::from(enabled_ns.max(1));
    i64::try_from(share.min(100)).unwrap_or(100)
}

/// Events that were opened, with what stands for each, and the reasons for the others.
struct Attempts<F> {
    files: Vec<(Source, F)>,
    events: Events,
    unavailable: Vec<Unavailable>,
}

/// Opens every wanted event; if the kernel refuses to count itself, what makes sense without.
fn attempt<F>(
    wanted: impl Fn(Source) -> bool,
    mut open: impl FnMut(&Event, Scope) -> io::Result<F>,
) -> Attempts<F> {
    let mut attempts =
        Attempts { files: Vec::new(), events: Events::Whole, unavailable: Vec::new() };
    for event in EVENTS.iter().filter(|event| wanted(event.source)) {
        let opened = match open(event, Scope::Whole) {
            Err(error) if is_forbidden(&error) => {
                attempts.events = Events::UserOnly { why: explain(&error) };
                if event.makes_sense_in_user_mode() { open(event, Scope::User) } else { Err(error) }
            }
            opened => opened,
        };
        match opened {
            Ok(file) => attempts.files.push((event.source, file)),
            Err(error) => attempts.unavailable.push(unavailable(event.source, explain(&error))),
        }
    }
    if attempts.files.is_empty() {
        attempts.events = Events::None;
    }
    let hardware = attempts.files.iter().any(|(source, _)| event::is_hardware(*source));
    if wanted(Source::Counted) && !hardware {
        let why = "no hardware event is available".to_owned();
        attempts.unavailable.push(unavailable(Source::Counted, why));
    }
    attempts
}

fn is_forbidden(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EACCES | libc::EPERM))
}

fn unavailable(source: Source, why: String) -> Unavailable {
    debug_assert_eq!(source.origin(), Origin::Event);
    Unavailable { metric: source.name().to_owned(), why }
}

/// The operating system's reason in words that help (perf_event_open(2)).
fn explain(error: &io::Error) -> String {
    let meaning = match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => {
            "not permitted: `sysctl kernel.perf_event_paranoid=1`, CAP_PERFMON or root; in a \
             container its seccomp profile has to allow perf_event_open, too"
        }
        Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV) => {
            "this machine has no counter for it, or its hypervisor passes none on"
        }
        Some(libc::ENOSYS) => "this kernel is built without perf events",
        Some(libc::EMFILE) => "too many open files: raise `ulimit -n`",
        _ => return error.to_string(),
    };
    format!("{meaning} ({error})")
}

#[cfg(test)]
mod tests;
