//! `etalon compare --style benchstat` against the real benchstat: the same bytes over a corpus of inputs
//! made for this project (`tests/benchstat/`, remade by `remake.sh`), and on purpose other ones where
//! benchstat is wrong.
//!
//! Would catch any change of a number, a test, a note, an order, a width or a quoted field.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::Lab;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/benchstat")
}

/// A case: its name, and what both programs are called with.
fn cases() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(corpus().join("cases")).unwrap();
    let paragraph = |paragraph: &str| {
        let lines = paragraph.lines().filter(|line| !line.starts_with('#'));
        let mut lines =
            lines.map(|line| if line == "''" { String::new() } else { line.to_owned() });
        Some((lines.next()?, lines.collect()))
    };
    text.split("\n\n").filter_map(paragraph).collect()
}

fn benchstat(lab: &Lab, arguments: &[String]) -> Output {
    let all = ["compare", "--style", "benchstat"].map(str::to_owned).into_iter();
    let mut command = lab.etalon(all.chain(arguments.iter().cloned()));
    command.current_dir(corpus().join("inputs")).output().unwrap()
}

/// What CSV says about fields; other lines on standard error are about lines of the input, in etalon's
/// words.
fn warnings(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let is_warning = |line: &&str| {
        let place = line.split(": ").next().unwrap_or_default();
        let digits = place.trim_start_matches(|c: char| c.is_ascii_uppercase());
        digits.len() < place.len()
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
    };
    text.lines().filter(is_warning).map(|line| format!("{line}\n")).collect()
}

/// What benchstat would print of a case had it the right p where it has not
/// ([`p_does_not_depend_on_which_side_is_the_base`]): nothing else may be different.
fn corrected(name: &str, theirs: &str) -> Option<String> {
    let path = corpus().join("corrected").join(format!("{name}.out"));
    let corrected = std::fs::read_to_string(path).ok()?;
    // Up to the change, and what stands behind p.
    let rest = |line: &str| {
        let Some((before, p)) = line.split_once("(p=") else {
            return [line, ""].map(str::to_owned);
        };
        let cells = before.trim_end().rsplit_once(' ').map_or("", |(cells, _)| cells);
        let sizes = p.split_once(' ').map_or("", |(_, sizes)| sizes);
        [cells.trim_end(), sizes].map(str::to_owned)
    };
    assert_ne!(corrected, theirs, "{name} needs no correction");
    assert_eq!(corrected.lines().count(), theirs.lines().count(), "{name}");
    for (ours, theirs) in corrected.lines().zip(theirs.lines()) {
        assert_eq!(rest(ours), rest(theirs), "{name}");
    }
    Some(corrected)
}

#[test]
fn the_corpus_is_printed_as_benchstat_prints_it() {
    let (lab, cases) = (Lab::new(), cases());
    assert!(cases.len() >= 100, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for (name, arguments) in &cases {
        let printed = benchstat(&lab, arguments);
        let expected = corpus().join("expected");
        let text = std::fs::read_to_string(expected.join(format!("{name}.out"))).unwrap();
        let text = corrected(name, &text).unwrap_or(text);
        let said = std::fs::read_to_string(expected.join(format!("{name}.warnings")));
        assert!(!text.is_empty(), "{name} expects nothing");
        let found = String::from_utf8_lossy(&printed.stdout);
        let said_right = warnings(&printed.stderr) == said.unwrap_or_default();
        if found != text || !said_right || printed.status.code() != Some(0) {
            let line = found.lines().zip(text.lines()).find(|(a, b)| a != b);
            wrong.push(format!("{name}: {line:?} {}", String::from_utf8_lossy(&printed.stderr)));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// benchstat leaves `0 ns/op` in that unit and makes another table of it. Here it is where it would be had
/// it been written in seconds.
#[test]
fn a_zero_stays_in_its_neighbours_table() {
    let lab = Lab::new();
    let lines = |unit: &str, scale: f64| -> String {
        let value = |v: u32| format!("BenchmarkZ 1 {} {unit}\n", f64::from(v) * scale);
        (0..7).map(value).collect()
    };
    lab.write("ns.txt", lines("ns/op", 1e9));
    lab.write("sec.txt", lines("sec/op", 1.0));
    let print = |name: &str| lab.done(["compare", "--style", "benchstat", &format!("x={name}")]);
    let printed = print("ns.txt");
    assert_eq!(printed, print("sec.txt"));
    assert_eq!(printed.matches("/op").count(), 1, "{printed}");
}

/// With ties in samples of different sizes benchstat prints p = 1.800, p = 1.200 and a difference of -40.00% from
/// one value: it takes the second sample's U for one of the first's. Here p is that of the other order, and of
/// all ways to deal the values, with SciPy's U of each (twice the smaller tail): 1/10, doubled.
#[test]
fn p_does_not_depend_on_which_side_is_the_base() {
    let lab = Lab::new();
    let values = |values: &[(usize, u32)]| -> String {
        let line = |ns: u32| format!("BenchmarkA 1 {ns} ns/op\n");
        values.iter().map(|(n, ns)| line(*ns).repeat(*n)).collect()
    };
    lab.write("nine", values(&[(9, 100)]));
    lab.write("three", values(&[(3, 60)]));
    lab.write("low", values(&[(1, 60)]));
    lab.write("high", values(&[(1, 160)]));
    lab.write("mixed", values(&[(5, 100), (4, 60)]));
    lab.write("one", values(&[(1, 100)]));
    for (base, other, expected) in [
        ("nine", "low", "~ (p=0.200 n=9+1)"),
        ("low", "nine", "~ (p=0.200 n=1+9)"),
        ("high", "nine", "~ (p=0.200 n=1+9)"),
        ("nine", "high", "~ (p=0.200 n=9+1)"),
        ("nine", "three", "-40.00% (p=0.009 n=9+3)"),
        ("three", "nine", "+66.67% (p=0.009 n=3+9)"),
        ("mixed", "one", "~ (p=1.000 n=9+1)"),
        ("one", "mixed", "~ (p=1.000 n=1+9)"),
    ] {
        let printed = lab.done(["compare", "--style", "benchstat", base, other]);
        assert!(printed.contains(expected), "{base} {other}: {printed}");
    }
}

/// benchstat prints its error and exits 0 for all of these, after the table of the file that was there.
#[test]
fn what_is_not_there_is_an_error_and_no_result() {
    let lab = Lab::new();
    lab.write("a.txt", "BenchmarkA 1 5 ns/op\n");
    lab.write("empty.txt", "");
    lab.write("nothing.txt", "PASS\nok\n");
    for style in ["etalon", "benchstat"] {
        for (arguments, what) in [
            (&["a.txt", "missing.txt"][..], "missing.txt"),
            (&["missing.txt", "a.txt"], "missing.txt"),
            (&["a.txt", "empty.txt"], "empty.txt"),
            (&["nothing.txt"], "nothing.txt"),
            (&["--filter", ".name:B", "a.txt"], "nothing passes"),
            (&["--filter", "a:(b", "a.txt"], "^"),
            (&["--row", ".name@", "a.txt"], "^"),
            (&["--row", "flavour", "a.txt"], "flavour"),
            (&["--filter", "flavour:x", "a.txt"], "flavour"),
            (&["--confidence", "2", "a.txt"], "--confidence"),
        ] {
            let all = [&["compare", "--style", style], arguments].concat();
            let ended = lab.run(all);
            assert_eq!(ended.code, Some(2), "{arguments:?}: {}", ended.stderr);
            assert_eq!(ended.stdout, "", "{arguments:?}");
            assert!(ended.stderr.contains(what), "{arguments:?}: {}", ended.stderr);
        }
    }
}
