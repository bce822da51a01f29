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
    let pooled = lab.run([&check[..], &["--row", ".name"]].concat()).expect(2);
    has(&pooled.stderr, &["--fail-on: ", "differ in .fullname", "--ignore .fullname"]);
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
