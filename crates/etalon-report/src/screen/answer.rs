//! The sentence that a report begins with.

use etalon_core::analysis::{Analysis, Answer, CpuAnswer, Ranking, Versus};
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
            let by_cpu = ranking.by_cpu.map(|settled| by_cpu(analysis, ranking, settled));
            let said = by_cpu.unwrap_or_else(|| pair_text(analysis, ranking, &pair));
            let rest = verdicts::counts(&others, ranking);
            if rest.is_empty() {
                format!("{said}.")
            } else {
                format!("{said}; the others: {rest}.")
            }
        }
    };
    // Wall clock, and the time of a call, go without saying.
    Some(match ranking.metric.name.as_str() {
        metrics::WALL => said,
        _ => behind(&words::metric_title(&ranking.metric), &said),
    })
}

/// The sentence behind a colon: only etalon's own first word is written small, never a name.
pub(super) fn behind(subject: &str, said: &str) -> String {
    for (first, small) in [("Cannot ", "cannot "), ("No difference ", "no difference ")] {
        if let Some(rest) = said.strip_prefix(first) {
            return format!("{subject}: {small}{rest}");
        }
    }
    format!("{subject}: {said}")
}

/// `gzip -1 is faster: gzip -9 takes 1.18 × as long (1.15 … 1.21).` Of what is better when there is more of it the best
/// is spoken of, so that the factor is above 1.
fn best(analysis: &Analysis, ranking: &Ranking, next: &Versus<'_>, among: usize) -> String {
    let [best, other] = verdicts::names(analysis, ranking, [next.base, next.of]);
    let title = verdicts::superlative(ranking, among);
    let higher = ranking.metric.direction == Direction::Higher;
    let Some(ratio) = next.above_one() else {
        let other = if among > 2 { format!("the next, {other},") } else { other };
        let verb = if higher { "reaches" } else { "takes" };
        let difference = next.difference().map_or(0.0, |difference| difference.value);
        let figures = Figures::new(ranking.metric.unit.base(), [difference]);
        let amount = figures.show(difference.abs());
        let word = if higher { "less" } else { "more" };
        return format!("{best} {title}: {other} {verb} {amount} {word}.");
    };
    let factor = words::times(ratio.value);
    let ends = verdicts::ends(&ratio);
    if higher {
        let other = if among > 2 { format!("the next, {other}") } else { other };
        return format!("{best} {title}: it reaches {factor} as much as {other}{ends}.");
    }
    let other = if among > 2 { format!("the next, {other},") } else { other };
    let is_time = *ranking.metric.unit.base() == etalon_core::units::Base::Seconds;
    let (verb, how) = if is_time { ("takes", "as long") } else { ("has", "as much") };
    format!("{best} {title}: {other} {verb} {factor} {how}{ends}.")
}

/// The answer on one pair, without a full stop.
fn pair_text(analysis: &Analysis, ranking: &Ranking, pair: &Versus<'_>) -> String {
    let [of, base] = verdicts::names(analysis, ranking, [pair.of, pair.base]);
    match pair.verdict() {
        Verdict::Same => {
            let margin = words::margin_text(ranking.criteria.margin, ranking.metric.unit.base());
            format!("{of} and {base} are the same within {margin}{}", in_brackets(pair, ranking))
        }
        Verdict::Unclear if pair.assessment.decision.is_difference() => {
            format!("{of} differs from {base}{}", in_brackets(pair, ranking))
        }
        Verdict::Unclear if pair.assessment.decision.reasons == [Reason::NoRawData] => {
            format!(
                "Cannot tell {of} from {base}: {}",
                words::obstacles(pair.assessment).join("; ")
            )
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

/// The answer on a pair that CPU time settles, without a full stop.
fn by_cpu(analysis: &Analysis, ranking: &Ranking, settled: CpuAnswer) -> String {
    let CpuAnswer { of, base, verdict, ratio, is_busy } = settled;
    let [of, base] = verdicts::names(analysis, ranking, [of, base]);
    let margin = words::margin_text(ranking.criteria.margin, ranking.metric.unit.base());
    let said = |word: &str, within| words::by_cpu(word, ratio.as_ref(), within, is_busy);
    match verdict {
        Verdict::Same => format!("{of} and {base} are {}", said("the same", Some(margin.as_str()))),
        verdict => format!("{of} is {}", said(&format!("{} than {base}", verdict.name()), None)),
    }
}

/// Whether runs are compared that show no difference: more of their readings would not either.
fn sees_none(pair: &Versus<'_>) -> bool {
    let mut reasons = pair.assessment.decision.reasons.iter();
    reasons.any(|reason| matches!(reason, Reason::NoDifferenceSeen { .. }))
}

/// The interval of a factor that is shown above 1.
fn reach(pair: &Versus<'_>) -> String {
    pair.above_one().map_or_else(String::new, |ratio| verdicts::ends(&ratio))
}

/// The interval as a change.
fn in_brackets(pair: &Versus<'_>, ranking: &Ranking) -> String {
    verdicts::change(pair, ranking).map_or_else(String::new, |change| format!(" ({change})"))
}

/// The sentence on the work of the pair that is answered by, beside its time.
pub(super) fn work(analysis: &Analysis, ranking: &Ranking) -> Option<String> {
    let work = ranking.work(&analysis.works)?;
    let names = [work.of, work.base].map(|at| words::ranked_name(analysis, ranking, at));
    Some(words::work([&names[0], &names[1]], &work, &ranking.criteria))
}
