//! The page of an experiment file: its prose and its tables.

use etalon_core::tables::Tables;

use super::prose::prose;
use super::{framed, of_document};
use crate::compare::presented::{Presentation, document};

/// A part of the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece<'a> {
    /// Markdown.
    Prose(&'a str),
    /// What is markup already: a table with its pictures.
    Markup(&'a str),
}

/// Tables of the file as markup.
#[must_use]
pub fn tables(tables: &Tables, wanted: &Presentation<'_>) -> String {
    of_document(&document(tables, wanted))
}

/// The page, its parts in their order.
#[must_use]
pub fn experiment(title: &str, pieces: &[Piece<'_>]) -> String {
    let of = |piece: &Piece<'_>| match piece {
        Piece::Prose(text) => prose(text),
        Piece::Markup(markup) => (*markup).to_owned(),
    };
    framed(title, &pieces.iter().map(of).collect::<String>())
}
