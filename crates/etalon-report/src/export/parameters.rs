//! Parameters as columns: one for each name there is, in the order of first appearance, empty for a
//! benchmark without it. hyperfine's names for them.

use etalon_core::analysis::{Analysis, Summary};

/// The names of all parameters.
pub(super) fn names(analysis: &Analysis) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in analysis.benchmarks.iter().flat_map(|b| &b.benchmark.key.params) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// Their column headers.
pub(super) fn header<'a>(names: &'a [&str]) -> impl Iterator<Item = String> + 'a {
    names.iter().map(|name| format!("parameter_{name}"))
}

/// The cells of a benchmark.
pub(super) fn cells<'a>(
    summary: &'a Summary,
    names: &'a [&str],
) -> impl Iterator<Item = String> + 'a {
    let params = &summary.benchmark.key.params;
    let value = |name: &&str| params.iter().find(|(known, _)| known == name);
    names.iter().map(move |name| value(name).map_or_else(String::new, |(_, value)| value.clone()))
}
