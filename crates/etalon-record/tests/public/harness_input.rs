//! Bad input for readers of harnesses' results: cut, odd, nested, repeated, mixed and large.

use std::collections::BTreeMap;
use std::fs;

use etalon_core::dataset::Dataset;
use etalon_record::Strictness;
use etalon_record::foreign::harness::HarnessFormat;
use etalon_record::open::{SourceFormat, file, read_bytes};

use crate::harness::{rows, samples, text};

fn forced(text: &[u8], format: HarnessFormat) -> Result<Dataset, String> {
    read(text, SourceFormat::Harness(format))
}

fn read(text: &[u8], from: SourceFormat) -> Result<Dataset, String> {
    read_bytes(text, "f", from, Strictness::Lenient).map_err(|refused| refused.to_string())
}

/// Readings in base units by benchmark and metric, in their order.
fn readings(data: &Dataset) -> BTreeMap<(String, String), Vec<f64>> {
    let mut all: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for row in 0..data.len() {
        let name = data.benchmarks[data.series_of(row).benchmark.at()].name.full();
        for value in data.row(row) {
            let metric = data.metric(value.spelling).name;
            all.entry((name.to_owned(), metric)).or_default().push(data.base(value));
        }
    }
    all
}

fn notes(data: &Dataset) -> Vec<&str> {
    data.run_sets[0].notes.iter().map(|note| note.text.as_str()).collect()
}

/// Would catch a figure that the whole file has not, a part that is silently taken for the whole, and a panic.
#[test]
fn a_file_cut_at_every_byte_has_no_figures_of_its_own() {
    for (name, format, text) in samples() {
        if name.contains("-new") {
            continue;
        }
        let whole = readings(&forced(&text, format).unwrap());
        for cut in 1..text.trim_ascii_end().len() {
            let part = match forced(&text[..cut], format) {
                Ok(part) => part,
                Err(said) => {
                    let is_none = said.contains("nothing in it can be used");
                    let is_told =
                        said.starts_with('f') && (is_none || said.contains(format.name()));
                    assert!(is_told, "{name} at {cut}: {said}");
                    continue;
                }
            };
            let read = readings(&part);
            for (of, values) in &read {
                let all = whole.get(of);
                let is_begun = all.is_some_and(|all| all.starts_with(values));
                assert!(is_begun, "{name} at {cut}: {of:?}: {values:?} of {all:?}");
            }
            // Nothing ends a group of events, or one of executions.
            let is_open = matches!(format, HarnessFormat::PerfStat | HarnessFormat::GnuTime);
            let ends = text[..cut].trim_ascii_end().split(|byte| *byte == b'\n').next_back();
            let is_ended =
                ends.is_some_and(|line| line.starts_with(b"{\"reason\":\"group-complete\""));
            let is_told = notes(&part).iter().any(|note| note.contains("ends the group"));
            assert!(read == whole || is_open || is_ended || is_told, "{name} at {cut}: silently");
        }
    }
}

/// Where numbers stand that are no part of a string.
fn numbers(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let (mut all, mut at, mut in_string) = (Vec::new(), 0, false);
    while at < text.len() {
        let is_of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
        match text[at] {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'-' | b'0'..=b'9' if !in_string => {
                let length = text[at..].iter().take_while(|byte| is_of_number(byte)).count();
                all.push(at..at + length);
                at += length - 1;
            }
            _ => {}
        }
        at += 1;
    }
    all
}

/// Each of at most so many numbers of every sample of JSON, by this in its place; the name and what is read then.
fn replaced(most: usize, with: &[u8], mut look: impl FnMut(&str, Result<Dataset, String>)) {
    for (name, format, text) in samples() {
        let is_lines = matches!(format, HarnessFormat::PerfStat | HarnessFormat::GnuTime);
        if name.contains("new") && format != HarnessFormat::Criterion || is_lines {
            continue;
        }
        let all = numbers(&text);
        for place in all.iter().step_by((all.len() / most).max(1)) {
            let odd = [&text[..place.start], with, &text[place.end..]].concat();
            look(&name, forced(&odd, format));
        }
    }
}

/// Would catch a value that is none among the readings, time below zero, and a panic of arithmetic.
#[test]
fn odd_numbers_are_no_readings() {
    let long = "9".repeat(5000);
    let odd = [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "-1e999",
        "-1",
        "-0.0",
        "1e308",
        "1e-400",
        "null",
        "true",
        "\"x\"",
        "[]",
        "{}",
        "18446744073709551616",
        "0",
        &long,
    ];
    for with in odd {
        replaced(40, with.as_bytes(), |name, read| match read {
            Err(said) => assert!(said.starts_with('f'), "{name}: {with}: {said}"),
            Ok(data) => {
                let odd = |value: &f64| !value.is_finite() || *value < 0.0 && with != "-1";
                let all = readings(&data);
                assert!(!all.values().flatten().any(odd), "{name}: {with}: {all:?}");
                let below = all.iter().find(|(_, all)| all.iter().any(|value| *value < 0.0));
                let is_amount = below.is_some_and(|((_, metric), _)| metric == "wall");
                assert!(!is_amount, "{name}: {with}: {below:?}");
            }
        });
    }
}

/// Would catch a reading below nothing that the record of what was read then refuses: a known name in a unit of the
/// file's own.
#[test]
fn what_is_read_makes_a_record_that_is_read() {
    let perf = "-4.16,jiffies,task-clock,4160000,100.00,0.9,CPUs utilized\n1,,page-faults,9,100.00,1,K/sec\n";
    for name in etalon_core::metrics::NEVER_NEGATIVE {
        let bencher = format!(r#"{{"a":{{"{name}":{{"value":-1}},"hits":{{"value":2}}}}}}"#);
        let action = format!(
            r#"[{{"name":"a","unit":"{name}","value":-1}},{{"name":"b","unit":"s","value":2}}]"#
        );
        for text in [perf, &bencher, &action] {
            let data = read(text.as_bytes(), SourceFormat::Auto).unwrap();
            comes_back(&data, text);
        }
    }
    replaced(40, b"-1", |name, read| read.iter().for_each(|data| comes_back(data, name)));
}

fn comes_back(data: &Dataset, of: &str) {
    let mut record = Vec::new();
    etalon_record::raw::write_record(data, "f", &mut record).unwrap();
    let back = read_bytes(&record, "record", SourceFormat::Etalon, Strictness::Strict);
    assert_eq!(
        back.map(|back| readings(&back)).map_err(|refused| refused.to_string()),
        Ok(readings(data)),
        "{of}"
    );
}

/// Would catch a stack that overflows.
#[test]
fn deep_nesting_is_refused_or_passed_over() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        replaced(6, nested.as_bytes(), |name, read| {
            if let Err(said) = read {
                assert!(said.starts_with('f') && said.len() < 2000, "{name}: {said}");
            }
        });
        for (_, format) in HarnessFormat::ALL {
            for whole in [nested.clone(), open.repeat(100_000), format!("{{\"x\":{nested}}}")] {
                let said = forced(whole.as_bytes(), format).unwrap_err();
                assert!(said.starts_with('f') && said.len() < 2000, "{format:?}: {said}");
            }
        }
    }
}

/// Would catch a byte order mark, or the other end of lines, that changes what is read or which format it is.
#[test]
fn marks_and_ends_of_lines_change_nothing() {
    for (name, format, text) in samples() {
        let Ok(text) = String::from_utf8(text) else { continue };
        let expected = rows(&forced(text.as_bytes(), format).unwrap());
        let returns = text.replace('\n', "\r\n");
        let wide: Vec<u8> = returns.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let all = [
            returns.clone().into_bytes(),
            [b"\xef\xbb\xbf", returns.as_bytes()].concat(),
            [b"\xff\xfe".to_vec(), wide].concat(),
        ];
        for (at, odd) in all.iter().enumerate() {
            let read =
                read(odd, SourceFormat::Auto).unwrap_or_else(|said| panic!("{name}: {said}"));
            assert_eq!(rows(&read), expected, "{name}, {at}");
        }
    }
}

/// Would catch a second value that becomes a metric nobody named, or one that replaces the first.
#[test]
fn a_value_that_is_there_twice_counts_once_and_is_told() {
    let jmh = |name: &str, more: &str| {
        let metric = |values: &str| format!("{{\"scoreUnit\":\"ns/op\",\"rawData\":[[{values}]]}}");
        let (first, second) = (metric("1,2"), metric("7,8"));
        format!(
            "[{{\"benchmark\":\"a\",\"mode\":\"avgt\",\"primaryMetric\":{first},\
             \"secondaryMetrics\":{{{more}\"{name}\":{second}}}}}]"
        )
    };
    let entry = r#""run_name":"a","run_type":"iteration","time_unit":"s""#;
    let cases = [
        (
            format!(
                "{{\"context\":{{}},\"benchmarks\":[{{{entry},\"real_time\":1,\"real_time\":2}}]}}"
            ),
            "a: a second value of wall in one reading; left out",
            vec![("wall", vec![1.0])],
        ),
        (
            "10,,cycles,1,100,,\n20,,cpu-cycles,1,100,,\n30,,cycles,1,100,,\n".to_owned(),
            "perf stat: a second value of cycles in one reading; left out",
            vec![("cycles", vec![10.0])],
        ),
        (
            r#"{"a":{"build-time":{"value":1},"build-time":{"value":2}}}"#.to_owned(),
            "a: a second value of build-time in one reading; left out",
            vec![("build-time", vec![1.0])],
        ),
        (
            jmh("wall", ""),
            "a: a second value of wall in one reading; left out",
            vec![("wall", vec![1e-9, 2e-9])],
        ),
        (
            jmh("x", r#""x":{"scoreUnit":"ns/op","rawData":[[5,6]]},"#),
            "a: a second value of x in one reading; left out",
            vec![("wall", vec![1e-9, 2e-9]), ("x", vec![5e-9, 6e-9])],
        ),
    ];
    for (text, said, expected) in cases {
        let data = read(text.as_bytes(), SourceFormat::Auto).unwrap();
        assert_eq!(notes(&data), [said], "{text}");
        let found = readings(&data);
        let found: Vec<_> =
            found.iter().map(|((_, metric), all)| (&**metric, all.clone())).collect();
        assert_eq!(found, expected, "{text}");
        let strict = read_bytes(text.as_bytes(), "f", SourceFormat::Auto, Strictness::Strict);
        assert!(strict.unwrap_err().to_string().contains("a second value of"), "{text}");
    }
    let twice = r#"{"machine_info":{},"machine_info":{},"benchmarks":[]}"#;
    assert!(read(twice.as_bytes(), SourceFormat::Auto).unwrap_err().contains("duplicate field"));
}

/// Would catch a counter that is silently dropped because the tool wrote no number for it.
#[test]
fn a_counter_that_is_no_number_is_told() {
    let text = r#"{"context":{},"benchmarks":[{"run_name":"a","run_type":"iteration",
        "real_time":1,"time_unit":"s","hits":NaN,"label":"NaN"}]}"#;
    let data = read(text.as_bytes(), SourceFormat::Auto).unwrap();
    assert_eq!(notes(&data), ["`a`, reading 1: hits is `NaN`, so not available"]);
}

/// Would catch results of a second harness that disappear behind those of the first.
#[test]
fn two_harnesses_in_one_file_are_told() {
    let all = samples();
    let one_of = |of: HarnessFormat| all.iter().find(|(_, format, _)| *format == of).unwrap();
    for (_, first) in HarnessFormat::ALL {
        for (_, second) in HarnessFormat::ALL {
            // What stands between blocks of GNU time is its programs' own.
            let is_passed_over =
                first == HarnessFormat::GnuTime && second != HarnessFormat::PerfStat;
            if first == second || is_passed_over {
                continue;
            }
            let text = [&*one_of(first).2, b"\n", &one_of(second).2].concat();
            match read(&text, SourceFormat::Auto) {
                Err(said) => assert!(said.starts_with('f'), "{first:?}, {second:?}: {said}"),
                Ok(data) => {
                    let notes = notes(&data).join("\n");
                    assert!(notes.contains("not read here"), "{first:?}, {second:?}: {notes}");
                }
            }
        }
    }
}

/// Would catch a benchmark that disappears because one of its two files did, and a part that is empty.
#[test]
fn a_directory_that_lacks_files_says_which() {
    let directory = tempfile::tempdir().unwrap();
    let of = |name: &str| directory.path().join(name).join("new");
    let sample = text("criterion/base/fib/new/sample.json");
    let named = |name: &str| format!("{{\"full_id\":\"{name}\"}}");
    for (name, has_sample, has_name) in [("a", true, true), ("b", false, true), ("c", true, false)]
    {
        fs::create_dir_all(of(name)).unwrap();
        if has_sample {
            fs::write(of(name).join("sample.json"), &sample).unwrap();
        }
        if has_name {
            fs::write(of(name).join("benchmark.json"), named(name)).unwrap();
        }
    }
    let read = || file(directory.path(), SourceFormat::Auto).unwrap().read(Strictness::Lenient);
    let data = read().unwrap();
    let names: Vec<_> = data.benchmarks.iter().map(|it| it.name.full()).collect();
    assert_eq!(names, ["a", "sample"]);
    let notes = notes(&data).join("\n");
    assert!(notes.contains("b/new/benchmark.json: there is no sample.json beside it"), "{notes}");
    assert!(notes.contains("its name is in benchmark.json beside it"), "{notes}");
    for odd in [&b""[..], b"{", b"{\"iters\":[1],\"times\":[1,2]}"] {
        fs::write(of("a").join("sample.json"), odd).unwrap();
        let said = read().unwrap_err().to_string();
        assert!(said.contains("a/new/sample.json:1"), "{said}");
    }
}

/// Would catch a reader that looks through all it has for each thing that it adds: then this takes minutes.
#[test]
fn many_of_everything_take_no_longer_each() {
    const MANY: usize = 60_000;
    let blocks = |at: usize| {
        format!("\tCommand being timed: \"c{at}\"\n\tUser time (seconds): 1.00\n\tExit status: 0\n")
    };
    let text: String = (0..MANY).map(blocks).collect();
    assert_eq!(read(text.as_bytes(), SourceFormat::Auto).unwrap().benchmarks.len(), MANY);
    let entry = r#"{"run_name":"a","run_type":"iteration","iterations":3,"real_time":1}"#;
    let text = format!("{{\"context\":{{}},\"benchmarks\":[{}]}}", vec![entry; MANY].join(","));
    let data = read(text.as_bytes(), SourceFormat::Auto).unwrap();
    assert_eq!((data.len(), data.benchmarks.len()), (MANY, 1));
    let one = |at: usize| format!(r#"{{"name":"b{at}","unit":"ns","value":1}}"#);
    let text: Vec<String> = (0..=100_000).map(one).collect();
    let said = read(format!("[{}]", text.join(",")).as_bytes(), SourceFormat::Auto).unwrap_err();
    assert_eq!(
        said,
        "f: more than 100000 different benchmarks: split it, or read less of it at once"
    );
    let events: String = (0..MANY).map(|at| format!("1,,e{at},1,100,,\n")).collect();
    assert_eq!(read(events.as_bytes(), SourceFormat::Auto).unwrap().row(0).count(), MANY);
}
