//! The parts of an A/A experiment: runs of a subject by itself, and one of two of it in blocks.
//!
//! Owns what `etalon cmd` or `etalon run` would be asked for. A run by itself is what these would measure with the same
//! options, under the same name: that makes it the history of the subject. Refuses to execute.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use etalon_probe::launcher::Launcher;
use etalon_report::text::clean;
use etalon_run::lua::LuaCases;
use etalon_run::{Commands, Executor, RunError};

use super::command;
use crate::cases::{self, Twins};
use crate::cli::{self, commands};
use crate::commands::experiment::Request;
use crate::course::Job;
use crate::failure::Failure;
use crate::progress::{Watch, Watched};

/// The command where none is named: a loop of the shell that every machine has, of some milliseconds.
const USUAL: &str = "sh -c 'i=0; while [ $i -lt 10000 ]; do i=$((i+1)); done'";

/// The fewest blocks of two. Because: of fewer, what 100 would show is anybody's guess.
const FEWEST_BLOCKS: u32 = 30;

/// A part of the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A run of the subject by itself, numbered from 0.
    Run(u32),
    /// Two of it in blocks.
    Blocks,
}

/// The subject of a measurement of noise.
pub(super) enum Subject {
    /// A command, as it was typed.
    Command(Vec<u8>),
    /// A suite.
    Suite(OsString),
}

impl Subject {
    /// # Errors
    /// If an option is of the other kind.
    pub(super) fn of(options: &cli::Noise) -> Result<Subject, Failure> {
        let typed = options.subject.clone().unwrap_or_else(|| OsString::from(USUAL));
        let is_suite = Path::new(&typed).extension().is_some_and(|it| it == "lua");
        if is_suite && Path::new(&typed).is_file() {
            let of_commands = [
                (options.shell.is_some(), "--shell"),
                (options.name.is_some(), "--name"),
                (options.control.counters, "--counters"),
                (options.control.cgroup, "--cgroup"),
            ];
            return match of_commands.iter().find(|(typed, _)| *typed) {
                Some((_, option)) => Err(Failure::about(option, "is of commands, not of suites")),
                None => Ok(Subject::Suite(typed)),
            };
        }
        let hosts = !options.hosts.lua.is_empty() || !options.hosts.jit.is_empty();
        let of_suites = [(hosts, "--lua and --jit"), (options.filter.is_some(), "--filter")];
        match of_suites.iter().find(|(typed, _)| *typed) {
            Some((_, option)) => Err(Failure::about(option, "of suites (*.lua), not of commands")),
            None => Ok(Subject::Command(typed.into_vec())),
        }
    }

    /// Its name in remarks.
    pub(super) fn shown(&self) -> String {
        match self {
            Subject::Command(text) => clean(&commands::shown(text)),
            Subject::Suite(path) => clean(&path.to_string_lossy()),
        }
    }

    /// A part as a job; absent if the user ended it before.
    ///
    /// # Errors
    /// If it cannot be executed.
    pub(super) fn job(
        &self,
        options: &cli::Noise,
        (part, seed): (Part, u64),
        watch: &mut Watch<'_>,
    ) -> Result<Option<Job<'static>>, Failure> {
        let seed = match part {
            Part::Run(number) => seed.wrapping_add(u64::from(number) + 1),
            Part::Blocks => seed,
        };
        let twins = if part == Part::Blocks { Twins::Two } else { Twins::None };
        let (experiment, executor, watched): (_, Box<dyn Executor>, _) = match self {
            Subject::Command(text) => {
                let amount = cli::Amount {
                    runs: options.amount.runs,
                    budget: Some(budget(options, part)),
                    limits: limits(options, part),
                    ..cli::Amount::default()
                };
                let request = Request {
                    amount: &amount,
                    schedule: &schedule(seed),
                    control: &options.control,
                    analysis: &analysis(options),
                };
                let (experiment, setup) = command::assembled(options, &request, text, twins)?;
                let launcher = Launcher::start();
                let launcher = launcher.map_err(|error| Failure::new(RunError::Launcher(error)))?;
                let watched = Watched::commands(&experiment);
                (experiment, Box::new(Commands::new(setup, launcher)), watched)
            }
            Subject::Suite(path) => {
                let options = as_suite(options, path, (part, seed));
                let found = cases::of_options(&options, twins, watch)?;
                let ControlFlow::Continue((experiment, setup)) = found else { return Ok(None) };
                let watched = Watched::cases(&experiment);
                (experiment, Box::new(LuaCases::new(setup)), watched)
            }
        };
        Ok(Some(Job { watched: Some(watched), ..Job::new(experiment, executor) }))
    }
}

/// The seconds for each of the subjects of a part.
fn budget(options: &cli::Noise, part: Part) -> f64 {
    let half = options.amount.budget / 2.0;
    match part {
        Part::Run(_) => half / f64::from(options.amount.in_sequence),
        Part::Blocks => half / 2.0,
    }
}

fn fewest(options: &cli::Noise, part: Part) -> Option<u32> {
    (part == Part::Blocks && options.amount.runs.is_none()).then_some(FEWEST_BLOCKS)
}

/// Seeds are a part's own; the order is the usual one.
fn schedule(seed: u64) -> cli::Schedule {
    cli::Schedule { seed: Some(seed), ..cli::Schedule::default() }
}

fn limits(options: &cli::Noise, part: Part) -> cli::Limits {
    cli::Limits { min_blocks: fewest(options, part), max_blocks: None }
}

fn analysis(options: &cli::Noise) -> cli::Analysis {
    cli::Analysis { metric: options.metric.clone(), ..cli::Analysis::default() }
}

/// How the cases of a suite are measured.
fn as_suite(options: &cli::Noise, path: &OsString, (part, seed): (Part, u64)) -> cli::Run {
    let total_budget = match part {
        Part::Run(_) => budget(options, part),
        Part::Blocks => 2.0 * budget(options, part),
    };
    let limits = limits(options, part);
    let amount = cli::RunAmount {
        runs: options.amount.runs,
        total_budget: Some(total_budget),
        limits,
        ..cli::RunAmount::default()
    };
    cli::Run {
        paths: vec![path.clone()],
        filter: options.filter.clone(),
        hosts: options.hosts.clone(),
        cwd: options.control.cwd.clone(),
        surroundings: options.control.surroundings.clone(),
        amount,
        schedule: schedule(seed),
        reporting: cli::Reporting { analysis: analysis(options), ..cli::Reporting::default() },
        ..cli::Run::default()
    }
}
