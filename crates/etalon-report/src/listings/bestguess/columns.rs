//! A ranking on a terminal: titles let into the rule, long names over several lines, and room for lines of
//! its own under every row.
//!
//! Its table has five columns: a mark, letters, a numbered name, a value with its unit, a verdict.

use crate::style::coloured;
use crate::table::{CellKind, Table};
use crate::text::{left, right, width, wrap};
use crate::view::Colour;

/// Columns before everything, and of the mark with its space.
const MARGIN: usize = 2;
const MARK: usize = 2;
/// Letters beyond so many are not lined up.
const LETTERS: usize = 8;
/// Least width of the value with its unit.
const VALUE: usize = 12;
/// Least width of the verdict.
const VERDICT: usize = 10;
/// Least width of a name.
const NAME: usize = 12;
/// Columns of a name's number, with what separates it.
const NUMBER: usize = 5;

/// Such a table, laid out to a width.
pub(crate) struct RankingColumns<'t> {
    table: &'t Table,
    letters: usize,
    value: usize,
    verdict: usize,
    width: usize,
}

impl<'t> RankingColumns<'t> {
    /// Within so many columns.
    pub(crate) fn new(table: &'t Table, columns: usize) -> RankingColumns<'t> {
        let widest =
            |at: usize| table.rows.iter().map(|row| width(&row[at].text)).max().unwrap_or(0);
        let (letters, value) = (widest(1).min(LETTERS), widest(3).max(VALUE));
        let verdict = widest(4).saturating_add(2).max(VERDICT);
        RankingColumns { table, letters, value, verdict, width: columns - MARGIN }
    }

    fn name_width(&self) -> usize {
        let beside = MARK + self.letters + 1 + self.value + self.verdict;
        self.width.saturating_sub(beside).max(NAME)
    }

    /// A line across it.
    pub(crate) fn rule(&self) -> String {
        format!("{}{}", " ".repeat(MARGIN), "═".repeat(self.width))
    }

    /// The rule with the column titles let into it.
    pub(crate) fn header(&self) -> String {
        let titled = |text: &str, columns: usize| {
            let text = format!(" {text} ");
            let bars = columns.saturating_sub(width(&text) + 1);
            format!("{}{text}═", "═".repeat(bars))
        };
        let [name, value, verdict] = [2, 3, 4].map(|at| self.table.columns[at].title.as_str());
        let value = titled(value, self.value.max(width(value) + 3));
        let verdict = titled(verdict, self.verdict);
        let columns = self.width - width(&value) - width(&verdict);
        let start = format!("{} {name} ", "═".repeat(MARK + self.letters + 1));
        let bars = columns.saturating_sub(width(&start));
        format!("{}{start}{}{value}{verdict}", " ".repeat(MARGIN), "═".repeat(bars))
    }

    /// A row: one line, and more where its name is too long.
    pub(crate) fn row(&self, at: usize, colour: Colour) -> Vec<String> {
        let row = &self.table.rows[at];
        let mut names = wrapped_name(&row[2].text, self.name_width()).into_iter();
        let word = right(&row[4].text, self.verdict);
        let word = match row[4].kind {
            CellKind::Verdict(verdict) => coloured(&word, verdict, colour),
            _ => word,
        };
        let mut lines = vec![format!(
            "{}{}{} {}{}{word}",
            " ".repeat(MARGIN),
            left(&row[0].text, MARK),
            left(&row[1].text, self.letters),
            left(&names.next().unwrap_or_default(), self.name_width()),
            right(&row[3].text, self.value),
        )];
        let indent = " ".repeat(MARGIN + MARK + self.letters + 1 + NUMBER);
        lines.extend(names.map(|rest| format!("{indent}{rest}")));
        lines
    }
}

/// A long name over several lines, the later ones without the number's column.
fn wrapped_name(name: &str, columns: usize) -> Vec<String> {
    let lead: String = name.chars().take(NUMBER).collect();
    let rest: String = name.chars().skip(NUMBER).collect();
    let mut lines = wrap(&rest, columns - NUMBER - 1);
    if let Some(first) = lines.first_mut() {
        *first = format!("{lead}{first}");
    }
    lines
}
