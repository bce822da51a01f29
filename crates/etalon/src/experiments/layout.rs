//! Where the cells of a table stand: its rows and columns, the words beside them, and why cells are empty that are.

use std::collections::BTreeMap;

use etalon_core::tables::Labels;
use etalon_report::text::named;

use super::benchmarks::Ended;
use super::file::{File, Scalar, Table, Value};
use super::page;
use crate::failure::Failure;
use crate::toml_text::Source;

/// Rows and columns of a table, by their labels.
pub(super) struct Layout {
    pub(super) rows: Vec<Labels>,
    pub(super) columns: Vec<Labels>,
    /// Why cells have no value, by row and column.
    pub(super) absent: BTreeMap<(usize, usize), String>,
    /// That by the labels of both.
    pub(super) without_values: Vec<(Labels, Labels, String)>,
}

impl Layout {
    /// The rows and columns of benchmarks, in their order; columns that the table orders come first.
    pub(super) fn new(table: &Table, members: &[&Ended<'_>]) -> Layout {
        let (row_axes, column_axes) =
            (table.rows.get_ref().texts(), table.columns.get_ref().texts());
        let labels = |it: &Ended<'_>, axes: &[String]| -> Labels {
            axes.iter().map(|axis| it.value(axis).map(str::to_owned)).collect()
        };
        let (mut rows, mut columns): (Vec<Labels>, Vec<Labels>) = (Vec::new(), Vec::new());
        let mut absent = BTreeMap::new();
        for ended in members {
            let row = place(&mut rows, labels(ended, &row_axes));
            let column = place(&mut columns, labels(ended, &column_axes));
            if let Some(why) = &ended.why {
                absent.insert((row, column), why.clone());
            }
        }
        let places = absent.iter().map(|((row, column), why): (&(usize, usize), &String)| {
            (rows[*row].clone(), columns[*column].clone(), why.clone())
        });
        let without_values = places.collect();
        let order: Vec<String> = table.order.iter().map(Scalar::text).collect();
        let columns = reordered(&columns, &order, &mut absent);
        Layout { rows, columns, absent, without_values }
    }
}

/// The place of labels, which are added if they are new.
fn place(all: &mut Vec<Labels>, labels: Labels) -> usize {
    all.iter().position(|known| *known == labels).unwrap_or_else(|| {
        all.push(labels);
        all.len() - 1
    })
}

/// The columns with those that are named first, in that order; `absent` follows them.
fn reordered(
    columns: &[Labels],
    first: &[String],
    absent: &mut BTreeMap<(usize, usize), String>,
) -> Vec<Labels> {
    let rank = |labels: &Labels| {
        let is_named = |name: &String| labels.iter().flatten().any(|label| label == name);
        first.iter().position(is_named).unwrap_or(first.len())
    };
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|at| rank(&columns[*at]));
    let moved = std::mem::take(absent).into_iter().filter_map(|((row, column), why)| {
        Some(((row, order.iter().position(|at| *at == column)?), why))
    });
    *absent = moved.collect();
    order.into_iter().map(|at| columns[at].clone()).collect()
}

/// Columns of words beside the rows: fields of their values, and commands.
pub(super) fn label_columns(
    source: Source<'_>,
    file: &File,
    table: &Table,
    rows: &[Labels],
) -> Result<Vec<(String, Vec<String>)>, Failure> {
    let axes = table.rows.get_ref().texts();
    let mut columns = Vec::new();
    for asked in &table.labels {
        let asked_text = asked.get_ref().as_str();
        let first = axes.first().map_or("", String::as_str);
        let (axis, field) = asked_text.split_once('.').unwrap_or((first, asked_text));
        let Some(at) = axes.iter().position(|known| known == axis) else {
            let why = format!(
                "the label {} is of no axis of the rows: there are {}",
                named(asked_text),
                axes.join(", ")
            );
            return Err(source.at(asked.span(), why));
        };
        let declared = file.axes.iter().find(|(known, _)| known.get_ref() == axis);
        let values: &[Value] = declared.map_or(&[], |(_, values)| values);
        let text = |row: &Labels| -> Result<String, Failure> {
            let name = row[at].as_deref().unwrap_or_default();
            let Some(value) = values.iter().find(|value| value.name() == name) else {
                return Ok(String::new());
            };
            match field {
                "command" => page::command_of(source, file, axis, value),
                field => Ok(value.field(field).unwrap_or_default()),
            }
        };
        let texts = rows.iter().map(text).collect::<Result<Vec<_>, _>>()?;
        columns.push((field.to_owned(), texts));
    }
    Ok(columns)
}
