//! The circumstances of a measurement: which of its facts name a machine, which matter for a comparison,
//! and what is asked of data by default.
//!
//! Owns the rule that data from different machines are never pooled: a machine that varies inside a cell
//! becomes part of the column. Refuses to say how much a difference of circumstances matters.

use std::collections::BTreeSet;

use super::ask::Asked;
use super::gather::CellAt;
use super::note::Difference;
use crate::dataset::Dataset;

/// Facts that tell machines apart: Go's, then etalon's.
const MACHINE: [&str; 6] = ["cpu", "goos", "goarch", "cpu.model", "machine.arch", "machine.host"];

/// Facts that a comparison has to name where they differ: besides machines, what they were made to do,
/// and the versions of what was run and of what measured.
const MATTERS: [&str; 14] = [
    "cpu.cores",
    "cpu.governor",
    "cpu.turbo",
    "cpu.smt",
    "kernel.release",
    "container",
    "vm",
    "runtime.version",
    "runtime.language",
    "runtime.jit",
    "tool.version",
    "tool.build",
    "go",
    "toolchain",
];

/// The load average of the last minute, which is never the same twice.
const LOAD: &str = "load.1min";
/// Loads further apart than this are named. Because: about half a core kept busy by somebody else.
const LOADED: f64 = 0.5;

/// What etalon asks of data: a table for each value of what varies within a file (each package, too), a
/// row for each benchmark, a column for each file. What does not vary within a file is the column's.
#[must_use]
pub fn natural(data: &Dataset) -> Asked {
    let mut tables: Vec<String> = Vec::new();
    for key in keys(data) {
        let splits = varies_within_a_file(data, key) && !MACHINE.contains(&key);
        if key == "pkg" || splits {
            tables.push(quoted(key));
        }
    }
    Asked { table: tables.join(","), ..Asked::default() }
}

/// A key as a query can have it.
fn quoted(key: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !"()\":@,".contains(c);
    if key.chars().all(plain) && !key.starts_with(['-', '*', '/', '.']) && !key.is_empty() {
        return key.to_owned();
    }
    format!("\"{}\"", key.replace('\\', "\\\\").replace('"', "\\\""))
}

/// All keys of facts, in order of appearance.
fn keys(data: &Dataset) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let entries = data.configurations.iter().flat_map(|configuration| &configuration.entries);
    let new = entries.filter(|(key, _)| seen.insert(*key));
    new.map(|(key, _)| data.strings.text(*key)).collect()
}

fn varies_within_a_file(data: &Dataset, key: &str) -> bool {
    let mut first: Vec<Option<Option<&str>>> = vec![None; data.files.len()];
    (0_u32..).zip(&data.configurations).any(|(at, configuration)| {
        let value = data.fact(at, key);
        *first[configuration.file as usize].get_or_insert(value) != value
    })
}

/// The facts about machines that differ inside some cell.
pub(super) fn pooled_machines(data: &Dataset, cells: &[CellAt]) -> Vec<&'static str> {
    let differs =
        |key: &&&str| cells.iter().any(|cell| values(data, &cell.configurations, key).len() > 1);
    MACHINE.iter().filter(differs).copied().collect()
}

fn values<'d>(data: &'d Dataset, configurations: &[u32], key: &str) -> BTreeSet<Option<&'d str>> {
    configurations.iter().map(|at| data.fact(*at, key)).collect()
}

/// What differs between two columns, of what matters. A fact that has several values on one side does
/// not describe it.
pub(super) fn differences(data: &Dataset, base: &[u32], other: &[u32]) -> Vec<Difference> {
    let one = |configurations: &[u32], key: &str| -> Option<Option<String>> {
        let values = values(data, configurations, key);
        let first = values.first()?.map(str::to_owned);
        (values.len() == 1).then_some(first)
    };
    let difference = |key: &str| {
        let (base, other) = (one(base, key)?, one(other, key)?);
        (base != other).then(|| Difference { key: key.to_owned(), base, other })
    };
    let load = |of: &Difference| {
        let number = |text: &Option<String>| text.as_ref()?.parse::<f64>().ok();
        let both = number(&of.base).zip(number(&of.other));
        both.is_some_and(|(base, other)| (base - other).abs() > LOADED)
    };
    let named = MACHINE.iter().chain(&MATTERS).filter_map(|key| difference(key));
    named.chain(difference(LOAD).filter(load)).collect()
}
