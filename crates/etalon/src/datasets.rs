//! Several sources as one dataset, for comparisons and for writing Go's benchmarks again.
//!
//! Owns what is said about lines that could not be used, and about what the sources remark. Refuses
//! sources without results where nothing is left to compare, and all of them with `--strict`: a comparison with
//! nothing would look like one without differences.

use std::collections::HashMap;

use etalon_core::dataset::{Dataset, Problem, Problems, Reason, RunSetId};
use etalon_record::Strictness;
use etalon_record::open::Opened;
use etalon_report::number::counted;
use etalon_report::text::clean;

use crate::failure::Failure;
use crate::output;

/// How much is told on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Everything.
    All,
    /// Not how packages ended: the report says it.
    ButEndings,
    /// Nothing.
    Nothing,
}

/// Reads all of them, each with its label.
pub(crate) fn read<'r>(
    sources: impl IntoIterator<Item = Result<(Opened<'r>, String), Failure>>,
    strictness: Strictness,
    verbosity: Verbosity,
) -> Result<Dataset, Failure> {
    let mut data = Dataset::default();
    for source in sources {
        let (opened, label) = source?;
        opened.add_any_to(&mut data, &label, strictness).map_err(Failure::new)?;
    }
    let without = without_results(&data);
    // Where two are left, there is something to compare.
    if strictness == Strictness::Strict || data.run_sets.len() < without.len() + 2 {
        all_have_results(&data)?;
    } else if verbosity != Verbosity::Nothing {
        let empty = without.iter().map(|run_set| empty(&data, *run_set));
        empty.for_each(|empty| output::remark(&format!("{empty}; the others are compared")));
    }
    if verbosity != Verbosity::Nothing {
        tell(&data, verbosity);
    }
    Ok(data)
}

/// Refuses data of which a source has no results: no check passes on them.
pub(crate) fn all_have_results(data: &Dataset) -> Result<(), Failure> {
    without_results(data).first().map_or(Ok(()), |run_set| Err(empty(data, *run_set)))
}

fn without_results(data: &Dataset) -> Vec<RunSetId> {
    let all = (0..data.run_sets.len()).filter_map(|at| RunSetId::new(at).ok());
    all.filter(|run_set| !data.has_rows(*run_set)).collect()
}

fn empty(data: &Dataset, run_set: RunSetId) -> Failure {
    let is_why = |problem: &&Problem| {
        let whole = matches!(problem.reason, Reason::NotCounted { .. });
        problem.run_set == run_set && (problem.line.is_some() || whole)
    };
    let why = data.problems.listed.iter().find(is_why);
    let why = why.map_or(String::new(), |Problem { line, reason, .. }| match line {
        Some(line) => format!("; line {line}: {reason}"),
        None => format!("; {reason}"),
    });
    Failure::about(&data.run_sets[run_set.at()].source, format!("no results in it{why}"))
}

/// Tells what could not be used, with its place, and what was put together.
pub(crate) fn tell(data: &Dataset, verbosity: Verbosity) {
    let path = |run_set: RunSetId| clean(&data.run_sets[run_set.at()].source);
    let is_told = |Problem { reason, run_set, .. }: &Problem| match reason {
        Reason::Ended(ended) => verbosity == Verbosity::All || ended.is_cut(),
        // What was remarked while it was measured stands below the tables, where these have a place for it.
        Reason::Remark(_) => {
            verbosity == Verbosity::All || data.run_sets[run_set.at()].plan.is_none()
        }
        // A remark says it.
        Reason::Damaged(_) => false,
        _ => true,
    };
    let problems = data.problems.told().iter().filter(|problem| is_told(problem));
    let is_cut = |it: &&Problem| matches!(&it.reason, Reason::Ended(ended) if ended.is_cut());
    let mut cut: HashMap<RunSetId, usize> = HashMap::new();
    problems.clone().filter(is_cut).for_each(|it| *cut.entry(it.run_set).or_default() += 1);
    for problem in problems {
        let Problem { run_set, line, reason } = problem;
        let mut text = clean(&reason.to_string());
        if is_cut(&problem) {
            // Files that were edited have no closing line of any package: the first is named.
            match cut.remove(run_set) {
                None => continue,
                Some(1) => {}
                Some(all) => {
                    let others = counted(all - 1, "more package", "more packages");
                    text.push_str(&format!("; and {others}"));
                }
            }
        }
        let line = line.map_or(String::new(), |line| format!(":{line}"));
        output::remark(&format!("{}{line}: {text}", path(*run_set)));
    }
    if let Some(more) = data.problems.untold() {
        output::remark(&more);
    }
    for set in &data.run_sets {
        if let Some(text) = Problems::put_together(set.joined) {
            output::remark(&format!("{}: {text}", clean(&set.source)));
        }
    }
}
