//! The answer of an analysis in a few words, for a line of a list.
//!
//! Owns what is said where there is room for one thing only: the pair, the winner, or how many of what. Refuses
//! to say how sure that is: reports do.

use etalon_core::analysis::{self as core, Analysis, Ranked, Ranking, Summary, Versus};
use etalon_core::model::Answer;
use etalon_core::verdict::Verdict;

use crate::figures::{self, Figures};
use crate::number::{counted, decimals_for, fixed};
use crate::words;

/// The answer in a few words. Benchmarks without any measurement come first: nothing is said of the others then.
#[must_use]
pub fn brief(analysis: &Analysis) -> Answer {
    if let Some(failed) = failed(analysis) {
        return failed;
    }
    let compared: usize = analysis.rankings.iter().map(|ranking| ranking.comparisons.len()).sum();
    match (&analysis.rankings[..], compared) {
        ([ranking], 1..) => match ranking.answer() {
            Some(core::Answer::Best { next, among }) => best(analysis, ranking, &next, among),
            Some(core::Answer::Pair { others, .. })
                if others.is_empty() && ranking.by_cpu.is_some() =>
            {
                by_cpu(analysis, ranking).unwrap_or_else(|| counts(analysis))
            }
            Some(core::Answer::Pair { pair, others }) if others.is_empty() => {
                Answer::about_all(words::verdict_word(pair.assessment, ranking.metric.unit.base()))
            }
            Some(core::Answer::Pair { .. }) if ranking.reference.is_none() => open(ranking),
            _ => counts(analysis),
        },
        ([_, ..], 1..) => counts(analysis),
        _ => alone(analysis),
    }
}

/// An answer as a line of its own.
#[must_use]
pub fn line(Answer { about, text }: Answer) -> String {
    match about {
        Some(about) => format!("{about}: {text}"),
        None => text,
    }
}

/// How many benchmarks failed, where some have: nothing is said of the others then.
#[must_use]
pub fn failed(analysis: &Analysis) -> Option<Answer> {
    let failed = analysis.benchmarks.iter().filter(|summary| has_failed(summary)).count();
    (failed > 0).then(|| {
        Answer::about_all(match failed == analysis.benchmarks.len() {
            true => "all failed".to_owned(),
            false => format!("{failed} failed"),
        })
    })
}

/// Whether nothing of it was a measurement, although something was executed.
fn has_failed(summary: &Summary) -> bool {
    summary.counted == 0 && summary.outcomes.not_ok() > 0
}

/// The only pair as CPU time settles it, where wall clock leaves it open.
fn by_cpu(analysis: &Analysis, ranking: &Ranking) -> Option<Answer> {
    let settled = ranking.by_cpu?;
    let said =
        |word: &str, within| words::by_cpu(word, settled.ratio.as_ref(), within, settled.is_busy);
    Some(match settled.verdict {
        Verdict::Same => {
            let base = ranking.metric.unit.base();
            let margin = words::margin_text(ranking.criteria.margin, base);
            Answer::about_all(said("same", Some(margin.as_str())))
        }
        verdict => {
            Answer { about: Some(name(analysis, settled.of)), text: said(verdict.name(), None) }
        }
    })
}

/// The best one: of two by how much, of more among how many.
fn best(analysis: &Analysis, ranking: &Ranking, next: &Versus<'_>, among: usize) -> Answer {
    let (direction, unit) = (ranking.metric.direction, ranking.metric.unit.base());
    let text = match (among, next.above_one()) {
        (2, Some(ratio)) => {
            format!("{} × {}", digits(ratio.value), words::better_word(direction, unit))
        }
        (2, None) => words::better_word(direction, unit).to_owned(),
        _ => format!("{} of {among}", words::best_word(direction, unit)),
    };
    Answer { about: Some(name(analysis, next.base)), text }
}

/// Among how many rows it is open which one is best.
fn open(ranking: &Ranking) -> Answer {
    let rows: Vec<&Ranked> = ranking.by_value().into_iter().filter(|row| !row.idle).collect();
    let valued = rows.len();
    let is_settled = |row: &&&Ranked| {
        let versus = ranking.versus(row.benchmark, rows[0].benchmark);
        versus.is_some_and(|versus| versus.verdict() == Verdict::Slower)
    };
    let open = valued - 1 - rows[1..].iter().filter(is_settled).count();
    let word = if ranking.identical() > open { "same" } else { "unclear" };
    Answer::about_all(match open + 1 == valued {
        true => format!("all {valued} {word}"),
        false => format!("first {} of {valued} {word}", open + 1),
    })
}

/// How many comparisons ended how.
pub(crate) fn counts(analysis: &Analysis) -> Answer {
    let Some(ranking) = analysis.rankings.first() else { return alone(analysis) };
    let all = analysis.rankings.iter().flat_map(|ranking| &ranking.comparisons);
    let all = all.filter(|comparison| !comparison.assessment.decision.is_void());
    let counted = words::counts(
        all.map(|comparison| &comparison.assessment),
        ranking.metric.direction,
        ranking.metric.unit.base(),
    );
    let said: Vec<String> =
        counted.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    Answer::about_all(match said.is_empty() {
        true => "nothing to tell apart".to_owned(),
        false => said.join(", "),
    })
}

/// The median of a benchmark that is compared with nothing, and how far it is known; of several how many.
#[must_use]
pub fn alone(analysis: &Analysis) -> Answer {
    let metric = &analysis.settings.metric;
    let [summary] = &analysis.benchmarks[..] else {
        let many = analysis.benchmarks.len();
        return Answer::about_all(counted(many, "benchmark", "benchmarks"));
    };
    let Some(found) = summary.metric(metric) else { return Answer::about_all("no measurement") };
    let figures = Figures::new(found.metric.unit.base(), [found.median.value]);
    Answer::about_all(figures::median(found, &figures))
}

fn name(analysis: &Analysis, index: usize) -> String {
    analysis.benchmarks[index].label.clone()
}

/// Three significant digits, or as many as stand before the point.
fn digits(value: f64) -> String {
    let wanted = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 0.1 => 2,
        _ => decimals_for(value.abs()),
    };
    fixed(value, wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits() {
        assert_eq!(
            [1.176, 12.34, 1234.0, 0.6, 0.0123].map(digits),
            ["1.18", "12.3", "1234", "0.60", "0.012"]
        );
    }
}
