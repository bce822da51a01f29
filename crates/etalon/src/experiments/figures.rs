//! The figures of machines: what each benchmark measured, from data of any format, for tables of several machines.
//!
//! Owns which metric of the file a unit of the data is. Refuses to show.

use std::collections::HashSet;

use etalon_core::dataset::{Dataset, RunSetId};
use etalon_core::query::{Filter, Key, Projection};
use etalon_core::tables::{QuerySpec, Tables};
use etalon_core::units::Unit;
use etalon_report::experiments::{Figure, Figures};
use indexmap::IndexMap;

use super::display::DisplayOptions;
use super::file::{self, File};
use crate::compare;
use crate::failure::Failure;

/// The axis, and the column of plain tables, that names benchmarks.
pub(crate) const BENCHMARK: &str = "benchmark";

/// Suffix of a metric's name in a plain table where the column is its spread, in percent.
const SPREAD: &str = "-spread";

/// The figures of data, by benchmark and by metric of the file.
///
/// # Errors
/// If they cannot be tabulated, or are those of several machines.
pub(super) fn tabulated(
    file: &File,
    data: &Dataset,
    wanted: &DisplayOptions<'_>,
) -> Result<IndexMap<String, Figures>, Failure> {
    let mut all: IndexMap<String, Figures> = IndexMap::new();
    for (name, declared) in &file.metric {
        let name = name.get_ref();
        let unit = Unit::new(&declared.unit);
        for (benchmark, cell) in cells(data, &units(data, name, declared), wanted)? {
            let value = unit.from_base(cell.value);
            all.entry(benchmark).or_default().insert(name.clone(), Figure { value, ..cell });
        }
        let spreads = declared_units(data, &format!("{name}{SPREAD}"));
        for (benchmark, cell) in cells(data, &spreads, wanted)? {
            let figure = all.get_mut(&benchmark).and_then(|figures| figures.get_mut(name));
            if let Some(figure) = figure {
                (figure.spread, figure.exact) = (Some(cell.value / 100.0), false);
            }
        }
    }
    Ok(all)
}

/// The tidied units in which data have a metric: as they declare it, or as Go prints it.
fn units<'d>(data: &'d Dataset, name: &str, declared: &file::Metric) -> Vec<&'d str> {
    let own = declared_units(data, name);
    if !own.is_empty() {
        return own;
    }
    let printed = declared.go.as_ref().and_then(|place| place.get_ref().split(' ').next_back());
    let spelled = data.spellings.iter().filter(|known| Some(known.text.as_str()) == printed);
    spelled.map(|known| data.units[known.unit.at()].as_str()).collect()
}

/// The tidied units of a metric that is declared.
fn declared_units<'d>(data: &'d Dataset, name: &str) -> Vec<&'d str> {
    let run_sets = (0..data.run_sets.len()).filter_map(|at| RunSetId::new(at).ok());
    let spelled = run_sets.filter_map(|run_set| data.declared_metric(run_set, name));
    let mut units: Vec<&str> = spelled.map(|spelling| data.unit_of(spelling)).collect();
    units.dedup();
    units
}

/// That a benchmark has several figures: on machines, in packages, or by what else makes tables of them.
fn several(data: &Dataset, tables: &Tables, name: &str) -> Failure {
    let sources: Vec<&str> = data.run_sets.iter().map(|set| set.source.as_str()).collect();
    let keys = tables.table_keys.join(", ");
    let why = format!(
        "`{name}` was measured on several machines, or as several benchmarks: they differ in {keys}; give each machine a \
         [[machine]] with its data, and each benchmark a name of its own"
    );
    Failure::about(sources.join(", "), why)
}

/// The centre of each benchmark in units, in base units.
fn cells(
    data: &Dataset,
    units: &[&str],
    wanted: &DisplayOptions<'_>,
) -> Result<Vec<(String, Figure)>, Failure> {
    let has_axis = data.benchmarks.iter().any(|declared| {
        let params = declared.benchmark.as_deref().map(|benchmark| &benchmark.key.params);
        params.is_some_and(|params| params.iter().any(|(name, _)| name == BENCHMARK))
    });
    let row = if has_axis { Key::Part(BENCHMARK.to_owned()) } else { Key::FullName };
    let is_published = data.run_sets.iter().any(|set| set.published);
    let options = wanted.view.comparison(&wanted.analysis.judging);
    let mut cells = Vec::new();
    for unit in units {
        let query = QuerySpec {
            filter: Filter::is(Key::Unit, unit),
            table: Projection::default(),
            row: Projection::keys([row.clone()]),
            col: Projection::default(),
            ignore: Projection::default(),
        };
        let tables = compare::tabulated(data, query, &options, None)?;
        let mut seen = HashSet::new();
        for row in tables.tables.iter().flat_map(|table| &table.rows) {
            let Some(cell) = row.cells.iter().flatten().next() else { continue };
            let name = row.labels.first().cloned().flatten().unwrap_or_default();
            if !seen.insert(name.clone()) {
                return Err(several(data, &tables, &name));
            }
            let interval = cell.centre.interval.ok();
            let figure = Figure {
                value: cell.centre.value,
                spread: cell.centre.relative_half_width(),
                exact: interval.is_some_and(|interval| interval.lo == interval.hi),
                readings: if is_published { 0 } else { cell.n },
            };
            cells.push((name, figure));
        }
    }
    Ok(cells)
}
