//! The channel to etalon: where a worker gets its requests from and writes its lines to.
//!
//! Owns the descriptor. It comes in as standard input; [`adopt`] moves it out of the way, so that
//! nothing a benchmark does with its standard streams meets it. Every line is one message; a
//! process that cannot reach etalon any more ends. Refuses to know what the lines say.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

use crate::api::{self, State};

/// The lowest descriptor the channel should get. Because programs that close or reuse "all"
/// descriptors rarely go beyond the first few dozen, and the usual limit is 1024. Where the limit is
/// lower, it gets the highest there is.
const LOWEST: c_int = 200;

/// The lowest descriptor that is none of a worker's streams.
const FIRST_PRIVATE: c_int = 3;

/// A worker's exit code when etalon is gone, or the channel was closed under it.
const LOST: c_int = 1;

/// How much of a request is read at once.
const PIECE: usize = 4096;

/// The descriptor, and which socket it is: a number can be closed and come to mean something else.
static DESCRIPTOR: AtomicI32 = AtomicI32::new(-1);
static DEVICE: AtomicU64 = AtomicU64::new(0);
static INODE: AtomicU64 = AtomicU64::new(0);

/// Takes the channel over from standard input, which becomes `/dev/null`. No other program that this
/// process starts gets it. To be called once, before anything else uses descriptors; later calls do
/// nothing. False if standard input is no channel.
pub fn adopt() -> bool {
    if DESCRIPTOR.load(Relaxed) >= 0 {
        return true;
    }
    let Some((device, inode)) = identity(0).filter(|_| is_socket(0)) else { return false };
    let Some(moved) = (FIRST_PRIVATE..=LOWEST).rev().find_map(moved_to) else { return false };
    // SAFETY: calls on descriptors without memory preconditions; the path is a C string. Standard
    // input is this process's to replace: it was made for this.
    unsafe {
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        if null < 0 || libc::dup2(null, 0) < 0 {
            return false;
        }
        libc::close(null);
    }
    DEVICE.store(device, Relaxed);
    INODE.store(inode, Relaxed);
    DESCRIPTOR.store(moved, Relaxed);
    true
}

/// Standard input as a descriptor of at least this number, closed on exec; `None` above the limit.
fn moved_to(lowest: c_int) -> Option<c_int> {
    // SAFETY: a call on descriptors without memory preconditions.
    let moved = unsafe { libc::fcntl(0, libc::F_DUPFD_CLOEXEC, lowest) };
    (moved >= 0).then_some(moved)
}

/// Device and inode of a descriptor.
fn identity(descriptor: c_int) -> Option<(u64, u64)> {
    // SAFETY: `stat` is plain numbers, for which zeros are valid.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: `stat` is writable for the whole call.
    let known = unsafe { libc::fstat(descriptor, &raw mut stat) } == 0;
    known.then_some((stat.st_dev, stat.st_ino))
}

/// Whether a descriptor is a socket.
fn is_socket(descriptor: c_int) -> bool {
    let mut kind: c_int = 0;
    let Ok(mut size) = libc::socklen_t::try_from(size_of::<c_int>()) else { return false };
    let out = (&raw mut kind).cast();
    // SAFETY: `out` is writable for `size` bytes.
    let code = unsafe {
        libc::getsockopt(descriptor, libc::SOL_SOCKET, libc::SO_TYPE, out, &raw mut size)
    };
    code == 0
}

/// The channel's descriptor; ends the process if it is none any more.
fn descriptor() -> c_int {
    let descriptor = DESCRIPTOR.load(Relaxed);
    if identity(descriptor) != Some((DEVICE.load(Relaxed), INODE.load(Relaxed))) {
        lost();
    }
    descriptor
}

/// Ends this process: there is nobody to say anything to.
fn lost() -> ! {
    // SAFETY: ends the process without running anything else of it.
    unsafe { libc::_exit(LOST) }
}

/// Whether the last call was only interrupted by a signal.
fn interrupted() -> bool {
    std::io::Error::last_os_error().raw_os_error() == Some(libc::EINTR)
}

/// Sends a line. `MSG_NOSIGNAL`: when etalon is gone this process ends quietly.
pub fn send(line: &[u8]) {
    let descriptor = descriptor();
    let mut rest = line;
    while !rest.is_empty() {
        // SAFETY: `rest` is readable for its length.
        let sent =
            unsafe { libc::send(descriptor, rest.as_ptr().cast(), rest.len(), libc::MSG_NOSIGNAL) };
        match usize::try_from(sent) {
            Ok(sent) => rest = rest.get(sent..).unwrap_or_default(),
            Err(_) if interrupted() => {}
            Err(_) => lost(),
        }
    }
}

/// Receives up to the end of the line, or what fits; 0 when etalon has hung up. Looks before it
/// takes, so that nothing has to be kept from one line to the next.
fn receive(piece: &mut [u8; PIECE]) -> usize {
    let descriptor = descriptor();
    let mut flags = libc::MSG_PEEK;
    let mut length = PIECE;
    loop {
        // SAFETY: `piece` is writable for `length`, which is at most its size.
        let got = unsafe { libc::recv(descriptor, piece.as_mut_ptr().cast(), length, flags) };
        match usize::try_from(got) {
            Ok(0) => return 0,
            Ok(got) if flags == 0 => return got,
            Ok(got) => {
                let line = piece[..got].iter().position(|&byte| byte == b'\n');
                length = line.map_or(got, |end| end + 1);
                flags = 0;
            }
            Err(_) if interrupted() => {}
            Err(_) => return 0,
        }
    }
}

/// `adopt()`: see [`adopt`]; raises an error where that says no.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
pub unsafe extern "C-unwind" fn lua_adopt(state: *mut State) -> c_int {
    if adopt() {
        return 0;
    }
    // SAFETY: a format without arguments; nothing here has to be dropped.
    unsafe { api::luaL_error(state, c"standard input is not a channel to etalon".as_ptr()) }
}

/// `close(descriptor)`: closes what a worker was started with.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
#[allow(clippy::cast_possible_truncation)] // `as` saturates
pub unsafe extern "C-unwind" fn lua_close(state: *mut State) -> c_int {
    // SAFETY: the state is valid; without a number it raises an error, and nothing here has to be dropped. Closing
    // has no memory preconditions; the driver closes what it was given.
    unsafe { libc::close(api::luaL_checknumber(state, 1) as c_int) };
    0
}

/// `read()`: the next piece of a request, ending in a newline if it is the last; `nil` at the end.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
pub unsafe extern "C-unwind" fn lua_read(state: *mut State) -> c_int {
    let mut piece = [0_u8; PIECE];
    let length = receive(&mut piece);
    // SAFETY: the state is valid, Lua guarantees room for a result and copies the bytes.
    unsafe {
        match length {
            0 => api::lua_pushnil(state),
            _ => api::lua_pushlstring(state, piece.as_ptr().cast::<c_char>(), length),
        }
    }
    1
}

/// `write(line)`: sends a line, which has its newline.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
pub unsafe extern "C-unwind" fn lua_write(state: *mut State) -> c_int {
    let mut length = 0;
    // SAFETY: the state is valid and `length` writable.
    let text = unsafe { api::lua_tolstring(state, 1, &raw mut length) };
    if text.is_null() {
        // SAFETY: a format without arguments; nothing here has to be dropped.
        return unsafe { api::luaL_error(state, c"a line is a string".as_ptr()) };
    }
    // SAFETY: Lua gave the string's length, and keeps it while it is an argument.
    send(unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) });
    0
}

/// `flush()`: hands everything that C's streams still hold to the system.
///
/// # Safety
/// None needed: the state is not touched.
pub unsafe extern "C-unwind" fn lua_flush(_state: *mut State) -> c_int {
    // SAFETY: null means all streams; C's own locks guard them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    0
}
