//! Notes on cases, in words: their times, their memory, their compiler.

use etalon_core::notes::{CaseNote, Course, Growth, PassedReason, RuntimeNote};
use etalon_core::units::Base;

use crate::figures::Figures;
use crate::text::clean;
use crate::tidied::plain_number;
use crate::view::Style;

/// The remark on calls that do nothing that can be seen.
pub(super) const OPTIMISED_AWAY: &str =
    "probably optimised away: a call is within 0.3 ns of an empty loop";

/// The remark on a compiler that is still at work.
fn compiles() -> &'static str {
    "the JIT compiler was still compiling in at least a quarter of the samples: -w TIME warms it up for \
     longer"
}

/// The remark on a compiler that gave up.
fn interpreted(partly: bool, reason: &str, at: &str) -> String {
    let partly = if partly { "partly " } else { "" };
    let (reason, at) = (clean(reason), clean(at));
    format!("is {partly}interpreted: the JIT compiler gave up at {at} ({reason})")
}

/// The remark on times that do not stay as they were.
fn unsettled(course: Course, processes: usize, of: usize) -> String {
    let what = match course {
        Course::Unsteady => "do not stay on one level",
        _ => "leave a level for a slower one",
    };
    format!(
        "is {}: in {processes} of {of} processes times {what}, so the result depends on how long and when a process \
         is measured",
        course.word()
    )
}

/// The remark on calls that are timed one by one, in nanoseconds.
fn mostly_clock(clock: f64, call: f64) -> String {
    format!(
        "every call is timed by itself, and about {clock:.0} ns of its {call:.0} ns are the clock's own; run times \
         calls this short in batches"
    )
}

/// The remark on calls that allocate less while strings equal to their results are in memory: of one case with both
/// figures, of several with the largest difference.
pub(crate) fn finds_strings(found: &[(f64, f64)], alloc: &str) -> Option<String> {
    let less = match found {
        [] => return None,
        [(of_new, bytes)] => {
            let of_new = (size(*of_new), size(of_new - bytes));
            return Some(format!(
                "{alloc} is of calls whose results are new, {}; while equal strings are in memory, a call \
                 allocates {}, because Lua keeps one copy of them",
                of_new.0, of_new.1
            ));
        }
        many => many.iter().map(|(_, bytes)| *bytes).fold(0.0, f64::max),
    };
    Some(format!(
        "{alloc} is of calls whose results are new; while equal strings are in memory, a call allocates up to {} less, \
         because Lua keeps one copy of them (--full: of each)",
        size(less)
    ))
}

/// The remark on calls that give back former blocks of tables that grow: of one case with both figures, of several with the
/// largest.
pub(crate) fn gives_back(found: &[(f64, f64)], alloc: &str) -> Option<String> {
    let by_hand = "collectgarbage('count') after a call less before it";
    match found {
        [] => None,
        [(of_all, bytes)] => Some(format!(
            "{alloc} has every block of tables that grow, {}; {by_hand} is {}, because Lua gives the former ones back at once",
            size(*of_all),
            size(of_all - bytes)
        )),
        many => Some(format!(
            "{alloc} has every block of tables that grow; {by_hand} is up to {} less, because Lua gives the former ones \
             back at once (--full: of each)",
            size(many.iter().map(|(_, bytes)| *bytes).fold(0.0, f64::max))
        )),
    }
}

/// Why the first case is no baseline.
fn passed_over(why: PassedReason) -> &'static str {
    match why {
        PassedReason::Skipped => "was skipped",
        PassedReason::Failed => "failed",
        PassedReason::DoesNothing => "does nothing that can be seen",
    }
}

/// A note on a case, as a sentence without its full stop.
pub(super) fn case(note: &CaseNote, style: Style) -> String {
    let [alloc, gc, means] = match style {
        Style::Etalon => ["alloc/call", "GC/call", "percentiles and std dev"],
        _ => ["Alloc/Op", "GC/Op", "p50, p95, p99 and StdDev"],
    };
    match note {
        CaseNote::PassedOver { why, baseline } => {
            format!("{}: the others are held against {baseline}", passed_over(*why))
        }
        CaseNote::OptimisedAway => format!(
            "{OPTIMISED_AWAY}. measure.sink keeps a result; what is the same in every call (a constant, a \
             param) is computed once, so take another input in each (the next element of a table)"
        ),
        CaseNote::MostlyClock { clock, call } => mostly_clock(1e9 * clock, 1e9 * call),
        CaseNote::Slows => {
            "slows from turn to turn: the time depends on how often it was called before, and so on \
             how long is measured"
                .to_owned()
        }
        CaseNote::GetsFaster => {
            "gets faster from turn to turn: -w TIME warms it up for longer".to_owned()
        }
        CaseNote::Course { course, processes, of } => unsettled(*course, *processes, *of),
        CaseNote::GrowsWithBatch(growth) => grows(growth),
        CaseNote::KeepsMemory => format!(
            "keeps memory, and {alloc} shows about nothing: it is allocated in large pieces that are \
             too rare for the readings"
        ),
        CaseNote::FindsStrings { alloc: of_new, bytes } => {
            finds_strings(&[(*of_new, *bytes)], alloc).unwrap_or_default()
        }
        CaseNote::GivesBack { alloc: of_all, bytes } => {
            gives_back(&[(*of_all, *bytes)], alloc).unwrap_or_default()
        }
        CaseNote::Compiles => compiles().to_owned(),
        CaseNote::Interpreted { partly, reason, at } => interpreted(*partly, reason, at),
        CaseNote::TargetMissed => {
            "the interval is wider than its target; more time (--budget) or more blocks (-r) narrow it"
                .to_owned()
        }
        CaseNote::MeansOverBatches => {
            format!("{means} are of means over batches of calls: no tail of single calls")
        }
        CaseNote::LongWarmup => "warm-up took more time than the samples; -w TIME changes it".to_owned(),
        CaseNote::CollectionDominates => format!(
            "the collection before a sample takes longer than the sample ({gc} above the time), and \
             there is a large live heap; --gc-step N collects in steps of N KB, -1 not at all"
        ),
        CaseNote::CollectorOff => {
            "the collector is off: what collecting this garbage costs is in none of the numbers"
                .to_owned()
        }
        CaseNote::CollectorStopped => format!(
            "the collector is stopped during samples: its cost is not in the time but in {gc}"
        ),
    }
}

/// So many bytes.
fn size(bytes: f64) -> String {
    Figures::new(&Base::Bytes, [bytes.round()]).show(bytes.round())
}

#[allow(clippy::cast_precision_loss)] // counts of calls
fn grows(growth: &Growth) -> String {
    let figures = Figures::new(&Base::Seconds, [growth.first, growth.call]);
    let count = |calls: u64| plain_number(calls as f64, &Base::Count);
    format!(
        "takes longer the more calls were made since the last collection: {} in the first {} calls, {} in the \
         {} after them; a batch has no collection",
        figures.show(growth.first),
        count(growth.first_calls),
        figures.show(growth.call),
        count(growth.calls)
    )
}

/// A note on a runtime.
pub(super) fn runtime(note: &RuntimeNote) -> &'static str {
    match note {
        RuntimeNote::ClockThroughFfi => {
            "the native module is missing: the clock is read through the FFI"
        }
        RuntimeNote::ClockOfProcess => {
            "the native module is missing: times are os.clock's, CPU time of the process in steps of \
             a microsecond or more"
        }
        RuntimeNote::AllocatorUncounted => {
            "the allocator could not be counted: bytes are collectgarbage('count')'s, and there are \
             no numbers of allocations"
        }
    }
}
