//! Footnotes: every note of the analysis once, grouped by what it is about.

use etalon_core::analysis::Analysis;

use super::View;
use crate::text::{clean, wrap};

/// The footnotes' lines; none without notes.
pub(super) fn lines(analysis: &Analysis, view: View) -> Vec<String> {
    let mut lines = Vec::new();
    for note in &analysis.notes {
        let text = format!("{}: {}.", clean(&note.about), clean(&note.text));
        for (i, line) in wrap(&text, view.width - 4).into_iter().enumerate() {
            lines.push(format!("{}{line}", if i == 0 { "  · " } else { "    " }));
        }
    }
    if !lines.is_empty() {
        lines.insert(0, "Notes:".to_owned());
    }
    lines
}
