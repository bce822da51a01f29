//! Options of a file act, those of the command line win, and what cannot be obeyed is refused.

use crate::suites::{QUICK, plain, run};
use crate::support::{Lab, Record, has};
use serde_json::json;

fn suite(lab: &Lab, options: &str) {
    lab.write(
        "s.lua",
        format!(
            "local measure = require('measure')
             measure.options({{ {options} }})
             measure.describe('a'):run(function() measure.sink({{}}) end)
             measure.describe('b'):run(function() measure.sink({{}}) end)"
        ),
    );
}

fn case(record: &Record) -> serde_json::Value {
    record.of_type("benchmark")[0]["case"].clone()
}

/// Would catch an option of the file that is read and not passed on, one of the command line that
/// does not win, and defaults in place of either.
#[test]
fn the_command_line_wins_over_the_file() {
    let lab = Lab::new();
    suite(&lab, "warmup = 0.01, gc_step = 64, confidence_level = 90, rciw = 7");
    let amount = ["run", "-r", "10", "--budget", "0.1s", "s.lua"];
    lab.run(amount).expect(0);
    let found = case(&lab.record());
    assert_eq!(
        [&found["warmup"], &found["gc_step"], &found["confidence"], &found["target"]],
        [&json!(0.01), &json!(64), &json!(0.9), &json!(0.07)]
    );
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][0]["metrics"]["wall"]["level"], 0.9);
    let typed = ["-w", "2ms", "--gc-step", "-1", "--confidence", "99%"];
    lab.run([&amount[..], &typed].concat()).expect(0);
    let found = case(&lab.record());
    assert_eq!(
        [&found["warmup"], &found["gc_step"], &found["confidence"]],
        [&json!(0.002), &json!(-1), &json!(0.99)]
    );
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][0]["metrics"]["wall"]["level"], 0.99);
}

/// Would catch a warm-up that is recorded as wanted and not made, or a fraction of a second that becomes
/// 0 (lua-measure): only then is a function told that it is warming up.
#[test]
fn a_fraction_of_a_second_warms_up() {
    let lab = Lab::new();
    let warmed = |wanted: &str| {
        lab.write(
            "s.lua",
            format!(
                "local measure, calls = require('measure'), 0
                 measure.options({{ warmup = {wanted} }})
                 measure.describe('a'):run(function(is_warmup) if is_warmup then calls = calls + 1 end end)
                     :teardown(function() measure.metric('calls', calls, 'count') end)"
            ),
        );
        lab.run(["run", "-r", "1", "--budget", "0.1s", "s.lua"]).expect(0);
        let calls: Vec<f64> =
            lab.record().of(0).iter().filter_map(|o| o["values"]["calls"].as_f64()).collect();
        calls[0]
    };
    assert!(warmed("0.01") >= 1.0);
    assert_eq!(warmed("0"), 0.0);
}

/// Would catch a target that nobody asked for in the report's first lines, and one said to be reached
/// where nothing was measured.
#[test]
fn the_report_opens_with_the_target_of_the_files() {
    let lab = Lab::new();
    suite(&lab, "warmup = 0, rciw = 100");
    let quickly = ["run", "--budget", "0.1s", "s.lua"];
    let opening =
        |ended: &crate::support::Ended| crate::support::joined(&ended.stdout).replace('\u{a0}', "");
    let said = opening(&lab.run(quickly).expect(0));
    assert!(said.contains("±50%") && !said.contains("±2.5%"), "{said}");
    lab.write("t.lua", "require('measure').describe('t'):run(function() end)");
    let said = opening(&lab.run([&quickly[..], &["-w", "0", "t.lua"]].concat()).expect(0));
    assert!(said.contains("eachfile'sowntarget"), "{said}");
    lab.write("s.lua", "require('measure').describe('s'):run(function() error('no') end)");
    let said = opening(&lab.run(quickly).expect(1));
    assert!(said.starts_with("Nothingwasmeasured.") && !said.contains("after0"), "{said}");
}

/// Would catch values that reach the collector as other ones.
#[test]
fn a_step_that_no_record_holds_is_refused() {
    let lab = Lab::new();
    for step in ["1e19", "1e12", "2^32"] {
        suite(&lab, &format!("gc_step = {step}"));
        let ended = run(&lab, &["s.lua"]).expect(1);
        has(
            &crate::support::joined(&ended.stdout),
            &["s.lua:2:gc_stepisaninteger", "atmost4294967295KB"],
        );
    }
}

/// Would catch a `gc_step` that does not reach the collector.
#[test]
fn the_collector_does_as_it_is_told() {
    let lab = Lab::new();
    let cycles = |step: &str| {
        suite(&lab, step);
        run(&lab, &["s.lua"]).expect(0);
        let record = lab.record();
        let samples = record.of(0);
        let of = |o: &&serde_json::Value| {
            o["values"]["wall"].is_i64().then(|| o["values"]["gc_cycles"].as_i64())
        };
        samples.iter().filter_map(of).collect::<Vec<_>>()
    };
    assert!(cycles("gc_step = 0").iter().all(|n| *n == Some(1)), "a full one before each sample");
    assert!(cycles("gc_step = -1").iter().all(|n| n.is_none() || *n == Some(1)));
    assert!(cycles("gc_step = -1").iter().any(Option::is_none), "not before every sample");
    assert!(cycles("gc_step = 1").iter().any(Option::is_some), "worked off in steps");
}

/// Would catch a target of the file that does not stop sampling, or one of the command line that is
/// not looked at.
#[test]
fn the_files_target_is_the_stopping_rule() {
    let lab = Lab::new();
    let stopped = |options: &str, more: &[&str]| {
        suite(&lab, options);
        let list = ["run", "--budget", "0.6s", "-w", "0", "s.lua"];
        lab.run([&list[..], more].concat()).expect(0);
        let record = lab.record();
        assert!(!record.of_type("look").is_empty());
        record.stopped_by().expect("an end")
    };
    // On a machine that is busy enough no target is reached; five times in a row is a fault.
    let reached =
        |options: &str, more: &[&str]| (0..5).any(|_| stopped(options, more) == "precision");
    assert!(reached("rciw = 100", &[]));
    assert_eq!(stopped("rciw = 0.0001", &[]), "budget");
    assert!(reached("rciw = 0.0001", &["--precision", "99%"]));
    assert_eq!(stopped("rciw = 100", &["--precision", "0.0001%"]), "budget");
}

/// Would catch values that make no sense taken as something else, and errors that do not name the
/// option or that end with another code.
#[test]
fn what_cannot_be_obeyed_is_refused() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a"]);
    for (option, values) in [
        ("--budget", &["0", "-1s", "NaN", "inf", "", "1x"][..]),
        ("--warmup", &["-1", "NaN", "inf", "1y"]),
        ("--timeout", &["0", "-5s", "NaN", ""]),
        ("--memory-limit", &["0", "-1MB", "NaN", "1QB", "12", ""]),
        ("--gc-step", &["-2", "1.5", "NaN", "99999999999", ""]),
        ("--runs", &["0", "-3", "1.5", "NaN", "99999999"]),
        ("--precision", &["0", "-1%", "NaN", "inf"]),
        ("--seed", &["-1", "1.5", "x", "99999999999999999999"]),
        ("--confidence", &["0", "-1", "NaN", "1.5", "100%"]),
        ("--until", &["never", ""]),
        ("--filter", &["(", "/[/", "/open", "a OR"]),
    ] {
        for value in values {
            let ended = lab.run(["run", "s.lua", &format!("{option}={value}")]).expect(2);
            has(&ended.stderr, &[option]);
            let apart = lab.run(["run", "s.lua", option, value]).expect(2);
            has(&apart.stderr, &[option]);
        }
    }
    for (options, said) in [
        (
            &["-r", "2", "--precision", "1%"][..],
            &["-r 2 with --precision", "leave one of them out"][..],
        ),
        (&["--until", "decided", "--precision", "1%"], &["--until decided with --precision"]),
        (&["-r", "2", "--until", "decided"], &["--until"]),
        (&["-o", "-"], &["-o -", "./-"]),
        (&["--export-csv", "raw.csv", "-o", "raw.csv"], &["--export-csv", "raw data"]),
        (&["--nonsense"], &["--nonsense"]),
    ] {
        let ended = lab.run([&["run", "s.lua"][..], options].concat()).expect(2);
        has(&ended.stderr, said);
    }
    assert!(lab.saved().is_empty(), "something was measured");
}

/// Would catch limits that are not told to a reader of the record.
#[test]
fn limits_are_in_the_record() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a"]);
    run(&lab, &["--timeout", "7s", "--memory-limit", "1GB", "--seed", "42", "s.lua"]).expect(0);
    let record = lab.record();
    let context = &record.of_type("header")[0]["context"];
    assert_eq!(
        (&context["timeout_s"], &context["memory_limit"]),
        (&json!("7"), &json!("1000000000"))
    );
    assert_eq!(context["runtime.memory"], "allocator");
    assert_eq!(context["runtime.clock"], "native");
    assert!(context["runtime.version"].as_str().is_some_and(|v| v.starts_with("LuaJIT 2.1")));
    assert_eq!(record.of_type("plan")[0]["seed"], "42");
    assert_eq!(QUICK[1], record.of_type("plan")[0]["runs"].to_string());
}

/// Would catch a metric that cannot be there refused after everything was measured, one of the suite's
/// own refused before, and data said to be lost when only the metric is wrong.
#[test]
fn a_metric_that_cannot_be_ranked_is_refused_before_anything_is_measured() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         for _, name in ipairs({ 'a', 'b' }) do
             measure.describe(name):setup(function() measure.metric('size', 3, 'B') end)
                 :run(function() measure.sink({}) end)
         end",
    );
    for metric in ["user", "sys", "größe", "sec/op"] {
        let ended = run(&lab, &["--metric", metric, "s.lua"]).expect(2);
        has(&ended.stderr, &[&format!("--metric {metric}: not measured"), "wall", "alloc"]);
        assert!(lab.saved().is_empty(), "{metric}");
    }
    let ended = run(&lab, &["--metric", "alloc", "-x", "epsilon=1", "s.lua"]).expect(2);
    has(&ended.stderr, &["is a time, but alloc"]);
    assert!(lab.saved().is_empty());

    let ended = run(&lab, &["--metric", "size", "s.lua"]).expect(0);
    has(&ended.stderr, &["2 cases, 2 blocks, about "]);
    let ended = run(&lab, &["--metric", "sise", "s.lua"]).expect(2);
    has(&ended.stderr, &["--metric sise: not in the data", "size", "is saved as @last"]);
    // It is known after the first block.
    assert!(lab.record().of_type("observation").iter().all(|it| it["block"] == 0));
    lab.done(["report", "@last", "--metric", "wall"]);
    has(&lab.done(["runs", "show", "@last"]), &["samples, ", "other readings, 0 not ok"]);
}
