//! One word and one direction for a verdict: the headline, the row of the report, the headline and the row of
//! `compare`, and JSON say the same, for every verdict on every quantity.

use serde_json::{Map, Value, json};

use crate::support::{Lab, has};

/// A quantity: name, unit, direction, whether it scatters; what less of it is called, and more.
struct Quantity {
    name: &'static str,
    unit: &'static str,
    direction: &'static str,
    kind: &'static str,
    words: [&'static str; 2],
    /// How the headline says it of the one with less, and of the one with more, where that is the better one.
    better: [&'static str; 2],
}

const fn quantity(
    [name, unit, direction, kind]: [&'static str; 4],
    words: [&'static str; 2],
    better: [&'static str; 2],
) -> Quantity {
    Quantity { name, unit, direction, kind, words, better }
}

const SIZE: [&str; 2] = ["less", "more"];
const QUANTITIES: [Quantity; 8] = [
    quantity(["time", "us", "lower", "noisy"], ["faster", "slower"], ["is faster", ""]),
    quantity(["memory", "B", "lower", "noisy"], SIZE, ["has less", ""]),
    quantity(["throughput", "req/s", "higher", "noisy"], ["slower", "faster"], ["", "is faster"]),
    quantity(["count", "count", "lower", "noisy"], SIZE, ["has less", ""]),
    quantity(["exact", "count", "lower", "exact"], SIZE, ["has less", ""]),
    quantity(["score", "points", "higher", "exact"], SIZE, ["", "has more"]),
    quantity(["depth", "count", "neither", "noisy"], ["differs"; 2], [""; 2]),
    quantity(["level", "count", "neither", "exact"], ["differs"; 2], [""; 2]),
];

/// What is known of the second benchmark.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Second {
    Half,
    Twice,
    Alike,
    Scattered,
}

/// A record in which `new` has half as much of everything as `old`, twice as much, as much, or nobody knows.
fn record(second: Second) -> String {
    let mut lines =
        vec![json!({"type": "header", "format": "etalon", "version": 1, "id": "by-hand"})];
    for Quantity { name, unit, direction, kind, .. } in QUANTITIES {
        lines.push(json!({"type": "metric", "name": name, "unit": unit, "direction": direction,
            "kind": kind}));
    }
    for name in ["old", "new"] {
        lines.push(json!({"type": "benchmark", "name": name, "command": name}));
    }
    let centre = match second {
        Second::Half => [1000.0, 500.0],
        Second::Twice => [1000.0, 2000.0],
        Second::Alike | Second::Scattered => [1000.0, 1000.0],
    };
    let scatter = match second {
        Second::Scattered => 20.0,
        Second::Half | Second::Twice => 1.0,
        Second::Alike => 0.1,
    };
    for block in 0..14 {
        for (benchmark, centre) in centre.iter().enumerate() {
            let noise = f64::from((block * 37 + i32::try_from(benchmark).unwrap() * 53) % 17);
            let value = |quantity: &Quantity| match quantity.kind {
                "exact" => *centre,
                _ => centre + scatter * noise,
            };
            let values: Map<String, Value> =
                QUANTITIES.iter().map(|it| (it.name.to_owned(), json!(value(it)))).collect();
            lines.push(json!({"type": "observation", "benchmark": benchmark, "block": block,
                "values": values}));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The word that is due, and the first words of the headline.
fn due(quantity: &Quantity, second: Second) -> (&'static str, String) {
    let [less, more] = quantity.words;
    let of = |best: usize, winner: &str, loser: &str| match quantity.better {
        ["", ""] => "new differs from old".to_owned(),
        better if !better[best].is_empty() => format!("{winner} {}", better[best]),
        better => format!("{loser} {}", better[1 - best]),
    };
    match second {
        Second::Half => (less, of(0, "new", "old")),
        Second::Twice => (more, of(0, "old", "new")),
        Second::Scattered if quantity.kind == "noisy" => {
            ("unclear", "cannot tell new from old yet".to_owned())
        }
        Second::Alike | Second::Scattered => ("same", "new and old are the same within".to_owned()),
    }
}

/// Would catch a headline, a table or a document with a word or a direction of its own.
#[test]
fn every_view_has_the_same_word_and_direction() {
    for second in [Second::Half, Second::Twice, Second::Alike, Second::Scattered] {
        let lab = Lab::new();
        lab.write("data", record(second));
        let columns = ["compare", "data", "--row", ".file", "--col", ".fullname@(old new)"];
        let tables = lab.json([&columns[..], &["--json"]].concat());
        for quantity in &QUANTITIES {
            let of = format!("{} {second:?}", quantity.name);
            let (word, headline) = due(quantity, second);
            let asked = ["report", "data", "--reference", "old", "--metric", quantity.name];
            let json = lab.json([&asked[..], &["--json"]].concat());
            assert_eq!(json["comparisons"][0]["word"], word, "{of}");

            let screen = lab.done(asked);
            has(&screen, &[&format!("{}: {headline}", quantity.name)]);
            assert!(!screen.contains("0.50 ×"), "a factor below 1: {screen}");
            let row = screen.lines().find(|line| line.starts_with("  new ")).expect("its row");
            assert!(row.ends_with(word), "{of}: {row}");

            let all = tables["tables"].as_array().expect("tables").iter();
            let named = |table: &&Value| table["unit"].as_str().unwrap().starts_with(quantity.name);
            let table = all.clone().find(named).expect("its table");
            let unit = table["unit"].as_str().expect("a unit");
            let cell = &table["rows"][0]["cells"][1]["comparison"];
            assert_eq!(cell["word"], word, "{of}");
            let only = format!(".unit:{unit}");
            let screen = lab.done([&columns[..], &["--full", "--filter", &only]].concat());
            has(screen.lines().next().expect("a headline"), &[&format!("1 {word}")]);
            // Where a row is too wide its verdict stands in its second part.
            let mut rows = screen.lines().filter(|line| line.starts_with("  data "));
            assert!(rows.any(|row| row.split_whitespace().any(|it| it == word)), "{of}: {screen}");
        }
    }
}
