//! The ground on another machine: a directory that programs can be executed in, and what has to be known before one is
//! sent.
//!
//! Owns the shell's words that make the directory and remove it, whatever became of the connection, and reading what they
//! print. Refuses to believe a line before its own first one: a login script may print anything.

use std::path::PathBuf;

use crate::travel::{Architecture, CLibrary};

/// The shell's words that tell what the machine is and make the directory `$w`: the first of several in which programs
/// may be executed (`noexec`). One in which the process works that is written down there is left alone;
/// what is left by one whose machine was switched off goes. No single quote, no newline and no exclamation mark, because the login shell there may be any.
macro_rules! find {
    () => {
        concat!(
            "echo etalon:ground; ",
            "echo arch=$(uname -m); ",
            "echo library=$( (getconf GNU_LIBC_VERSION || ldd --version) 2>&1 | head -n 1); ",
            "echo boot=${ETALON_NODE:-$(cat /proc/sys/kernel/random/boot_id)}; ",
            "h=pid.$(uname -n); w=; for d in \"${TMPDIR:-/tmp}\" /var/tmp \"$HOME\"; do ",
            "d=$(cd \"$d\" 2>/dev/null && pwd -P) || continue; ",
            "for o in \"$d\"/etalon-node-*/$h; do [ -O \"$o\" ] || continue; ",
            "case $(readlink /proc/$(cat \"$o\")/cwd) in \"${o%/*}\"*) ;; ",
            "*) rm -rf \"${o%/*}\" ;; esac; done; ",
            "w=$(mktemp -d \"$d/etalon-node-XXXXXXXX\" 2>/dev/null) || continue; ",
            "echo exit 0 >\"$w/x\" && chmod 700 \"$w/x\" && \"$w/x\" 2>/dev/null && break; ",
            "echo refused=$d; rm -rf \"$w\"; w=; done; ",
            "echo free=$(df -Pk \"${w:-/}\" | tail -n 1); ",
            "echo directory=$w; echo etalon:end; "
        )
    };
}

/// These words for a script that goes on in the directory.
pub(crate) const FIND: &str = find!();

/// Executed by `sh -c` on the other machine. Its standard input is open as long as anybody wants the directory. A worker
/// that has not ended a minute later is stopped, or hangs.
pub(super) const KEEP: &str = concat!(
    find!(),
    "cat >/dev/null; cd /; ",
    "n=0; while [ $n -lt 60 ] && kill -0 $(cat \"$w/$h\" 2>/dev/null || echo none) 2>/dev/null; ",
    "do n=$((n+1)); sleep 1; done; ",
    "p=$(cat \"$w/$h\" 2>/dev/null); [ -z \"$w\" ] || [ -z \"$p\" ] || ",
    "case $(readlink /proc/$p/cwd) in \"$w\"*) kill -9 $p ;; esac; ",
    "for n in 1 2 3 4 5; do [ -n \"$w\" ] && rm -rf \"$w\"; [ -e \"$w\" ] || break; sleep 1; done"
);

/// The line before what is told, and the one behind it.
pub(super) const BEGIN: &str = "etalon:ground";
pub(super) const END: &str = "etalon:end";

/// A directory on another machine, and what that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    /// Its architecture.
    pub architecture: Architecture,
    /// Its C library.
    pub library: CLibrary,
    /// The number that its system drew when it was started, or the name that it was given (`ETALON_NODE`).
    pub boot: String,
    /// Bytes that are free where the directory is, where that is known.
    pub free: Option<u64>,
    /// The directory: it is there as long as the connection, and goes with all that is in it.
    pub directory: PathBuf,
}

impl Ground {
    /// From lines of which some are what [`FIND`] printed.
    ///
    /// # Errors
    /// In words, if there is no directory to work in.
    pub(crate) fn read(lines: &str) -> Result<Ground, String> {
        let lines = lines.lines().skip_while(|line| *line != BEGIN).skip(1);
        let told: Vec<String> = lines.take_while(|line| *line != END).map(str::to_owned).collect();
        Ground::parse(&told)
    }

    /// From what [`KEEP`] printed between its two lines.
    ///
    /// # Errors
    /// In words, if there is no directory to work in.
    pub(super) fn parse(told: &[String]) -> Result<Ground, String> {
        let of = |key: &str| {
            let mut lines =
                told.iter().filter_map(|line| line.strip_prefix(key)?.strip_prefix('='));
            lines.next().unwrap_or_default().trim().to_owned()
        };
        let directory = of("directory");
        if directory.is_empty() {
            let refused: Vec<&str> =
                told.iter().filter_map(|line| line.strip_prefix("refused=")).collect();
            return Err(match &refused[..] {
                [] => "no directory can be made there, neither in $TMPDIR or /tmp nor in /var/tmp nor at home: is the disk full?"
                    .to_owned(),
                some => format!(
                    "no program can be executed in {} there (mounted noexec): set TMPDIR on that machine to a directory \
                     where one can",
                    some.join(", ")
                ),
            });
        }
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "/._-+".contains(it);
        if !directory.starts_with('/') || !directory.chars().all(is_plain) {
            return Err(format!(
                "its directory for temporary files is `{directory}`: one of plain letters is needed"
            ));
        }
        let blocks = of("free").split_whitespace().nth(3).and_then(|it| it.parse::<u64>().ok());
        Ok(Ground {
            architecture: Architecture::parse(&of("arch")),
            library: CLibrary::parse(&of("library")),
            boot: of("boot"),
            free: blocks.map(|blocks| blocks.saturating_mul(1024)),
            directory: directory.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    /// Would catch a directory that is not there, one whose name another shell understands, and words that some login
    /// shell takes apart.
    #[test]
    fn what_a_machine_tells_is_read() {
        let told = "arch=x86_64\nlibrary=glibc 2.36\nboot=b1\nrefused=/tmp\n\
                    free=/dev/vda1 100 50 40 60% /\ndirectory=/var/tmp/etalon-node-a\n";
        let ground = Ground::parse(&lines(told)).unwrap();
        assert_eq!((ground.free, ground.boot.as_str()), (Some(40 * 1024), "b1"));
        assert_eq!(ground.architecture, Architecture::X86_64);
        assert_eq!(ground.directory, PathBuf::from("/var/tmp/etalon-node-a"));
        let none =
            Ground::parse(&lines("refused=/tmp\nrefused=/home/me\ndirectory=\n")).unwrap_err();
        assert!(none.contains("/tmp, /home/me") && none.contains("noexec"), "{none}");
        assert!(Ground::parse(&lines("directory=/tmp/a b")).is_err());
        assert!(Ground::parse(&[]).is_err());
        assert!(!KEEP.contains(['\'', '\n', '!']), "{KEEP}");
    }
}
