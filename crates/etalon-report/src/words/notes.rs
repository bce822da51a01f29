//! Notes in words, for every report: a file a kind of thing that they are about.
//!
//! Owns what becomes of a note on the way to a sentence. Refuses to say which notes a report shows.

mod cases;
mod cells;
mod checks;
mod comparisons;
mod design;
mod executions;
mod sides;

use std::collections::HashSet;

use etalon_core::analysis::Analysis;
use etalon_core::model::Metric;
use etalon_core::notes::{DesignNote, Note, NoteKind};

use crate::text::clean;
use crate::view::Style;

pub(crate) use cases::{finds_strings, gives_back};
pub(crate) use comparisons::{medians_outside, widened};
pub(crate) use design::how_cut_short;
pub(crate) use executions::executions;

/// A note in words.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct WordedNote {
    pub(crate) code: &'static str,
    pub(crate) about: String,
    pub(crate) text: String,
}

/// The notes that are kept, in words: those about the experiment, then those about single metrics for which `shown`
/// holds; each once. Columns have the names of that style.
pub(crate) fn notes(
    analysis: &Analysis,
    shown: impl Fn(&Metric) -> bool,
    kept: impl Fn(&NoteKind) -> bool,
    style: Style,
) -> Vec<WordedNote> {
    let mut seen = HashSet::new();
    let ranked = analysis.rankings.first().map(|ranking| &ranking.metric);
    let worded = |Note { about, what }: Note| WordedNote {
        code: what.code(),
        text: text(&what, &about, (ranked, style)),
        about,
    };
    let all = analysis.notes_about(shown).filter(|note| kept(&note.what)).map(worded);
    all.filter(|note| seen.insert((note.about.clone(), note.text.clone()))).collect()
}

/// A note as a sentence of its own, with its subject; one on a check as a line without a full stop.
#[must_use]
pub fn note_sentence(Note { about, what }: &Note) -> String {
    let said = text(what, about, (None, Style::Etalon));
    let names_its_subject = matches!(
        what,
        NoteKind::Sides(_)
            | NoteKind::Design(
                DesignNote::LooksPaid { .. }
                    | DesignNote::KeptApart { .. }
                    | DesignNote::NothingIgnored { .. }
            )
    );
    clean(&match what {
        NoteKind::Check(_) => said,
        _ if names_its_subject || about.is_empty() => format!("{said}."),
        _ => format!("{about}: {said}."),
    })
}

/// A note in words, with its code.
pub(crate) fn worded(note: &Note) -> WordedNote {
    let Note { about, what } = note;
    let text = text(what, about, (None, Style::Etalon));
    WordedNote { code: what.code(), about: about.clone(), text }
}

/// A note behind its subject, as a line without a full stop.
#[must_use]
pub fn note_line(Note { about, what }: &Note) -> String {
    clean(&format!("{about}: {}", text(what, about, (None, Style::Etalon))))
}

/// The sentences of several.
pub(crate) fn note_sentences(notes: &[Note]) -> Vec<String> {
    notes.iter().map(note_sentence).collect()
}

/// A note at its place in a table, as a sentence without its full stop.
pub(crate) fn cell_note(note: &NoteKind) -> String {
    text(note, "", (None, Style::Etalon))
}

/// A note about something, as a sentence without its full stop; comparisons are of the ranked metric.
fn text(note: &NoteKind, about: &str, (ranked, style): (Option<&Metric>, Style)) -> String {
    match note {
        NoteKind::Recorded { text, .. } => text.clone(),
        NoteKind::Executions(note) => executions(note),
        NoteKind::Metric(note) => executions::metric(note),
        NoteKind::Design(note) => design::design(note),
        NoteKind::Comparison(note) => comparisons::comparison(note, ranked),
        NoteKind::Runtime(note) => cases::runtime(note).to_owned(),
        NoteKind::Case(note) => cases::case(note, style),
        NoteKind::Cell(note) => cells::cell(note),
        NoteKind::Column(note) => cells::column(note),
        NoteKind::Sides(note) => sides::sides(note),
        NoteKind::Check(note) => checks::check(note, about),
    }
}
