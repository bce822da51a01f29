//! The subjects of a run: its commands, or the files of its cases.

use std::collections::HashSet;

use etalon_record::store::{Saved, State};
use etalon_report::text::clean;

/// The names it has to be recognised by: files of cases, else benchmarks; of an unreadable record, why.
pub(super) fn names(run: &Saved) -> Vec<String> {
    if let State::Unreadable { reason } = &run.state {
        let path = run.path.display().to_string();
        let why = reason.strip_prefix(&path).unwrap_or(reason);
        return vec![clean(why.trim_start_matches([':', ' ']))];
    }
    let mut known: HashSet<String> = HashSet::new();
    let subjects = run.summary.iter().flat_map(|run| &run.subjects);
    let names = subjects.map(|subject| clean(subject.brief()));
    let mut names: Vec<String> = names.filter(|name| known.insert(name.clone())).collect();
    if names.is_empty() {
        names.push(super::words::command_line(run));
    }
    names
}
