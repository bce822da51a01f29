//! The subjects of a run: its commands, or the files of its cases.

use std::collections::HashSet;

use etalon_core::model::{BUILD, SIDE};
use etalon_record::BenchmarkLine;
use etalon_record::store::{Saved, State};
use etalon_report::text::clean;

/// The names it has to be recognised by: files of cases, else benchmarks; of an unreadable record, why.
pub(super) fn names(run: &Saved) -> Vec<String> {
    if let State::Unreadable { reason } = &run.state {
        let path = run.path.display().to_string();
        let why = reason.strip_prefix(&path).unwrap_or(reason);
        return vec![clean(why.trim_start_matches([':', ' ']))];
    }
    let mut names: Vec<String> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for line in &run.benchmarks {
        let name = match &line.case {
            Some(case) => case.file.rsplit('/').next().unwrap_or_default().to_owned(),
            None => label(run, line),
        };
        let name = clean(&name);
        if known.insert(name.clone()) {
            names.push(name);
        }
    }
    if names.is_empty() {
        names.push(super::words::command_line(run));
    }
    names
}

/// The name of a command; one for all copies of two sides.
fn label(run: &Saved, line: &BenchmarkLine) -> String {
    let mut benchmark = line.to_benchmark();
    if run.header.as_ref().is_some_and(|header| header.sides().is_some()) {
        benchmark.key.params.retain(|(name, _)| ![SIDE, BUILD].contains(&&**name));
    }
    benchmark.label()
}
