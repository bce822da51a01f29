//! The filter that has a tracer's system calls stop, and no others.
//!
//! Refuses calls of another architecture: they pass, and whoever traces says so of their programs.

use std::io;

/// This architecture, as the kernel's audit names it.
#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// System calls that stop.
const STOP: &[libc::c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_open_by_handle_at,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_readlinkat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_getdents,
    libc::SYS_getdents64,
    libc::SYS_connect,
    libc::SYS_ptrace,
    libc::SYS_io_uring_setup,
];

/// `BPF_LD | BPF_W | BPF_ABS`, `BPF_JMP | BPF_JEQ | BPF_K`, `BPF_RET | BPF_K`.
const LOAD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;

/// Where a filter reads: `struct seccomp_data`.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;

/// The answers of a filter.
const PASS: u32 = 0x7fff_0000;
const TRACE: u32 = 0x7ff0_0000;

/// `SECCOMP_SET_MODE_FILTER`
const SET_MODE_FILTER: libc::c_long = 1;

/// Instructions of the filter.
#[derive(Debug)]
pub(super) struct Filter(Vec<libc::sock_filter>);

impl Filter {
    pub(super) fn new() -> Filter {
        let step = |code, k, jt, jf| libc::sock_filter { code, jt, jf, k };
        let mut steps = vec![
            step(LOAD, ARCHITECTURE_AT, 0, 0),
            step(JUMP_IF_EQUAL, ARCHITECTURE, 1, 0),
            step(RETURN, PASS, 0, 0),
            step(LOAD, NUMBER_AT, 0, 0),
        ];
        for (index, number) in STOP.iter().enumerate() {
            // Behind those that follow, and behind the answer for everything else.
            let over = u8::try_from(STOP.len() - index).unwrap_or(u8::MAX);
            let number = u32::try_from(*number).unwrap_or(u32::MAX);
            steps.push(step(JUMP_IF_EQUAL, number, over, 0));
        }
        steps.extend([step(RETURN, PASS, 0, 0), step(RETURN, TRACE, 0, 0)]);
        Filter(steps)
    }

    /// Has the calls of this process and of what it executes stop for its tracer. Allocates nothing: it is called
    /// between fork and exec.
    pub(super) fn install(&mut self) -> io::Result<()> {
        match self.set() {
            // Who has no rights has to give up getting any, as whoever is traced does anyway.
            Err(error) if error.raw_os_error() == Some(libc::EACCES) => {
                // SAFETY: sets a flag of this process; no memory preconditions.
                unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
                self.set()
            }
            set => set,
        }
    }

    fn set(&mut self) -> io::Result<()> {
        let len = u16::try_from(self.0.len()).map_err(io::Error::other)?;
        let program = libc::sock_fprog { len, filter: self.0.as_mut_ptr() };
        // SAFETY: the program points to as many instructions as it says, which the kernel copies.
        let set = unsafe {
            libc::syscall(libc::SYS_seccomp, SET_MODE_FILTER, 0_usize, &raw const program)
        };
        if set == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}
