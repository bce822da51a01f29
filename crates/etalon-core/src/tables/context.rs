//! The circumstances of a measurement: which of its facts name a machine, which matter for a comparison,
//! and what is asked of data by default.
//!
//! Owns the rule that data from different machines, or on different numbers of processors, are never pooled: a machine
//! that varies inside a cell becomes part of the column, a number of processors part of the row. Refuses to say how much a difference of circumstances matters.

use std::collections::BTreeSet;

use super::ask::QuerySpec;
use super::gather::{CellAt, Gathered};
use super::note::Difference;
use crate::dataset::{ConfigurationId, Dataset};
use crate::history::MACHINE;
use crate::query::{Key, Projection};

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

/// The number of processors that Go puts behind a name.
const PROCESSORS: &str = "/gomaxprocs";

/// What etalon asks of data: a table for each value of what varies within a file (each package, too), a
/// row for each benchmark, a column for each file. What does not vary within a file is the column's: also
/// the number of processors behind a name, which would keep two machines' benchmarks apart.
#[must_use]
pub fn natural(data: &Dataset) -> QuerySpec {
    natural_beside(data, &[])
}

/// The same beside queries for rows and columns: a key that they name tells no tables apart.
#[must_use]
pub fn natural_beside(data: &Dataset, others: &[&Projection]) -> QuerySpec {
    let is_named = |key: &Key| others.iter().any(|other| other.names(key));
    let mut tables: Vec<Key> = Vec::new();
    for name in keys(data) {
        let key = Key::Config(name.to_owned());
        let splits = varies_within_a_file(data, name) && !MACHINE.contains(&name);
        if !is_named(&key) && (name == "pkg" || splits) {
            tables.push(key);
        }
    }
    let processors = processors_of_files(data);
    let differ = processors.windows(2).any(|pair| pair[0] != pair[1]);
    let of_files = differ && processors.iter().all(|all| all.len() == 1);
    let ignore = Projection::keys(of_files.then(|| Key::of(PROCESSORS)));
    QuerySpec { table: Projection::keys(tables), ignore, ..QuerySpec::default() }
}

/// The numbers of processors behind the names of each file that has results.
fn processors_of_files(data: &Dataset) -> Vec<BTreeSet<Option<u32>>> {
    let mut files: Vec<BTreeSet<Option<u32>>> = vec![BTreeSet::new(); data.run_sets.len()];
    for series in data.series.iter().filter(|series| !data.schemas[series.schema.at()].is_empty()) {
        let declared = &data.benchmarks[series.benchmark.at()];
        files[declared.run_set.at()].insert(declared.name.processors());
    }
    files.retain(|processors| !processors.is_empty());
    files
}

/// All keys of facts, in order of appearance.
fn keys(data: &Dataset) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let entries = data.configurations.iter().flat_map(|configuration| &configuration.entries);
    let new = entries.filter(|(key, _)| seen.insert(*key));
    new.map(|(key, _)| data.strings.text(*key)).collect()
}

fn varies_within_a_file(data: &Dataset, key: &str) -> bool {
    let mut first: Vec<Option<Option<&str>>> = vec![None; data.run_sets.len()];
    let configurations =
        (0..data.configurations.len()).map_while(|at| ConfigurationId::new(at).ok());
    configurations.zip(&data.configurations).any(|(at, configuration)| {
        let value = data.fact(at, key);
        *first[configuration.run_set.at()].get_or_insert(value) != value
    })
}

/// The facts about machines that differ inside some cell.
pub(super) fn pooled_machines(data: &Dataset, cells: &[CellAt]) -> Vec<&'static str> {
    // Of one configuration nothing differs, and most cells are of one.
    let mixed: Vec<&CellAt> =
        cells.iter().filter(|cell| cell.configurations.all().len() > 1).collect();
    let differs = |key: &&&str| {
        mixed.iter().any(|cell| values(data, cell.configurations.all(), key).len() > 1)
    };
    MACHINE.iter().filter(differs).copied().collect()
}

/// The number of processors behind names, where some cell has several and nobody asked to ignore it: the same code
/// on one and on eight processors, or names that end in other numbers.
pub(super) fn pooled_processors(gathered: &Gathered<'_>) -> Option<&'static str> {
    let is_pooled = gathered.cells.iter().any(|cell| cell.processors[0] != cell.processors[1]);
    (is_pooled && !gathered.query.ignores(&Key::of(PROCESSORS))).then_some(PROCESSORS)
}

fn values<'d>(
    data: &'d Dataset,
    configurations: &[ConfigurationId],
    key: &str,
) -> BTreeSet<Option<&'d str>> {
    configurations.iter().map(|at| data.fact(*at, key)).collect()
}

/// What differs between two columns, each given by its cells, of what matters. A fact that has several
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
