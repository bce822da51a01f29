//! `etalon bisect`: repositories of real commits, one of which makes a loop four times as long. What is asked is which commit
//! that is, never how long anything takes.

use std::fs;
use std::process::Command;

use crate::go::{left, snapshot};

use crate::support::{Ended, Lab, Running, has, held, joined, signal, skip, until, valid};

/// Counts as far as a file says, and is held where `HELD` says.
const PROGRAM: &str =
    "#!/bin/sh\ni=0\nn=$(cat n)\nwhile [ $i -lt $n ]; do i=$((i+1)); done\neval \"$HELD\"\n";

/// Builds, where nothing says that this commit does not.
const BUILD: &str = "--build 'test ! -e broken && cp p.sh p'";

const WORDS: &str = "--metric cpu --seed 7 -- ./p";

/// A harness in pytest-benchmark's format: `a` always takes as long, `b` as a file says. Readings differ with the process.
const HARNESS: &str = r#"
entry() { printf '{"name":"%s","fullname":"t.py::%s","stats":{"iterations":1,"median":%s,"data":[%s]}}' "$1" "$1" "$2" "$2"; }
seconds() { printf '0.0%05d%d' "$1" "$(($$ % 10))"; }
[ ! -e broken ] || exit 0
{
    printf '{"machine_info":{"node":"x"},"version":"5.1","benchmarks":['
    entry a "$(seconds 2000)"
    [ -e lacking ] || { printf ,; entry b "$(seconds "$(cat n)")"; }
    printf ']}'
} >"$1""#;

/// A project of 16 commits behind `good`, the last of which is `bad`; each is what a shell makes of `$c`, its number.
fn lab(commit: &str) -> Option<Lab> {
    if Command::new("git").arg("--version").output().is_err() {
        skip("etalon bisect: git is not installed");
        return None;
    }
    let lab = Lab::new();
    fs::create_dir(lab.path("tmp")).unwrap();
    fs::create_dir(lab.path("m")).unwrap();
    lab.script("m/p.sh", "");
    lab.write("m/p.sh", PROGRAM);
    lab.script("m/h.sh", HARNESS);
    lab.write("m/n", "4000\n");
    let git = "git -c user.name=n -c user.email=e";
    let text = format!(
        "cd m && git init -q -b main . && git add -A && {git} commit -q -m start && git tag good && \
         for c in $(seq 1 16); do {commit}; git add -A; {git} commit -q --allow-empty -m \"commit $c\"; \
         git tag c$c; done; git tag bad"
    );
    Running::start(lab.shell(&text)).end().expect(0);
    Some(lab)
}

fn command(lab: &Lab, words: &str) -> Command {
    let mut command = lab.shell(&format!("cd m && exec \"$E\" bisect {words}"));
    command.env("TMPDIR", lab.path("tmp"));
    command
}

fn bisect(lab: &Lab, words: &str) -> Ended {
    Running::start(command(lab, words)).end()
}

/// The short name of a commit, as reports have it.
fn short(lab: &Lab, revision: &str) -> String {
    let ended = Running::start(lab.shell(&format!("cd m && git rev-parse {revision}"))).end();
    ended.expect(0).stdout[..8].to_owned()
}

const STEP: &str = "echo $c > other; test $c -ne 9 || echo 16000 > n";

/// Would catch another commit, a repository or temporary files that are not as they were, and a record that says something
/// else than what was said live.
#[test]
fn the_commit_is_named() {
    let Some(lab) = lab(STEP) else { return };
    let before = snapshot(&lab);
    let ended = bisect(&lab, &format!("good bad {BUILD} {WORDS}")).expect(0);
    let named = format!("{} (commit 9) changes total CPU time by +", short(&lab, "c9"));
    has(&joined(&ended.stdout), &[&joined(&named), &joined("which is all of the change")]);
    has(&joined(&ended.stderr), &[&joined("16 commits: about"), &joined("the ends differ")]);
    assert_eq!(snapshot(&lab), before);
    assert_eq!(left(&lab), [""; 0]);
    assert_eq!(lab.record().stopped_by().as_deref(), Some("decided"));
    assert_eq!(lab.done(["report", "@last"]), ended.stdout);
    let document = lab.json(["report", "@last", "--json"]);
    valid(&document).unwrap();
    assert_eq!(document["kind"], "bisection");
    let found = &document["bisection"];
    assert_eq!((&found["outcome"], &found["good"]), (&"named".into(), &"good".into()));
    assert_eq!((&found["steps"][0]["place"], &found["steps"][0]["before"]), (&9.into(), &8.into()));
    assert_eq!(found["steps"][0]["subject"], "commit 9");
    assert_eq!(found["commits"].as_array().unwrap().len(), 17);
    lab.done(["report", "@last", "--html", "page.html", "--svg", "pictures"]);
    let page = fs::read_to_string(lab.path("page.html")).unwrap();
    has(&page, &["data-name=\"bisection\"", "against good (blue, solid)", "(commit 9)"]);
    assert!(lab.path("pictures/01-bisection.svg").exists());
    // Builds of the ends are used again.
    let again = bisect(&lab, &format!("good bad {BUILD} {WORDS}")).expect(0);
    has(&joined(&again.stdout), &[&joined("(commit 9) changes")]);
}

/// Would catch a commit that is blamed for what a neighbour did that does not build, and a build that fails the run.
#[test]
fn commits_that_do_not_build_widen_the_answer() {
    let broken = format!("{STEP}; case $c in 8|9|10) touch broken;; *) rm -f broken;; esac");
    let Some(lab) = lab(&broken) else { return };
    let ended = bisect(&lab, &format!("good bad {BUILD} {WORDS}")).expect(0);
    let all = format!("One of these 4 commits, {} … {},", short(&lab, "c8"), short(&lab, "c11"));
    has(&joined(&ended.stdout), &[&joined(&all), &joined("does not build (3)")]);
    let document = lab.json(["report", "@last", "--json"]);
    valid(&document).unwrap();
    let steps = &document["bisection"]["steps"];
    assert_eq!((&steps[0]["before"], &steps[0]["place"]), (&7.into(), &11.into()));
    assert_eq!(document["bisection"]["commits"][9]["left_out"], "does not build");
}

/// Would catch a commit that crashes and one that prints something else taken for measured.
#[test]
fn what_crashes_or_prints_something_else_is_left_out() {
    let odd = format!(
        "test -e ../base.sh || cp p.sh ../base.sh; {STEP}; cp ../base.sh p.sh; \
         case $c in 8) echo 'exit 3' >> p.sh;; 10) echo 'echo other' >> p.sh;; esac"
    );
    let Some(lab) = lab(&odd) else { return };
    let ended = bisect(&lab, &format!("good bad {BUILD} --same-output {WORDS}")).expect(0);
    let named = format!("One of these 2 commits, {} … {},", short(&lab, "c8"), short(&lab, "c9"));
    has(&joined(&ended.stdout), &[&joined(&named), &joined("exits with code 3")]);
}

/// Would catch a commit that is named where nothing changed.
#[test]
fn without_a_change_none_is_named() {
    let Some(lab) = lab("echo $c > other") else { return };
    let ended = bisect(&lab, &format!("good bad -r 15 {BUILD} --metric minflt -- ./p")).expect(3);
    // A change may be seen, and be too small to be searched.
    has(&joined(&ended.stdout), &[&joined("No commit is named")]);
    assert_eq!(lab.record().stopped_by().as_deref(), Some("decided"));
}

/// Would catch a merge that is taken for the commits that it brings, and commits of a branch that are not there where they
/// are asked for.
#[test]
fn a_merge_is_one_commit() {
    let branch = "if [ $c -eq 9 ]; then git checkout -q -b side; for s in 1 2 3; do echo $s > side; \
                  test $s -ne 2 || echo 16000 > n; git add -A; git -c user.name=n -c user.email=e commit -q -m \"side $s\"; \
                  done; git checkout -q main; \
                  git -c user.name=n -c user.email=e merge -q --no-ff -m 'merge side' side; fi; echo $c > other";
    let Some(lab) = lab(branch) else { return };
    let ended = bisect(&lab, &format!("good bad {BUILD} {WORDS}")).expect(0);
    has(&joined(&ended.stdout), &[&joined("(merge side) changes total CPU time")]);
    let ended = bisect(&lab, &format!("good bad --all-commits {BUILD} {WORDS}")).expect(0);
    has(&joined(&ended.stdout), &[&joined("(side 2) changes total CPU time")]);
    let ended = bisect(&lab, &format!("good bad --path n {BUILD} {WORDS}")).expect(0);
    has(&joined(&ended.stdout), &[&joined("(merge side) changes total CPU time")]);
}

/// Would catch ends in the wrong order, and what is not there.
#[test]
fn what_cannot_be_searched_is_refused() {
    let Some(lab) = lab("echo $c > other") else { return };
    let refused = |words: &str, parts: &[&str]| {
        let ended = bisect(&lab, words).expect(2);
        for part in parts {
            has(&joined(&ended.stderr), &[&joined(part)]);
        }
        assert!(lab.saved().is_empty());
    };
    refused("bad good -- ./p.sh", &["the bad end has to come after the good one"]);
    refused("good good -- ./p.sh", &["no commits between them"]);
    refused("good nope -- ./p.sh", &["nope: no such revision here"]);
    let results = "--results pytest-benchmark";
    refused(&format!("good bad --count {results} -- ./p.sh"), &["--count with --results"]);
    refused(
        &format!("good bad --same-output {results} -- ./p.sh"),
        &["--same-output with --results"],
    );
    refused("good bad --filter b -- ./p.sh", &["--results"]);
    refused("good bad --metric nope -- ./p.sh", &["--metric nope"]);
    refused("good bad -- no-such-program", &["no-such-program"]);
}

/// Would catch a benchmark that nobody chose, one of another name, and a commit that lacks it or writes nothing taken for
/// measured.
#[test]
fn a_benchmark_of_a_harness_is_followed() {
    let odd = format!(
        "{STEP}; rm -f lacking broken; case $c in 8) touch lacking;; 10) touch broken;; esac"
    );
    let Some(lab) = lab(&odd) else { return };
    let words = "--seed 7 --results pytest-benchmark -- ./h.sh {results}";
    let ended = bisect(&lab, &format!("good bad {words}")).expect(2);
    has(
        &joined(&ended.stderr),
        &[&joined("2 benchmarks are there"), &joined("--filter NAME: a, b")],
    );
    let ended = bisect(&lab, &format!("good bad --filter c {words}")).expect(2);
    has(&joined(&ended.stderr), &[&joined("--filter: no benchmark of these matches: a, b")]);
    assert_eq!(left(&lab), [""; 0]);
    let ended = bisect(&lab, &format!("good bad --filter b {words}")).expect(0);
    let named =
        format!("One of these 2 commits, {} … {}, changes", short(&lab, "c8"), short(&lab, "c9"));
    has(&joined(&ended.stdout), &[&joined(&named), &joined("has no b")]);
    assert_eq!(lab.done(["report", "@last"]), ended.stdout);
    let document = lab.json(["report", "@last", "--json"]);
    valid(&document).unwrap();
    assert_eq!(document["bisection"]["steps"][0]["place"], 9);
}

/// Would catch a commit that is named by its time, counts that are made oftener than is needed, and a record that says
/// something else than what was said live.
#[test]
fn counts_name_a_commit() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        skip("etalon bisect --count: valgrind is not installed");
        return;
    }
    let Some(lab) = lab("echo $c > other; test $c -ne 9 || echo 4040 > n") else { return };
    let before = snapshot(&lab);
    let ended = bisect(&lab, &format!("good bad --count {BUILD} {WORDS}")).expect(0);
    let named = format!("{} (commit 9) changes instructions by +", short(&lab, "c9"));
    let time = format!("Total CPU time of {} over {}:", short(&lab, "c9"), short(&lab, "c8"));
    has(
        &joined(&ended.stdout),
        &[&joined(&named), &joined("which is all of the change"), &joined(&time)],
    );
    assert_eq!((snapshot(&lab), left(&lab)), (before, Vec::<String>::new()));
    assert_eq!(lab.done(["report", "@last"]), ended.stdout);
    let document = lab.json(["report", "@last", "--json"]);
    valid(&document).unwrap();
    let found = &document["bisection"];
    assert_eq!((&found["steps"][0]["place"], &found["blocks"]), (&9.into(), &20.into()));
    assert!(found["counts"].as_u64().unwrap() <= 18, "{}", found["counts"]);
    assert!(found["steps"][0]["count"]["value"].as_f64().unwrap() > 1.001);
    lab.done(["report", "@last", "--html", "page.html"]);
    let ended = bisect(&lab, &format!("good c8 --count {BUILD} {WORDS}")).expect(3);
    has(&joined(&ended.stdout), &[&joined("instructions of good and c8 are not seen to differ")]);
}

/// Would catch a bisection that begins again, that names another commit, or that leaves copies behind.
#[test]
fn it_goes_on_after_kill_9() {
    let Some(lab) = lab(STEP) else { return };
    let words = format!("good bad {BUILD} {WORDS}");
    for executions in [16, 50, 110] {
        lab.write("done", "");
        lab.write("hold", executions.to_string());
        let mut command = command(&lab, &words);
        command.env("HELD", held(lab.path(".").display()));
        let running = Running::start(command);
        until("executions", || lab.read("done").len() >= executions);
        signal(running.pid(), libc::SIGKILL);
        running.end();
        lab.assert_nothing_left();
        let begun = lab.record().measured().len();
        assert!(begun > 0, "killed before the first observation");
        let ended = bisect(&lab, "--resume @last").expect(0);
        has(&joined(&ended.stdout), &[&joined("(commit 9) changes total CPU time")]);
        assert!(lab.record().measured().len() > begun);
        assert_eq!(left(&lab), [""; 0]);
        lab.saved().iter().for_each(|path| fs::remove_file(path).unwrap());
    }
    let refused = bisect(&lab, "--resume @last");
    assert_ne!(refused.code, Some(0));
}
