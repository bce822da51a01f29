//! The analysis: everything a report shows, computed once from a dataset and settings. Reports
//! render it and compute nothing.
//!
//! Pure: the same data and settings give the same analysis. Order is the order of the data,
//! ranking order is by median and then by position.

mod case_notes;
mod cases;
mod derived;
mod distribution;
mod metric_summary;
mod note;
mod notes;
mod ranking;
mod stopping;
mod suites;
mod summary;
mod time_series;

pub use cases::{CaseFacts, Failures, Memory, Precision, Quality, Rates, Target};
pub use derived::terms;
pub use distribution::{Departure, Distribution, NormalityFound, ShapeFound};
pub use metric_summary::MetricSummary;
pub use note::{
    CaseNote, ComparisonNote, DesignNote, ExecutionNote, Failing, Headline, MeansTest, MetricNote,
    Note, NoteKind, RuntimeNote,
};
pub use ranking::{ALL_PAIRS_TO, Comparison, Ranked, Ranking, Scope};
pub use stopping::{decided, half_widths, medians, settings_at};
pub use suites::{CLUSTERS_FROM, Found, Means, Pair, Suite, Tested};
pub use summary::Summary;
pub use time_series::Bin;

use cases::Batches;

use crate::dataset::{Dataset, Group, RunSetId};
use crate::model::{Case, Context, Look, Metric, Printed, StoppedBy};
use crate::plan::{Plan, Settings, Stopping};
use crate::sample::Sample;
use std::sync::Arc;

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
        /// File or run set, as named by the user.
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
    /// What files printed while they were loaded.
    pub outputs: Vec<Printed>,
}

/// Everything a report shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// What was executed.
    pub executions: Vec<Execution>,
    /// One per benchmark, in the order of the data.
    pub benchmarks: Vec<Summary>,
    /// The rankings by the chosen metric: one of all commands, one of the cases of every file (and
    /// group). None with nothing to rank.
    pub rankings: Vec<Ranking>,
    /// The cases of every file (and group) with what compares them; none without cases.
    pub suites: Vec<Suite>,
    /// What the analysis was asked for.
    pub settings: Settings,
    /// What must not be overlooked, for the first line of the report.
    pub headline: Option<Headline>,
    /// Remarks about the experiment and its comparisons, in order. Those about single
    /// metrics are with them; see [`Analysis::notes_about`].
    pub notes: Vec<Note>,
}

impl Analysis {
    /// All remarks: those about the experiment, then those about single metrics of benchmarks for
    /// which `shown` holds. Several may say the same.
    pub fn notes_about(&self, shown: impl Fn(&Metric) -> bool) -> impl Iterator<Item = Note> {
        let of_metrics = self.benchmarks.iter().flat_map(move |benchmark| {
            let about = &benchmark.label;
            let metrics = benchmark.metrics.iter().filter(|m| shown(&m.metric));
            let notes: Vec<&MetricNote> = metrics.flat_map(|m| &m.notes).collect();
            let note = move |of: &MetricNote| Note {
                about: about.clone(),
                what: NoteKind::Metric(of.clone()),
            };
            notes.into_iter().map(note)
        });
        self.notes.iter().cloned().chain(of_metrics)
    }
}

/// A benchmark of a run set with its samples, one per metric.
pub(crate) struct Subject {
    pub(crate) run_set: RunSetId,
    pub(crate) group: Group,
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) command: Option<String>,
    pub(crate) case: Option<Case>,
    pub(crate) batches: Batches,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) samples: Vec<Sample>,
}

impl Subject {
    /// The level of its intervals: what its file asks for, else the settings'.
    pub(crate) fn confidence(&self, settings: &Settings) -> f64 {
        self.case.as_ref().map_or(settings.criteria.confidence, |case| case.sampling.confidence)
    }

    /// Whether it is called this: its name, or that with its parameters.
    pub(crate) fn is_called(&self, asked: &str) -> bool {
        self.name == asked || self.label == asked
    }

    /// The sample of a metric, by name.
    pub(crate) fn sample(&self, metric: &str) -> Option<(&Metric, &Sample)> {
        let index = self.metrics.iter().position(|m| m.name == metric)?;
        Some((&self.metrics[index], &self.samples[index]))
    }
}

/// Analyses all run sets of a dataset together. Benchmarks of different run sets are independent of each
/// other. Data that were executed until decided are analysed at what their looks left of alpha; the settings
/// of the result say so.
///
/// # Errors
/// If there is nothing to analyse, or metric or reference are not in the data.
pub fn analyse(data: &Dataset, settings: &Settings) -> Result<Analysis, AnalysisError> {
    of_subjects(data, &subjects(data)?, &stopping::spent(data, settings))
}

/// The analysis of some benchmarks with these settings, whatever was paid for looking.
fn of_subjects(
    data: &Dataset,
    subjects: &[Subject],
    settings: &Settings,
) -> Result<Analysis, AnalysisError> {
    if subjects.is_empty() {
        return Err(AnalysisError::NoBenchmarks);
    }
    require_metric(subjects, &settings.metric)?;
    let mut benchmarks = summary::summaries(data, subjects, settings);
    let rankings = ranking::rank(subjects, settings)?;
    let suites = suites::suites(subjects, &rankings, settings);
    suites::relate(&mut benchmarks, &suites);
    let mut notes = notes::notes(&data.run_sets, subjects, &benchmarks, (&rankings, &suites));
    if settings.reference.is_none() {
        notes.extend(notes::of_pairs(&benchmarks, &rankings));
    }
    Ok(Analysis {
        executions: executions(data, subjects),
        headline: notes::headline(subjects, &rankings, settings),
        notes,
        benchmarks,
        rankings,
        suites,
        settings: settings.clone(),
    })
}

/// The benchmarks with a sample of every metric of their run set, and of the sums that follow from them.
fn subjects(data: &Dataset) -> Result<Vec<Subject>, AnalysisError> {
    let mut metrics = None;
    let mut subjects = Vec::new();
    for group in data.groups() {
        let of_set = match metrics.take() {
            Some((run_set, known)) if run_set == group.run_set => known,
            _ => data.metrics(group.run_set),
        };
        let not_finite = |_| AnalysisError::NotFinite {
            source: data.run_sets[group.run_set.at()].source.clone(),
        };
        let mut columns = data.columns(&group.rows, &of_set);
        let mut known: Vec<Metric> = of_set.iter().map(|(metric, _)| metric.clone()).collect();
        metrics = Some((group.run_set, of_set));
        derived::add_sums(&mut known, &mut columns);
        let batches = Batches::of(&known, &columns, data);
        for (metric, column) in known.iter_mut().zip(&columns) {
            let rows = column.rows.iter().map(|row| *row as usize);
            metric.resolution = data.resolution(group.id, metric, rows);
        }
        let sample = |column: crate::dataset::Column| match group.placed {
            true => data.sample(&column.rows, column.values),
            false => Sample::new(column.values, Arc::new([])),
        };
        let samples: Result<Vec<_>, _> = columns.into_iter().map(sample).collect();
        subjects.push(Subject {
            run_set: group.run_set,
            name: group.benchmark.key.name.clone(),
            label: group.benchmark.label(),
            command: group.benchmark.command.clone(),
            case: group.benchmark.case.clone(),
            batches,
            metrics: known,
            samples: samples.map_err(not_finite)?,
            group,
        });
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

/// What each run set was asked for and how it ended.
fn executions(data: &Dataset, subjects: &[Subject]) -> Vec<Execution> {
    let mut most = vec![0; data.run_sets.len()];
    for subject in subjects {
        let blocks = &mut most[subject.run_set.at()];
        *blocks = subject.group.blocks(data).max(*blocks);
    }
    let execution = |(set, rows): (&crate::model::RunSet, usize)| Execution {
        source: set.source.clone(),
        started: set.started.clone(),
        plan: set.plan.clone(),
        looks: set.looks.clone(),
        stopped_by: set.end.as_ref().map(|end| end.stopped_by.clone()),
        // A run that was interrupted within a block and resumed has rows beyond its whole blocks.
        blocks: match set.plan.as_ref().map(|plan| plan.stopping) {
            Some(Stopping::Runs(asked)) => rows.min(asked as usize),
            _ => rows,
        },
        context: set.context.clone(),
        outputs: set.outputs.clone(),
    };
    data.run_sets.iter().zip(most).map(execution).collect()
}
