//! Remarks about cases: what a reader of their numbers has to know, seen in the data.
//!
//! Without numbers where the tables have them, so that what holds of several cases is one footnote.
//! Refuses to advise dropping anything.

use super::compiling::Mode;
use super::subject::Subject;
use super::suites::{Suite, disagreements};
use super::{CaseFacts, Comparison, Summary};
use crate::dataset::{TraceAborts, does_nothing};
use crate::metrics;
use crate::model::{Case, CaseHost, Collector, EMPTY_LOOP};
use crate::notes::{CaseNote, ComparisonNote, Course, Note, NoteKind, PassedReason, RuntimeNote};
use crate::run_set::RunSet;
use crate::stats::{self, Sorted};

/// A call of `run_with_timer` that takes less than so many times what the clock does around it.
const SHORT: f64 = 10.0;

/// A heap that grew by more than this, in bytes, is worth a word where calls seem to allocate nothing: it is
/// a thousand times what a process varies by.
const GROWN: f64 = 1e6;

/// A call allocates about nothing if it is less than this, in bytes.
const ABOUT_NOTHING: f64 = 1.0;

/// The last turns of a block beside the first: beyond this ratio it is another thing that is measured. A warm
/// function on a busy machine stays well below.
const DRIFT: f64 = 1.5;

/// Fewer processes than this may show what else the machine did.
const FEWEST_PROCESSES: usize = 3;

/// A live heap from here on, in bytes, takes about as long to collect as a batch does to run.
const LARGE_HEAP: f64 = 4e6;

/// All remarks about cases, in order.
pub(super) fn notes(
    sets: &[RunSet],
    subjects: &[Subject<'_>],
    benchmarks: &[Summary],
    suites: &[Suite],
) -> Vec<Note> {
    let mut notes = runtimes_notes(sets, subjects);
    for (subject, summary) in subjects.iter().zip(benchmarks) {
        let Some(case) = subject.case() else { continue };
        let of_case = case_notes(case, subject, summary);
        notes.extend(
            of_case.map(|what| Note { about: summary.label.clone(), what: NoteKind::Case(what) }),
        );
    }
    notes.extend(suites.iter().flat_map(|suite| suite_notes(suite, subjects, benchmarks)));
    notes
}

/// Notes on the comparisons of a suite.
fn suite_notes(suite: &Suite, subjects: &[Subject<'_>], benchmarks: &[Summary]) -> Vec<Note> {
    let name = |index: usize| &benchmarks[index].label;
    let about = |comparison: &Comparison, what: ComparisonNote| Note {
        about: format!("{} against {}", name(comparison.candidate), name(comparison.base)),
        what: NoteKind::Comparison(what),
    };
    let mut notes = Vec::new();
    if let (Some(passed), Some(baseline)) = (suite.passed_over, suite.baseline) {
        let skipped = subjects[passed].case().is_some_and(|case| case.skipped.is_some());
        let why = match subjects[passed].is_idle() {
            true => PassedReason::DoesNothing,
            false if skipped => PassedReason::Skipped,
            false => PassedReason::Failed,
        };
        let what = CaseNote::PassedOver { why, baseline: name(baseline).clone() };
        notes.push(Note { about: name(passed).clone(), what: NoteKind::Case(what) });
    }
    for comparison in suite.times.iter().flat_map(|times| &times.comparisons) {
        let one_run = subjects[comparison.base].run_set == subjects[comparison.candidate].run_set;
        if one_run && !comparison.assessment.evidence.design.is_in_blocks() {
            notes.push(about(comparison, ComparisonNote::NoCommonBlock));
        }
    }
    let disagreements = disagreements(suite).into_iter();
    notes.extend(disagreements.map(|(comparison, disagreement)| about(comparison, disagreement)));
    notes
}

/// Notes on what runtimes lack: those that cases name, else that of the run set.
fn runtimes_notes(sets: &[RunSet], subjects: &[Subject<'_>]) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for (at, set) in sets.iter().enumerate() {
        let of_set = subjects.iter().filter(|subject| subject.run_set.at() == at);
        let hosts: Vec<&CaseHost> =
            of_set.filter_map(|subject| subject.case()?.host.as_deref()).collect();
        let fact = |key: &str| set.context.get(key).map(String::as_str);
        let found = match hosts.is_empty() {
            true => runtime_notes(
                fact("runtime.version").unwrap_or("runtime"),
                fact("runtime.clock"),
                fact("runtime.memory"),
            ),
            false => hosts
                .into_iter()
                .flat_map(|it| runtime_notes(&it.name, Some(&it.clock), Some(&it.memory)))
                .collect(),
        };
        for note in found {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes
}

/// Notes on what a runtime lacks.
fn runtime_notes(about: &str, clock: Option<&str>, memory: Option<&str>) -> Vec<Note> {
    let clock = match clock {
        Some("ffi") => Some(RuntimeNote::ClockThroughFfi),
        Some("os") => Some(RuntimeNote::ClockOfProcess),
        _ => None,
    };
    let memory = memory.filter(|&how| how != "allocator");
    let memory = memory.map(|_| RuntimeNote::AllocatorUncounted);
    let note = |what| Note { about: about.to_owned(), what: NoteKind::Runtime(what) };
    clock.into_iter().chain(memory).map(note).collect()
}

/// Notes on a case that has samples.
fn case_notes(
    case: &Case,
    subject: &Subject<'_>,
    summary: &Summary,
) -> impl Iterator<Item = CaseNote> + use<> {
    let wall = median(summary, metrics::WALL);
    let all = wall.map(|wall| {
        let all = [
            optimised_away(summary),
            missed(summary),
            percentiles(summary),
            drift(subject).or_else(|| course(summary)),
            warm_up(case, summary),
            collections(case, summary, wall),
            kept_memory(summary),
            summary.case.as_ref().and_then(|facts| facts.growth).map(CaseNote::GrowsWithBatch),
            interned(summary),
            regrown(summary),
            compilation(summary),
            interpreted(summary),
            mostly_clock(case, summary, wall),
        ];
        all.into_iter().flatten().collect::<Vec<_>>()
    });
    all.into_iter().flatten()
}

fn median(summary: &Summary, metric: &str) -> Option<f64> {
    summary.metric(metric).map(|summary| summary.quartiles.median)
}

fn optimised_away(summary: &Summary) -> Option<CaseNote> {
    let benchmark = &summary.benchmark;
    let shortest = |metric| summary.metric(metric).map(|summary| summary.quartiles.min);
    let empty_loop = shortest(metrics::EMPTY_LOOP);
    let is_nothing = does_nothing(benchmark, shortest(metrics::WALL)?, empty_loop);
    (is_nothing && benchmark.key.name != EMPTY_LOOP).then_some(CaseNote::OptimisedAway)
}

/// Where every call is timed by itself, reading the clock is part of every time.
fn mostly_clock(case: &Case, summary: &Summary, wall: f64) -> Option<CaseNote> {
    let clock = median(summary, metrics::EMPTY_LOOP).filter(|_| case.timer)?;
    (wall < SHORT * clock).then(|| CaseNote::MostlyClock { clock: clock.min(wall), call: wall })
}

/// Whether a call costs something else in the end of a block than in its beginning.
fn drift(subject: &Subject<'_>) -> Option<CaseNote> {
    let sample = subject.sample(metrics::WALL)?.sample;
    let middle = |readings: &[f64]| stats::median(&Sorted::new(readings).ok()?);
    let (mut blocks, mut slower, mut faster) = (0, 0, 0);
    for readings in sample.readings_by_block().filter(|readings| readings.len() >= 3) {
        let third = readings.len() / 3;
        let first = middle(&readings[..third])?;
        let last = middle(&readings[readings.len() - third..])?;
        blocks += 1;
        slower += usize::from(last > DRIFT * first);
        faster += usize::from(first > DRIFT * last);
    }
    if 2 * slower > blocks {
        return Some(CaseNote::Slows);
    }
    (2 * faster > blocks).then_some(CaseNote::GetsFaster)
}

/// Whether most processes get slower, or come to no level.
fn course(summary: &Summary) -> Option<CaseNote> {
    let courses = summary.case.as_ref()?.courses?;
    let course = courses.most().filter(|course| *course > Course::Warming)?;
    let (processes, of) = (courses.count(course), courses.all());
    (processes >= FEWEST_PROCESSES && 2 * processes > of).then_some(CaseNote::Course {
        course,
        processes,
        of,
    })
}

/// Memory that is kept and was not seen to be allocated.
fn kept_memory(summary: &Summary) -> Option<CaseNote> {
    let memory = summary.case.as_ref()?.memory;
    (memory.alloc? < ABOUT_NOTHING && memory.retained? > GROWN).then_some(CaseNote::KeepsMemory)
}

/// Strings that are allocated only when no equal one is in memory.
fn interned(summary: &Summary) -> Option<CaseNote> {
    let memory = summary.case.as_ref()?.memory;
    let (alloc, bytes) = (memory.alloc?, memory.interned?);
    (bytes > 0.0).then_some(CaseNote::FindsStrings { alloc, bytes })
}

/// Blocks of tables that grew, which are counted and given back.
fn regrown(summary: &Summary) -> Option<CaseNote> {
    let memory = summary.case.as_ref()?.memory;
    let (alloc, bytes) = (memory.alloc?, memory.returned?);
    (bytes > 0.0).then_some(CaseNote::GivesBack { alloc, bytes })
}

/// A compiler that was still at work in the samples.
fn compilation(summary: &Summary) -> Option<CaseNote> {
    let compiling = summary.case.as_ref()?.compiling.as_ref()?;
    compiling.goes_on().then_some(CaseNote::Compiles)
}

/// A compiler that gave up code of the case.
fn interpreted(summary: &Summary) -> Option<CaseNote> {
    let compiling = summary.case.as_ref()?.compiling.as_ref()?;
    let TraceAborts { reason, at, .. } = compiling.hindrance()?;
    let partly = compiling.mode == Some(Mode::Mixed);
    Some(CaseNote::Interpreted { partly, reason: reason.clone(), at: at.clone() })
}

fn missed(summary: &Summary) -> Option<CaseNote> {
    let target = summary.case.as_ref()?.precision?.target?;
    (target == super::Target::Missed).then_some(CaseNote::TargetMissed)
}

fn percentiles(summary: &Summary) -> Option<CaseNote> {
    (summary.case.as_ref()?.iterations? > 1).then_some(CaseNote::MeansOverBatches)
}

/// Warm-up is not among the samples; its length is what was asked for, if it was.
#[allow(clippy::cast_precision_loss)] // a count of blocks
fn warm_up(case: &Case, summary: &Summary) -> Option<CaseNote> {
    let CaseFacts { blocks, seconds, .. } = **summary.case.as_ref()?;
    let warmup = case.sampling.warmup.seconds() * blocks as f64;
    let asked = !case.sampling.warmup.until_level();
    (asked && blocks > 0 && warmup > seconds).then_some(CaseNote::LongWarmup)
}

/// The note on garbage, which is collected between samples, if at all.
fn collections(case: &Case, summary: &Summary, wall: f64) -> Option<CaseNote> {
    let memory = summary.case.as_ref()?.memory;
    let longer = memory.gc_time.is_some_and(|gc_time| gc_time > wall);
    match case.sampling.collector {
        Collector::Full if longer && large_heap(summary) => Some(CaseNote::CollectionDominates),
        _ if memory.alloc.is_some_and(|alloc| alloc <= 0.0) => None,
        Collector::Off => Some(CaseNote::CollectorOff),
        Collector::Full | Collector::Step(_) if memory.gc_time.is_some() => {
            Some(CaseNote::CollectorStopped)
        }
        _ => None,
    }
}

fn large_heap(summary: &Summary) -> bool {
    median(summary, metrics::HEAP).is_some_and(|bytes| bytes > LARGE_HEAP)
}
