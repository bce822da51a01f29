//! Saved runs as one JSON document: nothing shortened, times in UTC.

use std::cell::RefCell;
use std::io::{self, BufWriter};

use etalon_record::store::{Saved, State, Store};
use etalon_report::runs::in_words;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::answer::{self, Effort};
use crate::failure::Failure;

/// Writes them, newest first, each when its turn comes.
pub(super) fn write(store: &Store, runs: impl Iterator<Item = Saved>) -> Result<(), Failure> {
    let described = runs.enumerate().map(|(place, run)| described(store, &run, Effort::at(place)));
    let mut out = BufWriter::new(io::stdout().lock());
    let written = etalon_report::json::write_document(&InTurn::new(described), &mut out);
    written.map_err(|error| Failure::of_output(&error))
}

/// Values that are made while they are written: 100,000 runs are no document in memory.
struct InTurn<I>(RefCell<I>);

impl<I: Iterator<Item = Value>> InTurn<I> {
    fn new(values: I) -> InTurn<I> {
        InTurn(RefCell::new(values))
    }
}

impl<I: Iterator<Item = Value>> Serialize for InTurn<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

fn described(store: &Store, run: &Saved, effort: Effort) -> Value {
    let argv = run.summary.iter().flat_map(|run| &run.argv);
    let argv: Vec<_> = argv.map(|word| word.to_string_lossy()).collect();
    let subjects = run.summary.iter().flat_map(|run| &run.subjects);
    let benchmarks: Vec<&str> = subjects.map(|subject| subject.label()).collect();
    let state = match &run.state {
        State::Complete => "complete",
        State::Interrupted => "unfinished",
        State::Running => "running",
        State::Unreadable { .. } => "unreadable",
    };
    json!({
        "id": run.id,
        "short": run.short,
        "file": run.path.to_string_lossy(),
        "started": run.started().map(|at| at.to_string()),
        "argv": argv,
        "benchmarks": benchmarks,
        "state": state,
        "stopped_by": run.end.as_ref().map(|end| end.stopped_by.to_string()),
        "answer": in_words(&answer::answer(store, run, effort)),
        "names": run.names,
        "tags": run.labels.tags,
        "note": run.labels.note,
        "bytes": run.bytes,
    })
}
