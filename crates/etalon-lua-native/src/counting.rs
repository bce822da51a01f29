//! Counting what a Lua state allocates, exactly, by standing between it and its allocator.
//!
//! Owns the wrapping allocator and its counters. Refuses to allocate differently: every request goes
//! to the allocator that was there, with the arguments it came with, and outside a reading that one
//! is installed alone, so nothing is slower where time is measured.
//!
//! A reading is `count_begin(heap)`, any number of `count_resume()` … `count_pause()`, and
//! `count_end()`. One state of a process at a time. Only what happens between resume and pause is
//! counted; the size of the heap is followed all the time.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU64, Ordering::Relaxed};

use crate::api::{self, Allocator, State};

/// The state's own allocator (a function pointer) and its user data, while a reading is on.
static OWN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static OWN_DATA: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// Whether requests count at the moment.
static COUNTING: AtomicBool = AtomicBool::new(false);

/// Bytes of new blocks, and by which blocks grew.
static BYTES: AtomicU64 = AtomicU64::new(0);
/// Bytes of new blocks alone.
static NEW_BYTES: AtomicU64 = AtomicU64::new(0);
/// New blocks.
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
/// Blocks that changed their size.
static REALLOCATIONS: AtomicU64 = AtomicU64::new(0);
/// Bytes of blocks given back, and by which blocks shrank.
static RETURNED: AtomicU64 = AtomicU64::new(0);
/// Blocks given back.
static FREES: AtomicU64 = AtomicU64::new(0);
/// The heap in bytes, now and at its largest since the reading began.
static HEAP: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// Adds without a locked instruction: one state is one thread at a time.
fn add(counter: &AtomicU64, amount: usize) {
    counter.store(counter.load(Relaxed) + amount as u64, Relaxed);
}

/// The allocator of a state that is being read.
///
/// # Safety
/// Called by Lua, as its allocator, while `OWN` is the one it had before.
unsafe extern "C-unwind" fn counted(
    data: *mut c_void,
    block: *mut c_void,
    size: usize,
    wanted: usize,
) -> *mut c_void {
    let own = OWN.load(Relaxed);
    // SAFETY: `begin` stored an `Allocator` there before it installed this function; pointers to
    // functions and to data have one size on the supported systems.
    let own = unsafe { std::mem::transmute::<*mut c_void, Allocator>(own) };
    let _ = data;
    // SAFETY: the request is passed on as it came, with the allocator's own data.
    let given = unsafe { own(OWN_DATA.load(Relaxed), block, size, wanted) };
    if wanted == 0 || !given.is_null() {
        // Without a block, `size` says what kind of object it is for (from 5.2 on).
        note(block.is_null(), if block.is_null() { 0 } else { size }, wanted);
    }
    given
}

/// Enters a request that was granted.
fn note(new: bool, size: usize, wanted: usize) {
    let grown = i64::try_from(wanted).unwrap_or(0) - i64::try_from(size).unwrap_or(0);
    let heap = HEAP.load(Relaxed) + grown;
    HEAP.store(heap, Relaxed);
    if heap > PEAK.load(Relaxed) {
        PEAK.store(heap, Relaxed);
    }
    if !COUNTING.load(Relaxed) {
        return;
    }
    match (new, wanted) {
        (true, 0) => {} // nothing freed
        (true, _) => {
            add(&ALLOCATIONS, 1);
            add(&NEW_BYTES, wanted);
        }
        (false, 0) => add(&FREES, 1),
        (false, _) => add(&REALLOCATIONS, 1),
    }
    add(&BYTES, wanted.saturating_sub(size));
    add(&RETURNED, size.saturating_sub(wanted));
}

/// `count_begin(heap)`: everything to 0, the heap to `heap` bytes, and in between from here on.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
#[allow(clippy::cast_possible_truncation)] // a heap is less than 2⁵³ bytes
pub unsafe extern "C-unwind" fn lua_begin(state: *mut State) -> c_int {
    // SAFETY: the state is valid.
    let heap = unsafe { api::luaL_checknumber(state, 1) } as i64;
    if !OWN.load(Relaxed).is_null() {
        // SAFETY: a format without arguments; nothing here has to be dropped.
        return unsafe { api::luaL_error(state, c"a reading is on already".as_ptr()) };
    }
    for counter in [&BYTES, &ALLOCATIONS, &REALLOCATIONS, &FREES, &NEW_BYTES, &RETURNED] {
        counter.store(0, Relaxed);
    }
    HEAP.store(heap, Relaxed);
    PEAK.store(heap, Relaxed);
    COUNTING.store(false, Relaxed);
    let mut data = null_mut();
    // SAFETY: the state is valid, `data` is writable, and what is stored is complete before
    // `counted` can be called.
    unsafe {
        let Some(own) = api::lua_getallocf(state, &raw mut data) else { return 0 };
        OWN.store(own as *mut c_void, Relaxed);
        OWN_DATA.store(data, Relaxed);
        api::lua_setallocf(state, counted, null_mut());
    }
    0
}

/// `count_resume()`: what is allocated from here on counts.
///
/// # Safety
/// None needed: the state is not touched.
pub unsafe extern "C-unwind" fn lua_resume(_state: *mut State) -> c_int {
    COUNTING.store(true, Relaxed);
    0
}

/// `count_pause()`: what is allocated from here on does not count.
///
/// # Safety
/// None needed: the state is not touched.
pub unsafe extern "C-unwind" fn lua_pause(_state: *mut State) -> c_int {
    COUNTING.store(false, Relaxed);
    0
}

/// `count_end()`: gives the state its own allocator back; returns bytes, allocations,
/// reallocations, frees, the largest heap in bytes, bytes of new blocks alone, and bytes given back: the heap grew by what
/// was allocated less these.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
#[allow(clippy::cast_precision_loss)] // counts of one reading are below 2⁵³
pub unsafe extern "C-unwind" fn lua_end(state: *mut State) -> c_int {
    COUNTING.store(false, Relaxed);
    let own = OWN.load(Relaxed);
    if own.is_null() {
        // SAFETY: a format without arguments; nothing here has to be dropped.
        return unsafe { api::luaL_error(state, c"no reading is on".as_ptr()) };
    }
    // SAFETY: the state is valid; `own` is what `begin` stored (see `counted`), and Lua guarantees
    // room for seven results. Pushing numbers allocates nothing.
    unsafe {
        api::lua_setallocf(
            state,
            std::mem::transmute::<*mut c_void, Allocator>(own),
            OWN_DATA.load(Relaxed),
        );
        for counter in [&BYTES, &ALLOCATIONS, &REALLOCATIONS, &FREES] {
            api::lua_pushnumber(state, counter.load(Relaxed) as f64);
        }
        api::lua_pushnumber(state, PEAK.load(Relaxed) as f64);
        for counter in [&NEW_BYTES, &RETURNED] {
            api::lua_pushnumber(state, counter.load(Relaxed) as f64);
        }
    }
    OWN.store(null_mut(), Relaxed);
    7
}
