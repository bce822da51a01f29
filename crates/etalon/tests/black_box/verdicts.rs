//! What verdicts are made of, where the answer is known by hand: margins with their units, times that tie,
//! nothing against nothing, looks that were paid for.

use std::fmt::Write as _;

use etalon_core::stats::Looks;
use serde_json::{Value, json};

use crate::suites::two_speeds;
use crate::support::{Lab, hand_written, has, joined};

/// A record of two benchmarks in twelve blocks, whose clock is as fine as its readings: what each reads of time
/// (ns) and memory (B) in which block.
fn record(read: impl Fn(i64, i64) -> (i64, i64)) -> String {
    let metric = |name: &str, unit: &str| json!({"type": "metric", "name": name, "unit": unit, "direction": "lower", "kind": "noisy"});
    let mut lines = vec![
        json!({"type": "header", "format": "etalon", "version": 1, "id": "by-hand"}),
        metric("wall", "ns"),
        metric("rss", "B"),
        json!({"type": "benchmark", "name": "old", "command": "old"}),
        json!({"type": "benchmark", "name": "new", "command": "new"}),
    ];
    for block in 0..12 {
        for benchmark in 0..2 {
            let (wall, rss) = read(block, benchmark);
            lines.push(json!({"type": "observation", "benchmark": benchmark, "block": block,
                "values": {"wall": wall, "rss": rss}}));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Would catch an amount of memory that is taken as seconds for the times: 10 B used to call twice the
/// time the same.
#[test]
fn a_margin_is_one_of_its_own_unit() {
    let lab = Lab::new();
    lab.write(
        "data",
        record(|block, benchmark| {
            (4_000_000 * (1 + benchmark) + block * 7, 1_000_000 + benchmark * 4 + block % 3)
        }),
    );
    let report = |metric: &str, margin: &str| {
        lab.json(["report", "data", "--json", "--metric", metric, "--margin", margin])
    };
    let memory = report("rss", "10B");
    assert_eq!(memory["comparisons"][0]["verdict"], "same");
    assert_eq!(memory["comparisons"][0]["margin"], json!({"absolute": 10.0, "unit": "B"}));
    assert_eq!(report("rss", "2B")["comparisons"][0]["verdict"], "slower");
    assert_eq!(report("wall", "5ms")["comparisons"][0]["verdict"], "same");
    let refused = lab.run(["report", "data", "--metric", "wall", "--margin", "5MB"]).expect(2);
    has(&refused.stderr, &["--margin: is a size, and nothing that is compared is one (wall)"]);
    assert_eq!(refused.stdout, "");

    // In tables it holds for those of its kind, and for the others the default does.
    let compared =
        ["compare", "data", "--row", ".file", "--col", ".fullname", "--margin", "10B", "--json"];
    let tables = lab.json(compared);
    let verdict = |unit: &str| {
        let tables = tables["tables"].as_array().expect("a list");
        let table = tables.iter().find(|table| table["unit"] == unit).expect("the unit");
        table["rows"][0]["cells"][1]["comparison"]["verdict"].clone()
    };
    assert_eq!([verdict("sec/op"), verdict("rss-B/op")], ["slower", "same"]);
    let only_times =
        ["compare", "data", "data", "--filter", ".unit:sec/op", "--margin", "10B", "--quiet"];
    has(&lab.run(only_times).expect(2).stderr, &["--margin: is a size", "(sec/op)"]);
}

/// Would catch a margin that forgets its unit on the way into the record, or is applied to functions' times.
#[test]
fn a_recorded_margin_keeps_its_unit() {
    let lab = Lab::new();
    two_speeds(&lab, "speed_bench.lua");
    let run = ["run", "speed_bench.lua", "-r", "10", "--metric", "alloc", "--margin", "10B"];
    let shown = lab.done([&run[..], &["--json"]].concat());
    assert_eq!(shown, lab.done(["report", "@last", "--json"]));
    let analysis: Value = serde_json::from_str(&shown).expect("a document");
    assert_eq!(analysis["settings"]["margin"], json!({"absolute": 10.0, "unit": "B"}));
    assert_eq!(lab.record().of_type("settings")[0]["margin"]["unit"], "B");
    let times = lab.done(["report", "@last"]);
    let row = |line: &&str| line.trim_start().starts_with("long") && line.contains('×');
    let row = times.lines().filter(row).find(|line| line.contains("µs") || line.contains(" M "));
    assert!(row.is_none_or(|row| !row.contains("same")), "three times as long:\n{times}");
    // What the record was asked for need not fit what is ranked now.
    let by_time = lab.json(["report", "@last", "--json", "--metric", "wall"]);
    assert_eq!(by_time["comparisons"][0]["margin"], json!({"relative": 0.01}));
    assert_ne!(by_time["comparisons"][0]["verdict"], "same");
}

/// Would catch totals that are equal in microseconds, and not in sums of rounded seconds.
#[test]
fn equal_cpu_times_tie_whatever_they_are_the_sum_of() {
    let lab = Lab::new();
    let mut csv = "Command,Shell,Name,Batch,Exit code,User time (us),System time (us)\n".to_owned();
    for row in 0..20 {
        let more = 10 * (row % 5);
        writeln!(csv, "a,,,1,0,{},0", 300_000 + more).expect("text");
        writeln!(csv, "b,,,2,0,{},200000", 100_000 + more).expect("text");
    }
    lab.write("data.csv", csv);
    let comparison = &lab.json(["report", "data.csv", "--json"])["comparisons"][0];
    assert_eq!(comparison["p"], 1.0);
    assert_eq!(comparison["superiority"], 0.5);
    has(&lab.done(["report", "data.csv", "-N", "-E"]), &["U = 200, p ", "Â = 0.50"]);
}

/// Would catch ties among differences and ratios that rounded seconds make different: within blocks, 100 µs
/// each time, and 1 : 3 as often as 3 : 1.
#[test]
fn equal_changes_within_blocks_tie() {
    let lab = Lab::new();
    let rows = |pairs: &[(i64, i64)]| {
        let row = |(a, b): &(i64, i64)| [(json!(a * 1000), json!(a)), (json!(b * 1000), json!(b))];
        let rows: Vec<_> = pairs.iter().map(row).collect();
        let rows: Vec<&[_]> = rows.iter().map(|row| &row[..]).collect();
        hand_written(&rows)
    };
    let statistic = |options: &[&str]| {
        let shown = lab.done([&["report", "data", "-N", "-E"], options].concat());
        let at = shown.find("W⁺ = ").expect("the test");
        shown[at..].split_whitespace().nth(2).expect("a number").to_owned()
    };
    // Differences of +100 or −100 µs: midrank 6.5 each, eight of twelve positive.
    let plus = (1..9).map(|i| (i * 100, i * 100 + 100));
    let minus = (9..13).map(|i| (i * 100 + 100, i * 100));
    lab.write("data", rows(&plus.chain(minus).collect::<Vec<_>>()));
    assert_eq!(statistic(&["--margin", "1us", "--reference", "a"]), "52");
    // Ratios of 3 and of 1/3.
    let up = (1..9).map(|i| (i * 70, i * 210));
    let down = (9..13).map(|i| (i * 210, i * 70));
    lab.write("data", rows(&up.chain(down).collect::<Vec<_>>()));
    assert_eq!(statistic(&["--reference", "a"]), "52");
}

/// Would catch a mode that is not in the lowest of equally narrow halves, because widths were rounded.
#[test]
fn the_mode_of_whole_microseconds_is_exact() {
    let lab = Lab::new();
    for (micros, mode) in [
        (vec![1006, 1038, 1034, 1002, 1012, 1026, 1018, 1039, 1016, 1009], 0.001_009),
        (vec![1022, 1033, 1009, 1019, 1030, 1040, 1034, 1009, 1028, 1023], 0.001_022_5),
        (vec![1037, 1038, 1020, 1011, 1023, 1011, 1020, 1023, 1038, 1016, 1019, 1024], 0.00102),
    ] {
        let rows: Vec<[(Value, Value); 1]> =
            micros.iter().map(|us: &i64| [(json!(us * 1000), json!(us))]).collect();
        let rows: Vec<&[_]> = rows.iter().map(|row| &row[..]).collect();
        lab.write("data", hand_written(&rows));
        let metrics = &lab.json(["report", "data", "--json"])["benchmarks"][0]["metrics"];
        assert_eq!([&metrics["cpu"]["mode"], &metrics["wall"]["mode"]], [mode, mode]);
    }
}

/// Eight lines of a Go benchmark with so many bytes and allocations.
fn go(bytes: u32, allocations: u32) -> String {
    let line = |i: u32| {
        format!("BenchmarkA 10 100.{} ns/op {bytes} B/op {allocations} allocs/op\n", i * 5 % 8)
    };
    (0..8).map(line).collect()
}

/// Would catch the most ordinary result of Go, 0 B/op, that cannot be told from itself.
#[test]
fn nothing_against_nothing_is_the_same() {
    let lab = Lab::new();
    lab.write("none.txt", go(0, 0));
    lab.write("some.txt", go(16, 1));
    let checked = ["compare", "--fail-on", "unclear", "--between", "0", "--quiet", "--json"];
    let tables = lab.json([&checked[..], &["none.txt", "again=none.txt"]].concat());
    for table in tables["tables"].as_array().expect("a list") {
        let comparison = &table["rows"][0]["cells"][1]["comparison"];
        assert_eq!(comparison["verdict"], "same", "{table}");
    }
    // The same of a record, whose metrics a report compares within blocks.
    lab.write("data", record(|_, _| (1000, 0)));
    let report = lab.json(["report", "data", "--json", "--metric", "rss"]);
    assert_eq!(report["comparisons"][0]["verdict"], "same");
}

/// Would catch a change from nothing without a number.
#[test]
fn a_change_from_nothing_is_shown_as_an_amount() {
    let lab = Lab::new();
    lab.write("none.txt", go(0, 0));
    lab.write("some.txt", go(16, 1));
    let compare = |more: &[&str]| lab.done([&["compare", "none.txt", "some.txt"], more].concat());
    let shown = compare(&[]);
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    has(&words, &["0 B 16 B +16 B more", "0 1 +1 more"]);
    has(&compare(&["--full"]), &["+16 B  < 0.001  more", " +1  < 0.001  more"]);
    has(&compare(&["--format", "markdown"]), &["+16 B"]);
    has(&compare(&["--format", "github"]), &["A (B/op): more +16 B"]);
    let json = lab.json(["compare", "none.txt", "some.txt", "--json"]);
    let bytes = json["tables"].as_array().expect("a list").iter().find(|t| t["unit"] == "B/op");
    let comparison = &bytes.expect("bytes")["rows"][0]["cells"][1]["comparison"];
    assert_eq!(comparison["difference"], json!({"value": 16.0, "lo": 16.0, "hi": 16.0}));
    assert_eq!(comparison["ratio"], Value::Null);
}

/// A record of two benchmarks that was executed until decided, and decided at its third look.
fn decided() -> String {
    let noise = |i: i64| (i * 7919) % 1009;
    let row = |i: i64| {
        let (a, b) = (1_000_000 + noise(i) * 40, 1_004_000 + noise(i + 31) * 40);
        [(json!(a), json!(a / 1000)), (json!(b), json!(b / 1000))]
    };
    let rows: Vec<_> = (0..23).map(row).collect();
    let rows: Vec<&[_]> = rows.iter().map(|row| &row[..]).collect();
    let mut record = hand_written(&rows);
    let plan = json!({"type": "plan", "warmup": 0, "order": "blocks", "seed": "1", "budget": 9.0,
        "until": "decided"});
    let settings = json!({"type": "settings", "metric": "wall", "reference": null,
        "margin": {"relative": 0.01}, "at_least": null, "alpha": 0.05, "confidence": 0.95,
        "correction": null});
    let looks: Vec<Value> = [10, 15, 23]
        .iter()
        .map(|blocks| json!({"type": "look", "blocks": blocks, "widest": 0.01, "alpha": 0.01}))
        .collect();
    let end = json!({"type": "end", "stopped_by": "decided", "at": "2026-11-22T00:00:00Z"});
    for line in [plan, settings].iter().chain(&looks).chain([&end]) {
        writeln!(record, "{line}").expect("text");
    }
    record
}

/// Would catch looks that `report` pays for and `compare` forgets.
#[test]
fn looks_are_paid_for_in_every_report() {
    let lab = Lab::new();
    lab.write("data", decided());
    let report = &lab.json(["report", "data", "--json"]);
    let reported = &report["comparisons"][0];
    let columns = ["compare", "data", "--row", ".file", "--col", ".fullname"];
    let one_unit = ["--filter", ".unit:sec/op"];
    let tables = lab.json([&columns[..], &one_unit, &["--json"]].concat());
    let cells = &tables["tables"][0]["rows"][0]["cells"];
    for (at, name) in ["a", "b"].iter().enumerate() {
        let wall = &report["benchmarks"][at]["metrics"]["wall"];
        for field in ["lo", "hi", "level"] {
            assert_eq!(cells[at][field], wall[field], "{name} {field}");
        }
    }
    let compared = &cells[1]["comparison"];
    for field in ["lo", "hi", "p", "verdict"] {
        assert_eq!(compared[field], reported[field], "{field}");
    }
    let level = 1.0 - [10, 15, 23].into_iter().collect::<Looks>().level(0.05);
    assert_eq!(cells[1]["level"], level);
    has(&lab.done(columns), &["3 looks at the verdicts left alpha 0.0063"]);
    let refused = lab.run([&columns[..], &["--confidence", "90%"]].concat()).expect(2);
    has(&refused.stderr, &["choose --alpha"]);
    // Also where only one of several was looked at: the strictest holds.
    lab.write(
        "plain",
        decided()
            .lines()
            .filter(|l| !l.contains("decided"))
            .fold(String::new(), |text, line| text + line + "\n"),
    );
    let both = lab.json([&["compare", "plain", "data"], &one_unit[..], &["--json"]].concat());
    assert_eq!(both["tables"][0]["rows"][0]["cells"][0]["level"], level);
    let alone = lab.json([&["compare", "plain"], &one_unit[..], &["--json"]].concat());
    assert_eq!(alone["tables"][0]["rows"][0]["cells"][0]["level"], 0.95);
}

/// Would catch two answers to one question: of an exact metric `report` needed six blocks where `compare` had its
/// verdict at once.
#[test]
fn exact_values_have_one_answer_in_every_report() {
    let lab = Lab::new();
    let exact = |old: i64, new: i64| {
        record(|_, benchmark| (1000, if benchmark == 0 { old } else { new }))
            .lines()
            .filter(|line| !line.contains("\"block\"") || line.contains("\"block\":0"))
            .map(|line| match line.contains("\"name\":\"rss\"") {
                true => line.replace("noisy", "exact") + "\n",
                false => line.to_owned() + "\n",
            })
            .collect::<String>()
    };
    for (new, verdict) in [(200, "slower"), (100, "same"), (50, "faster")] {
        lab.write("data", exact(100, new));
        let report =
            lab.json(["report", "data", "--json", "--metric", "rss", "--reference", "old"]);
        let compared = lab.json([
            "compare",
            "data",
            "--row",
            ".file",
            "--col",
            ".fullname",
            "--filter",
            ".unit:rss-B/op",
            "--json",
        ]);
        let of_table = &compared["tables"][0]["rows"][0]["cells"][1]["comparison"];
        assert_eq!(report["comparisons"][0]["verdict"], verdict, "{report:#}");
        assert_eq!(of_table["verdict"], verdict, "{of_table:#}");
        assert_eq!(report["comparisons"][0]["ratio"], of_table["ratio"]);
        assert!(report["comparisons"][0]["p"].is_null() && of_table["p"].is_null());
    }
}

/// Eight readings a side, all of them the same, of one run a side. Would catch a clock that is blamed for what one run a
/// side cannot say: the readings differ by far more than its step.
#[test]
fn constant_readings_of_one_run_a_side_are_no_fault_of_the_clock() {
    let lab = Lab::new();
    for (file, time) in [("old.txt", 255), ("new.txt", 250)] {
        let lines = format!("BenchmarkM-8 100 {time} ns/op\n").repeat(8);
        lab.write(file, format!("pkg: p\n{lines}PASS\nok  \tp\t1.000s\n"));
    }
    let document = lab.json(["compare", "old.txt", "new.txt", "--json"]);
    let comparison = &document["comparisons"][0];
    assert_eq!(comparison["verdict"], "unclear");
    let codes: Vec<&Value> =
        comparison["reasons"].as_array().unwrap().iter().map(|it| &it["code"]).collect();
    assert_eq!(codes, ["no_difference_seen"], "{comparison}");
    let shown = joined(&lab.done(["compare", "old.txt", "new.txt", "--full"]));
    assert!(shown.contains("Onerunaside") && !shown.contains("belowtheclock"), "{shown}");
    // Where it was said that runs do not differ, they are what they are.
    let said = lab.json(["compare", "--between", "0", "old.txt", "new.txt", "--json"]);
    assert_eq!(said["comparisons"][0]["verdict"], "faster");
}
