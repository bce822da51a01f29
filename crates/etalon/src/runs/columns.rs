//! A list in columns, within the width there is: what does not fit is shortened in its middle.

use etalon_report::text::{left, right, width};

/// What stands for characters left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ellipsis {
    /// `…`
    Unicode,
    /// `~`, where the locale is not UTF-8.
    Ascii,
}

impl Ellipsis {
    /// What the environment's locale can show.
    pub(crate) fn of_locale() -> Ellipsis {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
        let locale = locale.unwrap_or_default().to_lowercase();
        match locale.contains("utf-8") || locale.contains("utf8") {
            true => Ellipsis::Unicode,
            false => Ellipsis::Ascii,
        }
    }

    /// etalon's own text in it: signs that are no ASCII are replaced.
    pub(crate) fn spelled(self, text: &str) -> String {
        match self {
            Ellipsis::Unicode => text.to_owned(),
            Ellipsis::Ascii => {
                text.replace('×', "x").replace('±', "+-").replace('…', "~").replace('µ', "u")
            }
        }
    }

    fn text(self) -> &'static str {
        match self {
            Ellipsis::Unicode => "…",
            Ellipsis::Ascii => "~",
        }
    }
}

/// A text in at most so many columns: of one that is longer its beginning and, of half that length, its end.
/// Because: commands differ in their first words more often than in their last.
pub(crate) fn shortened(text: &str, columns: usize, ellipsis: Ellipsis) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(1);
    let head = fitting(text.chars(), room - room / 3);
    let tail: String = fitting(text.chars().rev(), room - width(&head)).chars().rev().collect();
    format!("{head}{}{tail}", if columns == 0 { "" } else { ellipsis.text() })
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

/// Widths for names within `room`: short ones get what they need, the others share the rest evenly.
pub(crate) fn shared(room: usize, wanted: &[usize]) -> Vec<usize> {
    let mut widths = vec![0; wanted.len()];
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&column| wanted[column]);
    let mut left = room;
    for (place, &column) in order.iter().enumerate() {
        widths[column] = wanted[column].min(left / (order.len() - place));
        left -= widths[column];
    }
    widths
}

/// A cell that takes its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Text begins at the left.
    Left,
    /// Numbers end at the right.
    Right,
}

/// A line of cells, two spaces apart; nothing behind the last.
pub(crate) fn line(cells: &[(String, usize, Side)]) -> String {
    let cell = |(text, columns, side): &(String, usize, Side)| match side {
        Side::Left => left(text, *columns),
        Side::Right => right(text, *columns),
    };
    let shown: Vec<String> =
        cells.iter().filter(|(_, columns, _)| *columns > 0).map(cell).collect();
    shown.join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_keep_beginning_and_end() {
        let short = |text, columns| shortened(text, columns, Ellipsis::Unicode);
        assert_eq!(short("gzip -9 -c Cargo.lock", 12), "gzip -9 …ock");
        assert_eq!(short("gzip", 4), "gzip");
        assert_eq!([short("gzip", 3), short("gzip", 1), short("gzip", 0)], ["gz…", "…", ""]);
        for columns in 0..12 {
            assert!(width(&short("漢字漢字漢字", columns)) <= columns);
        }
        assert_eq!(shortened("gzip -9", 5, Ellipsis::Ascii), "gzi~9");
    }

    #[test]
    fn widths_are_shared() {
        assert_eq!(shared(46, &[100, 100]), [23, 23]);
        assert_eq!(shared(46, &[10, 100]), [10, 36]);
        assert_eq!(shared(100, &[10, 0, 20]), [10, 0, 20]);
    }
}
