//! The output of a shell command, for facts that somebody asks for: executed once, not timed.
//!
//! Refuses to keep more than a page of it, to give it anything to read, and to wait for what it leaves in the
//! background, which is ended.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use etalon_core::model::Outcome;

use crate::untimed::{self, Program};

/// The most that is kept of what is printed.
const MOST: usize = 64 * 1024;

/// Executes a command by `/bin/sh` in a directory; its output, without the end of its last line. Call it on the thread
/// that lives longest, as [`untimed::execute`].
///
/// # Errors
/// If it cannot be executed, or fails: with its exit and the last line of what it says.
pub fn printed_by(command: &str, directory: &Path) -> io::Result<String> {
    let shell = Program {
        program: OsStr::new("/bin/sh"),
        arguments: &["-c".into(), command.into()],
        environment: &[],
        input: None,
        directory,
        inherits: None,
    };
    let ended = untimed::execute(&shell, &mut || false)?.ok_or(io::ErrorKind::Interrupted)?;
    let failed = |how: String| {
        let said = String::from_utf8_lossy(&ended.stderr);
        let last = said.trim_end().lines().next_back().unwrap_or_default();
        Err(io::Error::other(format!("{how}: {last}")))
    };
    match ended.outcome {
        Outcome::Ok => {}
        Outcome::Failed { code } => return failed(format!("exit status: {code}")),
        Outcome::Killed { signal } => {
            let stopped = ended.outcome.stopped_by();
            return failed(stopped.map_or(format!("signal: {signal}"), |it| it.to_string()));
        }
        Outcome::TimedOut | Outcome::Suspended | Outcome::NotStarted { .. } => {
            return Err(io::ErrorKind::Other.into()); // of programs that are timed
        }
    }
    let kept = &ended.stdout[..ended.stdout.len().min(MOST)];
    let text = String::from_utf8_lossy(kept);
    let cut = if kept.len() < ended.stdout.len() { "\n…" } else { "" };
    Ok(format!("{}{cut}", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a failure that is taken for output, and output without an end.
    #[test]
    fn a_command_prints_or_fails() {
        let here = Path::new("/");
        assert_eq!(printed_by("pwd; echo two", here).unwrap(), "/\ntwo");
        let error = printed_by("echo why >&2; exit 3", here).unwrap_err().to_string();
        assert!(error.contains("3") && error.ends_with("why"), "{error}");
        // Would wait for the end of the pipe, too.
        assert_eq!(printed_by("sleep 100000 & echo now", here).unwrap(), "now");
        let much = printed_by("yes é | head -c 1000000", here).unwrap();
        assert!(much.len() <= MOST + 8 && much.ends_with('…'));
    }
}
