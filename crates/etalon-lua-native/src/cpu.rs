//! The CPU that a batch is executed on.
//!
//! Owns asking for it, and going there. Refuses to stay: it may be taken elsewhere at any time, as before.

use std::ffi::c_int;
use std::mem::size_of;

use crate::api::{self, State};

/// `cpu()`: the number of the CPU this is executed on; nil where the system does not say.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
pub unsafe extern "C-unwind" fn lua_cpu(state: *mut State) -> c_int {
    // SAFETY: it has no arguments and touches no memory.
    let cpu = unsafe { libc::sched_getcpu() };
    // SAFETY: the state is valid, and Lua guarantees room for results.
    unsafe {
        if cpu < 0 { api::lua_pushnil(state) } else { api::lua_pushnumber(state, f64::from(cpu)) }
    }
    1
}

/// `go_to(cpu)`: continues on that CPU. The system may take it elsewhere again, as before; where it may not be
/// executed there, it stays where it is.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // `as` saturates
pub unsafe extern "C-unwind" fn lua_go_to(state: *mut State) -> c_int {
    // SAFETY: the state is valid; without a number it raises an error, and nothing here has to be dropped.
    go_to(unsafe { api::luaL_checknumber(state, 1) } as usize);
    0
}

/// Because a batch may start threads and processes, which inherit where it may be executed, that is as before when
/// this returns.
fn go_to(cpu: usize) {
    let size = size_of::<libc::cpu_set_t>();
    if cpu >= 8 * size {
        return;
    }
    // SAFETY: a `cpu_set_t` is an array of bits, for which zeros are valid; `cpu` is one of them. The kernel reads and
    // writes as many bytes as said.
    unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        let mut wanted: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu, &mut wanted);
        if libc::sched_getaffinity(0, size, &raw mut allowed) == 0
            && libc::sched_setaffinity(0, size, &raw const wanted) == 0
        {
            libc::sched_setaffinity(0, size, &raw const allowed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed() -> Vec<usize> {
        // SAFETY: zeros are a valid set, and the kernel writes as many bytes as said.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            let size = size_of::<libc::cpu_set_t>();
            assert_eq!(libc::sched_getaffinity(0, size, &raw mut set), 0);
            (0..8 * size).filter(|cpu| libc::CPU_ISSET(*cpu, &set)).collect()
        }
    }

    /// Would catch a thread that stays where it was, and one that may not leave again: what it starts would share that
    /// CPU. The system may move it between two lines, so it is tried some times.
    #[test]
    fn it_goes_there_and_may_leave_again() {
        let before = allowed();
        for &cpu in &before {
            let gets_there = |_| {
                go_to(cpu);
                // SAFETY: it touches no memory.
                usize::try_from(unsafe { libc::sched_getcpu() }) == Ok(cpu)
            };
            assert!((0..1000).any(gets_there), "CPU {cpu}");
            assert_eq!(allowed(), before);
        }
        go_to(usize::MAX);
        go_to(8 * size_of::<libc::cpu_set_t>() - 1);
        assert_eq!(allowed(), before);
    }
}
