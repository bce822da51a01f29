//! "Performance Analysis": time per call, and how it compares with the baseline's.

use etalon_core::analysis::{Analysis, Comparison, MetricSummary, Suite};
use etalon_core::estimate::Estimate;
use etalon_core::metrics;
use etalon_core::units::Base;
use etalon_core::verdict::Verdict;

use super::{Measured, measured, name, rows, shared_unit, sorted};
use crate::number::{bounded, decimals_apart, decimals_for};
use crate::table::{ABSENT, Align, Cell, Column, Table};
use crate::words::{DOES_NOTHING, case_name, verdict_word, why};

/// The table, and under it why a verdict is open.
pub(super) fn table(analysis: &Analysis, suite: &Suite) -> Table {
    let cases = in_order(analysis, suite);
    let times = |title: &str, value: fn(&MetricSummary) -> Option<f64>| {
        let values: Vec<Option<f64>> = cases.iter().map(|case| value(case.wall)).collect();
        shared_unit::column(title, &Base::Seconds, &values)
    };
    let words = |title: &str, align, word: &dyn Fn(&Measured<'_>) -> Option<String>| {
        let cells: Vec<Cell> = cases.iter().map(|case| Cell::words_or_absent(word(case))).collect();
        (Column::new(title, align), cells)
    };
    let names = cases.iter().map(|case| name(analysis, case.index)).collect();
    let mut all: Vec<(Column, Vec<Cell>)> = vec![
        (Column::new("Name", Align::Left), names),
        words("Ops/sec", Align::Point, &|case| {
            Some(shared_unit::rate(case.facts.rates?.calls, ""))
        }),
        times("Mean", |wall| Some(wall.mean)),
        times("p50", |wall| Some(wall.quartiles.median)),
        times("p95", |wall| wall.p95),
        times("p99", |wall| wall.p99),
        times("StdDev", |wall| wall.stddev),
    ];
    if cases.iter().any(|case| case.facts.rates.is_some_and(|rates| rates.bytes.is_some())) {
        let rate = |case: &Measured<'_>| Some(shared_unit::rate(case.facts.rates?.bytes?, "B/s"));
        all.push(words("Throughput", Align::Point, &rate));
    }
    if cases.iter().any(|case| case.facts.rates.is_some_and(|rates| rates.items.is_some())) {
        let rate = |case: &Measured<'_>| Some(shared_unit::rate(case.facts.rates?.items?, ""));
        all.push(words("Items/sec", Align::Point, &rate));
    }
    let compared = |case: &Measured<'_>| suite.comparison(case.index);
    let (column, cells) = words("Relative", Align::Left, &|case| match compared(case) {
        Some(comparison) => relative(comparison),
        None if Some(case.index) != suite.baseline => None,
        None if suite.is_idle(case.index) => Some(format!("baseline, {DOES_NOTHING}")),
        None => Some("baseline".to_owned()),
    });
    all.push((column.first(), cells));
    let verdicts = cases.iter().map(|case| verdict(compared(case))).collect();
    all.push((Column::new("Verdict", Align::Left), verdicts));
    let (columns, cells) = all.into_iter().unzip();
    Table {
        title: "Performance Analysis".to_owned(),
        caption: "Time per call; sorted by mean (lower is better).".to_owned(),
        columns,
        rows: rows(cells),
        remarks: cases.iter().filter_map(|case| open(analysis, compared(case)?)).collect(),
    }
}

/// The cases in the order of the rows.
fn in_order<'a>(analysis: &'a Analysis, suite: &Suite) -> Vec<Measured<'a>> {
    sorted(measured(analysis, suite), |case| Some(case.wall.mean))
}

/// The CPU time of a call, the median, for each row; absent where none was recorded.
pub(super) fn cpu_time(analysis: &Analysis, suite: &Suite) -> Option<(Column, Vec<Cell>)> {
    let median = |case: &Measured<'_>| Some(case.summary.metric(metrics::CPU)?.quartiles.median);
    let values: Vec<Option<f64>> = in_order(analysis, suite).iter().map(median).collect();
    let known = values.iter().any(Option::is_some);
    known.then(|| shared_unit::column("CPU", &Base::Seconds, &values))
}

/// How many times as fast or slow, where that is the verdict; else the ratio of the times.
fn relative(comparison: &Comparison) -> Option<String> {
    let Estimate { value, interval, .. } = comparison.assessment.evidence.shown().ratio.as_ref()?;
    let interval = interval.as_ref().ok().map(|interval| (interval.lo, interval.hi));
    let verdict = comparison.assessment.decision.verdict;
    Some(match verdict {
        Verdict::Faster => {
            times(1.0 / value, interval.map(|(lo, hi)| (1.0 / hi, 1.0 / lo)), " faster")
        }
        Verdict::Slower => times(*value, interval, " slower"),
        Verdict::Same | Verdict::Unclear => times(*value, interval, ""),
    })
}

fn times(ratio: f64, interval: Option<(f64, f64)>, word: &str) -> String {
    let Some((lo, hi)) = interval else {
        return format!("{}×{word}", bounded(ratio, two_digits(ratio)));
    };
    let decimals = decimals_for((hi - lo) / 2.0).min(4).max(two_digits(ratio.min(lo)));
    let decimals = decimals_apart(1.0, [lo, hi], decimals);
    let digits = |value| bounded(value, decimals);
    format!("{}×{word} ({} … {})", digits(ratio), digits(lo), digits(hi))
}

/// Decimals that show two digits of a ratio, however small.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
fn two_digits(ratio: f64) -> usize {
    if ratio > 0.0 { (1.0 - ratio.log10().floor()).clamp(2.0, 12.0) as usize } else { 2 }
}

/// The word of a verdict; the baseline has none.
pub(super) fn verdict(comparison: Option<&Comparison>) -> Cell {
    let of_time = |c: &Comparison| {
        let word = verdict_word(&c.assessment, &Base::Seconds);
        Cell::verdict(word, c.assessment.decision.verdict)
    };
    comparison.map_or(Cell::words(ABSENT), of_time)
}

/// The reasons in the way of an open verdict.
fn open(analysis: &Analysis, comparison: &Comparison) -> Option<String> {
    let verdict = comparison.assessment.decision.verdict;
    let why = why(&comparison.assessment).filter(|_| verdict == Verdict::Unclear)?;
    Some(format!("{} is unclear: {why}.", case_name(analysis, comparison.candidate)))
}
