//! `etalon bisect`: which of many commits made a command slower or faster.
//!
//! Here: the course of things. Which commits are executed is decided in core, from what was measured; the commits are made
//! ready by [`range`], as experiment they are [`subjects`]'.

mod output;
mod range;
mod remarks;
mod subjects;

use clap::ArgMatches;
use etalon_core::analysis::Bisected;
use etalon_core::dataset::Dataset;
use etalon_core::model::{Bisection, Commit};
use etalon_core::plan::Stopping;
use etalon_probe::launcher::Launcher;
use etalon_run::bisection::Bisecting;
use etalon_run::{Commands, RunError};

use crate::cli::values;
use crate::cli::{self, Command};
use crate::course::{self, Job};
use crate::enough::Family;
use crate::executed::Executed;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::progress::{Watch, Watched};
use crate::resume::Interrupted;
use crate::showing::Show;
use crate::{bisected, destination, tool};
use output::SameOutput;
use range::Range;
use remarks::Remarks;

/// More commits than this are refused: every pair of them is weighed after every block.
const MOST_COMMITS: usize = 2000;

/// More blocks than a search takes: what ends it is the search.
const MOST_BLOCKS: u32 = 100_000;

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Bisect, matches: &ArgMatches) -> Result<Exit, Failure> {
    let Some(run) = &options.resumption.resume else {
        return measured(options, matches, None);
    };
    let interrupted = Interrupted::open(run, "bisect", matches)?;
    let (cli, matches) = interrupted.command_line("bisect")?;
    let Command::Bisect(mut then) = cli.command else {
        return Err(interrupted.refusal(&"it is not an execution of `etalon bisect`"));
    };
    then.recording = options.recording.clone();
    let metric = then.shown.metric.take();
    then.shown = cli::BisectShown { metric, ..options.shown.clone() };
    measured(&then, &matches, Some(&interrupted))
}

fn measured(
    options: &cli::Bisect,
    matches: &ArgMatches,
    interrupted: Option<&Interrupted>,
) -> Result<Exit, Failure> {
    if options.control.count.is_some() {
        let why = "counts name a commit without a search among blocks, which is not there yet: leave it out";
        return Err(Failure::about("--count", why));
    }
    subjects::check(options, matches)?;
    let recording = &options.recording;
    let mut watch = course::watch(recording, options.shown.quiet, Interim::none())?;
    let job = job(options, interrupted, &watch)?;
    course::run(job, recording, &mut watch, &mut Answer(options.shown.clone()))
}

/// The commits, and what is executed of them.
fn job<'a>(
    options: &cli::Bisect,
    interrupted: Option<&Interrupted>,
    watch: &Watch<'_>,
) -> Result<Job<'a>, Failure> {
    let here = tool::here()?;
    let mut range = Range::listed(options, &here, watch)?;
    let asked = asked(options, &range)?;
    let (mut experiment, mut setup) = subjects::experiment(options, &asked, &range)?;
    destination::refuse_inputs(&options.recording, &setup)?;
    setup.failing = etalon_run::Failing::IsGivenUp;
    experiment.plan.stopping = Stopping::Runs(MOST_BLOCKS);
    experiment.plan.limits.within = options.amount.total_budget.map(values::whole_seconds);
    experiment.bisection = Some(asked.clone());
    range.say(&mut experiment.context, &asked);
    if let Some(interrupted) = interrupted {
        interrupted.resume_bisection(&mut experiment)?;
    }
    let found = Bisected::new(&asked, &experiment.settings);
    let found = found.ok_or_else(|| Failure::new("there is no commit between the ends"))?;
    let launcher = Launcher::start().map_err(|error| Failure::new(RunError::Launcher(error)))?;
    let same = options.same_output.then(|| SameOutput::new(setup.clone(), asked.builds));
    let said = Remarks::new(&asked, &experiment, options.build.is_some());
    let remarks = vec![said.beforehand()];
    range.tells(said, same);
    let watched = Watched::commands(&experiment);
    let commands = Commands::new(setup, launcher);
    let executor = Box::new(Bisecting::new(commands, Box::new(range), found));
    let family = Family::without_comparisons(&experiment);
    Ok(Job { watched: Some(watched), remarks, family, ..Job::new(experiment, executor) })
}

/// The search as it is asked for, for the record.
fn asked(options: &cli::Bisect, range: &Range) -> Result<Bisection, Failure> {
    let commits = range.commits();
    if commits.len() > MOST_COMMITS {
        let why = format!(
            "{} commits, more than {MOST_COMMITS}: name ends that are nearer to each other, or --path PATH",
            commits.len()
        );
        return Err(Failure::new(why));
    }
    let commit =
        |(id, subject): &(String, String)| Commit { id: id.clone(), subject: subject.clone() };
    Ok(Bisection {
        asked: [&options.good, &options.bad].map(|end| {
            end.as_ref().map_or_else(String::new, |end| end.to_string_lossy().into_owned())
        }),
        commits: commits.iter().map(commit).collect(),
        confidence: options.amount.confidence,
        proving: options.amount.runs,
        builds: if options.copying.no_control { 1 } else { 2 },
        whatever_it_takes: options.amount.total_budget.is_some(),
    })
}

/// Shows a bisection that is over.
struct Answer(cli::BisectShown);

impl Show for Answer {
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure> {
        let shown = bisected::show(&data, self.0.json, false);
        shown.map_err(|failure| failure.after_saving(executed.kept.reference.as_deref()))
    }

    /// Commits that do not build are left out.
    fn expects_failures(&self) -> bool {
        true
    }

    fn is_silent(&self) -> bool {
        self.0.quiet || self.0.json
    }
}
