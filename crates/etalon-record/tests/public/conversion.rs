//! Every way out of a run set and back: the same doubles, the same texts, and notes on the rest.

use crate::columns::{Column, RunSet, Series, Uncounted, data};
use crate::view::only;
use etalon_core::dataset::Dataset;
use etalon_core::model::{Accept, Benchmark, Metric, NotStarted, Note, Outcome};
use etalon_record::foreign::Schema;
use etalon_record::open::{SourceFormat, read_bytes};
use etalon_record::raw::write_record;
use etalon_record::{Strictness, foreign};
use proptest::prelude::*;

fn benchmark(name: &str, command: &str, shell: Option<&str>) -> Benchmark {
    Benchmark {
        command: Some(command.to_owned()),
        shell: shell.map(str::to_owned),
        accept: Accept::Any,
        ..Benchmark::new(name)
    }
}

/// A run set with one full column per metric.
fn set(benchmarks: Vec<Benchmark>, metrics: Vec<Metric>, values: &[Vec<f64>]) -> RunSet {
    let rows = u32::try_from(values[0].len()).unwrap();
    let column = |values: &Vec<f64>| Column { rows: (0..rows).collect(), values: values.clone() };
    let series = Series { rows, columns: values.iter().map(column).collect(), ..Series::default() };
    RunSet { series: vec![series; benchmarks.len()], metrics, benchmarks, ..RunSet::empty("f") }
}

fn back(bytes: &[u8]) -> RunSet {
    only(&read_bytes(bytes, "f", SourceFormat::Auto, Strictness::Strict).unwrap())
}

type Writer = fn(&Dataset, &mut Vec<u8>) -> std::io::Result<Vec<Note>>;

const WRITERS: [Writer; 4] = [
    |data, out| foreign::write_bestguess(data, out),
    |data, out| foreign::write_hyperfine(data, Schema::Two, out),
    |data, out| write_record(data, "test", out),
    |data, out| foreign::write_hyperfine(data, Schema::One, out),
];

fn written(writer: Writer, set: &RunSet) -> (Vec<u8>, Vec<String>) {
    let mut bytes = Vec::new();
    let notes = writer(&data(std::slice::from_ref(set)), &mut bytes).unwrap();
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
        // Up to the largest that is a double in microseconds, too.
        (0_u64..1e302_f64.to_bits()).prop_map(f64::from_bits),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Would catch a comma, quote, backslash, end of line or character that a format changes; and a
    /// double that comes back with other bits (from BestGuess's rows, with another microsecond).
    #[test]
    fn texts_and_values_survive_every_format(
        (name, command, shell) in (text(), text(), text()),
        walls in proptest::collection::vec((times(), times(), times(), 0_u32..), 1..5),
    ) {
        // Equal names get numbers when they are read.
        prop_assume!(name != command);
        let metrics = ["wall", "user", "sys"].map(|name| Metric::new(name, "us")).to_vec();
        let metrics = [metrics, vec![Metric::new("rss", "B")]].concat();
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
                let shell = if index % 2 == 1 { &None } else { &ours.shell };
                prop_assert_eq!(shell, &theirs.shell);
            }
            for (at, metric) in set.metrics.iter().enumerate() {
                let there = read.metrics.iter().position(|m| m.name == metric.name).unwrap();
                for (ours, theirs) in set.series.iter().zip(&read.series) {
                    prop_assert_eq!(&ours.columns[at].rows, &theirs.columns[there].rows);
                    if index == 0 && at < 3 {
                        // Half a microsecond, and what adding it to a double takes.
                        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 0.500_001e-6 + a * 1e-15;
                        let pairs = ours.columns[at].values.iter().zip(&theirs.columns[there].values);
                        prop_assert!(pairs.clone().all(near), "{:?}", pairs.collect::<Vec<_>>());
                        continue;
                    }
                    let bits = |c: &Column| c.values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
                    prop_assert_eq!(bits(&ours.columns[at]), bits(&theirs.columns[there]));
                }
            }
            // Written again, the bytes are the same.
            prop_assert_eq!(&written(writer, &read).0, &bytes);
        }
    }
}

/// Would catch batches that are numbered by benchmarks without a row, and otherwise when they are written again.
#[test]
fn batches_are_numbered_by_what_has_rows() {
    let mut set = set(
        ["a", "b", "c"].map(|name| benchmark(name, name, None)).to_vec(),
        vec![Metric::new("wall", "us")],
        &[vec![1e-6, 2e-6]],
    );
    set.series[0] = Series { rows: 0, columns: vec![Column::default()], ..Series::default() };
    let (bytes, _) = written(WRITERS[0], &set);
    let batches = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        text.lines().skip(1).map(|row| row.split(',').nth(3).unwrap().to_owned()).collect()
    };
    assert_eq!(batches(&bytes), ["1", "1", "2", "2"]);
    assert_eq!(written(WRITERS[0], &back(&bytes)).0, bytes);
}

#[test]
fn integers_stay_integers_and_units_stay_where_they_can() {
    let set = set(
        vec![benchmark("a", "a", None)],
        vec![Metric::new("wall", "ns"), Metric::new("user", "us"), Metric::new("odd", "min")],
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
    assert_eq!(rows.lines().nth(1).unwrap(), "a,,,1,0,300,,,,,,,368,,");
    assert_eq!(
        notes,
        [
            "f: BestGuess has no column for odd",
            "f: BestGuess reads whole microseconds: 1 time was rounded to the nearest",
        ]
    );
    let (json, notes) = written(WRITERS[1], &set);
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let result = &json["results"][0];
    let second = |value: f64| serde_json::json!({"value": value, "unit": "second"});
    assert_eq!(result["measurements"][0]["time_wall_clock"], second(0.000_368_123));
    assert_eq!(result["measurements"][1]["time_user"], second(0.000_101));
    assert_eq!(result["summary"]["time_wall_clock"]["median"], 1.000_184_061_5);
    assert_eq!(result["summary"]["time_system"], serde_json::Value::Null);
    assert_eq!(notes, ["f: hyperfine has no field for odd"]);
    let (json, notes) = written(WRITERS[3], &set);
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
        Metric::new("user", "us"),
        Metric::new("sys", "us"),
        Metric::new("vcsw", "count"),
        Metric::new("ivcsw", "count"),
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
        vec![Metric::new("wall", "s"), Metric::new("cpu_wait", "s")],
        &[vec![1.0, 2.0], vec![0.5, 0.5]],
    );
    set.benchmarks[0].key.params = vec![("size".to_owned(), "10".to_owned())];
    set.series[0].blocks = vec![0, 1];
    set.series[0].exits = vec![(1, 124)];
    for outcome in [Outcome::Killed { signal: 0 }, Outcome::TimedOut, Outcome::TimedOut] {
        set.series[0].uncounted.push(Uncounted { rows_before: 1, block: Some(0), outcome });
    }
    set.series[0].warmup_outcomes.ok = 3;
    let uncounted =
        |what: &str| format!("a: 1 killed by a signal, 2 timed out and did not count; {what}");
    let timed_out = "a: 1 execution has exit code 124, which is read as: timed out";
    let warmups = "a: 3 warm-ups are not in the converted data";
    let (rows, notes) = written(WRITERS[0], &set);
    assert_eq!(
        notes,
        [
            &uncounted("their rows have an exit code and zeros"),
            warmups,
            timed_out,
            "a: 1 execution has exit code 128, which is read as: ended by itself",
            "f: BestGuess has no column for cpu_wait",
            "f: BestGuess has no blocks: the rows are independent",
            "a: its parameters are a part of its name",
        ]
    );
    let rows = String::from_utf8(rows).unwrap();
    assert_eq!(rows.lines().nth(1).unwrap(), "run,sh -c,a [size=10],1,0,,,,,,,,1000000,,");
    let (json, notes) = written(WRITERS[1], &set);
    assert_eq!(
        notes,
        [
            &uncounted("hyperfine's own readers do not see them"),
            warmups,
            timed_out,
            "f: hyperfine has no field for cpu_wait",
            "f: hyperfine has no blocks: the runs are independent",
            "a: hyperfine has no field for its shell",
        ]
    );
    assert_eq!(back(&json).benchmarks[0].key, set.benchmarks[0].key);
    let (record, notes) = written(WRITERS[2], &set);
    assert_eq!(notes, [&uncounted("their values are not in the converted data"), warmups]);
    let read = back(&record);
    assert_eq!((&read.series[0].blocks, read.notes.len()), (&vec![0, 1], 2));
    assert_eq!(read.benchmarks, set.benchmarks);
    // What is said once is not said again.
    assert_eq!(written(WRITERS[2], &read), (record, Vec::new()));
}

#[test]
fn a_benchmark_without_rows_is_written_without_a_stand_in() {
    let set = set(vec![benchmark("a", "a", None)], vec![Metric::new("wall", "s")], &[vec![]]);
    let json =
        |writer| -> serde_json::Value { serde_json::from_slice(&written(writer, &set).0).unwrap() };
    let one = json(WRITERS[3]);
    assert_eq!(one["results"][0]["mean"], serde_json::Value::Null);
    assert_eq!(one["results"][0]["times"], serde_json::json!([]));
    let two = json(WRITERS[1]);
    assert_eq!(two["results"][0]["measurements"], serde_json::json!([]));
    assert_eq!(two["results"][0]["summary"], serde_json::json!({}));
}

/// Would catch a full disk that goes unnoticed.
#[test]
fn a_writer_that_takes_nothing_is_an_error() {
    let set = set(vec![benchmark("a", "a", None)], vec![Metric::new("wall", "s")], &[vec![1.0]]);
    let set = data(&[set]);
    let mut full = std::io::Cursor::new([0_u8; 10]);
    assert!(foreign::write_bestguess(&set, &mut full).is_err());
    assert!(foreign::write_hyperfine(&set, Schema::Two, &mut full).is_err());
    assert!(write_record(&set, "test", &mut full).is_err());
}

/// How every execution of a series ended, in order: its exit code, and whether it counts.
fn codes(series: &Series) -> Vec<(i32, Counts)> {
    let mut exits = series.exits.iter().copied().peekable();
    let mut uncounted = series.uncounted.iter().peekable();
    let mut codes = Vec::new();
    for row in 0..=series.rows {
        while let Some(it) = uncounted.next_if(|it| it.rows_before == row) {
            codes.push((shell_code(&it.outcome), Counts::No));
        }
        if row < series.rows {
            let code = exits.next_if(|(at, _)| *at == row).map_or(0, |(_, code)| code);
            codes.push((code, Counts::Yes));
        }
    }
    assert!(exits.next().is_none() && uncounted.next().is_none(), "all of them have a place");
    codes
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Counts {
    Yes,
    No,
}

fn shell_code(outcome: &Outcome) -> i32 {
    match outcome {
        Outcome::Ok => 0,
        Outcome::Failed { code } => *code,
        Outcome::Killed { signal } => 128 + signal,
        Outcome::TimedOut => 124,
        Outcome::Suspended => 148,
        Outcome::NotStarted { .. } => 127,
    }
}

/// Ends of an execution; codes that a shell gives for something else are another test's.
fn outcomes() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        3 => Just(Outcome::Ok),
        2 => prop_oneof![1..124_i32, 193..256_i32, Just(-7)]
            .prop_map(|code| Outcome::Failed { code }),
        1 => prop_oneof![1..20_i32, 21..65].prop_map(|signal| Outcome::Killed { signal }),
        1 => Just(Outcome::TimedOut),
        1 => Just(Outcome::Suspended),
        1 => Just(Outcome::NotStarted { why: NotStarted::Other("exit code 127".to_owned()) }),
    ]
}

/// A run set in which execution `i` of each benchmark ended like this, and took `i` seconds, the first one 1.
fn ended(all: &[Vec<Outcome>], accept: &Accept) -> RunSet {
    let named = |at: usize| Benchmark {
        accept: accept.clone(),
        ..benchmark(&format!("b{at}"), &format!("b{at}"), None)
    };
    let benchmarks = (0..all.len()).map(named).collect();
    let mut set = set(benchmarks, vec![Metric::new("wall", "s")], &[Vec::new()]);
    for (series, outcomes) in set.series.iter_mut().zip(all) {
        for (at, outcome) in (1_u32..).zip(outcomes) {
            if let Some(row) = series.add(accept, outcome.clone(), None) {
                series.columns[0].rows.push(row);
                series.columns[0].values.push(f64::from(at));
            }
        }
    }
    set
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Would catch an exit code in another row's place, an execution that is lost or gained, a killed
    /// one that becomes a result, and a value that moves to another row.
    #[test]
    fn every_row_keeps_its_exit_code_on_every_way(
        all in proptest::collection::vec(proptest::collection::vec(outcomes(), 1..20), 1..4),
    ) {
        let set = ended(&all, &Accept::Any);
        let rows = |set: &RunSet| -> Vec<_> {
            set.series.iter().map(|s| (codes(s), s.columns.first().cloned().unwrap_or_default())).collect()
        };
        for (series, outcomes) in set.series.iter().zip(&all) {
            let given = outcomes.iter().map(shell_code);
            prop_assert_eq!(codes(series).iter().map(|(code, _)| *code).collect::<Vec<_>>(), given.collect::<Vec<_>>());
        }
        // Record and rows keep every execution: there and back, in any order.
        for way in [&[2][..], &[0], &[2, 0, 2], &[0, 2, 0]] {
            let mut there = set.clone();
            for writer in way {
                there = back(&written(WRITERS[*writer], &there).0);
            }
            prop_assert_eq!(rows(&there), rows(&set), "{:?}", way);
            prop_assert!(there.series.iter().zip(&set.series).all(|(a, b)| a.outcomes() == b.outcomes()));
        }
        // hyperfine's files keep those that count in their order, and how many of the others there are of each kind.
        for way in [&[1][..], &[3], &[2, 1], &[1, 3, 1], &[0, 1, 2], &[2, 3, 0, 1]] {
            let mut there = set.clone();
            for writer in way {
                there = back(&written(WRITERS[*writer], &there).0);
            }
            for (theirs, ours) in there.series.iter().zip(&set.series) {
                prop_assert_eq!((theirs.rows, &theirs.exits), (ours.rows, &ours.exits), "{:?}", way);
                prop_assert_eq!(theirs.outcomes(), ours.outcomes(), "{:?}", way);
            }
        }
    }

    /// Would catch a failure that did not count and is a result after a conversion: the rows of BestGuess do
    /// not say which codes were accepted.
    #[test]
    fn what_did_not_count_never_becomes_a_value(
        all in proptest::collection::vec(proptest::collection::vec(outcomes(), 1..20), 1..4),
    ) {
        let set = ended(&all, &Accept::Codes(vec![1, 2, 3]));
        for way in [&[2][..], &[0], &[1], &[3], &[1, 3, 1], &[2, 0, 2], &[2, 0, 1], &[0, 2, 0]] {
            let mut there = set.clone();
            for writer in way {
                there = back(&written(WRITERS[*writer], &there).0);
            }
            for (theirs, ours) in there.series.iter().zip(&set.series) {
                prop_assert_eq!(theirs.outcomes(), ours.outcomes(), "{:?}", way);
            }
            let values = |set: &RunSet| -> Vec<Vec<f64>> {
                let column = |s: &Series| s.columns.first().map(|c| c.values.clone());
                set.series.iter().map(|s| column(s).unwrap_or_default()).collect()
            };
            prop_assert_eq!(values(&there), values(&set), "{:?}", way);
            if !way.contains(&1) && !way.contains(&3) {
                for (theirs, outcomes) in there.series.iter().zip(&all) {
                    let given: Vec<i32> = outcomes.iter().map(shell_code).collect();
                    let read: Vec<i32> = codes(theirs).iter().map(|(code, _)| *code).collect();
                    prop_assert_eq!(read, given, "{:?}", way);
                }
            }
        }
    }
}

/// Failures of every kind between executions that succeeded.
const FAILURES: &str = concat!(
    r#"{"type":"header","format":"etalon","version":1,"tool":"test"}"#,
    "\n",
    r#"{"type":"metric","name":"wall","unit":"s","direction":"lower","kind":"noisy"}"#,
    "\n",
    r#"{"type":"benchmark","name":"a","command":"a","accept":"any"}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":0,"outcome":"timed_out","values":{}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":1,"values":{"wall":1}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":2,"outcome":{"failed":3},"values":{"wall":2}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":3,"outcome":{"killed":9},"values":{}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":4,"outcome":{"not_started":"gone"},"values":{}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":5,"values":{"wall":5}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":6,"outcome":{"failed":4},"values":{"wall":6}}"#,
    "\n",
);

/// Would catch a line or cell in another place than the execution had: byte for byte, once by hand.
#[test]
fn failures_in_the_middle_by_hand() {
    let set = back(FAILURES.as_bytes());
    let again = String::from_utf8(written(WRITERS[2], &set).0).unwrap();
    let observed = |text: &str| -> Vec<String> {
        text.lines().filter(|l| l.contains("observation")).map(str::to_owned).collect()
    };
    assert_eq!(observed(&again), observed(FAILURES));
    let rows = String::from_utf8(written(WRITERS[0], &set).0).unwrap();
    let cells: Vec<(&str, &str)> = rows
        .lines()
        .skip(1)
        .map(|row| row.split(',').collect::<Vec<_>>())
        .map(|row| (row[4], row[12]))
        .collect();
    assert_eq!(
        cells,
        [
            ("124", "0"),
            ("0", "1000000"),
            ("3", "2000000"),
            ("137", "0"),
            ("127", "0"),
            ("0", "5000000"),
            ("4", "6000000"),
        ]
    );
    let result = |writer| -> serde_json::Value {
        let json: serde_json::Value = serde_json::from_slice(&written(writer, &set).0).unwrap();
        json["results"][0].clone()
    };
    let failures = serde_json::json!([
        {"outcome": "timed_out", "exit_code": 124},
        {"outcome": "killed", "exit_code": 137},
        {"outcome": "not_started", "exit_code": 127},
    ]);
    let one = result(WRITERS[3]);
    assert_eq!(one["times"], serde_json::json!([1.0, 2.0, 5.0, 6.0]));
    assert_eq!(one["exit_codes"], serde_json::json!([0, 3, 0, 4]));
    assert_eq!((&one["mean"], &one["failures"]), (&3.5.into(), &failures));
    let two = result(WRITERS[1]);
    let codes = two["measurements"].as_array().unwrap().iter().map(|run| run["exit_code"].clone());
    assert_eq!(codes.collect::<Vec<_>>(), [0, 3, 0, 4]);
    let wall = &two["summary"]["time_wall_clock"];
    assert_eq!(
        (&wall["mean"], &wall["count"], &two["failures"]),
        (&3.5.into(), &4.into(), &failures)
    );
}

/// Would catch a run without a time whose exit code stays and moves all after it.
#[test]
fn exit_codes_of_an_export_belong_to_its_times() {
    let mut set = ended(&[vec![Outcome::Failed { code: 5 }, Outcome::Ok]], &Accept::Any);
    set.series[0].columns[0] = Column { rows: vec![1], values: vec![2.5] };
    let json: serde_json::Value = serde_json::from_slice(&written(WRITERS[3], &set).0).unwrap();
    assert_eq!(json["results"][0]["exit_codes"], serde_json::json!([0]));
    let json: serde_json::Value = serde_json::from_slice(&written(WRITERS[1], &set).0).unwrap();
    assert_eq!(json["results"][0]["measurements"].as_array().unwrap().len(), 1);
}
