//! Which rows of declared tables a screen has room for: what changed most over all tables together, wherever it stands.
//!
//! Owns the choice. Refuses to reorder: rows that are shown stand as they were declared, and means stay those of all rows.

use std::collections::HashSet;

use etalon_core::tables::{By, Labels, Table, Tables, foremost};

use super::super::sheets::{ROWS, TABLES};
use super::Declared;

/// The rows that a screen shows of declared tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Room {
    /// Of each table the labels of its rows, in no order.
    pub shown: Vec<HashSet<Labels>>,
    /// How many more rows there are.
    pub left_out: usize,
    /// Tables with rows of which none is shown.
    pub tables: usize,
}

/// The rows that a screen has room for, of several tables as they were computed and declared; nothing where it has room for
/// all of them.
#[must_use]
pub fn room(tables: &[(&Tables, &Declared)]) -> Option<Room> {
    let rows = in_order(tables);
    let with_rows: HashSet<usize> = rows.iter().map(|(table, _)| *table).collect();
    if rows.len() <= ROWS && with_rows.len() <= TABLES {
        return None;
    }
    let mut shown = vec![HashSet::new(); tables.len()];
    let (mut count, mut places) = (0, HashSet::new());
    for (table, labels) in &rows {
        let has_room = count < ROWS && (places.contains(table) || places.len() < TABLES);
        if has_room {
            shown[*table].insert((*labels).clone());
            places.insert(*table);
            count += 1;
        }
    }
    let tables = with_rows.len() - places.len();
    Some(Room { shown, left_out: rows.len() - count, tables })
}

/// All rows, by their table: those with values as they weigh, then those of which only is known why they have none.
fn in_order<'a>(tables: &[(&'a Tables, &'a Declared)]) -> Vec<(usize, &'a Labels)> {
    let Some(&(first, _)) = tables.first() else { return Vec::new() };
    let of_each = |(at, (all, _)): (usize, &(&'a Tables, &Declared))| {
        all.tables.iter().map(move |table| (at, table)).collect::<Vec<_>>()
    };
    let placed: Vec<(usize, &'a Table)> = tables.iter().enumerate().flat_map(of_each).collect();
    let together = placed.iter().map(|(_, table)| (*table).clone()).collect();
    let together = Tables { tables: together, ..first.clone() };
    let among: Vec<usize> = (0..placed.len()).collect();
    let valued = foremost(&together, &among, By::Weight, usize::MAX).into_iter();
    let valued = valued.map(|(table, row)| (placed[table].0, &placed[table].1.rows[row].labels));
    let without = tables.iter().enumerate().filter(|(_, (all, _))| !all.tables.is_empty());
    let without = without.flat_map(|(at, (_, declared))| {
        declared.absent.keys().map(move |(row, _)| (at, &declared.rows[*row]))
    });
    let declared: HashSet<(usize, &Labels)> = tables
        .iter()
        .enumerate()
        .flat_map(|(at, (_, declared))| declared.rows.iter().map(move |labels| (at, labels)))
        .collect();
    let mut seen = HashSet::new();
    let all = valued.chain(without).filter(|row| declared.contains(row));
    all.filter(|row| seen.insert(*row)).collect()
}
