//! Programs that etalon waits for and does not time: a compiler, git, a test binary that times itself.
//!
//! Owns: a process group for each, its two outputs as files in memory, so that etalon sleeps while it works, and its
//! end when the user asks for it or etalon is gone. Refuses: to say what its outputs mean, and to look for a program in
//! a relative directory of PATH, which would be one of the repository that is measured.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use etalon_core::model::Outcome;

use crate::halts::Halts;
use crate::launcher::{ResolveError, installed};
use crate::{clock, memory_file};

/// How often the user is asked whether to stop, in ms.
const PATIENCE_MS: libc::c_int = 50;

/// A program to be executed.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// Its name, which is looked up in PATH, or its path.
    pub program: &'a OsStr,
    /// Its arguments.
    pub arguments: &'a [OsString],
    /// Variables beside etalon's own.
    pub environment: &'a [(OsString, OsString)],
    /// The file that it reads as its standard input; without one, there is nothing to read.
    pub input: Option<&'a Path>,
    /// Where; what it learns as PWD, too.
    pub directory: &'a Path,
    /// A file that it has open to its end, and whatever it starts too.
    pub inherits: Option<&'a File>,
}

/// The end of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executed {
    /// How it ended.
    pub outcome: Outcome,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error, and whether it stopped itself.
    pub stderr: Vec<u8>,
}

impl Executed {
    /// Whether it exited with 0.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.outcome == Outcome::Ok
    }
}

/// Executes a program to its end, or until the user `interrupted` it: then it is killed, and there is nothing. What it
/// leaves in its process group is killed in either case. Call it on the thread that lives longest: the program ends
/// with it.
///
/// # Errors
/// If it cannot be started or waited for.
pub fn execute(
    program: &Program<'_>,
    interrupted: &mut dyn FnMut() -> bool,
) -> io::Result<Option<Executed>> {
    to_its_end(program, (Inherited::Environment, None), interrupted)
}

/// [`execute`] for so long at most: what takes longer is killed with its process group, and has timed out.
///
/// # Errors
/// If it cannot be started or waited for.
pub fn execute_within(
    program: &Program<'_>,
    limit: Option<Duration>,
    interrupted: &mut dyn FnMut() -> bool,
) -> io::Result<Option<Executed>> {
    to_its_end(program, (Inherited::Environment, limit), interrupted)
}

/// [`execute`] with no variables but those that the program is given.
///
/// # Errors
/// If it cannot be started or waited for.
pub fn execute_apart(
    program: &Program<'_>,
    interrupted: &mut dyn FnMut() -> bool,
) -> io::Result<Option<Executed>> {
    to_its_end(program, (Inherited::Nothing, None), interrupted)
}

/// The resources of etalon that a program inherits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inherited {
    Environment,
    Nothing,
}

fn to_its_end(
    program: &Program<'_>,
    (inherited, limit): (Inherited, Option<Duration>),
    interrupted: &mut dyn FnMut() -> bool,
) -> io::Result<Option<Executed>> {
    let stdout = memory_file::named(c"etalon-stdout")?;
    let stderr = memory_file::named(c"etalon-stderr")?;
    let input = program.input.map(File::open).transpose()?;
    let mut command = Command::new(file(program, inherited)?);
    if inherited == Inherited::Nothing {
        command.env_clear();
    }
    command
        .arg0(program.program)
        .args(program.arguments)
        .envs(program.environment.iter().map(|(name, value)| (name, value)))
        .env("PWD", program.directory)
        .current_dir(program.directory)
        .stdin(input.map_or_else(Stdio::null, Stdio::from))
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .process_group(0);
    let etalon = std::process::id().cast_signed();
    let inherits = program.inherits.map(File::as_raw_fd);
    // SAFETY: between fork and exec, only system calls that may be made there, with integers.
    unsafe {
        command.pre_exec(move || {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == -1 {
                return Err(io::Error::last_os_error());
            }
            // It may have ended before that.
            if libc::getppid() != etalon {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            match inherits {
                Some(file) if libc::fcntl(file, libc::F_SETFD, 0) == -1 => {
                    Err(io::Error::last_os_error())
                }
                _ => Ok(()),
            }
        });
    }
    let child = command.spawn()?;
    ended(program, child, (limit, interrupted), (stdout, stderr))
}

/// The end of a program that was started, and what it wrote into these files.
fn ended(
    program: &Program<'_>,
    mut child: Child,
    (limit, interrupted): (Option<Duration>, &mut dyn FnMut() -> bool),
    (stdout, stderr): (File, File),
) -> io::Result<Option<Executed>> {
    let over = waited(&child, limit, interrupted);
    // What is left in its group; the number is its own until it is reaped.
    // SAFETY: no memory preconditions.
    unsafe { libc::kill(-child.id().cast_signed(), libc::SIGKILL) };
    let status = child.wait()?;
    let outcome = match over? {
        Over::Ended => outcome(status),
        Over::TooLong => Outcome::TimedOut,
        Over::Halted(signal) => Outcome::Killed { signal },
        Over::Unwanted => return Ok(None),
    };
    let (stdout, mut stderr) = (content(stdout)?, content(stderr)?);
    if let Some(stopped) = outcome.stopped_by() {
        // It says so itself no more, and its last words are what people are shown.
        let name = program.program.to_string_lossy();
        stderr.extend_from_slice(format!("{name} {stopped}\n").as_bytes());
    }
    Ok(Some(Executed { outcome, stdout, stderr }))
}

/// The file that is executed.
fn file(program: &Program<'_>, inherited: Inherited) -> io::Result<PathBuf> {
    if program.program.as_bytes().contains(&b'/') {
        return Ok(program.program.into());
    }
    let given = program.environment.iter().rev().find(|(name, _)| name == "PATH");
    let path = match (given, inherited) {
        (Some((_, path)), _) => Some(path.clone()),
        (None, Inherited::Environment) => own_path(),
        (None, Inherited::Nothing) => None,
    };
    installed(program.program, path.as_deref()).map_err(|error| match error {
        ResolveError::NotFound { .. } => io::Error::new(io::ErrorKind::NotFound, error),
        error => io::Error::other(error),
    })
}

#[expect(clippy::disallowed_methods, reason = "a program is looked for where it would look itself")]
fn own_path() -> Option<OsString> {
    std::env::var_os("PATH")
}

/// Why a program is not waited for any longer.
#[derive(Clone, Copy)]
enum Over {
    /// It has ended.
    Ended,
    /// It took longer than it may.
    TooLong,
    /// It, or something below it, has stopped itself by this signal.
    Halted(i32),
    /// The user does not want to wait.
    Unwanted,
}

/// Waits for its end, which is not reaped, for so long at most and as long as the user wants to.
fn waited(
    child: &Child,
    limit: Option<Duration>,
    interrupted: &mut dyn FnMut() -> bool,
) -> io::Result<Over> {
    let (began, mut halts) = (clock::now_ns(), Halts::default());
    let pid = child.id().cast_signed();
    // SAFETY: the call takes integers; the child is not reaped, so the number is its.
    let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    let descriptor = i32::try_from(descriptor).map_err(io::Error::other)?;
    // SAFETY: a descriptor just made, owned by nobody else.
    let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor) };
    loop {
        let mut polled =
            libc::pollfd { fd: descriptor.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one writable pollfd, of a descriptor that is open.
        match unsafe { libc::poll(&raw mut polled, 1, PATIENCE_MS) } {
            1.. => return Ok(Over::Ended),
            0 => {}
            _ => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error => return Err(error),
            },
        }
        if interrupted() {
            return Ok(Over::Unwanted);
        }
        let elapsed = Duration::from_nanos(clock::now_ns().saturating_sub(began));
        if limit.is_some_and(|limit| elapsed >= limit) {
            return Ok(Over::TooLong);
        }
        if let Some(halted) = halts.at(pid).first() {
            return Ok(Over::Halted(halted.signal));
        }
    }
}

fn content(mut file: File) -> io::Result<Vec<u8>> {
    file.rewind()?;
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    Ok(content)
}

fn outcome(status: ExitStatus) -> Outcome {
    match (status.code(), status.signal()) {
        (Some(0), _) => Outcome::Ok,
        (Some(code), _) => Outcome::Failed { code },
        (None, signal) => Outcome::Killed { signal: signal.unwrap_or(libc::SIGKILL) },
    }
}

#[cfg(test)]
mod tests {
    use etalon_core::model::StopSignal;

    use super::*;

    fn shell(text: &str, interrupted: &mut dyn FnMut() -> bool) -> Option<Executed> {
        let arguments = ["-c".into(), text.into()];
        let program = Program {
            program: OsStr::new("sh"),
            arguments: &arguments,
            environment: &[("NAME".into(), "value".into())],
            input: None,
            directory: Path::new("/tmp"),
            inherits: None,
        };
        execute(&program, interrupted).unwrap()
    }

    /// Would catch outputs that are mixed or lost, an exit that is another, and a directory that is etalon's.
    #[test]
    fn it_is_executed_to_its_end() {
        let executed = shell("pwd; echo $PWD $NAME; echo why >&2; exit 3", &mut || false).unwrap();
        assert_eq!(executed.outcome, Outcome::Failed { code: 3 });
        assert_eq!(executed.stdout, b"/tmp\n/tmp value\n");
        assert_eq!(executed.stderr, b"why\n");
        let killed = shell("kill -TERM $$", &mut || false).unwrap();
        assert_eq!(killed.outcome, Outcome::Killed { signal: 15 });
    }

    /// Would catch a program of the repository that is executed in place of an installed one, because PATH has a
    /// directory that is relative to where it is executed; and variables of etalon's where they are not wanted.
    #[test]
    fn nothing_is_looked_for_where_it_is_executed() {
        let scratch = tempfile::tempdir().unwrap();
        let planted = scratch.path().join("env");
        std::fs::write(&planted, "#!/bin/sh\necho planted\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&planted, mode).unwrap();
        let of = |path: &str| {
            let program = Program {
                program: OsStr::new("env"),
                arguments: &[],
                environment: &[("PATH".into(), path.into())],
                input: None,
                directory: scratch.path(),
                inherits: None,
            };
            execute_apart(&program, &mut || false)
        };
        let found = of(".::/usr/bin:/bin").unwrap().unwrap();
        let expected = format!("PATH=.::/usr/bin:/bin\nPWD={}\n", scratch.path().display());
        assert_eq!(String::from_utf8(found.stdout).unwrap(), expected);
        assert_eq!(of(".:").unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    /// Would catch a limit that only the program itself keeps, output that goes with it, and a child of it that stays.
    #[test]
    fn what_takes_too_long_is_ended_with_its_group() {
        let arguments = ["-c".into(), "trap '' TERM; echo begun; sleep 1000 & wait".into()];
        let program = Program {
            program: OsStr::new("sh"),
            arguments: &arguments,
            environment: &[],
            input: None,
            directory: Path::new("/tmp"),
            inherits: None,
        };
        // Long enough for a line to be printed, on any machine.
        let limit = Some(Duration::from_secs(2));
        let ended = execute_within(&program, limit, &mut || false).unwrap().unwrap();
        assert_eq!((ended.outcome, &ended.stdout[..]), (Outcome::TimedOut, &b"begun\n"[..]));
        assert!(execute_within(&program, None, &mut || true).unwrap().is_none());
    }

    /// Would catch a wait for ever for what nobody continues: the program, and a program below it.
    #[test]
    fn what_stops_itself_is_ended() {
        for text in ["kill -STOP $$", "sh -c 'kill -STOP $$'; true"] {
            let executed = shell(text, &mut || false).unwrap();
            assert_eq!(
                executed.outcome.stopped_by().map(StopSignal::name),
                Some("SIGSTOP"),
                "{text}"
            );
        }
    }

    /// Would catch a wait for what is left behind, or for what the user has ended.
    #[test]
    fn nothing_of_it_is_waited_for() {
        assert!(shell("sleep 1000 & exit 0", &mut || false).unwrap().is_ok());
        assert_eq!(shell("sleep 1000", &mut || true), None);
    }
}
