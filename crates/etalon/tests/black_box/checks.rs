//! Checks of `etalon compare`: what each asks for, what each exit code says, and that none passes on inputs that
//! are broken or incomplete.

use serde_json::json;

use crate::support::{Lab, has, joined, referred};

/// One benchmark's results of `go test`: `values` of each reading, `scale` times those of the same call with 1.
fn lines(name: &str, scale: f64, rest: &str) -> String {
    let value = |i: i32| 100.0 * scale * (1.0 + 0.002 * f64::from(i % 5) + 0.0001 * f64::from(i));
    let line = |i: i32| format!("Benchmark{name}-8 \t      10\t{:9.3} ns/op{rest}\n", value(i * 7));
    (0..12).map(line).collect()
}

/// The header of a package.
fn header(package: &str) -> String {
    format!("goos: linux\ngoarch: amd64\npkg: {package}\ncpu: One\n")
}

/// A package that passed.
fn package(name: &str, results: &str) -> String {
    format!("{}{results}PASS\nok  \t{name}\t1.203s\n", header(name))
}

const MEMORY: &str = "\t      64 B/op\t       2 allocs/op";

/// What a check is made against: two benchmarks with memory in one package, one in another.
fn base() -> String {
    let first = lines("A", 1.0, MEMORY) + &lines("B", 3.0, MEMORY);
    package("example.org/a", &first) + &package("example.org/b", &lines("C", 2.0, MEMORY))
}

/// The base with one text in place of another.
fn with(from: &str, to: &str) -> Vec<u8> {
    assert!(base().contains(from), "{from}");
    base().replacen(from, to, 1).into_bytes()
}

/// The base up to a text, and what follows instead.
fn up_to(text: &str, rest: &str) -> Vec<u8> {
    let base = base();
    format!("{}{rest}", &base[..base.rfind(text).unwrap()]).into_bytes()
}

/// The last result line of a benchmark in the base.
fn last_line(name: &str) -> String {
    let base = base();
    let mut lines = base.lines().filter(|line| line.starts_with(&format!("Benchmark{name}-8")));
    format!("{}\n", lines.next_back().unwrap())
}

fn utf_16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// A hyperfine document of twelve runs.
fn hyperfine(times: &str, codes: &str) -> String {
    format!(r#"{{"results":[{{"command":"job","times":[{times}],"exit_codes":[{codes}]}}]}}"#)
}

fn times(n: usize) -> String {
    (0..n).map(|i| format!("0.1{:02}", i * 7 % 12)).collect::<Vec<_>>().join(",")
}

fn codes(bad: usize, code: i32) -> String {
    let codes: Vec<String> = (0..12).map(|i| if i < bad { code } else { 0 }.to_string()).collect();
    codes.join(",")
}

/// The same check of everything that is broken: the base is whole, the other data set is not (or the check is
/// misspelt). Each: how it is broken, the exit code, words of the reason.
#[allow(clippy::too_many_lines, reason = "a table")]
fn broken() -> Vec<(&'static str, Vec<u8>, i32, &'static str)> {
    let closing = "PASS\nok  \texample.org/b\t1.203s\n";
    let fail = |what: &str| format!("{what}FAIL\texample.org/b\t0.011s\nFAIL\n");
    let without = |unit: &str| base().replace(unit, "").into_bytes();
    let few = |n: usize| -> Vec<u8> {
        let mut seen = std::collections::HashMap::new();
        let base = base();
        let kept = base.lines().filter(|line| {
            let name = line.split_whitespace().next().unwrap_or_default().to_owned();
            !name.starts_with("Benchmark")
                || *seen.entry(name).and_modify(|n| *n += 1).or_insert(1) <= n
        });
        kept.map(|line| format!("{line}\n")).collect::<String>().into_bytes()
    };
    let all = |number: &str| -> Vec<u8> {
        let line = |line: &str| match line.split_once('\t') {
            Some((name, _)) if name.starts_with("BenchmarkC") => {
                format!("{name}\t10\t{number} ns/op\t64 B/op\t2 allocs/op\n")
            }
            _ => format!("{line}\n"),
        };
        base().lines().map(line).collect::<String>().into_bytes()
    };
    let one = |from: &str, to: &str| with(&last_line("C"), &last_line("C").replace(from, to));
    vec![
        ("an empty file", vec![], 2, "no results in it"),
        ("binary junk", vec![0x7f, b'E', 0, 0xff, 0xfe, 7, b'\n', 0x80, 9], 2, "no results in it"),
        ("text of another kind", b"hello\nworld\n".to_vec(), 2, "no results in it"),
        ("only a header", header("example.org/a").into_bytes(), 2, "no results in it"),
        (
            "nothing was built",
            b"# example.org/a\n./a.go:5:2: undefined: y\nFAIL\texample.org/a [build failed]\nFAIL\n".to_vec(),
            2,
            "example.org/a has no results: build failed",
        ),
        ("a half of UTF-16", utf_16(&base())[..901].to_vec(), 1, "example.org/a has no closing"),
        (
            "one package was not built",
            up_to("goos", "FAIL\texample.org/b [build failed]\nFAIL\n"),
            1,
            "example.org/b has no results: build failed",
        ),
        (
            "a panic in lines of its own",
            with(closing, &fail("panic: boom\n\ngoroutine 7 [running]:\nexit status 2\n")),
            1,
            "b.txt:47: example.org/b panicked: `panic: boom`",
        ),
        (
            "a panic behind a name",
            with(closing, "BenchmarkD-8 \tpanic: boom\n\ngoroutine 7 [running]:\n"),
            1,
            "BenchmarkD-8 of example.org/b panicked: `panic: boom`",
        ),
        (
            "a deadlock",
            with(closing, &fail("fatal error: all goroutines are asleep - deadlock!\nexit status 2\n")),
            1,
            "panicked: `fatal error: all goroutines",
        ),
        (
            "a timeout of go test",
            with(closing, &fail("panic: test timed out after 10m0s\nexit status 2\n")),
            1,
            "timed out",
        ),
        (
            "a benchmark that failed",
            with(closing, &fail("--- FAIL: BenchmarkD\n    b_test.go:5: oh\nFAIL\nexit status 1\n")),
            1,
            "BenchmarkD of example.org/b failed",
        ),
        (
            "a benchmark that failed behind its name",
            with(&last_line("B"), "BenchmarkB-8 \t--- FAIL: BenchmarkB-8\n"),
            1,
            "BenchmarkB-8 of example.org/a failed",
        ),
        (
            "a test that failed before the benchmarks",
            up_to("goos", "--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.org/b\t0.011s\nFAIL\n"),
            1,
            "example.org/b failed",
        ),
        ("an exit status", with(closing, &fail("exit status 3\n")), 1, "ended with exit status 3"),
        (
            "an exit status behind PASS",
            with(closing, &fail("PASS\nbye\nexit status 1\n")),
            1,
            "ended with exit status 1",
        ),
        ("a signal", with(closing, &fail("signal: killed\n")), 1, "was ended by a signal: killed"),
        (
            "a fault that package testing names",
            with(closing, &format!("testing: BenchmarkC-8 left GOMAXPROCS set to 1\n{closing}")),
            1,
            "is faulted by its harness: `testing: BenchmarkC-8 left",
        ),
        ("FAIL alone", with(closing, "FAIL\n"), 1, "example.org/b failed"),
        ("cut before PASS", up_to(closing, ""), 1, "example.org/b has no closing `PASS`"),
        (
            "cut before PASS in the middle",
            with("PASS\nok  \texample.org/a\t1.203s\n", ""),
            1,
            "example.org/a has no closing `PASS`",
        ),
        ("cut behind a header", up_to("BenchmarkC", "").into_iter().collect(), 1, "example.org/b"),
        ("cut within a number", up_to(" ns/op", ""), 1, "no unit behind"),
        ("cut within a unit", up_to("s/op", ""), 1, "example.org/b has no closing"),
        (
            "lines chosen by hand, cut within a unit",
            {
                let text = String::from_utf8(up_to("locs/op", "")).unwrap();
                let chosen = text.lines().filter(|line| line.starts_with("Bench"));
                chosen.collect::<Vec<_>>().join("\n").into_bytes()
            },
            1,
            "breaks off within its line",
        ),
        ("a torn result", one("10\t", "WARN\t"), 1, "do not follow"),
        ("a count beyond 64 bits", one(" 10\t", " 99999999999999999999\t"), 1, "64 bits"),
        ("no benchmark of the base", base().replace("Benchmark", "BenchmarkX").into_bytes(), 1, "missing: "),
        ("a row is gone", base().replace("BenchmarkB", "# B").into_bytes(), 1, "missing: example.org/a, B-8"),
        ("a package is gone", up_to("goos", ""), 1, "missing: example.org/b, sec/op"),
        ("a unit is gone", without(MEMORY), 1, "missing: example.org/a, B/op"),
        ("one value of each", few(1), 3, "not enough data: needs at least 3"),
        ("too few values for nine rows", few(2), 3, "needs at least 5 for 9 comparisons"),
        ("NaN in place of a time", all("NaN"), 1, "missing: example.org/b, sec/op"),
        ("one infinity", one(last_line("C").split('\t').nth(2).unwrap(), "+Inf ns/op"), 1, "`+Inf` ns/op: not available"),
        ("times below 0", all("-5"), 1, "a value below 0 sec/op"),
        ("a time that never changes, and is longer", all("250"), 1, "ratio 1.240"),
        ("worse", base().replace(&lines("B", 3.0, MEMORY), &lines("B", 3.5, MEMORY)).into_bytes(), 1, "ratio 1.167"),
        ("more memory", base().replace("64 B/op", "72 B/op").into_bytes(), 1, "B/op, b.txt: ratio 1.125"),
    ]
}

/// Would catch a gate that passes on what is missing, broken or unsettled; the base against itself does pass.
#[test]
fn no_broken_input_passes() {
    let lab = Lab::new();
    lab.write("a.txt", base());
    lab.write("b.txt", base());
    lab.run(["compare", "--quiet", "--fail-on", "worse", "a.txt", "b.txt"]).expect(0);
    let cases = broken();
    assert!(cases.len() >= 30, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for (how, text, code, words) in cases {
        lab.write("b.txt", text);
        for strict in [&[][..], &["--strict"]] {
            let check = ["compare", "--quiet", "--fail-on", "worse", "a.txt", "b.txt"];
            let ended = lab.run([&check[..], strict].concat());
            let code =
                if strict.is_empty() { ended.code == Some(code) } else { ended.code != Some(0) };
            if !code || (strict.is_empty() && !ended.stderr.contains(words)) {
                wrong.push(format!("{how} {strict:?}: {:?}\n{}", ended.code, ended.stderr));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Sources of every format that are whole, broken, or none.
fn write_sources(lab: &Lab) {
    lab.write("a.txt", base());
    lab.write(
        "nothing.txt",
        with("PASS\nok  \texample.org/b", "FAIL\nexit status 1\nFAIL\texample.org/b"),
    );
    lab.write("zero.txt", lines("A", 1.0, "\t0 B/op"));
    lab.write("some.txt", lines("A", 1.0, "\t16 B/op"));
    std::fs::create_dir(lab.path("directory")).unwrap();
    let ok = hyperfine(&times(12), &codes(0, 0));
    lab.write("ok.json", &ok);
    lab.write("killed.json", hyperfine(&times(12), &codes(4, 137)));
    lab.write("all.json", hyperfine(&times(12), &codes(12, 127)));
    lab.write("null.json", hyperfine(&times(12).replace("0.104", "null"), &codes(0, 0)));
    lab.write("none.json", hyperfine("", ""));
    let second = ok.replace("job", "second");
    let two = ok.replace("]}]}", "]},") + second.split_once('[').unwrap().1;
    lab.write("two.json", &two);
    lab.write("torn.json", &two[..two.len() - 60]);
    lab.run(["cmd", "-r", "12", "--quiet", "-o", "whole.jsonl", "true"]).expect(0);
    let record = String::from_utf8(lab.read("whole.jsonl")).unwrap();
    lab.write("torn.jsonl", &record[..record.rfind("\"values\"").expect("an observation")]);
    let failed =
        |line: &str| line.replacen("\"values\"", "\"outcome\":{\"failed\":1},\"values\"", 1);
    let partial = record.lines().filter(|line| !line.contains("\"type\":\"end\"")).enumerate();
    let partial: String = partial
        .map(|(at, line)| match line.contains("\"observation\"") && at % 3 == 0 {
            true => format!("{}\n", failed(line)),
            false => format!("{line}\n"),
        })
        .collect();
    lab.write("some.jsonl.partial", partial);
    lab.run(["cmd", "-r", "12", "--quiet", "-o", "whole.csv", "true"]).expect(0);
    let csv = String::from_utf8(lab.read("whole.csv")).unwrap();
    let rows = csv.lines().enumerate().map(|(at, line)| match at {
        0 => format!("{line}\n"),
        _ => "true,,,x,y,z\n".to_owned(),
    });
    lab.write("refused.csv", rows.collect::<String>());
}

/// The other order: what is wrong with the base, and with other formats and files that are none.
#[test]
fn no_broken_source_passes() {
    let lab = Lab::new();
    write_sources(&lab);
    let cases: &[(&[&str], i32, &str)] = &[
        (&["a.txt", "missing.txt"], 2, "missing.txt"),
        (&["missing.txt", "a.txt"], 2, "missing.txt"),
        (&["a.txt", "directory"], 2, "directory"),
        (&["a.txt", "/dev/null"], 2, "/dev/null"),
        (&["a.txt"], 1, "nothing was compared"),
        (&["nothing.txt", "a.txt"], 1, "example.org/b ended with exit status 1"),
        (&["zero.txt", "some.txt"], 1, "A-8, B/op, some.txt"),
        (&["ok.json", "killed.json"], 1, "4 of 12 executions failed"),
        (&["ok.json", "all.json"], 2, "no results in it"),
        (&["ok.json", "null.json"], 1, "wall is null"),
        (&["ok.json", "none.json"], 2, "no results in it"),
        (&["ok.json", "torn.json"], 1, "everything from there is left out"),
        (&["two.json", "torn.json"], 1, "missing: second"),
        (&["ok.json", "a.txt"], 1, "missing: "),
        (&["whole.jsonl", "torn.jsonl"], 1, "torn.jsonl: line "),
        (&["whole.jsonl", "some.jsonl.partial"], 1, "executions failed"),
        (&["whole.csv", "refused.csv"], 2, "refused.csv"),
        (&["@nosuch", "a.txt"], 2, "nosuch"),
    ];
    let mut wrong = Vec::new();
    for (data, code, words) in cases {
        let ended = lab.run([&["compare", "--quiet", "--fail-on", "worse"], *data].concat());
        if ended.code != Some(*code) || !ended.stderr.contains(words) {
            wrong.push(format!("{data:?}: {:?}\n{}", ended.code, ended.stderr));
        }
    }
    let fifo = "mkfifo f; : > f 2> /dev/null & \"$E\" compare --fail-on worse a.txt f; \
                code=$?; kill $! 2> /dev/null; exit $code";
    let ended = lab.shell(fifo).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    if ended.status.code() != Some(2) || !said.contains("no results in it") {
        wrong.push(format!("a FIFO that closes empty: {:?}\n{said}", ended.status));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files that nobody may read. Would catch an error that is taken for an empty file.
#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::new();
    lab.write("a.txt", base());
    let locked = lab.write("locked.txt", base());
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    // Root reads everything while it has these two capabilities.
    let without = "setpriv --bounding-set -dac_override,-dac_read_search";
    let script = format!(
        "[ -r locked.txt ] && set -- {without}; exec \"$@\" \"$E\" compare --fail-on worse a.txt locked.txt"
    );
    let ended = crate::support::Running::start(lab.shell(&script)).end().expect(2);
    has(&ended.stderr, &["locked.txt", "Permission denied"]);
}

/// Misspelt checks are usage errors that say the right spelling.
#[test]
fn misspelt_checks_are_refused() {
    let lab = Lab::new();
    lab.write("a.txt", lines("A", 1.0, "\t5 widgets"));
    let cases: &[(&[&str], &str)] = &[
        (&["--fail-on", "slow"], "[UNIT:]worse[:P]"),
        (&["--fail-on", "faster"], "[UNIT:]worse[:P]"),
        (&["--fail-on", "sec/op:5%"], "[UNIT:]worse[:P]"),
        (&["--fail-on", "worse:5"], "such as 2%"),
        (&["--fail-on", "worse:fast"], "such as 2%"),
        (
            &["--fail-on", "allocs/op:worse"],
            "no such unit in what is compared; there are sec/op, widgets",
        ),
        (&["--fail-on", "widgets:worse"], "add `Unit widgets better=lower`"),
        (&["--new", "fail"], "add --fail-on worse"),
        (&["--new", "never", "--fail-on", "worse"], "never"),
    ];
    for (check, words) in cases {
        let ended = lab.run([&["compare"], *check, &["a.txt", "b=a.txt"]].concat()).expect(2);
        has(&ended.stderr, &[words]);
        assert_eq!(ended.stdout, "", "{check:?}");
    }
}

/// Each part of the grammar fails what it is about, and nothing else.
#[test]
fn checks_are_about_units_and_shares() {
    let lab = Lab::new();
    lab.write("a.txt", lines("A", 1.0, MEMORY) + &lines("B", 1.0, MEMORY));
    let slow = lines("A", 1.0, MEMORY) + &lines("B", 1.1, MEMORY);
    lab.write("slow.txt", &slow);
    lab.write("big.txt", lines("A", 1.0, MEMORY) + &lines("B", 1.0, "\t68 B/op\t3 allocs/op"));
    let code = |checks: &[&str], new: &str| {
        let checks = checks.iter().flat_map(|check| ["--fail-on", check]);
        let all = ["compare", "--quiet", "--between", "0"].into_iter().chain(checks);
        lab.run(all.chain(["a.txt", new])).code.unwrap()
    };
    for (checks, new, expected) in [
        (&["worse"][..], "slow.txt", 1),
        (&["slower"], "slow.txt", 1),
        (&["ns/op:worse"], "slow.txt", 1),
        (&["sec/op:worse"], "slow.txt", 1),
        (&["sec/op:worse:5%"], "slow.txt", 1),
        (&["sec/op:worse:20%"], "slow.txt", 0),
        (&["worse:20%"], "slow.txt", 0),
        (&["B/op:worse", "allocs/op:worse"], "slow.txt", 0),
        // Of a unit that is named, what is said of it holds.
        (&["worse", "sec/op:worse:20%"], "slow.txt", 0),
        (&["worse:20%", "sec/op:worse"], "slow.txt", 1),
        (&["worse"], "big.txt", 1),
        (&["sec/op:worse"], "big.txt", 0),
        (&["allocs/op:worse"], "big.txt", 1),
        (&["B/op:worse:10%", "allocs/op:worse:100%"], "big.txt", 0),
        (&["B/op:worse:5%"], "big.txt", 1),
    ] {
        assert_eq!(code(checks, new), expected, "{checks:?} {new}");
    }
    // Faster is not worse, and the table's words are those of the check.
    let five = ["compare", "--fail-on", "worse:5%", "--between", "0", "slow.txt", "a.txt"];
    let ended = lab.run(five).expect(0);
    has(&ended.stdout, &["faster"]);
    let twenty =
        ["compare", "--fail-on", "sec/op:worse:20%", "--between", "0", "a.txt", "slow.txt"];
    let ended = lab.run(twenty).expect(0);
    let times = ended.stdout.split("B/op").next().unwrap().to_owned();
    assert!(!times.contains("slower") && times.contains("same"), "{}", ended.stdout);
}

/// A check that failed for want of clear data is told from one that found something worse.
#[test]
fn unclear_is_another_exit_code_than_worse() {
    let lab = Lab::new();
    let wide = |name: &str, at: usize| -> String {
        let value = |i: usize| 100.0 * (1.0 + 0.2 * ((i * 7 + at) % 12) as f64 / 12.0);
        (0..12).map(|i| format!("Benchmark{name}-8 10 {:.1} ns/op\n", value(i))).collect()
    };
    lab.write("a.txt", wide("A", 0) + &lines("B", 1.0, ""));
    lab.write("b.txt", wide("A", 5) + &lines("B", 1.0, ""));
    lab.write("slow.txt", wide("A", 5) + &lines("B", 1.2, ""));
    let check = |checks: &[&str], new: &str| {
        let checks = checks.iter().flat_map(|check| ["--fail-on", check]);
        lab.run(["compare", "--between", "0"].into_iter().chain(checks).chain(["a.txt", new]))
    };
    let passed = check(&["worse"], "b.txt").expect(0);
    has(&joined(&passed.stdout), &["unclear,which`worse`passes:1of2rows"]);
    let unclear = check(&["unclear"], "b.txt").expect(3);
    has(&unclear.stderr, &["--fail-on unclear: A-8, sec/op, b.txt"]);
    check(&["unclear", "worse"], "b.txt").expect(3);
    check(&["unclear", "worse"], "slow.txt").expect(1);
    check(&["unclear"], "slow.txt").expect(3);
}

/// Two files alike have nothing unclear, also where nothing is allocated, if their times are known to be interleaved.
/// Else their times are: one run a side cannot show sameness.
#[test]
fn nothing_is_unclear_about_a_file_and_itself() {
    let lab = Lab::new();
    lab.write("a.txt", lines("A", 1.0, "\t0 B/op\t0 allocs/op") + &lines("B", 1.0, MEMORY));
    let code = |check: &str, more: &[&str]| {
        let all =
            [&["compare", "--quiet", "--fail-on", check], more, &["a.txt", "b=a.txt"]].concat();
        lab.run(all).code
    };
    for (check, alone) in [("unclear", 3), ("worse", 0)] {
        assert_eq!(code(check, &["--between", "0"]), Some(0), "{check}");
        assert_eq!(code(check, &["--filter", ".unit:B/op"]), Some(0), "{check}");
        assert_eq!(code(check, &[]), Some(alone), "{check}");
    }
    lab.write("constant.txt", "BenchmarkA-8 10 0.2500 ns/op\n".repeat(8));
    let same = ["compare", "--fail-on", "worse", "constant.txt", "b=constant.txt"];
    lab.run(same).expect(0);
}

/// Units by their names, and those that no name gives a direction.
#[test]
fn units_without_a_direction_are_named() {
    let lab = Lab::new();
    let file = |p99: f64, rate: f64, widgets: f64| -> String {
        let line = |i: u32| {
            let noise = 1.0 + 0.001 * f64::from(i * 7 % 12);
            format!(
                "BenchmarkA-8 10 {:.2} ns/op {:.1} p99-ns {:.1} req/s {:.2} widgets\n",
                100.0 * noise,
                p99 * noise,
                rate * noise,
                widgets * noise
            )
        };
        (0..12).map(line).collect()
    };
    lab.write("a.txt", file(500.0, 900.0, 10.0));
    let check = |p99, rate, widgets| {
        lab.write("b.txt", file(p99, rate, widgets));
        lab.run(["compare", "--fail-on", "worse", "a.txt", "b.txt"])
    };
    has(&check(1500.0, 900.0, 10.0).expect(1).stderr, &["A-8, p99-sec, b.txt: ratio 3.000"]);
    has(&check(500.0, 300.0, 10.0).expect(1).stderr, &["A-8, req/s, b.txt: ratio 0.333"]);
    let named = check(500.0, 900.0, 40.0).expect(0);
    let note = "not checked: widgets has no direction; add `Unit widgets better=lower`";
    has(&joined(&named.stdout), &[&joined(note)]);
    let declared = format!("Unit widgets better=lower\n{}", file(500.0, 900.0, 10.0));
    lab.write("a.txt", declared);
    has(&check(500.0, 900.0, 40.0).expect(1).stderr, &["A-8, widgets, b.txt: ratio 4.000"]);
    // Where nothing has a direction nothing is checked.
    lab.write("w.txt", "BenchmarkA 1 5 widgets\n".repeat(8));
    let none = lab.run(["compare", "--fail-on", "worse", "w.txt", "v=w.txt"]).expect(1);
    has(&none.stderr, &["nothing was compared with anything in a unit that can be worse"]);
}

/// What the base lacks is new and listed; what it has and another lacks fails always.
#[test]
fn new_benchmarks_are_listed_and_vanished_ones_fail() {
    let lab = Lab::new();
    lab.write("one.txt", package("example.org/a", &lines("A", 1.0, "")));
    let two = lines("A", 1.0, MEMORY) + &lines("B", 1.0, MEMORY);
    lab.write("two.txt", package("example.org/a", &two) + &package("example.org/b", &two));
    let check = |new: &[&str], data: [&str; 2]| {
        lab.run([&["compare", "--fail-on", "worse"], new, &data].concat())
    };
    let listed = check(&[], ["one.txt", "two.txt"]).expect(0);
    let said = joined(&listed.stdout);
    for new in ["new:example.org/a,B-8,sec/op,two.txt", "new:example.org/b,sec/op,two.txt"] {
        assert!(said.contains(new), "{new} in\n{}", listed.stdout);
    }
    let refused = check(&["--new", "fail"], ["one.txt", "two.txt"]).expect(1);
    has(&refused.stderr, &["--new fail: new: example.org/a, B-8, sec/op, two.txt"]);
    for new in ["ok", "fail"] {
        let lost = check(&["--new", new], ["two.txt", "one.txt"]).expect(1);
        has(
            &lost.stderr,
            &["missing: example.org/a, B-8, sec/op, one.txt", "missing: example.org/b"],
        );
    }
    let document = lab.json(["compare", "--json", "--fail-on", "worse", "one.txt", "two.txt"]);
    let check = &document["check"];
    assert_eq!(
        [&check["passed"], &check["exit"], &check["failed"]],
        [&json!(true), &json!(0), &json!([])]
    );
    let unchecked = check["unchecked"].as_array().unwrap();
    let is_new = |it: &&serde_json::Value| it["code"] == "new";
    assert_eq!(unchecked.iter().filter(is_new).count(), 6, "{check:#}");
    let row = unchecked.iter().find(|it| it["labels"][".fullname"] == "B-8").unwrap();
    let benchmark = referred(&document["benchmarks"], &row["benchmark"]);
    assert_eq!((&benchmark["name"], &row["unit"]), (&json!("B-8"), &json!("sec/op")));
}

/// Go's names are taken as Go prints them.
#[test]
fn a_required_benchmark_may_be_called_as_in_go() {
    let lab = Lab::new();
    lab.write("a.txt", lines("Encode/format=gob", 1.0, ""));
    for name in
        ["BenchmarkEncode", "Encode", "BenchmarkEncode/format=gob-8", "BenchmarkEncode/format=gob"]
    {
        lab.run(["compare", "--quiet", "--require", name, "a.txt", "b=a.txt"]).expect(0);
    }
    lab.run(["compare", "--require", "BenchmarkEnc", "a.txt", "b=a.txt"]).expect(1);
}

/// How packages ended is in the report, with file and line; lines of a package that passed are its own.
#[test]
fn how_go_ended_is_shown() {
    let lab = Lab::new();
    let closing = "PASS\nok  \texample.org/b\t1.203s\n";
    let ending =
        "panic: boom\n\ngoroutine 7 [running]:\nexit status 2\nFAIL\texample.org/b\t0.1s\nFAIL\n";
    let failed = "--- FAIL: BenchmarkB\n    a_test.go:5: oh\n";
    let text = base().replace(closing, ending).replace(
        "PASS\nok  \texample.org/a",
        &format!("{failed}FAIL\nexit status 1\nFAIL\texample.org/a"),
    );
    lab.write("a.txt", base());
    lab.write("b.txt", &text);
    let shown = lab.run(["compare", "a.txt", "b.txt"]).expect(0);
    let said = joined(&shown.stdout);
    for part in [
        "b.txt:29: BenchmarkB of example.org/a failed",
        "b.txt:50: example.org/b panicked: `panic: boom`",
    ] {
        assert!(said.contains(&joined(part)), "{part} in\n{}", shown.stdout);
    }
    let quiet = lab.run(["compare", "--json", "a.txt", "b.txt"]).expect(0);
    has(&quiet.stderr, &["b.txt:29: ", "b.txt:50: "]);
    let report = joined(&lab.done(["report", "b.txt"]));
    for part in ["line 29: BenchmarkB of example.org/a failed", "line 50: example.org/b panicked"] {
        assert!(report.contains(&joined(part)), "{part} in\n{report}");
    }
    // A benchmark may print what it likes.
    let printed = base().replace(closing, &format!("panic: not really\nexit status 4\n{closing}"));
    lab.write("b.txt", printed);
    let shown = lab.run(["compare", "--fail-on", "worse", "a.txt", "b.txt"]).expect(0);
    assert!(!shown.stdout.contains("panic") && !shown.stderr.contains("panic"), "{shown:?}");
}

/// Conversions keep how packages ended, as far as a check is concerned.
#[test]
fn conversions_keep_how_go_ended() {
    let lab = Lab::new();
    lab.write("a.txt", base());
    lab.write("cut.txt", up_to("PASS\nok", ""));
    let panicked = "panic: boom\nexit status 2\nFAIL\texample.org/b\t0.1s\nFAIL\n";
    lab.write("panicked.txt", up_to("PASS\nok", panicked));
    lab.write(
        "failed.txt",
        with("PASS\n", "--- FAIL: BenchmarkB\nFAIL\nexit status 1\n").as_slice(),
    );
    let code = |name: &str| {
        lab.run(["compare", "--quiet", "--fail-on", "worse", "a.txt", &format!("b={name}")]).code
    };
    for (name, expected) in [("a.txt", 0), ("cut.txt", 1), ("panicked.txt", 1), ("failed.txt", 1)] {
        assert_eq!(code(name), Some(expected), "{name}");
        lab.run(["convert", "--quiet", "--force", "--to", "go", name, "-o", "again.txt"]).expect(0);
        assert_eq!(code("again.txt"), Some(expected), "{name} as Go's");
    }
    // Two runs in one file, the second of which was cut.
    lab.write("twice.txt", [base().as_bytes(), &up_to("PASS\nok", "")].concat());
    lab.run(["convert", "--quiet", "--force", "--to", "go", "twice.txt", "-o", "again.txt"])
        .expect(0);
    assert_eq!((code("twice.txt"), code("again.txt")), (Some(1), Some(1)));
    for (name, reason) in
        [("panicked", "1 of 1"), ("failed", "1 of 1"), ("cut", "no closing `PASS` or `ok`")]
    {
        let (text, record) = (format!("{name}.txt"), format!("{name}.jsonl"));
        lab.run(["convert", "--quiet", "--to", "etalon", &text, "-o", &record]).expect(0);
        lab.run(["convert", "--quiet", "--force", "--to", "etalon", "a.txt", "-o", "a.jsonl"])
            .expect(0);
        let check = ["compare", "--quiet", "--fail-on", "worse", "a.jsonl", &record];
        has(&lab.run(check).expect(1).stderr, &[reason]);
    }
}
