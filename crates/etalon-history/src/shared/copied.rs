//! Rows of the file on their way to a shared history, by COPY in its binary format.

use std::collections::HashMap;

use postgres::Transaction;
use postgres::binary_copy::BinaryCopyInWriter;
use postgres::types::{ToSql, Type};
use rusqlite::{Connection, Params, Row};

use super::Broken;
use super::tables::{Column, NAMES, Names, Rows};

/// The numbers that rows of [`NAMES`] have there, by those that they have here.
pub(super) type Numbers = [HashMap<i64, i64>; NAMES.len()];

/// Merges the names of the file, and tells their numbers.
pub(super) fn names(from: &Connection, to: &mut Transaction<'_>) -> Result<Numbers, Broken> {
    let mut numbers = Numbers::default();
    for (at, names) in NAMES.iter().enumerate() {
        let Names { table, columns, is_same, conflict } = names;
        let typed: Vec<String> =
            columns.iter().map(|(name, kind)| format!("{name} {}", kind.sql())).collect();
        let listed = listed(columns);
        let new = format!("new_{table}");
        let create =
            format!("CREATE TEMP TABLE {new}(here bigint, {}) ON COMMIT DROP", typed.join(", "));
        to.batch_execute(&create)?;
        let all: Vec<Column> =
            [Column::Whole].into_iter().chain(columns.iter().map(|(_, kind)| *kind)).collect();
        let select = format!("SELECT id, {listed} FROM {table}");
        copy(from, to, (&select, []), (&new, &all), &numbers)?;
        to.batch_execute(&format!(
            "INSERT INTO etalon.{table} AS known({listed}) SELECT {listed} FROM {new} {conflict}"
        ))?;
        let pairs = format!(
            "SELECT new.here, known.id FROM {new} new JOIN etalon.{table} known ON {is_same}"
        );
        let pairs = to.query(&pairs, &[])?;
        numbers[at] = pairs.iter().map(|row| (row.get(0), row.get(1))).collect();
    }
    // An absolute value has no anchor.
    numbers[super::tables::VERSION].insert(0, 0);
    Ok(numbers)
}

/// Copies the rows of some series into the table of a batch; how many they are.
pub(super) fn rows(
    from: &Connection,
    to: &mut Transaction<'_>,
    rows: &Rows,
    (first, last): (i64, i64),
    numbers: &Numbers,
) -> Result<u64, Broken> {
    let Rows { table, columns } = rows;
    let listed = listed(columns);
    let select = format!("SELECT {listed} FROM {table} WHERE series BETWEEN ?1 AND ?2");
    let kinds: Vec<Column> = columns.iter().map(|(_, kind)| *kind).collect();
    copy(from, to, (&select, [first, last]), (&format!("new_{table}"), &kinds), numbers)
}

fn listed(columns: &[(&str, Column)]) -> String {
    columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn copy(
    from: &Connection,
    to: &mut Transaction<'_>,
    (select, values): (&str, impl Params),
    (table, columns): (&str, &[Column]),
    numbers: &Numbers,
) -> Result<u64, Broken> {
    let types: Vec<Type> = columns.iter().map(|kind| kind.typed()).collect();
    let sink = to.copy_in(&format!("COPY {table} FROM STDIN (FORMAT binary)"))?;
    let mut out = BinaryCopyInWriter::new(sink, &types);
    let mut statement = from.prepare_cached(select)?;
    let mut rows = statement.query(values)?;
    while let Some(row) = rows.next()? {
        let cells: Vec<Box<dyn ToSql + Sync>> = (0..)
            .zip(columns)
            .map(|(at, kind)| cell(row, at, *kind, numbers))
            .collect::<rusqlite::Result<_>>()?;
        let cells: Vec<&(dyn ToSql + Sync)> = cells.iter().map(|cell| &**cell).collect();
        out.write(&cells)?;
    }
    Ok(out.finish()?)
}

fn cell(
    row: &Row<'_>,
    at: usize,
    kind: Column,
    numbers: &Numbers,
) -> rusqlite::Result<Box<dyn ToSql + Sync>> {
    Ok(match kind {
        Column::Whole => Box::new(row.get::<_, Option<i64>>(at)?),
        Column::Number => Box::new(row.get::<_, Option<f64>>(at)?),
        Column::Text => Box::new(row.get::<_, String>(at)?),
        Column::Readings => Box::new(crate::read::readings(&row.get::<_, Vec<u8>>(at)?)),
        Column::Named(of) => {
            let here: i64 = row.get(at)?;
            let there = numbers[of].get(&here).copied();
            Box::new(there.ok_or(rusqlite::Error::IntegralValueOutOfRange(at, here))?)
        }
    })
}

impl Column {
    fn typed(self) -> Type {
        match self {
            Column::Whole | Column::Named(_) => Type::INT8,
            Column::Number => Type::FLOAT8,
            Column::Text => Type::TEXT,
            Column::Readings => Type::FLOAT8_ARRAY,
        }
    }

    fn sql(self) -> &'static str {
        match self {
            Column::Whole | Column::Named(_) => "bigint",
            Column::Number => "double precision",
            Column::Text => "text",
            Column::Readings => "double precision[]",
        }
    }
}
