//! What LuaJIT's compiler does while a case is executed: counted, and told with places and reasons.

use etalon_core::metrics;
use etalon_lua::{Finished, Host, Jit};

use crate::Test;
use crate::interpreters::{host, is_installed};
use crate::lab::{Lab, Talk};

pub(crate) const TESTS: &[Test] = &[
    ("what_is_compiled_is_told_from_what_is_not", what_is_compiled_is_told_from_what_is_not),
    ("reasons_are_told_with_their_lines", reasons_are_told_with_their_lines),
    ("reasons_of_another_luajit", reasons_of_another_luajit),
    ("the_words_for_codes_are_those_of_the_build", the_words_for_codes_are_those_of_the_build),
    ("compiling_during_samples_is_counted", compiling_during_samples_is_counted),
    ("a_compiler_that_is_off_counts_nothing", a_compiler_that_is_off_counts_nothing),
    ("a_handler_of_the_suites_own_stays", a_handler_of_the_suites_own_stays),
    ("a_timed_target_is_told_without_what_stands_around_it", a_target_is_told_by_itself),
];

/// The metrics of a compiler, all or none of which are recorded at the end of a block.
const OF_COMPILER: [&str; 5] = [
    metrics::TRACE_STARTS,
    metrics::TRACES,
    metrics::TRACE_ABORTS,
    metrics::MCODE,
    metrics::COMPILING,
];

fn end(talk: &Talk, metric: &str) -> Option<f64> {
    talk.observations.last().unwrap().value(metric)
}

/// Instructions that a call left to the interpreter.
fn interpreted(talk: &Talk) -> Option<f64> {
    let readings = talk.observations.iter();
    let with = readings.filter_map(|it| Some((it.value("interpreted")?, it)));
    #[allow(clippy::cast_precision_loss)] // a count of calls
    with.map(|(value, it)| value / it.observation.iterations.unwrap() as f64).next_back()
}

/// A body that says something about few calls: who loses the CPU for the warm-up of a millisecond makes one call in it,
/// and the compiler starts with what was repeated some dozen times. A body without a loop wants `warm`.
fn of(body: &str) -> (Talk, Finished) {
    lab_of(body).finished()
}

/// After a warm-up that no turn of other programs fills.
fn warm(body: &str) -> (Talk, Finished) {
    Lab { warmup: 0.1, ..lab_of(body) }.finished()
}

/// A compiler that other programs kept from the CPU may start during the samples still, so one of five workers is enough.
fn one_of_five<E: std::fmt::Debug>(says: impl Fn() -> Result<(), E>) {
    let mut others = Vec::new();
    for _ in 0..5 {
        match says() {
            Ok(()) => return,
            Err(other) => others.push(other),
        }
    }
    panic!("none of five: {others:?}");
}

fn lab_of(body: &str) -> Lab {
    let head = "local n, t, sink = 0, {}, measure.sink for i = 1, 100 do t[i] = i end";
    Lab::new(&format!("{head}\nmeasure.describe('a').run(function()\n{body}\nend)"))
}

/// Catches a case that is called compiled although the compiler cannot, and the other way round.
fn what_is_compiled_is_told_from_what_is_not() {
    let (talk, _) = warm("n = n + 1");
    assert!(end(&talk, "traces") > Some(0.0) && end(&talk, "mcode") > Some(0.0));
    assert!(interpreted(&talk).unwrap() < 1.0, "{:?}", interpreted(&talk));
    let sum = end(&talk, "traces").unwrap() + end(&talk, "trace_aborts").unwrap();
    assert_eq!(end(&talk, "trace_starts"), Some(sum));

    let (talk, _) = of("n = function() return t end");
    assert_eq!([end(&talk, "traces"), end(&talk, "mcode")], [Some(0.0); 2]);
    assert!((2.0..20.0).contains(&interpreted(&talk).unwrap()), "{:?}", interpreted(&talk));

    // The loop is compiled, and what makes the closure is not.
    let (talk, _) = of("local s = 0 for i = 1, 100 do s = s + t[i] end
                        n = function() return s end");
    assert!(end(&talk, "traces") > Some(0.0));
    assert!((2.0..50.0).contains(&interpreted(&talk).unwrap()), "{:?}", interpreted(&talk));
}

/// Catches reasons without words, places in another file or line, and functions without their names.
fn reasons_are_told_with_their_lines() {
    let told = |finished: &Finished, reason: &str| {
        let here = |at: &str| at.ends_with("/suite.lua:4");
        finished.aborts.iter().any(|it| it.reason == reason && here(&it.at) && it.count > 0)
    };
    let finished = of("for i = 1, 500 do n = function() return i end end").1;
    assert!(told(&finished, "NYI: bytecode FNEW"), "{finished:?}");
    // An inner loop of few rounds is unrolled; one of which each round makes another loop cannot be.
    let inner = "local j = 0 repeat j = j + 1 until j > 20";
    let nested = format!("local i = 0 repeat {inner} i = i + 1 until i > 20");
    one_of_five(|| {
        let finished = warm(&nested).1;
        told(&finished, "inner loop in root trace").then_some(()).ok_or(finished)
    });
}

/// Catches an interpreter of its own whose events are not counted.
fn reasons_of_another_luajit() {
    if !is_installed("luajit") {
        return;
    }
    let body = "for i = 1, 500 do n = function() return i end end";
    let mut lab = Lab::new(&format!("local n measure.describe('a').run(function() {body} end)"));
    lab.host = host("luajit");
    let (talk, finished) = lab.finished();
    assert!(end(&talk, "trace_aborts") > Some(0.0));
    let [first, ..] = &finished.aborts[..] else { panic!("{finished:?}") };
    // It prints no names of bytecodes, or has no jit.vmdef.
    assert!(
        first.reason.starts_with("NYI: bytecode") || first.reason.starts_with("code 7 "),
        "{first:?}"
    );
    assert!(first.at.ends_with("/suite.lua:2"), "{first:?}");
}

/// Catches words of another version than the LuaJIT that is built in: its own file is beside this program.
fn the_words_for_codes_are_those_of_the_build() {
    let program = std::env::current_exe().unwrap();
    let builds = program.parent().unwrap().parent().unwrap().join("build");
    let found = std::fs::read_dir(builds).unwrap().filter_map(|entry| {
        let path = entry.ok()?.path().join("out/luajit-build/src/jit/vmdef.lua");
        std::fs::read_to_string(path).ok()
    });
    let carried = include_str!("../../lua/traces.lua");
    let texts = |from: &str, begin: &str| -> Vec<String> {
        let list = from.split(begin).nth(1).unwrap().split('}').next().unwrap();
        list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let ours = texts(carried, "local REASONS = {");
    assert!(ours.len() > 30);
    let names = carried.split("local BYTECODES = ").nth(1).unwrap().split("local ").next().unwrap();
    let names: String = names.split('"').skip(1).step_by(2).collect();
    let mut seen = 0;
    for theirs in found {
        assert_eq!(ours, texts(&theirs, "traceerr = {"));
        let list = theirs.split("bcnames = \"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(names, list);
        let version = theirs.split("version == \"").nth(1).unwrap().split('"').next().unwrap();
        assert!(carried.contains(&format!("local VERSION = \"{version}\"")), "{version}");
        seen += 1;
    }
    assert!(seen > 0, "the LuaJIT that was built is not in the target directory");
}

/// Catches compiling that goes on while a case is timed and is not seen.
fn compiling_during_samples_is_counted() {
    // Every call runs a loop that was not there before.
    let (talk, _) =
        of("local f = loadstring('local s = 0 for i = 1, 100 do s = s + i end return s') n = f()");
    assert_eq!(end(&talk, "compiling"), Some(2.0));
    one_of_five(|| match end(&warm("sink(t)").0, "compiling") {
        Some(0.0) => Ok(()),
        other => Err(other),
    });
}

/// Catches events of a compiler that is off, which would say that a case is interpreted by itself.
fn a_compiler_that_is_off_counts_nothing() {
    let mut lab = Lab::new("local n = 0 measure.describe('a').run(function() n = n + 1 end)");
    lab.host = Host { jit: Jit::Off, ..Host::embedded() };
    let (talk, finished) = lab.finished();
    assert!(OF_COMPILER.iter().all(|name| end(&talk, name).is_none()));
    assert_eq!((interpreted(&talk), finished.aborts), (None, Vec::new()));
    // How a case gets going is known without one.
    assert!(end(&talk, "first_call") > Some(0.0));
}

/// Catches a suite that loses the events it asked for, and counts that are told although nobody counted.
fn a_handler_of_the_suites_own_stays() {
    let lab = Lab::new(
        "local events, n = 0, nil
         jit.attach(function() events = events + 1 end, 'trace')
         measure.describe('a').run(function() for i = 1, 500 do n = function() return i end end end)
             .teardown(function() print(events > 0) end)",
    );
    let (mut talk, finished) = lab.finished();
    assert_eq!(talk.printed(), "true\n");
    assert!(OF_COMPILER.iter().all(|name| end(&talk, name).is_none()));
    assert_eq!(finished.aborts, Vec::new());
    assert!(
        talk.notes.iter().any(|note| note.contains("a handler of its own")),
        "{:?}",
        talk.notes
    );
}

/// Catches the clock's instructions among those of a target; they would be in all workers.
fn a_target_is_told_by_itself() {
    let lab = Lab::new(
        "local n, t = 0, {} for i = 1, 100 do t[i] = i end
         measure.describe('a').run_with_timer(function(m)
             local list = {} for i = 1, 500 do list[i] = function() return i end end
             return m(function() n = n + 1 end)
         end)",
    );
    one_of_five(|| match interpreted(&lab.finished().0) {
        Some(count) if count <= 6.0 => Ok(()),
        other => Err(other),
    });
}
