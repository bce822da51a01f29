//! `--count` through the real binary and the real valgrind. Each execution under it takes about a second, so these are few.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::Value;

use crate::ab;
use crate::support::{Lab, Running, has, joined, skip};

/// Does as many rounds as its argument says, and the same again in a child; with `random`, as many more as a byte of the
/// system's says.
const PROGRAM: &str = r#"#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned sum;
static void work(long rounds) { for (long at = 0; at < rounds; at++) sum += at; }
int main(int n, char **words) {
    long rounds = n > 1 ? atol(words[1]) : 20000;
    unsigned char byte = 0;
    if (n > 2 && !strcmp(words[2], "random")) getrandom(&byte, 1, 0);
    work(rounds + 100L * byte);
    if (n > 2 && !strcmp(words[2], "child")) execl(words[0], words[0], "100000", (char *)0);
    return 0;
}
"#;

/// A laboratory with that program, linked as the words say; nothing where a tool is missing.
fn lab(words: &str) -> Option<Lab> {
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if let Some(missing) = ["valgrind", "cc"].into_iter().find(|program| !there(program)) {
        skip(&format!("--count: {missing} is not installed"));
        return None;
    }
    if etalon_probe::launcher::counts_instructions() {
        skip("--count of commands under valgrind: the CPU counts here");
        return None;
    }
    let lab = Lab::new();
    lab.write("p.c", PROGRAM);
    Running::start(lab.shell(&format!("cc -O1 {words} -o p p.c"))).end().expect(0);
    Some(lab)
}

/// The counts of a benchmark in the newest record.
fn counts(lab: &Lab, benchmark: usize) -> Vec<u64> {
    let record = lab.record();
    let of = record.measured().into_iter().filter(|it| it["benchmark"] == benchmark);
    of.filter_map(|it| it["values"]["instructions"].as_u64()).collect()
}

/// Whether all of it stands in a text, wherever that is wrapped.
pub(crate) fn says(text: &str, words: &[&str]) {
    let words: Vec<String> = words.iter().map(|it| joined(it)).collect();
    has(&joined(text), &words.iter().map(String::as_str).collect::<Vec<_>>());
}

pub(crate) fn comparison<'d>(document: &'d Value, metric: &str) -> &'d Value {
    let all = document["comparisons"].as_array().unwrap();
    all.iter().find(|it| it["metric"] == metric).unwrap_or_else(|| panic!("no {metric}"))
}

/// Would catch counts that stop before five a side, that are executions of the commands as they are timed, that lack what
/// a child does, and a verdict by the margin of times.
#[test]
fn commands_are_counted_apart_from_timing() {
    let Some(lab) = lab("") else { return };
    let document = lab.json(["cmd", "--json", "-r", "6", "--count", "./p 200000", "./p 200100"]);
    let of = comparison(&document, "instructions");
    assert_eq!((&of["word"], &of["n"]), (&"more".into(), &serde_json::json!([5, 5])));
    let ratio = of["ratio"].as_f64().unwrap();
    assert!(ratio > 1.0002 && ratio < 1.0006, "{ratio}");
    assert_eq!(document["benchmarks"][0]["outcomes"]["ok"], 6);
    assert_eq!(comparison(&document, "wall")["n"], serde_json::json!([6, 6]));
    let [first, other] = [0, 1].map(|at| counts(&lab, at));
    assert!(first.len() == 5 && first.iter().all(|it| *it == first[0]), "{first:?}");
    assert_eq!(other.len(), 5);
    let said = lab.done(["report", "@last"]);
    says(&said, &["./p 200100 executes 0.0", "more instructions than ./p 200000:", "main +0.0"]);
    assert!(!joined(&said).contains("noblock"), "{said}");
    let converted = lab.run(["convert", "@last", "--to", "etalon"]).expect(0);
    assert_eq!(converted.stdout.matches("\"values\":{\"instructions\":").count(), 10);
    assert!(!joined(&converted.stderr).contains("noblock"), "{}", converted.stderr);
    let header = &lab.record().of_type("header")[0]["context"]["count.by"].clone();
    assert!(header.as_str().unwrap().starts_with("cachegrind of valgrind-3."), "{header}");
}

/// Would catch counts of two means that are compared, and cachegrind where it is not to be the means.
#[test]
fn counts_of_two_means_are_not_compared() {
    let Some(lab) = lab("") else { return };
    lab.done(["cmd", "-r", "5", "--count", "./p 100"]);
    lab.done(["cmd", "-r", "5", "--count", "./p 100"]);
    let saved = lab.saved();
    let [one, other] = [0, 1].map(|at| fs::read_to_string(&saved[at]).unwrap());
    assert!(other.contains("\"count.by\":\"cachegrind of valgrind-"), "{other}");
    lab.write("one.jsonl", one);
    lab.write("same.jsonl", &other);
    lab.write("perf.jsonl", other.replace("cachegrind of valgrind", "perf's instructions:u"));
    let compared = |file| lab.run(["compare", "one.jsonl", file, "--full"]).stdout;
    let why = "counted by other means";
    assert!(!compared("same.jsonl").contains(why));
    has(&compared("perf.jsonl"), &[why]);
}

/// Would catch a child that is not counted, and a seed that is not fixed or cannot be left alone.
#[test]
fn children_count_and_seeds_are_fixed() {
    let Some(lab) = lab("") else { return };
    lab.done(["cmd", "-r", "1", "--count", "sh -c './p 10 child; ./p 10'"]);
    let with_child = counts(&lab, 0);
    assert!(with_child.len() == 2 && with_child[0] > 600_000, "{with_child:?}");
    lab.done(["cmd", "-r", "1", "--count", "./p 100 random"]);
    let fixed = counts(&lab, 0);
    assert!(fixed.len() == 2 && fixed[0] == fixed[1], "{fixed:?}");
    let said = lab.done(["cmd", "-r", "1", "--count=raw", "./p 100 random"]);
    let raw = counts(&lab, 0);
    assert!(raw.iter().any(|it| *it != raw[0]) && raw.len() == 5, "{raw:?}");
    says(&said, &["so they are not exact: seeds are not fixed"]);
}

/// Would catch a program whose seeds are fixed only in words, and one that fails under valgrind as a failure of the run.
#[test]
fn what_cannot_be_counted_is_said() {
    let Some(lab) = lab("-static") else { return };
    let said = lab.done(["cmd", "-r", "1", "--count", "./p 100"]);
    says(&said, &["entropy not fixed, because it is linked statically"]);
    lab.script("strict", "case \"$LD_PRELOAD\" in *vgpreload*) echo no >&2; exit 9;; esac");
    let said = lab.done(["cmd", "-r", "1", "--count", "./strict"]);
    says(&said, &["instructions were not counted: under valgrind it exited with code 9: no"]);
    fs::set_permissions(lab.path("p"), fs::Permissions::from_mode(0o4755)).unwrap();
    let said = lab.done(["cmd", "-r", "1", "--count", "./p 100"]);
    says(&said, &["under valgrind it exited with code 126: Warning: Can't execute setuid"]);
    // Says why a harness is refused, and what to do with it.
    let refused = lab.run(["cmd", "--count", "--results", "gnu-time", "./p 100"]).expect(2);
    says(&refused.stderr, &["without --results", "-benchtime 100x"]);
}

/// Would catch a build that is waited for although nothing counts, and combinations that mean nothing.
#[test]
fn what_is_missing_is_said_first() {
    let Some(lab) = lab("") else { return };
    let mut command = lab.etalon(["cmd", "-r", "1", "--count", "/bin/true"]);
    command.env("PATH", lab.path(""));
    let ended = Running::start(command).end().expect(2);
    has(&ended.stderr, &["--count: ", "valgrind", "apt install valgrind"]);
    assert!(lab.saved().is_empty());
    for words in [&["--results", "pyperf"][..], &["--plan"], &["--metric", "instructions"]] {
        let list = [&["cmd", "--count"], words, &["true"]].concat();
        has(&lab.run(list).expect(2).stderr, &["--count with", words[0]]);
    }
    has(&lab.run(["cmd", "--count", "--counters", "true"]).expect(2).stderr, &["--counters"]);
}

/// Would catch sides that are executed at different paths, a check that does not wait for the counts, and a build that is
/// counted as another execution.
#[test]
fn two_sides_are_counted_at_one_path() {
    if lab("").is_none() {
        return;
    }
    let Some(lab) = ab::lab() else { return };
    lab.write("m/count", "10000\n");
    lab.write(
        "m/run",
        "#!/bin/sh\nset -e\nread n < count\ni=0\nwhile [ $i -lt $n ]; do i=$((i+1)); done\n",
    );
    ab::git(&lab, "add -A && chmod +x run && git add -A && git COMMIT three && git tag three");
    lab.write("m/count", "10100\n");
    let words = "three --count -r 6 --fail-on instructions:worse:0.1% -- {side}/run";
    let ended = Running::start(ab::command(&lab, "m", words)).end().expect(1);
    assert!(!ended.stdout.is_empty(), "{}", ended.stderr);
    says(&ended.stdout, &["instructions: 1 more", "the count moved", "where the count moved"]);
    // Counts have a rule of their own: not that of values which are declared exact, and no interval.
    for unsaid in ["declared exact", "needs at least 6 values"] {
        assert!(!joined(&ended.stdout).contains(&joined(unsaid)), "{}", ended.stdout);
    }
    let [base, head] = [0, 1].map(|at| counts(&lab, at));
    // The shell writes down its parent's number, which has more digits at times.
    let agree =
        |of: &[u64]| of.len() == 5 && of.iter().all(|it| it.abs_diff(of[0]) < of[0] / 1_000_000);
    assert!(agree(&base) && agree(&head), "{base:?} {head:?}");
    assert!(counts(&lab, 2).is_empty() && counts(&lab, 3).is_empty());
    // Another side with the same work, in a directory of another length.
    lab.shell("cp -r m mm && rm mm/.git -r && cp -r mm a-much-longer-name").status().unwrap();
    let words = "--dir mm a-much-longer-name --count -r 6 -- {side}/run";
    Running::start(ab::command(&lab, ".", words)).end().expect(0);
    // What asks for the path behind links may have a few more to do.
    let [one, other] = [0, 1].map(|at| counts(&lab, at));
    let median = |of: &[u64]| {
        let mut sorted = of.to_vec();
        sorted.sort_unstable();
        sorted[sorted.len() / 2]
    };
    let apart = median(&one).abs_diff(median(&other));
    assert!(apart < one[0] / 1_000_000, "{one:?} and {other:?}");
}

/// A file of two jobs, counted.
fn counted(measure: &str) -> String {
    format!(
        "[axes]\nrounds = [\"200000\", \"200300\"]\nimpl = [\"\", \"again\"]\n[[subject]]\ncommand = \"./p {{rounds}} {{impl}}\"\n\
         [measure]\nruns = 6\n{measure}\n\
         [[table]]\nmetric = \"instructions\"\nrows = \"impl\"\ncolumns = \"rounds\"\n\
         [[table]]\nmetric = \"wall\"\nrows = \"impl\"\ncolumns = \"rounds\"\n"
    )
}

/// Would catch counts of an experiment file that are shared by cells of different rows, that are missing in its tables, and a
/// file of two sides that counts second builds.
#[test]
fn cells_of_a_file_are_counted() {
    let Some(lab) = lab("") else { return };
    lab.write("e.toml", counted("count = \"fixed\""));
    let document = lab.json(["run", "e.toml", "--json"]);
    let all = document["comparisons"].as_array().unwrap();
    let of: Vec<&Value> = all.iter().filter(|it| it["metric"] == "instructions/op").collect();
    assert_eq!(of.len(), 2, "{all:?}");
    assert!(of.iter().all(|it| it["moved"].is_string()), "{of:?}");
    assert!(of.iter().all(|it| it["word"] == "more"), "{of:?}");
    assert!(counts(&lab, 0).len() == 5 && counts(&lab, 3).len() == 5);
    says(&lab.done(["report", "@last"]), &["instructions", "count and time: 2"]);
}

/// Would catch what cannot be counted of a file and is found after measuring, or without its place.
#[test]
fn what_a_file_cannot_count_is_said_with_its_place() {
    let lab = Lab::new();
    for (measure, said) in [
        ("count = \"exact\"", "fixed, raw"),
        ("count = \"fixed\"\nmetric = \"instructions\"", "counted after timing"),
        ("count = \"fixed\"\nresults = \"google-benchmark\"", "does more when it is faster"),
    ] {
        lab.write("e.toml", counted(measure).replace("./p", "true"));
        let ended = lab.run(["run", "e.toml"]).expect(2);
        says(&ended.stderr, &["e.toml", said]);
    }
}
