//! Results of harnesses: the figures of real files, what is a run in them, and bad input.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use etalon_core::dataset::{BenchmarkId, ConfigurationId, Dataset, RunSetId};
use etalon_core::model::{Direction, Level};
use etalon_record::Strictness;
use etalon_record::foreign::harness::HarnessFormat;
use etalon_record::open::{SourceFormat, file, read_bytes};
use etalon_record::raw::write_record;
use proptest::prelude::*;
use serde_json::Value;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/harness")
}

pub(crate) fn data(name: &str) -> Dataset {
    let opened = file(&root().join(name), SourceFormat::Auto).unwrap();
    opened.read(Strictness::Lenient).unwrap_or_else(|refused| panic!("{name}: {refused}"))
}

pub(crate) fn text(name: &str) -> Vec<u8> {
    std::fs::read(root().join(name)).unwrap()
}

fn bytes(text: &[u8]) -> Result<Dataset, String> {
    let read = read_bytes(text, "f", SourceFormat::Auto, Strictness::Lenient);
    read.map_err(|refused| refused.to_string())
}

/// Names of files and directories with their format, and rows of name, metric, runs, readings, median and sum.
fn expected() -> Vec<(String, String, Vec<Row>)> {
    let all: Value = serde_json::from_slice(&text("expected.json")).unwrap();
    let row = |row: &Value| Row {
        name: row[0].as_str().unwrap().to_owned(),
        metric: row[1].as_str().unwrap().to_owned(),
        runs: row[2].as_u64().unwrap().try_into().unwrap(),
        readings: row[3].as_u64().unwrap().try_into().unwrap(),
        median: row[4].as_f64().unwrap(),
        sum: row[5].as_f64().unwrap(),
    };
    let of = |(name, of): (&String, &Value)| {
        let rows = of["rows"].as_array().unwrap().iter().map(row).collect();
        (name.clone(), of["format"].as_str().unwrap().to_owned(), rows)
    };
    all.as_object().unwrap().iter().map(of).collect()
}

/// Figures of one benchmark in one metric.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub name: String,
    pub metric: String,
    runs: usize,
    readings: usize,
    median: f64,
    sum: f64,
}

/// A benchmark under a configuration, and a metric.
type Measured = (BenchmarkId, ConfigurationId, String);

pub(crate) fn rows(data: &Dataset) -> Vec<Row> {
    let mut values: Vec<(Measured, Vec<(usize, f64)>)> = Vec::new();
    let mut places = HashMap::new();
    for row in 0..data.len() {
        let of = data.series_of(row);
        for value in data.row(row) {
            let key = (of.benchmark, of.configuration, data.metric(value.spelling).name);
            let at = *places.entry(key.clone()).or_insert_with(|| {
                values.push((key, Vec::new()));
                values.len() - 1
            });
            values[at].1.push((row, data.base(value)));
        }
    }
    let row = |((benchmark, _, metric), values): (Measured, Vec<(usize, f64)>)| {
        let runs: BTreeSet<_> = values.iter().map(|(row, _)| data.run_of(*row)).collect();
        let mut sorted: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        Row {
            name: data.benchmarks[benchmark.at()].name.full().to_owned(),
            metric,
            runs: runs.len(),
            readings: n,
            median: f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]),
            sum: sorted.iter().sum(),
        }
    };
    values.into_iter().map(row).collect()
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
}

/// Would catch a reading that is missing, twice, of another unit or of another run: the figures are a second program's.
#[test]
fn figures_of_real_files_are_those_of_another_reader() {
    let all = expected();
    assert!(all.len() >= 61, "{}", all.len());
    for (name, format, mut expected) in all {
        let data = data(&name);
        let tool = &data.run_sets[0].context["tool.name"];
        assert_eq!(*tool, format, "{name}");
        let key = |row: &Row| (row.name.clone(), row.metric.clone(), row.median.to_bits());
        let mut found = rows(&data);
        // What only etalon reads of these files.
        let others = ["major_faults", "minor_faults", "voluntary_switches", "involuntary_switches"];
        found.retain(|row| !others.contains(&row.metric.as_str()));
        found.sort_by_key(key);
        expected.sort_by_key(key);
        assert_eq!(found.len(), expected.len(), "{name}\n{found:#?}\n{expected:#?}");
        for (found, expected) in found.into_iter().zip(expected) {
            let rounded = Row { median: expected.median, sum: expected.sum, ..found.clone() };
            assert_eq!(rounded, expected, "{name}");
            let same = is_close(found.median, expected.median) && is_close(found.sum, expected.sum);
            assert!(same, "{name}: {found:?} {expected:?}");
        }
    }
}

/// The files of all formats but those that are directories, with the format by the figures' side.
pub(crate) fn samples() -> Vec<(String, HarnessFormat, Vec<u8>)> {
    let named = |name: &str| HarnessFormat::named(name).unwrap();
    let files = expected().into_iter().filter(|(name, ..)| root().join(name).is_file());
    let mut all: Vec<_> =
        files.map(|(name, of, _)| (name.clone(), named(&of), text(&name))).collect();
    let sample = "criterion/base/fib/new/sample.json";
    all.push((sample.to_owned(), HarnessFormat::Criterion, text(sample)));
    all
}

/// Would catch two rules that hold for one file, and one that holds for a file that is none of these.
#[test]
fn exactly_one_rule_holds_for_each_file() {
    let mut seen = BTreeSet::new();
    for (name, format, text) in samples() {
        if !name.ends_with(".gz") {
            let beginning = &text[..text.len().min(64 * 1024)];
            assert_eq!(HarnessFormat::candidates(beginning), [format], "{name}");
        }
        seen.insert(format.name());
    }
    let all: BTreeSet<_> = HarnessFormat::ALL.iter().map(|(name, _)| *name).collect();
    assert_eq!(seen, all, "every format has a sample");
    let data = root();
    let beside = std::fs::read_dir(data.parent().unwrap()).unwrap();
    let others = beside.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let corpus = std::fs::read_dir(data.join("../../corpus")).unwrap();
    for path in others.chain(corpus.map(|entry| entry.unwrap().path())) {
        let text = std::fs::read(&path).unwrap();
        assert!(HarnessFormat::candidates(&text).is_empty(), "{}", path.display());
    }
}

/// Would catch readings of a summary taken for measurements, and the other way round.
#[test]
fn which_files_have_no_readings() {
    let summaries = |name: &str| -> Vec<bool> {
        let data = data(name);
        let levels = data.benchmarks.iter().map(|it| it.benchmark.as_ref().unwrap().level);
        levels.map(|level| level == Level::Summary).collect()
    };
    for name in [
        "pytest-benchmark/pytest-benchmark-saved-without-data.json",
        "google-benchmark/gbench-aggregates.json",
        "js/vitest-base.json",
        "bencher/bmf-base.json",
        "github-action-benchmark/data.js",
        "github-action-benchmark/custom-smaller-base.json",
        "perf-stat/perf-csv-r5-base.txt",
        "perf-stat/perf-json-r5-base.txt",
    ] {
        let all = summaries(name);
        // What ended in an error has no level of its own.
        let readings = all.iter().filter(|is| !**is).count();
        let of_errors = usize::from(name.ends_with("gbench-aggregates.json"));
        assert!(!all.is_empty() && readings == of_errors, "{name}: {all:?}");
    }
    let asv = summaries("asv/results/demo-machine/0801c67a-existing-py.json");
    assert_eq!(asv.iter().filter(|is| **is).count(), 3, "sizes and a count have no samples");
    assert!(summaries("jmh/jmh-base.json").iter().all(|is| !is));
}

/// Files, and what their records have to say.
const SAID: [(&str, &[&str]); 11] = [
    (
        "pytest-benchmark/pytest-benchmark-base.json",
        &[
            r#""started":"2026-11-27T07:10:08.171937+00:00""#,
            r#""runtime.version":"CPython 3.11.7""#,
            r#""cpu.model":"Intel(R) Xeon(R) Processor""#,
            r#""tool.version":"5.3.1""#,
            r#"{"type":"metric","name":"wall","unit":"s","direction":"lower","kind":"noisy"}"#,
            r#""name":"test_sum","params":{"size":"64"}"#,
            r#""iterations":20"#,
            r#""suite":"test_bench.py""#,
        ],
    ),
    (
        "pyperf/pyperf-base.json",
        &[
            r#"{"type":"run","number":3}"#,
            r#""iterations":512"#,
            r#""machine.host":"vm""#,
            r#""cpu.cores":"2""#,
        ],
    ),
    (
        "google-benchmark/gbench-norep.json",
        &["no device", r#""direction":"higher""#, r#""iterations":34752"#],
    ),
    (
        "jmh/jmh-base.json",
        &[
            r#""unit":"ops/s","direction":"higher""#,
            r#""params":{"n":"8"}"#,
            r#"{"type":"run","number":1}"#,
        ],
    ),
    (
        "asv/results/demo-machine/0801c67a-existing-py.json",
        &[
            r#""commit":"0801c67ad9250aa535bce17688fb074585222daf""#,
            r#""machine.host":"demo-machine""#,
            "failed",
        ],
    ),
    (
        "github-action-benchmark/data.js",
        &[r#""commit":"0000000000000000000000000000000000001eef""#, r#""summary":true"#],
    ),
    ("gnu-time/time-v-base.txt", &[r#""command":"sh w.sh 2000""#, r#""resolution":0.01"#]),
    ("criterion/base", &[r#""name":"sum/fold/slow/1024""#, r#""iterations":1129"#]),
    (
        "js/mitata-thinned-0.1.14.json",
        &[
            r#""runtime.version":"node v20.20.2 (x64-linux)""#,
            r#""cpu.model":"AMD EPYC""#,
            "no device",
        ],
    ),
    ("js/mitata-thinned-1.0.10.json", &[r#""name":"fib($n)","params":{"n":"26"}"#, "no device"]),
    ("js/tinybench-2.9.0.json", &["it threw an error"]),
];

/// Names, parameters, directions, iterations, outcomes and facts in their places.
#[test]
fn what_a_record_of_them_says() {
    let record = |name: &str| -> String {
        let mut out = Vec::new();
        write_record(&data(name), "test", &mut out).unwrap();
        let back = read_bytes(&out, "record", SourceFormat::Etalon, Strictness::Strict).unwrap();
        assert_eq!(rows(&back), rows(&data(name)), "{name}: through a record");
        let levels = |data: &Dataset| -> Vec<Level> {
            let of = |row: usize| &data.benchmarks[data.series_of(row).benchmark.at()].benchmark;
            (0..data.len()).map(|row| of(row).as_ref().unwrap().level).collect()
        };
        assert_eq!(levels(&back), levels(&data(name)), "{name}");
        String::from_utf8(out).unwrap()
    };
    for (name, has) in SAID {
        let record = record(name);
        for has in has {
            assert!(record.contains(has), "{name}: {has}\n{record}");
        }
    }
    let data = data("jmh/jmh-base.json");
    let metrics = data.metrics(RunSetId::new(0).unwrap());
    let direction = |name| metrics.iter().find(|(it, _)| it.name == name).unwrap().0.direction;
    assert_eq!([direction("ops/s"), direction("wall")], [Direction::Higher, Direction::Lower]);
}

/// Would catch half a file that is taken for a whole one, and a panic.
#[test]
fn a_file_cut_anywhere_is_refused_with_its_place() {
    let lines = ["cargo-criterion/messages-base.jsonl", "perf-stat", "gnu-time"];
    for (name, format, text) in samples() {
        if name.contains("-new") || name.ends_with(".gz") {
            continue;
        }
        let end = text.trim_ascii_end().len();
        let step = (end / 150).max(1);
        for cut in (0..end).step_by(step) {
            let from = SourceFormat::Harness(format);
            let read = read_bytes(&text[..cut], "f", from, Strictness::Lenient);
            let of_lines = lines.iter().any(|of| name.starts_with(of));
            match read {
                Err(refused) if cut == 0 => assert!(refused.to_string().contains("empty")),
                Err(refused) => {
                    let said = refused.to_string();
                    let names = said.starts_with("f:") && said.contains(format.name());
                    assert!(names || of_lines, "{name} at {cut}: {said}");
                }
                Ok(_) => assert!(of_lines, "{name}: read whole although cut at {cut} of {end}"),
            }
        }
    }
}

/// The remarks on a file, and the values of its first benchmark.
fn odd(text: &str) -> (Vec<String>, Vec<f64>) {
    let data = bytes(text.as_bytes()).unwrap_or_else(|refused| panic!("{refused}"));
    let notes = data.run_sets[0].notes.iter().map(|note| note.text.clone()).collect();
    let values = (0..data.len()).flat_map(|row| data.row(row).collect::<Vec<_>>());
    (notes, values.map(|value| data.base(value)).collect())
}

fn pytest(benchmarks: &str) -> String {
    format!("{{\"machine_info\":{{}},\"benchmarks\":[{benchmarks}]}}")
}

fn of_data(name: &str, data: &str) -> String {
    format!(
        "{{\"name\":{name},\"fullname\":\"\",\"stats\":{{\"iterations\":1,\"data\":[{data}]}}}}"
    )
}

/// Would catch a value that is no number taken for one, and one odd value that costs the file.
#[test]
fn odd_values_cost_one_reading_each() {
    let (notes, values) =
        odd(&pytest(&of_data("\"a\"", "1, NaN, -Infinity, \"x\", null, -2, 3e300, 4")));
    assert_eq!(values, [1.0, 4.0]);
    let reasons = ["`NaN`", "`-Infinity`", "`x`", "`null`", "`-2` is negative", "larger than any"];
    assert_eq!(notes.len(), reasons.len(), "{notes:?}");
    for (at, (note, reason)) in notes.iter().zip(reasons).enumerate() {
        let place = format!("`a`, reading {}", at + 2);
        assert!(note.starts_with(&place) && note.contains(reason), "{note}");
    }
    let text = pytest(&of_data("\"a\"", "1,NaN"));
    let strict = read_bytes(text.as_bytes(), "f", SourceFormat::Auto, Strictness::Strict);
    assert!(strict.unwrap_err().to_string().starts_with("f: `a`, reading 2: wall is `NaN`"));
}

/// Would catch two benchmarks pooled because they have one name.
#[test]
fn equal_names_are_told_apart_and_told() {
    let text = pytest(&[of_data("\"a\"", "1"), of_data("\"a\"", "2")].join(","));
    let data = bytes(text.as_bytes()).unwrap();
    let names: Vec<_> = data.benchmarks.iter().map(|it| it.name.full()).collect();
    assert_eq!(names, ["a", "a (2)"]);
    assert_eq!(odd(&text).0, ["a: a second one of this name: it is called `a (2)`"]);
}

#[test]
fn bad_files_have_one_clear_error() {
    let two = [text("js/vitest-base.json"), text("bencher/bmf-base.json")].concat();
    let refused = bytes(&two).unwrap_err();
    assert!(refused.contains("trailing characters") && refused.contains("vitest"), "{refused}");
    let refused = bytes(pytest("").as_bytes()).unwrap_err();
    assert!(refused.contains("it holds no benchmark"), "{refused}");
    let named = |at: usize| of_data(&format!("\"b{at}\""), "1");
    let many: Vec<String> = (0..100_001).map(named).collect();
    let refused = bytes(pytest(&many.join(",")).as_bytes()).unwrap_err();
    assert!(refused.contains("more than 100000 different benchmarks"), "{refused}");
    let control = pytest(&of_data("\"a\\u001b[31m\\n\\u0000b\"", "1"));
    assert_eq!(bytes(control.as_bytes()).unwrap().benchmarks[0].name.full(), "a\u{1b}[31m\n\0b");
    let huge = r#"[{"benchmark":"a","mode":"sample","jmhVersion":"1","primaryMetric":{"score":2,"scoreUnit":"ns/op",
        "rawDataHistogram":[[[[1,1e18],[2,-5]]]]}}]"#;
    let (_, values) = odd(huge);
    assert_eq!(values, [2e-9], "a count that nobody has made is no reading");
    let uneven = r#"{"sampling_mode":"Flat","iters":[1,2],"times":[1]}"#;
    assert!(bytes(uneven.as_bytes()).unwrap_err().contains("1 times for 2 counts"));
    let none = r#"{"sampling_mode":"Flat","iters":[1,0],"times":[1,1]}"#;
    assert!(bytes(none.as_bytes()).unwrap_err().contains("no whole number above 0"));
}

/// Would catch a directory that is read with copies and baselines, and one that is no harness's.
#[test]
fn a_directory_is_read_for_its_last_run() {
    let data = data("criterion/new");
    let names: Vec<_> = data.benchmarks.iter().map(|it| it.name.full().to_owned()).collect();
    assert_eq!(names, ["fib", "sum/fold/slow/1024", "sum/fold/slow/64"]);
    let refused = file(&root().join("gnu-time"), SourceFormat::Auto).err().unwrap().to_string();
    assert!(refused.contains("is a directory"), "{refused}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]
    /// Would catch a panic of any reader on a file that is nearly right.
    #[test]
    fn damaged_files_are_survived(
        one in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(),
        length in 0_usize..40, with in proptest::collection::vec(
            prop_oneof![any::<u8>(), Just(b'"'), Just(b'['), Just(b'{'), Just(b'-'), Just(b'9')], 0..8),
    ) {
        let all = samples();
        let (_, format, text) = one.get(&all);
        let mut text = text.clone();
        let at = at.index(text.len());
        let end = (at + length).min(text.len());
        text.splice(at..end, with);
        for from in [SourceFormat::Auto, SourceFormat::Harness(*format)] {
            let _survived = read_bytes(&text, "f", from, Strictness::Lenient);
        }
    }
}

/// Would catch values in another unit than the format has, a benchmark that is lost, and text that is no such document.
#[test]
fn what_services_read_comes_back() {
    let gbench = data("google-benchmark/gbench-base.json");
    let mut out = Vec::new();
    let notes = etalon_record::foreign::harness::write_bencher(&gbench, &mut out).unwrap();
    assert!(notes[1].text.contains("no units: cpu, B/s, size"), "{notes:?}");
    let medians = |data: &Dataset, metric: &str| -> Vec<(String, f64)> {
        let mut all: Vec<_> = rows(data).into_iter().filter(|row| row.metric == metric).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.into_iter().map(|row| (row.name, row.median)).collect()
    };
    let is_same = |back: &Dataset, of: &Dataset, metric: &str| {
        let (was, is) = (medians(of, metric), medians(back, metric));
        let same = was.iter().zip(&is).all(|(a, b)| a.0 == b.0 && is_close(a.1, b.1));
        assert!(was.len() == is.len() && same, "{metric}: {was:?}\n{is:?}");
    };
    is_same(&bytes(&out).unwrap(), &gbench, "wall");
    let jmh = data("jmh/jmh-single-shot-gc.json");
    let mut out = Vec::new();
    let write = etalon_record::foreign::harness::write_github_action;
    let notes = write(&jmh, Direction::Lower, &mut out).unwrap();
    assert!(notes[1].text.contains("left out: gc.alloc.rate, gc.count"), "{notes:?}");
    let all: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(all[0]["unit"], "ns");
    assert_eq!(all[0]["value"], 14865.0);
    assert_eq!(all[1]["name"], "demo.Fib.avg [n=12] (gc.alloc.rate.norm)");
    let rates = google_rates(&gbench);
    assert!(rates.contains("\"unit\": \"B/s\"") && !rates.contains("\"ns\""), "{rates}");
    let mut none = Vec::new();
    write(&jmh, Direction::Higher, &mut none).unwrap();
    assert_eq!(none, b"[]\n");
}

fn google_rates(data: &Dataset) -> String {
    let mut out = Vec::new();
    etalon_record::foreign::harness::write_github_action(data, Direction::Higher, &mut out)
        .unwrap();
    assert!(bytes(&out).unwrap().len() > 1);
    String::from_utf8(out).unwrap()
}

/// As github-action-benchmark writes what Go prints, in older and in newer versions: the shapes of the files of
/// `gofiber/fiber`, `feichai0017/NoKV`, `redis/jedis` and others on their branches `gh-pages`.
///
/// Would catch a metric whose name has the other values in it, so that each commit is a series of its own, and values
/// that count twice because newer versions repeat them.
#[test]
fn values_of_a_line_of_go_are_metrics_of_one_benchmark() {
    let entry = |id: &str, benches: &str| {
        format!(
            r#"{{"commit": {{"id": "{id}", "timestamp": "2026-11-21T10:00:00+00:00"}}, "date": 1, "tool": "go",
             "benches": [{benches}]}}"#
        )
    };
    let older = r#"{"name": "BenchmarkSet", "value": 13274, "unit": "ns/op\t   2.41 MB/s\t     634 B/op\t      24 allocs/op",
        "extra": "122280 times\n4 procs"}, {"name": "BenchmarkGet", "value": 148, "unit": "ns/op"}"#;
    let newer = r#"{"name": "BenchmarkSet", "value": 8420, "unit": "ns/op\t   3.80 MB/s\t     408 B/op\t      18 allocs/op"},
        {"name": "BenchmarkSet - ns/op", "value": 8420, "unit": "ns/op"},
        {"name": "BenchmarkSet - MB/s", "value": 3.8, "unit": "MB/s"},
        {"name": "BenchmarkSet - B/op", "value": 408, "unit": "B/op"},
        {"name": "BenchmarkSet - allocs/op", "value": 18, "unit": "allocs/op"},
        {"name": "BenchmarkGet - ns/op", "value": 149, "unit": "ns/op"}"#;
    let text = format!(
        r#"window.BENCHMARK_DATA = {{"entries": {{"Go": [{}, {}]}}}}"#,
        entry("a", older),
        entry("b", newer)
    );
    let read = rows(&bytes(text.as_bytes()).unwrap());
    let mut found: Vec<(&str, &str, f64)> =
        read.iter().map(|row| (&*row.name, &*row.metric, row.median)).collect();
    found.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    let expected = [
        ("BenchmarkGet", "wall", 148e-9),
        ("BenchmarkGet - ns/op", "wall", 149e-9),
        ("BenchmarkSet", "MB/s", 2.41),
        ("BenchmarkSet", "MB/s", 3.8),
        ("BenchmarkSet", "allocs/op", 18.0),
        ("BenchmarkSet", "allocs/op", 24.0),
        ("BenchmarkSet", "size", 408.0),
        ("BenchmarkSet", "size", 634.0),
        ("BenchmarkSet", "wall", 8420e-9),
        ("BenchmarkSet", "wall", 13274e-9),
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!((found.0, found.1), (expected.0, expected.1));
        assert!(is_close(found.2, expected.2) || is_close(found.2, 1e6 * expected.2), "{found:?}");
    }
}
