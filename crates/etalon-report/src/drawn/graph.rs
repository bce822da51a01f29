//! `-G`: a bar per execution of the ranked metric in time order, scaled to the benchmark's maximum.
//!
//! Meant for change within one benchmark: warming up, drifting, oscillating. Bars of different
//! benchmarks have different scales.

use etalon_core::analysis::{Analysis, Bin};

use crate::text::{right, wrap};
use crate::view::View;
use crate::words;

/// The graph of one benchmark; nothing without values.
pub(crate) fn lines(analysis: &Analysis, index: usize, view: View) -> Vec<String> {
    let benchmark = &analysis.benchmarks[index];
    let Some(summary) = benchmark.metric(&analysis.settings.metric) else { return Vec::new() };
    let max = summary.quartiles.max;
    let shown = words::unit_of(summary);
    let longest = format!("max {}", shown.said(max));
    let mut lines = vec![format!("0{}", right(&longest, view.width - 1))];
    let columns = view.width - 1;
    lines.extend(benchmark.time_series.iter().map(|bar| line(bar, max, columns)));
    if benchmark.time_series.len() < summary.readings {
        let what = if benchmark.case.is_some() { "samples" } else { "executions" };
        let text = format!(
            "{} {what} in time order, {} bars: ▭ to the median of those in a bar, ┄ to their \
             maximum.",
            summary.readings,
            benchmark.time_series.len()
        );
        lines.extend(wrap(&text, view.width - 2).iter().map(|line| format!("  {line}")));
    }
    lines
}

fn line(bar: &Bin, max: f64, columns: usize) -> String {
    let median = length(bar.median, max, columns);
    let dots = length(bar.max, max, columns) - median;
    format!("│{}{}", "▭".repeat(median), "┄".repeat(dots))
}

/// Columns for a value; none for what is not above 0.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn length(value: f64, max: f64, columns: usize) -> usize {
    if value <= 0.0 {
        return 0;
    }
    ((value / max * columns as f64).round() as usize).min(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_proportional_and_never_too_long() {
        assert_eq!(length(1.0, 1.0, 79), 79);
        assert_eq!(length(0.5, 1.0, 80), 40);
        assert_eq!([length(0.0, 0.0, 79), length(-1.0, -1.0, 79), length(-3.0, 5.0, 79)], [0; 3]);
        assert_eq!(length(f64::MAX, f64::MAX, 79), 79);
        assert_eq!(length(5e-324, 5e-324, 79), 79);
    }
}
