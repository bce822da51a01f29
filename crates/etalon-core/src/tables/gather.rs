//! From rows of a dataset to the values of cells.
//!
//! Owns which values belong to which cell, in time order, and what varies inside one. Every distinct
//! name, configuration and unit is asked once; values are sorted by cell once, by counting, so the cost
//! is linear in the values whatever the number of tables. Refuses to compute with them.

use rustc_hash::FxHashMap;

use super::Numbers;
use super::ask::Query;
use crate::dataset::{Dataset, Measured, Value};
use crate::query::{Evaluator, Place, TupleId};

/// The place of a value that is in no cell.
const NOWHERE: u32 = u32::MAX;

/// Values by cell.
#[derive(Debug)]
pub(super) struct Gathered<'d> {
    pub data: &'d Dataset,
    pub evaluator: Evaluator,
    pub query: Query,
    /// The cells, in the order in which their first values appear.
    pub cells: Vec<CellAt>,
    /// Where the values of each cell begin; one more at the end.
    starts: Vec<usize>,
    /// The values, cell by cell, in the order of the data.
    numbers: Vec<f64>,
    /// The row of each value; empty if the data have no blocks.
    rows: Vec<u32>,
}

/// Where a cell is, and where its values are from.
#[derive(Debug)]
pub(super) struct CellAt {
    pub table: TupleId,
    pub row: TupleId,
    pub col: TupleId,
    /// Distinct residues, in order of appearance.
    residues: Vec<TupleId>,
    /// The distinct configurations, in order of appearance.
    pub configurations: Vec<u32>,
    /// How many distinct benchmarks and configurations there are.
    sources: usize,
}

impl CellAt {
    /// The file all values are from, where that is one.
    pub fn file(&self, data: &Dataset) -> Option<u32> {
        let file = |configuration: &u32| data.configurations[*configuration as usize].file;
        let first = file(self.configurations.first()?);
        self.configurations.iter().all(|at| file(at) == first).then_some(first)
    }
}

/// Puts every value into its cell.
pub(super) fn gather(data: &Dataset, query: Query, numbers: Numbers) -> Gathered<'_> {
    let mut evaluator = Evaluator::new(query.filter.clone(), query.space.clone());
    let mut cells = Cells::default();
    let mut kinds = Kinds::default();
    let mut starts: Vec<usize> = vec![0];
    for row in 0..data.len() {
        let kind = kinds.of(data, row, |value| {
            let at = evaluator.place(&Measured { data, row, value });
            at.map_or(NOWHERE, |at| cells.of(&evaluator, &query, at, data, row))
        });
        starts.resize(cells.cells.len() + 1, 0);
        for cell in kinds.cells[kind].iter().filter(|cell| **cell != NOWHERE) {
            starts[*cell as usize + 1] += 1;
        }
    }
    for cell in 1..starts.len() {
        starts[cell] += starts[cell - 1];
    }
    let cells = cells.cells;
    let (values, rows) = (Vec::new(), Vec::new());
    let mut gathered = Gathered { data, evaluator, query, cells, starts, numbers: values, rows };
    gathered.fill(kinds, numbers);
    gathered
}

/// Rows of the same name, configuration and units have their values in the same cells.
#[derive(Default)]
struct Kinds {
    known: FxHashMap<(u32, u32, u32), usize>,
    last: Option<((u32, u32, u32), usize)>,
    /// The cell of each value, or [`NOWHERE`].
    cells: Vec<Vec<u32>>,
}

impl Kinds {
    /// The kind of a row; `cell` says where each value of a new one is.
    fn of(&mut self, data: &Dataset, row: usize, mut cell: impl FnMut(Value) -> u32) -> usize {
        let rows = &data.rows;
        let key = (rows.benchmark[row], rows.configuration[row], rows.shape[row]);
        if let Some((_, kind)) = self.last.filter(|(last, _)| *last == key) {
            return kind;
        }
        let cells = &mut self.cells;
        let kind = *self.known.entry(key).or_insert_with(|| {
            cells.push(data.row(row).map(&mut cell).collect());
            cells.len() - 1
        });
        self.last = Some((key, kind));
        kind
    }
}

impl Gathered<'_> {
    fn fill(&mut self, mut kinds: Kinds, numbers: Numbers) {
        let number: fn(&Dataset, Value) -> f64 = match numbers {
            Numbers::Nearest => Dataset::number,
            Numbers::Reference => Dataset::reference_number,
        };
        let all = self.starts.last().copied().unwrap_or(0);
        self.numbers = vec![0.0; all];
        self.rows = vec![0; if self.data.rows.places.is_empty() { 0 } else { all }];
        let mut next = self.starts.clone();
        // A dataset has fewer than 2³² rows.
        for (row, number_of_row) in (0..self.data.len()).zip(0_u32..) {
            let kind = kinds.of(self.data, row, |_| NOWHERE);
            for (value, cell) in self.data.row(row).zip(&kinds.cells[kind]) {
                if *cell == NOWHERE {
                    continue;
                }
                let at = &mut next[*cell as usize];
                self.numbers[*at] = number(self.data, value);
                if let Some(row) = self.rows.get_mut(*at) {
                    *row = number_of_row;
                }
                *at += 1;
            }
        }
    }

    /// The values of a cell, in the order of the data.
    pub fn values(&self, cell: usize) -> &[f64] {
        &self.numbers[self.starts[cell]..self.starts[cell + 1]]
    }

    /// Block and turn of each value of a cell, where all have them, of one benchmark in one file.
    pub fn places(&self, cell: usize) -> Option<Vec<(u32, u32)>> {
        let rows = self.rows.get(self.starts[cell]..self.starts[cell + 1])?;
        if self.cells[cell].sources != 1 {
            return None;
        }
        let place = |row: &u32| {
            let place = self.data.place(*row as usize)?;
            Some((place.block, place.turn.unwrap_or(0)))
        };
        let places: Vec<(u32, u32)> = rows.iter().map(place).collect::<Option<_>>()?;
        places.is_sorted_by(|a, b| a < b).then_some(places)
    }

    /// Names of what no query mentions and what is not the same for all values of a cell.
    pub fn varying(&self, cell: usize) -> Vec<String> {
        let residue = self.evaluator.residue();
        let varying = self.evaluator.varying(residue, &self.cells[cell].residues);
        if varying.is_empty() {
            return Vec::new();
        }
        let columns = self.evaluator.columns(residue);
        varying.into_iter().map(|column| columns[column].key.to_string()).collect()
    }
}

/// Cells while they are found.
#[derive(Default)]
struct Cells {
    cells: Vec<CellAt>,
    known: FxHashMap<(TupleId, TupleId, TupleId), u32>,
    of_place: Vec<u32>,
}

impl Cells {
    /// The cell of a place; a row of it is the one at hand.
    fn of(
        &mut self,
        evaluator: &Evaluator,
        query: &Query,
        place: Place,
        data: &Dataset,
        row: usize,
    ) -> u32 {
        if let Some(cell) = self.of_place.get(place.0 as usize) {
            return *cell;
        }
        let tuple = |projection| evaluator.tuple(place, projection);
        let (table, row_tuple, col) = (tuple(query.table), tuple(query.row), tuple(query.col));
        let cells = &mut self.cells;
        let cell = *self.known.entry((table, row_tuple, col)).or_insert_with(|| {
            cells.push(CellAt {
                table,
                row: row_tuple,
                col,
                residues: Vec::new(),
                configurations: Vec::new(),
                sources: 0,
            });
            // Fewer cells than values.
            u32::try_from(cells.len() - 1).unwrap_or(NOWHERE)
        });
        let at = &mut self.cells[cell as usize];
        let residue = tuple(evaluator.residue());
        if !at.residues.contains(&residue) {
            at.residues.push(residue);
        }
        let configuration = data.rows.configuration[row];
        if !at.configurations.contains(&configuration) {
            at.configurations.push(configuration);
        }
        at.sources += 1;
        // Places are numbered as they appear, so this is the next one.
        self.of_place.push(cell);
        cell
    }
}
