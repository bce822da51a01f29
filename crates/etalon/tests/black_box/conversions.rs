//! `etalon convert` through the real binary, and `--from`: nothing changes on the way, what a format cannot hold is said,
//! and so is what cannot work.

use serde_json::Value;

use crate::exports::{document, measure_hostile, rows, text};
use crate::support::{Lab, Running, has, joined};

/// Would catch values or names that change on the way from one format to another and back.
#[test]
fn conversions_there_and_back() {
    let lab = Lab::new();
    measure_hostile(&lab, &["-r", "8"]);
    let wall = |data: &str| {
        let analysis = lab.json(["report", data, "--json", "--metric", "wall"]);
        let benchmarks = analysis["benchmarks"].as_array().expect("benchmarks").clone();
        let of = |b: &Value| (b["name"].clone(), b["metrics"]["wall"].clone());
        benchmarks
            .iter()
            .map(of)
            .map(|(name, mut wall)| {
                // The clock's resolution does not travel, and it widens intervals.
                for end in ["lo", "hi"] {
                    wall.as_object_mut().expect("a metric").remove(end);
                }
                (name, wall)
            })
            .collect::<Vec<_>>()
    };
    // BestGuess holds whole microseconds: what has no more than that goes everywhere.
    lab.done(["convert", "--quiet", "@last", "--to", "bestguess", "-o", "whole.csv"]);
    let all = [("etalon", "a.jsonl"), ("hyperfine", "a.json"), ("bestguess", "a.csv")];
    for (data, formats) in [("@last", &all[..2]), ("whole.csv", &all)] {
        let expected = wall(data);
        for (to, file) in formats {
            let printed = lab.done(["convert", "--quiet", data, "--to", to]);
            lab.run(["convert", "--force", data, "--to", to, "-o", file]).expect(0);
            assert_eq!(text(&lab, file), printed, "{to}");
            assert_eq!(wall(file), expected, "{to}");
            for (back, second) in formats {
                let second = second.replace("a.", "b.");
                lab.done(["convert", "--force", file, "--to", back, "-o", &second]);
                assert_eq!(wall(&second), expected, "{to}, then {back}");
            }
        }
    }
}

/// Would catch one document that is not one: two headers, two arrays, columns that moved.
#[test]
fn several_files_become_one_document() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "3", "-o", "one.csv", "true"]);
    lab.done(["cmd", "-N", "-r", "2", "--export-json", "two.json", "sh -c :"]);
    lab.done(["convert", "--quiet", "one.csv", "two.json", "--to", "hyperfine", "-o", "both.json"]);
    let both = document(&lab, "both.json");
    let runs: Vec<usize> = both["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| result["measurements"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(runs, [3, 2]);
    lab.done(["convert", "--quiet", "one.csv", "two.json", "--to", "bestguess", "-o", "both.csv"]);
    assert_eq!(rows(&lab, "both.csv").len(), 1 + 3 + 2);
    let ended = lab.run(["convert", "one.csv", "two.json", "--to", "etalon"]).expect(2);
    has(&ended.stderr, &["--to etalon", "one run", "one by one", "runs bundle"]);
    // The same through an export of a report over both.
    lab.done(["report", "one.csv", "two.json", "--metric", "wall", "--export-json", "again.json"]);
    assert_eq!(document(&lab, "again.json")["results"][1], both["results"][1]);
}

#[test]
fn what_a_conversion_cannot_do_is_said() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "2", "-o", "raw.csv", "true"]);
    lab.write("old.json", "old");
    lab.write("nonsense.txt", "nonsense\n");
    for (arguments, what) in [
        (&["raw.csv"][..], &["--to"][..]),
        (&["--to", "hyperfine"], &["DATA"]),
        (&["raw.csv", "--to", "pdf"], &["pdf", "bestguess"]),
        (&["raw.csv", "--to", "etalon", "--from", "csv"], &["--from", "bestguess-linux"]),
        (&["missing.csv", "--to", "etalon"], &["missing.csv", "No such file"]),
        (&["nonsense.txt", "--to", "etalon"], &["nonsense.txt"]),
        (&["raw.csv", "--to", "hyperfine", "-o", "old.json"], &["old.json", "--force"]),
        (&["raw.csv", "--to", "hyperfine", "-o", "-"], &["leave -o out"]),
        (&["raw.csv", "--to", "hyperfine", "-o", "missing/x"], &["missing/x", "No such file"]),
        (&["@nothing", "--to", "hyperfine"], &["nothing"]),
    ] {
        has(&lab.run([&["convert"], arguments].concat()).expect(2).stderr, what);
    }
    assert_eq!(text(&lab, "old.json"), "old");
    lab.done(["convert", "raw.csv", "--to", "hyperfine", "-o", "old.json", "--force", "--quiet"]);
    assert_eq!(document(&lab, "old.json")["results"].as_array().map(Vec::len), Some(1));
    // What a format cannot hold is said, unless asked not to.
    let said = lab.run(["convert", "@last", "--to", "hyperfine"]).expect(0);
    has(&said.stderr, &["hyperfine has no"]);
    assert_eq!(lab.run(["convert", "@last", "--to", "hyperfine", "--quiet"]).expect(0).stderr, "");
}

/// Would catch a reader that went away being an error, and a full standard output being none.
#[test]
fn conversions_to_streams() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "300", "true"]);
    let closed = "$E convert @last --to bestguess --quiet | head -n 1; echo ${PIPESTATUS:-0}";
    let ended = Running::start(lab.shell(closed)).end().expect(0);
    has(&ended.stdout, &["Command,Shell,Name"]);
    assert_eq!(ended.stderr, "");
    let full = "exec $E convert @last --to etalon --quiet > /dev/full";
    let ended = Running::start(lab.shell(full)).end().expect(2);
    has(&ended.stderr, &["No space left on device"]);
}

/// Would catch peak memory of BestGuess on Linux 1024 times too small with no way out.
#[test]
fn where_data_come_from_can_be_said() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "3", "-o", "raw.csv", "true"]);
    let rss = |from: &str| {
        let analysis = lab.json(["report", "raw.csv", "--from", from, "--json"]);
        analysis["benchmarks"][0]["metrics"]["rss"]["median"].as_f64().expect("a number")
    };
    assert_eq!(rss("bestguess-linux"), 1024.0 * rss("auto"));
    assert_eq!(rss("bestguess"), rss("auto"));
    has(&lab.run(["report", "raw.csv", "--from", "etalon"]).expect(2).stderr, &["raw.csv"]);
    // A saved run is etalon's, whatever the files beside it are.
    lab.done(["report", "@last", "raw.csv", "--from", "bestguess"]);
}

/// Would catch interleaved commands that become runs one after the other in another format, and no word of it; and one
/// where the record says that they took turns, or where somebody did.
#[test]
fn formats_that_do_not_say_who_took_turns_are_told_as_that() {
    let lab = Lab::new();
    lab.run(["cmd", "-r", "8", "-o", "b.csv", "--export-json", "h.json", "true", "sleep 0.01"])
        .expect(0);
    let said = joined("Note: order: the file does not say whether its benchmarks took turns");
    for file in ["b.csv", "h.json"] {
        has(&joined(&lab.done(["report", file])), &[&said]);
        has(&joined(&lab.done(["compare", "--col", ".name", "--row", ".file", file])), &[&said]);
        for silent in [
            &["report", "--between", "0", file][..],
            &["compare", "--between", "0", "--col", ".name", "--row", ".file", file],
            &["compare", file, file],
        ] {
            assert!(!joined(&lab.done(silent)).contains(&said), "{silent:?}");
        }
    }
    assert!(!joined(&lab.done(["report", "@last"])).contains(&said));
}
