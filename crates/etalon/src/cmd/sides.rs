//! Commands in several copies of a project: each command once in each copy.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args as _, Command, FromArgMatches as _};
use etalon_core::dataset::{BUILD, SIDE};
use etalon_run::{CommandSetup, Experiment};

use super::subjects::{Hooks, Subject, Subjects};
use crate::cli::commands::Declared;
use crate::cli::{self, Cmd};
use crate::failure::Failure;

/// A copy of a side.
#[derive(Debug, Clone)]
pub(crate) struct Copy {
    /// [`etalon_core::dataset::BASE`] or `HEAD`.
    pub side: &'static str,
    /// Which of its builds, from 1; nothing where there is one.
    pub build: Option<usize>,
    /// Its top.
    pub root: PathBuf,
    /// Where commands are executed.
    pub directory: PathBuf,
    /// When an earlier etalon has built it.
    pub built: Option<SystemTime>,
}

/// The experiment on commands in copies, and how they are executed.
pub(crate) fn experiment(
    options: &cli::Ab,
    declared: &[Declared],
    copies: &[Copy],
) -> Result<(Experiment, CommandSetup), Failure> {
    let mut all = Vec::new();
    for command in declared {
        for copy in copies {
            all.push(subject(options, command, copy));
        }
    }
    let subjects = Subjects { all, reference: None, remarks: Vec::new() };
    super::experiment::of(&as_commands(options)?, &subjects)
}

/// What `etalon cmd` would be asked for.
fn as_commands(options: &cli::Ab) -> Result<Cmd, Failure> {
    let command = Cmd::augment_args(Command::new("cmd"));
    let mut matches = command.try_get_matches_from(["cmd"]).map_err(Failure::new)?;
    let mut cmd = Cmd::from_arg_matches_mut(&mut matches).map_err(Failure::new)?;
    cmd.amount.runs = Some(options.amount.runs);
    cmd.amount.warmup = options.amount.warmup;
    cmd.schedule.seed = options.amount.seed;
    cmd.control = cli::Control { cwd: None, ..options.control.clone() };
    Ok(cmd)
}

fn subject(options: &cli::Ab, command: &Declared, copy: &Copy) -> Subject {
    let build = copy.build.map(|build| (BUILD.to_owned(), build.to_string()));
    let side = (SIDE.to_owned(), copy.side.to_owned());
    let hook = |hook: &Option<OsString>| hook.as_ref().map(|it| filled(it.as_bytes(), &copy.root));
    Subject {
        text: filled(&command.text, &copy.root),
        name: Some(command.shown_name()),
        params: [Some(side), build].into_iter().flatten().collect(),
        hooks: Hooks {
            setup: None,
            prepare: hook(&options.hooks.prepare),
            conclude: hook(&options.hooks.conclude),
            cleanup: None,
        },
        place: command.place.clone(),
        directory: Some(match &options.control.cwd {
            Some(cwd) => copy.directory.join(cwd),
            None => copy.directory.clone(),
        }),
    }
}

/// A text with the top of a copy for `{side}`.
pub(crate) fn filled(text: &[u8], root: &Path) -> Vec<u8> {
    const PLACE: &[u8] = b"{side}";
    let mut filled = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(PLACE.len()).position(|window| window == PLACE) {
        filled.extend_from_slice(&rest[..at]);
        filled.extend_from_slice(root.as_os_str().as_bytes());
        rest = &rest[at + PLACE.len()..];
    }
    filled.extend_from_slice(rest);
    filled
}

/// The words of a command line as one command, each as it has to be written to be that word.
pub(crate) fn joined(words: &[OsString]) -> Vec<u8> {
    let quoted = words.iter().map(|word| {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,{}".contains(byte);
        let bytes = word.as_bytes();
        if !bytes.is_empty() && bytes.iter().all(plain) {
            return bytes.to_vec();
        }
        let mut text = vec![b'\''];
        for byte in bytes {
            match byte {
                b'\'' => text.extend_from_slice(br"'\''"),
                byte => text.push(*byte),
            }
        }
        text.push(b'\'');
        text
    });
    let all: Vec<Vec<u8>> = quoted.collect();
    OsString::from_vec(all.join(&b' ')).into_vec()
}
