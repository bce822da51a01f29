//! Reports of thousands of benchmarks: what is compared with what, and that memory stays bounded. Nothing
//! asserts on time; the figures are in `docs/performance.md`.

use std::fs::File;
use std::io::{BufWriter, Write};

use serde_json::json;

use crate::support::{Lab, Running, has, with_peak};

/// What reading so many readings takes at most.
const PEAK: u64 = 200 << 20;

/// Go's format, a record and hyperfine's JSON, of `n` benchmarks with `values` readings each.
fn sources(lab: &Lab, n: u32, values: u32) -> [&'static str; 3] {
    let time = |name: u32, at: u32| 1000 + (name * 7919 + at * 104_729) % 997;
    let names = ["many.txt", "many.jsonl", "many.json"];
    let [mut go, mut record, mut hyperfine] =
        names.map(|name| BufWriter::new(File::create(lab.path(name)).expect("a file")));
    let header = json!({"type": "header", "format": "etalon", "version": 1, "id": "by-hand"});
    let wall = json!({"type": "metric", "name": "wall", "unit": "ns", "direction": "lower",
        "kind": "noisy"});
    write!(record, "{header}\n{wall}\n").expect("written");
    for name in 0..n {
        let benchmark = json!({"type": "benchmark", "name": format!("b{name}"), "command": "b"});
        writeln!(record, "{benchmark}").expect("written");
    }
    for name in 0..n {
        let times: Vec<u32> = (0..values).map(|at| time(name, at)).collect();
        for (at, time) in times.iter().enumerate() {
            writeln!(go, "BenchmarkB{name} 1 {time} ns/op").expect("written");
            let observation = json!({"type": "observation", "benchmark": name, "block": at,
                "values": {"wall": time}});
            writeln!(record, "{observation}").expect("written");
        }
        let seconds: Vec<f64> = times.iter().map(|time| f64::from(*time) / 1e6).collect();
        let before = if name == 0 { "{\"results\":[" } else { "," };
        let result = json!({"command": format!("b{name}"), "times": seconds});
        write!(hyperfine, "{before}{result}").expect("written");
    }
    write!(hyperfine, "]}}").expect("written");
    names
}

/// Would catch half a million comparisons of a thousand benchmarks, and letters over as many pairs.
#[test]
fn above_a_hundred_each_is_compared_with_the_first() {
    let lab = Lab::new();
    let note = "is compared with the first only";
    for (n, comparisons) in [(100, 4950), (101, 100), (400, 399)] {
        for source in sources(&lab, n, 6) {
            let counted = |text: &str| {
                let script = format!("\"$E\" report {source} --json | grep -c '{text}'");
                let ended = Running::start(lab.shell(&script)).end();
                ended.stdout.trim().parse::<usize>().expect("a number")
            };
            assert_eq!(counted("\"candidate_name\""), comparisons, "{source} {n}");
            let family = format!("\"family\": {comparisons},");
            assert_eq!(counted(&family), comparisons, "{source} {n}");
            let with_first = counted("\"base\": 0,");
            assert_eq!(with_first == comparisons, n > 100, "{source} {n}");
            assert_eq!(counted(note), usize::from(n > 100), "{source} {n}");
            assert_eq!(counted("\"letters\": null") > 0, n > 100, "{source} {n}");
        }
    }
    has(&lab.done(["report", "many.jsonl", "-N"]), &[note, "b0"]);
    let chosen = lab.json(["report", "many.jsonl", "--json", "--reference", "b7"]);
    assert_eq!(chosen["comparisons"][0]["base_name"], "b7");
    assert!(!chosen["notes"].to_string().contains(note));
}

/// Would catch anything in a report that grows with the square of the benchmarks: 20,000 of them would need
/// some GB of it, and etalon would abort.
#[test]
fn twenty_thousand_benchmarks_fit_in_memory() {
    let lab = Lab::new();
    let formats = ["terminal", "markdown", "csv", "json"];
    for (source, more) in sources(&lab, 20_000, 1).into_iter().zip(["-N", "-E", "-M"]) {
        for format in formats {
            let script = format!(
                "ulimit -v 2000000; \"$E\" report {source} {more} --full --format {format} > shown && \
                 grep -q -i b19999 shown"
            );
            let (ended, peak) = with_peak(&lab.shell(&script));
            assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{source} {format}");
            assert!(peak < PEAK, "{peak} bytes: {source} {format}");
        }
    }
}

/// Would catch metrics that are lost, doubled or mixed up where there are too many to look each up among all.
#[test]
fn thousands_of_metrics_are_all_there() {
    const METRICS: usize = 5_000;
    let lab = Lab::new();
    let mut record = File::create(lab.path("metrics.jsonl")).map(BufWriter::new).expect("a file");
    writeln!(record, r#"{{"type":"header","format":"etalon","version":1,"id":"m"}}"#)
        .expect("written");
    let names = (0..METRICS).map(|at| format!("m{at}"));
    for name in names.clone().chain(["wall".to_owned()]) {
        let metric = json!({"type": "metric", "name": name, "unit": "ns", "direction": "lower", "kind": "noisy"});
        writeln!(record, "{metric}").expect("written");
    }
    writeln!(record, r#"{{"type":"benchmark","name":"b"}}"#).expect("written");
    for block in 0..2 {
        let values = names.clone().enumerate().map(|(at, name)| format!("{name:?}:{}", at + block));
        let values: Vec<String> = values.chain([r#""wall":7"#.to_owned()]).collect();
        let observation = format!(r#""type":"observation","benchmark":0,"block":{block}"#);
        writeln!(record, r#"{{{observation},"values":{{{}}}}}"#, values.join(","))
            .expect("written");
    }
    record.flush().expect("written");
    let report = lab.json(["report", "metrics.jsonl", "--json"]);
    let metrics = report["benchmarks"][0]["metrics"].as_object().expect("metrics");
    assert_eq!(metrics.len(), METRICS + 1);
    for (at, name) in names.enumerate() {
        let seconds = |ns: usize| f64::from(u32::try_from(ns).expect("few")) / 1e9;
        assert_eq!(metrics[&name]["min"].as_f64(), Some(seconds(at)), "{name}");
        assert_eq!(metrics[&name]["max"].as_f64(), Some(seconds(at + 1)), "{name}");
    }
}

/// Would catch a table of 144 million places for 12,000 cells: 22 GB, and nothing in it to compare.
#[test]
fn a_table_that_is_nearly_empty_is_refused() {
    let lab = Lab::new();
    let line = |at: u32| format!("BenchmarkS/a={at}/b={at} 1 {} ns/op\n", 1000 + at % 97);
    lab.write("sparse.txt", (0..12_000).map(line).collect::<String>());
    for command in ["report", "compare"] {
        let (ended, peak) =
            with_peak(&lab.etalon([command, "sparse.txt", "--row", "/a", "--col", "/b"]));
        let ended = ended.expect(2);
        has(&ended.stderr, &["12000 rows and 12000 columns hold 12000 cells", "--table"]);
        assert!(peak < 100 << 20, "{peak} bytes");
    }
    // A few empty places are no reason: the table is there, and that nothing is compared in it is another error.
    lab.write("small.txt", (0..20).map(line).collect::<String>());
    let ended = lab.run(["compare", "small.txt", "--row", "/a", "--col", "/b"]).expect(2);
    has(&ended.stdout, &["nothing in common"]);
    has(&ended.stderr, &["nothing is compared"]);
}

/// Would catch a table of many commands that has verdicts against one that it does not show, and the same size said of
/// both the best and the worst row.
#[test]
fn the_first_has_a_row_wherever_it_stands() {
    let lab = Lab::new();
    let mut text = String::new();
    for at in 0..3 {
        for name in 0..40_u32 {
            let time = (1000 - 10 * name) * (1 + at);
            text += &format!("BenchmarkB{name:02} 1 {time} ns/op\n");
        }
    }
    lab.write("many.txt", &text);
    let said = lab.done(["report", "many.txt"]);
    has(&said, &["against B00", "\n  B00 ", "\n  B39 ", "and 16 more: --full"]);
    assert!(!said.contains("\n  B16 "), "{said}");
    assert!(
        !said.contains("1,000 × on are visible, in some rows from more than 1,000 × on"),
        "{said}"
    );
}
