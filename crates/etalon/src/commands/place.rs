//! Where and with what commands are executed: what all share, and what each has of its own because something was filled
//! in. Refuses what is not there before anything is measured.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use etalon_probe::launcher::protocol::{Execute, Files};
use etalon_record::Text;
use etalon_report::text::clean;
use etalon_run::CommandSpec;

use super::Subject;
use super::texts::Texts;
use crate::cli::commands;
use crate::failure::Failure;
use crate::tool;

/// The program that a command is given to.
#[derive(Clone, Copy)]
pub(super) enum Through<'a> {
    /// Nothing: its first word is executed.
    Nothing,
    /// A shell that was asked for: a program and its arguments.
    Shell(&'a [u8]),
    /// The shell of what is not timed.
    HookShell,
}

/// A text of commands.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shares {
    /// All have this one, or none has one.
    Alike(Option<Vec<u8>>),
    /// Each has its own.
    Own,
}

/// The surroundings that all commands share.
#[derive(Debug)]
pub(super) struct Shared {
    /// Variables, each once.
    pub(super) env: Vec<(String, String)>,
    pub(super) cwd: Shares,
    pub(super) input: Shares,
    pub(super) stdout: Shares,
}

impl Shared {
    pub(super) fn of(all: &[Subject]) -> Shared {
        let share = |text: fn(&Texts) -> &Option<Vec<u8>>| {
            let mut texts = all.iter().map(|subject| text(&subject.texts));
            let first = texts.next().cloned().flatten();
            if texts.all(|other| *other == first) { Shares::Alike(first) } else { Shares::Own }
        };
        let envs: Vec<_> = all.iter().map(|subject| last_of_each(&subject.texts.env)).collect();
        let mut env = envs.first().cloned().unwrap_or_default();
        env.retain(|variable| envs.iter().all(|env| env.contains(variable)));
        Shared {
            env,
            cwd: share(|texts| &texts.cwd),
            input: share(|texts| &texts.input),
            stdout: share(|texts| &texts.stdout),
        }
    }

    /// The files that a command has of its own.
    ///
    /// # Errors
    /// If one cannot be there.
    pub(super) fn files_of(&self, subject: &Subject, here: &Path) -> Result<Files, Failure> {
        let own = |shares: &Shares, text: &Option<Vec<u8>>| {
            text.clone().filter(|_| *shares == Shares::Own)
        };
        let read = own(&self.input, &subject.texts.input);
        let written = own(&self.stdout, &subject.texts.stdout);
        let is_to_come = |file: &[u8]| {
            let path = here.join(OsStr::from_bytes(file));
            let below = subject.to_come.as_ref();
            below.is_some_and(|copy| path.starts_with(copy) && !path.exists())
        };
        if let Some(file) = written.as_ref().filter(|file| !is_to_come(file)) {
            let path = here.join(OsStr::from_bytes(file));
            if path.is_dir() || !path.parent().is_some_and(Path::is_dir) {
                let why = "is no file in a directory that exists: make the directory, or name another file";
                return Err(Failure::about(format!("--stdout {}", called(file)), why));
            }
        }
        let read = read.filter(|file| !is_to_come(file));
        Ok(Files {
            input: read.map(|file| input(&file, here)).transpose()?.flatten(),
            output: written.map(|file| absolute(&file, here)),
        })
    }
}

/// Variables as a program sees them that gets these one after the other.
fn last_of_each(env: &[(String, String)]) -> Vec<(String, String)> {
    let is_last = |(at, (name, _)): &(usize, &(String, String))| {
        env[at + 1..].iter().all(|(later, _)| later != name)
    };
    env.iter().enumerate().filter(is_last).map(|(_, variable)| variable.clone()).collect()
}

/// A file of `--input`; absent for the word that stands for no input, as in hyperfine (a file of that name is ./null).
///
/// # Errors
/// If it is not there.
pub(super) fn input(file: &[u8], here: &Path) -> Result<Option<Text>, Failure> {
    if file == b"null" {
        return Ok(None);
    }
    let about = || format!("--input {}", called(file));
    let path = here.join(OsStr::from_bytes(file));
    let facts = std::fs::metadata(path).map_err(|error| Failure::about(about(), error))?;
    if facts.is_dir() {
        return Err(Failure::about(about(), "is a directory: name a file"));
    }
    Ok(Some(absolute(file, here)))
}

pub(super) fn absolute(file: &[u8], here: &Path) -> Text {
    Text::from(here.join(OsStr::from_bytes(file)).into_os_string())
}

fn called(file: &[u8]) -> String {
    clean(&String::from_utf8_lossy(file))
}

/// Where and with what commands are executed.
#[derive(Clone)]
pub(super) struct Place {
    /// Where etalon was started.
    pub(super) here: PathBuf,
    pub(super) cwd: PathBuf,
    pub(super) environment: Vec<(OsString, OsString)>,
    /// Variables that what is executed has to be told, because others have not got them.
    own: Vec<(OsString, OsString)>,
    /// Whether what is executed has to be told where.
    is_own: bool,
    /// A copy that is still to be built.
    to_come: Option<PathBuf>,
}

impl Place {
    /// Where commands are executed that have nothing of their own.
    pub(super) fn of(shared: &Shared) -> Result<Place, Failure> {
        let here = tool::here()?;
        let cwd = match &shared.cwd {
            Shares::Alike(Some(cwd)) => directory(cwd, &here)?,
            Shares::Alike(None) | Shares::Own => here.clone(),
        };
        let environment = std::env::vars_os().collect();
        let (own, is_own, to_come) = (Vec::new(), false, None);
        let mut place = Place { here, cwd, environment, own, is_own, to_come };
        place.set(&shared.env);
        Ok(place)
    }

    fn set(&mut self, env: &[(String, String)]) {
        for (name, value) in env {
            self.environment.retain(|(known, _)| known != name.as_str());
            self.environment.push((name.into(), value.into()));
        }
    }

    /// That of one command.
    pub(super) fn for_subject(&self, subject: &Subject, shared: &Shared) -> Result<Place, Failure> {
        let mut place = self.clone();
        let own = match (&subject.texts.cwd, &shared.cwd) {
            (Some(cwd), Shares::Own) => Some(directory(cwd, &self.here)?),
            _ => subject.directory.clone(),
        };
        if let Some(own) = own {
            (place.cwd, place.is_own) = (own, true);
        }
        place.to_come.clone_from(&subject.to_come);
        let mut env = last_of_each(&subject.texts.env);
        env.retain(|variable| !shared.env.contains(variable));
        place.set(&env);
        place.own = env.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Ok(place)
    }

    fn path(&self) -> Option<&OsString> {
        self.environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value)
    }

    /// The program behind a text; `role` is what it is to be.
    pub(super) fn resolve(
        &self,
        role: &str,
        text: &[u8],
        through: Through<'_>,
    ) -> Result<Execute, Failure> {
        let path = self.path().map(OsString::as_os_str);
        let to_come = self.to_come.as_deref();
        let wanted = CommandSpec { text, shell: None, path, cwd: &self.cwd, to_come };
        let resolved = match through {
            Through::Nothing => etalon_run::resolve(wanted),
            Through::Shell(shell) => {
                etalon_run::resolve(CommandSpec { shell: Some(shell), ..wanted })
            }
            Through::HookShell => etalon_run::resolve_hook(wanted),
        };
        let directory = self.is_own.then(|| Text::from(self.cwd.clone().into_os_string()));
        let environment = self.own.iter().map(|(name, value)| {
            let bytes = [name.as_bytes(), b"=", value.as_bytes()].concat();
            Text::from(OsString::from_vec(bytes))
        });
        let environment = environment.collect();
        resolved.map(|execute| Execute { directory, environment, ..execute }).map_err(|error| {
            Failure::about(format!("{role} `{}`", clean(&commands::shown(text))), error)
        })
    }
}

/// The directory of `--cwd`.
fn directory(cwd: &[u8], here: &Path) -> Result<PathBuf, Failure> {
    let path = here.join(OsStr::from_bytes(cwd));
    if path.is_dir() {
        return Ok(path);
    }
    Err(Failure::about(path.display(), "not a directory: check --cwd"))
}
