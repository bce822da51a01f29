//! The cells of a presented table: by the rows and columns that it is to have.

use std::collections::HashMap;

use etalon_core::notes::{CellNote, NoteKind};
use etalon_core::tables::{Cell, Labels, Row, Table};
use etalon_core::units::Base;
use etalon_core::verdict::Assessment;

use super::super::footnotes::Footnotes;
use super::super::rows::{assessment, cell_notes};
use super::super::words::{self, Columns};
use super::super::{CellView, rest};
use super::{Declared, Presentation};
use crate::number::fixed;
use crate::table::{self, ABSENT, Align, Column};
use crate::text::clean;
use crate::tidied::{plain, plain_number, plain_unit};
use crate::view::Detail;
use crate::words::{cell_note, verdict_word, why};

/// Names that a cell of a screen has room for, beside that of who is best.
const LISTED: usize = 2;

/// A table with what it is to show.
pub(super) struct Page<'a> {
    pub(super) of: &'a Table,
    pub(super) wanted: &'a Presentation<'a>,
    /// All rows, shown or not: a summary is of them.
    pub(super) rows: Vec<Line<'a>>,
    /// The columns, each with its place in the table if it has values.
    pub(super) columns: Vec<(&'a Labels, Option<usize>)>,
    /// Which rows are shown, in which order.
    shown: Vec<usize>,
}

/// A row, and its values if it has any.
pub(super) struct Line<'a> {
    pub(super) labels: &'a Labels,
    row: Option<&'a Row>,
    /// Its place among those that were declared.
    declared: Option<usize>,
}

/// A cell's share or ratio within its row, and how far its interval reaches, as a share of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relative {
    pub(super) value: f64,
    reach: Option<f64>,
}

impl<'a> Page<'a> {
    pub(super) fn new(of: &'a Table, shown: &Table, wanted: &'a Presentation<'a>) -> Page<'a> {
        let by_labels: HashMap<&Labels, &'a Row> =
            of.rows.iter().map(|row| (&row.labels, row)).collect();
        let (rows, columns) = match &wanted.declared {
            None => {
                let line =
                    |row: &'a Row| Line { labels: &row.labels, row: Some(row), declared: None };
                let columns = of.columns.iter().enumerate().map(|(at, labels)| (labels, Some(at)));
                (of.rows.iter().map(line).collect(), columns.collect())
            }
            Some(declared) => {
                let place = |labels: &Labels| of.columns.iter().position(|column| column == labels);
                let columns = declared.columns.iter().map(|labels| (labels, place(labels)));
                (lines(declared, &by_labels), columns.collect())
            }
        };
        let at: HashMap<&Labels, usize> =
            rows.iter().enumerate().map(|(at, line): (_, &Line<'_>)| (line.labels, at)).collect();
        let shown = match &wanted.declared {
            None => shown.rows.iter().filter_map(|row| at.get(&row.labels).copied()).collect(),
            Some(_) => {
                let is_shown = |line: &Line<'_>| {
                    wanted.only.as_ref().is_none_or(|only| only.contains(line.labels))
                };
                (0..rows.len()).filter(|at| is_shown(&rows[*at])).collect()
            }
        };
        Page { of, wanted, rows, columns, shown }
    }

    pub(super) fn table(&self, names: &Columns, footnotes: &mut Footnotes) -> table::Table {
        let mut columns = vec![Column::new("", Align::Left)];
        let labels = self.wanted.declared.iter().flat_map(|declared| &declared.labels);
        columns.extend(labels.map(|(title, _)| Column::new(title, Align::Left)));
        // Columns may stand in another order than that in which they were compared.
        let verdict = match (self.columns.first(), self.of.columns.first()) {
            (Some((first, _)), Some(base)) if *first != base => {
                format!("against {}", names.label(base))
            }
            _ => "verdict".to_owned(),
        };
        for (at, (labels, place)) in self.columns.iter().enumerate() {
            let summary = place.map(|at| &self.of.summaries[at]);
            let heading = footnotes.labelled(&names.label(labels), summary).text;
            // A single column of all rows has no name.
            columns.push(Column { said: "value", ..Column::new(&heading, Align::Right).first() });
            let is_judged = self.shown.iter().any(|row| self.judged(*row, at).is_some());
            columns.push(match is_judged {
                true => Column::new(&verdict, Align::Left),
                false => Column::untitled("notes", Align::Left),
            });
        }
        if let Some(heading) = self.wanted.look.raw {
            let unit = clean(&plain_unit(&self.of.unit, &self.of.base));
            let unit = unit.rsplit('-').next().unwrap_or(&unit).trim_end_matches("/op");
            columns.push(Column::new(&format!("{heading}, {unit}"), Align::Right).first());
        }
        if self.wanted.look.fastest {
            columns.push(Column::new("best", Align::Left));
        }
        let mut rows: Vec<Vec<table::Cell>> =
            self.shown.iter().map(|row| self.row(*row, names, footnotes)).collect();
        if self.rows.len() > 1 && !rows.is_empty() {
            rows.extend(self.summary(footnotes));
        }
        table::Table { columns, rows, ..table::Table::default() }.without_empty_columns()
    }

    fn row(&self, row: usize, names: &Columns, footnotes: &mut Footnotes) -> Vec<table::Cell> {
        let line = &self.rows[row];
        let mut cells = vec![table::Cell::words(words::label(line.labels))];
        if let Some((declared, at)) = self.wanted.declared.as_ref().zip(line.declared) {
            let labels = declared.labels.iter();
            cells.extend(labels.map(|(_, texts)| table::Cell::words(clean(&texts[at]))));
        }
        for column in 0..self.columns.len() {
            cells.push(table::Cell::words(self.text(row, column)));
            cells.push(self.said(row, column, footnotes));
        }
        if self.wanted.look.raw.is_some() {
            let raw = self.whole(row).map(|whole| plain_number(whole, &self.of.base));
            cells.push(table::Cell::words_or_absent(raw));
        }
        if self.wanted.look.fastest {
            cells.push(table::Cell::words(self.best(row, names)));
        }
        cells
    }

    pub(super) fn cell(&self, row: usize, column: usize) -> Option<&'a Cell> {
        self.rows[row].row?.cells[self.columns[column].1?].as_ref()
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = &'a Cell> + '_ {
        let columns = 0..self.columns.len();
        let each =
            (0..self.rows.len()).flat_map(move |row| columns.clone().map(move |at| (row, at)));
        each.filter_map(|(row, column)| self.cell(row, column))
    }

    /// The value that stands for a cell's readings.
    pub(super) fn value(&self, row: usize, column: usize) -> Option<f64> {
        Some(self.cell(row, column)?.at(self.wanted.look.centre()).value)
    }

    /// Whether cells show values, and not what they are relative to others.
    pub(super) fn shows_values(&self) -> bool {
        matches!(self.wanted.view, CellView::Delta | CellView::Mean | CellView::Plain)
    }

    /// The unit of values under a title of the author's that does not name it.
    pub(super) fn unsaid_unit(&self) -> String {
        let (symbol, words) = match self.of.base {
            Base::Seconds => ("ns", &["ns"][..]),
            Base::Bytes => ("B", &["B", "bytes"][..]),
            Base::Count | Base::Other(_) => return String::new(),
        };
        let title = self.wanted.look.title.filter(|_| self.shows_values());
        let is_said =
            |title: &str| title.split(|c: char| !c.is_alphanumeric()).any(|it| words.contains(&it));
        match title {
            Some(title) if !is_said(title) => format!(", {symbol}"),
            _ => String::new(),
        }
    }

    /// Of some values by column the one that shares and ratios are of; the largest where cells show values.
    pub(super) fn whole_of(&self, values: &[Option<f64>]) -> Option<f64> {
        let there = values.iter().flatten().copied();
        match self.wanted.view {
            CellView::OfMin => there.min_by(f64::total_cmp),
            CellView::Ratio => values.first().copied().flatten(),
            _ => there.max_by(f64::total_cmp),
        }
    }

    fn whole(&self, row: usize) -> Option<f64> {
        let values = (0..self.columns.len()).map(|column| self.value(row, column));
        self.whole_of(&values.collect::<Vec<_>>())
    }

    /// A cell relative to its row: by default a ratio is the one that the verdict is about, which is that of
    /// the centres only where values do not scatter; of what is not tested, that of the centres.
    pub(super) fn relative(&self, row: usize, column: usize) -> Option<Relative> {
        let cell = self.cell(row, column)?;
        let is_compared = self.wanted.view == CellView::Ratio && self.wanted.look.centre.is_none();
        if is_compared && cell.comparison.is_some() {
            let ratio = assessment(cell)?.evidence.shown().ratio?;
            return Some(Relative { value: ratio.value, reach: ratio.relative_half_width() });
        }
        let whole = self.whole(row).filter(|whole| *whole != 0.0)?;
        let estimate = cell.at(self.wanted.look.centre());
        Some(Relative { value: estimate.value / whole, reach: estimate.relative_half_width() })
    }

    /// A cell's value or share, with its letters; of one without, why.
    pub(super) fn text(&self, row: usize, column: usize) -> String {
        let Some(cell) = self.cell(row, column) else {
            return self.why_absent(row, column).unwrap_or(ABSENT).to_owned();
        };
        let text = if self.shows_values() {
            Some(plain(cell.at(self.wanted.look.centre()), &self.of.base))
        } else {
            self.relative(row, column).map(|relative| {
                let reach = relative.reach.filter(|_| self.wanted.detail == Detail::Full);
                self.shown(relative.value, reach)
            })
        };
        let text = text.unwrap_or_else(|| ABSENT.to_owned());
        match self.letters(row, column).filter(|_| self.wanted.look.letters) {
            Some(letters) => format!("{text} {letters}"),
            None => text,
        }
    }

    fn why_absent(&self, row: usize, column: usize) -> Option<&str> {
        let at = self.rows[row].declared?;
        self.wanted.declared.as_ref()?.absent.get(&(at, column)).map(String::as_str)
    }

    /// A share, or a ratio, and how far its interval reaches.
    pub(super) fn shown(&self, share: f64, reach: Option<f64>) -> String {
        let (factor, digits, unit) = match self.wanted.view {
            CellView::Ratio => (1.0, 3, ""),
            _ => (100.0, 0, " %"),
        };
        let digits = self.wanted.look.digits.map_or(digits, usize::from);
        let reach = reach.map_or_else(String::new, |reach| {
            format!(" ± {}", fixed(share * reach * factor, digits.max(1)))
        });
        format!("{}{reach}{unit}", fixed(share * factor, digits))
    }

    /// The word of a cell's comparison, and the marks of what has to be said.
    fn said(&self, row: usize, column: usize, footnotes: &mut Footnotes) -> table::Cell {
        let Some(cell) = self.cell(row, column) else { return table::Cell::words("") };
        let assessment = self.judged(row, column);
        let said = match (self.wanted.detail, assessment) {
            (Detail::Full, Some(_)) => cell_notes(Some(cell)),
            (Detail::Full, None) => words::said(Some(cell)),
            (Detail::Screen, _) => {
                let told = changing(cell).map(cell_note);
                told.chain(assessment.and_then(why)).collect()
            }
        };
        let marks = footnotes.marks(said).text;
        match assessment {
            Some(it) => {
                let text = format!("{} {marks}", verdict_word(it, &self.of.base));
                table::Cell::verdict(text.trim_end(), it.decision.verdict)
            }
            None => table::Cell::words(marks),
        }
    }

    /// A cell's assessment against the first column, where the table shows it.
    fn judged(&self, row: usize, column: usize) -> Option<&'a Assessment> {
        let has_verdict = match self.wanted.view {
            CellView::Delta => true,
            CellView::Ratio => self.wanted.verdicts,
            _ => false,
        };
        assessment(self.cell(row, column)?).filter(|_| has_verdict)
    }

    fn letters(&self, row: usize, column: usize) -> Option<&str> {
        let letters = &self.rows[row].row?.ranks.as_ref()?.letters;
        letters.get(self.columns[column].1?).map(String::as_str).filter(|it| !it.is_empty())
    }

    /// Who is best in a row, and who cannot be told from it.
    fn best(&self, row: usize, names: &Columns) -> String {
        let Some(ranks) = self.rows[row].row.and_then(|row| row.ranks.as_ref()) else {
            return String::new();
        };
        let name = |at: &usize| names.label(&self.of.columns[*at]);
        let Some(best) = ranks.best else { return String::new() };
        let list = |of: &[usize]| match self.wanted.brief && of.len() > LISTED {
            true => format!("{} others", of.len()),
            false => of.iter().map(name).collect::<Vec<_>>().join(", "),
        };
        let mut text = name(&best);
        if !ranks.same.is_empty() {
            text.push_str(&format!(", same: {}", list(&ranks.same)));
        }
        if !ranks.unclear.is_empty() {
            text.push_str(&format!(", unclear: {}", list(&ranks.unclear)));
        }
        text
    }
}

/// The rows that were declared; one of which nothing at all is known is of another table.
fn lines<'a>(declared: &'a Declared, rows: &HashMap<&Labels, &'a Row>) -> Vec<Line<'a>> {
    let is_told = |row: usize| declared.absent.range((row, 0)..=(row, usize::MAX)).next().is_some();
    let line = |(at, labels): (usize, &'a Labels)| {
        let row = rows.get(labels).copied();
        (row.is_some() || is_told(at)).then_some(Line { labels, row, declared: Some(at) })
    };
    declared.rows.iter().enumerate().filter_map(line).collect()
}

/// Notes that change how a cell is read.
fn changing(cell: &Cell) -> impl Iterator<Item = &NoteKind> {
    let cell_notes = cell.notes.iter();
    let cell_notes = cell_notes.filter(|note| {
        use CellNote::{BelowLoop, NotExact, OptimisedAway, Varies};
        let told =
            matches!(note, NoteKind::Cell(Varies(_) | NotExact { .. } | OptimisedAway | BelowLoop));
        told || rest::is_copies(note)
    });
    let of_comparison = cell.comparison.iter().flat_map(|comparison| &comparison.notes);
    cell_notes.chain(of_comparison.filter(|note| rest::changes_the_reading(note)))
}
