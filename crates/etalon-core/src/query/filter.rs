//! A filter: a condition on one measurement, read from a text or made of values, and ready to be asked.
//!
//! benchstat filters whole results and, where `.unit` appears, single measurements of a result; a
//! result stays as long as one of its measurements does. Asking every measurement by itself gives
//! the same, and is what happens here.

use std::str::FromStr;

use regex::Regex;

use super::error::{Problem, QueryError};
use super::key::{Key, Mention};
use super::lexer::{Expect, Lexed, Lexer, Token};
use super::subject::{Seen, Subject};
use super::written::quoted;

/// How deep subexpressions may nest: parsing recurses, and no query by hand comes near.
pub const MAX_DEPTH: usize = 200;

/// A condition on a measurement.
#[derive(Debug, Clone)]
pub struct Filter {
    query: String,
    condition: Condition,
    mentions: Vec<Mention>,
}

#[derive(Debug, Clone)]
enum Condition {
    /// Every one; true if there is none.
    All(Vec<Condition>),
    /// At least one.
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Is(Key, Test),
    /// A name it goes by.
    Called(Test),
}

#[derive(Debug, Clone)]
enum Test {
    Text(String),
    Regexp(Regex),
    /// A word anywhere.
    Holds(String),
}

impl Filter {
    /// The filter that everything passes, `*`.
    #[must_use]
    pub fn everything() -> Filter {
        Filter {
            query: "*".to_owned(),
            condition: Condition::All(Vec::new()),
            mentions: Vec::new(),
        }
    }

    /// Reads a filter.
    ///
    /// # Errors
    /// With the position of the first thing that is wrong. An empty query is an error; `*` lets
    /// everything pass.
    pub fn parse(query: &str) -> Result<Filter, QueryError> {
        let mut parser = Parser { lexer: Lexer::new(query), depth: 0, mentions: Vec::new() };
        let condition = parser.any()?;
        let next = parser.lexer.peek(Expect::Key)?;
        if let Token::Operator(c) = next.token {
            return Err(parser.lexer.error(next.at, Problem::Unexpected(c)));
        }
        for mention in &parser.mentions {
            let problem = match &mention.key {
                Key::AllConfig => Problem::ConfigInFilter,
                Key::Config(key) if key.is_empty() => Problem::EmptyKey,
                _ => continue,
            };
            return Err(parser.lexer.error(mention.at, problem));
        }
        Ok(Filter { query: query.to_owned(), condition, mentions: parser.mentions })
    }

    /// The filter that passes where a key has exactly this value. `.config`, which is many keys, has none.
    #[must_use]
    pub fn is(key: Key, value: &str) -> Filter {
        let query = format!("{}:{}", key.written(), quoted(value));
        let mentions = vec![Mention { key: key.clone(), at: 0 }];
        Filter { query, condition: Condition::Is(key, Test::Text(value.to_owned())), mentions }
    }

    /// The filter that passes where each of these does; everything passes none.
    #[must_use]
    pub fn all(filters: impl IntoIterator<Item = Filter>) -> Filter {
        Filter::joined(filters, " AND ", Condition::All)
    }

    /// The filter that passes where one of these does, or there is none.
    #[must_use]
    pub fn any(filters: impl IntoIterator<Item = Filter>) -> Filter {
        Filter::joined(filters, " OR ", Condition::Any)
    }

    fn joined(
        filters: impl IntoIterator<Item = Filter>,
        between: &str,
        join: fn(Vec<Condition>) -> Condition,
    ) -> Filter {
        let filters: Vec<Filter> = filters.into_iter().collect();
        if filters.len() < 2 {
            return filters.into_iter().next().unwrap_or_else(Filter::everything);
        }
        let (mut query, mut mentions, mut conditions) = (String::new(), Vec::new(), Vec::new());
        for filter in filters {
            if !query.is_empty() {
                query.push_str(between);
            }
            let is_single = matches!(filter.condition, Condition::Is(..));
            let (open, close) = if is_single { ("", "") } else { ("(", ")") };
            query.push_str(open);
            let from = query.len();
            mentions
                .extend(filter.mentions.into_iter().map(|it| Mention { at: from + it.at, ..it }));
            query.push_str(&filter.query);
            query.push_str(close);
            conditions.push(filter.condition);
        }
        Filter { query, condition: join(conditions), mentions }
    }

    /// The query as it was typed; of values as it would have to be.
    #[must_use]
    pub fn query(&self) -> &str {
        &self.query
    }

    /// The keys it asks for, in order, so that who owns the data can refuse one that nothing has.
    #[must_use]
    pub fn mentions(&self) -> &[Mention] {
        &self.mentions
    }

    /// Whether a measurement passes.
    #[must_use]
    pub fn passes(&self, subject: &impl Subject) -> bool {
        self.passes_seen(&Seen::new(subject))
    }

    pub(super) fn passes_seen(&self, seen: &Seen<'_, impl Subject>) -> bool {
        self.condition.holds(seen)
    }
}

impl FromStr for Filter {
    type Err = QueryError;

    fn from_str(query: &str) -> Result<Filter, QueryError> {
        Filter::parse(query)
    }
}

impl Condition {
    fn holds(&self, seen: &Seen<'_, impl Subject>) -> bool {
        match self {
            Condition::All(all) => all.iter().all(|condition| condition.holds(seen)),
            Condition::Any(any) => any.iter().any(|condition| condition.holds(seen)),
            Condition::Not(condition) => !condition.holds(seen),
            Condition::Is(Key::Unit, test) => {
                let unit = seen.subject.unit();
                let written = unit.written.filter(|written| !written.is_empty());
                test.holds(unit.tidied) || written.is_some_and(|written| test.holds(written))
            }
            Condition::Is(Key::Config(key), test) => {
                seen.subject.any_value(key, &mut |value| test.holds(value))
            }
            Condition::Is(key, test) => test.holds(&seen.value(key)),
            Condition::Called(test) => seen.subject.any_name(&mut |name| test.holds(name)),
        }
    }
}

impl Test {
    fn holds(&self, value: &str) -> bool {
        match self {
            Test::Text(text) => text == value,
            Test::Holds(word) => value.contains(word.as_str()),
            // Not `is_match`: where an empty match inside a character comes first (`\B|é` in "aéa"),
            // regex 1.13 gives up there although there is another match.
            Test::Regexp(regexp) => regexp.find(value).is_some(),
        }
    }
}

struct Parser<'q> {
    lexer: Lexer<'q>,
    depth: usize,
    mentions: Vec<Mention>,
}

impl Parser<'_> {
    /// Terms with `OR` between them.
    fn any(&mut self) -> Result<Condition, QueryError> {
        let mut terms = vec![self.all()?];
        loop {
            let next = self.lexer.peek(Expect::Key)?;
            if !matches!(next.token, Token::Or) {
                return Ok(one_or(terms, Condition::Any));
            }
            self.lexer.take(&next);
            terms.push(self.all()?);
        }
    }

    /// Terms with `AND` or nothing between them. As in benchstat an `AND` with nothing behind it
    /// says nothing.
    fn all(&mut self) -> Result<Condition, QueryError> {
        let mut terms = vec![self.term()?];
        loop {
            let next = self.lexer.peek(Expect::Key)?;
            match next.token {
                Token::And => self.lexer.take(&next),
                Token::Word(_) | Token::Operator('(' | '-' | '*') => terms.push(self.term()?),
                Token::Or | Token::End | Token::Operator(')') => {
                    return Ok(one_or(terms, Condition::All));
                }
                Token::Operator(c) => {
                    return Err(self.lexer.error(next.at, Problem::Unexpected(c)));
                }
                Token::Regexp(_) => unreachable!("no value was expected"),
            }
        }
    }

    fn term(&mut self) -> Result<Condition, QueryError> {
        let start = self.lexer.peek(Expect::Key)?;
        match start.token {
            Token::Operator('(') => {
                self.enter(&start)?;
                let inside = self.any()?;
                let next = self.lexer.peek(Expect::Key)?;
                if !matches!(next.token, Token::Operator(')')) {
                    return Err(self.lexer.error(next.at, Problem::UnclosedParenthesis));
                }
                self.lexer.take(&next);
                self.depth -= 1;
                Ok(inside)
            }
            Token::Operator('-') => {
                self.enter(&start)?;
                let inside = self.term()?;
                self.depth -= 1;
                Ok(Condition::Not(Box::new(inside)))
            }
            Token::Operator('*') => {
                self.lexer.take(&start);
                Ok(Condition::All(Vec::new()))
            }
            Token::Word(ref word) => {
                self.lexer.take(&start);
                let colon = self.lexer.peek(Expect::Key)?;
                match colon.token {
                    Token::Operator(':') => self.key_value(&start, word, &colon),
                    _ => self.called(&start, word),
                }
            }
            _ => Err(self.lexer.error(start.at, Problem::ExpectedTerm)),
        }
    }

    /// Takes the token that opens a subexpression.
    fn enter(&mut self, start: &Lexed) -> Result<(), QueryError> {
        if self.depth == MAX_DEPTH {
            return Err(self.lexer.error(start.at, Problem::TooDeep(MAX_DEPTH)));
        }
        self.depth += 1;
        self.lexer.take(start);
        Ok(())
    }

    /// A value without a key: what begins like a regular expression is one.
    fn called(&mut self, start: &Lexed, word: &str) -> Result<Condition, QueryError> {
        self.lexer.back_to(start);
        let value = self.lexer.peek(Expect::Value)?;
        self.lexer.take(&value);
        Ok(Condition::Called(match value.token {
            Token::Regexp(regexp) => Test::Regexp(regexp),
            _ => Test::Holds(word.to_owned()),
        }))
    }

    /// The value behind a key and its colon.
    fn key_value(
        &mut self,
        start: &Lexed,
        key: &str,
        colon: &Lexed,
    ) -> Result<Condition, QueryError> {
        let (key, at) = (Key::from_word(key), start.at);
        self.mentions.push(Mention { key: key.clone(), at });
        self.lexer.take(colon);
        let value = self.lexer.peek(Expect::Value)?;
        self.lexer.take(&value);
        match value.token {
            Token::Operator('(') => self.values(&key),
            token => test_of(token)
                .map(|test| Condition::Is(key, test))
                .ok_or_else(|| self.lexer.error(at, Problem::ExpectedKeyValue)),
        }
    }

    /// Values with `OR` between them, up to the closing parenthesis.
    fn values(&mut self, key: &Key) -> Result<Condition, QueryError> {
        let mut terms = Vec::new();
        loop {
            let value = self.lexer.peek(Expect::Value)?;
            self.lexer.take(&value);
            let test = test_of(value.token)
                .ok_or_else(|| self.lexer.error(value.at, Problem::ExpectedValue))?;
            terms.push(Condition::Is(key.clone(), test));
            let next = self.lexer.peek(Expect::Value)?;
            self.lexer.take(&next);
            match next.token {
                Token::Or => {}
                Token::Operator(')') => return Ok(Condition::Any(terms)),
                _ => return Err(self.lexer.error(next.at, Problem::ExpectedOr)),
            }
        }
    }
}

/// A single condition as itself, several joined.
fn one_or(mut terms: Vec<Condition>, join: fn(Vec<Condition>) -> Condition) -> Condition {
    match terms.pop() {
        Some(only) if terms.is_empty() => only,
        Some(last) => {
            terms.push(last);
            join(terms)
        }
        None => join(terms),
    }
}

fn test_of(value: Token) -> Option<Test> {
    match value {
        Token::Word(text) => Some(Test::Text(text)),
        Token::Regexp(regexp) => Some(Test::Regexp(regexp)),
        _ => None,
    }
}
