//! Starting one program and waiting for it, with nothing between that it would be charged for.
//!
//! Owns: the clone, what the child does before `execve`, and the two waits. Refuses: preparing
//! anything here (paths, arguments and environment are pointer arrays built beforehand; the
//! redirections already stand on the launcher's own descriptors 0, 1 and 2). What is done around
//! an execution is [`super::execute`]'s business.
//!
//! The child is made with `clone(CLONE_VM | CLONE_VFORK)` on a stack of its own, as `posix_spawn`
//! does it: no page tables are copied, and unlike after `vfork` no frame is returned from twice.

mod into_group;
mod strings;

use std::ffi::{c_char, c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::RawFd;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};

use super::signals::Mask;
use strings::Environment;
pub(super) use strings::Program;

/// Bytes of the child's stack: it calls half a dozen system calls; an unoptimised build needs more
/// than an optimised one. Untouched pages cost nothing.
const STACK: usize = 64 * 1024;

/// The arguments that all programs are started with.
pub(super) struct Spawner {
    environment: Environment,
    /// The next program's share of it, see [`Spawner::prepare`].
    prepared: *const *const c_char,
    stack: Stack,
    /// The terminal whose foreground the child is given, if it is.
    terminal: Option<RawFd>,
    launcher: libc::pid_t,
}

/// How a child gets into its control group.
pub(super) enum Joining {
    /// It stays where the launcher is.
    None,
    /// It is born in this group, an open directory (version 2).
    Clone(RawFd),
    /// It writes itself into these open `cgroup.procs`, before `execve`.
    Write(Vec<RawFd>),
}

/// A started child.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    /// Its process, which also leads its process group.
    pub(super) pid: libc::pid_t,
    /// The error number of `execve`, if that failed. It has then exited already.
    pub(super) failed: Option<i32>,
    /// Whether it could not write itself into a group.
    pub(super) outside: bool,
}

/// Everything the child reads and writes between clone and exec.
struct Errand {
    /// NULL if it is the launcher's.
    directory: *const c_char,
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    mask: Mask,
    terminal: Option<RawFd>,
    launcher: libc::pid_t,
    /// The groups to write itself into: so many descriptors from here on.
    groups: *const RawFd,
    group_count: usize,
    outside: AtomicBool,
    error: AtomicI32,
}

impl Spawner {
    pub(super) fn new(environment: &[Vec<u8>]) -> io::Result<Spawner> {
        // SAFETY: getpid has no preconditions.
        let launcher = unsafe { libc::getpid() };
        let environment = Environment::new(environment)?;
        let (stack, prepared) = (Stack::new()?, ptr::null());
        Ok(Spawner { environment, prepared, stack, terminal: None, launcher })
    }

    /// Children are tied to this process from now on, which was copied from the one that made this.
    pub(super) fn is_of_this_process(&mut self) {
        // SAFETY: getpid has no preconditions.
        self.launcher = unsafe { libc::getpid() };
    }

    /// Gives every child from now on the foreground of this terminal, which has to stay open; or
    /// of none.
    pub(super) fn lend(&mut self, terminal: Option<RawFd>) {
        self.terminal = terminal;
    }

    /// Gives every child from now on a variable of this length, or none.
    pub(super) fn pad(&mut self, length: Option<u32>) {
        self.environment.pad(length);
    }

    /// Puts a program's environment together, before the clock is read.
    pub(super) fn prepare(&mut self, program: &Program) {
        self.prepared = self.environment.with(program);
    }

    /// Starts `program`, for which [`Spawner::prepare`] was called last, as the leader of a process group of its own.
    /// Call with all signals blocked, or a handler could run in the child.
    pub(super) fn start(&mut self, program: &Program, joining: &Joining) -> io::Result<Child> {
        let groups: &[RawFd] = match joining {
            Joining::Write(groups) => groups,
            Joining::None | Joining::Clone(_) => &[],
        };
        let errand = Errand {
            directory: program.directory(),
            path: program.path(),
            arguments: program.arguments(),
            environment: self.prepared,
            mask: Mask::empty(),
            terminal: self.terminal,
            launcher: self.launcher,
            groups: groups.as_ptr(),
            group_count: groups.len(),
            outside: AtomicBool::new(false),
            error: AtomicI32::new(0),
        };
        // SAFETY: with CLONE_VFORK this thread sleeps until the child has executed its program or
        // exited, so `errand`, the strings it points to and the stack (exclusively borrowed)
        // outlive the child's use of them. The child runs `child` on that stack: it touches no
        // frame of ours, allocates nothing, takes no lock, cannot unwind and makes only
        // async-signal-safe calls. Sharing errno with it is harmless: it is read only below, and
        // clone sets it after that.
        let pid = unsafe {
            let errand = (&raw const errand).cast_mut().cast();
            match joining {
                Joining::Clone(group) => into_group::clone(&mut self.stack, *group, errand)?,
                Joining::None | Joining::Write(_) => {
                    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
                    libc::clone(child, self.stack.top(), flags, errand)
                }
            }
        };
        if pid < 0 {
            return Err(io::Error::last_os_error());
        }
        let error = errand.error.load(SeqCst);
        let failed = (error != 0).then_some(error);
        Ok(Child { pid, failed, outside: errand.outside.load(SeqCst) })
    }
}

/// The child's part: take its group, tie its life to the launcher's, execute.
extern "C" fn child(errand: *mut c_void) -> c_int {
    // SAFETY: `errand` is what `Spawner::start` passed, alive until exec or exit (see there); all
    // calls are async-signal-safe, and the arrays are NULL-terminated.
    unsafe {
        let errand = &*errand.cast::<Errand>();
        libc::setpgid(0, 0);
        if let Some(terminal) = errand.terminal {
            libc::tcsetpgrp(terminal, libc::getpid()); // SIGTTOU is blocked, as all signals are
        }
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != errand.launcher {
            libc::_exit(127); // the launcher died before the line above
        }
        for index in 0..errand.group_count {
            if libc::write(*errand.groups.add(index), c"0".as_ptr().cast(), 1) != 1 {
                errand.outside.store(true, SeqCst);
            }
        }
        errand.mask.apply();
        if !errand.directory.is_null() && libc::chdir(errand.directory) != 0 {
            errand.error.store(*libc::__errno_location(), SeqCst);
            libc::_exit(127);
        }
        libc::execve(errand.path, errand.arguments, errand.environment);
        errand.error.store(*libc::__errno_location(), SeqCst);
        libc::_exit(127)
    }
}

/// How a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitEnd {
    /// The process has exited and can be reaped.
    Exited,
    /// The process stopped, for this signal.
    Stopped(i32),
}

/// Waits until the child has exited or stopped, and leaves it to be looked at and reaped. The CPU time in µs of a child
/// that has exited is what [`reap`] will say.
pub(super) fn wait(pid: libc::pid_t) -> (WaitEnd, i64) {
    match wait_for(pid, libc::WEXITED | libc::WSTOPPED | libc::WNOWAIT) {
        Some((info, usage)) if info.si_code == libc::CLD_STOPPED => {
            // SAFETY: waitid filled the structure in for a child's change of state.
            (WaitEnd::Stopped(unsafe { info.si_status() }), cpu_us(&usage))
        }
        exited => (WaitEnd::Exited, exited.map_or(0, |(_, usage)| cpu_us(&usage))),
    }
}

/// Waits until the child has exited, and leaves it to be looked at and reaped. Its CPU time, as [`wait`] tells it.
pub(super) fn wait_for_exit(pid: libc::pid_t) -> i64 {
    wait_for(pid, libc::WEXITED | libc::WNOWAIT).map_or(0, |(_, usage)| cpu_us(&usage))
}

/// A change in the state of a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// It has exited and can be reaped.
    Exited,
    /// It is stopped, by this signal.
    Stopped(i32),
    /// It goes on after a stop.
    Continued,
}

/// The change of a child that is not reaped, without waiting for it; nothing if it is as it was.
pub(crate) fn change(pid: libc::pid_t) -> Option<Change> {
    let changes = libc::WEXITED | libc::WSTOPPED | libc::WCONTINUED;
    let Some((info, _)) = wait_for(pid, changes | libc::WNOHANG | libc::WNOWAIT) else {
        return Some(Change::Exited); // no such child: whoever waits for it waits for nothing
    };
    match info.si_code {
        libc::CLD_EXITED | libc::CLD_KILLED | libc::CLD_DUMPED => Some(Change::Exited),
        // SAFETY: waitid filled the structure in for a child's change of state.
        libc::CLD_STOPPED => Some(Change::Stopped(unsafe { info.si_status() })),
        libc::CLD_CONTINUED => Some(Change::Continued),
        _ => None,
    }
}

/// CPU time in user mode and in the kernel, in µs.
pub(super) fn cpu_us(usage: &libc::rusage) -> i64 {
    us(usage.ru_utime) + us(usage.ru_stime)
}

/// A time in µs.
pub(super) fn us(time: libc::timeval) -> i64 {
    time.tv_sec * 1_000_000 + time.tv_usec
}

/// Waits until a child that is stopped has been continued or has exited, and leaves it as it is.
pub(super) fn wait_for_continue(pid: libc::pid_t) {
    wait_for(pid, libc::WEXITED | libc::WCONTINUED | libc::WNOWAIT);
}

/// The system call, because the library's function leaves out the usage.
fn wait_for(pid: libc::pid_t, options: c_int) -> Option<(libc::siginfo_t, libc::rusage)> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        let (info_at, usage_at) = (info.as_mut_ptr(), usage.as_mut_ptr());
        // SAFETY: both pointers are writable and of the types waitid(2) fills in.
        let done = unsafe {
            libc::syscall(libc::SYS_waitid, libc::P_PID, pid, info_at, options, usage_at)
        };
        if done == 0 {
            // SAFETY: all-zero is valid for both, and waitid has filled in what it knows.
            return Some(unsafe { (info.assume_init(), usage.assume_init()) });
        }
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return None; // no such child, which cannot be before it is reaped
        }
    }
}

/// Takes the child's exit status and the usage of it and the descendants it waited for. `None` if
/// there is no such child.
pub(super) fn reap(pid: libc::pid_t) -> Option<(c_int, libc::rusage)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are writable; all-zero is a valid rusage.
        let done = unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) };
        if done == pid {
            // SAFETY: all-zero was valid, and wait4 has filled it in.
            return Some((status, unsafe { usage.assume_init() }));
        }
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return None;
        }
    }
}

/// The child's stack, with a page below it that must not be touched.
struct Stack {
    base: *mut c_void,
}

impl Stack {
    fn new() -> io::Result<Stack> {
        // SAFETY: a new private mapping at an address the kernel picks; the guard is its first
        // page (64 KiB is a multiple of every page size in use).
        unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK;
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let base = libc::mmap(ptr::null_mut(), 2 * STACK, access, flags, -1, 0);
            if base == libc::MAP_FAILED || libc::mprotect(base, STACK, libc::PROT_NONE) != 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(Stack { base })
        }
    }

    /// Its lower end, above the page that must not be touched, and its size.
    fn extent(&mut self) -> (*mut c_void, usize) {
        (self.base.wrapping_byte_add(STACK), STACK)
    }

    /// Its upper end, where it begins; page-aligned.
    fn top(&mut self) -> *mut c_void {
        self.base.wrapping_byte_add(2 * STACK)
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the mapping made in `new`; no child is using it (start returned).
        unsafe { libc::munmap(self.base, 2 * STACK) };
    }
}
