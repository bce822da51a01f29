//! What `compare` says of two files of each harness, against SciPy: medians, ratios and intervals
//! (`tests/reference/harness_compare.py`, which reads the files itself and knows nothing of etalon).

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::Lab;

const DATA: &str = "../etalon-record/tests/data/harness";

fn path(name: &Value) -> String {
    format!("{}/{DATA}/{}", env!("CARGO_MANIFEST_DIR"), name.as_str().expect("a name"))
}

fn same(what: &str, ours: &Value, theirs: &Value) {
    let [ours, theirs] = [ours, theirs].map(|value| value.as_f64().expect(what));
    assert!((ours / theirs - 1.0).abs() < 1e-9, "{what}: {ours} is {theirs}");
}

/// Would catch a reading in another run, side or unit, and a ratio or an interval that is another one than the rules say.
#[test]
fn medians_ratios_and_intervals_are_those_of_another_program() {
    let lab = Lab::new();
    let pairs = fs::read(path(&"compared.json".into())).expect("figures");
    let pairs: Vec<Value> = serde_json::from_slice(&pairs).expect("JSON");
    let (mut formats, mut intervals) = (BTreeSet::new(), 0);
    // Two files of GNU time have no command in common.
    let has_rows = |pair: &&Value| pair["rows"].as_array().is_some_and(|rows| !rows.is_empty());
    for pair in pairs.iter().filter(has_rows) {
        let files = [path(&pair["base"]), path(&pair["new"])];
        for (at, options) in [(6, &[][..]), (7, &["--between", "0"])] {
            let args = ["compare", "--json"].iter().chain(options).copied();
            let shown = lab.done(args.chain(files.iter().map(String::as_str)));
            let document: Value = serde_json::from_str(&shown).expect("one document");
            for row in pair["rows"].as_array().expect("rows") {
                formats.insert(pair["base"].as_str().expect("a name").split('-').next());
                intervals += usize::from(held(&document, row, at));
            }
        }
    }
    assert!(formats.len() >= 14 && intervals >= 40, "{formats:?}, {intervals}");
}

/// Holds a comparison against a row of figures; whether intervals were compared, too.
fn held(document: &Value, row: &Value, at: usize) -> bool {
    let name = row[0].as_str().expect("a name");
    let comparisons = document["comparisons"].as_array().expect("comparisons");
    let is_of = |it: &&Value| {
        let full = it["base_name"].as_str().unwrap_or_default();
        let (called, _) = full.rsplit_once(" (").unwrap_or((full, ""));
        it["metric"] == row[1] && (called == name || called.ends_with(&format!(" {name}")))
    };
    let comparison = comparisons.iter().find(is_of).unwrap_or_else(|| panic!("{name}: {document}"));
    assert_eq!(comparison["n"], row[2], "{name}");
    same(name, &comparison["ratio_of_medians"], &row[5]);
    for (side, subject) in ["base", "candidate"].into_iter().enumerate() {
        let id = usize::try_from(comparison[subject].as_u64().expect("an id")).expect("small");
        let unit = row[1].as_str().expect("a unit");
        same(name, &document["benchmarks"][id]["metrics"][unit]["median"], &row[4][side]);
    }
    let Some(expected) = row[at].as_array() else { return false };
    same(name, &comparison["ratio"], &expected[0]);
    // The interval of a difference among several is at a stricter level.
    if comparison["level"] != 0.95 {
        return false;
    }
    same(name, &comparison["lo"], &expected[1]);
    same(name, &comparison["hi"], &expected[2]);
    true
}
