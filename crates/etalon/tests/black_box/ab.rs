//! `etalon ab`: a small project in C, in a repository of its own, built and measured for real. Verdicts are asked for about
//! its peak memory: on a machine that does other things, too, nothing is certain about times.

use std::fs;
use std::process::Command;

use crate::go::{left, snapshot};
use crate::support::{Ended, Lab, Record, Running, has, joined, marked, signal, skip, until};

/// Fills as many bytes as a constant says, and prints the directory it is in where it is asked.
const PROGRAM: &str = r#"#include <stdio.h>
#ifndef EXTRA
#define EXTRA 0
#endif
static volatile char filled[BYTES + EXTRA];
int main(int n, char **words) {
    for (int i = 0; i < BYTES + EXTRA; i++) filled[i] = 1;
    if (n > 1) puts(words[1]);
    return 0;
}
"#;

/// A laboratory with a project of two commits, the second of which fills ten megabytes more; the working tree does that
/// too.
pub(crate) fn lab() -> Option<Lab> {
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if let Some(missing) = ["git", "cc", "make"].into_iter().find(|program| !there(program)) {
        skip(&format!("etalon ab: {missing} is not installed"));
        return None;
    }
    let lab = Lab::new();
    for directory in ["tmp", "m", "m/sub"] {
        fs::create_dir(lab.path(directory)).unwrap();
    }
    lab.write("m/p.c", PROGRAM);
    lab.write("m/Makefile", "p: p.c\n\tcc -O1 -DBYTES=$$(cat bytes) $(FLAGS) -o p p.c\n");
    lab.write("m/bytes", "20000");
    lab.write("m/.gitignore", "p\nignored\n");
    lab.write("m/sub/kept", "");
    lab.write("m/ignored", "kept");
    git(&lab, "init -q . && git add -A && git COMMIT one && git tag old");
    lab.write("m/bytes", "10000000");
    git(&lab, "COMMIT -a two");
    Some(lab)
}

pub(crate) fn git(lab: &Lab, words: &str) {
    let commit = "-c user.name=n -c user.email=e commit -q -m";
    let words = words.replace("COMMIT -a", &commit.replace("-m", "-a -m"));
    let text = format!("cd m && git {}", words.replace("COMMIT", commit));
    Running::start(lab.shell(&text)).end().expect(0);
}

pub(crate) fn command(lab: &Lab, directory: &str, words: &str) -> Command {
    let mut command = lab.shell(&format!("cd {directory} && exec \"$E\" ab {words}"));
    command.env("TMPDIR", lab.path("tmp")).env("UP", lab.path("up"));
    command
}

pub(crate) fn ab(lab: &Lab, words: &str) -> Ended {
    Running::start(command(lab, "m", words)).end()
}

/// Would catch a page that shows a side's means for executions, and a list whose answer is of the builds and not of the sides.
#[test]
fn a_page_has_every_execution_and_a_list_the_answer_of_the_sides() {
    let Some(lab) = lab() else { return };
    let page = lab.path("page.html");
    ab(&lab, &format!("old --build make -r 7 --html {} -- ./p", page.display())).expect(0);
    let text = fs::read_to_string(page).unwrap();
    let (_, data) = text.split_once("id=\"observations\">").expect("observations");
    let (head, _) = data.split_once("</script>").expect("its end");
    let head: serde_json::Value = serde_json::from_str(head).unwrap();
    assert_eq!(lab.record().measured().len(), 7 * 4);
    assert_eq!(head["count"], 7 * 4);
    let names: Vec<&str> = head["benchmarks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    for build in
        ["side=base, build=1", "side=base, build=2", "side=head, build=1", "side=head, build=2"]
    {
        assert!(names.iter().any(|name| name.contains(build)), "{names:?}");
    }
    fs::write(&lab.saved()[0], twice_as_long(&lab.record())).unwrap();
    let listed = lab.done(["runs"]);
    has(&listed, &["time: 1 slower"]);
    assert!(!listed.contains("[side"), "{listed}");
}

/// A record in which head takes twice as long as base, whatever the machine did.
fn twice_as_long(record: &Record) -> String {
    let benchmarks = record.of_type("benchmark");
    let mut lines = record.lines.clone();
    for line in lines.iter_mut().filter(|line| line["type"] == "observation") {
        let of = line["benchmark"].as_u64().and_then(|at| usize::try_from(at).ok()).unwrap();
        let factor = if benchmarks[of]["params"]["side"] == "head" { 2 } else { 1 };
        let block = line["block"].as_i64().unwrap();
        line["values"]["wall"] = (factor * 1_000_000 + 17 * block).into();
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Would catch sides that are one tree, a base that is the second column, builds that are pooled, a comparison without
/// controls, a check that does not fail, and a repository or temporary files that are not as they were.
#[test]
fn two_sides_are_built_twice_and_compared_within_blocks() {
    let Some(lab) = lab() else { return };
    let before = snapshot(&lab);
    let ended = ab(&lab, "old --build make -r 12 -- ./p").expect(0);
    let said = joined(&ended.stdout);
    for part in [
        "base → head",
        "12 interleaved blocks",
        "rss-B/op",
        ") more",
        // "each side agrees with its own second build", or coarser on a busy machine.
        "Controls: ",
        "its own second build",
        "Sides: old (",
        "and the working tree (",
        "built with `make`",
    ] {
        assert!(said.contains(&joined(part)), "no {part} in {}", ended.stdout);
    }
    assert!(snapshot(&lab) == before);
    assert_eq!(left(&lab), [""; 0]);
    let record = lab.record();
    let names: Vec<String> =
        record.of_type("benchmark").iter().map(|it| it["params"].to_string()).collect();
    assert_eq!(
        names,
        [
            r#"{"side":"base","build":"1"}"#,
            r#"{"side":"head","build":"1"}"#,
            r#"{"side":"base","build":"2"}"#,
            r#"{"side":"head","build":"2"}"#
        ]
    );
    assert_eq!(record.of_type("observation").len(), 12 * 4);
    let reported = lab.done(["report", "@last", "--svg", "pictures"]);
    has(&joined(&reported), &[&joined("base → head"), ")more"]);
    let drawn = fs::read_dir(lab.path("pictures")).expect("a directory");
    let drawn: Vec<_> = drawn.filter_map(|it| Some(it.ok()?.path())).collect();
    let controls = drawn.iter().find(|it| it.to_string_lossy().ends_with("-controls.svg"));
    let controls = fs::read_to_string(controls.expect("a picture of controls")).unwrap();
    for side in ["base", "head"] {
        assert!(controls.contains(&format!("{side} and its own second build")), "{controls}");
    }
    ab(&lab, "old HEAD --no-control --build make -r 12 --fail-on rss-B/op:worse -- ./p").expect(1);
    assert_eq!(lab.record().of_type("benchmark").len(), 2);
    let same =
        ab(&lab, "HEAD HEAD --build make -r 12 --fail-on rss-B/op:worse:400% -- ./p").expect(0);
    has(&joined(&same.stdout), &[&joined("Both sides execute the same bytes")]);
}

/// Would catch a plan of builds beside each other in place of sides.
#[test]
fn a_pilot_plans_the_comparison_of_the_sides() {
    let Some(lab) = lab() else { return };
    let planned = ab(&lab, "old --build make -r 6 --plan --json -- ./p").expect(0);
    let planned: serde_json::Value = serde_json::from_str(&planned.stdout).unwrap();
    assert_eq!(
        (&planned["plan"]["pilot"]["blocks"], &planned["plan"]["comparisons"]),
        (&6.into(), &1.into())
    );
    assert_eq!(planned["settings"]["metric"], "sec/op");
    let command = planned["plan"]["differences"][2]["each"]["command"].as_str().unwrap();
    assert!(command.ends_with(" old --build make -- ./p"), "{command}");
    has(&ab(&lab, "old --plan").expect(2).stderr, &["--plan"]);
}

/// Would catch a prediction that nobody sees, one that is made where it is of no use, and one that is told where silence was
/// asked for.
#[test]
fn what_will_be_visible_is_said_after_the_first_blocks() {
    let Some(lab) = lab() else { return };
    let said =
        |words: &str| ab(&lab, &format!("old HEAD --build make {words} -- ./p")).expect(0).stderr;
    has(&said("-r 20"), &["20 blocks will show changes of time from about "]);
    for words in ["-r 19", "-r 20 --quiet"] {
        assert!(!said(words).contains("will show"), "{words}");
    }
}

/// Would catch a build that needs more by itself, and taken for a change of the project.
#[test]
fn a_build_that_differs_from_its_twin_withholds_the_verdicts() {
    let Some(lab) = lab() else { return };
    let more = "case {side} in *-2) make FLAGS=-DEXTRA=4000000;; *) make;; esac";
    let words =
        format!("HEAD HEAD --no-cache --build '{more}' -r 14 --fail-on rss-B/op:worse -- ./p");
    let ended = ab(&lab, &words).expect(3);
    let said = joined(&(ended.stdout.clone() + &ended.stderr));
    for part in [
        "Withheld: base differs from its own second build",
        "Withheld: head differs from its own second build",
        "a side differs from its own second build",
        "Withheld again when repeated: building alone changes it",
    ] {
        assert!(said.contains(&joined(part)), "no {part} in {}", ended.stdout);
    }
}

/// Would catch a mistake that is told late, without its remedy or with exit 0, and what it leaves.
#[test]
fn mistakes_are_told_before_anything_is_measured() {
    let Some(lab) = lab() else { return };
    let told = |words: &str, code: i32, part: &str| {
        let ended = ab(&lab, words).expect(code);
        assert!(joined(&ended.stderr).contains(&joined(part)), "no {part} in {}", ended.stderr);
        assert!(lab.saved().is_empty(), "{words}: something was measured");
        assert_eq!(left(&lab), [""; 0], "{words}");
    };
    told("nope -- ./p", 2, "nope: no such revision");
    told("old nope -- ./p", 2, "nope: no such revision");
    told("old --build 'make nothing' -- ./p", 1, "base does not build: `make nothing`");
    told("old -- ./p", 2, "./p");
    told("old -- true", 2, "the same artefact twice");
    told("old --build 'make && cp p ../shared' -- ../shared", 2, "command `../shared`");
    let installs = format!("make && cp p {0} && ln -sf {0} p2", lab.path("shared").display());
    told(&format!("old --build '{installs}' -- ./p2"), 2, "the same artefact twice");
    let others = "make && for copy in {side}/../../*/side; do [ -e \"$copy/p\" ] && cp p \"$copy/p\"; done; true";
    told(&format!("old --build '{others}' -- ./p"), 2, "was changed by the build of another copy");
    told("old --copy nothing --build make -- ./p", 2, "--copy nothing");
    told("--dir . . -- ./p", 2, "both sides are the same directory");
    told("--dir . ./nothing -- ./p", 2, "nothing");
    lab.write("m/large", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    told("old --build make -- ./p", 2, "large: only a pointer of git-lfs in the working tree");
    fs::remove_file(lab.path("m/large")).unwrap();
    // Would catch lines to type for a revision that there is not, and a command that is taken for a revision.
    told("nope", 2, "nope: no such revision");
    told("old nope", 2, "nope: no such revision");
    told("old ./Makefile", 2, "a command stands behind `--`: etalon ab old -- ./Makefile");
    told("old HEAD ./p x", 2, "./p: the command stands behind `--`: etalon ab old HEAD -- ./p x");
    told("old HEAD ./p --build make", 2, "etalon ab BASE [HEAD] [OPTIONS] -- ./p");
    told("old -r abc -- ./p", 2, "write a whole number from 1 to 10000000");
    let told = ab(&lab, "old").expect(0);
    has(&told.stdout, &["etalon ab old --build make -- ./PROGRAM"]);
}

/// Would catch outputs that are not compared, or compared with those of another side.
#[test]
fn sides_that_print_something_else_are_not_compared() {
    let Some(lab) = lab() else { return };
    let differs = "old --build 'make; cat bytes > out' --same-output -- sh -c 'cat out; ./p'";
    let ended = ab(&lab, differs).expect(1);
    has(&ended.stderr, &["prints something else than the base (from line 1 on)"]);
    assert!(lab.saved().is_empty());
    let random = "old --build make --same-output -- sh -c './p; date +%N'";
    has(&ab(&lab, random).expect(2).stderr, &["the base differs from itself"]);
    ab(&lab, "old --build make --same-output -r 2 -- ./p text").expect(0);
}

/// Would catch outputs that are compared without the variables or the input that commands are measured with.
#[test]
fn outputs_are_compared_under_what_commands_are_measured_under() {
    let Some(lab) = lab() else { return };
    lab.write("m/s.sh", "read -r word; echo \"${V:-nothing} $word\"\n");
    git(&lab, "add -A && git COMMIT three");
    lab.write("m/s.sh", "read -r word; echo \"${V:+other }${V:-nothing} $word\"\n");
    ab(&lab, "HEAD --same-output -r 2 -- sh s.sh").expect(0);
    let differs = ab(&lab, "HEAD --same-output --env V=1 -r 2 -- sh s.sh").expect(1);
    has(&differs.stderr, &["prints something else than the base (from line 1 on)"]);
    lab.write("m/s.sh", "read -r word; echo \"${V:-nothing} $word${word:+ other}\"\n");
    lab.write("words", "word\n");
    ab(&lab, "HEAD --same-output -r 2 -- sh s.sh").expect(0);
    let differs = ab(&lab, "HEAD --same-output --input ../words -r 2 -- sh s.sh").expect(1);
    has(&differs.stderr, &["prints something else than the base (from line 1 on)"]);
}

/// Would catch outputs that are compared outside of what is executed around commands: of a file that `--prepare` makes,
/// without `--conclude`, without the file that standard output is, or without an end.
#[test]
fn outputs_are_compared_inside_hooks_and_the_timeout() {
    let Some(lab) = lab() else { return };
    lab.write("m/s.sh", "cat made 2>&-; true\n");
    git(&lab, "add -A && git COMMIT three");
    let log = lab.path("log");
    let log = log.display();
    let hooks = format!(
        "--prepare 'test ! -e made && echo 1 > made; echo p >> {log}' --conclude 'rm made; echo c >> {log}'"
    );
    ab(&lab, &format!("HEAD --no-control --same-output {hooks} -r 2 -- sh s.sh")).expect(0);
    // The base twice and the head, each of them to see what is read, and in two blocks.
    assert_eq!(lab.read("log"), b"p\nc\n".repeat(3 + 2 + 4));
    lab.write("m/s.sh", "cat made made 2>&-; true\n");
    let differs = ab(&lab, &format!("HEAD --same-output {hooks} -r 2 -- sh s.sh")).expect(1);
    has(&differs.stderr, &["prints something else than the base (from line 2 on)"]);
    let kept = "--stdout {side}/out --conclude 'grep -q 1 {side}/out || test ! -s {side}/out'";
    let differs = "--prepare 'echo 1 > made' -r 2 -- sh s.sh";
    let ended = ab(&lab, &format!("HEAD --same-output {kept} {differs}")).expect(1);
    has(&ended.stderr, &["prints something else than the base (from line 2 on)"]);
    let fails = ab(&lab, "HEAD --same-output --prepare 'exit 7' -r 2 -- sh s.sh").expect(1);
    has(
        &fails.stderr,
        &["--prepare `exit 7` exited with code 7", "of base, outputs are not compared"],
    );
    lab.write("m/s.sh", "sleep 1000\n");
    let late = ab(&lab, "HEAD --same-output --timeout 0.3 -r 2 -- sh s.sh").expect(1);
    has(&late.stderr, &["took longer than", "of head, outputs are not compared"]);
    assert_eq!(lab.saved().len(), 1);
    lab.assert_nothing_left();
}

/// Would catch a program or a script that only one side has, and is told as missing or as the same on both.
#[test]
fn what_one_side_has_alone_is_told() {
    let Some(lab) = lab() else { return };
    lab.write("m/new.sh", "true\n");
    let script = ab(&lab, "HEAD -r 2 -- sh new.sh").expect(1);
    has(
        &script.stderr,
        &["`sh new.sh`: on one side only: head has what it executes, base does not"],
    );
    let program = ab(&lab, "HEAD -r 2 --build 'test ! -e new.sh || make' -- ./p").expect(2);
    has(
        &program.stderr,
        &["./p: no such file", "--build did not make it in base, and nothing else"],
    );
    fs::remove_file(lab.path("m/sub/kept")).unwrap();
    let removed = ab(&lab, "HEAD -r 2 -- cat sub/kept").expect(1);
    has(&removed.stderr, &["`cat sub/kept`: on one side only: base has what it executes"]);
    assert!(lab.saved().is_empty());
    assert_eq!(left(&lab), [""; 0]);
}

/// Would catch copies without submodules or files that were asked for, another directory than the caller's, and
/// directories that are copied although they are ready.
#[test]
fn copies_have_submodules_and_what_is_asked_for() {
    let Some(lab) = lab() else { return };
    fs::create_dir(lab.path("other")).unwrap();
    lab.write("other/inner", "of the submodule");
    let init = "cd other && git init -q . && git add -A && git -c user.name=n -c user.email=e commit -q -m one";
    Running::start(lab.shell(init)).end().expect(0);
    git(
        &lab,
        "-c protocol.file.allow=always submodule --quiet add ../other module && git COMMIT three",
    );
    let build = "cd .. && cat module/inner ignored && make";
    let words = format!("HEAD HEAD --copy ../ignored --build '{build}' -r 2 -- ../p");
    Running::start(command(&lab, "m/sub", &words)).end().expect(0);
    let ended = ab(&lab, "HEAD --build 'cat ignored' -- ./p").expect(1);
    has(&ended.stderr, &["base does not build"]);
    Running::start(lab.shell("cp -r m n && make -s -C m && make -s -C n")).end().expect(0);
    let mut ready = lab.shell("exec \"$E\" ab --dir m n -r 2 -- ./p");
    ready.env("TMPDIR", lab.path("tmp"));
    Running::start(ready).end().expect(0);
    let record = lab.record();
    assert!(record.of_type("benchmark")[1]["cwd"].as_str().unwrap().ends_with("/n"));
}

/// Would catch copies and processes that stay behind when the user stops it, or something kills it.
#[test]
fn nothing_is_left_after_an_interrupt_or_a_kill() {
    let Some(lab) = lab() else { return };
    let before = snapshot(&lab);
    for waits in [
        "--build 'touch $UP; sleep 1000' -- ./p",
        "--build make -- sh -c './p; touch $UP; sleep 1000'",
    ] {
        let start = || {
            let _none = fs::remove_file(lab.path("up"));
            let running = Running::start(command(&lab, "m", &format!("old {waits}")));
            until("a side that waits", || lab.path("up").exists());
            running
        };
        let running = start();
        signal(running.pid(), libc::SIGINT);
        running.end().expect(130);
        lab.assert_nothing_left();
        assert_eq!((snapshot(&lab) == before, left(&lab)), (true, Vec::new()));
        let running = start();
        signal(running.pid(), libc::SIGKILL);
        if waits.contains("$UP; sleep 1000' -- ./p") {
            // A build that is under way goes on: only its shell ends with etalon. It may be starting something just now.
            until("the end of the build", || {
                let left = marked(&lab.mark());
                left.iter().for_each(|pid| signal(*pid, libc::SIGKILL));
                left.is_empty()
            });
        }
        running.end();
        lab.assert_nothing_left();
        assert!(snapshot(&lab) == before);
        assert_ne!(left(&lab), [""; 0]);
        ab(&lab, "old --build make -r 1 -- ./p").expect(0);
        assert_eq!(left(&lab), [""; 0]);
    }
}

/// A suite that only the working tree has, of a library that allocates a hundred times as much there.
const SUITE: &str = "local measure = require('measure')
local lib = require('lib')
measure.describe('list'):run(function() measure.sink(lib.list()) end)
measure.describe('none'):run(function() measure.sink({}) end)
";

/// Would catch a suite of the base in place of the head's, a library of the wrong side, sides that are not in one block,
/// builds that are not folded, and what is left of it.
#[test]
fn suites_of_the_working_tree_are_measured_on_both_sides() {
    let Some(lab) = lab() else { return };
    let library = |count: &str| {
        format!(
            "return {{ list = function() local l = {{}}; for i = 1, {count} do l[i] = i end; return l end }}"
        )
    };
    lab.write("m/lib.lua", library("100"));
    git(&lab, "add -A && git COMMIT three");
    lab.write("m/lib.lua", library("10000"));
    fs::create_dir(lab.path("m/bench")).unwrap();
    lab.write(
        "m/bench/lib_bench.lua",
        format!("package.path = '../?.lua;' .. package.path\n{SUITE}"),
    );
    let before = snapshot(&lab);
    let run = |words: &str| {
        let mut command = lab.shell(&format!("cd m && exec \"$E\" run {words}"));
        command.env("TMPDIR", lab.path("tmp"));
        Running::start(command).end()
    };
    let ended = run("--base HEAD -r 8 --budget .2s bench").expect(0);
    let said = joined(&ended.stdout);
    for part in ["base → head", "8 interleaved blocks", "% more", "Sides: HEAD ("] {
        assert!(said.contains(&joined(part)), "no {part} in {}", ended.stdout);
    }
    assert!(snapshot(&lab) == before);
    assert_eq!(left(&lab), [""; 0]);
    let record = lab.record();
    let benchmarks = record.of_type("benchmark");
    assert_eq!(benchmarks.len(), 2 * 4);
    let file = |it: &serde_json::Value| it["case"]["file"] == benchmarks[0]["case"]["file"];
    assert!(benchmarks.iter().all(|it| file(it)));
    has(&joined(&lab.done(["report", "@last"])), &[&joined("base → head")]);
    let refused = |words: &str, part: &str| {
        let ended = run(words).expect(2);
        assert!(joined(&ended.stderr).contains(&joined(part)), "no {part} in {}", ended.stderr);
        assert_eq!(left(&lab), [""; 0], "{words}");
    };
    refused("--base nope bench", "nope: no such revision");
    let broken = run("--base HEAD --build false bench").expect(1);
    has(&joined(&broken.stderr), &[&joined("base does not build: `false`")]);
    lab.write("other_bench.lua", SUITE);
    refused("--base HEAD ../other_bench.lua", "lies outside the directory etalon was started in");
    refused("--base HEAD -e '1 + 1'", "--base");
}

/// Would catch a case that fails on one side in silence: a row that is only in the other column says not why.
#[test]
fn a_case_that_fails_on_one_side_says_why() {
    let Some(lab) = lab() else { return };
    lab.write("m/lib.lua", "return function() return 1 end");
    git(&lab, "add -A && git COMMIT three");
    lab.write("m/lib.lua", "return function() error('out of luck') end");
    let suite = "local lib, measure = require('lib'), require('measure')
        measure.describe('fine'):run(function() return 1 end)
        measure.describe('broken'):run(function() return lib() end)\n";
    lab.write("m/p_bench.lua", suite);
    let mut command =
        lab.shell("cd m && exec \"$E\" run --base HEAD -r 4 --budget .1s p_bench.lua");
    command.env("TMPDIR", lab.path("tmp"));
    let ended = Running::start(command).end().expect(1);
    for said in [ended.stderr, lab.run(["report", "@last"]).stderr] {
        has(&said, &["broken head: ", "out of luck"]);
        assert_eq!(said.matches("broken head").count(), 1, "{said}");
        assert!(!said.contains("broken base"), "{said}");
    }
}
