//! Footnotes of all tables of a comparison, each once, numbered as they come.

use std::collections::BTreeSet;

use etalon_core::tables::{Cell, ColumnSummary};

use super::words;
use crate::table;
use crate::words::cell_note;

/// Footnotes, each once.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    pub texts: Vec<String>,
}

impl Footnotes {
    /// The number of a remark, from 1.
    fn mark(&mut self, text: String) -> usize {
        let at = self.texts.iter().position(|known| *known == text).unwrap_or_else(|| {
            self.texts.push(text);
            self.texts.len() - 1
        });
        at + 1
    }

    /// The marks of several, ascending, as one cell.
    pub(super) fn marks(&mut self, texts: impl IntoIterator<Item = String>) -> table::Cell {
        let marks: BTreeSet<usize> = texts.into_iter().map(|text| self.mark(text)).collect();
        let marks: Vec<String> = marks.into_iter().map(|mark| format!("[{mark}]")).collect();
        table::Cell::words(marks.join(" "))
    }

    /// A text with the marks of what has to be said of it.
    pub(super) fn marked(
        &mut self,
        text: &str,
        said: impl IntoIterator<Item = String>,
    ) -> table::Cell {
        let marks = self.marks(said).text;
        table::Cell::words(format!("{text} {marks}").trim_end())
    }

    /// The marks of what has to be said of a cell.
    pub(super) fn cell(&mut self, cell: Option<&Cell>) -> table::Cell {
        self.marks(words::said(cell))
    }

    /// The label of a column, of one table or of several, with the marks of what has to be said of it.
    pub(super) fn labelled<'s>(
        &mut self,
        label: &str,
        summaries: impl IntoIterator<Item = &'s ColumnSummary>,
    ) -> table::Cell {
        let said = summaries.into_iter().flat_map(|summary| &summary.notes).map(cell_note);
        self.marked(label, said)
    }
}
