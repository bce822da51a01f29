//! Errors of queries: what is wrong, where, and what to write instead.
//!
//! A problem is data; its `Display` is one sentence with the remedy. The error's `Display` is that
//! sentence, the query, and a caret under the place.

use std::fmt;

use unicode_width::UnicodeWidthChar;

use super::written::quoted;

/// A query that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.with_caret())]
pub struct QueryError {
    /// The query as it was typed.
    pub query: String,
    /// Byte offset into it, on a character boundary; its length if something is missing at the end.
    pub at: usize,
    /// The problem there.
    pub problem: Problem,
}

/// A problem of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Neither `key:value` nor a subexpression where a filter needs one.
    ExpectedTerm,
    /// A key without its colon and value.
    ExpectedKeyValue,
    /// No value in a list of values.
    ExpectedValue,
    /// Two values of a list without `OR`.
    ExpectedOr,
    /// A subexpression that is not closed.
    UnclosedParenthesis,
    /// A character that cannot stand there.
    Unexpected(char),
    /// Subexpressions nested too deep; holds the limit.
    TooDeep(usize),
    /// A quoted word that is not closed.
    UnclosedQuote,
    /// A backslash sequence that a quoted word cannot have.
    BadEscape,
    /// A regular expression that is not closed.
    UnclosedRegexp,
    /// A regular expression that is not one; holds the reason.
    BadRegexp(String),
    /// Text right behind a regular expression's closing slash.
    TextAfterRegexp,
    /// An empty key.
    EmptyKey,
    /// `.config` in a filter.
    ConfigInFilter,
    /// No key where a projection needs one.
    ExpectedKey,
    /// Nothing usable behind `@`.
    ExpectedOrder,
    /// A list of fixed values that is empty.
    EmptyOrder,
    /// A list of fixed values that is not closed, or holds something else.
    UnclosedOrder,
    /// An order that does not exist.
    UnknownOrder(String),
    /// Fixed values for `.config`, which is many values.
    FixedConfig,
    /// `.unit` in a projection.
    UnitInProjection,
    /// A key that nothing in the data has. Found by who owns the data.
    UnknownKey {
        /// The key as typed.
        key: String,
        /// The keys there are.
        known: Vec<String>,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Problem::ExpectedTerm => "expected a name, key:value, * or a subexpression in parentheses",
            Problem::ExpectedKeyValue => {
                "expected key:value; a value is a word, a \"quoted word\", /a regexp/ or (one OR another)"
            }
            Problem::ExpectedValue => "expected a value here, as in key:(one OR another)",
            Problem::ExpectedOr => "values in parentheses are separated by OR, as in key:(one OR another)",
            Problem::UnclosedParenthesis => "a parenthesis is not closed; write \")\" here",
            Problem::Unexpected(c) => {
                return write!(f, "unexpected \"{c}\"; quote the word it belongs to, or leave it out");
            }
            Problem::TooDeep(limit) => {
                return write!(f, "more than {limit} subexpressions in one another; write it flatter");
            }
            Problem::UnclosedQuote => "a quoted word is not closed; write the closing '\"'",
            Problem::BadEscape => {
                "a quoted word holds a bad escape; write \\\\ for a backslash and \\\" for a quote"
            }
            Problem::UnclosedRegexp => {
                "a regular expression is not closed; write the closing \"/\", and \\/, \\( or \\[ for a literal one"
            }
            Problem::BadRegexp(why) => {
                return write!(f, "not a regular expression: {why}; put a backslash before what is meant literally");
            }
            Problem::TextAfterRegexp => {
                "a regular expression ends here; write \\/ for a slash inside it, or a space behind it"
            }
            Problem::EmptyKey => "a key cannot be empty",
            Problem::ConfigInFilter => ".config is many keys and only for projections; name one of them",
            Problem::ExpectedKey => "expected a key, such as .name, /size or goos",
            Problem::ExpectedOrder => {
                "expected an order behind @: alpha, num, first or (this that) in the wanted order"
            }
            Problem::EmptyOrder => "the list of values is empty, so nothing would be left; name some",
            Problem::UnclosedOrder => {
                "expected a value or \")\" here; values are separated by spaces alone, odd ones quoted"
            }
            Problem::UnknownOrder(order) => {
                return write!(f, "unknown order {}; orders are alpha, num, first or (this that)", quoted(order));
            }
            Problem::FixedConfig => {
                ".config is many keys and cannot have a list of values; name one of the keys"
            }
            Problem::UnitInProjection => {
                ".unit is only for filters; tables are split by unit without being asked to"
            }
            Problem::UnknownKey { key, known } => {
                let part = format!("/{key}");
                if known.contains(&part) {
                    let (key, part) = (one_line(key), one_line(&part));
                    return write!(f, "there is no key {key}; there is {part}");
                }
                let (key, known) = (one_line(key), one_line(&known.join(", ")));
                return write!(f, "nothing in the data has the key {key}; there are {known}");
            }
        })
    }
}

/// Text of the user's on one line: control characters become spaces.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

impl QueryError {
    /// Three lines without a final line break. Control characters of the query are shown as spaces,
    /// and the caret stands below the place as a terminal shows it.
    fn with_caret(&self) -> String {
        let shown = one_line(&self.query);
        let before = self.query.char_indices().take_while(|(at, _)| *at < self.at);
        let columns: usize = before.map(|(_, c)| c.width().unwrap_or(1)).sum();
        format!("{}\n  {shown}\n  {:columns$}^", self.problem, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(query: &str, at: usize) -> String {
        QueryError { query: query.to_owned(), at, problem: Problem::EmptyKey }.to_string()
    }

    /// The caret is counted in columns: not in bytes, nor in characters where they are wide.
    #[test]
    fn caret_stands_below_the_place() {
        assert_eq!(shown("a:b )", 4), "a key cannot be empty\n  a:b )\n      ^");
        assert_eq!(shown("é:b )", 5), "a key cannot be empty\n  é:b )\n      ^");
        assert_eq!(shown("日:b )", 6), "a key cannot be empty\n  日:b )\n       ^");
        assert_eq!(shown("a\n\tb", 3), "a key cannot be empty\n  a  b\n     ^");
        assert_eq!(shown("", 0), "a key cannot be empty\n  \n  ^");
    }
}
