//! `-B`: box plots of the ranked metric, all commands, or the cases of a suite, on one axis.
//!
//! Whiskers end at minimum and maximum, the box at the quartiles, a bar marks the median. Every mark
//! is at the column nearest to its value and nothing is widened: marks that share a column are drawn
//! as one.

use etalon_core::analysis::Analysis;
use etalon_core::stats::Quartiles;

use super::axis::Axis;
use crate::number::DisplayUnit;
use crate::text::{hanging, right, width, wrap};
use crate::view::View;
use crate::words;

/// The plots with axis and legend; nothing if no benchmark has a value.
pub(crate) fn lines(analysis: &Analysis, benchmarks: &[usize], view: View) -> Vec<String> {
    let name = &analysis.settings.metric;
    let summaries: Vec<_> =
        benchmarks.iter().map(|&index| analysis.benchmarks[index].metric(name)).collect();
    let Some(metric) = summaries.iter().flatten().map(|s| &s.metric).next() else {
        return Vec::new();
    };
    let all = || summaries.iter().flatten().map(|s| &s.quartiles);
    let low = all().map(|q| q.min).fold(f64::INFINITY, f64::min);
    let high = all().map(|q| q.max).fold(f64::NEG_INFINITY, f64::max);
    let shown = DisplayUnit::fitting(metric, low.abs().max(high.abs()));
    let plot =
        Plot::over(shown.number(low), shown.number(high), analysis.benchmarks.len(), view.width);

    let mut lines = vec![format!("{} ({}):", words::metric_title(metric), shown.symbol())];
    lines = wrap(&lines.concat(), view.width);
    lines.push(plot.labels(shown.symbol()));
    lines.push(plot.ticks());
    for (&index, summary) in benchmarks.iter().zip(&summaries) {
        match summary {
            Some(summary) => lines.extend(plot.rows(index, &scaled(&shown, &summary.quartiles))),
            None => lines.push(format!("{} no value", plot.gutter(&format!("{}:", index + 1)))),
        }
    }
    lines.push(plot.ticks());
    lines.push(plot.labels(shown.symbol()));
    lines.push(String::new());
    lines.extend(legend(analysis, benchmarks, view));
    lines
}

fn scaled(shown: &DisplayUnit, q: &Quartiles) -> Quartiles {
    Quartiles {
        min: shown.number(q.min),
        q1: shown.number(q.q1),
        median: shown.number(q.median),
        q3: shown.number(q.q3),
        max: shown.number(q.max),
    }
}

fn legend(analysis: &Analysis, benchmarks: &[usize], view: View) -> Vec<String> {
    let mut lines =
        vec!["Box plot legend (whiskers: min and max; box: Q₁, median, Q₃):".to_owned()];
    let digits = analysis.benchmarks.len().to_string().len();
    for &index in benchmarks {
        let number = format!("  {}: ", right(&(index + 1).to_string(), digits));
        lines.extend(hanging(&number, &words::case_name(analysis, index), view.width));
    }
    lines
}

/// Where things are drawn: numbers to the left, then the axis.
struct Plot {
    axis: Axis,
    /// Columns before the first tick.
    before: usize,
    width: usize,
}

impl Plot {
    /// The columns on the left hold the numbers with a colon, and the first label, which ends at
    /// the first tick.
    fn over(low: f64, high: f64, benchmarks: usize, width: usize) -> Plot {
        let mut before = (benchmarks.to_string().len() + 1).max(3);
        loop {
            let axis = Axis::over(low, high, width - before);
            let first = axis.labels.first().map_or(0, String::len);
            if first <= before + 1 {
                return Plot { axis, before, width };
            }
            before = first - 1;
        }
    }

    fn gutter(&self, text: &str) -> String {
        right(text, self.before)
    }

    /// Each label ends at its tick; the unit follows the last one if there is room.
    fn labels(&self, unit: &str) -> String {
        let mut line = String::new();
        for (tick, label) in self.axis.labels.iter().enumerate() {
            let end = self.before + tick * self.axis.spacing + 1;
            line.push_str(&right(label, end - width(&line)));
        }
        let with_unit = format!("{line} {unit}");
        if width(&with_unit) <= self.width { with_unit } else { line }
    }

    fn ticks(&self) -> String {
        let mark = |column: usize| match column {
            0 => '├',
            c if c % self.axis.spacing == 0 => '┼',
            _ => '─',
        };
        let line: String = (0..self.width - self.before).map(mark).collect();
        format!("{}{line}", " ".repeat(self.before))
    }

    /// The three rows of one benchmark.
    fn rows(&self, index: usize, q: &Quartiles) -> [String; 3] {
        let at = |value: f64| self.axis.column(value);
        let marks = Marks {
            min: at(q.min),
            q1: at(q.q1),
            median: at(q.median),
            q3: at(q.q3),
            max: at(q.max),
        };
        let blank = " ".repeat(self.before);
        [
            format!("{blank}{}", marks.edge(['┌', '─', '┬', '┐'])),
            format!("{}{}", self.gutter(&format!("{}:", index + 1)), marks.middle()),
            format!("{blank}{}", marks.edge(['└', '─', '┴', '┘'])),
        ]
    }
}

/// Columns of one box plot, ascending.
struct Marks {
    min: usize,
    q1: usize,
    median: usize,
    q3: usize,
    max: usize,
}

impl Marks {
    /// The upper or lower edge of the box: left corner, line, median, right corner.
    fn edge(&self, [left, line, median, right]: [char; 4]) -> String {
        let mark = |column: usize| match column {
            c if c < self.q1 => ' ',
            c if c == self.median => median,
            c if c == self.q1 => left,
            c if c == self.q3 => right,
            _ => line,
        };
        (0..=self.q3).map(mark).collect()
    }

    fn middle(&self) -> String {
        let (whisker_left, whisker_right) = (self.min < self.q1, self.max > self.q3);
        let mark = |column: usize| match column {
            c if c < self.min => ' ',
            c if c == self.q1 && c == self.q3 => match (whisker_left, whisker_right) {
                (true, true) => '┼',
                (true, false) => '┤',
                (false, true) => '├',
                (false, false) => '│',
            },
            c if c == self.q1 => {
                if whisker_left {
                    '┤'
                } else {
                    '│'
                }
            }
            c if c == self.q3 => {
                if whisker_right {
                    '├'
                } else {
                    '│'
                }
            }
            c if c == self.median => '│',
            c if c == self.min => '├',
            c if c == self.max => '┤',
            c if c > self.q1 && c < self.q3 => ' ',
            _ => '┄',
        };
        (0..=self.max).map(mark).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn middle([min, q1, median, q3, max]: [usize; 5]) -> [String; 2] {
        let marks = Marks { min, q1, median, q3, max };
        [marks.edge(['┌', '─', '┬', '┐']), marks.middle()]
    }

    #[test]
    fn marks_stand_at_their_columns_and_share_them() {
        let drawn = [
            ([1, 4, 6, 8, 10], ["    ┌─┬─┐", " ├┄┄┤ │ ├┄┤"]),
            ([0, 1, 2, 3, 4], [" ┌┬┐", "├┤│├┤"]),
            ([0, 2, 2, 4, 4], ["  ┬─┐", "├┄┤ │"]),
            ([0, 2, 4, 4, 6], ["  ┌─┬", "├┄┤ ├┄┤"]),
            ([0, 3, 3, 3, 5], ["   ┬", "├┄┄┼┄┤"]),
            ([3, 3, 3, 3, 5], ["   ┬", "   ├┄┤"]),
            ([2, 2, 2, 2, 2], ["  ┬", "  │"]),
        ];
        for (columns, lines) in drawn {
            assert_eq!(middle(columns), lines, "{columns:?}");
        }
    }
}
