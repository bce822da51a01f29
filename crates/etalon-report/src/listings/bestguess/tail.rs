//! `-T`: the right tail of one benchmark's ranked metric: quartiles, 95th and 99th percentile.

use etalon_core::analysis::Analysis;

use super::frame::{INSIDE, framed, titled, with_unit};
use crate::number::DisplayUnit;
use crate::text::{right, width};
use crate::words;

/// Where the unit ends.
const LABEL: usize = 12;
/// Width of a number.
const NUMBER: usize = 8;

/// The box of one benchmark; nothing without values.
pub(super) fn lines(analysis: &Analysis, index: usize) -> Vec<String> {
    let metric = analysis.benchmarks[index].metric(&analysis.settings.metric);
    let Some(summary) = metric else { return Vec::new() };
    let q = &summary.quartiles;
    let shown = words::unit_of(summary);
    let title = format!("{} distribution tail", words::metric_title(&summary.metric));
    let (title, unit) = with_unit(&title, shown.symbol());
    let unit = if unit.is_empty() { unit } else { format!("({unit})") };
    let columns = [
        ("Q₀", Some(q.min)),
        ("Q₁", Some(q.q1)),
        ("Q₂", Some(q.median)),
        ("Q₃", Some(q.q3)),
        ("95", summary.p95),
        ("99", summary.p99),
        ("Q₄", Some(q.max)),
    ];
    let heads: String = columns.iter().map(|(head, _)| right(head, NUMBER)).collect();
    let number = |value: &Option<f64>| value.map_or_else(|| "-".to_owned(), |v| short(&shown, v));
    let numbers: String = columns.iter().map(|(_, v)| right(&number(v), NUMBER)).collect();
    let mut lines = titled(&title);
    // Heads stand one column to the left of the numbers' ends, as the seed has them.
    lines.push(format!("{}{}", right("Tail shape", LABEL), heads.replacen(' ', "", 1)));
    lines.push(format!("{}{numbers}", right(&unit, LABEL)));
    debug_assert!(lines.iter().all(|line| width(line) <= INSIDE));
    framed(&lines)
}

/// A value in at most seven columns: two decimals, fewer if they do not fit, else scientific.
fn short(shown: &DisplayUnit, value: f64) -> String {
    let fits = |text: &String| width(text) < NUMBER;
    let plain = shown.plain(value);
    let fewer = [1, 0].into_iter().map(|decimals| shown.digits(value, decimals));
    let candidates = std::iter::once(plain).chain(fewer);
    candidates.into_iter().find(fits).unwrap_or_else(|| {
        let scientific = [1, 0].into_iter().map(|d| format!("{:.d$e}", shown.number(value)));
        scientific.into_iter().find(fits).unwrap_or_else(|| format!("{:.0e}", shown.number(value)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_core::model::Metric;

    #[test]
    fn numbers_never_touch() {
        let metric = Metric::new("x", "things");
        let shown = DisplayUnit::fitting(&metric, 1.0);
        let cases = [
            (1.5, "1.50"),
            (12_345.678, "12345.7"),
            (1_234_567.8, "1234568"),
            (123_456_789.0, "1.2e8"),
            (-1e300, "-1e300"),
            (-1.5e-300, "0.00"),
        ];
        for (value, text) in cases {
            assert_eq!(short(&shown, value), text);
        }
    }
}
