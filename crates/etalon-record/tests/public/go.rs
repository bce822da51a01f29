//! The Go benchmark format: what is read, what is not, and the way back.

use std::path::Path;

use crate::view::only;
use etalon_core::dataset::{Dataset, Reason};
use etalon_core::model::{Direction, Kind};
use etalon_core::query::Subject;
use etalon_core::units::Base;
use etalon_record::foreign::go::{self, FactSelection};
use etalon_record::open::{Format, Opened, SourceFormat, detect, read_bytes};
use etalon_record::raw::write_record;
use etalon_record::{Input, Strictness};
use proptest::prelude::*;

fn file(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)).unwrap()
}

fn read(bytes: &[u8]) -> Dataset {
    go::read(bytes, "f", Strictness::Lenient).unwrap()
}

fn written(data: &Dataset) -> String {
    let mut out = Vec::new();
    assert_eq!(go::write(data, FactSelection::All, &mut out).unwrap(), []);
    String::from_utf8(out).unwrap()
}

/// A row as one line: facts, name, iterations, values in tidied units.
fn row(data: &Dataset, row: usize) -> String {
    let mut line = String::new();
    let configuration = &data.configurations[data.series_of(row).configuration.at()];
    for (key, value) in &configuration.entries {
        line.push_str(&format!("{}={} ", data.strings.text(*key), data.strings.text(*value)));
    }
    let name = data.name_of(row).full();
    line.push_str(&format!("{name} {}", data.rows.iterations(row).unwrap()));
    for value in data.row(row) {
        let unit = &data.units[data.unit(value).at()];
        line.push_str(&format!(" {:?} {unit}", data.number(value)));
    }
    line
}

fn rows(data: &Dataset) -> Vec<String> {
    (0..data.len()).filter(|row| data.counts(*row)).map(|at| row(data, at)).collect()
}

fn problems(data: &Dataset) -> Vec<String> {
    let shown = |p: &etalon_core::dataset::Problem| format!("{}: {}", p.line.unwrap(), p.reason);
    data.problems.listed.iter().map(shown).collect()
}

/// Data written as a record and read back.
fn through_a_record(data: &Dataset) -> Dataset {
    let mut record = Vec::new();
    write_record(data, "t", &mut record).unwrap();
    read_bytes(&record, "f", SourceFormat::Etalon, Strictness::Strict).unwrap()
}

/// Would catch a unit that changes its name or its size on the way through a record and back.
#[test]
fn units_come_back_from_a_record() {
    let units = [
        "ns/op",
        "us/op",
        "lat-ms/op",
        "s/op",
        "sec/op",
        "KiB/op",
        "kB/op",
        "MB/op",
        "B/op",
        "MB/s",
        "allocs/op",
        "widgets",
        "widgets/op",
        "p99-ns",
        "p99-ms",
        "p99-sec",
        "p99-B",
        "p99-MiB",
        "x-y",
    ];
    let values: String = units.iter().map(|unit| format!("\t12.5 {unit}")).collect();
    let data = read(format!("BenchmarkX-8\t3{values}\n").as_bytes());
    let again = through_a_record(&data);
    let shown = |data: &Dataset| -> Vec<(String, f64)> {
        let of = |value| (data.units[data.unit(value).at()].clone(), data.number(value));
        (0..data.len()).flat_map(|row| data.row(row).map(of)).collect()
    };
    assert_eq!(shown(&data), shown(&again));
    let (mut first, mut second) = (Vec::new(), Vec::new());
    go::write_any(&data, &mut first).unwrap();
    go::write_any(&again, &mut second).unwrap();
    assert_eq!(String::from_utf8(first), String::from_utf8(second));
}

/// Would catch a number of iterations that is cut to what most of them need.
#[test]
fn any_number_of_iterations_comes_back() {
    let all = [0, 1, 4_294_967_294, 4_294_967_295, 4_294_967_296, i64::MAX, -5, 7];
    let text: String = all.iter().map(|n| format!("BenchmarkX\t{n}\t1.50 ns/op\n")).collect();
    let data = read(text.as_bytes());
    let read: Vec<i64> = (0..data.len()).map(|row| data.rows.iterations(row).unwrap()).collect();
    assert_eq!(read, all);
    assert_eq!(written(&data), text);
    assert_eq!(written(&through_a_record(&data)), text);
}

/// Would catch a fact that holds too long or not long enough, a number that is not the nearest double, and
/// a 0 that leaves its neighbours' unit.
#[test]
fn results_have_the_facts_of_their_place() {
    let data = read(&file("data/go-plain.txt"));
    let one = "goos=linux goarch=amd64 pkg=example.org/a Encode/format=json-48";
    let gob = "Encode/format=gob-48 372699 3.069e-6 sec/op";
    assert_eq!(
        rows(&data),
        [
            format!("{one} 690848 1.726e-6 sec/op 0.25 widgets/op"),
            format!("{one} 684861 1.723e-6 sec/op 1e-5 widgets/op 7.0 x"),
            format!("{one} 1 0.0 sec/op"),
            format!("goos=linux goarch=amd64 pkg=example.org/b {gob} 52100000.0 B/s"),
            format!(
                "pkg=example.org/b goarch=amd64 note=with: colons and  spaces {gob} 3.07e-6 sec/op"
            ),
        ]
    );
    assert_eq!(data.units, ["sec/op", "widgets/op", "x", "B/s", "p99-sec"]);
    let cut =
        "has no closing `PASS` or `ok` line: its output is cut, or its lines were chosen by hand";
    assert_eq!(
        problems(&data),
        [
            format!("7: example.org/a {cut}"),
            "10: `NaN` p99-ns: not available".to_owned(),
            format!("14: example.org/b {cut}"),
        ]
    );
    assert_eq!(data.direction("widgets/op"), Direction::Higher);
    assert_eq!((data.kind("widgets/op"), data.kind("sec/op")), (Kind::Exact, Kind::Noisy));
    assert_eq!(data.direction("sec/op"), Direction::Lower);
    assert_eq!((data.run_sets[0].lines, data.len()), (14, 5));
}

/// Would catch any byte that the way through a dataset changes.
#[test]
fn what_was_read_is_written_byte_for_byte() {
    let text = String::from_utf8(file("data/go-plain.txt")).unwrap();
    // Metadata come first.
    let (facts, rest) = text.split_at(text.find("Unit").unwrap());
    let (unit, results) = rest.split_at(rest.find("Benchmark").unwrap());
    let unit = unit.replace(" assume", "\nUnit widgets/op assume");
    assert_eq!(written(&read(text.as_bytes())), format!("{unit}{facts}{results}"));
}

#[test]
fn every_encoding_and_end_of_line_is_the_same_text() {
    let text = String::from_utf8(file("data/go-plain.txt")).unwrap();
    let plain = written(&read(text.as_bytes()));
    assert_eq!(written(&read(text.replace('\n', "\r\n").as_bytes())), plain);
    assert_eq!(written(&read(text.trim_end().as_bytes())), plain);
    assert_eq!(written(&read(format!("\u{feff}{text}").as_bytes())), plain);
    for name in ["corpus/go-utf16le.txt", "corpus/go-utf16be.txt"] {
        assert_eq!(written(&read(&file(name))), plain, "{name}");
        assert!(
            !read_bytes(&file(name), "f", SourceFormat::Auto, Strictness::Lenient)
                .unwrap()
                .series
                .is_empty()
        );
    }
}

/// Would catch a result that goes to the wrong name, one that is lost without a word, and output that
/// becomes a fact.
#[test]
fn what_was_torn_apart_is_put_together_or_reported() {
    let data = read(&file("data/go-torn.txt"));
    let shown: Vec<String> =
        rows(&data).iter().map(|row| row[row.find("Write").unwrap()..].to_owned()).collect();
    assert_eq!(
        shown,
        [
            "Write/LocalStack-32 205 0.005621 sec/op 376832.0 B/op 2973.0 allocs/op",
            "Write/LocalStack-32 210 0.0056 sec/op 376900.0 B/op 2973.0 allocs/op",
            "Write/MinIO-32 100 0.01134 sec/op 380659.0 B/op 3045.0 allocs/op",
            "Write/MinIO-32 101 0.011341 sec/op 380660.0 B/op 3045.0 allocs/op",
        ]
    );
    assert_eq!(data.run_sets[0].joined, 3);
    assert_eq!(data.configurations.len(), 1);
    assert_eq!(
        problems(&data),
        [
            "13: any of the lines 14, 15 can be the result of BenchmarkWrite/Twice-32, and none is \
             used; keep the benchmark's own output apart from its results",
            "16: in place of BenchmarkWrite/Lost-32's iteration count stands `gone`, and its numbers \
             do not follow; keep the benchmark's own output apart from its results",
            "20: a result without a value and its unit",
            "21: `300 4.000 ns/op` are numbers of a result without a benchmark's name",
            "22: `101 11341000 ns/op` are numbers of a result behind more than one benchmark's name; \
             keep the benchmark's own output apart from its results",
            "23: `4123 3.000 ns/op` are numbers of a result without a benchmark's name",
            "18: BenchmarkWrite/Fails-32 of example.org/lode/s3 failed",
        ]
    );
}

#[test]
fn syntax_errors_are_records_with_their_line() {
    let data = read(&file("data/go-syntax.txt"));
    assert_eq!(
        problems(&data),
        [
            "2: no numbers follow BenchmarkTrailingSpace: its execution was ended, or they are torn off",
            "3: in place of BenchmarkBadIter's iteration count stands `abc`, and its numbers do not \
             follow; keep the benchmark's own output apart from its results",
            "4: the iteration count `99999999999999999999999` does not fit 64 bits",
            "5: a result without a value and its unit",
            "6: `abc` is not a number",
            "7: no unit behind `1`",
            "8: no unit behind `2`",
            "9: `1e999` is larger than any number",
            "10: `Unit` without the unit it is about",
            "11: `blah` is not of the form key=value",
            "13: a of sec/op is 1 already and stays that: 2 is ignored",
            "14: better=best means nothing; it can be lower, higher or neither",
            "14: assume=normal means nothing; it can be nothing or exact",
            "16: `-Inf` B/op: not available",
        ]
    );
    assert_eq!(rows(&data), ["Verbose 3 4e-9 sec/op"]);
    assert_eq!(data.metadata[0].unit, "sec/op");
    let strict = go::read(&file("data/go-syntax.txt")[..], "f", Strictness::Strict).unwrap_err();
    assert!(strict.to_string().starts_with("f:2: no numbers follow"), "{strict}");
}

#[test]
fn absurd_input_is_defined() {
    let data = read(&file("corpus/go-odd.txt"));
    assert_eq!(
        rows(&data),
        [
            "A\0b 1 2e-9 sec/op",
            "\u{fffd}\u{fffd} 1 2e-9 sec/op",
            " 1 0.0 sec/op",
            "Em 1 1.0 x",
            "key=v\u{fffd} NoEnd 1 5e-9 sec/op",
        ]
    );
    assert_eq!(
        problems(&data),
        [
            "2: not UTF-8; what is not text is read as U+FFFD",
            "5: not UTF-8; what is not text is read as U+FFFD",
            "6: `1e308` is larger than any number",
        ]
    );
    for empty in [&b""[..], b"\n\n", b"\xff\xfe", b"\xef\xbb\xbf"] {
        assert!(read(empty).is_empty());
    }
    let mut long = b"BenchmarkA 1 5 ns/op\nBenchmarkB 1 ".to_vec();
    long.extend(vec![b'1'; 2_000_000]);
    long.extend_from_slice(b" ns/op\nBenchmarkC 1 6 ns/op\n");
    let data = read(&long);
    assert_eq!(data.problems.listed[0].reason, Reason::TooLong);
    assert_eq!(rows(&data), ["A 1 5e-9 sec/op", "C 1 6e-9 sec/op"]);
}

/// A loop that appends `go test` to a file: the header that is there again begins another run of its package.
#[test]
fn a_header_that_repeats_begins_another_run() {
    let runs = |text: &str| -> Vec<u32> {
        let data = read(text.as_bytes());
        (0..data.len()).map(|row| data.run_of(row).1).collect()
    };
    let round = "goos: linux\ngoarch: amd64\npkg: a\ncpu: X\nBenchmarkA 1 1 ns/op\n\
                 BenchmarkA 1 2 ns/op\nPASS\nok a 1s\npkg: b\nBenchmarkB 1 3 ns/op\nPASS\n";
    assert_eq!(runs(round), [0, 0, 0]);
    assert_eq!(runs(&round.repeat(3)), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
    // Without packages, and facts of other kinds between results.
    let plain = "goos: linux\nBenchmarkA 1 1 ns/op\nnote: x\nBenchmarkA 1 1 ns/op\n";
    assert_eq!(runs(&plain.repeat(2)), [0, 0, 1, 1]);
    assert_eq!(runs("BenchmarkA 1 1 ns/op\nBenchmarkA 1 1 ns/op\n"), [0, 0]);
    // Results above the first header are a run of their own.
    assert_eq!(runs(&format!("BenchmarkA 1 1 ns/op\n{plain}")), [0, 1, 1]);
}

/// Would catch facts that leak into the next file, and metadata that do not.
#[test]
fn several_files_are_one_dataset() {
    let mut data = Dataset::default();
    let input = |label: &str| Input { path: format!("{label}.txt"), label: label.to_owned() };
    let old = "a: 1\nUnit x better=higher\nBenchmarkA 1 5 x\n";
    let new = "BenchmarkA 1 6 x\nUnit x better=lower\n";
    go::read_into(&mut data, old.as_bytes(), &input("old"), Strictness::Strict).unwrap();
    let file =
        go::read_into(&mut data, new.as_bytes(), &input("new"), Strictness::Lenient).unwrap();
    assert_eq!((file.at(), data.benchmarks.len()), (1, 2));
    assert_eq!([data.file(0), data.file(1)], ["old", "new"]);
    assert_eq!(rows(&data), ["a=1 A 1 5.0 x", "A 1 6.0 x"]);
    assert_eq!(data.problems.listed[0].run_set, file);
    assert_eq!(data.direction("x"), Direction::Higher);
    let groups = data.groups();
    assert_eq!(groups.iter().map(|group| group.run_set.at()).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn queries_see_names_facts_and_units() {
    let data = read(&file("data/go-plain.txt"));
    let value = data.row(0).next().unwrap();
    let subject = etalon_core::dataset::Measured { data: &data, row: 0, value };
    assert_eq!(subject.name().part("format"), Some("json"));
    assert_eq!(subject.name().part("gomaxprocs"), Some("48"));
    assert_eq!(
        [subject.config("pkg"), subject.config(".file")],
        [Some("example.org/a"), Some("f")]
    );
    assert_eq!(subject.all_config().count(), 3);
    assert_eq!((subject.unit().tidied, subject.unit().written), ("sec/op", Some("ns/op")));
    assert_eq!(subject.name().full(), "Encode/format=json-48");
}

/// Would catch a time shown in the wrong unit, a fact that is lost, and two readings in one line that
/// become one.
#[test]
fn go_data_are_a_run_set() {
    let bytes = file("data/go-plain.txt");
    assert_eq!(detect(&bytes), Format::Go);
    let set = only(&read_bytes(&bytes, "f", SourceFormat::Auto, Strictness::Lenient).unwrap());
    let keys: Vec<String> = set.benchmarks.iter().map(|b| b.key.label()).collect();
    assert_eq!(keys.len(), 3, "{keys:?}");
    assert_eq!(keys[0], "Encode/format=json-48 [goos=linux, pkg=example.org/a]");
    assert_eq!(set.context.get("goarch").map(String::as_str), Some("amd64"));
    let metric = |name: &str| set.metrics.iter().position(|m| m.name == name).unwrap();
    let time = &set.metrics[metric("sec/op")];
    assert_eq!((time.unit.symbol(), time.unit.base()), ("ns", &Base::Seconds));
    assert_eq!((time.direction, time.kind), (Direction::Lower, Kind::Noisy));
    assert_eq!(set.metrics[metric("widgets/op")].kind, Kind::Exact);
    assert_eq!(set.series[2].columns[metric("sec/op")].values, [3.069e-6, 3.07e-6]);
    assert_eq!(set.series[0].columns[metric("widgets/op")].rows, [0, 1]);
    assert!(set.series.iter().all(|series| series.blocks.is_empty()));
    let strict = read_bytes(&bytes, "f", SourceFormat::Auto, Strictness::Strict);
    assert!(strict.is_ok(), "a NaN is typed absent, not a bad line");
}

/// Would catch a format taken from the first read alone, and a beginning that is read twice or lost.
#[test]
fn short_reads_change_nothing() {
    let bytes = file("data/go-plain.txt");
    let logged = [b"{\"level\":\"info\"}\n", &bytes[..]].concat();
    for (bytes, capacity) in [(&bytes, 1), (&bytes, 17), (&logged, 1), (&logged, 4096)] {
        let reader = std::io::BufReader::with_capacity(capacity, &bytes[..]);
        let opened = Opened::new(reader, "f", SourceFormat::Auto).unwrap();
        assert!(opened.is_go());
        let mut data = Dataset::default();
        opened.add_to(&mut data, "f", Strictness::Lenient).unwrap();
        assert_eq!(rows(&data), rows(&read(bytes)));
    }
}

#[test]
fn a_text_without_results_is_an_error_that_says_so() {
    let error = |bytes: &[u8]| {
        read_bytes(bytes, "f", SourceFormat::Go, Strictness::Lenient).unwrap_err().to_string()
    };
    assert_eq!(
        error(b"hello\n"),
        "f has no benchmark result: no line is one; give what `go test -bench` printed"
    );
    assert_eq!(
        error(b"BenchmarkX 1\n"),
        "f has no benchmark result: line 1: a result without a value and its unit; give what `go \
         test -bench` printed"
    );
}

/// Units by their last word; others are left alone.
#[test]
fn units_of_a_run_set() {
    let line = "BenchmarkX 1 5 us/op 6 p99-ns 7 B/op 2 MB/s 3 min 4 ns*ns 5 rss-bytes/op 8 allocs/op 9 ms/s\n";
    let set =
        only(&read_bytes(line.as_bytes(), "f", SourceFormat::Auto, Strictness::Strict).unwrap());
    let shown: Vec<String> = set
        .metrics
        .iter()
        .enumerate()
        .map(|(at, m)| {
            format!("{} {} {:?}", m.name, m.unit.symbol(), set.series[0].columns[at].values[0])
        })
        .collect();
    assert_eq!(
        shown,
        [
            "us/op us 5e-6",
            "p99-sec ns 6e-9",
            "B/op B 7.0",
            "B/s B/s 2000000.0",
            "min count 3.0",
            "sec*sec sec*sec 4e-18",
            "rss-bytes/op B 5.0",
            "allocs/op count 8.0",
            "ms/s ms/s 9.0",
        ]
    );
}

const RECORD: &str = concat!(
    r#"{"type":"header","format":"etalon","version":1,"tool":"t","context":{"cpu.model":"A B","load.1min":"2.5","OS":"x"}}"#,
    "\n",
    r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}"#,
    "\n",
    r#"{"type":"metric","name":"rss","unit":"B","direction":"lower","kind":"exact"}"#,
    "\n",
    r#"{"type":"benchmark","name":"ls -l","params":{"dir":"/tmp/x y"},"command":"ls -l"}"#,
    "\n",
    r#"{"type":"benchmark","name":"sleep-8","command":"sleep"}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":0,"values":{"wall":611045,"rss":2457600}}"#,
    "\n",
    r#"{"type":"observation","benchmark":1,"block":0,"values":{"wall":3}}"#,
    "\n",
    r#"{"type":"observation","benchmark":1,"block":1,"outcome":{"failed":3},"values":{"wall":4}}"#,
    "\n",
);

fn record() -> Dataset {
    read_bytes(RECORD.as_bytes(), "r.jsonl", SourceFormat::Auto, Strictness::Lenient).unwrap()
}

#[test]
fn a_record_of_commands_is_written_and_read_back() {
    let mut out = Vec::new();
    let notes = go::write_any(&record(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(
        text,
        "# etalon: names are percent-encoded\nUnit rss-B/op assume=exact\n\
         # os: x\n# load.1min: 2.5\ncpu.model: A B\n\
         Benchmarkls%20-l/dir=%2Ftmp%2Fx%20y\t1\t0.000611045 sec/op\t2457600 rss-B/op\n\
         Benchmarksleep%2D8\t1\t3e-9 sec/op\n"
    );
    let notes: Vec<String> =
        notes.into_iter().map(|n| format!("{}: {}", n.about, n.text)).collect();
    assert_eq!(
        notes,
        [
            "sleep-8: 1 exited with a non-zero code and did not count; left out",
            "r.jsonl: the Go format has no blocks: the rows are independent",
        ]
    );
    let data = read(text.as_bytes());
    let name = &data.benchmarks[0].name;
    assert_eq!((name.base(), name.parts().next()), ("ls -l", Some("/dir=/tmp/x y")));
    assert_eq!(data.benchmarks[1].name.base(), "sleep-8");
    let own = record();
    let names = |data: &Dataset| -> Vec<_> {
        data.benchmarks.iter().map(|declared| declared.name.clone()).collect()
    };
    assert_eq!(names(&own), names(&data));
    assert_eq!(own.rows.place(1).map(|place| place.block), Some(0));
}

/// Would catch facts that become part of a name, and counts, units and facts that are lost (an archived run
/// would be another one than its own source).
#[test]
fn go_data_come_back_from_a_record_as_they_were() {
    let text = "Unit widgets/op better=higher\npkg: p\ncpu: A\nBenchmarkE/f=j-48\t3\t5.10 ns/op\t\
                7 text-bytes\t2 ns/op\nPASS\nok  \tp\t1.2s\npkg: q\n\
                BenchmarkE/f=j-48\t1000\t123456789.123456789012 ns/op\tNaN widgets/op\n\
                --- FAIL: BenchmarkF-48\n";
    let data = read_bytes(text.as_bytes(), "f", SourceFormat::Auto, Strictness::Lenient).unwrap();
    let again = through_a_record(&data);
    let go = |data: &Dataset| {
        let mut out = Vec::new();
        assert_eq!(go::write_any(data, &mut out).unwrap(), []);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(go(&again), go(&data));
    assert!(go(&again).contains("5.10 ns/op\t7 text-bytes\t2 ns/op\nPASS\n"), "{}", go(&again));
    assert_eq!(only(&again).benchmarks, only(&data).benchmarks);
    assert_eq!(only(&again).series, only(&data).series);
    let keys: Vec<String> = only(&again).benchmarks.iter().map(|b| b.key.label()).collect();
    assert_eq!(keys, ["E/f=j-48 [pkg=p]", "E/f=j-48 [pkg=q]", "F-48 [pkg=q]"]);
}

/// Would catch a name that a record cuts into other pieces than its source has, and characters that it does not
/// give back.
#[test]
fn odd_names_come_back_from_a_record() {
    let names = [
        "ls%20-l%20%2Ftmp/n=a%2Fb%20%2D3",
        "sleep%2D8",
        "sleep-8-16",
        "50%25/a%3Db/%01",
        "Array-16",
        "Array-32/x-",
        "%2F/-/%2F-4",
        "é/ü=%0A%09-1",
    ];
    let lines = names.map(|name| format!("Benchmark{name}\t-3\t1.50 a\u{1}b%/op\n")).concat();
    let text = format!("# etalon: names are percent-encoded\nk\u{2}-y: v\u{3}\n{lines}");
    let data = read(text.as_bytes());
    let again = through_a_record(&data);
    let pieces = |data: &Dataset| -> Vec<Vec<String>> {
        let of = |row| data.name_of(row).pieces().map(str::to_owned).collect();
        (0..data.len()).map(of).collect()
    };
    assert_eq!(pieces(&again), pieces(&data));
    assert_eq!(pieces(&data)[1], ["sleep-8"]);
    let go = |data: &Dataset| {
        let mut out = Vec::new();
        assert_eq!(go::write_any(data, &mut out).unwrap(), []);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(go(&data), go(&again));
    assert_eq!(go(&through_a_record(&again)), text.replace("%3D", "="));
}

/// Would catch a reading that is divided by nothing.
#[test]
fn what_is_per_iteration_needs_iterations() {
    let record = |iterations: i64| {
        format!(
            "{{\"type\":\"header\",\"format\":\"etalon\",\"version\":1,\"id\":\"i\"}}\n\
             {{\"type\":\"metric\",\"name\":\"wall\",\"unit\":\"ns\",\"direction\":\"lower\",\
             \"kind\":\"noisy\",\"per\":\"iteration\"}}\n{{\"type\":\"benchmark\",\"name\":\"a\"}}\n\
             {{\"type\":\"observation\",\"benchmark\":0,\"iterations\":{iterations},\"values\":\
             {{\"wall\":5}}}}\n"
        )
    };
    let read = |iterations| {
        let record = record(iterations);
        read_bytes(record.as_bytes(), "f", SourceFormat::Etalon, Strictness::Strict)
    };
    assert!(read(1).is_ok());
    for none in [0, -1] {
        let error = read(none).unwrap_err().to_string();
        assert!(error.contains("no iterations to divide wall by"), "{error}");
    }
}

fn name() -> impl Strategy<Value = String> {
    "[A-Z][a-zé%]{0,5}(/[a-z]=[a-z0-9]{1,3}|/[a-z#]{1,3}){0,3}(-[1-9]{1,2})?"
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        "(0|[1-9][0-9]{0,8})(\\.[0-9]{1,5})?",
        "-?[0-9]{1,4}\\.?[0-9]{0,20}([eE][+-]?[0-9]{1,2})?",
        Just("NaN".to_owned()),
        Just("+Inf".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Would catch a name, fact, number or unit that does not come through byte for byte.
    #[test]
    fn results_come_through(
        lines in proptest::collection::vec((
            proptest::option::of(("[a-z][a-z.]{0,3}", "[a-zA-Z0-9:é][a-z :]{0,8}[a-z]")),
            name(),
            prop_oneof![4 => 1..i64::MAX, 1 => any::<i64>()],
            proptest::collection::vec((number(), "[a-zA-Z/é*-]{1,5}|ns/op|MB/s"), 1..4),
        ), 1..12),
    ) {
        let mut text = String::new();
        let mut any = false;
        let mut facts: Vec<(String, String)> = Vec::new();
        for (fact, name, iterations, values) in lines {
            if let Some((key, value)) = fact {
                let known = facts.iter_mut().find(|(k, _)| *k == key);
                let changes = known.as_ref().is_none_or(|(_, v)| *v != value);
                match known {
                    Some(known) => known.1.clone_from(&value),
                    None => facts.push((key.clone(), value.clone())),
                }
                if changes {
                    if any {
                        text.push('\n');
                    }
                    text.push_str(&format!("{key}: {value}\n"));
                }
            }
            any = true;
            text.push_str(&format!("Benchmark{name}\t{iterations}"));
            for (number, unit) in values {
                text.push_str(&format!("\t{number} {unit}"));
            }
            text.push('\n');
        }
        let data = read(text.as_bytes());
        prop_assert_eq!(data.problems.first_loss.as_ref(), None);
        prop_assert_eq!(&written(&data), &text);
        prop_assert_eq!(&written(&through_a_record(&data)), &text);
        let again = through_a_record(&data);
        let counted = |n: i64| n > 0;
        if (0..data.len()).all(|row| data.rows.iterations(row).is_some_and(counted)) {
            prop_assert_eq!(written(&again), text);
        }
    }

    /// Would catch a panic or a row without its values, whatever lines come in whatever order.
    #[test]
    fn any_lines_are_survived(lines in proptest::collection::vec(prop_oneof![
        Just("BenchmarkA-8   \tlog".to_owned()),
        Just("BenchmarkA-8   \t".to_owned()),
        Just("      10\t 5 ns/op".to_owned()),
        Just("log      10\t 5 ns/op\t".to_owned()),
        Just("log BenchmarkB-8 \t 10\t 5 ns/op".to_owned()),
        Just("BenchmarkC 1 NaN ns/op 2 ns/op".to_owned()),
        Just("Unit ns/op a=b =c".to_owned()),
        Just("k: v".to_owned()),
        Just("k:".to_owned()),
        Just("PASS".to_owned()),
        "[Bk:= \t0-9é/-]{0,12}",
    ], 0..20)) {
        let data = read(lines.join("\n").as_bytes());
        for at in 0..data.len() {
            let values: Vec<_> = data.row(at).collect();
            prop_assert!(values.iter().all(|v| data.number(*v).is_finite()));
            prop_assert!(data.fields(at).len() >= values.len());
        }
        let again = read(written(&data).as_bytes());
        prop_assert_eq!(rows(&again), rows(&data));
    }
}
