//! Tables of a page in Markdown: rows of cells, and texts in them.

use etalon_report::table::{self, escaped};
use etalon_report::text::clean;

/// Rows of cells in Markdown as a table; the columns from `numbers` on stand at the right.
pub(super) fn laid_out(titles: &[String], numbers: usize, rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| in_cell(cell)).collect();
        format!("| {} |", cells.join(" | "))
    };
    let rules = (0..titles.len()).map(|at| if at < numbers { "---" } else { "---:" }.to_owned());
    let head = [line(titles), line(&rules.collect::<Vec<_>>())];
    head.into_iter().chain(rows.iter().map(|row| line(row))).collect::<Vec<_>>().join("\n")
}

/// The text as it is, on one line, whatever it would mean in Markdown.
pub(super) fn plain(text: &str) -> String {
    escaped(&clean(text))
}

/// The text as code, on one line; what code cannot hold in a cell, a backslash before a pipe, is plain.
pub(super) fn code(text: &str) -> String {
    let text = clean(text);
    let is_code = !text.contains("\\|") && !text.trim().is_empty();
    if is_code { table::code(&text) } else { plain(&text) }
}

/// Markdown in a cell: a pipe that has no backslash gets one.
fn in_cell(markdown: &str) -> String {
    let mut cell = String::new();
    for c in clean(markdown).chars() {
        if c == '|' && !cell.ends_with('\\') {
            cell.push('\\');
        }
        cell.push(c);
    }
    cell
}
