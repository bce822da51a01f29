//! `--bench-from`: whose benchmarks two sides execute where these differ, and that a report says so. The same rule for
//! packages of Go and suites of Lua.

use std::fs;

use crate::ab::git;
use crate::go::{go, lab};
use crate::support::{Lab, Running, has, joined};

/// A benchmark that reports the size of its input, which is a constant and a file.
fn benchmark(input: u32) -> String {
    format!(
        r#"package m

import (
	"os"
	"testing"
)

func BenchmarkInput(b *testing.B) {{
	data, _ := os.ReadFile("testdata/in")
	b.ReportMetric(float64({input}*Cost), "work-units")
	b.ReportMetric(float64(len(data)), "read-units")
}}
"#
    )
}

/// The values of a unit on the base and the head in the newest record.
fn values(lab: &Lab, unit: &str) -> [Vec<f64>; 2] {
    ["base", "head"].map(|side| {
        let all = crate::go::observed(lab);
        let of_side = all.iter().filter(|it| it.1 == side);
        let value = |it: &(String, String, serde_json::Value)| {
            let value = &it.2["values"][unit];
            value.get("value").unwrap_or(value).as_f64().unwrap_or(f64::NAN)
        };
        let mut values: Vec<f64> = of_side.map(value).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    })
}

/// Would catch a commit that changes the input of a benchmark and is compared in silence: the base's own benchmark in
/// place of the head's, a file that it reads of the other side, and a difference that is not told.
#[test]
fn packages_of_go_execute_the_benchmarks_of_the_head() {
    let Some(lab) = lab() else { return };
    fs::create_dir(lab.path("m/testdata")).unwrap();
    lab.write("m/m_test.go", benchmark(1));
    lab.write("m/testdata/in", "1");
    git(&lab, "add -A && git COMMIT two");
    lab.write("m/m.go", "package m\n\nconst Cost = 200\n");
    lab.write("m/m_test.go", benchmark(10));
    lab.write("m/testdata/in", "1234567890");
    let words = "--base HEAD --no-control -benchtime 1x -r 2";
    let said = |ended: crate::support::Ended| joined(&(ended.stdout + &ended.stderr));
    let of_head = said(go(&lab, words).expect(0));
    has(
        &of_head,
        &[&joined("Benchmarks differ between the sides, example.com/m (m_test.go, testdata/in)")],
    );
    has(&of_head, &[&joined("both sides executed the head's")]);
    assert_eq!(values(&lab, "work-units"), [vec![1000.0], vec![2000.0]]);
    assert_eq!(values(&lab, "read-units"), [vec![10.0], vec![10.0]]);
    has(&joined(&lab.done(["report", "@last"])), &[&joined("Benchmarks differ between")]);
    let own = said(go(&lab, &format!("{words} --bench-from own")).expect(0));
    has(&own, &[&joined("each side executed its own, which may do other work")]);
    assert_eq!(values(&lab, "work-units"), [vec![100.0], vec![2000.0]]);
    assert_eq!(values(&lab, "read-units"), [vec![1.0], vec![10.0]]);
    // The head's benchmarks need what only the head has.
    lab.write("m/m.go", "package m\n\nconst Cost = 200\nconst More = 5\n");
    lab.write("m/m_test.go", benchmark(10).replace("Cost", "(Cost+More)"));
    let for_want = said(go(&lab, words).expect(0));
    has(
        &for_want,
        &[&joined("the head's do not build on the base, so that each side executed its own")],
    );
    assert_eq!(values(&lab, "work-units"), [vec![100.0], vec![2050.0]]);
    let asked = go(&lab, &format!("{words} --bench-from head")).expect(1);
    has(&joined(&asked.stderr), &[&joined("does not build in base"), "More"]);
    // Nothing is said where nothing differs.
    git(&lab, "add -A && git COMMIT three");
    assert!(!said(go(&lab, words).expect(0)).contains(&joined("Benchmarks differ")));
}

/// Would catch a benchmark that the head removes and that no report tells of; and where each side executes its own, one
/// whose loss no check sees. Benchmarks within benchmarks are no other than those of a file.
#[test]
fn a_benchmark_that_the_head_removes_is_told_or_fails_a_check() {
    let Some(lab) = lab() else { return };
    let work = "b.ReportMetric(5, \"work-units\")";
    let nested = |names: &[&str]| -> String {
        let each = |name: &&str| format!("b.Run(\"{name}\", func(b *testing.B) {{ {work} }})\n");
        let all: String = names.iter().map(each).collect();
        format!("package m\n\nimport \"testing\"\n\nfunc BenchmarkAll(b *testing.B) {{\n{all}}}\n")
    };
    lab.write("m/m_test.go", nested(&["x", "y"]));
    git(&lab, "add -A && git COMMIT two");
    lab.write("m/m_test.go", nested(&["x"]));
    let words = "--base HEAD --no-control -benchtime 1x -r 2 --fail-on sec/op:worse:50%";
    let of_head = go(&lab, words);
    has(&joined(&of_head.stdout), &[&joined("Benchmarks differ between the sides")]);
    assert!(!of_head.stderr.contains("missing"), "{}", of_head.stderr);
    let own = go(&lab, &format!("{words} --bench-from own")).expect(1);
    has(&own.stderr, &["missing: example.com/m, All/y"]);
}

/// Would catch the same of suites, and a suite of one side that is no error where each side is to execute its own.
#[test]
fn suites_of_lua_execute_those_of_the_head() {
    let Some(lab) = crate::ab::lab() else { return };
    let suite = |input: u32| {
        format!(
            "local measure = require('measure')
measure.describe('input'):run(function() measure.metric('input', {input}, 'count') end)\n"
        )
    };
    lab.write("m/p_bench.lua", suite(1));
    git(&lab, "add -A && git COMMIT three");
    lab.write("m/p_bench.lua", suite(10));
    let run = |words: &str| {
        let words = format!("cd m && exec \"$E\" run --base HEAD -r 2 --budget .1s {words}");
        let mut command = lab.shell(&words);
        command.env("TMPDIR", lab.path("tmp"));
        Running::start(command).end()
    };
    let of_head = run("p_bench.lua").expect(0);
    let said = joined(&(of_head.stdout + &of_head.stderr));
    has(&said, &[&joined("Benchmarks differ between the sides, p_bench.lua")]);
    has(&said, &[&joined("both sides executed the head's")]);
    let own = run("--bench-from own p_bench.lua").expect(0);
    has(&joined(&(own.stdout + &own.stderr)), &[&joined("each side executed its own")]);
    // Nothing in common: what each has alone is said, and no option of another command is its cure.
    lab.write("m/p_bench.lua", suite(10).replace("describe('input')", "describe('renamed')"));
    let other = run("--bench-from own p_bench.lua").expect(2);
    has(&joined(&other.stdout), &[&joined("Only in base: input. Only in head: renamed.")]);
    assert!(
        !other.stderr.contains("--row") && !other.stderr.contains("--ignore"),
        "{}",
        other.stderr
    );
    lab.write("m/q_bench.lua", suite(1));
    let alone = run("--bench-from own q_bench.lua").expect(1);
    has(&alone.stderr, &["q_bench.lua", "on one side only: head has what it executes"]);
    let new = run("q_bench.lua").expect(0);
    assert!(!joined(&(new.stdout + &new.stderr)).contains(&joined("Benchmarks differ")));
}
