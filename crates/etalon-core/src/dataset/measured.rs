//! A value of a dataset as queries see it.
//!
//! Owns what each key of the query language means here. Refuses to remember anything: it is made while
//! looking at a value.

use std::borrow::Cow;

use super::{Dataset, Value};
use crate::query::{self, Identity, Subject, UnitName};

/// One value and the row it is from.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// Where the row is.
    pub data: &'a Dataset,
    /// Index of the row.
    pub row: usize,
    /// The value, one of [`Dataset::row`].
    pub value: Value,
}

impl Subject for Measured<'_> {
    /// Units count as written: the same tidied unit can have two written names.
    fn identity(&self) -> Identity {
        let series = self.data.series_of(self.row);
        Identity {
            name: series.benchmark.number(),
            config: series.configuration.number(),
            unit: self.value.spelling.number(),
        }
    }

    fn name(&self) -> query::Name<'_> {
        let name = self.data.name_of(self.row);
        if self.data.run_sets[self.data.run_set_of(self.row).at()].one_processor {
            let mut pieces = name.pieces_on_one_processor().into_iter().map(Cow::Borrowed);
            let base = pieces.next().unwrap_or_default();
            return query::Name { base, parts: pieces.collect() };
        }
        query::Name {
            base: Cow::Borrowed(name.base()),
            parts: name.parts().map(Cow::Borrowed).collect(),
        }
    }

    fn config(&self, key: &str) -> Option<&str> {
        if key == ".file" {
            return Some(self.data.file(self.row));
        }
        self.data.fact(self.data.series_of(self.row).configuration, key)
    }

    fn all_config(&self) -> impl Iterator<Item = (&str, &str)> {
        let at = self.data.series_of(self.row).configuration.at();
        let text = |symbol| self.data.strings.text(symbol);
        let entries = &self.data.configurations[at].entries;
        entries.iter().map(move |(key, value)| (text(*key), text(*value)))
    }

    fn unit(&self) -> UnitName<'_> {
        let spelling = &self.data.spellings[self.value.spelling.at()];
        let tidied = self.data.units[spelling.unit.at()].as_str();
        let written = Some(spelling.text.as_str()).filter(|text| *text != tidied);
        UnitName { tidied, written }
    }
}
