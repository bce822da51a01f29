//! The end of a stream of Go's benchmarks: what follows from all of it.
//!
//! Owns what becomes of packages and benchmarks that ended without passing (executions that do not count, so
//! that every report has them), of facts that all rows share (they are the context), and of what was odd
//! (notes). Refuses to read lines.

use etalon_core::dataset::{
    BenchmarkId, ConfigurationId, Dataset, Ended, Execution, Full, Name, Problem, Problems, Reason,
    RunSetId, Series, Symbol,
};
use etalon_core::model::Note;

/// Problems told one by one. Because: as many as fit a screen beside what was asked for.
const TOLD: usize = 20;

/// Ends the run set of a stream that is read.
///
/// # Errors
/// If the dataset can hold no more.
pub(super) fn finish(data: &mut Dataset, run_set: RunSetId) -> Result<(), Full> {
    let of_set = |problem: &&Problem| problem.run_set == run_set;
    let ended =
        data.problems.listed.iter().filter(of_set).filter_map(|problem| match &problem.reason {
            Reason::Ended(ended) => Some(ended.clone()),
            _ => None,
        });
    for ended in ended.collect::<Vec<_>>() {
        ending(data, run_set, &ended)?;
    }
    data.run_sets[run_set.at()].one_processor = data.is_of_one_processor(run_set);
    data.run_sets[run_set.at()].context = data.shared_facts(run_set);
    data.run_sets[run_set.at()].sides = super::side_facts::declared(data, run_set);
    remarks(data, run_set);
    data.finish(run_set)
}

/// Records an ending without a pass as an execution that does not count: of its benchmark, or of one that is called
/// like its package. How what is cut off ended is not known: it is lost.
fn ending(data: &mut Dataset, run_set: RunSetId, ended: &Ended) -> Result<(), Full> {
    let set = &mut data.run_sets[run_set.at()];
    let Some(outcome) = ended.how.outcome() else {
        set.lost.get_or_insert_with(|| ended.to_string());
        return Ok(());
    };
    let name = ended.benchmark.as_ref().or(ended.package.as_ref()).unwrap_or(&set.source).clone();
    let of = match measured(data, run_set, &name, ended) {
        Some(series) => (series.benchmark, series.configuration),
        None => unmeasured(data, run_set, &name, ended)?,
    };
    let execution = Execution { outcome: Some(outcome), ..Execution::default() };
    data.add_row(of, execution, std::iter::empty())
}

/// The rows of what ended, if it has any.
fn measured(data: &Dataset, run_set: RunSetId, name: &str, ended: &Ended) -> Option<Series> {
    let package = ended.package.as_ref().filter(|_| ended.benchmark.is_some());
    let is_it = |series: &&Series| {
        let declared = &data.benchmarks[series.benchmark.at()];
        let known = &declared.name;
        let parts = known.parts().filter(|part| part.starts_with('/'));
        let bare: String = [known.base()].into_iter().chain(parts).collect();
        let named = data.fact(series.configuration, "pkg");
        declared.run_set == run_set
            && (known.full() == name || bare == name)
            && (package.is_none() || named.is_none_or(|value| Some(value) == package.map(|p| &**p)))
    };
    data.series.iter().find(is_it).copied()
}

/// A benchmark for what ended without any row: under the facts of the others, with its own package if that is
/// not its name.
fn unmeasured(
    data: &mut Dataset,
    run_set: RunSetId,
    name: &str,
    ended: &Ended,
) -> Result<(BenchmarkId, ConfigurationId), Full> {
    let key = data.strings.intern("pkg").ok_or(Full)?;
    let package = match &ended.package {
        Some(package) => Some((key, data.strings.intern(package).ok_or(Full)?)),
        None => None,
    };
    let all: Vec<_> = data.configurations.iter().filter(|known| known.run_set == run_set).collect();
    let mut entries: Vec<(Symbol, Symbol)> =
        all.last().map_or(Vec::new(), |last| last.entries.clone());
    let of_package = |pair| all.iter().all(|known| known.entries.contains(&pair));
    if package.is_some_and(|pair| !of_package(pair)) {
        entries.retain(|(known, _)| *known != key);
        entries.extend(package.filter(|_| ended.benchmark.is_some()));
    }
    let configuration = data.configuration(run_set, &entries)?;
    Ok((data.named_benchmark(run_set, Name::from_go(name))?, configuration))
}

/// Remarks on everything that was not used, and that was put together.
fn remarks(data: &mut Dataset, run_set: RunSetId) {
    let of_set = |problem: &&Problem| problem.run_set == run_set;
    let all = data.problems.listed.iter().filter(of_set);
    let told = all.clone().take(TOLD).map(|Problem { line, reason, .. }| {
        let ended = matches!(reason, Reason::Ended(_));
        let what = if reason.leaves_out() && !ended { " is left out" } else { "" };
        match line {
            Some(line) => format!("line {line}{what}: {reason}"),
            None => reason.to_string(),
        }
    });
    let mut texts: Vec<String> = told.collect();
    let more = all.count().saturating_sub(TOLD) as u64 + data.problems.unlisted;
    if more > 0 {
        texts.push(format!("{more} more of this kind"));
    }
    let set = &mut data.run_sets[run_set.at()];
    texts.extend(Problems::put_together(set.joined));
    let about = &set.source;
    set.notes.extend(texts.into_iter().map(|text| Note::new(about.clone(), text)));
}
