//! One execution of a Go test binary: what failed in it, and what is kept of its output.
//!
//! Refuses to read results: that is [`super::live`]'s.

use std::collections::HashSet;

use etalon_core::dataset::Ending;
use etalon_core::model::Outcome;

use super::record::Record;
use super::records::read_records;
use super::status::{self, Status};
use crate::text::Text;

/// So much of what a failed execution said is kept, from its end.
const SAID: usize = 16 * 1024;

/// So much of what an execution printed beside results is kept.
const PRINTED: usize = 64 * 1024;

/// One execution of a test binary.
#[derive(Debug, Clone, Copy)]
pub struct Execution<'a> {
    /// The benchmark that was asked for, without `Benchmark`.
    pub name: &'a str,
    /// Facts beside those that are printed, in whose place they hold.
    pub facts: &'a [(String, String)],
    /// In which block.
    pub block: u32,
    /// When it began, in ns from the start of the run set.
    pub at_ns: u64,
    /// How it ended.
    pub outcome: &'a Outcome,
    /// Its standard output.
    pub stdout: &'a [u8],
    /// Its standard error.
    pub stderr: &'a [u8],
}

/// Whether a binary that printed this has come to its end without a result and without a failure.
#[must_use]
pub fn is_without_results(stdout: &[u8]) -> bool {
    let (mut results, mut passed) = (false, false);
    // Reading from memory does not fail.
    let _lines = read_records(stdout, |_, record| match record {
        Record::Result(_) => results = true,
        Record::Status { status: Status::Passed, .. } => passed = true,
        _ => {}
    });
    passed && !results
}

/// Failures in an execution: those that its output names, else that of what was asked for.
pub(super) fn failed(
    execution: &Execution<'_>,
    ended: &[(Option<String>, Ending)],
    passed: bool,
    results: usize,
) -> Vec<(String, Outcome)> {
    let named = ended.iter().filter_map(|(name, how)| Some((name.clone()?, how.outcome()?)));
    let mut failed: Vec<(String, Outcome)> = named.collect();
    let timed_out = String::from_utf8_lossy(execution.stderr)
        .lines()
        .any(|line| matches!(status::ending(line), Some(Ending::TimedOut(_))));
    let whole = match execution.outcome {
        _ if timed_out => Some(Outcome::TimedOut),
        // One that exits by itself, as if all were well, has not come to its end.
        Outcome::Ok if !passed && results == 0 && failed.is_empty() => {
            Some(Outcome::Failed { code: 1 })
        }
        Outcome::Ok => None,
        // That a benchmark failed is why the program says so.
        Outcome::Failed { code: 1 } if !failed.is_empty() => None,
        outcome => Some(outcome.clone()),
    };
    failed.extend(whole.map(|outcome| (execution.name.to_owned(), outcome)));
    failed
}

/// The last of what a failed execution said: what it printed beside results, then its standard error.
pub(super) fn said(execution: &Execution<'_>) -> Text {
    let from = |text: &[u8]| text.len().saturating_sub(SAID / 2);
    let (printed, errors) = (execution.stdout, execution.stderr);
    // A panic begins with what it is about, and goes on with stacks.
    let errors = &errors[..errors.len().min(SAID / 2)];
    Text([&printed[from(printed)..], errors].concat())
}

/// The output of an execution that is in no other line: lines that are no results, and its standard error.
pub(super) fn rest(execution: &Execution<'_>, used: &HashSet<u64>) -> Vec<u8> {
    let mut rest = Vec::new();
    for (number, line) in (1..).zip(execution.stdout.split_inclusive(|byte| *byte == b'\n')) {
        if !used.contains(&number) && line != b"PASS\n" {
            rest.extend_from_slice(line);
        }
    }
    rest.extend_from_slice(execution.stderr);
    rest.truncate(PRINTED);
    rest
}
