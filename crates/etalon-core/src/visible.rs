//! Characters that are not seen as what they are: control characters, and what a terminal, an editor or a
//! reviewer does not show, or shows in another order.
//!
//! Owns which those are, and how they are written instead: in JSON as escapes that parse to the same text, in
//! other text as `\u{202e}`. Refuses to judge what is seen: two letters that look alike are two letters.

use std::io::{self, Write};

/// Whether a character is a control character, changes the order of others, or is not seen at all: Unicode's
/// `Default_Ignorable_Code_Point` (UAX 44, Unicode 16), its format characters that are interlinear or line breaks,
/// and tags.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// In what a character is escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// `\u202e`, a pair of them above U+FFFF: the document says the same.
    Json,
    /// `\u{202e}`; line feeds and tabs stay.
    Text,
}

impl Escapes {
    /// Whether a character is written as an escape. White space between JSON's tokens stays; within its strings it
    /// is escaped already.
    fn apply_to(self, c: char) -> bool {
        let layout = match self {
            Escapes::Json => matches!(c, '\n' | '\r' | '\t'),
            Escapes::Text => matches!(c, '\n' | '\t'),
        };
        is_hidden(c) && !layout
    }

    /// Whether nothing of this is escaped, as far as bytes say: nearly all text is ASCII.
    fn leave(self, bytes: &[u8]) -> bool {
        bytes.iter().all(|byte| byte.is_ascii() && !self.apply_to(char::from(*byte)))
    }

    fn push(self, out: &mut String, c: char) {
        match self {
            Escapes::Json => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            Escapes::Text => out.extend(c.escape_unicode()),
        }
    }

    /// The text with every hidden character as its escape. JSON has such characters in strings only.
    #[must_use]
    pub(crate) fn escape(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            if self.apply_to(c) { self.push(&mut out, c) } else { out.push(c) }
        }
        out
    }
}

/// Escapes what is hidden in the JSON that was appended to a buffer from a place on.
pub fn escape_json(buffer: &mut Vec<u8>, from: usize) {
    // Nearly all JSON is ASCII, of which DEL is the only one that JSON itself leaves as it is.
    if buffer[from..].iter().all(|byte| byte.is_ascii() && *byte != 0x7f) {
        return;
    }
    let escaped = Escapes::Json.escape(&String::from_utf8_lossy(&buffer[from..]));
    buffer.truncate(from);
    buffer.extend_from_slice(escaped.as_bytes());
}

/// A writer that takes UTF-8 in any pieces and hands it on with hidden characters as escapes.
#[derive(Debug)]
pub struct EscapingWriter<W: Write> {
    out: W,
    escapes: Escapes,
    /// The beginning of a character whose end has not come.
    begun: Vec<u8>,
}

impl<W: Write> EscapingWriter<W> {
    /// Writes to `out`.
    pub fn new(out: W, escapes: Escapes) -> EscapingWriter<W> {
        EscapingWriter { out, escapes, begun: Vec::new() }
    }
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.is_empty() && self.escapes.leave(bytes) {
            self.out.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let whole = match all.utf8_chunks().last() {
            // Not more than three bytes can still become a character.
            Some(chunk) if is_begun(chunk.invalid()) => all.len() - chunk.invalid().len(),
            _ => all.len(),
        };
        self.begun = all.split_off(whole);
        self.out.write_all(self.escapes.escape(&String::from_utf8_lossy(&all)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether these bytes are no character yet and can become one.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = String> {
        let hidden = "\u{202e}\u{200b}\u{ad}\u{61c}\u{1b}\0\u{7f}\u{9b}\u{2066}\u{e0041}\u{3164}";
        proptest::string::string_regex(&format!("[a\"\\\\\né漢😀{hidden}]{{0,12}}")).unwrap()
    }

    proptest! {
        /// Would catch a character that JSON loses or changes, and one that stays hidden.
        #[test]
        fn json_says_the_same_and_hides_nothing(text in text()) {
            let mut json = b"{".to_vec();
            serde_json::to_writer(&mut json, &text).unwrap();
            escape_json(&mut json, 1);
            let json = String::from_utf8(json[1..].to_vec()).unwrap();
            prop_assert!(!json.contains(is_hidden), "{}", json);
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }

        /// Would catch a character that is lost or doubled where a piece ends within it.
        #[test]
        fn pieces_are_written_like_the_whole(text in text(), size in 1_usize..5) {
            for escapes in [Escapes::Json, Escapes::Text] {
                let mut out = Vec::new();
                let mut writer = EscapingWriter::new(&mut out, escapes);
                for piece in text.as_bytes().chunks(size) {
                    writer.write_all(piece).unwrap();
                }
                prop_assert_eq!(String::from_utf8(out).unwrap(), escapes.escape(&text));
            }
        }
    }

    #[test]
    fn what_is_seen_stays() {
        let seen = "a\tb\n│ ÄÖ é 漢字 e\u{301} \u{a0}😀";
        assert_eq!(Escapes::Text.escape(seen), seen);
        assert_eq!(
            Escapes::Text.escape("x\u{1b}[2J\r\u{202e}\u{ad}\0"),
            "x\\u{1b}[2J\\u{d}\\u{202e}\\u{ad}\\u{0}"
        );
        assert_eq!(Escapes::Json.escape("\"\u{7f}\u{e0041}\""), "\"\\u007f\\udb40\\udc41\"");
    }
}
