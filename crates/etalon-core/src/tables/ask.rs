//! Queries to the data: which measurements, and what makes tables, rows and columns.
//!
//! Owns the five queries together, and refusing a key that nothing in the data has: a
//! misspelt key would otherwise give an empty table, or a filter that drops nothing. Refuses to look at
//! values.

use crate::dataset::Dataset;
use crate::model::Sides;
use crate::query::{
    ByUnit, Field, Filter, Key, Mention, Problem, Projection, ProjectionId, ProjectionSpace,
    QueryError,
};
use std::collections::BTreeSet;

/// The queries: what is typed is read into them, what a program asks is made of values.
#[derive(Debug, Clone)]
pub struct QuerySpec {
    /// Which measurements.
    pub filter: Filter,
    /// Keys that tell tables apart, besides the unit.
    pub table: Projection,
    /// Keys that tell rows apart.
    pub row: Projection,
    /// Keys that tell columns apart.
    pub col: Projection,
    /// Keys that tell nothing apart and may vary.
    pub ignore: Projection,
}

impl Default for QuerySpec {
    /// The queries of benchstat without options.
    fn default() -> QuerySpec {
        QuerySpec {
            filter: Filter::everything(),
            table: Projection::keys([Key::AllConfig]),
            row: Projection::keys([Key::FullName]),
            col: Projection::keys([Key::from_word(FILE)]),
            ignore: Projection::default(),
        }
    }
}

/// The key of the file that something was read from.
pub(super) const FILE: &str = ".file";

/// One of the queries, by the name of its option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("--{option}: {error}")]
pub struct AskError {
    /// `filter`, `table`, `row`, `col` or `ignore`.
    pub option: &'static str,
    /// The error in it, with its place.
    pub error: QueryError,
}

/// The queries, ready to be asked.
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
    /// The queries together.
    #[must_use]
    pub fn new(asked: QuerySpec) -> Query {
        let mut space = ProjectionSpace::new();
        let table = space.add(&asked.table, ByUnit::Yes);
        let row = space.add(&asked.row, ByUnit::No);
        let col = space.add(&asked.col, ByUnit::No);
        space.ignore(&asked.ignore);
        Query { filter: asked.filter.clone(), space, table, row, col, asked }
    }

    /// These queries with another key that tells rows apart, and more that tell tables apart.
    pub(super) fn with(&self, row: Option<Key>, tables: impl IntoIterator<Item = Key>) -> Query {
        let asked = self.asked.clone();
        let row = asked.row.and(&Projection::keys(row));
        let table = asked.table.and(&Projection::keys(tables));
        Query::new(QuerySpec { table, row, ..asked })
    }

    /// These queries for data: of a run of two sides, the base comes first wherever sides come as they first appear.
    pub(super) fn led(mut self, data: &Dataset) -> Query {
        let order = Sides::ORDER.map(str::to_owned);
        for sides in data.run_sets.iter().filter_map(|set| set.sides) {
            self.space.lead(&Key::from_word(sides.key()), &order);
        }
        self
    }

    /// Whether a query says what becomes of data sets.
    pub(super) fn names_files(&self) -> bool {
        let QuerySpec { table, row, col, ignore, .. } = &self.asked;
        [table, row, col, ignore].into_iter().any(|it| it.names(&Key::from_word(FILE)))
    }

    /// Whether the values of a key may vary within a cell.
    pub(super) fn ignores(&self, key: &Key) -> bool {
        self.space.ignored().iter().any(|field| field.mention.key == *key)
    }

    /// Whether rows and columns are those that are made without options.
    pub(super) fn has_usual_places(&self) -> bool {
        let usual = QuerySpec::default();
        same(&self.asked.row, &usual.row) && same(&self.asked.col, &usual.col)
    }

    /// The keys that are to be ignored and that nothing in the data has: they change nothing.
    #[must_use]
    pub fn idle(&self, data: &Dataset) -> Vec<String> {
        let known = known(data);
        let keys = self.asked.ignore.fields().iter().map(|field| &field.mention.key);
        keys.filter(|key| !known.contains(&key.to_string())).map(Key::written).collect()
    }

    /// Whether the data have every key that is asked for, but for those that are to be ignored.
    ///
    /// # Errors
    /// The first that they have not.
    pub fn check(&self, data: &Dataset) -> Result<(), AskError> {
        let known = known(data);
        let fields = |fields: &[Field]| -> Vec<Mention> {
            fields.iter().map(|field| field.mention.clone()).collect()
        };
        let asked = &self.asked;
        let of = |option, it: &Projection| (option, it.to_string(), fields(it.fields()));
        let mentioned = [
            ("filter", asked.filter.query().to_owned(), asked.filter.mentions().to_vec()),
            of("table", &asked.table),
            of("row", &asked.row),
            of("col", &asked.col),
        ];
        for (option, query, mentions) in mentioned {
            let unknown = |mention: &&Mention| !known.contains(&mention.key.to_string());
            if let Some(Mention { key, at }) = mentions.iter().find(unknown) {
                let known = known.iter().filter(|key| !key.starts_with("/gomaxprocs")).cloned();
                let (key, known) =
                    (key.written(), known.map(|it| Key::from_word(&it).written()).collect());
                let problem = Problem::UnknownKey { key, known };
                return Err(AskError { option, error: QueryError { query, at: *at, problem } });
            }
        }
        Ok(())
    }
}

/// Whether two projections have the same keys and orders, wherever these stand in a text.
fn same(one: &Projection, other: &Projection) -> bool {
    let asked = |it: &Projection| -> Vec<_> {
        it.fields().iter().map(|field| (field.mention.key.clone(), field.order.clone())).collect()
    };
    asked(one) == asked(other)
}

/// Every key that some measurement has, or can always be asked for.
fn known(data: &Dataset) -> BTreeSet<String> {
    let always = [Key::Name, Key::FullName, Key::Unit, Key::AllConfig];
    let mut known: BTreeSet<String> = always.iter().map(Key::to_string).collect();
    known.insert(FILE.to_owned());
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
