//! The line of a note.
//!
//! Owns the key `code`, and which notes had a meaning before there was that key.

use etalon_core::model::{Note, NoteCode};
use serde::{Deserialize, Serialize};

/// A note line.
#[derive(Serialize, Deserialize)]
pub(super) struct NoteWire {
    about: String,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

impl From<&Note> for NoteWire {
    fn from(note: &Note) -> NoteWire {
        let code = note.code.map(|code| code.word().to_owned());
        NoteWire { about: note.about.clone(), text: note.text.clone(), code }
    }
}

impl From<NoteWire> for Note {
    fn from(wire: NoteWire) -> Note {
        let NoteWire { about, text, code } = wire;
        let code = match code {
            None => before_the_key(&about, &text),
            Some(word) => NoteCode::from_word(&word),
        };
        Note { about, text, code }
    }
}

/// How notes began that had a meaning before there was the key, and what they are about.
const BEFORE_THE_KEY: [(&str, &str, NoteCode); 2] = [
    ("execution", "resumed from ", NoteCode::Resumed),
    ("machine", "it was not fit for small differences: ", NoteCode::UnfitMachine),
];

fn before_the_key(about: &str, text: &str) -> Option<NoteCode> {
    let is_it =
        |(of, begins, _): &&(&str, &str, NoteCode)| *of == about && text.starts_with(begins);
    BEFORE_THE_KEY.iter().find(is_it).map(|(_, _, code)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Note {
        serde_json::from_str::<NoteWire>(line).unwrap().into()
    }

    /// Would catch a record from before the key whose sittings become one, one whose unfit machine is not told of, and
    /// a note of a newer version that cannot be read.
    #[test]
    fn notes_keep_their_meaning() {
        for code in [NoteCode::Resumed, NoteCode::UnfitMachine, NoteCode::NoCase] {
            let note = Note::new("a", "b").with_code(code);
            assert_eq!(read(&serde_json::to_string(&NoteWire::from(&note)).unwrap()), note);
        }
        let code = |about: &str, text: &str| {
            read(&format!(r#"{{"about":"{about}","text":"{text}"}}"#)).code
        };
        assert_eq!(code("execution", "resumed from x"), Some(NoteCode::Resumed));
        assert_eq!(code("a", "resumed from x"), None);
        let unfit = "it was not fit for small differences: turbo on";
        assert_eq!(code("machine", unfit), Some(NoteCode::UnfitMachine));
        assert_eq!(read(r#"{"about":"a","text":"b","code":"eclipse"}"#), Note::new("a", "b"));
    }
}
