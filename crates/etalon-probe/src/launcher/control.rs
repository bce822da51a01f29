//! Conditions that commands are executed under: CPUs, niceness, addresses.
//!
//! Owns: taking them on, once, before anything else is set up; finding out whether that is possible. Refuses: to go on
//! with less than was asked for.
//!
//! The launcher itself takes them on and every child, hook and thread inherits them, so that an
//! execution costs no system call more. A child that pinned itself between clone and exec would
//! have that, and its migration, in its own time; measured on two busy CPUs (`true`, 800 rounds of
//! each, in turns) the medians were 462–466 µs with the launcher pinned and 444–452 µs with the
//! child pinning itself, the 90th percentiles 0.5 ms and 3.5 ms. While a command runs the launcher
//! sleeps, so sharing the CPU takes nothing away from it.

use std::io;
use std::mem::MaybeUninit;

use etalon_record::Text;

use super::protocol::{Aslr, Control, Refusal};

/// CPUs that a `cpu_set_t` can name.
const MOST_CPUS: usize = libc::CPU_SETSIZE.cast_unsigned() as usize;

/// Whether the conditions could be had here. Tried by a thread that then ends: nothing else is changed.
///
/// # Errors
/// If a condition cannot be had: the option that asks for it, and why.
pub fn check(control: &Control) -> Result<(), Refusal> {
    std::thread::scope(|scope| {
        let started = std::thread::Builder::new().spawn_scoped(scope, || take_on(control));
        // Where no thread is left to try it, the launcher says it.
        let Ok(started) = started else { return Ok(()) };
        let tried = started.join();
        tried.unwrap_or_else(|_| Err(refused("--cpu", "trying it failed".to_owned())))
    })
}

/// Puts this process under the conditions. Call before any thread is started: threads inherit them too.
///
/// # Errors
/// If a condition cannot be had: the option that asks for it, and why.
pub fn take_on(control: &Control) -> Result<(), Refusal> {
    if let Some(cpus) = &control.cpus {
        pin(cpus)?;
    }
    if let Some(nice) = control.nice {
        be_nice(nice)?;
    }
    match control.aslr {
        Aslr::Keep => Ok(()),
        Aslr::Off => fix_addresses(),
    }
}

/// The kernel quietly leaves out what does not exist or may not be used, so what came of it is
/// compared with what was asked for.
fn pin(cpus: &[usize]) -> Result<(), Refusal> {
    let missing = |cpu: usize| {
        let why = format!(
            "CPU {cpu} does not exist or may not be used here: give some of {}",
            allowed().map_or_else(|| "those online".to_owned(), |all| ranges(&all))
        );
        refused("--cpu", why)
    };
    let Some(first) = cpus.first() else {
        return Err(refused("--cpu", "names no CPU: give at least one".to_owned()));
    };
    if let Some(cpu) = cpus.iter().find(|cpu| **cpu >= MOST_CPUS) {
        return Err(missing(*cpu));
    }
    // SAFETY: all-zero is the empty set; CPU_SET stays inside it, as checked above; the size given
    // is the set's.
    let done = unsafe {
        let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed().assume_init();
        for cpu in cpus {
            libc::CPU_SET(*cpu, &mut set);
        }
        libc::sched_setaffinity(0, size_of_val(&set), &raw const set)
    };
    match (done, io::Error::last_os_error()) {
        (0, _) => {}
        (_, error) if error.raw_os_error() == Some(libc::EINVAL) => return Err(missing(*first)),
        (_, error) => return Err(refused("--cpu", error.to_string())),
    }
    let now = current().unwrap_or_default();
    cpus.iter().find(|cpu| !now.contains(cpu)).map_or(Ok(()), |cpu| Err(missing(*cpu)))
}

/// The CPUs this thread may run on now.
fn current() -> Option<Vec<usize>> {
    let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed();
    // SAFETY: the set is writable and of the size given; all-zero is valid, so it is initialised.
    let set = unsafe {
        let got = libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), set.as_mut_ptr());
        (got == 0).then(|| set.assume_init())?
    };
    // SAFETY: every number is below the set's size.
    Some((0..MOST_CPUS).filter(|cpu| unsafe { libc::CPU_ISSET(*cpu, &set) }).collect())
}

/// The CPUs this thread could run on at most: the kernel cuts a request for all down to those.
fn allowed() -> Option<Vec<usize>> {
    // SAFETY: every bit of a cpu_set_t may be set; the size given is the set's.
    let done = unsafe {
        let mut all = MaybeUninit::<libc::cpu_set_t>::uninit();
        all.as_mut_ptr().write_bytes(0xff, 1);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), all.as_ptr())
    };
    if done == 0 { current() } else { None }
}

/// `0-3,6`, as the kernel writes it.
fn ranges(cpus: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &cpu in cpus {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == cpu => *last = cpu,
            _ => parts.push((cpu, cpu)),
        }
    }
    let part = |&(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(",")
}

fn be_nice(nice: i32) -> Result<(), Refusal> {
    if !(-20..=19).contains(&nice) {
        return Err(refused("--nice", format!("{nice} is not a niceness: give -20 to 19")));
    }
    // SAFETY: no memory preconditions; 0 is the calling thread.
    if unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) } == 0 {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    let remedy = match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => {
            ": going below etalon's own niceness takes root, CAP_SYS_NICE or `ulimit -e`"
        }
        _ => "",
    };
    Err(refused("--nice", format!("{nice}: {error}{remedy}")))
}

fn fix_addresses() -> Result<(), Refusal> {
    let failed = || {
        let error = io::Error::last_os_error();
        let remedy = "is personality(2) forbidden in this container? (docker: --security-opt \
                      seccomp=unconfined)";
        refused("--aslr off", format!("{error}: {remedy}"))
    };
    // SAFETY: no memory preconditions; this value only asks for the present persona.
    let persona = unsafe { libc::personality(0xffff_ffff) };
    if persona < 0 {
        return Err(failed());
    }
    let fixed = persona | libc::ADDR_NO_RANDOMIZE;
    // SAFETY: no memory preconditions; it changes where later execs put things, nothing here.
    if unsafe { libc::personality(libc::c_ulong::from(fixed.cast_unsigned())) } < 0 {
        return Err(failed());
    }
    Ok(())
}

fn refused(option: &str, why: String) -> Refusal {
    Refusal { subject: Text::from(option), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpus_are_listed_as_the_kernel_does() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[]), "");
    }

    #[test]
    fn what_cannot_be_had_is_refused_by_its_option() {
        // Would catch the kernel's quiet cutting down of a list taken for success.
        let here = current().unwrap();
        for cpus in [vec![], vec![here[0], 1023], vec![1023], vec![usize::MAX]] {
            let refusal = pin(&cpus).unwrap_err();
            assert_eq!(refusal.subject.to_string(), "--cpu", "{refusal:?}");
        }
        assert!(pin(&[here[0], 1023]).unwrap_err().why.contains("CPU 1023"));
        assert!(be_nice(20).unwrap_err().why.contains("-20 to 19"));
        pin(&here).unwrap();
    }
}
