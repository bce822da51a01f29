//! Files that are deleted, replaced or cut while they are written: the run goes on, the end says so
//! with exit 2, and says where everything is. What is measured does the damage itself, in its fifth
//! execution, so that every test is the same every time.

use std::path::{Path, PathBuf};

use crate::support::{Ended, Lab, Record, has};

/// Executions in all.
const RUNS: usize = 10;

/// A laboratory whose command does this in its fifth execution; `$S` is the record in the store.
fn lab(damage: &str) -> Lab {
    let lab = Lab::new();
    let body = format!(
        "printf x >> n\n[ $(wc -c < n) -eq 5 ] || exit 0\nS=$(ls $ETALON_HOME/runs/2*.partial)\n{damage}"
    );
    lab.script("damage", &body);
    lab
}

fn measured(lab: &Lab, options: &[&str]) -> Ended {
    let runs = RUNS.to_string();
    let list = [&["cmd", "-N", "-r", &runs], options, &["./damage"]].concat();
    lab.run(list).expect(2)
}

/// The path between these words and the next character that ends one.
#[track_caller]
fn path_after(stderr: &str, words: &str) -> PathBuf {
    let (_, rest) = stderr.split_once(words).unwrap_or_else(|| panic!("no `{words}` in {stderr}"));
    let end = rest.find([' ', '\n', ';', ',']).unwrap_or(rest.len());
    Path::new(&rest[..end]).to_owned()
}

/// What is done to a file, and the word for it.
const DAMAGE: [(&str, &str); 4] = [
    ("rm", "deleted"),
    ("mv $F $F.old; cp $F.old $F; :", "replaced"),
    (": >", "cut"),
    ("truncate -s -150", "cut"),
];

/// Would catch the output gone with exit 0, and an experiment stopped where the record is whole.
#[test]
fn an_output_file_that_is_damaged_is_told_at_the_end() {
    for name in ["raw.jsonl", "raw.csv"] {
        for (what, word) in DAMAGE {
            let lab = lab(&format!("F={name}\n{what} $F"));
            let ended = measured(&lab, &["-o", name]);
            has(&ended.stderr, &[&format!("-o {name}"), word, "the whole record is "]);
            let whole = path_after(&ended.stderr, "the whole record is ");
            assert_eq!(Record::read(&whole).measured().len(), RUNS, "{what}");
            assert_eq!(lab.record().stopped_by().as_deref(), Some("runs"));
            has(&ended.stdout, &[", 10 executions"]);
        }
    }
}

/// Would catch a record gone from the store with exit 0 although there is a copy.
#[test]
fn a_record_that_is_damaged_is_whole_in_the_output_file() {
    for (what, word) in DAMAGE {
        let lab = lab(&format!("F=$S\n{what} $F"));
        let ended = measured(&lab, &["-o", "raw.jsonl"]);
        has(&ended.stderr, &[word, "the whole record is raw.jsonl"]);
        let whole = Record::read(&lab.path("raw.jsonl"));
        assert_eq!(whole.measured().len(), RUNS, "{what}");
        assert_eq!(whole.stopped_by().as_deref(), Some("runs"));
        has(&ended.stdout, &[", 10 executions"]);
    }
}

/// Would catch a record that is lost although etalon still has all of it open.
#[test]
fn a_record_whose_name_is_gone_is_saved_again() {
    for (what, word) in &DAMAGE[..2] {
        let lab = lab(&format!("F=$S\n{what} $F"));
        let ended = measured(&lab, &[]);
        has(&ended.stderr, &[word, "saved again as "]);
        let whole = path_after(&ended.stderr, "saved again as ");
        assert_eq!(Record::read(&whole).measured().len(), RUNS);
        has(&ended.stdout, &[", 10 executions"]);
        has(&lab.done(["report", "@last"]), &[", 10 executions"]);
    }
}

/// Would catch a record that was cut short shown as if nothing had happened.
#[test]
fn a_record_that_is_cut_is_told_with_what_is_left() {
    let lab = lab("truncate -s -150 $S");
    let ended = measured(&lab, &["-o", "raw.csv"]);
    has(&ended.stderr, &["cut while it was written", "bytes are left", "raw.csv"]);
    assert_eq!(lab.read("raw.csv").iter().filter(|byte| **byte == b'\n').count(), RUNS + 1);
}

/// Would catch the same missed where no launcher writes.
#[test]
fn an_output_file_of_functions_that_is_damaged_is_told_at_the_end() {
    for (what, word) in
        [("os.remove('raw.jsonl')", "deleted"), ("io.open('raw.jsonl', 'w')", "cut")]
    {
        let lab = Lab::new();
        let ended = lab.run(["run", "-r", "3", "-o", "raw.jsonl", "-e", what]).expect(2);
        has(&ended.stderr, &["-o raw.jsonl", word, "the whole record is "]);
        let whole = path_after(&ended.stderr, "the whole record is ");
        assert_eq!(Record::read(&whole).stopped_by().as_deref(), Some("runs"));
    }
}

/// Would catch an alarm where nothing was damaged: links, devices, names that lead elsewhere.
#[test]
fn a_link_and_a_device_are_no_damage() {
    let lab = Lab::new();
    std::os::unix::fs::symlink("real.jsonl", lab.path("link.jsonl")).expect("a link");
    lab.done(["cmd", "-N", "-r", "3", "-o", "link.jsonl", "true"]);
    assert_eq!(Record::read(&lab.path("real.jsonl")).measured().len(), 3);
    lab.done(["cmd", "-N", "-r", "3", "-o", "/dev/null", "true"]);
}
