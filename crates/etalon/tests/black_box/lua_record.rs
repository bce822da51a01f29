//! The record of Lua cases, line by line: what is there, in which order it was measured, what a
//! seed decides, and the files it becomes.

use std::collections::{BTreeMap, BTreeSet};

use crate::suites::{QUICK, fixture, plain, run, samples};
use crate::support::{Lab, Record, has};
use serde_json::Value;

fn three(lab: &Lab) {
    plain(lab, "s.lua", &["a", "b", "c"]);
}

/// Samples as they were taken: block, turn, benchmark.
fn order(record: &Record) -> Vec<(i64, i64, i64)> {
    let samples = record.measured().into_iter().filter(|o| o["values"]["wall"].is_i64());
    let number = |o: &Value, field: &str| o[field].as_i64().expect("a number");
    samples.map(|o| (number(o, "block"), number(o, "turn"), number(o, "benchmark"))).collect()
}

/// Would catch lines a reader of docs/format.md cannot use, samples without block, turn or number of
/// calls, cases that are not in every turn, and values that cannot be.
#[test]
fn every_observation_is_complete() {
    let lab = Lab::new();
    three(&lab);
    lab.run(["run", "-r", "3", "--budget", "0.3s", "-w", "1ms", "s.lua"]).expect(0);
    let record = lab.record();
    let metrics: BTreeSet<&str> =
        record.of_type("metric").iter().filter_map(|m| m["name"].as_str()).collect();
    let mut turns: BTreeMap<(i64, i64), BTreeSet<i64>> = BTreeMap::new();
    let mut last = 0;
    for (block, turn, case) in order(&record) {
        assert!(turns.entry((block, turn)).or_default().insert(case), "twice in a turn");
        assert!(block >= last, "blocks are one after the other");
        last = block;
    }
    assert_eq!(last, 2, "three blocks");
    assert!(turns.values().all(|cases| cases.len() == 3), "{turns:?}");
    assert!(turns.len() >= 9);
    let mut times = BTreeMap::new();
    for observed in record.of_type("observation") {
        for (name, value) in observed["values"].as_object().expect("values") {
            assert!(metrics.contains(name.as_str()), "{name} is not declared");
            assert!(
                value.as_f64().is_some_and(|v| v >= 0.0 || name == "uncollected"),
                "{observed}"
            );
        }
        assert!(observed.get("outcome").is_none());
        if observed["values"].get("wall").is_none() {
            continue;
        }
        assert!(observed["iterations"].as_i64().is_some_and(|n| n >= 1), "{observed}");
        let (at, wall) = (observed["at"].as_i64(), observed["values"]["wall"].as_i64());
        let (at, wall) = at.zip(wall).expect("whole nanoseconds");
        if observed.get("phase").is_none() {
            // One runs while the others wait.
            assert!(at >= times.insert("end", at + wall).unwrap_or(0), "two at once: {observed}");
        }
    }
    // Memory is read apart from time, once and more in every block, and exactly.
    for case in 0..3 {
        for block in 0..3 {
            let of_block = |o: &&&Value| o["block"] == block;
            let mine = record.of(case);
            let mine: Vec<&&Value> = mine.iter().filter(of_block).collect();
            let have =
                |metric: &str| mine.iter().filter(|o| o["values"].get(metric).is_some()).count();
            assert_eq!(["heap", "uncollected", "rss", "empty_loop"].map(have), [1; 4]);
            assert!(
                ["alloc", "allocs", "reallocs", "frees", "peak"].map(have).iter().all(|n| *n >= 1)
            );
            assert!(mine.iter().all(|o| {
                o["values"].get("wall").is_none() || o["values"].get("alloc").is_none()
            }));
        }
    }
    assert_eq!(record.stopped_by().as_deref(), Some("runs"));
}

/// Would catch all of A and then all of B (every tool surveyed), an order that is the same in every
/// turn, and processes that always start in the same order.
#[test]
fn every_turn_has_an_order_of_its_own() {
    let lab = Lab::new();
    three(&lab);
    lab.run(["run", "-r", "4", "--budget", "1s", "-w", "0", "--seed", "7", "s.lua"]).expect(0);
    let record = lab.record();
    let samples = order(&record);
    let orders: Vec<Vec<i64>> = samples
        .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
        .map(|turn| turn.iter().map(|s| s.2).collect())
        .collect();
    assert!(orders.iter().all(|order| order.len() == 3), "a turn is in one piece");
    let different: BTreeSet<&Vec<i64>> = orders.iter().collect();
    assert!(orders.len() >= 12 && different.len() >= 3, "{orders:?}");
    let mut prepared: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for observed in record.warm_ups() {
        let (block, case) = (observed["block"].as_i64(), observed["benchmark"].as_i64());
        let (block, case) = block.zip(case).expect("numbers");
        let of_block = prepared.entry(block).or_default();
        if !of_block.contains(&case) {
            of_block.push(case);
        }
    }
    assert!(prepared.values().collect::<BTreeSet<_>>().len() >= 2, "{prepared:?}");
}

/// Would catch an order from the clock: the same seed gives the same, another one another.
#[test]
fn the_seed_decides_the_order() {
    let lab = Lab::new();
    three(&lab);
    let turns = |seed: &str| {
        lab.run(["run", "-r", "3", "--budget", "0.05s", "-w", "0", "--seed", seed, "s.lua"])
            .expect(0);
        let samples = order(&lab.record());
        // How many turns fit depends on the machine; three always do.
        samples.into_iter().filter(|(_, turn, _)| *turn < 3).collect::<Vec<_>>()
    };
    let first = turns("11");
    assert_eq!(first.len(), 27);
    assert_eq!(first, turns("11"));
    assert_ne!(first, turns("12"));
}

/// Would catch an output file that differs from the record, loses what failed, or is overwritten
/// unasked; and a record without the command line.
#[test]
fn raw_data_go_to_a_file_as_measured() {
    let lab = Lab::new();
    fixture(&lab, "broken_bench.lua");
    let filter = ["--filter", "/^(first|errs|last)$/", "broken_bench.lua"];
    run(&lab, &[&["-o", "raw.jsonl"][..], &filter].concat()).expect(1);
    let record = lab.record();
    assert_eq!(Record::read(&lab.path("raw.jsonl")).lines, record.lines);
    assert!(record.of_type("header")[0]["argv"].as_array().is_some_and(|argv| argv.len() > 8));
    assert_eq!(
        lab.done(["report", "raw.jsonl"]).lines().count(),
        lab.done(["report", "@last"]).lines().count()
    );
    let ended = run(&lab, &[&["-o", "raw.jsonl"][..], &filter].concat()).expect(2);
    has(&ended.stderr, &["raw.jsonl", "--force"]);

    run(&lab, &[&["-o", "raw.csv"][..], &filter].concat()).expect(1);
    let bytes = lab.read("raw.csv");
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|h| h == name).expect("a column");
    let columns = ["Command", "Exit code", "Wall clock (us)"].map(column);
    let rows = reader.records().map(|row| {
        let row = row.expect("a row as long as the header");
        columns.map(|column| row[column].to_owned())
    });
    let rows: Vec<[String; 3]> = rows.collect();
    let record = lab.record();
    for name in ["first", "last"] {
        let timed = rows.iter().filter(|row| row[0] == name && row[1] == "0" && !row[2].is_empty());
        assert_eq!(timed.count(), samples(&record, name), "{name}");
    }
    let failed: Vec<_> = rows.iter().filter(|row| row[1] != "0").collect();
    assert_eq!(failed, [&["errs", "1", ""].map(str::to_owned)]);
}

/// Would catch a conversion that loses cases, fails, or changes what comes back.
#[test]
fn a_record_converts_to_every_format_and_back() {
    let lab = Lab::new();
    fixture(&lab, "broken_bench.lua");
    run(&lab, &["--filter", "/^(first|errs|last)$/", "broken_bench.lua"]).expect(1);
    for format in ["etalon", "bestguess", "hyperfine", "go"] {
        let to = format!("to.{format}");
        lab.run(["convert", "@last", "--to", format, "-o", &to]).expect(0);
        let report = lab.run(["report", &to]);
        assert!(matches!(report.code, Some(0 | 1)), "{format}: {}", report.stderr);
        has(&report.stdout, &["first", "last"]);
        lab.run(["convert", &to, "--to", "etalon", "-o", &format!("{to}.jsonl")]).expect(0);
        lab.json(["report", &format!("{to}.jsonl"), "--json"]);
    }
    // Etalon's own keeps every number of the analysis.
    let document = |name: &str| lab.json(["report", name, "--json"]);
    let original = document("@last");
    for again in ["to.etalon", "to.etalon.jsonl"].map(document) {
        for case in [0, 2] {
            let numbers = |of: &Value| of["benchmarks"][case]["metrics"].clone();
            assert_eq!(numbers(&again), numbers(&original));
        }
        for key in ["outcomes", "case"] {
            assert_eq!(again["benchmarks"][1][key], original["benchmarks"][1][key], "{key}");
        }
        assert_eq!(again["comparisons"], original["comparisons"]);
        assert_eq!(again["suites"], original["suites"]);
    }
}

/// Would catch a record that can only be reported once it is finished: any beginning of it, in whole
/// lines or not, is one.
#[test]
fn every_beginning_of_a_record_can_be_reported() {
    let lab = Lab::new();
    three(&lab);
    lab.run([&["run"][..], &QUICK, &["s.lua"]].concat()).expect(0);
    let whole = std::fs::read(lab.saved().pop().expect("a record")).expect("its bytes");
    let lines = whole.iter().filter(|byte| **byte == b'\n').count();
    for cut in [whole.len() - 1, whole.len() * 3 / 4 + 3, whole.len() / 2, whole.len() / 4] {
        lab.write("cut.jsonl.partial", &whole[..cut]);
        let ended = lab.run(["report", "cut.jsonl.partial"]);
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        assert!(matches!(ended.code, Some(0 | 1)), "{cut}: {ended:?}");
        lab.json(["report", "cut.jsonl.partial", "--json"]);
    }
    assert!(lines > 40);
}
