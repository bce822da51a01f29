//! What benchmarks, their sources and their scopes are called.

use etalon_core::analysis::{Analysis, Scope, Summary};

use crate::text::clean;

/// What a benchmark is: what has no command line, such as a function of Go, is no command.
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

/// The same where the file of a case and its group are known.
pub(crate) fn case_name(analysis: &Analysis, index: usize) -> String {
    with_source(analysis, index, &analysis.benchmarks[index].benchmark.label())
}

fn with_source(analysis: &Analysis, index: usize, label: &str) -> String {
    let name = clean(label);
    match several_sources(analysis) {
        true => format!("{name} ({})", short_source(&analysis.benchmarks[index].source)),
        false => name,
    }
}

/// What the benchmarks are, one and several: cases, if all of them are.
pub(crate) fn of_what(analysis: &Analysis) -> (&'static str, &'static str) {
    if analysis.benchmarks.iter().all(|b| b.case.is_some()) {
        ("case", "cases")
    } else {
        ("command", "commands")
    }
}

/// What cases are compared within: their file, and their group of it.
pub(crate) fn scope(scope: &Scope) -> String {
    match &scope.group {
        None => clean(&scope.file),
        Some(group) => format!("{} ({})", clean(&scope.file), clean(group)),
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
