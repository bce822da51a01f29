//! The clock that batches are timed with.
//!
//! Owns the reading of `CLOCK_MONOTONIC`, as a C function because that costs the same 50 to 70 ns
//! in every Lua and JIT mode. Refuses to correct for that cost.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::api::{self, State};

/// Where [`lua_clock`] counts from; 0 until it is first asked for.
static ORIGIN: AtomicU64 = AtomicU64::new(0);

/// Nanoseconds on `CLOCK_MONOTONIC`.
fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid, writable timespec for the whole call. The clock always exists on
    // Linux, so the call cannot fail.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
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
