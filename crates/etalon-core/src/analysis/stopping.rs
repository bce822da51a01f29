//! What the stopping rules ask of data so far, and what having looked costs afterwards.
//!
//! Looking at verdicts again and again until one appears finds one sooner or later, whether or not
//! there is anything: each look may only spend its share of alpha ([`crate::criteria::alpha_at`]), on
//! p and on the level of the interval alike. Data that were collected this way are analysed at the
//! share of their last look, live and later. Refuses to decide when to look.

use super::{Analysis, AnalysisError, Ranking, Subject, analyse, subjects};
use crate::estimate;
use crate::model::RunSet;
use crate::plan::{Settings, Stopping};
use crate::verdict::Verdict;

/// The widest half-width over median of a metric among some benchmarks of one run set: what the
/// stopping rule looks at. `None` if some interval does not exist or a median is 0.
///
/// # Errors
/// If a value is not finite.
pub fn widest_half_width(
    run_set: RunSet,
    benchmarks: &[usize],
    settings: &Settings,
) -> Result<Option<f64>, AnalysisError> {
    let all = half_widths(run_set, settings)?;
    let widths: Option<Vec<f64>> = benchmarks.iter().map(|&index| *all.get(index)?).collect();
    Ok(widths.and_then(|widths| widths.into_iter().max_by(f64::total_cmp)))
}

/// Half-width over median of the settings' metric for every benchmark of one run set, at the level
/// its file asks for; `None` where there is no interval.
///
/// # Errors
/// If a value is not finite.
pub fn half_widths(
    mut run_set: RunSet,
    settings: &Settings,
) -> Result<Vec<Option<f64>>, AnalysisError> {
    let half_width = |subject: &Subject| {
        let (metric, sample) = subject.sample(&settings.metric)?;
        let level = subject.confidence(settings);
        estimate::median(sample, level, metric.resolution)?.relative_half_width()
    };
    Ok(subjects(std::slice::from_mut(&mut run_set))?.iter().map(half_width).collect())
}

/// The median of a metric for every benchmark of one run set so far, base units.
#[must_use]
pub fn medians(mut run_set: RunSet, metric: &str) -> Vec<Option<f64>> {
    let Ok(subjects) = subjects(std::slice::from_mut(&mut run_set)) else { return Vec::new() };
    let median = |s: &Subject| crate::stats::median(s.sample(metric)?.1.sorted());
    subjects.iter().map(median).collect()
}

/// The settings of the `look`-th look (from 1) at the verdicts: its share of alpha, and intervals
/// of the level that goes with it.
#[must_use]
pub fn settings_at(settings: &Settings, look: u32) -> Settings {
    Settings { criteria: settings.criteria.after_looks(look), ..settings.clone() }
}

/// Whether every comparison of the family has a verdict at the `look`-th look (from 1).
///
/// # Errors
/// As [`analyse`].
pub fn decided(mut run_set: RunSet, settings: &Settings, look: u32) -> Result<bool, AnalysisError> {
    run_set.plan = None; // the share is this look's, not the one the looks so far would give
    let Analysis { rankings, .. } = analyse(vec![run_set], &settings_at(settings, look))?;
    let decided = |ranking: &Ranking| {
        let all = ranking.rows.iter().all(|row| row.median.is_some());
        all && ranking.comparisons.iter().all(|c| c.assessment.decision.verdict != Verdict::Unclear)
    };
    Ok(!rankings.is_empty() && rankings.iter().all(decided))
}

/// The settings that the data are analysed with: those asked for, or, where a run set was executed
/// until decided, those of its last look; of several run sets the strictest.
pub(super) fn spent(sets: &[RunSet], settings: &Settings) -> Settings {
    let looks = sets.iter().filter_map(looks).max();
    looks.map_or_else(|| settings.clone(), |look| settings_at(settings, look))
}

/// The number of looks at the verdicts that the data are the result of. Data that go on after the
/// last look (an interrupt) count one more: analysing them is another look.
pub(crate) fn looks(set: &RunSet) -> Option<u32> {
    let Stopping::Decided { .. } = set.plan.as_ref()?.stopping else { return None };
    let taken = set.looks.iter().filter(|look| look.alpha.is_some());
    let blocks = set.series.iter().map(super::blocks).max().unwrap_or(0);
    let beyond = taken.clone().next_back().is_none_or(|last| blocks > last.blocks as usize);
    u32::try_from(taken.count() + usize::from(beyond)).ok()
}
