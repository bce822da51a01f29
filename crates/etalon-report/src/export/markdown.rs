//! `--export-markdown`: a table as GitHub and most others read it.

use super::{lines, remarks};
use crate::table::{self, Spacing, Table, grid};

/// The table in Markdown.
#[must_use]
pub fn markdown(table: &Table) -> String {
    let titles: Vec<_> = table.columns.iter().map(|c| (c.title.clone(), c.align)).collect();
    grid(&titles, &lines(table, code)[1..], Spacing::Tight) + &remarks(table)
}

/// The text as code. A pipe is `\|` even within code, which leaves no way to write a backslash before
/// one there: such a text, and one that is only spaces, is HTML.
fn code(text: &str) -> String {
    if text.contains("\\|") || text.trim_matches(' ').is_empty() {
        return format!("<code>{}</code>", text.chars().map(entity).collect::<String>());
    }
    table::code(text).replace('|', "\\|")
}

/// A character that cannot be taken for syntax, Markdown's or HTML's.
fn entity(c: char) -> String {
    if c.is_ascii_punctuation() || c == ' ' {
        format!("&#{};", u32::from(c))
    } else {
        c.to_string()
    }
}
