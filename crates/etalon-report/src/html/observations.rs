//! The observations that a page carries for its scripts: to draw, and to download.
//!
//! Owns what is said of them, and that nothing of them is executed or markup: blocks of data, JSON and base64. Which
//! they are is `drawn`'s, what of each of them is there `columns`'.

use etalon_core::analysis::terms;
use etalon_core::dataset::{Dataset, Group};
use serde::Serialize;

use super::column::Layout;
use super::columns::{Places, columns, recorded_metrics};
use super::drawn::{Thinning, drawn};
use super::script;
use super::warmups::Warmups;
use crate::number::{counted, separated};
use crate::text::clean;
use crate::words::{lower_first, metric_title, short_source};

/// Observations as text of a page; empty where it has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Observations {
    pub(super) markup: String,
    /// Remarks for their readers.
    pub(super) said: Vec<String>,
}

/// The description of the columns.
#[derive(Debug, Serialize)]
struct Head<'a> {
    /// Observations here.
    count: usize,
    /// Observations in the data.
    of: usize,
    benchmarks: Vec<Name>,
    outcomes: &'a [String],
    metrics: Vec<MetricColumns>,
    /// The metric to look at first.
    first: usize,
    /// The columns of other things than metrics.
    places: Places,
    columns: Vec<&'a Layout>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warmups: Option<Warmups>,
}

#[derive(Debug, Serialize)]
struct Name {
    name: String,
    source: String,
}

#[derive(Debug, Serialize)]
struct MetricColumns {
    name: String,
    title: String,
    unit: String,
    /// The columns whose sum it is.
    columns: Vec<usize>,
}

impl Observations {
    /// Those of a dataset; a metric is looked at first. Nothing where pages have no scripts.
    #[must_use]
    pub fn new(data: &Dataset, metric: &str) -> Observations {
        let (groups, metrics) = (data.groups(), recorded_metrics(data));
        if script::is_missing() || data.is_empty() || metrics.is_empty() {
            return Observations::default();
        }
        let ranked = terms(metric);
        let first = metrics.iter().find(|it| ranked.contains(&it.metric.name));
        let first = first.unwrap_or(&metrics[0]);
        let (drawn, thinning) = drawn(data, &groups, &first.spellings);
        let mut made = columns(data, &drawn, &metrics, &first.metric.name);
        // Executions of which none has a value have nothing to be drawn.
        if made.metrics.is_empty() {
            return Observations::default();
        }
        let warmups = Warmups::new(data, &groups, &mut made);
        let shown: Vec<MetricColumns> = made
            .metrics
            .iter()
            .map(|(metric, columns)| MetricColumns {
                name: clean(&metric.name),
                title: metric_title(metric),
                unit: clean(&metric.unit.base().to_string()),
                columns: columns.clone(),
            })
            .collect();
        let mut said = Vec::new();
        if let Some(thinning) = thinning {
            said.push(thinned(data, drawn.len(), thinning, &metric_title(&first.metric)));
        }
        if made.left_out > 0 {
            let metrics = counted(made.left_out, "metric has", "metrics have");
            said.push(format!(
                "{metrics} no room among the drawn ones of this page; {}.",
                whole(data)
            ));
        }
        let is_asked = |it: &MetricColumns| it.name == metric;
        let head = Head {
            count: drawn.len(),
            of: data.len(),
            benchmarks: groups.iter().map(|group| name(data, group)).collect(),
            outcomes: &made.outcomes,
            first: shown.iter().position(is_asked).unwrap_or(0),
            metrics: shown,
            places: made.places,
            columns: made.columns.iter().map(|column| &column.layout).collect(),
            warmups,
        };
        let texts = made.columns.iter().map(|column| column.text.as_str());
        Observations { markup: markup(&head, texts), said }
    }
}

fn name(data: &Dataset, group: &Group) -> Name {
    let source = match data.run_sets.len() {
        0 | 1 => String::new(),
        _ => short_source(&data.run_sets[group.run_set.at()].source),
    };
    Name { name: clean(&group.benchmark.label()), source }
}

fn thinned(data: &Dataset, count: usize, thinning: Thinning, title: &str) -> String {
    let Thinning { every, stretch } = thinning;
    let number = |n: usize| separated(&n.to_string());
    format!(
        "Drawn by scripts are {} of {} observations: one in {every} of each benchmark, and of {stretch} in a row those with the least and the \
         greatest {}, which stand in no distribution. Everything else here is of all observations; {}.",
        number(count),
        number(data.len()),
        lower_first(title),
        whole(data)
    )
}

/// Where all are.
fn whole(data: &Dataset) -> String {
    let sources: Vec<String> = data.run_sets.iter().map(|set| short_source(&set.source)).collect();
    format!("all are in {}", sources.join(", "))
}

/// Blocks of data: their types are none of scripts, and the only sign that could end one is escaped.
fn markup<'a>(head: &Head<'_>, columns: impl Iterator<Item = &'a str>) -> String {
    let Ok(head) = serde_json::to_string(head) else { return String::new() };
    let head = head.replace('<', "\\u003c");
    let mut out =
        format!("<script type=\"application/json\" id=\"observations\">{head}</script>\n");
    for (at, column) in columns.enumerate() {
        out.push_str(&format!(
            "<script type=\"application/octet-stream\" id=\"column-{at}\">{column}</script>\n"
        ));
    }
    out
}
