//! Builds of commits as the subjects of an experiment: the command in the copy that each is going to have.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use clap::ArgMatches;
use etalon_core::model::{BUILD, Bisection, COMMIT, SIDE};
use etalon_core::plan::Stage;
use etalon_core::query::Filter;
use etalon_run::{CommandSetup, Experiment};

use super::range::Range;
use crate::cli::{self, commands};
use crate::commands::experiment::{self, Request};
use crate::commands::texts::{self, Hooks, Texts};
use crate::commands::{Subject, Subjects};
use crate::failure::Failure;
use crate::harnesses::{RESULTS, ResultsRoom};
use crate::sides::filled;

/// The experiment, and how its commands are executed.
///
/// # Errors
/// If the command cannot be executed, whatever a build makes.
pub(super) fn experiment(
    options: &cli::Bisect,
    (asked, results): (&Bisection, Option<&ResultsRoom>),
    range: &Range,
) -> Result<(Experiment, CommandSetup), Failure> {
    let names = asked.short_names();
    let mut all = Vec::new();
    for (commit, name) in names.iter().enumerate() {
        for build in 0..asked.builds {
            let number = (asked.builds > 1).then(|| (BUILD.to_owned(), (build + 1).to_string()));
            let params = [Some((COMMIT.to_owned(), (*name).to_owned())), number];
            let (root, directory) = range.place((commit, build));
            let fill = |text: &[u8]| ResultsRoom::filled(results, &filled(text, &root));
            let texts = texts(options).filled(&fill);
            let cwd = texts.cwd.as_deref().map(OsStr::from_bytes);
            let directory = cwd.map_or_else(|| directory.clone(), |cwd| directory.join(cwd));
            all.push(Subject {
                texts: Texts { name: Some(commands::shown(&command(options))), cwd: None, ..texts },
                params: params.into_iter().flatten().collect(),
                place: None,
                directory: Some(directory),
                to_come: Some(root),
            });
        }
    }
    let amount = cli::Amount { runs: Some(options.amount.runs), ..cli::Amount::default() };
    // Which metrics a harness has is known once it was executed.
    let metric = options.shown.metric.clone();
    let of_command = metric.clone().filter(|_| results.is_none());
    let analysis = cli::Analysis { metric: of_command, ..cli::Analysis::default() };
    let request = Request {
        amount: &amount,
        schedule: &cli::Schedule { seed: options.amount.seed, ..cli::Schedule::default() },
        control: &cli::Control { cwd: None, ..options.control.clone() },
        analysis: &analysis,
    };
    let subjects = Subjects { all, reference: None, remarks: Vec::new() };
    let (mut experiment, setup) = experiment::assembled(&request, &subjects)?;
    // Of all subjects the good end alone is in every block.
    experiment.stages = vec![Stage { subjects: vec![0] }];
    if let Some(metric) = metric {
        experiment.settings.metric = metric;
    }
    Ok((experiment, setup))
}

/// Where the results of the command are, if it is a harness.
///
/// # Errors
/// If what is typed about them cannot be obeyed.
pub(super) fn results(options: &cli::Bisect) -> Result<Option<ResultsRoom>, Failure> {
    let (asked, is_shown) = (options.harness.results.as_ref(), options.control.has_output());
    if let Some(query) = &options.filter {
        Filter::parse(query).map_err(|error| Failure::about("--filter", error))?;
    }
    if asked.is_some() && options.same_output {
        let why = "a harness prints times, which differ: leave one of them out";
        return Err(Failure::about("--same-output with --results", why));
    }
    ResultsRoom::prepare(asked, is_shown, &[texts(options)])
}

/// The subjects whose counts are compared, all with all, and of each the top of its copy.
pub(super) fn counted(asked: &Bisection, range: &Range) -> (Vec<Vec<usize>>, Vec<Option<PathBuf>>) {
    let commits = 0..asked.commits.len();
    let members = commits.flat_map(|commit| (0..asked.builds).map(move |build| (commit, build)));
    let roots: Vec<Option<PathBuf>> = members.map(|it| Some(range.place(it).0)).collect();
    (vec![(0..roots.len()).collect()], roots)
}

fn command(options: &cli::Bisect) -> Vec<u8> {
    commands::joined(&options.command)
}

/// The texts of the command as typed, with their placeholders.
fn texts(options: &cli::Bisect) -> Texts {
    let hook = |hook: &Option<std::ffi::OsString>| hook.as_ref().map(|it| it.as_bytes().to_vec());
    Texts {
        command: command(options),
        hooks: Hooks {
            prepare: hook(&options.hooks.prepare),
            conclude: hook(&options.hooks.conclude),
            ..Hooks::default()
        },
        ..Texts::of(&options.control, None)
    }
}

/// Refuses a placeholder where nothing is filled in, and what nearly names one.
///
/// # Errors
/// With the option or the text.
pub(super) fn check(options: &cli::Bisect, matches: &ArgMatches) -> Result<(), Failure> {
    texts::refuse_elsewhere(matches, &[SIDE, RESULTS])?;
    let build = options.build.iter().map(|build| build.as_bytes().to_vec());
    let build = build.map(|command| Texts { command, ..Texts::default() });
    std::iter::once(texts(options)).chain(build).try_for_each(|texts| texts.check(&[SIDE, RESULTS]))
}
