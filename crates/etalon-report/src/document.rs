//! A report before it is laid out: sentences, tables, and lines that are laid out already.
//!
//! Owns the order and the weight of its parts. Refuses to know widths, colours and characters: what renders a
//! document does.

mod markdown;
mod terminal;

use crate::table::Table;

pub(crate) use markdown::{fenced, list, markdown};
pub(crate) use terminal::terminal;

/// A space at which no line of an answer is broken.
pub(crate) const UNBROKEN: &str = "\u{a0}";

/// A report before it is text: sections in the order they are read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Document {
    /// Its parts, in order.
    pub(crate) parts: Vec<Part>,
}

/// A part of a report.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    /// The answer to the question: a sentence of weight.
    Answer(String),
    /// A sentence right under what stands before it.
    Sentence(String),
    /// Tables under one another, their columns of one width.
    Tables(Vec<Table>),
    /// Lines that are laid out already.
    Lines(Vec<String>),
    /// Sentences that change how the rest is read.
    Notes(Vec<String>),
    /// Footnotes that the marks in tables refer to, in the order of their numbers.
    Footnotes(Vec<String>),
    /// Where the rest is.
    More(String),
}
