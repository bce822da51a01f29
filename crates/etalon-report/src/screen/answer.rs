//! The sentence that a report begins with.

use etalon_core::analysis::{Analysis, Answer, Ranking, Versus};
use etalon_core::metrics;
use etalon_core::model::Direction;
use etalon_core::verdict::{Reason, Verdict};

use super::verdicts;
use crate::figures::Figures;
use crate::words;

/// The answer of a ranking; absent where there is nothing to compare.
pub(super) fn sentence(analysis: &Analysis, ranking: &Ranking) -> Option<String> {
    let said = match ranking.answer()? {
        Answer::Best { next, among } => best(analysis, ranking, &next, among),
        Answer::Pair { pair, others } => {
            let said = of_pair(analysis, ranking, &pair);
            let rest = verdicts::counts(&others, ranking);
            if rest.is_empty() {
                format!("{said}.")
            } else {
                format!("{said}; of the others {rest}.")
            }
        }
    };
    // Wall clock, and the time of a call, go without saying.
    Some(match ranking.metric.name.as_str() {
        metrics::WALL => said,
        _ => format!("{}: {}", words::metric_title(&ranking.metric), uncapitalised(&said)),
    })
}

/// The sentence behind a colon: only etalon's own first word is written small, never a name.
fn uncapitalised(said: &str) -> String {
    for (first, small) in [("Cannot ", "cannot "), ("No difference ", "no difference ")] {
        if let Some(rest) = said.strip_prefix(first) {
            return format!("{small}{rest}");
        }
    }
    said.to_owned()
}

/// `gzip -1 is faster: gzip -9 takes 1.18 × as long (1.15 … 1.21).`
fn best(analysis: &Analysis, ranking: &Ranking, next: &Versus<'_>, among: usize) -> String {
    let (best, other) = (name(analysis, next.base), name(analysis, next.of));
    let title = verdicts::superlative(ranking, among);
    let other = if among > 2 { format!("the next, {other},") } else { other };
    format!("{best} {title}: {other} {}.", costs(ranking, next))
}

/// What one pair comes to, without a full stop.
fn of_pair(analysis: &Analysis, ranking: &Ranking, pair: &Versus<'_>) -> String {
    let (of, base) = (name(analysis, pair.of), name(analysis, pair.base));
    match pair.verdict() {
        Verdict::Same => {
            let margin = words::margin_text(ranking.criteria.margin, ranking.metric.unit.base());
            format!("{of} and {base} are the same within {margin}{}", in_brackets(pair, ranking))
        }
        Verdict::Unclear if pair.assessment.decision.is_difference() => {
            format!("{of} differs from {base}{}", in_brackets(pair, ranking))
        }
        Verdict::Unclear => {
            let change = verdicts::change(pair, ranking);
            if let (Some(change), true) = (&change, sees_none(pair)) {
                return format!("No difference seen between {of} and {base}: {change}");
            }
            let said: Vec<String> =
                change.into_iter().chain(words::obstacles(pair.assessment)).collect();
            format!("Cannot tell {of} from {base} yet: {}", said.join("; "))
        }
        Verdict::Faster | Verdict::Slower => {
            let word = words::verdict_word_of(pair.verdict(), &ranking.metric);
            match verdicts::factor(pair) {
                Some(factor) => format!("{of} is {factor} {word} than {base}{}", reach(pair)),
                None => format!("{of} is {word} than {base}{}", in_brackets(pair, ranking)),
            }
        }
    }
}

/// Whether runs are compared that show no difference: more of their readings would not either.
fn sees_none(pair: &Versus<'_>) -> bool {
    let mut reasons = pair.assessment.decision.reasons.iter();
    reasons.any(|reason| matches!(reason, Reason::NoDifferenceSeen { .. }))
}

/// What the worse of two takes: `takes 1.18 × as long (1.15 … 1.21)`.
fn costs(ranking: &Ranking, next: &Versus<'_>) -> String {
    let higher = ranking.metric.direction == Direction::Higher;
    let Some(ratio) = next.ratio() else {
        let of = Figures::of(ranking.metric.unit.base(), [next.difference().value]);
        let more = of.show(next.difference().value.abs());
        return format!(
            "{} {more} {}",
            if higher { "reaches" } else { "takes" },
            if higher { "less" } else { "more" }
        );
    };
    let is_time = *ranking.metric.unit.base() == etalon_core::units::Base::Seconds;
    let (verb, how) = match (higher, is_time) {
        (true, _) => ("reaches", "as much"),
        (false, true) => ("takes", "as long"),
        (false, false) => ("has", "as much"),
    };
    format!("{verb} {} {how}{}", verdicts::times(ratio.value), verdicts::ends(&ratio))
}

fn name(analysis: &Analysis, index: usize) -> String {
    words::case_name(analysis, index)
}

/// The interval of a factor that is shown above 1.
fn reach(pair: &Versus<'_>) -> String {
    pair.above_one().map_or_else(String::new, |ratio| verdicts::ends(&ratio))
}

/// The interval as a change.
fn in_brackets(pair: &Versus<'_>, ranking: &Ranking) -> String {
    verdicts::change(pair, ranking).map_or_else(String::new, |change| format!(" ({change})"))
}
