//! Splitting CSV into records.
//!
//! Owns the grammar, which is RFC 4180 and two deviations of BestGuess: quotes within a field that
//! does not start with one are text, and old versions write `\"` for a quote within quotes. Refuses
//! to decide between the two readings of `\"`: [`super::read`] does, by the number of fields. A
//! CSV library cannot give a record up again: one lone quote costs it the rest of the file.

/// How a quote is written within quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    /// Doubled; a backslash is a backslash.
    Doubled,
    /// After a backslash.
    Backslash,
}

/// A field within the bytes that were split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    /// Where its text starts, after the quote if there is one.
    pub(super) start: usize,
    /// Where its text ends.
    pub(super) end: usize,
    /// Whether it was in quotes.
    pub(super) quoted: bool,
}

impl Field {
    /// Its text as written.
    pub(super) fn slice(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start..self.end]
    }
}

/// The most fields a record may have. Because: the widest version has 15, and quotes that open again
/// and again must not make a damaged file cost much more than its length.
pub(super) const MOST_FIELDS: usize = 64;

/// The result of splitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Split {
    /// A record of so many bytes, its end of line included.
    Record(usize),
    /// The record goes on after the bytes there are.
    More,
    /// It is none.
    Broken(Fault),
}

/// Why bytes are no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// Something follows a closing quote.
    AfterQuote,
    /// A quote has no end.
    Unclosed,
    /// More than [`MOST_FIELDS`].
    Fields,
}

impl Fault {
    /// As part of a note.
    pub(super) fn text(self) -> &'static str {
        match self {
            Fault::AfterQuote => "a quote within a field is neither doubled nor escaped",
            Fault::Unclosed => "a quote is not closed",
            Fault::Fields => "it has more than 64 fields",
        }
    }
}

/// Splits the record at the start of `bytes` into `fields`. `ends` says that nothing comes after
/// `bytes`.
pub(super) fn split(bytes: &[u8], ends: bool, quotes: Quotes, fields: &mut Vec<Field>) -> Split {
    fields.clear();
    let mut at = 0;
    loop {
        if fields.len() == MOST_FIELDS {
            return Split::Broken(Fault::Fields);
        }
        let (field, after) = match bytes.get(at) {
            Some(b'"') => match closing(bytes, at + 1, quotes) {
                Some(end) => (Field { start: at + 1, end, quoted: true }, end + 1),
                None if ends => return Split::Broken(Fault::Unclosed),
                None => return Split::More,
            },
            _ => {
                let end = at + bare(&bytes[at..]);
                (Field { start: at, end, quoted: false }, end)
            }
        };
        fields.push(field);
        match bytes[after..] {
            [b',', ..] => at = after + 1,
            [b'\n', ..] => return Split::Record(after + 1),
            [b'\r', b'\n', ..] => return Split::Record(after + 2),
            [] | [b'\r'] if ends => return Split::Record(bytes.len()),
            [] | [b'\r'] => return Split::More,
            _ => return Split::Broken(Fault::AfterQuote),
        }
    }
}

/// The length of a field without quotes. The carriage return of an end of line is not part of it.
fn bare(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|b| matches!(b, b',' | b'\n')).unwrap_or(bytes.len());
    end - usize::from(bytes.get(end) != Some(&b',') && bytes[..end].ends_with(b"\r"))
}

/// Where the quote that closes a field stands.
fn closing(bytes: &[u8], from: usize, quotes: Quotes) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes[at..].iter().position(|b| matches!(b, b'"' | b'\\'))?;
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', Some(b'"')) if quotes == Quotes::Doubled => at += 2,
            (b'"', _) => return Some(at),
            (_, Some(_)) if quotes == Quotes::Backslash => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(bytes: &str, quotes: Quotes) -> Result<Vec<&str>, Split> {
        let mut fields = Vec::new();
        match split(bytes.as_bytes(), true, quotes, &mut fields) {
            Split::Record(length) if length == bytes.len() => {
                Ok(fields.iter().map(|f| &bytes[f.start..f.end]).collect())
            }
            other => Err(other),
        }
    }

    #[test]
    fn both_kinds_of_quotes() {
        let doubled = |text| fields(text, Quotes::Doubled);
        assert_eq!(doubled("\"a,b\",\"\",c\r\n"), Ok(vec!["a,b", "", "c"]));
        assert_eq!(doubled("\"a\"\"b\"\"\",\"x\\\",1\n"), Ok(vec!["a\"\"b\"\"", "x\\", "1"]));
        assert_eq!(doubled("bc \"\"x\"\",,0"), Ok(vec!["bc \"\"x\"\"", "", "0"]));
        assert_eq!(doubled("\"a\nb\",1\n"), Ok(vec!["a\nb", "1"]));
        assert_eq!(doubled(",\n"), Ok(vec!["", ""]));
        let backslash = |text| fields(text, Quotes::Backslash);
        assert_eq!(backslash("\"a \\\"*.b\\\"\",1\n"), Ok(vec!["a \\\"*.b\\\"", "1"]));
        assert_eq!(backslash("\"a\\\\\",1\n"), Ok(vec!["a\\\\", "1"]));
        assert_eq!(backslash("\"\",1\n"), Ok(vec!["", "1"]));
    }

    #[test]
    fn what_is_none() {
        let broken = |text| fields(text, Quotes::Doubled).unwrap_err();
        assert_eq!(broken("\"a\"b,1\n"), Split::Broken(Fault::AfterQuote));
        assert_eq!(broken("\"a,1\n"), Split::Broken(Fault::Unclosed));
        assert_eq!(broken(&",".repeat(300)), Split::Broken(Fault::Fields));
        let mut found = Vec::new();
        for part in ["", "a", "\"a", "\"a\"", "\"a\"\"", "a,b\r", "\"a\"\r"] {
            let one = split(part.as_bytes(), false, Quotes::Doubled, &mut found);
            assert_eq!(one, Split::More, "{part}");
        }
    }
}
