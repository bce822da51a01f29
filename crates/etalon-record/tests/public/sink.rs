//! Whole lines or nothing: what `sink::append` leaves behind when the system takes only a part.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::Command;

use etalon_record::sink::append;

/// Names the file in the process that has a limit.
const LIMITED: &str = "ETALON_TEST_LIMITED";

fn appending(path: &Path) -> File {
    OpenOptions::new().append(true).create(true).open(path).unwrap()
}

#[test]
fn lines_follow_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("r.jsonl");
    let file = appending(&path);
    append(&file, b"one\n", &path).unwrap();
    append(&file, b"two\n", &path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"one\ntwo\n");
}

/// Would catch a full disk that goes unnoticed (`/dev/full` takes nothing).
#[test]
fn a_full_device_is_an_error_that_names_it() {
    let path = Path::new("/dev/full");
    let file = OpenOptions::new().write(true).open(path).unwrap();
    let error = append(&file, b"line\n", path).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot write /dev/full: No space left on device; its last line may be torn"
    );
}

/// Would catch half a line left in a record: under a file size limit of 4096 bytes the system takes
/// 1096 bytes of the second line, then none.
#[test]
fn a_line_that_fits_in_part_is_cut_off_again() {
    if let Some(path) = std::env::var_os(LIMITED) {
        return write_against_the_limit(Path::new(&path));
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("r.jsonl");
    let status = limited("sink::a_line_that_fits_in_part_is_cut_off_again", &path);
    assert!(status, "the child's assertions failed");
    assert_eq!(std::fs::read(&path).unwrap(), line(3000), "whole lines only");
}

fn line(length: usize) -> Vec<u8> {
    let mut line = vec![b'x'; length - 1];
    line.push(b'\n');
    line
}

/// Executes one test of this file in a process with a file size limit whose signal is ignored.
fn limited(test: &str, path: &Path) -> bool {
    let program = std::env::current_exe().unwrap();
    Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$@\"", "bash"])
        .arg(program)
        .args(["--exact", test, "--quiet", "--nocapture"])
        .env(LIMITED, path)
        // What the harness prints would count against the limit if it went to a file.
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap()
        .success()
}

/// The part of the process that has the limit.
fn write_against_the_limit(path: &Path) {
    let file = appending(path);
    append(&file, &line(3000), path).unwrap();
    let error = append(&file, &line(3000), path).unwrap_err();
    assert_eq!(error.safe, Some(3000));
    assert_eq!(
        error.to_string(),
        format!(
            "cannot write {0}: File too large; the 3000 bytes written before are whole and \
             readable with `etalon report {0}`",
            path.display()
        )
    );
}
