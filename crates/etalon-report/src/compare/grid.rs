//! One table of a comparison as a table for reading: columns of centres, changes and verdicts.
//!
//! Owns which columns a view has.

use etalon_core::tables::{Cell, Centre, Judged, Row, Table, Tables};
use etalon_core::units::Base;

use super::footnotes::Footnotes;
use super::scale::{self, Scale, centred};
use super::words::{self, Columns};
use super::{CellView, SummaryRow, View};
use crate::number::{fixed, p_value};
use crate::table::{self, Align, CellKind, Column};

/// A table of one unit.
pub(super) fn grid(
    tables: &Tables,
    of: &Table,
    (names, view): (&Columns, View),
    notes: &mut Footnotes,
) -> table::Table {
    let counts: Vec<Option<usize>> = (0..of.columns.len()).map(|at| count(of, at)).collect();
    let mut columns = vec![Column::new("", Align::Left)];
    for (at, labels) in of.columns.iter().enumerate() {
        let said = of.summaries[at].notes.iter().map(words::note);
        let label = notes.marked(&names.label(labels), said);
        columns.extend(headings(at, &label.text, &counts, view.cells));
    }
    let mut rows: Vec<Vec<table::Cell>> =
        of.rows.iter().map(|row| line(of, row, (&counts, view.cells), notes)).collect();
    let compared = of.columns.len() > 1 && !is_share(view.cells);
    if of.rows.len() > 1 || (of.rows.is_empty() && compared) {
        rows.extend(summaries(of, view, notes));
    }
    let title = title(tables, of);
    table::Table { title, columns, rows, ..table::Table::default() }.without_empty_columns()
}

fn is_share(view: CellView) -> bool {
    matches!(view, CellView::OfMax | CellView::OfMin)
}

fn title(tables: &Tables, of: &Table) -> String {
    let keys = words::named(&tables.table_keys, &of.labels);
    let unit = crate::text::clean(&of.unit);
    if keys.is_empty() { unit } else { format!("{unit} ({keys})") }
}

/// How many values all cells of a column have, where that is one number.
fn count(of: &Table, column: usize) -> Option<usize> {
    let mut counts = of.rows.iter().filter_map(|row| Some(row.cells[column].as_ref()?.n));
    let first = counts.next()?;
    counts.all(|n| n == first).then_some(first)
}

/// The columns of the layout that a column of the table takes.
fn headings(at: usize, label: &str, counts: &[Option<usize>], view: CellView) -> Vec<Column> {
    let notes = Column::new("", Align::Left);
    let verdict = Column::new("verdict", Align::Left).behind_name();
    let titled = |title: &str, align| Column::new(title, align).first();
    match view {
        CellView::Delta | CellView::Mean => {
            let (label, n) = match counts[at] {
                Some(n) => (format!("{label} (n={n})"), ""),
                None => (label.to_owned(), "n"),
            };
            let mut columns = vec![titled(&label, Align::Point), Column::new(n, Align::Right)];
            if at > 0 {
                let pointed = |title| Column::new(title, Align::Point);
                columns.extend([pointed("vs base"), pointed("p"), verdict]);
            } else {
                columns.push(notes);
            }
            columns
        }
        CellView::Ratio if at > 0 => vec![titled(label, Align::Point), verdict],
        CellView::Ratio | CellView::Plain => vec![titled(label, Align::Point)],
        CellView::OfMax | CellView::OfMin => {
            let mut columns = vec![titled(label, Align::Right)];
            if at + 1 == counts.len() {
                columns.push(titled("raw value", Align::Right));
            }
            columns
        }
    }
}

fn line(
    of: &Table,
    row: &Row,
    (counts, view): (&[Option<usize>], CellView),
    notes: &mut Footnotes,
) -> Vec<table::Cell> {
    let mut cells = vec![table::Cell::words(words::label(&row.labels))];
    let centre = |cell: &Cell| match view {
        CellView::Mean => cell.mean.unwrap_or(cell.centre),
        _ => cell.centre,
    };
    let centres: Vec<Option<Centre>> =
        row.cells.iter().map(|cell| cell.as_ref().map(centre)).collect();
    if is_share(view) {
        let values: Vec<Option<f64>> = centres.iter().map(|c| c.map(|c| c.value)).collect();
        cells.extend(shares(&values, view, &of.unit));
        return cells;
    }
    let scale = Scale::of(centres.iter().flatten().map(|centre| centre.value), &of.unit);
    for (at, cell) in row.cells.iter().enumerate() {
        match view {
            CellView::Ratio => cells.extend(ratio(at, cell.as_ref(), row, notes)),
            _ => {
                let shown = centres[at].map(|centre| centred(&centre, &scale));
                cells.push(table::Cell::words_or_absent(shown));
                cells.push(table::Cell::words(match (cell, counts[at]) {
                    (Some(cell), None) => cell.n.to_string(),
                    _ => String::new(),
                }));
                cells.extend(compared(at, cell.as_ref(), notes));
            }
        }
    }
    cells
}

/// Each value as a share of the row's largest or smallest one, and that.
fn shares(values: &[Option<f64>], view: CellView, unit: &str) -> Vec<table::Cell> {
    let whole = extreme(values.iter().copied().flatten(), view);
    let share = |value: &Option<f64>| {
        let (value, whole) = value.zip(whole).filter(|(_, whole)| *whole != 0.0)?;
        Some(fixed(value / whole * 100.0, 0))
    };
    let mut cells: Vec<table::Cell> =
        values.iter().map(|value| table::Cell::words_or_absent(share(value))).collect();
    cells.push(table::Cell::words_or_absent(whole.map(|whole| raw(whole, unit))));
    cells
}

/// The value that is 100 %.
fn extreme(values: impl Iterator<Item = f64>, view: CellView) -> Option<f64> {
    match view {
        CellView::OfMin => values.min_by(f64::total_cmp),
        _ => values.max_by(f64::total_cmp),
    }
}

fn raw(value: f64, unit: &str) -> String {
    let number = if scale::base(unit) == Base::Seconds { value * 1e9 } else { value };
    if number.abs() >= 100.0 {
        format!("{number:.0}")
    } else {
        format!("{}", (number * 1e4).round() / 1e4)
    }
}

/// Change, p, and verdict with footnotes; of the base, footnotes.
fn compared(at: usize, cell: Option<&Cell>, notes: &mut Footnotes) -> Vec<table::Cell> {
    if at == 0 {
        return vec![notes.of(cell)];
    }
    let comparison = cell.and_then(|cell| cell.comparison.as_ref());
    let Some((cell, comparison)) = cell.zip(comparison) else {
        let nothing = || table::Cell::words("");
        return vec![nothing(), nothing(), notes.of(cell)];
    };
    let p = comparison.p.map_or("exact".to_owned(), p_value);
    let judged = comparison.judged.as_deref();
    let change = judged.map_or(String::new(), |judged| {
        judged.ratio.map_or(table::ABSENT.to_owned(), |r| scale::change(r, judged.interval))
    });
    let own = cell.notes.iter().chain(&comparison.notes).map(words::note);
    let verdict = verdict(judged, own.collect(), notes);
    vec![table::Cell::words(change), table::Cell::words(p), verdict]
}

/// The word of a verdict, and the marks of what has to be said and of what stands behind it.
fn verdict(judged: Option<&Judged>, mut said: Vec<String>, notes: &mut Footnotes) -> table::Cell {
    said.extend(judged.and_then(words::reasons));
    let marks = notes.marks(said).text;
    let Some(judged) = judged else { return table::Cell::words(marks) };
    let text = format!("{} {marks}", words::verdict(judged)).trim_end().to_owned();
    table::Cell { text, kind: CellKind::Verdict(judged.decision.verdict) }
}

fn ratio(at: usize, cell: Option<&Cell>, row: &Row, notes: &mut Footnotes) -> Vec<table::Cell> {
    let base = row.cells[0].as_ref().map(|base| base.centre.value).filter(|base| *base != 0.0);
    let text = cell.zip(base).map(|(cell, base)| fixed(cell.centre.value / base, 3));
    let mut cells = vec![table::Cell::words_or_absent(text)];
    if at > 0 {
        let judged = cell.and_then(|cell| cell.comparison.as_ref()?.judged.as_deref());
        cells.push(verdict(judged, Vec::new(), notes));
    }
    cells
}

/// The last row, if there is one.
fn summaries(of: &Table, view: View, notes: &mut Footnotes) -> Option<Vec<table::Cell>> {
    let mut cells =
        vec![notes.marked(words::summary(view.summary)?, words::left_out(of, view.summary))];
    let totals: Vec<Option<f64>> = of.summaries.iter().map(|summary| summary.total).collect();
    match (view.cells, view.summary) {
        (CellView::OfMax | CellView::OfMin, SummaryRow::Total) => {
            cells.extend(shares(&totals, view.cells, &of.unit));
        }
        (CellView::OfMax | CellView::OfMin, _) => {
            let mean = |column| mean_share(of, column, view.cells);
            let means = (0..of.columns.len()).map(|at| mean(at).map(|mean| fixed(mean, 0)));
            cells.extend(means.map(table::Cell::words_or_absent));
            cells.push(table::Cell::words(""));
        }
        _ => {
            for at in 0..of.columns.len() {
                cells.extend(summary_of(of, at, view));
            }
        }
    }
    Some(cells)
}

/// The geometric mean of a column's shares of its rows' largest or smallest, in percent.
fn mean_share(of: &Table, column: usize, view: CellView) -> Option<f64> {
    let share = |row: &Row| {
        let values: Option<Vec<f64>> =
            row.cells.iter().map(|cell| Some(cell.as_ref()?.centre.value)).collect();
        let values = values.filter(|values| values.iter().all(|value| *value > 0.0))?;
        Some(values[column] / extreme(values.iter().copied(), view)?)
    };
    let shares: Vec<f64> = of.rows.iter().filter_map(share).collect();
    etalon_core::stats::geometric_mean(&shares).map(|mean| mean * 100.0)
}

fn summary_of(of: &Table, at: usize, view: View) -> Vec<table::Cell> {
    let nothing = || table::Cell::words("");
    let (own, base) = (&of.summaries[at], &of.summaries[0]);
    let (ratio, interval) = match view.summary {
        SummaryRow::Total => {
            let pair = own.total.zip(base.total).filter(|(own, base)| *own > 0.0 && *base > 0.0);
            (pair.map(|(own, base)| own / base), None)
        }
        _ => (own.ratio, own.interval),
    };
    if view.cells == CellView::Ratio {
        let text = if at == 0 { Some(1.0) } else { ratio }.map(|ratio| fixed(ratio, 3));
        let text = table::Cell::words_or_absent(text);
        return if at == 0 { vec![text] } else { vec![text, nothing()] };
    }
    let value = view.summary.value(own);
    let shown = value.map(|value| Scale::of([value], &of.unit).show(value));
    let mut cells = vec![table::Cell::words_or_absent(shown), nothing()];
    if at > 0 {
        let change = ratio.map(|ratio| scale::change(ratio, interval));
        cells.extend([table::Cell::words_or_absent(change), nothing()]);
    }
    cells.push(nothing());
    cells
}
