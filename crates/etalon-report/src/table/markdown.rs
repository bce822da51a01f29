//! A table as GitHub reads it, and text that Markdown shall not take for syntax.

use super::grid::{Spacing, grid};
use super::{Cell, CellKind, Table};

/// The table with title (a heading of `level`), caption and remarks; nothing without rows. Cells are
/// padded, so that it can be read as it is.
#[must_use]
pub fn markdown(table: &Table, level: usize) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    if !table.title.is_empty() {
        out.push_str(&format!("{} {}\n\n", "#".repeat(level), escaped(&table.title)));
    }
    if !table.caption.is_empty() {
        out.push_str(&format!("*{}*\n\n", escaped(&table.caption)));
    }
    out.push_str(&lines(table));
    for remark in &table.remarks {
        out.push_str(&format!("\n{}\n", paragraph(remark)));
    }
    out
}

/// Titles, rules and rows.
fn lines(table: &Table) -> String {
    let columns: Vec<Vec<String>> =
        (0..table.columns.len()).map(|index| column(table, index)).collect();
    let titles: Vec<_> = table.columns.iter().map(|c| (escaped(&c.title), c.align)).collect();
    let row = |at: usize| columns.iter().map(|cells| cells[at].clone()).collect();
    let rows: Vec<Vec<String>> = (0..table.rows.len()).map(row).collect();
    grid(&titles, &rows, Spacing::Padded)
}

/// Cells of a column with their units. Spaces at the ends of a cell are not shown, so points are not
/// put under one another by them.
fn column(table: &Table, index: usize) -> Vec<String> {
    let unit = escaped(&table.columns[index].unit);
    let cell = |cell: &Cell| match cell.kind {
        CellKind::Number if !unit.is_empty() => format!("{} {unit}", escaped(&cell.text)),
        _ => escaped(&cell.text),
    };
    table.rows.iter().map(|row| cell(&row[index])).collect()
}

/// Text in which nothing means anything to Markdown within a line. A `_` within a word means nothing.
#[must_use]
pub fn escaped(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let within_word = |at: usize| {
        let is_word =
            |i: Option<usize>| i.and_then(|i| chars.get(i)).is_some_and(|c| c.is_alphanumeric());
        is_word(at.checked_sub(1)) && is_word(Some(at + 1))
    };
    let mut out = String::with_capacity(text.len());
    for (at, &c) in chars.iter().enumerate() {
        let next = chars.get(at + 1).copied();
        let means_something = match c {
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' | '$' | '^' => true,
            '<' => next.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
            '&' => next.is_some_and(|c| c.is_ascii_alphanumeric() || c == '#'),
            '_' => !within_word(at),
            '!' => next == Some('['),
            '#' => at == 0 || chars[at - 1] == ' ',
            _ => false,
        };
        if means_something {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The text as code, in a line; in a cell of a table, a pipe has to have a backslash besides.
#[must_use]
pub fn code(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    // One space each side is taken away again, and has to be there beside a backtick.
    let both = |end: char| text.starts_with(end) && text.ends_with(end);
    let pad = if both(' ') || text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A paragraph, or what an item of a list says: nothing in it means anything to Markdown, and nothing
/// at its start makes it something else.
pub(crate) fn paragraph(text: &str) -> String {
    // Spaces at the start would make it code, and are not shown.
    let text = escaped(text.trim_start_matches(' '));
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let numbers = digits > 0 && text[digits..].starts_with(['.', ')']);
    if numbers {
        return format!("{}\\{}", &text[..digits], &text[digits..]);
    }
    if text.starts_with(['-', '+', '=', ':', '>']) { format!("\\{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Options, Parser};

    /// Another reader gets back what was put in.
    #[test]
    fn nothing_is_taken_for_syntax() {
        let texts = [
            "plain",
            "table_insert __x__ _a_ a_",
            "a | b \\| `c` **d** [e](f) <b>&amp;</b> ~~g~~ $h$",
            "# no heading",
            "- no list",
            "-1.5",
            "1. no list",
            "+ x",
            "![no](image)",
            "1.5 × (1.2 … 1.8)",
            "-",
            "1) x",
            "> no quote",
            "a < b & c > d",
            "<a@b.c> &amp &#65; <!-- x -->",
            "=====",
        ];
        for text in texts {
            let mut read = String::new();
            let parsed = paragraph(text);
            for event in
                Parser::new_ext(&parsed, Options::all() - Options::ENABLE_SMART_PUNCTUATION)
            {
                match event {
                    Event::Text(part) => read.push_str(&part),
                    Event::Start(_) | Event::End(_) => {}
                    other => panic!("{text:?} is {other:?}"),
                }
            }
            assert_eq!(read, text);
        }
    }

    use crate::text::{clean, hostile};
    use proptest::prelude::*;
    use pulldown_cmark::{Tag, TagEnd};

    /// The texts of the cells of a table as another reader has them, and whether all are text or code.
    fn cells(markdown: &str) -> (Vec<String>, bool) {
        let (mut all, mut sound) = (Vec::new(), true);
        for event in Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
            match event {
                Event::Start(Tag::TableCell) => all.push(String::new()),
                Event::Text(part) | Event::Code(part) => {
                    all.last_mut().into_iter().for_each(|cell| cell.push_str(&part));
                }
                Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow) => {}
                Event::End(
                    TagEnd::Table | TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell,
                ) => {}
                _ => sound = false,
            }
        }
        (all, sound)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        /// Would catch a cell that ends early, begins another element, or shows something else.
        #[test]
        fn cells_are_read_as_they_are(text in hostile()) {
            let text = clean(&text);
            let text = text.trim();
            let is_code = !text.contains("\\|") && !text.is_empty();
            let code = if is_code { code(text).replace('|', "\\|") } else { escaped(text) };
            let table = format!("| a | b |\n| --- | --- |\n| {} | {code} |\n", escaped(text));
            let (cells, sound) = cells(&table);
            prop_assert!(sound, "{table}");
            prop_assert_eq!(cells, ["a", "b", text, text], "{}", table);
        }

        /// Would catch a paragraph that becomes a list, a heading, a block of code or markup.
        #[test]
        fn paragraphs_are_read_as_they_are(text in hostile()) {
            let text = clean(&text);
            let mut read = String::new();
            let parsed = paragraph(&text);
            for event in Parser::new_ext(&parsed, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
                match event {
                    Event::Text(part) => read.push_str(&part),
                    Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
                    other => prop_assert!(false, "{parsed:?} is {other:?}"),
                }
            }
            prop_assert_eq!(read.trim_matches(' '), text.trim_matches(' '));
        }
    }
}
