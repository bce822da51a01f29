//! Samples: their size, what is collected around them, their clock, their lines.

use etalon_core::model::Phase;
use etalon_lua::{Answer, Clock, Prepare, Reading, Source};
use etalon_record::Strictness;

use super::Test;
use super::lab::{Lab, Talk, quick};

pub(crate) const TESTS: &[Test] = &[
    ("a_sample_is_one_batch", a_sample_is_one_batch),
    ("a_slow_call_is_a_batch", a_slow_call_is_a_batch),
    ("a_long_call_is_made_rarely", a_long_call_is_made_rarely),
    ("a_batch_has_its_cpu_time", a_batch_has_its_cpu_time),
    ("a_compiler_that_is_switched_off_is_noted", a_compiler_that_is_switched_off_is_noted),
    ("calls_before_a_sample_are_timed", calls_before_a_sample_are_timed),
    ("calls_that_grow_stay_within_the_limit", calls_that_grow_stay_within_the_limit),
    ("allocation_bounds_a_batch", allocation_bounds_a_batch),
    ("everything_is_collected_before_a_sample", everything_is_collected_before_a_sample),
    ("nothing_is_collected_when_it_is_off", nothing_is_collected_when_it_is_off),
    ("steps_follow_a_sample", steps_follow_a_sample),
    ("nothing_is_collected_inside_a_batch", nothing_is_collected_inside_a_batch),
    ("clocks_can_be_forced", clocks_can_be_forced),
    ("a_timer_times_its_target_only", a_timer_times_its_target_only),
    ("what_stands_around_a_call_is_timed", what_stands_around_a_call_is_timed),
    ("the_empty_loop_is_a_case", the_empty_loop_is_a_case),
    ("code_is_a_case", code_is_a_case),
    ("lines_are_record_lines", lines_are_record_lines),
    ("a_file_shows_its_options", a_file_shows_its_options),
];

/// Counts its calls, and gives the count when it is over.
const COUNTED: &str = "local calls = 0
     measure.describe('a').run(function() calls = calls + 1 end)
         .teardown(function() measure.metric('calls', calls, 'count') end)";

/// Catches calls that are made and not recorded, or recorded and not made.
fn a_sample_is_one_batch() {
    let (mut talk, _) = Lab::new(COUNTED).loaded();
    let mut prepare = quick();
    prepare.gc_step = -1; // no untimed batches
    // A call takes nanoseconds: no machine is away as long at each one that is tried alone.
    (prepare.batch_ns, prepare.long_ns) = (10_000_000, 60_000_000_000);
    let prepared = talk.prepare(prepare);
    assert!(prepared.iterations > 1);
    for turn in [3, 1] {
        let sample = talk.turn(turn);
        assert_eq!(
            (
                sample.observation.iterations.map(i64::unsigned_abs),
                sample.observation.coordinates.turn
            ),
            (Some(prepared.iterations), Some(turn))
        );
        assert!(sample.observation.phase == Phase::Measured && sample.value("wall").unwrap() > 0.0);
    }
    let recorded: i64 = talk.observations.iter().filter_map(|o| o.observation.iterations).sum();
    let finished = talk.finish();
    assert_eq!(finished.samples, 2);
    assert_eq!(finished.metrics[0].value, recorded as f64);
}

/// A function that sleeps, through one sample: how often it was called.
fn calls_of_a_sleeper(long_ns: u64) -> f64 {
    let lab = Lab::new(&COUNTED.replace("calls + 1", "calls + 1; os.execute('sleep 0.01')"));
    let (mut talk, _) = lab.loaded();
    let mut prepare = quick();
    prepare.warmup = 0.0;
    prepare.long_ns = long_ns;
    assert_eq!(talk.prepare(prepare).iterations, 1);
    talk.turn(0);
    talk.finish().metrics[0].value
}

/// Catches a slow function that is called more often than its batch needs.
fn a_slow_call_is_a_batch() {
    // Two to calibrate; the untimed and the timed one.
    assert_eq!(calls_of_a_sleeper(60_000_000_000), 4.0);
}

/// Catches a long function whose calls are not all of use.
fn a_long_call_is_made_rarely() {
    // One to calibrate; the timed one.
    assert_eq!(calls_of_a_sleeper(1_000_000), 2.0);
}

/// Catches CPU time that is another name for the wall clock, and that of what stands around a timed target.
fn a_batch_has_its_cpu_time() {
    let lab = Lab::new(
        "local function sleep() os.execute('sleep 0.01') end
         measure.describe('a').run(sleep)
         measure.describe('b').run_with_timer(function(m) return m(sleep) end)",
    );
    let sample = |case: u32| {
        let (mut talk, _) = lab.prepared(Prepare { case, warmup: 0.0, ..quick() });
        talk.turn(0)
    };
    let plain = sample(1);
    let (cpu, wall) = (plain.value("cpu").unwrap(), plain.value("wall").unwrap());
    assert!(cpu > 0.0 && cpu < wall, "{cpu} of {wall}");
    assert_eq!(sample(2).value("cpu"), None);
}

/// Catches JIT=on over times that were measured without it.
fn a_compiler_that_is_switched_off_is_noted() {
    for (before, setup, said) in [
        ("", "jit.off()", Some("measured with JIT=off")),
        ("jit.off()", "jit.on()", Some("measured with JIT=on")),
        ("", "", None),
        ("jit.off()", "", None), // the answer to load says so
    ] {
        let lab = Lab::new(&format!(
            "{before} measure.describe('a').setup(function() {setup} end).run(function() end)"
        ));
        let (talk, _) = lab.finished();
        assert_eq!(
            talk.notes.len(),
            usize::from(said.is_some()),
            "{before}, {setup}: {:?}",
            talk.notes
        );
        assert!(said.is_none_or(|said| talk.notes[0].contains(said)), "{:?}", talk.notes);
    }
}

/// Catches calls before a sample that are timed where nothing can be seen in them, or not where it can.
fn calls_before_a_sample_are_timed() {
    for (body, gc_step, timed) in
        [("kept = {}", 0, true), ("n = n + 1", 0, false), ("kept = {}", 50, false)]
    {
        let lab = Lab::new(&format!(
            "local n, kept = 0, nil measure.describe('a').run(function() {body} end)"
        ));
        let mut prepare = quick();
        prepare.gc_step = gc_step;
        let (mut talk, _) = lab.prepared(prepare);
        for turn in 0..3 {
            let sample = talk.turn(turn);
            let (wall, rewarm) = (sample.value("wall").unwrap(), sample.value("rewarm"));
            assert_eq!(rewarm.is_some(), timed, "{body} {gc_step}");
            assert!(wall > 0.0 && rewarm.is_none_or(|rewarm| rewarm > 0.0));
        }
    }
}

/// Catches batches that fill the memory because calls allocate ever more.
fn calls_that_grow_stay_within_the_limit() {
    let lab = Lab::new(
        "local n, kept = 0, nil
         measure.describe('a').run(function() n = n + 1 kept = ('x'):rep(10 * n) .. n end)
             .teardown(function() measure.metric('calls', n, 'count') end)",
    );
    let mut prepare = quick();
    prepare.batch_ns = 1_000_000_000;
    prepare.allocation = 4_000_000;
    let (mut talk, prepared) = lab.prepared(prepare);
    let last = (0..40).map(|turn| talk.turn(turn).observation.iterations.unwrap()).last().unwrap();
    assert!(last.unsigned_abs() < prepared.iterations, "{last}");
    // Each call of the last sample allocated at most twice what the last one of all did.
    let most = last as f64 * 20.0 * talk.finish().metrics[0].value;
    assert!(most < 16e6, "{most}");
}

/// Catches a batch that fills the memory while the collector is stopped.
fn allocation_bounds_a_batch() {
    let lab = Lab::new(
        "local n, kept = 0, nil -- kept: what nobody takes is compiled away
         measure.describe('a').run(function() n = n + 1 kept = ('x'):rep(100000) .. n end)",
    );
    for (gc_step, most) in [(0, 20), (-1, 40), (100, 40)] {
        let mut prepare = quick();
        prepare.gc_step = gc_step;
        prepare.batch_ns = 1_000_000_000;
        prepare.allocation = 4_000_000; // 40 calls: each makes one new string of 100 kB
        let (_, prepared) = lab.prepared(prepare);
        assert!((1..=most).contains(&prepared.iterations), "{gc_step}: {}", prepared.iterations);
    }
}

fn collections(sample: &Reading) -> (Option<f64>, bool) {
    (sample.value("gc_cycles"), sample.value("gc_time").is_some())
}

/// Catches a sample whose collection is not timed or not done.
fn everything_is_collected_before_a_sample() {
    let (mut talk, _) = Lab::new("measure.describe('a').run(function() end)").prepared(quick());
    for turn in 0..3 {
        assert_eq!(collections(&talk.turn(turn)), (Some(1.0), true));
    }
}

/// Catches collections where none were asked for, and garbage that grows without end.
fn nothing_is_collected_when_it_is_off() {
    let mut prepare = quick();
    prepare.gc_step = -1;
    let (mut talk, _) =
        Lab::new("measure.describe('a').run(function() end)").prepared(prepare.clone());
    assert_eq!(collections(&talk.turn(0)), (None, false));
    prepare.allocation = 1_000_000;
    let lab = Lab::new(
        "local n, kept = 0, nil -- kept: what nobody takes is compiled away
         measure.describe('a').run(function() n = n + 1 kept = ('x'):rep(100000) .. n end)",
    );
    let (mut talk, _) = lab.prepared(prepare);
    let collected = (0..40).filter(|turn| collections(&talk.turn(*turn)).1).count();
    assert!((1..40).contains(&collected), "{collected}");
}

/// Catches steps that are not taken, not timed, or taken where nothing has grown.
fn steps_follow_a_sample() {
    let mut prepare = quick();
    prepare.gc_step = 10_000;
    let (mut talk, _) =
        Lab::new("measure.describe('a').run(function() end)").prepared(prepare.clone());
    assert_eq!(collections(&talk.turn(0)), (None, false));
    prepare.gc_step = 1;
    let lab = Lab::new(
        "local n, kept = 0, nil -- kept: what nobody takes is compiled away
         measure.describe('a').run(function() n = n + 1 kept = ('x'):rep(100000) .. n end)",
    );
    let (mut talk, _) = lab.prepared(prepare);
    for turn in 0..5 {
        assert!(collections(&talk.turn(turn)).1);
    }
}

/// Catches a collector that runs on its own between `before` and `after`: what is held weakly
/// would be gone. It is held again from the first sample on.
fn nothing_is_collected_inside_a_batch() {
    let suite =
        "local weak, sampling, lost, n, kept = setmetatable({}, { __mode = 'v' }), false, 0, 0, nil
         measure.describe('a').run(function()
             n = n + 1 -- equal strings are one string: no garbage
             if not weak.held then
                 if sampling then lost = lost + 1 end
                 weak.held = {}
             end
             sampling = sampling or io.open('MARK') ~= nil
             kept = ('x'):rep(10000) .. n
         end).teardown(function() measure.metric('lost', lost, 'count') end)";
    for (gc_step, most) in [(-1, 0.0), (0, 5.0)] {
        let marks = tempfile::tempdir().unwrap();
        let mark = marks.path().join("mark");
        let lab = Lab::new(&suite.replace("MARK", mark.to_str().unwrap()));
        let mut prepare = quick();
        prepare.gc_step = gc_step;
        prepare.batch_ns = 5_000_000; // megabytes: several cycles of a collector that is not stopped
        prepare.allocation = 1 << 30; // nor is there so much garbage that it is collected between batches
        let (mut talk, _) = lab.prepared(prepare);
        std::fs::write(&mark, "").unwrap();
        for turn in 0..5 {
            talk.turn(turn);
        }
        // With full collections the first call after each finds it gone: one per turn at most.
        let lost = talk.finish().metrics[0].value;
        assert!(lost <= most, "{gc_step}: {lost}");
    }
}

/// Catches a clock other than the one stated, and a start time nobody knows.
fn clocks_can_be_forced() {
    let clocks = [(Clock::Best, "native"), (Clock::Ffi, "ffi"), (Clock::Os, "os")];
    for (clock, name) in clocks {
        let mut lab = Lab::new("measure.describe('a').run(function() end)");
        lab.clock = clock;
        let (mut talk, loaded) = lab.loaded();
        assert_eq!(loaded.runtime.clock, name);
        talk.prepare(quick());
        let sample = talk.turn(0);
        assert!(sample.value("wall").unwrap() > 0.0);
        let line: serde_json::Value = serde_json::from_slice(&sample.line).unwrap();
        match line.get("at") {
            Some(at) => assert!(name != "os" && at.as_u64().unwrap() < 60_000_000_000, "{at}"),
            None => assert_eq!(name, "os"),
        }
    }
}

/// Catches a target that is called more than once, and preparation that is timed: it sleeps.
fn a_timer_times_its_target_only() {
    let lab = Lab::new(
        "local prepared, called = 0, 0
         local function target() called = called + 1 end
         measure.describe('a').run_with_timer(function(m)
             prepared = prepared + 1
             os.execute('sleep 0.02')
             return m(target)
         end).teardown(function() measure.metric('difference', prepared - called, 'count') end)",
    );
    let (mut talk, _) = lab.prepared(quick());
    // What is prepared sleeps for 20 ms at least. Were that timed, no sample could be below it; that
    // none of many is, because the machine was away in each of them, cannot be.
    let below = |turn| {
        let sample = talk.turn(turn);
        sample.value("wall").unwrap() / (sample.observation.iterations.unwrap() as f64) < 2e7
    };
    assert!((0..50).any(below));
    assert_eq!(talk.finish().metrics[0].value, 0.0);
}

/// Catches an empty loop in place of what `run_with_timer` puts around a target. Readings of the clock are
/// counted instead of timed: two for a batch, or two for each of at least a thousand calls.
fn what_stands_around_a_call_is_timed() {
    for (run, many) in [
        ("run(function() end)", false),
        ("run_with_timer(function(m) return m(function() end) end)", true),
    ] {
        let mut lab = Lab::new(&format!(
            "jit.off() -- compiled code calls no hooks
             measure.describe('a').{run}.teardown(function()
                 local readings, info, clock = 0, debug.getinfo, os.clock
                 debug.sethook(function()
                     if info(2, 'f').func ~= clock then return end
                     readings = readings + 1
                     if readings == 2000 then io.open('MARK', 'w'):close() end
                 end, 'c')
             end)"
        ));
        lab.clock = Clock::Os;
        let (talk, _) = lab.finished();
        assert!(talk.observations.last().unwrap().value("empty_loop").is_some());
        assert_eq!(lab.path("MARK").exists(), many, "{run}");
    }
}

/// Catches an overhead row that runs the suite's hooks or has no samples.
fn the_empty_loop_is_a_case() {
    let lab = Lab::new(
        "function measure.before_all() print('hook') end measure.describe('a').run(print)",
    );
    let mut prepare = quick();
    prepare.case = 0;
    let (mut talk, prepared) = lab.prepared(prepare);
    assert!(prepared.iterations >= 1);
    assert!(talk.turn(0).value("wall").unwrap() > 0.0);
    assert_eq!(talk.memory(1)[0].value("allocs"), Some(0.0));
    assert_eq!(talk.finish().samples, 1);
    assert_eq!(talk.printed(), "");
}

/// Catches code that is executed once instead of measured, and expressions that are refused.
fn code_is_a_case() {
    let lab = Lab::new("");
    for code in ["local t = {} -- comment", "1 + 1", "('x'):rep(3)"] {
        let source = Source::Chunk { code: code.to_owned(), name: "it".to_owned() };
        let mut talk: Talk = lab.start();
        let Answer::Loaded(loaded) = talk.ask(&lab.request_for(source)) else { panic!("{code}") };
        assert_eq!((loaded.cases.len(), loaded.cases[0].name.as_str()), (1, "it"));
        talk.prepare(quick());
        talk.turn(0);
        talk.turn(1);
        assert_eq!(talk.finish().samples, 2);
    }
}

/// Catches lines a strict reader of records refuses.
fn lines_are_record_lines() {
    let lab = Lab::new("measure.describe('a').run(function() return {} end)");
    let (talk, _) = lab.finished();
    let mut record = String::from(
        "{\"type\":\"header\",\"format\":\"etalon\",\"version\":1,\"tool\":\"test\",\"context\":{}}\n",
    );
    for metric in etalon_lua::metrics::all() {
        let (name, unit) = (&metric.name, metric.unit.symbol());
        record += &format!(
            "{{\"type\":\"metric\",\"name\":\"{name}\",\"unit\":\"{unit}\",\"direction\":\"lower\",\"kind\":\"noisy\"}}\n"
        );
    }
    record += "{\"type\":\"benchmark\",\"name\":\"a\",\"command\":\"a\"}\n";
    for observation in &talk.observations {
        record += std::str::from_utf8(&observation.line).unwrap();
    }
    let set = etalon_record::raw::read(record.as_bytes(), "test", Strictness::Strict).unwrap();
    // Two samples, two memory readings, and the one at the end.
    assert_eq!(set.len(), 5);
    let last = talk.observations.last().unwrap();
    for name in ["heap", "uncollected", "rss", "empty_loop"] {
        assert!(last.value(name).is_some(), "{name}");
    }
    let warm = talk.observations.iter().filter(|o| o.observation.phase == Phase::Warmup).count();
    assert_eq!(warm + 5, talk.observations.len());
}

/// Catches options that are accepted and forgotten, and defaults that are made up.
fn a_file_shows_its_options() {
    let lab = Lab::new("measure.options({ warmup = 0.25, gc_step = -1, rciw = 2.5 })");
    let (_, loaded) = lab.loaded();
    let options = loaded.options;
    assert_eq!((options.warmup, options.gc_step), (Some(0.25), Some(-1)));
    assert_eq!((options.rciw, options.confidence_level), (Some(2.5), None));
    assert!(loaded.runtime.version.starts_with("LuaJIT 2.1"), "{}", loaded.runtime.version);
    assert_eq!((loaded.runtime.language.as_str(), loaded.runtime.jit.as_str()), ("Lua 5.1", "on"));
}
