//! Harnesses on two sides: a control that moves, a harness that writes summaries, and comments of what was just measured.

use std::fs;

use serde_json::Value;

use crate::ab::{ab, git};
use crate::go::{go, lab as go_lab};
use crate::harness_results::sides;
use crate::support::{Lab, Running, has};

fn verdict<'j>(json: &'j Value, name: &str) -> &'j str {
    let mut all = json["comparisons"].as_array().unwrap().iter();
    let of = all.find(|it| it["candidate_name"].as_str().unwrap().starts_with(name));
    of.unwrap_or_else(|| panic!("no {name} in {json}"))["verdict"].as_str().unwrap()
}

/// Would catch a benchmark that is called slower although its side differs from its own second build as much, and one whose
/// verdict is taken away because another moved.
#[test]
fn a_control_that_moves_withholds_its_row() {
    let lab = sides();
    let build = "--build 'case {side} in *head-2) echo 170 >percent;; esac'";
    let words = format!(
        "old HEAD --no-cache {build} -r 12 --json --results pytest-benchmark -- ./h {{results}}"
    );
    let json: Value = serde_json::from_str(&ab(&lab, &words).expect(0).stdout).unwrap();
    assert_eq!((verdict(&json, "a"), verdict(&json, "b")), ("same", "unclear"), "{json}");
    let shown = lab.done(["report", "@last"]);
    has(&shown, &["Withheld: head differs from its own second build"]);
}

/// A harness in Bencher Metric Format: nothing but a value of each benchmark, which differs from execution to execution.
const SUMMARY: &str = r#"
n=$(($(cat "$UP" 2>/dev/null || echo 0) + 1))
echo "$n" >"$UP"
slow=$(cat percent 2>/dev/null || echo 100)
printf '{"a":{"latency":{"value":20000.%s}},"b":{"latency":{"value":%s00.%s}}}' "$((n * 7 % 10))" "$((slow * 2))" "$((n * 7 % 10))"
"#;

/// Would catch summaries, of which one an execution is a full reading, that get no verdict, as several in a file do.
#[test]
fn one_summary_an_execution_is_a_reading() {
    let lab = sides();
    lab.script("m/h", SUMMARY);
    git(&lab, "rm -q percent third && git add -A && git COMMIT summary && git tag -f old");
    lab.write("m/percent", "130");
    git(&lab, "add -A && git COMMIT slower");
    let words = "old HEAD -r 12 --json --results bencher -- ./h";
    let json: Value = serde_json::from_str(&ab(&lab, words).expect(0).stdout).unwrap();
    assert_eq!((verdict(&json, "a"), verdict(&json, "b")), ("same", "slower"), "{json}");
}

/// Would catch a format that a command which measures takes and does not write, or writes beside its screen.
#[test]
fn what_was_just_measured_is_a_comment() {
    let comment = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("<!-- etalon ") && lines[0].ends_with(" -->"), "{text}");
        assert!(lines[1].starts_with("### "), "{text}");
        has(text, &["Again: `etalon "]);
    };
    let lab = sides();
    let words = "old HEAD -r 6 --format comment --results pytest-benchmark -- ./h {results}";
    let text = ab(&lab, words).expect(0).stdout;
    comment(&text);
    has(&text, &["| `b` |"]);
    if let Some(lab) = go_lab() {
        let words = "--base HEAD -bench Two -benchtime 1x -r 6 --format comment";
        comment(&go(&lab, words).expect(0).stdout);
    }
    let lab = Lab::new();
    fs::create_dir(lab.path("m")).unwrap();
    let suite = "local measure = require('measure')\nmeasure.describe('one').run(function() end)\n";
    lab.write("m/s.lua", suite);
    git(&lab, "init -q . && git add -A && git COMMIT one");
    let words = "cd m && exec \"$E\" run --base HEAD -r 2 --budget 300ms --format comment s.lua";
    comment(&Running::start(lab.shell(words)).end().expect(0).stdout);
}
