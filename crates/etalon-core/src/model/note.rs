//! Remarks of a record.
//!
//! Owns the kinds of remarks from which something follows, and their words in records. Refuses to word them: whoever makes a remark does.

/// A non-fatal remark about something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The subject: a benchmark's name, a file, or the experiment.
    pub about: String,
    /// One sentence, without a final full stop.
    pub text: String,
    /// The kind of remark, where something follows from it.
    pub code: Option<NoteCode>,
}

/// Kinds of remarks from which something follows; all others are only shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteCode {
    /// The execution was resumed here: what came before belongs to an earlier sitting.
    Resumed,
    /// The machine is not fit for small differences.
    UnfitMachine,
    /// A file describes no case.
    NoCase,
}

impl NoteCode {
    pub(crate) const ALL: [NoteCode; 3] =
        [NoteCode::Resumed, NoteCode::UnfitMachine, NoteCode::NoCase];

    /// Its word in records and documents.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            NoteCode::Resumed => "resumed",
            NoteCode::UnfitMachine => "unfit_machine",
            NoteCode::NoCase => "no_case",
        }
    }

    /// The one of that word; absent of one of a newer version, from which nothing follows here.
    #[must_use]
    pub fn from_word(word: &str) -> Option<NoteCode> {
        NoteCode::ALL.into_iter().find(|code| code.word() == word)
    }
}

impl Note {
    /// A remark from which nothing follows.
    pub fn new(about: impl Into<String>, text: impl Into<String>) -> Note {
        Note { about: about.into(), text: text.into(), code: None }
    }

    /// The remark as one of this kind.
    #[must_use]
    pub fn with_code(self, code: NoteCode) -> Note {
        Note { code: Some(code), ..self }
    }
}
