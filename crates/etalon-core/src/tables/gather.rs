//! From rows of a dataset to the values of cells.
//!
//! Owns which values belong to which cell, in time order, and what varies inside one. Every distinct
//! name, configuration and unit is asked once; values are sorted by cell once, by counting, so the cost
//! is linear in the values whatever the number of tables. Only their indices are: the numbers stay where
//! they are, because of millions a second copy was a quarter of all memory. Refuses to compute with them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Numbers;
use super::ask::Query;
use crate::dataset::{Dataset, Measured, Value};
use crate::query::{Evaluator, Place, TupleId};
use crate::stats::{Sorted, median};

/// The part of a value that is in no cell.
const NOWHERE: u32 = u32::MAX;

/// Values by cell.
#[derive(Debug)]
pub(super) struct Gathered<'d> {
    pub data: &'d Dataset,
    pub evaluator: Evaluator,
    pub query: Query,
    /// The cells, in the order in which their first values appear.
    pub cells: Vec<CellAt>,
    numbers: Numbers,
    /// The writing of each part's values.
    writings: Vec<u32>,
    /// Where the values of each part begin; one more at the end.
    starts: Vec<usize>,
    /// The values' indices, part by part, in the order of the data.
    indices: Vec<u32>,
}

/// Where a cell is, and where its values are from.
#[derive(Debug)]
pub(super) struct CellAt {
    pub table: TupleId,
    pub row: TupleId,
    pub col: TupleId,
    /// Its parts: the values of each way in which its unit is written. One, most often.
    parts: Vec<u32>,
    /// Distinct residues, in order of appearance.
    residues: Vec<TupleId>,
    /// The distinct configurations, in order of appearance.
    pub configurations: Vec<u32>,
    /// How many distinct benchmarks and configurations there are.
    sources: usize,
    /// The smallest and the largest number of processors behind their names; absent for none.
    pub processors: [Option<u32>; 2],
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
            at.map_or(NOWHERE, |at| {
                let cell = cells.of(&evaluator, &query, at, data, row);
                cells.part(cell, value.writing)
            })
        });
        starts.resize(cells.writings.len() + 1, 0);
        for part in kinds.parts[kind].iter().filter(|part| **part != NOWHERE) {
            starts[*part as usize + 1] += 1;
        }
    }
    for part in 1..starts.len() {
        starts[part] += starts[part - 1];
    }
    let mut indices = vec![0; starts.last().copied().unwrap_or(0)];
    let mut next = starts.clone();
    for row in 0..data.len() {
        let kind = kinds.of(data, row, |_| NOWHERE);
        for (value, part) in data.row(row).zip(&kinds.parts[kind]) {
            if *part != NOWHERE {
                let at = &mut next[*part as usize];
                indices[*at] = value.index;
                *at += 1;
            }
        }
    }
    let Cells { mut cells, writings, .. } = cells;
    for cell in &mut cells {
        once(&mut cell.residues);
        once(&mut cell.configurations);
    }
    Gathered { data, evaluator, query, cells, numbers, writings, starts, indices }
}

/// Each once, in order of appearance.
fn once<T: Copy + Eq + std::hash::Hash>(all: &mut Vec<T>) {
    if all.len() > 1 {
        let mut seen = FxHashSet::default();
        all.retain(|one| seen.insert(*one));
    }
}

/// Rows of the same name, configuration and units have their values in the same parts.
#[derive(Default)]
struct Kinds {
    known: FxHashMap<(u32, u32, u32), usize>,
    last: Option<((u32, u32, u32), usize)>,
    /// The part of each value, or [`NOWHERE`].
    parts: Vec<Vec<u32>>,
}

impl Kinds {
    /// The kind of a row; `part` says where each value of a new one is.
    fn of(&mut self, data: &Dataset, row: usize, mut part: impl FnMut(Value) -> u32) -> usize {
        let rows = &data.rows;
        let key = (rows.benchmark[row], rows.configuration[row], rows.shape[row]);
        if let Some((_, kind)) = self.last.filter(|(last, _)| *last == key) {
            return kind;
        }
        let parts = &mut self.parts;
        let kind = *self.known.entry(key).or_insert_with(|| {
            parts.push(data.row(row).map(&mut part).collect());
            parts.len() - 1
        });
        self.last = Some((key, kind));
        kind
    }
}

impl Gathered<'_> {
    /// The values of a cell, in the order of the data.
    pub fn values(&self, cell: usize) -> Vec<f64> {
        let number: fn(&Dataset, Value) -> f64 = match self.numbers {
            Numbers::Nearest => Dataset::number,
            Numbers::Reference => Dataset::reference_number,
        };
        self.members(cell).into_iter().map(|value| number(self.data, value)).collect()
    }

    /// Block and turn of each value of a cell, where all have them, of one benchmark in one file.
    pub fn places(&self, cell: usize) -> Option<Vec<(u32, u32)>> {
        if self.cells[cell].sources != 1 || self.data.rows.places.is_empty() {
            return None;
        }
        let place = |value: &Value| {
            let place = self.data.place(self.data.row_of(*value))?;
            Some((place.block, place.turn.unwrap_or(0)))
        };
        let places: Vec<(u32, u32)> =
            self.members(cell).iter().map(place).collect::<Option<_>>()?;
        places.is_sorted_by(|a, b| a < b).then_some(places)
    }

    /// The values of a cell from several sources, none of which depends on another: where a block of a source
    /// holds several readings they share its fate, and their median stands for them.
    pub fn independent(&self, cell: usize) -> Vec<f64> {
        let values = self.values(cell);
        if self.data.rows.places.is_empty() {
            return values;
        }
        // Readings of a block stand together: rows of a source are in time order.
        let block = |value: &Value| {
            let row = self.data.row_of(*value);
            let place = self.data.place(row).filter(|place| place.turn.is_some())?;
            let rows = &self.data.rows;
            Some((rows.benchmark[row], rows.configuration[row], place.block))
        };
        let blocks: Vec<_> = self.members(cell).iter().map(block).collect();
        let mut from = 0;
        let mut of_blocks = Vec::new();
        for block in blocks.chunk_by(|a, b| a.is_some() && a == b) {
            let readings = &values[from..from + block.len()];
            from += block.len();
            of_blocks.extend(Sorted::new(readings).ok().and_then(|readings| median(&readings)));
        }
        of_blocks
    }

    /// The coarsest clock's step of the values of a cell, where that is known.
    pub fn resolution(&self, cell: usize) -> Option<f64> {
        if self.data.resolutions.is_empty() {
            return None;
        }
        let mut last = None;
        let step = |value: Value| {
            let row = self.data.row_of(value);
            let rows = &self.data.rows;
            let of = (rows.benchmark[row], rows.configuration[row], value.writing);
            if last.replace(of) == Some(of) {
                None
            } else {
                self.data.resolutions.get(&of).copied()
            }
        };
        self.members(cell).into_iter().filter_map(step).max_by(f64::total_cmp)
    }

    /// What a cell holds, in the order of the data.
    fn members(&self, cell: usize) -> Vec<Value> {
        let parts = &self.cells[cell].parts;
        let of = |part: &u32| {
            let part = *part as usize;
            let (writing, at) = (self.writings[part], self.starts[part]..self.starts[part + 1]);
            self.indices[at].iter().map(move |index| Value { writing, index: *index })
        };
        let mut members: Vec<Value> = parts.iter().flat_map(of).collect();
        if parts.len() > 1 {
            members.sort_unstable_by_key(|value| value.index);
        }
        members
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
    /// The writing of each part.
    writings: Vec<u32>,
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
        let processors = data.benchmarks[data.rows.benchmark[row] as usize].processors();
        let cells = &mut self.cells;
        let cell = *self.known.entry((table, row_tuple, col)).or_insert_with(|| {
            cells.push(CellAt {
                table,
                row: row_tuple,
                col,
                parts: Vec::new(),
                residues: Vec::new(),
                configurations: Vec::new(),
                sources: 0,
                processors: [processors; 2],
            });
            // Fewer cells than values.
            u32::try_from(cells.len() - 1).unwrap_or(NOWHERE)
        });
        let at = &mut self.cells[cell as usize];
        // What is there already is found where it is most often, and else when all are there.
        let residue = tuple(evaluator.residue());
        if at.residues.last() != Some(&residue) {
            at.residues.push(residue);
        }
        let configuration = data.rows.configuration[row];
        if at.configurations.last() != Some(&configuration) {
            at.configurations.push(configuration);
        }
        at.sources += 1;
        at.processors = [at.processors[0].min(processors), at.processors[1].max(processors)];
        // Places are numbered as they appear, so this is the next one.
        self.of_place.push(cell);
        cell
    }

    /// The part of a cell that holds its values of one writing.
    fn part(&mut self, cell: u32, writing: u32) -> u32 {
        let parts = &mut self.cells[cell as usize].parts;
        let known = parts.iter().find(|part| self.writings[**part as usize] == writing);
        if let Some(known) = known {
            return *known;
        }
        // Fewer parts than values.
        let part = u32::try_from(self.writings.len()).unwrap_or(NOWHERE);
        parts.push(part);
        self.writings.push(writing);
        part
    }
}
