//! `--export-asciidoc`: a table as Asciidoctor reads it, laid out as hyperfine does.

use super::{lines, remarks};
use crate::table::{Align, Table};

/// The table in AsciiDoc.
#[must_use]
pub fn asciidoc(table: &Table) -> String {
    let columns = table.columns.iter().map(|c| if c.align == Align::Left { "<" } else { ">" });
    let columns = columns.collect::<Vec<_>>().join(",");
    let line = |cells: &Vec<String>| format!("\n| {} \n", cells.join(" \n| "));
    let lines: String = lines(table, monospaced).iter().map(line).collect();
    format!("[cols=\"{columns}\"]\n|==={lines}|===\n{}", remarks(table))
}

/// The text in monospace, everything in it a character reference that could be taken for a quote, a
/// macro, an attribute or a replacement; a pipe is `\|`.
fn monospaced(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let last = chars.len().saturating_sub(1);
    let written = |(at, &c): (usize, &char)| {
        let next = chars.get(at + 1);
        let twice = next == Some(&c) || (at > 0 && chars[at - 1] == c);
        let plain = match c {
            '|' => return "\\|".to_owned(),
            ' ' => at > 0 && at < last && !twice,
            ':' => next != Some(&'/') && !twice, // a link
            '-' | '.' | '/' | ',' | '=' | '%' | '!' | ';' | '?' | '$' | ')' => !twice,
            c => !c.is_ascii_punctuation(),
        };
        if plain { c.to_string() } else { format!("&#{};", u32::from(c)) }
    };
    format!("`{}`", chars.iter().enumerate().map(written).collect::<String>())
}
