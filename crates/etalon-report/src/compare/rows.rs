//! Rows of one unit: centres, changes and verdicts.
//!
//! Owns the columns of a screen's table and of the complete one.

use etalon_core::estimate::Estimate;
use etalon_core::tables::{Cell, Row, Table, Tables};
use etalon_core::verdict::{Assessment, Verdict};

use super::footnotes::Footnotes;
use super::words::{self, Columns};
use super::{CellView, Contents};
use crate::figures::Figures;
use crate::number::p_value;
use crate::table::{self, Align, CellKind, Column, INTERVAL};
use crate::text::clean;
use crate::tidied::{self, Change, centred, under_title};
use crate::words::{levels_text, verdict_word, why};

/// A table, and what is shown of it.
pub(super) struct Sheet<'a> {
    pub(super) tables: &'a Tables,
    pub(super) of: &'a Table,
    pub(super) names: &'a Columns,
    pub(super) contents: Contents<'a>,
    /// Its rows before any were left out.
    pub(super) total: usize,
}

impl Sheet<'_> {
    /// The first rows: of two data sets centres, change and verdict; of more the base's centre, and of the others
    /// the change with its verdict.
    pub(super) fn short(&self, height: usize) -> table::Table {
        let several = self.of.columns.len() > 2;
        let mut columns = vec![Column::new("", Align::Left)];
        for (at, labels) in self.of.columns.iter().enumerate() {
            let label = self.names.label(labels);
            match (at, several) {
                (0, _) => columns.push(Column::new(&label, Align::Right).before_names()),
                (_, true) => columns.push(Column::new(&label, Align::Left).first()),
                (_, false) => {
                    columns.push(Column::new(&label, Align::Right).before_names());
                    // Tables of a screen have one heading, those of exact numbers, too.
                    columns.extend(self.change_columns(|_| true));
                    columns.push(Column::untitled("verdict", Align::Left));
                }
            }
        }
        let rows = &self.of.rows[..height];
        let figures = self.figures(rows);
        let line = |(row, figures): (&Row, &Figures)| {
            let mut cells = vec![table::Cell::words(words::label(&row.labels))];
            for (at, cell) in row.cells.iter().enumerate() {
                let shown = cell.as_ref().map(|cell| figures.show(cell.centre.value));
                let value = table::Cell::words_or_absent(shown);
                match (at, several) {
                    (0, _) => cells.push(value),
                    (_, true) => cells.push(self.in_one(cell.as_ref())),
                    (_, false) => {
                        cells.push(value);
                        cells.extend(in_two(self.change(cell.as_ref())));
                        cells.push(self.verdict(cell.as_ref(), String::new()));
                    }
                }
            }
            cells
        };
        let mut lines: Vec<Vec<table::Cell>> = rows.iter().zip(&figures).map(line).collect();
        let shown = (height, figures.last());
        lines.extend(self.summary(shown, |at, value, change| match (at, several) {
            (0, _) => vec![value],
            (_, true) => vec![table::Cell::words(change.value)],
            (_, false) => [value].into_iter().chain(in_two(change)).chain([nothing()]).collect(),
        }));
        let title = self.title();
        table::Table { title, columns, rows: lines, ..table::Table::default() }
    }

    /// Every row with how far its centres are known, the number of values, p, and footnotes.
    pub(super) fn complete(&self, notes: &mut Footnotes) -> table::Table {
        let counts: Vec<Option<usize>> =
            (0..self.of.columns.len()).map(|at| count(self.of, at)).collect();
        let mut columns = vec![Column::new("", Align::Left)];
        for (at, labels) in self.of.columns.iter().enumerate() {
            let label = notes.labelled(&self.names.label(labels), [&self.of.summaries[at]]).text;
            let label = match counts[at] {
                Some(n) => format!("{label} (n={n})"),
                None => label,
            };
            columns.push(Column::new(&label, Align::Right).first());
            columns.push(Column::new(if counts[at].is_none() { "n" } else { "" }, Align::Right));
            if at > 0 {
                let scatters = |it: &Assessment| {
                    !tidied::changed(&it.evidence, &self.of.base).interval.is_empty()
                };
                let [change, _] = self.change_columns(scatters);
                columns.push(Column { align: Align::Point, ..change.first() });
                columns.push(Column::new("p", Align::Right));
                columns.push(Column::new("verdict", Align::Left));
            } else {
                columns.push(Column::untitled("notes", Align::Left));
            }
        }
        let figures = self.figures(&self.of.rows);
        let line = |(row, figures): (&Row, &Figures)| {
            let mut cells = vec![table::Cell::words(words::label(&row.labels))];
            for (at, cell) in row.cells.iter().enumerate() {
                let cell = cell.as_ref();
                let shown = cell.map(|cell| centred(&self.centre(cell), figures));
                cells.push(table::Cell::words_or_absent(shown));
                let n = cell.filter(|_| counts[at].is_none()).map(|cell| cell.n.to_string());
                cells.push(table::Cell::words(n.unwrap_or_default()));
                if at > 0 {
                    cells.push(table::Cell::words(self.change(cell).to_string()));
                    cells.push(p(cell));
                    let marks = notes.marks(cell_notes(cell)).text;
                    cells.push(self.verdict(cell, marks));
                } else {
                    cells.push(notes.cell(cell));
                }
            }
            cells
        };
        let mut lines: Vec<Vec<table::Cell>> =
            self.of.rows.iter().zip(&figures).map(line).collect();
        let shown = (self.of.rows.len(), figures.last());
        let mut summary = self.summary(shown, |at, value, change| {
            let change = (at > 0).then(|| table::Cell::words(change.to_string()));
            let rest = std::iter::repeat_n(nothing(), if at > 0 { 2 } else { 1 });
            [value, nothing()].into_iter().chain(change).chain(rest).collect()
        });
        if let Some(name) = summary.as_mut().and_then(|row| row.first_mut()) {
            *name = notes.marked(&name.text, words::left_out(self.of, self.contents.summary));
        }
        lines.extend(summary);
        let title = self.title();
        table::Table { title, columns, rows: lines, ..table::Table::default() }
            .without_empty_columns()
    }

    /// Its unit, with what tells tables of that unit apart.
    fn title(&self) -> String {
        match words::common_keys(self.tables) {
            Some(_) => clean(&self.of.unit),
            None => words::title(self.tables, self.of),
        }
    }

    /// The columns of a change; in the title the levels of the intervals of those that count.
    fn change_columns(&self, counts: impl Fn(&Assessment) -> bool) -> [Column; 2] {
        let all = self.of.rows.iter().flat_map(assessments).filter(|it| counts(it));
        let level = levels_text(all);
        let title = match level.is_empty() {
            true => "change".to_owned(),
            false => format!("change, {level}"),
        };
        [Column::new(&title, Align::Right), Column::untitled(INTERVAL, Align::Left)]
    }

    fn centre(&self, cell: &Cell) -> Estimate {
        match self.contents.cells {
            CellView::Mean => cell.mean.as_deref().copied().unwrap_or(cell.centre),
            _ => cell.centre,
        }
    }

    /// How the values of each row are shown, and at the end those of the row below them.
    pub(super) fn figures(&self, rows: &[Row]) -> Vec<Figures> {
        // Of nothing with an interval the unit is that of the interval.
        let size = |centre: Estimate| match centre.interval {
            Ok(interval) if centre.value == 0.0 => interval.hi - interval.lo,
            _ => centre.value,
        };
        let of_row = |row: &Row| -> Vec<f64> {
            row.cells.iter().flatten().map(|cell| size(self.centre(cell))).collect()
        };
        let base = under_title(&self.of.base);
        let summary = self.of.summaries.iter();
        let summary = summary.filter_map(|it| self.contents.summary.value(it));
        let values: Vec<Vec<f64>> = rows.iter().map(of_row).collect();
        let mut figures = Figures::for_rows(&base, &values);
        let below = Figures::new(&base, summary.clone());
        figures.push(figures.first().map_or(below.clone(), |rows| rows.for_others(summary, below)));
        figures
    }

    /// The change from the base; nothing where nothing is compared.
    pub(super) fn change(&self, cell: Option<&Cell>) -> Change {
        let assessment = cell.and_then(assessment);
        let change = assessment.map(|it| tidied::changed(&it.evidence, &self.of.base));
        change.unwrap_or_default()
    }

    /// The word of a verdict, and marks behind it.
    fn verdict(&self, cell: Option<&Cell>, marks: String) -> table::Cell {
        let Some(assessment) = cell.and_then(assessment) else { return table::Cell::words(marks) };
        let text = format!("{} {marks}", verdict_word(assessment, &self.of.base));
        let kind = CellKind::Verdict(assessment.decision.verdict);
        table::Cell { text: text.trim_end().to_owned(), kind }
    }

    /// Change and verdict in one cell: of what is unclear the interval.
    fn in_one(&self, cell: Option<&Cell>) -> table::Cell {
        let Some(it) = cell.and_then(assessment) else { return table::Cell::words_or_absent(None) };
        let word = verdict_word(it, &self.of.base);
        let change = self.change(cell);
        let open = it.decision.verdict == Verdict::Unclear && !it.decision.is_difference();
        let text = match it.decision.verdict {
            Verdict::Same => word.to_owned(),
            _ if open => format!("{word} {}", change.within()),
            _ => format!("{} {word}", change.value),
        };
        table::Cell::verdict(text.trim_end(), it.decision.verdict)
    }

    /// The row below so many others, if there are several, with its figures.
    fn summary(
        &self,
        (shown, figures): (usize, Option<&Figures>),
        cells: impl Fn(usize, table::Cell, Change) -> Vec<table::Cell>,
    ) -> Option<Vec<table::Cell>> {
        let has_value = |own| self.contents.summary.value(own).is_some();
        let is_worth = self.total > 1 && shown > 0 && self.of.summaries.iter().any(has_value);
        let name = words::summary(self.contents.summary).filter(|_| is_worth)?;
        let name = match shown == self.total {
            true => name.to_owned(),
            false => format!("{name}, all"),
        };
        let mut row = vec![table::Cell::words(name)];
        for (at, own) in self.of.summaries.iter().enumerate() {
            let value = self.contents.summary.value(own).zip(figures);
            let value = value.map(|(value, figures)| figures.show(value));
            let (ratio, interval) = words::summary_change(self.of, self.contents.summary, at);
            let change = ratio
                .filter(|_| at > 0)
                .map(|ratio| tidied::change(ratio, interval))
                .unwrap_or_default();
            row.extend(cells(at, table::Cell::words_or_absent(value), change));
        }
        Some(row)
    }
}

fn nothing() -> table::Cell {
    table::Cell::words("")
}

fn in_two(Change { value, interval, .. }: Change) -> [table::Cell; 2] {
    [table::Cell::words(value), table::Cell::words(interval)]
}

/// The assessment of a cell against the base.
pub(super) fn assessment(cell: &Cell) -> Option<&Assessment> {
    cell.comparison.as_ref()?.assessment.as_deref()
}

/// The assessments of a row's cells against the base.
pub(super) fn assessments(row: &Row) -> impl Iterator<Item = &Assessment> {
    row.cells.iter().flatten().filter_map(assessment)
}

/// Notes on a cell and its comparison, and the reasons behind its verdict.
pub(super) fn cell_notes(cell: Option<&Cell>) -> Vec<String> {
    let mut said = words::said(cell);
    said.extend(cell.and_then(assessment).and_then(why));
    said
}

fn p(cell: Option<&Cell>) -> table::Cell {
    let comparison = cell.and_then(|cell| cell.comparison.as_ref());
    let p = comparison.map(|it| it.p.map_or("exact".to_owned(), p_value));
    table::Cell::words(p.unwrap_or_default())
}

/// How many values all cells of a column have, where that is one number.
fn count(of: &Table, column: usize) -> Option<usize> {
    let mut counts = of.rows.iter().filter_map(|row| Some(row.cells[column].as_ref()?.n));
    let first = counts.next()?;
    counts.all(|n| n == first).then_some(first)
}
