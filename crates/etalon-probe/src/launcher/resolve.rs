//! Finding the file a command name stands for, once, before anything is measured.
//!
//! Owns: the rules of `execvp` (a name with a slash is a path; any other is looked for in `PATH`,
//! skipping what cannot be executed), and the message when nothing is found. Refuses: `execvp`'s
//! fallback to `/bin/sh` for files the kernel cannot execute (a shell nobody asked for would be
//! timed with them). The search is not part of any measurement; `spawn` gets the result.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use etalon_core::shell::quoted;

/// Where `execvp` looks when there is no `PATH` at all.
const DEFAULT_PATH: &[u8] = b"/bin:/usr/bin";

/// How much of a script's first line the kernel looks at.
const LONGEST_INTERPRETER_LINE: usize = 256;

/// Why a command cannot be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// There is no such file, or no such program in `PATH`.
    #[error("{}", not_found(name))]
    NotFound {
        /// The name as typed.
        name: OsString,
    },
    /// There is a file, but it may not be executed.
    #[error(
        "{}: not executable: `chmod +x {}`, or name the interpreter before it",
        path.display(), quoted(&path.to_string_lossy())
    )]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// It is a script, and what would interpret it is not there or not named.
    #[error("{}: {}", path.display(), not_interpreted(interpreter.as_deref()))]
    NoInterpreter {
        /// The file.
        path: PathBuf,
        /// The interpreter its first line names, if there is such a line.
        interpreter: Option<PathBuf>,
    },
    /// The name stands for a directory.
    #[error("{}: is a directory: name a program in it", path.display())]
    IsDirectory {
        /// The file.
        path: PathBuf,
    },
}

/// The complaint about a name that nothing was found for.
fn not_found(name: &OsStr) -> String {
    if name.is_empty() {
        return "the command is empty: give the name of a program".to_owned();
    }
    let what = if has_slash(name) {
        "no such file: check the path"
    } else {
        "not found in PATH: check the name, give its path, or write sh -c 'COMMAND' if it is a shell's \
         own command"
    };
    format!("{}: {what}", name.display())
}

/// The complaint about a script.
fn not_interpreted(interpreter: Option<&Path>) -> String {
    let with_return = interpreter.filter(|path| ends_in_return(path));
    if let Some(interpreter) = with_return {
        let name = interpreter.to_string_lossy();
        return format!(
            "its lines end as on Windows, so that the interpreter its first line names is {}\\r, which is not there: \
             write it with lines that end as on Unix (`sed -i 's/\\r$//' FILE`)",
            name.trim_end_matches('\r')
        );
    }
    match interpreter {
        Some(interpreter) => format!(
            "its first line names the interpreter {}, which cannot be executed: correct it, or name \
             an interpreter before the script",
            interpreter.display()
        ),
        None => "neither a program nor a script with a #! line: add one, or name the interpreter \
                 before it"
            .to_owned(),
    }
}

/// The file that executing `name` would execute, as an absolute path (symbolic links are kept:
/// programs like busybox look at their name).
///
/// `path` is the value of `PATH` the command will see, `None` if it has none; `cwd` is the
/// absolute directory it will be executed in.
///
/// # Errors
/// If there is no such file, or only such as cannot be executed; the first obstacle found is named.
pub fn resolve(name: &OsStr, path: Option<&OsStr>, cwd: &Path) -> Result<PathBuf, ResolveError> {
    let not_found = || ResolveError::NotFound { name: name.to_owned() };
    if name.is_empty() {
        return Err(not_found());
    }
    if has_slash(name) {
        return check(cwd.join(name)).unwrap_or_else(|| Err(not_found()));
    }
    let mut obstacle = None;
    for directory in path.map_or(DEFAULT_PATH, OsStr::as_bytes).split(|b| *b == b':') {
        // An empty entry is the current directory; a relative one is relative to it.
        let directory = cwd.join(OsString::from_vec(directory.to_vec()));
        match check(directory.join(name)) {
            Some(Ok(found)) => return Ok(found),
            Some(Err(error)) => obstacle = obstacle.or(Some(error)),
            None => {}
        }
    }
    Err(obstacle.unwrap_or_else(not_found))
}

/// The file of a program that etalon looks for by itself: [`resolve`] of a name without a slash, but a relative
/// directory in `PATH` is passed over. It would be one of whatever project etalon is started in.
///
/// # Errors
/// As [`resolve`].
pub fn installed(name: &OsStr, path: Option<&OsStr>) -> Result<PathBuf, ResolveError> {
    let directories = path.map_or(DEFAULT_PATH, OsStr::as_bytes).split(|b| *b == b':');
    let absolute: Vec<&[u8]> = directories.filter(|it| it.starts_with(b"/")).collect();
    if absolute.is_empty() {
        return Err(ResolveError::NotFound { name: name.to_owned() });
    }
    resolve(name, Some(OsStr::from_bytes(&absolute.join(&b':'))), Path::new("/"))
}

/// The file if it can be executed, what is wrong with it if not, nothing if it is not there.
fn check(file: PathBuf) -> Option<Result<PathBuf, ResolveError>> {
    let facts = std::fs::metadata(&file).ok()?;
    Some(if facts.is_dir() {
        Err(ResolveError::IsDirectory { path: file })
    } else if !may_execute(&file) {
        Err(ResolveError::NotExecutable { path: file })
    } else {
        understood(file)
    })
}

/// Whether the kernel will know what to do with an executable file, as far as its first bytes
/// tell: an ELF program, a script whose interpreter is there, or, where other formats are
/// registered, anything. A file that may be executed but not read gets the benefit of the doubt.
fn understood(file: PathBuf) -> Result<PathBuf, ResolveError> {
    let mut first = [0; LONGEST_INTERPRETER_LINE];
    let read = File::open(&file).and_then(|mut opened| opened.read(&mut first));
    let Ok(read) = read else { return Ok(file) };
    let first = &first[..read];
    match first.strip_prefix(b"#!") {
        Some(line) => match interpreter(line) {
            Some(interpreter) if ends_in_return(&interpreter) => {
                Err(ResolveError::NoInterpreter { path: file, interpreter: Some(interpreter) })
            }
            // A relative one depends on the directory the script will run in.
            Some(interpreter) if interpreter.is_relative() => Ok(file),
            Some(interpreter) if interpreter.is_file() && may_execute(&interpreter) => Ok(file),
            interpreter => Err(ResolveError::NoInterpreter { path: file, interpreter }),
        },
        None if first.starts_with(b"\x7fELF") || other_formats() => Ok(file),
        None => Err(ResolveError::NoInterpreter { path: file, interpreter: None }),
    }
}

/// The program that the rest of a `#!` line names.
fn interpreter(line: &[u8]) -> Option<PathBuf> {
    // As the kernel reads it: a carriage return belongs to the name.
    let line = line.split(|b| *b == b'\n').next()?;
    let mut words = line.split(|b| matches!(b, b' ' | b'\t' | 0)).filter(|name| !name.is_empty());
    let name = match (words.next()?, words.next_back()) {
        (env, Some(last)) if env.ends_with(b"/env") && last.ends_with(b"\r") => last,
        (name, _) => name,
    };
    Some(OsString::from_vec(name.to_vec()).into())
}

fn ends_in_return(path: &Path) -> bool {
    path.as_os_str().as_bytes().ends_with(b"\r")
}

/// Whether formats beyond ELF and `#!` are registered with the kernel (`binfmt_misc`). Beside its
/// two control files the directory holds one file per format.
fn other_formats() -> bool {
    let entries = std::fs::read_dir("/proc/sys/fs/binfmt_misc");
    entries.is_ok_and(|entries| {
        let control = |name: &OsStr| name == "register" || name == "status";
        entries.flatten().any(|entry| !control(&entry.file_name()))
    })
}

/// Asks the kernel, which knows about owners, groups, capabilities and `noexec`.
fn may_execute(file: &Path) -> bool {
    let Ok(path) = std::ffi::CString::new(file.as_os_str().as_bytes()) else { return false };
    // SAFETY: `path` is a NUL-terminated string that outlives the call.
    unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), libc::X_OK, libc::AT_EACCESS) == 0 }
}

fn has_slash(name: &OsStr) -> bool {
    name.as_bytes().contains(&b'/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// `a/tool` is a directory, `b/tool` not executable, `c/tool` executable.
    fn tree(name: &str) -> PathBuf {
        let root =
            std::env::temp_dir().join(format!("etalon-resolve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(root.join("a/tool")).unwrap();
        for (directory, mode) in [("b", 0o644), ("c", 0o755)] {
            let file = root.join(directory).join("tool");
            std::fs::create_dir_all(root.join(directory)).unwrap();
            std::fs::write(&file, "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
        }
        root
    }

    fn path(root: &Path, directories: &[&str]) -> OsString {
        std::env::join_paths(directories.iter().map(|d| root.join(d))).unwrap()
    }

    #[test]
    fn directories_and_files_that_cannot_be_executed_are_skipped() {
        // Would catch a search that stops at the first file of that name.
        let root = tree("skip");
        let all = path(&root, &["none", "a", "b", "c"]);
        assert_eq!(resolve("tool".as_ref(), Some(&all), &root), Ok(root.join("c/tool")));
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_script_that_nothing_interprets_is_found_out() {
        // Would catch commands that fail only after others have been measured.
        let root = tree("script");
        let tool = root.join("c/tool");
        let content = |text: &str| {
            std::fs::write(&tool, text).unwrap();
            resolve("./c/tool".as_ref(), None, &root)
        };
        assert_eq!(content("#! /bin/sh -e\necho"), Ok(root.join("./c/tool")));
        assert_eq!(content("#!relative/sh"), Ok(root.join("./c/tool")));
        let missing = |interpreter: Option<&str>| {
            let interpreter = interpreter.map(PathBuf::from);
            Err(ResolveError::NoInterpreter { path: root.join("./c/tool"), interpreter })
        };
        assert_eq!(content("#!/no/such/sh -e\n"), missing(Some("/no/such/sh")));
        assert_eq!(content("#!\n/bin/sh"), missing(None));
        // Would catch a script with the line ends of Windows that is told as missing when it is executed.
        for (text, named) in
            [("#!/bin/sh\r\necho\r\n", "/bin/sh\r"), ("#!/usr/bin/env python3\r\n", "python3\r")]
        {
            assert_eq!(content(text), missing(Some(named)));
            let said = content(text).unwrap_err().to_string();
            assert!(said.contains(&named.replace('\r', "\\r")) && !said.contains('\r'), "{said}");
            assert!(said.contains("sed -i"), "{said}");
        }
        assert_eq!(content("#!/bin/sh -e\r\n"), Ok(root.join("./c/tool")));
        if !other_formats() {
            assert_eq!(content("echo hello\n"), missing(None));
            assert_eq!(content(""), missing(None));
        }
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn the_first_obstacle_is_named() {
        let root = tree("obstacle");
        let some = path(&root, &["b", "a"]);
        assert_eq!(
            resolve("tool".as_ref(), Some(&some), &root),
            Err(ResolveError::NotExecutable { path: root.join("b/tool") })
        );
        assert_eq!(
            resolve("./a/tool".as_ref(), None, &root),
            Err(ResolveError::IsDirectory { path: root.join("./a/tool") })
        );
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn relative_names_and_empty_path_entries_mean_the_commands_directory() {
        // Would catch resolving against etalon's own directory when the command gets another.
        let root = tree("relative");
        let inside = root.join("c");
        assert_eq!(resolve("./tool".as_ref(), None, &inside), Ok(inside.join("./tool")));
        assert_eq!(resolve("tool".as_ref(), Some("".as_ref()), &inside), Ok(inside.join("tool")));
        assert_eq!(resolve("tool".as_ref(), Some("c".as_ref()), &root), Ok(root.join("c/tool")));
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let missing = |name: &str| resolve(name.as_ref(), Some("/bin".as_ref()), Path::new("/"));
        for name in ["", "etalon-no-such-program", "/no/such", "no/such"] {
            assert_eq!(missing(name), Err(ResolveError::NotFound { name: name.into() }));
        }
        assert!(missing("cd-like").unwrap_err().to_string().contains("sh -c 'COMMAND'"));
    }
}
