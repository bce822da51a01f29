//! `etalon run` ended from outside: Ctrl-C reports what there is, kill -9 leaves no worker behind,
//! and the record of either can be read.

use std::io::Write;

use crate::suites::plain;
use crate::support::{Ended, Lab, Record, Running, at_terminal, has, signal, skip, until};

/// How many samples the only record has so far.
fn recorded(lab: &Lab) -> usize {
    let saved = lab.saved();
    let bytes = saved.last().and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter(|line| String::from_utf8_lossy(line).contains("\"turn\":")).count()
}

const LONG: [&str; 6] = ["run", "-r", "100000", "-w", "0", "s.lua"];

/// Starts a long experiment, does something to it once there are samples, waits for its end.
fn after_samples(lab: &Lab, more: &[&str], action: impl FnOnce(i32)) -> Ended {
    let running = Running::start(lab.etalon([&LONG[..], more].concat()));
    until("samples", || recorded(lab) > 30);
    action(running.pid());
    running.end()
}

/// Would catch an interrupt that loses what was measured, prints nothing, leaves a worker, or does
/// not show in the exit code.
#[test]
fn an_interrupt_reports_what_there_is() {
    for with in [libc::SIGINT, libc::SIGTERM] {
        let lab = Lab::new();
        plain(&lab, "s.lua", &["a", "b"]);
        let list = ["--budget", "0.1s", "-o", "raw.jsonl"];
        let ended = after_samples(&lab, &list, |pid| signal(pid, with)).expect(130);
        lab.assert_nothing_left();
        let record = lab.record();
        assert_eq!(record.stopped_by().as_deref(), Some("interrupt"));
        assert!(
            record.measured().iter().all(|o| o.get("outcome").is_none()),
            "a killed one counts"
        );
        has(&ended.stdout, &["interrupted after", "of 100000"]);
        assert_eq!(ended.stdout, lab.done(["report", "@last"]));
        assert_eq!(Record::read(&lab.path("raw.jsonl")).lines, record.lines);
        let json = lab.json(["report", "@last", "--json"]);
        assert_eq!(json["stopped_by"], "interrupt");
        has(&lab.done(["runs"]), &["interrupt"]);
    }
}

/// Would catch `--json` printing half a document, or none.
#[test]
fn an_interrupted_document_is_whole() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a", "b"]);
    let ended = after_samples(&lab, &["--json"], |pid| signal(pid, libc::SIGINT)).expect(130);
    let json: serde_json::Value = serde_json::from_str(&ended.stdout).expect("one document");
    assert_eq!(json["stopped_by"], "interrupt");
}

/// Code that says that it is there, and then never ends.
const HANG: &str = "io.open('there', 'w'):close() while true do end";

/// Would catch an interrupt that waits for what never ends, in any place, or is taken for a failure
/// of the case.
#[test]
fn an_interrupt_ends_what_hangs() {
    for (place, code) in [
        ("load", HANG.to_owned()),
        ("setup", format!("m.describe('c'):setup(function() {HANG} end):run(function() end)")),
        ("run", format!("m.describe('c'):run(function() {HANG} end)")),
        (
            "teardown",
            format!("m.describe('c'):run(function() end):teardown(function() {HANG} end)"),
        ),
    ] {
        let lab = Lab::new();
        lab.write("s.lua", format!("local m = require('measure') {code}"));
        let list = ["run", "-r", "2", "--budget", "0.1s", "--timeout", "1h", "s.lua"];
        let running = Running::start(lab.etalon(list));
        until("the loop", || lab.path("there").exists());
        signal(running.pid(), libc::SIGINT);
        running.end().expect(130);
        lab.assert_nothing_left();
        if place == "load" {
            assert!(lab.saved().is_empty(), "nothing was begun");
        } else {
            let record = lab.record();
            assert_eq!(record.stopped_by().as_deref(), Some("interrupt"), "{place}");
            assert!(record.measured().iter().all(|o| o.get("outcome").is_none()), "{place}");
        }
    }
}

/// Would catch workers that outlive etalon, ones that wait for it and ones that never end; and a
/// record with a torn line, or that cannot be found or read.
#[test]
fn kill_nine_leaves_nothing_but_a_readable_record() {
    let endless = format!("m.describe('c'):run(function() {HANG} end)");
    for more in ["", &endless] {
        let lab = Lab::new();
        let good = "m.describe('a'):run(function() end) m.describe('b'):run(function() end)";
        lab.write("s.lua", format!("local m = require('measure') {good} {more}"));
        let list = ["run", "-r", "100000", "-w", "0", "--budget", "0.1s", "--timeout", "1h"];
        let list = [&list[..], &["-o", "raw.csv", "s.lua"]].concat();
        let running = Running::start(lab.etalon(list));
        // Where a case never ends, no turn is ever taken.
        let there =
            || if more.is_empty() { recorded(&lab) > 30 } else { lab.path("there").exists() };
        until("workers", there);
        signal(running.pid(), libc::SIGKILL);
        assert_eq!(running.end().signal, Some(libc::SIGKILL));
        lab.assert_nothing_left();
        let saved = lab.saved();
        assert_eq!(saved.len(), 1);
        assert!(saved[0].to_string_lossy().ends_with(".jsonl.partial"), "{saved:?}");
        assert_eq!(Record::read(&saved[0]).stopped_by(), None);
        assert!(lab.read("raw.csv").ends_with(b"\n"), "a torn row");
        has(&lab.done(["runs"]), &["unfinished"]);
        has(&lab.done(["report", "@last"]).to_lowercase(), &["unfinished record"]);
        let json = lab.json(["report", "@last", "--json"]);
        assert_eq!(json["stopped_by"], serde_json::Value::Null);
        let n = json["benchmarks"][0]["metrics"]["wall"]["n"].as_u64();
        assert_eq!(n.is_some_and(|n| n > 0), more.is_empty());
    }
}

/// Would catch death before the first sample leaving something that breaks `@last`.
#[test]
fn kill_nine_at_once() {
    for pause in [0, 300, 3000, 10_000] {
        let lab = Lab::new();
        plain(&lab, "s.lua", &["a"]);
        lab.killed_after(pause, lab.etalon(LONG));
    }
}

/// Would catch what a suite has started outliving an etalon that was killed, whichever process of it was.
#[test]
fn kill_nine_ends_what_suites_have_started() {
    let starts =
        "m.describe('a'):setup(function() os.execute('setsid sleep 1000 & sleep 1000 & :') end)
        :run(function() end) m.describe('b'):run(function() end)";
    let lab = Lab::new();
    lab.write("s.lua", format!("local m = require('measure') {starts}"));
    after_samples(&lab, &[], |pid| signal(pid, libc::SIGKILL));
    lab.assert_nothing_left();
}

/// Would catch a worker killed by somebody else taken for a success, or ending the experiment.
#[test]
fn a_worker_that_is_killed_is_an_outcome() {
    let lab = Lab::new();
    let pid = "os.execute('setsid sleep 1000 & :')
        local f = io.open('pid', 'w') f:write(ffi.C.getpid()) f:close()";
    lab.write(
        "s.lua",
        format!(
            "local measure, ffi = require('measure'), require('ffi')
             ffi.cdef('int getpid(void);')
             measure.describe('good'):run(function() end)
             measure.describe('shot'):setup(function() {pid} while true do end end):run(function() end)"
        ),
    );
    let list = ["run", "-r", "2", "--budget", "0.1s", "-w", "0", "--timeout", "1h", "s.lua"];
    let running = Running::start(lab.etalon(list));
    let pid = || String::from_utf8(lab.read("pid")).ok()?.parse::<i32>().ok();
    until("the worker", || pid().is_some());
    signal(pid().expect("its number"), libc::SIGKILL);
    running.end().expect(1);
    let record = lab.record();
    assert_eq!(crate::suites::broken(&record, "shot").0, r#"{"killed":9}"#);
    assert!(crate::suites::samples(&record, "good") >= 6);
    lab.assert_nothing_left();
}

/// Would catch a typed Ctrl-C that ends the workers before etalon, as failures of their cases.
#[test]
fn ctrl_c_typed_at_the_terminal() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a", "b"]);
    let ended = at_terminal(lab.etalon(LONG), |keyboard| {
        until("samples", || recorded(&lab) > 30);
        keyboard.write_all(b"\x03").expect("the terminal takes a Ctrl-C");
    });
    let Some((code, shown)) = ended else { return skip("no pseudo-terminal: Ctrl-C in a suite") };
    assert_eq!(code, Some(130), "{shown}");
    lab.assert_nothing_left();
    let record = lab.record();
    assert_eq!(record.stopped_by().as_deref(), Some("interrupt"));
    assert!(record.measured().iter().all(|o| o.get("outcome").is_none()));
}
