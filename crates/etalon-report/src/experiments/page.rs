//! Prose of a page: legends, commands, what commands printed, remarks, all of it together.

use super::cells::{code, laid_out, plain};
use crate::document::fenced;

/// The page: its title, and its parts in their order.
#[must_use]
pub fn page(title: &str, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = [format!("# {title}")].into_iter().chain(parts).collect();
    format!("{}\n", parts.join("\n\n"))
}

/// The heading of a section.
#[must_use]
pub fn heading(title: &str) -> String {
    format!("## {title}")
}

/// The legend of values, each with what is said about it.
#[must_use]
pub fn legend(values: impl Iterator<Item = (String, Option<String>)>) -> String {
    let line = |(name, about): (String, Option<String>)| match about {
        Some(about) => format!("- {}: {about}", code(&name)),
        None => format!("- {}", code(&name)),
    };
    values.map(line).collect::<Vec<_>>().join("\n")
}

/// The commands by the values of an axis.
#[must_use]
pub fn commands(axis: &str, commands: &[(String, String)]) -> String {
    let row = |(value, command): &(String, String)| vec![plain(value), code(command)];
    let rows: Vec<Vec<String>> = commands.iter().map(row).collect();
    let titles = [plain(axis), "command".to_owned()];
    laid_out(&titles, titles.len(), &rows)
}

/// The output of a command, as it is.
#[must_use]
pub fn printed(text: &str) -> String {
    fenced(&text.split('\n').map(str::to_owned).collect::<Vec<_>>())
}

/// A remark.
#[must_use]
pub fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.trim_end().lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}
