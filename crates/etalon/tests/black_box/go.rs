//! `etalon go`: a small module, in a repository of its own, measured for real. What is certain about its numbers is what
//! its benchmarks report themselves.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Ended, Lab, Running, has, joined, signal, skip, until};

/// Benchmarks that report what they are told by a constant of the package.
const BENCHMARKS: &str = r#"package m

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func BenchmarkTwo(b *testing.B) {
	for _, name := range []string{"a", "b"} {
		b.Run(name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
			}
			b.ReportMetric(Cost, "p99-ns")
		})
	}
}

func BenchmarkTorn(b *testing.B) {
	fmt.Print("no end of line")
	fmt.Fprintln(os.Stderr, "a warning")
	for i := 0; i < b.N; i++ {
	}
}

func BenchmarkFails(b *testing.B)  { b.Fatal("out of luck") }
func BenchmarkPanics(b *testing.B) { go panic("boom"); time.Sleep(time.Hour) }
func BenchmarkExits(b *testing.B)  { os.Exit(0) }
func BenchmarkSkipped(b *testing.B) { b.Skip("not today") }

func BenchmarkWaits(b *testing.B) {
	os.WriteFile(os.Getenv("UP"), nil, 0o600)
	time.Sleep(time.Hour)
}
"#;

/// A laboratory with a module in a repository, or nothing where there is no Go.
pub(crate) fn lab() -> Option<Lab> {
    let there = |program: &str| Command::new(program).arg("version").output().is_ok();
    if !there("go") || !there("git") {
        skip("etalon go: Go or git is not installed");
        return None;
    }
    let lab = Lab::new();
    fs::create_dir(lab.path("tmp")).unwrap();
    fs::create_dir(lab.path("m")).unwrap();
    lab.write("m/go.mod", "module example.com/m\n\ngo 1.20\n");
    lab.write("m/m.go", "package m\n\nconst Cost = 100\n");
    lab.write("m/m_test.go", BENCHMARKS);
    lab.write("m/.gitignore", "ignored\n");
    lab.write("m/ignored", "kept");
    let git = "cd m && git init -q . && git add -A && git -c user.name=n -c user.email=e commit -q -m one";
    Running::start(lab.shell(git)).end().expect(0);
    Some(lab)
}

/// `etalon go` in the module, with a directory for temporary files of its own.
fn command(lab: &Lab, words: &str) -> Command {
    let mut command = lab.shell(&format!("cd m && exec \"$E\" go {words}"));
    command.env("TMPDIR", lab.path("tmp")).env("UP", lab.path("up"));
    command
}

pub(crate) fn go(lab: &Lab, words: &str) -> Ended {
    Running::start(command(lab, words)).end()
}

/// Every file of the module, its repository included: content, mode and time.
pub(crate) fn snapshot(lab: &Lab) -> BTreeMap<String, (Vec<u8>, u32, i64, i64)> {
    fn walk(path: &Path, all: &mut BTreeMap<String, (Vec<u8>, u32, i64, i64)>) {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            let about = fs::symlink_metadata(&path).unwrap();
            let content = if about.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            let facts = (content, about.mode(), about.mtime(), about.mtime_nsec());
            all.insert(path.to_string_lossy().into_owned(), facts);
            if about.is_dir() {
                walk(&path, all);
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(&lab.path("m"), &mut all);
    all
}

/// What is left of temporary files, and of builds that are not kept.
pub(crate) fn left(lab: &Lab) -> Vec<String> {
    let builds = lab.home().join("builds");
    let names = |directory: &Path| -> Vec<String> {
        let entries = fs::read_dir(directory).into_iter().flatten();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    };
    let is_kept = |name: &String| {
        let place = name.split('.').next().unwrap_or_default();
        !name.ends_with(".building") && builds.join(format!("{place}.built")).exists()
    };
    let unfinished = names(&builds).into_iter().filter(|name| !is_kept(name));
    names(&lab.path("tmp")).into_iter().chain(unfinished).collect()
}

/// The observations of the newest record with their benchmarks' names and sides.
pub(crate) fn observed(lab: &Lab) -> Vec<(String, String, Value)> {
    let record = lab.record();
    let benchmarks = record.of_type("benchmark");
    let of = |observation: &&Value| {
        let at = usize::try_from(observation["benchmark"].as_u64().unwrap()).unwrap();
        let line = benchmarks[at];
        let side = line["configuration"]["side"].as_str().unwrap_or_default().to_owned();
        (line["name"].as_str().unwrap().to_owned(), side, (*observation).clone())
    };
    record.of_type("observation").iter().map(of).collect()
}

/// Would catch a result that is lost or changed on its way, one without its block, and a report without intervals.
#[test]
fn one_side_is_reported_with_intervals_and_converted_to_the_same_lines() {
    let Some(lab) = lab() else { return };
    let before = snapshot(&lab);
    let ended = go(&lab, "-bench Two/a -benchtime=5x -r 6 -o ../o.txt").expect(0);
    has(&ended.stdout, &["example.com/m", "p99-sec", "Two/a", "Two/a-", "100 ns", "(n=6)"]);
    assert!(snapshot(&lab) == before);
    assert_eq!(left(&lab), [""; 0]);
    let observed = observed(&lab);
    let blocks: Vec<u64> = observed.iter().map(|it| it.2["block"].as_u64().unwrap()).collect();
    assert_eq!(blocks, [0, 1, 2, 3, 4, 5]);
    assert!(observed.iter().all(|it| it.0.starts_with("Two/a") && it.2["iterations"] == 5));
    let lines = String::from_utf8(lab.read("o.txt")).unwrap();
    assert_eq!(lines.lines().filter(|line| line.starts_with("BenchmarkTwo/a")).count(), 6);
    has(&lines, &["pkg: example.com/m\n", "\t5\t", "100.0 p99-ns", " allocs/op"]);
    assert_eq!(lab.done(["convert", "@last", "--to", "go"]), lines);
    has(&lab.done(["report", "@last"]), &["100 ns", "(n=6)"]);
}

/// Would catch a failure that ends the others, loses its message or exits 0, and output that tears a result.
#[test]
fn what_fails_is_an_outcome_and_the_others_go_on() {
    let Some(lab) = lab() else { return };
    let words = "-bench 'Fails|Panics|Exits|Skipped|Torn|Two' -benchtime 1x -r 2 .";
    let ended = go(&lab, words).expect(1);
    let said = joined(&ended.stderr);
    for part in [
        "Fails example.com/m: failed (exit status 1)",
        "out of luck",
        "Panics example.com/m: failed (exit status 2)",
        "panic: boom",
        "Exits example.com/m: failed",
        "Skipped example.com/m: skipped: m_test.go:",
        "not today",
    ] {
        assert!(said.contains(&joined(part)), "no {part} in {}", ended.stderr);
    }
    let observed = observed(&lab);
    let count = |name: &str| observed.iter().filter(|it| it.0.starts_with(name)).count();
    assert_eq!([count("Two/a"), count("Two/b"), count("Torn")], [2, 2, 2]);
    assert_eq!([count("Fails"), count("Panics"), count("Exits"), count("Skipped")], [1, 1, 1, 1]);
    let record = lab.record();
    let printed =
        record.of_type("output").iter().map(|it| it["text"].to_string()).collect::<String>();
    assert!(printed.contains("no end of line") && printed.contains("a warning"), "{printed}");
    let ended = go(&lab, "-bench 'Skipped|Two/a' -benchtime 1x -r 1").expect(0);
    assert!(ended.stderr.contains("not today"), "{}", ended.stderr);
}

/// Would catch sides that are built from one tree, a base that is the second column, sides of a benchmark that are not
/// side by side, and a repository or a directory for temporary files that is not as it was.
#[test]
fn two_sides_are_compared_within_blocks_and_leave_nothing() {
    let Some(lab) = lab() else { return };
    lab.write("m/m.go", "package m\n\nconst Cost = cost\n");
    lab.write("m/untracked.go", "package m\n\nconst cost = 200\n");
    let before = snapshot(&lab);
    let mut command = command(&lab, "--base HEAD -bench Two -benchtime 1x -r 8");
    // Where times scatter much, their intervals are so wide that a narrow screen has no room for the head's values.
    command.env("COLUMNS", "200");
    let ended = Running::start(command).end().expect(0);
    has(&ended.stdout, &["base → head", "interleaved", "100 ns", "200 ns", "+100", "slower"]);
    assert!(snapshot(&lab) == before);
    assert_eq!(left(&lab), [""; 0]);
    let observed = observed(&lab);
    assert_eq!(observed.len(), 8 * 8);
    for pair in observed.chunks(8) {
        let sides: Vec<&str> = pair.iter().map(|it| it.1.as_str()).collect();
        assert_eq!(sides.iter().filter(|side| **side == "base").count(), 4, "{sides:?}");
        assert!(pair.iter().all(|it| it.2["block"] == pair[0].2["block"]));
    }
    for (_, side, observation) in &observed {
        let value = &observation["values"]["p99-sec"];
        let value = value.get("value").unwrap_or(value).as_f64().unwrap();
        assert!((value - if side == "base" { 100.0 } else { 200.0 }).abs() < 1e-9);
    }
    let reported = lab.done(["report", "@last"]);
    has(&reported, &["base → head", "slower"]);
    go(&lab, "--base HEAD -bench Two -benchtime 1x -r 8 --fail-on p99-sec:worse").expect(1);
    // Whichever side was measured first.
    let mut firsts = Vec::new();
    for seed in 1..=4 {
        let words = format!(
            "--base HEAD --no-control -bench Two -benchtime 1x -r 8 --seed {seed} -o ../{seed}.txt"
        );
        go(&lab, &words).expect(0);
        firsts.push(self::observed(&lab)[0].1.clone());
        let text = format!("{seed}.txt");
        for data in ["@last", &text] {
            for columns in [&[][..], &["--col", "side"]] {
                let check = ["compare", data, "--fail-on", "p99-sec:worse:5%"];
                let ended = lab.run([&check[..], columns].concat()).expect(1);
                has(&ended.stderr, &["Two/a", "ratio 2."]);
            }
        }
    }
    assert!(["base", "head"].iter().all(|side| firsts.iter().any(|first| first == side)));
}

/// Would catch a metric of commands that is refused after everything was built and measured, and a unit that nothing has
/// after more than one block.
#[test]
fn units_that_cannot_come_are_refused_early() {
    let Some(lab) = lab() else { return };
    for asked in ["--metric cpu", "--fail-on rss:worse", "--fail-on cycles:worse:5%"] {
        let ended = go(&lab, &format!("--base HEAD -bench Two {asked}")).expect(2);
        has(&ended.stderr, &[&format!("{asked}: not measured; Go has sec/op, B/op, allocs/op")]);
        assert!(!ended.stderr.contains("building") && lab.saved().is_empty(), "{}", ended.stderr);
    }
    let words = "--base HEAD --no-control -bench Two -benchtime 1x -r 8";
    for (asked, said) in [
        ("--metric cpu-sec/op", "--metric cpu-sec/op: nothing that is compared is measured by it"),
        ("--fail-on p98-sec:worse", "--fail-on p98-sec:worse: no such unit in what is compared"),
    ] {
        let ended = go(&lab, &format!("{words} {asked}")).expect(2);
        has(&joined(&ended.stderr), &[&joined(said), "p99-sec", "issavedas@last"]);
        let mut observed = observed(&lab).into_iter();
        assert!(observed.all(|(_, _, it)| it["block"] == 0), "{asked}");
    }
    go(&lab, &format!("{words} --metric p99-sec")).expect(0);
    assert_eq!(observed(&lab).len(), 8 * 4);
}

/// A benchmark that takes fifty times as long in a copy whose path the environment names. Its time is what it says: a machine
/// that is busy makes no side differ.
const PLACED: &str = r#"package m

import (
	"os"
	"strings"
	"testing"
)

func BenchmarkPlaced(b *testing.B) {
	took := 1000.0
	if at, _ := os.Getwd(); os.Getenv("SLOW") != "" && strings.Contains(at, os.Getenv("SLOW")) {
		took = 50_000
	}
	b.ReportMetric(took, "ns/op")
}
"#;

/// Would catch an announced time that is that of Go's last attempt alone, of which there are several: half of what it takes.
#[test]
fn the_time_is_announced_that_all_attempts_take() {
    let Some(lab) = lab() else { return };
    let told = go(&lab, "-r 20 -benchtime 100ms -bench Skipped .").expect(0).stderr;
    has(&told, &["1 benchmark, 20 blocks, about 3 s and what sub-benchmarks add"]);
}

/// Would catch sides of Go that are built once, a build that is slower by itself and is taken for a change of the project,
/// one that is told of the other side, and a report, a list or Go's lines that say something else of the same record.
#[test]
fn a_build_that_differs_from_its_twin_withholds_the_verdicts() {
    let Some(lab) = lab() else { return };
    lab.write("m/m_test.go", PLACED);
    Running::start(
        lab.shell("cd m && git add -A && git -c user.name=n -c user.email=e commit -q -m two"),
    )
    .end()
    .expect(0);
    for (slow, side) in [("head-2", "head"), ("base-1", "base")] {
        let words =
            "--base HEAD --no-cache -benchtime 3x -r 12 --fail-on worse -o ../x.txt --force";
        let mut slowed = command(&lab, words);
        slowed.env("SLOW", slow);
        let ended = Running::start(slowed).end().expect(3);
        let withheld = format!("Withheld: {side} differs from its own second build");
        let other = if side == "head" { "Withheld: base" } else { "Withheld: head" };
        for said in [
            ended.stdout.clone(),
            lab.done(["report", "@last"]),
            lab.done(["compare", "@last"]),
            lab.done(["compare", "x.txt"]),
        ] {
            has(&joined(&said), &[&joined(&withheld)]);
            assert!(!joined(&said).contains(&joined(other)), "{said}");
        }
        let document = lab.json(["report", "@last", "--json"]);
        let rows = document["tables"][0]["rows"].as_array().unwrap();
        let is_withheld = |row: &Value| row["cells"][1]["comparison"]["verdict"] == "unclear";
        assert!(!rows.is_empty() && rows.iter().all(is_withheld), "{document}");
        let observed = observed(&lab);
        assert_eq!(observed.len(), 12 * 4);
        let facts = &lab.record().lines[0]["context"];
        assert_eq!((&facts["builds"], &facts["base.asked"]), (&"2".into(), &"HEAD".into()));
        assert!(facts["go.sides"].is_null());
        let lines = String::from_utf8(lab.read("x.txt")).unwrap();
        has(&lines, &["side: base\n", "build: 1\n", "build: 2\n"]);
    }
    let once = go(&lab, "--base HEAD --no-control -benchtime 3x -r 6").expect(0);
    has(&joined(&once.stdout), &[&joined("Each side was built once")]);
    assert_eq!(observed(&lab).len(), 6 * 2);
    let twice = go(&lab, "--base HEAD -benchtime 3x -r 12").expect(0);
    // It agrees; on a busy machine, "no side differs from its own second build" that could be seen.
    has(&joined(&twice.stdout), &["Controls:", "itsownsecondbuild"]);
    assert!(!joined(&twice.stdout).contains("notchecked:"), "{}", twice.stdout);
}

/// Would catch a mistake that is told late, without its remedy, or with exit 0, and what it leaves.
#[test]
fn mistakes_are_told_before_anything_is_measured() {
    let Some(lab) = lab() else { return };
    let refused = |words: &str, parts: &[&str]| {
        let ended = go(&lab, words).expect(2);
        let said = joined(&ended.stderr);
        parts.iter().for_each(|part| {
            assert!(said.contains(&joined(part)), "no {part} in {}", ended.stderr);
        });
        assert_eq!(left(&lab), [""; 0], "{words}");
    };
    refused("-bench Nothing", &["-bench Nothing: matches no benchmark of .", "go test -list"]);
    refused("--base nope", &["--base nope: no such revision", "git branch"]);
    refused("./nope", &["./nope"]);
    refused("--base-binary ./nope", &["--base-binary ./nope"]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let table =
        format!("[service.s]\nstart = 'sleep 1000'\nready = {{ tcp = '127.0.0.1:{port}' }}\n");
    lab.write("s.toml", table);
    refused("-bench Two --service ../s.toml", &["127.0.0.1", "s"]);
    lab.write("m/m.go", "package m\n\nconst Cost = none\n");
    refused("-bench Two", &["example.com/m: does not build", "m.go:3:14", "none"]);
    let broken = go(&lab, "-bench Two --base HEAD").expect(1);
    has(&joined(&broken.stderr), &[&joined("does not build in head"), "m.go:3:14"]);
    assert_eq!(left(&lab), [""; 0]);
    let mut without = command(&lab, "-bench Two");
    fs::create_dir(lab.path("none")).unwrap();
    without.env("PATH", lab.path("none"));
    let ended = Running::start(without).end().expect(2);
    has(&ended.stderr, &["go: not found in PATH"]);
}

/// Would catch a package that does not build and takes the others with it, and one that is lost in silence.
#[test]
fn a_package_that_does_not_build_is_an_outcome_beside_others() {
    let Some(lab) = lab() else { return };
    fs::create_dir(lab.path("m/broken")).unwrap();
    lab.write("m/broken/b_test.go", "package broken\n\nvar x int = \"text\"\n");
    let ended = go(&lab, "-bench Two -benchtime 1x -r 2 ./...").expect(1);
    assert!(joined(&ended.stderr).contains(&joined("b_test.go:3:13")), "{}", ended.stderr);
    let observed = observed(&lab);
    assert_eq!(observed.iter().filter(|it| it.0.starts_with("Two/")).count(), 4);
    let outcome = observed.iter().find(|it| it.0.contains("broken")).unwrap();
    assert!(outcome.2["outcome"]["not_started"].is_string(), "{outcome:?}");
}

/// A package of one benchmark that reports what is certain.
const REPORTS: &str = r#"package p

import "testing"

func BenchmarkP(b *testing.B) { b.ReportMetric(7, "p99-ns") }
"#;

/// Would catch a new package that fails a check as one that is broken does, a removed one that passes it in silence, and
/// Go's lines of several packages that are taken for output that was cut.
#[test]
fn a_package_of_one_side_is_new_or_missing() {
    let Some(lab) = lab() else { return };
    fs::create_dir(lab.path("m/old")).unwrap();
    fs::create_dir(lab.path("m/new")).unwrap();
    lab.write("m/old/p_test.go", REPORTS);
    let git = "cd m && git add -A && git -c user.name=n -c user.email=e commit -q -m two";
    Running::start(lab.shell(git)).end().expect(0);
    lab.write("m/new/p_test.go", REPORTS);
    let check = ["--fail-on", "p99-sec:worse"];
    let words = "--base HEAD --no-control -bench 'Two|P$' -benchtime 1x -r 9 ./... --fail-on p99-sec:worse -o";
    let ended = go(&lab, &format!("{words} ../new.txt")).expect(0);
    has(&joined(&ended.stdout), &["example.com/m/new"]);
    for data in ["@last", "new.txt"] {
        let ended = lab.run([&["compare", data][..], &check].concat()).expect(0);
        assert!(!ended.stderr.contains("PASS"), "{}", ended.stderr);
    }
    fs::remove_dir_all(lab.path("m/old")).unwrap();
    go(&lab, &format!("{words} ../gone.txt")).expect(1);
    for data in ["@last", "gone.txt"] {
        let ended = lab.run([&["compare", data][..], &check].concat()).expect(1);
        has(&joined(&ended.stderr), &["example.com/m/old"]);
    }
    let alone = go(&lab, "--base HEAD -bench P ./new").expect(1);
    has(&joined(&alone.stderr), &[&joined("example.com/m/new: there is no such package in base")]);
}

/// Would catch copies, binaries and processes that stay behind when the user stops it, or something kills it.
#[test]
fn nothing_is_left_after_an_interrupt_or_a_kill() {
    let Some(lab) = lab() else { return };
    let before = snapshot(&lab);
    let start = || {
        let _none = fs::remove_file(lab.path("up"));
        let running = Running::start(command(&lab, "--base HEAD -bench 'Waits' -r 3"));
        until("a benchmark that waits", || lab.path("up").exists());
        running
    };
    let running = start();
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    lab.assert_nothing_left();
    assert_eq!((snapshot(&lab) == before, left(&lab)), (true, Vec::new()));
    let running = start();
    signal(running.pid(), libc::SIGKILL);
    running.end();
    lab.assert_nothing_left();
    assert!(snapshot(&lab) == before);
    assert_ne!(left(&lab), [""; 0]);
    go(&lab, "-bench Two -benchtime 1x -r 1").expect(0);
    assert_eq!(left(&lab), [""; 0]);
}

/// Would catch temporary files of Go that stay when its build is interrupted.
#[test]
fn nothing_of_an_interrupted_build_is_left() {
    let Some(lab) = lab() else { return };
    lab.script(
        "slow",
        "case \"$*\" in *-V=full*) exec \"$@\";; esac; : > \"$UP\"; exec sleep 1000",
    );
    let words = format!("-bench Two --go-flag=-toolexec={}", lab.path("slow").display());
    let mut command = command(&lab, &words);
    command.env("GOCACHE", lab.path("cache")).env_remove("GOTMPDIR");
    let running = Running::start(command);
    until("a compiler", || lab.path("up").exists());
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    lab.assert_nothing_left();
    assert_eq!(left(&lab), [""; 0]);
}

/// Would catch flags of the package's own that do not reach its binary, a base binary that is not executed, and a
/// service that is not there.
#[test]
fn arguments_binaries_and_services_are_handed_over() {
    let Some(lab) = lab() else { return };
    let flagged =
        "package m\n\nimport \"flag\"\n\nvar _ = flag.Bool(\"integration\", false, \"\")\n";
    lab.write("m/flag_test.go", flagged);
    Running::start(lab.shell("cd m && go test -c -o ../old.test .")).end().expect(0);
    lab.write("m/m.go", "package m\n\nconst Cost = 300\n");
    lab.write("s.toml", "[service.s]\nstart = 'sleep 1000'\nready = { command = 'true' }\n");
    let words = "--base-binary ../old.test --service ../s.toml -count=2 -benchtime 1x -bench Two/a \
                 -r 2 . -- -integration -test.cpu 1";
    go(&lab, words).expect(0);
    lab.assert_nothing_left();
    let observed = observed(&lab);
    assert_eq!(observed.len(), 2 * 2 * 2);
    assert!(observed.iter().all(|it| it.0 == "Two/a" && it.2["turn"].is_u64()));
    let cost = |side: &str| {
        let of = observed.iter().find(|it| it.1 == side).unwrap();
        let value = &of.2["values"]["p99-sec"];
        value.get("value").unwrap_or(value).as_f64().unwrap()
    };
    assert_eq!([cost("base"), cost("head")], [100.0, 300.0]);
    assert_eq!(lab.record().of_type("service").len(), 1);
    let refused = go(&lab, "-bench Two . -- -no-such-flag").expect(2);
    has(&refused.stderr, &["no-such-flag"]);
}

/// Two sub-benchmarks, one that fails, and one of a package that another cell names.
const FILE: &str = r#"
title = "packages"
[axes]
benchmark = ["Two/a", "Two/b", "Fails"]
[[subject]]
go = "."
benchtime = "5x"
[metric.p99]
unit = "ns"
go = "p99-ns"
[measure]
runs = 6
[[table]]
metric = "p99"
rows = "benchmark"
columns = "name"
view = "plain"
"#;

/// Would catch a package that is built for every cell, a benchmark that is another cell's, a failure that ends the others, a
/// record that cannot be resumed because its binary has gone, and what is left of that.
#[test]
fn packages_are_subjects_of_experiment_files() {
    let Some(lab) = lab() else { return };
    lab.write("m/file.toml", FILE);
    let before = snapshot(&lab);
    let run = |words: &str| {
        let mut command = lab.shell(&format!("cd m && exec \"$E\" run {words}"));
        command.env("TMPDIR", lab.path("tmp"));
        Running::start(command).end()
    };
    let told = run("--list file.toml").expect(0);
    has(&told.stdout, &["go test -run '^$' -bench '^BenchmarkTwo$/^a$' -benchmem -benchtime 5x ."]);
    assert!(lab.saved().is_empty());
    let ended = run("file.toml").expect(1);
    has(&joined(&ended.stdout), &["Two/a100", "Two/b100", "Failsfailed(1)"]);
    assert!(snapshot(&lab) == before);
    assert_eq!(left(&lab), [""; 0]);
    let record = lab.record();
    let benchmarks = record.of_type("benchmark");
    assert_eq!(benchmarks.len(), 3);
    assert!(
        benchmarks.iter().all(|it| it["path"].is_null() && it["hash"] == benchmarks[0]["hash"])
    );
    let mut end = fs::read(&lab.saved()[0]).unwrap();
    end.truncate(end.iter().rposition(|byte| *byte == b'\n').unwrap());
    end.truncate(end.iter().rposition(|byte| *byte == b'\n').unwrap() + 1);
    lab.write("cut.jsonl.partial", end);
    run("--resume ../cut.jsonl.partial").expect(1);
    let unnamed = FILE.replace("[metric.p99]\nunit = \"ns\"\ngo = \"p99-ns\"\n", "");
    lab.write("m/file.toml", unnamed.replace("\"p99\"", "\"allocations\""));
    has(&joined(&run("file.toml").expect(1).stdout), &["Two/a0"]);
}

/// Would catch a package that is measured although something of it cannot be, and errors without place or remedy.
#[test]
fn mistakes_about_packages_in_experiment_files_are_told_with_their_place() {
    let Some(lab) = lab() else { return };
    fs::create_dir(lab.path("m/broken")).unwrap();
    lab.write("m/broken/b_test.go", "package broken\n\nvar x int = \"text\"\n");
    for (from, to, told) in [
        ("go = \".\"", "go = \"./none\"", "file.toml:6:6: the package ./none does not build: "),
        ("go = \".\"", "go = \"./broken\"", "file.toml:6:6: the package ./broken does not build"),
        ("go = \".\"", "go = \"./...\"", "file.toml:6:6: ./... is several packages"),
        ("go = \".\"", "go = \".\"\ncwd = \".\"", "executed in the directory of their package"),
        ("go = \".\"", "go = \".\"\ncommand = \"true\"", "leave one of them out"),
        ("go = \".\"", "command = \"true\"", "is of packages of Go"),
        ("benchmark = [", "size = [", "Write `bench = \"PATTERN\"`"),
    ] {
        assert!(FILE.contains(from), "{from}");
        let text = FILE.replace(from, to).replace("rows = \"benchmark\"", "rows = \"name\"");
        lab.write("m/file.toml", text);
        let mut command = lab.shell("cd m && exec \"$E\" run file.toml");
        command.env("TMPDIR", lab.path("tmp"));
        let ended = Running::start(command).end().expect(2);
        assert!(joined(&ended.stderr).contains(&joined(told)), "no {told} in {}", ended.stderr);
        assert!(lab.saved().is_empty());
        assert_eq!(left(&lab), [""; 0]);
    }
    // Of a side it is what is measured that fails.
    lab.write("m/file.toml", FILE.replace("go = \".\"", "go = \"./broken\""));
    let mut command = lab.shell("cd m && exec \"$E\" run --base HEAD file.toml");
    command.env("TMPDIR", lab.path("tmp"));
    let ended = Running::start(command).end().expect(1);
    has(&joined(&ended.stderr), &[&joined("the package ./broken does not build")]);
    assert_eq!(left(&lab), [""; 0]);
}

/// Would catch a limit that is left to the test binary, which ends none of its benchmarks by itself; what hangs and is executed
/// again in every block; and results that go with it.
#[test]
fn what_hangs_within_a_benchmark_is_ended() {
    let Some(lab) = lab() else { return };
    for sides in ["", "--base HEAD --no-control "] {
        let words = format!("{sides}-bench 'Two|Waits' -benchtime 1x -r 3 -timeout 4s");
        let ended = go(&lab, &words).expect(1);
        has(&ended.stderr, &["Waits", "took longer than --timeout"]);
        has(&ended.stdout, &["Two/a"]);
        let observed = observed(&lab);
        let waited: Vec<_> = observed.iter().filter(|it| it.0.starts_with("Waits")).collect();
        assert_eq!(waited.len(), if sides.is_empty() { 1 } else { 2 });
        assert!(waited.iter().all(|it| it.2["outcome"] == "timed_out"), "{waited:?}");
        assert!(observed.len() > waited.len());
        assert_eq!(left(&lab), [""; 0]);
    }
    for bad in ["soon", "10", "-1s"] {
        has(&go(&lab, &format!("-timeout={bad}")).expect(2).stderr, &["write a time as Go does"]);
    }
}

/// Would catch etalon's own lines of Go failing etalon's own check, and a number of processors that is dropped.
#[test]
fn lines_that_etalon_writes_pass_its_checks() {
    let Some(lab) = lab() else { return };
    let check = ["--fail-on", "p99-sec:worse"];
    go(&lab, "--base HEAD --no-control -bench Two -benchtime 1x -r 8 -o ../two.txt").expect(0);
    lab.done(["convert", "@last", "--to", "go", "-o", "converted.txt"]);
    for file in ["two.txt", "converted.txt"] {
        let passed = lab.run(["compare", file].into_iter().chain(check)).expect(0);
        assert!(!passed.stderr.contains("PASS"), "{}", passed.stderr);
    }
    // What failed is named, and nothing is said to be cut.
    go(&lab, "--base HEAD --no-control -bench 'Two|Exits' -benchtime 1x -r 8 -o ../fails.txt")
        .expect(1);
    let failed = lab.run(["compare", "fails.txt"].into_iter().chain(check)).expect(1);
    has(&failed.stderr, &["BenchmarkExits of example.com/m failed"]);
    assert!(!failed.stderr.contains("cut"), "{}", failed.stderr);
    for file in ["one.txt", "other.txt"] {
        go(&lab, &format!("-cpu 1,2 -bench Two -benchtime 1x -r 8 -o ../{file}")).expect(0);
        let lines = String::from_utf8(lab.read(file)).unwrap();
        has(&lines, &["BenchmarkTwo/a\t", "BenchmarkTwo/a-2\t"]);
    }
    let both = ["compare", "one.txt", "other.txt"].into_iter().chain(check);
    let passed = lab.run(both).expect(0);
    assert!(!passed.stderr.contains("PASS"), "{}", passed.stderr);
    has(&go(&lab, "-cpu 1,1").expect(2).stderr, &["each once"]);
}

/// Would catch a sub-benchmark, or a benchmark, that a change removes and nobody is told of.
#[test]
fn what_the_head_lacks_fails_a_check_and_is_named() {
    let Some(lab) = lab() else { return };
    let less = BENCHMARKS.replace("{\"a\", \"b\"}", "{\"a\"}");
    lab.write("m/m_test.go", less.replace("func BenchmarkTorn", "func removedTorn"));
    let words = "--base HEAD --no-control -bench 'Two|Torn' -benchtime 1x -r 8 --fail-on p99-sec:worse:900%";
    // Where both sides execute the head's benchmarks, nobody can miss one: that they differ is told.
    let ended = go(&lab, words).expect(0);
    has(&joined(&ended.stdout), &[&joined("Benchmarks differ between the sides"), "m_test.go"]);
    let ended = go(&lab, &format!("{words} --bench-from own")).expect(1);
    has(&ended.stderr, &["missing: ", "Two/b"]);
    has(&lab.done(["report", "@last", "--full"]), &["Two/b"]);
}
