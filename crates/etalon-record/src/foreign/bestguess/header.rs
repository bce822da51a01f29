//! The header of a raw file: what its columns mean.
//!
//! Owns recognising a raw file by it, and how many fields a row may have. Refuses files without
//! commands or without any quantity.

use super::columns::{COLUMNS, Column, meaning};
use super::split::{Field, Quotes, Split, split};
use crate::raw::clipped;

/// A raw file's columns.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    /// The columns; nothing for one that is not known.
    pub(super) columns: Vec<Option<Column>>,
    /// How many columns at the end a row may lack: sums, which BestGuess 0.7 names and does not write.
    pub(super) optional: usize,
    /// Names that are not known.
    pub(super) unknown: Vec<String>,
}

/// Whether a file that begins with these bytes is a raw file.
pub(crate) fn is_header(beginning: &[u8]) -> bool {
    let mut fields = Vec::new();
    matches!(split(beginning, true, Quotes::Doubled, &mut fields), Split::Record(_))
        && Header::new(beginning, &fields).is_ok()
}

impl Header {
    /// Reads the header's fields.
    ///
    /// # Errors
    /// If these are not the columns of a raw file.
    pub(super) fn new(bytes: &[u8], fields: &[Field]) -> Result<Header, String> {
        let names = || fields.iter().map(|field| field.slice(bytes));
        let columns: Vec<_> = names().map(meaning).collect();
        for (at, column) in columns.iter().enumerate() {
            if column.is_some() && columns[..at].contains(column) {
                return Err(format!("two columns are called `{}`", shown(fields[at].slice(bytes))));
            }
        }
        if !columns.contains(&Some(Column::Command)) {
            return Err("no column is called `Command`".to_owned());
        }
        if !columns.iter().any(|column| matches!(column, Some(Column::Metric(_)))) {
            return Err("no column holds times or counts that BestGuess writes".to_owned());
        }
        let unknown = names().zip(&columns).filter(|(_, column)| column.is_none());
        Ok(Header {
            unknown: unknown.map(|(name, _)| shown(name)).collect(),
            optional: columns.iter().rev().take_while(|column| is_sum(**column)).count(),
            columns,
        })
    }

    /// Whether a row may have so many fields.
    pub(super) fn fits(&self, fields: usize) -> bool {
        fields == self.columns.len() || fields + self.optional == self.columns.len()
    }

    /// Whether a row has the fields it may have; an empty one too many at its end, which a comma there makes, is taken
    /// from it.
    pub(super) fn takes(&self, bytes: &[u8], fields: &mut Vec<Field>) -> bool {
        let is_fit = self.fits(fields.len());
        let ends_empty = fields.last().is_some_and(|field| field.slice(bytes).is_empty());
        if !is_fit && ends_empty && fields.len() == self.columns.len() + 1 {
            fields.pop();
            return true;
        }
        is_fit
    }

    /// Where a column is.
    pub(super) fn position(&self, column: Column) -> Option<usize> {
        self.columns.iter().position(|known| *known == Some(column))
    }

    /// The metrics every version has that this file has no column for.
    pub(super) fn missing(&self) -> Vec<&'static str> {
        let all = COLUMNS.iter().map(|(_, column)| *column);
        let missing = all.filter(|c| !is_sum(Some(*c)) && self.position(*c).is_none());
        missing
            .filter_map(|column| match column {
                Column::Metric(quantity) => Some(quantity.metric),
                _ => None,
            })
            .collect()
    }
}

fn is_sum(column: Option<Column>) -> bool {
    matches!(column, Some(Column::Metric(quantity)) if quantity.sum)
}

fn shown(name: &[u8]) -> String {
    clipped(&String::from_utf8_lossy(name))
}
