//! The channel to etalon: where a worker gets its requests from and writes its lines to.
//!
//! Owns the descriptor. It comes in as standard input; [`adopt`] moves it out of the way, so that
//! nothing a benchmark does with its standard streams meets it. Every line is one message; a
//! process that cannot reach etalon any more ends. Refuses to know what the lines say.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

use crate::api::{self, State};

/// The lowest descriptor the channel gets where so many are allowed. Because programs that close or reuse "all"
/// descriptors rarely go beyond the first few dozen, and the usual limit is 1024.
const LOWEST: c_int = 200;

/// A worker's exit code when etalon is gone, or the channel was closed under it.
const LOST: c_int = 1;

/// How much of a request is read at once.
const PIECE: usize = 4096;

/// The descriptor, and which socket it is: a number can be closed and come to mean something else.
static DESCRIPTOR: AtomicI32 = AtomicI32::new(-1);
static DEVICE: AtomicU64 = AtomicU64::new(0);
static INODE: AtomicU64 = AtomicU64::new(0);

/// Takes the channel over from standard input, which becomes `/dev/null`, and ties this process's
/// life to etalon's. To be called once, before anything else uses descriptors; later calls do
/// nothing. False if standard input is no channel.
pub fn adopt() -> bool {
    if DESCRIPTOR.load(Relaxed) >= 0 {
        return true;
    }
    let Some((device, inode)) = identity(0) else { return false };
    let Some(etalon) = peer(0) else { return false };
    // SAFETY: calls on descriptors without memory preconditions; the path is a C string. Standard
    // input is this process's to replace: it was made for this.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != etalon {
            libc::_exit(LOST); // it ended before the line above
        }
        let mut moved = libc::fcntl(0, libc::F_DUPFD_CLOEXEC, LOWEST);
        if moved < 0 {
            moved = libc::fcntl(0, libc::F_DUPFD_CLOEXEC, highest()); // fewer may be open than that
        }
        if moved < 0 {
            return false;
        }
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        if null < 0 || libc::dup2(null, 0) < 0 {
            return false;
        }
        libc::close(null);
        DEVICE.store(device, Relaxed);
        INODE.store(inode, Relaxed);
        DESCRIPTOR.store(moved, Relaxed);
    }
    true
}

/// Half of what descriptors there may be: far from the lowest, and not the only one left.
fn highest() -> c_int {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is writable for the whole call.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    c_int::try_from(limit.rlim_cur / 2).unwrap_or(LOWEST).max(3)
}

/// Device and inode of a descriptor.
fn identity(descriptor: c_int) -> Option<(u64, u64)> {
    // SAFETY: `stat` is plain numbers, for which zeros are valid.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: `stat` is writable for the whole call.
    let known = unsafe { libc::fstat(descriptor, &raw mut stat) } == 0;
    known.then_some((stat.st_dev, stat.st_ino))
}

/// The process at the other end of a socket.
fn peer(socket: c_int) -> Option<libc::pid_t> {
    let mut who = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut size = libc::socklen_t::try_from(size_of::<libc::ucred>()).ok()?;
    let out = (&raw mut who).cast();
    // SAFETY: `out` is writable for `size` bytes.
    let code = unsafe {
        libc::getsockopt(socket, libc::SOL_SOCKET, libc::SO_PEERCRED, out, &raw mut size)
    };
    (code == 0).then_some(who.pid)
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
