//! Warm-up that ends by itself: by which rule, and what is recorded of it.

use etalon_core::model::Phase;
use etalon_lua::Prepare;

use super::Test;
use super::lab::{Lab, Talk, quick};

pub(crate) const TESTS: &[Test] = &[
    ("times_are_on_one_level", times_are_on_one_level),
    (
        "batches_like_samples_are_seen_before_the_first",
        batches_like_samples_are_seen_before_the_first,
    ),
    ("the_limit_ends_a_warm_up", the_limit_ends_a_warm_up),
    ("a_long_call_is_not_made_again_for_the_level", a_long_call_is_not_made_again_for_the_level),
    ("what_is_asked_for_is_not_cut", what_is_asked_for_is_not_cut),
];

/// Longer than any machine needs.
const PATIENT: f64 = 60.0;

fn until_level(seconds: f64) -> Prepare {
    Prepare { warmup: seconds, until_level: true, ..quick() }
}

/// The words about the limit at the end of the process.
fn cut(talk: &mut Talk) -> Option<f64> {
    talk.finish();
    talk.observations.last().unwrap().value("warmup_cut")
}

/// Catches a step or a trend that passes for a level, and a level that does not.
fn times_are_on_one_level() {
    // After how many readings; 0: never.
    let sequences = [
        ("constant", "{ 1, 1, 1, 1, 1, 1, 1, 1, 1 }", 8.0),
        ("too_few", "{ 1, 1, 1, 1, 1, 1, 1 }", 0.0),
        ("step_down", "{ 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1 }", 12.0),
        ("step_up", "{ 1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 3, 4 }", 12.0),
        ("step_within", "{ 9, 9, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }", 8.0),
        ("falling", "{ 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1 }", 0.0),
        ("rising", "{ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }", 0.0),
        ("ties", "{ 2, 2, 2, 2, 2, 3, 3, 3 }", 8.0),
        ("alternating", "{ 1, 9, 1, 9, 1, 9, 1, 9 }", 8.0),
        ("one_late_slow", "{ 1, 2, 1, 2, 1, 2, 1, 99 }", 8.0),
        ("zeros", "{ 0, 0, 0, 0, 0, 0, 0, 0 }", 8.0),
    ];
    let rule = concat!(env!("CARGO_MANIFEST_DIR"), "/lua/level.lua");
    let tried = sequences.map(|(name, times, _)| format!("try('{name}', {times})")).join("\n");
    let suite = format!(
        "local new_level = assert(loadfile({rule:?}))()
         local function try(name, times)
             local add, ended = new_level(), 0
             for count, time in ipairs(times) do
                 if add(time) and ended == 0 then ended = count end
             end
             measure.metric(name, ended, 'count')
         end
         measure.describe('a').run(function() end).teardown(function() {tried} end)"
    );
    let (mut talk, _) = Lab::new(&suite).prepared(quick());
    let found = talk.finish().metrics;
    for (name, _, expected) in sequences {
        let metric = found.iter().find(|metric| metric.name == name).unwrap();
        assert_eq!(metric.value, expected, "{name}");
    }
}

/// Catches a level that is looked for in other batches than a sample's, and calls that are not recorded.
fn batches_like_samples_are_seen_before_the_first() {
    let lab = Lab::new(
        "local calls = 0
         measure.describe('a').run(function() calls = calls + 1; return { calls } end)
             .teardown(function() measure.metric('calls', calls, 'count') end)
         measure.describe('b').run_with_timer(function(m) return m(function() end) end)",
    );
    for (case, gc_step) in [(0, 0), (1, -1), (1, 0), (1, 64), (2, 0)] {
        let prepare = Prepare { case, gc_step, ..until_level(PATIENT) };
        let (mut talk, prepared) = lab.prepared(prepare);
        let warmups = talk.observations.iter().filter(|o| o.observation.phase == Phase::Warmup);
        let calls: Vec<i64> = warmups.filter_map(|o| o.observation.iterations).collect();
        let like_samples = calls.iter().rev().take_while(|calls| **calls == calls_of(&prepared));
        assert!(like_samples.count() >= 8, "{case} {gc_step}: {calls:?}");
        assert!(prepared.warmup_ns > 0.0);
        let finished = talk.finish();
        assert_eq!(talk.observations.last().unwrap().value("warmup_cut"), Some(0.0));
        if gc_step < 0 {
            assert_eq!(finished.metrics[0].value, calls.iter().sum::<i64>() as f64);
        }
    }
}

fn calls_of(prepared: &etalon_lua::Prepared) -> i64 {
    i64::try_from(prepared.iterations).unwrap()
}

/// Catches a limit that does not end it, or is not told.
fn the_limit_ends_a_warm_up() {
    let lab = Lab::new("measure.describe('a').run(function() end)");
    let (mut talk, prepared) = lab.prepared(until_level(0.0));
    assert!(prepared.iterations > 1);
    assert_eq!(cut(&mut talk), Some(1.0));
}

/// Catches a function that is called as rarely as can be, and eight times more for its level.
fn a_long_call_is_not_made_again_for_the_level() {
    let lab = Lab::new(
        "local calls = 0
         measure.describe('a').run(function() calls = calls + 1; os.execute('sleep 0.01') end)
             .teardown(function() measure.metric('calls', calls, 'count') end)",
    );
    let prepare = Prepare { long_ns: 1_000_000, ..until_level(0.003) };
    let (mut talk, prepared) = lab.prepared(prepare);
    assert_eq!(prepared.iterations, 1);
    talk.turn(0);
    // One to warm up, one to calibrate; the timed one.
    assert_eq!(talk.finish().metrics[0].value, 3.0);
}

/// Catches a level that is looked for where somebody asked for a time.
fn what_is_asked_for_is_not_cut() {
    let lab = Lab::new("measure.describe('a').run(function() end)");
    let (mut talk, prepared) = lab.prepared(Prepare { warmup: 0.02, ..quick() });
    assert!(prepared.warmup_ns >= 20e6);
    assert_eq!(cut(&mut talk), None);
}
