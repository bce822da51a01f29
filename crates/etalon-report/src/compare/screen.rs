//! A comparison as a document: what changed, what that rests on, a table for each unit, notes.
//!
//! Owns the order of its parts. Refuses to choose rows by their verdicts: `core::tables` does, and `sheets` how many of
//! them have room.

use etalon_core::tables::{Tables, arranged};

use super::footnotes::Footnotes;
use super::presented::{self, Presentation};
use super::rest::{self, Rest};
use super::rows::Sheet;
use super::sheets::Sheets;
use super::words::Columns;
use super::{CellView, Contents, Remarks, evidence, families, headline, page};
use crate::document::{Document, Part};
use crate::number::counted;
use crate::table;
use crate::view::Detail;
use crate::words::note_sentences;

/// All of it.
pub(super) fn document(
    tables: Tables,
    contents: Contents<'_>,
    said: Remarks<'_>,
    detail: Detail,
) -> Document {
    let mut parts: Vec<Part> = headline::lines(&tables).into_iter().map(Part::Answer).collect();
    parts.extend(evidence::sentence(&tables).map(Part::Sentence));
    parts.extend(evidence::interleaved(&tables, said.interleaved_by).map(Part::Sentence));
    if let Some(apart) = rest::nothing_in_common(&tables).filter(|_| detail == Detail::Screen) {
        parts.push(Part::Sentence(apart));
        parts.push(Part::Notes(note_sentences(said.remarks)));
        return Document { parts };
    }
    let lacking = rest::lacking(&tables, detail);
    let families = families::disagreement(&tables);
    let chance = headline::chance(&tables);
    let remarks = lacking.into_iter().chain(families).chain(chance);
    let remarks = remarks.chain(note_sentences(said.remarks));
    if detail == Detail::Screen && contents.cells == CellView::Delta {
        let others = headline::others(&tables);
        let (screen, notes) = short(tables, contents);
        parts.extend(screen);
        parts.push(Part::Notes(notes.into_iter().chain(remarks).collect()));
        let others = others.map_or_else(String::new, |others| format!(", {others}"));
        parts.push(Part::More(format!("More: --full (every row with n and p{others})")));
    } else {
        let mut footnotes = Footnotes::default();
        let is_relative =
            matches!(contents.cells, CellView::Ratio | CellView::OfMax | CellView::OfMin);
        let (laid_out, notes) = match is_relative {
            true => relative(&tables, contents, detail, &mut footnotes),
            false => (complete(tables, contents, &mut footnotes), Vec::new()),
        };
        let (laid_out, empty): (Vec<_>, Vec<_>) =
            laid_out.into_iter().partition(|table| !table.rows.is_empty());
        parts.extend(laid_out.into_iter().map(|table| Part::Tables(vec![table])));
        parts.extend(rest::empty(empty.into_iter().map(|table| table.title)).map(Part::Sentence));
        parts.push(Part::Footnotes(footnotes.texts));
        parts.push(Part::Notes(notes.into_iter().chain(remarks).collect()));
    }
    Document { parts }
}

/// The tables of a screen, as many rows of those asked for as there is room for, and what is said of the others;
/// notes.
fn short(tables: Tables, contents: Contents<'_>) -> (Vec<Part>, Vec<String>) {
    let shown: Vec<bool> = tables.tables.iter().map(|table| tables.leads(table)).collect();
    let rests: Vec<Rest> =
        tables.tables.iter().map(|table| Rest::new(table, &table.rows)).collect();
    let of_shown = || tables.tables.iter().zip(&rests).zip(&shown).filter(|(_, shown)| **shown);
    let unclear = rest::unclear(of_shown().map(|((table, _), _)| table));
    let unchanged = of_shown().filter(|((_, rest), _)| rest.is_same());
    let unchanged = rest::unchanged(unchanged.map(|((table, rest), _)| (table, rest.total())));
    let notes = rest::notes(&tables);
    let tables = arranged(tables, contents.rows);
    // Of the others, all rows are unchanged, and their units are named below.
    let is_told = |at: &usize| !tables.tables[*at].rows.is_empty() || rests[*at].is_open();
    let told: Vec<usize> =
        (0..tables.tables.len()).filter(|at| shown[*at] && is_told(at)).collect();
    let sheets = Sheets { tables: &tables, rests: &rests, names: Columns::new(&tables), contents };
    let (laid_out, more) = sheets.laid_out(&told);
    let more =
        (more > 0).then(|| format!("and {}: --full", counted(more, "more unit", "more units")));
    let said = more.into_iter().chain(unchanged).chain(unclear).map(Part::Sentence);
    (group(laid_out).map(Part::Tables).chain(said).collect(), notes)
}

/// Tables with the same columns stand under one another.
fn group(tables: Vec<table::Table>) -> impl Iterator<Item = Vec<table::Table>> {
    let mut groups: Vec<Vec<table::Table>> = Vec::new();
    for table in tables {
        match groups.last_mut() {
            Some(group) if group[0].columns == table.columns => group.push(table),
            _ => groups.push(vec![table]),
        }
    }
    groups.into_iter()
}

/// Every table with all rows asked for.
fn complete(tables: Tables, contents: Contents<'_>, notes: &mut Footnotes) -> Vec<table::Table> {
    let totals: Vec<usize> = tables.tables.iter().map(|table| table.rows.len()).collect();
    let tables = match contents.cells {
        CellView::Plain => page::arranged(tables, contents.rows),
        _ => arranged(tables, contents.rows),
    };
    let columns = Columns::new(&tables);
    let each = tables.tables.iter().zip(totals);
    match contents.cells {
        CellView::Plain => page::pages(&tables, &columns, contents.summary, notes),
        _ => each
            .map(|(of, total)| Sheet { tables: &tables, of, names: &columns, contents, total })
            .map(|sheet| sheet.complete(notes))
            .collect(),
    }
}

/// Every table relative to its rows or the base, with all rows asked for; and what is said of them.
fn relative(
    tables: &Tables,
    contents: Contents<'_>,
    detail: Detail,
    footnotes: &mut Footnotes,
) -> (Vec<table::Table>, Vec<String>) {
    let wanted = Presentation {
        look: contents.look,
        view: contents.cells,
        summary: contents.summary,
        verdicts: true,
        detail,
        declared: None,
        only: None,
        brief: false,
        below: Vec::new(),
    };
    let shown = arranged(tables.clone(), contents.rows);
    presented::laid_out(tables, &shown, &wanted, footnotes)
}
