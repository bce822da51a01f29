//! The free blocks that reading the driver left between its live ones.
//!
//! Owns filling them, once. Because allocators hand such blocks out first: what a timed function allocates then lies
//! scattered among the driver's functions. Building tables took 6 % longer on PUC Lua 5.1 than in a process that has
//! never read the driver, and small ones 14 % on LuaJIT. Refuses to fill large ones, which are as good as fresh memory,
//! and more than a few megabytes, whatever allocator there is.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use crate::api::{self, Allocator, State};

/// Larger blocks than this stay free.
const LARGEST: usize = 8 * 1024;
/// The step of block sizes, and the smallest, of 64-bit glibc and LuaJIT.
const STEP: usize = 16;
const SMALLEST: usize = 24;
/// Blocks that are taken to see where fresh memory begins, and their size: below what is mapped by itself.
const MARKS: usize = 8;
const MARK: usize = 96 * 1024;
/// The most that is filled.
const MOST: usize = 4 * 1024 * 1024;

/// `fill_holes()`: takes all small free blocks, for as long as the process lives; how many bytes these are.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
pub unsafe extern "C-unwind" fn lua_fill_holes(state: *mut State) -> c_int {
    let mut data = null_mut();
    // SAFETY: the state is valid, and `data` writable.
    let own = unsafe { api::lua_getallocf(state, &raw mut data) };
    // SAFETY: the allocator is called as Lua calls it, with its own data.
    let filled = own.map_or(0, |own| unsafe { fill(own, data) });
    #[allow(clippy::cast_precision_loss)] // a few megabytes
    let filled = filled as f64;
    // SAFETY: the state is valid, and Lua guarantees room for results.
    unsafe { api::lua_pushnumber(state, filled) };
    1
}

/// Blocks come from holes as long as there are any, and then from behind everything: above the highest mark.
///
/// # Safety
/// `own` may be called with `data`, as Lua's allocator.
unsafe fn fill(own: Allocator, data: *mut c_void) -> usize {
    // SAFETY: as above; nothing is read from or written to what is allocated.
    let taken = |size: usize| unsafe { own(data, null_mut(), 0, size) };
    let marks: [*mut c_void; MARKS] = std::array::from_fn(|_| taken(MARK));
    let highest = marks.iter().map(|mark| mark.addr()).max().unwrap_or(0);
    let give_back = |block: *mut c_void, size: usize| {
        if !block.is_null() {
            // SAFETY: it was allocated above with that size, and is given back once.
            unsafe { own(data, block, size, 0) };
        }
    };
    let mut filled = 0;
    for size in (SMALLEST..=LARGEST).rev().step_by(STEP) {
        while filled < MOST {
            let block = taken(size);
            if block.is_null() || block.addr() > highest {
                give_back(block, size);
                break;
            }
            filled += size;
        }
    }
    marks.into_iter().for_each(|mark| give_back(mark, MARK));
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PUC Lua's own.
    unsafe extern "C-unwind" fn of_c(
        _: *mut c_void,
        block: *mut c_void,
        _: usize,
        wanted: usize,
    ) -> *mut c_void {
        // SAFETY: as for the caller: the block is null or was given by this.
        unsafe {
            match wanted {
                0 => {
                    libc::free(block);
                    null_mut()
                }
                _ => libc::realloc(block, wanted),
            }
        }
    }

    /// Would catch holes that stay, and fresh memory that is taken for holes until the limit.
    #[test]
    fn small_free_blocks_are_gone_afterwards() {
        // SAFETY: the allocator needs no data.
        let filled = || unsafe { fill(of_c, null_mut()) };
        filled();
        // SAFETY: nothing is read or written, and every block is freed once.
        let blocks: Vec<*mut c_void> =
            (0..3000).map(|at| unsafe { libc::malloc(100 + at % 7 * 100) }).collect();
        for block in blocks.iter().step_by(2) {
            // SAFETY: as above.
            unsafe { libc::free(*block) };
        }
        let (first, again) = (filled(), filled());
        for block in blocks.iter().skip(1).step_by(2) {
            // SAFETY: as above.
            unsafe { libc::free(*block) };
        }
        assert!((100_000..MOST).contains(&first), "{first}");
        assert!(again < first / 10, "{again} of {first}");
    }
}
