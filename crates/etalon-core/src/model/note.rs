//! Remarks of a record.
//!
//! Owns the kinds of remarks from which something follows. Refuses to word them: whoever makes a remark does.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteCode {
    /// The execution was resumed here: what came before belongs to an earlier sitting.
    Resumed,
    /// The machine is not fit for small differences.
    UnfitMachine,
    /// A file describes no case.
    NoCase,
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
