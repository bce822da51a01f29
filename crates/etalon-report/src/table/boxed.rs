//! A table on a terminal whose rows have a unit each: the first number before that unit, the others
//! in a box.
//!
//! A cell is a number and its unit with a space between. Widths are fixed, so that the boxes of a
//! report stand under one another, and five numbers in a box fill 80 columns.

use super::Table;
use crate::text::{left, right};

/// Width of a row's name.
const NAME: usize = 17;
/// Width of a number. A longer one cannot be shortened here, where only its digits are known.
pub(crate) const NUMBER: usize = 8;

/// The lines with the columns `shown`; none without rows.
pub(crate) fn boxed(table: &Table, shown: &[usize]) -> Vec<String> {
    let titles: Vec<&str> = shown.iter().map(|&at| table.columns[at].title.as_str()).collect();
    let mut lines = vec![line("", &titles, "", ["╭", "╮"])];
    for (at, row) in table.rows.iter().enumerate() {
        let parts =
            shown.iter().map(|&at| row[at].text.split_once(' ').unwrap_or((&row[at].text, "")));
        let (numbers, units): (Vec<&str>, Vec<&str>) = parts.unzip();
        let unit = units.into_iter().find(|unit| !unit.is_empty()).unwrap_or_default();
        let ends = if at + 1 == table.rows.len() { ["╰", "╯"] } else { ["│", "│"] };
        lines.push(line(&row[0].text, &numbers, unit, ends));
    }
    if table.rows.is_empty() { Vec::new() } else { lines }
}

fn line(name: &str, numbers: &[&str], unit: &str, [open, close]: [&str; 2]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| right(number, NUMBER + 1)).collect();
    let (name, unit) = (right(name, NAME), left(unit, 3));
    format!("{name}{} {unit}{open}{}   {close}", numbers[0], numbers[1..].concat())
}
