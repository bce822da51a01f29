//! What cannot work on two sides is told before anything is built, and what failed with its first and last lines and the
//! remedy.

use std::collections::BTreeSet;
use std::fs;

use crate::ab::{ab, git, lab};
use crate::support::{Ended, Lab, Running, has, joined};

/// A build that says that it was executed.
const BUILD: &str = "--build 'touch $UP; make'";

/// Runs in the project, where a build would be seen.
fn run(lab: &Lab, words: &str) -> (Ended, bool) {
    let _none = fs::remove_file(lab.path("up"));
    let mut command = lab.shell(&format!("cd m && exec \"$E\" {words}"));
    command.env("TMPDIR", lab.path("tmp")).env("UP", lab.path("up"));
    let ended = Running::start(command).end();
    (ended, lab.path("up").exists())
}

#[track_caller]
fn told(lab: &Lab, words: &str, code: i32, parts: &[&str]) {
    let (ended, is_built) = run(lab, words);
    let ended = ended.expect(code);
    let said = joined(&ended.stderr);
    for part in parts {
        assert!(said.contains(&joined(part)), "{words}: no {part} in {}", ended.stderr);
    }
    assert!(!is_built, "{words}: it was built first");
    assert!(lab.saved().is_empty(), "{words}: something was measured");
}

/// Would catch minutes of builds before a path, a script, a program or a file that is not there is told.
#[test]
fn what_cannot_work_is_told_before_anything_is_built() {
    let Some(lab) = lab() else { return };
    lab.script("outside.sh", "true");
    lab.script("m/bench.sh", "cat bytes");
    lab.write("gone.toml", "[service.s]\nstart = './no-such'\nready = { tcp = '127.0.0.1:1' }\n");
    let outside = fs::canonicalize(lab.path("outside.sh")).unwrap();
    let outside = format!("write {}", outside.display());
    let ab = |words: &str, code: i32, parts: &[&str]| {
        told(&lab, &format!("ab old {BUILD} {words}"), code, parts);
    };
    let leads_out = ["leads out of the repository", &outside, "--copy PATH"];
    ab("-- sh ../outside.sh", 2, &leads_out);
    ab("-- sh -c 'sh ../outside.sh < bytes'", 2, &leads_out);
    ab("-- ../outside.sh", 2, &leads_out);
    ab("-- ../no-such.sh", 2, &["../no-such.sh: no such file: check the path"]);
    ab("-- ./p ../no-such.txt", 2, &["../no-such.txt leads out of the repository, and there is"]);
    let unit = ["no such unit in what is measured; write one of wall, user, sys, cpu, rss"];
    ab("--fail-on nope/op:worse -- ./p", 2, &unit);
    ab("--metric nope -- ./p", 2, &unit);
    lab.write("m/nope.toml", "[[threshold]]\nunit = 'nope/op'\nat-most = '5%'\n");
    let nothing = ["--checks nope.toml: no threshold is of what is measured, but of nope/op"];
    ab("--checks nope.toml -- ./p", 2, &nothing);
    ab("--require nope -- ./p", 2, &["--require nope", "no such benchmark", "there are: ./p"]);
    ab("--history nowhere -- ./p", 2, &["nowhere: --history: No such file or directory"]);
    let newer = ["on one side only: head has what it executes", "--copy bench.sh has both sides"];
    ab("-- sh bench.sh", 1, &newer);
    ab("-- ./bench.sh", 1, &["on one side only", "--copy bench.sh has both sides"]);
    ab("--copy nothing -- ./p", 2, &["--copy nothing"]);
    // What is advised is there at this door.
    let advised = ["no-such-program", "not found in PATH", "or write sh -c 'COMMAND' if it is"];
    ab("-- no-such-program", 2, &advised);
    let nowhere = run(&lab, "ab old --cwd no-such -- ./p").0.expect(2);
    has(&nowhere.stderr, &["--cwd no-such: no such directory in base: check --cwd"]);
    ab("--prepare no-such-program -- ./p", 2, &["--prepare", "no-such-program"]);
    ab("--input ../nothing -- ./p", 2, &["--input ../nothing"]);
    ab("-o ../nothing/x.jsonl -- ./p", 2, &["-o ../nothing/x.jsonl", "cannot be written"]);
    ab("-o ../tmp -- ./p", 2, &["-o ../tmp", "is a directory"]);
    ab("--service ../gone.toml -- ./p", 2, &["service s", "./no-such"]);
    // What a build makes is not missing before it.
    let (ended, is_built) = run(&lab, &format!("ab old {BUILD} --require ./p -r 1 -- ./p"));
    ended.expect(0);
    assert!(is_built);
    let copied = format!("ab old --copy bench.sh {BUILD} --no-cache -r 1 -- sh bench.sh");
    run(&lab, &copied).0.expect(0);
}

/// Would catch the same of suites, and a unit of their own that is refused because nobody knows it beforehand.
#[test]
fn what_cannot_work_of_a_suite_is_told_before_anything_is_built() {
    let Some(lab) = lab() else { return };
    lab.write(
        "m/x_bench.lua",
        "local measure = require('measure')
         measure.describe('a'):setup(function() measure.metric('size', 3, 'B') end)
             :run(function() measure.sink({}) end)",
    );
    git(&lab, "add -A && git COMMIT suite && git tag -f old");
    let base = format!("run --base old {BUILD} -r 7 --no-control x_bench.lua");
    for asked in ["--metric user", "--fail-on user:worse", "--fail-on user-sec/op:worse:5%"] {
        let parts = [asked, "not measured; write one of wall, cpu"];
        told(&lab, &format!("{base} {asked}"), 2, &parts);
    }
    for (asked, said) in [
        ("--metric sise", "--metric sise: nothing that is compared is measured by it"),
        ("--fail-on sise:worse", "--fail-on sise:worse: no such unit in what is compared"),
    ] {
        let ended = run(&lab, &format!("{base} {asked}")).0.expect(2);
        has(&joined(&ended.stderr), &[&joined(said), "size"]);
        assert_eq!(blocks(&lab), 1, "{asked}");
    }
    run(&lab, &format!("{base} --metric size")).0.expect(0);
    assert_eq!(blocks(&lab), 7);
}

/// How many blocks were measured last.
fn blocks(lab: &Lab) -> usize {
    let record = lab.record();
    let observed = record.of_type("observation");
    observed.iter().map(|it| it["block"].to_string()).collect::<BTreeSet<_>>().len()
}

/// Would catch the same of experiment files.
#[test]
fn what_cannot_work_of_a_file_is_told_before_anything_is_built() {
    let Some(lab) = lab() else { return };
    let file = |text: &str| {
        lab.write("m/x.toml", format!("[measure]\nruns = 1\n{text}"));
    };
    let base = format!("run --base old {BUILD} x.toml");
    file("[[subject]]\nname = 'x'\ncommand = 'no-such-program'\n");
    told(&lab, &base, 2, &["x.toml", "no-such-program"]);
    file("metric = 'nothing'\n[[subject]]\nname = 'x'\ncommand = './p'\n");
    told(&lab, &base, 2, &["no metric `nothing`"]);
    file("[[subject]]\nname = 'x'\ncommand = './p'\n[file.Makefile]\ntext = ''\n");
    let (ended, is_built) = run(&lab, &base);
    assert!(!is_built && ended.code == Some(2), "{}", ended.stderr);
    file("[[subject]]\nname = 'x'\ncommand = 'sh ../y.sh'\n");
    lab.script("y.sh", "true");
    told(&lab, &base, 2, &["leads out of the repository"]);
    file("[[subject]]\nname = 'x'\ncommand = './p'\n");
    let (ended, is_built) = run(&lab, &base);
    ended.expect(0);
    assert!(is_built);
}

/// Would catch builds of all copies before a path is told that no copy has and no build makes, also one of a hook, and a
/// path that is refused although a build or the command makes it.
#[test]
fn a_path_that_is_nowhere_is_told_when_one_copy_is_built() {
    let Some(lab) = lab() else { return };
    let builds = |words: &str| {
        let ended = run(&lab, words).0;
        let built = fs::read_to_string(lab.path("up")).unwrap_or_default();
        (ended, built.lines().count())
    };
    let mut files = 0;
    let mut file = |text: &str| {
        files += 1;
        let cell = "[measure]\nruns = 1\n[[subject]]\nname = 'x'\n";
        lab.write(&format!("m/x{files}.toml"), format!("{cell}{text}\n"));
        format!("run --base old x{files}.toml")
    };
    let ab = |words: &str| format!("ab old -r 1 {words}");
    let build = "--no-cache --build 'echo built >> $UP; make; echo cat bytes > made.sh'";
    let with = |line: String| line.replacen(" old ", &format!(" old {build} "), 1);
    let nowhere = |path: &str| format!("{path} is on no side, and --build did not make it");
    for (line, code, said) in [
        (ab("-- sh gen/x.sh"), 1, nowhere("gen/x.sh")),
        (ab("-- sh x.sh"), 1, nowhere("x.sh")),
        (ab("-- sh -c 'cat {side}/gen/x.txt >&2'"), 1, "gen/x.txt is on no side".to_owned()),
        (ab("--prepare 'true; sh gen/x.sh' -- ./p"), 1, nowhere("gen/x.sh")),
        (ab("--conclude 'gen/x.sh && true' -- ./p"), 1, nowhere("gen/x.sh")),
        (ab("--prepare gen/x.sh -- ./p"), 2, "gen/x.sh".to_owned()),
        (
            ab("-- gen/x"),
            2,
            "gen/x: no such file: check the path; --build did not make it in base".to_owned(),
        ),
        (file("command = 'sh gen/x.sh'"), 1, nowhere("gen/x.sh")),
        (file("command = './p'\nprepare = 'true; sh gen/x.sh'"), 1, nowhere("gen/x.sh")),
        (file("command = 'gen/x'"), 2, "gen/x".to_owned()),
    ] {
        let (ended, built) = builds(&with(line.clone()));
        let ended = ended.expect(code);
        has(&joined(&ended.stderr), &[&joined(&said)]);
        assert_eq!(built, 1, "{line}: {}", ended.stderr);
        assert!(lab.saved().is_empty(), "{line}: something was measured");
        lab.assert_nothing_left();
    }
    for line in [
        ab("-- sh made.sh"),
        ab("--prepare 'sh ./made.sh' -- ./p"),
        ab("-- cp bytes copied.txt"),
        file("command = 'sh made.sh'"),
        // What a setup makes is not there before it.
        file("command = 'sh late.sh'\nsetup = 'cp made.sh late.sh'"),
    ] {
        let (ended, built) = builds(&with(line.clone()));
        ended.expect(0);
        assert_eq!(built, 4, "{line}");
    }
}

/// A script that says its reason first and last, with much between them.
const SAYS: &str = "echo 'the reason comes first' >&2
for i in $(seq 1 2000); do echo \"line $i of a trace that nobody reads\" >&2; done
echo 'the reason comes last' >&2
exit 3";

/// Would catch a reason that is cut because it stands first, or last.
#[test]
fn what_failed_is_shown_with_its_first_and_last_lines() {
    let lab = Lab::new();
    lab.script("says", SAYS);
    let parts =
        ["the reason comes first", "line 1 of", "lines …", "line 2000 of", "the reason comes last"];
    has(&lab.run(["cmd", "-r", "1", "./says"]).expect(1).stderr, &parts);
    has(&lab.run(["cmd", "-r", "1", "-p", "./says", "true"]).expect(1).stderr, &parts);
    has(&lab.run(["cmd", "-r", "1", "--setup", "./says", "true"]).expect(1).stderr, &parts);
    let record = lab.saved();
    let text = fs::read_to_string(&record[0]).unwrap();
    assert!(text.contains("the reason comes first") && text.contains("the reason comes last"));
    lab.write("s.toml", "[service.s]\nstart = './says'\nready = { tcp = '127.0.0.1:1' }\n");
    let service = lab.run(["cmd", "-r", "1", "--service", "s.toml", "true"]).expect(2);
    has(&service.stderr, &["lines …", "the reason comes last"]);
    let Some(lab) = crate::ab::lab() else { return };
    lab.script("m/says", SAYS);
    let built = ab(&lab, &format!("old --build '{}' -- ./p", lab.path("m/says").display()));
    let built = built.expect(1);
    has(&built.stderr, &["base does not build", "comes first", "comes last"]);
}

/// Would catch the reason on standard output that a warning on standard error hides.
#[test]
fn what_a_build_printed_is_shown_beside_what_it_warned_of() {
    let Some(lab) = lab() else { return };
    lab.script("m/says", "echo 'a.ts(1,2): error TS2304'\necho 'npm warn deprecated' >&2\nexit 2");
    let built = ab(&lab, &format!("old --build '{}' -- ./p", lab.path("m/says").display()));
    has(&built.expect(1).stderr, &["base does not build", "error TS2304", "npm warn deprecated"]);
}

/// Would catch the advice to count a failure as measured where a directory is lacking that git ignores.
#[test]
fn what_a_copy_lacks_is_told_with_its_remedy() {
    let Some(lab) = lab() else { return };
    lab.write("m/.gitignore", "p\nignored\nnode_modules\ndata\n");
    git(&lab, "COMMIT -a three");
    fs::create_dir_all(lab.path("m/node_modules/left-pad")).unwrap();
    fs::create_dir_all(lab.path("m/data")).unwrap();
    lab.write("m/data/in.txt", "in");
    lab.write("m/needs.sh", "cat bytes; test -e node_modules/left-pad || { echo \"Error: Cannot find module 'left-pad'\" >&2; exit 1; }");
    lab.write("m/reads.sh", "cat bytes data/in.txt");
    git(&lab, "add -A && git COMMIT four");
    for (script, lacking) in [("needs.sh", "node_modules"), ("reads.sh", "data")] {
        let ended = ab(&lab, &format!("HEAD HEAD -r 1 -- sh {script}")).expect(1);
        has(&ended.stderr, &[&format!("--copy {lacking} takes it along")]);
        assert!(!ended.stderr.contains("use -i"), "{}", ended.stderr);
        let copied = format!("HEAD HEAD --copy {lacking} -r 1 -- sh {script}");
        ab(&lab, &copied).expect(0);
    }
    let built = ab(&lab, "HEAD HEAD --build 'sh reads.sh && make' -- ./p").expect(1);
    has(&built.stderr, &["does not build", "--copy data takes it along"]);
}

/// Would catch files taken along that look newer than what they were made of: a build would make everything anew, or too
/// little.
#[test]
fn what_is_taken_along_keeps_its_time() {
    let Some(lab) = lab() else { return };
    let old = "mkdir m/sub/ignored && touch -d @1000000000 m/ignored m/sub/ignored/x";
    Running::start(lab.shell(old)).end().expect(0);
    let kept = |file: &str| format!("test $(stat -c %Y {file}) = 1000000000");
    let build = format!("{} && {} && make", kept("ignored"), kept("sub/ignored/x"));
    let words = format!("old --copy ignored --copy sub/ignored --build '{build}' --no-cache -r 1");
    ab(&lab, &format!("{words} -- ./p")).expect(0);
}
