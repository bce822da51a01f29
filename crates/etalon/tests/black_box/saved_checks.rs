//! Saved is as good as fresh: every check, order, choice of rows and format that a command of two sides has, `report` and
//! `compare` have for its record, with the same words and the same exit.

use std::fs;

use serde_json::json;

use crate::ab::{git, lab};
use crate::support::{Ended, Lab, Running, has, joined, skip};

/// What is asked of a comparison. UNIT is a unit of the command's.
const ASKED: [&str; 7] = [
    "--fail-on worse --only changed --sort delta",
    "--fail-on UNIT:worse:5% --format github",
    "--fail-on unclear --json",
    "--require nothing --format csv --sort name",
    "--fail-on UNIT:worse:100000% --new fail --summary --format markdown",
    "--style benchstat --format csv",
    "--full --sort p --margin 3%",
];

/// A module with a benchmark that allocates more where `bytes` says more.
const BENCHMARKS: &str = r#"package m

import (
	"os"
	"testing"
)

func BenchmarkFill(b *testing.B) {
	bytes, _ := os.ReadFile("../bytes")
	b.ReportMetric(float64(len(bytes)), "p99-ns")
	for i := 0; i < b.N; i++ {
	}
}
"#;

/// An experiment file of a command that prints a number of its side.
const EXPERIMENT: &str = r#"
[[subject]]
command = "sh show.sh"
[metric.filled]
unit = "count"
kind = "exact"
better = "lower"
[[table]]
metric = "filled"
rows = "name"
columns = "side"
raw = true
"#;

/// A case that allocates what `bytes` says; a suite's own module is each side's.
const SUITE: &str = "local size, kept = require('size'), {}
require('measure').describe('fill'):run(function()
    local new = {}
    for at = 1, size do new[at] = at end
    kept[1] = new
end)\n";

/// A repository with all four kinds of projects, whose working tree does worse in each; and the commands that measure them,
/// each with a unit of its own.
pub(crate) fn projects() -> Option<(Lab, Vec<(&'static str, &'static str)>)> {
    let lab = lab()?;
    lab.write("m/show.sh", "echo filled $(cat bytes) count\n");
    lab.write("m/e.toml", EXPERIMENT);
    lab.write("m/fill_bench.lua", SUITE);
    lab.write("m/size.lua", "return 100\n");
    lab.write("m/go.mod", "module example.com/m\n\ngo 1.20\n");
    // C sources beside it would be its own.
    fs::create_dir(lab.path("m/g")).unwrap();
    lab.write("m/g/g.go", "package m\n");
    lab.write("m/g/g_test.go", BENCHMARKS);
    lab.write("m/bytes", "20000");
    git(&lab, "add -A && git COMMIT three && git tag -f old");
    lab.write("m/bytes", "4000000");
    lab.write("m/size.lua", "return 20000\n");
    let mut commands = vec![
        ("ab old --no-control --build make -r 30 -- ./p", "rss-B/op"),
        ("run --base old --budget .1s -r 8 fill_bench.lua", "alloc-B/op"),
        ("run --base old -r 8 e.toml", "filled/op"),
    ];
    match std::process::Command::new("go").arg("version").output().is_ok() {
        true => commands.push(("go --base old -benchtime 1x -r 8 ./g", "p99-sec")),
        false => skip("etalon go: Go is not installed"),
    }
    Some((lab, commands))
}

fn in_module(lab: &Lab, words: &str) -> Ended {
    let mut command = lab.shell(&format!("cd m && exec \"$E\" {words}"));
    command.env("TMPDIR", lab.path("tmp"));
    Running::start(command).end()
}

/// The words with what is asked before the command that is measured.
fn with(words: &str, asked: &str) -> String {
    match words.split_once(" -- ") {
        Some((options, command)) => format!("{options} {asked} -- {command}"),
        None => format!("{words} {asked}"),
    }
}

/// Would catch an option of a command that `report` refuses or takes in another sense, a check that passes once its run is
/// saved, and sides that `compare` holds against nothing.
#[test]
fn a_saved_run_is_checked_sorted_and_printed_as_the_fresh_one() {
    let Some((lab, commands)) = projects() else { return };
    for (words, unit) in commands {
        for asked in ASKED.map(|asked| asked.replace("UNIT", unit)) {
            if words.starts_with("ab ") && asked.contains("--require nothing") {
                continue; // refused before anything is built: `ab_before`
            }
            let fresh = in_module(&lab, &with(words, &asked));
            let code = fresh.code;
            // benchstat's columns are files.
            let all = if asked.contains("benchstat") { 1 } else { 2 };
            for again in &["report", "compare"][..all] {
                let saved = lab.run([*again, "@last"].into_iter().chain(asked.split(' ')));
                assert_eq!(saved.code, code, "{words} {asked}: {again}: {}", saved.stderr);
                // Below the comparison, a file has its own tables.
                if *again == "report" || !words.ends_with(".toml") {
                    let stdout = fresh.stdout.replace("this run", "@last");
                    assert_eq!(saved.stdout, stdout, "{words} {asked}: {again}");
                }
            }
            let expected = match &asked {
                asked if asked.starts_with("--fail-on unclear") => code,
                asked if asked.contains("--require nothing") => Some(1),
                asked if asked.contains("100000%") || !asked.contains("--fail-on") => Some(0),
                _ => Some(1),
            };
            assert_eq!(code, expected, "{words} {asked}: {}{}", fresh.stdout, fresh.stderr);
        }
    }
}

/// Would catch a metric that is refused, or asked for in vain, where two sides of suites or of an experiment file are
/// compared, now or later.
#[test]
fn a_metric_narrows_what_is_compared() {
    let Some((lab, _)) = projects() else { return };
    for (words, unit) in [
        ("run --base old --budget .1s -r 8 --metric alloc --full fill_bench.lua", "alloc-B/op"),
        ("run --base old -r 8 --metric filled --full e.toml", "filled/op"),
    ] {
        let fresh = in_module(&lab, words).expect(0).stdout;
        let metric = words.split(' ').skip_while(|word| *word != "--metric").nth(1).unwrap();
        let saved = lab.done(["report", "@last", "--metric", metric, "--full"]);
        for shown in [&fresh, &saved] {
            has(shown, &[unit]);
            assert!(!shown.contains("sec/op"), "{words}: {shown}");
        }
    }
    let unknown = lab.run(["report", "@last", "--metric", "nosuch"]).expect(2);
    has(&unknown.stderr, &["--metric nosuch", "filled/op"]);
}

/// Would catch a check that is taken where there is no base, and measured before that is said.
#[test]
fn a_check_without_a_base_is_refused_before_anything_is_measured() {
    let Some((lab, _)) = projects() else { return };
    fs::create_dir_all(lab.path("m")).unwrap();
    for words in ["run fill_bench.lua", "run e.toml"] {
        for asked in ["--fail-on worse", "--require fill", "--only changed", "--sort delta"] {
            has(&in_module(&lab, &with(words, asked)).expect(2).stderr, &["--base REV"]);
        }
    }
    for asked in ["--by name", "-N", "--style bestguess", "--export-csv x", "--new fail"] {
        let words = with("run --base old fill_bench.lua", asked);
        let said = in_module(&lab, &words).expect(2).stderr;
        assert!(said.starts_with("etalon: "), "{words}: {said}");
    }
    has(&in_module(&lab, "go --fail-on worse ./g").expect(2).stderr, &["--base REV"]);
    assert!(lab.saved().is_empty());
    in_module(&lab, "cmd -r 3 true").expect(0);
    for asked in ["--fail-on worse", "--sort delta", "--only changed"] {
        let ended = lab.run(["report", "@last"].into_iter().chain(asked.split(' '))).expect(2);
        assert!(joined(&ended.stderr).contains(&joined("etalon compare BASE DATA")), "{asked}");
    }
}

/// Would catch options that a file's tables leave aside without a word where it is measured, and exports that are not
/// written.
#[test]
fn a_file_takes_what_is_of_the_ranking_when_it_is_measured_and_later() {
    let lab = Lab::new();
    let file = "[axes]\nn = ['1', '2']\n[[subject]]\ncommand = 'sleep 0.00{n}'\n[measure]\nruns = 6\n\
        [[table]]\nmetric = 'wall'\nrows = 'n'\ncolumns = 'name'\n";
    lab.write("e.toml", file);
    for asked in ["--metric cpu --full", "-E", "--format csv", "--export-json x.json"] {
        let fresh = lab.done(["run", "e.toml"].into_iter().chain(asked.split(' ')));
        if asked.starts_with("--export") {
            fs::remove_file(lab.path("x.json")).expect("written by the run");
        }
        let saved = lab.done(["report", "@last"].into_iter().chain(asked.split(' ')));
        assert_eq!(fresh, saved, "{asked}");
    }
    let unknown = lab.run(["run", "e.toml", "--metric", "nosuch"]).expect(2).stderr;
    has(&unknown, &["--metric: no metric `nosuch`: there are wall,"]);
}

/// Would catch tables of a harness that become a ranking once they are saved.
#[test]
fn a_saved_harness_is_narrowed_and_explained_as_the_fresh_one() {
    let lab = Lab::new();
    let row = r#"{"name":"NAME","run_name":"NAME","run_type":"iteration","iterations":9,"real_time":5.0,"cpu_time":4.0,"time_unit":"ns"}"#;
    let rows = [row.replace("NAME", "x"), row.replace("NAME", "y")].join(",");
    lab.write("r.json", format!("{{\"context\":{{}},\"benchmarks\":[{rows}]}}"));
    let run = ["cmd", "-r", "6", "--results", "google-benchmark", "--metric", "cpu", "cat r.json"];
    let fresh = lab.done(run).replace("this run", "@last");
    has(&fresh, &["cpu-sec/op"]);
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let saved = lab.done(["report", "@last", "--metric", "cpu"]);
    assert_eq!(squeezed(&fresh), squeezed(&saved));
    let explained = lab.done(["report", "@last", "--explain-noise"]);
    has(&explained, &["@last: nothing to compare it with."]);
}

/// Would catch a check that cannot tell because one execution of ten used system time, and all others of both sides none.
#[test]
fn a_time_that_is_nearly_always_0_does_not_stop_a_check() {
    let lab = Lab::new();
    let mut lines =
        vec![json!({"type": "header", "format": "etalon", "version": 1, "id": "by-hand",
        "sides": {"key": "/side", "base": "base", "head": "head"}})];
    for name in ["wall", "sys"] {
        lines.push(json!({"type": "metric", "name": name, "unit": "ns", "direction": "lower", "kind": "noisy",
            "resolution": 1e-6}));
    }
    for side in ["base", "head"] {
        lines.push(
            json!({"type": "benchmark", "name": "p", "command": "p", "params": {"side": side}}),
        );
    }
    for block in 0..10_u32 {
        for side in 0..2_u32 {
            let wall = 1_000_000 + 137 * ((block * 7 + side * 3) % 12);
            let sys = if (block, side) == (5, 1) { 3_868_000 } else { 0 };
            let values = json!({"wall": wall, "sys": sys});
            lines.push(
                json!({"type": "observation", "benchmark": side, "block": block, "values": values}),
            );
        }
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    lab.write("r.jsonl", text);
    let ended = lab.run(["report", "r.jsonl", "--fail-on", "worse"]).expect(0);
    assert!(!ended.stderr.contains("below the clock"), "{}", ended.stderr);
    has(&lab.done(["report", "r.jsonl", "--full"]), &["sys-sec/op", "below the clock"]);
}
