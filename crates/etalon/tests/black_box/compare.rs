//! `etalon compare` in its own style: what is compared, what is told beside it, and formats. `compare_checks` has its
//! checks, `compare_views` its tables as they are shown.

use std::path::Path;

use crate::support::{Lab, has, joined};

/// A laboratory with some inputs of the benchstat corpus.
pub(crate) fn lab(names: &[&str]) -> Lab {
    let lab = Lab::new();
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/benchstat/inputs");
    for name in names {
        lab.write(name, std::fs::read(inputs.join(name)).unwrap());
    }
    lab
}

/// Result lines of one benchmark, `scale` times as long as those of the same call with 1.
pub(crate) fn lines(name: &str, scale: f64) -> String {
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
        has(
            &ended.stderr,
            &["nothing is compared", "`etalon compare --ignore pkg` takes their values"],
        );
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

/// hyperfine's JSON of twelve executions, some of which ended with another exit code.
pub(crate) fn executions(failed: usize, code: i32) -> String {
    let times: Vec<String> = (0..12).map(|i| format!("0.1{:02}", i * 7 % 12)).collect();
    let codes: Vec<String> =
        (0..12).map(|i| if i < failed { code } else { 0 }.to_string()).collect();
    format!(
        r#"{{"results":[{{"command":"job","times":[{}],"exit_codes":[{}]}}]}}"#,
        times.join(","),
        codes.join(",")
    )
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

/// Would catch a pipeline that fails because today's files lack a line that it ignores.
#[test]
fn a_key_that_nothing_has_is_ignored_with_a_note() {
    let lab = Lab::new();
    lab.write("a.txt", lines("A", 1.0));
    lab.write("b.txt", lines("A", 1.0));
    for key in ["nosuch", "host,nosuch"] {
        let ended = lab.done(["compare", "--ignore", key, "a.txt", "b.txt"]);
        assert!(ended.contains("nothing in the data has it"), "{key}: {ended}");
    }
    let ended = lab.done(["compare", "--ignore", "/gomaxprocs", "a.txt", "b.txt"]);
    assert!(!ended.contains("nothing in the data has it"), "{ended}");
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

/// Would catch one processor, for which Go writes no number behind names, that has nothing in common with eight; and a number
/// that belongs to a name taken for one of processors.
#[test]
fn one_processor_is_compared_with_several() {
    let lab = Lab::new();
    let file = |name: &str, suffix: &str, first: u32| {
        let lines: String = (0..8)
            .map(|n| {
                let (sort, utf) = (first + 3 * n, first / 2 + 3 * n);
                format!("BenchmarkSort/n=1e4{suffix} 100 {sort} ns/op\nBenchmarkUTF-8{suffix} 100 {utf} ns/op\n")
            })
            .collect();
        lab.write(name, format!("pkg: ex/p\n{lines}PASS\n"));
    };
    file("one.txt", "", 1003);
    file("eight.txt", "-8", 1008);
    file("sixteen.txt", "-16", 1012);
    for pair in [["one.txt", "eight.txt"], ["eight.txt", "sixteen.txt"], ["sixteen.txt", "one.txt"]]
    {
        let shown = lab.done(["compare", pair[0], pair[1]]);
        assert!(!shown.contains("nothing in common"), "{pair:?}: {shown}");
        has(&shown, &["Sort/n=1e4", "UTF-8", "gomaxprocs"]);
        assert!(!shown.contains("UTF-8-8"), "{shown}");
    }
    // Go's -cpu 1,8: the numbers are of processors.
    lab.write("cpus.txt", "BenchmarkA 100 5 ns/op\nBenchmarkA-8 100 6 ns/op\nBenchmarkB 1 7 ns/op\nBenchmarkB-8 1 8 ns/op\n");
    has(&lab.done(["compare", "--col", "/gomaxprocs", "cpus.txt"]), &["8"]);
    // What was read comes out as it was.
    let back = lab.done(["convert", "--quiet", "one.txt", "--to", "go"]);
    has(&back, &["\nBenchmarkUTF-8\t100\t501 ns/op\n"]);
    assert!(!back.contains("percent"), "{back}");
}
