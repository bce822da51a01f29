//! Ctrl-Z: the launcher stops and resumes with etalon.
//!
//! Owns: etalon's handler of SIGTSTP, there as long as a launcher is, and the time that passed
//! meanwhile. Refuses: to stop anything else (Lua workers end the batch under way and wait), and to
//! handle a SIGTSTP that was inherited as ignored.
//!
//! The launcher has stopped before etalon does, and etalon continues it: a SIGCONT that overtook the
//! stop would leave it stopped for ever. Where the kernel discards the stop, because nobody could
//! continue etalon, the launcher goes on at once.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::SeqCst};

use crate::{clock, disposition};

/// The launcher; 0 if there is none.
static LAUNCHER: AtomicI32 = AtomicI32::new(0);
/// How long etalon has been stopped, in all.
static PAUSED_NS: AtomicU64 = AtomicU64::new(0);

/// A launcher that stops with etalon.
#[derive(Debug)]
pub(super) struct Companion(());

impl Companion {
    /// From now on this process does, which is a child that is not reaped.
    pub(super) fn of(launcher: libc::pid_t) -> Companion {
        LAUNCHER.store(launcher, SeqCst);
        if !disposition::is_ignored(libc::SIGTSTP) {
            set_action(on_stop_typed as *const () as libc::sighandler_t);
        }
        Companion(())
    }

    /// It does so no more. Call before it is reaped.
    pub(super) fn leave(&mut self) {
        LAUNCHER.store(0, SeqCst);
        if !disposition::is_ignored(libc::SIGTSTP) {
            set_action(libc::SIG_DFL);
        }
    }
}

/// How long etalon has been stopped by Ctrl-Z since it started.
#[must_use]
pub fn paused_ns() -> u64 {
    PAUSED_NS.load(SeqCst)
}

/// The monotonic clock without the time etalon was stopped by Ctrl-Z: what budgets are counted in.
#[must_use]
pub fn awake_ns() -> u64 {
    clock::now_ns().saturating_sub(paused_ns())
}

fn set_action(action: libc::sighandler_t) {
    // SAFETY: all-zero is a valid sigaction; the handler is async-signal-safe and has the signature
    // of one without SA_SIGINFO. That it cannot be set would leave Ctrl-Z what it is by default.
    unsafe {
        let mut new: libc::sigaction = std::mem::zeroed();
        new.sa_sigaction = action;
        new.sa_flags = libc::SA_RESTART; // what was under way goes on
        libc::sigemptyset(&raw mut new.sa_mask);
        libc::sigaction(libc::SIGTSTP, &raw const new, ptr::null_mut());
    }
}

extern "C" fn on_stop_typed(_: libc::c_int) {
    let began_ns = clock::now_ns();
    // SAFETY: errno is restored because the interrupted code may be about to read it. All calls are
    // async-signal-safe; the structures are written before they are read; the launcher is not reaped
    // as long as it is named.
    unsafe {
        let errno = *libc::__errno_location();
        let launcher = LAUNCHER.load(SeqCst);
        if launcher > 0 {
            libc::kill(launcher, libc::SIGTSTP);
            wait_for_stop(launcher);
        }
        stop();
        if launcher > 0 {
            libc::kill(launcher, libc::SIGCONT);
        }
        *libc::__errno_location() = errno;
    }
    PAUSED_NS.fetch_add(clock::now_ns() - began_ns, SeqCst);
}

/// Waits until a child has stopped or exited.
unsafe fn wait_for_stop(child: libc::pid_t) {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let options = libc::WSTOPPED | libc::WEXITED | libc::WNOWAIT;
    loop {
        // SAFETY: `info` is writable.
        let done =
            unsafe { libc::waitid(libc::P_PID, child.cast_unsigned(), info.as_mut_ptr(), options) };
        // SAFETY: errno's address is valid for the thread's life.
        if done == 0 || unsafe { *libc::__errno_location() } != libc::EINTR {
            return;
        }
    }
}

/// Stops this process as if SIGTSTP were not handled; returns when it goes on.
unsafe fn stop() {
    // SAFETY: as in `set_action`; the sets are initialised by sigemptyset. raise is for this thread,
    // so that the stop has come and gone when it returns.
    unsafe {
        let mut ours: libc::sigaction = std::mem::zeroed();
        let mut default: libc::sigaction = std::mem::zeroed();
        default.sa_sigaction = libc::SIG_DFL;
        libc::sigaction(libc::SIGTSTP, &raw const default, &raw mut ours);
        let mut stop = MaybeUninit::<libc::sigset_t>::uninit();
        let mut before = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(stop.as_mut_ptr());
        libc::sigaddset(stop.as_mut_ptr(), libc::SIGTSTP);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, stop.as_ptr(), before.as_mut_ptr());
        libc::raise(libc::SIGTSTP);
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
        libc::sigaction(libc::SIGTSTP, &raw const ours, ptr::null_mut());
    }
}
