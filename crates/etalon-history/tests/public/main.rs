//! The history as its users have it: what is added, in whatever order and however often, is there once.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking and touch files"
)]

use std::collections::BTreeMap;

use etalon_core::dataset::RunSetId;
use etalon_core::model::{Context, Direction};
use etalon_history::{
    Access, Added, Database, HistoryError, Kind, Measurement, MetricChoice, Part, Placed,
    SeriesKey, Source, is_of_toolchain, measurements,
};
use etalon_record::Strictness;
use etalon_record::open::{SourceFormat, read_bytes};
use proptest::prelude::*;

fn measurement(value: f64, readings: &[f64]) -> Measurement {
    Measurement {
        benchmark: "fib".to_owned(),
        metric: "wall".to_owned(),
        unit: "s".to_owned(),
        direction: Direction::Lower,
        commit: None,
        anchor: None,
        machine: String::new(),
        facts: Context::new(),
        part: Part { value, interval: None, n: readings.len() as u64 },
        readings: readings.to_vec(),
    }
}

fn placed(commit: &str, position: i64, measured: Measurement) -> Placed {
    let series = SeriesKey {
        project: "p".to_owned(),
        benchmark: measured.benchmark.clone(),
        metric: measured.metric.clone(),
        unit: measured.unit.clone(),
        branch: "main".to_owned(),
        machine: measured.machine.clone(),
        kind: measured.kind(),
    };
    let commit = commit.to_owned();
    #[allow(clippy::cast_precision_loss)]
    Placed { series, commit, position: Some(position), time: position as f64, measured }
}

fn open(directory: &tempfile::TempDir) -> Database {
    Database::open(&directory.path().join("h"), Access::Write).unwrap().unwrap()
}

fn record(id: &str) -> Source {
    Source::Record(id.to_owned())
}

/// Would catch points in the order in which they came, a run that counts twice, a record that grew and counts as two,
/// and a copy under another name.
#[test]
fn what_is_added_is_there_once_and_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let mut history = open(&directory);
    let second = [placed("b", 2, measurement(2.0, &[2.0]))];
    let first = [placed("a", 1, measurement(1.0, &[1.0]))];
    assert_eq!(history.add(&record("r2"), &second).unwrap(), Added { new: 1, ..Added::default() });
    assert_eq!(history.add(&record("r1"), &first).unwrap(), Added { new: 1, ..Added::default() });
    let known = Added { known: 1, ..Added::default() };
    assert_eq!(history.add(&record("r1"), &first).unwrap(), known);
    assert_eq!(history.add(&Source::Content, &first).unwrap(), known);
    let grown = [placed("a", 1, measurement(4.0, &[1.0, 7.0]))];
    let replaced = Added { replaced: 1, ..Added::default() };
    assert_eq!(history.add(&record("r1"), &grown).unwrap(), replaced);
    let repeat = [placed("a", 1, measurement(1.0, &[1.5]))];
    let pooled = Added { pooled: 1, ..Added::default() };
    assert_eq!(history.add(&record("r3"), &repeat).unwrap(), pooled);
    let all = history.series(&[]).unwrap();
    assert_eq!((all.len(), all[0].points, all[0].first, all[0].latest), (1, 2, 1.0, 2.0));
    let points = history.points(all[0].id).unwrap();
    let of =
        |at: usize| (points[at].commit.as_str(), points[at].value, points[at].n, points[at].runs);
    assert_eq!((of(0), of(1)), (("a", 2.0, 3, 2), ("b", 2.0, 1, 1)));
    assert_eq!(history.readings(all[0].id, "a").unwrap(), [vec![1.0, 7.0], vec![1.5]]);
    drop(history);
    let again = Database::open(&directory.path().join("h"), Access::Read).unwrap().unwrap();
    assert_eq!(again.count_points().unwrap(), 2);
}

/// Would catch ratios and values in one series, and an anchor that a commit cannot become.
#[test]
fn ratios_have_series_of_their_own_and_anchors_are_commits() {
    let directory = tempfile::tempdir().unwrap();
    let mut history = open(&directory);
    let to = |anchor: &str, value| Measurement {
        anchor: Some(anchor.to_owned()),
        ..measurement(value, &[value])
    };
    let add = |history: &mut Database, id: &str, point| history.add(&record(id), &[point]).unwrap();
    add(&mut history, "r1", placed("c", 3, to("a", 1.5)));
    add(&mut history, "r2", placed("b", 2, to("a", 1.25)));
    add(&mut history, "r3", placed("c", 3, to("b", 1.2)));
    add(&mut history, "r4", placed("c", 3, measurement(7.0, &[7.0])));
    let all = history.series(&["ratio".to_owned()]).unwrap();
    assert_eq!((all.len(), all[0].key.kind), (1, Kind::Ratio));
    let points = history.points(all[0].id).unwrap();
    let of = |point: &etalon_history::PointRow| {
        (point.commit.clone(), point.anchor.clone().unwrap_or_default(), point.value)
    };
    let expected = [("b", "a", 1.25), ("c", "a", 1.5), ("c", "b", 1.2)];
    let expected =
        expected.map(|(commit, anchor, value)| (commit.to_owned(), anchor.to_owned(), value));
    assert_eq!(points.iter().map(of).collect::<Vec<_>>(), expected);
}

/// A record of two sides, each built twice: ten blocks, in two of which one build of the head is disturbed and in two
/// others the other one.
fn of_two_builds() -> String {
    let header = r#"{"type":"header","format":"etalon","version":1,"id":"x","sides":{"key":"/side","base":"base","head":"head"},"context":{"base.revision":"a","head.revision":"b","kernel.release":"6.1","go":"1.25"}}"#;
    let metric = r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy","resolution":1e-9}"#;
    let mut lines = vec![header.to_owned(), metric.to_owned()];
    for (side, build) in [("base", 1), ("head", 1), ("base", 2), ("head", 2)] {
        lines.push(format!(
            r#"{{"type":"benchmark","name":"p","params":{{"side":"{side}","build":"{build}"}},"command":"p"}}"#
        ));
    }
    for block in 0..10 {
        for benchmark in 0..4 {
            let is_disturbed =
                (benchmark == 1 && block < 2) || (benchmark == 3 && (2..4).contains(&block));
            let value = if benchmark % 2 == 0 { 1_000_000 } else { 1_100_000 } + 10 * block;
            let value = if is_disturbed { 10 * value } else { value };
            lines.push(format!(
                r#"{{"type":"observation","benchmark":{benchmark},"block":{block},"values":{{"wall":{value}}}}}"#
            ));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Would catch a ratio of the means of builds, in which each disturbed execution counts for both, and a change of the
/// kernel that is taken for one of the toolchain.
#[test]
fn builds_are_compared_in_pairs() {
    let text = of_two_builds();
    let data =
        read_bytes(text.as_bytes(), "r.jsonl", SourceFormat::Auto, Strictness::Strict).unwrap();
    let points = measurements(&data, RunSetId::new(0).unwrap(), &MetricChoice::Whole).unwrap();
    assert_eq!(points.withheld, []);
    let [point] = &points.given[..] else { panic!("{points:?}") };
    assert!((point.part.value - 1.1).abs() < 0.01, "{point:?}");
    assert_eq!(point.readings.len(), 20);
    let keys: Vec<&str> = point.facts.keys().map(String::as_str).collect();
    assert_eq!(keys, ["go", "kernel.release"]);
    assert!(is_of_toolchain("go") && !is_of_toolchain("kernel.release"));
}

/// Two benchmarks on two sides, each built twice: forty blocks with a time and a size. The head's second build of `p` takes
/// so many times as long; so do, of every benchmark, all of the head's.
fn with_a_second_build(of_p: f64) -> String {
    let mut lines = vec![
        r#"{"type":"header","format":"etalon","version":1,"id":"x","sides":{"key":"/side","base":"base","head":"head"},"context":{"base.revision":"a","head.revision":"b"}}"#.to_owned(),
        r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy","resolution":1e-9}"#.to_owned(),
        r#"{"type":"metric","name":"rss","unit":"B","direction":"lower","kind":"noisy"}"#.to_owned(),
    ];
    let all = ["p", "q"].into_iter().flat_map(|name| {
        [("base", 1), ("base", 2), ("head", 1), ("head", 2)]
            .map(|(side, build)| (name, side, build))
    });
    let all: Vec<(&str, &str, u8)> = all.collect();
    for (name, side, build) in &all {
        lines.push(format!(
            r#"{{"type":"benchmark","name":"{name}","params":{{"side":"{side}","build":"{build}"}},"command":"{name}"}}"#
        ));
    }
    let mut noise = 12_345_u64;
    for block in 0..40 {
        for (at, (name, side, build)) in all.iter().enumerate() {
            noise = noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let scatter =
                1.0 + 0.03 * (f64::from(u32::try_from(noise >> 33).unwrap()) / 2f64.powi(31) - 0.5);
            let own = if (*name, *side, *build) == ("p", "head", 2) { of_p } else { 1.0 };
            let side = if *side == "head" { 1.2 } else { 1.0 };
            let (wall, rss) = ((1e6 * scatter * own * side).round(), (1e6 * scatter).round());
            lines.push(format!(
                r#"{{"type":"observation","benchmark":{at},"block":{block},"values":{{"wall":{wall},"rss":{rss}}}}}"#
            ));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Would catch a difference between builds that becomes a commit's, one that takes other rows and metrics with it, and a
/// rule that withholds what is sound.
#[test]
fn what_a_second_build_denies_is_no_point() {
    let of = |factor: f64| {
        let text = with_a_second_build(factor);
        let data =
            read_bytes(text.as_bytes(), "r.jsonl", SourceFormat::Auto, Strictness::Strict).unwrap();
        measurements(&data, RunSetId::new(0).unwrap(), &MetricChoice::Whole).unwrap()
    };
    let names = |points: &[Measurement]| -> Vec<(String, String)> {
        points.iter().map(|it| (it.benchmark.clone(), it.metric.clone())).collect()
    };
    let all = [("p", "wall"), ("p", "rss"), ("q", "wall"), ("q", "rss")]
        .map(|(benchmark, metric)| (benchmark.to_owned(), metric.to_owned()));
    let sound = of(1.0);
    assert_eq!((names(&sound.given), sound.withheld), (all.to_vec(), Vec::new()));
    let moved = of(1.05);
    assert_eq!((names(&moved.given), &moved.withheld[..]), (all[1..].to_vec(), &all[..1]));
}

/// Would catch a pair that counts twice, or that is forgotten, and a confirmation that becomes a point.
#[test]
fn two_commits_that_were_measured_again_are_remembered() {
    let directory = tempfile::tempdir().unwrap();
    let mut history = open(&directory);
    let to = |value| Measurement { anchor: Some("a".to_owned()), ..measurement(value, &[value]) };
    history.add(&record("r1"), &[placed("b", 2, to(1.5))]).unwrap();
    let series = history.series(&[]).unwrap().remove(0);
    for (id, value) in [("r2", 2.0), ("r2", 2.0), ("r3", 8.0)] {
        history.confirm(&record(id), &[placed("c", 3, to(value))]).unwrap();
    }
    let known = history.confirmations(series.id).unwrap();
    let [only] = &known[..] else { panic!("{known:?}") };
    assert_eq!((&*only.before, &*only.after), ("a", "c"));
    assert!((only.ratio.value - 4.0).abs() < 1e-12, "{only:?}");
    assert_eq!(history.points(series.id).unwrap().len(), 1);
    assert_eq!(history.sources(series.id, "b").unwrap(), ["r1"]);
}

/// Would catch a newer etalon's history that is changed, and another program's that is taken over.
#[test]
fn what_is_not_ours_is_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("h");
    drop(open(&directory));
    let newer = rusqlite_of_tests(&path, "PRAGMA user_version = 99");
    let error = Database::open(&path, Access::Write).unwrap_err();
    assert!(matches!(error, HistoryError::Newer { found: 99, .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), newer);
    std::fs::remove_file(&path).unwrap();
    let other = rusqlite_of_tests(&path, "CREATE TABLE theirs(x)");
    let error = Database::open(&path, Access::Write).unwrap_err();
    assert!(matches!(error, HistoryError::Foreign { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), other);
    std::fs::write(&path, "no database at all, but long enough to be one's beginning").unwrap();
    let error = Database::open(&path, Access::Read).unwrap_err();
    assert!(matches!(error, HistoryError::Foreign { .. }), "{error}");
}

/// Executes a statement on a file, as another program; the file's bytes afterwards.
fn rusqlite_of_tests(path: &std::path::Path, statement: &str) -> Vec<u8> {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch(statement).unwrap();
    drop(connection);
    std::fs::read(path).unwrap()
}

/// Would catch a benchmark whose commits become benchmarks, and a place that is lost.
#[test]
fn a_file_of_many_commits_gives_a_point_each() {
    let entry = |id: &str, value: f64| {
        format!(
            r#"{{"commit": {{"id": "{id}", "timestamp": "2026-11-21T10:00:00+00:00"}}, "date": 1, "tool": "cargo",
             "benches": [{{"name": "fib", "value": {value}, "unit": "ns/iter"}}]}}"#
        )
    };
    let entries = [entry("a", 900.0), entry("b", 910.0), entry("b", 930.0)].join(",");
    let text = format!(r#"window.BENCHMARK_DATA = {{"entries": {{"S": [{entries}]}}}}"#);
    let data =
        read_bytes(text.as_bytes(), "data.js", SourceFormat::Auto, Strictness::Strict).unwrap();
    let points =
        measurements(&data, RunSetId::new(0).unwrap(), &MetricChoice::Whole).unwrap().given;
    let of = |it: &Measurement| (it.commit.clone().unwrap(), it.benchmark.clone(), it.part.n);
    let expected =
        [("a", 1), ("b", 2)].map(|(id, n)| (id.to_owned(), "fib [suite=S]".to_owned(), n));
    assert_eq!(points.iter().map(of).collect::<Vec<_>>(), expected);
    assert!((points[1].part.value - 9.2e-7).abs() < 1e-15, "{points:?}");
    let made = data.run_sets[0].commit_times["b"];
    assert!((made - 1_795_255_200.0).abs() < 1e-9, "{made}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Would catch a point that depends on the order in which runs came, and one that is not what all of them say.
    #[test]
    fn the_order_of_adding_changes_nothing(
        runs in prop::collection::vec((0..4i64, 0.5f64..2.0), 1..14),
        seed in any::<u64>(),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let mut history = open(&directory);
        let mut order: Vec<usize> = (0..runs.len()).chain(0..runs.len()).collect();
        let mut state = seed | 1;
        for at in (1..order.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            order.swap(at, usize::try_from(state >> 33).unwrap() % (at + 1));
        }
        for at in order {
            let (commit, value) = runs[at];
            let point = placed(&format!("c{commit}"), commit, measurement(value, &[value, value]));
            history.add(&record(&format!("r{at}")), &[point]).unwrap();
        }
        let mut slow: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
        for (commit, value) in &runs {
            let values = slow.entry(*commit).or_default();
            if !values.contains(value) {
                values.push(*value);
            }
        }
        let all = history.series(&[]).unwrap();
        let points = history.points(all[0].id).unwrap();
        prop_assert_eq!(points.len(), slow.len());
        prop_assert_eq!(all[0].points, slow.len() as u64);
        for (point, (commit, values)) in points.iter().zip(slow) {
            let product: f64 = values.iter().product();
            #[allow(clippy::cast_precision_loss)]
            let mean = product.powf(1.0 / values.len() as f64);
            prop_assert_eq!(&point.commit, &format!("c{commit}"));
            prop_assert!((point.value / mean - 1.0).abs() < 1e-9);
            prop_assert_eq!((point.runs, point.n), (values.len() as u64, 2 * values.len() as u64));
        }
    }
}
