//! The circumstances of a measurement: which of its facts a comparison has to name where they differ between columns.
//!
//! Refuses to say how much a difference of circumstances matters, and which keys make tables: that is [`super::axes`]'.

use std::collections::BTreeSet;

use super::gather::Gathered;
use crate::dataset::{ConfigurationId, Dataset, MACHINE};
use crate::notes::Difference;

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

/// The values of a fact under some configurations.
pub(super) fn values<'d>(
    data: &'d Dataset,
    configurations: &[ConfigurationId],
    key: &str,
) -> BTreeSet<Option<&'d str>> {
    configurations.iter().map(|at| data.fact(*at, key)).collect()
}

/// Facts that differ between two columns, each given by its cells, of those that matter. A fact that has several
/// values on one side does not describe it.
pub(super) fn differences(
    gathered: &Gathered<'_>,
    base: &[usize],
    other: &[usize],
) -> Vec<Difference> {
    let configurations = |cells: &[usize]| -> Vec<ConfigurationId> {
        let cells = cells.iter().map(|cell| &gathered.cells[*cell]);
        let all: BTreeSet<ConfigurationId> =
            cells.flat_map(|c| c.configurations.all().iter().copied()).collect();
        all.into_iter().collect()
    };
    let under = (configurations(base), configurations(other));
    let facts = |configurations: &[ConfigurationId], key: &str| -> BTreeSet<Option<String>> {
        let values = values(gathered.data, configurations, key);
        values.into_iter().map(|value| value.map(str::to_owned)).collect()
    };
    let processors = |cells: &[usize]| -> BTreeSet<Option<String>> {
        let all = cells.iter().flat_map(|cell| gathered.cells[*cell].processors);
        let all: BTreeSet<Option<u32>> = all.collect();
        all.into_iter().map(|number| number.map(|number| number.to_string())).collect()
    };
    let between = |key: &str, base: BTreeSet<Option<String>>, other: BTreeSet<Option<String>>| {
        let is_one = base.len() == 1 && other.len() == 1 && base != other;
        let (base, other) = (base.into_iter().next()?, other.into_iter().next()?);
        is_one.then(|| Difference { key: key.to_owned(), base, other })
    };
    let difference = |key: &str| between(key, facts(&under.0, key), facts(&under.1, key));
    let load = |of: &Difference| {
        let number = |text: &Option<String>| text.as_ref()?.parse::<f64>().ok();
        let both = number(&of.base).zip(number(&of.other));
        both.is_some_and(|(base, other)| (base - other).abs() > LOADED)
    };
    let named = MACHINE.iter().chain(&MATTERS).filter_map(|key| difference(key));
    let processors = between("gomaxprocs", processors(base), processors(other));
    named.chain(processors).chain(difference(LOAD).filter(load)).collect()
}
