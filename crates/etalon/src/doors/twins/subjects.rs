//! Commands in several copies of a project: each command once in each copy.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use clap::ArgMatches;
use etalon_core::model::SIDE;
use etalon_run::{CommandSetup, Experiment};

use crate::cli;
use crate::cli::commands::DeclaredCommand;
use crate::commands::experiment::{self, Request};
use crate::commands::texts::{self, Hooks, Texts};
use crate::commands::{Subject, Subjects, scan};
use crate::failure::Failure;
use crate::harnesses::{RESULTS, ResultsRoom};
use crate::sides::{Copy, filled, in_each};

/// The experiment on commands in copies, and how they are executed.
pub(super) fn experiment(
    options: &cli::Ab,
    (declared, results): (&[DeclaredCommand], Option<&ResultsRoom>),
    copies: &[Copy],
) -> Result<(Experiment, CommandSetup), Failure> {
    let all = in_each(declared, copies);
    let all = all.map(|(command, copy)| subject(options, (command, results), copy)).collect();
    let subjects = Subjects { all, reference: None, remarks: Vec::new() };
    let amount = cli::Amount {
        runs: Some(options.amount.runs),
        warmup: options.amount.warmup,
        ..cli::Amount::default()
    };
    let request = Request {
        amount: &amount,
        schedule: &cli::Schedule { seed: options.amount.seed, ..cli::Schedule::default() },
        control: &cli::Control { cwd: None, ..options.control.clone() },
        analysis: &cli::Analysis::default(),
    };
    experiment::assembled(&request, &subjects)
}

/// Where the results of commands are, if they are harnesses.
///
/// # Errors
/// If what is typed about them cannot be obeyed.
pub(super) fn results(
    options: &cli::Ab,
    declared: &[DeclaredCommand],
) -> Result<Option<ResultsRoom>, Failure> {
    let texts: Vec<Texts> = declared.iter().map(|command| texts(options, command)).collect();
    let is_shown = options.control.has_output();
    ResultsRoom::prepare(options.harness.results.as_ref(), is_shown, &texts)
}

fn subject(
    options: &cli::Ab,
    (command, results): (&DeclaredCommand, Option<&ResultsRoom>),
    copy: &Copy,
) -> Subject {
    let fill = |text: &[u8]| ResultsRoom::filled(results, &filled(text, &copy.root));
    let texts = texts(options, command).filled(&fill);
    let cwd = texts.cwd.as_deref().map(OsStr::from_bytes);
    let directory = cwd.map_or_else(|| copy.directory.clone(), |cwd| copy.directory.join(cwd));
    Subject {
        texts: Texts { name: Some(command.shown_name()), cwd: None, ..texts },
        params: copy.params(),
        place: command.place.clone(),
        directory: Some(directory),
        to_come: copy.is_to_be_built.then(|| copy.root.clone()),
    }
}

/// The texts of a command as typed, with their placeholders. A name is of both sides: they are compared under it.
fn texts(options: &cli::Ab, command: &DeclaredCommand) -> Texts {
    let hook = |hook: &Option<OsString>| hook.as_ref().map(|it| it.as_bytes().to_vec());
    Texts {
        command: command.text.clone(),
        hooks: Hooks {
            prepare: hook(&options.hooks.prepare),
            conclude: hook(&options.hooks.conclude),
            ..Hooks::default()
        },
        ..Texts::of(&options.control, None)
    }
}

/// Refuses what is filled in for each side where something is given once, and what nearly names it.
///
/// # Errors
/// With the option or the text.
pub(super) fn check(
    options: &cli::Ab,
    matches: &ArgMatches,
    declared: &[DeclaredCommand],
) -> Result<(), Failure> {
    texts::refuse_elsewhere(matches, &[SIDE, RESULTS])?;
    if let Some(named) = declared.iter().find(|it| it.name.as_deref().is_some_and(has_place)) {
        let why = "both sides are compared under one name: write it without {side}";
        return Err(Failure::about(format!("the name {:?}", named.shown_name()), why));
    }
    let build = options.build.iter().map(|build| build.as_bytes().to_vec());
    let build = build.map(|command| Texts { command, ..Texts::default() });
    let mut all = declared.iter().map(|command| texts(options, command)).chain(build);
    all.try_for_each(|texts| texts.check(&[SIDE, RESULTS]))
}

fn has_place(name: &str) -> bool {
    scan::uses(name.as_bytes(), SIDE)
}
