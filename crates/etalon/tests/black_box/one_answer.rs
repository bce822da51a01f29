//! One question, one answer: `run`, `report`, `compare` and their JSON say the same of two benchmarks, for every
//! kind of metric.

use serde_json::{Value, json};

use crate::support::{Lab, has, joined};

/// What a comparison is, apart from where it stands.
const ANSWER: [&str; 22] = [
    "verdict",
    "word",
    "ratio",
    "lo",
    "hi",
    "level",
    "method",
    "difference",
    "scale",
    "p",
    "p_adjusted",
    "p_same",
    "p_same_adjusted",
    "family",
    "superiority",
    "ratio_of_medians",
    "n",
    "paired",
    "dropped_blocks",
    "margin",
    "reasons",
    "more_blocks",
];

/// A metric of every kind: name, unit, direction, whether it scatters, and its values of the two benchmarks in
/// a block; the unit it has in tables.
struct Kind {
    name: &'static str,
    unit: &'static str,
    direction: &'static str,
    noise: &'static str,
    values: fn(u64) -> [f64; 2],
    tidied: &'static str,
}

/// What a clock adds: some spread that is not the same on both sides.
#[allow(clippy::cast_precision_loss)] // small counts
fn spread(block: u64) -> [f64; 2] {
    [(block * 37 % 17) as f64, (block * 53 % 19) as f64]
}

const KINDS: [Kind; 7] = [
    Kind {
        name: "wall",
        unit: "ns",
        direction: "lower",
        noise: "noisy",
        values: |block| spread(block).map(|noise| 1e6 + 1e3 * noise),
        tidied: "sec/op",
    },
    Kind {
        name: "slow",
        unit: "us",
        direction: "lower",
        noise: "noisy",
        values: |block| [1e3 + spread(block)[0], 1.2e3 + spread(block)[1]],
        tidied: "slow-sec/op",
    },
    Kind {
        name: "calls",
        unit: "count",
        direction: "lower",
        noise: "exact",
        values: |_| [100.0, 200.0],
        tidied: "calls/op",
    },
    Kind {
        name: "garbage",
        unit: "B",
        direction: "lower",
        noise: "exact",
        values: |_| [0.0, 16.0],
        tidied: "garbage-B/op",
    },
    Kind {
        name: "nothing",
        unit: "B",
        direction: "lower",
        noise: "exact",
        values: |_| [0.0, 0.0],
        tidied: "nothing-B/op",
    },
    Kind {
        name: "rate",
        unit: "req/s",
        direction: "higher",
        noise: "noisy",
        values: |block| [1e4 + spread(block)[0], 1.5e4 + spread(block)[1]],
        tidied: "rate-req/s/op",
    },
    Kind {
        name: "depth",
        unit: "count",
        direction: "neither",
        noise: "noisy",
        values: |block| [50.0 + spread(block)[0], 90.0 + spread(block)[1]],
        tidied: "depth/op",
    },
];

/// How blocks are shared.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    /// Every block holds both.
    Interleaved,
    /// Each benchmark has blocks of its own.
    Apart,
}

fn record(layout: Layout) -> String {
    let mut lines =
        vec![json!({"type": "header", "format": "etalon", "version": 1, "id": "by-hand"})];
    for Kind { name, unit, direction, noise, .. } in KINDS {
        lines.push(json!({"type": "metric", "name": name, "unit": unit, "direction": direction,
            "kind": noise}));
    }
    for name in ["old", "new"] {
        lines.push(json!({"type": "benchmark", "name": name, "command": name}));
    }
    for block in 0..14 {
        for benchmark in 0..2 {
            let values: serde_json::Map<String, Value> = KINDS
                .iter()
                .map(|kind| (kind.name.to_owned(), json!((kind.values)(block)[benchmark])))
                .collect();
            let of_its_own = if layout == Layout::Apart { 100 * benchmark as u64 } else { 0 };
            lines.push(json!({"type": "observation", "benchmark": benchmark,
                "block": block + of_its_own, "values": values}));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The comparison of a metric in the report, held against `old`.
fn reported(lab: &Lab, kind: &Kind) -> Value {
    let asked = ["report", "data", "--reference", "old", "--metric", kind.name, "--json"];
    let document = lab.json(asked);
    assert_eq!(document["version"], 3);
    document["comparisons"][0].clone()
}

/// The comparisons of `compare`, by unit.
fn compared(lab: &Lab) -> Vec<(String, Value)> {
    let asked = ["compare", "data", "--row", ".file", "--col", ".fullname@(old new)", "--json"];
    let document = lab.json(asked);
    assert_eq!(document["version"], 3);
    let tables = document["tables"].as_array().expect("tables").iter();
    let comparison = |table: &Value| {
        let unit = table["unit"].as_str().expect("a unit").to_owned();
        (unit, table["rows"][0]["cells"][1]["comparison"].clone())
    };
    tables.map(comparison).collect()
}

#[track_caller]
fn agree(of: &str, report: &Value, table: &Value) {
    for field in ANSWER {
        assert_eq!(report[field], table[field], "{of}: {field}\n{report:#}\n{table:#}");
    }
}

/// Would catch a second way from samples to a verdict: one that pairs where the other does not, tests exact
/// values, or has a direction of its own.
#[test]
fn reports_and_tables_agree_about_every_kind_of_metric() {
    for layout in [Layout::Interleaved, Layout::Apart] {
        let lab = Lab::new();
        lab.write("data", record(layout));
        let tables = compared(&lab);
        for kind in &KINDS {
            let in_table = tables.iter().find(|(unit, _)| unit == kind.tidied);
            let (_, in_table) = in_table.unwrap_or_else(|| panic!("no {}", kind.tidied));
            let in_report = reported(&lab, kind);
            agree(kind.name, &in_report, in_table);
            assert_eq!(in_report["paired"], kind.noise == "noisy" && layout == Layout::Interleaved);
            assert_eq!(in_report["p"].is_null(), kind.noise == "exact");
        }
    }
}

/// Would catch a second rule for what the name of a unit says: a time, a size, a number of things, a rate.
#[test]
fn units_of_go_mean_the_same_everywhere() {
    let lab = Lab::new();
    let line = |name: &str, by: u64, of: u64| {
        let ms = 2500 + 1000 * by + of;
        let (widgets, bytes, rate) =
            (100 + 50 * by + of, 6400 + 640 * by + of, 900 - 300 * by - of);
        format!(
            "Benchmark{name} 1 {}.{:03} ms/op {widgets} widgets/op {bytes} B/req {rate} MB/s\n",
            ms / 1000,
            ms % 1000,
        )
    };
    let lines = |of| [line("Old", 0, of), line("New", 1, of * 3 % 7)].concat();
    lab.write("data", (0..12).map(lines).collect::<String>());
    let asked = ["compare", "data", "--row", ".file", "--col", ".fullname@(Old New)", "--json"];
    let tables = lab.json(asked);
    let tables = tables["tables"].as_array().expect("tables");
    for (name, base, median) in [
        ("ms/op", "s", 0.002_505_5),
        ("widgets/op", "count", 105.5),
        ("B/req", "B", 6405.5),
        ("B/s", "B/s", 894.5e6),
    ] {
        let table = tables.iter().find(|table| table["unit"] == name).expect(name);
        assert_eq!(table["base_unit"], base, "{name}");
        let report = lab.json(["report", "data", "--reference", "Old", "--metric", name, "--json"]);
        let metric = &report["benchmarks"][0]["metrics"][name];
        assert_eq!(metric["unit"], base, "{name}");
        assert_eq!(metric["median"], median, "{name}");
        assert_eq!(table["rows"][0]["cells"][0]["median"], median, "{name}");
        agree(name, &report["comparisons"][0], &table["rows"][0]["cells"][1]["comparison"]);
    }
}

/// Would catch a level that a file asks for and only some of the reports have, and one that was typed and does not
/// go before it.
#[test]
fn the_level_that_a_file_asks_for_is_that_of_every_report() {
    let lab = Lab::new();
    lab.write(
        "s_bench.lua",
        "local measure = require('measure')
         measure.options{confidence_level = 99}
         measure.describe('old'):run(function() local s = '' for i = 1, 9 do s = s .. i end end)
         measure.describe('new'):run(function() local s = '' for i = 1, 99 do s = s .. i end end)",
    );
    // The two differ, so that the level is that of a difference and not of sameness.
    let columns = ["compare", "@last", "--row", ".file", "--col", ".fullname@(old new)"];
    let rows = ["report", "@last", "--row", ".file", "--col", ".fullname@(old new)"];
    let time = ["--filter", ".unit:sec/op"];
    let live =
        lab.json(["run", "-r", "12", "--budget", "0.2s", "-w", "0", "--json", "s_bench.lua"]);
    for (typed, level) in [(&[][..], 0.99), (&["--confidence", "80%"][..], 0.8)] {
        let later = lab.json([&["report", "@last", "--json"], typed].concat());
        let table = lab.json([&columns[..], &time, &["--json"], typed].concat());
        let of_report = lab.json([&rows[..], &time, &["--json"], typed].concat());
        assert_eq!(table["tables"], of_report["tables"]);
        let cells = &table["tables"][0]["rows"][0]["cells"];
        agree("later", &later["comparisons"][0], &cells[1]["comparison"]);
        assert_eq!(later["comparisons"][0]["level"], level);
        for at in 0..2 {
            let metric = &later["benchmarks"][at]["metrics"]["wall"];
            let cell = &cells[at];
            for field in ["median", "lo", "hi", "level"] {
                assert_eq!(metric[field], cell[field], "{field}");
            }
            assert_eq!(metric["level"], level);
        }
        assert_eq!(later["suites"][0]["means"]["pairs"][0]["level"], level);
        let text = joined(&lab.done([&["report", "@last", "--full"], typed].concat()));
        has(&text, &[&format!("{}%(", level * 100.0)]);
        if typed.is_empty() {
            agree("live", &live["comparisons"][0], &later["comparisons"][0]);
        }
    }
}

/// The verdicts and words themselves.
#[test]
fn every_kind_of_metric_has_its_words() {
    let lab = Lab::new();
    lab.write("data", record(Layout::Interleaved));
    let said = KINDS.each_ref().map(|kind| {
        let comparison = reported(&lab, kind);
        let text = |field: &str| comparison[field].as_str().expect("a word").to_owned();
        (kind.name, text("verdict"), text("word"))
    });
    let expected = [
        ("wall", "same", "same"),
        ("slow", "slower", "slower"),
        ("calls", "slower", "more"),
        ("garbage", "slower", "more"),
        ("nothing", "same", "same"),
        ("rate", "faster", "faster"),
        ("depth", "differs", "differs"),
    ];
    let expected = expected.map(|(name, verdict, word)| (name, verdict.into(), word.into()));
    assert_eq!(said, expected);
}

/// Would catch a live report that judges otherwise than one made later, or than a table of the same record.
#[test]
fn live_reports_say_what_later_ones_and_tables_say() {
    let lab = Lab::new();
    lab.write(
        "s_bench.lua",
        "local measure = require('measure')
         measure.describe('old'):run(function() return #tostring(12) end)
         measure.describe('new'):run(function() return #tostring(12.5) .. 'x' end)",
    );
    let live = lab.json(["run", "-r", "8", "--budget", "0.2s", "-w", "0", "--json", "s_bench.lua"]);
    let tables = |units: &str| {
        let columns = ["compare", "@last", "--row", ".file", "--col", ".fullname@(old new)"];
        lab.json([&columns[..], &["--filter", units, "--json"]].concat())
    };
    for (metric, unit) in [("wall", ".unit:sec/op"), ("alloc", ".unit:alloc-B/op")] {
        let later = lab.json(["report", "@last", "--metric", metric, "--json"]);
        let later = &later["comparisons"][0];
        let table = &tables(unit)["tables"][0]["rows"][0]["cells"][1]["comparison"];
        agree(metric, later, table);
        if metric == "wall" {
            agree("live", &live["comparisons"][0], later);
        }
    }
    let live = lab.json(["cmd", "-r", "8", "--json", "-n", "old", "true", "-n", "new", "sh -c :"]);
    let later = &lab.json(["report", "@last", "--json"])["comparisons"][0];
    agree("commands", &live["comparisons"][0], later);
}
