//! Cases that are compared: those of a scope (a file, a group of it, a job), against the baseline.
//!
//! Owns the ranking by time that a suite's report shows whatever metric is ranked, and the tests of
//! means beside etalon's own verdicts: Welch's with a correction over all pairs up to five cases,
//! Scott–Knott ESD from six on. They get one value per block, never the samples within one. Refuses
//! to let them decide anything.

use super::Summary;
use super::ranking::{self, Comparison, Ranking, RankingGroup};
use super::subject::{Samples, Subject};
use crate::compare::Scales;
use crate::metrics;
use crate::notes::{ComparisonNote, MeansTest};
use crate::plan::Settings;
use crate::scope::Scope;
use crate::stats::{self, Clustering, Correction, InsufficientData, NEGLIGIBLE_D, Welch};
use crate::verdict::{Decision, Reason, Verdict};

/// Cases that are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// Their file, their group of it, and their job.
    pub scope: Scope,
    /// Indices among the benchmarks, in the order of the data.
    pub members: Vec<usize>,
    /// The case that the others are held against.
    pub baseline: Option<usize>,
    /// The first case, where it would be the baseline if it had a time.
    pub passed_over: Option<usize>,
    /// The ranking by time per call; absent if times are not in the data.
    pub times: Option<Ranking>,
    /// The means of the times; absent with fewer than two cases that have two blocks.
    pub means: Option<Means>,
}

impl Suite {
    /// Whether calls of a case do nothing that can be seen.
    #[must_use]
    pub fn is_idle(&self, case: usize) -> bool {
        let mut rows = self.times.iter().flat_map(|times| &times.rows);
        rows.any(|row| row.benchmark == case && row.idle)
    }

    /// The comparison of a case with the baseline, by time.
    #[must_use]
    pub fn comparison(&self, case: usize) -> Option<&Comparison> {
        let times = self.times.as_ref()?;
        times.comparisons.iter().find(|c| Some(c.base) == self.baseline && c.candidate == case)
    }
}

/// Tests of the means of a suite's times, one value per block.
#[derive(Debug, Clone, PartialEq)]
pub struct Means {
    /// The cases compared, the baseline first, then in the order of the data.
    pub members: Vec<usize>,
    /// Their mean times, base units.
    pub values: Vec<f64>,
    /// Significance level.
    pub alpha: f64,
    /// The tests.
    pub tested: Tested,
}

/// A test of means and what it found.
#[derive(Debug, Clone, PartialEq)]
pub enum Tested {
    /// All pairs, up to five cases.
    Welch {
        /// In the order of the members.
        pairs: Vec<Pair>,
        /// How their p's are adjusted.
        correction: Correction,
    },
    /// Clusters, from six cases on; positions in it are places in [`Means::members`].
    ScottKnott(Result<Clustering, InsufficientData>),
}

/// Two cases compared by Welch's test.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// Index of the benchmark declared earlier.
    pub base: usize,
    /// Index of the benchmark declared later.
    pub candidate: usize,
    /// The test, the base's sample first; or why there is none.
    pub welch: Result<Welch, InsufficientData>,
    /// p after the correction; absent without a test.
    pub adjusted_p: Option<f64>,
    /// The finding; absent without a test.
    pub found: Option<MeansFinding>,
}

/// The finding of a test of means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeansFinding {
    /// The means differ.
    Difference,
    /// No difference was found, which is not "the same".
    NoDifference,
}

/// From so many cases on pairs are too many to read, and clusters take their place.
const CLUSTERS_FROM: usize = 6;

/// The suites of the data, in order of appearance. `ranked` are the samples of the settings' metric, and
/// `rankings` are by it.
pub(super) fn suites(
    ranked: &Samples<'_, '_>,
    rankings: &[Ranking],
    settings: &Settings,
) -> Vec<Suite> {
    let subjects = ranked.subjects;
    let scopes = ranking::scopes(subjects, settings);
    if scopes.iter().all(|scoped| scoped.scope.is_none()) {
        return Vec::new();
    }
    let other;
    let (wall, by_time) = match settings.metric.as_str() {
        metrics::WALL => (ranked, rankings.to_vec()),
        _ => {
            other = Samples::new(subjects, metrics::WALL);
            (&other, ranking::rank(&other, settings, Scales::Both).unwrap_or_default())
        }
    };
    let suite = |RankingGroup { scope, members, .. }: RankingGroup| {
        let times = by_time.iter().find(|ranking| ranking.scope == scope).cloned();
        let baseline = times.as_ref().and_then(|times| times.reference);
        let means = means(wall, &members, baseline, settings);
        let passed_over = passed_over(subjects, &members, times.as_ref(), settings);
        Some(Suite { scope: scope?, members, baseline, passed_over, times, means })
    };
    scopes.into_iter().filter_map(suite).collect()
}

/// The first of some cases, if another one is the baseline only because that has no time.
fn passed_over(
    subjects: &[Subject<'_>],
    members: &[usize],
    times: Option<&Ranking>,
    settings: &Settings,
) -> Option<usize> {
    let times = times.filter(|times| !times.comparisons.is_empty())?;
    let is_named = settings
        .reference
        .as_deref()
        .is_some_and(|asked| times.reference.is_some_and(|index| subjects[index].is_called(asked)));
    let first = members.first().copied().filter(|first| Some(*first) != times.reference);
    first.filter(|_| !is_named)
}

/// Sets every case's memory in relation to its baseline's.
pub(super) fn relate(benchmarks: &mut [Summary], suites: &[Suite]) {
    let alloc = |summary: &Summary| summary.case.as_ref()?.memory.alloc;
    for suite in suites {
        let Some(base) = suite.baseline.and_then(|index| alloc(&benchmarks[index])) else {
            continue;
        };
        // Nothing is as much as nothing, and no multiple of it.
        let over_base = |alloc: f64| match alloc == base {
            true => Some(1.0),
            false => (base > 0.0).then(|| alloc / base),
        };
        for &member in &suite.members {
            if let Some(case) = &mut benchmarks[member].case {
                case.memory.relative = case.memory.alloc.and_then(over_base);
            }
        }
    }
}

fn means(
    times: &Samples<'_, '_>,
    members: &[usize],
    baseline: Option<usize>,
    settings: &Settings,
) -> Option<Means> {
    let values = |index: usize| {
        let values = &times.sample(index)?.values;
        (values.len() > 1).then_some(values.as_slice())
    };
    let others = members.iter().copied().filter(|&index| Some(index) != baseline);
    let members: Vec<usize> =
        baseline.into_iter().chain(others).filter(|&index| values(index).is_some()).collect();
    let groups: Vec<&[f64]> = members.iter().filter_map(|&index| values(index)).collect();
    let alpha = settings.criteria.alpha;
    let means = groups.iter().filter_map(|values| stats::mean(values)).collect();
    let tested = match groups.len() {
        0 | 1 => return None,
        CLUSTERS_FROM.. => Tested::ScottKnott(stats::scott_knott_esd(&groups, alpha, NEGLIGIBLE_D)),
        _ => {
            let correction = settings.criteria.correction();
            let levels = members.iter().map(|&at| times.subjects[at].confidence(settings));
            let level = levels.fold(0.0, f64::max);
            let pairs = stats::pairwise_welch(&groups, level, correction);
            let pair = |pair: stats::WelchPair| Pair {
                base: members[pair.a],
                candidate: members[pair.b],
                welch: pair.welch,
                adjusted_p: pair.adjusted_p,
                found: pair.adjusted_p.map(|p| found(p <= alpha)),
            };
            Tested::Welch { pairs: pairs.into_iter().map(pair).collect(), correction }
        }
    };
    Some(Means { members, values: means, alpha, tested })
}

fn found(differ: bool) -> MeansFinding {
    if differ { MeansFinding::Difference } else { MeansFinding::NoDifference }
}

impl Means {
    /// The finding on a case against the baseline; absent if that was not tested.
    #[must_use]
    pub(crate) fn against(&self, baseline: usize, case: usize) -> Option<MeansFinding> {
        match &self.tested {
            Tested::Welch { pairs, .. } => {
                pairs.iter().find(|p| p.base == baseline && p.candidate == case)?.found
            }
            Tested::ScottKnott(clustering) => {
                let clusters = &clustering.as_ref().ok()?.clusters;
                let place = |index| self.members.iter().position(|&member| member == index);
                Some(found(clusters[place(baseline)?] != clusters[place(case)?]))
            }
        }
    }

    /// Which of two cases has the smaller mean time, as a verdict on the second.
    fn direction(&self, base: usize, candidate: usize) -> Option<Verdict> {
        let mean = |case| self.values.get(self.members.iter().position(|&member| member == case)?);
        Some(match mean(candidate)? < mean(base)? {
            true => Verdict::Faster,
            false => Verdict::Slower,
        })
    }

    fn test(&self) -> MeansTest {
        match self.tested {
            Tested::Welch { .. } => MeansTest::Welch,
            Tested::ScottKnott(_) => MeansTest::ScottKnott,
        }
    }
}

/// Where a test of means and etalon's verdict do not say the same of a case, in the order of the cases. A
/// difference that was not found agrees with `same` and with `unclear`.
pub(super) fn disagreements(suite: &Suite) -> Vec<(&Comparison, ComparisonNote)> {
    let (Some(means), Some(baseline)) = (&suite.means, suite.baseline) else { return Vec::new() };
    let disagreement = |&case: &usize| {
        let (comparison, found) = (suite.comparison(case)?, means.against(baseline, case)?);
        let found = match found {
            MeansFinding::Difference => Some(means.direction(baseline, case)?),
            MeansFinding::NoDifference => None,
        };
        let Decision { verdict, reasons, .. } = &comparison.assessment.decision;
        if comparison.assessment.decision.is_void() {
            return None;
        }
        let own = verdict.is_difference().then_some(*verdict);
        let needs = reasons.iter().find_map(|reason| match reason {
            Reason::Needs { at_least } | Reason::FamilyNeeds { at_least, .. } => Some(*at_least),
            _ => None,
        });
        let test = means.test();
        let note = ComparisonNote::Disagreement { test, found, verdict: *verdict, needs };
        (own != found).then_some((comparison, note))
    };
    suite.members.iter().filter_map(disagreement).collect()
}
