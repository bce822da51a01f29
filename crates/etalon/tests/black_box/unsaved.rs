//! Where runs cannot be saved, or are not to be: measured all the same, and told where the record is.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Ended, Lab, Record, Running, has, skip};

/// The record an unsaved run says it has.
#[track_caller]
fn told(ended: &Ended) -> PathBuf {
    let (_, rest) = ended.stderr.split_once("the record is ").expect("where the record is");
    let end = rest.find([' ', '\n', ';']).unwrap_or(rest.len());
    Path::new(&rest[..end]).to_owned()
}

/// Three executions, in an environment whose temporary directory is the laboratory's.
fn three(lab: &Lab, options: &[&str], change: impl FnOnce(&mut Command)) -> Ended {
    std::fs::create_dir_all(lab.path("tmp")).expect("a directory");
    let mut command = lab.etalon([&["cmd", "-r", "3"], options, &["true"]].concat());
    command.env("TMPDIR", lab.path("tmp"));
    change(&mut command);
    Running::start(command).end()
}

fn without_home(command: &mut Command) {
    command.env_remove("ETALON_HOME").env_remove("XDG_STATE_HOME").env_remove("HOME");
}

/// Would catch measuring refused, a warning that names no remedy, or a record nobody can find.
#[test]
fn without_a_store_it_is_measured_and_the_record_told() {
    let lab = Lab::new();
    lab.write("file", "");
    let file = lab.path("file");
    let changes: [&dyn Fn(&mut Command); 3] = [
        &|command| {
            command.env("ETALON_HOME", &file);
        },
        &|command| {
            command.env("ETALON_HOME", "/proc/none");
        },
        &without_home,
    ];
    for change in changes {
        for options in [&[][..], &["-o", "raw.jsonl", "--force"]] {
            let ended = three(&lab, options, change).expect(0);
            has(&ended.stderr, &["ETALON_HOME", "not saved"]);
            has(&ended.stdout, &[", 3 executions"]);
            let path = told(&ended);
            assert_eq!(Record::read(&path).measured().len(), 3);
            let mode = path.metadata().expect("the record").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "others may read it");
            lab.done([Path::new("report"), &path]);
            if !options.is_empty() {
                assert_eq!(Record::read(&lab.path("raw.jsonl")).measured().len(), 3);
            }
        }
        let run = lab.path("tmp").read_dir().expect("a directory").count();
        let mut command = lab.etalon(["run", "-r", "2", "-e", "return 1"]);
        change(command.env("TMPDIR", lab.path("tmp")));
        has(&Running::start(command).end().expect(0).stderr, &["ETALON_HOME", "the record is "]);
        assert_eq!(lab.path("tmp").read_dir().expect("a directory").count(), run + 1);
    }
}

/// Would catch a user who may not write the store being sent away.
#[test]
fn another_users_store() {
    let as_nobody = |script: &str| {
        let lab = Lab::new();
        let mut command = lab.shell(&format!(
            "cd / && exec setpriv --reuid 65534 --regid 65534 --clear-groups {script}"
        ));
        command.env("HOME", "/").env_remove("ETALON_HOME").env_remove("TMPDIR");
        Running::start(command).end()
    };
    if as_nobody("$E --version").code != Some(0) {
        return skip("setpriv is not permitted: another user's store");
    }
    let ended = as_nobody("$E cmd -N -r 3 true").expect(0);
    has(&ended.stderr, &["cannot create /.local", "ETALON_HOME"]);
    let path = told(&ended);
    assert_eq!(Record::read(&path).measured().len(), 3);
    std::fs::remove_file(path).expect("removed");
    let ended = as_nobody("$E report @last").expect(2);
    has(&ended.stderr, &["@last"]);
}

/// Would catch an end without a report because no directory at all can be written.
#[test]
fn without_any_directory_it_is_measured_in_memory() {
    let lab = Lab::new();
    let ended = three(&lab, &[], |command| {
        without_home(command);
        command.env("TMPDIR", "/proc/none");
    });
    let ended = ended.expect(0);
    has(&ended.stderr, &["ETALON_HOME", "in memory", "-o FILE"]);
    has(&ended.stdout, &[", 3 executions"]);
}

/// Would catch `--no-save` that saves, or that takes the output file or the report along.
#[test]
fn no_save_saves_nothing() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "2", "true"]);
    let last = lab.saved();
    let ended = three(&lab, &["--no-save"], |_| ()).expect(0);
    has(&ended.stdout, &[", 3 executions"]);
    assert_eq!(ended.stderr, "");
    // The record is read while it is measured, too: to look at the precision.
    let list = ["cmd", "-N", "--no-save", "-o", "raw.jsonl", "--precision", "9000%", "true"];
    let shown = lab.done(list);
    assert_eq!(shown, lab.done(["report", "-N", "raw.jsonl"]));
    let mut command = lab.etalon(["run", "--no-save", "-r", "2", "-e", "return 1"]);
    command.env("TMPDIR", lab.path("tmp"));
    Running::start(command).end().expect(0);
    assert_eq!(lab.saved(), last);
    assert_eq!(lab.path("tmp").read_dir().expect("a directory").count(), 0);
}

/// Would catch "saved as @last" said of a run that is not.
#[test]
fn a_failure_afterwards_does_not_promise_what_was_not_saved() {
    let lab = Lab::new();
    let script = "$E cmd --no-save -r 3 true > /dev/full";
    let ended = Running::start(lab.shell(script)).end().expect(2);
    assert!(!ended.stderr.contains("@last"), "{}", ended.stderr);
}

/// Would catch a reference to a saved run answered with a riddle.
#[test]
fn references_without_a_store_name_the_variable() {
    let lab = Lab::new();
    lab.write("file", "");
    for reference in ["@last", "@name", "@-2"] {
        for command in [&["report"][..], &["runs", "show"], &["cmd", "--resume"]] {
            let mut etalon = lab.etalon([command, &[reference]].concat());
            without_home(&mut etalon);
            let ended = Running::start(etalon).end().expect(2);
            has(&ended.stderr, &[reference, "ETALON_HOME"]);
            let mut etalon = lab.etalon([command, &[reference]].concat());
            etalon.env("ETALON_HOME", lab.path("file"));
            let ended = Running::start(etalon).end().expect(2);
            has(&ended.stderr, &[reference, "ETALON_HOME"]);
        }
    }
}
