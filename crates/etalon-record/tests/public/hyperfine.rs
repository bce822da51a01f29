//! hyperfine's exports: both schemas are read for what they say, and bad input is named.

use std::path::Path;

use crate::columns::RunSet;
use crate::view::{column, only, texts};
use etalon_core::model::{Accept, Direction};
use etalon_record::Strictness;
use etalon_record::foreign::{Schema, write_hyperfine};
use etalon_record::open::{SourceFormat, file, read_bytes};

fn fixture(name: &str) -> RunSet {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let set = only(&file(&path, SourceFormat::Auto).unwrap().read(Strictness::Lenient).unwrap());
    assert!(set.notes.iter().all(|note| note.about == set.source));
    set
}

fn lenient(text: &str) -> RunSet {
    only(&read_bytes(text.as_bytes(), "f.json", SourceFormat::Auto, Strictness::Lenient).unwrap())
}

fn strict(text: &str) -> String {
    let read = read_bytes(text.as_bytes(), "f.json", SourceFormat::Hyperfine, Strictness::Strict);
    read.unwrap_err().to_string()
}

/// Would catch times of another bit pattern, a killed run taken for a measurement, means taken for
/// observations, parameters in another order.
#[test]
fn schema_1() {
    let set = fixture("hyperfine-1.json");
    let sleep = &set.benchmarks[0];
    assert_eq!(
        (sleep.key.name.as_str(), sleep.command.as_deref()),
        ("sleep 0.1", Some("sleep 0.1"))
    );
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(sleep.key.params, [pair("duration", "0.1"), pair("branch", "main")]);
    assert_eq!((&sleep.accept, &sleep.shell), (&Accept::Any, &None));
    assert_eq!(column(&set, 0, "wall"), (&[0, 1][..], &[0.101_049_999_999_999_99, 0.1021][..]));
    assert_eq!(column(&set, 0, "rss").1, [1_900_544.0, 1_916_928.0]);
    let outcomes = set.series[0].outcomes();
    assert_eq!((outcomes.ok, outcomes.failed, outcomes.killed), (1, 1, 1));
    assert_eq!((set.metrics.len(), set.series[1].rows), (2, 0));
    assert_eq!(
        texts(&set),
        [
            "result 2 (`true`): it has no times of single runs, and its means (0.0004 s) are no observations",
            "user and system times are given as means over all runs: figures, which exports keep and \
             by which nothing is judged",
            "1 execution has exit code 137, what a shell gives for a command that was killed by \
             signal 9: counted, not measured",
        ]
    );
}

#[test]
fn schema_2() {
    let set = fixture("hyperfine-2.json");
    let one = &set.benchmarks[0];
    assert_eq!((one.key.name.as_str(), one.command.as_deref()), ("one", Some("work 1")));
    assert_eq!(one.key.params, [("n".to_owned(), "1".to_owned())]);
    let metrics: Vec<_> = set.metrics.iter().map(|m| (m.name.as_str(), m.unit.symbol())).collect();
    assert_eq!(
        metrics,
        [
            ("wall", "s"),
            ("cpu", "s"),
            ("user", "s"),
            ("sys", "s"),
            ("rss", "B"),
            ("cycles", "count"),
            ("energy", "joule"),
        ]
    );
    assert_eq!(set.metrics[6].direction, Direction::Neither);
    assert_eq!(column(&set, 0, "wall"), (&[0, 1][..], &[1.25, 1.5][..]));
    assert_eq!(column(&set, 0, "cycles"), (&[0][..], &[5e6][..]));
    let outcomes = set.series[0].outcomes();
    assert_eq!((outcomes.ok, outcomes.failed, outcomes.killed), (1, 1, 1));
    assert_eq!(set.started.as_deref(), Some("2026-10-06T12:00:00Z"));
    assert_eq!(set.context["tool.name"], "hyperfine 2.0.0");
    assert_eq!(texts(&set), ["environment overrides are not kept"]);
}

/// The reason for which one run of three is left out; also that it is fatal with `--strict`.
fn reason(time: &str, code: &str) -> String {
    let text = format!(
        "{{\"results\":[{{\"command\":\"a\",\"times\":[1,{time},3],\"exit_codes\":[0,{code},0]}}]}}"
    );
    let set = lenient(&text);
    assert_eq!(column(&set, 0, "wall").1, [1.0, 3.0], "the good runs around it count");
    let notes = texts(&set);
    assert_eq!(notes.len(), 1, "{notes:?}");
    let reason = notes[0].strip_prefix("result 1 (`a`), run 2: ").unwrap().to_owned();
    let expected =
        format!("f.json: result 1 (`a`), run 2: {reason}; without --strict that is noted");
    assert_eq!(strict(&text), expected);
    reason
}

#[test]
fn every_kind_of_bad_run_has_its_reason() {
    for (time, expected) in [
        ("-0.5", "wall: `-0.5` is negative; left out"),
        ("-3", "wall: `-3` is negative; left out"),
        ("\"2\"", "wall: `2` is not a number; left out"),
        ("true", "wall: `true` is not a number; left out"),
        ("[2]", "wall: a list is not a number; left out"),
        ("{}", "wall: an object is not a number; left out"),
        ("18446744073709551615", "wall: an integer does not fit 64 bits; left out"),
        ("null", "wall is null, so not available"),
    ] {
        assert_eq!(reason(time, "0"), expected, "{time}");
    }
    for (code, expected) in [
        ("1.5", "exit_code: `1.5` is no exit code; left out"),
        ("4294967296", "exit_code: `4294967296` is no exit code; left out"),
        ("\"x\"", "exit_code: `x` is not a number; left out"),
    ] {
        assert_eq!(reason("2", code), expected, "{code}");
    }
}

#[test]
fn lists_of_another_length_and_results_without_a_command() {
    let text = r#"{"results":[{"times":[1]},{"command":"a","times":[1,2],"exit_codes":[0],
        "user_times":[0.25,0.5],"system_times":[0,0],"new":{"x":[1]}}]}"#;
    let set = lenient(text);
    assert_eq!(column(&set, 0, "user").1, [0.25, 0.5]);
    assert_eq!(
        texts(&set),
        [
            "result 1: it has no command, and is left out",
            "result 2 (`a`): exit_codes has 1 entries for 2 times; left out",
            "2 executions without an exit code count as completed",
        ]
    );
    assert!(strict(text).starts_with("f.json: result 1: it has no command"));
}

#[test]
fn after_twenty_remarks_the_rest_is_counted() {
    let times = vec!["-1"; 57].join(",");
    let set = lenient(&format!(r#"{{"results":[{{"command":"a","times":[{times}]}}]}}"#));
    assert_eq!((texts(&set).len(), texts(&set)[20]), (21, "37 more of this kind"));
}

/// Would catch results before a tear that are lost, and one that is torn and used.
#[test]
fn an_export_cut_anywhere_is_read_up_to_there_or_clearly_refused() {
    let first = r#"{"results":[{"command":"a","times":[1,2]}"#;
    let whole = format!("{first},\n{}]}}\n", r#"{"command":"b","times":[3]}"#);
    for cut in 1..whole.trim_end().len() {
        let text = &whole[..cut];
        let lenient =
            read_bytes(text.as_bytes(), "f.json", SourceFormat::Hyperfine, Strictness::Lenient);
        let line = if cut <= whole.find('\n').unwrap() { 1 } else { 2 };
        match lenient {
            Ok(set) => {
                assert!(cut >= first.len());
                let set = only(&set);
                assert_eq!(column(&set, 0, "wall").1, [1.0, 2.0]);
                let torn = set.notes.iter().filter(|n| n.text.contains("from there is left out"));
                assert_eq!(torn.count(), 1);
            }
            Err(error) => {
                assert!(cut < first.len(), "{cut}: {error}");
                assert!(error.to_string().starts_with("f.json:1: EOF while parsing"), "{error}");
            }
        }
        assert!(strict(text).starts_with(&format!("f.json:{line}: EOF while parsing")), "{cut}");
    }
}

#[test]
fn json_of_another_kind() {
    let error = |text: &str| {
        let read =
            read_bytes(text.as_bytes(), "f.json", SourceFormat::Hyperfine, Strictness::Lenient);
        read.unwrap_err().to_string()
    };
    let remedy = "write the file again with `hyperfine --export-json`";
    for (text, expected) in [
        ("{}", "there is no list called `results`"),
        ("{\"results\":7}", "invalid type: integer `7`, expected a list of results (column 13)"),
        ("[1]", "invalid type: sequence, expected an export of hyperfine (column 1)"),
        ("nonsense", "expected ident (column 2)"),
    ] {
        let found = error(text);
        assert!(found.ends_with(remedy), "{found}");
        assert_eq!(found, format!("f.json:1: {expected}; {remedy}"), "{text}");
    }
    let text = r#"{"results":[{"command":"a","times":[1]}]} x"#;
    assert!(texts(&lenient(text))[0].starts_with("line 1: trailing characters"));
}

/// What hyperfine 2.0's own scripts look up: `plot_utils.py`, and each statistic and value of a metric.
fn as_its_scripts_read(json: &serde_json::Value, metric: &str) -> Vec<Vec<f64>> {
    assert_eq!(json["schema_version"], 2);
    assert!(json["primary_metric"].is_string() && json["metadata"]["platform"].is_object());
    let results = json["results"].as_array().unwrap();
    let values = |result: &serde_json::Value| {
        let summary = &result["summary"][metric];
        for statistic in ["mean", "median", "min", "max", "count"] {
            assert!(summary[statistic].is_number(), "{statistic}: {summary}");
        }
        assert!(summary.as_object().unwrap().contains_key("stddev"));
        let runs = result["measurements"].as_array().unwrap().iter();
        runs.map(|run| run[metric]["value"].as_f64().unwrap()).collect()
    };
    results.iter().map(values).collect()
}

fn rewritten(data: &etalon_core::dataset::Dataset, schema: Schema) -> serde_json::Value {
    let mut bytes = Vec::new();
    write_hyperfine(data, schema, &mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn read(json: &serde_json::Value) -> etalon_core::dataset::Dataset {
    let text = json.to_string();
    read_bytes(text.as_bytes(), "f.json", SourceFormat::Auto, Strictness::Strict).unwrap()
}

/// Would catch an export that hyperfine 2.0's scripts end on with a KeyError, a metric that is lost, and another metric
/// that ranks after a conversion.
#[test]
fn schema_2_is_written_as_hyperfine_writes_it() {
    let text = r#"{"schema_version": 2, "primary_metric": "time_cpu",
        "metadata": {"hyperfine_version": "2.0.0", "start_time": "2026-10-06T12:00:00Z",
            "platform": {"os": "Linux", "architecture": "x86_64"}},
        "results": [{"command": "work 1", "name": "one", "parameters": {"n": {"value": "1"}},
            "measurements": [
                {"time_wall_clock": {"value": 1.25, "unit": "second"}, "time_cpu": {"value": 0.75, "unit": "second"},
                 "time_user": {"value": 0.5, "unit": "second"}, "time_system": {"value": 0.25, "unit": "second"},
                 "memory_peak_resident": {"value": 1048576.0, "unit": "byte"}, "cpu_cycles": {"value": 5000000},
                 "exit_code": 0},
                {"time_wall_clock": {"value": 1.5, "unit": "second"}, "time_cpu": {"value": 0.75, "unit": "second"},
                 "time_user": {"value": 0.5, "unit": "second"}, "time_system": {"value": 0.25, "unit": "second"},
                 "memory_peak_resident": {"value": 1048576.0, "unit": "byte"}, "cpu_cycles": {"value": 5000001},
                 "exit_code": 3}]}]}"#;
    let original: serde_json::Value = serde_json::from_str(text).unwrap();
    let data = read(&original);
    assert_eq!(data.run_sets[0].ranked_by.as_deref(), Some("cpu"));
    let again = rewritten(&data, Schema::Two);
    for key in ["schema_version", "primary_metric", "metadata"] {
        assert_eq!(again[key], original[key], "{key}");
    }
    for key in ["command", "name", "parameters", "measurements"] {
        assert_eq!(again["results"][0][key], original["results"][0][key], "{key}");
    }
    for metric in [
        "time_wall_clock",
        "time_cpu",
        "time_user",
        "time_system",
        "memory_peak_resident",
        "cpu_cycles",
    ] {
        assert_eq!(as_its_scripts_read(&again, metric)[0].len(), 2);
    }
    assert_eq!(again["results"][0]["summary"]["cpu_cycles"].get("unit"), None);
    assert_eq!(rewritten(&read(&again), Schema::Two), again);
}

/// Would catch user and system times that one conversion loses, and means that become readings.
#[test]
fn means_without_readings_are_figures() {
    let text = r#"{"results": [
        {"command": "a", "mean": 2.0, "stddev": 1.0, "median": 2.0, "user": 0.5, "system": 0.25, "min": 1.0, "max": 3.0,
         "times": [1.0, 2.0, 3.0], "exit_codes": [0, 0, 0]},
        {"command": "b", "mean": 4.0, "stddev": null, "median": 4.0, "user": 0.75, "system": 0.5, "min": 3.0, "max": 5.0}
    ]}"#;
    let original: serde_json::Value = serde_json::from_str(text).unwrap();
    let data =
        read_bytes(text.as_bytes(), "f.json", SourceFormat::Auto, Strictness::Lenient).unwrap();
    assert_eq!(data.metric_names(), ["wall"], "no reading of user or system times");
    let one = rewritten(&data, Schema::One);
    assert_eq!(one, original);
    let two = rewritten(&data, Schema::Two);
    assert_eq!(two["results"][0]["summary"]["time_user"]["mean"], 0.5);
    assert_eq!(two["results"][1]["summary"]["time_wall_clock"]["max"], 5.0);
    assert_eq!(two["results"][1]["measurements"], serde_json::json!([]));
    let text = two.to_string();
    let again =
        read_bytes(text.as_bytes(), "f.json", SourceFormat::Auto, Strictness::Lenient).unwrap();
    assert_eq!(again.metric_names(), ["wall"]);
    assert_eq!(rewritten(&again, Schema::Two), two);
}

/// Would catch times in words of another program that are no times any more, a metric or a schema of a later hyperfine that
/// nobody hears of, and lists of nothing that are told as means of user and system.
#[test]
fn what_a_later_hyperfine_writes_is_read_or_told() {
    let with = |head: &str, unit: &str| {
        let run = |value: f64| {
            format!(r#"{{"time_wall_clock":{{"value":{value},"unit":"{unit}"}},"exit_code":0}}"#)
        };
        let runs = [run(2.0), run(3.0)].join(",");
        lenient(&format!(r#"{{{head}"results":[{{"command":"a","measurements":[{runs}]}}]}}"#))
    };
    for (unit, values) in
        [("second", [2.0, 3.0]), ("millisecond", [2e-3, 3e-3]), ("nanoseconds", [2e-9, 3e-9])]
    {
        assert_eq!(column(&with("", unit), 0, "wall").1, values, "{unit}");
    }
    assert_eq!(texts(&with(r#""schema_version":2,"#, "second")), [""; 0]);
    let told = |head: &str| texts(&with(head, "second")).join("\n");
    assert!(told(r#""schema_version":3,"#).contains("schema 3 of hyperfine is not known"));
    assert!(told(r#""primary_metric":"energy","#).contains("primary_metric is `energy`"));
    let summary = r#""summary":{"time_wall_clock":{"mean":0.5},"time_user":{"mean":0.1}}"#;
    for lists in [r#""measurements":[],"#, r#""times":[],"#] {
        let text = format!(r#"{{"results":[{{"command":"a",{lists}{summary}}}]}}"#);
        assert!(
            texts(&lenient(&text))[0].contains("no times of single runs, and its means (0.5 s)")
        );
    }
}
