//! JSON in which every character is seen: names from outside may hold some that hide, or reorder a line.
//!
//! Owns: their escapes, which mean the same to whoever parses the document. Refuses: to leave any out.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use crate::text::hides;

/// Writes a document, indented, with a final newline.
///
/// # Errors
/// What the writer returns.
pub fn write_document<T: Serialize>(document: &T, out: &mut dyn Write) -> io::Result<()> {
    let formatter = Visible(PrettyFormatter::with_indent(b" "));
    document.serialize(&mut Serializer::with_formatter(&mut *out, formatter))?;
    writeln!(out)?;
    out.flush()
}

/// Indents, and escapes what hides.
struct Visible(PrettyFormatter<'static>);

impl Formatter for Visible {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, hidden)) = rest.char_indices().find(|(_, c)| hides(*c)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            for unit in hidden.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + hidden.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(w, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(w, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Would catch a character that passes, and one that comes back as another.
    #[test]
    fn what_hides_is_escaped_and_comes_back() {
        let name = "a\u{202e}b\u{ad}\u{7f}\u{e0041} µ漢\n\"";
        let document = json!({ name: [name, 1.5, {}, []] });
        let mut written = Vec::new();
        write_document(&document, &mut written).unwrap();
        let text = String::from_utf8(written).unwrap();
        assert!(!text.trim_end().replace('\n', "").contains(hides), "{text}");
        assert!(text.contains(r#"a\u202eb\u00ad\u007f\udb40\udc41 µ漢\n\""#), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), document);
    }
}
