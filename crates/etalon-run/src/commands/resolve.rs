//! From a declared command to something that can be executed: words, shell, resolved path. Found
//! out before anything is measured.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use etalon_probe::launcher::protocol::Execute;
use etalon_probe::launcher::{ResolveError, resolve as find};
use etalon_record::Text;

use super::words::{self, ShellSyntax, Unclosed};

/// The shell of hooks: whatever is not timed may use one.
const HOOK_SHELL: &[u8] = b"/bin/sh -c";

/// A command as declared.
#[derive(Debug, Clone, Copy)]
pub struct CommandSpec<'a> {
    /// The command, as typed.
    pub text: &'a [u8],
    /// The program and arguments it is handed to as one argument, if any.
    pub shell: Option<&'a [u8]>,
    /// `PATH` as the command will see it.
    pub path: Option<&'a OsStr>,
    /// The absolute directory it will be executed in.
    pub cwd: &'a Path,
    /// The directory below which programs are still to be built: one that is missing there is taken as it is named.
    pub to_come: Option<&'a Path>,
}

impl CommandSpec<'_> {
    /// The file that a program will be which is still to be built.
    fn file_to_come(&self, program: &OsStr) -> Option<PathBuf> {
        let below = self.to_come?;
        let mut places = match program.as_bytes().contains(&b'/') {
            true => vec![self.cwd.join(program)],
            false => std::env::split_paths(self.path?)
                .map(|directory| self.cwd.join(directory).join(program))
                .collect(),
        };
        places.retain(|place| without_detours(place).starts_with(below));
        places.into_iter().next()
    }
}

/// A path without `.` and `..`, as it is written: links are not followed.
#[must_use]
pub fn without_detours(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// Why a command cannot be executed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// It is empty, and there is no shell it could measure.
    #[error(
        "the command is empty: name a program; `etalon cmd --shell '/bin/sh -c' ''` measures a shell alone"
    )]
    Empty,
    /// The shell is.
    #[error("the shell is empty: write it in full, such as '/bin/bash -c'")]
    EmptyShell,
    /// Its quotes do not close.
    #[error("{0}")]
    Unclosed(Unclosed),
    /// It says something that only a shell would understand, and none is used.
    #[error("{0}")]
    ShellSyntax(ShellSyntax),
    /// It, or its shell, holds a NUL byte, which no argument can.
    #[error("it holds a NUL byte, which no argument can")]
    Nul,
    /// There is no such program.
    #[error(transparent)]
    Unresolved(ResolveError),
}

/// Splits and resolves a command. With a shell, the shell is split and the command becomes its
/// last argument, unsplit; an empty command measures the shell. Without one, what only a shell
/// would understand is refused: it would be timed as plain words.
///
/// # Errors
/// If it cannot be executed; nothing has been executed then.
pub fn resolve(wanted: CommandSpec<'_>) -> Result<Execute, CommandError> {
    Resolver::default().command(wanted)
}

/// Resolves many commands: a program is looked for once in each place.
#[derive(Debug, Default)]
pub struct Resolver {
    found: RefCell<HashMap<Sought, PathBuf>>,
}

/// A program that is looked for: its name, `PATH` and directory.
type Sought = (Vec<u8>, Option<OsString>, PathBuf);

impl Resolver {
    /// As [`resolve`].
    ///
    /// # Errors
    /// If it cannot be executed.
    pub fn command(&self, wanted: CommandSpec<'_>) -> Result<Execute, CommandError> {
        let argv = words_of(wanted)?;
        let program = OsStr::from_bytes(&argv[0]);
        let place = (argv[0].clone(), wanted.path.map(OsStr::to_owned), wanted.cwd.to_owned());
        let known = self.found.borrow().get(&place).cloned();
        let path = match known {
            Some(path) => path,
            None => match (find(program, wanted.path, wanted.cwd), wanted.file_to_come(program)) {
                (Ok(path), _) => {
                    self.found.borrow_mut().insert(place, path.clone());
                    path
                }
                (Err(_), Some(path)) => path,
                (Err(error), None) => return Err(CommandError::Unresolved(error)),
            },
        };
        let text = |bytes: Vec<u8>| Text::from(OsString::from_vec(bytes));
        Ok(Execute {
            path: Text::from(path.into_os_string()),
            argv: argv.into_iter().map(text).collect(),
            ..Execute::default()
        })
    }

    /// As [`resolve_hook`].
    ///
    /// # Errors
    /// If it, or the shell, cannot be executed.
    pub fn hook(&self, hook: CommandSpec<'_>) -> Result<Execute, CommandError> {
        let plain = CommandSpec { shell: None, ..hook };
        let program = words::split(hook.text).ok().and_then(|words| words.into_iter().next());
        let is_built_in = |program: &[u8]| {
            BUILT_IN.split_ascii_whitespace().any(|known| known.as_bytes() == program)
        };
        if program.is_some_and(|program| !is_built_in(&program)) {
            match self.command(plain) {
                Ok(_) | Err(CommandError::ShellSyntax(_)) => {}
                Err(error) => return Err(error),
            }
        }
        self.command(CommandSpec { shell: Some(HOOK_SHELL), ..hook })
    }
}

/// A command's words; at least one.
fn words_of(wanted: CommandSpec<'_>) -> Result<Vec<Vec<u8>>, CommandError> {
    let mut argv = match wanted.shell {
        Some(shell) => words::split(shell).map_err(CommandError::Unclosed)?,
        None => words::split(wanted.text).map_err(CommandError::Unclosed)?,
    };
    if wanted.shell.is_none()
        && let Some(syntax) = words::shell_syntax(wanted.text)
    {
        return Err(CommandError::ShellSyntax(syntax));
    }
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
    Ok(argv)
}

/// Words that a shell executes itself: POSIX's reserved words and built-ins, and those of the shells that
/// are a system's `/bin/sh`.
const BUILT_IN: &str = "! . : [ [[ { alias bg break builtin case cd command continue declare do echo \
    enable eval exec exit export false fc fg for function getopts hash help if jobs kill let local \
    mapfile popd printf pushd pwd read readonly return select set shift shopt source test time times \
    trap true type typeset ulimit umask unalias unset until wait while";

/// Resolves what is executed around commands: it is given to `/bin/sh -c`, because it is not timed. A
/// plain command whose program is not there is found out now; behind any shell syntax, not before the
/// shell does.
///
/// # Errors
/// If it, or the shell, cannot be executed.
pub fn resolve_hook(hook: CommandSpec<'_>) -> Result<Execute, CommandError> {
    Resolver::default().hook(hook)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted<'a>(text: &'a str, shell: Option<&'a str>) -> CommandSpec<'a> {
        CommandSpec {
            text: text.as_bytes(),
            shell: shell.map(str::as_bytes),
            path: Some(OsStr::new("/usr/bin:/bin")),
            cwd: Path::new("/"),
            to_come: None,
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
    fn a_hook_is_a_shells_and_a_plain_one_is_looked_for() {
        let hook = |text| resolve_hook(wanted(text, Some("ignored -c")));
        for text in ["ls", "cd x", "", "# nothing", "a=1; b", "no-such-program > x", ". x", "ls *"]
        {
            let resolved = hook(text).unwrap();
            assert_eq!(resolved.argv[2].to_string_lossy(), text);
            assert_eq!(resolved.path.to_string_lossy(), "/bin/sh");
        }
        assert!(matches!(hook("no-such-program x"), Err(CommandError::Unresolved(_))));
        assert!(matches!(hook("a\0b"), Err(CommandError::Nul)));
    }

    /// Would catch a program that a build would make and is refused before, and one that no build makes and is not.
    #[test]
    fn what_is_still_to_be_built_is_taken_as_it_is_named() {
        let resolved = |text: &'static str, path| {
            let spec = CommandSpec {
                path: Some(OsStr::new(path)),
                cwd: Path::new("/no/copy/sub"),
                to_come: Some(Path::new("/no/copy")),
                ..wanted(text, None)
            };
            resolve(spec).ok().map(|it| it.path.to_string_lossy().into_owned())
        };
        let usual = "/usr/bin:/bin";
        assert_eq!(resolved("./p x", usual).as_deref(), Some("/no/copy/sub/./p"));
        assert_eq!(resolved("../p", usual).as_deref(), Some("/no/copy/sub/../p"));
        assert_eq!(resolved("/no/copy/p", usual).as_deref(), Some("/no/copy/p"));
        assert_eq!(
            resolved("no-such", "/no/copy/bin:/bin").as_deref(),
            Some("/no/copy/bin/no-such")
        );
        for outside in ["../../p", "/no/other/p", "no-such"] {
            assert_eq!(resolved(outside, usual), None, "{outside}");
        }
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
