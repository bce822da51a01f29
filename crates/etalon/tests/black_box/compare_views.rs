//! The tables of `etalon compare` as they are shown: which rows, in which order, what each cell and the last row say, and
//! options that would have no effect.

use crate::compare::{lab, lines};
use crate::support::{Lab, has, joined};

#[test]
fn rows_can_be_chosen_and_ordered() {
    let lab = Lab::new();
    lab.write("a.txt", lines("Same", 1.0) + &lines("Much", 1.0) + &lines("Little", 1.0));
    lab.write("b.txt", lines("Same", 1.0) + &lines("Much", 2.0) + &lines("Little", 1.1));
    let names = |arguments: &[&str]| -> Vec<String> {
        let files = ["a.txt", "b.txt"];
        let json = lab.json([&["compare", "--json", "--between", "0"], arguments, &files].concat());
        let rows = json["tables"][0]["rows"].as_array().unwrap();
        rows.iter().map(|row| row["labels"][".fullname"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&[]), ["Same-8", "Much-8", "Little-8"]);
    assert_eq!(names(&["--only", "changed"]), ["Much-8", "Little-8"]);
    assert_eq!(names(&["--sort", "delta"]), ["Much-8", "Little-8", "Same-8"]);
    assert_eq!(names(&["--sort", "name"]), ["Little-8", "Much-8", "Same-8"]);
    assert_eq!(names(&["--sort", "p"]).last().unwrap(), "Same-8");
    let summary = lab.done(["compare", "--summary", "--between", "0", "a.txt", "b.txt"]);
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

/// The options of experiment files for tables relative to a row: the same words wherever they are asked for. Would
/// catch one that is taken and ignored.
#[test]
fn looks_of_views() {
    let lab = lab(&["grid.txt"]);
    let (mut quick, mut slow) = (String::new(), String::new());
    for i in 0..12 {
        // The last reading is long: the mean of the quick one is 212.5, its median 100.
        let last = if i == 11 { 1350 } else { 0 };
        quick.push_str(&format!("BenchmarkA 1 {} ns/op\n", 100 + last));
        slow.push_str("BenchmarkA 1 200 ns/op\n");
    }
    lab.write("quick.txt", quick);
    lab.write("slow.txt", slow);
    let asked = |options: &[&str]| {
        let shown = lab.done([&["compare", "slow.txt", "quick.txt"], options].concat());
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let mean = asked(&["--view", "ratio", "--centre", "mean", "--digits", "4", "--raw"]);
    assert!(mean.contains("A 1.0000 1.0625") && mean.contains("raw value, ns"), "{mean}");
    let median = asked(&["--view", "of-max", "--centre", "median", "--title", "Both"]);
    assert!(median.contains("Both") && median.contains("A 100 % 50 % 200"), "{median}");
    let best = asked(&["--view", "of-min", "--fastest", "--letters", "--between", "0"]);
    assert!(best.contains("200 % b 100 % a 100 quick.txt"), "{best}");
    assert!(best.contains("best: the best median; same, unclear and letters:"), "{best}");
    let by_mean = asked(&["--view", "of-min", "--fastest", "--centre", "mean", "--between", "0"]);
    assert!(by_mean.contains("slow.txt, unclear: quick.txt"), "{by_mean}");
    for (options, why) in [
        (&["--fastest"][..], "add --view ratio, of-max or of-min"),
        (&["--view", "plain", "--digits", "2"], "add --view ratio, of-max or of-min"),
        (&["--centre", "mean"], "--view mean for means"),
        (&["--view", "ratio", "--letters", "--json"], "has no effect in a format for programs"),
        (&["--style", "benchstat", "--letters"], "has no effect with --style benchstat"),
        (&["--summary", "--title", "T"], "has no effect with --summary"),
    ] {
        let failed = lab.run([&["compare", "slow.txt", "quick.txt"], options].concat()).stderr;
        assert!(failed.contains(why), "{options:?}: {failed}");
    }
    let one = ["compare", "slow.txt", "--row", ".name", "--col", ".file", "--view", "of-max"];
    let shown = lab.done([&one[..], &["--digits", "1", "--title", "One"]].concat());
    assert!(shown.contains("One") && shown.contains("100.0 %"), "{shown}");
    let elsewhere = lab.run(["report", "slow.txt", "--row", ".name", "--digits", "1"]).expect(2);
    assert!(elsewhere.stderr.contains("`etalon compare` has it"), "{}", elsewhere.stderr);
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
    assert!(
        total.contains("the total is of 2 of 3 rows: without 1 that a column lacks"),
        "{total}"
    );
    let mean = shown("geomean");
    assert!(
        mean.contains("+41.4 %") && mean.contains("the geometric mean is of 2 of 3 rows"),
        "{mean}"
    );
    let none = shown("none");
    assert!(!none.contains("total") && !none.contains("geometric"), "{none}");
    let json = lab.json(["compare", "--json", "a.txt", "b.txt"]);
    let table = &json["tables"][0];
    assert_eq!(table["left_out"]["incomplete"], 1);
    let total = |column: usize| table["summaries"][column]["total"].as_f64().unwrap();
    assert!((total(1) / total(0) - 1.25).abs() < 1e-12, "{table}");
}

/// Would catch a mean of rows of which some do nothing: an operation of 0.3 ns that becomes one of 0.45 is no change of
/// anything, and makes 41 % of four rows 44.
#[test]
fn means_are_of_rows_that_do_something() {
    let lab = Lab::new();
    let idle = |ns: f64| -> String {
        (0..10)
            .map(|n| format!("BenchmarkIdle-8 1000000000 {} ns/op\n", ns + f64::from(n) * 1e-3))
            .collect()
    };
    lab.write("a.txt", lines("A", 1.0) + &lines("B", 3.0) + &lines("Gone", 1.0) + &idle(0.3));
    lab.write("b.txt", lines("A", 2.0) + &lines("B", 3.0) + &idle(0.45));
    let said =
        "the geometric mean is of 2 of 4 rows: without 1 that a column lacks, 1 that does nothing";
    for words in [&[][..], &["--full"], &["--view", "ratio"], &["--format", "markdown"]] {
        let text = lab.done([&["compare"], words, &["a.txt", "b.txt"]].concat());
        has(&joined(&text), &[&joined(said)]);
        assert!(text.contains("41.4") || text.contains("1.414"), "{text}");
    }
    let total = lab.done(["compare", "--summary-row", "total", "a.txt", "b.txt"]);
    has(&joined(&total), &[&joined("the total is of 3 of 4 rows: without 1 that a column lacks")]);
    let table = &lab.json(["compare", "--json", "a.txt", "b.txt"])["tables"][0];
    let left_out = &table["left_out"];
    assert_eq!((&left_out["incomplete"], &left_out["idle"]), (&1.into(), &1.into()), "{left_out}");
    let ratio = table["summaries"][1]["ratio"].as_f64().unwrap();
    assert!((ratio / 2_f64.sqrt() - 1.0).abs() < 1e-3, "{ratio}");
}

/// What is left out of the rows shown: the tally is of all, a unit that did not change is one line, and
/// a page has whole rows.
#[test]
fn only_what_changed() {
    let lab = Lab::new();
    let file = |scale: f64| {
        let text = lines("Same", 1.0) + &lines("Much", scale);
        text.replace(" ns/op", " ns/op 64 B/op")
    };
    lab.write("a.txt", file(1.0));
    lab.write("b.txt", file(2.0));
    let shown = |options: &[&str]| {
        lab.done([&["compare", "--only", "changed"], options, &["a.txt", "b.txt"]].concat())
    };
    let terminal = shown(&[]);
    assert!(terminal.contains("\nUnchanged: B/op (2 rows).\n"), "{terminal}");
    let full = shown(&["--full"]);
    assert!(full.contains("\nNo row changed: B/op.\n") && !full.contains("Same-8"), "{full}");
    assert!(!terminal.contains("Same-8"), "{terminal}");
    let markdown = shown(&["--format", "markdown"]);
    has(&markdown, &["time: 1 slower, 1 unclear   memory: 2 same"]);
    assert!(!markdown.contains("Same-8"), "{markdown}");
    let plain = shown(&["--view", "plain"]);
    let rows: Vec<&str> = plain.lines().skip(1).filter(|line| line.contains(".txt")).collect();
    assert_eq!(rows.len(), 2, "{plain}");
    assert!(rows.iter().all(|row| row.trim_end().ends_with(" 64")), "{plain}");
}

#[test]
fn what_would_be_ignored_is_refused() {
    let lab = lab(&["old.txt"]);
    for options in [
        &["--summary", "--format", "csv"][..],
        &["--summary", "--json"],
        &["--summary", "--format", "github"],
        &["--view", "ratio", "--format", "csv"],
        &["--summary-row", "total", "--json"],
        &["--view", "mean", "--summary-row", "total"],
        &["--view", "mean", "--summary-row", "geomean"],
    ] {
        let ended = lab.run([&["compare"], options, &["old.txt"]].concat()).expect(2);
        assert_eq!(ended.stdout, "", "{options:?}");
        assert!(ended.stderr.contains("leave"), "{options:?}: {}", ended.stderr);
    }
    let mean = lab.done(["compare", "--view", "mean", "old.txt"]);
    assert!(!mean.contains("geometric mean"), "a mean of medians under means: {mean}");
}

/// A name is broken only in a part of a table where it does not fit.
#[test]
fn names_are_whole_where_they_fit() {
    let lab = lab(&["old.txt", "new.txt"]);
    let shown = lab.done(["compare", "old.txt", "new.txt"]);
    has(&shown, &["Encode/format=json-8  1.71 µs"]);
}

/// Would catch rows of a single data set that have no room and are not counted.
#[test]
fn rows_of_one_data_set_that_have_no_room_are_counted() {
    let lab = Lab::new();
    let compared = |rows: u32| {
        let line = |n| format!("BenchmarkA/n={n} 1 {n} ns/op\n");
        lab.write("one.txt", (1..=rows).map(line).collect::<String>().repeat(6));
        lab.done(["compare", "one.txt"])
    };
    has(&compared(30), &["nothing to compare it with", "A/n=24", "\n  and 6 more: --full\n"]);
    has(&compared(25), &["\n  and 1 more: --full\n"]);
    assert!(!compared(24).contains("more: --full"));
}

/// Would catch a program that cannot get a grid because no row of it is full: on a screen nothing is compared, which is an
/// error there, and of a check everywhere.
#[test]
fn cells_of_a_sparse_grid_are_exported() {
    let lab = Lab::new();
    lab.write("grid.txt", lines("A/x=1/y=1", 1.0) + &lines("A/x=2/y=2", 2.0));
    let asked = ["compare", "grid.txt", "--row", "/x", "--col", "/y"];
    let csv = lab.done([&asked[..], &["--format", "csv"]].concat());
    assert_eq!(csv.lines().count(), 3, "{csv}");
    has(&csv, &["\n1,1,sec/op,", "\n2,2,sec/op,"]);
    for more in [&[][..], &["--format", "csv", "--require", "A"]] {
        let ended = lab.run([&asked[..], more].concat());
        assert!(matches!(ended.code, Some(1 | 2)), "{more:?}: {}", ended.stdout);
    }
}

/// Would catch many tables of a unit that each have a title for a row, and rows of those that have no room and are counted
/// nowhere.
#[test]
fn rows_of_many_packages_are_in_one_table_that_counts_all() {
    let lab = Lab::new();
    let packages = |slower: usize| -> String {
        let package = |at: usize| {
            let scale = if at == slower { 1.5 } else { 1.0 };
            format!("pkg: example.com/p{at:02}\n{}{}", lines("A", 1.0), lines("B", scale))
        };
        (0..30).map(package).collect()
    };
    lab.write("old.txt", packages(30));
    lab.write("new.txt", packages(23));
    let screen = lab.done(["compare", "old.txt", "new.txt", "--between", "2%"]);
    let rows: Vec<&str> = screen.lines().filter(|line| line.contains("ns  ")).collect();
    assert!(rows[0].contains("p23 B-8"), "{screen}");
    let more = 60 - rows.len();
    has(&screen, &[&format!("{more} more unclear")]);
    assert_eq!(screen.matches("sec/op").count(), 1, "{screen}");
    assert!(screen.lines().count() <= 24, "{screen}");
}

/// Would catch a first line about data sets that nothing is compared with while others changed, and a mean of no row.
#[test]
fn data_sets_with_something_in_common_come_first() {
    let lab = Lab::new();
    let line = |c: usize, run: usize| {
        format!("BenchmarkX/a={}/c={c}-4 100 {} ns/op\n", c % 9, 100 + 3 * c + run)
    };
    let runs = (0..27).flat_map(|c| (0..6).map(move |run| (c, run)));
    let lines: String = runs.map(|(c, run)| line(c, run)).collect();
    lab.write("sparse.txt", format!("goos: linux\npkg: p\n{lines}PASS\nok p 1s\n"));
    let words = ["compare", "sparse.txt", "--row", "/a", "--col", "/c", "--between", "0"];
    let shown = lab.done(words);
    has(&shown, &["0 → 9 ", "time: 1 slower", "0 → 18 ", "and 20 more data sets"]);
    assert!(!shown.contains("geometric mean"), "{shown}");
    // Readings of nine orders of magnitude.
    let wild: String = (0..9)
        .map(|at| format!("BenchmarkW-4 10 {} ns/op\n", 7 * 10_u64.pow(at * 5 % 9)))
        .collect();
    lab.write("wild.txt", format!("goos: linux\npkg: p\n{wild}PASS\nok p 1s\n"));
    has(&lab.done(["compare", "wild.txt", "wild.txt"]), &["no change is visible"]);
    // Values about zero that never vary show every amount.
    let zeros = "BenchmarkZ-4 1000000000 0 ns/op\n".repeat(10);
    lab.write("zeros.txt", format!("goos: linux\npkg: p\n{zeros}PASS\nok p 1s\n"));
    let shown = lab.done(["compare", "zeros.txt", "zeros.txt"]);
    has(&shown, &["time: 1 same"]);
    assert!(!shown.contains("visible"), "{shown}");
    let ended = lab.run(["compare", "zeros.txt", "zeros.txt", "--filter", "nosuch"]).expect(2);
    has(&ended.stderr, &["--filter nosuch: nothing passes it: there is nothing to compare"]);
}
