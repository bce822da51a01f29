//! The results of a page as the file asks for them: which benchmarks are rows, and which metrics columns.

use etalon_report::experiments::{Machine, ResultMetric, Results, results};
use etalon_report::text::named;

use super::file::{File, Inventoried, Placed, Section};
use crate::failure::Failure;
use crate::toml_text::{Source, hint};

/// Refuses results of a group or a metric that is not declared, and metrics of no results.
///
/// # Errors
/// With place and remedy.
pub(super) fn check(source: Source<'_>, file: &File, section: &Section) -> Result<(), Failure> {
    let known = file.metric.keys().map(|name| name.get_ref().as_str());
    for metric in &section.metrics {
        let name = metric.get_ref();
        if section.results.is_none() {
            let why = "`metrics` are columns of `results`, which this section has not";
            return Err(source.at(metric.span(), why));
        }
        if !known.clone().any(|known| known == name) {
            let why = format!("no metric `{name}` is declared: {}", hint(name, known));
            return Err(source.at(metric.span(), why));
        }
    }
    let Some(group) = &section.results else { return Ok(()) };
    if file.metric.is_empty() {
        let why = "results are of metrics: declare some with [metric.NAME]";
        return Err(source.at(group.span(), why));
    }
    let groups = file.inventory.iter().filter_map(|it| it.get_ref().group.as_deref());
    if groups.clone().any(|known| known == group.get_ref()) {
        return Ok(());
    }
    let hint = hint(group.get_ref(), groups);
    let why = format!(
        "no benchmark of the [[inventory]] is of the group {}: {hint}",
        named(group.get_ref())
    );
    Err(source.at(group.span(), why))
}

/// The table of a group, with remarks below.
pub(super) fn table(file: &File, section: &Section, group: &str, machines: &[Machine]) -> String {
    let of_group = |it: &&Inventoried| it.group.as_deref() == Some(group);
    let all = file.inventory.iter().map(Placed::get_ref).filter(of_group);
    let place = |name: &str| section.metrics.iter().position(|it| it.get_ref() == name);
    let is_asked = |name: &str| section.metrics.is_empty() || place(name).is_some();
    let mut metrics: Vec<ResultMetric<'_>> = file
        .metric
        .iter()
        .map(|(name, declared)| (name.get_ref().as_str(), declared))
        .filter(|(name, _)| is_asked(name))
        .map(|(name, declared)| ResultMetric {
            name,
            heading: heading(name, declared),
            unit: &declared.unit,
        })
        .collect();
    metrics.sort_by_key(|metric| place(metric.name));
    results(&Results {
        benchmarks: all.map(|it| it.benchmark.as_str()).collect(),
        metrics,
        machines,
    })
}

/// The heading of a metric: as Go prints it, or with its unit.
fn heading(name: &str, declared: &super::file::Metric) -> String {
    let printed = declared.go.as_ref().and_then(|place| place.get_ref().split(' ').next_back());
    printed.map_or_else(|| format!("{name} ({})", declared.unit), str::to_owned)
}
