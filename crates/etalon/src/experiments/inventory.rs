//! The inventory of a page: which benchmarks there are, and whether the data have them.

use super::figures::{Measured, is_called};
use super::file::{File, Inventoried, Inventory, Placed};
use super::markdown::{code, laid_out, plain};

/// Its table, and what the data have besides.
pub(super) fn table(file: &File, part: Inventory, machines: &[Measured]) -> String {
    let all = file.inventory.iter().map(Placed::get_ref);
    let shown: Vec<&Inventoried> = all
        .filter(|it| match part {
            Inventory::All => true,
            Inventory::Written => !it.planned,
            Inventory::Planned => it.planned,
        })
        .collect();
    let has_notes = part == Inventory::Planned || shown.iter().any(|it| it.notes.is_some());
    let is_planned = part == Inventory::Planned;
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
    let row = |it: &&Inventoried| {
        let location = it.location.as_ref().map_or(String::new(), |path| code(path));
        chosen([
            called(&it.benchmark),
            location,
            it.backend.clone().unwrap_or_default(),
            status(it, machines),
            it.notes.clone().unwrap_or_default(),
        ])
    };
    let titles = chosen(columns.map(|(title, _)| title.to_owned()));
    let rows: Vec<Vec<String>> = shown.iter().map(row).collect();
    let mut text = laid_out(&titles, titles.len(), &rows);
    let unlisted = unlisted(file, machines);
    if part != Inventory::Planned && !unlisted.is_empty() {
        text.push_str(&format!(
            "\n\n> Measured, but not in the inventory: {}.",
            unlisted.join(", ")
        ));
    }
    text
}

const PLANNED: &str = "Planned";

/// The status of a benchmark by the data.
fn status(it: &Inventoried, machines: &[Measured]) -> String {
    let has_figures = machines.iter().any(|machine| machine.figures(&it.benchmark).is_some());
    let why = machines.iter().find_map(|machine| machine.why_without(&it.benchmark));
    match (has_figures, it.planned, why) {
        (true, false, _) => "Done".to_owned(),
        (true, true, _) => "Done (declared as planned)".to_owned(),
        (false, true, _) => PLANNED.to_owned(),
        (false, false, Some(why)) => why.to_owned(),
        (false, false, None) => "declared, but not in the data".to_owned(),
    }
}

/// Benchmarks of the data that nobody declared.
fn unlisted(file: &File, machines: &[Measured]) -> Vec<String> {
    let declared =
        |name: &str| file.inventory.iter().any(|it| is_called(name, &it.get_ref().benchmark));
    let mut all: Vec<String> = Vec::new();
    for name in machines.iter().flat_map(|machine| machine.benchmarks.keys()) {
        let shown = called(name);
        if !declared(name) && !all.contains(&shown) {
            all.push(shown);
        }
    }
    all
}

/// A name as code; words as they are.
pub(super) fn called(name: &str) -> String {
    if name.contains(' ') { plain(name) } else { code(name) }
}
