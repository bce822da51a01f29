//! The launcher's signals: what ends an execution from outside, without a window in which it could
//! be missed, and what holds it.
//!
//! Owns: the handlers and the few atomics they share with the main thread. Refuses: everything not
//! async-signal-safe; a handler only sets flags and signals the group of the execution in flight.
//! Because the handler itself kills, there is no race with the wait that follows: the wait simply
//! ends. Handlers run on the main thread only (every other thread blocks all signals).
//!
//! Ctrl-Z: etalon passes its SIGTSTP on and waits until the launcher has stopped; the launcher stops the
//! group first. SIGCONT resumes both, and is also how the launcher learns that an execution
//! was interrupted by a pause, whoever stopped it: a flag, and no system call for an execution that was
//! not.
//!
//! Handled signals are reset to their default by `execve`, so a command sees default dispositions;
//! what etalon inherited as ignored (nohup: SIGHUP) stays ignored. SIGPIPE, which Rust's runtime ignores,
//! gets an empty handler for that reason: writes fail with EPIPE here and kill over there.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use crate::clock::now_ns;
use crate::disposition;

/// The process whose handlers these are: a child shares our memory until it executes its program.
static LAUNCHER: AtomicI32 = AtomicI32::new(0);
/// Process group of the execution in flight; 0 if there is none.
static GROUP: AtomicI32 = AtomicI32::new(0);
/// Whether the experiment is to end.
static STOP: AtomicBool = AtomicBool::new(false);
/// Whether the timer fired during the execution in flight.
static RANG: AtomicBool = AtomicBool::new(false);
/// The signal by which something of the execution in flight has stopped itself; 0 for none.
static HALTED: AtomicI32 = AtomicI32::new(0);

/// Whether the group was stopped to be continued with the launcher.
static HELD: AtomicBool = AtomicBool::new(false);
/// How often that was done since the execution in flight began.
static HOLDS: AtomicU32 = AtomicU32::new(0);
/// Whether the launcher was continued since the execution in flight began.
static CONTINUED: AtomicBool = AtomicBool::new(false);
/// How long the launcher has been stopped by Ctrl-Z, in all.
static PAUSED_NS: AtomicU64 = AtomicU64::new(0);
/// The terminal that is lent to the execution in flight (-1: none), and the group it is lent by.
static TERMINAL: AtomicI32 = AtomicI32::new(-1);
static HOME: AtomicI32 = AtomicI32::new(0);
/// Whether the execution in flight has it.
static LENT: AtomicBool = AtomicBool::new(false);

/// A set of signals.
#[derive(Clone, Copy)]
pub(crate) struct Mask(libc::sigset_t);

impl Mask {
    pub(crate) fn empty() -> Mask {
        let mut set = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: sigemptyset initialises the set it is given and cannot fail.
        unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            Mask(set.assume_init())
        }
    }

    pub(super) fn full() -> Mask {
        let mut set = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: sigfillset initialises the set it is given and cannot fail.
        unsafe {
            libc::sigfillset(set.as_mut_ptr());
            Mask(set.assume_init())
        }
    }

    pub(crate) fn with(mut self, signal: i32) -> Mask {
        // SAFETY: the set is initialised.
        unsafe { libc::sigaddset(&raw mut self.0, signal) };
        self
    }

    /// A descriptor that is readable when one of them came, which has to be blocked.
    pub(crate) fn descriptor(&self) -> io::Result<OwnedFd> {
        let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
        // SAFETY: the set is initialised; the call returns a new descriptor or an error.
        let fd = unsafe { libc::signalfd(-1, &raw const self.0, flags) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: a descriptor just made, owned by nobody else.
        Ok(unsafe { OwnedFd::from_raw_fd(fd) })
    }

    /// Makes this the calling thread's mask. Async-signal-safe.
    pub(crate) fn apply(&self) {
        // SAFETY: the set is initialised; no old set is asked for.
        unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut()) };
    }
}

/// The mask the launcher works with: SIGTTOU blocked, so that it may hand the terminal back from
/// the background (ignoring it would be inherited by commands).
pub(super) fn working_mask() -> Mask {
    Mask::empty().with(libc::SIGTTOU)
}

/// Installs the handlers. Call once, before any execution.
pub(super) fn install() -> io::Result<()> {
    // SAFETY: getpid has no preconditions.
    LAUNCHER.store(unsafe { libc::getpid() }, SeqCst);
    handle(libc::SIGTERM, on_stop, ENDS_A_READ)?;
    handle_value(libc::SIGALRM, on_timer)?;
    // The kernel sends this one when etalon dies while we are stopped.
    if !disposition::is_ignored(libc::SIGHUP) {
        handle(libc::SIGHUP, on_stop, ENDS_A_READ)?;
    }
    if !disposition::is_ignored(libc::SIGTSTP) {
        handle(libc::SIGTSTP, on_suspend, libc::SA_RESTART)?;
    }
    handle(libc::SIGCONT, on_continue, libc::SA_RESTART)?;
    // A write that cannot be done is an error to report, not a death; exec undoes handlers.
    handle(libc::SIGPIPE, on_failed_write, ENDS_A_READ)?;
    handle(libc::SIGXFSZ, on_failed_write, ENDS_A_READ)?;
    working_mask().apply();
    Ok(())
}

/// No SA_RESTART: a blocked read is to end.
const ENDS_A_READ: libc::c_int = 0;

fn handle(signal: i32, handler: extern "C" fn(libc::c_int), flags: libc::c_int) -> io::Result<()> {
    install_one(signal, handler as *const () as libc::sighandler_t, flags)
}

/// Handles one that may have a value. It ends a read.
fn handle_value(
    signal: i32,
    handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void),
) -> io::Result<()> {
    let handler = handler as *const () as libc::sighandler_t;
    install_one(signal, handler, ENDS_A_READ | libc::SA_SIGINFO)
}

fn install_one(signal: i32, handler: libc::sighandler_t, flags: libc::c_int) -> io::Result<()> {
    // SAFETY: all-zero is a valid sigaction; the handler is async-signal-safe and has the signature
    // that a handler with these flags has.
    let done = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = flags;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(signal, &raw const action, std::ptr::null_mut())
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

extern "C" fn on_stop(_: libc::c_int) {
    if in_launcher() {
        STOP.store(true, SeqCst);
        kill_group();
    }
}

/// The timer; or etalon, which has seen that something of an execution has stopped itself.
extern "C" fn on_timer(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    let group = GROUP.load(SeqCst);
    if !in_launcher() || group == 0 {
        return;
    }
    // SAFETY: the kernel's own structure, valid as long as the handler; one that was queued has a value.
    let told = unsafe {
        let info = &*info;
        (info.si_code == libc::SI_QUEUE).then(|| info.si_value().sival_ptr.addr())
    };
    match told {
        None => RANG.store(true, SeqCst),
        Some(told) => {
            let signal = i32::try_from(told >> GROUP_BITS).unwrap_or(0);
            if told != halt(group, signal) {
                return; // of one that is over
            }
            HALTED.store(signal, SeqCst);
        }
    }
    kill_group();
}

/// Bits that hold any process's number.
const GROUP_BITS: u32 = 24;

/// The value of a SIGALRM that says by which signal something of an execution has stopped itself.
pub(super) fn halt(group: libc::pid_t, signal: i32) -> usize {
    let number = |number: i32| usize::try_from(number).unwrap_or(0);
    number(signal) << GROUP_BITS | number(group)
}

/// Stops the execution in flight, then the launcher. The time does not count for a timeout.
extern "C" fn on_suspend(_: libc::c_int) {
    if !in_launcher() {
        return;
    }
    let began_ns = now_ns();
    let zero = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let mut left = libc::itimerval { it_interval: zero, it_value: zero };
    let off = left;
    // SAFETY: both times are valid, one of them writable; errno is restored because the interrupted
    // code may be about to read it; kill and raise have no memory preconditions.
    unsafe {
        let errno = *libc::__errno_location();
        libc::setitimer(libc::ITIMER_REAL, &raw const off, &raw mut left);
        let group = GROUP.load(SeqCst);
        if group > 0 {
            HELD.store(true, SeqCst);
            HOLDS.fetch_add(1, SeqCst);
            libc::kill(-group, libc::SIGSTOP);
        }
        libc::raise(libc::SIGSTOP); // and here it goes on, with `on_continue` done
        libc::setitimer(libc::ITIMER_REAL, &raw const left, std::ptr::null_mut());
        *libc::__errno_location() = errno;
    }
    PAUSED_NS.fetch_add(now_ns() - began_ns, SeqCst);
}

/// The launcher goes on; so does what it held, with the terminal if etalon has that again.
extern "C" fn on_continue(_: libc::c_int) {
    if !in_launcher() {
        return;
    }
    CONTINUED.store(true, SeqCst);
    let group = GROUP.load(SeqCst);
    if group <= 0 || !HELD.swap(false, SeqCst) {
        return;
    }
    // SAFETY: errno as above; the terminal stays open as long as it may be lent; no other memory
    // preconditions. The group exists, see `kill_group`.
    unsafe {
        let errno = *libc::__errno_location();
        let terminal = TERMINAL.load(SeqCst);
        if terminal >= 0 && libc::tcgetpgrp(terminal) == HOME.load(SeqCst) {
            libc::tcsetpgrp(terminal, group);
            LENT.store(true, SeqCst);
        }
        libc::kill(-group, libc::SIGCONT);
        *libc::__errno_location() = errno;
    }
}

extern "C" fn on_failed_write(_: libc::c_int) {}

/// Whether this is the launcher and not a child between fork and exec, which shares its memory.
fn in_launcher() -> bool {
    // SAFETY: getpid has no preconditions and is async-signal-safe.
    unsafe { libc::getpid() == LAUNCHER.load(SeqCst) }
}

/// Kills the group of the execution in flight, if there is one. Async-signal-safe.
pub(super) fn kill_group() {
    let group = GROUP.load(SeqCst);
    if group > 0 {
        // SAFETY: errno's address is valid for the thread's life; it is restored because the
        // interrupted code may be about to read it. kill has no memory preconditions, and the
        // group exists: its leader is not reaped before GROUP is cleared.
        unsafe {
            let errno = *libc::__errno_location();
            libc::kill(-group, libc::SIGKILL);
            *libc::__errno_location() = errno;
        }
    }
}

/// The terminal that executions may be lent, and the group it belongs to.
pub(super) fn lends(terminal: RawFd, home: libc::pid_t) {
    TERMINAL.store(terminal, SeqCst);
    HOME.store(home, SeqCst);
}

/// Whether the execution in flight has the terminal.
pub(super) fn lent() -> bool {
    LENT.load(SeqCst)
}

/// The execution that follows has it; or the one in flight no longer.
pub(super) fn set_lent(lent: bool) {
    LENT.store(lent, SeqCst);
}

/// The execution in flight was stopped by a Ctrl-Z typed while it had the terminal: stops the group
/// it was typed for, which comes back here as for any other Ctrl-Z, and waits for what is next.
pub(super) fn suspend_home() {
    HELD.store(true, SeqCst);
    // SAFETY: kill has no memory preconditions; the group is etalon's, our parent's.
    unsafe { libc::kill(-HOME.load(SeqCst), libc::SIGTSTP) };
}

/// Forgets that the launcher was ever continued: an execution is about to begin.
pub(super) fn begin() {
    CONTINUED.store(false, SeqCst);
    HOLDS.store(0, SeqCst);
    HALTED.store(0, SeqCst);
}

/// The signal by which something of the execution in flight has stopped itself, for which it was killed.
pub(super) fn halted() -> Option<i32> {
    Some(HALTED.load(SeqCst)).filter(|signal| *signal > 0)
}

/// How often the execution in flight was stopped with the launcher, to be continued with it.
pub(super) fn holds() -> u32 {
    HOLDS.load(SeqCst)
}

/// Whether the launcher was continued after a stop since [`begin`].
pub(super) fn continued() -> bool {
    CONTINUED.load(SeqCst)
}

/// How long the launcher has been stopped by Ctrl-Z, in all.
pub(super) fn paused_ns() -> u64 {
    PAUSED_NS.load(SeqCst)
}

/// Names the group that the handlers kill. Call with all signals blocked.
pub(super) fn in_flight(group: libc::pid_t) {
    GROUP.store(group, SeqCst);
}

/// From here on the handlers kill nothing. Call before the group's leader is reaped.
pub(super) fn reaped() {
    GROUP.store(0, SeqCst);
}

/// Whether the experiment is to end.
pub(super) fn stopped() -> bool {
    STOP.load(SeqCst)
}

/// Ends the experiment as SIGTERM would.
pub(super) fn stop() {
    STOP.store(true, SeqCst);
}

/// Takes back a stop, so that something can be put in order after it; the next one counts again.
pub(super) fn clear_stop() {
    STOP.store(false, SeqCst);
}

/// Arms the timer for the execution that follows.
pub(super) fn arm(timeout: Duration) {
    RANG.store(false, SeqCst);
    // 0 would disarm it; the timer's step is 1 µs.
    set_timer(timeout.max(Duration::from_micros(1)));
}

/// Disarms the timer and says whether it fired while the execution was in flight.
pub(super) fn disarm() -> bool {
    set_timer(Duration::ZERO);
    RANG.load(SeqCst)
}

fn set_timer(after: Duration) {
    let zero = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let value = libc::timeval {
        // The kernel refuses seconds it cannot hold; a century is as good as none.
        tv_sec: i64::try_from(after.as_secs()).unwrap_or(i64::MAX).min(3_000_000_000),
        tv_usec: i64::from(after.subsec_micros()),
    };
    let timer = libc::itimerval { it_interval: zero, it_value: value };
    // SAFETY: the timer's value is a valid, normalised time; no old value is asked for.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut()) };
}
