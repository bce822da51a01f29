//! Rows of a table over the sizes in their names, for pictures.
//!
//! Owns which labels of a row hold a size. What grows by which power is [`crate::plots`]'.

use super::{Labels, Table};
use crate::plots::{Curve, Curves, Growing, Size, name_sizes, plain_number};
use crate::query::Key;

/// The rows of a table over every size that a name (`/n=1000`) or a key of its own has, a curve for each column.
/// O(n log n) in the cells.
#[must_use]
pub fn growing_rows(row_keys: &[String], table: &Table) -> Vec<Growing> {
    let mut curves = Curves::default();
    for row in &table.rows {
        for size in sizes(row_keys, &row.labels) {
            for (column, cell) in row.cells.iter().enumerate() {
                let name = size.name.clone();
                let curve = Curve { name, others: Vec::new(), file: None, column: Some(column) };
                let point = cell.as_ref().map(|cell| (size.at, cell.centre));
                curves.add(&size.param, curve, point);
            }
        }
    }
    curves.growing(&table.metric(), table.criteria.confidence)
}

/// The sizes of a row: the parts of its name, and the keys whose value is a number.
fn sizes(keys: &[String], labels: &Labels) -> Vec<Size> {
    let mut sizes = Vec::new();
    for (at, (key, label)) in keys.iter().zip(labels).enumerate() {
        let Some(label) = label else { continue };
        let found = match Key::from_word(key) {
            Key::FullName | Key::Name => name_sizes(label),
            Key::Part(param) => value_sizes(param, label),
            Key::Config(param) if !param.starts_with('.') => value_sizes(param, label),
            Key::Config(_) | Key::AllConfig | Key::Unit => Vec::new(),
        };
        sizes.extend(found.into_iter().map(|it| Size { name: beside(labels, at, &it.name), ..it }));
    }
    sizes
}

fn value_sizes(param: String, value: &str) -> Vec<Size> {
    let size = |at| Size { name: format!("{{{param}}}"), param, at, others: Vec::new() };
    plain_number(value).map(size).into_iter().collect()
}

/// The labels of a row in one text, one of them replaced.
fn beside(labels: &Labels, at: usize, text: &str) -> String {
    let own = |(other, label)| if other == at { Some(text) } else { label };
    let labels = labels.iter().map(Option::as_deref).enumerate();
    labels.filter_map(own).collect::<Vec<_>>().join(" ")
}
