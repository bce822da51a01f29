//! The page of an experiment file: its prose and its tables.

use etalon_core::tables::Tables;

use super::prose::prose;
use super::{Data, Head, document_markup, framed, script};
use crate::compare::presented::{Presentation, document};
use crate::svg;

/// A part of the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece<'a> {
    /// Markdown.
    Prose(&'a str),
    /// Markup that is ready: a table with its pictures.
    Markup(&'a str),
}

/// Tables of the file as markup, with their pictures.
#[must_use]
pub fn tables(tables: &Tables, wanted: &Presentation<'_>) -> String {
    document_markup(&document(tables, wanted)) + &svg::figures(&svg::heat(tables, wanted))
}

/// The page, its parts in their order, and behind them the observations that its scripts draw, and where they come
/// from.
#[must_use]
pub fn experiment(title: &str, pieces: &[Piece<'_>], data: &Data) -> String {
    let Data { observations, origins } = data;
    let of = |piece: &Piece<'_>| match piece {
        Piece::Prose(text) => prose(text),
        Piece::Markup(markup) => (*markup).to_owned(),
    };
    let behind = [script::place(observations), origins.sections()];
    let parts = pieces.iter().map(of).chain(behind);
    framed(&Head::Title(title), &parts.collect::<String>(), observations)
}
