//! Settings of an analysis: those recorded with data, those for data that come without, and what is asked for now.

use std::num::NonZeroUsize;

use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::plan::Settings;

use crate::cli;

/// The settings recorded with the data, or those for data without, with what was asked for now.
pub(crate) fn combined(data: &Dataset, asked: &cli::Analysis) -> Settings {
    with(recorded(data), asked)
}

/// The settings recorded with the data, or those for data without.
pub(crate) fn recorded(data: &Dataset) -> Settings {
    let of_run = data.run_sets.iter().find_map(|set| set.settings.clone());
    of_run.unwrap_or_else(|| unrecorded(data))
}

/// Settings for data that come without: they are ranked as their format does it, if they have that metric (BestGuess's by CPU
/// time, hyperfine's by what the file names, which is most often wall clock); Go's have units for metrics, and are ranked by
/// time; others by what comes first.
fn unrecorded(data: &Dataset) -> Settings {
    let settings = Settings::default();
    let names = data.metric_names();
    let has = |name: &str| names.contains(&name);
    let has_cpu = has(metrics::USER) && has(metrics::SYS);
    let is_there = |name: &str| has(name) || name == metrics::CPU && has_cpu;
    let of_format = data.run_sets.iter().find_map(|set| set.ranked_by.as_deref());
    let says_nothing = of_format.is_none() && has_cpu;
    let usual = of_format
        .or(says_nothing.then_some(metrics::CPU))
        .into_iter()
        .chain([settings.metric.as_str(), "sec/op"])
        .find(|name| is_there(name));
    let metric = usual.or_else(|| names.first().copied()).unwrap_or(&settings.metric);
    Settings { metric: metric.to_owned(), ..settings }
}

/// The settings with what was asked for now.
pub(crate) fn with(recorded: Settings, asked: &cli::Analysis) -> Settings {
    Settings {
        metric: asked.metric.clone().unwrap_or(recorded.metric),
        reference: asked.reference.clone().or(recorded.reference),
        by: asked.by().unwrap_or(recorded.by),
        criteria: asked.over(recorded.criteria),
    }
}

/// Why a level cannot be chosen for data executed until decided.
pub(crate) const LEVEL_FOLLOWS: &str = "--confidence with --until decided: the level of the intervals \
    follows from --alpha and the looks taken; choose --alpha";

/// How many threads a report is computed on.
pub(crate) fn threads() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
