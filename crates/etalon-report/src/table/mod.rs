//! Tables: columns with an alignment, rows of cells, laid out for a terminal or as Markdown.
//!
//! Plain data, and its renderings; those for files that other programs read are in `export`. Owns
//! widths, alignment and the syntax; refuses to know what a number means: cells are texts that
//! somebody formatted, clean of control characters.

mod grid;
mod markdown;
mod quiet;
mod terminal;

use etalon_core::verdict::Verdict;

use crate::view::Charset;

pub use grid::{Spacing, grid};
pub(crate) use markdown::paragraph;
pub use markdown::{code, escaped, markdown};
pub(crate) use quiet::names;
pub use quiet::quiet;
pub use terminal::{Rules, terminal};

/// Columns, rows and rules of a table, before any layout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// The title; empty for none.
    pub title: String,
    /// A sentence between title and table; empty for none.
    pub caption: String,
    /// The columns; the first one names the rows.
    pub columns: Vec<Column>,
    /// The rows, a cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// Sentences under it.
    pub remarks: Vec<String>,
}

/// How the cells below a heading are set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The title.
    pub title: String,
    /// A title for where nothing stands over it, for a page, whose readers sort by columns and hear them; empty of
    /// names and marks.
    pub said: &'static str,
    /// How its cells stand.
    pub align: Align,
    /// The unit of all its numbers; empty if each says its own, or none has any.
    pub unit: String,
    /// Where a table that is too wide may be broken up.
    pub place: Place,
}

/// A column's relation to its neighbours, where not all of them fit side by side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Place {
    /// Beside the one before it, if there is room.
    #[default]
    Beside,
    /// The first of those that belong together.
    First,
    /// Beside the one before it, if there is room; without rules around the table it is left out where there
    /// is none.
    IfRoom,
    /// The same, but names give way first.
    BeforeNames,
}

/// How cells of a column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// At the left end.
    Left,
    /// At the right end.
    Right,
    /// With their decimal points, or what follows their first digits, under one another.
    Point,
}

/// The content of one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// The kind.
    pub kind: CellKind,
}

/// The kind of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// Words; a line that is too long is broken at spaces.
    Words,
    /// A number in the column's unit.
    Number,
    /// The word of a verdict, which may have a colour.
    Verdict(Verdict),
}

/// The name of a column of intervals behind their values.
pub(crate) const INTERVAL: &str = "interval";

/// The mark of absence.
pub(crate) const ABSENT: &str = "-";

impl Table {
    /// The table in a reader's characters.
    pub(crate) fn in_charset(&self, charset: Charset) -> Table {
        let mut table = self.clone();
        let columns = table.columns.iter_mut().flat_map(|it| [&mut it.title, &mut it.unit]);
        let cells = table.rows.iter_mut().flatten().map(|cell| &mut cell.text);
        let own = [&mut table.title, &mut table.caption].into_iter().chain(&mut table.remarks);
        own.chain(columns).chain(cells).for_each(|text| *text = charset.spell(text));
        table
    }

    /// The table without columns that have neither a title nor a cell with a text.
    #[must_use]
    pub(crate) fn without_empty_columns(mut self) -> Table {
        let empty = |at: usize| {
            self.columns[at].title.is_empty() && self.rows.iter().all(|row| row[at].text.is_empty())
        };
        let kept: Vec<usize> =
            (0..self.columns.len()).filter(|at| *at == 0 || !empty(*at)).collect();
        self.columns = kept.iter().map(|at| self.columns[*at].clone()).collect();
        for row in &mut self.rows {
            *row = kept.iter().map(|at| row[*at].clone()).collect();
        }
        self
    }
}

impl Cell {
    /// A cell of words; its long lines break at spaces.
    #[must_use]
    pub fn words(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), kind: CellKind::Words }
    }

    /// A number in the column's unit.
    #[must_use]
    pub(crate) fn number(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), kind: CellKind::Number }
    }

    /// Words, or nothing.
    #[must_use]
    pub(crate) fn words_or_absent(text: Option<String>) -> Cell {
        Cell::words(text.unwrap_or_else(|| ABSENT.to_owned()))
    }

    /// The word of a verdict.
    #[must_use]
    pub(crate) fn verdict(word: &str, verdict: Verdict) -> Cell {
        Cell { text: word.to_owned(), kind: CellKind::Verdict(verdict) }
    }
}

impl Column {
    /// A column whose numbers have no common unit.
    #[must_use]
    pub fn new(title: &str, align: Align) -> Column {
        let (title, unit) = (title.to_owned(), String::new());
        Column { title, said: "", align, unit, place: Place::Beside }
    }

    /// A column without a title, because the column before it or its cells say what it is.
    #[must_use]
    pub(crate) fn untitled(said: &'static str, align: Align) -> Column {
        Column { said, ..Column::new("", align) }
    }

    /// A column of numbers in a unit, their points under one another.
    #[must_use]
    pub fn numbers(title: &str, unit: String) -> Column {
        Column { unit, ..Column::new(title, Align::Point) }
    }

    /// The column as the first of those that belong together.
    #[must_use]
    pub(crate) fn first(self) -> Column {
        Column { place: Place::First, ..self }
    }

    /// The column, left out of a table without rules where there is no room even beside short names.
    #[must_use]
    pub(crate) fn before_names(self) -> Column {
        Column { place: Place::BeforeNames, ..self }
    }

    /// The column, left out of a table without rules where there is no room.
    #[must_use]
    pub(crate) fn if_room(self) -> Column {
        Column { place: Place::IfRoom, ..self }
    }
}

/// Where a number's point is, or would be: everything before is integer digits and signs.
fn point(text: &str) -> usize {
    let is_integer = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '<' | ' ');
    let digits = text.find(|c: char| !is_integer(c)).unwrap_or(text.len());
    // Without any digit there is no point: the text ends where integers end.
    let before = text[..digits].trim_end_matches(' ').len();
    if text[..before].contains(|c: char| c.is_ascii_digit()) { before } else { text.len() }
}

/// Cells of a column padded to their common shape: points under one another.
fn pointed(cells: &[String]) -> Vec<String> {
    let split = |cell: &String| {
        let (whole, rest) = cell.split_at(point(cell));
        (whole.to_owned(), rest.to_owned())
    };
    let parts: Vec<(String, String)> = cells.iter().map(split).collect();
    let widest = |part: fn(&(String, String)) -> &String| {
        parts.iter().map(|p| crate::text::width(part(p))).max().unwrap_or(0)
    };
    let (whole, rest) = (widest(|p| &p.0), widest(|p| &p.1));
    let pad = |(w, r): &(String, String)| {
        // Words without a number would push all points apart; they stand at the right end.
        format!("{}{}", crate::text::right(w, whole), crate::text::left(r, rest))
    };
    parts.iter().map(pad).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_under_one_another() {
        let cells = ["1.5", "-12.25 MB", "100", "-", "baseline", "< 0.001", "3 %"];
        let cells: Vec<String> = cells.map(str::to_owned).to_vec();
        assert_eq!(
            pointed(&cells),
            [
                "       1.5    ",
                "     -12.25 MB",
                "     100      ",
                "       -      ",
                "baseline      ",
                "     < 0.001  ",
                "       3 %    ",
            ]
        );
    }
}
