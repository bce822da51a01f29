//! The page of an experiment file: its prose and its tables.

use super::framed;
use super::prose::prose;

/// A part of the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece<'a> {
    /// Markdown.
    Prose(&'a str),
    /// What is markup already: a table with its pictures.
    Markup(&'a str),
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
