//! Counts of allocations are exact.

use etalon_lua::Reading;

use super::Test;
use super::lab::{Lab, quick};

pub(crate) const TESTS: &[Test] = &[
    ("a_no_op_allocates_nothing", a_no_op_allocates_nothing),
    ("known_functions_are_counted_exactly", known_functions_are_counted_exactly),
    ("what_is_allocated_now_and_then_is_counted", what_is_allocated_now_and_then_is_counted),
    ("the_table_of_all_strings_is_not_counted", the_table_of_all_strings_is_not_counted),
    ("a_result_that_is_found_counts_as_new", a_result_that_is_found_counts_as_new),
    (
        "a_long_call_that_finds_its_result_counts_as_new",
        a_long_call_that_finds_its_result_counts_as_new,
    ),
    (
        "calls_that_find_nothing_are_counted_as_they_come",
        calls_that_find_nothing_are_counted_as_they_come,
    ),
    ("only_the_target_of_a_timer_counts", only_the_target_of_a_timer_counts),
    ("uncollected_memory_is_the_cases", uncollected_memory_is_the_cases),
    ("a_trace_that_starts_repeats_the_reading", a_trace_that_starts_repeats_the_reading),
];

/// Three readings of a function, with the JIT compiler or without it.
fn readings(jit: &str, body: &str) -> Vec<Reading> {
    let lab = Lab::new(&format!(
        "jit.{jit}(); local n, kept = 1000000, nil; local sink = measure.sink
         measure.describe('a').run(function() {body} end)"
    ));
    let (mut talk, _) = lab.prepared(quick());
    talk.turn(0);
    talk.memory(3)
}

/// Per call: bytes, allocations, reallocations, frees.
fn per_call(reading: &Reading) -> [f64; 4] {
    let calls = reading.observation.iterations.unwrap() as f64;
    ["alloc", "allocs", "reallocs", "frees"].map(|name| reading.value(name).unwrap() / calls)
}

/// Catches the driver's own garbage, a compiler's, and a collector that runs.
fn a_no_op_allocates_nothing() {
    for jit in ["on", "off"] {
        for body in ["", "n = n + 1", "sink(n)"] {
            for reading in readings(jit, body) {
                assert_eq!(per_call(&reading), [0.0; 4], "{jit} {body}");
            }
        }
    }
}

/// Catches counts that are rounded, doubled or of something else. The sizes are LuaJIT's own
/// structures on 64 bits: a table 64 B (lj_obj.h: GCtab); a Lua function 40 B and 8 for
/// its upvalue, whose cell is shared (GCfuncL); an array of two has slots 0 to 2 of 8 B each.
fn known_functions_are_counted_exactly() {
    let expected = [
        ("kept = {}", [64.0, 1.0, 0.0, 0.0]),
        ("kept = { {}, {} }", [64.0 * 3.0 + 24.0, 3.0, 0.0, 0.0]),
        ("kept = function() return n end", [48.0, 1.0, 0.0, 0.0]),
    ];
    for jit in ["on", "off"] {
        for (body, counts) in &expected {
            for reading in readings(jit, body) {
                assert_eq!(per_call(&reading), *counts, "{jit} {body}");
            }
        }
    }
}

/// Catches a reading of a few calls of many: what a table that grows allocates comes once in so many.
fn what_is_allocated_now_and_then_is_counted() {
    let lab = Lab::new(
        "local n, kept = 0, nil
         measure.describe('a').run(function()
             n = n + 1
             if n % 20000 == 0 then kept = {} end
         end)",
    );
    let mut prepare = quick();
    // What the calls allocate ends a batch: 64 B in 20,000 calls.
    (prepare.batch_ns, prepare.allocation) = (10_000_000_000, 16 << 10);
    let (mut talk, prepared) = lab.prepared(prepare);
    assert!(prepared.iterations >= 20_000, "{}", prepared.iterations);
    talk.turn(0);
    for reading in talk.memory(3) {
        assert_eq!(
            reading.observation.iterations.map(i64::unsigned_abs),
            Some(prepared.iterations)
        );
        let expected = (prepared.iterations / 20_000) as f64;
        let found = reading.value("allocs").unwrap();
        assert!((expected..=expected + 1.0).contains(&found), "{found} of {expected}");
    }
}

/// Catches counts of what Lua keeps its strings in: it is doubled in whichever call fills it, so that
/// 10,000 strings of 36 B were counted as 62 B each. A string is 24 B, its bytes and a zero, in fours
/// (lj_obj.h: GCstr).
fn the_table_of_all_strings_is_not_counted() {
    for jit in ["on", "off"] {
        let lab = Lab::new(&format!(
            "jit.{jit}(); local n, format, kept = 0, string.format, nil
             measure.describe('a').run(function() n = n + 1 kept = format('%08d', n) end)"
        ));
        let mut prepare = quick();
        // What the calls allocate ends a batch, not the time they take on a busy machine, so that a reading
        // is of as many calls as one can be.
        (prepare.batch_ns, prepare.allocation) = (10_000_000_000, 4 << 20);
        let (mut talk, prepared) = lab.prepared(prepare);
        assert!(prepared.iterations >= 10_000, "{}", prepared.iterations);
        talk.turn(0);
        for reading in talk.memory(2) {
            assert_eq!(per_call(&reading), [36.0, 1.0, 0.0, 0.0], "{jit}");
        }
        // Nor is what is left of it afterwards, or was left before, uncollected memory of the case's.
        talk.finish();
        let uncollected = talk.observations.last().unwrap().value("uncollected").unwrap();
        assert!(uncollected.abs() < 8192.0, "{uncollected}");
    }
}

/// Bytes, allocations and bytes of interned strings of a call.
fn found(reading: &Reading) -> (f64, f64, Option<f64>) {
    let calls = reading.observation.iterations.unwrap() as f64;
    let [bytes, allocs, ..] = per_call(reading);
    (bytes, allocs, reading.value("interned").map(|bytes| bytes / calls))
}

/// Catches 0 B for a formatter: the string of its last call is in memory still, because the collector is
/// stopped or because `measure.sink` holds it. A string of two is 28 B, of 400 428 B, a table 64 B.
fn a_result_that_is_found_counts_as_new() {
    let expected = [
        ("sink(t.a .. t.b)", (28.0, 1.0, Some(28.0))),
        ("sink({}, t.a .. t.b)", (92.0, 2.0, Some(28.0))),
        ("n = n % 9 + 1 sink(t.a .. n)", (28.0, 1.0, Some(28.0))), // nine of them take turns
        ("sink(t.long:rep(10))", (428.0, 1.0, Some(428.0))),
    ];
    for jit in ["on", "off"] {
        for (body, expected) in &expected {
            let lab = Lab::new(&format!(
                "jit.{jit}(); local n, t, sink = 0, {{ a = 'a', b = 'b', long = ('x'):rep(40) }}, measure.sink
                 measure.describe('a').run(function() {body} end)
                 measure.describe('b').run_with_timer(function(m) return m(function() {body} end) end)"
            ));
            for case in [1, 2] {
                let mut prepare = quick();
                prepare.case = case;
                let (mut talk, _) = lab.prepared(prepare);
                talk.turn(0);
                for reading in talk.memory(3) {
                    assert_eq!(found(&reading), *expected, "{jit} {body}");
                }
            }
        }
    }
}

/// Catches 0 B for a long call that makes what it made before, and the growth of a buffer counted with it. The string
/// is 100,000 B long.
fn a_long_call_that_finds_its_result_counts_as_new() {
    for jit in ["on", "off"] {
        let lab = Lab::new(&format!(
            "jit.{jit}(); local t = {{ long = ('x'):rep(1000) }}
             measure.describe('a').run(function() measure.sink(t.long:rep(100)) end)"
        ));
        let mut prepare = quick();
        (prepare.batch_ns, prepare.long_ns) = (1, 1); // every call is a long one
        let (mut talk, prepared) = lab.prepared(prepare);
        assert_eq!(prepared.iterations, 1);
        talk.turn(0);
        for reading in talk.memory(2) {
            assert_eq!(found(&reading), (100_028.0, 1.0, Some(100_028.0)), "{jit}");
            assert_eq!(reading.value("reallocs"), Some(0.0), "{jit}");
        }
    }
}

/// Catches single calls reported where they say nothing else: of results that are new anyway, of strings that
/// are constants or kept by the suite, of tables that grow now and then.
fn calls_that_find_nothing_are_counted_as_they_come() {
    let expected = [
        ("n = n + 1 sink(n .. '')", Some(1.0)),
        ("kept = t.a .. t.b", Some(0.0)),
        ("sink('a', t.b)", Some(0.0)),
        ("n = n + 1 list[n] = n", None),
        ("n = n + 1 if n % 5 == 0 then sink({}) end", None),
    ];
    for jit in ["on", "off"] {
        for (body, allocs) in &expected {
            let lab = Lab::new(&format!(
                "jit.{jit}(); local n, t, list, kept, sink = 1000000, {{ a = 'a', b = 'b' }}, {{}}, nil, measure.sink
                 measure.describe('a').run(function() {body} end)"
            ));
            let mut prepare = quick();
            // Long enough that a busy machine leaves more calls in it than are looked at alone.
            prepare.batch_ns = 10_000_000;
            let (mut talk, prepared) = lab.prepared(prepare);
            assert!(prepared.iterations > 16, "{jit} {body}");
            talk.turn(0);
            for reading in talk.memory(3) {
                let (_, found, interned) = found(&reading);
                assert_eq!(interned, None, "{jit} {body}");
                assert!(allocs.is_none_or(|allocs| found == allocs), "{jit} {body}: {found}");
                assert!(reading.observation.iterations.unwrap() > 16, "{jit} {body}");
            }
        }
    }
}

/// Catches a timed function's preparation in its counts.
fn only_the_target_of_a_timer_counts() {
    let lab = Lab::new(
        "local kept, other
         local function target() kept = {} end
         measure.describe('a').run_with_timer(function(m) other = { {}, {} } return m(target) end)",
    );
    let (mut talk, _) = lab.prepared(quick());
    for reading in talk.memory(3) {
        assert_eq!(per_call(&reading), [64.0, 1.0, 0.0, 0.0]);
    }
}

/// Catches the tool's own buffers in it, and a leak that is not seen.
fn uncollected_memory_is_the_cases() {
    let uncollected = |suite: &str| {
        let (talk, _) = Lab::new(suite).finished();
        talk.observations.last().unwrap().value("uncollected").unwrap()
    };
    let small = uncollected("measure.describe('a').run(function() end)");
    assert!(small.abs() < 8192.0, "{small}");
    let leak = uncollected(
        "local kept, n = {}, 0
         measure.describe('a').run(function() n = n + 1 kept[n] = ('x'):rep(10000) .. n end)",
    );
    // Two samples, their untimed batches, memory readings: a dozen calls at the very least.
    assert!(leak > 1e5, "{leak}");
}

/// Catches what the compiler allocates in the counts, and readings that repeat without end: this one
/// compiles a new function in every call batch.
fn a_trace_that_starts_repeats_the_reading() {
    let lab = Lab::new(
        "local calls = 0
         measure.describe('a').run(function()
             calls = calls + 1
             if calls % 50 == 0 then
                 local f = loadstring('local s = 0 for i = 1, 200 do s = s + i end return s')
                 f()
             end
         end)",
    );
    let mut prepare = quick();
    // Ended by what the compiled functions allocate, hundreds of bytes in 50 calls.
    (prepare.batch_ns, prepare.allocation) = (10_000_000_000, 64 << 10);
    let (mut talk, prepared) = lab.prepared(prepare);
    assert!(prepared.iterations >= 50, "{}", prepared.iterations);
    talk.memory(1);
    assert_eq!(talk.notes.len(), 1);
    assert!(talk.notes[0].contains("trace"), "{}", talk.notes[0]);
}
