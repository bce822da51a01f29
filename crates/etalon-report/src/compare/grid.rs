//! One table of a comparison relative to its rows or its base: shares, and ratios.
//!
//! Owns which columns such a view has.

use etalon_core::tables::{Cell, Row, Table, Tables};
use etalon_core::units::Base;

use super::footnotes::Footnotes;
use super::rows::{assessment, of_cell};
use super::words::{self, Columns};
use super::{CellView, Contents, SummaryRow};
use crate::number::fixed;
use crate::table::{self, Align, Column};
use crate::text::clean;
use crate::tidied::{plain_number, plain_unit};
use crate::words::verdict_word;

/// A table of one unit.
pub(super) fn grid(
    tables: &Tables,
    of: &Table,
    names: &Columns,
    contents: Contents,
    notes: &mut Footnotes,
) -> table::Table {
    let mut columns = vec![Column::new("", Align::Left)];
    for (at, labels) in of.columns.iter().enumerate() {
        let label = notes.labelled(&names.label(labels), [&of.summaries[at]]);
        columns.extend(headings(of, at, &label.text, contents.cells));
    }
    let mut rows: Vec<Vec<table::Cell>> =
        of.rows.iter().map(|row| line(of, row, contents.cells, notes)).collect();
    if of.rows.len() > 1 {
        rows.extend(summaries(of, contents, notes));
    }
    let title = words::title(tables, of);
    table::Table { title, columns, rows, ..table::Table::default() }.without_empty_columns()
}

/// The columns of the layout that a column of the table takes.
fn headings(of: &Table, at: usize, label: &str, view: CellView) -> Vec<Column> {
    let notes = Column::new("", Align::Left);
    let value = Column::new(label, Align::Right).first();
    match view {
        CellView::OfMax | CellView::OfMin if at + 1 == of.columns.len() => {
            let raw = format!("raw value, {}", clean(&plain_unit(&of.unit, &of.base)));
            vec![value, notes, Column::new(&raw, Align::Right).first()]
        }
        CellView::Ratio if at > 0 => vec![value, Column::new("verdict", Align::Left)],
        _ => vec![value, notes],
    }
}

fn line(of: &Table, row: &Row, view: CellView, notes: &mut Footnotes) -> Vec<table::Cell> {
    let mut cells = vec![table::Cell::words(words::label(&row.labels))];
    if view == CellView::Ratio {
        let each = row.cells.iter().enumerate();
        let base = row.cells.first().and_then(Option::as_ref);
        cells.extend(each.flat_map(|(at, cell)| ratio(at, [base, cell.as_ref()], of, notes)));
        return cells;
    }
    let values: Vec<Option<f64>> =
        row.cells.iter().map(|cell| Some(cell.as_ref()?.centre.value)).collect();
    let (shares, raw) = shares(&values, view, &of.base);
    let noted = shares.into_iter().zip(&row.cells);
    cells.extend(noted.flat_map(|(share, cell)| [share, notes.of(cell.as_ref())]));
    cells.push(raw);
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

/// The ratio that the verdict is about, which is that of the centres only where values do not scatter; of what is not
/// tested, that of the centres.
fn ratio(
    at: usize,
    [base, cell]: [Option<&Cell>; 2],
    of: &Table,
    notes: &mut Footnotes,
) -> Vec<table::Cell> {
    let of_centres = |cell: &Cell| {
        let base = base?.centre.value;
        (base != 0.0).then(|| cell.centre.value / base)
    };
    let of_base = |cell: &Cell| match &cell.comparison {
        Some(_) => Some(assessment(cell)?.evidence.ratio?.value),
        None => of_centres(cell),
    };
    let ratio = if at == 0 { cell.map(|_| 1.0) } else { cell.and_then(of_base) };
    let text = ratio.map(|ratio| fixed(ratio, 3));
    let said = match cell.and_then(assessment) {
        Some(it) => {
            let marks = notes.marks(of_cell(cell)).text;
            let text = format!("{} {marks}", verdict_word(it, &of.base));
            table::Cell::verdict(text.trim_end(), it.decision.verdict)
        }
        None => notes.of(cell),
    };
    vec![table::Cell::words_or_absent(text), said]
}

/// The last row, if there is one.
fn summaries(of: &Table, contents: Contents, notes: &mut Footnotes) -> Option<Vec<table::Cell>> {
    let what = contents.summary;
    let mut cells = vec![notes.marked(words::summary(what)?, words::left_out(of, what))];
    let totals: Vec<Option<f64>> = of.summaries.iter().map(|summary| summary.total).collect();
    match (contents.cells, what) {
        (CellView::Ratio, _) => {
            let ratio = |at: usize| match at {
                0 => Some(1.0),
                _ => words::summary_change(of, what, at).0,
            };
            let shown = |at: usize| table::Cell::words_or_absent(ratio(at).map(|it| fixed(it, 3)));
            cells.extend((0..of.columns.len()).flat_map(|at| [shown(at), nothing()]));
        }
        (view, SummaryRow::Total) => {
            let (shares, raw) = shares(&totals, view, &of.base);
            cells.extend(shares.into_iter().flat_map(|share| [share, nothing()]));
            cells.push(raw);
        }
        (view, _) => {
            let means = (0..of.columns.len()).map(|at| percent(mean_share(of, at, view)));
            cells.extend(means.flat_map(|mean| [mean, nothing()]));
            cells.push(nothing());
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
