//! A note: its code for programs, its words for people, and the id of what it is about.

use etalon_core::notes;
use serde::Serialize;

use crate::words::{WordedNote, worded};

/// A remark, which every report makes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Note {
    /// Its kind; codes do not change.
    #[cfg_attr(test, schemars(extend("enum" = super::codes::note_codes())))]
    code: &'static str,
    /// Its subject in words: a benchmark, a comparison, a column, a part of the experiment; `null` of all.
    about: Option<String>,
    /// The `id` of the benchmark that it is about, where it is about one.
    benchmark: Option<usize>,
    /// The `id` of the comparison that it is about, of one.
    comparison: Option<usize>,
    /// In words, which may change.
    text: String,
}

impl Note {
    /// A note on a subject in words; without any, on all.
    pub(super) fn new(code: &'static str, about: String, text: String) -> Note {
        let about = (!about.is_empty()).then_some(about);
        Note { code, about, benchmark: None, comparison: None, text }
    }

    pub(super) fn from_note(note: &notes::Note) -> Note {
        Note::from_words(worded(note))
    }

    pub(super) fn from_words(WordedNote { code, about, text }: WordedNote) -> Note {
        Note::new(code, about, text)
    }

    /// With the benchmark that it is about.
    pub(super) fn on_benchmark(self, benchmark: Option<usize>) -> Note {
        Note { benchmark, ..self }
    }

    /// With the comparison that it is about.
    pub(super) fn on_comparison(self, comparison: Option<usize>) -> Note {
        Note { comparison, ..self }
    }

    pub(super) fn code(&self) -> &'static str {
        self.code
    }

    /// The subject.
    pub(super) fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }
}
