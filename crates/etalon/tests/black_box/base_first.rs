//! Which side is the base is said by the record, whatever was measured first: by every way of saving and reading again,
//! for seeds that begin with either side; and a change for the worse fails every check that can be asked.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Lab, has, joined};

/// Seeds that are tried: both sides are first in about half of them.
const SEEDS: u64 = 20;

/// Blocks of a record. Because: fewer do not show that builds of a side differ.
const BLOCKS: u64 = 12;

/// A change that no check of 5 % may pass.
const PLANTED: f64 = 3.3;

/// Numbers that follow from a seed.
struct Chance(u64);

impl Chance {
    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn is_heads(&mut self) -> bool {
        self.next().is_multiple_of(2)
    }

    /// Up to 0.1 % more than 1: far within the margin, so that what did not change is always the same.
    #[allow(clippy::cast_precision_loss)] // a small number
    fn scatter(&mut self) -> f64 {
        1.0 + (self.next() % 1000) as f64 / 1e6
    }
}

/// The sides of a block in the order in which they are measured.
fn turned(chance: &mut Chance) -> [&'static str; 2] {
    if chance.is_heads() { ["base", "head"] } else { ["head", "base"] }
}

/// What a benchmark takes on a side: `Worse` more than three times as long on the head.
fn takes(name: &str, side: &str, chance: &mut Chance) -> f64 {
    let usual = if name == "Worse" { 1000.0 } else { 400.0 };
    let factor = if name == "Worse" && side == "head" { PLANTED } else { 1.0 };
    usual * factor * chance.scatter()
}

/// How a record says that it is of two sides.
#[derive(Clone, Copy, PartialEq)]
enum Said {
    /// In its header.
    Typed,
    /// In a fact, as earlier versions did.
    Fact,
}

fn header(id: &str, said: Said, key: &str, fact: &str) -> Value {
    let mut header = json!({"type": "header", "format": "etalon", "version": 1, "id": id,
        "started": "2026-01-08T12:00:00Z", "argv": ["etalon"], "context": {}});
    match said {
        Said::Typed => header["sides"] = json!({"key": key, "base": "base", "head": "head"}),
        Said::Fact => header["context"][fact] = json!("base head"),
    }
    header
}

/// The rules that its verdicts are held against, which say that nothing happened between runs.
fn settings(metric: &str) -> Value {
    json!({"type": "settings", "metric": metric, "reference": null, "margin": {"relative": 0.01},
        "at_least": null, "alpha": 0.05, "confidence": 0.95, "correction": null})
}

fn end() -> Value {
    json!({"type": "end", "stopped_by": "runs", "at": "2026-01-08T12:01:00Z"})
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A run of Go benchmarks on two sides, as `etalon go` writes one: benchmarks are declared when they come.
fn of_go(id: &str, seed: u64, said: Said) -> String {
    let mut chance = Chance(seed.wrapping_mul(7919) + 1);
    let mut lines = vec![header(id, said, "side", "go.sides"), settings("sec/op")];
    if said == Said::Typed {
        lines[0]["context"]["go.sides"] = json!("base head");
    }
    lines.push(json!({"type": "metric", "name": "sec/op", "unit": "ns", "direction": "lower",
        "kind": "noisy", "spelling": "ns/op"}));
    let mut known: Vec<(&str, &str)> = Vec::new();
    for block in 0..BLOCKS {
        for name in ["Worse", "Same"] {
            for side in turned(&mut chance) {
                let at = known.iter().position(|it| *it == (name, side)).unwrap_or_else(|| {
                    let facts = json!({"goos": "linux", "pkg": "example.com/m", "side": side});
                    lines.push(json!({"type": "benchmark", "name": format!("{name}-2"), "configuration": facts}));
                    known.push((name, side));
                    known.len() - 1
                });
                let values = json!({"sec/op": takes(name, side, &mut chance)});
                lines.push(json!({"type": "observation", "benchmark": at, "block": block,
                    "iterations": 1000, "values": values}));
            }
        }
    }
    lines.push(end());
    text(&lines)
}

/// A run of commands on two sides, each built twice, as `etalon ab` writes one.
fn of_commands(id: &str, seed: u64, said: Said) -> String {
    let mut chance = Chance(seed.wrapping_mul(104_729) + 1);
    let mut lines = vec![header(id, said, "/side", "sides"), settings("wall")];
    lines.push(json!({"type": "metric", "name": "wall", "unit": "ns", "direction": "lower",
        "kind": "noisy"}));
    let names = ["Worse", "Same"];
    for name in names {
        for build in ["1", "2"] {
            for side in ["base", "head"] {
                lines.push(json!({"type": "benchmark", "name": name, "command": name,
                    "params": {"side": side, "build": build}}));
            }
        }
    }
    for block in 0..BLOCKS {
        for (number, name) in names.iter().enumerate() {
            for side in turned(&mut chance) {
                for build in 0..2 {
                    let at = 4 * number + 2 * build + usize::from(side == "head");
                    let values = json!({"wall": takes(name, side, &mut chance)});
                    lines.push(json!({"type": "observation", "benchmark": at, "block": block,
                        "values": values}));
                }
            }
        }
    }
    lines.push(end());
    text(&lines)
}

/// A laboratory with a saved run.
fn saved(id: &str, record: &str) -> Lab {
    let lab = Lab::new();
    let runs = lab.home().join("runs");
    fs::create_dir_all(&runs).unwrap();
    fs::write(runs.join(format!("{id}.jsonl")), record).unwrap();
    lab
}

const ID: &str = "20260108T120000.000000Z-bbbbbbbb";
const SAVED: &str = "@bbbbbbbb";

/// The change of `Worse` in a document of tables, whose first column is the base.
fn change(document: &Value, key: &str) -> f64 {
    let table = &document["tables"][0];
    assert_eq!(table["columns"][0][key], "base", "{table}");
    let rows = table["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["labels"].to_string().contains("Worse")).unwrap();
    row["cells"][1]["comparison"]["ratio"].as_f64().unwrap()
}

fn is_planted(ratio: f64) -> bool {
    (ratio / PLANTED - 1.0).abs() < 0.05
}

/// Fails unless checks of such data fail.
fn fails(lab: &Lab, data: &str, columns: &[&str], unit: &str) {
    for check in [format!("{unit}:worse:5%"), "worse".to_owned()] {
        for col in columns {
            let mut words = vec!["compare", data, "--fail-on", &check];
            if !col.is_empty() {
                words.extend(["--col", col]);
            }
            let ended = lab.run(&words);
            assert_eq!(ended.code, Some(1), "{words:?}: {}{}", ended.stdout, ended.stderr);
            has(&ended.stderr, &["Worse", "ratio 3."]);
        }
    }
}

/// Would catch a base that is what was measured first: in columns, tables, lists, files for other programs, pages and
/// bundles; and a check that passes because it holds the base against the head.
#[test]
fn go_benchmarks_have_their_base_first_whatever_the_seed() {
    let mut began_with_head = 0;
    for seed in 0..SEEDS {
        let said = if seed % 2 == 0 { Said::Typed } else { Said::Fact };
        let record = of_go(ID, seed, said);
        let declared = |side| record.find(&format!("\"side\":\"{side}\"}}"));
        began_with_head += u64::from(declared("head") < declared("base"));
        let lab = saved(ID, &record);
        // The record, and the report of it.
        fails(&lab, SAVED, &["", "side"], "sec/op");
        for words in [&["report", SAVED, "--json"][..], &["compare", SAVED, "--json"]] {
            assert!(is_planted(change(&lab.json(words), "side")), "{seed}");
        }
        has(&joined(&lab.done(["report", SAVED])), &[&joined("base → head   time: 1 slower")]);
        let markdown = lab.done(["report", SAVED, "--format", "markdown"]);
        assert!(markdown.find("base") < markdown.find("head"), "{markdown}");
        let rows = lab.done(["compare", SAVED, "--format", "csv"]);
        let sides: Vec<&str> =
            rows.lines().skip(1).map(|row| row.split(',').nth(2).unwrap()).collect();
        assert_eq!(sides[..2], ["base", "head"], "{rows}");
        // Lines of Go, read by etalon, by benchstat's rules, and as a record again.
        let lines = lab.done(["convert", SAVED, "--to", "go"]);
        let sides = lines.lines().filter_map(|line| line.strip_prefix("side: "));
        assert_eq!(sides.collect::<Vec<_>>()[..2], ["base", "head"], "{lines}");
        lab.write("x.txt", &lines);
        fails(&lab, "x.txt", &["", "side"], "sec/op");
        let benchstat = lab.done(["compare", "--style", "benchstat", "--col", "side", "x.txt"]);
        assert!(benchstat.find("base") < benchstat.find("head"), "{benchstat}");
        has(&benchstat, &["+2"]);
        lab.write("y.jsonl", lab.done(["convert", "x.txt", "--to", "etalon"]));
        fails(&lab, "y.jsonl", &["", "side"], "sec/op");
        assert_eq!(lab.done(["convert", "y.jsonl", "--to", "go"]), lines);
        // A page, a bundle and the list.
        lab.done(["report", SAVED, "--html", "page.html"]);
        let page = String::from_utf8(lab.read("page.html")).unwrap();
        let page = &page[page.find("<body").unwrap()..];
        let place = |side| page.find(side).unwrap_or_else(|| panic!("no {side} in the page"));
        assert!(place(">base") < place(">head"), "the base is not first in the page");
        lab.run(["runs", "bundle", SAVED, "-o", "b.jsonl"]).expect(0);
        fails(&lab, "b.jsonl", &["", "side"], "sec/op");
        assert_eq!(lab.json(["runs", "--json"])[0]["answer"], "time: 1 slower, 1 same", "{seed}");
    }
    assert!((1..SEEDS).contains(&began_with_head), "{began_with_head}");
}

/// The same of commands: sides are parameters, and each is built twice.
#[test]
fn commands_have_their_base_first_whatever_the_seed() {
    for seed in 0..SEEDS {
        let said = if seed % 2 == 0 { Said::Typed } else { Said::Fact };
        let lab = saved(ID, &of_commands(ID, seed, said));
        fails(&lab, SAVED, &["", "/side"], "sec/op");
        for words in [&["report", SAVED, "--json"][..], &["compare", SAVED, "--json"]] {
            assert!(is_planted(change(&lab.json(words), "/side")), "{seed}");
        }
        let reported = joined(&lab.done(["report", SAVED]));
        has(
            &reported,
            &[&joined("base → head   time: 1 slower"), &joined("Controls: each side agrees")],
        );
        let compared = joined(&lab.done(["compare", SAVED]));
        has(&compared, &[&joined("Controls: each side agrees")]);
        assert_eq!(lab.json(["runs", "--json"])[0]["answer"], "time: 1 slower, 1 same", "{seed}");
        // Files that other programs read name sides in the order of the record, and are no run of two sides: a check of one
        // of them compares nothing, and says so.
        for (format, file) in [("hyperfine", "x.json"), ("bestguess", "x.csv"), ("go", "x.txt")] {
            lab.write(file, lab.done(["convert", SAVED, "--to", format]));
            let text = String::from_utf8(lab.read(file)).unwrap();
            assert!(text.find("base") < text.find("head"), "{file}: {text}");
            let ended = lab.run(["compare", file, "--fail-on", "sec/op:worse:5%"]).expect(1);
            has(&ended.stderr, &["nothing was compared"]);
        }
        let sides = lab.run(["compare", "x.txt", "--col", "/side", "--fail-on", "sec/op:worse:5%"]);
        has(&sides.expect(1).stderr, &["Worse", "ratio 3."]);
        lab.run(["runs", "bundle", SAVED, "-o", "b.jsonl"]).expect(0);
        fails(&lab, "b.jsonl", &[""], "sec/op");
    }
}

/// Would catch sides that are ranked beside each other: by an option of the ranking, or beside another run.
#[test]
fn sides_are_never_ranked() {
    for record in [of_go(ID, 3, Said::Typed), of_commands(ID, 3, Said::Typed)] {
        let lab = saved(ID, &record);
        for words in [
            &["--reference", "Same"][..],
            &["-G"],
            &["--by", "x"],
            &["--style", "bestguess"],
            &["--export-json", "x.json"],
        ] {
            let ended = lab.run([&["report", SAVED], words].concat()).expect(2);
            has(&ended.stderr, &["a run of two sides"]);
        }
        lab.write("other.jsonl", &record);
        let both = lab.done(["report", SAVED, "other.jsonl"]);
        assert!(!both.contains("fastest") && both.contains("→"), "{both}");
        has(&lab.done(["report", SAVED, "--explain-noise"]), &["base"]);
    }
}

/// Would catch sides that a record names in a way this version does not know, and that are taken for none.
#[test]
fn sides_of_a_later_version_are_refused() {
    let record = of_go(ID, 1, Said::Typed).replace("\"head\":\"head\"", "\"head\":\"tip\"");
    let lab = Lab::new();
    lab.write("r.jsonl", record);
    has(&lab.run(["report", "r.jsonl"]).expect(2).stderr, &["r.jsonl", "`sides`"]);
}
