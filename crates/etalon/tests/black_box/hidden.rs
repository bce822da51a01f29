//! Names with characters that are not seen or drive a terminal, in every way out. Would catch an
//! output that hands them on where somebody looks at it, and one that loses them where a program reads it.

use etalon_core::visible::is_hidden;
use serde_json::{Value, json};

use crate::support::{Lab, has, on_terminal, skip};

/// An override, a zero-width space, an invisible letter, a tag, an escape sequence, a bell, DEL.
const EVIL: &str = "a\u{202e}b\u{200b}c\u{3164}d\u{e0041}e\u{1b}[2Jf\u{7}g\u{7f}h";

/// Twelve blocks of two benchmarks.
fn record(first: &str, second: &str) -> String {
    let mut lines = vec![
        json!({"type": "header", "format": "etalon", "version": 1, "id": "x", "tool": "t", "argv": [first], "context": {}}),
        json!({"type": "metric", "name": "wall", "unit": "ns", "direction": "lower", "kind": "noisy"}),
        json!({"type": "benchmark", "name": first, "command": first, "params": {"p": first}}),
        json!({"type": "benchmark", "name": second, "command": second}),
        json!({"type": "note", "about": first, "text": format!("of {first}")}),
    ];
    for block in 0..12 {
        for benchmark in 0..2 {
            let wall = 1_000_000 + 500_000 * benchmark + block;
            lines.push(json!({"type": "observation", "benchmark": benchmark, "block": block, "values": {"wall": wall}}));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn lab(first: &str, second: &str) -> Lab {
    let lab = Lab::new();
    lab.write("data.jsonl", record(first, second));
    lab
}

/// Asserts that nothing hidden is in a text but its layout.
#[track_caller]
fn seen(text: &str) {
    let hidden = text.chars().find(|c| is_hidden(*c) && !matches!(c, '\n' | '\t'));
    assert_eq!(hidden, None, "in {text:?}");
}

#[test]
fn json_hides_nothing_and_says_the_same() {
    let lab = lab(EVIL, "b");
    lab.done(["report", "data.jsonl", "--export-json", "export.json", "--quiet"]);
    let export = String::from_utf8(lab.read("export.json")).unwrap();
    let name_in = |text: &str, place: &str| {
        seen(text);
        let document: Value = serde_json::from_str(text).unwrap();
        assert_eq!(document.pointer(place).unwrap(), EVIL, "{text}");
    };
    name_in(&export, "/results/0/command");
    name_in(&lab.done(["report", "data.jsonl", "--json"]), "/benchmarks/0/name");
    // Each row has one name, so that nothing is compared; what there is is printed.
    let tables = ["compare", "data.jsonl", "--col", ".name", "--json"];
    name_in(&lab.run(tables).expect(2).stdout, "/tables/0/columns/0/.name");
    name_in(
        &lab.done(["convert", "--to", "hyperfine", "data.jsonl", "--quiet"]),
        "/results/0/command",
    );
    // A record that is converted is a copy; from another format it is written.
    let written = lab.done(["convert", "--to", "etalon", "export.json", "--quiet"]);
    seen(&written);
    let benchmark = written.lines().find(|line| line.contains("\"benchmark\"")).unwrap();
    name_in(benchmark, "/command");
    lab.done(["cmd", "-r1", "-n", EVIL, "true", "--quiet"]);
    let record = std::fs::read_to_string(lab.saved().last().unwrap()).unwrap();
    seen(&record);
    name_in(&lab.done(["runs", "--json"]), "/0/benchmarks/0");
}

#[test]
fn csv_is_exact_in_a_pipe_and_visible_on_a_terminal() {
    let lab = lab(EVIL, "b");
    for arguments in [
        &["report", "data.jsonl", "--format", "csv"][..],
        &["compare", "data.jsonl", "--row", ".name", "--format", "csv"],
        &["compare", "data.jsonl", "--row", ".name", "--style", "benchstat"],
        &["convert", "--to", "go", "data.jsonl", "--quiet"],
    ] {
        let piped = lab.done(arguments);
        let exact = if arguments[0] == "convert" { "a\u{202e}b\u{200b}c" } else { EVIL };
        has(&piped, &[exact]);
        let Some((code, shown)) = on_terminal(lab.etalon(arguments), "") else {
            return skip("no terminal on this machine");
        };
        assert_eq!(code, Some(0), "{shown}");
        has(&shown, &["a\\u{202e}b\\u{200b}c\\u{3164}d\\u{e0041}e"]);
        seen(&shown.replace('\r', ""));
    }
    // What a record is copied to is JSON there, too.
    let copy = lab.etalon(["convert", "--to", "etalon", "data.jsonl", "--quiet"]);
    if let Some((_, shown)) = on_terminal(copy, "") {
        has(&shown, &["a\\u202eb\\u200bc"]);
        seen(&shown.replace('\r', ""));
    }
}

#[test]
fn reports_and_notes_show_escapes() {
    let lab = lab(EVIL, "b");
    for arguments in [
        &["report", "data.jsonl", "--full", "-E", "-T", "-D", "-B", "-G"][..],
        &["report", "data.jsonl", "--style", "bestguess"],
        &["report", "data.jsonl", "--format", "markdown"],
        &["compare", "data.jsonl", "--row", ".name"],
        &["compare", "data.jsonl", "--row", ".name", "--format", "markdown"],
        &["compare", "data.jsonl", "--row", ".name", "--format", "github"],
    ] {
        let ended = lab.run(arguments).expect(0);
        seen(&ended.stdout);
        seen(&ended.stderr);
    }
    for arguments in [["report", EVIL], ["compare", EVIL], ["runs", EVIL]] {
        seen(&lab.run(arguments).expect(2).stderr);
    }
}

/// Would catch a unit of Go's that is called like a metric of etalon's and loses its negative values in a record.
#[test]
fn units_of_other_tools_may_be_negative() {
    let lab = Lab::new();
    lab.write("go.txt", "BenchmarkA\t1\t-5 wall\nBenchmarkA\t1\t-6 wall\n");
    lab.write("go.jsonl", lab.done(["convert", "--to", "etalon", "go.txt"]));
    let back = lab.done(["convert", "--to", "go", "go.jsonl", "--quiet"]);
    has(&back, &["-5 wall", "-6 wall"]);
}
