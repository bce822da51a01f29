//! One table of a comparison as a table for reading: columns of centres, changes and verdicts.
//!
//! Owns which columns a view has, and the numbers of footnotes, which are counted over all tables.

use etalon_core::tables::{Cell, ColumnSummary, Row, Table, Tables};

use super::scale::{self, Scale, centred};
use super::{CellView, words};
use crate::number::{fixed, p_value};
use crate::table::{self, Align, CellKind, Column};

/// Footnotes, each once.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    pub texts: Vec<String>,
}

impl Footnotes {
    /// The mark of a remark.
    fn mark(&mut self, text: String) -> String {
        let at = self.texts.iter().position(|known| *known == text).unwrap_or_else(|| {
            self.texts.push(text);
            self.texts.len() - 1
        });
        format!("[{}]", at + 1)
    }

    fn marks(&mut self, texts: impl IntoIterator<Item = String>) -> table::Cell {
        let marks: Vec<String> = texts.into_iter().map(|text| self.mark(text)).collect();
        table::Cell::words(marks.join(" "))
    }
}

/// A table of one unit.
pub(super) fn grid(
    tables: &Tables,
    of: &Table,
    view: CellView,
    notes: &mut Footnotes,
) -> table::Table {
    let mut columns = vec![Column::new("", Align::Left)];
    for (at, labels) in of.columns.iter().enumerate() {
        columns.extend(headings(at, &words::label(labels), of, view));
    }
    let mut rows: Vec<Vec<table::Cell>> =
        of.rows.iter().map(|row| line(of, row, view, notes)).collect();
    let compared = of.columns.len() > 1 && matches!(view, CellView::Delta | CellView::Ratio);
    let summary =
        view != CellView::Plain && (of.rows.len() > 1 || (of.rows.is_empty() && compared));
    if summary {
        rows.push(summaries(of, view, notes));
    }
    let mut result =
        table::Table { title: title(tables, of, view), columns, rows, ..table::Table::default() };
    drop_empty(&mut result);
    result
}

fn title(tables: &Tables, of: &Table, view: CellView) -> String {
    let unit = match view {
        CellView::Plain => scale::plain_unit(&of.unit),
        _ => of.unit.clone(),
    };
    let keys = words::named(&tables.table_keys, &of.labels);
    let unit = crate::text::clean(&unit);
    if keys.is_empty() { unit } else { format!("{unit} ({keys})") }
}

/// The columns of the layout that a column of the table takes.
fn headings(at: usize, label: &str, of: &Table, view: CellView) -> Vec<Column> {
    let centre = match view {
        CellView::Delta => Column::new(label, Align::Point),
        CellView::Plain => Column::new(label, Align::Right),
        CellView::OfMax | CellView::OfMin | CellView::Ratio => {
            Column::new(label, if view == CellView::Ratio { Align::Point } else { Align::Right })
        }
    }
    .first();
    let notes = Column::new("", Align::Left);
    let compared = |titles: [&str; 3]| titles.map(|title| Column::new(title, Align::Left));
    match view {
        CellView::Delta if at > 0 => {
            let [mut change, mut p, verdict] = compared(["vs base", "p", "verdict"]);
            (change.align, p.align) = (Align::Point, Align::Point);
            vec![centre, change, p, verdict, notes]
        }
        CellView::Delta | CellView::Plain => vec![centre, notes],
        CellView::Ratio if at > 0 => vec![centre, compared(["", "", "verdict"])[2].clone(), notes],
        CellView::OfMax | CellView::OfMin if at + 1 == of.columns.len() => {
            vec![centre, Column::new("raw value", Align::Right).first()]
        }
        CellView::OfMax | CellView::OfMin | CellView::Ratio => vec![centre],
    }
}

fn line(of: &Table, row: &Row, view: CellView, notes: &mut Footnotes) -> Vec<table::Cell> {
    let mut cells = vec![table::Cell::words(words::label(&row.labels))];
    let scale = Scale::of_row(row, &of.unit);
    let whole = extreme(row, view);
    for (at, cell) in row.cells.iter().enumerate() {
        cells.extend(match view {
            CellView::Delta => delta(at, cell.as_ref(), &scale, notes),
            CellView::Plain => {
                let text = cell.as_ref().map(|cell| scale::plain(&cell.centre, &of.unit));
                vec![table::Cell::words_or_absent(text), marks(cell.as_ref(), notes)]
            }
            CellView::Ratio => ratio(at, cell.as_ref(), row, notes),
            CellView::OfMax | CellView::OfMin => {
                let share = cell.as_ref().zip(whole).filter(|(_, whole)| *whole != 0.0);
                let percent =
                    share.map(|(cell, whole)| fixed(cell.centre.value / whole * 100.0, 0));
                vec![table::Cell::words_or_absent(percent)]
            }
        });
    }
    if matches!(view, CellView::OfMax | CellView::OfMin) {
        cells.push(table::Cell::words_or_absent(whole.map(|whole| raw(whole, &of.unit))));
    }
    cells
}

fn raw(value: f64, unit: &str) -> String {
    let base = scale::base(unit);
    let number = if base == etalon_core::units::Base::Seconds { value * 1e9 } else { value };
    if number.abs() >= 100.0 {
        format!("{number:.0}")
    } else {
        format!("{}", (number * 1e4).round() / 1e4)
    }
}

/// The value that is 100 %.
fn extreme(row: &Row, view: CellView) -> Option<f64> {
    let values = row.cells.iter().flatten().map(|cell| cell.centre.value);
    match view {
        CellView::OfMin => values.min_by(f64::total_cmp),
        _ => values.max_by(f64::total_cmp),
    }
}

fn marks(cell: Option<&Cell>, notes: &mut Footnotes) -> table::Cell {
    notes.marks(cell.iter().flat_map(|cell| &cell.notes).map(words::note))
}

/// Centre, change, p, verdict and footnotes; of the base, centre and footnotes.
fn delta(at: usize, cell: Option<&Cell>, scale: &Scale, notes: &mut Footnotes) -> Vec<table::Cell> {
    let centre = table::Cell::words_or_absent(cell.map(|cell| centred(&cell.centre, scale)));
    if at == 0 {
        return vec![centre, marks(cell, notes)];
    }
    let comparison = cell.and_then(|cell| cell.comparison.as_ref());
    let Some((cell, comparison)) = cell.zip(comparison) else {
        let nothing = || table::Cell::words("");
        return vec![centre, nothing(), nothing(), nothing(), marks(cell, notes)];
    };
    let p = comparison.p.map_or("exact".to_owned(), p_value);
    let (change, verdict, why) = match &comparison.judged {
        Some(judged) => {
            let kind = CellKind::Verdict(judged.decision.verdict);
            let word = words::verdict(judged).to_owned();
            let change = judged
                .ratio
                .map_or(table::ABSENT.to_owned(), |r| scale::change(r, judged.interval));
            (change, table::Cell { text: word, kind }, words::reasons(judged))
        }
        None => (String::new(), table::Cell::words(""), None),
    };
    let own = cell.notes.iter().chain(&comparison.notes).map(words::note);
    vec![
        centre,
        table::Cell::words(change),
        table::Cell::words(p),
        verdict,
        notes.marks(own.chain(why).collect::<Vec<_>>()),
    ]
}

fn ratio(at: usize, cell: Option<&Cell>, row: &Row, notes: &mut Footnotes) -> Vec<table::Cell> {
    let base = row.cells[0].as_ref().map(|base| base.centre.value).filter(|base| *base != 0.0);
    let text = cell.zip(base).map(|(cell, base)| fixed(cell.centre.value / base, 3));
    let mut cells = vec![table::Cell::words_or_absent(text)];
    if at > 0 {
        let judged = cell.and_then(|cell| cell.comparison.as_ref()?.judged.as_deref());
        cells.push(match judged {
            Some(judged) => table::Cell {
                text: words::verdict(judged).to_owned(),
                kind: CellKind::Verdict(judged.decision.verdict),
            },
            None => table::Cell::words(""),
        });
        cells.push(notes.marks(judged.and_then(words::reasons)));
    }
    cells
}

/// The last row.
fn summaries(of: &Table, view: CellView, notes: &mut Footnotes) -> Vec<table::Cell> {
    let mut cells = vec![table::Cell::words("geometric mean")];
    for (at, summary) in of.summaries.iter().enumerate() {
        cells.extend(summary_of(at, summary, of, view, notes));
    }
    if matches!(view, CellView::OfMax | CellView::OfMin) {
        cells.push(table::Cell::words(""));
    }
    cells
}

fn summary_of(
    at: usize,
    summary: &ColumnSummary,
    of: &Table,
    view: CellView,
    notes: &mut Footnotes,
) -> Vec<table::Cell> {
    let ColumnSummary { mean, ratio, interval, notes: own } = summary;
    let marks = |notes: &mut Footnotes| notes.marks(own.iter().map(words::note));
    let nothing = || table::Cell::words("");
    match view {
        CellView::Delta => {
            let shown = mean.map(|mean| Scale::of([mean], &of.unit).show(mean));
            let centre = table::Cell::words_or_absent(shown);
            let marks = marks(notes);
            if at == 0 {
                return vec![centre, marks];
            }
            let change = ratio.map(|ratio| scale::change(ratio, *interval));
            vec![centre, table::Cell::words_or_absent(change), nothing(), nothing(), marks]
        }
        CellView::Plain => Vec::new(),
        CellView::Ratio if at == 0 => vec![table::Cell::words(fixed(1.0, 3))],
        CellView::Ratio => {
            let text = ratio.map(|ratio| fixed(ratio, 3));
            vec![table::Cell::words_or_absent(text), nothing(), marks(notes)]
        }
        CellView::OfMax | CellView::OfMin => {
            let shares = of.rows.iter().filter_map(|row| {
                let share = row.cells[at].as_ref()?.centre.value / extreme(row, view)?;
                (share > 0.0 && share.is_finite()).then_some(share)
            });
            let mean = etalon_core::stats::geometric_mean(&shares.collect::<Vec<_>>());
            vec![table::Cell::words_or_absent(mean.map(|mean| fixed(mean * 100.0, 0)))]
        }
    }
}

/// Leaves out columns that have neither a title nor a cell with a text.
fn drop_empty(table: &mut table::Table) {
    let empty = |at: usize| {
        table.columns[at].title.is_empty() && table.rows.iter().all(|row| row[at].text.is_empty())
    };
    let kept: Vec<usize> = (0..table.columns.len()).filter(|at| *at == 0 || !empty(*at)).collect();
    table.columns = kept.iter().map(|at| table.columns[*at].clone()).collect();
    for row in &mut table.rows {
        *row = kept.iter().map(|at| row[*at].clone()).collect();
    }
}
