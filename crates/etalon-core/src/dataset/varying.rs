//! Facts that vary within a data set.
//!
//! Owns which those are, under configurations that something was measured under. Refuses to say what becomes of them:
//! tables (`tables::axes`) and rankings do.

use std::collections::BTreeSet;

use super::history::MACHINE;
use super::{ConfigurationId, Dataset};

/// The keys of machines that vary within a data set: they make tables, and rankings of their own.
pub(crate) fn machines(data: &Dataset) -> Vec<&'static str> {
    let measured = measured(data);
    MACHINE.into_iter().filter(|key| varies_within_a_run_set(data, &measured, key)).collect()
}

/// Configurations that something was measured under, each once.
pub(crate) fn measured(data: &Dataset) -> BTreeSet<ConfigurationId> {
    let measured = data.series.iter().filter(|series| !data.schemas[series.schema.at()].is_empty());
    measured.map(|series| series.configuration).collect()
}

/// Whether a fact has several values in one run set, under some configurations.
pub(crate) fn varies_within_a_run_set(
    data: &Dataset,
    under: &BTreeSet<ConfigurationId>,
    key: &str,
) -> bool {
    let mut first: Vec<Option<Option<&str>>> = vec![None; data.run_sets.len()];
    under.iter().any(|at| {
        let value = data.fact(*at, key);
        *first[data.configurations[at.at()].run_set.at()].get_or_insert(value) != value
    })
}
