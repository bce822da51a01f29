//! Go's benchmarks as they come from `go test`: as events of `-json`, several files of which some are empty, units.

use crate::support::{Lab, has};

/// Events of two packages that are tested at the same time, as go 1.24 prints them: each prints what it was.
fn events(numbers: [&str; 2]) -> String {
    let output = |package: &str, text: &str| {
        let text = serde_json::to_string(text).unwrap();
        format!(
            "{{\"Time\":\"2026-11-23T01:36:18.57Z\",\"Action\":\"output\",\"Package\":\"{package}\",\"Output\":{text}}}\n"
        )
    };
    let turns = [
        ("x", "goos: linux\n"),
        ("y", "goos: linux\n"),
        ("x", "pkg: x\n"),
        ("y", "pkg: y\n"),
        ("x", "=== RUN   BenchmarkOne\n"),
        ("x", "BenchmarkOne\n"),
        ("x", "BenchmarkOne-2   \t"),
        ("y", "BenchmarkOne-2   \t"),
        ("x", numbers[0]),
        ("y", numbers[1]),
        ("x", "PASS\n"),
        ("x", "ok  \tx\t0.105s\n"),
        ("y", "PASS\n"),
        ("y", "ok  \ty\t0.105s\n"),
    ];
    let start = "{\"Time\":\"2026-11-23T01:36:18.57Z\",\"Action\":\"start\",\"Package\":\"x\"}\n";
    turns.iter().fold(start.to_owned(), |text, (package, said)| text + &output(package, said))
}

/// Would catch results of packages that are torn apart by one another, or put into the other's package.
#[test]
fn events_are_the_text_they_wrap() {
    let lab = Lab::new();
    lab.write("events.json", events(["   26630\t        49.21 ns/op\n", "   100\t 7 ns/op\n"]));
    let text = "goos: linux\npkg: x\nBenchmarkOne-2 26630 49.21 ns/op\nPASS\nok x 0.105s\n\
                pkg: y\nBenchmarkOne-2 100 7 ns/op\nPASS\nok y 0.105s\n";
    lab.write("text.txt", text);
    let tables =
        |name: &str| lab.json(["compare", "--json", &format!("a={name}")])["tables"].clone();
    assert_eq!(tables("events.json"), tables("text.txt"));
    // From a pipe, too, and where it is said.
    let go = lab.done(["convert", "events.json", "--from", "go", "--to", "go"]);
    has(&go, &["49.21 ns/op", "pkg: y"]);
}

/// Would catch lines that are counted in the text.
#[test]
fn a_line_of_an_event_is_that_of_the_file() {
    let lab = Lab::new();
    lab.write("events.json", events(["   26630\t        49.21 ns/op\n", "   100\t seven ns/op\n"]));
    let ended = lab.run(["compare", "--strict", "events.json", "events.json"]).expect(2);
    has(&ended.stderr, &["events.json:9:"]);
    let ended = lab.run(["compare", "events.json", "events.json"]);
    has(&ended.stderr, &["events.json:9:"]);
}

/// Would catch a file of nothing that stops a comparison of others, and a check that passes on it.
#[test]
fn files_without_results_are_said() {
    let lab = Lab::new();
    lab.write("a.txt", "BenchmarkX 1 5 ns/op\n");
    lab.write("b.txt", "BenchmarkX 1 5 ns/op\n");
    lab.write("empty.txt", "");
    let ended = lab.run(["compare", "a.txt", "empty.txt", "b.txt"]).expect(0);
    has(&ended.stderr, &["empty.txt: no results in it; the others are compared"]);
    has(&ended.stdout, &["a.txt", "b.txt"]);
    for arguments in [
        &["compare", "a.txt", "empty.txt"][..],
        &["compare", "--strict", "a.txt", "empty.txt", "b.txt"],
        &["compare", "--fail-on", "worse", "a.txt", "empty.txt", "b.txt"],
    ] {
        has(&lab.run(arguments).expect(2).stderr, &["empty.txt: no results in it"]);
    }
    lab.write("none.json", "{\"results\":[{\"command\":\"x\",\"times\":[]}]}");
    has(&lab.run(["report", "none.json"]).expect(2).stderr, &["none.json: nothing to report"]);
}

/// Would catch a check that passes where each of several benchmarks got worse, because all of them together scatter too
/// much for any verdict.
#[test]
fn no_check_is_made_on_several_benchmarks_in_one() {
    let lab = Lab::new();
    let file = |scale: u32| {
        let line = |n: u32, at: u32| {
            format!("BenchmarkS/n={n}-8 1 {} ns/op\n", scale * (n * n * 100 + at))
        };
        (1..=3).flat_map(|n| (0..8).map(move |at| line(n, at))).collect::<String>()
    };
    lab.write("old.txt", file(100));
    lab.write("new.txt", file(110));
    let check = ["compare", "--between", "0", "--fail-on", "worse", "old.txt", "new.txt"];
    lab.run(check).expect(1);
    let apart = lab.run([&check[..], &["--row", ".name"]].concat()).expect(1);
    has(&apart.stderr, &["*/n=3-8, S, sec/op, new.txt: ratio 1.100"]);
    lab.run([&check[..], &["--row", ".name", "--ignore", ".fullname"]].concat()).expect(0);
}

/// Would catch a filter by a unit that is not there, without a word on those that are.
#[test]
fn a_unit_that_is_not_there_lists_those_that_are() {
    let lab = Lab::new();
    lab.write("a.txt", "BenchmarkX 1 5 ns/op 7 size-B\n");
    let ended = lab.run(["compare", "--filter", ".unit:size", "a.txt"]).expect(2);
    has(&ended.stderr, &["units in the data: sec/op, size-B"]);
}

/// The labels and centres of the rows of a table.
fn rows(lab: &Lab, arguments: &[&str]) -> Vec<(String, f64)> {
    let document = lab.json([&["compare", "--json"], arguments].concat());
    let rows = document["tables"][0]["rows"].as_array().unwrap().clone();
    let row = |row: &serde_json::Value| {
        let label = |key: &str| row["labels"][key].as_str().unwrap_or("-").to_owned();
        let cell = row["cells"].as_array().unwrap().iter().find(|cell| !cell.is_null()).unwrap();
        let name = format!("{} {}", label(".name"), label("/gomaxprocs"));
        (name, (cell["median"].as_f64().unwrap() * 1e9).round())
    };
    rows.iter().map(row).collect()
}

/// Would catch names that end in a number by nature, or one benchmark on several processors, in one cell once their
/// numbers are left out.
#[test]
fn names_with_different_numbers_are_never_pooled() {
    let lab = Lab::new();
    let results = |names: &[(&str, u32)]| -> String {
        names.iter().map(|(name, ns)| format!("Benchmark{name}\t10\t{ns} ns/op\n")).collect()
    };
    lab.write(
        "a.txt",
        results(&[("Array-16", 100), ("Array-32", 200), ("Other", 300), ("Array-16", 100)]),
    );
    let apart = [("Array 16", 100.0), ("Array 32", 200.0), ("Other -", 300.0)];
    let apart = apart.map(|(name, centre)| (name.to_owned(), centre));
    assert_eq!(rows(&lab, &["--row", ".name", "a.txt"]), apart);
    assert_eq!(rows(&lab, &["--row", ".name", "a.txt", "b=a.txt"]), apart);
    // Ignored on purpose they are one, and so they are in benchstat.
    assert_eq!(rows(&lab, &["--row", ".name", "--ignore", "/gomaxprocs", "a.txt"]).len(), 2);
    let benchstat =
        lab.run(["compare", "--style", "benchstat", "--row", ".name", "a.txt"]).expect(0);
    has(&benchstat.stdout, &["benchmarks vary in .fullname"]);
    assert!(!benchstat.stdout.contains("Array 16"), "{}", benchstat.stdout);

    lab.write("cpu.txt", results(&[("A/n=1", 100), ("A/n=1-2", 60), ("A/n=1-4", 40)]));
    let labelled = [("A -", 100.0), ("A 2", 60.0), ("A 4", 40.0)];
    let labelled = labelled.map(|(name, centre)| (name.to_owned(), centre));
    assert_eq!(rows(&lab, &["--row", ".name", "cpu.txt"]), labelled);
    let shown = lab.done(["compare", "cpu.txt", "b=cpu.txt"]);
    has(&shown, &["A/n=1 ", "A/n=1-2 ", "A/n=1-4 "]);
}

/// Would catch a name that a record takes apart and does not put together again.
#[test]
fn written_names_come_back_from_a_record() {
    let lab = Lab::new();
    let names = [
        "A",
        "A-8",
        "A-08",
        "A-1",
        "-8",
        "A--8",
        "A-8-8",
        "A/b-8",
        "A/b-8/c",
        "A/b-8/c-16",
        "A/n=-8",
        "A/n=1-4",
        "A/",
        "A/-8",
        "A//b",
        "A=1-2",
        "Ä-2",
    ];
    let text: String =
        names.iter().map(|name| format!("Benchmark{name}\t10\t100 ns/op\n")).collect();
    lab.write("a.txt", &text);
    lab.write("a.jsonl", lab.done(["convert", "--to", "etalon", "a.txt"]));
    assert_eq!(lab.done(["convert", "--to", "go", "a.jsonl"]), text);
    assert_eq!(lab.done(["convert", "--to", "go", "a.txt"]), text);
}

/// Would catch text in an encoding that is refused as something it is not, or read as nothing.
#[test]
fn utf16_is_read_by_its_mark_and_refused_without() {
    let lab = Lab::new();
    let go = "goos: linux\nBenchmarkÄ-8\t10\t100 ns/op\nPASS\n".to_owned();
    lab.write("go", &go);
    let record = lab.done(["convert", "--to", "etalon", "go"]);
    let hyperfine = r#"{"results":[{"command":"ä","times":[0.5,0.25]}]}"#.to_owned();
    let bestguess =
        "Command,User time (us),System time (us),Wall clock (us)\nä,1,2,3\nä,2,3,4\n".to_owned();
    for (name, text) in
        [("go", go), ("record", record), ("hyperfine", hyperfine), ("bestguess", bestguess)]
    {
        lab.write("plain", &text);
        let plain = lab.done(["report", "plain", "--json"]);
        let units =
            |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
        let (little, big) = (units(u16::to_le_bytes), units(u16::to_be_bytes));
        for marked in [
            [&b"\xff\xfe"[..], &little].concat(),
            [&b"\xfe\xff"[..], &big].concat(),
            [&b"\xef\xbb\xbf"[..], text.as_bytes()].concat(),
        ] {
            lab.write("plain", marked);
            assert_eq!(lab.done(["report", "plain", "--json"]), plain, "{name}");
        }
        for (unmarked, encoding) in [(little, "UTF-16LE"), (big, "UTF-16BE")] {
            lab.write("unmarked", unmarked);
            for from in ["auto", "go", "bestguess", "hyperfine", "etalon"] {
                let ended = lab.run(["report", "unmarked", "--from", from]).expect(2);
                let remedy = format!("iconv -f {encoding} -t UTF-8");
                has(&ended.stderr, &["unmarked is UTF-16", "without a byte order mark", &remedy]);
            }
        }
    }
}

/// Would catch `go test`'s own kill, a minute after -timeout, that is told as an exit code and nothing else.
#[test]
fn a_test_that_go_kills_ran_too_long() {
    let lab = Lab::new();
    let results: String = (0..6).map(|n| format!("BenchmarkB-4 100 10{n} ns/op\n")).collect();
    lab.write(
        "killed.txt",
        format!(
            "pkg: ex/p\nBenchmarkA-4 1 41134279062 ns/op\nBenchmarkA-4 \tSIGQUIT: quit\nPC=0x7ff8 m=0 sigcode=0\n\n\
             *** Test killed with quit: ran too long (11m0s).\nexit status 2\nFAIL\tex/p\t660.316s\n\
             pkg: ex/q\n{results}PASS\nok  \tex/q\t2.000s\nFAIL\n"
        ),
    );
    let shown = lab.done(["compare", "killed.txt", "killed.txt"]);
    let said = crate::support::joined("ex/p timed out: `ran too long (11m0s).`");
    has(&crate::support::joined(&shown), &[&said]);
    assert!(!shown.contains("exit status 2"), "{shown}");
}

/// Would catch a remark for every `PASS` and `ok` of a file, which has them once a package.
#[test]
fn what_go_prints_around_results_is_no_remark() {
    let lab = Lab::new();
    let package = |at: u32| -> String {
        let line = |i: u32| format!("BenchmarkA-4 \t100\t{} ns/op\n", 1_000 + i);
        let lines: String = (0..6).map(line).collect();
        format!(
            "goos: linux\npkg: ex/p{at}\ncpu: Example 9000\n{lines}PASS\nok  \tex/p{at}\t1.203s\n"
        )
    };
    for name in ["a.txt", "b.txt"] {
        lab.write(name, (0..20).map(package).collect::<String>());
    }
    for style in ["benchstat", "etalon"] {
        let ended = lab.run(["compare", "--style", style, "a.txt", "b.txt"]).expect(0);
        assert_eq!(ended.stderr, "", "{style}");
    }
}
