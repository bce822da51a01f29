//! `--export-markdown`: a table as GitHub and most others read it.

use super::lines;
use crate::table::{self, Align, Table};

/// The table in Markdown.
#[must_use]
pub fn markdown(table: &Table) -> String {
    let dashes = table.columns.iter().map(|c| if c.align == Align::Left { ":---" } else { "---:" });
    let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut lines: Vec<String> = lines(table, code).iter().map(line).collect();
    lines.insert(1, format!("|{}|\n", dashes.collect::<Vec<_>>().join("|")));
    lines.concat()
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
