//! Results of other harnesses at every door that takes data.

use serde_json::Value;

use crate::support::{Lab, has};

fn sample(name: &str) -> String {
    format!("{}/../etalon-record/tests/data/harness/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn compared(lab: &Lab, base: &str, new: &str) -> Value {
    let shown = lab.done(["compare", "--json", &sample(base), &sample(new)]);
    serde_json::from_str(&shown).expect("one document")
}

fn comparisons(document: &Value) -> &[Value] {
    document["comparisons"].as_array().expect("comparisons")
}

/// Would catch a verdict about centres that a harness formed, and a difference that is not shown for it.
#[test]
fn summaries_show_a_difference_and_no_verdict() {
    let lab = Lab::new();
    for (base, new) in [
        ("js/vitest-base.json", "js/vitest-new.json"),
        ("bencher/bmf-base.json", "bencher/bmf-new.json"),
        ("perf-stat/perf-csv-r5-base.txt", "perf-stat/perf-csv-r5-new.txt"),
    ] {
        let document = compared(&lab, base, new);
        assert!(!comparisons(&document).is_empty(), "{base}");
        for comparison in comparisons(&document) {
            assert_eq!(comparison["verdict"], "unclear", "{base}: {comparison}");
            assert_eq!(comparison["reasons"][0]["code"], "no_raw_data", "{base}: {comparison}");
        }
        for format in ["terminal", "markdown", "comment"] {
            let shown = lab.done(["compare", "--format", format, &sample(base), &sample(new)]);
            let counted = format!("{} no raw data", comparisons(&document).len());
            let shown = shown.replace('\u{a0}', " ");
            assert!(shown.contains("no raw data"), "{base}: {shown}");
            // What others published is not the same; and more centres would be no readings either.
            for false_word in ["published", "at least", "needs", "assumed"] {
                assert!(!shown.contains(false_word), "{base}: {false_word}: {shown}");
            }
            if base.starts_with("js") && format != "markdown" {
                assert!(shown.contains(&format!("time: {counted}")), "{shown}");
            }
        }
    }
}

/// Would catch iterations of one process that count as runs: 15 rounds a side, 63 % apart, of one run each.
#[test]
fn rounds_of_one_process_are_one_run() {
    let lab = Lab::new();
    let (base, new) = (
        "pytest-benchmark/pytest-benchmark-base.json",
        "pytest-benchmark/pytest-benchmark-new.json",
    );
    let shown = lab.done(["compare", &sample(base), &sample(new)]);
    assert!(shown.contains("One run a side"), "{shown}");
    let document = compared(&lab, base, new);
    let of = |name: &str| {
        let all = comparisons(&document).iter();
        let names = |it: &&Value| it["candidate"].to_string().contains(name);
        all.clone().find(names).or_else(|| all.clone().next()).expect("a comparison").clone()
    };
    assert!(of("test_fib")["ratio"].as_f64().expect("a ratio") > 1.5);
    let same = comparisons(&document).iter().filter(|it| it["verdict"] == "slower").count();
    assert!(same <= 1, "{document}");
}

/// Would catch a format that only a name of a file tells, and one that cannot be forced.
#[test]
fn content_says_what_a_file_is_and_an_option_says_it_better() {
    let lab = Lab::new();
    let text = std::fs::read_to_string(sample("jmh/jmh-base.json")).expect("a sample");
    lab.write("results.txt", &text);
    let listed = lab.done(["convert", "--quiet", "results.txt", "--to", "bencher"]);
    let document: Value = serde_json::from_str(&listed).expect("one document");
    assert!(document["demo.Fib.avg [n=8]"]["latency"]["value"].is_number(), "{document}");
    let refused = lab.run(["report", "--from", "pyperf", "results.txt"]).expect(2);
    assert!(refused.stderr.contains("results of pyperf"), "{}", refused.stderr);
    lab.run(["convert", "--to", "github-action-benchmark-bigger", &sample("js/vitest-base.json")])
        .expect(2);
    lab.done(["report", &sample("criterion/base")]);
    lab.done(["compare", &sample("criterion/base"), &sample("criterion/new")]);
}

/// Files of centres alone, and what the ranking of one says.
const CENTRES: [&str; 4] = [
    "js/vitest-base.json",
    "bencher/bmf-base.json",
    "github-action-benchmark/data.js",
    "pytest-benchmark/pytest-benchmark-saved-without-data.json",
];

/// Would catch a ranking that takes centres for readings: a verdict, a promise that more of them would settle it, and
/// how many there were.
#[test]
fn a_ranking_of_centres_says_that_there_are_no_readings() {
    let lab = Lab::new();
    for name in CENTRES {
        let document: Value = serde_json::from_str(&lab.done(["report", "--json", &sample(name)]))
            .expect("one document");
        for comparison in comparisons(&document) {
            assert_eq!(comparison["verdict"], "unclear", "{name}: {comparison}");
            assert_eq!(comparison["reasons"][0]["code"], "no_raw_data", "{name}: {comparison}");
        }
        let codes: Vec<&Value> =
            document["notes"].as_array().expect("notes").iter().map(|note| &note["code"]).collect();
        assert!(codes.contains(&&Value::from("centres_alone")), "{name}: {codes:?}");
        assert!(!codes.contains(&&Value::from("order_unsaid")), "{name}: {codes:?}");
        let shown = lab.done(["report", &sample(name)]);
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("a centre each, no raw data"), "{name}: {shown}");
        assert!(
            words.contains("no readings: how far that is known nobody can say"),
            "{name}: {shown}"
        );
        for promise in ["yet", "needs at least", "1 observation", "assumed scatter", "hyperfine"] {
            assert!(!words.contains(promise), "{name}: {promise}: {shown}");
        }
    }
    let shown = lab.done(["report", &sample("js/vitest-base.json")]);
    assert!(shown.starts_with("Cannot tell small from rec: no raw data.\n"), "{shown}");
}

/// Would catch a name that fills the screen, and two of them that are shown as one.
#[test]
fn long_names_leave_sentences_readable() {
    let lab = Lab::new();
    let long = "x".repeat(100_000);
    let entry = |name: &str, time: f64| {
        let data: Vec<String> = (0..20).map(|i| (time + f64::from(i) * 1e-6).to_string()).collect();
        format!(
            "{{\"name\":\"{name}\",\"fullname\":\"{name}\",\"stats\":{{\"data\":[{}],\"iterations\":1}}}}",
            data.join(",")
        )
    };
    let [one, other] =
        [entry(&format!("{long}a{long}"), 1e-3), entry(&format!("{long}b{long}"), 1.5e-3)];
    lab.write("a.json", format!("{{\"machine_info\":{{}},\"benchmarks\":[{one},{other}]}}"));
    let shown = lab.done(["report", "a.json"]);
    assert!(shown.len() < 2_000, "{} bytes", shown.len());
    has(&shown, &["xa", "xb"]);
}
