//! A projection: a list of keys, each with an order, read from a text or made of values, and written as a text. Refuses
//! several projections and subjects: those are [`super::space`]'s and [`super::tuples`]'s.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::error::{Problem, QueryError};
use super::key::{Key, Mention};
use super::lexer::{Expect, Lexed, Lexer, Token};
use super::order::Order;
use super::written::quoted;

/// One key of a projection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The key, and where it stands.
    pub mention: Mention,
    /// The order of its values.
    pub order: Order,
}

impl Field {
    /// The field as a projection has to have it.
    fn written(&self) -> String {
        let key = self.mention.key.written();
        match &self.order {
            // Who leads is said by the data, not by the query.
            Order::First | Order::Led(_) => key,
            Order::Alpha => format!("{key}@alpha"),
            Order::Num => format!("{key}@num"),
            Order::Fixed(values) => {
                let values: Vec<Cow<'_, str>> = values.iter().map(|value| quoted(value)).collect();
                format!("{key}@({})", values.join(" "))
            }
        }
    }
}

/// A list of keys, each with an order. The default one has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Projection {
    query: String,
    fields: Vec<Field>,
}

impl Projection {
    /// Reads a projection, such as `.name,/size@num`. An empty one has no fields.
    ///
    /// # Errors
    /// With the position of the first thing that is wrong: faults of the grammar come before orders
    /// and keys that do not fit.
    pub fn parse(query: &str) -> Result<Projection, QueryError> {
        Ok(Projection { query: query.to_owned(), fields: parse(query)? })
    }

    /// The projection on these keys, whatever characters they have. `.unit`, which tables are split by anyway, is for
    /// filters, and `.config` has no list of values.
    #[must_use]
    pub fn from_keys(keys: impl IntoIterator<Item = (Key, Order)>) -> Projection {
        let mut projection = Projection::default();
        for (key, order) in keys {
            projection.push(Field { mention: Mention { key, at: 0 }, order });
        }
        projection
    }

    /// The projection on these keys, their values in order of appearance.
    #[must_use]
    pub fn keys(keys: impl IntoIterator<Item = Key>) -> Projection {
        Projection::from_keys(keys.into_iter().map(|key| (key, Order::First)))
    }

    /// This one with the fields of another behind its own.
    #[must_use]
    pub fn and(mut self, other: &Projection) -> Projection {
        other.fields.iter().for_each(|field| self.push(field.clone()));
        self
    }

    /// This one without a key.
    #[must_use]
    pub fn without(&self, key: &Key) -> Projection {
        let others = self.fields.iter().filter(|field| field.mention.key != *key);
        let mut projection = Projection::default();
        others.for_each(|field| projection.push(field.clone()));
        projection
    }

    /// Adds a field, in the text, too.
    fn push(&mut self, field: Field) {
        if !self.query.trim().is_empty() {
            self.query.push(',');
        }
        let at = self.query.len();
        self.query.push_str(&field.written());
        self.fields.push(Field { mention: Mention { at, ..field.mention }, ..field });
    }

    /// Its fields, so that who owns the data can refuse a key that nothing has.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Whether a field of it is that key.
    #[must_use]
    pub fn names(&self, key: &Key) -> bool {
        self.fields.iter().any(|field| field.mention.key == *key)
    }

    /// Whether it has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }
}

impl FromStr for Projection {
    type Err = QueryError;

    fn from_str(query: &str) -> Result<Projection, QueryError> {
        Projection::parse(query)
    }
}

impl fmt::Display for Projection {
    /// As it was typed; of values as it would have to be.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.query)
    }
}

/// A field whose order is still a word.
struct Written {
    mention: Mention,
    order_at: usize,
    order: WrittenOrder,
}

enum WrittenOrder {
    Default,
    Named(String),
    Fixed(Vec<String>),
}

fn parse(query: &str) -> Result<Vec<Field>, QueryError> {
    let mut lexer = Lexer::new(query);
    let mut written = Vec::new();
    loop {
        let next = lexer.peek(Expect::Key)?;
        match next.token {
            Token::End => break,
            Token::Operator(',') if !written.is_empty() => lexer.take(&next),
            _ => {}
        }
        written.push(field(&mut lexer)?);
    }
    written.into_iter().map(|field| meaning(&lexer, field)).collect()
}

fn field(lexer: &mut Lexer<'_>) -> Result<Written, QueryError> {
    let key = lexer.peek(Expect::Key)?;
    let Token::Word(word) = &key.token else {
        return Err(lexer.error(key.at, Problem::ExpectedKey));
    };
    let mention = Mention { key: Key::from_word(word), at: key.at };
    lexer.take(&key);
    let at = lexer.peek(Expect::Key)?;
    if !matches!(at.token, Token::Operator('@')) {
        return Ok(Written { mention, order_at: key.end, order: WrittenOrder::Default });
    }
    lexer.take(&at);
    let order = lexer.peek(Expect::Key)?;
    lexer.take(&order);
    let Lexed { token, at: order_at, .. } = order;
    let order = match token {
        Token::Word(name) => WrittenOrder::Named(name),
        Token::Operator('(') => WrittenOrder::Fixed(fixed(lexer)?),
        _ => return Err(lexer.error(order_at, Problem::ExpectedOrder)),
    };
    Ok(Written { mention, order_at, order })
}

/// The values up to the closing parenthesis.
fn fixed(lexer: &mut Lexer<'_>) -> Result<Vec<String>, QueryError> {
    let mut values = Vec::new();
    loop {
        let next = lexer.peek(Expect::Key)?;
        lexer.take(&next);
        match next.token {
            Token::Word(value) => values.push(value),
            Token::Operator(')') if values.is_empty() => {
                return Err(lexer.error(next.at, Problem::EmptyOrder));
            }
            Token::Operator(')') => return Ok(values),
            _ => return Err(lexer.error(next.at, Problem::UnclosedOrder)),
        }
    }
}

fn meaning(lexer: &Lexer<'_>, written: Written) -> Result<Field, QueryError> {
    let Written { mention, order_at, order } = written;
    let order = match order {
        WrittenOrder::Default => Order::First,
        WrittenOrder::Fixed(values) => Order::Fixed(values),
        WrittenOrder::Named(name) => match name.as_str() {
            "first" => Order::First,
            "alpha" => Order::Alpha,
            "num" => Order::Num,
            _ => return Err(lexer.error(order_at, Problem::UnknownOrder(name))),
        },
    };
    match (&mention.key, &order) {
        (Key::AllConfig, Order::Fixed(_)) => Err(lexer.error(order_at, Problem::FixedConfig)),
        (Key::Unit, _) => Err(lexer.error(mention.at, Problem::UnitInProjection)),
        (Key::Config(key), _) if key.is_empty() => Err(lexer.error(mention.at, Problem::EmptyKey)),
        _ => Ok(Field { mention, order }),
    }
}
