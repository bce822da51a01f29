//! `--checks FILE`: thresholds and waivers per benchmark, which hold as the base's revision has them.

use crate::ab::{ab, git, lab};
use crate::support::{Lab, has, joined};

/// Peak memory may not be worse, which head's program is by far, nor may what does not change.
const STRICT: &str = "[[threshold]]\nmetric = \"rss\"\n[[threshold]]\nunit = \"majflt/op\"\n";

/// Blocks that suffice for a check of every unit, of which there are two more where executions waited for a CPU: eight that all
/// say the same have p 0.063 in a family of eight. Each side is built once: beside other work its second build has half a
/// percent more memory now and then, and then no verdict is given.
const BLOCKS: u32 = 30;

/// A waiver for peak memory of everything.
fn waiver(up_to: &str, expires: &str) -> String {
    format!(
        "[[waiver]]\nbenchmark = \"/p$/\"\nunit = \"rss-B/op\"\nup-to = \"{up_to}\"\nreason = \"a larger table\"\n\
         expires = {expires}\n"
    )
}

/// Makes `text` the file of the base; the working tree has it, too.
fn of_base(lab: &Lab, text: &str) {
    lab.write("m/c.toml", text);
    // By far more than what the loader needs, which differs a little over time.
    lab.write("m/bytes", "4000000");
    git(lab, "add -A && git COMMIT three && git tag -f old");
    lab.write("m/bytes", "40000000");
}

/// Would catch a pull request that waives its own regression or loosens its own check, a waiver that holds after its day, or
/// for more than it says, and a saved run that is checked otherwise than the fresh one.
#[test]
fn the_file_of_the_base_holds() {
    let Some(lab) = lab() else { return };
    let checked = |words: &str, code: i32, parts: &[&str]| {
        let fresh = ab(
            &lab,
            &format!("old --no-control --build make -r {BLOCKS} --checks c.toml {words} -- ./p"),
        );
        assert_eq!(fresh.code, Some(code), "{}{}", fresh.stdout, fresh.stderr);
        let options = words.split(' ').filter(|word| !word.is_empty());
        let saved = ["report", "@last", "--checks", "c.toml"].into_iter().chain(options);
        let saved = lab.run(saved);
        assert_eq!(saved.code, Some(code), "{}", saved.stderr);
        for said in [fresh.stdout + &fresh.stderr, saved.stdout + &saved.stderr] {
            let said = joined(&said);
            parts.iter().for_each(|part| has(&said, &[&joined(part)]));
        }
    };
    let (late, soon) = ("9999-12-31", "2020-01-01");
    of_base(&lab, &format!("{STRICT}{}", waiver("100000%", late)));
    checked("", 0, &["waived: ./p, rss-B/op, head: ratio", "a larger table", late]);
    checked("--fail-on minflt/op:worse", 1, &["--fail-on minflt/op:worse: ./p, minflt/op"]);
    // What the head says otherwise is told, and neither loosens nor waives.
    lab.write("m/c.toml", format!("{STRICT}{}", waiver("5%", late)));
    checked("", 0, &["c.toml: the head adds /p$/", "and removes /p$/", "the base's holds"]);
    of_base(&lab, STRICT);
    let own = format!("[[threshold]]\nat-most = \"100000%\"\n{}", waiver("100000%", late));
    lab.write("m/c.toml", &own);
    checked(
        "",
        1,
        &["c.toml: rss: not worse: ./p, rss-B/op", "the head's alone, and waives nothing"],
    );
    // Only the head has a file: its thresholds hold, its waivers do not.
    of_base(&lab, "");
    git(&lab, "rm -q --cached c.toml && git COMMIT four && git tag -f old");
    lab.write("m/c.toml", &own);
    checked("--fail-on worse", 1, &["--fail-on worse: ./p, rss-B/op"]);
    lab.write(
        "m/c.toml",
        "[[threshold]]\nbenchmark = \"./p\"\nunit = \"rss-B/op\"\nat-most = \"5%\"\n",
    );
    checked("", 1, &["c.toml of the head: ./p, rss-B/op: at most 5%: ./p, rss-B/op"]);
    // Neither after its day nor beyond its share.
    of_base(&lab, &format!("{STRICT}{}", waiver("100000%", soon)));
    checked("", 1, &["the waiver has expired", soon]);
    of_base(&lab, &format!("{STRICT}{}", waiver("50%", late)));
    checked("", 1, &["the far end of the interval is beyond the waiver"]);
    let document = lab.run(["report", "@last", "--checks", "c.toml", "--json"]).expect(1).stdout;
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let check = &document["check"];
    assert_eq!(check["waivers"][0]["state"], "exceeded", "{check}");
    assert_eq!(check["waivers"][0]["expires"], late);
    assert_eq!(check["thresholds"][0]["unit"], "rss");
    assert!(check["family"].as_u64().unwrap() > 0, "{check}");
    // One that is about nothing is told.
    of_base(&lab, &format!("{STRICT}[[threshold]]\nbenchmark = \"gone\"\n"));
    checked("", 1, &["about nothing that is compared: c.toml: gone: not worse"]);
}

/// What is typed, what the base's file says, and words of the reason.
const WRONG: [(&str, Option<&str>, &str); 6] = [
    (
        "--checks nowhere.toml",
        None,
        "--checks nowhere.toml: neither old nor the working tree has this file",
    ),
    ("--checks ../../c.toml", None, "lies outside the working tree"),
    ("--checks c.toml", Some(""), "c.toml:1 of the base (old): declares nothing"),
    (
        "--checks c.toml",
        Some("[[threshold]]\nmost = \"5%\"\n"),
        "c.toml:2 of the base (old): unknown field",
    ),
    (
        "--checks c.toml",
        Some("[[waiver]]\nbenchmark = \"p\"\n"),
        "c.toml:1 of the base (old): missing field",
    ),
    ("--fail-on ./p:worse:5%", None, "./p is a benchmark, not a unit: a file for --checks"),
];

/// Would catch a mistake that is told after everything was built or measured.
#[test]
fn mistakes_are_told_before_anything_is_measured() {
    let Some(lab) = lab() else { return };
    for (words, base, reason) in WRONG {
        if let Some(text) = base {
            of_base(&lab, text);
        }
        let build = if words.contains("--checks") { "touch $UP; make" } else { "make" };
        let ended = ab(&lab, &format!("old --build '{build}' {words} -- ./p")).expect(2);
        assert!(joined(&ended.stderr).contains(&joined(reason)), "{words}: {}", ended.stderr);
        assert!(!words.contains("--checks") || !lab.path("up").exists(), "{words}");
        assert!(lab.saved().is_empty(), "{words}");
    }
}

/// Would catch a file that only two revisions can have.
#[test]
fn files_are_compared_by_a_file_that_is_named() {
    let lab = Lab::new();
    let lines = |sum: u32, other: u32| -> String {
        let line = |at: u32| {
            format!(
                "BenchmarkSum-8 100 {} ns/op\nBenchmarkOther-8 100 {} ns/op\n",
                sum + at % 3,
                other + at % 3
            )
        };
        (0..12).map(line).collect()
    };
    lab.write("a.txt", lines(1000, 1000));
    lab.write("b.txt", lines(1080, 1030));
    let check = |text: &str, code: i32| {
        lab.write("c.toml", text);
        let words = ["compare", "--checks", "c.toml", "--between", "0", "a.txt", "b.txt"];
        lab.run(words).expect(code).stderr
    };
    check("[[threshold]]\nat-most = \"10%\"", 0);
    has(&check("[[threshold]]\nat-most = \"5%\"", 1), &["c.toml: everything: at most 5%: Sum-8"]);
    let sum =
        "[[threshold]]\nat-most = \"5%\"\n[[threshold]]\nbenchmark = \"Sum\"\nat-most = \"10%\"";
    check(sum, 0);
    let said = check("[[threshold]]\nbenchmark = \"/Other/\"\nunit = \"ns/op\"", 1);
    has(&said, &["Other-8"]);
    assert!(!said.contains("Sum-8"), "{said}");
    has(&check("[[treshold]]", 2), &["c.toml:1: unknown field"]);
    let wrong = ["compare", "--fail-on", "Sum:worse:5%", "a.txt", "b.txt"];
    has(&lab.run(wrong).expect(2).stderr, &["Sum is a benchmark", "[[threshold]]"]);
    let nowhere = ["compare", "--checks", "nowhere", "a.txt", "b.txt"];
    has(&lab.run(nowhere).expect(2).stderr, &["--checks nowhere"]);
}
