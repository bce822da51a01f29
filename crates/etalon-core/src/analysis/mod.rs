//! The analysis: everything a report shows, computed once from a dataset and settings. Reports
//! render it and compute nothing.
//!
//! Pure: the same data and settings give the same analysis. Order is the order of the data,
//! ranking order is by median and then by position.

mod aa_records;
mod answer;
mod batch_growth;
mod bisection;
mod case_notes;
mod cases;
mod compiling;
mod derived;
mod distribution;
mod headline;
mod machines;
mod metric_summary;
mod notes;
mod ranking;
mod stopping;
pub(crate) mod subject;
mod suites;
mod summary;
mod time_series;
mod together;
mod variation;
mod warming;
mod work;

pub use aa_records::{Noise, noise};
pub use answer::{Against, Answer, Versus};
pub use bisection::{Bisected, Skipped, Undecided};
pub use cases::{CaseFacts, Failures, Memory, Precision, Quality, Rates, Target};
pub use compiling::{Compiling, Mode};
pub use derived::{metric_called, terms};
pub use distribution::{Departure, Distribution, NormalityFinding, ShapeFinding};
pub use headline::{CpuAnswer, Headline, OtherView};
pub use machines::Machine;
pub use metric_summary::MetricSummary;
pub use ranking::{ALL_PAIRS_TO, Comparison, Ranked, Ranking, comparisons, largest_family};
pub use stopping::{decided, half_widths, medians, pilots_of_one, settings_at};
pub use suites::{Means, MeansFinding, Pair, Suite, Tested};
pub use summary::Summary;
pub use time_series::Bin;
pub use variation::{Repetitions, Variation};
pub use warming::Courses;
pub use work::Work;

use std::num::NonZeroUsize;

use derived::Measure;
use subject::{Samples, Subject};

use crate::compare::Scales;
use crate::dataset::Dataset;
use crate::model::{Context, Metric, Service};
use crate::notes::{MetricNote, Note, NoteKind, load_changed};
use crate::plan::{Plan, Settings, Stopping};
use crate::run_set::{Look, Printed, StoppedBy};
use crate::threads::both;

/// Why there is no analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnalysisError {
    /// No run set holds a benchmark.
    NoBenchmarks,
    /// The metric to rank is not in the data.
    UnknownMetric {
        /// The name that was asked for.
        asked: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The reference is not in the data, or not once.
    UnknownReference {
        /// The name that was asked for.
        asked: String,
        /// How many benchmarks have that name.
        matches: usize,
        /// The names there are.
        known: Vec<String>,
    },
    /// No case has a parameter by which cases are to be compared.
    UnknownParam {
        /// The name that was asked for.
        asked: String,
        /// The parameters there are.
        known: Vec<String>,
    },
}

/// The plan of one run set, and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Execution {
    /// Where it came from.
    pub source: String,
    /// When it started.
    pub started: Option<String>,
    /// The command that measured it, word by word; empty if that is not known.
    pub argv: Vec<String>,
    /// Its plan.
    pub plan: Option<Plan>,
    /// Looks taken at precision or verdicts.
    pub looks: Vec<Look>,
    /// Why it ended; absent if it could not say so.
    pub stopped_by: Option<StoppedBy>,
    /// The most blocks (or executions) any benchmark has.
    pub blocks: usize,
    /// Facts about machine, tool and environment.
    pub context: Context,
    /// Text that files printed while they were loaded.
    pub outputs: Vec<Printed>,
    /// Services that ran while it was executed.
    pub services: Vec<Service>,
}

/// Everything a report shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The executions.
    pub executions: Vec<Execution>,
    /// One per benchmark, in the order of the data.
    pub benchmarks: Vec<Summary>,
    /// The rankings by the chosen metric: one of all commands of a machine, one of the cases of every scope. None with
    /// nothing to rank.
    pub rankings: Vec<Ranking>,
    /// Rankings by counted work, where that was counted beside another metric.
    pub works: Vec<Ranking>,
    /// The cases of every scope with what compares them; none without cases.
    pub suites: Vec<Suite>,
    /// The settings of the analysis.
    pub settings: Settings,
    /// A remark that must not be overlooked, for the first line of the report.
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

/// Analyses all run sets of a dataset together. Benchmarks of different run sets are independent of each
/// other. Data that were executed until decided are analysed at what their looks left of alpha; the settings
/// of the result say so.
///
/// # Errors
/// If there is nothing to analyse, or metric or reference are not in the data.
pub fn analyse(data: &Dataset, settings: &Settings) -> Result<Analysis, AnalysisError> {
    analyse_on(NonZeroUsize::MIN, data, settings)
}

/// From so many values on, threads are worth starting. Because: to start one takes some 50 µs, and to sort and
/// summarise so many values some ms.
const MANY: usize = 100_000;

/// The analysis on several threads, where there is enough to do. The result does not depend on them.
///
/// # Errors
/// As [`analyse`].
pub fn analyse_on(
    threads: NonZeroUsize,
    data: &Dataset,
    settings: &Settings,
) -> Result<Analysis, AnalysisError> {
    let threads = if data.values.len() < MANY { NonZeroUsize::MIN } else { threads };
    let settings = &stopping::spent(data, settings);
    let subjects = &subject::subjects(data)[..];
    require(subjects, &settings.metric)?;
    let ranked = Samples::new(subjects, &settings.metric);
    let (mut benchmarks, rankings) = both(
        threads,
        || summary::summaries(data, &ranked, settings),
        || -> Result<_, AnalysisError> {
            let mut rankings = ranking::rank(&ranked, settings, Scales::Both)?;
            let by_other = notes::by_other(subjects, &rankings, settings);
            for ranking in &mut rankings {
                ranking.by_cpu = notes::settled_by_cpu(ranking, &by_other, subjects);
            }
            Ok((rankings, by_other))
        },
    );
    let (rankings, by_other) = rankings?;
    let suites = suites::suites(&ranked, &rankings, settings);
    drop(ranked);
    suites::relate(&mut benchmarks, &suites);
    let mut notes = notes::notes(&data.run_sets, subjects, &benchmarks, &rankings, &suites);
    notes.extend(load_changed(data));
    notes.extend(notes::copy_notes(subjects));
    notes.extend(notes::centres_note(subjects));
    notes.extend(notes::machine_note(&rankings));
    notes.extend(notes::other_machines_note(subjects, &rankings));
    if settings.reference.is_none() {
        notes.extend(notes::pairing_notes(&benchmarks, &rankings));
    }
    Ok(Analysis {
        executions: executions_of(data, subjects),
        headline: notes::headline(&benchmarks, &rankings, &by_other, settings),
        works: work::rankings(subjects, settings),
        notes,
        benchmarks,
        rankings,
        suites,
        settings: settings.clone(),
    })
}

/// Refuses what cannot be ranked: nothing, and by a metric that is not there.
fn require(subjects: &[Subject<'_>], metric: &str) -> Result<(), AnalysisError> {
    if subjects.is_empty() {
        return Err(AnalysisError::NoBenchmarks);
    }
    let mut known: Vec<String> = Vec::new();
    for Measure { metric: measured, .. } in subjects.iter().flat_map(Subject::measures) {
        let name = &measured.name;
        if name == metric {
            return Ok(());
        }
        if !known.contains(name) {
            known.push(name.clone());
        }
    }
    Err(AnalysisError::UnknownMetric { asked: metric.to_owned(), known })
}

/// The plan of each run set, and how it ended, for reports that are no rankings. Linear in the rows.
#[must_use]
pub fn executions(data: &Dataset) -> Vec<Execution> {
    executions_of(data, &subject::subjects(data))
}

fn executions_of(data: &Dataset, subjects: &[Subject<'_>]) -> Vec<Execution> {
    let mut most = vec![0; data.run_sets.len()];
    for subject in subjects {
        let blocks = &mut most[subject.run_set.at()];
        *blocks = subject.group.blocks(data).max(*blocks);
    }
    let execution = |(set, rows): (&crate::run_set::RunSet, usize)| Execution {
        source: set.source.clone(),
        started: set.started.clone(),
        argv: set.argv.clone(),
        plan: set.plan.clone(),
        looks: set.looks.clone(),
        stopped_by: set.end.as_ref().map(|end| end.stopped_by.clone()),
        // A run that was interrupted within a block and resumed has rows beyond its whole blocks; one of a harness may
        // have had more blocks than planned, and is not resumed.
        blocks: match set.plan.as_ref().map(|plan| plan.stopping) {
            Some(Stopping::Runs(asked)) if set.harness.is_none() => rows.min(asked as usize),
            _ => rows,
        },
        context: set.context.clone(),
        outputs: set.outputs.clone(),
        services: set.services.clone(),
    };
    data.run_sets.iter().zip(most).map(execution).collect()
}
