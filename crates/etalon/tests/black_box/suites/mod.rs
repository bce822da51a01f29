//! What the black-box tests of `etalon run` share: suites kept as files beside this one, executions
//! that take a fraction of a second, and questions to a record by the name of a case.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Ended, Lab, Record, outcome};

/// Two short blocks: nothing here is about the numbers.
pub(crate) const QUICK: [&str; 6] = ["-r", "2", "--budget", "0.1s", "-w", "0"];

/// `etalon run`, quickly.
pub(crate) fn run(lab: &Lab, arguments: &[&str]) -> Ended {
    lab.run([&["run"][..], &QUICK, arguments].concat())
}

/// Puts a suite of this directory into the laboratory.
pub(crate) fn fixture(lab: &Lab, name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/black_box/suites").join(name);
    lab.write(name, std::fs::read(path).expect("a suite of this directory"))
}

/// A suite with one case of each name.
pub(crate) fn plain(lab: &Lab, file: &str, names: &[&str]) {
    let case = |name: &&str| format!("measure.describe('{name}'):run(function() end)\n");
    let cases: String = names.iter().map(case).collect();
    lab.write(file, format!("local measure = require('measure')\n{cases}"));
}

/// A suite with two cases, the second of which does three times the work.
pub(crate) fn two_speeds(lab: &Lab, file: &str) {
    let suite = "local measure = require('measure')\n\
        local function work(n) local t = {}; for i = 1, n do t[i] = i end; return #t end\n\
        measure.describe('short'):run(function() measure.sink(work(200)) end)\n\
        .describe('long'):run(function() measure.sink(work(600)) end)\n";
    lab.write(file, suite);
}

/// Names of the cases, in the order of the record.
pub(crate) fn names(record: &Record) -> Vec<String> {
    let name = |line: &&Value| line["name"].as_str().expect("a name").to_owned();
    record.of_type("benchmark").iter().map(name).collect()
}

/// A case's number.
#[track_caller]
pub(crate) fn number(record: &Record, name: &str) -> usize {
    let names = names(record);
    names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no {name} in {names:?}"))
}

/// How many samples a case has.
#[track_caller]
pub(crate) fn samples(record: &Record, name: &str) -> usize {
    let observed = record.of(number(record, name));
    observed.iter().filter(|o| o["values"].get("wall").is_some()).count()
}

/// How a case broke, and what was said of it.
#[track_caller]
pub(crate) fn broken(record: &Record, name: &str) -> (String, String) {
    let observed = record.of(number(record, name));
    let broken: Vec<_> = observed.iter().filter(|o| o.get("outcome").is_some()).collect();
    assert_eq!(broken.len(), 1, "{name} broke as often: {observed:?}");
    let said = broken[0]["stderr"].as_str().expect("why it broke").to_owned();
    (outcome(broken[0]).expect("how it broke"), said)
}

/// What a case printed, all its processes together.
pub(crate) fn printed(record: &Record, name: &str) -> String {
    let number = number(record, name);
    let outputs = record.of_type("output").into_iter().filter(|line| line["benchmark"] == number);
    outputs.map(|line| line["text"].as_str().expect("text")).collect()
}
