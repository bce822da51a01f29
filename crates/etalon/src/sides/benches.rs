//! Whose benchmarks both sides execute where these differ: one rule for suites of Lua and packages of Go, and what a record
//! says of it.
//!
//! Refuses to know what a benchmark's files are: that is a door's.

use std::path::PathBuf;

use etalon_core::model::Context;
use etalon_core::notes::BenchmarksOf;

use crate::compare::sides::facts;

/// Files that a record names; others are counted.
const NAMED: usize = 3;

/// Benchmarks that differ between the sides.
pub(crate) struct Differing {
    /// A package; nothing where files say enough.
    pub(crate) package: Option<String>,
    /// Their files that differ.
    pub(crate) files: Vec<PathBuf>,
    /// Those that were executed.
    pub(crate) executed: BenchmarksOf,
}

/// Facts for the record about benchmarks that differ.
pub(crate) fn facts(differing: &[Differing]) -> Context {
    let mut facts = Context::new();
    for Differing { package, files, executed } in differing.iter().filter(|it| !it.files.is_empty())
    {
        let key = facts::BENCHES.iter().find(|(of, _)| of == executed).map(|(_, key)| *key);
        let named = match package {
            Some(package) => format!("{package} ({})", told(files)),
            None => told(files),
        };
        let fact: &mut String = facts.entry(key.unwrap_or_default().to_owned()).or_default();
        if !fact.is_empty() {
            fact.push_str(", ");
        }
        fact.push_str(&named);
    }
    facts
}

/// The first of some files, and how many more there are.
fn told(files: &[PathBuf]) -> String {
    let named: Vec<String> =
        files.iter().take(NAMED).map(|file| file.display().to_string()).collect();
    let more = files.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}
