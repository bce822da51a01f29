//! A child that is born in its control group: `clone3` with `CLONE_INTO_CGROUP`.
//!
//! Owns: the one system call that the C library has no function for. Refuses: other machines than
//! x86-64; there the child writes itself into its group (see [`super::Joining::Write`]), which any
//! machine can, at the price of a lock.

use std::ffi::c_void;
use std::io;
use std::os::fd::RawFd;

use super::Stack;

/// Makes a child as `clone(CLONE_VM | CLONE_VFORK)` does, in this group; its process.
///
/// # Safety
/// As for [`super::Spawner::start`]: `errand` is valid for the child until it has executed or
/// exited.
#[cfg(target_arch = "x86_64")]
pub(super) unsafe fn clone(
    stack: &mut Stack,
    group: RawFd,
    errand: *mut c_void,
) -> io::Result<libc::pid_t> {
    /// `CLONE_INTO_CGROUP` (linux/sched.h); libc's constant does not fit its type.
    const INTO_CGROUP: u64 = 1 << 33;
    let (lowest, size) = stack.extent();
    let number = |signed: i32| u64::from(signed.cast_unsigned());
    let arguments = libc::clone_args {
        flags: number(libc::CLONE_VM | libc::CLONE_VFORK) | INTO_CGROUP,
        exit_signal: number(libc::SIGCHLD),
        stack: lowest.expose_provenance() as u64,
        stack_size: size as u64,
        cgroup: number(group),
        // SAFETY: a structure of numbers, for which all-zero means what is not asked for.
        ..unsafe { std::mem::zeroed() }
    };
    let result: i64;
    // SAFETY: the kernel reads `arguments` before it returns. The parent goes on behind the label
    // with nothing but `rax`, `rcx` and `r11` changed (the system call's own). The child begins
    // with the same registers, so `r12` and `r13` are still the function and its argument, on a
    // stack of its own that is aligned as a call needs it; it calls the function and never comes
    // back: it touches nothing of this frame. What it may write in memory the compiler assumes to
    // change.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp", // the outermost frame
            "mov rdi, r13",
            "call r12",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone3 => result,
            in("rdi") &raw const arguments,
            in("rsi") size_of_val(&arguments),
            in("r12") super::child as *const (),
            in("r13") errand,
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    match i32::try_from(result) {
        Ok(errno) if errno < 0 => Err(io::Error::from_raw_os_error(-errno)),
        Ok(pid) => Ok(pid),
        Err(_) => Err(io::ErrorKind::Other.into()),
    }
}

/// Not on this machine.
///
/// # Safety
/// None is needed.
#[cfg(not(target_arch = "x86_64"))]
pub(super) unsafe fn clone(_: &mut Stack, _: RawFd, _: *mut c_void) -> io::Result<libc::pid_t> {
    Err(io::ErrorKind::Unsupported.into())
}
