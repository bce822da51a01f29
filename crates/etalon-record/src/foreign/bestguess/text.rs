//! Text cells: which escapes they hold, and what they mean.
//!
//! Owns telling BestGuess's own rows from those of RFC 4180 writers (etalon is one). BestGuess
//! writes a backslash, a tab and the two ends of line as `\\`, `\t`, `\r`, `\n`, always, and a
//! quote as `""` or, in its first versions, `\"`; RFC 4180 knows the doubled quote only. Refuses to touch a
//! backslash in any other company.

use std::borrow::Cow;

use super::split::{Field, Quotes};

/// How the text of a row is escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// Only doubled quotes in quoted fields.
    Rfc4180,
    /// Backslashes too.
    Backslash,
}

/// Whether a text field shows that BestGuess wrote it: it quotes all text or none, whether or not
/// it needs to, which writers that follow RFC 4180 because they must do not do.
pub(super) fn is_bestguess(field: Field, bytes: &[u8], quotes: Quotes) -> bool {
    let text = field.slice(bytes);
    if quotes == Quotes::Backslash {
        return true;
    }
    let special = text.iter().any(|b| matches!(b, b'"' | b',' | b'\r' | b'\n'));
    special != field.quoted
}

/// The text a field stands for.
pub(super) fn unescaped<'a>(field: Field, bytes: &'a [u8], escapes: Escapes) -> Cow<'a, [u8]> {
    let text = field.slice(bytes);
    let backslash = escapes == Escapes::Backslash;
    if !text.iter().any(|b| *b == b'"' || (*b == b'\\' && backslash)) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        let pair = match (first, tail.first()) {
            (b'"', Some(b'"')) => Some(b'"'),
            (b'\\', Some(next)) if backslash => meaning(*next),
            _ => None,
        };
        out.push(pair.unwrap_or(*first));
        rest = if pair.is_some() { &tail[1..] } else { tail };
    }
    Cow::Owned(out)
}

/// The character that one after a backslash stands for.
fn meaning(escaped: u8) -> Option<u8> {
    match escaped {
        b'\\' | b'"' => Some(escaped),
        b'n' => Some(b'\n'),
        b'r' => Some(b'\r'),
        b't' => Some(b'\t'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, escapes: Escapes) -> String {
        let field = Field { start: 0, end: text.len(), quoted: true };
        String::from_utf8(unescaped(field, text.as_bytes(), escapes).into_owned()).unwrap()
    }

    #[test]
    fn both_ways() {
        assert_eq!(
            read(r#"a ""b"" \\ \" \n\r\t \d \"#, Escapes::Backslash),
            "a \"b\" \\ \" \n\r\t \\d \\"
        );
        assert_eq!(read(r#"a ""b"" \\ \n "#, Escapes::Rfc4180), r#"a "b" \\ \n "#);
    }

    #[test]
    fn needless_quotes_give_bestguess_away() {
        let shows = |text: &str, quoted| {
            let field = Field { start: 0, end: text.len(), quoted };
            is_bestguess(field, text.as_bytes(), Quotes::Doubled)
        };
        assert!(shows("ls", true) && shows("", true) && shows("bc \"\"x\"\"", false));
        assert!(!shows("a,b", true) && !shows("ls", false) && !shows("", false));
    }
}
