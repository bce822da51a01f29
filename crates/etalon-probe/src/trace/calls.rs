//! The calls of ptrace(2) that a tracer makes, and what it reads of a process that has stopped.
//!
//! Numbers are those of the kernel, because not every C library that etalon is built for has them all.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use etalon_record::Text;

const CONT: libc::c_long = 7;
const SYSCALL: libc::c_long = 24;
const SEIZE: libc::c_long = 0x4206;
const LISTEN: libc::c_long = 0x4208;
const GET_SYSCALL_INFO: libc::c_long = 0x420e;

/// `PTRACE_O_…`: system calls marked in their stops, forks, vforks, clones and exec followed, stops asked for by a
/// filter, and everybody's end with the tracer's.
const OPTIONS: usize = 1 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 7 | 1 << 20;

/// The longest path that the kernel takes, its end included.
const LONGEST: usize = 4096;

/// Why a process has stopped: `PTRACE_EVENT_…`.
pub(super) const EVENT_EXEC: i32 = 4;
pub(super) const EVENT_SECCOMP: i32 = 7;
pub(super) const EVENT_STOP: i32 = 128;

/// The next step of a traced process.
#[derive(Debug, Clone, Copy)]
pub(super) enum Next {
    /// It goes on, with a signal if one was stopped for.
    Goes(i32),
    /// It goes on to the end of the system call that it has begun.
    Returns,
    /// It stays stopped until somebody continues it.
    Stays,
}

/// A system call that a process is about to make, or has made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    /// Its number; of one that was made, what it returned.
    pub(super) number: i64,
    pub(super) arguments: [u64; 6],
}

/// Begins to trace a process that does not run yet.
pub(super) fn seize(pid: libc::pid_t) -> io::Result<()> {
    request(SEIZE, pid, 0, OPTIONS).map(drop)
}

/// Lets a stopped process do something. One that was killed meanwhile is no error: its end follows.
pub(super) fn resume(pid: libc::pid_t, next: Next) {
    let (what, data) = match next {
        Next::Goes(signal) => (CONT, usize::try_from(signal).unwrap_or(0)),
        Next::Returns => (SYSCALL, 0),
        Next::Stays => (LISTEN, 0),
    };
    let _gone = request(what, pid, 0, data);
}

/// The system call that a process has stopped in.
pub(super) fn call(pid: libc::pid_t) -> Option<Call> {
    // `struct ptrace_syscall_info`: what it is and the architecture, two addresses, then number and arguments, or what
    // was returned.
    let mut info = [0_u64; 11];
    let size = size_of_val(&info);
    let filled = request(GET_SYSCALL_INFO, pid, size, info.as_mut_ptr() as usize).ok()?;
    let [_, _, _, number, arguments @ .., _] = info;
    (filled > 0).then_some(Call { number: number.cast_signed(), arguments })
}

/// The file or socket behind a descriptor of a process, as the kernel names it.
pub(super) fn descriptor(pid: libc::pid_t, number: i64) -> Option<Text> {
    link(&format!("/proc/{pid}/fd/{number}"))
}

/// The absolute path of a name in a process's memory, which is relative to a descriptor of it or to where it is; links
/// of its directory are followed, its own is not. Nothing of an empty path, which names the descriptor, and of one that
/// ends in no name.
pub(super) fn named(pid: libc::pid_t, directory: u64, address: u64) -> Option<PathBuf> {
    let mut bytes = [0; LONGEST];
    let memory = File::open(format!("/proc/{pid}/mem")).ok()?;
    let read = memory.read_at(&mut bytes, address).ok()?;
    let path = Path::new(OsStr::from_bytes(bytes[..read].split(|byte| *byte == 0).next()?));
    let name = path.file_name()?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = match parent {
        Some(parent) if parent.is_absolute() => parent.to_owned(),
        parent => {
            // A descriptor is an int, in the lower half of the register.
            let number = u32::try_from(directory & 0xffff_ffff).ok()?.cast_signed();
            let from = match number {
                libc::AT_FDCWD => link(&format!("/proc/{pid}/cwd")),
                number => descriptor(pid, number.into()),
            };
            PathBuf::from(from?.as_os_str()).join(parent.unwrap_or(Path::new("")))
        }
    };
    Some(parent.canonicalize().ok()?.join(name))
}

/// The program that a process executes.
pub(super) fn program(pid: libc::pid_t) -> Option<Text> {
    link(&format!("/proc/{pid}/exe"))
}

fn link(path: &str) -> Option<Text> {
    let target = std::fs::read_link(path).ok().map(PathBuf::into_os_string).map(OsString::into_vec);
    target.map(Text)
}

/// Makes a ptrace(2) request.
fn request(
    what: libc::c_long,
    pid: libc::pid_t,
    address: usize,
    data: usize,
) -> io::Result<libc::c_long> {
    // SAFETY: the requests of this module read no memory of ours, but for one, which writes at most `address` bytes to
    // `data`, an array of that size.
    match unsafe { libc::syscall(libc::SYS_ptrace, what, pid, address, data) } {
        -1 => Err(io::Error::last_os_error()),
        returned => Ok(returned),
    }
}
