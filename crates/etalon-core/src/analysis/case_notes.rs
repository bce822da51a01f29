//! Remarks about cases: what a reader of their numbers has to know, seen in the data.
//!
//! Said without numbers where the tables have them, so that what holds of several cases is one
//! footnote. Refuses to advise dropping anything.

use super::suites::{Suite, disagreements};
use super::{Comparison, Subject, Summary};
use crate::compare::Design;
use crate::model::{Case, Collector, EMPTY_LOOP, Note, RunSet};
use crate::stats::{self, Sorted};

/// A case whose median is nearer to the empty loop's than this, in seconds, does nothing that can
/// be seen: a single dependent addition takes about as long.
const NOTHING: f64 = 0.3e-9;

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

/// A live heap from here on, in bytes, takes about as long to collect as a batch does to run.
const LARGE_HEAP: f64 = 4e6;

/// All remarks about cases, in order.
pub(super) fn notes(
    sets: &[RunSet],
    subjects: &[Subject],
    benchmarks: &[Summary],
    suites: &[Suite],
) -> Vec<Note> {
    let mut notes: Vec<Note> = sets.iter().flat_map(runtime_notes).collect();
    for (subject, summary) in subjects.iter().zip(benchmarks) {
        let Some(case) = &subject.case else { continue };
        let texts = of_case(case, subject, summary);
        notes.extend(texts.map(|text| Note { about: summary.label.clone(), text }));
    }
    notes.extend(suites.iter().flat_map(|suite| of_suite(suite, subjects, benchmarks)));
    notes
}

/// What has to be known of comparisons.
fn of_suite(suite: &Suite, subjects: &[Subject], benchmarks: &[Summary]) -> Vec<Note> {
    let name = |index: usize| &benchmarks[index].label;
    let about = |comparison: &Comparison, text: String| Note {
        about: format!("{} against {}", name(comparison.candidate), name(comparison.base)),
        text,
    };
    let mut notes = Vec::new();
    if let (Some(passed), Some(baseline)) = (suite.passed_over, suite.baseline) {
        let skipped = subjects[passed].case.as_ref().is_some_and(|case| case.skipped.is_some());
        let what = if skipped { "was skipped" } else { "failed" };
        let text = format!("{what}: the others are held against {}", name(baseline));
        notes.push(Note { about: name(passed).clone(), text });
    }
    for comparison in suite.times.iter().flat_map(|times| &times.comparisons) {
        let one_run = subjects[comparison.base].run_set == subjects[comparison.candidate].run_set;
        if one_run && comparison.assessment.evidence.design == Design::Independent {
            let text = "no block holds both: a drift of the machine looks like a difference";
            notes.push(about(comparison, text.to_owned()));
        }
    }
    for disagreement in disagreements(suite) {
        notes.push(about(disagreement.comparison, disagreement.why()));
    }
    notes
}

/// What the runtime had to do without.
fn runtime_notes(set: &RunSet) -> Vec<Note> {
    let fact = |key: &str| set.context.get(key).map(String::as_str);
    let clock = match fact("runtime.clock") {
        Some("ffi") => Some("the native module is missing: the clock is read through the FFI"),
        Some("os") => Some(
            "the native module is missing: times are os.clock's, CPU time of the process in steps \
             of a microsecond or more",
        ),
        _ => None,
    };
    let memory = fact("runtime.memory").filter(|&how| how != "allocator").map(|_| {
        "the allocator could not be counted: bytes are collectgarbage('count')'s, and there are no \
         numbers of allocations"
    });
    let about = fact("runtime.version").unwrap_or("runtime");
    let note = |text: &str| Note { about: about.to_owned(), text: text.to_owned() };
    clock.into_iter().chain(memory).map(note).collect()
}

/// What has to be known of a case that has samples.
fn of_case(
    case: &Case,
    subject: &Subject,
    summary: &Summary,
) -> impl Iterator<Item = String> + use<> {
    let wall = median(subject, "wall");
    let all = wall.map(|wall| {
        let plain = [
            optimised_away(case, subject, wall),
            missed(summary),
            percentiles(summary),
            drifts(subject),
            warm_up(case, subject, summary),
            collections(case, subject, summary, wall),
            grows(summary),
        ];
        let plain = plain.into_iter().flatten().map(str::to_owned);
        plain.chain(mostly_clock(case, subject, wall)).collect::<Vec<_>>()
    });
    all.into_iter().flatten()
}

fn median(subject: &Subject, metric: &str) -> Option<f64> {
    stats::median(subject.sample(metric)?.1.sorted_readings())
}

fn optimised_away(case: &Case, subject: &Subject, wall: f64) -> Option<&'static str> {
    let empty = median(subject, "empty_loop")?;
    (wall - empty < NOTHING && subject.name != EMPTY_LOOP && !case.timer).then_some(
        "probably optimised away: a call is within 0.3 ns of an empty loop (measure.sink keeps a \
         result)",
    )
}

/// Where every call is timed by itself, reading the clock is part of every time.
fn mostly_clock(case: &Case, subject: &Subject, wall: f64) -> Option<String> {
    let clock = median(subject, "empty_loop").filter(|_| case.timer)?;
    (wall < SHORT * clock).then(|| {
        format!(
            "every call is timed by itself, and about {:.0} ns of its {:.0} ns are the clock's own; \
             run times calls this short in batches",
            clock.min(wall) * 1e9,
            wall * 1e9
        )
    })
}

/// Whether a call costs something else in the end of a block than in its beginning.
fn drifts(subject: &Subject) -> Option<&'static str> {
    let sample = subject.sample("wall")?.1;
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
        return Some(
            "slows from turn to turn: the time depends on how often it was called before, and so on \
             how long is measured",
        );
    }
    (2 * faster > blocks).then_some("gets faster from turn to turn: -w TIME warms it up for longer")
}

/// Memory that is kept and was not seen to be allocated.
fn grows(summary: &Summary) -> Option<&'static str> {
    let memory = summary.case.as_ref()?.memory;
    (memory.alloc? < ABOUT_NOTHING && memory.uncollected? > GROWN).then_some(
        "keeps memory, and Alloc/Op shows about nothing: it is allocated in large pieces that are too \
         rare for the readings",
    )
}

fn missed(summary: &Summary) -> Option<&'static str> {
    let target = summary.case.as_ref()?.precision?.target?;
    (target == super::Target::Missed).then_some(
        "the interval is wider than its target; more time (--budget) or more blocks (-r) narrow it",
    )
}

fn percentiles(summary: &Summary) -> Option<&'static str> {
    (summary.case.as_ref()?.iterations? > 1).then_some(
        "p50, p95, p99 and StdDev are of means over batches of calls: no tail of single calls",
    )
}

/// Warm-up is not among the samples; its length is what was asked for.
#[allow(clippy::cast_precision_loss)] // a count of blocks
fn warm_up(case: &Case, subject: &Subject, summary: &Summary) -> Option<&'static str> {
    let blocks = summary.case.as_ref()?.blocks;
    let seconds = case.sampling.warmup * blocks as f64;
    (blocks > 0 && seconds > subject.batches.seconds)
        .then_some("warm-up took more time than the samples; -w TIME changes it")
}

/// What became of the garbage: it is collected between samples, if at all.
fn collections(
    case: &Case,
    subject: &Subject,
    summary: &Summary,
    wall: f64,
) -> Option<&'static str> {
    let memory = summary.case.as_ref()?.memory;
    let longer = memory.gc_time.is_some_and(|gc_time| gc_time > wall);
    match case.sampling.collector {
        Collector::Full if longer && large_heap(subject) => Some(
            "the collection before a sample takes longer than the sample (GC/Op above the time), \
             and there is a large live heap; --gc-step N collects in steps of N KB, -1 not at all",
        ),
        _ if memory.alloc.is_some_and(|alloc| alloc <= 0.0) => None,
        Collector::Off => Some(
            "the collector is off: what collecting this garbage costs is in none of the numbers",
        ),
        Collector::Full | Collector::Step(_) if memory.gc_time.is_some() => Some(
            "the collector is stopped during samples: its cost is not in the time but in GC/Op",
        ),
        _ => None,
    }
}

fn large_heap(subject: &Subject) -> bool {
    median(subject, "heap").is_some_and(|bytes| bytes > LARGE_HEAP)
}
