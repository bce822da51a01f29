//! What a shell command prints, for facts that somebody asks for: executed once, not timed.
//!
//! Refuses to keep more than a page of it, and to give it anything to read.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// The most that is kept of what is printed.
const MOST: usize = 64 * 1024;

/// What a command prints that `/bin/sh` executes in a directory, without the end of its last line.
///
/// # Errors
/// If it cannot be executed, or fails: with its exit and the last line of what it says.
pub fn printed_by(command: &str, directory: &Path) -> io::Result<String> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", command]).current_dir(directory).stdin(Stdio::null());
    let ended = shell.output()?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        let last = said.trim_end().lines().next_back().unwrap_or_default();
        return Err(io::Error::other(format!("{}: {last}", ended.status)));
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
        let much = printed_by("yes é | head -c 1000000", here).unwrap();
        assert!(much.len() <= MOST + 8 && much.ends_with('…'));
    }
}
