//! Suites: the answer of each, one table of all their cases, and what became of those that have no times.

use etalon_core::analysis::{Analysis, Execution, Ranking, Suite};

use super::{about, alone, answer, ranked, verdicts};
use crate::cases;
use crate::document::Part;
use crate::table::Table;
use crate::view::{Detail, Statistics, View};
use crate::words;

/// Cases that all tables of a screen together have room for; beyond them the answers stand alone.
const CASES: usize = 30;

/// All parts about cases; none without any.
pub(super) fn parts(analysis: &Analysis, view: View) -> Vec<Part> {
    if analysis.suites.is_empty() {
        return Vec::new();
    }
    let rankings: Vec<(&Suite, &Ranking)> = analysis
        .suites
        .iter()
        .filter_map(|suite| Some((suite, ranking(analysis, suite)?)))
        .collect();
    let several = analysis.suites.len() > 1;
    let mut parts: Vec<Part> = Vec::new();
    for (suite, ranking) in &rankings {
        let Some(answer) = answer::sentence(analysis, ranking) else { continue };
        let scope = words::scope(&suite.scope);
        parts.push(Part::Answer(if several { answer::behind(&scope, &answer) } else { answer }));
    }
    let single = |(_, ranking): &(&Suite, &Ranking)| match ranking.by_value()[..] {
        [only] => Some(only.benchmark),
        _ => None,
    };
    let single: Vec<usize> = rankings.iter().filter_map(single).collect();
    let shown = if view.detail == Detail::Full { single.len() } else { single.len().min(CASES) };
    parts.extend(single[..shown].iter().flat_map(|only| alone::benchmark_parts(analysis, *only)));
    if shown < single.len() {
        parts.push(Part::Sentence(format!("And {} more: --full.", single.len() - shown)));
    }
    if analysis.benchmarks.iter().all(|benchmark| benchmark.metrics.is_empty()) {
        let mut said = about::unusual(analysis);
        if said.is_empty() {
            said.push("Nothing was measured.".to_owned());
        }
        parts.extend(said.into_iter().map(Part::Answer));
        parts.push(Part::Lines(without_times(analysis, view)));
        return parts;
    }
    parts.extend(environment(analysis, several).map(Part::Sentence));
    let first = rankings.first().map(|(_, ranking)| *ranking);
    parts.extend(about::sentences(analysis, first).into_iter().map(Part::Sentence));
    let compared: Vec<_> = rankings.iter().filter(|(_, it)| it.by_value().len() > 1).collect();
    let cases: usize = compared.iter().map(|(suite, _)| suite.members.len()).sum();
    if view.detail == Detail::Full || cases <= CASES || compared.len() == 1 {
        let table = |(suite, ranking): &&(&Suite, &Ranking)| {
            let title = if several { words::scope(&suite.scope) } else { String::new() };
            Table { title, ..ranked::table(analysis, ranking, view) }
        };
        parts.push(Part::Tables(compared.iter().map(table).collect()));
    }
    parts.push(Part::Lines(without_times(analysis, view)));
    if let [(_, only)] = rankings[..] {
        parts.extend(verdicts::outlook(analysis, only).map(Part::Sentence));
    }
    parts
}

/// The ranking of a suite: by the metric that was asked for, else by time.
pub(super) fn ranking<'a>(analysis: &'a Analysis, suite: &'a Suite) -> Option<&'a Ranking> {
    let asked = analysis.rankings.iter().find(|it| it.scope.as_ref() == Some(&suite.scope));
    asked.or(suite.times.as_ref())
}

/// The file where there is one, and the runtime.
fn environment(analysis: &Analysis, several: bool) -> Option<String> {
    let file = analysis.suites.first().filter(|_| !several).map(|it| words::scope(&it.scope));
    let facts = |it: &Execution| cases::environment(&it.context, it.started.as_deref());
    let rows = analysis.executions.iter().flat_map(facts);
    let runtime = rows.into_iter().find(|(label, _)| *label == "Runtime").map(|(_, value)| value);
    let said: Vec<String> = file.into_iter().chain(runtime).collect();
    (!said.is_empty()).then(|| format!("{}.", said.join(" · ")))
}

/// A line for each case that was skipped or failed.
fn without_times(analysis: &Analysis, view: View) -> Vec<String> {
    let brief = View { statistics: Statistics::None, ..view };
    let files = cases::files(analysis, brief);
    let cases = files.iter().flat_map(|file| &file.cases);
    let lines = cases.flat_map(|case| {
        let text = crate::text::hanging("  ", &case.text, view.width);
        let rest = case.rest.iter().flat_map(|line| crate::text::hanging("    ", line, view.width));
        text.into_iter().chain(rest).collect::<Vec<_>>()
    });
    lines.collect()
}
