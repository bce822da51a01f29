//! Series over time, a line each, and the points of one as a table.
//!
//! Owns how lines fit their width. Refuses to read the history, and calendars: days come as text.

use etalon_core::units::Base;

use crate::figures::Figures;
use crate::number::{fixed, separated};
use crate::runs::columns::{Side, line, shared};
use crate::text::{clean, shortened, width};
use crate::view::Charset;

/// Digits of a commit that are shown.
const DIGITS: usize = 10;

/// Decimals of a ratio.
const DECIMALS: usize = 4;

/// The nature of a series' values.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// Ratios to an anchor.
    Ratio,
    /// Values in base units.
    Absolute(Base),
}

/// A series in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesLine {
    /// Its project.
    pub project: String,
    /// Its benchmark.
    pub benchmark: String,
    /// Its metric.
    pub metric: String,
    /// Its branch.
    pub branch: String,
    /// Its machine.
    pub machine: String,
    /// The nature of its values.
    pub scale: Scale,
    /// How many points it has.
    pub points: u64,
    /// The days of its first and its last point.
    pub days: [String; 2],
    /// The value of the last.
    pub last: Option<f64>,
}

/// A point of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct PointLine {
    /// The commit.
    pub commit: String,
    /// Its day.
    pub day: String,
    /// Its value.
    pub value: f64,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// Readings behind it.
    pub n: u64,
    /// Runs that are pooled in it.
    pub runs: u64,
    /// The commit that it is a ratio to.
    pub anchor: Option<String>,
}

/// A column of text in a list of series: its title, and its cells.
type Column = (&'static str, fn(&SeriesLine) -> &String);

/// The lines of series within so many columns, under a header. A column that says the same in every line is left out,
/// but for the benchmark.
#[must_use]
pub fn series(rows: &[SeriesLine], columns: usize, charset: Charset) -> Vec<String> {
    let texts: [Column; 5] = [
        ("series", |row| &row.benchmark),
        ("metric", |row| &row.metric),
        ("branch", |row| &row.branch),
        ("project", |row| &row.project),
        ("machine", |row| &row.machine),
    ];
    let differs = |of: fn(&SeriesLine) -> &String| {
        rows.first().is_some_and(|first| rows.iter().any(|row| of(row) != of(first)))
    };
    let texts: Vec<_> =
        texts.into_iter().enumerate().filter(|(at, (_, of))| *at == 0 || differs(*of)).collect();
    let numbers = |row: &SeriesLine| {
        let [first, last] = row.days.clone();
        let value = row.last.map_or_else(|| "-".to_owned(), |value| shown(&row.scale, value));
        [separated(&row.points.to_string()), first, last, value]
    };
    let titles = ["points", "first", "last", "value"];
    let cells: Vec<[String; 4]> = rows.iter().map(numbers).collect();
    let widest = |at: usize| cells.iter().map(|cells| width(&cells[at])).max().unwrap_or(0);
    let narrow: Vec<usize> =
        titles.iter().enumerate().map(|(at, title)| widest(at).max(width(title))).collect();
    let wanted = |(_, (title, of)): &(usize, Column)| {
        rows.iter().map(|row| width(&clean(of(row)))).max().unwrap_or(0).max(width(title))
    };
    let wanted: Vec<usize> = texts.iter().map(wanted).collect();
    let gaps = 2 * (texts.len() + titles.len() - 1);
    let room = columns.saturating_sub(gaps + narrow.iter().sum::<usize>());
    let widths = shared(room, &wanted);
    let laid = |names: Vec<String>, numbers: Vec<String>| {
        let names = names.into_iter().zip(&widths).map(|(name, width)| {
            (shortened(&clean(&name), *width, charset.ellipsis()), *width, Side::Left)
        });
        let numbers = numbers.into_iter().zip(&narrow).map(|(cell, at)| (cell, *at, Side::Right));
        line(&names.chain(numbers).collect::<Vec<_>>())
    };
    let header = texts.iter().map(|(_, (title, _))| (*title).to_owned()).collect();
    let mut lines = vec![laid(header, titles.map(str::to_owned).to_vec())];
    for (row, numbers) in rows.iter().zip(cells) {
        let names = texts.iter().map(|(_, (_, of))| of(row).clone()).collect();
        lines.push(laid(names, numbers.to_vec()));
    }
    lines
}

/// The lines of the points of a series, under a header with the unit of its values.
#[must_use]
pub fn points(rows: &[PointLine], scale: &Scale) -> Vec<String> {
    let figures = match scale {
        Scale::Ratio => None,
        Scale::Absolute(base) => Some(Figures::new(base, rows.iter().map(|row| row.value))),
    };
    let digits = |value: f64| match &figures {
        None => fixed(value, DECIMALS),
        Some(figures) => figures.digits(value),
    };
    let unit = figures.as_ref().map_or_else(|| "ratio".to_owned(), Figures::symbol);
    let short = |commit: &str| clean(commit).chars().take(DIGITS).collect::<String>();
    let cells = |row: &PointLine| {
        let end = |end: fn((f64, f64)) -> f64| {
            row.interval.map_or_else(|| "-".to_owned(), |interval| digits(end(interval)))
        };
        let mut cells = vec![
            short(&row.commit),
            row.day.clone(),
            digits(row.value),
            end(|(lo, _)| lo),
            end(|(_, hi)| hi),
            row.n.to_string(),
            row.runs.to_string(),
        ];
        if *scale == Scale::Ratio {
            cells.push(row.anchor.as_deref().map(short).unwrap_or_default());
        }
        cells
    };
    let titles = ["commit", "day", &unit, "from", "to", "n", "runs", "anchor"];
    let count = if *scale == Scale::Ratio { titles.len() } else { titles.len() - 1 };
    let header: Vec<String> = titles[..count].iter().map(|title| (*title).to_owned()).collect();
    let table: Vec<Vec<String>> = std::iter::once(header).chain(rows.iter().map(cells)).collect();
    let widest = |at: usize| table.iter().map(|cells| width(&cells[at])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(widest).collect();
    let side = |at: usize| if at < 2 || at == titles.len() - 1 { Side::Left } else { Side::Right };
    let laid = |cells: &Vec<String>| {
        let cells = cells.iter().zip(&widths).enumerate();
        line(&cells.map(|(at, (cell, width))| (cell.clone(), *width, side(at))).collect::<Vec<_>>())
    };
    table.iter().map(laid).collect()
}

/// A value with its unit.
fn shown(scale: &Scale, value: f64) -> String {
    match scale {
        Scale::Ratio => fixed(value, DECIMALS),
        Scale::Absolute(base) => Figures::new(base, [value]).show(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a list that says the machine in every line, a line that is too long, and a ratio that looks like a
    /// time.
    #[test]
    fn a_list_says_what_tells_its_lines_apart() {
        let row = |benchmark: &str, metric: &str, scale: Scale, last| SeriesLine {
            project: "p".to_owned(),
            benchmark: benchmark.to_owned(),
            metric: metric.to_owned(),
            branch: "main".to_owned(),
            machine: "m".repeat(90),
            scale,
            points: 1234,
            days: ["2026-01-02", "2026-11-21"].map(str::to_owned),
            last: Some(last),
        };
        let name = "a name that is much longer than there is room for it";
        let rows = [
            row(name, "wall", Scale::Absolute(Base::Seconds), 9.12e-7),
            row("fib", "cpu", Scale::Ratio, 1.01234),
        ];
        let lines = series(&rows, 80, Charset::Ascii);
        assert!(lines.iter().all(|line| width(line) <= 80), "{lines:#?}");
        assert!(lines[0].starts_with("series") && lines[0].contains("metric"), "{lines:#?}");
        assert!(!lines.concat().contains("main") && !lines.concat().contains("mmm"), "{lines:#?}");
        assert!(lines[1].ends_with("912 ns") && lines[2].ends_with("1.0123"), "{lines:#?}");
    }

    /// Would catch a point whose interval is lost, and one that has none.
    #[test]
    fn a_table_of_points_has_one_unit() {
        let row = |value: f64, interval| PointLine {
            commit: "0123456789abcdef".to_owned(),
            day: "2026-11-21".to_owned(),
            value,
            interval,
            n: 30,
            runs: 2,
            anchor: None,
        };
        let rows = [row(9.12e-7, Some((9.0e-7, 9.3e-7))), row(1.2e-6, None)];
        let lines = points(&rows, &Scale::Absolute(Base::Seconds));
        assert_eq!(
            lines,
            [
                "commit      day           µs  from    to   n  runs",
                "0123456789  2026-11-21  0.91  0.90  0.93  30     2",
                "0123456789  2026-11-21  1.20     -     -  30     2",
            ]
        );
    }
}
