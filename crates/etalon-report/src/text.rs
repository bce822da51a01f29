//! Text from outside made safe to show, and laid out by display width.
//!
//! Control characters, escape sequences, line breaks and direction overrides are shown as escapes;
//! widths are terminal columns, not characters. Nothing is cut: what is too wide is wrapped.

use etalon_core::shell::copied;
use etalon_core::visible::is_hidden;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text with everything that could move a cursor, change a colour or reorder a line shown as
/// an escape.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// A name or a query of the user's in a sentence, between quotes; not to be read by a program.
#[must_use]
pub fn named(text: &str) -> String {
    format!("\"{}\"", clean(text))
}

/// The line to type to execute a command of etalon's again, wherever etalon was then; nothing for no words.
#[must_use]
pub fn typed_again(words: &[String]) -> Option<String> {
    let (_, words) = words.split_first()?;
    let words = words.iter().map(|word| copied(word).into_owned());
    let line: Vec<String> = std::iter::once("etalon".to_owned()).chain(words).collect();
    Some(line.join(" "))
}

/// Columns the text takes on a terminal.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text followed by spaces up to `columns`.
#[must_use]
pub fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text preceded by spaces up to `columns`.
#[must_use]
pub fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text centred in `columns`.
#[must_use]
pub(crate) fn centre(text: &str, columns: usize) -> String {
    let before = columns.saturating_sub(width(text)) / 2;
    left(&format!("{}{text}", " ".repeat(before)), columns)
}

/// The text in at most `columns`: of what is too wide the beginning, `sign` and, of half that length, the end.
/// Because: commands differ in their first words more often than in their last. The one place where something is
/// cut; the whole name stands in every complete report.
#[must_use]
pub fn shortened(text: &str, columns: usize, sign: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(width(sign));
    let head = fitting(text.chars(), room - room / 3);
    let tail: String = fitting(text.chars().rev(), room - width(&head)).chars().rev().collect();
    format!("{head}{}{tail}", if columns == 0 { "" } else { sign })
}

/// The first characters that fit.
fn fitting(characters: impl Iterator<Item = char>, columns: usize) -> String {
    let mut text = String::new();
    for c in characters {
        text.push(c);
        if width(&text) > columns {
            text.pop();
            break;
        }
    }
    text
}

/// The text in lines of at most `columns`, broken at spaces where there are any, inside a word
/// where a word alone is too wide. At least one line; nothing is lost but the spaces at breaks.
#[must_use]
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2); // a wide character has to fit
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let space = usize::from(used > 0);
        if used + space + width(word) <= columns {
            push(&mut lines, &" ".repeat(space));
            push(&mut lines, word);
            used += space + width(word);
            continue;
        }
        if used > 0 {
            lines.push(String::new());
            used = 0;
        }
        for c in word.chars() {
            let w = c.width().unwrap_or(0);
            if used + w > columns {
                lines.push(String::new());
                used = 0;
            }
            push(&mut lines, c.encode_utf8(&mut [0; 4]));
            used += w;
        }
    }
    lines
}

/// A lead and the text after it, wrapped within `columns`; later lines begin under the text.
#[must_use]
pub fn hanging(lead: &str, text: &str, columns: usize) -> Vec<String> {
    let indent = " ".repeat(width(lead));
    let lines = wrap(text, columns.saturating_sub(width(lead)));
    let place =
        |(i, line): (usize, &String)| format!("{}{line}", if i == 0 { lead } else { &indent });
    lines.iter().enumerate().map(place).collect()
}

fn push(lines: &mut [String], text: &str) {
    if let Some(line) = lines.last_mut() {
        line.push_str(text);
    }
}

/// Any text: what formats mean something by, controls, and what is not seen, reorders or is no letter.
#[cfg(test)]
pub(crate) fn hostile() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;

    let odd = "\u{93f}|e\u{301}|\u{a0}|\u{3000}|\u{200d}|\u{202e}|\u{feff}|\u{fffe}|\u{85}|[\\x00-\\x1f]|\\x7f";
    let meant = r#"[ |\\`*_~^$#<>&"'\[\](){}!:=+,;.-]|a|7|1\.|<b>|&amp;|</|\\\||``"#;
    prop_oneof![
        prop::collection::vec(any::<char>(), 0..12).prop_map(|chars| chars.into_iter().collect()),
        proptest::string::string_regex(&format!("({odd}|{meant}){{0,10}}")).unwrap(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_can_drive_the_terminal() {
        assert_eq!(clean("a\x1b[31mb\nc\td\r\u{7}\u{9b}"), "a\\u{1b}[31mb\\nc\\td\\r\\u{7}\\u{9b}");
        assert_eq!(clean("abc\u{202e}def\u{200b}"), "abc\\u{202e}def\\u{200b}");
        assert_eq!(clean("│ | \"quoted\" ÄÖ 漢字"), "│ | \"quoted\" ÄÖ 漢字");
    }

    #[test]
    fn widths_are_columns() {
        assert_eq!(right("漢字", 6), "  漢字");
        assert_eq!(left("é", 3), "é  ");
        assert_eq!(centre("ab", 5), " ab  ");
    }

    #[test]
    fn the_middle_goes() {
        assert_eq!(shortened("gzip -9 -c Cargo.lock", 30, "…"), "gzip -9 -c Cargo.lock");
        assert_eq!(shortened("gzip -9 -c Cargo.lock", 12, "…"), "gzip -9 …ock");
        assert_eq!(shortened("gzip -9", 5, "~"), "gzi~9");
        let short = |columns| shortened("gzip", columns, "…");
        assert_eq!([short(4), short(3), short(1), short(0)], ["gzip", "gz…", "…", ""]);
        for columns in 0..20 {
            assert!(width(&shortened("漢字 and some words", columns, "…")) <= columns);
        }
    }

    #[test]
    fn wrapping_loses_nothing() {
        for text in [
            "",
            "a",
            "one two three four",
            "averyveryverylongword and more",
            "漢字漢字漢字",
            " a  b ",
        ] {
            for columns in 2..12 {
                let lines = wrap(text, columns);
                assert!(lines.iter().all(|l| width(l) <= columns), "{lines:?}");
                let squeeze = |s: &str| s.chars().filter(|c| *c != ' ').collect::<String>();
                assert_eq!(squeeze(&lines.concat()), squeeze(text));
            }
        }
    }
}
