//! A table on a terminal: aligned, within the width.
//!
//! A table that is too wide is made narrower in this order: titles are broken at spaces, words wrap, names get
//! lines of their own above their rows, and then columns are put into further parts under the first, each
//! with the names again; those that belong together stay together. Nothing is cut.

use super::{Align, Cell, CellKind, Column, Place, Table, pointed};
use crate::style::coloured;
use crate::text::{left, right, width, wrap};
use crate::view::Colour;

/// Columns between two columns, and before the first.
const GAP: usize = 2;
/// A column of words may be made as narrow as this.
const WORDS: usize = 14;
/// Names may be wrapped to this before they get lines of their own.
const NAMES: usize = 24;

/// Whether lines are drawn above and below the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// They are.
    Drawn,
    /// They are not, and a title stands right above its table.
    None,
}

/// The lines, none wider than `columns` as long as the narrowest form of two columns fits. Without
/// rows there are none.
#[must_use]
pub fn terminal(table: &Table, columns: usize, colour: Colour, rules: Rules) -> Vec<String> {
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
    if !lines.is_empty() && rules == Rules::Drawn {
        lines.push(String::new());
    }
    let shapes = shapes(table);
    for (at, part) in parts(&shapes, columns, rules).iter().enumerate() {
        if at > 0 {
            lines.push(String::new());
        }
        lines.extend(grid(table, &shapes, part, colour, rules));
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

/// A part of a table: columns with their widths.
struct Part {
    columns: Vec<(usize, usize)>,
    names: Names,
}

/// Where a part has the names of its rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// In its first column.
    Beside,
    /// On lines of their own of this width.
    Above(usize),
}

impl Part {
    fn beside(columns: Vec<(usize, usize)>) -> Part {
        Part { columns, names: Names::Beside }
    }

    /// These columns under the names.
    fn under_names(shapes: &[Shape], of: &[usize], columns: usize) -> Part {
        let under = of.iter().map(|at| (*at, shapes[*at].narrowest)).collect();
        let names = shapes[0].natural.min(columns.saturating_sub(GAP));
        Part { columns: under, names: Names::Above(names) }
    }

    /// Columns before the first one.
    fn indent(&self) -> usize {
        if self.names == Names::Beside { 0 } else { GAP }
    }

    /// Its width with the gaps before its columns.
    fn total(&self) -> usize {
        let columns = self.columns.iter().map(|(_, width)| width + GAP).sum::<usize>();
        let names = match self.names {
            Names::Beside => 0,
            Names::Above(names) => names + GAP,
        };
        names.max(columns + self.indent())
    }

    /// Gives spare width to columns, words and names first.
    fn widened(mut self, shapes: &[Shape], columns: usize) -> Part {
        let mut spare = columns.saturating_sub(self.total());
        for (index, width) in &mut self.columns {
            let more = shapes[*index].natural.saturating_sub(*width).min(spare);
            *width += more;
            spare -= more;
        }
        self
    }
}

/// All columns beside or under their names if they fit; else as many of those that belong together in a
/// part as do, and where even one such group is too wide, as many columns.
fn parts(shapes: &[Shape], columns: usize, rules: Rules) -> Vec<Part> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, shape) in shapes.iter().enumerate().skip(1) {
        match groups.last_mut() {
            Some(group) if shape.place != Place::First => group.push(at),
            _ => groups.push(vec![at]),
        }
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut begun: Vec<usize> = Vec::new();
    let whole = (1..shapes.len()).collect::<Vec<usize>>();
    let groups =
        if fitting(shapes, &whole, columns, rules).is_some() { vec![whole] } else { groups };
    for group in groups {
        let both = [&begun[..], &group[..]].concat();
        if fitting(shapes, &both, columns, rules).is_some() {
            begun = both;
            continue;
        }
        parts.extend(fitting(shapes, &begun, columns, rules));
        begun = group;
        if fitting(shapes, &begun, columns, rules).is_none() {
            parts.extend(split(shapes, &std::mem::take(&mut begun), columns));
        }
    }
    if !begun.is_empty() {
        parts.extend(fitting(shapes, &begun, columns, rules));
    }
    parts
}

/// A part with all of these columns, in the first form that fits. Without rules long names are not broken up beside
/// their numbers, where a reader could not find them again.
fn fitting(shapes: &[Shape], of: &[usize], columns: usize, rules: Rules) -> Option<Part> {
    if of.is_empty() {
        return None;
    }
    let beside = |name: usize, width: fn(&Shape) -> usize| {
        let columns = of.iter().map(|at| (*at, width(&shapes[*at])));
        Part::beside([(0, name)].into_iter().chain(columns).collect())
    };
    let name = &shapes[0];
    let narrowed = beside(name.narrowest.max(name.natural.min(NAMES)), |shape| shape.narrowest);
    let under = Part::under_names(shapes, of, columns);
    let [second, third] = match rules {
        Rules::Drawn => [narrowed, under],
        Rules::None => [under, narrowed],
    };
    let forms = [
        beside(name.natural, |shape| shape.natural),
        second,
        third,
        beside(name.narrowest, |shape| shape.narrowest),
    ];
    // Short names gain nothing by lines of their own.
    let is_worth = |form: &Part| form.names == Names::Beside || name.natural > NAMES;
    let fits = |part: &Part| is_worth(part) && part.total() <= columns;
    forms.into_iter().find(fits).map(|part| part.widened(shapes, columns))
}

/// As many columns beside the narrowest names as fit, one at least.
fn split(shapes: &[Shape], of: &[usize], columns: usize) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for column in of.iter().map(|at| (*at, shapes[*at].narrowest)) {
        match parts.last_mut() {
            Some(part) if part.total() + column.1 + GAP <= columns => part.columns.push(column),
            _ => parts.push(Part::beside(vec![(0, shapes[0].narrowest), column])),
        }
    }
    parts.into_iter().map(|part| part.widened(shapes, columns)).collect()
}

fn grid(table: &Table, shapes: &[Shape], part: &Part, colour: Colour, rules: Rules) -> Vec<String> {
    let rule = part.total() - GAP;
    let rule = format!("{}{}", " ".repeat(GAP), "═".repeat(rule));
    let rule = Some(rule).filter(|_| rules == Rules::Drawn);
    let mut lines = header(table, part);
    lines.retain(|line| rules == Rules::Drawn || !line.is_empty());
    lines.extend(rule.clone());
    for row in 0..table.rows.len() {
        let paint = |index: usize, text| paint(&table.rows[row][index], text, colour);
        lines.extend(above(part, &shapes[0].cells[row]));
        let cells: Vec<Vec<String>> = part
            .columns
            .iter()
            .map(|&(index, width)| {
                let text = &shapes[index].cells[row];
                match table.columns[index].align {
                    Align::Left => wrap(text, width),
                    _ => vec![text.clone()],
                }
            })
            .collect();
        lines.extend(stacked(table, part, &cells, paint));
    }
    lines.extend(rule);
    lines
}

/// The lines above a row that name it; none where names stand beside, or where there is nothing to say.
fn above(part: &Part, name: &str) -> Vec<String> {
    let Names::Above(names) = part.names else { return Vec::new() };
    let lines = wrap(name, names);
    let indented = lines.iter().map(|line| format!("{}{}", " ".repeat(GAP), line.trim_end()));
    indented.filter(|line| !line.trim().is_empty()).collect()
}

/// Titles over several lines end on one line, the units under them.
fn header(table: &Table, part: &Part) -> Vec<String> {
    let titles: Vec<Vec<String>> =
        part.columns.iter().map(|&(at, width)| wrap(&table.columns[at].title, width)).collect();
    let height = titles.iter().map(Vec::len).max().unwrap_or(0);
    let with_unit = part.columns.iter().any(|(index, _)| !table.columns[*index].unit.is_empty());
    let cells: Vec<Vec<String>> = part
        .columns
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
    let mut lines = above(part, &table.columns[0].title);
    lines.extend(stacked(table, part, &cells, |_, text| text));
    lines
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
        let cells: String = part.columns.iter().zip(cells).map(place).collect();
        format!("{}{cells}", " ".repeat(part.indent()))
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
        all.extend((1..columns).map(|i| Column::numbers(&title(i), "ms".to_owned())));
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
                let lines =
                    terminal(&table(columns, name), width_allowed, Colour::Never, Rules::None);
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
        assert!(terminal(&empty, 80, Colour::Never, Rules::Drawn).is_empty());
    }
}
