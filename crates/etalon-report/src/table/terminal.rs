//! A table on a terminal: aligned, within the width.
//!
//! What is too wide is made narrower in this order: titles are broken at spaces, words wrap, and
//! then columns are put into further parts under the first, each with the names again; those that
//! belong together stay together. Nothing is cut.

use super::{Align, Cell, CellKind, Column, Place, Table, pointed};
use crate::terminal::{Colour, coloured};
use crate::text::{left, right, width, wrap};

/// Columns between two columns, and before the first.
const GAP: usize = 2;
/// A column of words may be made as narrow as this.
const WORDS: usize = 14;

/// The lines, none wider than `columns` as long as the narrowest form of two columns fits. Without
/// rows there are none.
#[must_use]
pub fn terminal(table: &Table, columns: usize, colour: Colour) -> Vec<String> {
    if table.rows.is_empty() {
        return Vec::new();
    }
    let mut lines = wrap(&table.title, columns);
    if table.title.is_empty() {
        lines.clear();
    }
    if !table.caption.is_empty() {
        lines.extend(indented(&table.caption, columns));
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    let shapes = shapes(table);
    for (at, part) in parts(&shapes, columns).iter().enumerate() {
        if at > 0 {
            lines.push(String::new());
        }
        lines.extend(grid(table, &shapes, part, colour));
    }
    lines.extend(table.remarks.iter().flat_map(|remark| indented(remark, columns)));
    lines
}

fn indented(text: &str, columns: usize) -> Vec<String> {
    let lines = wrap(text, columns - GAP);
    lines.into_iter().map(|line| format!("{}{line}", " ".repeat(GAP))).collect()
}

/// A column with its cells as they will stand, and how narrow it can be.
struct Shape {
    cells: Vec<String>,
    natural: usize,
    narrowest: usize,
    place: Place,
}

fn shapes(table: &Table) -> Vec<Shape> {
    let shape = |(index, column): (usize, &Column)| {
        let texts: Vec<String> = table.rows.iter().map(|row| row[index].text.clone()).collect();
        let cells = if column.align == Align::Point { pointed(&texts) } else { texts };
        let content = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
        let title = width(&column.title).max(width(&column.unit));
        let words = column.title.split(' ').map(width).max().unwrap_or(0);
        let breaks = column.align == Align::Left;
        let least = if breaks { content.min(WORDS) } else { content };
        Shape {
            natural: content.max(title),
            narrowest: least.max(words).max(width(&column.unit)),
            cells,
            place: column.place,
        }
    };
    table.columns.iter().enumerate().map(shape).collect()
}

/// A part of a table: columns and their widths, the first one in every part.
type Part = Vec<(usize, usize)>;

/// All columns at their natural widths if they fit; else narrowed, and broken up where even that is
/// too wide.
fn parts(shapes: &[Shape], columns: usize) -> Vec<Part> {
    let total = |part: &Part| part.iter().map(|(_, width)| width + GAP).sum::<usize>();
    let all = |width: fn(&Shape) -> usize| -> Part {
        shapes.iter().enumerate().map(|(i, shape)| (i, width(shape))).collect()
    };
    let natural = all(|shape| shape.natural);
    if total(&natural) <= columns {
        return vec![natural];
    }
    let narrow = all(|shape| shape.narrowest);
    let mut parts: Vec<Part> = Vec::new();
    if total(&narrow) <= columns {
        parts.push(narrow);
    } else {
        for &column in &narrow[1..] {
            match parts.last_mut() {
                Some(part)
                    if total(part) + column.1 + GAP <= columns
                        && shapes[column.0].place == Place::Beside =>
                {
                    part.push(column);
                }
                _ => parts.push(vec![narrow[0], column]),
            }
        }
    }
    // What is left over goes back to the columns, words and names first.
    for part in &mut parts {
        let mut spare = columns.saturating_sub(total(part));
        for (index, width) in part.iter_mut() {
            let more = (shapes[*index].natural - *width).min(spare);
            *width += more;
            spare -= more;
        }
    }
    // Names are as wide in every part, where that is possible.
    let first = parts.iter().map(|part| part[0].1).min().unwrap_or(0);
    parts.iter_mut().for_each(|part| part[0].1 = first);
    parts
}

fn grid(table: &Table, shapes: &[Shape], part: &Part, colour: Colour) -> Vec<String> {
    let rule: usize = part.iter().map(|(_, width)| width + GAP).sum::<usize>() - GAP;
    let rule = format!("{}{}", " ".repeat(GAP), "═".repeat(rule));
    let mut lines = header(table, part);
    lines.push(rule.clone());
    for row in 0..table.rows.len() {
        let cells: Vec<Vec<String>> = part
            .iter()
            .map(|&(index, width)| {
                let text = &shapes[index].cells[row];
                match table.columns[index].align {
                    Align::Left => wrap(text, width),
                    _ => vec![text.clone()],
                }
            })
            .collect();
        let kind = |index: usize| &table.rows[row][index];
        lines.extend(stacked(table, part, &cells, |index, text| paint(kind(index), text, colour)));
    }
    lines.push(rule);
    lines
}

/// Titles over several lines end on one line, the units under them.
fn header(table: &Table, part: &Part) -> Vec<String> {
    let titles: Vec<Vec<String>> =
        part.iter().map(|&(index, width)| wrap(&table.columns[index].title, width)).collect();
    let height = titles.iter().map(Vec::len).max().unwrap_or(0);
    let with_unit = part.iter().any(|(index, _)| !table.columns[*index].unit.is_empty());
    let cells: Vec<Vec<String>> = part
        .iter()
        .zip(titles)
        .map(|(&(index, _), title)| {
            let mut cell = vec![String::new(); height - title.len()];
            cell.extend(title);
            if with_unit {
                cell.push(table.columns[index].unit.clone());
            }
            cell
        })
        .collect();
    stacked(table, part, &cells, |_, text| text)
}

/// Cells of one row, side by side, as many lines as the tallest has.
fn stacked(
    table: &Table,
    part: &Part,
    cells: &[Vec<String>],
    paint: impl Fn(usize, String) -> String,
) -> Vec<String> {
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |at: usize| -> String {
        let place = |(&(index, columns), cell): (&(usize, usize), &Vec<String>)| {
            let text = cell.get(at).map_or("", String::as_str);
            let text = match table.columns[index].align {
                Align::Left => left(text, columns),
                Align::Right | Align::Point => right(text, columns),
            };
            format!("{}{}", " ".repeat(GAP), paint(index, text))
        };
        part.iter().zip(cells).map(place).collect()
    };
    (0..height).map(|at| line(at).trim_end().to_owned()).collect()
}

fn paint(cell: &Cell, text: String, colour: Colour) -> String {
    match cell.kind {
        CellKind::Verdict(verdict) => coloured(&text, verdict, colour),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: usize, name: &str) -> Table {
        let mut all = vec![Column::new("Name", Align::Left)];
        let title = |i| format!("Long title {i}");
        all.extend((1..columns).map(|i| Column::of_numbers(&title(i), "ms".to_owned())));
        let row = |scale: f64| {
            let mut cells = vec![Cell::words(name)];
            cells.extend((1..columns).map(|i| Cell::number(format!("{:.2}", scale * i as f64))));
            cells
        };
        Table { columns: all, rows: vec![row(1.0), row(100.0)], ..Table::default() }
    }

    #[test]
    fn no_line_is_too_wide_and_no_cell_is_lost() {
        let name = "a case with a rather long name that has to be broken up somewhere";
        for columns in 2..20 {
            for width_allowed in [80, 97, 120] {
                let lines = terminal(&table(columns, name), width_allowed, Colour::Never);
                for line in &lines {
                    assert!(width(line) <= width_allowed, "{line:?}");
                }
                let text = lines.join("\n");
                for i in 1..columns {
                    assert!(text.contains(&format!("{i}00.00")), "{text}");
                }
                assert!(text.contains("somewhere"), "{text}");
            }
        }
    }

    #[test]
    fn a_table_without_rows_is_nothing() {
        let empty = Table { title: "Nothing".to_owned(), ..Table::default() };
        assert!(terminal(&empty, 80, Colour::Never).is_empty());
    }
}
