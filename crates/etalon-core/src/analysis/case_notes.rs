//! Remarks about cases: what a reader of their numbers has to know, seen in the data.
//!
//! Said without numbers where the tables have them, so that what holds of several cases is one
//! footnote. Refuses to advise dropping anything.

use super::suites::{Suite, disagreements};
use super::{Subject, Summary};
use crate::model::{Case, Collector, Note, RunSet};
use crate::stats;

/// A case whose median is nearer to the empty loop's than this, in seconds, does nothing that can
/// be seen: a single dependent addition takes about as long.
const NOTHING: f64 = 0.3e-9;

/// A live heap from here on, in bytes, takes about as long to collect as a batch does to run.
const LARGE_HEAP: f64 = 4e6;

/// The name of the case that is the empty loop itself.
const EMPTY_LOOP: &str = "(empty loop)";

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
        notes
            .extend(texts.map(|text| Note { about: summary.label.clone(), text: text.to_owned() }));
    }
    for suite in suites {
        let Some(means) = &suite.means else { continue };
        for disagreement in disagreements(suite) {
            let name = |index: usize| &benchmarks[index].label;
            let comparison = disagreement.comparison;
            notes.push(Note {
                about: format!("{} against {}", name(comparison.candidate), name(comparison.base)),
                text: disagreement.why(means.test()),
            });
        }
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

fn of_case(
    case: &Case,
    subject: &Subject,
    summary: &Summary,
) -> impl Iterator<Item = &'static str> + use<> {
    let all = [
        optimised_away(subject),
        missed(summary),
        percentiles(summary),
        warm_up(case, subject, summary),
        collections(case, subject, summary),
    ];
    all.into_iter().flatten()
}

fn median(subject: &Subject, metric: &str) -> Option<f64> {
    stats::median(subject.sample(metric)?.1.sorted_readings())
}

fn optimised_away(subject: &Subject) -> Option<&'static str> {
    let (wall, empty) = (median(subject, "wall")?, median(subject, "empty_loop")?);
    (wall - empty < NOTHING && subject.name != EMPTY_LOOP).then_some(
        "probably optimised away: a call is within 0.3 ns of an empty loop (measure.sink keeps a \
         result)",
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
fn collections(case: &Case, subject: &Subject, summary: &Summary) -> Option<&'static str> {
    let memory = summary.case.as_ref()?.memory;
    let longer = memory.gc_time > median(subject, "wall");
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
