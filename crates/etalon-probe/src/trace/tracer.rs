//! The tracer's own side: it starts the program, follows whatever that starts, and notes what is opened and seen.
//!
//! Owns: the program from its first instruction to its end, which the tracer repeats, and the end of everybody who is
//! left then. Refuses: to change what a traced process does.
//!
//! A call that may open something stops twice: before (which call, with which flags) and after (which descriptor, which
//! the kernel then names: no path is read in another process's memory, so that none changes in between). A call
//! that asks about a name stops once: the tracer reads the path in the process's memory and looks whether there is such
//! a file. The path may change until the kernel reads it, which is borne because less follows from it.

use std::collections::HashMap;
use std::ffi::{CString, OsStr, OsString, c_char};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::ptr;
use std::time::Duration;

use etalon_record::Text;

use super::calls::{self, Call, EVENT_EXEC, EVENT_SECCOMP, EVENT_STOP, Next};
use super::filter::Filter;
use super::{Gap, Trace, sockets};
use crate::limits::explained;

/// Files of the kernel: what is read there is no part of any project.
const OF_THE_KERNEL: [&[u8]; 3] = [b"/proc/", b"/sys/", b"/dev/"];

/// The time between two looks whether something happens where a process has stopped.
const PAUSE: Duration = Duration::from_millis(50);

/// So long nothing may happen then.
const STILL: Duration = Duration::from_secs(2);

/// The directory that a process is in, as a descriptor.
#[cfg(target_arch = "x86_64")]
const HERE: u64 = libc::AT_FDCWD.cast_unsigned() as u64;

/// How the program ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum ProgramEnd {
    Exited(i32),
    Killed(i32),
}

impl ProgramEnd {
    fn of(status: i32) -> Option<ProgramEnd> {
        if libc::WIFEXITED(status) {
            return Some(ProgramEnd::Exited(libc::WEXITSTATUS(status)));
        }
        libc::WIFSIGNALED(status).then(|| ProgramEnd::Killed(libc::WTERMSIG(status)))
    }

    /// Ends this process in the same way, and with it whatever is still traced.
    #[expect(clippy::disallowed_methods, reason = "here this process is the tracer, not etalon")]
    pub(super) fn repeat(self) -> ! {
        let code = match self {
            ProgramEnd::Exited(code) => code,
            ProgramEnd::Killed(signal) => {
                let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                // SAFETY: a valid limit, so that no second core is written; the others have no memory preconditions.
                unsafe {
                    libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
                    libc::signal(signal, libc::SIG_DFL);
                    libc::raise(signal);
                }
                128 + signal // as shells say it, where the signal ends nobody
            }
        };
        std::process::exit(code)
    }
}

/// A system call that stopped before it was made.
enum Pending {
    Opens,
    Connects(Option<Text>),
    Rings,
}

/// Executes a program to its end; `words` are its arguments, its name included.
pub(super) fn trace(program: &OsStr, words: &[OsString]) -> (Trace, ProgramEnd) {
    let mut tracer = Tracer::default();
    let ended = tracer.execute(program, words).unwrap_or_else(|error| {
        tracer.trace.gaps.push(Gap::NotPermitted { why: explained(&error) });
        ProgramEnd::Exited(0)
    });
    (tracer.trace, ended)
}

#[derive(Default)]
struct Tracer {
    trace: Trace,
    root: libc::pid_t,
    /// By thread, the call it is in.
    pending: HashMap<libc::pid_t, Pending>,
    /// Threads that have stopped, each with the signal, and how long nobody has done anything since the last has.
    stopped: HashMap<libc::pid_t, i32>,
    still: Duration,
    has_begun: bool,
}

impl Tracer {
    fn execute(&mut self, program: &OsStr, words: &[OsString]) -> io::Result<ProgramEnd> {
        let text = |word: &OsStr| CString::new(word.as_bytes()).map_err(io::Error::other);
        let program = text(program)?;
        let words: Vec<CString> = words.iter().map(|word| text(word)).collect::<Result<_, _>>()?;
        let mut arguments: Vec<*const c_char> = words.iter().map(|word| word.as_ptr()).collect();
        arguments.push(ptr::null());
        let mut filter = Filter::new();
        let (gate, failure) = (pipe()?, pipe()?);
        // SAFETY: this process has one thread, so that no lock is held in the copy by a thread that is not there.
        match unsafe { libc::fork() } {
            -1 => return Err(io::Error::last_os_error()),
            0 => child(&program, &arguments, &mut filter, [gate, failure]),
            pid => self.root = pid,
        }
        // SAFETY: these ends are the child's now, and used nowhere else here.
        unsafe {
            libc::close(gate[0]);
            libc::close(failure[1]);
        }
        if let Err(error) = calls::seize(self.root) {
            // SAFETY: no memory preconditions; the child is not reaped.
            unsafe { libc::kill(self.root, libc::SIGKILL) };
            return Err(error);
        }
        // SAFETY: one readable byte, an open descriptor.
        unsafe { libc::write(gate[1], c"1".as_ptr().cast(), 1) };
        let ended = self.follow()?;
        let mut number = [0_u8; 4];
        // SAFETY: four writable bytes, an open descriptor whose other end is closed.
        let read = unsafe { libc::read(failure[0], number.as_mut_ptr().cast(), number.len()) };
        if read == 4 {
            return Err(io::Error::from_raw_os_error(i32::from_ne_bytes(number)));
        }
        Ok(ended)
    }

    /// Until the program has ended.
    fn follow(&mut self) -> io::Result<ProgramEnd> {
        loop {
            let mut status = 0;
            let patience = if self.stopped.is_empty() { 0 } else { libc::WNOHANG };
            // SAFETY: `status` is writable.
            let pid = unsafe { libc::waitpid(-1, &raw mut status, patience | libc::__WALL) };
            if pid == 0 {
                self.nothing_happens();
                continue;
            }
            self.still = Duration::ZERO;
            self.stopped.remove(&pid);
            if pid < 0 {
                let error = io::Error::last_os_error();
                if error.kind() == io::ErrorKind::Interrupted {
                    continue;
                }
                return Err(error);
            }
            match ProgramEnd::of(status) {
                Some(ended) if pid == self.root => return Ok(ended),
                Some(_) => drop(self.pending.remove(&pid)),
                None => calls::resume(pid, self.stopped(pid, status)),
            }
        }
    }

    /// Waits for a moment; stops as a program has that nobody continues, which whoever started the tracer sees.
    fn nothing_happens(&mut self) {
        std::thread::sleep(PAUSE);
        self.still += PAUSE;
        if let Some(signal) = self.stopped.values().next().filter(|_| self.still > STILL) {
            self.still = Duration::ZERO;
            // SAFETY: no memory preconditions.
            unsafe { libc::raise(*signal) };
        }
    }

    /// Notes why a process has stopped; how it goes on.
    fn stopped(&mut self, pid: libc::pid_t, status: i32) -> Next {
        let signal = libc::WSTOPSIG(status);
        match status >> 16 {
            EVENT_SECCOMP => match calls::call(pid).and_then(|call| self.begins(pid, call)) {
                Some(pending) => {
                    self.pending.insert(pid, pending);
                    Next::Returns
                }
                None => Next::Goes(0),
            },
            EVENT_EXEC => {
                self.pending.remove(&pid);
                self.executes(pid);
                Next::Goes(0)
            }
            // Of a process that was just born, and one that goes on where its group does.
            EVENT_STOP if signal == libc::SIGTRAP => Next::Goes(0),
            EVENT_STOP => {
                if pid == self.root {
                    // Whoever started the tracer sees the program stop.
                    // SAFETY: no memory preconditions.
                    unsafe { libc::raise(signal) };
                } else {
                    self.stopped.insert(pid, signal);
                }
                Next::Stays
            }
            0 if signal == libc::SIGTRAP | 0x80 => {
                if let (Some(pending), Some(call)) = (self.pending.remove(&pid), calls::call(pid)) {
                    self.returned(pid, pending, call.number);
                }
                Next::Goes(0)
            }
            0 => Next::Goes(signal),
            _ => Next::Goes(0),
        }
    }

    /// The pending effect of a call, where its result is of interest.
    fn begins(&mut self, pid: libc::pid_t, Call { number, arguments }: Call) -> Option<Pending> {
        #[cfg(target_arch = "x86_64")]
        match number {
            libc::SYS_open => return reads(arguments[1]).then_some(Pending::Opens),
            libc::SYS_stat | libc::SYS_lstat | libc::SYS_readlink => {
                self.asks_about(calls::named(pid, HERE, arguments[0]));
                return None;
            }
            libc::SYS_getdents => {
                self.lists(pid, arguments[0]);
                return None;
            }
            _ => {}
        }
        match number {
            libc::SYS_newfstatat | libc::SYS_statx | libc::SYS_readlinkat => {
                self.asks_about(calls::named(pid, arguments[0], arguments[1]));
                None
            }
            libc::SYS_getdents64 => {
                self.lists(pid, arguments[0]);
                None
            }
            libc::SYS_openat | libc::SYS_open_by_handle_at => {
                reads(arguments[2]).then_some(Pending::Opens)
            }
            libc::SYS_openat2 => Some(Pending::Opens),
            libc::SYS_connect => {
                Some(Pending::Connects(sockets::peer(pid, arguments[1], arguments[2])))
            }
            libc::SYS_io_uring_setup => Some(Pending::Rings),
            libc::SYS_ptrace => {
                self.gap(Gap::Tracer);
                None
            }
            _ => None,
        }
    }

    /// Takes the result of a call.
    fn returned(&mut self, pid: libc::pid_t, pending: Pending, result: i64) {
        match pending {
            Pending::Opens if result >= 0 => self.open(calls::descriptor(pid, result)),
            Pending::Connects(peer) if [0, -i64::from(libc::EINPROGRESS)].contains(&result) => {
                self.trace.peers.extend(peer);
            }
            Pending::Rings if result >= 0 => self.gap(Gap::Ring),
            _ => {}
        }
    }

    /// A process has begun to execute another program.
    fn executes(&mut self, pid: libc::pid_t) {
        if pid == self.root && !self.has_begun {
            self.has_begun = true;
            self.trace.input = calls::descriptor(pid, 0).filter(is_file);
        }
        let Some(program) = calls::program(pid) else { return };
        let path = Path::new(program.as_os_str());
        if is_foreign(path) {
            self.gap(Gap::Foreign(program.clone()));
        }
        if has_rights(path) {
            self.gap(Gap::Privileged(program.clone()));
        }
        self.open(Some(program));
    }

    fn open(&mut self, path: Option<Text>) {
        self.trace.opened.extend(path.filter(is_file));
    }

    fn asks_about(&mut self, path: Option<PathBuf>) {
        let is_there = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|it| !it.is_dir());
        let path = path.filter(is_there).map(|path| Text::from(path.into_os_string()));
        self.trace.asked_about.extend(path.filter(is_file));
    }

    /// A process reads the names in a directory, of which it has a descriptor.
    fn lists(&mut self, pid: libc::pid_t, number: u64) {
        let number = i64::try_from(number).ok();
        let directory = number.and_then(|number| calls::descriptor(pid, number)).filter(is_file);
        self.trace.listed.extend(directory.zip(calls::program(pid)));
    }

    fn gap(&mut self, gap: Gap) {
        if !self.trace.gaps.contains(&gap) {
            self.trace.gaps.push(gap);
        }
    }
}

/// Whether something that was opened has a name, and is not the kernel's.
fn is_file(path: &Text) -> bool {
    let path = path.as_bytes();
    path.starts_with(b"/") && !OF_THE_KERNEL.iter().any(|start| path.starts_with(start))
}

/// Whether what is opened with these flags can be read as a file that was there before.
fn reads(flags: u64) -> bool {
    let has = |flag: i32| flags & u64::from(flag.cast_unsigned()) != 0;
    let writes = flags & u64::from(libc::O_ACCMODE.cast_unsigned())
        == u64::from(libc::O_WRONLY.cast_unsigned());
    !(writes || has(libc::O_TRUNC) || has(libc::O_PATH) || has(libc::O_DIRECTORY))
}

/// Whether a program has words of 32 bits, which its calls are numbered by.
fn is_foreign(path: &Path) -> bool {
    let mut start = [0; 5];
    let read = fs::File::open(path).and_then(|file| file.read_exact_at(&mut start, 0));
    read.is_ok() && start == *b"\x7fELF\x01"
}

/// Whether a program gets the rights of somebody else than this user.
fn has_rights(path: &Path) -> bool {
    // SAFETY: these have no preconditions.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    let Ok(about) = fs::metadata(path) else { return false };
    let (mode, set_user, set_group) = (about.mode(), 0o4000, 0o2000);
    let of_user = mode & set_user != 0 && about.uid() != user;
    let of_group = mode & set_group != 0 && about.gid() != group;
    user != 0 && (of_user || of_group)
}

/// Both ends of a pipe that nobody inherits.
fn pipe() -> io::Result<[i32; 2]> {
    let mut ends = [0; 2];
    // SAFETY: two writable descriptors.
    match unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } {
        0 => Ok(ends),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The child's part: it waits until it is traced, has its calls stop, and executes the program.
fn child(
    program: &CString,
    arguments: &[*const c_char],
    filter: &mut Filter,
    [gate, failure]: [[i32; 2]; 2],
) -> ! {
    // SAFETY: the descriptors are open, the byte is writable; the strings and the array, which ends in NULL, outlive this.
    // What Rust's runtime has ignored is ignored no longer.
    unsafe {
        libc::close(gate[1]);
        let mut byte = 0_u8;
        if libc::read(gate[0], (&raw mut byte).cast(), 1) != 1 {
            libc::_exit(127); // the tracer has ended, or may not trace
        }
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        if let Err(error) = filter.install() {
            let number = error.raw_os_error().unwrap_or(libc::EPERM).to_ne_bytes();
            libc::write(failure[1], number.as_ptr().cast(), number.len());
            libc::_exit(127);
        }
        libc::execv(program.as_ptr(), arguments.as_ptr());
        libc::_exit(127)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a file that is written or listed and counts as read.
    #[test]
    fn what_is_opened_to_be_read_is_told_from_what_is_not() {
        let reads = |flags: i32| reads(u64::from(flags.cast_unsigned()));
        assert!(reads(libc::O_RDONLY | libc::O_CLOEXEC));
        assert!(reads(libc::O_RDWR));
        for flags in [
            libc::O_WRONLY | libc::O_CREAT,
            libc::O_RDWR | libc::O_TRUNC,
            libc::O_PATH,
            libc::O_DIRECTORY | libc::O_NONBLOCK,
        ] {
            assert!(!reads(flags), "{flags:o}");
        }
        assert!(is_file(&Text::from("/tmp/a")));
        for path in ["/proc/self/maps", "/dev/null", "pipe:[1]", "socket:[1]"] {
            assert!(!is_file(&Text::from(path)), "{path}");
        }
    }
}
