//! Keys whose values vary within a data set, such as those of machines.
//!
//! Refuses to judge what follows from that: tables and rankings do.

use std::collections::BTreeSet;

use super::history::MACHINE;
use super::{ConfigurationId, Dataset};

/// The keys of machines that vary within a data set: they make tables, and rankings of their own.
pub(crate) fn machines(data: &Dataset) -> Vec<&'static str> {
    let measured = measured(data);
    MACHINE.into_iter().filter(|key| varies_within_a_file(data, &measured, key)).collect()
}

/// Configurations that something was measured under, each once.
pub(crate) fn measured(data: &Dataset) -> BTreeSet<ConfigurationId> {
    let measured = data.series.iter().filter(|series| !data.schemas[series.schema.at()].is_empty());
    measured.map(|series| series.configuration).collect()
}

/// Whether a key has several values within one data set, among these configurations.
pub(crate) fn varies_within_a_file(
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
