//! `-D`: how the ranked metric of one benchmark is distributed, each measure in words from its own
//! value.

use etalon_core::analysis::{
    Analysis, Departure, Distribution, MetricSummary, NormalityFinding, ShapeFinding,
};
use etalon_core::stats::{InsufficientData, Interval};

use super::frame::{INSIDE, framed, titled, with_unit};
use crate::number::{self, DisplayUnit, fixed, p_value};
use crate::text::{right, width, wrap};
use crate::words;

/// Where labels end, and values.
const LABEL: usize = 18;
const VALUE: usize = 34;

/// The box of one benchmark; nothing without values.
pub(super) fn lines(analysis: &Analysis, index: usize) -> Vec<String> {
    let benchmark = &analysis.benchmarks[index];
    let metric = benchmark.metric(&analysis.settings.metric);
    let (Some(summary), Some(found)) = (metric, &benchmark.distribution) else { return Vec::new() };
    let alpha = analysis.settings.criteria.alpha;
    let title = format!("{} distribution", words::metric_title(&summary.metric));
    let shown = words::unit_of(summary);
    let (title, unit) = with_unit(&title, shown.symbol());
    let mut lines = titled(&title);
    lines.extend(spread(summary, found, &unit));
    lines.push(String::new());
    lines.extend(match &found.normality {
        Ok(normality) => normal(normality, alpha),
        Err(lacking) => absent("AD normality", lacking),
    });
    lines.extend(match &found.skewness {
        Ok(skewness) => shape("Skew", skewness, ["long left tail", "long right tail"]),
        Err(lacking) => absent("Skew", lacking),
    });
    lines.extend(match &found.kurtosis {
        Ok(kurtosis) => shape("Excess kurtosis", kurtosis, ["thin tails", "fat tails"]),
        Err(lacking) => absent("Excess kurtosis", lacking),
    });
    framed(&lines)
}

/// Number, median, range and interquartile range, one unit for all.
fn spread(summary: &MetricSummary, found: &Distribution, unit: &str) -> Vec<String> {
    let q = &summary.quartiles;
    let shown = words::unit_of(summary);
    let decimals = decimals(&shown, summary);
    let digits = |value: f64| shown.digits(value, decimals);
    let width = |width: Option<f64>| width.map_or_else(|| "-".to_owned(), digits);
    let (range, iqr) = (width(found.range), width(found.iqr));
    let of_range = found
        .iqr_of_range
        .map_or_else(String::new, |share| format!("({:.1}\u{a0}% of range)", share * 100.0));
    [
        row("N (observations)", &summary.readings.to_string(), &["ct"]),
        row("Median", &digits(q.median), &[unit]),
        row("Range", &format!("{} … {}", digits(q.min), digits(q.max)), &[unit]),
        row("", &range, &[unit]),
        row("IQR", &format!("{} … {}", digits(q.q1), digits(q.q3)), &[unit]),
        row("", &iqr, &[unit, &of_range]),
    ]
    .concat()
}

/// Decimals that show the interquartile range with two digits; none for whole things.
fn decimals(shown: &DisplayUnit, summary: &MetricSummary) -> usize {
    let q = &summary.quartiles;
    let whole = [q.min, q.q1, q.median, q.q3, q.max].iter().all(|v| shown.is_whole(*v));
    if whole { 0 } else { shown.decimals(&Interval { lo: q.q1, hi: q.q3, level: 0.5 }) }
}

fn normal(normality: &NormalityFinding, alpha: f64) -> Vec<String> {
    let p = p_value(normality.test.p);
    let p = if p.starts_with('<') { format!("p {p}") } else { format!("p = {p}") };
    let (significance, words) = match normality.not_normal {
        true => ("signif.", "Not normal"),
        false => ("not signif.", "No deviation from normal found"),
    };
    let against = format!("{p} ({significance}, α = {})", number::significance(alpha));
    row("AD normality", &fixed(normality.test.statistic, 2), &[&against, words])
}

/// A measure of shape, its size and direction in words.
fn shape(label: &str, found: &ShapeFinding, [below, above]: [&str; 2]) -> Vec<String> {
    let direction = if found.shape.value < 0.0 { below } else { above };
    let words = match found.departure {
        Departure::WithinError => "Within what normal samples show".to_owned(),
        Departure::Slight => format!("Slight deviation: {direction}"),
        Departure::Moderate => format!("Moderate deviation: {direction}"),
        Departure::Substantial => format!("Substantial deviation: {direction}"),
    };
    row(label, &fixed(found.shape.value, 2), &[&words])
}

fn absent(label: &str, lacking: &InsufficientData) -> Vec<String> {
    let why = match lacking {
        InsufficientData::TooFew { needs } => format!("needs {needs} observations"),
        InsufficientData::ZeroVariance => "all observations are equal".to_owned(),
        other => other.to_string(),
    };
    row(label, "-", &[&why])
}

/// Label, value and what follows it: phrases side by side as far as there is room, each on a line of
/// its own beyond.
fn row(label: &str, value: &str, phrases: &[&str]) -> Vec<String> {
    let room = INSIDE - 1;
    let value = format!("{} {}", right(label, LABEL), right(value, VALUE - LABEL - 1));
    let mut lines = vec![value];
    for phrase in phrases.iter().filter(|phrase| !phrase.is_empty()) {
        if let Some(last) = lines.last_mut()
            && width(last) + 1 + width(phrase) <= room
        {
            last.push_str(&format!(" {phrase}"));
            continue;
        }
        let indent = " ".repeat(VALUE + 1);
        lines.extend(wrap(phrase, room - VALUE - 1).iter().map(|l| format!("{indent}{l}")));
    }
    lines
}
