//! The tables of one screen: what says most over all tables of a unit comes first, wherever it stands.
//!
//! Owns how many rows and tables a screen has room for: tables stand by themselves as long as they are few, rows of many
//! stand in one table a unit. Refuses to order rows: `core::tables` does.

use etalon_core::tables::{Row, Table, Tables, foremost};

use super::rest::Rest;
use super::rows::Sheet;
use super::words::{self, Columns};
use super::{Contents, SummaryRow};
use crate::table;

/// Rows of all tables together that a screen has room for, and the fewest of a unit.
pub(super) const ROWS: usize = 24;
const FEWEST: usize = 3;
/// Tables that a screen has room for, each with its title, its mean and what is said of its other rows.
pub(super) const TABLES: usize = 6;

/// Arranged tables, and what became of all their rows.
pub(super) struct Sheets<'a> {
    pub(super) tables: &'a Tables,
    pub(super) rests: &'a [Rest],
    pub(super) names: Columns,
    pub(super) contents: Contents<'a>,
}

impl Sheets<'_> {
    /// The tables of a screen, and the number of units for which there is no room. What became of the rows of a table
    /// of which none is shown is said with those of its unit.
    pub(super) fn laid_out(&self, tables: &[usize]) -> (Vec<table::Table>, usize) {
        let has_rows = |at: &usize| !self.tables.tables[*at].rows.is_empty();
        let mut units = self.units(tables);
        units.retain(|of_unit| of_unit.iter().any(has_rows));
        let room = units.len().min(ROWS / FEWEST);
        let mut left = ROWS;
        let mut laid_out = Vec::new();
        for (nth, of_unit) in units[..room].iter().enumerate() {
            let height = (left / (room - nth)).max(FEWEST);
            let rows = foremost(self.tables, of_unit, self.contents.rows.by, height);
            left = left.saturating_sub(rows.len());
            let has_row = |at: &&usize| rows.iter().any(|(table, _)| table == *at);
            let have_rows = of_unit.iter().filter(has_row).count();
            let are_many = tables.len() > TABLES && of_unit.len() > 1;
            match are_many || have_rows < of_unit.len() {
                true => laid_out.push(self.together(of_unit, &rows)),
                false => laid_out.extend(self.apart(&rows)),
            }
        }
        (laid_out, units.len() - room)
    }

    /// The tables of each unit with the same columns.
    fn units(&self, tables: &[usize]) -> Vec<Vec<usize>> {
        let mut units: Vec<Vec<usize>> = Vec::new();
        for &at in tables {
            let table = &self.tables.tables[at];
            let is_alike = |of: &&mut Vec<usize>| {
                let first = &self.tables.tables[of[0]];
                first.unit == table.unit && first.columns == table.columns
            };
            match units.iter_mut().find(is_alike) {
                Some(unit) => unit.push(at),
                None => units.push(vec![at]),
            }
        }
        units
    }

    /// Each table with those of its rows that are shown, which are its first; the one with the first of all comes first.
    fn apart(&self, rows: &[(usize, usize)]) -> Vec<table::Table> {
        let mut heights: Vec<(usize, usize)> = Vec::new();
        for (at, _) in rows {
            match heights.iter_mut().find(|(known, _)| known == at) {
                Some((_, height)) => *height += 1,
                None => heights.push((*at, 1)),
            }
        }
        let table = |(at, height): (usize, usize)| {
            let of = &self.tables.tables[at];
            let total = self.rests[at].total();
            let mut table = self.sheet(of, self.contents, total).short(height);
            let shown = Rest::new(of, &of.rows[..height]);
            table.remarks.extend(self.rests[at].sentence(&self.names, &shown));
            let left_out = words::left_out(of, self.contents.summary).filter(|_| total > 1);
            table.remarks.extend(left_out);
            table
        };
        heights.into_iter().map(table).collect()
    }

    /// One table of rows of several, which say where they are from.
    fn together(&self, of_unit: &[usize], rows: &[(usize, usize)]) -> table::Table {
        let tables = || of_unit.iter().map(|at| &self.tables.tables[*at]);
        let places = words::places(tables().map(|table| &table.labels));
        let row = |(at, row): &(usize, usize)| {
            let of = &self.tables.tables[*at].rows[*row];
            let place = of_unit.iter().position(|known| known == at).map(|it| places[it].clone());
            let labels = std::iter::once(place).chain(of.labels.iter().cloned());
            Row { labels: labels.collect(), ..of.clone() }
        };
        let first = &self.tables.tables[of_unit[0]];
        let of = Table {
            labels: Vec::new(),
            rows: rows.iter().map(row).collect(),
            summaries: Vec::new(),
            ..first.clone()
        };
        // A mean of what is from several tables is that of none.
        let contents = Contents { summary: SummaryRow::None, ..self.contents };
        let mut table = self.sheet(&of, contents, of.rows.len()).short(of.rows.len());
        let all = of_unit.iter().map(|at| &self.rests[*at]);
        let shown = Rest::new(&of, &of.rows);
        table.remarks.extend(all.cloned().sum::<Rest>().sentence(&self.names, &shown));
        table
    }

    fn sheet<'s>(&'s self, of: &'s Table, contents: Contents<'s>, total: usize) -> Sheet<'s> {
        Sheet { tables: self.tables, of, names: &self.names, contents, total }
    }
}
