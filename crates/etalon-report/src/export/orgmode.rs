//! `--export-orgmode`: a table for Emacs' org-mode, laid out as hyperfine does.

use super::{lines, remarks};
use crate::table::Table;

/// The table in org-mode's syntax.
#[must_use]
pub fn orgmode(table: &Table) -> String {
    let line = |cells: &Vec<String>| format!("| {}  |  {} |\n", cells[0], cells[1..].join(" |  "));
    let mut lines: Vec<String> = lines(table, verbatim).iter().map(line).collect();
    lines.insert(1, format!("|{}|\n", vec!["--"; table.columns.len()].join("+")));
    lines.concat() + &remarks(table)
}

/// The text verbatim, in the marks that are not in it. Nothing is escaped within marks, and a pipe
/// ends a cell even there: a text with one, or with both marks, is plain with entities.
fn verbatim(text: &str) -> String {
    let ends = text.starts_with(' ') || text.ends_with(' ') || text.is_empty();
    let marks = if text.contains('|') || ends { &[][..] } else { &['=', '~'] };
    match marks.iter().find(|mark| !text.contains(**mark)) {
        Some(mark) => format!("{mark}{text}{mark}"),
        None => text.chars().map(entity).collect(),
    }
}

/// A character that is not taken for a mark (org-entities).
fn entity(c: char) -> String {
    let name = match c {
        '|' => "vert",
        '=' => "equal",
        '~' => "tilde",
        '/' => "slash",
        '+' => "plus",
        '_' => "under",
        '^' => "asciicirc",
        '*' => "lowast",
        '$' => "dollar",
        '&' => "amp",
        '<' => "lt",
        '>' => "gt",
        c => return c.to_string(),
    };
    format!("\\{name}{{}}")
}
