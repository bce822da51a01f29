//! Remarks about the data: what was seen, never advice to drop any of it.

use rustc_hash::FxHashMap;

use super::headline::{CpuAnswer, Headline, OtherView};
use super::subject::{Samples, Subject};
use super::{
    ALL_PAIRS_TO, Answer, Comparison, Ranking, Suite, Summary, Versus, case_notes, machines,
    ranking,
};
use crate::compare::{Design, Scales, ScatterFrom};
use crate::dataset::{Column, MACHINE};
use crate::metrics;
use crate::model::{Level, StopSignal};
use crate::notes::{ComparisonNote, DesignNote, ExecutionNote, Failing, Note, NoteKind};
use crate::plan::{Order, Settings};
use crate::run_set::RunSet;
use crate::verdict::{Assessment, Reason, Verdict};

/// CPU time beyond this multiple of the wall time means that the command ran in parallel.
const PARALLEL_BEYOND: f64 = 1.2;

/// Waiting for a CPU longer than this share of the wall time disturbs a reading.
const LONG_WAIT: f64 = 0.1;

/// A control group takes more than this multiple of a benchmark's CPU time where others are in it.
const LARGER_GROUP: f64 = 1.1;

/// Seconds of CPU time that are worth a note. Because: the kernel counts groups and processes a little differently.
const SHORTEST: f64 = 1e-3;

/// A share of disturbed readings that is worth a note; a few happen on any machine.
const OFTEN: f64 = 0.1;

/// The rankings by CPU time that those by wall clock are held against, and of commands the other way round.
pub(super) fn by_other(
    subjects: &[Subject<'_>],
    rankings: &[Ranking],
    settings: &Settings,
) -> Vec<Ranking> {
    let is_of_commands = matches!(rankings, [Ranking { scope: None, .. }]);
    let is_asked = |other: &&str| is_of_commands || *other == metrics::CPU;
    let Some(other) = other(settings).filter(is_asked) else { return Vec::new() };
    if subjects.iter().all(|subject| subject.measure(other).is_none()) {
        return Vec::new();
    }
    let by_other = Samples::new(subjects, other);
    ranking::rank(&by_other, settings, Scales::OfVerdict).unwrap_or_default()
}

/// The answer of CPU time about the pair of a ranking's answer that wall clock leaves open.
pub(super) fn settled_by_cpu(
    ranked: &Ranking,
    by_other: &[Ranking],
    subjects: &[Subject<'_>],
) -> Option<CpuAnswer> {
    let is_it = |it: &&Ranking| it.scope == ranked.scope && it.machine == ranked.machine;
    let by_cpu = by_other.iter().find(|it| it.metric.name == metrics::CPU && is_it(it))?;
    let pair = answered(ranked)?;
    let theirs = by_cpu.versus(pair.of, pair.base)?;
    let (of, base) = (pair.of, pair.base);
    theirs.assessment.speaks_for(pair.assessment).then(|| CpuAnswer {
        of,
        base,
        verdict: theirs.verdict(),
        ratio: theirs.ratio(),
        is_busy: [of, base].into_iter().any(|at| waiting_note(&subjects[at]).is_some()),
    })
}

/// CPU time for wall clock, and the other way round.
fn other(settings: &Settings) -> Option<&'static str> {
    match settings.metric.as_str() {
        metrics::CPU => Some(metrics::WALL),
        metrics::WALL => Some(metrics::CPU),
        _ => None,
    }
}

/// The remark on the ranked metric that must not be overlooked.
pub(super) fn headline(
    benchmarks: &[Summary],
    rankings: &[Ranking],
    by_other: &[Ranking],
    settings: &Settings,
) -> Option<Headline> {
    let [ranked @ Ranking { scope: None, .. }] = rankings else { return None };
    let by_other = by_other.first()?;
    if ranked.by_cpu.is_some() {
        return None; // the answer says it
    }
    let differently = disagreement(ranked, by_other);
    if other(settings) == Some(metrics::CPU) {
        let narrower = || narrower(ranked, by_other).map(Headline::CpuIsNarrower);
        return differently.map(Headline::CpuRanksDifferently).or_else(narrower);
    }
    if let Some(ratio) = parallel(benchmarks) {
        return Some(Headline::Parallel { ratio });
    }
    differently.map(Headline::WallRanksDifferently)
}

/// A pair that differs in the other metric and does not differ like that in the ranked one: that of the answer, or else
/// the first.
fn disagreement(ranked: &Ranking, other: &Ranking) -> Option<OtherView> {
    // By pair, because a thousand benchmarks make half a million of them.
    let pair = |c: &Comparison| (c.base.min(c.candidate), c.base.max(c.candidate));
    let by_ranked: FxHashMap<_, _> = ranked.comparisons.iter().map(|c| (pair(c), c)).collect();
    let disagree = |other: &&Comparison| {
        other.assessment.decision.verdict.is_difference()
            && by_ranked.get(&pair(other)).is_some_and(|ranked| !agrees(other, ranked))
    };
    let answer = answered(ranked).map(|it| (it.of.min(it.base), it.of.max(it.base)));
    let mut found = other.comparisons.iter().filter(disagree);
    let first = found.next()?;
    let chosen = std::iter::once(first).chain(found).find(|it| Some(pair(it)) == answer);
    let chosen = chosen.unwrap_or(first);
    view(other, chosen.candidate, chosen.base)
}

/// The pair that the answer names.
pub(super) fn answered(ranked: &Ranking) -> Option<Versus<'_>> {
    let (Answer::Best { next: pair, .. } | Answer::Pair { pair, .. }) = ranked.answer()?;
    Some(pair)
}

/// A pair in a ranking, seen from the better one.
fn view(other: &Ranking, of: usize, base: usize) -> Option<OtherView> {
    let seen = other.versus(of, base)?;
    let seen = match seen.verdict() {
        Verdict::Slower => other.versus(base, of)?,
        _ => seen,
    };
    let (of, base, verdict) = (seen.of, seen.base, seen.verdict());
    Some(OtherView { of, base, verdict, ratio: seen.above_one() })
}

/// The answer's pair by the other metric, if its interval is at most half as wide.
fn narrower(ranked: &Ranking, other: &Ranking) -> Option<OtherView> {
    let pair = answered(ranked)?;
    let theirs = view(other, pair.of, pair.base)?;
    let ours = pair.above_one()?.relative_half_width()?;
    (theirs.ratio?.relative_half_width()? <= ours / 2.0).then_some(theirs)
}

/// Whether two decided comparisons of the same pair say the same, whichever side is the base.
fn agrees(a: &Comparison, b: &Comparison) -> bool {
    let (x, y) = (a.assessment.decision.verdict, b.assessment.decision.verdict);
    if a.base == b.base {
        return x == y;
    }
    matches!((x, y), (Verdict::Faster, Verdict::Slower) | (Verdict::Slower, Verdict::Faster))
}

/// The largest multiple of its wall clock that the CPU time of a subject is, if work ran in parallel.
fn parallel(benchmarks: &[Summary]) -> Option<f64> {
    let ratio = |benchmark: &Summary| {
        let median = |name| Some(benchmark.metric(name)?.median.value);
        let (cpu, wall) = (median(metrics::CPU)?, median(metrics::WALL)?);
        (wall > 0.0 && cpu > PARALLEL_BEYOND * wall).then(|| cpu / wall)
    };
    benchmarks.iter().filter_map(ratio).max_by(f64::total_cmp)
}

/// All remarks, in order.
pub(super) fn notes(
    sets: &[RunSet],
    subjects: &[Subject<'_>],
    benchmarks: &[Summary],
    rankings: &[Ranking],
    suites: &[Suite],
) -> Vec<Note> {
    let recorded = sets.iter().flat_map(|set| &set.notes);
    let mut notes: Vec<Note> = recorded.map(Note::from).collect();
    for (summary, subject) in benchmarks.iter().zip(subjects) {
        let about = &summary.label;
        let all = execution_notes(summary)
            .into_iter()
            .chain(waiting_note(subject))
            .chain(group_note(summary))
            .chain(shared_counters_note(summary));
        notes.extend(
            all.map(|what| Note { about: about.clone(), what: NoteKind::Executions(what) }),
        );
    }
    notes.extend(case_notes::notes(sets, subjects, benchmarks, suites));
    for ranking in rankings {
        notes.extend(design_notes(sets, subjects, ranking));
        notes.extend(comparison_notes(benchmarks, ranking));
    }
    notes
}

fn execution_notes(summary: &Summary) -> Vec<ExecutionNote> {
    let o = summary.outcomes;
    let of = o.ok + o.not_ok();
    let stopped = o.stopped.into_iter().zip(StopSignal::ALL.map(Failing::Stopped));
    let failures = [
        (o.failed, Failing::Failed),
        (o.killed - o.stopped.iter().sum::<usize>(), Failing::Killed),
        (o.timed_out, Failing::TimedOut),
        (o.suspended, Failing::Suspended),
        (o.not_started, Failing::NotStarted),
    ];
    // How a case failed is with the case.
    let failures = failures.into_iter().chain(stopped);
    let failures = failures.filter(|(count, _)| *count > 0 && summary.case.is_none());
    let mut notes: Vec<ExecutionNote> =
        failures.map(|(count, how)| ExecutionNote::Failures { how, count, of }).collect();
    let (with, all) = (summary.with_orphans, summary.orphans);
    if with > 0 {
        notes.push(ExecutionNote::Orphans { with, of: summary.case.is_none().then_some(of), all });
    }
    notes
}

/// How often executions stood ready and had to wait for a CPU: somebody else was using it. None where one of them does
/// not say it, nor that it cannot have waited long.
#[allow(clippy::cast_precision_loss)] // counts
fn waiting_note(subject: &Subject<'_>) -> Option<ExecutionNote> {
    let [wait, wall] = subject.columns([metrics::CPU_WAIT, metrics::WALL])?;
    let most = subject.columns([metrics::CPU_WAIT_MAX]).map_or_else(Column::default, |[most]| most);
    let mut waits = wait.rows.iter().zip(&wait.values).peekable();
    let mut mosts = most.rows.iter().zip(&most.values).peekable();
    let mut disturbed = 0;
    for (row, wall) in wall.rows.iter().zip(&wall.values) {
        let is_long = |wait: &f64| *wait > LONG_WAIT * *wall;
        let most = mosts.next_if(|(at, _)| *at == row);
        match waits.next_if(|(at, _)| *at == row) {
            Some((_, wait)) => disturbed += usize::from(is_long(wait)),
            None if most.is_some_and(|(_, most)| !is_long(most)) => {}
            None => return None,
        }
    }
    let of = wall.rows.len();
    (disturbed as f64 > OFTEN * of as f64).then_some(ExecutionNote::Waited { disturbed, of })
}

/// CPU time of the control group that is no part of what the benchmark is said to take: of processes that nobody waited for.
fn group_note(benchmark: &Summary) -> Option<ExecutionNote> {
    let median = |name| Some(benchmark.metric(name)?.median.value);
    let (own, all) = (median(metrics::CPU)?, median(metrics::TREE_CPU)?);
    (all > LARGER_GROUP * own && all - own > SHORTEST)
        .then_some(ExecutionNote::MoreInGroup { own, all })
}

/// Whether there were more events than counters at any time.
fn shared_counters_note(benchmark: &Summary) -> Option<ExecutionNote> {
    let percent = benchmark.metric(metrics::COUNTED)?.quartiles.min;
    (percent < 100.0).then_some(ExecutionNote::SharedCounters { percent })
}

fn design_notes(sets: &[RunSet], subjects: &[Subject<'_>], ranking: &Ranking) -> Vec<Note> {
    let mut notes = Vec::new();
    let is_apart = |design: &Design| matches!(design, Design::Runs(runs) if runs.scatter != ScatterFrom::Alternating);
    // Of centres nothing would be told by another order.
    let has_readings = |it: &&Comparison| it.assessment.evidence.level == Level::Readings;
    let mut compared = ranking.comparisons.iter().filter(has_readings);
    let apart = compared.any(|c| is_apart(&c.assessment.evidence.design));
    let several =
        |at: usize| subjects.iter().filter(|subject| subject.run_set.at() == at).count() > 1;
    let sequential =
        |set: &RunSet| set.plan.as_ref().is_some_and(|plan| plan.order == Order::Sequential);
    if apart && sets.iter().enumerate().any(|(at, set)| sequential(set) && several(at)) {
        notes.push(Note {
            about: "order".to_owned(),
            what: NoteKind::Design(DesignNote::Sequential),
        });
    }
    if apart && sets.iter().enumerate().any(|(at, set)| set.order_unsaid && several(at)) {
        notes.push(Note {
            about: "order".to_owned(),
            what: NoteKind::Design(DesignNote::OrderUnsaid),
        });
    }
    if apart && sets.len() > 1 {
        notes.push(Note {
            about: "comparison".to_owned(),
            what: NoteKind::Design(DesignNote::DifferentExecutions),
        });
    }
    notes
}

/// Which benchmarks have runs that are copies of others, and are left out.
pub(super) fn copy_notes(subjects: &[Subject<'_>]) -> Vec<Note> {
    let copied = subjects.iter().filter(|subject| subject.group.copies > 0);
    let note = |subject: &Subject<'_>| Note {
        about: subject.label(),
        what: NoteKind::Design(DesignNote::Copies { runs: subject.group.copies }),
    };
    copied.map(note).collect()
}

/// That there are no readings of some benchmarks, or of any.
pub(super) fn centres_note(subjects: &[Subject<'_>]) -> Option<Note> {
    let without = || subjects.iter().filter(|subject| subject.level() == Level::Summary);
    let (benchmarks, of) = (without().count(), subjects.len());
    let what = NoteKind::Design(DesignNote::CentresAlone { benchmarks, of });
    Some(Note { about: without().next()?.label(), what })
}

/// That machines are not compared with each other, where the data have several.
pub(super) fn machine_note(rankings: &[Ranking]) -> Option<Note> {
    let machine = rankings.iter().map(|ranking| &ranking.machine).find(|it| !it.is_empty())?;
    let keys = machine.iter().map(|(key, _)| key.clone()).collect();
    let what = NoteKind::Design(DesignNote::Machines { keys });
    Some(Note { about: "machines".to_owned(), what })
}

/// That benchmarks of data sets are compared which were measured on machines of which facts differ. What is not said
/// differs from nothing.
pub(super) fn other_machines_note(subjects: &[Subject<'_>], rankings: &[Ranking]) -> Option<Note> {
    let differs = |ranking: &Ranking, key: &str| {
        let is_apart = ranking.machine.iter().any(|(known, _)| known == key);
        let rows = ranking.rows.iter();
        let mut said = rows.filter_map(|row| machines::fact(&subjects[row.benchmark], key));
        let first = said.next();
        !is_apart && said.any(|value| Some(value) != first)
    };
    let differing = |key: &&str| rankings.iter().any(|ranking| differs(ranking, key));
    let keys: Vec<String> = MACHINE.into_iter().filter(differing).map(str::to_owned).collect();
    let what = NoteKind::Design(DesignNote::OtherMachines { keys: keys.clone() });
    (!keys.is_empty()).then(|| Note { about: "machines".to_owned(), what })
}

/// With whom each of many is compared, where nobody has said it.
pub(super) fn pairing_notes(benchmarks: &[Summary], rankings: &[Ranking]) -> Vec<Note> {
    let note = |ranking: &Ranking| {
        let all = ranking.rows.len();
        let first = ranking.reference.filter(|_| ranking.scope.is_none() && all > ALL_PAIRS_TO)?;
        let what = DesignNote::FirstOnly { all, first: benchmarks[first].label.clone() };
        Some(Note { about: "comparisons".to_owned(), what: NoteKind::Design(what) })
    };
    rankings.iter().filter_map(note).collect()
}

fn comparison_notes(benchmarks: &[Summary], ranking: &Ranking) -> Vec<Note> {
    let name = |i: usize| &benchmarks[i].label;
    let of_reason = |reason: &Reason| match reason {
        Reason::RealButBelowMargin => Some(ComparisonNote::RealButBelowMargin),
        _ => None,
    };
    // What does nothing is compared with nothing that is shown.
    let is_void = |at: &usize| ranking.comparisons[*at].assessment.decision.is_void();
    let shown = ranking.rows.iter().filter_map(|row| row.comparison).filter(|at| !is_void(at));
    let of_comparison = |index: usize| {
        let comparison = &ranking.comparisons[index];
        let about = || format!("{} against {}", name(comparison.candidate), name(comparison.base));
        let Assessment { evidence, decision, .. } = &comparison.assessment;
        let all = ComparisonNote::on_evidence(evidence)
            .into_iter()
            .chain(ComparisonNote::on_more_often_worse(&comparison.assessment))
            .chain(decision.reasons.iter().filter_map(of_reason));
        let note = |what| Note { about: about(), what: NoteKind::Comparison(what) };
        all.map(note).collect::<Vec<_>>()
    };
    let mut notes: Vec<Note> = shown.clone().flat_map(of_comparison).collect();
    let share = |note: &ComparisonNote| match note {
        ComparisonNote::Unseen { share } => *share,
        _ => 0.0,
    };
    let unseen =
        shown.filter_map(|index| ComparisonNote::on_unseen(&ranking.comparisons[index].assessment));
    // Once for all: the largest share.
    notes.extend(unseen.max_by(|a, b| share(a).total_cmp(&share(b))).map(|note| Note {
        about: Verdict::Same.name().to_owned(),
        what: NoteKind::Comparison(note),
    }));
    notes
}
