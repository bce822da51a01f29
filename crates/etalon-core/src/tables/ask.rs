//! What is asked of the data: which measurements, and what makes tables, rows and columns.
//!
//! Owns reading the five queries together, and refusing a key that nothing in the data has: a
//! misspelt key would otherwise give an empty table, or a filter that drops nothing. Refuses to look at
//! values.

use super::Numbers;
use super::gather::gather;
use super::grid::{self, Sparse};
use crate::dataset::Dataset;
use crate::query::{
    ByUnit, Field, Filter, Key, Mention, Problem, ProjectionId, ProjectionSpace, QueryError,
};
use std::collections::BTreeSet;

/// The queries as texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuerySpec {
    /// Which measurements; `*` for all.
    pub filter: String,
    /// What tells tables apart, besides the unit.
    pub table: String,
    /// What tells rows apart.
    pub row: String,
    /// What tells columns apart.
    pub col: String,
    /// What tells nothing apart and may vary.
    pub ignore: String,
}

impl Default for QuerySpec {
    /// What benchstat asks without options.
    fn default() -> QuerySpec {
        let owned = str::to_owned;
        QuerySpec {
            filter: owned("*"),
            table: owned(".config"),
            row: owned(".fullname"),
            col: owned(".file"),
            ignore: String::new(),
        }
    }
}

/// One of the queries, by the name of its option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("--{option}: {error}")]
pub struct AskError {
    /// `filter`, `table`, `row`, `col` or `ignore`.
    pub option: &'static str,
    /// What is wrong with it, and where.
    pub error: QueryError,
}

/// The queries, read.
#[derive(Debug, Clone)]
pub struct Query {
    pub(super) filter: Filter,
    pub(super) space: ProjectionSpace,
    pub(super) table: ProjectionId,
    pub(super) row: ProjectionId,
    pub(super) col: ProjectionId,
    asked: QuerySpec,
}

impl Query {
    /// Reads the queries.
    ///
    /// ```
    /// use etalon_core::tables::{Query, QuerySpec};
    ///
    /// let asked = QuerySpec { filter: ".name:Encode /size:(large".to_owned(), ..QuerySpec::default() };
    /// let error = Query::parse(&asked).unwrap_err().to_string();
    /// assert!(error.starts_with("--filter: "), "{error}");
    /// assert!(error.ends_with('^'), "a caret stands below the place: {error}");
    /// ```
    ///
    /// # Errors
    /// The first that cannot be read, in the order of the fields of [`QuerySpec`].
    pub fn parse(asked: &QuerySpec) -> Result<Query, AskError> {
        let of = |option| move |error| AskError { option, error };
        let filter = Filter::parse(&asked.filter).map_err(of("filter"))?;
        let mut space = ProjectionSpace::new();
        let table = space.add(&asked.table, ByUnit::Yes).map_err(of("table"))?;
        let row = space.add(&asked.row, ByUnit::No).map_err(of("row"))?;
        let col = space.add(&asked.col, ByUnit::No).map_err(of("col"))?;
        space.ignore(&asked.ignore).map_err(of("ignore"))?;
        Ok(Query { filter, space, table, row, col, asked: asked.clone() })
    }

    /// The same with another key that tells rows apart, and more that tell columns apart.
    pub(super) fn with(&self, row: Option<&str>, columns: &[&str]) -> Result<Query, AskError> {
        let row = joined(&self.asked.row, row.as_slice());
        let col = joined(&self.asked.col, columns);
        Query::parse(&QuerySpec { row, col, ..self.asked.clone() })
    }

    /// Whether the values of a key may vary within a cell.
    pub(super) fn ignores(&self, key: &Key) -> bool {
        self.space.ignored().iter().any(|field| field.mention.key == *key)
    }

    /// A table that these queries would make nearly empty, where they are not the usual ones: each row has
    /// columns of its own, so that nothing in it is compared. Linear in the values.
    #[must_use]
    pub fn sparse(&self, data: &Dataset) -> Option<Sparse> {
        let usual = QuerySpec::default();
        if self.asked.row == usual.row && self.asked.col == usual.col {
            return None;
        }
        grid::sparse(&gather(data, self.clone(), Numbers::Nearest))
    }

    /// Whether the data have every key that is asked for.
    ///
    /// # Errors
    /// The first that they have not.
    pub fn check(&self, data: &Dataset) -> Result<(), AskError> {
        let known = known(data);
        let fields = |fields: &[Field]| -> Vec<Mention> {
            fields.iter().map(|field| field.mention.clone()).collect()
        };
        let asked = &self.asked;
        let mentioned = [
            ("filter", &asked.filter, self.filter.mentions().to_vec()),
            ("table", &asked.table, fields(self.space.fields(self.table))),
            ("row", &asked.row, fields(self.space.fields(self.row))),
            ("col", &asked.col, fields(self.space.fields(self.col))),
            ("ignore", &asked.ignore, fields(self.space.ignored())),
        ];
        for (option, query, mentions) in mentioned {
            let unknown = |mention: &&Mention| !known.contains(&mention.key.to_string());
            if let Some(Mention { key, at }) = mentions.iter().find(unknown) {
                let known = known.iter().filter(|key| !key.starts_with("/gomaxprocs")).cloned();
                let (key, known) = (key.to_string(), known.collect());
                let problem = Problem::UnknownKey { key, known };
                return Err(AskError {
                    option,
                    error: QueryError { query: query.clone(), at: *at, problem },
                });
            }
        }
        Ok(())
    }
}

/// A projection with more keys.
fn joined(asked: &str, keys: &[&str]) -> String {
    let fields = [asked].into_iter().chain(keys.iter().copied());
    fields.filter(|field| !field.trim().is_empty()).collect::<Vec<_>>().join(",")
}

/// Every key that some measurement has, or can always be asked for.
fn known(data: &Dataset) -> BTreeSet<String> {
    let always = [Key::Name, Key::FullName, Key::Unit, Key::AllConfig];
    let mut known: BTreeSet<String> = always.iter().map(Key::to_string).collect();
    known.insert(".file".to_owned());
    // The number of processors is left out of a name where it is 1.
    known.insert("/gomaxprocs".to_owned());
    for configuration in &data.configurations {
        let keys = configuration.entries.iter().map(|(key, _)| data.strings.text(*key).to_owned());
        known.extend(keys);
    }
    for declared in &data.benchmarks {
        let key = |part: &str| part.split_once('=').map(|(key, _)| key.to_owned());
        known.extend(declared.name.parts().filter_map(key));
    }
    known
}
