//! JSON in which every character is seen: names from outside may hold some that hide, or reorder a line.
//!
//! Owns the layout of a document. Refuses to leave a hidden character as it is: its escape means the same to whoever
//! parses the document.

use std::io::{self, BufWriter, Write};

use etalon_core::visible::{Escapes, EscapingWriter};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::PrettyFormatter;

/// Writes a document, indented, with a final newline.
///
/// # Errors
/// Errors of the writer.
pub fn write_document<T: Serialize>(document: &T, out: &mut dyn Write) -> io::Result<()> {
    let formatter = PrettyFormatter::with_indent(b" ");
    // A document comes in pieces of some bytes: looked at one by one, they take longer than all the rest.
    let mut visible = BufWriter::new(EscapingWriter::new(&mut *out, Escapes::Json));
    document.serialize(&mut Serializer::with_formatter(&mut visible, formatter))?;
    visible.flush()?;
    drop(visible);
    writeln!(out)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_core::visible::is_hidden;
    use serde_json::{Value, json};

    /// Would catch a character that passes, and one that comes back as another.
    #[test]
    fn what_hides_is_escaped_and_comes_back() {
        let name = "a\u{202e}b\u{ad}\u{7f}\u{e0041} µ漢\n\"";
        let document = json!({ name: [name, 1.5, {}, []] });
        let mut written = Vec::new();
        write_document(&document, &mut written).unwrap();
        let text = String::from_utf8(written).unwrap();
        assert!(!text.trim_end().replace('\n', "").contains(is_hidden), "{text}");
        assert!(text.contains(r#"a\u202eb\u00ad\u007f\udb40\udc41 µ漢\n\""#), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), document);
    }
}
