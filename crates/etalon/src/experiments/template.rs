//! `{axis}` and `{axis.field}` in texts of an experiment file.

use super::cells::Cell;
use super::file::Placed;
use crate::failure::Failure;
use crate::toml_text::{Source, hint};

/// A text with the values of a cell in their places; `{{` and `}}` are braces.
///
/// # Errors
/// If it names an axis or a field that is not there, or a brace does not close.
pub(crate) fn filled(
    source: Source<'_>,
    text: &Placed,
    cell: &Cell<'_>,
) -> Result<String, Failure> {
    let wrong = |message: String| source.at(text.span(), message);
    let (mut filled, mut rest) = (String::new(), text.get_ref().as_str());
    while let Some(at) = rest.find(['{', '}']) {
        filled.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix(brace) {
            filled.push_str(brace);
            rest = behind;
            continue;
        }
        let name = rest.split_once('}').filter(|_| brace == "{");
        let Some((name, behind)) = name else {
            return Err(wrong(format!(
                "`{brace}` stands alone: write `{brace}{brace}` for a brace"
            )));
        };
        rest = behind;
        let (axis, field) =
            name.split_once('.').map_or((name, None), |(axis, field)| (axis, Some(field)));
        let found = cell.value(axis).map_err(|known| {
            wrong(format!("no axis `{axis}` is declared: {}", hint(axis, known.iter().copied())))
        })?;
        match field {
            None => filled.push_str(&found.name()),
            Some(field) => filled.push_str(&found.field(field).ok_or_else(|| {
                wrong(format!("`{}` of the axis `{axis}` has no field `{field}`", found.name()))
            })?),
        }
    }
    filled.push_str(rest);
    Ok(filled)
}

/// A variable's name and value with the values of a cell in their places.
///
/// # Errors
/// As [`filled`].
pub(crate) fn variable(
    source: Source<'_>,
    (name, value): (&String, &Placed),
    cell: &Cell<'_>,
) -> Result<[String; 2], Failure> {
    let name = Placed::new(value.span(), name.clone());
    Ok([filled(source, &name, cell)?, filled(source, value, cell)?])
}

/// The first axis that a text names which takes no values.
pub(crate) fn named<'a>(text: &str, mut axes: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    axes.find(|axis| text.contains(&format!("{{{axis}}}")) || text.contains(&format!("{{{axis}.")))
}
