//! Benchmarks of a run set that their source gives one name and the same parameters.
//!
//! Owns how they are told apart: from the second on by a number behind the name. Refuses to tell apart by what they
//! execute, because that is no part of an identity, and to touch cases and what is no more than a name: those are
//! declared as often as they are meant, or told apart by facts.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use super::{Dataset, Name, RunSetId};
use crate::model::BenchmarkKey;

/// Of keys that are there already the number, from 2, with which none is. Linear, but for keys that are numbered
/// already.
pub fn numbers<K: Clone + Eq + Hash>(keys: &[K], with: impl Fn(&K, u32) -> K) -> Vec<Option<u32>> {
    let mut taken: HashSet<K> = keys.iter().cloned().collect();
    let mut seen = HashSet::new();
    let number = |key| match seen.insert(key) {
        true => None,
        false => (2..).find(|number| taken.insert(with(key, *number))),
    };
    keys.iter().map(number).collect()
}

/// A name with its number.
#[must_use]
pub fn with_number(name: &str, number: u32) -> String {
    format!("{name} ({number})")
}

impl Dataset {
    /// Numbers commands of a run set that have one key.
    pub(super) fn tell_equal_apart(&mut self, run_set: RunSetId) {
        let commands = self.benchmarks.iter_mut().filter(|it| it.run_set == run_set);
        let mut commands: Vec<_> = commands
            .filter_map(|it| Some((it.benchmark.as_mut()?, &mut it.name)))
            .filter(|(benchmark, _)| benchmark.command.is_some() && benchmark.case.is_none())
            .collect();
        let keys: Vec<BenchmarkKey> = commands.iter().map(|(it, _)| it.key.clone()).collect();
        let with = |key: &BenchmarkKey, number| BenchmarkKey {
            name: with_number(&key.name, number),
            params: key.params.clone(),
        };
        for ((benchmark, name), number) in commands.iter_mut().zip(numbers(&keys, with)) {
            let Some(number) = number else { continue };
            let benchmark = Arc::make_mut(benchmark);
            benchmark.key = with(&benchmark.key, number);
            **name = Name::from_benchmark(benchmark);
        }
    }
}
