//! `--cpu`, `--nice`, `--aslr`, `--counters`, `--cgroup` through the real binary: they reach the
//! commands, stand in the record, and what a machine does not have is said and not made up.

use crate::support::{Lab, has, joined};

/// Would catch an option taken and ignored, one that reaches commands but not hooks, and a record
/// that does not tell.
#[test]
fn what_is_asked_for_reaches_commands_and_hooks() {
    let lab = Lab::new();
    let facts = "grep Cpus_allowed_list: /proc/self/status; nice; cat /proc/self/personality";
    lab.script("facts", &format!("{{ {facts}; }} >> \"$1\""));
    let cpu = "0";
    let options = ["--cpu", cpu, "--nice", "7", "--aslr", "off", "-p", "./facts hook"];
    lab.done([&["cmd", "-r", "1"], &options[..], &["./facts command"]].concat());
    for who in ["command", "hook"] {
        let told = String::from_utf8(lab.read(who)).expect("text");
        let words: Vec<&str> = told.split_whitespace().collect();
        assert_eq!(words, ["Cpus_allowed_list:", cpu, "7", "00040000"], "{who}");
    }
    let context = lab.record().lines[0]["context"].clone();
    let facts = ["control.cpus", "control.nice", "control.aslr"].map(|fact| context[fact].clone());
    assert_eq!(facts, ["0", "7", "off"]);
    lab.done(["cmd", "-r", "1", "./facts plain"]);
    let context = lab.record().lines[0]["context"].clone();
    assert!(context.as_object().expect("facts").keys().all(|fact| !fact.starts_with("control.")));
    let plain = String::from_utf8(lab.read("plain")).expect("text");
    assert!(!plain.contains("\n7\n"), "{plain}");
}

/// Would catch a CPU that is not there taken for one that is.
#[test]
fn what_cannot_be_had_is_refused_before_anything_is_executed() {
    let cases: [(&[&str], &str); 7] = [
        (&["--cpu", "1023"], "1023"),
        (&["--cpu", "3-1"], "runs backwards"),
        (&["--cpu", ""], "--cpu"),
        (&["--cpu", "a"], "write CPU numbers"),
        (&["--nice", "20"], "-20..=19"),
        (&["--nice", "1.5"], "--nice"),
        (&["--aslr", "on"], "--aslr"),
    ];
    for (options, words) in cases {
        let lab = Lab::new();
        lab.script("log", "echo x >> told");
        has(
            &lab.run([&["cmd", "-r", "1"], options, &["./log"]].concat()).expect(2).stderr,
            &[words],
        );
        assert_eq!((lab.read("told").len(), lab.saved().len()), (0, 0), "{options:?}");
    }
}

/// Would catch counters that are asked for and neither there nor said to be missing, a missing one
/// recorded as 0, and a cost that nobody is told.
#[test]
fn counters_are_recorded_or_said_to_be_missing_and_cost_is_stated() {
    let lab = Lab::new();
    let shown = lab.done(["cmd", "-N", "-r", "3", "--counters", "--cgroup", "true"]);
    let record = lab.record();
    let declared: Vec<String> = record
        .of_type("metric")
        .iter()
        .map(|metric| metric["name"].as_str().expect("a name").to_owned())
        .collect();
    for name in ["instructions", "cycles"] {
        assert!(declared.iter().any(|known| known == name), "{declared:?}");
    }
    let notes: Vec<&str> =
        record.of_type("note").iter().filter_map(|note| note["text"].as_str()).collect();
    let missing = notes.iter().filter(|note| note.starts_with("not available: "));
    let missing: String = missing.copied().collect::<Vec<_>>().join(" ");
    for name in &declared {
        let there = record.measured().iter().any(|o| o["values"].get(name).is_some());
        assert!(
            there || missing.contains(name.as_str()) || name.starts_with("cpu_wait"),
            "{name}: {notes:?}"
        );
    }
    let context = &record.lines[0]["context"];
    assert!(context["counters.cost_ns"].is_string() && context["cgroup"].is_string(), "{context}");
    // What it costs depends on the machine and what else it does; that it is said does not.
    let told = |what: &str| {
        let of = |words: &str| joined(&shown).contains(&format!("{what}:{words}--{what}adds"));
        of("") || of("what")
    };
    has(&joined(&shown), &["nothingissubtracted"]);
    assert!(told("counters"), "{shown}");
    let costs = context["cgroup.cost_ns"].is_string();
    assert_eq!(costs, context["cgroup"] != "none", "{context}");
    assert_eq!(costs, told("cgroup"), "{shown}");
    assert_eq!(shown, lab.done(["report", "-N", "@last"]));

    let ranked = lab.run(["cmd", "-r", "2", "--metric", "instructions", "true"]).expect(2);
    has(&ranked.stderr, &["--metric instructions: measured with --counters only"]);
    let ranked = lab.run(["cmd", "-r", "2", "--counters", "--metric", "instructions", "true"]);
    if missing.contains("instructions") {
        has(&ranked.expect(2).stderr, &["--metric instructions: not available"]);
        assert_eq!(lab.saved().len(), 1, "a record of nothing");
    } else {
        has(&ranked.expect(0).stdout, &["2 interleaved blocks"]);
    }

    // What was not asked for is not what costs.
    let shown = lab.done(["cmd", "-N", "-r", "1", "--cgroup", "true"]);
    assert!(!shown.contains("counters"), "{shown}");

    lab.done(["cmd", "-N", "-r", "1", "true"]);
    let plain = lab.record();
    assert!(plain.of_type("metric").iter().all(|metric| metric["name"] != "instructions"));
    assert!(plain.lines[0]["context"].get("counters.cost_ns").is_none());
}
