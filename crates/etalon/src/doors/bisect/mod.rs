//! `etalon bisect`: which of many commits made a command slower or faster.
//!
//! Here: the course of things. Which commits are executed is decided in core, from what was measured; the commits are made
//! ready by [`range`], as experiment they are [`subjects`]'.

mod output;
mod range;
mod remarks;
mod subjects;

use std::any::Any;

use clap::ArgMatches;
use etalon_core::analysis::Bisected;
use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::model::{Bisection, Commit};
use etalon_core::plan::Stopping;
use etalon_probe::launcher::Launcher;
use etalon_run::bisection::Bisecting;
use etalon_run::harness::WithResults;
use etalon_run::{Commands, Executor, RunError};

use crate::cli::values;
use crate::cli::{self, Command};
use crate::counting::{self, Beside, Counts, Means};
use crate::course::{self, Job};
use crate::enough::Family;
use crate::executed::Executed;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::pages::{self, Page};
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

/// The query that every benchmark passes.
const EVERYTHING: &str = "*";

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
    subjects::check(options, matches)?;
    pages::check_beside(&options.shown.page, options.recording.output.as_deref())?;
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
    let results = subjects::results(options)?;
    let means = means(options, watch)?;
    let mut range = Range::listed(options, &here, watch)?;
    let asked = asked(options, &range)?;
    let (mut experiment, mut setup) =
        subjects::experiment(options, (&asked, results.as_ref()), &range)?;
    let spec = results.as_ref().map(|results| results.declare(&mut experiment, &mut setup));
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
    let mut remarks = vec![said.beforehand()];
    remarks.extend(means.as_ref().map(|means| format!("of the counts: {}", means.cost())));
    range.tells(said, same);
    range.looks_at(setup.clone(), asked.builds, watch);
    let watched = Watched::commands(&experiment);
    let family = Family::without_comparisons(&experiment);
    let counts = means.map(|means| means.spec(&experiment, subjects::counted(&asked, &range)));
    let counts = counts.transpose()?;
    let (commands, commits) = (Commands::new(setup, launcher), Box::new(range));
    let executor: Box<dyn Executor> = match spec {
        Some(spec) => Box::new(Bisecting::new(WithResults::new(commands, spec), commits, found)),
        None => Box::new(Bisecting::new(commands, commits, found).counting(counts)),
    };
    let holds = results.into_iter().map(|room| Box::new(room) as Box<dyn Any>).collect();
    Ok(Job { watched: Some(watched), remarks, family, holds, ..Job::new(experiment, executor) })
}

/// The means of counting, where commits are searched by counts.
fn means(options: &cli::Bisect, watch: &Watch<'_>) -> Result<Option<Means>, Failure> {
    let metric = options.shown.metric.as_deref() == Some(metrics::INSTRUCTIONS);
    let beside =
        Beside { results: options.harness.results.is_some(), on: false, plan: false, metric };
    counting::means((Counts::Commands, options.control.count), beside, watch)
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
        counts: options.control.count.is_some(),
        follows: options
            .harness
            .results
            .as_ref()
            .map(|_| options.filter.clone().unwrap_or_else(|| EVERYTHING.to_owned())),
    })
}

/// Shows a bisection that is over.
struct Answer(cli::BisectShown);

impl Show for Answer {
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure> {
        let page = Page::check(&self.0.page, &[])?;
        let wanted = bisected::Form { json: self.0.json, full: false, page: page.as_ref() };
        let shown = bisected::show(&data, wanted);
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
