//! `etalon compare` in its own style: verdicts, checks, formats, views, and what is refused.

#![allow(clippy::unwrap_used)] // a test fails by panicking
#![allow(clippy::disallowed_methods)] // and reads files

mod support;

use std::path::Path;

use support::Lab;

/// A laboratory with some inputs of the benchstat corpus.
fn lab(names: &[&str]) -> Lab {
    let lab = Lab::new();
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/benchstat/inputs");
    for name in names {
        lab.write(name, std::fs::read(inputs.join(name)).unwrap());
    }
    lab
}

/// Result lines of one benchmark, `scale` times as long as those of the same call with 1.
fn lines(name: &str, scale: f64) -> String {
    let value = |i: i32| 100.0 * scale * (1.0 + 0.002 * f64::from(i % 5) + 0.0001 * f64::from(i));
    (0..12).map(|i| format!("Benchmark{name}-8 10 {:.3} ns/op\n", value(i * 7))).collect()
}

#[test]
fn a_change_has_a_verdict_and_a_note_about_what_was_measured_apart() {
    let lab = lab(&["old.txt", "new.txt"]);
    let printed = lab.done(["compare", "old.txt", "new.txt"]);
    for expected in ["sec/op", "faster", "geometric mean", "vs base", "µs", "independent"] {
        assert!(printed.contains(expected), "{expected} in:\n{printed}");
    }
    assert!(printed.lines().all(|line| line.chars().count() <= 120), "{printed}");
    assert!(!printed.contains('\u{1b}'), "a pipe has no colours");
}

/// Each check fails for its reason and passes without it. Would catch a gate that cannot fail.
#[test]
fn checks_fail_for_their_reason() {
    let lab = Lab::new();
    lab.write("base.txt", lines("A", 1.0) + &lines("B", 1.0));
    lab.write("slow.txt", lines("A", 1.0) + &lines("B", 1.1));
    lab.write("lost.txt", lines("A", 1.0));
    let code = |arguments: &[&str], said: &str| {
        let ended = lab.run([&["compare", "--quiet"], arguments].concat());
        assert!(ended.stderr.contains(said), "{arguments:?}: {said} in {}", ended.stderr);
        ended.code.unwrap()
    };
    assert_eq!(code(&["base.txt", "slow.txt"], ""), 0);
    assert_eq!(code(&["--fail-on", "slower", "base.txt", "slow.txt"], "B-8"), 1);
    assert_eq!(code(&["--fail-on", "slower:5%", "base.txt", "slow.txt"], "slower:5%"), 1);
    assert_eq!(code(&["--fail-on", "slower:20%", "base.txt", "slow.txt"], ""), 0);
    assert_eq!(code(&["--fail-on", "slower", "slow.txt", "base.txt"], ""), 0);
    assert_eq!(code(&["--fail-on", "slower", "base.txt", "lost.txt"], "missing: B-8"), 1);
    assert_eq!(code(&["--fail-on", "slower", "base.txt"], "nothing was compared"), 1);
    assert_eq!(code(&["--require", "B", "base.txt", "lost.txt"], "--require B: missing"), 1);
    assert_eq!(code(&["--require", "C", "base.txt", "slow.txt"], "no such benchmark"), 1);
    assert_eq!(code(&["--require", "A", "--require", "B-8", "base.txt", "slow.txt"], ""), 0);
    assert_eq!(code(&["--fail-on", "faster", "base.txt", "slow.txt"], "slower, slower:5%"), 2);
}

#[test]
fn few_values_are_unclear_and_fail_that_check() {
    let lab = Lab::new();
    lab.write("a.txt", "BenchmarkA 1 5 ns/op\n");
    lab.write("b.txt", "BenchmarkA 1 9 ns/op\n");
    let ended = lab.run(["compare", "--fail-on", "unclear", "a.txt", "b.txt"]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.contains("unclear"), "{}", ended.stdout);
    assert!(ended.stdout.contains("± ∞"), "{}", ended.stdout);
}

#[test]
fn formats_for_programs() {
    let lab = lab(&["old.txt", "new.txt"]);
    let json = lab.json(["compare", "--json", "old.txt", "new.txt"]);
    let comparison = &json["tables"][0]["rows"][0]["cells"][1]["comparison"];
    assert_eq!(comparison["verdict"], "faster");
    assert!(comparison["hi"].as_f64().unwrap() < 1.0);
    assert!(json["tables"][0]["rows"][0]["cells"][0]["comparison"].is_null());
    let csv = lab.done(["compare", "--format", "csv", "old.txt", "new.txt"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    assert_eq!(header.iter().next_back(), Some("verdict"));
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    // Three benchmarks, three units, two files.
    assert_eq!(rows.len(), 18);
    let markdown = lab.done(["compare", "--format", "markdown", "old.txt", "new.txt"]);
    assert!(markdown.contains("| ---") || markdown.contains("|:---"), "{markdown}");
    let github = lab.done(["compare", "--format", "github", "new.txt", "old.txt"]);
    assert!(github.lines().any(|line| line.starts_with("::warning title=old.txt::")), "{github}");
    assert!(github.lines().all(|line| line.starts_with("::")), "{github}");
}

#[test]
fn rows_can_be_chosen_and_ordered() {
    let lab = Lab::new();
    lab.write("a.txt", lines("Same", 1.0) + &lines("Much", 1.0) + &lines("Little", 1.0));
    lab.write("b.txt", lines("Same", 1.0) + &lines("Much", 2.0) + &lines("Little", 1.1));
    let names = |arguments: &[&str]| -> Vec<String> {
        let files = ["a.txt", "b.txt"];
        let json = lab.json([&["compare", "--json"], arguments, &files].concat());
        let rows = json["tables"][0]["rows"].as_array().unwrap();
        rows.iter().map(|row| row["labels"][".fullname"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&[]), ["Same-8", "Much-8", "Little-8"]);
    assert_eq!(names(&["--only", "changed"]), ["Much-8", "Little-8"]);
    assert_eq!(names(&["--sort", "delta"]), ["Much-8", "Little-8", "Same-8"]);
    assert_eq!(names(&["--sort", "name"]), ["Little-8", "Much-8", "Same-8"]);
    assert_eq!(names(&["--sort", "p"]).last().unwrap(), "Same-8");
    let summary = lab.done(["compare", "--summary", "a.txt", "b.txt"]);
    assert!(
        summary.contains("0 faster, 2 slower, 1 same, 0 unclear; geometric mean +"),
        "{summary}"
    );
    assert_eq!(summary.lines().count(), 1, "{summary}");
}

/// The numbers of a page for reading, and of one relative to the row.
#[test]
fn views() {
    let lab = lab(&["grid.txt"]);
    lab.write("w.txt", "BenchmarkW-8 1 135400 ns/op 97864 B/op 680 allocs/op\n".repeat(8));
    let plain = lab.done(["compare", "--view", "plain", "w.txt"]);
    for expected in ["ns/op", "135,400", "97,864", "680"] {
        assert!(plain.contains(expected), "{expected} in:\n{plain}");
    }
    assert!(!plain.contains('±'), "{plain}");
    let query = ["compare", "--col", "/impl", "--row", "/fmt", "--ignore", "/size", "grid.txt"];
    let of_max = lab.done([&query[..], &["--view", "of-max"]].concat());
    assert!(of_max.contains("raw value") && of_max.contains("100"), "{of_max}");
    let ratio = lab.done([&query[..], &["--view", "ratio"]].concat());
    assert!(ratio.contains("1.000"), "{ratio}");
}

/// The rows below the rows: sums and means over what no column lacks.
#[test]
fn summary_rows() {
    let lab = Lab::new();
    lab.write("a.txt", lines("A", 1.0) + &lines("B", 3.0) + &lines("Gone", 1.0));
    lab.write("b.txt", lines("A", 2.0) + &lines("B", 3.0));
    let shown = |row: &str| lab.done(["compare", "--summary-row", row, "a.txt", "b.txt"]);
    let total = shown("total");
    // 100 + 300 and 200 + 300 ns, and the half percent that the values scatter around.
    assert!(total.contains("+25.0 %"), "{total}");
    assert!(total.contains("the total leaves out 1 row that a column lacks"), "{total}");
    let mean = shown("geomean");
    assert!(mean.contains("+41.4 %") && mean.contains("the geometric mean leaves out"), "{mean}");
    let none = shown("none");
    assert!(!none.contains("total") && !none.contains("geometric"), "{none}");
    let json = lab.json(["compare", "--json", "a.txt", "b.txt"]);
    let table = &json["tables"][0];
    assert_eq!(table["left_out"]["incomplete"], 1);
    let total = |column: usize| table["summaries"][column]["total"].as_f64().unwrap();
    assert!((total(1) / total(0) - 1.25).abs() < 1e-12, "{table}");
}

/// Two machines: each a column, their benchmarks side by side although Go puts the processors behind
/// the names, and what differs is named. Never pooled, whatever is asked for.
#[test]
fn machines_are_told_apart() {
    let lab = Lab::new();
    let on = |cpu: &str, processors: &str, scale: f64| {
        format!("cpu: {cpu}\n{}", lines("A", scale).replace("-8 ", &format!("-{processors} ")))
    };
    lab.write("here.txt", on("One", "16", 1.0));
    lab.write("there.txt", on("Two", "4", 1.5));
    let shown = lab.done(["compare", "HERE=here.txt", "THERE=there.txt"]);
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" "); // notes are wrapped
    assert!(shown.contains("slower") && shown.contains("+50.0 %"), "{shown}");
    assert!(shown.contains("cpu One → Two; gomaxprocs 16 → 4"), "{shown}");
    let asked = lab.done(["compare", "--col", "/gomaxprocs", "here.txt", "there.txt"]);
    assert!(asked.contains("16 (n=12)") || asked.contains("One"), "{asked}");
    let both = std::fs::read_to_string(lab.path("here.txt")).unwrap()
        + &std::fs::read_to_string(lab.path("there.txt")).unwrap().replace("-4 ", "-16 ");
    lab.write("both.txt", both);
    let json = lab.json(["compare", "--json", "both.txt"]);
    let table = &json["tables"][0];
    assert_eq!(table["columns"].as_array().unwrap().len(), 2, "{json}");
    assert_eq!(table["columns"][1]["cpu"], "Two");
    assert_eq!(table["rows"][0]["cells"][1]["comparison"]["verdict"], "slower");
}

/// Go's benchmarks written as such again keep what a run set does not: iterations, and units as written.
#[test]
fn go_to_go_keeps_every_number_as_it_was_written() {
    let lab = lab(&["old.txt", "messy.txt", "odd.txt"]);
    for name in ["old.txt", "messy.txt", "odd.txt"] {
        lab.run(["convert", "--quiet", "--to", "go", name, "-o", "again.txt"]).expect(0);
        let fields = |name: &str| -> Vec<String> {
            let text = std::fs::read_to_string(lab.path(name)).unwrap();
            let of = |line: &str| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
            text.lines().filter(|line| line.contains(" ns/op")).map(of).collect()
        };
        if name == "old.txt" {
            assert_eq!(fields("again.txt"), fields(name), "{name}");
        }
        let shown = |data: &str| {
            let data = format!("x={data}");
            lab.done(["compare", "--style", "benchstat", "--quiet", &data])
        };
        assert_eq!(shown("again.txt"), shown(name), "{name}");
        std::fs::remove_file(lab.path("again.txt")).unwrap();
    }
    let missing = lab.run(["convert", "--to", "go", "old.txt", "nosuch.txt"]).expect(2);
    assert_eq!(missing.stdout, "");
    assert!(missing.stderr.contains("nosuch.txt"), "{}", missing.stderr);
}

#[test]
fn what_means_nothing_to_benchstats_style_is_refused() {
    let lab = lab(&["old.txt"]);
    for options in [
        &["--margin", "1%"][..],
        &["--correction", "holm"],
        &["--at-least", "5%"],
        &["--fail-on", "slower"],
        &["--only", "changed"],
        &["--format", "markdown"],
        &["--json"],
        &["--summary"],
        &["--summary-row", "total"],
        &["--view", "mean"],
    ] {
        let ended = lab.run([&["compare", "--style", "benchstat"], options, &["old.txt"]].concat());
        assert_eq!(ended.code, Some(2), "{options:?}");
        assert_eq!(ended.stdout, "", "{options:?}");
    }
}

/// Saved executions compare, too: last week's against today's.
#[test]
fn saved_executions_compare() {
    let lab = Lab::new();
    for _ in 0..2 {
        lab.run(["cmd", "-r", "10", "--quiet", "true"]).expect(0);
    }
    let printed = lab.done(["compare", "--filter", ".unit:cpu-sec/op", "BASE=@-2", "NEW=@last"]);
    assert!(printed.contains("BASE") && printed.contains("NEW"), "{printed}");
    assert!(printed.contains("true") && printed.contains("cpu-sec/op"), "{printed}");
}

#[test]
fn standard_input_is_a_data_set() {
    let lab = lab(&["old.txt", "new.txt"]);
    let script = "cat new.txt | \"$E\" compare --style benchstat old.txt new=-";
    let mut command = lab.shell(script);
    let output = command.output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("│                 new"));
}
