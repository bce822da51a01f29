//! Words of a JSON parser about a line.

/// A parser's reason with the column only: the line number it counts is always 1, or said elsewhere.
pub(crate) fn json_reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) if error.column() > 0 => format!("{} (column {})", &text[..end], error.column()),
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
