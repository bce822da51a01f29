//! `etalon ab --build`: builds that are kept from one run to the next. Each build says where it is in a log, so that what
//! was built is known without a look at a clock.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::ab::{ab, command, git, lab};
use crate::go::{left, snapshot};
use crate::support::{Ended, Lab, Running, has, joined, marked, signal, until};

/// A build that says where.
fn logged(lab: &Lab, then: &str) -> String {
    format!("--build 'pwd >> {}; {then}'", lab.path("log").display())
}

/// Where was built since this was asked last.
fn built(lab: &Lab) -> Vec<String> {
    let log = fs::read_to_string(lab.path("log")).unwrap_or_default();
    let _none = fs::remove_file(lab.path("log"));
    log.lines().map(str::to_owned).collect()
}

/// The places of kept builds.
fn kept(lab: &Lab) -> Vec<PathBuf> {
    let entries = fs::read_dir(lab.home().join("builds")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut places: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    places.sort();
    places
}

fn once(lab: &Lab, words: &str) -> Ended {
    ab(lab, &format!("old {words} -r 1 -- ./p")).expect(0)
}

/// Would catch a build that is made twice or copied from another one, paths of other lengths, an age that is not said or
/// not recorded, and builds that are used although nobody wants that.
#[test]
fn a_build_is_used_again_and_its_age_is_said() {
    let Some(lab) = lab() else { return };
    let before = snapshot(&lab);
    let build = logged(&lab, "make");
    let first = once(&lab, &build);
    let places = built(&lab);
    assert_eq!(places.len(), 4);
    let mut sorted = places.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), 4);
    assert!(places.iter().all(|place| place.len() == places[0].len()));
    assert!(!first.stdout.contains("earlier"), "{}", first.stdout);
    let ended = ab(&lab, &format!("old {build} -r 6 -- ./p")).expect(0);
    assert_eq!(built(&lab), [""; 0]);
    for side in ["base", "head"] {
        has(&joined(&ended.stdout), &[&joined(&format!("{side}: built"))]);
    }
    has(&joined(&lab.done(["report", "@last"])), &[&joined("earlier.")]);
    let directories = |lab: &Lab| -> Vec<String> {
        let record = lab.record();
        let lines = record.of_type("benchmark");
        lines.iter().map(|line| line["cwd"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(directories(&lab), places);
    once(&lab, &format!("{build} --rebuild"));
    assert_eq!(built(&lab), places);
    once(&lab, &format!("{build} --no-cache"));
    let temporary = built(&lab);
    assert!(temporary.iter().all(|place| place.starts_with(lab.path("tmp").to_str().unwrap())));
    assert_eq!(left(&lab), [""; 0]);
    assert!(snapshot(&lab) == before);
}

/// Would catch a build that is used for what it was not made of, and one that is made again because of its role.
#[test]
fn a_build_is_of_its_files_its_command_and_its_surroundings() {
    let Some(lab) = lab() else { return };
    let build = logged(&lab, "make");
    let again = |lab: &Lab, directory: &str, words: &str, variables: &[(&str, &str)]| {
        let mut command = command(lab, directory, &format!("{words} -r 1 -- cat {{side}}/p"));
        command.envs(variables.iter().copied());
        Running::start(command).end().expect(0);
        built(lab).len()
    };
    let with = |words: &str, variables: &[(&str, &str)]| {
        again(&lab, "m", &format!("old {words} {build}"), variables)
    };
    assert_eq!((with("", &[]), with("", &[])), (4, 0));
    assert_eq!((with("--env V=1", &[]), with("--env V=1", &[])), (4, 0));
    for variable in [("CFLAGS", "-g"), ("CC", "cc -g"), ("CARGO_HOME", "/nowhere")] {
        assert_eq!((with("", &[variable]), with("", &[variable])), (4, 0), "{variable:?}");
    }
    assert_eq!(with("", &[("OTHER", "1")]), 0);
    assert_eq!(again(&lab, "m/sub", &format!("old {}", logged(&lab, "cd ..; make")), &[]), 4);
    let named = format!("old {}", logged(&lab, "make $OTHER"));
    assert_eq!(
        (again(&lab, "m", &named, &[]), again(&lab, "m", &named, &[("OTHER", "-s")])),
        (4, 4)
    );
    fs::create_dir_all(lab.path("bin")).unwrap();
    lab.script(
        "bin/cc",
        "#!/bin/sh\ncase $1 in --version) echo other;; *) exec /usr/bin/cc \"$@\";; esac\n",
    );
    let path = format!("{}:{}", lab.path("bin").display(), std::env::var("PATH").unwrap());
    assert_eq!((with("", &[("PATH", &path)]), with("", &[("PATH", &path)])), (4, 0));
    lab.script(
        "bin/cc",
        "#!/bin/sh\ncase $1 in --version) echo newer;; *) exec /usr/bin/cc \"$@\";; esac\n",
    );
    assert_eq!(with("", &[("PATH", &path)]), 4);
    lab.write("m/ignored", "changed");
    assert_eq!(with("", &[]), 0);
    assert_eq!((with("--copy ignored", &[]), with("--copy ignored", &[])), (4, 0));
    lab.write("m/ignored", "again");
    assert_eq!(with("--copy ignored", &[]), 4);
    // Of two sides, the one that changed; what was head is base.
    lab.write("m/bytes", "3000000");
    assert_eq!(with("", &[]), 2);
    git(&lab, "COMMIT -a three");
    assert_eq!(again(&lab, "m", &format!("HEAD old {build}"), &[]), 0);
    // Two sides of the same files are built separately.
    assert_eq!(again(&lab, "m", &format!("HEAD HEAD {build}"), &[]), 2);
}

/// Would catch a build that is measured with what an earlier run left in it, or changed.
#[test]
fn a_build_is_used_again_as_it_was() {
    let Some(lab) = lab() else { return };
    let build = logged(&lab, "make");
    let run = |script: &str| {
        let ended = ab(&lab, &format!("old {build} -r 1 -- sh -c '{script}'"));
        ended.expect(0);
        built(&lab).len()
    };
    // Each is executed twice in some copies: what they read is looked at first.
    assert_eq!(run("test ! -e other && mkdir -p made && touch made/file new && ./p"), 4);
    assert_eq!(run("test ! -e made && test ! -e new && mkdir -p other && ./p"), 0);
    assert_eq!(run("test ! -e other && ./p"), 0);
    assert_eq!(run("./p; echo 1 > bytes"), 0);
    assert_eq!(run("test 1 != $(cat bytes) && ./p"), 4);
    assert_eq!(run("./p; rm -f p"), 0);
    assert_eq!(run("./p"), 4);
}

/// Would catch a failed build that is taken for one, and builds that are kept although one of them was refused.
#[test]
fn a_build_that_failed_is_not_kept() {
    let Some(lab) = lab() else { return };
    let flag = lab.path("flag");
    let build = logged(&lab, &format!("make; test -e {}", flag.display()));
    ab(&lab, &format!("old {build} -r 1 -- ./p")).expect(1);
    assert_eq!((built(&lab).len(), kept(&lab), left(&lab)), (1, vec![], vec![]));
    fs::write(&flag, "").unwrap();
    let others = "make; for it in {side}/../../*/side; do cp p $it; done; true";
    let shared = ab(&lab, &format!("old --build '{others}' -r 1 -- ./p")).expect(2);
    has(&shared.stderr, &["was changed by the build of another copy"]);
    assert_eq!((kept(&lab), left(&lab)), (vec![], vec![]));
    once(&lab, &build);
    assert_eq!(built(&lab).len(), 4);
}

/// Would catch two runs that measure in one directory, and a wait of one for the other.
#[test]
fn two_runs_at_once_have_builds_of_their_own() {
    let Some(lab) = lab() else { return };
    let build = logged(&lab, "make");
    once(&lab, &build);
    let first = built(&lab);
    let waits = format!("old {build} -r 1 -- sh -c './p; touch $UP; sleep 1000'");
    let running = Running::start(command(&lab, "m", &waits));
    until("a command that waits", || lab.path("up").exists());
    once(&lab, &build);
    let second = built(&lab);
    assert_eq!(second.len(), 4);
    assert!(second.iter().all(|place| !first.contains(place)));
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    once(&lab, &build);
    assert_eq!((built(&lab), kept(&lab).len(), left(&lab)), (vec![], 8, vec![]));
}

/// Would catch a half-finished build that is used, a place that is used while an orphan writes there, and what stays.
#[test]
fn a_killed_build_is_never_used() {
    let Some(lab) = lab() else { return };
    let flag = lab.path("flag");
    let waits = format!("make; test -e {} || {{ touch $UP; sleep 1000; }}", flag.display());
    let build = logged(&lab, &waits);
    let running = Running::start(command(&lab, "m", &format!("old {build} -r 1 -- ./p")));
    until("a build that waits", || lab.path("up").exists());
    signal(running.pid(), libc::SIGKILL);
    running.end();
    let orphaned = built(&lab);
    assert_eq!(orphaned.len(), 1);
    fs::write(&flag, "").unwrap();
    once(&lab, &build);
    let others = built(&lab);
    assert!(others.len() == 4 && !others.contains(&orphaned[0]), "{others:?} {orphaned:?}");
    until("the end of the orphans", || {
        let left = marked(&lab.mark());
        left.iter().for_each(|pid| signal(*pid, libc::SIGKILL));
        left.is_empty()
    });
    once(&lab, &build);
    assert_eq!((built(&lab), kept(&lab).len(), left(&lab)), (vec![], 4, vec![]));
}

/// Would catch builds that nobody uses and that stay, and ones that go although they are few and new.
#[test]
fn old_and_large_builds_go() {
    let Some(lab) = lab() else { return };
    once(&lab, "--build make");
    let places = kept(&lab);
    assert_eq!(places.len(), 4);
    let days = |days: u64| SystemTime::now() - Duration::from_secs(24 * 3600 * days);
    let used = |place: &PathBuf, when: SystemTime| {
        let lock = File::options().write(true).open(place.with_extension("lock")).unwrap();
        lock.set_modified(when).unwrap();
    };
    used(&places[0], days(29));
    used(&places[1], days(31));
    ab(&lab, "old --no-control --build true -r 1 -- cat p.c").expect(0);
    assert!(places[0].exists() && !places[1].exists());
    // What is said of its size.
    let built = places[0].with_extension("built");
    let text = fs::read(&built).unwrap();
    let space = text.iter().position(|byte| *byte == b' ').unwrap();
    let end = text.iter().position(|byte| *byte == 0).unwrap();
    let large = [&text[..=space], b"9000000000", &text[end..]].concat();
    fs::write(&built, large).unwrap();
    ab(&lab, "old --no-control --build true -r 1 -- cat p.c").expect(0);
    assert!(!places[0].exists() && places[2].exists() && places[3].exists());
    assert_eq!(left(&lab), [""; 0]);
}
