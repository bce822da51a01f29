//! The inventory of a page: which benchmarks there are, and whether the data have them.

use super::cells::{called, code, laid_out};
use super::machines::{Machine, is_called};

/// A benchmark that there is, or should be.
#[derive(Debug, Clone, Copy)]
pub struct InventoryEntry<'a> {
    /// What it is called in the data, `Benchmark` in front and processors behind left out or not.
    pub benchmark: &'a str,
    /// Where it is written.
    pub location: Option<&'a str>,
    /// What it works on.
    pub backend: Option<&'a str>,
    /// Whether there is one yet.
    pub stage: Stage,
    /// Remarks on it.
    pub notes: Option<&'a str>,
}

/// Whether a benchmark is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It is.
    Written,
    /// It is still to be written.
    Planned,
}

/// The table of benchmarks, of all or of those at a stage, and what the data have besides.
#[must_use]
pub fn inventory(all: &[InventoryEntry<'_>], part: Option<Stage>, machines: &[Machine]) -> String {
    let is_shown = |it: &&InventoryEntry<'_>| part.is_none_or(|stage| stage == it.stage);
    let shown: Vec<&InventoryEntry<'_>> = all.iter().filter(is_shown).collect();
    let is_planned = part == Some(Stage::Planned);
    let has_notes = is_planned || shown.iter().any(|it| it.notes.is_some());
    let columns = [
        ("Benchmark", true),
        ("Location", !is_planned),
        ("Backend", true),
        ("Status", !is_planned || shown.iter().any(|it| status(it, machines) != PLANNED)),
        ("Notes", has_notes),
    ];
    let chosen = |cells: [String; 5]| -> Vec<String> {
        cells.into_iter().zip(columns).filter(|(_, (_, is))| *is).map(|(cell, _)| cell).collect()
    };
    let row = |it: &&InventoryEntry<'_>| {
        chosen([
            called(it.benchmark),
            it.location.map_or(String::new(), code),
            it.backend.unwrap_or_default().to_owned(),
            status(it, machines),
            it.notes.unwrap_or_default().to_owned(),
        ])
    };
    let titles = chosen(columns.map(|(title, _)| title.to_owned()));
    let rows: Vec<Vec<String>> = shown.iter().map(row).collect();
    let mut text = laid_out(&titles, titles.len(), &rows);
    let unlisted = unlisted(all, machines);
    if !is_planned && !unlisted.is_empty() {
        text.push_str(&format!(
            "\n\n> Measured, but not in the inventory: {}.",
            unlisted.join(", ")
        ));
    }
    text
}

const PLANNED: &str = "Planned";

/// The status of a benchmark by the data.
fn status(it: &InventoryEntry<'_>, machines: &[Machine]) -> String {
    let has_figures = machines.iter().any(|machine| machine.figures(it.benchmark).is_some());
    let why = machines.iter().find_map(|machine| machine.why_without(it.benchmark));
    match (has_figures, it.stage == Stage::Planned, why) {
        (true, false, _) => "Done".to_owned(),
        (true, true, _) => "Done (declared as planned)".to_owned(),
        (false, true, _) => PLANNED.to_owned(),
        (false, false, Some(why)) => why.to_owned(),
        (false, false, None) => "declared, but not in the data".to_owned(),
    }
}

/// Benchmarks of the data that nobody declared.
fn unlisted(all: &[InventoryEntry<'_>], machines: &[Machine]) -> Vec<String> {
    let declared = |name: &str| all.iter().any(|it| is_called(name, it.benchmark));
    let mut unlisted: Vec<String> = Vec::new();
    for name in machines.iter().flat_map(|machine| machine.benchmarks.keys()) {
        let shown = called(name);
        if !declared(name) && !unlisted.contains(&shown) {
            unlisted.push(shown);
        }
    }
    unlisted
}
