//! Cases that break: each is an outcome of that case alone, with its reason in the record; all
//! others are measured and reported, and the exit code is 1.

use crate::suites::{QUICK, broken, fixture, plain, printed, run, samples};
use crate::support::{Lab, Running, has, joined, with_peak};

/// How each case of broken_bench.lua breaks, and what is said of it.
const BROKEN: [(&str, &str, &[&str]); 11] = [
    ("errs", r#"{"failed":1}"#, &["broken_bench.lua:5: out of order"]),
    ("errs later", r#"{"failed":1}"#, &["broken_bench.lua:8: the fiftieth"]),
    ("errs without words", r#"{"failed":1}"#, &["broken_bench.lua:10: ", "nil"]),
    ("errs in setup", r#"{"failed":1}"#, &["broken_bench.lua:11: no room", "(in setup)"]),
    ("exits with 0", r#"{"failed":0}"#, &["os.exit"]),
    ("exits with 3", r#"{"failed":3}"#, &["exit code 3", "os.exit"]),
    ("exits in setup", r#"{"failed":0}"#, &["os.exit"]),
    ("crashes", r#"{"killed":11}"#, &["signal 11"]),
    ("overflows", r#"{"failed":1}"#, &["stack overflow"]),
    ("forgets to return m", r#"{"failed":1}"#, &["broken_bench.lua:", "return m(target)"]),
    ("errs in teardown", r#"{"failed":1}"#, &["broken_bench.lua:12: will not go", "(in teardown)"]),
];

/// Would catch a case whose error, exit or crash ends others, is taken for a success, is tried again
/// and again, or has no reason in the record and the report.
#[test]
fn each_broken_case_is_an_outcome_of_its_own() {
    let lab = Lab::new();
    fixture(&lab, "broken_bench.lua");
    plain(&lab, "next.lua", &["in the next file"]);
    let ended = run(&lab, &["broken_bench.lua", "next.lua"]).expect(1);
    let record = lab.record();
    for (name, how, said) in BROKEN {
        let (outcome, message) = if name == "errs in teardown" {
            // It was measured before it broke, and so it is in the next block, too.
            let all = record.of(crate::suites::number(&record, name));
            let last = all.last().expect("an observation");
            (last["outcome"].to_string(), last["stderr"].as_str().expect("why").to_owned())
        } else {
            assert_eq!(samples(&record, name), 0, "{name}");
            broken(&record, name)
        };
        assert_eq!(outcome, how, "{name}: {message}");
        has(&message, said);
        has(&ended.stdout, &[name]);
    }
    for name in ["first", "closes everything", "reads its input", "last", "in the next file"] {
        let ok = record.of(crate::suites::number(&record, name));
        assert!(ok.iter().all(|o| o.get("outcome").is_none()), "{name}: {ok:?}");
        assert!(samples(&record, name) >= 6, "{name}");
        has(&ended.stdout, &[name]);
    }
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][1]["outcomes"]["failed"], 1);
    assert_eq!(json["benchmarks"][1]["metrics"]["wall"], serde_json::Value::Null);
    lab.assert_nothing_left();
}

/// Would catch an endless loop that outlives `--timeout` because it was compiled, a process left
/// behind, and a case that is waited for again in every block.
#[test]
fn what_never_ends_is_ended() {
    let lab = Lab::new();
    fixture(&lab, "endless_bench.lua");
    run(&lab, &["--timeout", "2s", "endless_bench.lua"]).expect(1);
    let record = lab.record();
    for name in ["compiled", "in setup", "waits"] {
        let (outcome, message) = broken(&record, name);
        assert_eq!(outcome, "timed_out", "{name}");
        has(&message, &["took longer than 2 s", "--timeout"]);
    }
    assert!(samples(&record, "ends") >= 6 && samples(&record, "ends too") >= 6);
    lab.assert_nothing_left();
}

/// Would catch an error that is lost because what follows it never ends.
#[test]
fn an_error_is_told_also_if_its_teardown_hangs() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "require('measure').describe('both'):run(function() error('the reason') end)
             :teardown(function() while true do end end)",
    );
    run(&lab, &["--timeout", "300ms", "s.lua"]).expect(1);
    let (outcome, message) = broken(&lab.record(), "both");
    assert_eq!(outcome, "timed_out");
    has(&message, &["s.lua:1: the reason", "teardown", "longer than 0.3 s"]);
}

/// Would catch a time limit on warm-up as a whole, which is as long as was asked for: only silence
/// is a reason to end a case.
#[test]
fn a_long_warm_up_is_no_endless_loop() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "require('measure').describe('slow'):run(function()
             local t = os.clock() repeat until os.clock() - t > 0.03
         end)",
    );
    lab.run(["run", "-r", "1", "-w", "4s", "--timeout", "3s", "s.lua"]).expect(0);
    assert!(samples(&lab.record(), "slow") >= 2);
}

/// Would catch a case that takes all memory of the machine, or that takes others along.
#[test]
fn a_case_that_is_too_large_is_an_outcome() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         measure.describe('grows'):run(function()
             kept = kept or {}
             for i = 1, 100 do kept[#kept + 1] = ('x'):rep(1000000) .. #kept end
         end)
         measure.describe('small'):run(function() end)",
    );
    let arguments = [&["run"][..], &QUICK, &["--memory-limit", "200MB", "s.lua"]].concat();
    let (ended, peak) = with_peak(&lab.etalon(arguments));
    ended.expect(1);
    let record = lab.record();
    let (outcome, message) = broken(&record, "grows");
    assert_eq!(outcome, r#"{"failed":1}"#);
    has(&message, &["not enough memory"]);
    assert!(samples(&record, "small") >= 4, "two turns a block beside a call that is long");
    assert!(peak < 400 << 20, "{peak} bytes");
}

/// Would catch a suite that reaches the channel to etalon ending the whole experiment, or putting
/// lines of its own into the record; and one that kills or stops its process.
#[test]
fn a_case_that_attacks_its_process_is_an_outcome() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure, ffi = require('measure'), require('ffi')
         ffi.cdef('long write(int, const char *, long); int close(int); int raise(int);')
         local function each(f) for fd = 0, 1023 do f(fd) end end
         measure.describe('good'):run(function() end)
         measure.describe('garbles'):run(function()
             each(function(fd) ffi.C.write(fd, '{\"type\":\"end\"}\\n', 15) end)
         end)
         measure.describe('hangs up'):run(function() each(ffi.C.close) end)
         measure.describe('is killed'):run(function() ffi.C.raise(9) end)
         measure.describe('stops'):run(function() ffi.C.raise(19) end)
         measure.describe('good too'):run(function() end)",
    );
    run(&lab, &["--timeout", "3s", "s.lua"]).expect(1);
    let record = lab.record();
    has(&broken(&record, "garbles").1, &["does not understand"]);
    assert_eq!(broken(&record, "is killed").0, r#"{"killed":9}"#);
    assert_eq!(broken(&record, "stops").0, r#"{"killed":19}"#);
    broken(&record, "hangs up");
    assert!(samples(&record, "good") >= 6 && samples(&record, "good too") >= 6);
    assert_eq!(record.stopped_by().as_deref(), Some("runs"));
    lab.assert_nothing_left();
}

/// Would catch what a case prints on the report, torn into the record's lines, or kept without end;
/// and a case that blocks because nobody reads what it prints.
#[test]
fn what_a_case_prints_goes_to_the_record() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         measure.describe('talks'):setup(function() print('from setup') end):run(function()
             if said then return end
             said = true
             print('{\"type\":\"end\"}') io.write('without an end') io.stderr:write(' and an error\\n')
         end):teardown(function() print('from teardown') end)
         measure.describe('floods'):run(function()
             if flooded then return end
             flooded = true
             for _ = 1, 300000 do io.write('etalon ') end
         end)
         measure.describe('says why'):run(function() print('last words') os.exit(4) end)
         measure.describe('quiet'):run(function() end)",
    );
    let ended = run(&lab, &["s.lua"]).expect(1);
    let record = lab.record();
    let talks = printed(&record, "talks");
    for part in [
        "from setup\n",
        "{\"type\":\"end\"}\n",
        "without an end",
        " and an error\n",
        "from teardown\n",
    ] {
        assert_eq!(talks.matches(part).count(), 2, "once per process: {part:?} in {talks}");
    }
    let floods = printed(&record, "floods");
    assert!(floods.starts_with("etalon etalon ") && floods.len() < 2 * (70 << 10));
    has(&floods, &["bytes more"]);
    assert_eq!(printed(&record, "says why"), "last words\n");
    assert_eq!(printed(&record, "quiet"), "");
    let shown = lab.done(["report", "@last", "--full"]);
    let of_talks = "talks printed, in 2 processes:\n";
    assert_eq!(shown.matches(of_talks).count(), 1, "{shown}");
    has(
        &shown,
        &[
            "  from setup\n",
            "from teardown\n",
            "floods printed, in 2 processes:",
            " more\n",
            "  last words\n",
        ],
    );
    assert!(!shown.contains("quiet printed"));
    assert!(!lab.done(["report", "@last"]).contains("printed"));
    assert!(!ended.stdout.contains("from setup") && !ended.stdout.contains("etalon etalon"));
}

/// Would catch a case that breaks in a later block losing what it gave before, or hidden.
#[test]
fn a_case_that_breaks_later_keeps_what_was_measured() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         measure.describe('once'):setup(function()
             assert(not io.open('there'), 'there already')
             io.open('there', 'w'):close()
         end):run(function() end)
         measure.describe('good'):run(function() end)",
    );
    let list = ["run", "-r", "3", "--budget", "0.1s", "-w", "0", "s.lua"];
    Running::start(lab.etalon(list)).end().expect(1);
    let record = lab.record();
    let failed = record.of(0).iter().filter(|o| o.get("outcome").is_some()).count();
    assert_eq!(failed, 2, "one for each block it was not there in");
    assert!(samples(&record, "once") >= 3);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][0]["outcomes"]["failed"], 2);
    assert_eq!(json["benchmarks"][0]["metrics"]["wall"]["n"], 1);
}

/// Would catch what a suite starts running on beside later samples, or after the end, also where it left
/// the suite's process group; and that it is not told.
#[test]
fn what_a_suite_starts_is_ended_with_it_and_counted() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure, ffi = require('measure'), require('ffi')
         ffi.cdef('int fork(void); int pause(void); int setsid(void);')
         local ways = {
             shell = function() os.execute('sleep 1000 & :') end,
             session = function() os.execute('setsid sleep 1000 & :') end,
             popen = function() pipe = io.popen('sleep 1000') end,
             fork = function() if ffi.C.fork() == 0 then ffi.C.setsid() ffi.C.pause() end end,
         }
         for _, name in ipairs({ 'shell', 'session', 'popen', 'fork' }) do
             measure.describe(name):setup(ways[name]):run(function() end)
         end
         measure.describe('breaks'):setup(ways.session):run(function() error('no') end)
         measure.describe('good'):run(function() end)",
    );
    let ended = run(&lab, &["s.lua"]).expect(1);
    lab.assert_nothing_left();
    let record = lab.record();
    // io.popen is a shell which may start another process, or become it; then it is said with the others.
    let mut popen = "";
    for (name, expected) in [
        ("shell", 2..=2),
        ("session", 2..=2),
        ("popen", 2..=4),
        ("fork", 2..=2),
        ("breaks", 1..=1),
        ("good", 0..=0),
    ] {
        let all = record.of(crate::suites::number(&record, name));
        let counted: u64 = all.iter().filter_map(|o| o["leftovers"].as_u64()).sum();
        assert!(expected.contains(&counted), "{name}: {counted}");
        if name == "popen" && counted == 2 {
            popen = "popen,";
        }
    }
    has(
        &joined(&ended.stdout),
        &[
            &format!("session,{popen}fork:2ofitsprocessesleftothersrunning(2inall);theywerekilled"),
            "breaks:1ofitsprocessesleftothersrunning(1inall);theywerekilled",
        ],
    );
}

/// Would catch a screen with the same sentence for each of a hundred cases, and one that hides a sentence of another.
#[test]
fn what_is_said_of_many_cases_is_said_once() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local m = require('measure')
        for i = 1, 40 do m.describe('same' .. i):run(function() error('no such table', 0) end) end
        m.describe('another'):run(function() error('no room', 0) end)",
    );
    let said = lab.run(["run", "-r", "1", "--budget", "0.05s", "s.lua"]).expect(1).stdout;
    assert_eq!(said.matches("no such table").count(), 1, "{said}");
    has(
        &said,
        &["same1 and 39 more: failed: s.lua:2: no such table", "another: failed: s.lua:3: no room"],
    );
    let full = lab.run(["report", "@last", "--full"]).expect(0).stdout;
    assert_eq!(full.matches("no such table").count(), 40, "{full}");
}

/// Would catch a screen without an end where every case fails in its own way.
#[test]
fn of_many_failures_those_without_room_are_counted() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local m = require('measure')
        for i = 1, 40 do m.describe('c' .. i):run(function() error('way ' .. i, 0) end) end",
    );
    let said = lab.run(["run", "-r", "1", "--budget", "0.05s", "s.lua"]).expect(1).stdout;
    has(&said, &["c10: failed: s.lua:2: way 10", "and 30 more: --full"]);
    assert!(!said.contains("way 11"), "{said}");
}
