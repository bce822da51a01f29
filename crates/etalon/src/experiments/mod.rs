//! Experiment files as documents: what can be written ([`mod@file`]), which cells there are ([`cells`]), and how what was
//! measured is shown ([`tables`], [`page`]).
//!
//! Refuses to measure.

mod benchmarks;
pub(crate) mod cells;
mod display;
mod document;
pub(crate) mod figures;
pub(crate) mod file;
mod go;
mod layout;
pub(crate) mod machines;
pub(crate) mod own;
pub(crate) mod page;
mod parts;
mod results;
mod schema;
mod screen;
pub(crate) mod tables;
pub(crate) mod template;
mod usual;

use std::ffi::OsStr;
use std::path::Path;

use etalon_core::dataset::Dataset;
use etalon_core::model::Answer;
use etalon_core::run_set::ExperimentFile;
use etalon_record::ReadError;
use etalon_report::html;

use crate::cli::{self, FormatArg};
use crate::compare::sides;
use crate::failure::Failure;
use crate::output;
use crate::toml_text::Source;
use file::File;

pub(crate) use benchmarks::NAME;
pub(crate) use display::DisplayOptions;
pub(crate) use schema::init;

/// The path of a file as it is shown, and its text.
pub(crate) fn read(path: &OsStr) -> Result<(String, String), Failure> {
    let shown_path = Path::new(path).to_string_lossy().into_owned();
    let text = std::fs::read(path).map_err(|error| ReadError::open(Path::new(path), &error))?;
    let text = String::from_utf8(text)
        .map_err(|_| Failure::about(&shown_path, "is not UTF-8, which TOML is: save it as that"))?;
    Ok((shown_path, text))
}

/// Parses a file.
pub(crate) fn parsed(source: Source<'_>) -> Result<File, Failure> {
    let mut file: File = source.parse()?;
    go::declare_metrics(&mut file);
    Ok(file)
}

/// The title of the experiment: as it says, else its file's name.
pub(crate) fn title(source: Source<'_>, file: &File) -> String {
    let stem =
        || Path::new(source.path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    file.title.clone().or_else(stem).unwrap_or_default()
}

/// Shows what the record of an experiment file has: its tables, or its page.
pub(crate) fn report(
    recorded: &ExperimentFile,
    data: Dataset,
    wanted: &DisplayOptions<'_>,
) -> Result<(), Failure> {
    let source = Source { path: &recorded.path, text: &recorded.text };
    let file = parsed(source)?;
    tables::show(source, &file, data, wanted)
}

/// The outcome of the tables of a recorded experiment file, for a line of a list.
pub(crate) fn in_brief(recorded: &ExperimentFile, data: &Dataset) -> Option<Answer> {
    let source = Source { path: &recorded.path, text: &recorded.text };
    let file = parsed(source).ok()?;
    let cli::Reporting { view, analysis, .. } = cli::Reporting::default();
    tables::in_brief(
        source,
        &file,
        data,
        &DisplayOptions { view: &view, analysis: &analysis, page: None },
    )
}

/// Shows the page of a file from the data that it names; nothing is measured.
///
/// # Errors
/// If it names none, or its page cannot be made.
pub(crate) fn page_of_data(path: &OsStr, wanted: &DisplayOptions<'_>) -> Result<(), Failure> {
    let (shown_path, text) = read(path)?;
    let source = Source { path: &shown_path, text: &text };
    let file = parsed(source)?;
    page::check(source, &file)?;
    if file.machine.iter().all(|machine| machine.get_ref().data.is_empty()) {
        let why = format!(
            "names no data of machines (`data` of a [[machine]]): `etalon run {shown_path}` measures what it declares"
        );
        return Err(Failure::about(&shown_path, why));
    }
    let machines = machines::measured(source, &file, None, &[], wanted)?;
    let made = page::PageContents { outputs: &[], tables: &[], machines: &machines, remarks: &[] };
    if let Some(page) = wanted.page {
        let none = html::Data::default();
        page.write(|| page::as_html(source, &file, &made, &none), Vec::new)?;
    }
    output::text(&page::written(source, &file, &made)?)
}

/// Shows the tables of a recorded file, of each side; what compares the sides stands above them.
pub(crate) fn below(
    recorded: &ExperimentFile,
    data: &Dataset,
    wanted: &DisplayOptions<'_>,
) -> Result<(), Failure> {
    if !is_for_reading(wanted.view) {
        return Ok(());
    }
    let source = Source { path: &recorded.path, text: &recorded.text };
    tables_of_sides(source, &parsed(source)?, data, wanted)
}

/// The tables, where builds of a side are one.
pub(crate) fn tables_of_sides(
    source: Source<'_>,
    file: &File,
    data: &Dataset,
    wanted: &DisplayOptions<'_>,
) -> Result<(), Failure> {
    let sides = sides::joined(data)?;
    output::text("\n")?;
    tables::show(source, file, sides.into_owned(), wanted)
}

/// Whether somebody reads it in a terminal.
pub(crate) fn is_for_reading(view: &cli::View) -> bool {
    view.format == FormatArg::Terminal && !view.json
}
