//! How the values of the judged metric are distributed: a table of shapes, and one of tails.

use etalon_core::analysis::{
    Analysis, Departure, Distribution, MetricSummary, NormalityFinding, ShapeFinding,
};

use crate::figures::Figures;
use crate::number::{fixed, p_value};
use crate::table::{Align, Cell, Column, Table};
use crate::words;

/// Range and interquartile range, distance from normal, asymmetry and weight of the tails.
pub(super) fn distribution(analysis: &Analysis, of: &[usize]) -> Table {
    let rows: Vec<_> = judged(analysis, of)
        .filter_map(|(at, it)| Some((at, it, analysis.benchmarks[at].distribution.as_ref()?)))
        .collect();
    let spread = |(_, _, found): &(usize, &MetricSummary, &Distribution)| {
        [found.range, found.iqr].into_iter().flatten().collect::<Vec<f64>>()
    };
    let spreads: Vec<Vec<f64>> = rows.iter().map(spread).collect();
    let figures = figures(rows.first().map(|row| row.1), &spreads);
    let row = |((at, _, found), figures): (&(usize, _, &Distribution), &Figures)| {
        let width = |value: Option<f64>| value.map(|value| figures.show(value));
        let normality = found.normality.as_ref().ok().map(normal);
        let skewness = found.skewness.as_ref().ok().map(|it| shape(it, ["left", "right"]));
        let kurtosis = found.kurtosis.as_ref().ok().map(|it| shape(it, ["thin", "fat"]));
        let cells = [width(found.range), width(found.iqr), normality, skewness, kurtosis];
        let name = Cell::words(words::case_name(analysis, *at));
        [name].into_iter().chain(cells.map(Cell::words_or_absent)).collect()
    };
    Table {
        title: title(rows.first().map(|row| row.1), "distribution"),
        columns: columns(&["range", "IQR", "normal", "skewness", "ex. kurtosis"]),
        rows: rows.iter().zip(&figures).map(row).collect(),
        ..Table::default()
    }
}

/// The tail above the median.
pub(super) fn tail(analysis: &Analysis, of: &[usize]) -> Table {
    let rows: Vec<(usize, &MetricSummary)> = judged(analysis, of).collect();
    let values = |it: &MetricSummary| {
        [Some(it.quartiles.median), Some(it.quartiles.q3), it.p95, it.p99, Some(it.quartiles.max)]
    };
    let known: Vec<Vec<f64>> =
        rows.iter().map(|(_, it)| values(it).into_iter().flatten().collect()).collect();
    let figures = figures(rows.first().map(|row| row.1), &known);
    let row = |((at, it), figures): (&(usize, &MetricSummary), &Figures)| {
        let cells = values(it).map(|value| value.map(|value| figures.show(value)));
        let name = Cell::words(words::case_name(analysis, *at));
        [name].into_iter().chain(cells.map(Cell::words_or_absent)).collect()
    };
    Table {
        title: title(rows.first().map(|row| row.1), "tail"),
        columns: columns(&["median", "Q3", "p95", "p99", "max"]),
        rows: rows.iter().zip(&figures).map(row).collect(),
        ..Table::default()
    }
}

/// The benchmarks that have values of the judged metric.
fn judged<'a>(
    analysis: &'a Analysis,
    of: &'a [usize],
) -> impl Iterator<Item = (usize, &'a MetricSummary)> {
    let name = &analysis.settings.metric;
    of.iter().filter_map(move |&at| Some((at, analysis.benchmarks[at].metric(name)?)))
}

fn title(summary: Option<&MetricSummary>, what: &str) -> String {
    summary.map_or(String::new(), |it| format!("{}: {what}", words::metric_title(&it.metric)))
}

fn figures(summary: Option<&MetricSummary>, rows: &[Vec<f64>]) -> Vec<Figures> {
    summary.map_or(Vec::new(), |it| Figures::for_rows(it.metric.unit.base(), rows))
}

fn columns(titles: &[&str]) -> Vec<Column> {
    let titles = titles.iter().map(|title| Column::new(title, Align::Right));
    [Column::new("", Align::Left)].into_iter().chain(titles).collect()
}

/// The result of the Anderson–Darling test: a p that is not small does not make values normal.
fn normal(found: &NormalityFinding) -> String {
    let p = format!("p {}", p_value(found.test.p));
    if found.not_normal { format!("no, {p}") } else { p }
}

/// A measure of shape, and which way it is, where normal samples do not show as much.
fn shape(found: &ShapeFinding, [below, above]: [&str; 2]) -> String {
    let value = fixed(found.shape.value, 2);
    match found.departure {
        Departure::WithinError => value,
        _ if found.shape.value < 0.0 => format!("{value} {below}"),
        _ => format!("{value} {above}"),
    }
}
