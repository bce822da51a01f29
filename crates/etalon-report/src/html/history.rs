//! The page of a history: a line a series, the worst first, and the points of one as a picture.
//!
//! Owns what the page carries of each point for its script to draw. Refuses to look for steps.

use std::collections::HashMap;

use etalon_core::history::{Change, Series, Way};
use serde::Serialize;

use super::column::{Column, Layout, column};
use super::{Head, Observations, document_markup, framed, script};
use crate::steps::{self, HistoryReport};
use crate::text::clean;

/// A point as a page has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PagePoint<'a> {
    /// Its commit.
    pub commit: &'a str,
    /// When that was made, in seconds since 1970.
    pub time: f64,
    /// The commit that it is a ratio to.
    pub anchor: Option<&'a str>,
    /// A ratio, or base units.
    pub value: f64,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// Readings behind it.
    pub n: u64,
    /// Runs that are pooled in it.
    pub runs: u64,
}

/// The points of all series, packed: a page has a million of them.
#[derive(Debug, Default)]
pub struct PagePoints {
    versions: Vec<Version>,
    numbers: HashMap<String, usize>,
    series: Vec<Packed>,
}

/// A commit, and its day.
#[derive(Debug, Serialize)]
struct Version {
    commit: String,
    time: f64,
}

/// The points of a series.
#[derive(Debug)]
struct Packed {
    unit: Option<String>,
    columns: Vec<Column>,
}

/// The description of the points, which is read as soon as there is a script.
#[derive(Serialize)]
struct Index<'a> {
    versions: &'a [Version],
    series: Vec<SeriesHead<'a>>,
}

#[derive(Serialize)]
struct SeriesHead<'a> {
    title: String,
    /// The base unit of its values; absent of ratios.
    unit: &'a Option<String>,
    count: usize,
    /// Their columns: value, ends of the interval, readings, runs, versions, anchors, facts, factors to one scale.
    columns: Vec<&'a Layout>,
    /// Facts of toolchain and libraries, each set once.
    facts: Vec<String>,
    changes: Vec<ChangeHead>,
}

#[derive(Serialize)]
struct ChangeHead {
    /// The first and the last point of a drift; where a step may be.
    from: usize,
    to: usize,
    /// The first point on the new level of a step.
    at: Option<usize>,
    is_worse: bool,
    said: String,
}

impl PagePoints {
    /// Adds the points of a series, in the order of the series; the unit of absolute values.
    #[allow(clippy::cast_precision_loss)] // counts of readings
    pub fn add(&mut self, series: &Series, points: &[PagePoint<'_>], unit: Option<String>) {
        let whole = |number: usize| number as f64;
        let of = |each: &dyn Fn(&PagePoint<'_>) -> Option<f64>| -> Vec<Option<f64>> {
            points.iter().map(each).collect()
        };
        let versions = points.iter().map(|it| Some(whole(self.number(it.commit, it.time))));
        let versions: Vec<Option<f64>> = versions.collect();
        let anchors = points.iter().map(|it| it.anchor.map(|it| whole(self.number(it, 0.0))));
        let anchors: Vec<Option<f64>> = anchors.collect();
        let facts = series.points.iter().map(|point| point.facts.map(whole)).collect();
        let scale = series.scale();
        let factor = |at: usize| {
            let on_scale = at.checked_sub(scale.start).and_then(|at| scale.values.get(at));
            on_scale.map_or(1.0, |value| (value - series.points[at].value).exp())
        };
        let factors = (0..points.len()).map(|at| Some(factor(at))).collect();
        let all = [
            of(&|it| Some(it.value)),
            of(&|it| it.interval.map(|(lo, _)| lo)),
            of(&|it| it.interval.map(|(_, hi)| hi)),
            of(&|it| Some(it.n as f64)),
            of(&|it| Some(it.runs as f64)),
            versions,
            anchors,
            facts,
            factors,
        ];
        let columns = all.iter().map(|values| column(values)).collect();
        self.series.push(Packed { unit, columns });
    }

    /// The number of a version of the code.
    fn number(&mut self, commit: &str, time: f64) -> usize {
        if let Some(number) = self.numbers.get(commit) {
            return *number;
        }
        let number = self.versions.len();
        self.versions.push(Version { commit: clean(commit), time });
        self.numbers.insert(commit.to_owned(), number);
        number
    }

    /// In another order: the numbers of series as they were added.
    #[must_use]
    pub fn in_order(mut self, order: &[usize]) -> PagePoints {
        let mut series: Vec<Option<Packed>> = self.series.drain(..).map(Some).collect();
        self.series = order.iter().filter_map(|at| series.get_mut(*at)?.take()).collect();
        self
    }
}

/// The page; the points are in the order of the report's series.
#[must_use]
pub fn history(report: &HistoryReport<'_>, points: &PagePoints) -> String {
    let (opening, rest) = steps::page(report);
    let carried = match script::is_missing() {
        true => Observations::default(),
        false => Observations { markup: markup(report, points), said: Vec::new() },
    };
    let body = [document_markup(&opening), place(), document_markup(&rest)].concat();
    framed(&Head::Data("etalon: history"), &body, &carried)
}

/// Where the script draws a series.
fn place() -> String {
    "<section id=\"series\"><noscript><p>Scripts are off: with them, the points of a series are drawn here.</p></noscript>\
     </section>\n"
        .to_owned()
}

/// Blocks of data: their types are none of scripts, and the only sign that could end one is escaped.
fn markup(report: &HistoryReport<'_>, points: &PagePoints) -> String {
    let all = report.answers.iter().zip(&points.series);
    let heads = all.map(|((series, answer), packed)| SeriesHead {
        title: steps::title(&series.name),
        unit: &packed.unit,
        count: series.points.len(),
        columns: packed.columns.iter().map(|column| &column.layout).collect(),
        facts: series.facts.iter().map(steps::facts_line).collect(),
        changes: answer
            .findings
            .iter()
            .flatten()
            .map(|finding| {
                let (from, to, at) = match &finding.change {
                    Change::Step { at, places } => (*places.start(), *places.end(), Some(*at)),
                    Change::Drift { points } => (points.start, points.end.saturating_sub(1), None),
                };
                let said = steps::told(series, finding);
                ChangeHead { from, to, at, is_worse: finding.way == Way::Worse, said }
            })
            .collect(),
    });
    let index = Index { versions: &points.versions, series: heads.collect() };
    let Ok(index) = serde_json::to_string(&index) else { return String::new() };
    let index = index.replace('<', "\\u003c");
    let mut out = format!("<script type=\"application/json\" id=\"history\">{index}</script>\n");
    for (at, packed) in points.series.iter().enumerate() {
        let columns: Vec<&str> = packed.columns.iter().map(|column| column.text.as_str()).collect();
        out.push_str(&format!(
            "<script type=\"application/octet-stream\" id=\"points-{at}\">{}</script>\n",
            columns.join(" ")
        ));
    }
    out
}
