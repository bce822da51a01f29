//! A run set's account of itself: where it came from, its plan and settings, the looks taken, how it ended.
//!
//! Plain data beside the rows, which are in the [dataset](crate::dataset). Refuses to read or to write records: that is
//! `etalon-record`'s.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::model::{BenchmarkKey, Bisection, Context, Harness, Nodes, Note, Service, Sides};
use crate::plan::{Plan, Settings};
use crate::stats::Looks;

/// Text that a file printed while it was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// Path of the suite, as recorded.
    pub file: String,
    /// The text, lossy where it was not UTF-8.
    pub text: String,
}

/// Why an execution ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoppedBy {
    /// The number of blocks asked for was reached.
    Runs,
    /// Every interval was as narrow as asked for.
    Precision,
    /// Every comparison had a verdict.
    Decided,
    /// The time budget was spent.
    Budget,
    /// An execution failed in warm-up or the first block.
    Failure,
    /// The user interrupted it.
    Interrupt,
    /// A file could not be written, the launcher was lost, or a service ended.
    Error,
}

impl fmt::Display for StoppedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StoppedBy::Runs => "runs",
            StoppedBy::Precision => "precision",
            StoppedBy::Decided => "decided",
            StoppedBy::Budget => "budget",
            StoppedBy::Failure => "failure",
            StoppedBy::Interrupt => "interrupt",
            StoppedBy::Error => "error",
        })
    }
}

/// One look at the precision, or at the verdicts.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Blocks finished in the stage.
    pub blocks: u32,
    /// The widest half-width over median among the stage's subjects; absent if some interval does
    /// not exist.
    pub widest: Option<f64>,
    /// The significance level of a look at the verdicts; absent for one at the precision.
    pub alpha: Option<f64>,
}

/// How an execution ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Why it ended.
    pub stopped_by: StoppedBy,
    /// When, as an RFC 3339 time.
    pub at: String,
}

/// The file that an experiment was declared in: what its tables and its page are made from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExperimentFile {
    /// As it was named.
    pub path: String,
    /// All of it.
    pub text: String,
    /// Commands whose output its page shows, with what they printed before anything was measured.
    pub outputs: Vec<(String, String)>,
}

/// A project's file of thresholds and waivers, as it is on two sides of the project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChecksFile {
    /// As it was named.
    pub path: String,
    /// All of it on the base; absent where the base has none.
    pub base: Option<String>,
    /// All of it on the head; absent where the head has none.
    pub head: Option<String>,
}

/// The account that one execution, or one import, gives of itself; its rows are in the
/// [dataset](crate::dataset::Dataset).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunSet {
    /// Where it came from: a file's path or a saved run's name.
    pub source: String,
    /// Its name beside others: the value of `.file`.
    pub label: String,
    /// Its id, where it has one.
    pub id: Option<String>,
    /// When it started, as an RFC 3339 time.
    pub started: Option<String>,
    /// Its start in seconds since 1970, where that is a time.
    pub began: Option<f64>,
    /// The command line that produced it.
    pub argv: Vec<String>,
    /// The file it was declared in, if it was.
    pub experiment: Option<ExperimentFile>,
    /// The file that its checks were declared in, if they were.
    pub checks: Option<ChecksFile>,
    /// That it measured two states of a project, and where its benchmarks say which they are of.
    pub sides: Option<Sides>,
    /// The commits that it searched, if it did.
    pub bisection: Option<Bisection>,
    /// The harness that timed its benchmarks, where etalon executed one.
    pub harness: Option<Harness>,
    /// Facts about machine, tool and environment.
    pub context: Context,
    /// The machines it was executed on, where these are several.
    pub nodes: Arc<Nodes>,
    /// The plan of the experiment.
    pub plan: Option<Plan>,
    /// The settings of its analysis.
    pub settings: Option<Settings>,
    /// Looks taken at precision or verdicts.
    pub looks: Vec<Look>,
    /// The looks at verdicts that have spent alpha; absent if nobody looked.
    pub looked: Option<AlphaSpent>,
    /// Remarks recorded while executing or reading.
    pub notes: Vec<Note>,
    /// Text that files printed while they were loaded, in order.
    pub outputs: Vec<Printed>,
    /// Services that ran while it was executed, and how they ended, in the order in which they were started.
    pub services: Vec<Service>,
    /// How it ended; absent for an interrupted execution that could not say so.
    pub end: Option<End>,
    /// The part of the source that is lost, where it breaks off or parts of it could not be used; told in a note too.
    pub lost: Option<String>,
    /// Lines read, 0 for a source that has none.
    pub lines: u64,
    /// How often the experiment was run in it, where its reader tells runs apart; else 0, which is one run.
    pub runs: u32,
    /// Whether its values are centres that somebody published: they are shown, and nothing is tested.
    pub published: bool,
    /// Whether its format cannot say if what is in it took turns.
    pub order_unsaid: bool,
    /// Whether Go ran it on one processor: it then puts no number behind names, and those there are belong to them.
    pub one_processor: bool,
    /// Results whose lines were torn apart and could be put together.
    pub joined: u64,
    /// The metric by which its format ranks, where there are no settings.
    pub ranked_by: Option<String>,
    /// Statistics that its source gives without the readings they are of.
    pub figures: Vec<Figure>,
    /// When commits were made that its rows are of, in seconds since 1970, where its source says that.
    pub commit_times: BTreeMap<String, f64>,
}

/// A statistic without its readings: it is shown and handed on, and nothing is judged by it.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Which benchmark it is of.
    pub of: BenchmarkKey,
    /// Which metric, in its base unit.
    pub metric: String,
    /// Which statistic.
    pub statistic: Statistic,
    /// Its value.
    pub value: f64,
}

/// A statistic that files give without readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The standard deviation.
    Stddev,
    /// The median.
    Median,
    /// The smallest.
    Min,
    /// The largest.
    Max,
}

impl RunSet {
    /// One of which only the source is known.
    #[must_use]
    pub fn from_source(source: &str) -> RunSet {
        RunSet { source: source.to_owned(), label: source.to_owned(), ..RunSet::default() }
    }
}

/// Looks at verdicts, which spent alpha because measuring ended when there were some.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlphaSpent {
    /// After which blocks.
    pub looks: Looks,
    /// The significance level that all looks share, as recorded.
    pub alpha: f64,
}
