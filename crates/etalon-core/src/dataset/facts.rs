//! Facts that rows were measured under: those that all rows of a run set share, and those that tell benchmarks apart.
//!
//! Owns which facts tell machines apart. Refuses to say which rows are of one benchmark: that is [`super::group`]'s.

use std::collections::{BTreeSet, HashMap};

use super::Dataset;
use super::ids::{ConfigurationId, RunSetId};
use crate::model::Context;
use crate::strings::Symbol;

/// Facts that tell machines apart: Go's, then etalon's.
pub const MACHINE: [&str; 6] =
    ["cpu", "goos", "goarch", "cpu.model", "machine.arch", "machine.host"];

impl Dataset {
    /// The machine that something was measured on, as far as facts say.
    pub(super) fn machine(&self, configuration: ConfigurationId) -> [Option<&str>; 6] {
        MACHINE.map(|key| self.fact(configuration, key))
    }

    /// The keys of machines that vary within a run set: they make tables, and rankings of their own.
    pub(crate) fn varying_machine_keys(&self) -> Vec<&'static str> {
        let measured = self.measured_configurations();
        let varies = |key: &&str| self.varies_within_a_run_set(&measured, key);
        MACHINE.into_iter().filter(varies).collect()
    }

    /// Configurations that something was measured under, each once. A row without values was measured under none.
    pub(crate) fn measured_configurations(&self) -> BTreeSet<ConfigurationId> {
        let measured = self.series.iter().filter(|s| !self.schemas[s.schema.at()].is_empty());
        measured.map(|series| series.configuration).collect()
    }

    /// Whether configurations of one run set have several values of a fact.
    pub(crate) fn varies_within_a_run_set(
        &self,
        configurations: &BTreeSet<ConfigurationId>,
        key: &str,
    ) -> bool {
        let mut first: Vec<Option<Option<&str>>> = vec![None; self.run_sets.len()];
        configurations.iter().any(|at| {
            let value = self.fact(*at, key);
            *first[self.configurations[at.at()].run_set.at()].get_or_insert(value) != value
        })
    }

    /// Facts that all rows of a run set were measured under, by key.
    #[must_use]
    pub fn shared_facts(&self, run_set: RunSetId) -> Context {
        let measured = self.measured_configurations();
        let configurations = measured.iter().map(|at| &self.configurations[at.at()]);
        let mut own = configurations.filter(|configuration| configuration.run_set == run_set);
        let Some(first) = own.next() else { return Context::new() };
        let mut shared = first.entries.clone();
        own.for_each(|other| shared.retain(|entry| other.entries.contains(entry)));
        let text = |symbol| self.strings.text(symbol).to_owned();
        shared.into_iter().map(|(key, value)| (text(key), text(value))).collect()
    }
}

/// Facts of configurations, told apart by whether all of a run set share them.
pub(super) struct Facts {
    /// Per configuration: the first of its run set with the same other facts.
    pub(super) group: Vec<ConfigurationId>,
    /// Per configuration: its other facts.
    pub(super) other: Vec<Vec<(String, String)>>,
}

impl Facts {
    pub(super) fn of(data: &Dataset) -> Facts {
        let mut facts = Facts { group: Vec::new(), other: Vec::new() };
        let mut counts: HashMap<(RunSetId, (Symbol, Symbol)), usize> = HashMap::new();
        let mut all: HashMap<RunSetId, usize> = HashMap::new();
        let measured = data.measured_configurations();
        for configuration in measured.iter().map(|at| &data.configurations[at.at()]) {
            *all.entry(configuration.run_set).or_default() += 1;
            for entry in &configuration.entries {
                *counts.entry((configuration.run_set, *entry)).or_default() += 1;
            }
        }
        let mut groups: HashMap<(RunSetId, Vec<(String, String)>), ConfigurationId> =
            HashMap::new();
        for (at, configuration) in data.configurations.iter().enumerate() {
            let run_set = configuration.run_set;
            let text = |symbol| data.strings.text(symbol).to_owned();
            let differs =
                |entry: &&(Symbol, Symbol)| counts.get(&(run_set, **entry)) != all.get(&run_set);
            let own = configuration.entries.iter().filter(differs);
            let other: Vec<_> = own.map(|(key, value)| (text(*key), text(*value))).collect();
            let Ok(id) = ConfigurationId::new(at) else { break };
            facts.group.push(*groups.entry((run_set, other.clone())).or_insert(id));
            facts.other.push(other);
        }
        facts
    }
}
