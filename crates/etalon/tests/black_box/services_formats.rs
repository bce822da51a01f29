//! What services read, read back by their own programs: JUnit XML by junitparser and the schema of Jenkins, OpenMetrics by
//! Prometheus's parsers in Python and Go. Bencher and github-action-benchmark are in no registry: their formats are held
//! against schemas written here after their documentation, with the limits of Bencher's server.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::readme::root;
use crate::support::{Lab, skip};

/// The schema of JUnit XML that Jenkins' xUnit plug-in has, from the sources of pytest (tests/run.sh).
const JENKINS: &str = "target/junit/junit-10.xsd";

/// Names that break careless writers.
const HOSTILE: &str = "a\"b'<c>&d]]>\u{0}\u{1b}[31m\n\r\t\u{ffff}\u{202e}\\\u{e9}/n=1";

/// Twelve blocks of benchmarks on two sides, as a record; the head takes so many times as long. `calls` have no better way.
fn record(benchmarks: &[(&str, f64)]) -> String {
    let mut lines = vec![json!({
        "type": "header", "format": "etalon", "version": 1, "id": "x", "tool": "t",
        "argv": ["etalon", "ab", "old", "--", "./p"],
        "context": {"base.asked": "old", "head.asked": "HEAD"},
        "sides": {"key": "/side", "base": "base", "head": "head"},
    })];
    lines.push(json!({"type": "metric", "name": "wall", "unit": "ns", "direction": "lower", "kind": "noisy"}));
    for (name, factor) in benchmarks {
        for side in ["base", "head"].into_iter().take(if *factor > 0.0 { 2 } else { 1 }) {
            lines.push(json!({"type": "benchmark", "name": name, "command": "true", "params": {"side": side}}));
        }
    }
    for block in 0..12 {
        let mut at = 0;
        for (_, factor) in benchmarks {
            for (side, times) in [(0_u8, 1.0), (1, *factor)] {
                if times <= 0.0 {
                    continue;
                }
                let noise = f64::from((block * 7 + u32::from(side) * 3) % 12);
                // So far apart that nothing is told.
                let wide = if *factor == 3.5 { 60_000.0 } else { 137.0 };
                let times = if *factor == 3.5 { 1.0 } else { times };
                let wall = ((1e6 + wide * noise) * times).round();
                lines.push(json!({"type": "observation", "benchmark": at, "block": block, "values": {"wall": wall}}));
                at += 1;
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// What a program in Python says of a text, as JSON; absent where its module is not installed.
fn python(module: &str, program: &str, text: &str) -> Option<Value> {
    let python = root().join("target/venv/bin/python");
    let installed = Command::new(&python).args(["-c", &format!("import {module}")]).output();
    if !installed.is_ok_and(|it| it.status.success()) {
        skip(&format!("{module} is not installed (make test INSTALL=1 installs it)"));
        return None;
    }
    let lab = Lab::new();
    lab.write("text", text);
    let path = lab.path("text");
    let mut command = Command::new(&python);
    let said = command.args(["-c", program]).args([&path, &root().join(JENKINS)]).output();
    let said = said.expect("python");
    assert!(said.status.success(), "{}\n{text}", String::from_utf8_lossy(&said.stderr));
    Some(serde_json::from_slice(&said.stdout).expect("JSON"))
}

const SCHEMA: &str = r#"
import json, sys, xmlschema
print(json.dumps([str(error) for error in xmlschema.XMLSchema(sys.argv[2]).iter_errors(sys.argv[1])]))
"#;

/// Would catch XML that Jenkins refuses.
fn is_valid(text: &str) {
    if !root().join(JENKINS).exists() {
        return skip(&format!("{JENKINS} is not there (make test INSTALL=1 makes it)"));
    }
    if let Some(errors) = python("xmlschema", SCHEMA, text) {
        assert_eq!(errors, json!([]), "{text}");
    }
}

const JUNIT: &str = r#"
import json, sys
from junitparser import JUnitXml, Failure, Skipped
xml = JUnitXml.fromfile(sys.argv[1])
cases = []
for suite in xml:
    of_suite = list(suite)
    assert suite.tests == len(of_suite), suite.tests
    assert suite.failures == sum(c.is_failure for c in of_suite)
    assert suite.skipped == sum(c.is_skipped for c in of_suite)
    for c in of_suite:
        how = c.result[0] if c.result else None
        cases.append([suite.name, c.classname, c.name, c.time, type(how).__name__, how.message if how is not None else None])
print(json.dumps([xml.tests, xml.failures, cases]))
"#;

/// Would catch XML that no parser takes, a row that got worse and passes, one that is unclear and fails, and one that only
/// one side has and nobody hears of.
#[test]
fn tests_are_read_back_by_a_parser_of_junit() {
    let lab = Lab::new();
    lab.write(
        "r.jsonl",
        record(&[("same", 1.0), (HOSTILE, 1.5), ("better", 0.5), ("wide", 3.5), ("gone", 0.0)]),
    );
    let text = lab.done(["report", "r.jsonl", "--format", "junit"]);
    assert!(text.lines().all(|line| !line.chars().any(char::is_control)), "{text:?}");
    is_valid(&text);
    let Some(read) = python("junitparser", JUNIT, &text) else { return };
    assert_eq!((&read[0], &read[1]), (&json!(5), &json!(1)), "{text}");
    let cases = read[2].as_array().expect("cases");
    let of = |name: &str| -> (Vec<Value>, String) {
        let case =
            cases.iter().find(|case| case[2].as_str().is_some_and(|it| it.starts_with(name)));
        let case =
            case.unwrap_or_else(|| panic!("{name}: {text}")).as_array().expect("a case").clone();
        let message = case[5].as_str().unwrap_or_default().to_owned();
        (case, message)
    };
    let (worse, why) = of("a\"b'<c>&d]]>\\u{0}\\u{1b}[31m\\n\\r\\t");
    assert_eq!(worse[..2], [json!("head"), json!("time")]);
    assert_eq!(worse[4], "Failure");
    assert!(why.starts_with("slower +50"), "{why}");
    assert!((worse[3].as_f64().expect("a time") - 1.5e-3).abs() < 1e-5, "{worse:?}");
    for (name, how, begins) in [
        ("same", "NoneType", ""),
        ("better", "NoneType", ""),
        ("wide", "Skipped", "unclear"),
        ("gone", "Skipped", "not in head"),
    ] {
        let (case, why) = of(name);
        assert_eq!(case[4], how, "{case:?}");
        assert!(why.starts_with(begins), "{case:?}");
    }
    // What is unclear says why.
    assert!(of("wide").1.contains(": "), "{:?}", of("wide"));
    let failed =
        lab.run(["report", "r.jsonl", "--format", "junit", "--fail-on", "worse"]).expect(1);
    is_valid(&failed.stdout);
    let read = python("junitparser", JUNIT, &failed.stdout).expect("as before");
    let first = [&read[2][0][0], &read[2][0][1], &read[2][0][2]];
    assert_eq!(first, ["check", "etalon", "check"]);
}

/// Would catch tests of a ranking, and options that change nothing.
#[test]
fn tests_are_of_what_has_a_base() {
    let lab = Lab::new();
    lab.write("r.jsonl", record(&[("same", 1.0)]));
    lab.write("one.json", r#"{"a": {"latency": {"value": 5}}}"#);
    let refused = lab.run(["report", "one.json", "--format", "junit"]).expect(2);
    assert!(refused.stderr.contains("junit say how two sides"), "{}", refused.stderr);
    for option in [&["--only", "changed"][..], &["--sort", "delta"], &["--full"], &["--title", "x"]]
    {
        let asked = ["report", "r.jsonl", "--format", "junit"].iter().chain(option).copied();
        let refused = lab.run(asked).expect(2);
        assert!(refused.stderr.contains(option[0]), "{option:?}: {}", refused.stderr);
    }
    lab.write("two.json", r#"{"a": {"latency": {"value": 9}}, "b": {"latency": {"value": 1}}}"#);
    let text = lab.done(["compare", "one.json", "two.json", "--format", "junit"]);
    assert!(text.contains("<skipped message=\"no raw data"), "{text}");
    assert!(text.contains("<skipped message=\"only in two.json"), "{text}");
}

const OPENMETRICS: &str = r#"
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
text = open(sys.argv[1], newline="").read()
print(json.dumps([[f.name, f.type, f.unit, f.documentation, [[s.name, s.labels, s.value] for s in f.samples]] for f in parse(text)]))
"#;

/// Samples as Prometheus scrapes them: labels with the name, and values; absent where its parser is not built.
fn scraped(text: &str) -> Option<Vec<Value>> {
    let parser = root().join("target/servers/openmetrics");
    if !parser.exists() {
        skip("Prometheus's parser is not built (make test INSTALL=1 builds it)");
        return None;
    }
    let lab = Lab::new();
    lab.write("text", text);
    let said = Command::new(parser).arg(lab.path("text")).output().expect("a program");
    assert!(said.status.success(), "{}\n{text}", String::from_utf8_lossy(&said.stderr));
    let lines = String::from_utf8(said.stdout).expect("text");
    Some(lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

/// Holds a text against what Prometheus asks of names and help, where its tool is there. It reads the older format, in which a
/// counter's help has the name of its samples, and says so.
fn linted(text: &str) {
    let tool = root().join("target/servers/promtool");
    if !tool.exists() {
        return skip("promtool is not there (make test INSTALL=1 gets it)");
    }
    let mut command = Command::new(tool);
    command.args(["check", "metrics"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().expect("promtool");
    running.stdin.take().expect("a stream").write_all(text.as_bytes()).expect("taken");
    let said = running.wait_with_output().expect("its end").stderr;
    let said = String::from_utf8_lossy(&said);
    let is_expected =
        |line: &&str| *line == "etalon_readings_total no help text" || line.is_empty();
    let complaints: Vec<&str> = said.lines().filter(|line| !is_expected(line)).collect();
    assert_eq!(complaints, Vec::<&str>::new(), "{text}");
}

/// Would catch a document that Prometheus's parser refuses, a name that comes back as another, and a value in another unit.
#[test]
fn metrics_are_read_back_by_prometheus() {
    let lab = Lab::new();
    let name = serde_json::to_string(HOSTILE).expect("a string");
    lab.write(
        "h.json",
        format!(
            r#"{{{name}: {{"latency": {{"value": 1500}}, "throughput": {{"value": 7}}, "a b": {{"value": 1}}, "a.b": {{"value": 2}}}},
               "plain": {{"latency": {{"value": 250}}, "file-size": {{"value": 4096}}}}}}"#
        ),
    );
    let text = lab.done(["convert", "--quiet", "h.json", "--to", "openmetrics"]);
    assert!(text.ends_with("\n# EOF\n"), "{text}");
    let Some(read) = python("prometheus_client", OPENMETRICS, &text) else { return };
    let families = read.as_array().expect("families");
    if let Some(all) = scraped(&text) {
        let in_python = families.iter().flat_map(|family| family[4].as_array().expect("samples"));
        let pair = |labels: &Value, name: &Value, value: &Value| {
            let labels = labels.as_object().expect("labels").iter();
            let labels = labels.filter(|(label, _)| *label != "__name__");
            let labels: BTreeMap<String, String> =
                labels.map(|(label, value)| (label.clone(), value.to_string())).collect();
            (name.to_string(), labels, value.as_f64())
        };
        let in_go: Vec<_> = all.iter().map(|it| pair(&it[0], &it[0]["__name__"], &it[1])).collect();
        let in_python: Vec<_> = in_python.map(|it| pair(&it[1], &it[0], &it[2])).collect();
        assert_eq!(in_go, in_python, "{text}");
    }
    let of = |name: &str| {
        let found = families.iter().find(|family| family[0] == name);
        found.unwrap_or_else(|| panic!("{name}: {text}")).clone()
    };
    let wall = of("etalon_median_wall_seconds");
    assert_eq!((&wall[1], &wall[2]), (&json!("gauge"), &json!("seconds")));
    assert_eq!(wall[3], "Median of wall; less is better.");
    let values: Vec<f64> = wall[4]
        .as_array()
        .expect("samples")
        .iter()
        .map(|it| it[2].as_f64().expect("a value"))
        .collect();
    assert!((values[0] - 1.5e-6).abs() < 1e-18 && (values[1] - 2.5e-7).abs() < 1e-18, "{values:?}");
    let back = wall[4][0][1]["benchmark"].as_str().expect("a label");
    assert!(back.starts_with("a\"b'<c>&d]]>\\u{0}\\u{1b}[31m\n\\u{d}\\u{9}"), "{back:?}");
    assert_eq!(wall[4][1][1], json!({"benchmark": "plain", "metric": "wall"}));
    assert_eq!(of("etalon_median_file_size_bytes")[4][0][2], 4096.0);
    assert_eq!(of("etalon_median_ops_per_second")[2], "ops_per_second");
    assert_eq!(of("etalon_readings")[1], "counter");
    // Two names that become one are told apart.
    let alike: Vec<&Value> =
        families.iter().filter(|it| it[0].to_string().contains("_a_b")).collect();
    assert_eq!(alike.len(), 2, "{text}");
}

/// Would catch a family without data, and a name that promtool has something to say of.
#[test]
fn metrics_of_records_and_of_go_are_named_as_promtool_wants() {
    let lab = Lab::new();
    lab.write("r.jsonl", record(&[("same", 1.0)]));
    let text = lab.done(["convert", "--quiet", "r.jsonl", "--to", "openmetrics"]);
    let Some(read) = python("prometheus_client", OPENMETRICS, &text) else { return };
    let names: Vec<&Value> = read.as_array().expect("families").iter().map(|it| &it[0]).collect();
    let all = [
        "etalon_median_wall_seconds",
        "etalon_lower_wall_seconds",
        "etalon_upper_wall_seconds",
        "etalon_readings",
    ];
    assert_eq!(names, all, "{text}");
    linted(&text);
    let line = |i: u32| {
        format!("BenchmarkA-4 \t100\t{} ns/op\t 64 B/op\t 2 allocs/op\t 12.5 MB/s\n", 1_000 + i)
    };
    lab.write("go.txt", (0..8).map(line).collect::<String>());
    linted(&lab.done(["convert", "--quiet", "go.txt", "--to", "openmetrics"]));
}

/// Bencher Metric Format as its documentation has it; names as its server takes them.
const BENCHER: &str = r#"{
    "type": "object",
    "propertyNames": {"minLength": 1, "maxLength": 1024, "pattern": "^\\S([\\s\\S]*\\S)?$"},
    "additionalProperties": {
        "type": "object", "minProperties": 1,
        "propertyNames": {"minLength": 1, "maxLength": 50, "pattern": "^\\S([\\s\\S]*\\S)?$"},
        "additionalProperties": {
            "type": "object", "required": ["value"], "additionalProperties": false,
            "properties": {"value": {"type": "number"}, "lower_value": {"type": "number"}, "upper_value": {"type": "number"}}
        }
    }
}"#;

/// The JSON of a custom tool as the action's documentation has it.
const ACTION: &str = r#"{
    "type": "array",
    "items": {
        "type": "object", "required": ["name", "unit", "value"], "additionalProperties": false,
        "properties": {
            "name": {"type": "string"}, "unit": {"type": "string"}, "value": {"type": "number"},
            "range": {"type": "string"}, "extra": {"type": "string"}
        }
    }
}"#;

const JSON_SCHEMA: &str = r#"
import json, sys, jsonschema
schema, document = json.load(open(sys.argv[1]))
print(json.dumps([error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(document)]))
"#;

/// Would catch a document that a service refuses, and one that the reader of its format takes for another one.
#[test]
fn documents_of_services_are_theirs() {
    let lab = Lab::new();
    let long = "é".repeat(600);
    let [one, two] = [format!("{long} one"), format!("{long} two")];
    let metric = "m".repeat(60);
    let benchmarks = [(HOSTILE, 1.5), ("plain", 1.0), (&one, 1.0), (&two, 1.0), (" ", 1.0)];
    let record = record(&benchmarks).replace("\"wall\"", &format!("\"{metric}\""));
    lab.write("r.jsonl", record);
    for (to, schema) in [("bencher", BENCHER), ("github-action-benchmark", ACTION)] {
        let ended = lab.run(["convert", "r.jsonl", "--to", to]).expect(0);
        let text = ended.stdout;
        let Some(errors) = python("jsonschema", JSON_SCHEMA, &format!("[{schema},{text}]")) else {
            return;
        };
        assert_eq!(errors, json!([]), "{to}: {text}");
        lab.write("back.json", &text);
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let rows = document
            .as_object()
            .map_or_else(|| document.as_array().map_or(0, Vec::len), |it| it.len());
        assert_eq!(rows, 2 * benchmarks.len(), "{text}");
        let back = lab.done(["report", "--json", "--from", to, "back.json"]);
        let back: Value = serde_json::from_str(&back).expect("JSON");
        assert_eq!(back["benchmarks"].as_array().map(Vec::len), Some(rows), "{back}");
        let Some(names) = document.as_object() else { continue };
        assert!(names.keys().all(|name| name.len() <= 1024), "{text}");
        assert!(ended.stderr.contains("at most 1024 bytes"), "{}", ended.stderr);
    }
}
