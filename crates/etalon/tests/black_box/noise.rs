//! `etalon noise`: real commands and cases against themselves, the records that stay, and who reads them later.

use serde_json::{Value, json};

use crate::suites::two_speeds;
use crate::support::{Lab, Record, Running, has, ids, joined, signal, until};

const WORK: &str = "sleep 0.005";

fn shown(text: &str, sentences: &[&str]) {
    let sentences: Vec<String> = sentences.iter().map(|sentence| joined(sentence)).collect();
    has(&joined(text), &sentences.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Would catch runs that are not saved, or under another name than `etalon cmd` gives them; a part that is left out; and a
/// history that later comparisons do not find.
#[test]
fn a_command() {
    let lab = Lab::new();
    let text = lab.done(["noise", "--in-sequence", "8", "-r", "60", "--seed", "3", WORK]);
    shown(
        &text,
        &[
            "Changes of sleep 0.005 are visible from ",
            " in 30 blocks, from ",
            " with one run a side.",
        ],
    );
    shown(
        &text,
        &[
            "8 runs of 60 within ",
            "every pair of them is compared, 28",
            "drawn anew 1,000 times",
            "seed 3.",
        ],
    );
    assert!(text.lines().count() <= 24, "{text}");
    assert_eq!(ids(&lab).len(), 9);
    let blocks = lab.record();
    let names: Vec<Value> =
        blocks.of_type("benchmark").iter().map(|it| it["params"].clone()).collect();
    assert_eq!(names, [json!({"twin": "a"}), json!({"twin": "b"})]);
    let first = Record::read(&lab.saved()[0]);
    assert_eq!(first.of_type("benchmark")[0]["name"], WORK);
    assert_eq!(first.measured().len(), 60);

    // Two later runs of the command are compared with the scatter of those; of four readings nobody asks whether they spread as those do.
    for file in ["old.jsonl", "new.jsonl"] {
        lab.done(["cmd", "-r", "4", "--no-save", "-o", file, WORK]);
    }
    let later = lab.json(["compare", "--json", "old.jsonl", "new.jsonl"]);
    let runs = &later["tables"][0]["rows"][0]["cells"][1]["comparison"]["runs"];
    assert_eq!([&runs["scatter"], &runs["earlier"]], [&json!("earlier"), &json!(8)]);
    // A report of one of them names what was found out.
    has(&lab.done(["report", "old.jsonl"]), &["noise measured ", "8 runs scatter by "]);
    let other = lab.done(["cmd", "-r", "5", "sleep 0.004"]);
    assert!(!other.contains("noise measured"), "{other}");
    // It goes with its record.
    let last = ids(&lab)[8].clone();
    lab.run(["runs", "remove", &last]).expect(0);
    let gone = lab.done(["report", "old.jsonl"]);
    assert!(!gone.contains("noise measured"), "{gone}");
}

/// Would catch a document that says something else than the screen, and one without a part.
#[test]
fn as_a_document() {
    let lab = Lab::new();
    let said = lab.json([
        "noise",
        "--json",
        "--no-save",
        "--in-sequence",
        "3",
        "-r",
        "10",
        "-n",
        "it",
        WORK,
    ]);
    let [it] = &said["noise"]["benchmarks"].as_array().expect("a list")[..] else {
        panic!("{said}")
    };
    assert_eq!([&it["name"], &it["metric"]], ["it", "wall"]);
    assert_eq!([&it["sequence"]["runs"], &it["sequence"]["readings"]], [&json!(3), &json!(10)]);
    assert_eq!(it["sequence"]["false_alarms"]["by_readings"]["of"], 3);
    assert_eq!(it["sequence"]["false_alarms"]["history"], false);
    assert_eq!(
        [&it["blocks"]["blocks"], &it["blocks"]["false_alarms"]["of"]],
        [&json!(10), &json!(1000)]
    );
    let changes = it["blocks"]["visible"].as_array().expect("a list");
    let changes: Vec<f64> =
        changes.iter().map(|it| it["change"].as_f64().expect("a share")).collect();
    assert!(
        changes.len() == 3 && changes[0] > changes[1] && changes[1] > changes[2],
        "{changes:?}"
    );
    assert!(lab.saved().is_empty());
}

/// Would catch cases of which only one is measured twice, and twins that are not in one block.
#[test]
fn a_suite() {
    let lab = Lab::new();
    two_speeds(&lab, "x_bench.lua");
    let asked = ["noise", "--json", "--in-sequence", "2", "-r", "5", "x_bench.lua"];
    let said = lab.json(asked);
    let names: Vec<&Value> = said["noise"]["benchmarks"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["short", "long"]);
    for it in said["noise"]["benchmarks"].as_array().expect("a list") {
        assert_eq!([&it["sequence"]["runs"], &it["blocks"]["blocks"]], [&json!(2), &json!(5)]);
    }
    assert_eq!(ids(&lab).len(), 3);
    let text =
        lab.done(["noise", "--in-sequence", "2", "-r", "5", "--filter", "short", "x_bench.lua"]);
    shown(&text, &["Changes of short are visible from "]);
}

/// Would catch a call without a command that measures nothing, and a budget that is not one.
#[test]
fn nothing_named() {
    let lab = Lab::new();
    let ended = lab.run(["noise", "--in-sequence", "2", "--budget", "0.5s"]).expect(0);
    shown(&ended.stdout, &["Changes of sh -c "]);
    has(&ended.stderr, &["2 runs of sh -c "]);
}

/// Would catch a failure that is taken for a result, and options that are taken and ignored.
#[test]
fn what_fails() {
    let lab = Lab::new();
    let failed = lab.run(["noise", "-r", "5", "false"]).expect(1);
    has(&failed.stderr, &["exited with code 1"]);
    assert_eq!(failed.stdout, "");
    lab.done(["noise", "--in-sequence", "2", "-r", "5", "-i", "false"]);
    has(&lab.run(["noise", "no-such-program"]).expect(2).stderr, &["no-such-program"]);
    has(
        &lab.run(["noise", "--lua", "lua5.1", "true"]).expect(2).stderr,
        &["--lua and --jit: of suites"],
    );
    two_speeds(&lab, "x_bench.lua");
    has(&lab.run(["noise", "-s", "/bin/sh -c", "x_bench.lua"]).expect(2).stderr, &["--shell"]);
}

/// Would catch an experiment that goes on after Ctrl-C, loses what it has, or ends with another code.
#[test]
fn ended_by_the_user() {
    let lab = Lab::new();
    let running = Running::start(lab.etalon(["noise", "--in-sequence", "500", "-r", "10", WORK]));
    until("three runs", || lab.saved().len() >= 4);
    signal(running.pid(), libc::SIGINT);
    let ended = running.end().expect(130);
    shown(&ended.stdout, &["ended before all of it was measured", "Changes of sleep 0.005"]);
    lab.assert_nothing_left();
}
