//! A document as Markdown.

use super::{Document, Part, UNBROKEN};
use crate::table::{self, Table, paragraph};

/// Its parts, each a block of its own.
pub(crate) fn markdown(document: &Document) -> Vec<String> {
    document.parts.iter().flat_map(part_markdown).filter(|part| !part.is_empty()).collect()
}

fn part_markdown(part: &Part) -> Vec<String> {
    match part {
        Part::Answer(sentence) => {
            vec![format!("**{}**", paragraph(&sentence.replace(UNBROKEN, " ")))]
        }
        Part::Sentence(sentence) => vec![paragraph(sentence)],
        Part::Tables(tables) => {
            let shown = |table: &Table| table::markdown(table, 3);
            tables.iter().filter(|table| !table.rows.is_empty()).map(shown).collect()
        }
        Part::Lines(lines) => vec![fenced(lines)],
        Part::Notes(notes) => vec![list(notes)],
        Part::Footnotes(notes) => {
            let numbered = notes.iter().enumerate();
            vec![list(
                &numbered.map(|(at, note)| format!("[{}] {note}", at + 1)).collect::<Vec<_>>(),
            )]
        }
        // What to type next is for a reader at a terminal.
        Part::More(_) => Vec::new(),
    }
}

/// A list with a point for each sentence.
pub(crate) fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| format!("- {}", paragraph(item))).collect();
    items.join("\n")
}

/// Text as it is, behind a fence longer than any run of backticks in it; nothing without lines.
pub(crate) fn fenced(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let runs = lines.iter().flat_map(|line| line.split(|c| c != '`').map(str::len));
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    format!("{fence}\n{}\n{fence}", lines.join("\n"))
}
