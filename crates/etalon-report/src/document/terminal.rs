//! A document on a terminal.

use super::{Document, Part, UNBROKEN};
use crate::style;
use crate::table;
use crate::text::{hanging, wrap};
use crate::view::{View, WIDEST_TEXT};

/// The lines, none wider than the view.
pub(crate) fn terminal(document: &Document, view: View) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut before: Option<&Part> = None;
    for part in &document.parts {
        let laid_out = part_lines(part, view);
        if laid_out.is_empty() {
            continue;
        }
        if before.is_some_and(|before| !is_right_under(part, before)) {
            lines.push(String::new());
        }
        lines.extend(laid_out);
        before = Some(part);
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

/// Whether no empty line stands between two parts.
fn is_right_under(part: &Part, before: &Part) -> bool {
    match part {
        Part::Answer(_) => matches!(before, Part::Answer(_)),
        Part::Sentence(_) => matches!(before, Part::Answer(_) | Part::Sentence(_)),
        Part::More(_) => matches!(before, Part::Notes(_)),
        _ => false,
    }
}

fn part_lines(part: &Part, view: View) -> Vec<String> {
    let text = |text: &String| view.charset.spell(text);
    let columns = view.width.min(WIDEST_TEXT);
    match part {
        Part::Answer(sentence) => {
            // A factor stays with its sign, and an interval is whole.
            let sentence = [" ×", " %", " …", "… "]
                .iter()
                .fold(sentence.clone(), |it, tied| it.replace(tied, &tied.replace(' ', UNBROKEN)));
            let lines = wrap(&view.charset.spell(&sentence), columns);
            let line = |line: String| style::bold(&line.replace(UNBROKEN, " "), view.colour);
            lines.into_iter().map(line).collect()
        }
        Part::Sentence(sentence) | Part::More(sentence) => wrap(&text(sentence), columns),
        Part::Tables(tables) => table::quiet(tables, view),
        Part::Lines(lines) => lines.iter().map(text).collect(),
        Part::Footnotes(notes) => {
            let numbered = notes.iter().enumerate();
            let lead = |at: usize| format!("[{}] ", at + 1);
            numbered.flat_map(|(at, note)| hanging(&lead(at), &text(note), columns)).collect()
        }
        Part::Notes(notes) => {
            notes.iter().flat_map(|note| hanging("Note: ", &text(note), columns)).collect()
        }
    }
}
