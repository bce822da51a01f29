//! From a declared command to something that can be executed: words, shell, resolved path. Found
//! out before anything is measured.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use etalon_probe::launcher::protocol::Execute;
use etalon_probe::launcher::{ResolveError, resolve as find};
use etalon_record::Text;

use crate::words::{self, Unclosed};

/// What is wanted, as declared.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The command, as typed.
    pub text: &'a [u8],
    /// The program and arguments it is handed to as one argument, if any.
    pub shell: Option<&'a [u8]>,
    /// `PATH` as the command will see it.
    pub path: Option<&'a OsStr>,
    /// The absolute directory it will be executed in.
    pub cwd: &'a Path,
}

/// Why a command cannot be executed.
#[derive(Debug)]
pub enum CommandError {
    /// It is empty, and there is no shell it could measure.
    Empty,
    /// The shell is.
    EmptyShell,
    /// Its quotes do not close.
    Unclosed(Unclosed),
    /// It, or its shell, holds a NUL byte, which no argument can.
    Nul,
    /// There is no such program.
    Unresolved(ResolveError),
}

impl std::fmt::Display for CommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CommandError::Empty => f.write_str(
                "the command is empty: name a program, or use --shell to measure the shell alone",
            ),
            CommandError::EmptyShell => {
                f.write_str("the shell is empty: write it in full, such as --shell '/bin/bash -c'")
            }
            CommandError::Unclosed(unclosed) => unclosed.fmt(f),
            CommandError::Nul => f.write_str("it holds a NUL byte, which no argument can"),
            CommandError::Unresolved(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CommandError {}

/// Splits and resolves a command. With a shell, the shell is split and the command becomes its
/// last argument, unsplit; an empty command measures the shell.
///
/// # Errors
/// If it cannot be executed; nothing has been executed then.
pub fn resolve(wanted: Wanted<'_>) -> Result<Execute, CommandError> {
    let mut argv = match wanted.shell {
        Some(shell) => words::split(shell).map_err(CommandError::Unclosed)?,
        None => words::split(wanted.text).map_err(CommandError::Unclosed)?,
    };
    if argv.is_empty() {
        return Err(match wanted.shell {
            Some(_) => CommandError::EmptyShell,
            None => CommandError::Empty,
        });
    }
    if wanted.shell.is_some() {
        argv.push(wanted.text.to_vec());
    }
    if argv.iter().any(|word| word.contains(&0)) {
        return Err(CommandError::Nul);
    }
    let path = find(OsStr::from_bytes(&argv[0]), wanted.path, wanted.cwd)
        .map_err(CommandError::Unresolved)?;
    let text = |bytes: Vec<u8>| Text::from(OsString::from_vec(bytes));
    Ok(Execute {
        path: Text::from(path.into_os_string()),
        argv: argv.into_iter().map(text).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted<'a>(text: &'a str, shell: Option<&'a str>) -> Wanted<'a> {
        Wanted {
            text: text.as_bytes(),
            shell: shell.map(str::as_bytes),
            path: Some(OsStr::new("/usr/bin:/bin")),
            cwd: Path::new("/"),
        }
    }

    #[test]
    fn without_a_shell_words_are_split_and_resolved() {
        let resolved = resolve(wanted("ls 'a b'", None)).unwrap();
        assert!(resolved.path.to_string_lossy().ends_with("/ls"));
        let argv: Vec<_> = resolved.argv.iter().map(Text::to_string_lossy).collect();
        assert_eq!(argv, ["ls", "a b"]);
    }

    #[test]
    fn a_shell_gets_the_command_as_one_argument_and_an_empty_one_too() {
        let argv = |text| {
            let resolved = resolve(wanted(text, Some("/bin/sh -c"))).unwrap();
            resolved.argv.iter().map(|t| t.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(argv("a 'b"), ["/bin/sh", "-c", "a 'b"]);
        assert_eq!(argv(""), ["/bin/sh", "-c", ""]);
    }

    #[test]
    fn what_cannot_be_executed_is_found_out_first() {
        let error = |text, shell| resolve(wanted(text, shell)).unwrap_err();
        assert!(matches!(error("", None), CommandError::Empty));
        assert!(matches!(error("  ", None), CommandError::Empty));
        assert!(matches!(error("x", Some(" ")), CommandError::EmptyShell));
        assert!(matches!(error("'x", None), CommandError::Unclosed(_)));
        assert!(matches!(error("a\0b", None), CommandError::Nul));
        assert!(matches!(error("no-such-program-here", None), CommandError::Unresolved(_)));
    }
}
