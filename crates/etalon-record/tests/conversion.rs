//! Every way out of a run set and back: the same doubles, the same texts, and notes on the rest.

#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use etalon_core::model::{
    Accept, Benchmark, BenchmarkKey, Column, Direction, Kind, Metric, Note, RunSet, Series,
};
use etalon_core::units::Unit;
use etalon_record::open::{From, read_bytes};
use etalon_record::raw::write_run_set;
use etalon_record::{Strictness, foreign};
use proptest::prelude::*;

fn metric(name: &str, unit: &str) -> Metric {
    Metric {
        name: name.to_owned(),
        unit: Unit::new(unit),
        direction: Direction::Lower,
        kind: Kind::Noisy,
        resolution: None,
    }
}

fn benchmark(name: &str, command: &str, shell: Option<&str>) -> Benchmark {
    Benchmark {
        key: BenchmarkKey { name: name.to_owned(), params: Vec::new() },
        command: Some(command.to_owned()),
        shell: shell.map(str::to_owned),
        accept: Accept::Any,
    }
}

/// A run set with one full column per metric.
fn set(benchmarks: Vec<Benchmark>, metrics: Vec<Metric>, values: &[Vec<f64>]) -> RunSet {
    let rows = u32::try_from(values[0].len()).unwrap();
    let column = |values: &Vec<f64>| Column { rows: (0..rows).collect(), values: values.clone() };
    let mut series =
        Series { rows, columns: values.iter().map(column).collect(), ..Series::default() };
    series.outcomes.ok = rows as usize;
    RunSet {
        source: "f".to_owned(),
        id: None,
        started: None,
        argv: Vec::new(),
        context: etalon_core::model::Context::new(),
        plan: None,
        settings: None,
        series: vec![series; benchmarks.len()],
        metrics,
        benchmarks,
        looks: Vec::new(),
        notes: Vec::new(),
        end: None,
    }
}

fn back(bytes: &[u8]) -> RunSet {
    read_bytes(bytes, "f", From::Auto, Strictness::Strict).unwrap()
}

type Writer = fn(&RunSet, &mut Vec<u8>) -> std::io::Result<Vec<Note>>;

const WRITERS: [Writer; 3] = [
    |set, out| foreign::write_bestguess(set, out),
    |set, out| foreign::write_hyperfine(set, out),
    |set, out| write_run_set(set, "test", out),
];

fn written(writer: Writer, set: &RunSet) -> (Vec<u8>, Vec<String>) {
    let mut bytes = Vec::new();
    let notes = writer(set, &mut bytes).unwrap();
    (bytes, notes.into_iter().map(|note| format!("{}: {}", note.about, note.text)).collect())
}

/// Texts that break formats.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[ab,\"'\\\\\n\r\t{}\\[\\]é😀;%]{1,12}", "\\PC{1,12}", Just("\\".to_owned())]
}

/// Times as they occur (whole and fractional microseconds) and as they can be.
fn times() -> impl Strategy<Value = f64> {
    prop_oneof![
        (0_u32..).prop_map(|us| f64::from(us) / 1e6),
        (0_u32..).prop_map(|ns| f64::from(ns) / 1e9),
        (0_u64..0x7ff0_0000_0000_0000).prop_map(f64::from_bits),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Would catch a comma, quote, backslash, end of line or character that a format changes; and a
    /// double that comes back with other bits.
    #[test]
    fn texts_and_values_survive_every_format(
        (name, command, shell) in (text(), text(), text()),
        walls in proptest::collection::vec((times(), times(), times(), 0_u32..), 1..5),
    ) {
        let metrics = ["wall", "user", "sys"].map(|name| metric(name, "us")).to_vec();
        let metrics = [metrics, vec![metric("rss", "B")]].concat();
        let columns: Vec<Vec<f64>> = vec![
            walls.iter().map(|w| w.0).collect(),
            walls.iter().map(|w| w.1).collect(),
            walls.iter().map(|w| w.2).collect(),
            walls.iter().map(|w| f64::from(w.3)).collect(),
        ];
        let plain = benchmark(&command, &command, None);
        let set = set(vec![benchmark(&name, &command, Some(&shell)), plain], metrics, &columns);
        for (index, writer) in WRITERS.into_iter().enumerate() {
            let (bytes, _) = written(writer, &set);
            let read = back(&bytes);
            prop_assert_eq!(read.benchmarks.len(), 2);
            for (ours, theirs) in set.benchmarks.iter().zip(&read.benchmarks) {
                prop_assert_eq!(&ours.key, &theirs.key);
                prop_assert_eq!(&ours.command, &theirs.command);
                let shell = if index == 1 { &None } else { &ours.shell };
                prop_assert_eq!(shell, &theirs.shell);
            }
            for (at, metric) in set.metrics.iter().enumerate() {
                let there = read.metrics.iter().position(|m| m.name == metric.name).unwrap();
                for (ours, theirs) in set.series.iter().zip(&read.series) {
                    prop_assert_eq!(&ours.columns[at].rows, &theirs.columns[there].rows);
                    let bits = |c: &Column| c.values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
                    prop_assert_eq!(bits(&ours.columns[at]), bits(&theirs.columns[there]));
                }
            }
            // Written again, the bytes are the same.
            prop_assert_eq!(&written(writer, &read).0, &bytes);
        }
    }
}

#[test]
fn integers_stay_integers_and_units_stay_where_they_can() {
    let set = set(
        vec![benchmark("a", "a", None)],
        vec![metric("wall", "ns"), metric("user", "us"), metric("odd", "min")],
        &[vec![0.000_368_123, 2.0], vec![0.000_3, 0.000_101], vec![1.9, 6.0]],
    );
    let (record, notes) = written(WRITERS[2], &set);
    let record = String::from_utf8(record).unwrap();
    assert!(record.contains(r#""values":{"wall":368123,"user":300,"odd":1.9}"#), "{record}");
    // No double of minutes is 1.9 seconds.
    assert!(record.contains(r#"{"type":"metric","name":"odd","unit":"s""#), "{record}");
    assert_eq!(notes, [""; 0]);
    let (rows, notes) = written(WRITERS[0], &set);
    let rows = String::from_utf8(rows).unwrap();
    assert_eq!(rows.lines().nth(1).unwrap(), "a,,,1,0,300,,,,,,,368.123,,");
    assert_eq!(notes, ["f: BestGuess has no column for odd"]);
    let (json, notes) = written(WRITERS[1], &set);
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let result = &json["results"][0];
    assert_eq!(result["times"], serde_json::json!([0.000_368_123, 2.0]));
    assert_eq!(result["exit_codes"], serde_json::json!([0, 0]));
    assert_eq!(result["median"], 1.000_184_061_5);
    assert_eq!(result["user"], 0.000_200_5);
    assert_eq!(result["system"], serde_json::Value::Null);
    assert_eq!((&result["min"], &result["max"]), (&0.000_368_123.into(), &2.0.into()));
    assert_eq!(notes, ["f: hyperfine has no field for odd"]);
}

/// Would catch sums that gain digits by being added in seconds.
#[test]
fn sums_are_filled_where_their_terms_are() {
    let metrics = vec![
        metric("user", "us"),
        metric("sys", "us"),
        metric("vcsw", "count"),
        metric("ivcsw", "count"),
    ];
    let values = [vec![0.000_3], vec![0.000_101], vec![1.0], vec![4.0]];
    let set = set(vec![benchmark("a", "a", None)], metrics, &values);
    let rows = String::from_utf8(written(WRITERS[0], &set).0).unwrap();
    assert_eq!(rows.lines().nth(1).unwrap(), "a,,,1,0,300,101,,,,1,4,,401,5");
}

/// Would catch a conversion that loses something without a word.
#[test]
fn what_a_format_cannot_hold_is_said() {
    let mut set = set(
        vec![benchmark("a", "run", Some("sh -c"))],
        vec![metric("wall", "s"), metric("cpu_wait", "s")],
        &[vec![1.0, 2.0], vec![0.5, 0.5]],
    );
    set.benchmarks[0].key.params = vec![("size".to_owned(), "10".to_owned())];
    set.series[0].blocks = vec![0, 1];
    set.series[0].outcomes.ok = 1;
    set.series[0].outcomes.failed = 1;
    set.series[0].outcomes.timed_out = 2;
    set.series[0].warmup_outcomes.ok = 3;
    let outcomes = "a: of 4 executions before the conversion: 1 exited with a non-zero code, 2 timed \
                    out; the converted data do not say which";
    let warmups = "a: 3 warm-ups are not in the converted data";
    let (rows, notes) = written(WRITERS[0], &set);
    assert_eq!(
        notes,
        [
            outcomes,
            warmups,
            "f: BestGuess has no column for cpu_wait",
            "f: BestGuess has no blocks: the rows are independent",
            "a: its parameters are a part of its name",
        ]
    );
    let rows = String::from_utf8(rows).unwrap();
    assert_eq!(rows.lines().nth(1).unwrap(), "run,sh -c,a [size=10],1,,,,,,,,,1000000,,");
    let (json, notes) = written(WRITERS[1], &set);
    assert_eq!(
        notes,
        [
            outcomes,
            warmups,
            "f: hyperfine has no field for cpu_wait",
            "f: hyperfine has no blocks: the runs are independent",
            "a: hyperfine has no field for its shell",
        ]
    );
    assert_eq!(back(&json).benchmarks[0].key, set.benchmarks[0].key);
    assert!(!String::from_utf8(json).unwrap().contains("exit_codes"));
    let (record, notes) = written(WRITERS[2], &set);
    assert_eq!(notes, [outcomes, warmups]);
    let read = back(&record);
    assert_eq!((&read.series[0].blocks, read.notes.len()), (&vec![0, 1], 2));
    assert_eq!(read.benchmarks, set.benchmarks);
}

#[test]
fn a_benchmark_without_rows_is_written_without_a_stand_in() {
    let set = set(vec![benchmark("a", "a", None)], vec![metric("wall", "s")], &[vec![]]);
    let (json, _) = written(WRITERS[1], &set);
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["results"][0]["mean"], serde_json::Value::Null);
    assert_eq!(json["results"][0]["times"], serde_json::json!([]));
}

/// Would catch a full disk that goes unnoticed.
#[test]
fn a_writer_that_takes_nothing_is_an_error() {
    let set = set(vec![benchmark("a", "a", None)], vec![metric("wall", "s")], &[vec![1.0]]);
    let mut full = std::io::Cursor::new([0_u8; 10]);
    assert!(foreign::write_bestguess(&set, &mut full).is_err());
    assert!(foreign::write_hyperfine(&set, &mut full).is_err());
    assert!(write_run_set(&set, "test", &mut full).is_err());
}
