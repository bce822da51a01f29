//! The table that Markdown, AsciiDoc and org-mode exports have in common: hyperfine's columns,
//! filled from the wall clock.
//!
//! `Command`, `Mean` ± standard deviation, `Min`, `Max`, and `Relative`: etalon's ratio against the
//! first row of the ranking (or the reference) with half the width of its interval. Owns units and
//! digits, which are hyperfine's, so that pages stay comparable; the syntax is the formats'.

use etalon_core::analysis::{Analysis, MetricSummary, Ranking, Summary};
use etalon_core::metrics;
use etalon_core::units::Unit;

use crate::number::{decimals_for, fixed};
use crate::table::{Align, Cell, Column, Table};
use crate::words::name as benchmark_name;

/// The unit of a table's times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// `ns`.
    Nanosecond,
    /// `µs`.
    Microsecond,
    /// `ms`.
    Millisecond,
    /// `s`.
    Second,
}

impl TimeUnit {
    /// One unit a table, whatever the order of its rows. Of commands seconds if every mean is at least
    /// one, else milliseconds; less has to be asked for, as in hyperfine. Functions, which hyperfine
    /// does not know, would be all zeros then: the unit in which the smallest mean is at least one.
    fn fitting(smallest: f64, functions: bool) -> TimeUnit {
        match smallest {
            mean if mean >= 1.0 => TimeUnit::Second,
            mean if !functions || mean >= 1e-3 => TimeUnit::Millisecond,
            mean if mean >= 1e-6 => TimeUnit::Microsecond,
            _ => TimeUnit::Nanosecond,
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            TimeUnit::Nanosecond => "ns",
            TimeUnit::Microsecond => "µs",
            TimeUnit::Millisecond => "ms",
            TimeUnit::Second => "s",
        }
    }

    /// Seconds in this unit, with hyperfine's decimals; nanoseconds with three, because the smallest
    /// functions take less than one.
    fn shown(self, seconds: f64) -> String {
        let decimals = match self {
            TimeUnit::Second | TimeUnit::Nanosecond => 3,
            TimeUnit::Millisecond | TimeUnit::Microsecond => 1,
        };
        fixed(Unit::new(self.symbol()).from_base(seconds), decimals)
    }
}

/// The order of a table's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// That of the data.
    Command,
    /// By mean wall clock, then that of the data; those without one last.
    MeanTime,
}

/// No benchmark has a wall-clock time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoTimes;

/// The word in place of an absent number.
const ABSENT: &str = "N/A";

/// The table of an analysis. Ratios are those of its ranking, which has to be by `wall`; of another
/// there are none.
///
/// # Errors
/// If no benchmark has a wall-clock time.
pub fn times(analysis: &Analysis, unit: Option<TimeUnit>, sort: Sort) -> Result<Table, NoTimes> {
    let wall = |index: usize| analysis.benchmarks[index].metric(metrics::WALL);
    let mean = |index: usize| wall(index).map(|m| m.mean);
    let mut order: Vec<usize> = (0..analysis.benchmarks.len()).collect();
    let smallest = order.iter().filter_map(|&index| mean(index)).min_by(f64::total_cmp);
    let smallest = smallest.ok_or(NoTimes)?;
    let functions = analysis.benchmarks.iter().any(|benchmark| benchmark.case.is_some());
    if sort == Sort::MeanTime {
        let key = |index| mean(index).unwrap_or(f64::INFINITY);
        order.sort_by(|&a, &b| key(a).total_cmp(&key(b)));
    }
    let unit = unit.unwrap_or_else(|| TimeUnit::fitting(smallest, functions));
    let rankings = analysis.rankings.iter().filter(|ranking| ranking.metric.name == metrics::WALL);
    let relative = |index| rankings.clone().find_map(|ranking| relative(ranking, index));
    let row = |index: usize| {
        let mut row = vec![Cell::words(benchmark_name(analysis, index))];
        row.extend(cells(wall(index), unit, relative(index)).map(Cell::words));
        row
    };
    let titled = |title: &str| format!("{title} [{}]", unit.symbol());
    let titles = [titled("Mean"), titled("Min"), titled("Max"), "Relative".to_owned()];
    let mut columns = vec![Column::new("Command", Align::Left)];
    columns.extend(titles.map(|title| Column::new(&title, Align::Right)));
    let remarks = order.iter().enumerate().filter_map(|(at, &index)| {
        let ended = failures(&analysis.benchmarks[index])?;
        Some(format!("Row {}: {ended}.", at + 1))
    });
    let remarks = remarks.collect();
    Ok(Table { columns, rows: order.into_iter().map(row).collect(), remarks, ..Table::default() })
}

/// How many executions of a benchmark did not end well, in words; absent where all did.
#[must_use]
pub fn failures(summary: &Summary) -> Option<String> {
    let (ok, not_ok) = (summary.outcomes.ok, summary.outcomes.not_ok());
    (not_ok > 0)
        .then(|| format!("{not_ok} of {} executions did not end with exit code 0", ok + not_ok))
}

/// `Mean`, `Min`, `Max`, `Relative`.
fn cells(wall: Option<&MetricSummary>, unit: TimeUnit, relative: Option<String>) -> [String; 4] {
    let Some(wall) = wall else { return [ABSENT; 4].map(str::to_owned) };
    let mean = unit.shown(wall.mean);
    [
        wall.stddev.map_or(mean.clone(), |stddev| format!("{mean} ± {}", unit.shown(stddev))),
        unit.shown(wall.quartiles.min),
        unit.shown(wall.quartiles.max),
        relative.unwrap_or_else(|| ABSENT.to_owned()),
    ]
}

/// The ratio against the first row of the ranking, `1.00` for that row.
fn relative(ranking: &Ranking, benchmark: usize) -> Option<String> {
    let place = ranking.rows.iter().position(|row| row.benchmark == benchmark)?;
    let row = &ranking.rows[place];
    if place == 0 {
        return row.median.map(|_| "1.00".to_owned());
    }
    let ratio = ranking.comparisons[row.comparison?].assessment.evidence.shown().ratio.as_ref()?;
    Some(match &ratio.interval {
        Ok(interval) => {
            let half = interval.half_width();
            let decimals = decimals_for(half);
            format!("{} ± {}", fixed(ratio.value, decimals), fixed(half, decimals))
        }
        Err(_) => fixed(ratio.value, 2),
    })
}
