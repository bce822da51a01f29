//! Units, metrics and benchmarks that a comparison is asked about and that are not there, or never will be.
//!
//! Owns the refusals, as early as each can be known: by what is going to be measured, by a first block, by the tables.
//! Refuses to judge: a unit that is there may still fail its check.

use etalon_core::metrics;
use etalon_core::model::{Direction, Metric};
use etalon_core::tables::{About, Tables, is_named, is_row_of};
use etalon_report::text::clean;

use super::LISTED;
use super::declared::Declared;
use crate::cli::{Comparison, FailOn};
use crate::failure::Failure;

/// Whether the units that are named are there, and can be worse.
///
/// # Errors
/// The first that is not, with those that are.
pub(crate) fn check_units(options: &Comparison, tables: &Tables) -> Result<(), Failure> {
    for check in &options.checks.fail_on {
        let FailOn::Worse { typed, unit: Some(unit), .. } = check else { continue };
        let about = format!("--fail-on {typed}");
        let asked = About::unit(Some(unit));
        match tables.tables.iter().find(|table| asked.has_unit(&table.unit)) {
            None if tables
                .tables
                .iter()
                .flat_map(|it| &it.rows)
                .any(|row| is_row_of(unit, &row.labels)) =>
            {
                return Err(Failure::about(about, no_unit(unit)));
            }
            None => {
                let mut known: Vec<&str> = Vec::new();
                for table in &tables.tables {
                    if !known.contains(&table.unit.as_str()) {
                        known.push(&table.unit);
                    }
                }
                let known = known.join(", ");
                let text = format!("no such unit in what is compared; there are {known}");
                return Err(Failure::about(about, text));
            }
            Some(table) if table.direction == Direction::Neither => {
                let text = format!(
                    "{unit} has no direction, so that nothing is worse: add `Unit {unit} better=lower` \
                     (or higher) to the base's file"
                );
                return Err(Failure::about(about, text));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Refuses a check of a unit that is the name of a benchmark.
///
/// # Errors
/// With how such a threshold is written.
pub(crate) fn refuse_names<'n>(
    options: &Comparison,
    names: &(impl Iterator<Item = &'n str> + Clone),
) -> Result<(), Failure> {
    for check in &options.checks.fail_on {
        let FailOn::Worse { typed, unit: Some(unit), .. } = check else { continue };
        if names.clone().any(|name| is_named(unit, name)) {
            return Err(Failure::about(format!("--fail-on {typed}"), no_unit(unit)));
        }
    }
    Ok(())
}

/// Refuses a check of a unit, a metric and a benchmark of which nothing is going to be measured, before anything is built.
///
/// # Errors
/// With what is measured, or how a threshold of a benchmark is written.
pub(crate) fn refuse_unmeasured<'n>(
    options: &Comparison,
    names: &(impl Iterator<Item = &'n str> + Clone),
    measured: &[Metric],
) -> Result<(), Failure> {
    refuse_names(options, names)?;
    let is_there = |asked: &str| names.clone().any(|name| is_named(asked, name));
    if let Some(asked) = options.checks.require.iter().find(|asked| !is_there(asked)) {
        let known: Vec<String> = names.clone().take(LISTED).map(clean).collect();
        let text = format!("no such benchmark is measured; there are: {}", known.join(", "));
        return Err(Failure::about(format!("--require {}", clean(asked)), text));
    }
    match asked(options).find(|(_, unit)| !are_of(measured, &About::unit(Some(unit)))) {
        None => Ok(()),
        Some((about, _)) => {
            let text =
                format!("no such unit in what is measured; write one of {}", names_of(measured));
            Err(Failure::about(about, text))
        }
    }
}

/// Refuses a unit, of a metric or a check, that does not come of what is measured, as far as that is known beforehand.
///
/// # Errors
/// The first that does not come, and what there is instead.
pub(crate) fn refuse_units(
    options: &Comparison,
    never_comes: impl Fn(&str) -> bool,
    instead: &str,
) -> Result<(), Failure> {
    match asked(options).find(|(_, unit)| never_comes(unit)) {
        None => Ok(()),
        Some((about, _)) => Err(Failure::about(about, format!("not measured; {instead}"))),
    }
}

/// The units that are asked for, with the options that name them.
pub(crate) fn asked(options: &Comparison) -> impl Iterator<Item = (String, &str)> {
    let checked = options.checks.fail_on.iter().filter_map(|check| match check {
        FailOn::Worse { typed, unit: Some(unit), .. } => {
            Some((format!("--fail-on {typed}"), unit.as_str()))
        }
        _ => None,
    });
    let metric = options.show.metric.as_deref().map(|name| (format!("--metric {name}"), name));
    checked.chain(metric)
}

/// Whether a unit is that of a metric.
fn are_of(measured: &[Metric], about: &About) -> bool {
    let mut units = measured.iter().flat_map(|metric| metrics::units_of(&metric.name));
    units.any(|unit| about.has_unit(&unit))
}

fn names_of(measured: &[Metric]) -> String {
    measured.iter().map(|metric| metric.name.as_str()).collect::<Vec<_>>().join(", ")
}

impl Declared {
    /// Refuses a file none of whose thresholds is about what is going to be measured: it would hold nothing.
    ///
    /// # Errors
    /// With what is measured.
    pub(crate) fn refuse_unmeasured(&self, measured: &[Metric]) -> Result<(), Failure> {
        let thresholds = self.declarations().thresholds();
        if thresholds.is_empty() || thresholds.iter().any(|it| are_of(measured, &it.about)) {
            return Ok(());
        }
        let units: Vec<&str> =
            thresholds.iter().filter_map(|it| it.about.unit.as_deref()).collect();
        let text = format!(
            "no threshold is of what is measured, but of {}; write one of {}",
            clean(&units.join(", ")),
            names_of(measured)
        );
        Err(Failure::about(format!("--checks {}", self.path()), text))
    }
}

/// Why a benchmark is no unit, and how its threshold is written.
fn no_unit(name: &str) -> String {
    format!(
        "{name} is a benchmark, not a unit: a file for --checks has thresholds of benchmarks, as [[threshold]] with the \
         lines benchmark = \"{name}\" and at-most = \"5%\""
    )
}
