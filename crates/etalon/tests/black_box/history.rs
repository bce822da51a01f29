//! `etalon history`: what is added is there once and whole, however etalon ended; in the order of first parents; and
//! what other programs wrote is read with their commits.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::ab;
use crate::support::{Lab, Running, has, signal, skip};

/// Benchmarks of a file of [`results`].
const BENCHMARKS: usize = 5;

/// The name of a commit that there is nowhere.
pub(crate) fn commit(number: usize) -> String {
    format!("{number:08x}{}", "c".repeat(32))
}

/// Files of Bencher's, a commit each, in a directory.
pub(crate) fn results(lab: &Lab, directory: &str, files: usize) {
    fs::create_dir(lab.path(directory)).unwrap();
    for number in 0..files {
        let benchmark = |at: usize| {
            let value = 100.0 + (number * 10 + at) as f64;
            format!(r#""b{at}": {{"latency": {{"value": {value}}}}}"#)
        };
        let all: Vec<String> = (0..BENCHMARKS).map(benchmark).collect();
        let name = format!("{directory}/{}.json", commit(number));
        lab.write(&name, format!("{{{}}}", all.join(", ")));
    }
}

fn import(lab: &Lab, directory: &str) -> Command {
    lab.etalon(["history", "import", directory, "--project", "p", "--time", "2026-11-21"])
}

/// All points, as they are exported.
pub(crate) fn points(lab: &Lab) -> Vec<Value> {
    lab.run(["history", "export", "--to", "jsonl", "points.jsonl", "--force"]).expect(0);
    let text = String::from_utf8(lab.read("points.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// How many points each commit has.
fn counts(points: &[Value]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for point in points {
        *counts.entry(point["commit"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    counts
}

/// Would catch what was reported and is gone, half of a file's points, a file that counts twice because it was added
/// again, and a database that does not open after a kill.
#[test]
fn a_kill_at_any_instant_loses_nothing_that_was_reported() {
    const FILES: usize = 30;
    const KILLS: u64 = 100;
    let whole = Lab::new();
    results(&whole, "all", FILES);
    let began = std::time::Instant::now();
    Running::start(import(&whole, "all")).end().expect(0);
    let took = u64::try_from(began.elapsed().as_micros()).unwrap();
    let mut lab = Lab::new();
    results(&lab, "all", FILES);
    let (mut killed_within, mut reported_at_most) = (0, 0);
    for kill in 0..KILLS {
        // Every ten kills from an empty store on: most instants lie where something is written.
        if kill % 10 == 0 {
            lab = Lab::new();
            results(&lab, "all", FILES);
        }
        let running = Running::start(import(&lab, "all"));
        let pause = (kill * 7919 % KILLS) * took / KILLS;
        std::thread::sleep(std::time::Duration::from_micros(pause));
        signal(running.pid(), libc::SIGKILL);
        let ended = running.end();
        let reported: Vec<&str> =
            ended.stdout.lines().filter(|line| line.contains(" new point")).collect();
        let counts = counts(&points(&lab));
        for line in &reported {
            let name = Path::new(line.split(':').next().unwrap()).file_stem().unwrap();
            assert_eq!(counts.get(name.to_str().unwrap()), Some(&BENCHMARKS), "{line}");
        }
        assert!(counts.values().all(|count| *count == BENCHMARKS), "half of a file: {counts:?}");
        killed_within += usize::from(counts.len() < FILES && !counts.is_empty());
        reported_at_most = reported_at_most.max(reported.len());
    }
    assert!(killed_within > 0 && reported_at_most > 0, "no kill while points were added");
    Running::start(import(&lab, "all")).end().expect(0);
    let all = points(&lab);
    assert_eq!(all.len(), FILES * BENCHMARKS);
    assert!(all.iter().all(|point| point["runs"] == 1 && point["n"] == 1), "a file counts twice");
}

/// Would catch two writers of which one gives up, or whose points overwrite each other.
#[test]
fn two_writers_at_once_lose_nothing() {
    let lab = Lab::new();
    results(&lab, "all", 40);
    let writers: Vec<Running> = (0..2).map(|_| Running::start(import(&lab, "all"))).collect();
    let printed: Vec<String> = writers.into_iter().map(|it| it.end().expect(0).stdout).collect();
    let new: usize = printed.iter().map(|it| it.matches("5 new points").count()).sum();
    assert_eq!(new, 40, "{printed:?}");
    let all = points(&lab);
    assert_eq!((all.len(), all.iter().filter(|point| point["runs"] == 1).count()), (200, 200));
}

/// Would catch a newer etalon's history that is written to, and an error that does not say what to do.
#[test]
fn a_newer_history_is_left_alone() {
    let lab = Lab::new();
    results(&lab, "all", 2);
    Running::start(import(&lab, "all")).end().expect(0);
    let set =
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 9')";
    let database = lab.home().join("history.sqlite");
    let arguments = ["-c", set, database.to_str().unwrap()];
    Running::start(lab.program("python3", arguments)).end().expect(0);
    let before = fs::read(&database).unwrap();
    for words in [
        &["history", "list"][..],
        &["history", "import", "all", "--project", "p", "--time", "2026-11-21"],
    ] {
        let ended = lab.run(words).expect(2);
        has(
            &ended.stderr,
            &["history.sqlite", "a newer etalon", "schema 9", "`etalon history rebuild`"],
        );
    }
    assert_eq!(fs::read(&database).unwrap(), before);
}

/// Would catch a point of the wrong commit, an order by time of adding, a repeat that replaces or is left out, a run
/// that counts twice, and a database that records do not give again.
#[test]
fn saved_runs_become_points_in_the_order_of_first_parents() {
    let Some(lab) = ab::lab() else { return };
    let in_m =
        |words: &str| Running::start(lab.shell(&format!("cd m && \"$E\" {words}"))).end().expect(0);
    let measure = || in_m("cmd -r 5 -n t true");
    let head = |lab: &Lab| {
        let ended = Running::start(lab.shell("git -C m rev-parse HEAD")).end().expect(0);
        ended.stdout.trim().to_owned()
    };
    let newer = head(&lab);
    measure();
    in_m("history add @last --branch main");
    ab::git(&lab, "checkout -q old");
    let older = head(&lab);
    measure();
    measure();
    has(
        &in_m("history add @-2 @last --branch main").stdout,
        &["new points", "pooled with earlier runs"],
    );
    has(&in_m("history add @last --branch main").stdout, &["0 new points", "known already"]);
    let walls: Vec<Value> = points(&lab).into_iter().filter(|it| it["metric"] == "wall").collect();
    let of = |at: usize| {
        (walls[at]["commit"].as_str().unwrap(), &walls[at]["position"], &walls[at]["runs"])
    };
    assert_eq!(of(0), (older.as_str(), &Value::from(0), &Value::from(2)));
    assert_eq!(of(1), (newer.as_str(), &Value::from(1), &Value::from(1)));
    assert_eq!((&walls[0]["project"], &walls[0]["branch"]), (&"m".into(), &"main".into()));
    let before = points(&lab);
    for name in ["history.sqlite", "history.sqlite-wal", "history.sqlite-shm"] {
        let _is_there_or_not = fs::remove_file(lab.home().join(name));
    }
    has(&lab.done(["history", "rebuild"]), &["3 saved runs", "were missing"]);
    assert_eq!(points(&lab), before);
    has(&lab.done(["history", "rebuild"]), &["0 points were missing"]);
    let shown = lab.done(["history", "show", "t", "wall"]);
    has(&shown, &[&older[..10], &newer[..10], "commit", "runs"]);
    has(&lab.done(["history"]), &["series", "t"]);
    has(
        &lab.run(["history", "show", "t"]).expect(2).stderr,
        &["series have these words", "wall", "cpu"],
    );
    let csv = lab.done(["history", "show", "t", "wall", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 3, "{csv}");
    let mode = |name: &str| {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(lab.home().join(name)).unwrap().permissions().mode() & 0o777
    };
    assert_eq!((mode("history.sqlite"), mode("history")), (0o600, 0o700));
    // Points outlive the run that they came from; what is said of it does not.
    lab.run(["runs", "remove", "@last"]).expect(0);
    assert_eq!(fs::read_dir(lab.home().join("history")).unwrap().count(), 2);
    assert_eq!(points(&lab), before);
}

/// Would catch a working tree that is measured as a commit, values where ratios belong, and an anchor that is lost.
#[test]
fn two_revisions_give_ratios_to_the_anchor() {
    let Some(lab) = ab::lab() else { return };
    lab.write("m/bytes", "1");
    let ended = ab::ab(&lab, "old --series memory --build 'make p' -r 8 -- ./p").expect(0);
    has(&ended.stderr, &["the history: ", "new points"]);
    let all = points(&lab);
    let memory = all.iter().find(|point| point["metric"] == "rss").expect("peak memory");
    assert_eq!((&memory["benchmark"], &memory["kind"]), (&"memory".into(), &"ratio".into()));
    assert!(memory["value"].as_f64().unwrap() > 2.0, "{memory}");
    assert!(memory["lo"].as_f64().unwrap() > 2.0, "{memory}");
    let named = |rev: &str| {
        let ended = Running::start(lab.shell(&format!("git -C m rev-parse {rev}"))).end().expect(0);
        ended.stdout.trim().to_owned()
    };
    assert_eq!(memory["commit"], named("HEAD"));
    assert_eq!(memory["anchor"], named("old"));
    assert_eq!(memory["facts"]["build.command"], "make p");
    assert!(!memory["machine"].as_str().unwrap().contains("host"), "{memory}");
    let again = lab.done(["history", "add", "@last", "--series", "memory"]);
    has(&again, &["0 new points"]);
    ab::ab(&lab, "old --series memory --no-save -- true").expect(2);
}

/// Would catch a format whose commits, times or values are lost on the way.
#[test]
fn histories_of_other_programs_are_read_with_their_commits() {
    let lab = Lab::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../etalon-record/tests/data/harness");
    let data = data.to_str().unwrap();
    let script = format!("{data}/github-action-benchmark/data.js");
    lab.run(["history", "import", &script, "--project", "web"]).expect(0);
    let all = points(&lab);
    assert!(
        !all.is_empty() && all.iter().all(|it| it["commit"].as_str().unwrap().len() == 40),
        "{all:?}"
    );
    assert!(all.iter().all(|it| it["time"].as_f64().unwrap() > 1e9 && it["kind"] == "absolute"));
    let before = all.len();
    has(&lab.done(["history", "import", &script, "--project", "web"]), &[": 0 new points"]);
    assert_eq!(points(&lab).len(), before);
    let asv = format!("{data}/asv/results");
    lab.run(["history", "import", &asv, "--project", "py"]).expect(0);
    let of = |project: &str, all: &[Value]| -> Vec<Value> {
        all.iter().filter(|it| it["project"] == project).cloned().collect()
    };
    let python = of("py", &points(&lab));
    assert!(counts(&python).len() >= 2, "{python:?}");
    assert!(python.iter().all(|it| it["time"].as_f64().unwrap() > 1e9));
    for (name, ns) in [("0123abc.txt", 100), ("4567def-arm.txt", 120)] {
        lab.write(name, format!("pkg: x/y\nBenchmarkEncode-8 1000 {ns} ns/op 64 B/op\n"));
    }
    let go = [
        "history",
        "import",
        "0123abc.txt",
        "4567def-arm.txt",
        "--project",
        "go",
        "--time",
        "2026-11-21",
    ];
    lab.run(go).expect(0);
    let go = of("go", &points(&lab));
    let named: Vec<&str> = go.iter().map(|it| it["commit"].as_str().unwrap()).collect();
    assert!(named.contains(&"0123abc") && named.contains(&"4567def") && go.len() == 4, "{go:?}");
    assert!(go.iter().all(|it| it["benchmark"] == "Encode-8 [pkg=x/y]"), "{go:?}");
}

/// Would catch an error that does not name the file, or what to do about it.
#[test]
fn what_is_not_known_is_asked_for() {
    let lab = Lab::new();
    lab.write("b.json", r#"{"fib": {"latency": {"value": 911.6}}}"#);
    let add = |words: &[&str]| lab.run([&["history", "add", "b.json"], words].concat());
    has(&add(&[]).expect(2).stderr, &["b.json", "--project"]);
    has(&add(&["--project", "p"]).expect(2).stderr, &["b.json", "--commit and --time"]);
    has(&add(&["--project", "p", "--commit", "v1"]).expect(2).stderr, &["b.json", "v1", "--time"]);
    has(&add(&["--time", "soon"]).expect(2).stderr, &["2026-11-21"]);
    let known = ["--project", "p", "--commit", "v1", "--time", "2026-11-21"];
    let metric = [&known[..], &["--metric", "rss"]].concat();
    has(&add(&metric).expect(2).stderr, &["b.json", "no values of rss"]);
    has(&lab.run(["history", "list"]).expect(0).stderr, &["no series"]);
    add(&known).expect(0);
    has(&lab.done(["history", "list"]), &["fib", "2026-11-21", "912 ns"]);
    lab.write("none.json", "{]");
    let ended = lab.run(["history", "add", "none.json", "--project", "p"]).expect(2);
    has(&ended.stderr, &["none.json"]);
    lab.write("there.csv", "something");
    let ended = lab.run(["history", "export", "--to", "csv", "there.csv"]).expect(2);
    has(&ended.stderr, &["there.csv", "--force"]);
    let nothing = Lab::new();
    has(
        &nothing.run(["history"]).expect(0).stderr,
        &["no history yet", "etalon history add @last"],
    );
    assert!(!nothing.home().exists(), "a question made a file");
    if Command::new("git").arg("--version").output().is_err() {
        skip("histories: git is not installed");
    }
}
