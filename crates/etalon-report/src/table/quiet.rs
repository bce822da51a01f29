//! Tables without rules, each row on one line, within the width.
//!
//! A table that is too wide is made narrower in this order: names are shortened in the middle down to
//! [`SHORT`] columns, columns that may be left out are, from the last on, and then names are shortened further; down to
//! [`TIGHT`] before columns are left out that are to stay beside names.
//! Several tables share the widths of their columns; the first one's titles stand once. Where even that does not
//! fit, or where all names have to be whole, each table is broken up as [`super::terminal`] does it.

pub(crate) mod names;

use super::terminal::{Rules, terminal};
use super::{Align, CellKind, Column, Place, Table, pointed};
use crate::style::coloured;
use crate::text::{hanging, left, right, shortened, width};
use crate::view::{Detail, View};

/// Columns between two columns, and before the first.
const GAP: usize = 2;
/// Names are shortened to this before columns are left out, and to that before columns are that say what names are for.
const SHORT: usize = 20;
const TIGHT: usize = 12;
/// The longest title of a column that is shown whole.
const TITLE: usize = 24;
/// Titles of columns that may be left out are shortened to this before they are.
const SHORT_TITLE: usize = 10;
/// Names are never shorter than this.
const SHORTEST: usize = 8;

/// The lines; none without rows. Tables under one another with as many columns have the columns of the first one.
#[must_use]
pub fn quiet(tables: &[Table], view: View) -> Vec<String> {
    let tables: Vec<&Table> = tables.iter().filter(|table| !table.rows.is_empty()).collect();
    let alike = tables.chunk_by(|one, next| one.columns.len() == next.columns.len());
    alike.flat_map(|tables| aligned(tables, view)).collect()
}

/// The lines of tables that share their columns.
fn aligned(tables: &[&Table], view: View) -> Vec<String> {
    let Some(first) = tables.first() else { return Vec::new() };
    let layout = Layout::new(tables, view);
    let is_whole = layout.is_whole && tables.iter().all(|it| width(&it.title) <= view.width);
    let is_whole = is_whole || view.detail == Detail::Screen;
    if layout.total() > view.width || !is_whole {
        return broken_up(tables, view);
    }
    let mut lines = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        lines.extend(layout.caption(table));
        lines.extend(layout.head(table, if at == 0 { Some(first) } else { None }));
        lines.extend((0..table.rows.len()).map(|row| layout.row(at, table, row)));
        let indented = |remark: &String| hanging("  ", &view.charset.spell(remark), view.width);
        lines.extend(table.remarks.iter().flat_map(indented));
    }
    lines
}

/// Every cell of the tables, one table after the other.
fn broken_up(tables: &[&Table], view: View) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for table in tables {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(terminal(
            &table.in_charset(view.charset),
            view.width,
            view.colour,
            Rules::None,
        ));
    }
    lines
}

/// The columns that are shown, and how wide.
struct Layout {
    view: View,
    /// The texts of every table, by column and row.
    cells: Vec<Vec<Vec<String>>>,
    /// Columns that are shown, with their widths; the names' is the first.
    shown: Vec<(usize, usize)>,
    /// Whether no name is shortened.
    is_whole: bool,
    /// The titles of all columns.
    titles: Vec<String>,
}

impl Layout {
    fn new(tables: &[&Table], view: View) -> Layout {
        let columns = &tables[0].columns;
        let titles = titles(columns, view);
        let cells: Vec<Vec<Vec<String>>> = tables
            .iter()
            .map(|table| (0..columns.len()).map(|at| texts(table, at, view)).collect())
            .collect();
        let widest = |at: usize| {
            let of_cells = cells.iter().flat_map(|table| &table[at]).map(|text| width(text));
            let cells = of_cells.max().unwrap_or(0);
            // A title may reach over the column after it, if that has none.
            match columns.get(at + 1).is_some_and(|next| next.title.is_empty()) {
                true => cells,
                false => cells.max(width(&titles[at])),
            }
        };
        let mut natural: Vec<usize> = (0..columns.len()).map(widest).collect();
        let heads =
            tables.iter().map(|table| width(&view.charset.spell(&table.title)).saturating_sub(GAP));
        let names = natural[0].max(heads.max().unwrap_or(0).min(SHORT));
        let mut kept: Vec<usize> = (1..columns.len()).collect();
        let room = |kept: &[usize], natural: &[usize]| {
            let taken: usize = kept.iter().map(|at| natural[*at] + GAP).sum();
            view.width.saturating_sub(taken + GAP)
        };
        let place = |at: &usize| columns[*at].place;
        let optional = |at: &usize| matches!(place(at), Place::IfRoom | Place::BeforeNames);
        if room(&kept, &natural) < names.min(SHORT) {
            // A long title alone leaves no column out.
            for at in (1..columns.len()).filter(optional) {
                let of_cells = cells.iter().flat_map(|table| &table[at]).map(|text| width(text));
                natural[at] = natural[at].min(of_cells.max().unwrap_or(0).max(SHORT_TITLE));
            }
        }
        for (gives_way, least) in [(Place::IfRoom, SHORT), (Place::BeforeNames, TIGHT)] {
            while room(&kept, &natural) < names.min(least) {
                let Some(last) = kept.iter().rposition(|at| place(at) == gives_way) else { break };
                kept.remove(last);
            }
        }
        let room = room(&kept, &natural);
        let is_whole = names <= room;
        let names = names.min(room.max(SHORTEST));
        let mut cells = cells;
        let all: Vec<&String> = cells.iter().flat_map(|table| &table[0]).collect();
        let mut short = names::shortened(&all, names, view.charset.ellipsis()).into_iter();
        for table in &mut cells {
            table[0] = short.by_ref().take(table[0].len()).collect();
        }
        let shown = std::iter::once((0, names)).chain(kept.into_iter().map(|at| (at, natural[at])));
        let shown: Vec<(usize, usize)> = shown.collect();
        let titles = fitting(titles, columns, &shown, view);
        Layout { view, cells, shown, is_whole, titles }
    }

    /// Columns of the widest line.
    fn total(&self) -> usize {
        self.shown.iter().map(|(_, columns)| columns + GAP).sum()
    }

    /// The caption over a table, which belongs to all of its rows.
    fn caption(&self, table: &Table) -> Option<String> {
        let caption = self.view.charset.spell(&table.caption);
        (!caption.is_empty()).then(|| self.short(&caption, self.view.width))
    }

    /// The lines above a table: its title and, for the first one, those of its columns, on one line where there is
    /// room.
    fn head(&self, table: &Table, titled: Option<&Table>) -> Vec<String> {
        let title = self.short(&self.view.charset.spell(&table.title), self.view.width);
        let Some(first) = titled else {
            return Some(title).filter(|title| !title.is_empty()).into_iter().collect();
        };
        let is_beside = first.columns[0].title.is_empty() && width(&title) <= self.shown[0].1 + GAP;
        let above = Some(title.clone()).filter(|title| !is_beside && !title.is_empty());
        let mut line = String::new();
        let mut start = 0;
        for &(at, columns) in &self.shown {
            let of_column = self.titles[at].clone();
            let (text, from) = match at == 0 && is_beside {
                true => (title.clone(), start),
                false => (of_column, start + GAP),
            };
            if !text.is_empty() {
                line.push_str(&" ".repeat(from.saturating_sub(width(&line))));
                line.push_str(&placed(&text, columns, first.columns[at].align));
            }
            start += GAP + columns;
        }
        let line = Some(line.trim_end().to_owned()).filter(|line| !line.is_empty());
        above.into_iter().chain(line).collect()
    }

    fn short(&self, text: &str, columns: usize) -> String {
        shortened(text, columns, self.view.charset.ellipsis())
    }

    fn row(&self, table_at: usize, table: &Table, row: usize) -> String {
        let mut line = String::new();
        for &(at, columns) in &self.shown {
            let text = &self.cells[table_at][at][row];
            line.push_str(&" ".repeat(GAP));
            let shown = placed(text, columns, table.columns[at].align);
            line.push_str(&match table.rows[row][at].kind {
                CellKind::Verdict(verdict) if !text.is_empty() => {
                    shown.replacen(text.as_str(), &coloured(text, verdict, self.view.colour), 1)
                }
                _ => shown,
            });
        }
        line.trim_end().to_owned()
    }
}

/// The titles of columns, which tell them apart; units of others can be sentences.
fn titles(columns: &[Column], view: View) -> Vec<String> {
    let whole: Vec<String> = columns.iter().map(|it| view.charset.spell(&it.title)).collect();
    names::shortened(&whole.iter().collect::<Vec<_>>(), TITLE, view.charset.ellipsis())
}

/// The titles of columns that may be left out, as wide as these are shown; those that have to be shortened further are,
/// together, so that they still differ.
fn fitting(
    mut titles: Vec<String>,
    columns: &[Column],
    shown: &[(usize, usize)],
    view: View,
) -> Vec<String> {
    let is_wide = |(at, columns_of): &&(usize, usize)| {
        let is_optional = matches!(columns[*at].place, Place::IfRoom | Place::BeforeNames);
        is_optional && width(&titles[*at]) > *columns_of
    };
    let wide: Vec<(usize, usize)> = shown.iter().filter(is_wide).copied().collect();
    let Some(room) = wide.iter().map(|(_, columns)| *columns).min() else { return titles };
    let long: Vec<&String> = wide.iter().map(|(at, _)| &titles[*at]).collect();
    let short = names::shortened(&long, room, view.charset.ellipsis());
    wide.iter().zip(short).for_each(|((at, _), text)| titles[*at] = text);
    titles
}

/// The texts of a column in the reader's characters, points under one another where they shall be.
fn texts(table: &Table, at: usize, view: View) -> Vec<String> {
    let texts: Vec<String> =
        table.rows.iter().map(|row| view.charset.spell(&row[at].text)).collect();
    if table.columns[at].align == Align::Point { pointed(&texts) } else { texts }
}

fn placed(text: &str, columns: usize, align: Align) -> String {
    match align {
        Align::Left => left(text, columns),
        Align::Right | Align::Point => right(text, columns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Cell;

    /// Would catch two data sets under one title, and one whose centre is not shown.
    #[test]
    fn data_sets_that_begin_alike_are_told_apart() {
        let columns = vec![
            Column::new("", Align::Left),
            Column::new("results-of-the-nightly-build-2026-11-27.txt", Align::Right).before_names(),
            Column::new("results-of-the-nightly-build-2026-11-28.txt", Align::Right).before_names(),
            Column::new("change, 95 %", Align::Right),
            Column::untitled("interval", Align::Left),
            Column::untitled("verdict", Align::Left),
        ];
        let name = "BenchmarkOfSomethingWithAName/and/a/case-8";
        let cells = [name, "5.00 µs", "16.89 µs", "+237.8 %", "(+231.1 … +240.2)", "slower"];
        let rows = vec![cells.map(Cell::words).into()];
        let table = Table { columns, rows, ..Table::default() };
        let lines = quiet(&[table], View::default());
        assert!(lines[1].contains("5.00 µs") && lines[1].contains("16.89 µs"), "{lines:#?}");
        assert!(lines[0].contains("27") && lines[0].contains("28"), "{lines:#?}");
        assert!(lines.iter().all(|line| width(line) <= 80), "{lines:#?}");
    }

    /// Would catch columns of the first table that are looked for in one with fewer.
    #[test]
    fn tables_with_other_columns_have_titles_of_their_own() {
        let wide = table(&["one"]);
        let mut narrow = table(&["two"]);
        narrow.columns.pop();
        narrow.rows.iter_mut().for_each(|row| drop(row.pop()));
        let lines = quiet(&[wide.clone(), narrow, wide], View::default());
        let titles = lines.iter().filter(|line| line.contains("wall clock")).count();
        assert_eq!((lines.len(), titles), (6, 3), "{lines:#?}");
    }

    fn table(names: &[&str]) -> Table {
        let columns = vec![
            Column::new("", Align::Left),
            Column::new("wall clock", Align::Right),
            Column::new("CPU", Align::Right).if_room(),
            Column::new("memory", Align::Right).if_room(),
            Column::new("against the first", Align::Left),
        ];
        let row = |name: &&str| {
            let mut cells = vec![Cell::words(*name)];
            cells.extend(["0.91 ms ± 3 %", "0.86 ms", "1.6 MB", "1.18 × slower"].map(Cell::words));
            cells
        };
        Table { columns, rows: names.iter().map(row).collect(), ..Table::default() }
    }

    #[test]
    fn every_row_is_a_line_that_fits() {
        let long = "a command line of many words that has to be shortened somewhere";
        for columns in [40, 60, 80, 120, 200] {
            let view = View { width: columns, ..View::default() };
            let lines = quiet(&[table(&["short", long])], view);
            for line in &lines {
                assert!(width(line) <= columns, "{line:?}");
            }
            // Where not even the shortest names fit beside the verdict, a table is broken up.
            if columns < 60 {
                continue;
            }
            assert_eq!(lines.len(), 3, "{lines:#?}");
            assert!(lines[2].contains("1.18 × slower"), "the verdict stays in its row: {lines:#?}");
        }
        let view = View { width: 200, ..View::default() };
        assert!(quiet(&[table(&[long])], view)[1].contains(long));
    }

    #[test]
    fn columns_are_left_out_from_the_last_on() {
        let long = "a command line of many words that has to be shortened somewhere";
        let view = View { width: 64, ..View::default() };
        let lines = quiet(&[table(&[long])], view);
        assert!(lines[0].contains("against") && !lines[0].contains("memory"), "{lines:#?}");
    }
}
