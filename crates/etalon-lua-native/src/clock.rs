//! The clocks that batches are timed with.
//!
//! Owns the readings of `CLOCK_MONOTONIC` and of the thread's CPU time, as C functions because these cost the same
//! in every Lua and JIT mode: the first 50 to 70 ns, the second a system call. Refuses to correct for that cost.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::api::{self, State};

/// Where [`lua_clock`] counts from; 0 until it is first asked for.
static ORIGIN: AtomicU64 = AtomicU64::new(0);

/// Nanoseconds on a clock of the system.
fn read(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid, writable timespec for the whole call. Both clocks that are read always
    // exist on Linux, so the call cannot fail.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

/// Nanoseconds on `CLOCK_MONOTONIC`.
fn now() -> u64 {
    read(libc::CLOCK_MONOTONIC)
}

/// The reading that [`lua_clock`] counts from, in ns.
///
/// Because doubles are exact to 2⁵³: counted from the machine's start, single nanoseconds would be
/// lost after 104 days; counted from the process's, they are not.
#[allow(clippy::cast_precision_loss)] // said above; only `at` is derived from it
pub fn origin() -> f64 {
    let read = now();
    let set = ORIGIN.compare_exchange(0, read, Ordering::Relaxed, Ordering::Relaxed);
    set.map_or_else(|earlier| earlier, |_| read) as f64
}

/// `clock()`: nanoseconds since [`origin`], a whole number.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
#[allow(clippy::cast_precision_loss)] // 104 days, see `origin`
pub unsafe extern "C-unwind" fn lua_clock(state: *mut State) -> c_int {
    let elapsed = now() - ORIGIN.load(Ordering::Relaxed);
    // SAFETY: the state is valid, and Lua guarantees room for results.
    unsafe { api::lua_pushnumber(state, elapsed as f64) };
    1
}

/// `cpu_clock()`: CPU time of the calling thread in ns, a whole number. Reading it is a system call.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
#[allow(clippy::cast_precision_loss)] // 104 days of CPU time
pub unsafe extern "C-unwind" fn lua_cpu_clock(state: *mut State) -> c_int {
    let spent = read(libc::CLOCK_THREAD_CPUTIME_ID);
    // SAFETY: the state is valid, and Lua guarantees room for results.
    unsafe { api::lua_pushnumber(state, spent as f64) };
    1
}
