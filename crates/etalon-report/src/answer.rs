//! The answer of an analysis in a few words, for a line of a list.
//!
//! Owns what is said where there is room for one thing only: the pair, the winner, or how many of what. Refuses
//! to say how sure that is: reports do.

use etalon_core::analysis::{Analysis, Comparison, Ranking, Summary};
use etalon_core::model::Answer;
use etalon_core::verdict::Verdict;

use crate::number::{Shown, counted, decimals_for, fixed};
use crate::words;

/// The answer in a few words. Benchmarks without any measurement come first: nothing is said of the others then.
#[must_use]
pub fn brief(analysis: &Analysis) -> Answer {
    let failed = analysis.benchmarks.iter().filter(|summary| has_failed(summary)).count();
    if failed > 0 {
        return Answer::of_all(match failed == analysis.benchmarks.len() {
            true => "all failed".to_owned(),
            false => format!("{failed} failed"),
        });
    }
    let compared: usize = analysis.rankings.iter().map(|ranking| ranking.comparisons.len()).sum();
    match (&analysis.rankings[..], compared) {
        ([ranking], 1) => of_two(analysis, ranking, &ranking.comparisons[0]),
        ([ranking], 2..) if ranking.reference.is_none() => of_many(analysis, ranking),
        ([_, ..], 1..) => counts(analysis),
        _ => alone(analysis),
    }
}

/// Whether nothing of it was a measurement, although something was executed.
fn has_failed(summary: &Summary) -> bool {
    summary.counted == 0 && summary.outcomes.not_ok() > 0
}

/// The better one of two, and by how much.
fn of_two(analysis: &Analysis, ranking: &Ranking, comparison: &Comparison) -> Answer {
    let Comparison { base, candidate, assessment } = comparison;
    let unit = ranking.metric.unit.base();
    let (winner, word) = match assessment.decision.verdict {
        Verdict::Faster => (*candidate, words::verdict_word(assessment, unit)),
        Verdict::Slower => (*base, words::better_word(ranking.metric.direction, unit)),
        Verdict::Same | Verdict::Unclear => {
            return Answer::of_all(words::verdict_word(assessment, unit));
        }
    };
    let ratio = assessment.evidence.ratio.as_ref().map(|ratio| ratio.value.max(1.0 / ratio.value));
    let factor = ratio.map(|ratio| format!("{} × ", digits(ratio))).unwrap_or_default();
    Answer { about: Some(name(analysis, winner)), text: format!("{factor}{word}") }
}

/// The best of several, where every comparison with it says so; else among how many it is open.
fn of_many(analysis: &Analysis, ranking: &Ranking) -> Answer {
    let valued = ranking.rows.iter().filter(|row| row.median.is_some()).count();
    let Some(first) = ranking.rows.first() else { return counts(analysis) };
    let is_settled = |c: &&Comparison| c.assessment.decision.verdict == Verdict::Slower;
    let with_first = ranking.comparisons.iter().filter(|c| c.base == first.benchmark);
    let open = with_first.clone().count() - with_first.filter(is_settled).count();
    if open == 0 {
        let word = words::best_word(ranking.metric.direction, ranking.metric.unit.base());
        let text = format!("{word} of {valued}");
        return Answer { about: Some(name(analysis, first.benchmark)), text };
    }
    let word = if ranking.identical() > open { "same" } else { "unclear" };
    Answer::of_all(match open + 1 == valued {
        true => format!("all {valued} {word}"),
        false => format!("first {} of {valued} {word}", open + 1),
    })
}

/// How many comparisons ended how.
fn counts(analysis: &Analysis) -> Answer {
    let Some(ranking) = analysis.rankings.first() else { return alone(analysis) };
    let all = analysis.rankings.iter().flat_map(|ranking| &ranking.comparisons);
    let counted = words::counts(
        all.map(|comparison| &comparison.assessment),
        ranking.metric.direction,
        ranking.metric.unit.base(),
    );
    let said: Vec<String> =
        counted.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    Answer::of_all(said.join(", "))
}

/// What is compared with nothing: its median and how far that is known.
fn alone(analysis: &Analysis) -> Answer {
    let metric = &analysis.settings.metric;
    let [summary] = &analysis.benchmarks[..] else {
        let many = analysis.benchmarks.len();
        return Answer::of_all(counted(many, "benchmark", "benchmarks"));
    };
    let Some(found) = summary.metric(metric) else { return Answer::of_all("no measurement") };
    let median = &found.median;
    let unit = Shown::fitting(&found.metric, median.value);
    let value = unit.number(median.value);
    let about = match median.relative_half_width() {
        Some(share) if share > 0.0 => format!(" ± {} %", digits(share * 100.0)),
        _ => String::new(),
    };
    Answer::of_all(format!("{} {}{about}", digits(value), unit.symbol()))
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
