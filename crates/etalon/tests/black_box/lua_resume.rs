//! `etalon run --resume`: an interrupted execution of functions goes on as the same experiment.

use crate::support::{Lab, Record, Running, has, held, signal, until};

/// A case that counts its processes, and can be held before it is called.
fn case(name: &str) -> String {
    let held = held(".");
    format!("m.describe('{name}'):setup(function() os.execute('{held}') end):run(function() end)\n")
}

/// A suite of such cases.
fn suite(lab: &Lab, names: &[&str]) {
    let cases: String = names.iter().map(|name| case(name)).collect();
    lab.write("s.lua", format!("local m = require('measure')\n{cases}"));
}

/// Starts what is long, and ends it by a signal while the last of so many processes is held; the record.
fn stopped(lab: &Lab, with: i32, (processes, arguments): (usize, &[&str])) -> Record {
    lab.write("hold", processes.to_string());
    let running = Running::start(lab.etalon([&["run"], arguments].concat()));
    until("processes", || lab.read("done").len() >= processes);
    signal(running.pid(), with);
    running.end();
    std::fs::remove_file(lab.path("hold")).expect("removed");
    Record::read(lab.saved().last().expect("a saved run"))
}

/// Blocks of which every case has its last reading, and the highest number.
fn whole(record: &Record, cases: i64) -> (usize, i64) {
    let measured = record.measured();
    let ends = |block: i64, case: i64| {
        measured.iter().any(|o| {
            o["block"] == block && o["benchmark"] == case && o["values"].get("rss").is_some()
        })
    };
    let last = measured.iter().filter_map(|o| o["block"].as_i64()).max().unwrap_or(0);
    let is_whole = |block: &i64| (0..cases).all(|case| ends(*block, case));
    ((0..=last).filter(is_whole).count(), last)
}

/// Would catch blocks missing or too many, a number used twice, and lines of the old record lost.
#[test]
fn functions_go_on_where_they_stopped() {
    for with in [libc::SIGINT, libc::SIGKILL] {
        let lab = Lab::new();
        suite(&lab, &["a", "b"]);
        let asked = ["-r", "12", "-w", "0", "--budget", "1s", "--seed", "5", "s.lua"];
        let old = stopped(&lab, with, (6, &asked));
        assert_eq!(whole(&old, 2).0, 2);
        lab.done(["run", "--resume", "@last"]);
        let new = lab.record();
        assert_eq!(new.stopped_by().as_deref(), Some("runs"));
        let (blocks, last) = whole(&new, 2);
        assert_eq!(blocks, 12);
        assert!(last <= 12, "at most one block is executed again: {last}");
        let inner = |line: &&serde_json::Value| line["type"] != "header" && line["type"] != "end";
        let kept: Vec<_> = old.lines.iter().filter(inner).collect();
        assert_eq!(new.lines.iter().filter(inner).take(kept.len()).collect::<Vec<_>>(), kept);
        has(&lab.done(["report", "@last"]), &["12 interleaved blocks", "seed 5"]);
        let again = lab.run(["run", "--resume", "@last"]).expect(2);
        has(&again.stderr, &["it is finished"]);
    }
}

/// Would catch a broken case that a second sitting tries again, or waits for.
#[test]
fn a_case_that_was_given_up_stays_out() {
    let lab = Lab::new();
    let bad = "m.describe('bad').run(function() error('no') end)";
    lab.write("s.lua", format!("local m = require('measure')\n{}{bad}", case("good")));
    stopped(&lab, libc::SIGINT, (3, &["-r", "6", "-w", "0", "--budget", "1s", "s.lua"]));
    lab.run(["run", "--resume", "@last"]).expect(1);
    let failed = |o: &&&serde_json::Value| o.get("outcome").is_some();
    let record = lab.record();
    assert_eq!(record.measured().iter().filter(failed).count(), 1);
    assert_eq!(whole(&record, 1).0, 6);
}

/// Would catch another suite measured under the old name, and options slipped in.
#[test]
fn what_changed_is_refused() {
    let lab = Lab::new();
    suite(&lab, &["a", "b"]);
    stopped(&lab, libc::SIGINT, (3, &["-r", "9", "-w", "0", "s.lua"]));
    let refused = |arguments: &[&str], words: &[&str]| {
        has(&lab.run([&["run", "--resume", "@last"], arguments].concat()).expect(2).stderr, words);
    };
    refused(&["-r", "3"], &["--runs with --resume"]);
    refused(&["s.lua"], &["a path with --resume"]);
    let of_commands = lab.run(["cmd", "--resume", "@last"]).expect(2);
    has(&of_commands.stderr, &["it is not an execution of `etalon cmd`"]);
    suite(&lab, &["a", "c"]);
    refused(&[], &["case `b` is not what it was"]);
    suite(&lab, &["a", "b"]);
    let same = String::from_utf8(lab.read("s.lua")).unwrap();
    lab.write("s.lua", format!("{same}-- faster\n"));
    refused(&[], &["`a` is other code now: `s.lua` was changed"]);
    suite(&lab, &["a"]);
    refused(&[], &["it has 2 cases, and its command line 1"]);
}
