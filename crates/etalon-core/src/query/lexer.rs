//! Words, quoted words, regular expressions and operators of a query, one at a time.
//!
//! A text is different tokens in different places: `/x` is a word where a key is expected
//! and opens a regular expression where a value is. So whoever parses says what it expects, and
//! nothing is read ahead.

use regex::Regex;

use super::error::{Problem, QueryError};
use super::regexp;

/// The kind of a token.
#[derive(Debug, Clone)]
pub(super) enum Token {
    /// A word that is not `AND` or `OR`, or any quoted word, unescaped.
    Word(String),
    And,
    Or,
    /// One of `( ) : @ ,`, or `-` or `*` at the start of a word.
    Operator(char),
    Regexp(Regex),
    End,
}

/// A token and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Lexed {
    pub(super) token: Token,
    /// Byte offset of its start.
    pub(super) at: usize,
    /// Byte offset behind it.
    pub(super) end: usize,
}

/// Whether a `/` opens a regular expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    Key,
    Value,
}

/// Reads a query from left to right.
#[derive(Debug)]
pub(super) struct Lexer<'q> {
    query: &'q str,
    at: usize,
}

fn is_operator(c: char) -> bool {
    matches!(c, '(' | ')' | ':' | '@' | ',')
}

fn is_operator_at_start(c: char) -> bool {
    is_operator(c) || matches!(c, '-' | '*')
}

impl<'q> Lexer<'q> {
    pub(super) fn new(query: &'q str) -> Lexer<'q> {
        Lexer { query, at: 0 }
    }

    pub(super) fn error(&self, at: usize, problem: Problem) -> QueryError {
        QueryError { query: self.query.to_owned(), at, problem }
    }

    /// The next token, left where it is.
    pub(super) fn peek(&self, expect: Expect) -> Result<Lexed, QueryError> {
        let rest = &self.query[self.at..];
        let text = rest.trim_start();
        let at = self.at + rest.len() - text.len();
        let lexed = |token, length| Lexed { token, at, end: at + length };
        match text.chars().next() {
            None => Ok(lexed(Token::End, 0)),
            Some(c) if is_operator_at_start(c) => Ok(lexed(Token::Operator(c), c.len_utf8())),
            Some('"') => self.quoted(at),
            Some('/') if expect == Expect::Value => self.regexp(at),
            Some(_) => {
                let end = text.find(|c: char| c.is_whitespace() || is_operator(c));
                let word = &text[..end.unwrap_or(text.len())];
                let token = match word {
                    "AND" => Token::And,
                    "OR" => Token::Or,
                    _ => Token::Word(word.to_owned()),
                };
                Ok(lexed(token, word.len()))
            }
        }
    }

    /// Goes on behind a token that was peeked at.
    pub(super) fn take(&mut self, lexed: &Lexed) {
        self.at = lexed.end;
    }

    /// The quoted word that starts at `at`.
    fn quoted(&self, at: usize) -> Result<Lexed, QueryError> {
        let inside = &self.query[at + 1..];
        let length = closing(inside, '"').ok_or_else(|| self.error(at, Problem::UnclosedQuote))?;
        let word = unescape(&inside[..length]);
        let word = word.ok_or_else(|| self.error(at, Problem::BadEscape))?;
        Ok(Lexed { token: Token::Word(word), at, end: at + 1 + length + 1 })
    }

    /// Goes back to the beginning of a token.
    pub(super) fn back_to(&mut self, lexed: &Lexed) {
        self.at = lexed.at;
    }

    /// The regular expression whose opening slash is at `at`.
    fn regexp(&self, at: usize) -> Result<Lexed, QueryError> {
        let inside = &self.query[at + 1..];
        let length =
            regexp_length(inside).ok_or_else(|| self.error(at, Problem::UnclosedRegexp))?;
        let regexp = regexp::compile(&inside[..length])
            .map_err(|why| self.error(at, Problem::BadRegexp(why)))?;
        let end = at + 1 + length + 1;
        match self.query[end..].chars().next() {
            Some(c) if !c.is_whitespace() && !is_operator_at_start(c) => {
                Err(self.error(end, Problem::TextAfterRegexp))
            }
            _ => Ok(Lexed { token: Token::Regexp(regexp), at, end }),
        }
    }
}

/// Where the first `quote` stands that no backslash precedes.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some(at);
        }
        if c == '\\' {
            chars.next();
        }
    }
    None
}

/// Where the slash stands that closes a regular expression: the first one outside brackets and
/// parentheses. The count is benchstat's rough one (a bracket inside a bracket counts, a `)` too
/// many is never made up for), because which slash is meant decides what a query says.
fn regexp_length(text: &str) -> Option<usize> {
    let (mut brackets, mut parentheses) = (0_usize, 0_i64);
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'/' if brackets == 0 && parentheses == 0 => return Some(at),
            b'[' => brackets += 1,
            b']' => brackets = brackets.saturating_sub(1),
            b'(' if brackets == 0 => parentheses += 1,
            b')' if brackets == 0 => parentheses -= 1,
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
    None
}

/// The text of a quoted word, with the escapes that a Go string has; none if one is bad or if the
/// bytes are not UTF-8.
fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let length = escaped(escape, &mut bytes)?;
        rest = &escape[length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    if text.contains('\n') { None } else { String::from_utf8(bytes).ok() }
}

/// Adds the bytes of the escape that `text` begins with (behind its backslash); its length.
fn escaped(text: &str, bytes: &mut Vec<u8>) -> Option<usize> {
    let kind = text.chars().next()?;
    let (skip, digits, radix) = match kind {
        'x' => (1, 2, 16),
        'u' => (1, 4, 16),
        'U' => (1, 8, 16),
        '0'..='7' => (0, 3, 8),
        _ => {
            let (_, byte) = ESCAPES.iter().find(|(escape, _)| *escape == kind)?;
            bytes.push(*byte);
            return Some(1);
        }
    };
    let number = number(text.get(skip..skip + digits)?, radix)?;
    match kind {
        'u' | 'U' => {
            let c = char::from_u32(number)?;
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        _ => bytes.push(u8::try_from(number).ok()?),
    }
    Some(skip + digits)
}

/// The escapes of one letter.
const ESCAPES: [(char, u8); 9] = [
    ('a', 7),
    ('b', 8),
    ('t', b'\t'),
    ('n', b'\n'),
    ('v', 11),
    ('f', 12),
    ('r', b'\r'),
    ('\\', b'\\'),
    ('"', b'"'),
];

/// Digits only: the standard parser would take a sign.
fn number(digits: &str, radix: u32) -> Option<u32> {
    let all_digits = digits.chars().all(|c| c.is_digit(radix));
    if all_digits { u32::from_str_radix(digits, radix).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Escapes of every kind, and what is none. (Whole queries are compared with benchstat in
    /// `tests/public/query`.)
    #[test]
    fn unescapes_go_strings() {
        for (text, want) in [
            (r"a\tb\\c\x41\101☃\u2603\U0001F600\v", Some("a\tb\\cAA☃☃😀\u{b}")),
            (r"\xe2\x98\x83", Some("☃")),
            (r"\x+1", None),
            (r"\x4", None),
            (r"\'", None),
            (r"\400", None),
            (r"\ud800", None),
            (r"\xff", None),
            ("a\nb", None),
            (r"\", None),
        ] {
            assert_eq!(unescape(text).as_deref(), want, "{text}");
        }
    }
}
