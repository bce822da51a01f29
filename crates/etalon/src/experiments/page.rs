//! The page of an experiment file in Markdown: prose, legends, commands, tables, what commands printed, in the order of the
//! file.

use std::path::Path;

use etalon_probe::printed_by;
use etalon_report::experiments::{
    self, InventoryEntry, Machine, Stage, commands, heading, inventory, legend, printed, quoted,
};
use etalon_report::html::{Data, Piece, experiment};
use etalon_report::text::{clean, named};

use super::cells::{Cell, axis_of, cells};
use super::file::{File, Inventoried, Inventory, OneOrMore, Placed, Section, Subject, Value};
use super::template::filled;
use super::{machines, results};
use crate::failure::Failure;
use crate::toml_text::{Source, hint};

/// Refuses a page that cannot be made.
///
/// # Errors
/// With place and remedy.
pub(crate) fn check(source: Source<'_>, file: &File) -> Result<(), Failure> {
    machines::check(source, file)?;
    let Some(page) = &file.page else { return Ok(()) };
    for placed in &page.section {
        let section = placed.get_ref();
        for axis in section.legend.iter().chain(&section.commands) {
            axis_of(source, file, axis)?;
        }
        tables_of(source, file, section)?;
        results::check(source, file, section)?;
        let Section { text, legend, commands, tables, output, machines, results, .. } = section;
        let said = [
            *machines,
            results.is_some(),
            section.inventory.is_some(),
            text.is_some(),
            legend.is_some(),
            commands.is_some(),
            tables.is_some(),
            output.is_some(),
        ];
        if said.iter().filter(|is_said| **is_said).count() != 1 {
            let title = section
                .title
                .as_deref()
                .map_or(String::new(), |title| format!(" {}", named(title)));
            let why = format!(
                "the section{title} of the page has to say one of `text`, `legend`, `commands`, `tables`, `output`, `machines`, \
                 `results` and `inventory`"
            );
            return Err(source.at(placed.span(), why));
        }
    }
    Ok(())
}

/// The tables of a section, by their place in the file.
pub(super) fn tables_of(
    source: Source<'_>,
    file: &File,
    section: &Section,
) -> Result<Vec<usize>, Failure> {
    let titles = || file.table.iter().map(|table| table.title.as_deref().unwrap_or_default());
    let Some(asked) = &section.tables else { return Ok(Vec::new()) };
    if matches!(asked.get_ref(), OneOrMore::One(one) if one.text() == "all") {
        return Ok((0..file.table.len()).collect());
    }
    let place = |title: &String| {
        titles().position(|known| known == title).ok_or_else(|| {
            let why =
                format!("the page asks for a table {}: {}", named(title), hint(title, titles()));
            source.at(asked.span(), why)
        })
    };
    asked.get_ref().texts().iter().map(place).collect()
}

/// Executes the commands of the page, for their output.
///
/// # Errors
/// If one cannot be executed or fails.
pub(crate) fn outputs(source: Source<'_>, file: &File) -> Result<Vec<(String, String)>, Failure> {
    let sections = file.page.iter().flat_map(|page| &page.section).map(Placed::get_ref);
    let directory = Some(source.directory()).filter(|path| !path.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    let mut outputs = Vec::new();
    for command in sections.filter_map(|section| section.output.as_ref()) {
        let text =
            printed_by(&super::own::in_shell(command.get_ref()), directory).map_err(|error| {
                let why = format!("`{}`, whose output the page shows: {error}", command.get_ref());
                source.at(command.span(), why)
            })?;
        outputs.push((command.get_ref().clone(), text));
    }
    Ok(outputs)
}

/// The contents of a page besides the file.
pub(super) struct PageContents<'a> {
    /// The commands of the page, each with its output.
    pub(super) outputs: &'a [(String, String)],
    /// The tables of the file in its order, in Markdown.
    pub(super) tables: &'a [String],
    /// The figures of every machine.
    pub(super) machines: &'a [Machine],
    /// Remarks on the machine that measured, whatever the page says.
    pub(super) remarks: &'a [String],
}

/// A part of a page.
pub(super) enum Part {
    /// Markdown.
    Prose(String),
    /// A table of the file, by its place in it.
    Table(usize),
}

/// The title of a page.
pub(super) fn title(source: Source<'_>, file: &File) -> String {
    let own = file.page.as_ref().and_then(|page| page.title.clone());
    own.unwrap_or_else(|| super::title(source, file))
}

/// The page in Markdown.
///
/// # Errors
/// If a command has an axis that is not there.
pub(super) fn written(
    source: Source<'_>,
    file: &File,
    made: &PageContents<'_>,
) -> Result<String, Failure> {
    let text = |part| match part {
        Part::Prose(text) => Some(text),
        Part::Table(at) => made.tables.get(at).cloned(),
    };
    let parts = parts(source, file, made)?.into_iter().filter_map(text);
    Ok(experiments::page(&title(source, file), parts))
}

/// The contents of the page below its title.
///
/// # Errors
/// If a command has an axis that is not there.
pub(super) fn parts(
    source: Source<'_>,
    file: &File,
    made: &PageContents<'_>,
) -> Result<Vec<Part>, Failure> {
    let PageContents { outputs, tables, machines, remarks } = *made;
    let page = file.page.clone().unwrap_or_default();
    let mut parts = Vec::new();
    for section in page.section.iter().map(Placed::get_ref) {
        let mut said: Vec<String> = Vec::new();
        said.extend(section.title.as_deref().map(heading));
        if let Some(text) = &section.text {
            said.push(text.trim_end().to_owned());
        }
        if let Some(axis) = &section.legend {
            let values = axis_of(source, file, axis)?.iter();
            said.push(legend(values.map(|value| (value.name(), value.field("about")))));
        }
        if let Some(axis) = &section.commands {
            said.push(commands(axis.get_ref(), &commands_of(source, file, axis)?));
        }
        parts.extend(said.drain(..).map(Part::Prose));
        parts.extend(tables_of(source, file, section)?.into_iter().map(Part::Table));
        if let Some(command) = &section.output {
            let known = outputs.iter().find(|(known, _)| known == command.get_ref());
            said.extend(known.map(|(_, text)| printed(text)));
        }
        if section.machines {
            said.push(experiments::machines(machines));
        }
        if let Some(group) = &section.results {
            said.push(results::table(file, section, group.get_ref(), machines));
        }
        if let Some(part) = section.inventory {
            said.push(inventory(&listed(file), stage(part), machines));
        }
        said.extend(section.notes.iter().map(|note| quoted(note)));
        parts.extend(said.into_iter().map(Part::Prose));
    }
    if page.section.is_empty() {
        parts.extend((0..tables.len()).map(Part::Table));
    }
    parts.extend(remarks.iter().map(|remark| Part::Prose(quoted(remark))));
    Ok(parts)
}

/// The page for a browser; the tables that it is made of are markup.
///
/// # Errors
/// If a command has an axis that is not there.
pub(super) fn as_html(
    source: Source<'_>,
    file: &File,
    made: &PageContents<'_>,
    data: &Data,
) -> Result<String, Failure> {
    let parts = parts(source, file, made)?;
    let mut pieces = Vec::new();
    for part in &parts {
        pieces.push(match part {
            Part::Prose(text) => Piece::Prose(text),
            Part::Table(at) => Piece::Markup(made.tables.get(*at).map_or("", String::as_str)),
        });
    }
    Ok(experiment(&clean(&title(source, file)), &pieces, data))
}

/// The benchmarks that the file declares.
fn listed(file: &File) -> Vec<InventoryEntry<'_>> {
    let all = file.inventory.iter().map(Placed::get_ref);
    all.map(|it: &Inventoried| InventoryEntry {
        benchmark: &it.benchmark,
        location: it.location.as_deref(),
        backend: it.backend.as_deref(),
        stage: if it.planned { Stage::Planned } else { Stage::Written },
        notes: it.notes.as_deref(),
    })
    .collect()
}

/// The stage of the benchmarks in a part of the inventory; absent of all.
fn stage(part: Inventory) -> Option<Stage> {
    match part {
        Inventory::All => None,
        Inventory::Written => Some(Stage::Written),
        Inventory::Planned => Some(Stage::Planned),
    }
}

/// The command of each value of an axis; the other axes are called by their names.
fn commands_of(
    source: Source<'_>,
    file: &File,
    axis: &Placed,
) -> Result<Vec<(String, String)>, Failure> {
    let values = axis_of(source, file, axis)?.iter();
    let of_value =
        |value: &Value| Ok((value.name(), command_of(source, file, axis.get_ref(), value)?));
    values.map(of_value).collect()
}

/// The command of the first subject for a value, in the first cell that has it: it can be copied as it stands.
pub(super) fn command_of(
    source: Source<'_>,
    file: &File,
    axis: &str,
    value: &Value,
) -> Result<String, Failure> {
    let cells = cells(source, file)?;
    let has_it = |cell: &&Cell<'_>| cell.value(axis).is_ok_and(|it| it.name() == value.name());
    let Some(cell) = cells.iter().find(has_it) else { return Ok(String::new()) };
    let is_for = |subject: &&Placed<Subject>| {
        let wanted = subject.get_ref().only.iter().find(|(known, _)| known.get_ref() == axis);
        wanted.is_none_or(|(_, wanted)| wanted.texts().contains(&value.name()))
    };
    let subject = file.subject.iter().find(is_for).map(Placed::get_ref);
    match subject.and_then(|subject| subject.command.as_ref().or(subject.suite.as_ref())) {
        Some(executed) => filled(source, executed, cell),
        None => Ok(String::new()),
    }
}
