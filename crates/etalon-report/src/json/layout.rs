//! How benchmarks and comparisons stand in tables, and which ids they have there.
//!
//! Owns ids: what has the same values of all keys is one benchmark, with a metric for each unit. Refuses figures:
//! [`super::benchmark`] and [`super::comparison`] have them, once.

use std::collections::HashMap;

use etalon_core::criteria::Criteria;
use etalon_core::notes::NoteKind;
use etalon_core::tables::{self, Cell, ColumnSummary, Labels, Ranks, Tables, is_cpu, is_wall};
use etalon_core::verdict::{Assessment, Moved};
use serde::Serialize;

use super::benchmark::Placed;
use super::note::Note;
use super::parts::Ordered;
use super::place::Place;
use crate::words::cell_note;

/// A table of an experiment file; of a comparison all of its tables.
#[derive(Debug)]
pub struct Titled {
    /// The title above it.
    pub title: Option<String>,
    /// The values of further keys, which all of it has in common.
    pub common: Vec<(String, String)>,
    /// Those of these that tell it from other tables of its kind.
    pub apart: Vec<(String, String)>,
    /// The tables computed for it: it shows these comparisons, and no others.
    pub tables: Tables,
    /// Declared cells without a value, by the labels of row and column, and why there is none.
    pub absent: Vec<(Labels, Labels, String)>,
}

impl Titled {
    /// The tables of a comparison, which have no title.
    #[must_use]
    pub fn from_tables(tables: Tables) -> Titled {
        Titled { title: None, common: Vec::new(), apart: Vec::new(), tables, absent: Vec::new() }
    }
}

/// A table: its cells are ids of benchmarks and comparisons.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Table<'a> {
    /// Its title; `null` without an experiment file.
    title: Option<&'a str>,
    /// The values of the keys that tell it from other tables, by key.
    labels: Ordered<'a, Option<&'a str>>,
    /// The unit, tidied: `sec/op`.
    unit: &'a str,
    /// The base unit of its values: `s`, `B`, `count`, or the unit itself.
    base_unit: String,
    /// The values of the column keys of each column; the first is the base.
    columns: Vec<Ordered<'a, Option<&'a str>>>,
    /// Its rows.
    rows: Vec<Row<'a>>,
    /// A summary of each column.
    summaries: Vec<Summary>,
    /// Rows that summaries leave out.
    left_out: LeftOut,
    /// Declared cells of an experiment file without a value.
    absent: Vec<Absent<'a>>,
}

/// A row of a table.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Row<'a> {
    /// The values of the row keys, by key.
    labels: Ordered<'a, Option<&'a str>>,
    /// One for each column; `null` where a column has no such row.
    cells: Vec<Option<CellIds>>,
    /// Who is best; `null` unless that was asked for.
    ranks: Option<Best<'a>>,
}

/// A cell.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CellIds {
    /// The `id` of its benchmark, whose metric of the table's unit it shows.
    benchmark: usize,
    /// The `id` of its comparison with the base; `null` in the base column and without a base.
    comparison: Option<usize>,
}

/// The best of a row; numbers are places of columns, from 0.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Best<'a> {
    /// The column with the best centre; `null` without a direction.
    best: Option<usize>,
    /// Columns that are the same as the best.
    same: &'a [usize],
    /// Columns that cannot be told from the best.
    unclear: &'a [usize],
    /// Columns without a difference share a letter.
    letters: &'a [String],
}

/// A column in one line; notes on it stand with the others.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Summary {
    /// Geometric mean of its centres.
    mean: Option<f64>,
    /// Geometric mean of their ratios to the base.
    ratio: Option<f64>,
    /// The lower end of that ratio's interval.
    lo: Option<f64>,
    /// The upper end.
    hi: Option<f64>,
    /// Sum of its centres.
    total: Option<f64>,
}

/// Rows that summaries leave out.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LeftOut {
    /// A column lacks them.
    incomplete: usize,
    /// Of the others, left out of geometric means only: some calls do nothing that can be seen.
    idle: usize,
    /// Of the others, left out of geometric means only: a value is not above 0.
    not_positive: usize,
}

/// A declared cell without a value.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Absent<'a> {
    /// The values of the row keys, by key.
    row: Ordered<'a, Option<&'a str>>,
    /// The values of the column keys, by key.
    column: Ordered<'a, Option<&'a str>>,
    /// Why there is none.
    why: &'a str,
}

/// The values of keys, which tell benchmarks apart.
type Key<'a> = Vec<(&'a str, Option<&'a str>)>;

/// Two cells that are compared.
pub(super) struct Paired<'a> {
    pub(super) table: &'a tables::Table,
    pub(super) criteria: &'a Criteria,
    /// Base and candidate.
    pub(super) benchmarks: [usize; 2],
    pub(super) assessment: &'a Assessment,
}

/// Comparisons by wall clock and by CPU time, by pair.
pub(super) type Times<'a> = HashMap<[usize; 2], [Option<&'a Assessment>; 2]>;

impl Paired<'_> {
    /// Whether count or time moved, if it is of work.
    pub(super) fn moved(&self, times: &Times<'_>) -> Option<Moved> {
        let [wall, cpu] = times.get(&self.benchmarks)?;
        let count = self.table.is_of_work().then_some(self.assessment)?;
        Moved::by_assessments(count, (*wall)?, *cpu)
    }
}

/// All benchmarks and comparisons of tables, by their ids; and the notes on them.
#[derive(Default)]
pub(super) struct Index<'a> {
    pub(super) benchmarks: Vec<Placed<'a>>,
    pub(super) comparisons: Vec<Paired<'a>>,
    pub(super) notes: Vec<Note>,
    by_key: HashMap<Key<'a>, Vec<usize>>,
    /// By unit and candidate.
    compared: HashMap<(&'a str, usize), usize>,
}

impl<'a> Index<'a> {
    /// Adds what stands in tables, and gives these.
    pub(super) fn add(&mut self, titled: &'a Titled) -> Vec<Table<'a>> {
        titled.tables.tables.iter().map(|table| self.table(titled, table)).collect()
    }

    /// Of each pair the comparisons by wall clock and by CPU time, in whatever table these stand.
    pub(super) fn times(&self) -> Times<'a> {
        let mut times = Times::default();
        for it in &self.comparisons {
            let [wall, cpu] = times.entry(it.benchmarks).or_default();
            if is_wall(&it.table.unit) {
                wall.get_or_insert(it.assessment);
            } else if is_cpu(&it.table.unit) {
                cpu.get_or_insert(it.assessment);
            }
        }
        times
    }

    /// The benchmark and the comparison of a place.
    pub(super) fn ids(&self, place: &Place) -> (Option<usize>, Option<usize>) {
        let key = sorted(place.labels.iter().map(|(key, value)| (key.as_str(), value.as_deref())));
        let benchmark = self.by_key.get(&key).and_then(|ids| ids.first()).copied();
        let compared = |id| self.compared.get(&(place.unit.as_str(), id)).copied();
        (benchmark, benchmark.and_then(compared))
    }

    fn table(&mut self, titled: &'a Titled, table: &'a tables::Table) -> Table<'a> {
        let Tables { table_keys, row_keys, col_keys, .. } = &titled.tables;
        let row = |row: &'a tables::Row| Row {
            labels: ordered(row_keys, &row.labels),
            cells: self.cells((titled, table), row),
            ranks: row.ranks.as_ref().map(Best::new),
        };
        let rows = table.rows.iter().map(row).collect();
        for (column, summary) in table.columns.iter().zip(&table.summaries) {
            let about = format!("{} ({})", words(column), table.unit);
            self.notes.extend(summary.notes.iter().map(|it| placed(it, about.trim_start())));
        }
        let absent = titled.absent.iter().map(|(row, column, why)| Absent {
            row: ordered(row_keys, row),
            column: ordered(col_keys, column),
            why,
        });
        let apart = titled.apart.iter().map(|(key, value)| (key.as_str(), Some(value.as_str())));
        let labels = pairs(table_keys, &table.labels).chain(apart);
        let tables::LeftOut { incomplete, idle, not_positive, .. } = table.left_out;
        Table {
            title: titled.title.as_deref(),
            labels: Ordered::from_pairs(labels),
            unit: &table.unit,
            base_unit: table.base.to_string(),
            columns: table.columns.iter().map(|it| ordered(col_keys, it)).collect(),
            rows,
            summaries: table.summaries.iter().map(Summary::new).collect(),
            left_out: LeftOut { incomplete, idle, not_positive },
            absent: absent.collect(),
        }
    }

    fn cells(
        &mut self,
        (titled, table): (&'a Titled, &'a tables::Table),
        row: &'a tables::Row,
    ) -> Vec<Option<CellIds>> {
        let mut ids: Vec<Option<CellIds>> = Vec::new();
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            let placed = cell.as_ref().map(|cell| {
                let benchmark = self.benchmark((titled, table), (&row.labels, column), cell);
                let base = ids.first().copied().flatten();
                let pair = base.map(|base: CellIds| [base.benchmark, benchmark]);
                let comparison = pair.and_then(|pair| self.comparison((table, row), cell, pair));
                CellIds { benchmark, comparison }
            });
            ids.push(placed);
        }
        ids
    }

    fn benchmark(
        &mut self,
        (titled, table): (&'a Titled, &'a tables::Table),
        (row, column): (&'a Labels, &'a Labels),
        cell: &'a Cell,
    ) -> usize {
        let Tables { table_keys, row_keys, col_keys, .. } = &titled.tables;
        let common = titled.common.iter().map(|(key, value)| (key.as_str(), Some(value.as_str())));
        let labels: Key<'a> = pairs(table_keys, &table.labels)
            .chain(pairs(row_keys, row))
            .chain(pairs(col_keys, column))
            .chain(common)
            .collect();
        let ids = self.by_key.entry(sorted(labels.iter().copied())).or_default();
        let all = &mut self.benchmarks;
        let known = ids.iter().copied().find(|id| all[*id].takes(table, cell));
        let id = known.unwrap_or_else(|| {
            let apart = titled.apart.iter().map(|(_, value)| value.as_str());
            let said: Vec<&str> = said(&table.labels).chain(apart).chain(said(row)).collect();
            all.push(Placed::new(said.join(" "), &words(column), labels));
            ids.push(all.len() - 1);
            all.len() - 1
        });
        let label = self.benchmarks[id].label.clone();
        if self.benchmarks[id].add(table, cell) {
            let notes = cell.notes.iter().map(|it| placed(it, &label));
            self.notes.extend(notes.map(|note| note.on_benchmark(Some(id))));
        }
        id
    }

    fn comparison(
        &mut self,
        (table, row): (&'a tables::Table, &'a tables::Row),
        cell: &'a Cell,
        benchmarks: [usize; 2],
    ) -> Option<usize> {
        let comparison = cell.comparison.as_ref()?;
        let assessment = comparison.assessment.as_deref()?;
        let id = self.comparisons.len();
        let [base, candidate] = benchmarks.map(|at| self.benchmarks[at].label.as_str());
        let about = format!("{candidate} against {base}");
        let notes = comparison.notes.iter().map(|it| placed(it, &about));
        self.notes.extend(notes.map(|note| note.on_comparison(Some(id))));
        let criteria = &row.criteria;
        self.comparisons.push(Paired { table, criteria, benchmarks, assessment });
        self.compared.entry((&table.unit, benchmarks[1])).or_insert(id);
        Some(id)
    }
}

/// A note at its place in a table.
fn placed(note: &NoteKind, about: &str) -> Note {
    Note::new(note.code(), about.to_owned(), cell_note(note))
}

impl<'a> Best<'a> {
    fn new(ranks: &'a Ranks) -> Best<'a> {
        let Ranks { best, same, unclear, letters } = ranks;
        Best { best: *best, same, unclear, letters }
    }
}

impl Summary {
    fn new(summary: &ColumnSummary) -> Summary {
        let ColumnSummary { mean, ratio, interval, total, notes: _ } = *summary;
        let (lo, hi) = (interval.map(|i| i.lo), interval.map(|i| i.hi));
        Summary { mean, ratio, lo, hi, total }
    }
}

fn sorted<'a>(labels: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> Key<'a> {
    let mut key: Key<'a> = labels.collect();
    key.sort_unstable();
    key
}

fn pairs<'a>(
    keys: &'a [String],
    labels: &'a Labels,
) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
    keys.iter().zip(labels).map(|(key, value)| (key.as_str(), value.as_deref()))
}

fn ordered<'a>(keys: &'a [String], labels: &'a Labels) -> Ordered<'a, Option<&'a str>> {
    Ordered::from_pairs(pairs(keys, labels))
}

/// Labels as they are said.
fn said(labels: &Labels) -> impl Iterator<Item = &str> {
    labels.iter().flatten().map(String::as_str).filter(|label| !label.is_empty())
}

fn words(labels: &Labels) -> String {
    said(labels).collect::<Vec<_>>().join(" ")
}
