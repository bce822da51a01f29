//! Results of an experiment file that was just measured: its tables; of two sides how these compare, and below that the
//! tables of each side.

use etalon_core::dataset::Dataset;
use etalon_report::view::Again;
use etalon_run::RunError;

use crate::executed::Executed;
use crate::experiments::file::File;
use crate::experiments::{DisplayOptions, is_for_reading, tables, tables_of_sides};
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::showing::{Show, Sides};
use crate::toml_text::Source;
use crate::{cli, report};

/// The cells of a file, as they are shown.
pub(super) struct Cells<'a> {
    pub(super) source: Source<'a>,
    pub(super) file: &'a File,
    pub(super) reporting: &'a cli::Reporting,
    /// What is asked of two sides.
    pub(super) compare: cli::Comparison,
    pub(super) exports: &'a Exports<'a>,
    /// The metrics that are measured, by their names.
    pub(super) metrics: Vec<String>,
}

impl Show for Cells<'_> {
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure> {
        if let Some(RunError::NothingPrinted { metric }) = &executed.finished.error {
            return Err(self.nothing_printed(*metric));
        }
        let cli::Reporting { view, analysis, .. } = self.reporting;
        if data.run_sets.iter().all(|set| set.sides.is_none()) {
            executed.damage()?;
            if !report::has_tables(self.reporting) {
                let saved = executed.kept.reference.as_deref();
                let again = if saved.is_some() { Again::Saved } else { Again::Options };
                report::show(data, analysis, view, self.exports, again)
                    .map_err(|failure| failure.after_saving(saved))?;
                return Ok(Exit::Done);
            }
            let wanted = DisplayOptions { view, analysis, page: self.exports.page() };
            tables::show(self.source, self.file, data, &wanted)?;
            return Ok(Exit::Done);
        }
        let (compare, explain_noise) = (self.compare.clone(), view.explain_noise);
        let below = is_for_reading(view).then(|| data.clone());
        if let Some(RunError::Origin(_)) = &executed.finished.error {
            executed.damage()?;
        }
        let checked = Sides { compare, explain_noise: false }.show(executed, data)?;
        executed.damage()?;
        if let Some(data) = below {
            let wanted = DisplayOptions { view, analysis, page: None };
            tables_of_sides(self.source, self.file, &data, &wanted)?;
            if explain_noise {
                report::explain_readings(&data)?;
            }
        }
        Ok(checked)
    }

    fn is_silent(&self) -> bool {
        self.reporting.view.quiet || self.reporting.view.json
    }
}

impl Cells<'_> {
    /// That no command has printed a metric.
    fn nothing_printed(&self, metric: usize) -> Failure {
        let name = self.metrics.get(metric).map_or("", String::as_str);
        let declared = self.file.metric.iter().find(|(known, _)| known.get_ref() == name);
        let unit = declared.map_or("", |(_, metric)| metric.unit.as_str());
        let message = format!(
            "no command printed `{name}` in {unit}: execute one by hand, and say where its number stands with `line`, \
             `json`, `pattern` or `go`"
        );
        match declared {
            Some((known, _)) => self.source.at(known.span(), message),
            None => Failure::about(self.source.path, message),
        }
    }
}
