//! Reasons in words: those behind a verdict, and those in its way.

use etalon_core::compare::{Beyond, Design, Evidence, Scale, Tail, TailKind, WorseSide};
use etalon_core::model::{Direction, Metric};
use etalon_core::stats::Correction;
use etalon_core::units::Base;
use etalon_core::verdict::{Assessment, Decision, Reason, Verdict};

use super::amounts::amount;
use super::evidence::two_digits;
use crate::figures::changed;
use crate::number::{counted, counted_more, p_value, percent};

/// In place of a verdict about centres that a harness formed.
const NO_RAW_DATA: &str = "no raw data";

/// The correction's name.
pub(crate) fn correction_text(correction: Correction) -> &'static str {
    match correction {
        Correction::Holm => "Holm",
        Correction::BenjaminiHochberg => "BH",
        Correction::None => "no correction",
    }
}

/// The level of comparisons' intervals, of those that a correction picked that which they are to have together; of
/// several files, the levels.
pub(crate) fn levels_text<'a>(comparisons: impl Iterator<Item = &'a Assessment>) -> String {
    let of = |evidence: &Evidence| evidence.shown().level.min(evidence.differing.level);
    let mut levels: Vec<f64> = comparisons.map(|assessment| of(&assessment.evidence)).collect();
    levels.sort_by(f64::total_cmp);
    let mut levels: Vec<String> = levels.into_iter().map(level_digits).collect();
    levels.dedup();
    match &levels[..] {
        [] => String::new(),
        [least, _, .., most] => format!("{least} to {most}\u{a0}%"),
        several => format!("{}\u{a0}%", several.join(" or ")),
    }
}

/// The level of an interval in percent, to two digits of what it leaves: `95 %`, `98.3 %`, `99.58 %`.
pub(crate) fn level(level: f64) -> String {
    format!("{}\u{a0}%", level_digits(level))
}

fn level_digits(level: f64) -> String {
    let left = 100.0 * (1.0 - level);
    let decimals =
        if left > 0.0 { (1.0 - (left * 1.000_001).log10().floor()).clamp(0.0, 9.0) } else { 0.0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
    let text = format!("{:.*}", decimals as usize, 100.0 * level);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The name of a value of the comparison: blocks pair, independent values stand alone.
pub(crate) fn unit_of_replication(evidence: &Evidence) -> (&'static str, &'static str) {
    match evidence.design {
        Design::Blocks | Design::Nodes(_) => ("block", "blocks"),
        Design::Layouts(_) => ("layout a side", "layouts a side"),
        Design::Independent if evidence.exact => ("count a side", "counts a side"),
        Design::Independent | Design::Runs(_) => ("execution a side", "executions a side"),
    }
}

/// The word of a verdict about a quantity in a unit: times and rates are faster or slower, all else is less or
/// more, and what has no direction differs.
pub(crate) fn verdict_word(assessment: &Assessment, base: &Base) -> &'static str {
    let Assessment { evidence, decision, .. } = assessment;
    match decision.verdict {
        Verdict::Unclear if does_nothing(decision) => DOES_NOTHING,
        Verdict::Unclear if decision.reasons == [Reason::NoRawData] => NO_RAW_DATA,
        Verdict::Unclear => decision.name(),
        verdict => word_of(verdict, evidence.direction, base),
    }
}

/// Said in place of a verdict on calls that do nothing that can be seen.
pub(crate) const DOES_NOTHING: &str = "does nothing";

/// Whether it is the candidate that does nothing.
fn does_nothing(decision: &Decision) -> bool {
    matches!(decision.reasons[..], [Reason::DoesNothing { side: WorseSide::Candidate }])
}

/// The word of a verdict by direction and unit.
fn word_of(verdict: Verdict, direction: Direction, base: &Base) -> &'static str {
    let better_is_more = direction == Direction::Higher;
    match verdict {
        Verdict::Faster | Verdict::Slower if base.is_speed() => verdict.name(),
        Verdict::Faster if better_is_more => "more",
        Verdict::Slower if better_is_more => "less",
        Verdict::Faster => "less",
        Verdict::Slower => "more",
        Verdict::Same | Verdict::Unclear => verdict.name(),
    }
}

/// The word for the better one of two.
pub(crate) fn better_word(direction: Direction, base: &Base) -> &'static str {
    word_of(Verdict::Faster, direction, base)
}

/// The word for the best one of several.
pub(crate) fn best_word(direction: Direction, base: &Base) -> &'static str {
    match better_word(direction, base) {
        "faster" => "fastest",
        "more" => "most",
        _ => "least",
    }
}

/// The word of a verdict alone, about a metric.
pub(crate) fn verdict_word_of(verdict: Verdict, metric: &Metric) -> &'static str {
    word_of(verdict, metric.direction, metric.unit.base())
}

/// How many comparisons of a quantity have which word: `2 faster`, better before worse, all words that there
/// are for it.
pub(crate) fn counts<'a>(
    assessments: impl Iterator<Item = &'a Assessment>,
    direction: Direction,
    base: &Base,
) -> Vec<(usize, String)> {
    let word = |it: &'a Assessment| match it.decision.is_void() {
        true => it.decision.name(),
        false => verdict_word(it, base),
    };
    let found: Vec<&str> = assessments.map(word).collect();
    let of = |verdict| word_of(verdict, direction, base);
    let words = match direction {
        Direction::Neither => vec!["differs"],
        _ => vec![of(Verdict::Faster), of(Verdict::Slower)],
    };
    let count = |word: &str| found.iter().filter(|it| **it == word).count();
    let counted = |word| match count(word) {
        1 => (1, format!("1 {word}")),
        n => (n, format!("{n} {}", several(word))),
    };
    // Where all have readings, nobody counts those without.
    let without = found.contains(&NO_RAW_DATA).then_some(NO_RAW_DATA);
    words.into_iter().chain(["same", "unclear"]).chain(without).map(counted).collect()
}

/// A word where it is said of several.
pub(crate) fn several(word: &str) -> &str {
    if word == "differs" { "differ" } else { word }
}

/// A reason behind a verdict, or in its way, in one clause.
pub(crate) fn reason_text(reason: &Reason, evidence: &Evidence) -> String {
    let (one, many) = unit_of_replication(evidence);
    match reason {
        Reason::WithinMargin => "the interval lies within the margin".to_owned(),
        Reason::BeyondChance => match evidence.exact {
            true => "exact values that differ".to_owned(),
            false => "the interval excludes no difference, and p is small enough".to_owned(),
        },
        Reason::RealButBelowMargin => "real, but below the margin".to_owned(),
        Reason::Needs { at_least } => format!("needs at least {}", counted(*at_least, one, many)),
        Reason::FamilyNeeds { at_least, family } => {
            let comparisons = counted(*family, "comparison", "comparisons");
            format!("needs at least {at_least} {many} for {comparisons}")
        }
        Reason::IntervalIncludesNone => match evidence.scale {
            Scale::Ratio => "the interval includes 1".to_owned(),
            Scale::Difference => "the interval includes 0".to_owned(),
        },
        Reason::NoDifferenceSeen { apart } => none_seen(*apart, evidence.scale),
        Reason::IntervalBeyondMargin => "and reaches beyond the margin".to_owned(),
        Reason::NotSignificant { p, adjusted, correction, family } => match correction {
            Correction::Holm | Correction::BenjaminiHochberg if *family > 1 => {
                let (p, adjusted) = (p_value(*p), p_value(*adjusted));
                format!("p {p}, {adjusted} after {} over {family}", correction_text(*correction))
            }
            _ => format!("p {}", p_value(*p)),
        },
        Reason::SamenessNotSignificant { p, adjusted } => format!(
            "inside the margin, but p of sameness is {}, {} after the correction",
            p_value(*p),
            p_value(*adjusted)
        ),
        Reason::NotBeyond { at_least } => {
            format!("not wholly beyond 1 ± {}", percent(*at_least))
        }
        Reason::WithinEpsilon { epsilon } => {
            let epsilon = amount(*epsilon, &Base::Seconds);
            format!("the difference's interval includes 0 when moved by ± {epsilon}")
        }
        Reason::TooOftenBetter { probability, at_most } => {
            format!(
                "the slower one has the better reading with P {probability:.2}, above {at_most}"
            )
        }
        Reason::BelowTheClock => "below the clock".to_owned(),
        Reason::Failures { side, lost } => {
            let who = if *side == WorseSide::Base { "the base" } else { "it" };
            format!("{who} failed in {} of {} executions, which rank worst", lost.count, lost.of)
        }
        Reason::MoreOftenWorse(tail) => more_often_alike(tail),
        Reason::NoRawData => NO_RAW_DATA.to_owned(),
        Reason::CountsVary => "counts of one side differ by too much among themselves".to_owned(),
        Reason::CountedOtherwise => "counted by other means, or on another CPU".to_owned(),
        Reason::ControlMoved => "a side differs from its own second build".to_owned(),
        Reason::DoesNothing { side } => nothing_text(*side),
    }
}

/// That calls of a side do nothing.
fn nothing_text(side: WorseSide) -> String {
    let who = if side == WorseSide::Base { "the base" } else { "it" };
    format!("{who} does nothing that can be seen: a call takes no longer than an empty loop")
}

/// That runs show no difference, and how far apart they are at most.
fn none_seen(apart: f64, scale: Scale) -> String {
    match scale {
        Scale::Ratio => format!("no difference seen; at most {} apart", percent(two_digits(apart))),
        Scale::Difference => "no difference seen between runs".to_owned(),
    }
}

/// That one side is in the tail more often, where nothing typical differs.
fn more_often_alike(tail: &Tail) -> String {
    let what = if tail.kind == TailKind::Slow { "times" } else { "values" };
    let (who, readings) = more_often(tail);
    format!("typical {what} agree, but {who} ({readings})")
}

/// That one side is in the tail more often, beside what typically differs; and how often.
pub(crate) fn more_often_beside(tail: &Tail) -> [String; 2] {
    let (who, readings) = more_often(tail);
    [format!("{who} than the typical difference explains"), readings]
}

/// That one side is in the tail more often, and how often.
fn more_often(tail: &Tail) -> (String, String) {
    let Tail { found, of, in_blocks, kind, beyond, worse } = tail;
    let (who, many, few) = match worse {
        Some(WorseSide::Base) => ("the base", (found.0, of.0), (found.1, of.1)),
        _ => ("it", (found.1, of.1), (found.0, of.0)),
    };
    let how = match kind {
        TailKind::Slow => "slow",
        TailKind::Large => "much larger",
        TailKind::Small => "much smaller",
    };
    let median = match beyond {
        Beyond::Times(times) if *times < 1.0 => format!("below {times:.2} × the median"),
        Beyond::Times(times) => format!("above {times} × the median"),
        Beyond::Amount(size) if *size < 0.0 => "far below the median".to_owned(),
        Beyond::Amount(_) => "far above the median".to_owned(),
    };
    // Of blocks in which both are, neither is more often.
    let readings = match (in_blocks, many.1 == few.1) {
        (true, _) => {
            format!(
                "alone in {} of {} blocks {median}, the other alone in {}",
                many.0, many.1, few.0
            )
        }
        (false, true) => format!("{} of {} readings {median}, against {}", many.0, many.1, few.0),
        (false, false) => {
            format!("{} of {} readings {median}, against {} of {}", many.0, many.1, few.0, few.1)
        }
    };
    (format!("{who} is {how} more often"), readings)
}

/// All that is to be said about an open verdict: reasons and what would settle it.
pub(crate) fn why(assessment: &Assessment) -> Option<String> {
    let Assessment { evidence, decision, .. } = assessment;
    let reasons = decision.reasons.iter().filter(|reason| !reason.settles());
    let reasons: Vec<String> = reasons.map(|reason| reason_text(reason, evidence)).collect();
    if reasons.is_empty() {
        return None;
    }
    let outlook = outlook(assessment).map_or_else(String::new, |more| format!("; {more}"));
    Some(format!("{}{outlook}", joined(&reasons)))
}

/// Reasons in the way of an open verdict that the interval shown beside them does not say itself.
pub(crate) fn hindrances(assessment: &Assessment) -> Vec<String> {
    said_of(assessment, reason_text)
}

/// The kinds of those reasons, without figures that differ from row to row.
pub(crate) fn kinds_of_hindrances(assessment: &Assessment) -> Vec<String> {
    said_of(assessment, |reason, evidence| match reason {
        Reason::NotSignificant { correction, family, .. }
            if *family > 1 && *correction != Correction::None =>
        {
            format!("p too large after {} over {family}", correction_text(*correction))
        }
        Reason::NotSignificant { .. } => "p too large".to_owned(),
        Reason::SamenessNotSignificant { .. } => {
            "inside the margin, but p of sameness is too large after the correction".to_owned()
        }
        Reason::TooOftenBetter { at_most, .. } => {
            format!("the slower one has the better reading with P above {at_most}")
        }
        Reason::Failures { side, .. } => {
            let who = if *side == WorseSide::Base { "the base" } else { "it" };
            format!("{who} failed in some executions, which rank worst")
        }
        Reason::MoreOftenWorse(tail) => {
            let what = if tail.kind == TailKind::Slow { "times" } else { "values" };
            format!("typical {what} agree, but {}", more_often(tail).0)
        }
        _ => reason_text(reason, evidence),
    })
}

fn said_of(assessment: &Assessment, text: impl Fn(&Reason, &Evidence) -> String) -> Vec<String> {
    let Assessment { evidence, decision, .. } = assessment;
    let is_shown = |it: &Reason| {
        use Reason::{IntervalBeyondMargin, IntervalIncludesNone, NoDifferenceSeen};
        matches!(it, IntervalIncludesNone | IntervalBeyondMargin | NoDifferenceSeen { .. })
    };
    let reasons = decision.reasons.iter().filter(|it| !it.settles() && !is_shown(it));
    reasons.map(|it| text(it, evidence)).collect()
}

/// Reasons in the way of an open verdict, and how many blocks would settle it.
pub(crate) fn obstacles(assessment: &Assessment) -> Vec<String> {
    hindrances(assessment).into_iter().chain(outlook(assessment)).collect()
}

/// How many more blocks would settle an open verdict.
fn outlook(assessment: &Assessment) -> Option<String> {
    let Assessment { evidence, decision, .. } = assessment;
    let (one, many) = unit_of_replication(evidence);
    let says_itself = decision.reasons.iter().any(|r| matches!(r, Reason::Needs { .. }));
    let more = decision.more.as_deref().filter(|_| !says_itself)?;
    let more = counted_more(more.told()?, (one, many))?;
    Some(format!("about {more} would settle it"))
}

/// Smaller changes are said to be visible from this on.
const LEAST_VISIBLE: f64 = 0.0001;

/// The smallest change that a comparison of a quantity could be expected to show: `3 %`, or an amount.
pub(crate) fn smallest_visible(assessment: &Assessment, base: &Base) -> Option<String> {
    Some(visible_text(assessment.smallest_visible?, assessment.evidence.scale, base))
}

/// A change that is visible: `3 %`, or an amount.
pub(super) fn visible_text(change: f64, scale: Scale, base: &Base) -> String {
    match scale {
        // Of readings that hardly scatter nobody asks for more digits.
        Scale::Ratio => changed(change.max(LEAST_VISIBLE)),
        Scale::Difference => amount(two_digits(change), base),
    }
}

/// Clauses joined with commas; one that begins with "and" continues the one before.
fn joined(reasons: &[String]) -> String {
    let mut text = String::new();
    for reason in reasons {
        if !text.is_empty() {
            text.push_str(if reason.starts_with("and ") { " " } else { ", " });
        }
        text.push_str(reason);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch levels that read the same though what they leave differs by a tenth, and digits that say nothing.
    #[test]
    fn levels_have_two_digits_of_what_they_leave() {
        let said = [0.5, 0.9, 0.95, 0.99, 0.999, 1.0 - 0.05 / 3.0, 1.0 - 0.05 / 12.0, 0.123]
            .map(level_digits);
        assert_eq!(said, ["50", "90", "95", "99", "99.9", "98.3", "99.58", "12"]);
    }
}
