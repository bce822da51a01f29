//! The ranking: who is compared with whom, the family's correction, the verdicts, the letters.
//!
//! Commands are ranked together, where the data are of several machines those of each; cases within their [`Scope`],
//! against the first of it.
//! With a reference the family is its k−1 comparisons; without, all k(k−1)/2 pairs, of more than a
//! hundred benchmarks each against the first declared: pairs of thousands are more than anybody reads, and
//! than a family leaves anything for. The first row is the fastest by median, but no p depends on having
//! picked it: it is adjusted over all pairs.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::AnalysisError;
use super::headline::CpuAnswer;
use super::machines::{self, Machine};
use super::subject::{Samples, Spans, Subject};
use crate::compare::{Evidence, Scales, family_dependence};
use crate::criteria::Criteria;
use crate::family::{self, Family, Pair, Side};
use crate::model::Metric;
use crate::plan::Settings;
use crate::scope::{self, By, Declaration, Scope};
use crate::stats::{self, Alternative};
use crate::verdict::{Assessment, Verdict};

/// All pairs are compared up to so many benchmarks.
pub const ALL_PAIRS_TO: usize = 100;

/// One candidate against one base.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Index of the base among the benchmarks.
    pub base: usize,
    /// Index of the candidate.
    pub candidate: usize,
    /// The evidence of the samples, and the decision.
    pub assessment: Assessment,
}

/// One row of the ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Index among the benchmarks.
    pub benchmark: usize,
    /// Median of the ranked metric, base units; absent if it has no value.
    pub median: Option<f64>,
    /// Letters: two rows share one exactly when no difference between them was found. Empty with
    /// a reference, where not all pairs are compared.
    pub letters: String,
    /// Index of its comparison with the first row (or the reference).
    pub comparison: Option<usize>,
    /// Whether it is ranked by the time of calls that do nothing that can be seen.
    pub idle: bool,
}

/// A ranking by one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The scope that its cases are compared within; absent for commands.
    pub scope: Option<Scope>,
    /// The machine of its benchmarks; empty if the data have one machine only.
    pub machine: Machine,
    /// The compared metric.
    pub metric: Metric,
    /// Rows, best first; the reference first if there is one; those without a value last.
    pub rows: Vec<Ranked>,
    /// All comparisons of the family, base before candidate in ranking order.
    pub comparisons: Vec<Comparison>,
    /// The base of all comparisons: the reference that was chosen, a suite's baseline, or the first of
    /// more than [`ALL_PAIRS_TO`]. Absent where all pairs are compared.
    pub reference: Option<usize>,
    /// The criteria of the verdicts: the settings', as they hold for this metric.
    pub criteria: Criteria,
    /// The answer of CPU time about the answer's pair, in place of wall clock's.
    pub by_cpu: Option<CpuAnswer>,
}

impl Ranking {
    /// How many rows from the first are all `same` as each other, pair by pair: "same as the first"
    /// is not enough, it is not transitive. With a reference, which only the others are compared
    /// with: the reference and all that are `same` as it. 1 if there is no such pair.
    #[must_use]
    pub fn identical(&self) -> usize {
        let same = |c: &&Comparison| c.assessment.decision.verdict == Verdict::Same;
        if self.reference.is_some() {
            return 1 + self.comparisons.iter().filter(same).count();
        }
        let valued = self.rows.iter().filter(|row| row.median.is_some()).count();
        let last = self.rows.iter().map(|row| row.benchmark).max();
        let mut places = vec![0; last.map_or(0, |last| last + 1)];
        for (place, row) in self.rows.iter().enumerate() {
            places[row.benchmark] = place;
        }
        let differing = self.comparisons.iter().filter(|c| !same(c));
        let second = differing.map(|c| places[c.base].max(places[c.candidate])).min();
        second.unwrap_or(valued).max(1)
    }
}

/// Ranks benchmarks by the metric that the samples are of: commands together, cases within their scope; differences
/// beside ratios where both scales are asked for. None if the metric has no better direction.
pub(super) fn rank(
    samples: &Samples<'_, '_>,
    settings: &Settings,
    scales: Scales,
) -> Result<Vec<Ranking>, AnalysisError> {
    check_params(samples.subjects, &settings.by)?;
    let scopes = scopes(samples.subjects, settings);
    let references = references(samples, &scopes, settings)?;
    let ranking = |(scoped, reference)| rank_group(samples, scoped, reference, (settings, scales));
    Ok(scopes.into_iter().zip(references).filter_map(ranking).collect())
}

/// Refuses parameters that no case has: all would be compared as if nothing had been said.
fn check_params(subjects: &[Subject<'_>], by: &By) -> Result<(), AnalysisError> {
    let By::Params(params) = by else { return Ok(()) };
    let cases = subjects.iter().filter(|subject| subject.case().is_some());
    let names = cases.flat_map(|case| case.declared().params);
    let known: BTreeSet<&str> = names.map(|param| param.0.as_str()).collect();
    match params.iter().find(|param| !known.contains(param.as_str())) {
        None => Ok(()),
        Some(asked) => Err(AnalysisError::UnknownParam {
            asked: asked.clone(),
            known: known.into_iter().map(str::to_owned).collect(),
        }),
    }
}

/// Benchmarks that are ranked together.
#[derive(Debug)]
pub(super) struct RankingGroup {
    /// The scope of cases; absent for commands.
    pub(super) scope: Option<Scope>,
    /// The machine, if the data have several.
    pub(super) machine: Machine,
    /// Indices among the benchmarks.
    pub(super) members: Vec<usize>,
}

/// The groups in order of appearance: of cases by scope, of all else by machine.
pub(super) fn scopes(subjects: &[Subject<'_>], settings: &Settings) -> Vec<RankingGroup> {
    // Of commands alone, which may be 100,000, no declaration is looked at.
    let scopes = match subjects.iter().any(Subject::is_case) {
        true => {
            let declared: Vec<Declaration<'_>> = subjects.iter().map(Subject::declared).collect();
            scope::scopes(&declared, &settings.by)
        }
        false => vec![(None, (0..subjects.len()).collect())],
    };
    let by_machine = |(scope, members): (Option<Scope>, Vec<usize>)| {
        let machines = match scope {
            // A run of cases is of one machine.
            Some(_) => vec![(Machine::new(), members)],
            None => machines::apart(subjects, members),
        };
        let group =
            move |(machine, members)| RankingGroup { scope: scope.clone(), machine, members };
        machines.into_iter().map(group)
    };
    scopes.into_iter().flat_map(by_machine).collect()
}

/// The reference of each scope: the one that is named; else of cases, and of too many to compare all pairs,
/// the first that has values; of commands none.
fn references(
    samples: &Samples<'_, '_>,
    scopes: &[RankingGroup],
    settings: &Settings,
) -> Result<Vec<Option<usize>>, AnalysisError> {
    let asked = settings.reference.as_deref();
    let first = |members: &[usize]| {
        let is_valued =
            |&&index: &&usize| samples.sample(index).is_some_and(|sample| !sample.is_empty());
        let valued = || members.iter().filter(is_valued);
        // Nothing is any number of times faster than what does nothing.
        let active = valued().find(|&&index| !samples.is_idle(index));
        active.or(valued().next()).or(members.first()).copied()
    };
    let named = |members: &[usize]| {
        asked.map_or(Vec::new(), |asked| named(samples.subjects, members, asked))
    };
    let found: Vec<Vec<usize>> = scopes.iter().map(|scoped| named(&scoped.members)).collect();
    let most = found.iter().map(Vec::len).max().unwrap_or(0);
    if let Some(asked) = asked.filter(|_| most != 1) {
        return Err(AnalysisError::UnknownReference {
            asked: asked.to_owned(),
            matches: most,
            known: samples.subjects.iter().map(Subject::label).collect(),
        });
    }
    let reference = |(RankingGroup { scope, members, .. }, found): (&RankingGroup, Vec<usize>)| {
        let by_default = scope.is_some() || members.len() > ALL_PAIRS_TO;
        found.first().copied().or_else(|| first(members).filter(|_| by_default))
    };
    Ok(scopes.iter().zip(found).map(reference).collect())
}

/// The benchmarks shown like that, else those of that name, else those of that command.
fn named(subjects: &[Subject<'_>], members: &[usize], asked: &str) -> Vec<usize> {
    type Called = fn(&Subject<'_>, &str) -> bool;
    let called = |is_called: Called| -> Vec<usize> {
        members.iter().copied().filter(|&i| is_called(&subjects[i], asked)).collect()
    };
    let ways: [Called; 3] = [
        |it, asked| it.label() == asked,
        |it, asked| it.name() == asked,
        |it, asked| it.group.benchmark.command.as_deref() == Some(asked),
    ];
    ways.into_iter().map(called).find(|found| !found.is_empty()).unwrap_or_default()
}

fn rank_group(
    samples: &Samples<'_, '_>,
    RankingGroup { scope, machine, members }: RankingGroup,
    reference: Option<usize>,
    (settings, scales): (&Settings, Scales),
) -> Option<Ranking> {
    let metric = members.iter().find_map(|&i| samples.metric(i))?;
    let order = order(samples, metric, &members, reference);
    let pairs = match reference {
        Some(_) => order.iter().skip(1).map(|it| (order[0].benchmark, it.benchmark)).collect(),
        None => all_pairs(&order),
    };
    let comparisons = family(samples, metric, &pairs, settings, scales);
    let rows = rows(samples, &order, &comparisons, reference);
    Some(Ranking {
        scope,
        machine,
        criteria: settings.criteria.for_metric(metric),
        metric: metric.clone(),
        rows,
        comparisons,
        reference,
        by_cpu: None,
    })
}

/// A benchmark in the order of a ranking.
struct Placed {
    benchmark: usize,
    median: Option<f64>,
}

/// Best median first (then by position), those without a value last, the reference before all.
fn order(
    samples: &Samples<'_, '_>,
    metric: &Metric,
    members: &[usize],
    reference: Option<usize>,
) -> Vec<Placed> {
    let sign = if metric.direction == crate::model::Direction::Higher { -1.0 } else { 1.0 };
    let key = |it: &Placed| it.median.map_or(f64::INFINITY, |median| sign * median);
    let placed = |&benchmark: &usize| Placed { benchmark, median: samples.median(benchmark) };
    let mut order: Vec<Placed> = members.iter().map(placed).collect();
    order.sort_by(|a, b| {
        let is_chosen = |it: &Placed| Some(it.benchmark) == reference;
        let chosen = is_chosen(b).cmp(&is_chosen(a));
        chosen.then(key(a).total_cmp(&key(b))).then(a.benchmark.cmp(&b.benchmark))
    });
    order
}

/// The comparisons of so many benchmarks: with the reference, or all pairs.
#[must_use]
pub fn comparisons(benchmarks: usize, has_reference: bool) -> usize {
    match has_reference || benchmarks > ALL_PAIRS_TO {
        true => benchmarks.saturating_sub(1),
        false => benchmarks * benchmarks.saturating_sub(1) / 2,
    }
}

/// The comparisons of the largest family among rankings of what is declared: commands together, cases within their
/// scope.
#[must_use]
pub fn largest_family(declared: &[Declaration<'_>], settings: &Settings) -> usize {
    let family = |(scope, members): (Option<Scope>, Vec<usize>)| {
        comparisons(members.len(), scope.is_some() || settings.reference.is_some())
    };
    scope::scopes(declared, &settings.by).into_iter().map(family).max().unwrap_or(0)
}

fn all_pairs(order: &[Placed]) -> Vec<(usize, usize)> {
    let pair = |a: &Placed, b: &Placed| (a.benchmark, b.benchmark);
    let from = |i: usize| order[i + 1..].iter().map(move |candidate| pair(&order[i], candidate));
    (0..order.len()).flat_map(from).collect()
}

/// Compares every pair, as one family.
fn family(
    samples: &Samples<'_, '_>,
    metric: &Metric,
    pairs: &[(usize, usize)],
    settings: &Settings,
    scales: Scales,
) -> Vec<Comparison> {
    let criteria = settings.criteria.for_metric(metric);
    let side = |at: usize| {
        let subject = &samples.subjects[at];
        Some(Side {
            sample: samples.sample(at)?,
            run_set: Some(subject.run_set),
            resolution: samples.metric(at)?.resolution,
            level: subject.confidence(settings),
            values: subject.level(),
        })
    };
    let pair = |&(base, candidate): &(usize, usize)| {
        Some(Pair { base: side(base)?, candidate: side(candidate)? })
    };
    let subjects: FxHashSet<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let series = subjects.len().saturating_sub(1);
    let dependence = family_dependence(pairs.iter().filter_map(|it| pair(it)?.in_blocks()), series);
    let family = Family { metric, scales, dependence };
    let spans = OnceCell::new();
    let compared = |places: &(usize, usize)| {
        let &(base, candidate) = places;
        let earlier = samples.subjects[base].earlier(&samples.subjects[candidate], &metric.name);
        let pair = pair(places)?;
        let mut evidence = with_mann_whitney(family.evidence(&pair, &earlier, &criteria)?, &pair);
        if evidence.dropped > 0 {
            let spans = spans.get_or_init(|| Spans::new(samples.subjects));
            let [base, candidate] = [base, candidate].map(|at| &samples.subjects[at]);
            let apart = spans.blocks_apart(base, candidate) + spans.blocks_apart(candidate, base);
            evidence.dropped = evidence.dropped.saturating_sub(apart);
        }
        Some(Comparison { base, candidate, assessment: Assessment::in_family(evidence, &criteria) })
    };
    // Compared in the order of the data, because readings of 100,000 benchmarks lie far apart in any other; assessed
    // where they stand, because a comparison is 700 bytes.
    let mut in_data: Vec<usize> = (0..pairs.len()).collect();
    in_data.sort_unstable_by_key(|&at| pairs[at]);
    let mut all: Vec<Option<Comparison>> = Vec::new();
    all.resize_with(pairs.len(), || None);
    in_data.into_iter().for_each(|at| all[at] = compared(&pairs[at]));
    #[allow(clippy::filter_map_identity)] // stays in its place, as nothing does that is flattened
    let mut comparisons: Vec<Comparison> = all.into_iter().filter_map(|it| it).collect();
    family::assess(comparisons.iter_mut().map(|it| &mut it.assessment), &criteria);
    for Comparison { base, candidate, assessment } in &mut comparisons {
        if let Some(withheld) = samples.withheld([*base, *candidate], metric) {
            assessment.decision = withheld;
        }
    }
    comparisons
}

/// Evidence of independent samples with the Mann–Whitney test, which reports in other programs' words show.
fn with_mann_whitney(evidence: Evidence, pair: &Pair<'_>) -> Evidence {
    let is_independent = !evidence.design.is_in_blocks() && !evidence.exact;
    let (of, against) = (&pair.candidate.sample.values, &pair.base.sample.values);
    let test = || stats::mann_whitney(of, against, Alternative::TwoSided).ok().map(Box::new);
    Evidence { mann_whitney: is_independent.then(test).flatten(), ..evidence }
}

fn rows(
    samples: &Samples<'_, '_>,
    order: &[Placed],
    comparisons: &[Comparison],
    reference: Option<usize>,
) -> Vec<Ranked> {
    let valued: Vec<usize> =
        order.iter().filter(|it| it.median.is_some()).map(|it| it.benchmark).collect();
    // In the order of the rows, of which it leaves some out.
    let mut letters = letters(&valued, comparisons, reference).into_iter();
    let first = order.first().map(|it| it.benchmark);
    let last = order.iter().map(|it| it.benchmark).max();
    let mut with_first = vec![None; last.map_or(0, |last| last + 1)];
    for (at, comparison) in comparisons.iter().enumerate() {
        if Some(comparison.base) == first {
            with_first[comparison.candidate] = Some(at);
        }
    }
    let row = |&Placed { benchmark, median }: &Placed| Ranked {
        benchmark,
        median,
        letters: median.and_then(|_| letters.next()).unwrap_or_default(),
        comparison: with_first[benchmark],
        idle: samples.is_idle(benchmark),
    };
    order.iter().map(row).collect()
}

/// Letters over all pairs. Pairs come in the order of [`all_pairs`], so a pair's place follows
/// from its two positions.
fn letters(valued: &[usize], comparisons: &[Comparison], reference: Option<usize>) -> Vec<String> {
    let k = valued.len();
    if reference.is_some() || k < 2 {
        return vec![String::new(); k];
    }
    let place = |a: usize, b: usize| {
        let (i, j) = (a.min(b), a.max(b));
        i * k - i * (i + 1) / 2 + (j - i - 1)
    };
    stats::letters(k, |a, b| {
        comparisons.get(place(a, b)).is_some_and(|c| c.assessment.decision.verdict.is_difference())
    })
}
