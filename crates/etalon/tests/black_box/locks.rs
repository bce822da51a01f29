//! Two etalons and one file: the second is refused before it touches anything, and says who has it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::support::{Lab, Record, Running, has, signal, skip, until};

/// A command that goes on until the file `go` is there.
const WAITING: &str = "sh -c ': > there; while [ ! -e go ]; do sleep 0.01; done'";

/// An etalon that is measuring, with these further arguments.
fn measuring(lab: &Lab, arguments: &[&str]) -> Running {
    let running =
        Running::start(lab.etalon([&["cmd", "-N", "-r", "2"], arguments, &[WAITING]].concat()));
    until("the first", || lab.path("there").exists());
    running
}

/// Would catch two etalons whose rows interleave in one file, a file emptied by the one that is
/// refused, and a refusal that does not say by whom.
#[test]
fn a_file_another_etalon_writes_is_refused() {
    for name in ["raw.jsonl", "raw.csv"] {
        let lab = Lab::new();
        let first = measuring(&lab, &["-o", name]);
        let process = format!("process {}", first.pid());
        for force in [&[][..], &["--force"]] {
            let list = [&["cmd", "-N", "-r", "2", "-o", name], force, &["true"]].concat();
            let second = lab.run(list).expect(2);
            has(&second.stderr, &[&format!("-o {name}"), &process, "cmd -N -r 2"]);
            let second = lab.run([&["run", "-o", name], force, &["-e", "return 1"]].concat());
            has(&second.expect(2).stderr, &[&format!("-o {name}"), &process]);
        }
        assert_eq!(lab.saved().len(), 1, "the one that was refused left something");
        lab.write("go", "");
        first.end().expect(0);
        if name == "raw.jsonl" {
            assert_eq!(Record::read(&lab.path(name)).lines, lab.record().lines);
        } else {
            assert_eq!(lab.read(name).iter().filter(|byte| **byte == b'\n').count(), 3);
        }
        lab.done(["cmd", "-N", "-r", "2", "--force", "-o", name, "true"]);
    }
}

/// Would catch a lock that a killed etalon leaves behind.
#[test]
fn a_killed_etalon_leaves_no_lock() {
    let lab = Lab::new();
    let first = measuring(&lab, &["-o", "raw.jsonl"]);
    signal(first.pid(), libc::SIGKILL);
    first.end();
    lab.assert_nothing_left();
    lab.done(["cmd", "-N", "-r", "2", "--force", "-o", "raw.jsonl", "true"]);
    assert_eq!(Record::read(&lab.path("raw.jsonl")).measured().len(), 2);
}

/// Would catch a lock on what several may write to at once.
#[test]
fn a_device_is_nobodys() {
    let lab = Lab::new();
    let first = measuring(&lab, &["-o", "/dev/null"]);
    lab.done(["cmd", "-N", "-r", "2", "-o", "/dev/null", "true"]);
    lab.write("go", "");
    first.end().expect(0);
}

/// Would catch `--resume` of what is still being measured, in the store or in a file, and two that
/// resume one record.
#[test]
fn a_record_is_resumed_by_one_at_a_time() {
    let lab = Lab::new();
    let first = measuring(&lab, &["-o", "raw.jsonl"]);
    let process = format!("process {}", first.pid());
    for record in ["@last", "raw.jsonl"] {
        let ended = lab.run(["cmd", "--resume", record]).expect(2);
        has(&ended.stderr, &[&format!("--resume {record}"), "in use by", &process]);
    }
    signal(first.pid(), libc::SIGINT);
    first.end().expect(130);
    let interrupted = lab.saved().pop().expect("a saved run");
    std::fs::remove_file(lab.path("there")).expect("removed");

    let resume = [OsStr::new("cmd"), OsStr::new("-N"), OsStr::new("--resume")];
    let again = || resume.into_iter().chain([interrupted.as_os_str()]);
    let resuming = Running::start(lab.etalon(again()));
    until("the one that resumes", || lab.path("there").exists());
    let ended = lab.run(again()).expect(2);
    has(&ended.stderr, &["in use by", &format!("process {}", resuming.pid())]);
    lab.write("go", "");
    resuming.end().expect(0);
}

/// Would catch a refusal that needs /proc, or asks whether it is mounted.
#[test]
fn without_proc_the_other_is_refused_without_its_number() {
    let lab = Lab::new();
    let script = "mount -t tmpfs none /proc && exec $E cmd -r 2 -o raw.jsonl true";
    let probe = Running::start(lab.shell("unshare -m sh -c 'mount -t tmpfs none /proc'")).end();
    if probe.code != Some(0) {
        return skip("unshare -m is not permitted: a lock without /proc");
    }
    let first = measuring(&lab, &["-o", "raw.jsonl"]);
    let script = format!("exec unshare -m sh -c '{script}'");
    let ended = Running::start(lab.shell(&script)).end().expect(2);
    has(&ended.stderr, &["-o raw.jsonl", "in use by another process"]);
    lab.write("go", "");
    first.end().expect(0);
}

/// Would catch a command line of the other that reaches the terminal as it is.
#[test]
fn what_the_other_was_started_with_is_tame() {
    let lab = Lab::new();
    let name = OsStr::from_bytes(b"\x1b[31mred");
    let list = ["cmd", "-N", "-r", "2", "-o", "raw.jsonl", WAITING, "-n"].map(OsStr::new);
    let first = Running::start(lab.etalon(list.into_iter().chain([name])));
    until("the first", || lab.path("there").exists());
    let ended = lab.run(["cmd", "-o", "raw.jsonl", "true"]).expect(2);
    assert!(!ended.stderr.contains('\x1b'), "{:?}", ended.stderr);
    lab.write("go", "");
    first.end().expect(0);
}
