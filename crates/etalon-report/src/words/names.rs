//! Names of benchmarks, their sources and their scopes.

use etalon_core::analysis::{Analysis, Ranking, Summary};
use etalon_core::model::{Benchmark, BenchmarkKey};
use etalon_core::scope::Scope;

use crate::text::clean;

/// The kind of a benchmark: one without a command line, such as a function of Go, is no command.
pub(crate) fn kind(benchmark: &Summary) -> &'static str {
    match (&benchmark.case, &benchmark.benchmark.command) {
        (Some(_), _) => "Case",
        (None, Some(_)) => "Command",
        (None, None) => "Benchmark",
    }
}

/// The name a benchmark is shown under; with its source where there are several.
pub(crate) fn name(analysis: &Analysis, index: usize) -> String {
    let benchmark = &analysis.benchmarks[index];
    with_source(analysis, index, &benchmark.label)
}

/// The name of a case where its file and its group are known.
pub(crate) fn case_name(analysis: &Analysis, index: usize) -> String {
    let summary = &analysis.benchmarks[index];
    match summary.case {
        Some(_) => with_source(analysis, index, &summary.benchmark.label()),
        None => with_source(analysis, index, &summary.label),
    }
}

/// The name of a benchmark among those of a ranking: what they have in common as their job or machine stands in the
/// title.
pub(crate) fn ranked_name(analysis: &Analysis, ranking: &Ranking, index: usize) -> String {
    let job = ranking.scope.as_ref().map_or(&[][..], |scope| &scope.job);
    let common = if job.is_empty() { &ranking.machine[..] } else { job };
    if common.is_empty() {
        return case_name(analysis, index);
    }
    let benchmark = &analysis.benchmarks[index].benchmark;
    let BenchmarkKey { name, params } = benchmark.key.clone();
    let params = params.into_iter().filter(|param| !common.contains(param)).collect();
    let benchmark = Benchmark { key: BenchmarkKey { name, params }, ..Benchmark::clone(benchmark) };
    with_source(analysis, index, &benchmark.label())
}

fn with_source(analysis: &Analysis, index: usize, label: &str) -> String {
    let name = clean(label);
    match several_sources(analysis) {
        true => format!("{name} ({})", short_source(&analysis.benchmarks[index].source)),
        false => name,
    }
}

/// A name beside others: between quotes where it could be read as several, or as the end of a list.
pub(crate) fn apart(name: &str) -> String {
    let is_several = [", ", "; ", ": "].iter().any(|sign| name.contains(sign));
    if is_several { format!("\"{name}\"") } else { name.to_owned() }
}

/// The word for the benchmarks, one and several: cases, if all of them are.
pub(crate) fn benchmark_words(analysis: &Analysis) -> (&'static str, &'static str) {
    if analysis.benchmarks.iter().all(|b| b.case.is_some()) {
        ("case", "cases")
    } else {
        ("command", "commands")
    }
}

/// The scope that cases are compared within: their file, their group of it, and their job.
pub(crate) fn scope(scope: &Scope) -> String {
    let file = clean(&scope.file);
    within(scope).map_or(file.clone(), |within| format!("{file} ({within})"))
}

/// The group and the job of a scope; absent without any.
pub(crate) fn within(scope: &Scope) -> Option<String> {
    let within = [scope.group.as_deref().map(clean), job(scope)].into_iter().flatten();
    let within = within.collect::<Vec<_>>().join(", ");
    (!within.is_empty()).then_some(within)
}

/// The parameters that are the job of some cases: `job=tree, size=10`.
pub(crate) fn job(scope: &Scope) -> Option<String> {
    let params = scope.job.iter().map(|(name, value)| format!("{name}={value}"));
    let params = params.collect::<Vec<_>>().join(", ");
    (!params.is_empty()).then(|| clean(&params))
}

/// The machine of a ranking by the keys that tell it from others in the data: `cpu=Fast`; absent where there are none.
pub(crate) fn machine(ranking: &Ranking) -> Option<String> {
    let said = ranking.machine.iter().map(|(key, value)| match value.as_str() {
        "" => format!("no {key}"),
        value => format!("{key}={value}"),
    });
    let said = said.collect::<Vec<_>>().join(", ");
    (!said.is_empty()).then(|| clean(&said))
}

/// The part of the data that a ranking is of: its scope, where there are several rankings, or its machine.
pub(crate) fn part(analysis: &Analysis, ranking: &Ranking) -> Option<String> {
    match &ranking.scope {
        Some(of) => (analysis.rankings.len() > 1).then(|| scope(of)),
        None => machine(ranking),
    }
}

/// A source without its directories and without a record's ending.
pub(crate) fn short_source(source: &str) -> String {
    let name = source.rsplit('/').next().unwrap_or(source);
    let name = name.strip_suffix(".partial").unwrap_or(name);
    clean(name.strip_suffix(".jsonl").unwrap_or(name))
}

/// Whether a benchmark's source has to be named beside it.
pub(crate) fn several_sources(analysis: &Analysis) -> bool {
    analysis.executions.len() > 1
}
