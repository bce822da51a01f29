//! The free blocks that reading the driver left between its live ones.
//!
//! Owns filling them, once. Because glibc's allocator hands such blocks out first: what a timed function allocates then
//! lies scattered among the driver's functions, and building tables took 6 % longer on PUC Lua 5.1 than in a process
//! that has never read the driver. Refuses to fill large ones, which are as good as fresh memory, and more than a few
//! megabytes, whatever allocator there is.

use std::ffi::{c_int, c_void};

use crate::api::State;

/// Larger blocks than this stay free.
const LARGEST: usize = 8 * 1024;
/// The step of block sizes, and the smallest, of 64-bit glibc.
const STEP: usize = 16;
const SMALLEST: usize = 24;
/// Blocks that are taken to see where fresh memory begins, and their size: below what is mapped by itself.
const MARKS: usize = 8;
const MARK: usize = 96 * 1024;
/// What is filled at most.
const MOST: usize = 4 * 1024 * 1024;

/// `fill_holes()`: takes all small free blocks, for as long as the process lives; how many bytes these are.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
pub unsafe extern "C-unwind" fn lua_fill_holes(state: *mut State) -> c_int {
    #[allow(clippy::cast_precision_loss)] // a few megabytes
    let filled = fill_holes() as f64;
    // SAFETY: the state is valid, and Lua guarantees room for results.
    unsafe { crate::api::lua_pushnumber(state, filled) };
    1
}

/// Blocks come from holes as long as there are any, and then from behind everything: above the highest mark.
fn fill_holes() -> usize {
    // SAFETY: nothing is read from or written to what is allocated.
    let marks: [*mut c_void; MARKS] = std::array::from_fn(|_| unsafe { libc::malloc(MARK) });
    let highest = marks.iter().map(|mark| mark.addr()).max().unwrap_or(0);
    let mut filled = 0;
    for size in (SMALLEST..=LARGEST).rev().step_by(STEP) {
        while filled < MOST {
            // SAFETY: as above.
            let block = unsafe { libc::malloc(size) };
            if block.is_null() || block.addr() > highest {
                // SAFETY: it was just allocated, and is not used.
                unsafe { libc::free(block) };
                break;
            }
            filled += size;
        }
    }
    // SAFETY: each was allocated above (or is null), and is freed once.
    marks.into_iter().for_each(|mark| unsafe { libc::free(mark) });
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch holes that stay, and fresh memory that is taken for holes until the limit.
    #[test]
    fn small_free_blocks_are_gone_afterwards() {
        fill_holes();
        // SAFETY: nothing is read or written, and every block is freed once.
        let blocks: Vec<*mut c_void> =
            (0..3000).map(|at| unsafe { libc::malloc(100 + at % 7 * 100) }).collect();
        for block in blocks.iter().step_by(2) {
            // SAFETY: as above.
            unsafe { libc::free(*block) };
        }
        let (first, again) = (fill_holes(), fill_holes());
        for block in blocks.iter().skip(1).step_by(2) {
            // SAFETY: as above.
            unsafe { libc::free(*block) };
        }
        assert!((100_000..MOST).contains(&first), "{first}");
        assert!(again < first / 10, "{again} of {first}");
    }
}
