//! Queries as typed, and those that follow from the data.
//!
//! Owns the defaults, and why there is no table. Refuses to parse: [`etalon_core::query`] does.

use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::model::Sides;
use etalon_core::query::{Filter, Key, Projection, QueryError};
use etalon_core::shell::copied;
use etalon_core::tables::{AskError, Query, QuerySpec, Sparse, natural_beside};

use crate::cli::{Comparison, Queries, StyleArg};
use crate::failure::Failure;

/// The query of the data, checked.
///
/// # Errors
/// If it cannot be read, is not of these data, or compares hardly anything.
pub(super) fn from_data(options: &Comparison, data: &Dataset) -> Result<Query, Failure> {
    let spec = match options.show.style {
        StyleArg::Benchstat => typed(options, QuerySpec::default())?,
        StyleArg::Etalon => typed(options, usual(options, data)?)?,
    };
    let query = Query::new(spec);
    query.check(data).map_err(Failure::new)?;
    let Some(Sparse { rows, columns, cells }) = query.sparse(data) else { return Ok(query) };
    Err(Failure::about(
        "--row, --col",
        format!(
            "{rows} rows and {columns} columns hold {cells} cells, so nearly every place is empty and \
             hardly a row has two to compare: name keys whose values come together, make tables of one \
             of them (--table), or choose with --filter"
        ),
    ))
}

/// The queries as typed, and the rest by default. What is ignored by default stays so.
///
/// # Errors
/// The first that cannot be read, in the order of the fields of [`QuerySpec`].
pub(super) fn typed(options: &Comparison, default: QuerySpec) -> Result<QuerySpec, Failure> {
    let Queries { filter, table, row, col, ignore, columns } = &options.queries;
    let filter = filter.as_deref().map(|text| read("filter", text, Filter::parse)).transpose()?;
    let table = projection("table", table)?;
    let (row, col) = (projection("row", row)?, projection("col", col)?);
    let of_metric = options.show.metric.as_deref().map(|name| {
        Filter::any(metrics::units_of(name).iter().map(|unit| Filter::is(Key::Unit, unit)))
    });
    let asked: Vec<Filter> = filter.into_iter().chain(of_metric).collect();
    let filter = if asked.is_empty() { default.filter } else { Filter::all(asked) };
    Ok(QuerySpec {
        filter,
        table: table.unwrap_or(default.table),
        row: row.unwrap_or(default.row),
        col: col.or_else(|| columns.clone()).unwrap_or(default.col),
        ignore: projection("ignore", ignore)?.unwrap_or_default().and(&default.ignore),
    })
}

/// The projection that is typed behind an option.
fn projection(option: &'static str, typed: &Option<String>) -> Result<Option<Projection>, Failure> {
    typed.as_deref().map(|text| read(option, text, Projection::parse)).transpose()
}

fn read<T>(
    option: &'static str,
    text: &str,
    parse: fn(&str) -> Result<T, QueryError>,
) -> Result<T, Failure> {
    parse(text).map_err(|error| Failure::new(AskError { option, error }))
}

/// The queries of the data by default. A key that is asked for is not ignored by default, and one that tells
/// rows or columns apart, or is to be ignored, tells no tables apart.
pub(super) fn usual(options: &Comparison, data: &Dataset) -> Result<QuerySpec, Failure> {
    let nothing = QuerySpec {
        filter: Filter::everything(),
        table: Projection::default(),
        row: Projection::default(),
        col: Projection::default(),
        ignore: Projection::default(),
    };
    let asked = typed(options, nothing)?;
    let mut usual = natural_beside(data, &[&asked.row, &asked.col, &asked.ignore]);
    let QuerySpec { filter, table, row, col, ignore } = asked;
    let is_typed = |key: &Key| {
        filter.mentions().iter().any(|mention| mention.key == *key)
            || [&table, &row, &col, &ignore].iter().any(|projection| projection.names(key))
    };
    if usual.ignore.fields().iter().any(|field| is_typed(&field.mention.key)) {
        usual.ignore = Projection::default();
    }
    Ok(usual)
}

/// Whether sides are columns: they are typed, or nothing is that says otherwise. benchstat knows no sides.
pub(super) fn are_columns(options: &Comparison, sides: Sides) -> bool {
    let Queries { row, col, table, ignore, columns, .. } = &options.queries;
    let key = Key::from_word(sides.key());
    match col {
        Some(col) => is_named(col, &key),
        None if columns.is_some() => true,
        None => {
            let mut elsewhere = [row, table, ignore].into_iter().flatten();
            options.show.style == StyleArg::Etalon && !elsewhere.any(|query| is_named(query, &key))
        }
    }
}

/// Whether queries name a key.
pub(super) fn names(queries: &Queries, key: &Key) -> bool {
    let Queries { row, col, table, ignore, .. } = queries;
    [row, col, table, ignore].into_iter().flatten().any(|query| is_named(query, key))
}

/// Whether a projection names a key; one that cannot be read is refused elsewhere.
pub(super) fn is_named(query: &str, key: &Key) -> bool {
    Projection::parse(query).is_ok_and(|projection| projection.names(key))
}

/// Why there is no table.
pub(super) fn nothing(options: &Comparison, data: &Dataset) -> Failure {
    if let Some(metric) = &options.show.metric {
        let units = data.units.join(", ");
        let why = format!("nothing that is compared is measured by it; units in the data: {units}");
        return Failure::about(format!("--metric {}", copied(metric)), why);
    }
    match &options.queries.filter {
        _ if data.values.is_empty() => {
            Failure::new("the data have no finite value: there is nothing to compare")
        }
        Some(filter) => Failure::about(
            format!("--filter {}", copied(filter)),
            format!(
                "nothing passes it{}: there is nothing to compare{}",
                if has_lists(&options.queries) { ", or the lists of fixed orders" } else { "" },
                units(data, filter)
            ),
        ),
        None => {
            Failure::new("nothing is in the lists of fixed orders: there is nothing to compare")
        }
    }
}

/// Whether a query has a list of values, which keeps others out.
fn has_lists(Queries { row, col, table, .. }: &Queries) -> bool {
    [row, col, table].into_iter().flatten().any(|query| query.contains("@("))
}

/// The units there are, for a filter that names one.
fn units(data: &Dataset, filter: &str) -> String {
    if !filter.contains(".unit") || data.units.is_empty() {
        return String::new();
    }
    format!("; units in the data: {}", data.units.join(", "))
}
