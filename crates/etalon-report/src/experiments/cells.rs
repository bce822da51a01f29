//! Tables of a page in Markdown: rows of cells, and texts in them.

use crate::table::{self, Align, Spacing, escaped, grid};
use crate::text::clean;

/// Rows of cells in Markdown as a table; the columns from `numbers` on stand at the right.
pub(super) fn laid_out(titles: &[String], numbers: usize, rows: &[Vec<String>]) -> String {
    let align = |at| if at < numbers { Align::Left } else { Align::Right };
    let titles: Vec<_> =
        titles.iter().enumerate().map(|(at, title)| (title.clone(), align(at))).collect();
    grid(&titles, rows, Spacing::Open).trim_end_matches('\n').to_owned()
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

/// A name as code; words as they are.
pub(super) fn called(name: &str) -> String {
    if name.contains(' ') { plain(name) } else { code(name) }
}
