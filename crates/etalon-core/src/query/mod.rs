//! The query language: which measurements are meant (a *filter*) and which of their properties
//! make tables, rows and columns (a *projection*). It is the language of Go's benchstat, and a
//! query that works there means the same here.
//!
//! | term | meaning |
//! | --- | --- |
//! | subject | one measurement seen by a query: its name, configuration and unit ([`Subject`]) |
//! | key | what a query can ask of a subject ([`Key`]) |
//! | filter | a condition on a subject ([`Filter`]) |
//! | projection | a list of keys, each with an order ([`Projection`]); several make a space ([`ProjectionSpace`]) |
//! | tuple | what a projection makes of a subject, as a small number ([`TupleId`]) |
//! | place | where a measurement goes: one tuple of every projection ([`Place`]) |
//! | residue | everything no projection mentions; should not vary inside a cell |
//!
//! ```text
//! filter     = all {"OR" all}                        all   = term {["AND"] term}
//! term       = "(" filter ")" | "-" term | "*" | value | key ":" value | key ":" "(" value {"OR" value} ")"
//! value      = word | "/" regexp "/"                 key   = word
//! projection = field {[","] field}                   field = key ["@" (word | "(" word {word} ")")]
//! word       = bare word without spaces and ( ) : @ , not starting with - or * | "quoted"
//! ```
//!
//! A value alone is looked for in names: a word anywhere in the name with or without its parts, a regular
//! expression likewise. (What begins with a slash and has a colon behind its first word is a key.)
//!
//! Keys: `.name` (without its parts), `.fullname`, `/part` (the value of `/part=value` in a name;
//! `/gomaxprocs` is also the number behind the last `-`), `.unit` (filters only), `.config` (all
//! configuration read from a file; projections only), `.file` and every other word: a configuration
//! key. Something absent and something empty are the same to this language. Named orders: `first`
//! (the default), `alpha`, `num`.
//!
//! Typed queries are read ([`Filter::parse`], [`Projection::parse`]); those of a program are made of values
//! ([`Filter::is`], [`Projection::from_keys`]) and never go through text, because a value may be any text. A query that
//! is shown to be copied is written with [`quoted`] and [`Key::written`], which are read back as what they were.
//!
//! Pure: text in, small numbers out. It knows neither files nor tables; who owns the data
//! implements [`Subject`]. What is evaluated is evaluated once per distinct subject
//! ([`Evaluator`]).
//!
//! Where benchstat does something else, on purpose:
//!
//! - a filter may hold a value without a key, which benchstat refuses;
//! - a quoted word may end in an escaped backslash (`"a\\"`), which benchstat cannot read;
//! - the order `@fixed`, which benchstat accepts and which then drops everything, is unknown here;
//! - subexpressions nest at most [`MAX_DEPTH`] deep;
//! - a quoted word must be UTF-8 after its escapes (`"\xff"` is a bad escape);
//! - any white space may follow a regular expression, and `@num` reads no hexadecimal numbers.
//!
//! One surprise is benchstat's and kept, because its tables depend on it: the keys that stand for
//! `.config` are ordered by name of their values, not by their first appearance.

mod error;
mod evaluate;
mod filter;
mod key;
mod lexer;
mod order;
mod projection;
mod regexp;
mod space;
mod subject;
mod tuples;
mod written;

pub use error::{Problem, QueryError};
pub use evaluate::{Evaluator, Place};
pub use filter::{Filter, MAX_DEPTH};
pub use key::{Key, Mention};
pub use order::Order;
pub use projection::{Field, Projection};
pub use space::{ByUnit, ProjectionId, ProjectionSpace};
pub use subject::{Identity, Name, Subject, UnitName};
pub use tuples::{Column, TupleId};
pub use written::quoted;
