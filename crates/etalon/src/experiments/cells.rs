//! The matrix: combinations of the axes' values, without those that are left out.

use etalon_report::number::counted;

use super::file::{File, OneOrMore, Placed, Value, Where};
use crate::failure::Failure;
use crate::toml_text::{Source, hint};

/// One combination of values, an axis each, in the order of the file.
#[derive(Debug, Clone)]
pub(crate) struct Cell<'a>(pub(crate) Vec<(&'a str, &'a Value)>);

impl<'a> Cell<'a> {
    /// The value of an axis.
    ///
    /// # Errors
    /// The axes there are.
    pub(crate) fn value(&self, axis: &str) -> Result<&'a Value, Vec<&'a str>> {
        let found = self.0.iter().find(|(name, _)| *name == axis);
        found.map(|(_, value)| *value).ok_or_else(|| self.0.iter().map(|(name, _)| *name).collect())
    }

    /// By axis, what its value is called.
    pub(crate) fn params(&self) -> Vec<(String, String)> {
        self.0.iter().map(|(name, value)| ((*name).to_owned(), value.name())).collect()
    }

    /// Whether everything holds that is written.
    pub(crate) fn meets(&self, conditions: &Where) -> bool {
        conditions.iter().all(|(axis, wanted)| {
            let value = self.value(axis.get_ref()).map(Value::name);
            value.is_ok_and(|value| wanted.texts().contains(&value))
        })
    }
}

/// The most cells that axes may make before any is left out. Because: each is a benchmark of a record, of which one source
/// has as many at most; more is a slip, not an experiment.
const MOST: usize = 100_000;

/// Refuses axes that make too many cells, before any is made.
///
/// # Errors
/// With the axes, and how many values each has.
fn count(source: Source<'_>, file: &File) -> Result<(), Failure> {
    let sizes = || file.axes.values().map(Vec::len);
    let count = sizes().try_fold(1_usize, usize::checked_mul);
    let Some((first, _)) = file.axes.first().filter(|_| count.is_none_or(|count| count > MOST))
    else {
        return Ok(());
    };
    let axes = file.axes.iter().filter(|(_, values)| values.len() > 1);
    let axes: Vec<String> =
        axes.map(|(axis, values)| format!("{} ({})", axis.get_ref(), values.len())).collect();
    let cells = |count| counted(count, "cell", "cells");
    let many = count.map_or_else(|| "more than 10¹⁹ cells".to_owned(), cells);
    Err(source.at(
        first.span(),
        format!(
            "the axes {} make {many}, at most {} are possible: give fewer values, or measure them in several files",
            axes.join(" × "),
            cells(MOST)
        ),
    ))
}

/// The cells of a file in its order, the first axis the slowest to change.
///
/// # Errors
/// If they are too many, values of an axis share a name, or a condition names what is not there.
pub(crate) fn cells<'f>(source: Source<'_>, file: &'f File) -> Result<Vec<Cell<'f>>, Failure> {
    count(source, file)?;
    let mut cells = vec![Cell(Vec::new())];
    for (axis, values) in &file.axes {
        let name = axis.get_ref().as_str();
        if values.is_empty() {
            return Err(source.at(axis.span(), format!("the axis `{name}` has no value")));
        }
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)) || name.is_empty() {
            let message = format!("`{name}` is no name of an axis: use letters, digits, _ and -");
            return Err(source.at(axis.span(), message));
        }
        let mut seen = std::collections::HashSet::new();
        if let Some(twice) =
            values.iter().map(Value::name).find(|value| !seen.insert(value.clone()))
        {
            let message =
                format!("the axis `{name}` has `{twice}` twice: two cells would have one key");
            return Err(source.at(axis.span(), message));
        }
        let with = |cell: &Cell<'f>, value: &'f Value| {
            Cell(cell.0.iter().copied().chain([(name, value)]).collect())
        };
        cells = cells
            .iter()
            .flat_map(|cell| values.iter().map(move |value| with(cell, value)))
            .collect();
    }
    for conditions in file.exclude.iter().chain(&file.include) {
        check(source, file, conditions)?;
    }
    cells.retain(|cell| {
        let meets = |all: &[Where]| all.iter().any(|conditions| cell.meets(conditions));
        !meets(&file.exclude) || meets(&file.include)
    });
    Ok(cells)
}

/// Refuses conditions about axes and values that are not declared.
///
/// # Errors
/// With place and remedy.
pub(crate) fn check(source: Source<'_>, file: &File, conditions: &Where) -> Result<(), Failure> {
    for (axis, wanted) in conditions {
        let values = axis_of(source, file, axis)?;
        let known: Vec<String> = values.iter().map(Value::name).collect();
        if let Some(unknown) = unknown(wanted, &known) {
            let hint = hint(&unknown, known.iter().map(String::as_str));
            let message = format!("the axis `{}` has no value `{unknown}`: {hint}", axis.get_ref());
            return Err(source.at(axis.span(), message));
        }
    }
    Ok(())
}

fn unknown(wanted: &OneOrMore, known: &[String]) -> Option<String> {
    wanted.texts().into_iter().find(|text| !known.contains(text))
}

/// The values of an axis that is named somewhere.
///
/// # Errors
/// If there is no such axis.
pub(super) fn axis_of<'f>(
    source: Source<'_>,
    file: &'f File,
    axis: &Placed,
) -> Result<&'f [Value], Failure> {
    let name = axis.get_ref();
    let found = file.axes.iter().find(|(known, _)| known.get_ref() == name);
    found.map(|(_, values)| &values[..]).ok_or_else(|| {
        let known = file.axes.keys().map(|known| known.get_ref().as_str());
        source.at(axis.span(), format!("no axis `{name}` is declared: {}", hint(name, known)))
    })
}
