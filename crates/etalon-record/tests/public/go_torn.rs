//! Results of Go's benchmarks among whatever else is printed: every number in the place of a result is a value, or named.

use std::collections::BTreeMap;

use etalon_core::dataset::Dataset;
use etalon_record::Strictness;
use etalon_record::open::{SourceFormat, read_bytes};
use proptest::prelude::*;

fn read(text: &str) -> Dataset {
    read_bytes(text.as_bytes(), "f", SourceFormat::Go, Strictness::Lenient).unwrap()
}

/// Names and their values in nanoseconds.
fn values(data: &Dataset) -> Vec<(String, f64)> {
    let rows = (0..data.len()).filter(|row| data.counts(*row));
    let of_row = |row: usize| {
        let name = data.name_of(row).full().to_owned();
        let number = move |value| {
            let is_time = data.units[data.unit(value).at()].starts_with("sec");
            data.number(value) * if is_time { 1e9 } else { 1.0 }
        };
        data.row(row).map(move |value| (name.clone(), number(value))).collect::<Vec<_>>()
    };
    rows.flat_map(of_row).map(|(name, value)| (name, (value * 10.0).round() / 10.0)).collect()
}

fn said(data: &Dataset) -> Vec<String> {
    let problems = data.problems.listed.iter();
    problems.map(|p| format!("{}: {}", p.line.unwrap_or(0), p.reason)).collect()
}

/// Would catch a result that vanishes behind output without an end of line.
#[test]
fn a_result_is_read_where_its_line_names_it() {
    let header = "goos: linux\npkg: ex/p\n";
    for (text, expected) in [
        ("tick BenchmarkB-2   \ttick       20\t       608.8 ns/op\n", &[("B-2", 608.8)][..]),
        ("tick BenchmarkB-2   \t       20\t       608.8 ns/op\n", &[("B-2", 608.8)]),
        ("tickBenchmarkB-2   \ttick\ntick\n       20\t       608.8 ns/op\n", &[("B-2", 608.8)]),
        ("tick: BenchmarkB-2 \t      20\t  608.8 ns/op\n", &[("B-2", 608.8)]),
        ("PASSED 3 BenchmarkB-2 \t      20\t  608.8 ns/op\n", &[("B-2", 608.8)]),
        ("BenchmarkB-2 \twarm\nlevel: 3       20\t  608.8 ns/op\n", &[("B-2", 608.8)]),
        (
            "BenchmarkA-2 \t 20\t 5.5 ns/opBenchmarkB-2 \t 20\t 608.8 ns/op\n",
            &[("A-2", 5.5), ("B-2", 608.8)],
        ),
        (
            "BenchmarkA-2 \t 20\t 5.5 ns/op BenchmarkB-2 \ttick\n  20\t 608.8 ns/op\n",
            &[("A-2", 5.5), ("B-2", 608.8)],
        ),
        (
            "=== RUN   BenchmarkB\nBenchmarkB\ntick BenchmarkB-2 \t 20\t 608.8 ns/op\n",
            &[("B-2", 608.8)],
        ),
        ("BenchmarkRunBenchmarks-2 \ttick    20\t 608.8 ns/op\n", &[("RunBenchmarks-2", 608.8)]),
    ] {
        let text = format!(
            "{header}{text}BenchmarkC-2   \t       20\t       501.2 ns/op\nPASS\nok  \tex/p\t1.0s\n"
        );
        let data = read(&text);
        let expected: Vec<(String, f64)> = expected
            .iter()
            .chain(&[("C-2", 501.2)])
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect();
        assert_eq!(values(&data), expected, "{text}");
        assert_eq!(said(&data), [""; 0], "{text}");
        assert_eq!(data.configurations.len(), 1, "{text}");
    }
}

/// Would catch a number that is dropped without its line and text.
#[test]
fn what_cannot_be_read_is_named() {
    for (text, expected) in [
        ("tick BenchmarkB-2 \t 20\ttick 608.8 ns/op\n", "3: `tick` is not a number"),
        ("tick BenchmarkB-2 \t 20\t 608.8 ns/op tick\n", "3: `tick` is not a number"),
        (
            "tick   20\t 608.8 ns/op\n",
            "3: `20 608.8 ns/op` are numbers of a result without a benchmark's name",
        ),
        (
            "of BenchmarkA and BenchmarkB-2 \t 20\t 608.8 ns/op\n",
            "3: `20 608.8 ns/op` are numbers of a result behind more than one benchmark's name; keep \
             the benchmark's own output apart from its results",
        ),
        (
            "BenchmarkA-2 \ttick BenchmarkB-2 \ttick  20\t 608.8 ns/op\n",
            "3: `20 608.8 ns/op` are numbers of a result behind more than one benchmark's name; keep \
             the benchmark's own output apart from its results",
        ),
        ("note: BenchmarkB-2 \t 20\t 608.8 ns/op tick\n", "3: `tick` is not a number"),
        // Spaces in place of tabs, as text that was copied from a terminal has.
        (
            "tick BenchmarkB-2    tick   20    608.8 ns/op\n",
            "3: `20 608.8 ns/op` are numbers of a result without a benchmark's name",
        ),
    ] {
        let text = format!(
            "goos: linux\npkg: ex/p\n{text}BenchmarkC-2 \t 20\t 501.2 ns/op\nPASS\nok  \tex/p\t1s\n"
        );
        assert_eq!(said(&read(&text)), [expected], "{text}");
    }
}

/// Output of a benchmark, anywhere; nothing in it is a result.
const OUTPUT: [&str; 16] = [
    "tick",
    "tick 12",
    "3 ns/op",
    "took 5 ms\t",
    "x12\t",
    "warn: low\tmemory",
    "a Benchmarking ",
    "see BenchmarkZ",
    "PASS",
    "--- x",
    "=== RUN   BenchmarkZ",
    "Unit x",
    "sdk: ",
    "10%\r20%\r",
    "हिन्दी\u{a0}",
    "\u{1b}[31mred\u{1b}[0m ",
];

/// One result with what stands around and in it: before the name, behind it, behind the count, at the end.
#[derive(Debug, Clone)]
struct Printed {
    before: String,
    behind: String,
    inside: String,
    after: String,
    ended: bool,
}

/// Some output, its lines ended or not.
fn output(at_most: usize) -> impl Strategy<Value = String> {
    let part = (0..OUTPUT.len(), any::<bool>())
        .prop_map(|(at, ended)| format!("{}{}", OUTPUT[at], if ended { "\n" } else { "" }));
    prop::collection::vec(part, 0..=at_most).prop_map(|parts| parts.concat())
}

fn printed() -> impl Strategy<Value = Printed> {
    let rarely = || prop_oneof![5 => Just(String::new()), 1 => output(1)];
    // A number with a unit behind an iteration count is a result, whoever printed it.
    let inside = rarely().prop_filter("no result", |text| !text.starts_with("3 ns/op"));
    (output(2), output(2), inside, rarely(), prop::bool::weighted(0.9)).prop_map(
        |(before, behind, inside, after, ended)| Printed { before, behind, inside, after, ended },
    )
}

/// The stream, and of every result the lines in which its name and its numbers stand.
fn stream(all: &[Printed], verbose: bool) -> (String, Vec<(String, f64, Vec<u64>)>) {
    let mut text = String::from("goos: linux\ngoarch: amd64\npkg: ex/p\ncpu: x\n");
    let mut results = Vec::new();
    let line = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1;
    for (at, it) in all.iter().enumerate() {
        let (name, value) = (format!("R{at}-2"), 1000.0 + at as f64 + 0.5);
        if verbose && text.ends_with('\n') {
            text.push_str(&format!("=== RUN   BenchmarkR{at}\nBenchmarkR{at}\n"));
        }
        text.push_str(&it.before);
        let mut lines = vec![line(&text)];
        text.push_str(&format!("Benchmark{name}   \t{}{:8}\t{}", it.behind, 20 + at, it.inside));
        lines.push(line(&text));
        text.push_str(&format!("{value:12.1} ns/op{}", it.after));
        lines.push(line(&text));
        if it.ended {
            text.push('\n');
        }
        results.push((name, value, lines));
    }
    text.push_str("\nPASS\nok  \tex/p\t1.0s\n");
    (text, results)
}

/// The stream as events of `go test -json`, cut at these lengths.
fn events(text: &str, sizes: &[usize]) -> String {
    let mut out = String::from(
        "{\"Time\":\"2026-11-23T01:00:00Z\",\"Action\":\"start\",\"Package\":\"ex/p\"}\n",
    );
    let chars: Vec<char> = text.chars().collect();
    let (mut from, mut sizes) = (0, sizes.iter().cycle());
    while from < chars.len() {
        let to = (from + sizes.next().unwrap()).min(chars.len());
        let piece: String = chars[from..to].iter().collect();
        let output = serde_json::to_string(&piece).unwrap();
        out.push_str(&format!(
            "{{\"Action\":\"output\",\"Package\":\"ex/p\",\"Output\":{output}}}\n"
        ));
        from = to;
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Would catch a result that vanishes, goes to another name, or is named where nobody finds it; and events that are read
    /// otherwise than the text in them.
    #[test]
    fn every_result_is_a_value_or_named(
        all in prop::collection::vec(printed(), 1..6),
        verbose in any::<bool>(),
        sizes in prop::collection::vec(1_usize..40, 1..5),
    ) {
        let (text, results) = stream(&all, verbose);
        let Ok(data) = read_bytes(text.as_bytes(), "f", SourceFormat::Go, Strictness::Lenient) else {
            // Nothing of it could be read, and that is an error.
            return Ok(());
        };
        let mut found: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        values(&data).into_iter().for_each(|(name, value)| found.entry(name).or_default().push(value));
        let named: Vec<u64> = data.problems.listed.iter().filter_map(|p| p.line).collect();
        for (name, value, lines) in &results {
            let is_value = found.values().flatten().any(|it| it == value);
            let is_own = found.get(name).is_some_and(|own| own.contains(value));
            prop_assert!(!is_value || is_own, "{value} is another's\n{text}\n{found:?}");
            let is_named = lines.iter().any(|line| named.contains(line));
            prop_assert!(is_value || is_named, "{name} is lost\n{text}\n{:?}", said(&data));
        }
        let of_events = events(&text, &sizes);
        let again = read_bytes(of_events.as_bytes(), "f", SourceFormat::Auto, Strictness::Lenient);
        prop_assert_eq!(values(&again.unwrap()), values(&data), "{}", of_events);
    }
}
