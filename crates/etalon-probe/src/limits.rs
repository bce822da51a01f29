//! Limits of this process, and errors that are one: which it is, and how it is raised.
//!
//! Owns the words for the four that starting processes and opening files meet. Refuses: to guess what
//! other errors mean.

use std::io;

/// An error of the operating system, with the limit that was met where it is one.
#[must_use]
pub fn explained(error: &io::Error) -> String {
    match hint(error) {
        Some(hint) => format!("{error}: {hint}"),
        None => error.to_string(),
    }
}

/// Which limit was met.
fn hint(error: &io::Error) -> Option<String> {
    Some(match error.raw_os_error()? {
        libc::EMFILE => match open_files() {
            Some(limit) => format!(
                "a process may have {limit} files open here, and etalon needs more: raise the limit (ulimit -n)"
            ),
            None => "the limit of open files is too low: raise it (ulimit -n)".to_owned(),
        },
        libc::ENFILE => {
            "the machine has as many files open as it may (sysctl fs.file-max)".to_owned()
        }
        libc::EAGAIN => "no more processes or threads may be started here: see ulimit -u, and \
                         pids.max of the control group"
            .to_owned(),
        libc::ENOMEM => "the memory that may be used here is not enough: see ulimit -v, and \
                         memory.max of the control group"
            .to_owned(),
        _ => return None,
    })
}

/// How many files a process may have open.
#[must_use]
pub(crate) fn open_files() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is writable for the whole call.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } == 0;
    known.then_some(limit.rlim_cur)
}

/// A limit: what holds now, and what it can be raised to without a privilege. `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limit {
    /// The limit that holds.
    pub soft: Option<u64>,
    /// The limit that it can be raised to.
    pub hard: Option<u64>,
}

/// The limit on this process's address space, in bytes (`ulimit -v`).
#[must_use]
pub fn address_space() -> Limit {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: `limit` is writable. Where the call fails, nothing is known to be limited.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    let finite = |value| (value != libc::RLIM_INFINITY).then_some(value);
    Limit { soft: finite(limit.rlim_cur), hard: finite(limit.rlim_max) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_limits_have_a_hint() {
        let said = |errno| explained(&io::Error::from_raw_os_error(errno));
        for (errno, limit) in [
            (libc::EMFILE, "ulimit -n"),
            (libc::ENFILE, "fs.file-max"),
            (libc::EAGAIN, "ulimit -u"),
            (libc::ENOMEM, "ulimit -v"),
        ] {
            assert!(said(errno).contains(limit), "{}", said(errno));
        }
        assert!(!said(libc::ENOENT).contains("limit"));
    }
}
