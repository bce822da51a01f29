//! Benchmarks that are on one side only.
//!
//! A benchmark, a package or a unit that the base has and another data set lacks fails every check; one that
//! the base lacks is new, which `--new` is about. Owns which is which, and benchmarks that are required.

use etalon_core::notes::{CheckNote, Note, UncomparedReason};
use etalon_core::tables::{Cell, Row, Tables};
use etalon_report::compare::lacking;

use super::{Checked, is_named, is_sometimes_read, label, listed, note, place};
use crate::cli::{Comparison, NewArg};

/// Adds what is missing, and lists what is new.
pub(super) fn check(options: &Comparison, tables: &Tables, checked: &mut Checked) {
    let checks = &options.checks;
    let Absent { vanished, new } = Absent::of(tables);
    if !checks.fail_on.is_empty() {
        checked.failed.extend(vanished.into_iter().map(|place| note(place, CheckNote::Missing)));
    }
    let new = |refused_by: Option<&str>| -> Vec<Note> {
        let refused_by = refused_by.map(str::to_owned);
        let note = |place| note(place, CheckNote::New { refused_by: refused_by.clone() });
        new.into_iter().map(note).collect()
    };
    match checks.new {
        NewArg::Ok => checked.notes.extend(listed(new(None))),
        NewArg::Fail => checked.failed.extend(new(Some("--new fail"))),
    }
    checked.failed.extend(checks.require.iter().flat_map(|name| required(name, tables)));
}

/// Places in tables.
#[derive(Default)]
struct Absent {
    vanished: Vec<String>,
    new: Vec<String>,
}

impl Absent {
    fn of(tables: &Tables) -> Absent {
        let mut absent = Absent::default();
        let base = tables.columns.first();
        for (table, lacking) in tables.tables.iter().zip(lacking(tables)) {
            if is_sometimes_read(table) {
                continue;
            }
            if table.columns.first() != base {
                let columns = table.columns.iter();
                absent.new.extend(columns.map(|column| place(table, None, column)));
                continue;
            }
            absent.vanished.extend(lacking.into_iter().map(|column| place(table, None, column)));
            for row in &table.rows {
                let is_new = row.cells.first().is_none_or(Option::is_none);
                for (column, cell) in table.columns.iter().zip(&row.cells) {
                    let place = || place(table, Some(row), column);
                    match (is_new, cell) {
                        (true, Some(_)) => absent.new.push(place()),
                        (false, None) => absent.vanished.push(place()),
                        _ => {}
                    }
                }
            }
        }
        absent
    }
}

/// Reasons why a required benchmark is not compared in every column.
fn required(name: &str, tables: &Tables) -> Vec<Note> {
    let uncompared = |place: String, why| {
        note(place, CheckNote::Required { condition: format!("--require {name}"), why })
    };
    let mut found = false;
    let mut reasons = Vec::new();
    for (table, lacking) in tables.tables.iter().zip(lacking(tables)) {
        for row in table.rows.iter().filter(|row| is_row_of(name, row)) {
            found = true;
            let is_compared = |at: usize, cell: &Option<Cell>| {
                cell.as_ref().is_some_and(|cell| at == 0 || cell.comparison.is_some())
            };
            let cells = table.columns.iter().zip(row.cells.iter().enumerate());
            let absent = cells.filter(|(_, (at, cell))| !is_compared(*at, cell));
            let absent = absent.map(|(column, _)| column).chain(lacking.iter().copied());
            reasons.extend(absent.map(|column| {
                uncompared(place(table, Some(row), column), UncomparedReason::Missing)
            }));
            if table.columns.len() < 2 && lacking.is_empty() {
                let place = place(table, Some(row), &table.columns[0]);
                reasons.push(uncompared(place, UncomparedReason::Alone));
            }
        }
    }
    if !found {
        reasons.push(uncompared(String::new(), UncomparedReason::Unknown));
    }
    reasons
}

fn is_row_of(name: &str, row: &Row) -> bool {
    label(&row.labels) == name || row.labels.iter().flatten().any(|label| is_named(name, label))
}
