//! Which keys make tables, rows and columns: one rule for everything that tabulates.
//!
//! | key | makes |
//! | --- | --- |
//! | named by `--row`, `--col` or `--table` | what it is named for |
//! | named by `--ignore` | nothing: it may vary within a cell |
//! | `.fullname`: the declared name with its parameters | a row for each value, unless rows are named |
//! | `.file`: a data set as it was given | a column for each, unless columns are named; the first is the base |
//! | `pkg` | a table for each value |
//! | `suite` and `group` of functions, `cpu` and what else names a machine, `goos`, `commit`, `note`, any key | a table for each value where it varies *within* a data set; the column's own where it varies only *between* them, which a note says where it matters |
//! | `/gomaxprocs` | part of the name; the column's own where each data set has one number |
//!
//! Only what makes columns is compared: old against new in each table, never one value of a key that happens to vary
//! against another. [`natural_beside`] is that rule for keys that nobody names. [`unpooled`] holds it against every
//! query: a cell never holds readings that differ in what tells benchmarks or machines apart, nor those of one data set
//! that differ in any key; what differs makes tables there too. `--ignore` is the only way to pool.
//!
//! Refuses to read values, and to guess a base.

use std::collections::BTreeSet;

use super::ask::QuerySpec;
use super::gather::{Gathered, gather};
use super::method::Numbers;
use crate::dataset::history::PACKAGE;
use crate::dataset::{Dataset, GROUP, MACHINE, RunSetId, SUITE};
use crate::query::{Key, Projection, TupleId};

/// The number of processors that Go puts behind a name.
const PROCESSORS: &str = "/gomaxprocs";

/// The queries of etalon where nobody names a key.
#[must_use]
pub fn natural(data: &Dataset) -> QuerySpec {
    natural_beside(data, &[])
}

/// The natural queries beside those for rows and columns, and what is ignored: a key that they name tells no tables
/// apart.
#[must_use]
pub fn natural_beside(data: &Dataset, others: &[&Projection]) -> QuerySpec {
    let is_free =
        |key: &Key| !others.iter().any(|other| other.names(key) || other.names(&Key::AllConfig));
    let measured = data.measured_configurations();
    let varies = |name: &str| data.varies_within_a_run_set(&measured, name);
    let splits = |name: &&str| [PACKAGE, GROUP].contains(name) || varies(name);
    let tables = keys(data).into_iter().filter(splits).map(|name| Key::Config(name.to_owned()));
    let processors = processors_of_files(data);
    let differ = processors.windows(2).any(|pair| pair[0] != pair[1]);
    let of_files = differ && processors.iter().all(|all| all.len() == 1);
    let ignore = Projection::keys(of_files.then(|| Key::from_word(PROCESSORS)));
    QuerySpec { table: Projection::keys(tables.filter(is_free)), ignore, ..QuerySpec::default() }
}

/// The numbers of processors behind the names of each file that has results.
fn processors_of_files(data: &Dataset) -> Vec<BTreeSet<Option<u32>>> {
    let mut files: Vec<BTreeSet<Option<u32>>> = vec![BTreeSet::new(); data.run_sets.len()];
    for series in data.series.iter().filter(|series| !data.schemas[series.schema.at()].is_empty()) {
        let declared = &data.benchmarks[series.benchmark.at()];
        let one = data.run_sets[declared.run_set.at()].one_processor;
        let processors = declared.name.processors().filter(|_| !one);
        files[declared.run_set.at()].insert(processors);
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

/// Cells that hold nothing but readings that may be pooled: what else differs within one becomes part of the tables, a
/// number of processors behind names part of the rows.
pub(super) fn unpooled(gathered: Gathered<'_>, numbers: Numbers) -> Gathered<'_> {
    let gathered = match pooled_processors(&gathered) {
        Some(key) => gather(gathered.data, gathered.query.with(Some(key), None), numbers),
        None => gathered,
    };
    match pooled(&gathered) {
        keys if keys.is_empty() => gathered,
        keys => gather(gathered.data, gathered.query.with(None, keys), numbers),
    }
}

/// The number of processors behind names, where some cell has several and nobody asked to ignore it: the same code
/// on one and on eight processors, or names that end in other numbers.
fn pooled_processors(gathered: &Gathered<'_>) -> Option<Key> {
    let is_pooled = gathered.cells.iter().any(|cell| cell.processors[0] != cell.processors[1]);
    let key = Key::from_word(PROCESSORS);
    (is_pooled && !gathered.query.ignores(&key)).then_some(key)
}

/// The keys that some cell must not hold several values of. Linear in the distinct residues.
fn pooled(gathered: &Gathered<'_>) -> Vec<Key> {
    let residue = gathered.evaluator.residue();
    let mut found: BTreeSet<usize> = BTreeSet::new();
    // Of one residue nothing differs, and most cells are of one.
    for cell in gathered.cells.iter().filter(|cell| cell.residues.all().len() > 1) {
        let mut all = cell.residues.all().to_vec();
        let tuples = |of: &[(RunSetId, TupleId)]| of.iter().map(|it| it.1).collect::<Vec<_>>();
        let columns = gathered.evaluator.columns(residue);
        let differing = gathered.evaluator.varying(residue, &tuples(&all)).into_iter();
        found.extend(differing.filter(|at| tells_apart(&columns[*at].key)));
        all.sort_unstable();
        for of_one in all.chunk_by(|a, b| a.0 == b.0) {
            found.extend(gathered.evaluator.varying(residue, &tuples(of_one)));
        }
    }
    let columns = gathered.evaluator.columns(residue);
    found.into_iter().map(|at| columns[at].key.clone()).collect()
}

/// Whether two values of a key are two benchmarks, or two machines, wherever they are from.
fn tells_apart(key: &Key) -> bool {
    match key {
        Key::Config(key) => {
            let key = key.as_str();
            [PACKAGE, SUITE, GROUP].contains(&key) || MACHINE.contains(&key)
        }
        _ => true,
    }
}
