//! A table as its author wants it: rows and columns that were declared, whether they have values or not; shares, ratios or
//! values; labels, raw values, who is best, and what has to be said below it.
//!
//! Owns how such a table looks. Refuses to leave out anything that was declared: a cell without a value says why.

use std::collections::BTreeMap;

use etalon_core::model::Kind;
use etalon_core::stats::{geometric_mean, signed_rank_needed};
use etalon_core::tables::{Cell, Centre, Labels, Note, Row, Table, Tables};

use super::words;
use super::{CellView, SummaryRow};
use crate::document::{self, Document, Part};
use crate::number::{counted, fixed};
use crate::table::{self, Align, Column};
use crate::text::clean;
use crate::tidied::{plain, plain_number, plain_unit};
use crate::view::{NARROWEST, View};
use crate::words::verdict_word;

/// What a table is to look like.
#[derive(Debug, Clone, PartialEq)]
pub struct Presentation {
    /// What stands above it; empty for nothing.
    pub title: String,
    /// The rows that were declared, by their labels.
    pub rows: Vec<Labels>,
    /// The columns that were declared, by their labels.
    pub columns: Vec<Labels>,
    /// Columns of words beside the rows' names: a heading, and a text for each row.
    pub labels: Vec<(String, Vec<String>)>,
    /// What cells show.
    pub view: CellView,
    /// What stands for several readings.
    pub centre: Centre,
    /// The row below all others.
    pub summary: SummaryRow,
    /// The heading of a column with the value that is 100 %, or the base.
    pub raw: Option<String>,
    /// Decimals of percents and ratios.
    pub digits: Option<u8>,
    /// Whether a column says who is best.
    pub fastest: bool,
    /// Whether cells have letters.
    pub letters: bool,
    /// Whether cells have intervals.
    pub intervals: bool,
    /// Why declared places have no value: by row and column.
    pub absent: BTreeMap<(usize, usize), String>,
    /// Sentences below it.
    pub below: Vec<String>,
}

/// For a terminal.
#[must_use]
pub fn terminal(tables: &Tables, wanted: &Presentation, view: View) -> Vec<String> {
    let view = View { width: view.width.max(NARROWEST), ..view };
    document::terminal(&document(tables, wanted), view)
}

/// As GitHub reads it.
#[must_use]
pub fn markdown(tables: &Tables, wanted: &Presentation) -> String {
    let parts = document::markdown(&document(tables, wanted));
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end_matches('\n')).collect();
    parts.join("\n\n")
}

fn document(tables: &Tables, wanted: &Presentation) -> Document {
    let mut parts = Vec::new();
    let mut notes = Vec::new();
    for of in &tables.tables {
        let page = Page::of(of, wanted);
        let keys = words::named(&tables.table_keys, &of.labels);
        let title = match (wanted.title.is_empty(), keys.is_empty()) {
            (false, true) => wanted.title.clone(),
            (false, false) => format!("{} ({keys})", wanted.title),
            (true, _) => words::title(tables, of),
        };
        parts.push(Part::Tables(vec![table::Table { title, ..page.table() }]));
        for note in page.notes() {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes.extend(wanted.below.iter().cloned());
    if !notes.is_empty() {
        parts.push(Part::Notes(notes));
    }
    Document { parts }
}

/// A table with what was declared: cells by their places among the declared rows and columns.
struct Page<'a> {
    of: &'a Table,
    wanted: &'a Presentation,
    /// By declared row and column.
    cells: Vec<Vec<Option<&'a Cell>>>,
    /// The rows that have values.
    rows: Vec<Option<&'a Row>>,
    /// By column of the table, its place among the declared.
    places: Vec<Option<usize>>,
}

impl<'a> Page<'a> {
    fn of(of: &'a Table, wanted: &'a Presentation) -> Page<'a> {
        let place = |labels: &Labels| wanted.columns.iter().position(|known| known == labels);
        let places: Vec<Option<usize>> = of.columns.iter().map(place).collect();
        let rows: Vec<Option<&Row>> = wanted
            .rows
            .iter()
            .map(|labels| of.rows.iter().find(|row| row.labels == *labels))
            .collect();
        let cells = rows.iter().map(|row| {
            let mut cells = vec![None; wanted.columns.len()];
            for (cell, place) in row.iter().flat_map(|row| &row.cells).zip(&places) {
                if let Some(place) = *place {
                    cells[place] = cell.as_ref();
                }
            }
            cells
        });
        let cells = cells.collect();
        Page { of, wanted, cells, rows, places }
    }

    fn table(&self) -> table::Table {
        let mut columns = vec![Column::new("", Align::Left)];
        columns.extend(self.wanted.labels.iter().map(|(title, _)| Column::new(title, Align::Left)));
        for labels in &self.wanted.columns {
            columns.push(Column::new(&words::label(labels), Align::Right).first());
        }
        if let Some(heading) = &self.wanted.raw {
            let unit = clean(&plain_unit(&self.of.unit, &self.of.base));
            let unit = unit.rsplit('-').next().unwrap_or(&unit).trim_end_matches("/op");
            columns.push(Column::new(&format!("{heading}, {unit}"), Align::Right).first());
        }
        if self.wanted.fastest {
            columns.push(Column::new("best", Align::Left));
        }
        let mut rows: Vec<Vec<table::Cell>> = (0..self.wanted.rows.len())
            .filter(|row| self.is_shown(*row))
            .map(|row| self.row(row))
            .collect();
        if rows.len() > 1 {
            rows.extend(self.summary());
        }
        table::Table { columns, rows, ..table::Table::default() }
    }

    /// A declared row of which nothing at all is known is of another table.
    fn is_shown(&self, row: usize) -> bool {
        self.rows[row].is_some() || self.wanted.absent.keys().any(|(at, _)| *at == row)
    }

    fn row(&self, row: usize) -> Vec<table::Cell> {
        let mut cells = vec![table::Cell::words(words::label(&self.wanted.rows[row]))];
        let labels = self.wanted.labels.iter();
        cells.extend(labels.map(|(_, texts)| table::Cell::words(clean(&texts[row]))));
        let whole = self.whole(row);
        for column in 0..self.wanted.columns.len() {
            cells.push(self.cell(row, column, whole));
        }
        if self.wanted.raw.is_some() {
            let raw = whole.map(|whole| plain_number(whole, &self.of.base));
            cells.push(table::Cell::words_or_absent(raw));
        }
        if self.wanted.fastest {
            cells.push(table::Cell::words(self.best(row)));
        }
        cells
    }

    /// What stands for a cell's readings.
    fn value(&self, row: usize, column: usize) -> Option<f64> {
        Some(self.cells[row][column]?.at(self.wanted.centre).value)
    }

    /// The value that shares and ratios of a row are of; the largest where cells show values.
    fn whole(&self, row: usize) -> Option<f64> {
        let values = || (0..self.wanted.columns.len()).filter_map(|at| self.value(row, at));
        match self.wanted.view {
            CellView::OfMin => values().min_by(f64::total_cmp),
            CellView::Ratio => self.value(row, 0),
            _ => values().max_by(f64::total_cmp),
        }
    }

    fn share(&self, row: usize, column: usize) -> Option<f64> {
        let whole = self.whole(row).filter(|whole| *whole > 0.0)?;
        Some(self.value(row, column)? / whole)
    }

    fn cell(&self, row: usize, column: usize, whole: Option<f64>) -> table::Cell {
        let Some(cell) = self.cells[row][column] else {
            let why = self.wanted.absent.get(&(row, column));
            return table::Cell::words(why.cloned().unwrap_or_else(|| table::ABSENT.to_owned()));
        };
        let estimate = cell.at(self.wanted.centre);
        let text = match self.wanted.view {
            CellView::Delta | CellView::Mean | CellView::Plain => {
                let text = plain(estimate, &self.of.base);
                let verdict = self.verdict(cell);
                if verdict.is_empty() { text } else { format!("{text} {verdict}") }
            }
            view => {
                let share = whole.filter(|whole| *whole > 0.0).map(|whole| estimate.value / whole);
                let reach = estimate.relative_half_width().filter(|_| self.wanted.intervals);
                share.map_or_else(
                    || table::ABSENT.to_owned(),
                    |share| self.shown(share, reach, view),
                )
            }
        };
        let letters = self.letters(row, column).filter(|_| self.wanted.letters);
        table::Cell::words(letters.map_or(text.clone(), |letters| format!("{text} {letters}")))
    }

    /// The word of a comparison with the first column, where cells show values.
    fn verdict(&self, cell: &Cell) -> &'static str {
        let assessment = cell.comparison.as_ref().and_then(|it| it.assessment.as_deref());
        let assessment = assessment.filter(|_| self.wanted.view == CellView::Delta);
        assessment.map_or("", |it| verdict_word(it, &self.of.base))
    }

    /// A share, or a ratio, and how far its interval reaches.
    fn shown(&self, share: f64, reach: Option<f64>, view: CellView) -> String {
        let (factor, digits, unit) = match view {
            CellView::Ratio => (1.0, 3, ""),
            _ => (100.0, 0, " %"),
        };
        let digits = self.wanted.digits.map_or(digits, usize::from);
        let reach = reach.map_or_else(String::new, |reach| {
            format!(" ± {}", fixed(share * reach * factor, digits.max(1)))
        });
        format!("{}{reach}{unit}", fixed(share * factor, digits))
    }

    fn letters(&self, row: usize, column: usize) -> Option<&str> {
        let at = self.places.iter().position(|place| *place == Some(column))?;
        let letters = &self.rows[row]?.ranks.as_ref()?.letters;
        letters.get(at).map(String::as_str).filter(|letters| !letters.is_empty())
    }

    /// Who is best in a row, and who cannot be told from it.
    fn best(&self, row: usize) -> String {
        let Some(ranks) = self.rows[row].and_then(|row| row.ranks.as_ref()) else {
            return String::new();
        };
        let name = |at: &usize| words::label(&self.of.columns[*at]);
        let Some(best) = ranks.best else { return String::new() };
        let list = |of: &[usize]| of.iter().map(name).collect::<Vec<_>>().join(", ");
        let mut text = name(&best);
        if !ranks.same.is_empty() {
            text.push_str(&format!(", same: {}", list(&ranks.same)));
        }
        if !ranks.unclear.is_empty() {
            text.push_str(&format!(", unclear: {}", list(&ranks.unclear)));
        }
        text
    }

    /// The columns that have a value in some row: the others have no mean, and no row needs them.
    fn there(&self) -> Vec<usize> {
        let has = |column: &usize| self.cells.iter().any(|row| row[*column].is_some());
        (0..self.wanted.columns.len()).filter(has).collect()
    }

    /// The rows that every column has which is there at all: means are over the same rows.
    fn complete(&self) -> Vec<usize> {
        let there = self.there();
        let is_whole = |row: &usize| {
            there.iter().all(|column| self.value(*row, *column).is_some_and(|value| value > 0.0))
        };
        (0..self.wanted.rows.len()).filter(|row| self.is_shown(*row)).filter(is_whole).collect()
    }

    fn summary(&self) -> Option<Vec<table::Cell>> {
        let name = match self.wanted.summary {
            SummaryRow::GeometricMean => "geo. mean",
            SummaryRow::Total => "total",
            SummaryRow::None => return None,
        };
        let (rows, there) = (self.complete(), self.there());
        let mut cells = vec![table::Cell::words(name)];
        cells.extend(self.wanted.labels.iter().map(|_| table::Cell::words("")));
        let shows_values =
            matches!(self.wanted.view, CellView::Delta | CellView::Mean | CellView::Plain);
        let summed = |column: usize| -> Option<f64> {
            let values: Option<Vec<f64>> = rows
                .iter()
                .map(|row| match self.wanted.summary {
                    SummaryRow::GeometricMean if !shows_values => self.share(*row, column),
                    _ => self.value(*row, column),
                })
                .collect();
            match self.wanted.summary {
                SummaryRow::GeometricMean => geometric_mean(&values?),
                _ => Some(values?.iter().sum()),
            }
        };
        let totals: Vec<Option<f64>> = (0..self.wanted.columns.len())
            .map(|column| summed(column).filter(|_| there.contains(&column) && !rows.is_empty()))
            .collect();
        let largest = totals.iter().flatten().copied().max_by(f64::total_cmp);
        let text = |total: f64| match (self.wanted.summary, shows_values) {
            (_, true) => plain_number(total, &self.of.base),
            (SummaryRow::Total, false) => {
                self.shown(total / largest.unwrap_or(total), None, self.wanted.view)
            }
            (_, false) => self.shown(total, None, self.wanted.view),
        };
        cells.extend(totals.iter().map(|total| table::Cell::words_or_absent(total.map(text))));
        if self.wanted.raw.is_some() {
            let total = largest.filter(|_| self.wanted.summary == SummaryRow::Total);
            let text = total.map_or_else(String::new, |total| plain_number(total, &self.of.base));
            cells.push(table::Cell::words(text));
        }
        if self.wanted.fastest {
            cells.push(table::Cell::words(""));
        }
        Some(cells)
    }

    /// What has to be said of it.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        notes.extend(self.ranking());
        notes.extend(self.too_few());
        let shown = (0..self.wanted.rows.len()).filter(|row| self.is_shown(*row)).count();
        let left_out = shown - self.complete().len();
        if left_out > 0 && shown > 1 && self.wanted.summary != SummaryRow::None {
            notes.push(format!(
                "the {} leaves out {} that a column lacks",
                words::summary(self.wanted.summary).unwrap_or("mean"),
                counted(left_out, "row", "rows")
            ));
        }
        notes.extend(self.missing());
        for cell in self.cells.iter().flatten().flatten() {
            let changes = |note: &&Note| matches!(note, Note::Varies(_) | Note::NotExact { .. });
            for note in cell.notes.iter().filter(changes).map(crate::words::cell_note) {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        notes
    }

    /// How it is decided who is best in a row.
    fn ranking(&self) -> Option<String> {
        let Presentation { fastest, letters, centre, .. } = *self.wanted;
        let centre = match centre {
            Centre::Median => "median",
            Centre::Mean => "mean",
        };
        let decided = "all pairs of a row, compared within blocks and corrected together (Holm)";
        match (fastest, letters) {
            (true, true) => {
                Some(format!("best: the best {centre}; same, unclear and letters: {decided}"))
            }
            (true, false) => Some(format!("best: the best {centre}; same and unclear: {decided}")),
            (false, true) => {
                Some(format!("letters: {decided}; those that share one are not told apart"))
            }
            (false, false) => None,
        }
    }

    /// That no verdict is possible with so few blocks: of all pairs of a row, corrected together.
    #[allow(clippy::cast_precision_loss)] // some dozens
    fn too_few(&self) -> Option<String> {
        let compared = self.there().len();
        let pairs = compared * compared.saturating_sub(1) / 2;
        let most = self.cells.iter().flatten().flatten().map(|cell| cell.n).max()?;
        let needed = signed_rank_needed(self.of.criteria.alpha / pairs.max(1) as f64);
        let is_tested = self.of.kind == Kind::Noisy && compared > 1;
        (is_tested && most < needed).then(|| {
            format!(
                "{} a cell: no verdict on who is best in a row is possible, which takes {needed}",
                counted(most, "measure", "measures")
            )
        })
    }

    /// Cells without a value, by why.
    fn missing(&self) -> Vec<String> {
        let mut by_why: BTreeMap<&str, usize> = BTreeMap::new();
        for why in self.wanted.absent.values() {
            *by_why.entry(why).or_default() += 1;
        }
        let line = |(why, count): (&str, usize)| {
            format!("{} {why}: in no mean", counted(count, "cell", "cells"))
        };
        by_why.into_iter().map(line).collect()
    }
}
