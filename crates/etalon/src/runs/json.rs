//! Saved runs as one JSON document: nothing shortened, times in UTC.

use std::io::{self, BufWriter};

use etalon_record::store::{Saved, State, Store};
use etalon_report::runs::in_words;
use serde_json::{Value, json};

use super::answer::{self, Effort};
use crate::failure::Failure;

/// Writes them, newest first.
pub(super) fn write(store: &Store, runs: &[Saved]) -> Result<(), Failure> {
    let document: Vec<Value> = runs
        .iter()
        .enumerate()
        .map(|(place, run)| described(store, run, Effort::at(place)))
        .collect();
    let mut out = BufWriter::new(io::stdout().lock());
    let written = etalon_report::json::write_document(&document, &mut out);
    written.map_err(|error| Failure::of_output(&error))
}

fn described(store: &Store, run: &Saved, effort: Effort) -> Value {
    let argv = run.header.iter().flat_map(|header| &header.argv);
    let argv: Vec<_> = argv.map(|word| word.to_string_lossy()).collect();
    let benchmarks: Vec<String> =
        run.benchmarks.iter().map(|line| line.to_benchmark().label()).collect();
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
