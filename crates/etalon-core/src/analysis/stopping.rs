//! Questions of the stopping rules to the data so far, and the price of having looked.
//!
//! Looking at verdicts again and again until one appears finds one sooner or later, whether or not
//! there is anything: each look may only spend its share of alpha ([`crate::stats::Looks`]), on
//! p and on the level of the interval alike. Data that were collected this way are analysed at what their last
//! look could call significant, live and later. Refuses to decide when to look.

use super::subject::{Readings, Samples, Subject, subjects};
use super::{AnalysisError, Comparison, Ranking, ranking, require};
use crate::compare::Scales;
use crate::dataset::Dataset;
use crate::estimate::{self, Estimate};
use crate::plan::Settings;
use crate::power::{Pilot, Unplanned};
use crate::stats::Looks;
use crate::verdict::Verdict;

/// The median of the settings' metric for every benchmark so far, base units, with its interval at the level that
/// its file asks for; `None` where nothing was measured.
#[must_use]
pub fn medians(data: &Dataset, settings: &Settings) -> Vec<Option<Estimate>> {
    medians_at(data, settings, |level| level)
}

fn medians_at(
    data: &Dataset,
    settings: &Settings,
    level: impl Fn(f64) -> f64,
) -> Vec<Option<Estimate>> {
    let median = |subject: &Subject<'_>| {
        let Readings { metric, sample } = subject.sample(&settings.metric)?;
        estimate::median(&sample, level(subject.confidence(settings)), metric.resolution)
    };
    subjects(data).iter().map(median).collect()
}

/// Of the probability beyond an interval, the part that is left to the one that stops: looking until an interval is
/// narrow finds it when it happens to be. Stopping by that of 95 % leaves it missing 6 to 9 % of the true medians, by
/// that of 99 % 4.9 to 5.7 %.
const LEFT_TO_STOP: f64 = 0.2;

/// Half-width over median of the intervals that stop, 99 % where 95 are asked for; `None` where there is none.
#[must_use]
pub fn half_widths(data: &Dataset, settings: &Settings) -> Vec<Option<f64>> {
    let medians = medians_at(data, settings, |level| 1.0 - LEFT_TO_STOP * (1.0 - level));
    medians.iter().map(|median| median.as_ref()?.relative_half_width()).collect()
}

/// The settings of the last of some looks at the verdicts: what it may call significant, and intervals of the level
/// that goes with it.
#[must_use]
pub fn settings_at(settings: &Settings, looks: Looks) -> Settings {
    Settings { criteria: settings.criteria.after_looks(looks), ..settings.clone() }
}

/// Whether every comparison of the family has a verdict with the [settings of a look](settings_at); `among` some
/// benchmarks, by index.
///
/// # Errors
/// As [`analyse`](super::analyse).
pub fn decided(data: &Dataset, among: &[usize], at: &Settings) -> Result<bool, AnalysisError> {
    let all = (0..).zip(subjects(data));
    let asked = all.filter(|(index, _)| among.contains(index)).map(|(_, subject)| subject);
    let asked: Vec<Subject<'_>> = asked.collect();
    require(&asked, &at.metric)?;
    let samples = Samples::new(&asked, &at.metric);
    let rankings = ranking::rank(&samples, at, Scales::OfVerdict)?;
    let decided = |ranking: &Ranking| {
        let all = ranking.rows.iter().all(|row| row.median.is_some());
        let is_settled = |c: &Comparison| {
            let decision = &c.assessment.decision;
            decision.verdict != Verdict::Unclear || decision.is_void()
        };
        all && ranking.comparisons.iter().all(is_settled)
    };
    Ok(!rankings.is_empty() && rankings.iter().all(decided))
}

/// The settings that the data are analysed with: those asked for, or what looks left of them.
pub(super) fn spent(data: &Dataset, settings: &Settings) -> Settings {
    Settings { criteria: data.left_of(settings.criteria), ..settings.clone() }
}

/// A pilot of each benchmark by its own scatter, by the settings' metric: that of a comparison with another one that
/// scatters like it.
#[must_use]
pub fn pilots_of_one(data: &Dataset, settings: &Settings) -> Vec<Result<Pilot, Unplanned>> {
    let pilot = |subject: &Subject<'_>| {
        let readings = subject.sample(&settings.metric).ok_or(Unplanned::TooFew)?;
        Pilot::from_sample(&readings.sample)
    };
    subjects(data).iter().map(pilot).collect()
}
