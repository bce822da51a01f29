//! A table on a terminal whose rows have a unit each: the first number before that unit, the others
//! in a box.
//!
//! A cell is a number and its unit with a space between. Widths are fixed as far as names and units fit,
//! so that the boxes of a report stand under one another, and five numbers in a box fill 80 columns.

use crate::table::{Cell, Table};
use crate::text::{left, right, width};

/// Width of a row's name, and of its unit.
const NAME: usize = 17;
const UNIT: usize = 3;
/// Width of a number. A longer one cannot be shortened here, where only its digits are known.
pub(crate) const NUMBER: usize = 8;

/// The lines with the columns `shown`; none without rows.
pub(crate) fn boxed(table: &Table, shown: &[usize]) -> Vec<String> {
    let parts = |row: &[Cell]| -> (Vec<String>, String) {
        let parts = shown.iter().map(|&at| match row[at].text.split_once(' ') {
            Some((number, unit)) => (number.to_owned(), unit.to_owned()),
            None => (row[at].text.clone(), String::new()),
        });
        let (numbers, units): (Vec<String>, Vec<String>) = parts.unzip();
        (numbers, units.into_iter().find(|unit| !unit.is_empty()).unwrap_or_default())
    };
    let rows: Vec<(Vec<String>, String)> = table.rows.iter().map(|row| parts(row)).collect();
    let widest = |texts: &mut dyn Iterator<Item = &String>| texts.map(|t| width(t)).max();
    let name = widest(&mut table.rows.iter().map(|row| &row[0].text)).unwrap_or(0).max(NAME);
    let unit = widest(&mut rows.iter().map(|(_, unit)| unit)).unwrap_or(0).max(UNIT);
    let line = |of: &str, (numbers, own): (&[String], &str), [open, close]: [&str; 2]| {
        let numbers: Vec<String> = numbers.iter().map(|n| right(n, NUMBER + 1)).collect();
        let (of, own) = (right(of, name), left(own, unit));
        format!("{of}{} {own}{open}{}   {close}", numbers[0], numbers[1..].concat())
    };
    let titles: Vec<String> = shown.iter().map(|&at| table.columns[at].title.clone()).collect();
    let mut lines = vec![line("", (&titles, ""), ["╭", "╮"])];
    for (at, (numbers, unit)) in rows.iter().enumerate() {
        let ends = if at + 1 == rows.len() { ["╰", "╯"] } else { ["│", "│"] };
        lines.push(line(&table.rows[at][0].text, (numbers, unit), ends));
    }
    if rows.is_empty() { Vec::new() } else { lines }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Align, Column};

    #[test]
    fn the_box_holds_whatever_stands_before_it() {
        let titles = ["Metric", "Mode", "Min", "Max"];
        let columns = titles.map(|title| Column::new(title, Align::Right)).to_vec();
        let row = |name: &str, unit: &str| {
            let number = |n: u32| Cell::words(format!("{n}.00 {unit}"));
            vec![Cell::words(name), number(1), number(2), number(3)]
        };
        let rows = vec![row("Wall clock per call", "ms"), row("x", "requests")];
        let table = Table { columns, rows, ..Table::default() };
        let lines = boxed(&table, &[1, 2, 3]);
        assert_eq!(
            lines,
            [
                "                        Mode         ╭      Min      Max   ╮",
                "Wall clock per call     1.00 ms      │     2.00     3.00   │",
                "                  x     1.00 requests╰     2.00     3.00   ╯",
            ]
        );
    }
}
