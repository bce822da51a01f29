//! `etalon compare` in its own style: verdicts, checks, formats, views, and what is refused.

use std::path::Path;

use crate::support::{Lab, has, joined};

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
fn a_change_has_a_verdict_and_says_what_it_rests_on() {
    let lab = lab(&["old.txt", "new.txt"]);
    let printed = lab.done(["compare", "old.txt", "new.txt"]);
    for expected in ["sec/op", "faster", "geometric mean", "change, 95", "µs", "One run a side"] {
        assert!(printed.contains(expected), "{expected} in:\n{printed}");
    }
    assert!(printed.lines().count() <= 15, "one screen:\n{printed}");
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    assert!(!printed.contains('\u{1b}'), "a pipe has no colours");
}

/// Would catch a screen that promises tables which there are not, one that does not say what is there, and success where
/// nothing was compared.
#[test]
fn data_sets_with_nothing_in_common_say_what_they_have() {
    let lab = Lab::new();
    lab.write("a.txt", lines("A", 1.0) + &lines("Z", 1.0));
    lab.write("b.txt", lines("B", 1.0));
    let empty = |arguments: &[&str]| lab.run([&["compare"], arguments].concat()).expect(2);
    let ended = empty(&["a.txt", "b.txt"]);
    let printed = ended.stdout;
    has(&printed, &["nothing in common", "Only in a.txt: A-8, Z-8. Only in b.txt: B-8."]);
    assert!(!printed.contains("More:"), "{printed}");
    has(
        &ended.stderr,
        &["nothing is compared: no row has a value of \"a.txt\" and another one", "--row .name"],
    );
    let whole = empty(&["--full", "a.txt", "b.txt"]).stdout;
    has(&whole, &["A-8", "Z-8", "B-8"]);
    // A unit that only one has is a table of its own.
    lab.write("c.txt", "BenchmarkC-8 1 5 widgets/op\n".repeat(8));
    has(&empty(&["a.txt", "c.txt"]).stdout, &["nothing in common"]);
    // What others have in common is not compared with the base.
    empty(&["a.txt", "b.txt", "b.txt"]);
    lab.done(["compare", "a.txt", "b.txt", "a.txt"]);
    // One data set is compared with nothing, and benchstat prints each by itself.
    lab.done(["compare", "a.txt"]);
    lab.done(["compare", "--style", "benchstat", "a.txt", "b.txt"]);
}

/// Would catch data sets of other packages that pass as compared, in some format, and an error that does not say which key it
/// is, or how to take its values for one.
#[test]
fn a_key_that_keeps_data_sets_apart_is_an_error_that_names_it() {
    let lab = Lab::new();
    lab.write("a.txt", format!("pkg: p/one\n{}", lines("A", 1.0)));
    lab.write("b.txt", format!("pkg: p/two\n{}", lines("A", 2.0)));
    let formats = "|--full|--summary|--view plain|--view mean|--view ratio|--format markdown|--format csv|--format github|\
                   --json|--html o.html";
    for options in formats.split('|').map(|options| options.split_whitespace()) {
        let options: Vec<&str> = options.collect();
        let ended = lab.run([&["compare", "a.txt", "b.txt"][..], &options].concat()).expect(2);
        has(&ended.stderr, &["nothing is compared", "--ignore pkg takes their values for one"]);
        let is_comment = options.contains(&"github");
        assert!(is_comment || !ended.stdout.is_empty(), "{options:?} prints what there is");
    }
    assert!(lab.path("o.html").exists());
    lab.run(["report", "a.txt", "b.txt", "--row", ".name"]).expect(2);
    lab.done(["compare", "a.txt", "b.txt", "--ignore", "pkg"]);
    // A check says itself why it fails.
    let checked = lab.run(["compare", "--fail-on", "worse", "a.txt", "b.txt"]).expect(1);
    has(&checked.stderr, &["nothing was compared with anything"]);
    assert!(!checked.stderr.contains("etalon: "), "{}", checked.stderr);
}

/// Would catch a tail that nobody is told of because the median differs, and one that is told of every row by itself.
#[test]
fn a_tail_is_told_beside_a_difference() {
    let lab = Lab::new();
    let unbroken = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let file = |typical: u32, slow: u32, names: &[&str]| -> String {
        let ns = |at: u32| (typical + at * 13 % 7) * if slow > 0 && at % slow == 1 { 2 } else { 1 };
        let of = |name: &&str| -> String {
            (0..120).map(|at| format!("Benchmark{name}-8 1 {} ns/op 8 B/op\n", ns(at))).collect()
        };
        names.iter().map(of).collect()
    };
    lab.write("old.txt", file(1000, 0, &["A"]));
    lab.write("new.txt", file(1020, 6, &["A"]));
    lab.write("shifted.txt", file(1400, 0, &["A"]));
    let compare = ["compare", "old.txt", "new.txt", "--between", "0"];
    let printed = unbroken(&lab.done(compare));
    has(
        &printed,
        &["1 slower", "A-8 (time): it is slow more often than the typical difference explains"],
    );
    has(&printed, &["(20 of 120 readings above 1.1 × the median, against 0)"]);
    let json = lab.json([&compare[..], &["--json"]].concat());
    let tail = json.to_string();
    has(&tail, &["\"tail_apart\":{", "\"worse\":\"candidate\""]);
    let shifted = lab.done(["compare", "old.txt", "shifted.txt", "--between", "0"]);
    assert!(!shifted.contains("more often"), "{shifted}");
    let names = ["A", "B", "C", "D", "E", "F", "G", "H"];
    lab.write("old.txt", file(1000, 0, &names));
    lab.write("new.txt", file(1020, 6, &names));
    let printed = unbroken(&lab.done(compare));
    has(&printed, &["8 rows: it is slow more often"]);
    assert_eq!(printed.matches("more often").count(), 1, "{printed}");
}

/// Would catch a run that was lost on its way and is compared as if it had come to its end.
#[test]
fn records_that_did_not_come_to_their_end_are_named() {
    let lab = Lab::new();
    lab.run(["cmd", "-N", "-r", "8", "--quiet", "-o", "whole.jsonl", "true"]).expect(0);
    let record = String::from_utf8(lab.read("whole.jsonl")).unwrap();
    let (start, end) = record.split_at(record.rfind("{\"type\":\"end\"").expect("an end"));
    let said = |end: String| {
        lab.write("other.jsonl", start.to_owned() + &end);
        let compared = joined(&lab.done(["compare", "whole.jsonl", "other.jsonl"]));
        let how = compared.split_once("other.jsonl:")?.1.split_once(":therearefewervalues")?.0;
        Some(how.to_owned())
    };
    let stopped_by = |how: &str| said(end.replace("\"runs\"", &format!("\"{how}\"")));
    assert_eq!(stopped_by("interrupt").as_deref(), Some("interrupted"));
    let alone = joined(&lab.done(["compare", "other.jsonl"]));
    has(&alone, &["Note:interrupted:therearefewervalues"]);
    assert_eq!(stopped_by("error").as_deref(), Some("stoppedbyanerror"));
    assert_eq!(said(String::new()).as_deref(), Some("unfinishedrecord"));
    assert_eq!([stopped_by("runs"), stopped_by("budget")], [None, None]);
}

/// Would catch a number of repeated runs that is one data set's, and told as that of both.
#[test]
fn repeated_runs_are_counted_by_data_set() {
    let lab = Lab::new();
    let run = |first: u32| -> String {
        let reading = |at: u32| format!("BenchmarkA 1 {} ns/op\n", 1000 + first + 7 * at);
        ["goos: linux\n".to_owned()].into_iter().chain((0..8).map(reading)).collect()
    };
    lab.write("old.txt", run(1).repeat(2) + &run(2));
    lab.write("new.txt", run(3).repeat(3));
    let shown = lab.run(["compare", "old.txt", "new.txt"]).expect(0).stdout;
    let once = joined("A, old.txt: one run repeats another one (its id, start or readings)");
    let twice = joined("A, new.txt: 2 runs repeat others (their ids, starts or readings)");
    has(&joined(&shown), &[&once, &twice]);
}

/// Each check fails for its reason and passes without it. Would catch a gate that cannot fail.
#[test]
fn checks_fail_for_their_reason() {
    let lab = Lab::new();
    lab.write("base.txt", lines("A", 1.0) + &lines("B", 1.0));
    lab.write("slow.txt", lines("A", 1.0) + &lines("B", 1.1));
    lab.write("lost.txt", lines("A", 1.0));
    let code = |arguments: &[&str], said: &str| {
        let ended = lab.run([&["compare", "--quiet", "--between", "0"], arguments].concat());
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
    assert_eq!(code(&["--fail-on", "faster", "base.txt", "slow.txt"], "[UNIT:]worse[:P]"), 2);
}

/// A whole package, or a unit, that one data set lacks is in no table of both: it fails a check all the
/// same, and has a line of its own. Would catch a gate that looks within tables only.
#[test]
fn a_lost_table_fails_a_check() {
    let lab = Lab::new();
    let memory = |text: String| text.replace(" ns/op", " ns/op 64 B/op");
    let packages =
        |second: &str| format!("pkg: a\n{}PASS\npkg: b\n{second}PASS\n", lines("A", 1.0));
    lab.write("base.txt", memory(packages(&lines("B", 1.0))));
    lab.write("unit.txt", packages(&lines("B", 1.0)));
    lab.write("package.txt", memory(packages("")));
    let checked = |check: &[&str], new: &str| {
        lab.run([&["compare", "--summary"], check, &["base.txt", new]].concat()).expect(1)
    };
    let unit = checked(&["--fail-on", "slower"], "unit.txt");
    has(&unit.stderr, &["missing: a, B/op, unit.txt", "missing: b, B/op, unit.txt"]);
    has(&unit.stdout, &["B/op (pkg: a), unit.txt: missing", "sec/op (pkg: a), unit.txt: 0 faster"]);
    let package = checked(&["--fail-on", "slower"], "package.txt");
    has(&package.stderr, &["missing: b, sec/op, package.txt"]);
    assert!(!package.stderr.contains("missing: a"), "{}", package.stderr);
    // Also where the others could be compared.
    let three = ["compare", "--require", "B", "base.txt", "BASE=base.txt", "package.txt"];
    let three = lab.run(three).expect(1);
    has(&three.stderr, &["--require B: missing: b, B-8, sec/op, package.txt"]);
}

/// One value a side: no p can be small enough, and a check that cannot fail has not passed.
#[test]
fn too_few_values_for_any_verdict_fail_every_check() {
    let lab = Lab::new();
    lab.write("a.txt", "BenchmarkA 1 5 ns/op\n");
    lab.write("b.txt", "BenchmarkA 1 50 ns/op\n");
    for check in ["slower", "slower:5%", "unclear"] {
        let ended = lab.run(["compare", "--fail-on", check, "a.txt", "b.txt"]).expect(3);
        let reason =
            format!("--fail-on {check}: A, sec/op, b.txt: not enough data: needs at least 3");
        has(&ended.stderr, &[&reason]);
    }
    // Enough for an interval, and too few for a family of this size: none of forty can be slower.
    let five = |name: &str, scale: f64| -> String {
        lines(name, scale).lines().take(5).map(|line| format!("{line}\n")).collect()
    };
    let many = |scale: f64| -> String { (0..40).map(|i| five(&format!("B{i}"), scale)).collect() };
    lab.write("a.txt", many(1.0));
    lab.write("b.txt", many(1.5));
    let family = ["compare", "--fail-on", "slower", "--between", "0", "a.txt", "b.txt"];
    let family = lab.run(family).expect(3);
    has(&family.stderr, &["B39-8, sec/op, b.txt: not enough data: needs at least"]);
}

/// Only `/` parts and processors may be left out of a name.
#[test]
fn a_required_name_is_no_prefix() {
    let lab = Lab::new();
    let record = |names: [&str; 2]| {
        let result = |name: &str| {
            format!(r#"{{"command":"x","name":{name:?},"times":[1,1.1,1.2,1.3,1.1,1.0,1.2]}}"#)
        };
        format!(r#"{{"results":[{}]}}"#, names.map(result).join(","))
    };
    lab.write("a.json", record(["concat | \"x\"", "Encode/format=gob"]));
    let code = |name: &str| lab.run(["compare", "--require", name, "a.json", "b=a.json"]).code;
    assert_eq!(code("concat"), Some(1));
    assert_eq!(code("concat | \"x\""), Some(0));
    assert_eq!(code("Encode"), Some(0));
    let keys = ["compare", "--row", "/format .name", "--require", "Encode"];
    lab.write("go.txt", lines("Encode/format=gob", 1.0));
    assert_eq!(lab.run([&keys[..], &["go.txt", "b=go.txt"]].concat()).code, Some(0));
}

/// hyperfine's JSON of twelve executions, some of which ended with another exit code.
fn executions(failed: usize, code: i32) -> String {
    let times: Vec<String> = (0..12).map(|i| format!("0.1{:02}", i * 7 % 12)).collect();
    let codes: Vec<String> =
        (0..12).map(|i| if i < failed { code } else { 0 }.to_string()).collect();
    format!(
        r#"{{"results":[{{"command":"job","times":[{}],"exit_codes":[{}]}}]}}"#,
        times.join(","),
        codes.join(",")
    )
}

/// What is remarked about a record, or failed in it, is told; what does not count fails every check.
#[test]
fn executions_that_failed_are_told_and_fail_a_check() {
    let lab = Lab::new();
    lab.write("ok.json", executions(0, 0));
    lab.write("some.json", executions(7, 127));
    lab.write("all.json", executions(12, 127));
    lab.write("other.json", executions(3, 1));
    let plain = lab.run(["compare", "ok.json", "some.json"]).expect(0);
    let said = "some.json: job: 7 of 12 executions failed and do not count";
    has(&plain.stderr, &[said, "7 executions have exit code 127"]);
    assert_eq!(lab.run(["compare", "--quiet", "ok.json", "some.json"]).expect(0).stderr, "");
    for check in [["--fail-on", "unclear"], ["--require", "job"]] {
        let both = [&["compare", "--quiet"], &check[..], &["ok.json", "new=some.json"]].concat();
        has(&lab.run(both).expect(1).stderr, &["new: job: 7 of 12 executions failed"]);
    }
    let other =
        ["compare", "--fail-on", "slower", "--filter", ".unit:sec/op", "ok.json", "some.json"];
    lab.run(other).expect(1);
    let counted = lab.run(["compare", "--require", "job", "ok.json", "other.json"]).expect(0);
    has(&counted.stderr, &["3 of 12 executions ended with another exit code than 0, and count"]);
    let empty = lab.run(["compare", "ok.json", "all.json"]).expect(2);
    has(&empty.stderr, &["no results in it; job: 12 of 12 executions failed"]);
}

/// A benchmark that a filter leaves out fails no check.
#[test]
fn what_is_filtered_out_fails_no_check() {
    let lab = Lab::new();
    let two = |failed| {
        let good = executions(0, 0).replace("job", "good");
        let (good, bad) = (good.strip_suffix("]}").unwrap(), executions(failed, 127));
        format!("{good},{}", bad.strip_prefix(r#"{"results":["#).unwrap())
    };
    lab.write("a.json", two(0));
    lab.write("b.json", two(7));
    let code = |filter: &str| {
        let files = ["a.json", "b.json"];
        let checked = ["compare", "--quiet", "--fail-on", "slower", "--filter", filter];
        lab.run([&checked[..], &files].concat()).code
    };
    assert_eq!(code(".name:good"), Some(0));
    assert_eq!(code(".name:job"), Some(1));
}

/// What a damaged record lost is told.
#[test]
fn damaged_records_are_told() {
    let lab = Lab::new();
    lab.run(["cmd", "-r", "10", "--quiet", "true"]).expect(0);
    let mut record = std::fs::read_to_string(lab.saved().last().unwrap()).unwrap();
    record.push_str("{\"type\":\"observation\",\"benchmark\":99}\n");
    lab.write("damaged.jsonl", record);
    let shown = lab.run(["compare", "@last", "damaged.jsonl"]).expect(0);
    has(&shown.stderr, &["damaged.jsonl: line ", " is left out: "]);
}

#[test]
fn few_values_are_unclear_and_fail_that_check() {
    let lab = Lab::new();
    lab.write("a.txt", "BenchmarkA 1 5 ns/op\n");
    lab.write("b.txt", "BenchmarkA 1 9 ns/op\n");
    let ended = lab.run(["compare", "--fail-on", "unclear", "a.txt", "b.txt"]);
    assert_eq!(ended.code, Some(3));
    assert!(ended.stdout.contains("unclear"), "{}", ended.stdout);
    has(&lab.done(["compare", "--full", "a.txt", "b.txt"]), &["± ∞"]);
}

#[test]
fn formats_for_programs() {
    let lab = lab(&["old.txt", "new.txt"]);
    let json = lab.json(["compare", "--json", "old.txt", "new.txt"]);
    let comparison = &json["tables"][0]["rows"][0]["cells"][1]["comparison"];
    assert_eq!(comparison["verdict"], "unclear");
    assert_eq!(comparison["reasons"][0]["code"], "no_difference_seen");
    assert!(json["tables"][0]["rows"][0]["cells"][0]["comparison"].is_null());
    let csv = lab.done(["compare", "--format", "csv", "old.txt", "new.txt"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|it| it == name).expect(name);
    assert!(at("verdict") < at("difference") && at("word") + 1 == header.len(), "{header:?}");
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    // Three benchmarks, three units, two files.
    assert_eq!(rows.len(), 18);
    let compared = rows.iter().find(|row| !row[at("verdict")].is_empty()).expect("a comparison");
    for name in ["difference", "difference_lo", "difference_hi"] {
        assert!(compared[at(name)].parse::<f64>().is_ok(), "{name}: {compared:?}");
    }
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

/// Two machines in two files: each a column, their benchmarks side by side although Go puts the processors behind
/// the names, and what differs is named. In one file: each a table. Never pooled, whatever is asked for.
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
    let asked = lab.done(["compare", "--full", "--col", "/gomaxprocs", "here.txt", "there.txt"]);
    assert!(asked.contains("16 (n=12)") && asked.contains("4 [1] (n=12)"), "{asked}");
    let both = std::fs::read_to_string(lab.path("here.txt")).unwrap()
        + &std::fs::read_to_string(lab.path("there.txt")).unwrap().replace("-4 ", "-16 ");
    lab.write("both.txt", both);
    let json = lab.json(["compare", "--json", "both.txt"]);
    let tables = json["tables"].as_array().unwrap();
    let cpus: Vec<&str> = tables.iter().filter_map(|it| it["labels"]["cpu"].as_str()).collect();
    assert_eq!(cpus, ["One", "Two"], "{json}");
    assert!(tables.iter().all(|it| it["columns"].as_array().unwrap().len() == 1), "{json}");
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

/// A pipe has no second time: what is looked at to recognise it is read all the same.
#[test]
fn pipes_are_read_once() {
    let lab = Lab::new();
    let name = |i: i32| format!("Benchmark{}{i} 1 5 ns/op\n", "X".repeat(100));
    let text: String = (0..3000).map(name).collect();
    lab.write("big.txt", &text);
    for data in ["-", "/dev/stdin"] {
        let script = format!("cat big.txt | \"$E\" convert --to go {data}");
        let output = lab.shell(&script).output().unwrap();
        let written = String::from_utf8_lossy(&output.stdout).replace('\t', " ");
        assert_eq!(written, text, "{data}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let record = lab.shell("cat big.txt | \"$E\" convert --quiet --to etalon - > record.jsonl");
    assert!({ record }.status().unwrap().success());
    assert!(String::from_utf8_lossy(&lab.read("record.jsonl")).contains("X2999"));
    let report = lab.shell("head -2 big.txt | \"$E\" report -").output().unwrap();
    assert!(report.status.success(), "{report:?}");
    let twice = lab.run(["convert", "--to", "go", "-", "-"]).expect(2);
    has(&twice.stderr, &["standard input can be read once"]);
}

/// Whatever `report` recognises, `compare` does.
#[test]
fn formats_are_recognised_in_any_encoding_and_after_other_lines() {
    let lab = lab(&["old.txt", "new.txt"]);
    let utf_16 = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    lab.write("ok.json", executions(0, 0));
    lab.write("wide.json", utf_16(&executions(0, 0)));
    lab.run(["compare", "ok.json", "wide.json"]).expect(0);
    lab.run(["cmd", "-r", "10", "--quiet", "true"]).expect(0);
    let record = std::fs::read_to_string(lab.saved().last().unwrap()).unwrap();
    lab.write("wide.jsonl", utf_16(&record));
    lab.run(["compare", "@last", "wide.jsonl"]).expect(0);
    let old = String::from_utf8(lab.read("old.txt")).unwrap();
    lab.write("logged.txt", format!("{{\"level\":\"info\",\"msg\":\"start\"}}\n{old}"));
    has(&lab.done(["compare", "logged.txt", "new.txt"]), &["faster"]);
    lab.run(["report", "logged.txt"]).expect(0);
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

/// A pull request has to say why its check failed, and annotations which package they are about.
#[test]
fn reasons_and_packages_are_named() {
    let lab = Lab::new();
    let file = |scale: f64| {
        let of = |package: &str| format!("pkg: {package}\n{}", lines("A", scale));
        of("one") + &of("two\u{1b}[31m")
    };
    lab.write("a.txt", file(1.0));
    lab.write("b.txt", file(2.0));
    let shown = |format: &str| {
        let options = ["compare", "--fail-on", "slower", "--format", format, "a.txt", "b.txt"];
        let ended = lab.run(options).expect(1);
        assert!(!ended.stdout.contains('\u{1b}'), "{}", ended.stdout);
        ended.stdout
    };
    let markdown = shown("markdown");
    let reason = markdown.find("one, A-8, sec/op, b.txt: ratio 2.000").unwrap();
    assert!(reason < markdown.find("| ").unwrap(), "{markdown}");
    has(&shown("github"), &["A-8 (sec/op, pkg: one): slower", "A-8 (sec/op, pkg: two"]);
    has(&shown("json"), &["--fail-on slower: one, A-8, sec/op, b.txt"]);
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

/// More to ignore does not make the number of processors count again.
#[test]
fn what_is_ignored_by_default_stays_so() {
    let lab = Lab::new();
    lab.write("a.txt", lines("A", 1.0));
    lab.write("b.txt", lines("A", 1.0).replace("-8 ", "-4 "));
    let rows = |exit: i32, options: &[&str]| {
        let words = [&["compare", "--json"], options, &["a.txt", "b.txt"]].concat();
        let json: serde_json::Value =
            serde_json::from_str(&lab.run(words).expect(exit).stdout).unwrap();
        json["tables"][0]["rows"].as_array().unwrap().len()
    };
    assert_eq!(rows(0, &[]), 1);
    assert_eq!(rows(0, &["--ignore", ".config"]), 1);
    assert_eq!(rows(0, &["--ignore", "/gomaxprocs"]), 1);
    assert_eq!(rows(2, &["--row", ".name /gomaxprocs"]), 2);
}

/// Where nothing is compared there is nothing to say about it.
#[test]
fn runs_are_spoken_of_where_something_is_compared() {
    let lab = Lab::new();
    lab.write("a.txt", lines("A", 1.0));
    lab.write("b.txt", lines("A", 1.0));
    let says = |options: &[&str]| {
        let shown = lab.done([&["compare"], options, &["a.txt", "b.txt"]].concat());
        joined(&shown).contains("Onerunaside")
    };
    assert!(says(&[]));
    assert!(!says(&["--filter", ".file:a.txt"]));
    assert!(!says(&["--row", ".file", "--col", ".name"]));
}

/// Data without anything a format has a place for, and without anything to compare.
#[test]
fn nothing_is_an_error_and_no_document() {
    let lab = lab(&["old.txt"]);
    for format in ["hyperfine", "bestguess"] {
        let ended = lab.run(["convert", "--to", format, "old.txt"]).expect(2);
        assert_eq!(ended.stdout, "");
        has(&ended.stderr, &[&format!("--to {format}"), "old.txt has sec/op", "--to etalon"]);
    }
    lab.write("nan.txt", "BenchmarkA 1 NaN ns/op\n");
    let none = lab.run(["compare", "nan.txt", "n=nan.txt"]).expect(2);
    has(&none.stderr, &["no finite value"]);
    assert!(!none.stderr.contains("--filter"), "{}", none.stderr);
}

/// A name is broken only in a part of a table where it does not fit.
#[test]
fn names_are_whole_where_they_fit() {
    let lab = lab(&["old.txt", "new.txt"]);
    let shown = lab.done(["compare", "old.txt", "new.txt"]);
    has(&shown, &["Encode/format=json-8  1.71 µs"]);
}

/// A report of Go's benchmarks has their numbers, and does not call functions commands.
#[test]
fn go_data_are_reported_with_their_numbers() {
    let lab = lab(&["old.txt"]);
    let shown = lab.done(["report", "--full", "old.txt"]);
    has(&shown, &["sec/op ", "\nB/op\n", "1.71 µs ± 5 %", "1.19 kB", "median"]);
    assert!(!shown.contains("Command"), "{shown}");
    let markdown = lab.done(["report", "--full", "--format", "markdown", "old.txt"]);
    has(&markdown, &["### B/op", "| median ", "1.71 µs ± 5 %"]);
    let none = lab.done(["report", "--no-stats", "old.txt"]);
    assert!(!none.contains("1.19 kB"), "{none}");
    lab.write("ok.json", executions(0, 0));
    let commands = lab.done(["report", "--full", "ok.json"]);
    has(&commands, &["Wall clock", "median", "job"]);
    assert!(!commands.contains('│'), "no boxes:\n{commands}");
}

/// Would catch a name alone that is refused, or looked for elsewhere.
#[test]
fn a_filter_may_be_a_name_alone() {
    let lab = Lab::new();
    let lines = "BenchmarkEncode/size=4 1 5 ns/op\nBenchmarkDecode 1 6 ns/op\n".repeat(6);
    for file in ["old.txt", "new.txt"] {
        lab.write(file, &lines);
    }
    let shown = |filter: &str| {
        let shown = lab.done(["compare", "--full", "--filter", filter, "old.txt", "new.txt"]);
        ["Encode", "Decode"].map(|name| shown.contains(name))
    };
    assert_eq!(shown("code"), [true, true]);
    assert_eq!(shown("size=4"), [true, false]);
    assert_eq!(shown("/^Encode$/"), [true, false]);
    assert_eq!(shown("code -Enc"), [false, true]);
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
    has(&compared(30), &["nothing to compare it with", "A/n=24", "\n  6 more rows on --full\n"]);
    has(&compared(25), &["\n  1 more row on --full\n"]);
    assert!(!compared(24).contains("more row"));
}

/// Benchmarks of which four of eight give a throughput, in an order without a trend; those four take so much longer.
fn half_with_throughput(longer: f64) -> String {
    let order = [4, 9, 1, 7, 2, 8, 0, 5, 3, 6];
    let line = |(at, name): (usize, usize)| {
        let shift = 0.1 * name as f64 + if name < 4 { longer } else { 0.0 };
        // Each has the ten values in another order.
        let time = 100.0 + shift + order[(at + 3 * name) % 10] as f64;
        let rate = if name < 4 { format!("\t{:.2} MB/s", 1e5 / time) } else { String::new() };
        format!("BenchmarkX{name}-8\t100\t{time:.3} ns/op{rate}\n")
    };
    (0..10).flat_map(|at| (0..8).map(move |name| (at, name))).map(line).collect()
}

/// Would catch times that are unclear beside a throughput of the same readings that is slower, and nobody who says why;
/// and a sentence where they agree.
#[test]
fn units_that_disagree_for_their_families_say_so() {
    let lab = Lab::new();
    lab.write("old.txt", half_with_throughput(0.0));
    let said = "sec/op and B/s are of the same readings, and each is corrected for its own number of comparisons (8 \
                and 4): therefore one calls 4 rows different that the other calls unclear.";
    let shown = |longer: f64| {
        lab.write("new.txt", half_with_throughput(longer));
        lab.done(["compare", "--between", "0", "old.txt", "new.txt"])
    };
    let disagree = shown(3.4);
    has(&disagree, &["time: 8 unclear   B/s: 4 slower"]);
    has(&joined(&disagree), &[&joined(said)]);
    for agree in [0.0, 20.0] {
        assert!(!shown(agree).contains("same readings"), "{agree}");
    }
}
