//! Verdicts as a screen shows them: a factor above 1 with its word, or a change in percent.

use etalon_core::analysis::{Analysis, Answer, Ranking, Versus};
use etalon_core::estimate::{Estimate, Method};
use etalon_core::model::Direction;
use etalon_core::stats::Interval;
use etalon_core::verdict::{More, Verdict};

use crate::figures::{Figures, changed};
use crate::number::{bounded, counted_more, decimals_apart, seen};
use crate::table::Cell;
use crate::table::names::shortened;
use crate::text::width;
use crate::tidied::in_percent;
use crate::words;

/// The longest unit behind a number.
const LONGEST_UNIT: usize = 4;

/// The ends of a factor's interval in brackets; nothing for exact values.
pub(super) fn ends(ratio: &Estimate) -> String {
    match &ratio.interval {
        Ok(interval) if ratio.method != Method::Exact => words::ends(ratio.value, interval),
        _ => String::new(),
    }
}

/// The factor of a difference, above 1.
pub(super) fn factor(versus: &Versus<'_>) -> Option<String> {
    versus.above_one().map(|ratio| words::times(ratio.value))
}

/// The interval of a comparison as a change: `-13 % … +1 %`; of what has no ratio in its unit, which stands once.
/// Absent without an interval.
pub(super) fn change(versus: &Versus<'_>, ranking: &Ranking) -> Option<String> {
    if let Some(ratio) = versus.ratio() {
        let interval = ratio.interval.ok()?;
        let shown = |end: f64| signed_percent(end, decimals(interval));
        // A range has one unit.
        if ratio.method != Method::Exact && in_percent(interval.hi) >= 1000.0 {
            return Some(factors(interval));
        }
        return Some(match ratio.method {
            Method::Exact if ratio.value == 1.0 => "0 %".to_owned(),
            Method::Exact => shown(ratio.value),
            _ => format!("{} … {}", shown(interval.lo), shown(interval.hi)),
        });
    }
    let difference = versus.difference()?;
    let interval = difference.interval.ok()?;
    let figures = Figures::new(ranking.metric.unit.base(), [interval.lo, interval.hi]);
    let sign = |value: f64| if value > 0.0 { "+" } else { "" };
    // A long unit stands beside the values already.
    let hi = match width(&figures.symbol()) <= LONGEST_UNIT {
        true => figures.show(interval.hi),
        false => figures.digits(interval.hi),
    };
    let last = format!("{}{hi}", sign(interval.hi));
    Some(match difference.method {
        Method::Exact => last,
        _ if interval.lo == interval.hi => last,
        _ => format!("{}{} … {last}", sign(interval.lo), figures.digits(interval.lo)),
    })
}

/// The ends of a ratio's interval as factors: `0.50 … 11 ×`.
fn factors(Interval { lo, hi, .. }: Interval) -> String {
    let lo = bounded(lo, if lo < 9.95 { seen(lo, 2) } else { 0 });
    let hi = if hi > 999.5 { ">999".to_owned() } else { bounded(hi, 0) };
    format!("{lo} … {hi} ×")
}

/// One decimal where an end is closer to 1 than 10 %, more where it would read as no change, which the interval
/// excludes.
fn decimals(interval: Interval) -> usize {
    let far = |end: f64| (end - 1.0).abs() >= 0.0995;
    match far(interval.lo) && far(interval.hi) {
        true => 0,
        false => decimals_apart(0.0, [interval.lo, interval.hi].map(in_percent), 1),
    }
}

/// `+12 %`; from tenfold on a factor, `14 ×`.
fn signed_percent(ratio: f64, decimals: usize) -> String {
    let percent = in_percent(ratio);
    if percent >= 1000.0 {
        return changed(ratio - 1.0);
    }
    let text = format!("{percent:+.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => format!("{rest} %"),
        _ => format!("{text} %"),
    }
}

/// The word of a verdict; what has no direction differs.
fn word(versus: &Versus<'_>, ranking: &Ranking) -> &'static str {
    match versus.verdict() {
        Verdict::Unclear => versus.assessment.decision.name(),
        verdict => words::verdict_word_of(verdict, &ranking.metric),
    }
}

/// The cell of a verdict: `1.18 × slower`, `same`, `unclear`.
pub(super) fn cell(versus: &Versus<'_>, ranking: &Ranking) -> Cell {
    let (verdict, word) = (versus.verdict(), word(versus, ranking));
    let text = match (verdict.is_difference(), factor(versus)) {
        (true, Some(factor)) => format!("{factor} {word}"),
        _ => word.to_owned(),
    };
    Cell::verdict(&text, verdict)
}

/// A verdict where its interval has no column of its own: that of an unclear one stands beside the word.
pub(super) fn cell_alone(versus: &Versus<'_>, ranking: &Ranking) -> Cell {
    let cell = cell(versus, ranking);
    match (versus.verdict(), change(versus, ranking)) {
        (Verdict::Unclear, Some(change)) => {
            Cell { text: format!("{} ({change})", cell.text), ..cell }
        }
        _ => cell,
    }
}

/// The cell of its interval: of a difference as factors, else as a change.
pub(super) fn interval(versus: &Versus<'_>, ranking: &Ranking) -> Cell {
    let text = if versus.verdict().is_difference() && versus.ratio().is_some() {
        versus.above_one().map(|ratio| ends(&ratio).trim_start().to_owned())
    } else {
        change(versus, ranking).map(|change| format!("({change})"))
    };
    Cell::words(text.unwrap_or_default())
}

/// How many have which verdict: `1 unclear, 1 slower`.
pub(super) fn counts(all: &[Versus<'_>], ranking: &Ranking) -> String {
    let found: Vec<&str> = all.iter().map(|versus| word(versus, ranking)).collect();
    let of = |verdict| words::verdict_word_of(verdict, &ranking.metric);
    let order = [of(Verdict::Faster), "same", "differs", "unclear", of(Verdict::Slower)];
    let counted = |word: &str| {
        let n = found.iter().filter(|it| **it == word).count();
        (n > 0).then(|| format!("{n} {}", if n > 1 { words::several(word) } else { word }))
    };
    order.into_iter().filter_map(counted).collect::<Vec<_>>().join(", ")
}

/// The verb of the best: `is faster` of two, `is fastest` of more.
pub(super) fn superlative(ranking: &Ranking, among: usize) -> &'static str {
    let speed = ranking.metric.unit.base().is_speed();
    match (speed, ranking.metric.direction, among) {
        (true, _, 2) => "is faster",
        (true, _, _) => "is fastest",
        (false, Direction::Higher, 2) => "has more",
        (false, Direction::Higher, _) => "has the most",
        (false, _, 2) => "has less",
        (false, _, _) => "has the least",
    }
}

/// Whether the answer is about this pair, and has said what would settle it.
fn is_answer(versus: &Versus<'_>, ranking: &Ranking) -> bool {
    let ends = |it: &Versus<'_>| [it.of.min(it.base), it.of.max(it.base)];
    matches!(ranking.answer(), Some(Answer::Pair { pair, .. }) if ends(&pair) == ends(versus))
}

/// The number of blocks that would settle the unclear rows; absent where none is, or where the answer has said it.
pub(super) fn outlook(analysis: &Analysis, ranking: &Ranking) -> Option<String> {
    let against = ranking.against_first();
    let rows = ranking.by_value();
    if rows.len() < 3 {
        return None;
    }
    let unclear: Vec<&Versus<'_>> = rows
        .iter()
        .filter_map(|row| against.get(row.benchmark))
        .filter(|versus| !versus.assessment.decision.is_difference())
        .filter(|versus| versus.verdict() == Verdict::Unclear)
        .filter(|versus| !versus.assessment.decision.is_void())
        .collect();
    match unclear[..] {
        [] => None,
        [one] if is_answer(one, ranking) => None,
        [one] => {
            let why = words::obstacles(one.assessment).join("; ");
            let [name] = names(analysis, ranking, [one.of]);
            (!why.is_empty()).then(|| format!("{name}: {why}."))
        }
        [first, ..] => {
            let more = unclear.iter().filter_map(|it| it.assessment.decision.more.as_deref());
            let blocks = counted_more(
                More::reaching(more)?,
                words::unit_of_replication(&first.assessment.evidence),
            )?;
            Some(format!("About {blocks} would settle the {} unclear ones.", unclear.len()))
        }
    }
}

/// The most columns of a name in a sentence. Because: tables and `--full` have the whole one.
pub(super) const OF_SENTENCE: usize = 200;

/// Names as sentences have them: of long ones so much that they are told apart.
pub(super) fn names<const N: usize>(
    analysis: &Analysis,
    ranking: &Ranking,
    benchmarks: [usize; N],
) -> [String; N] {
    let whole = benchmarks.map(|at| words::ranked_name(analysis, ranking, at));
    let short = shortened(&whole.each_ref(), OF_SENTENCE, "…");
    <[String; N]>::try_from(short).unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a range of two units.
    #[test]
    fn a_range_has_one_unit() {
        let said = |lo, hi| factors(Interval { lo, hi, level: 0.95 });
        assert_eq!(
            [said(9.71, 11.0), said(0.5, 12.4), said(20.0, 1.08e11)],
            ["9.71 … 11 ×", "0.50 … 12 ×", "20 … >999 ×"]
        );
    }

    /// Would catch percents that nobody can read, and a sign of nothing.
    #[test]
    fn changes_from_tenfold_on_are_factors() {
        let said = |ratio: f64| signed_percent(ratio, 0);
        assert_eq!(
            [said(0.5), said(1.0), said(1.12), said(10.9)],
            ["-50 %", "+0 %", "+12 %", "+990 %"]
        );
        assert_eq!([said(11.0), said(48.3), said(1.4e6)], ["11 ×", "48 ×", "more than 1,000 ×"]);
        assert_eq!(
            [said(f64::INFINITY), signed_percent(0.9999, 1)],
            ["more than 1,000 ×", "0.0 %"]
        );
    }
}
