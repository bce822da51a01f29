//! Results of harnesses beyond `cmd` and `ab`: experiment files, one metric of several, compressed results, runs that are
//! planned, interrupted and resumed. Real executions of scripts.

use std::fs;

use serde_json::Value;

use crate::ab::{ab, git};
use crate::harness_results::{lab_of, started};
use crate::support::{Ended, Lab, Running, has, joined, signal, until};

/// A harness in Google Benchmark's format: `BM_a/8` and `BM_b`, `$1` times as long, to `$2`. Its readings differ from
/// execution to execution, not with the machine.
const SCRIPT: &str = r#"
n=$(($(cat "$NEXT" 2>/dev/null || echo 0) + 1))
echo "$n" >"$NEXT"
[ ! -e trouble ] || . ./trouble
j=$((n * 7 % 10))
entry() { printf '{"name":"%s","run_name":"%s","run_type":"iteration","repetitions":1,"repetition_index":0,"threads":1,"iterations":9,"real_time":%s.%s,"cpu_time":%s.%s,"time_unit":"us","hits":7}' "$1" "$1" "$2" "$j" "$(($2 / 2))" "$j"; }
{
    printf '{"context":{"date":"2026-01-01T00:00:00+00:00","library_build_type":"release"},"benchmarks":['
    entry BM_a/8 "$((1000 * $1))"
    printf ,
    entry BM_b "$((2000 * $1))"
    printf ']}'
} >"${2:-/dev/stdout}""#;

const FILE: &str = "[axes]\nsize = [1, 2]\n[[subject]]\ncommand = \"./h {size} {results}\"\n\
                    [measure]\nresults = \"google-benchmark\"\nruns = 8\n";

fn lab() -> Lab {
    lab_of(SCRIPT)
}

fn etalon(lab: &Lab, words: &str) -> Ended {
    started(lab, words).end()
}

/// Would catch a file whose harness is one row, names that are cut at a slash, a command's own time among those of its
/// benchmarks, and a report that is another one than what was shown.
#[test]
fn a_file_has_the_benchmarks_of_its_commands() {
    let lab = lab();
    lab.write("f.toml", FILE);
    let shown = joined(&etalon(&lab, "run f.toml").expect(0).stdout);
    has(&shown, &["wall(sec/op)", "cpu(cpu-sec/op)", "hits(hits/op)", "BM_a/8", "BM_b"]);
    assert!(!shown.contains("command-sec"), "{shown}");
    assert_eq!(joined(&lab.done(["report", "@last"])), shown);
    let record = lab.record();
    assert_eq!(record.lines[0]["harness"], "results");
    let benchmarks = record.of_type("benchmark");
    let named = |at: usize| (benchmarks[at]["name"].as_str(), benchmarks[at]["params"].clone());
    assert_eq!(benchmarks.len(), 6);
    assert_eq!(benchmarks[0]["command"], "./h 1 {results}");
    assert!(
        (2..6).all(|at| named(at).1["size"].is_string() && benchmarks[at]["command"].is_null())
    );

    lab.write(
        "f.toml",
        format!("{FILE}metric = \"cpu\"\n[[table]]\nmetric = \"wall\"\nrows = \"name\"\ncolumns = \"size\"\n\
                 [[table]]\nmetric = \"command\"\nrows = \"size\"\ncolumns = []\n"),
    );
    let document: Value =
        serde_json::from_str(&etalon(&lab, "run --json f.toml").expect(0).stdout).unwrap();
    let tables = document["tables"].as_array().unwrap();
    assert_eq!(tables[0]["unit"], "sec/op");
    assert_eq!(tables[0]["rows"].as_array().unwrap().len(), 2, "{document}");
    let summaries = tables[0]["summaries"].as_array().unwrap();
    let ratio = summaries[1]["ratio"].as_f64().unwrap();
    assert!((1.99..2.01).contains(&ratio), "{ratio}");
    has(&joined(&lab.done(["report", "@last"])), &["command(command-sec/op)"]);
}

#[test]
fn files_that_cannot_be_obeyed_are_refused() {
    let lab = lab();
    let suite = "return { x = function() end }";
    lab.write("s.lua", suite);
    for (file, said) in [
        (FILE.replace("google-benchmark", "nothing"), "f.toml:6:11: write one of pytest-benchmark"),
        (FILE.replace("google-benchmark", "jmh=x"), "f.toml:6:11: --results: has a path"),
        (FILE.replace("size", "results"), "f.toml:2:1: `results` is the path"),
        (FILE.replace("{results}", "{result}"), "no axis `result`"),
        (FILE.replace("[measure]", "prepare = \"rm {results}\"\n[measure]"), "{results} in a hook"),
        (format!("{FILE}[metric.x]\nunit = \"s\"\n"), "leave one of `results` and this out"),
        (FILE.replace("command = \"./h {size} {results}\"", "suite = \"s.lua\""), "is of commands"),
        (
            FILE.replace("command = \"./h {size} {results}\"", "go = \".\""),
            "read without `results`",
        ),
        (FILE.replace("results = \"google-benchmark\"\n", ""), "no axis `results`"),
    ] {
        lab.write("f.toml", &file);
        has(&etalon(&lab, "run f.toml").expect(2).stderr, &[said]);
    }
    assert!(!lab.path("next").exists());
}

/// Would catch a file whose harness is measured in the working tree on both sides.
#[test]
fn a_file_is_measured_on_two_sides() {
    let lab = lab();
    for directory in ["m", "tmp"] {
        fs::create_dir(lab.path(directory)).unwrap();
    }
    lab.script("m/h", SCRIPT);
    lab.write("m/f.toml", FILE);
    git(&lab, "init -q . && git add -A && git COMMIT one");
    lab.script("m/h", &SCRIPT.replace("2000", "3000"));
    let mut command = lab.shell("cd m && exec \"$E\" run --base HEAD f.toml");
    command.env("TMPDIR", lab.path("tmp")).env("NEXT", lab.path("next"));
    let shown = joined(&Running::start(command).end().expect(0).stdout);
    has(&shown, &["base→head", "BM_b/size=1", "time:2slower,2same", "slower", "BM_a/8"]);
    has(&joined(&lab.done(["report", "@last"])), &["base→head", "BM_b/size=2", "slower"]);
}

/// Would catch a unit of one side that is taken for the other's, and rows of other quantities that are compared.
#[test]
fn sides_that_write_other_units_are_compared_in_one() {
    let lab = lab();
    for directory in ["m", "tmp"] {
        fs::create_dir(lab.path(directory)).unwrap();
    }
    let script = SCRIPT.replace("$NEXT", "$UP");
    lab.script("m/h", &script);
    git(&lab, "init -q . && git add -A && git COMMIT one");
    let of_us = r#""real_time":%s.%s,"cpu_time":%s.%s,"time_unit":"us","hits""#;
    let of_ns = r#""real_time":%s%s00,"cpu_time":%s%s00,"time_unit":"ns","misses""#;
    assert!(script.contains(of_us));
    lab.script("m/h", &script.replace(of_us, of_ns));
    let words = "HEAD -r 12 --no-control --json --results google-benchmark -- ./h 1 {results}";
    let document: Value = serde_json::from_str(&ab(&lab, words).expect(0).stdout).unwrap();
    let comparisons = document["comparisons"].as_array().unwrap();
    let of_harness = |name: &str| {
        let is_it = |it: &&Value| it["candidate_name"].as_str().unwrap().starts_with(name);
        comparisons.iter().filter(is_it).collect::<Vec<_>>()
    };
    for name in ["BM_a", "BM_b"] {
        let all = of_harness(name);
        // Wall clock and CPU time; hits and misses are on one side each.
        assert_eq!(all.len(), 2, "{document}");
        for comparison in all {
            assert_eq!(comparison["verdict"], "same", "{comparison}");
        }
    }
}

/// Would catch a metric of the harness in the steps of etalon's own of that name, and one that is not found.
#[test]
fn one_metric_of_a_harness_is_chosen() {
    let lab = lab();
    let cmd = "cmd -r 6 --results google-benchmark --metric";
    let shown = joined(&etalon(&lab, &format!("{cmd} cpu './h 1 {{results}}'")).expect(0).stdout);
    has(&shown, &["cpu-sec/op", "BM_a/8500µs±0."]);
    assert!(!shown.contains("command") && !shown.contains("hits/op"), "{shown}");
    let metrics = lab.record();
    let metrics = metrics.of_type("metric");
    let called = |name: &str| metrics.iter().find(|it| it["name"] == name).unwrap();
    assert!(
        called("cpu")["resolution"].is_null() && called("command_cpu")["resolution"].is_number()
    );
    let unknown = etalon(&lab, &format!("{cmd} nothing './h 1 {{results}}'")).expect(2);
    has(&unknown.stderr, &["--metric nothing", "hits/op"]);
}

/// Would catch compressed results that are no results, and a cut stream that is read as far as it goes.
#[test]
fn compressed_results_are_read() {
    let lab = lab();
    lab.script("z", "./h 1 plain\ngzip -c plain >\"$1\"");
    has(
        &joined(
            &etalon(&lab, "cmd -r 6 --results google-benchmark './z {results}'").expect(0).stdout,
        ),
        &["BM_b2.00ms"],
    );
    lab.script("z", "./h 1 plain\ngzip -c plain | head -c 60 >\"$1\"");
    let ended = etalon(&lab, "cmd -r 6 --results google-benchmark './z {results}'").expect(2);
    has(&ended.stderr, &["no results", "{results}"]);
}

/// Would catch a pilot, or a precision, of the whole command in place of its benchmarks.
#[test]
fn benchmarks_are_what_is_planned_and_reached() {
    let lab = lab();
    let plan =
        etalon(&lab, "cmd -r 6 --plan --results google-benchmark './h 1 {results}'").expect(0);
    has(&joined(&plan.stdout), &["themedianofBM_", "bywall"]);
    etalon(&lab, "cmd --precision 0.01 --budget 20s --results google-benchmark './h 1 {results}'")
        .expect(0);
    let record = lab.record();
    assert_eq!(record.stopped_by().as_deref(), Some("precision"));
    assert_eq!(record.of(1).len(), 10);
}

/// Would catch blocks that are lost or counted twice, benchmarks that are declared again, and a command's time under the
/// name of theirs.
#[test]
fn an_interrupted_run_goes_on() {
    let lab = lab();
    lab.write("trouble", "while [ $n -gt 3 ] && [ -e trouble ]; do sleep 0.01; done");
    let words = "cmd -r 8 --results google-benchmark './h 1 {results}' './h 2 {results}'";
    let running = started(&lab, words);
    let executed = || fs::read_to_string(lab.path("next")).ok()?.trim().parse::<u32>().ok();
    until("three executions", || executed().is_some_and(|number| number > 3));
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    fs::remove_file(lab.path("trouble")).unwrap();
    etalon(&lab, "cmd --resume @last").expect(0);
    let record = lab.record();
    assert_eq!(record.of_type("benchmark").len(), 6);
    assert_eq!(record.stopped_by().as_deref(), Some("runs"));
    for benchmark in 0..6 {
        let observed = record.of(benchmark);
        let of_block = |block: &Value| observed.iter().filter(|it| it["block"] == *block).count();
        assert!(observed.len() >= 8 && observed.iter().all(|it| of_block(&it["block"]) == 1));
        let is_whole =
            |it: &&Value| it["values"]["command"].is_number() && it["values"]["wall"].is_null();
        assert_eq!(
            observed.iter().filter(|it| is_whole(it)).count(),
            if benchmark < 2 { observed.len() } else { 0 }
        );
    }
}
