//! Queries as text: how a word has to be written so that reading it gives the same word.
//!
//! Owns the one quoting of the language, for keys and for values alike: a word is bare where it is read as itself in
//! every place, else between quotes, with the escapes that [`super::lexer`] reads. What is not seen
//! ([`crate::visible`]) is an escape, so that a text survives being shown and copied. Refuses to read.

use std::borrow::Cow;
use std::fmt::Write;

use super::key::Key;
use crate::visible::is_hidden;

/// A word as a query has to have it to mean exactly that text, as a value as well as where a key is expected.
#[must_use]
pub fn quoted(word: &str) -> Cow<'_, str> {
    if is_bare(word) { Cow::Borrowed(word) } else { Cow::Owned(between_quotes(word)) }
}

impl Key {
    /// The key as a query has to have it.
    #[must_use]
    pub fn written(&self) -> String {
        match self {
            // Where a key is expected, a slash begins no regular expression.
            Key::Part(part) if part.is_empty() || is_bare(part) => format!("/{part}"),
            Key::Part(_) => between_quotes(&self.to_string()),
            key => quoted(&key.to_string()).into_owned(),
        }
    }
}

/// Whether a word is read as itself without quotes, wherever it stands.
fn is_bare(word: &str) -> bool {
    let means_something = |c: char| {
        c.is_whitespace() || is_hidden(c) || matches!(c, '(' | ')' | ':' | '@' | ',' | '"' | '\\')
    };
    !word.is_empty()
        && !matches!(word, "AND" | "OR")
        && !word.starts_with(['-', '*', '/'])
        && !word.contains(means_something)
}

fn between_quotes(word: &str) -> String {
    let mut text = String::with_capacity(word.len() + 2);
    text.push('"');
    for c in word.chars() {
        let code = u32::from(c);
        // Writing to a string cannot fail.
        let _infallible = match c {
            '"' | '\\' => write!(text, "\\{c}"),
            '\n' => write!(text, "\\n"),
            '\r' => write!(text, "\\r"),
            '\t' => write!(text, "\\t"),
            c if !is_hidden(c) => write!(text, "{c}"),
            _ if code <= 0xffff => write!(text, "\\u{code:04x}"),
            _ => write!(text, "\\U{code:08x}"),
        };
    }
    text.push('"');
    text
}
