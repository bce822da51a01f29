//! A table as its author wants it: shares, ratios or values; rows and columns that were declared, whether they have
//! values or not; labels, raw values, who is best, and what has to be said below it.
//!
//! Owns how such a table looks, of an experiment file and of `etalon compare --view`. Refuses to leave out anything
//! that was declared but on a screen, which counts what it has no room for: a cell without a value says why. The parts:
//! `page` (cells), `heat` (their colours), `summary` (the row below them), `notes`, `room` (what a screen shows).

mod heat;
mod notes;
mod page;
mod room;
mod summary;

use std::collections::{BTreeMap, HashSet};

use etalon_core::tables::{Centre, Labels, Tables};

use super::footnotes::Footnotes;
use super::words::{self, Columns};
use super::{CellView, SummaryRow};
use crate::document::{self, Document, Part};
use crate::table;
use crate::view::{Detail, NARROWEST, View};
pub(crate) use heat::{Heat, Warm, heat};
use page::Page;
pub use room::{Room, room};

/// The look of such a table, as it is chosen in a file or by options.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Look<'a> {
    /// The title; absent for its unit.
    pub title: Option<&'a str>,
    /// The centre that stands for several readings; absent for the median, and of ratios for the one that was compared.
    pub centre: Option<Centre>,
    /// The heading of a column with the value that is 100 %, or the base.
    pub raw: Option<&'a str>,
    /// Decimals of percents and ratios.
    pub digits: Option<u8>,
    /// Whether a column says who is best.
    pub fastest: bool,
    /// Whether cells have letters.
    pub letters: bool,
}

impl Look<'_> {
    fn centre(&self) -> Centre {
        self.centre.unwrap_or(Centre::Median)
    }
}

/// The presentation of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Presentation<'a> {
    /// The chosen look.
    pub look: Look<'a>,
    /// The content of cells.
    pub view: CellView,
    /// The row below all others.
    pub summary: SummaryRow,
    /// Whether ratios have the word of the comparison with the first column; values have it with
    /// [`CellView::Delta`].
    pub verdicts: bool,
    /// Whether cells have intervals and every note.
    pub detail: Detail,
    /// The declared row; absent for a row that has values.
    pub declared: Option<Declared>,
    /// The declared rows that are shown; all of them if absent.
    pub only: Option<HashSet<Labels>>,
    /// Whether long lists of names in a cell are counted, as a screen has no room for them.
    pub brief: bool,
    /// Sentences below it.
    pub below: Vec<String>,
}

/// Rows and columns that a table has, whether they have values or not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declared {
    /// The rows, by their labels.
    pub rows: Vec<Labels>,
    /// The columns, by their labels.
    pub columns: Vec<Labels>,
    /// Columns of words beside the rows' names: a heading, and a text for each row.
    pub labels: Vec<(String, Vec<String>)>,
    /// Why places have no value: by row and column.
    pub absent: BTreeMap<(usize, usize), String>,
}

/// For a terminal.
#[must_use]
pub fn terminal(tables: &Tables, wanted: &Presentation<'_>, view: View) -> Vec<String> {
    together(&[(tables, wanted)], view)
}

/// Several of them for a terminal, below each other; what is said of more than one is said once, below all.
#[must_use]
pub fn together(parts: &[(&Tables, &Presentation<'_>)], view: View) -> Vec<String> {
    let view = View { width: view.width.max(NARROWEST), ..view };
    document::terminal(&document_of(parts), view)
}

/// As GitHub reads it.
#[must_use]
pub fn markdown(tables: &Tables, wanted: &Presentation<'_>) -> String {
    let parts = document::markdown(&document(tables, wanted));
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end_matches('\n')).collect();
    parts.join("\n\n")
}

pub(crate) fn document(tables: &Tables, wanted: &Presentation<'_>) -> Document {
    document_of(&[(tables, wanted)])
}

fn document_of(all: &[(&Tables, &Presentation<'_>)]) -> Document {
    let mut footnotes = Footnotes::default();
    let (mut parts, mut notes): (Vec<Part>, Vec<String>) = (Vec::new(), Vec::new());
    for (tables, wanted) in all {
        let (laid_out, said) = laid_out(tables, tables, wanted, &mut footnotes);
        parts.extend(laid_out.into_iter().map(|table| Part::Tables(vec![table])));
        let said = said.into_iter().chain(wanted.below.iter().cloned());
        let is_new = |note: &String| all.len() == 1 || !notes.contains(note);
        let new: Vec<String> = said.filter(is_new).collect();
        notes.extend(new);
    }
    if !footnotes.texts.is_empty() {
        parts.push(Part::Footnotes(footnotes.texts));
    }
    if !notes.is_empty() {
        parts.push(Part::Notes(notes));
    }
    Document { parts }
}

/// The tables with the rows of `shown`, summarised over those of `all`; and what has to be said of them.
pub(super) fn laid_out(
    all: &Tables,
    shown: &Tables,
    wanted: &Presentation<'_>,
    footnotes: &mut Footnotes,
) -> (Vec<table::Table>, Vec<String>) {
    let names = Columns::new(all);
    let mut notes: Vec<String> = Vec::new();
    let of_table = |(of, shown)| {
        let page = Page::new(of, shown, wanted);
        let title = titled(wanted.look.title, all, of) + &page.unsaid_unit();
        let table = table::Table { title, ..page.table(&names, footnotes) };
        for note in page.notes() {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        table
    };
    let tables = all.tables.iter().zip(&shown.tables).map(of_table).collect();
    (tables, notes)
}

/// The title over a table.
pub(crate) fn titled(
    title: Option<&str>,
    tables: &Tables,
    of: &etalon_core::tables::Table,
) -> String {
    let keys = words::named(&tables.table_keys, &of.labels);
    match title {
        Some(title) if keys.is_empty() => title.to_owned(),
        Some(title) => format!("{title} ({keys})"),
        None => words::title(tables, of),
    }
}
