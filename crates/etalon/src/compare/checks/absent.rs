//! Benchmarks that are on one side only.
//!
//! A benchmark, a package or a unit that the base has and another data set lacks fails every check; one that
//! the base lacks is new, which `--new` is about. Owns which is which, and benchmarks that are required.

use etalon_core::notes::{CheckNote, UncomparedReason};
use etalon_core::tables::{Cell, Tables, is_row_of};
use etalon_report::compare::lacking;
use etalon_report::json::Finding;

use super::{Checked, Spot, is_sometimes_read};
use crate::cli::{Comparison, NewArg};

/// Adds what is missing, and lists what is new.
pub(super) fn check(options: &Comparison, tables: &Tables, checked: &mut Checked) {
    let checks = &options.checks;
    let Absent { vanished, new } = Absent::of(tables);
    if checks.are_of_rows() {
        checked.failed.extend(vanished.into_iter().map(|spot| spot.finding(CheckNote::Missing)));
    }
    let new = |refused_by: Option<&str>| -> Vec<Finding> {
        let refused_by = refused_by.map(str::to_owned);
        let finding = |spot: Spot| spot.finding(CheckNote::New { refused_by: refused_by.clone() });
        new.into_iter().map(finding).collect()
    };
    match checks.new {
        NewArg::Ok => checked.unchecked.extend(new(None)),
        NewArg::Fail => checked.failed.extend(new(Some("--new fail"))),
    }
    checked.failed.extend(checks.require.iter().flat_map(|name| required(name, tables)));
}

/// Places in tables.
#[derive(Default)]
struct Absent {
    vanished: Vec<Spot>,
    new: Vec<Spot>,
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
                absent.new.extend(columns.map(|column| Spot::new((tables, table), None, column)));
                continue;
            }
            let columns = lacking.into_iter();
            let spots = columns.map(|column| Spot::new((tables, table), None, column));
            absent.vanished.extend(spots);
            for row in &table.rows {
                let is_new = row.cells.first().is_none_or(Option::is_none);
                for (column, cell) in table.columns.iter().zip(&row.cells) {
                    let spot = || Spot::new((tables, table), Some(row), column);
                    match (is_new, cell) {
                        (true, Some(_)) => absent.new.push(spot()),
                        (false, None) => absent.vanished.push(spot()),
                        _ => {}
                    }
                }
            }
        }
        absent
    }
}

/// Reasons why a required benchmark is not compared in every column.
fn required(name: &str, tables: &Tables) -> Vec<Finding> {
    let uncompared = |why| CheckNote::Required { condition: format!("--require {name}"), why };
    let mut found = false;
    let mut reasons = Vec::new();
    let tables_of_all = tables.tables.iter().zip(lacking(tables));
    for (table, lacking) in tables_of_all.filter(|(table, _)| !is_sometimes_read(table)) {
        for row in table.rows.iter().filter(|row| is_row_of(name, &row.labels)) {
            found = true;
            let is_compared = |at: usize, cell: &Option<Cell>| {
                cell.as_ref().is_some_and(|cell| at == 0 || cell.comparison.is_some())
            };
            let cells = table.columns.iter().zip(row.cells.iter().enumerate());
            let absent = cells.filter(|(_, (at, cell))| !is_compared(*at, cell));
            let absent = absent.map(|(column, _)| column).chain(lacking.iter().copied());
            reasons.extend(absent.map(|column| {
                let spot = Spot::new((tables, table), Some(row), column);
                spot.finding(uncompared(UncomparedReason::Missing))
            }));
            if table.columns.len() < 2 && lacking.is_empty() {
                let spot = Spot::new((tables, table), Some(row), &table.columns[0]);
                reasons.push(spot.finding(uncompared(UncomparedReason::Alone)));
            }
        }
    }
    if !found {
        reasons.push(Spot::nowhere("").finding(uncompared(UncomparedReason::Unknown)));
    }
    reasons
}
