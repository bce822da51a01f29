//! One table of a comparison as a table for reading: columns of centres, changes and verdicts.
//!
//! Owns which columns a view has.

use etalon_core::estimate::Estimate;
use etalon_core::tables::{Cell, Row, Table, Tables};
use etalon_core::units::Base;

use super::footnotes::Footnotes;
use super::words::{self, Columns};
use super::{CellView, SummaryRow, View};
use crate::number::{fixed, p_value};
use crate::table::{self, Align, CellKind, Column};
use crate::text::clean;
use crate::tidied::{self, Scale, centred, plain_number, plain_unit};
use crate::words::{verdict_word, why};

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
        let label = notes.labelled(&names.label(labels), [&of.summaries[at]]);
        columns.extend(headings(of, (at, &label.text), &counts, view.cells));
    }
    let mut rows: Vec<Vec<table::Cell>> =
        of.rows.iter().map(|row| line(of, row, (&counts, view.cells), notes)).collect();
    if of.rows.len() > 1 {
        rows.extend(summaries(of, view, notes));
    }
    let title = words::title(tables, of);
    table::Table { title, columns, rows, ..table::Table::default() }.without_empty_columns()
}

fn is_share(view: CellView) -> bool {
    matches!(view, CellView::OfMax | CellView::OfMin)
}

/// How many values all cells of a column have, where that is one number.
fn count(of: &Table, column: usize) -> Option<usize> {
    let mut counts = of.rows.iter().filter_map(|row| Some(row.cells[column].as_ref()?.n));
    let first = counts.next()?;
    counts.all(|n| n == first).then_some(first)
}

/// The columns of the layout that a column of the table takes.
fn headings(
    of: &Table,
    (at, label): (usize, &str),
    counts: &[Option<usize>],
    view: CellView,
) -> Vec<Column> {
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
        CellView::Ratio | CellView::Plain => vec![titled(label, Align::Point), notes],
        CellView::OfMax | CellView::OfMin => {
            let mut columns = vec![titled(label, Align::Right), notes];
            if at + 1 == counts.len() {
                let raw = format!("raw value, {}", clean(&plain_unit(&of.unit, &of.base)));
                columns.push(titled(&raw, Align::Right));
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
    let centres: Vec<Option<Estimate>> =
        row.cells.iter().map(|cell| cell.as_ref().map(centre)).collect();
    if is_share(view) {
        let values: Vec<Option<f64>> = centres.iter().map(|c| c.map(|c| c.value)).collect();
        let (shares, raw) = shares(&values, view, &of.base);
        let noted = shares.into_iter().zip(&row.cells);
        cells.extend(noted.flat_map(|(share, cell)| [share, notes.of(cell.as_ref())]));
        cells.push(raw);
        return cells;
    }
    let scale = Scale::of(centres.iter().flatten().map(|centre| centre.value), &of.base);
    for (at, cell) in row.cells.iter().enumerate() {
        match view {
            CellView::Ratio => cells.extend(ratio(at, cell.as_ref(), &of.base, notes)),
            _ => {
                let shown = centres[at].map(|centre| centred(&centre, &scale));
                cells.push(table::Cell::words_or_absent(shown));
                cells.push(table::Cell::words(match (cell, counts[at]) {
                    (Some(cell), None) => cell.n.to_string(),
                    _ => String::new(),
                }));
                cells.extend(compared(at, cell.as_ref(), &of.base, notes));
            }
        }
    }
    cells
}

/// Each value as a share of the row's largest or smallest one, and that.
fn shares(values: &[Option<f64>], view: CellView, base: &Base) -> (Vec<table::Cell>, table::Cell) {
    let whole = extreme(values.iter().copied().flatten(), view);
    let share = |value: &Option<f64>| {
        let (value, whole) = value.zip(whole).filter(|(_, whole)| *whole != 0.0)?;
        Some(value / whole)
    };
    let raw = whole.map(|whole| plain_number(whole, base));
    let shares = values.iter().map(|value| percent(share(value))).collect();
    (shares, table::Cell::words_or_absent(raw))
}

fn percent(share: Option<f64>) -> table::Cell {
    table::Cell::words_or_absent(share.map(|share| format!("{} %", fixed(share * 100.0, 0))))
}

fn nothing() -> table::Cell {
    table::Cell::words("")
}

/// The value that is 100 %.
fn extreme(values: impl Iterator<Item = f64>, view: CellView) -> Option<f64> {
    match view {
        CellView::OfMin => values.min_by(f64::total_cmp),
        _ => values.max_by(f64::total_cmp),
    }
}

/// Change, p, and verdict with footnotes; of the base, footnotes.
fn compared(
    at: usize,
    cell: Option<&Cell>,
    base: &Base,
    notes: &mut Footnotes,
) -> Vec<table::Cell> {
    if at == 0 {
        return vec![notes.of(cell)];
    }
    let comparison = cell.and_then(|cell| cell.comparison.as_ref());
    let Some((cell, comparison)) = cell.zip(comparison) else {
        return vec![nothing(), nothing(), notes.of(cell)];
    };
    let p = comparison.p.map_or("exact".to_owned(), p_value);
    let assessment = comparison.assessment.as_deref();
    let change = assessment.map_or(String::new(), |it| tidied::changed(&it.evidence, base));
    vec![table::Cell::words(change), table::Cell::words(p), verdict(Some(cell), base, notes)]
}

/// The word of a verdict, and the marks of what has to be said of the cell and of what stands behind it.
fn verdict(cell: Option<&Cell>, base: &Base, notes: &mut Footnotes) -> table::Cell {
    let assessment = cell.and_then(|cell| cell.comparison.as_ref()?.assessment.as_deref());
    let mut said = words::said(cell);
    said.extend(assessment.and_then(why));
    let marks = notes.marks(said).text;
    let Some(assessment) = assessment else { return table::Cell::words(marks) };
    let text = format!("{} {marks}", verdict_word(assessment, base)).trim_end().to_owned();
    table::Cell { text, kind: CellKind::Verdict(assessment.decision.verdict) }
}

/// The ratio that the verdict is about, which is that of the centres only where values do not scatter.
fn ratio(at: usize, cell: Option<&Cell>, base: &Base, notes: &mut Footnotes) -> Vec<table::Cell> {
    let of_base = |cell: &Cell| {
        let assessment = cell.comparison.as_ref()?.assessment.as_deref()?;
        Some(assessment.evidence.ratio?.value)
    };
    let ratio = if at == 0 { cell.map(|_| 1.0) } else { cell.and_then(of_base) };
    let text = ratio.map(|ratio| fixed(ratio, 3));
    let said = if at > 0 { verdict(cell, base, notes) } else { notes.of(cell) };
    vec![table::Cell::words_or_absent(text), said]
}

/// The last row, if there is one.
fn summaries(of: &Table, view: View, notes: &mut Footnotes) -> Option<Vec<table::Cell>> {
    let mut cells =
        vec![notes.marked(words::summary(view.summary)?, words::left_out(of, view.summary))];
    let totals: Vec<Option<f64>> = of.summaries.iter().map(|summary| summary.total).collect();
    match (view.cells, view.summary) {
        (CellView::OfMax | CellView::OfMin, SummaryRow::Total) => {
            let (shares, raw) = shares(&totals, view.cells, &of.base);
            cells.extend(shares.into_iter().flat_map(|share| [share, nothing()]));
            cells.push(raw);
        }
        (CellView::OfMax | CellView::OfMin, _) => {
            let means = (0..of.columns.len()).map(|at| percent(mean_share(of, at, view.cells)));
            cells.extend(means.flat_map(|mean| [mean, nothing()]));
            cells.push(nothing());
        }
        _ => {
            for at in 0..of.columns.len() {
                cells.extend(summary_of(of, at, view));
            }
        }
    }
    Some(cells)
}

/// The geometric mean of a column's shares of its rows' largest or smallest.
fn mean_share(of: &Table, column: usize, view: CellView) -> Option<f64> {
    let share = |row: &Row| {
        let values: Option<Vec<f64>> =
            row.cells.iter().map(|cell| Some(cell.as_ref()?.centre.value)).collect();
        let values = values.filter(|values| values.iter().all(|value| *value > 0.0))?;
        Some(values[column] / extreme(values.iter().copied(), view)?)
    };
    let shares: Vec<f64> = of.rows.iter().filter_map(share).collect();
    etalon_core::stats::geometric_mean(&shares)
}

fn summary_of(of: &Table, at: usize, view: View) -> Vec<table::Cell> {
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
        return vec![table::Cell::words_or_absent(text), nothing()];
    }
    let value = view.summary.value(own);
    let shown = value.map(|value| Scale::of([value], &of.base).show(value));
    let mut cells = vec![table::Cell::words_or_absent(shown), nothing()];
    if at > 0 {
        let change = ratio.map(|ratio| tidied::change(ratio, interval));
        cells.extend([table::Cell::words_or_absent(change), nothing()]);
    }
    cells.push(nothing());
    cells
}
