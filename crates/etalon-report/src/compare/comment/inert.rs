//! Text from outside in a comment: names as code, sentences in which nothing calls anybody or becomes a link.
//!
//! Owns what readers of comments make of `@name`, `#123`, addresses and revisions, and how long a text may be. Refuses
//! to know what a text is about.

use crate::table::{code, escaped, paragraph};
use crate::text::{clean, shortened};

/// A space without width: nothing is read as one word across it.
const GAP: char = '\u{200b}';
/// The longest run of hexadecimal digits that nobody takes for a revision.
const DIGITS: usize = 6;
/// The most columns of a name and of a sentence, and the most bytes for each. Because: many characters take no column.
const NAME: usize = 100;
const SENTENCE: usize = 250;
const BYTES: usize = 2;

/// A name as code, in which nothing has a meaning; nothing for one that is empty.
pub(super) fn name(text: &str) -> String {
    let text = limited(text, NAME);
    let text = text.trim();
    if text.is_empty() { String::new() } else { code(text) }
}

/// A value with its unit: as it is, unless it has characters that no number has.
pub(super) fn value(text: &str) -> String {
    let is_of_numbers = |c: char| c.is_alphanumeric() || " \u{a0}.,+-−…()%±∞×/".contains(c);
    if text.chars().all(is_of_numbers) { text.to_owned() } else { name(text) }
}

/// The name of a quantity, which could be a sentence if it has more than a word.
pub(super) fn quantity(text: &str) -> String {
    if text.contains(char::is_whitespace) { name(text) } else { value(text) }
}

/// A sentence within a paragraph, by somebody who is trusted.
pub(super) fn sentence(text: &str) -> String {
    escaped(&gapped(&limited(text, SENTENCE)))
}

/// Names of more than one word, of benchmarks, keys, data sets and quantities: they could be sentences themselves.
pub(super) struct Names(Vec<String>);

impl Names {
    pub(super) fn new(names: impl Iterator<Item = String>) -> Names {
        let is_wordy = |name: &String| name.trim().contains(char::is_whitespace);
        let mut names: Vec<String> = names.filter(is_wordy).collect();
        names.sort_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        names.dedup();
        Names(names)
    }

    /// A sentence within a paragraph, in which such names are code.
    pub(super) fn sentence(&self, text: &str) -> String {
        self.written(text, escaped)
    }

    /// A sentence at the beginning of a paragraph, or of an item of a list.
    pub(super) fn first(&self, text: &str) -> String {
        self.written(text, paragraph)
    }

    fn written(&self, text: &str, begin: fn(&str) -> String) -> String {
        let (text, mut out) = (clean(text), String::new());
        let (mut rest, mut room) = (&text[..], SENTENCE);
        while !rest.is_empty() && room > 0 {
            let found = self.0.iter().filter_map(|name| Some((rest.find(&**name)?, name)));
            let (at, known) = match found.min_by_key(|(at, name)| (*at, usize::MAX - name.len())) {
                Some((at, known)) => (at, &**known),
                None => (rest.len(), ""),
            };
            let plain = limited(&rest[..at], room);
            room = room.saturating_sub(plain.chars().count());
            let plain = gapped(&plain);
            out.push_str(&if out.is_empty() { begin(&plain) } else { escaped(&plain) });
            if room > 0 && !known.is_empty() {
                out.push_str(&name(known));
                room = room.saturating_sub(known.chars().count().min(NAME));
            }
            rest = &rest[at + known.len()..];
        }
        out
    }
}

/// A text of at most so many columns, and not much more than twice as many bytes.
fn limited(text: &str, columns: usize) -> String {
    let text = shortened(&clean(text), columns, "…");
    match text.char_indices().map(|(at, _)| at).find(|at| *at > columns * BYTES) {
        Some(end) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The text with a gap wherever a word would be more than a word: behind `@` and `#`, within `://` and `www.`, before
/// the number in `GH-1`, and within what may be a revision.
fn gapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let (mut digits, mut before) = (0, ' ');
    while let Some(c) = chars.next() {
        out.push(c);
        digits = if c.is_ascii_hexdigit() { digits + 1 } else { 0 };
        let next = chars.peek().copied().unwrap_or(' ');
        let is_split = match c {
            '@' | '#' => true,
            ':' => next == '/' || next.is_ascii_alphanumeric(),
            '/' => next == '/',
            '-' => before.is_ascii_alphabetic() && next.is_ascii_digit(),
            'w' | 'W' => next == '.',
            _ => digits == DIGITS && next.is_ascii_hexdigit(),
        };
        if is_split {
            out.push(GAP);
            digits = 0;
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::hostile;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser};

    /// Whether readers of comments take something in a text that is shown for more than words.
    fn is_called(text: &str) -> bool {
        let chars: Vec<char> = text.chars().collect();
        let follows = |c: char, is_meant: fn(char) -> bool| {
            chars.windows(2).any(|pair| pair[0] == c && is_meant(pair[1]))
        };
        let runs = text.split(|c: char| !c.is_ascii_hexdigit()).map(str::len);
        let lower = text.to_ascii_lowercase();
        follows('@', |c| c.is_ascii_alphanumeric())
            || follows('#', |c| c.is_ascii_digit())
            || runs.max().unwrap_or(0) >= 7
            || ["://", "www.", "gh-1", "gh-2"].into_iter().any(|it| lower.contains(it))
    }

    #[test]
    fn nobody_is_called_and_nothing_is_a_link() {
        let texts = [
            "@name and @org/team",
            "fixes #123, owner/repo#1, GH-26",
            "owner/repo@0123456789abcdef0123456789abcdef01234567",
            "see https://example.org/x?y#z and www.example.org, ftp://x.y",
            "me@example.org",
            "<b>bold</b> <!-- x --> <img src=x onerror=y> <a href='https://x.y'>z</a>",
            "[x](https://x.y) ![x](y) `@name`",
            "DEADBEEF00 1234567",
        ];
        let none = Names(Vec::new());
        for text in texts {
            for shown in [sentence(text), none.first(text)] {
                for event in Parser::new_ext(&shown, Options::all()) {
                    match event {
                        Event::Text(part) => assert!(!is_called(&part), "{part}"),
                        Event::Start(tag) => {
                            assert_eq!(tag, pulldown_cmark::Tag::Paragraph, "{shown}");
                        }
                        Event::End(_) => {}
                        other => panic!("{shown:?} is {other:?}"),
                    }
                }
            }
            let name = name(text);
            let read: Vec<Event<'_>> = Parser::new_ext(&name, Options::all()).collect();
            assert!(matches!(&read[..], [_, Event::Code(_), _]), "{read:?}");
        }
    }

    #[test]
    fn words_stay_words() {
        for text in ["Dataset_Sequential/Writes", "30 blocks: changes from 2.1 % on", "main → HEAD"]
        {
            assert_eq!(gapped(text).replace(GAP, ""), text);
        }
        assert_eq!(gapped("30 blocks: changes from 2.1 % on"), "30 blocks: changes from 2.1 % on");
        assert_eq!(value("1.25 ms"), "1.25 ms");
        assert_eq!(value("1.25 @me"), "`1.25 @me`");
    }

    #[test]
    fn a_text_has_an_end() {
        let long = "e\u{301}\u{301}\u{301}\u{301}".repeat(50_000);
        assert!(name(&long).len() < 500 && sentence(&long).len() < 2_000);
        assert!(name(&"x".repeat(1_000_000)).len() < 200);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// Would catch a text that begins a list or markup, and one in which somebody is called.
        #[test]
        fn whatever_it_says(text in hostile()) {
            for event in Parser::new_ext(&Names(Vec::new()).first(&text), Options::all()) {
                if let Event::Html(_) | Event::InlineHtml(_) | Event::Start(pulldown_cmark::Tag::Link { .. }) = event {
                    prop_assert!(false, "{text:?}");
                }
            }
        }
    }
}
