//! The list of saved runs: what a line says, how it fits, what is found and what is pruned.

use serde_json::{Value, json};

use crate::support::{Ended, Lab, Running, has, ids, tame};

/// A record by hand: twelve blocks in which each benchmark takes so many microseconds and a little more.
fn record(
    id: &str,
    started: &str,
    benchmarks: &[(Value, usize)],
    stopped_by: Option<&str>,
) -> String {
    let argv: Vec<String> = ["etalon", "cmd", id].map(str::to_owned).to_vec();
    let mut lines = vec![
        json!({"type": "header", "format": "etalon", "version": 1, "id": id, "started": started, "argv": argv}),
        json!({"type": "metric", "name": "wall", "unit": "ns", "direction": "lower", "kind": "noisy"}),
    ];
    for (benchmark, _) in benchmarks {
        let mut line = json!({"type": "benchmark"});
        for (key, value) in benchmark.as_object().expect("an object") {
            line[key] = value.clone();
        }
        lines.push(line);
    }
    for block in 0..12_usize {
        for (benchmark, (_, micros)) in benchmarks.iter().enumerate() {
            let wall = micros * (1000 + (block * 5 + benchmark * 3) % 11);
            lines.push(json!({"type": "observation", "benchmark": benchmark, "block": block,
                "values": {"wall": wall}}));
        }
    }
    if let Some(stopped_by) = stopped_by {
        lines.push(json!({"type": "end", "stopped_by": stopped_by, "at": started}));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn command(text: &str) -> Value {
    json!({"name": text, "command": text})
}

fn case(file: &str, name: &str) -> Value {
    json!({"name": name, "case": {"file": file, "warmup": 0.0, "gc_step": 0, "confidence": 0.95}})
}

/// A laboratory with saved runs of all kinds, all of them long ago.
fn lab() -> Lab {
    let lab = Lab::new();
    let runs = lab.home().join("runs");
    std::fs::create_dir_all(&runs).expect("a store");
    let gzip = |level| command(&format!("gzip -{level} -c Cargo.lock"));
    let suite = "/home/me/project/bench/string_bench.lua";
    let suite = [
        (case(suite, "string.buffer"), 5),
        (case(suite, "table.concat"), 8),
        (case(suite, "string.format"), 71),
    ];
    for (id, at, benchmarks, end) in [
        (
            "20250101T120000.000000Z-kzmwqtbx",
            "12:00",
            &[(gzip(1), 910), (gzip(9), 1100)][..],
            Some("runs"),
        ),
        ("20250102T120000.000000Z-bcdfghjk", "12:01", &suite, Some("precision")),
        (
            "20250103T120000.000000Z-1a2b",
            "12:02",
            &[(command("sleep 0.1"), 101_000)],
            Some("budget"),
        ),
        (
            "20250104T120000.000000Z-1a2b",
            "12:03",
            &[
                (command("rg -c needle"), 50),
                (command("grep -c needle"), 90),
                (command("ag -c needle"), 70),
            ],
            Some("runs"),
        ),
        ("20250105T120000.000000Z-wwwwwwww", "12:04", &[(command("make"), 1)], Some("interrupt")),
        ("20250106T120000.000000Z-zzzzzzzz", "12:05", &[(command("make -j"), 1)], None),
        (
            "20250107T120000.000000Z-xxxxxxxx",
            "12:06",
            &[(command("true"), 9), (command("false"), 9)],
            Some("runs"),
        ),
    ] {
        let day = &id[6..8];
        let started = format!("2025-01-{day}T{at}:00Z");
        let ending = if end.is_some() { "" } else { ".partial" };
        let path = runs.join(format!("{id}.jsonl{ending}"));
        std::fs::write(path, record(id, &started, benchmarks, end)).expect("a record");
    }
    std::fs::write(runs.join("20250108T120000.000000Z-tttttttt.jsonl"), "garbage").expect("a file");
    lab.run(["runs", "name", "@kzmw", "before-the-change"]).expect(0);
    lab.run(["runs", "tag", "@kzmw", "release", "ci"]).expect(0);
    lab.run(["runs", "note", "@bcdf", "with the Patched allocator"]).expect(0);
    lab
}

/// Runs the binary in a time zone and a locale that are always the same.
fn run(lab: &Lab, locale: &str, arguments: &[&str]) -> Ended {
    let mut command = lab.etalon(arguments);
    command.env("TZ", "XYZ-2").env("LC_ALL", locale);
    Running::start(command).end().expect(0)
}

/// Would catch a list that is torn at 80 columns, hides the verdict, or says a time nobody had on the wall.
#[test]
fn a_run_a_line_in_80_columns() {
    let lab = lab();
    let shown = run(&lab, "C.UTF-8", &["runs"]).stdout;
    tame(&shown);
    assert_eq!(shown, LISTED, "\n{shown}");
    let ascii = run(&lab, "C", &["runs"]).stdout;
    tame(&ascii);
    assert!(ascii.is_ascii(), "{ascii}");
    has(&ascii, &[" 1.21 x faster ", " 101 ms +- 0.3 % ", " rg ~e fastest of 3 "]);
    assert_eq!(run(&lab, "C.UTF-8", &["runs", "list", "--all"]).stdout, shown);
    let few = run(&lab, "C.UTF-8", &["runs", "-n", "2"]).stdout;
    assert_eq!(few.lines().count(), 4);
    has(&few, &["6 more", "--all"]);
    let none = Running::start(Lab::new().etalon(["runs"])).end().expect(0);
    assert_eq!(none.stdout, "");
    has(&none.stderr, &["no saved runs in "]);
}

const LISTED: &str = "\
run       started           measured      answer              label         size
tttt      2025-01-08 14:00  is not a…one  unreadable                         7 B
xxxx      2025-01-07 14:06  true, false   same                            2.1 kB
zzzz      2025-01-06 14:05  make -j       unfinished                      1.2 kB
wwww      2025-01-05 14:04  make          interrupted                     1.2 kB
20250104  2025-01-04 14:03  rg -c …le +2  rg …e fastest of 3              3.1 kB
20250103  2025-01-03 14:02  sleep 0.1     101 ms ± 0.3 %                  1.3 kB
bcdf      2025-01-02 14:01  string_b…lua  str…r fastest of 3              3.3 kB
kzmw      2025-01-01 14:00  gzip -…ck +1  1.21 × faster       @befor…ase  2.2 kB
";

/// Would catch a list that knows the first benchmark of a harness only: they are declared as they have results.
#[test]
fn benchmarks_are_found_that_are_declared_after_the_first_observation() {
    let lab = Lab::new();
    let runs = lab.home().join("runs");
    std::fs::create_dir_all(&runs).expect("a store");
    let id = "20250101T120000.000000Z-kzmwqtbx";
    let mut lines = vec![
        format!(
            r#"{{"type":"header","format":"etalon","version":1,"id":"{id}","argv":["etalon","go"]}}"#
        ),
        r#"{"type":"metric","name":"sec/op","unit":"ns","direction":"lower","kind":"noisy"}"#
            .to_owned(),
    ];
    for block in 0..2 {
        for (at, name) in ["Decode-2", "Encode-2"].iter().enumerate() {
            if block == 0 {
                lines.push(format!(r#"{{"type":"benchmark","name":"{name}"}}"#));
            }
            let values = r#""values":{"sec/op":9}"#;
            lines.push(format!(
                r#"{{"type":"observation","benchmark":{at},"block":{block},{values}}}"#
            ));
        }
    }
    std::fs::write(runs.join(format!("{id}.jsonl")), lines.join("\n") + "\n").expect("a record");
    // The second time, the index says it.
    for _ in 0..2 {
        let shown = run(&lab, "C", &["runs", "list", "encode"]).stdout;
        has(&shown, &["Decode-2, Encode-2"]);
    }
}

/// Would catch a word that is looked for in one place only, and a search that finds what is not meant.
#[test]
fn words_and_dates_find_runs() {
    let lab = lab();
    let found = |arguments: &[&str]| -> Vec<String> {
        let list = [&["runs", "list", "--json"], arguments].concat();
        let json: Value = serde_json::from_str(&run(&lab, "C", &list).stdout).expect("JSON");
        let short = |run: &Value| run["short"].as_str().expect("a short id").to_owned();
        json.as_array().expect("a list").iter().map(short).collect()
    };
    assert_eq!(found(&["GZIP"]), ["kzmw"]);
    assert_eq!(found(&["needle", "grep"]), ["20250104"]);
    assert_eq!(found(&["needle", "gzip"]), [""; 0]);
    assert_eq!(found(&["patched"]), ["bcdf"]);
    assert_eq!(found(&["string_bench"]), ["bcdf"]);
    assert_eq!(found(&["string.format"]), ["bcdf"]);
    assert_eq!(found(&["#ci"]), ["kzmw"]);
    assert_eq!(found(&["@before"]), ["kzmw"]);
    assert_eq!(found(&["--since", "2025-01-06"]), ["tttt", "xxxx", "zzzz"]);
    assert_eq!(found(&["--since", "1d"]), [""; 0]);
    has(
        &run(&lab, "C", &["runs", "list", "nowhere"]).stderr,
        &["no such run among the 8 saved runs"],
    );
    has(&lab.run(["runs", "--since", "soon"]).expect(2).stderr, &["90d (days)", "2026-11-21"]);
    let json: Value =
        serde_json::from_str(&run(&lab, "C", &["runs", "list", "gzip", "--json"]).stdout)
            .expect("JSON");
    let run = &json[0];
    assert_eq!(run["names"], json!(["before-the-change"]));
    assert_eq!(run["tags"], json!(["ci", "release"]));
    assert_eq!(run["answer"], "gzip -1 -c Cargo.lock 1.21 × faster");
    assert_eq!(run["benchmarks"], json!(["gzip -1 -c Cargo.lock", "gzip -9 -c Cargo.lock"]));
    assert_eq!([&run["state"], &run["stopped_by"]], ["complete", "runs"]);
    assert_eq!(run["started"], "2025-01-01T12:00:00Z");
}

/// Would catch short ids that lead nowhere or elsewhere, and one of several taken.
#[test]
fn short_ids_lead_to_their_runs() {
    let lab = lab();
    has(&lab.done(["runs", "show", "@kzmw"]), &["-kzmwqtbx", "@before-the-change #ci #release"]);
    has(&lab.done(["runs", "show", "bcdf"]), &["noted", "with the Patched allocator"]);
    has(&lab.done(["report", "@20250103"]), &["sleep 0.1"]);
    let ended = lab.run(["report", "@1a2b"]).expect(2);
    has(&ended.stderr, &["the beginning of 2 runs: @20250104, @20250103", "write more of one"]);
    lab.done(["cmd", "-N", "-r", "2", "true"]);
    let id = ids(&lab).pop().expect("a run");
    let random = id.rsplit('-').next().expect("its random part");
    assert_eq!(random.len(), 8);
    has(&lab.done(["runs", "show", &random[..4]]), &[&id]);
}

/// Would catch a list that reads every record for its answer, keeps that of an unfinished one, or never finds out
/// what an older etalon did not keep.
#[test]
fn answers_are_kept_when_a_run_ends() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "6", "sleep 0.05", "sleep 0.5"]);
    let id = ids(&lab).pop().expect("a run");
    let kept = lab.home().join("answers").join(format!("{id}.json"));
    let answer = || -> Value {
        let text = std::fs::read_to_string(&kept).expect("its answer");
        serde_json::from_str(&text).expect("JSON")
    };
    let said = answer();
    let listed = lab.done(["runs"]);
    has(&listed, &[said["text"].as_str().expect("a text")]);
    std::fs::write(&kept, "{\"text\":\"kept\"}").expect("another answer");
    has(&lab.done(["runs"]), &[" kept "]);
    std::fs::remove_file(&kept).expect("removed");
    assert_eq!(lab.done(["runs"]), listed);
    assert_eq!(answer(), said, "what was found out is kept, and is what was kept when it ended");
    lab.run(["runs", "remove", "@last"]).expect(0);
    assert!(!kept.exists());
}

/// Would catch labels lost, misread, or given to what does not exist.
#[test]
fn labels_are_given_and_taken() {
    let lab = lab();
    has(&lab.run(["runs", "untag", "@kzmw", "ci", "none"]).expect(0).stderr, &[": #release"]);
    has(&lab.run(["runs", "note", "@kzmw", "   "]).expect(0).stderr, &[": #release"]);
    has(&lab.run(["runs", "untag", "@kzmw", "release"]).expect(0).stderr, &["no tag and no note"]);
    has(
        &lab.run(["runs", "unname", "@before-the-change"]).expect(0).stderr,
        &["no longer @before"],
    );
    has(&lab.run(["runs", "unname", "nobody"]).expect(0).stderr, &["no run is called @nobody"]);
    assert!(!run(&lab, "C", &["runs"]).stdout.contains("label"));
    has(&lab.run(["runs", "tag", "@kzmw", "a b"]).expect(2).stderr, &["`a b` cannot be a tag"]);
    has(&lab.run(["runs", "tag", "@nowhere", "x"]).expect(2).stderr, &["no saved run `@nowhere`"]);
    let long = "x".repeat(5000);
    has(&lab.run(["runs", "note", "@kzmw", &long]).expect(2).stderr, &["at most 4096 bytes"]);
    lab.run(["runs", "note", "@kzmw", "a\x1b[31m red\nnote"]).expect(0);
    let shown = lab.done(["runs", "show", "@kzmw"]);
    assert!(shown.lines().all(|line| !line.chars().any(char::is_control)), "{shown:?}");
}

/// Would catch runs removed unasked, those that somebody labelled removed, or others than listed.
#[test]
fn pruning_lists_first_and_keeps_what_is_labelled() {
    let lab = lab();
    let left = || ids(&lab).len();
    has(&lab.run(["runs", "prune"]).expect(2).stderr, &["--older-than 90d", "--keep 50"]);
    let listed = lab.run(["runs", "prune", "--older-than", "90d", "--keep", "4"]).expect(0);
    assert_eq!(listed.stdout.lines().count(), 4, "{}", listed.stdout);
    has(&listed.stdout, &["20250103", "20250104", "2 runs (", "--yes removes them"]);
    has(&listed.stderr, &["2 more have a name, a tag or a note", "--labelled"]);
    assert_eq!(left(), 8);
    let one = lab.run(["runs", "prune", "--older-than", "90d", "--keep", "5"]).expect(0);
    has(&one.stdout, &["1 run (", ") would be removed: --yes removes it\n"]);
    let none = lab.run(["runs", "prune", "--larger-than", "1MB", "--yes"]).expect(0);
    has(&none.stderr, &["nothing to remove"]);
    has(&lab.run(["runs", "prune", "--total", "1GB"]).expect(0).stderr, &["nothing to remove"]);
    has(
        &lab.run(["runs", "prune", "--keep", "4", "--yes"]).expect(0).stderr,
        &["removed 2 runs ("],
    );
    assert_eq!(left(), 6);
    lab.run(["runs", "prune", "--keep", "0", "--labelled", "--yes"]).expect(0);
    assert_eq!(left(), 0);
    let left: usize = ["labels", "names", "answers"]
        .map(|name| lab.home().join(name).read_dir().map_or(0, Iterator::count))
        .iter()
        .sum();
    assert_eq!(left, 0);
}
