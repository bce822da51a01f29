//! The analysis: everything a report shows, computed once from run sets and settings. Reports
//! render it and compute nothing.
//!
//! Pure: the same run sets and settings give the same analysis. Order is the order of the data,
//! ranking order is by median and then by position.

mod course;
mod derived;
mod distribution;
mod notes;
mod ranking;
mod stopping;
mod summary;

pub use course::Bar;
pub use distribution::{Departure, Distribution, NormalityFound, ShapeFound};
pub use ranking::{Comparison, Ranked, Ranking};
pub use stopping::{decided, medians, settings_at, widest_half_width};
pub use summary::{MetricSummary, Summary};

use crate::model::{Context, Look, Metric, Note, RunSet, StoppedBy};
use crate::plan::{Plan, Settings, Stopping};
use crate::sample::Sample;

/// Why there is no analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnalysisError {
    /// No run set holds a benchmark.
    NoBenchmarks,
    /// The metric to rank is not in the data.
    UnknownMetric {
        /// What was asked for.
        asked: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The reference is not in the data, or not once.
    UnknownReference {
        /// What was asked for.
        asked: String,
        /// How many benchmarks have that name.
        matches: usize,
        /// The names there are.
        known: Vec<String>,
    },
    /// A value is not finite: the source is broken.
    NotFinite {
        /// The source.
        source: String,
    },
}

/// What one run set was asked for and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Execution {
    /// Where it came from.
    pub source: String,
    /// When it started.
    pub started: Option<String>,
    /// What it was asked to do.
    pub plan: Option<Plan>,
    /// Looks taken at precision or verdicts.
    pub looks: Vec<Look>,
    /// Why it ended; absent if it could not say so.
    pub stopped_by: Option<StoppedBy>,
    /// The most blocks (or executions) any benchmark has.
    pub blocks: usize,
    /// Facts about machine, tool and environment.
    pub context: Context,
}

/// Everything a report shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// What was executed.
    pub executions: Vec<Execution>,
    /// One per benchmark, in the order of the data.
    pub benchmarks: Vec<Summary>,
    /// The ranking by the chosen metric; absent with nothing to rank.
    pub ranking: Option<Ranking>,
    /// What the analysis was asked for.
    pub settings: Settings,
    /// A sentence that must not be overlooked, for the first line of the report.
    pub headline: Option<String>,
    /// Remarks about the experiment and its comparisons, in order, each once. Those about single
    /// metrics are with them; see [`Analysis::notes_about`].
    pub notes: Vec<Note>,
}

impl Analysis {
    /// All remarks: those about the experiment, then those about single metrics of benchmarks for
    /// which `shown` holds.
    #[must_use]
    pub fn notes_about(&self, shown: impl Fn(&Metric) -> bool) -> Vec<Note> {
        let of_metrics = self.benchmarks.iter().flat_map(|benchmark| {
            let about = benchmark.benchmark.key.label();
            let metrics = benchmark.metrics.iter().filter(|m| shown(&m.metric));
            metrics
                .flat_map(|m| &m.notes)
                .map(move |text| Note { about: about.to_owned(), text: text.clone() })
        });
        self.notes.iter().cloned().chain(of_metrics).collect()
    }
}

/// A benchmark of a run set with its samples, one per metric.
pub(crate) struct Subject {
    pub(crate) run_set: usize,
    pub(crate) name: String,
    pub(crate) command: Option<String>,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) samples: Vec<Sample>,
}

impl Subject {
    /// The sample of a metric, by name.
    pub(crate) fn sample(&self, metric: &str) -> Option<(&Metric, &Sample)> {
        let index = self.metrics.iter().position(|m| m.name == metric)?;
        Some((&self.metrics[index], &self.samples[index]))
    }
}

/// Analyses run sets together. Benchmarks of different run sets are independent of each other. Data
/// that were executed until decided are analysed at what their looks left of alpha; the settings of
/// the result say so.
/// Takes the run sets because it turns their columns into samples without copying them.
///
/// # Errors
/// If there is nothing to analyse, or metric or reference are not in the data.
pub fn analyse(mut run_sets: Vec<RunSet>, settings: &Settings) -> Result<Analysis, AnalysisError> {
    let subjects = subjects(&mut run_sets)?;
    if subjects.is_empty() {
        return Err(AnalysisError::NoBenchmarks);
    }
    require_metric(&subjects, &settings.metric)?;
    let settings = &stopping::spent(&run_sets, settings);
    let benchmarks = summary::summaries(&run_sets, &subjects, settings);
    let ranking = ranking::rank(&subjects, settings)?;
    Ok(Analysis {
        executions: run_sets.iter().map(execution).collect(),
        headline: notes::headline(&subjects, ranking.as_ref(), settings),
        notes: notes::notes(&run_sets, &subjects, &benchmarks, ranking.as_ref()),
        benchmarks,
        ranking,
        settings: settings.clone(),
    })
}

/// Takes the columns out of the run sets, completed by the sums that follow from them.
fn subjects(run_sets: &mut [RunSet]) -> Result<Vec<Subject>, AnalysisError> {
    let mut subjects = Vec::new();
    for (run_set, set) in run_sets.iter_mut().enumerate() {
        let RunSet { source, benchmarks, series, metrics, .. } = set;
        for (benchmark, series) in benchmarks.iter().zip(series) {
            let mut metrics = metrics.clone();
            let mut columns = std::mem::take(&mut series.columns);
            derived::add_sums(&mut metrics, &mut columns);
            let blocks = std::mem::take(&mut series.blocks).into();
            let samples: Result<Vec<_>, _> =
                columns.into_iter().map(|column| Sample::of_column(column, &blocks)).collect();
            let samples =
                samples.map_err(|_| AnalysisError::NotFinite { source: source.clone() })?;
            subjects.push(Subject {
                run_set,
                name: benchmark.key.name.clone(),
                command: benchmark.command.clone(),
                metrics,
                samples,
            });
        }
    }
    Ok(subjects)
}

fn require_metric(subjects: &[Subject], asked: &str) -> Result<(), AnalysisError> {
    let mut known: Vec<String> = Vec::new();
    for metric in subjects.iter().flat_map(|subject| &subject.metrics) {
        if metric.name == asked {
            return Ok(());
        }
        if !known.contains(&metric.name) {
            known.push(metric.name.clone());
        }
    }
    Err(AnalysisError::UnknownMetric { asked: asked.to_owned(), known })
}

fn execution(set: &RunSet) -> Execution {
    let rows = set.series.iter().map(|series| series.rows as usize).max().unwrap_or(0);
    // One that was interrupted within a block and gone on with has rows beyond its whole blocks.
    let blocks = match set.plan.as_ref().map(|plan| plan.stopping) {
        Some(Stopping::Runs(asked)) => rows.min(asked as usize),
        _ => rows,
    };
    Execution {
        source: set.source.clone(),
        started: set.started.clone(),
        plan: set.plan.clone(),
        looks: set.looks.clone(),
        stopped_by: set.end.as_ref().map(|end| end.stopped_by.clone()),
        blocks,
        context: set.context.clone(),
    }
}
