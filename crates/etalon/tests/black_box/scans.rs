//! Parameter scans through the real binary: what is executed, what the record keeps, what the
//! report shows, and every way to get one wrong.

use crate::support::{Lab, has};

/// Names and parameters of the newest record's benchmarks, in order.
fn benchmarks(lab: &Lab) -> Vec<(String, String)> {
    let params = |line: &serde_json::Value| {
        let params = line.get("params").and_then(|p| p.as_object());
        let pairs =
            params.map(|p| p.iter().map(|(k, v)| format!("{k}={}", v.as_str().unwrap_or("?"))));
        pairs.map(|pairs| pairs.collect::<Vec<_>>().join(" ")).unwrap_or_default()
    };
    let name = |line: &serde_json::Value| line["name"].as_str().expect("a name").to_owned();
    lab.record().of_type("benchmark").iter().map(|line| (name(line), params(line))).collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

/// Refused before anything is executed, with these words.
fn refused(arguments: &[&str], words: &[&str]) {
    let lab = Lab::new();
    let list = [&["cmd", "-r", "2"], arguments, &["true"]].concat();
    let ended = lab.run(list).expect(2);
    has(&ended.stderr, words);
    assert!(lab.saved().is_empty(), "{arguments:?}");
}

/// Would catch a product in another order, a value formed in binary fractions, a parameter lost on
/// the way to the command or the record.
#[test]
fn scans_multiply_in_the_order_given() {
    let lab = Lab::new();
    lab.script("log", "echo \"$@\" >> told");
    let scans = ["-P", "x", "0", "0.3", "--parameter-step-size", "0.1", "-L", "w", "a,b c"];
    lab.done(
        [&["cmd", "-r", "1", "--order", "sequential"], &scans[..], &["./log {x} {w} {y}"]].concat(),
    );
    let logged = String::from_utf8(lab.read("told")).expect("text");
    let values: Vec<String> = ["0.0", "0.1", "0.2", "0.3"]
        .iter()
        .flat_map(|x| ["a", "b c"].map(|w| format!("{x} {w} {{y}}")))
        .collect();
    assert_eq!(logged.lines().collect::<Vec<_>>(), values);
    let expected: Vec<(String, String)> = values
        .iter()
        .map(|value| {
            let (x, w) = (&value[..3], value[4..].trim_end_matches(" {y}"));
            (format!("./log {value}"), format!("x={x} w={w}"))
        })
        .collect();
    assert_eq!(benchmarks(&lab), expected);
}

/// Would catch steps that only go up, one step given to the wrong scan, and -L after -P sorted
/// before it.
#[test]
fn steps_may_go_down_and_be_one_for_each() {
    let lab = Lab::new();
    let steps = ["--parameter-step-size", "-2", "--parameter-step-size", "0.5"];
    let scans = ["-P", "a", "1", "-3", "-P", "b", "1", "1.5"];
    lab.done([&["cmd", "-r", "1"], &scans[..], &steps, &["echo {a} {b}"]].concat());
    let names: Vec<String> = benchmarks(&lab).into_iter().map(|(name, _)| name).collect();
    let expected = ["1 1.0", "1 1.5", "-1 1.0", "-1 1.5", "-3 1.0", "-3 1.5"];
    assert_eq!(names, expected.map(|values| format!("echo {values}")));
}

/// Would catch a baseline measured once per value, names and hooks left unfilled, and parameters
/// said twice in the report or not at all.
#[test]
fn commands_repeat_for_what_they_use_and_names_say_the_rest_once() {
    let lab = Lab::new();
    lab.script("log", "echo \"$1\" >> told");
    let scans = ["-L", "n", "10,20", "-L", "m", "x,y"];
    let commands =
        ["true", "-n", "base", "echo {n}", "-n", "size {n}", "echo {n} {m}", "-n", "both {m}"];
    let shown = lab.done([&["cmd", "-N", "-r", "1"], &scans[..], &commands].concat());
    let expected = [
        ("base", ""),
        ("size 10", "n=10"),
        ("size 20", "n=20"),
        ("both x", "n=10 m=x"),
        ("both y", "n=10 m=y"),
        ("both x", "n=20 m=x"),
        ("both y", "n=20 m=y"),
    ];
    assert_eq!(benchmarks(&lab), pairs(&expected));
    has(&shown, &["base  ", "size 10  ", "both x [n=10]  ", "both y [n=20]  "]);
    assert_eq!(shown, lab.done(["report", "-N", "@last"]));
    let json = lab.json(["report", "--json", "@last"]);
    assert_eq!(json["benchmarks"][6]["params"], serde_json::json!({"n": "20", "m": "y"}));

    let prepared = ["-L", "n", "10,20", "-p", "./log {n}", "true"];
    lab.done([&["cmd", "-r", "2", "--order", "sequential"], &prepared[..]].concat());
    assert_eq!(benchmarks(&lab), pairs(&[("true", "n=10"), ("true", "n=20")]));
    assert_eq!(lab.read("told"), b"10\n10\n20\n20\n");
    has(&lab.done(["report", "-N", "@last"]), &["true", "  n ", "  10  ", "  20  "]);
}

/// Would catch commands of a file left out of the scan, or one `--prepare` for each counted after
/// the scan instead of before.
#[test]
fn files_and_hooks_for_each_are_filled_too() {
    let lab = Lab::new();
    lab.script("log", "echo \"$1\" >> told");
    lab.write("commands.txt", "echo {n}\n-n \"first {n}\"\necho {n}{n}");
    let options = ["-L", "n", "1,2", "-p", "./log a{n}", "-p", "./log b{n}", "-f", "commands.txt"];
    lab.done([&["cmd", "-r", "1", "--order", "sequential"], &options[..]].concat());
    let expected = [("first 1", "n=1"), ("first 2", "n=2"), ("echo 11", "n=1"), ("echo 22", "n=2")];
    assert_eq!(benchmarks(&lab), pairs(&expected));
    assert_eq!(lab.read("told"), b"a1\na2\nb1\nb2\n");
}

/// Would catch an unused parameter passing without a word, or changing what is measured.
#[test]
fn a_parameter_nobody_uses_is_remarked() {
    let lab = Lab::new();
    let ended = lab.run(["cmd", "-r", "1", "-L", "q", "1,2", "true"]).expect(0);
    has(&ended.stderr, &["no command, hook, name or option has {q}"]);
    assert_eq!(benchmarks(&lab), pairs(&[("true", "")]));
    let quiet = lab.run(["cmd", "--quiet", "-r", "1", "-L", "q", "1,2", "true"]).expect(0);
    assert_eq!(quiet.stderr, "");
}

/// Would catch commands of one name that nobody can tell apart, in a report, by a reference or in what is saved of them.
#[test]
fn commands_of_one_name_are_numbered() {
    let lab = Lab::new();
    let shown = lab.done(["cmd", "-N", "-r", "6", "true", "true", "true 1", "-n", "true"]);
    has(&shown, &["true (2)", "true (3)"]);
    assert_eq!(benchmarks(&lab), pairs(&[("true", ""), ("true (2)", ""), ("true (3)", "")]));
    let shown = lab.done(["cmd", "-N", "-r", "6", "--reference", "true", "true", "true"]);
    has(&shown, &["against the reference", "true (2)"]);
    // Parameters make names alike, too.
    lab.done(["cmd", "-N", "-r", "1", "-L", "n", "1,1", "true {n}", "true 1"]);
    let expected = [("true 1", "n=1"), ("true 1 (2)", "n=1"), ("true 1 (3)", "")];
    assert_eq!(benchmarks(&lab), pairs(&expected));
    lab.done(["cmd", "-N", "-r", "6", "--reference", "true", "true", "true"]);
    let csv = lab.done(["convert", "@last", "--to", "bestguess"]);
    assert_eq!(csv.lines().filter(|line| line.contains("true (2)")).count(), 6, "{csv}");
}

/// Would catch the reference scanned away, or one of its values not found.
#[test]
fn a_reference_may_be_a_value_or_a_command_beside() {
    let lab = Lab::new();
    let scan = ["cmd", "-N", "-r", "1", "-L", "n", "1,2", "echo {n}", "--reference"];
    has(&lab.done([&scan[..], &["echo 2"]].concat()), &["echo {n}", "2  ", "reference"]);
    assert_eq!(benchmarks(&lab).len(), 2);
    has(&lab.done([&scan[..], &["true"]].concat()), &["true", "reference"]);
    assert_eq!(benchmarks(&lab).len(), 3);
    let ended = lab.run([&scan[..], &["echo {n}"]].concat()).expect(2);
    has(&ended.stderr, &["--reference \"echo {n}\" is scanned"]);
}

/// Every way to get a scan wrong says which and how to get it right.
#[test]
fn bad_scans_are_refused_with_the_remedy() {
    let number = "is not a decimal number";
    for bad in ["nan", "inf", "x", "1e3", "", "1,5"] {
        refused(&["-P", "n", bad, "2"], &[number]);
        refused(&["-P", "n", "1", bad], &[number]);
        refused(&["-P", "n", "1", "2", "--parameter-step-size", bad], &[number]);
    }
    refused(&["-P", "n", "1", "2", "--parameter-step-size", "0"], &["a step of 0 never arrives"]);
    refused(&["-P", "n", "2", "1"], &["steps of 1 lead away from 1", "negative"]);
    refused(&["-P", "n", "1", "2", "--parameter-step-size", "-1"], &["leave out the minus"]);
    refused(&["-P", "n", "0", "1", "--parameter-step-size", "0.000001"], &["more than 100000"]);
    refused(&["-P", "n", "1", "99999999999999999999"], &[number, "at most 18 digits"]);
    refused(&["--parameter-step-size", "1"], &["without --parameter-scan"]);
    refused(
        &["-P", "n", "1", "2", "--parameter-step-size", "1", "--parameter-step-size", "1"],
        &["2 --parameter-step-size for 1"],
    );
    refused(&["-L", "n", ""], &["--parameter-list n: no values"]);
    refused(&["-L", "", "1"], &["between braces"]);
    refused(&["-L", "{n}", "1"], &["between braces"]);
    refused(&["-L", "n", "1", "-P", "n", "1", "2"], &["scanned twice"]);
    for (typed, words) in [(&["-L", "n"][..], "2 values"), (&["-P", "n", "1"], "3 values")] {
        has(&Lab::new().run([&["cmd"], typed].concat()).expect(2).stderr, &[words]);
    }
    let thousand = ["-P", "a", "1", "1000", "-P", "b", "1", "1000", "echo {a} {b}"];
    refused(&thousand, &["{a} × {b} together", "more than 100000", "give fewer values"]);
}

/// Would catch a range that is cut to its first value because nobody said how large a step is.
#[test]
fn a_range_between_fractions_needs_a_step() {
    let lab = Lab::new();
    for range in [["0.1", "0.5"], ["1", "2.5"], ["0.5", "3"]] {
        let ended = lab.run([&["cmd", "-P", "t"][..], &range, &["sleep {t}"]].concat()).expect(2);
        has(&ended.stderr, &["--parameter-scan t", "--parameter-step-size 0.1"]);
    }
    let stepped = [
        "cmd",
        "-N",
        "-r",
        "1",
        "-P",
        "t",
        "0",
        "0.02",
        "--parameter-step-size",
        "0.01",
        "sleep {t}",
    ];
    has(&lab.done(stepped), &["0.00  ", "0.01  ", "0.02  "]);
}

/// Would catch a reference that cannot be named as a report shows it.
#[test]
fn a_reference_is_named_as_reports_show_it() {
    let lab = Lab::new();
    let scan = ["cmd", "-N", "-r", "6", "-n", "work", "-L", "n", "1,2", "echo {n}", "--reference"];
    let shown = lab.done([&scan[..], &["work [n=2]"]].concat());
    has(&shown, &["work [n=2]", "reference"]);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["settings"]["reference"], "work [n=2]");
    let ended = lab.run([&scan[..], &["work"]].concat()).expect(2);
    has(&ended.stderr, &["is more than one command", "such as \"work [n=1]\""]);
}

/// Would catch CPU time of a control group that nobody sees: that of processes which nobody waited for.
#[test]
fn cpu_time_of_others_in_the_group_is_told() {
    let lab = Lab::new();
    lab.script("burns", "( while :; do :; done ) &\nsleep 0.3");
    let ended = lab.run(["cmd", "-r", "2", "--cgroup", "./burns"]).expect(0);
    let record = lab.record();
    let values = &record.of_type("observation")[0]["values"];
    if !values["tree_cpu"].is_number() {
        return crate::support::skip("no control group can be made here");
    }
    has(&ended.stdout, &["processes of its control group took", "--metric tree_cpu"]);
    let alone = lab.run(["cmd", "-r", "2", "--cgroup", "true"]).expect(0);
    assert!(!alone.stdout.contains("processes of its control group"), "{}", alone.stdout);
}
