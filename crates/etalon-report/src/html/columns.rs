//! Columns of observations in a page: benchmark, place, outcome, and values in base units.
//!
//! Owns which metrics there are, sums of recorded ones among them, and what is left out where they are too many.

use std::collections::HashMap;

use etalon_core::analysis::{metric_called, terms};
use etalon_core::dataset::{Dataset, RunSetId, SpellingId};
use etalon_core::metrics;
use etalon_core::model::{Metric, Outcome};
use serde::Serialize;

use super::column::{Column, column};
use super::drawn::Drawn;
use crate::text::clean;

/// Columns of metrics take so many bytes of a page. Because: that of a million observations stays below 5 MB.
const ROOM: usize = 3_600_000;

/// A metric with the spellings of all run sets.
pub(super) struct Recorded {
    pub(super) metric: Metric,
    pub(super) spellings: Vec<SpellingId>,
}

/// Columns that are no metrics, by index; absent where all observations are alike or have none.
#[derive(Debug, Default, Serialize)]
pub(super) struct Places {
    benchmark: usize,
    /// Its place in time among all, of thinned observations.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<usize>,
    /// 1 for those that stand in no distribution.
    #[serde(skip_serializing_if = "Option::is_none")]
    extreme: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<usize>,
}

/// The columns of a page.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) columns: Vec<Column>,
    pub(super) places: Places,
    /// The outcomes, by their numbers.
    pub(super) outcomes: Vec<String>,
    /// The metrics, each with the columns whose sum it is.
    pub(super) metrics: Vec<(Metric, Vec<usize>)>,
    /// How many have no room.
    pub(super) left_out: usize,
}

/// The metrics of all run sets, those of one name together.
pub(super) fn recorded_metrics(data: &Dataset) -> Vec<Recorded> {
    let mut all: Vec<Recorded> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for run_set in (0..data.run_sets.len()).map_while(|at| RunSetId::new(at).ok()) {
        for (metric, spellings) in data.metrics(run_set) {
            match known.get(&metric.name) {
                Some(at) if all[*at].metric.unit.base() == metric.unit.base() => {
                    all[*at].spellings.extend(spellings);
                }
                Some(_) => {}
                None => {
                    known.insert(metric.name.clone(), all.len());
                    all.push(Recorded { metric, spellings });
                }
            }
        }
    }
    all
}

/// The columns of some observations; that of the `first` metric is there in any case.
pub(super) fn columns(
    data: &Dataset,
    drawn: &[Drawn],
    recorded: &[Recorded],
    first: &str,
) -> Columns {
    let mut made = Columns::default();
    made.add_places(data, drawn);
    made.add_outcomes(data, drawn);
    let rows: Vec<u32> = drawn.iter().map(|it| it.row).collect();
    let is_first = |it: &&Recorded| it.metric.name == first;
    let others = recorded.iter().filter(|it| !is_first(it));
    let mut taken = 0;
    for it in recorded.iter().filter(is_first).chain(others) {
        let read = data.columns(&rows, &[&it.spellings]).pop().unwrap_or_default();
        // Readings come in the order of the rows; some rows have none.
        let mut readings = read.rows.iter().zip(&read.values).peekable();
        let mut values: Vec<Option<f64>> = Vec::with_capacity(rows.len());
        for row in &rows {
            let mut value = None;
            while let Some((_, read)) = readings.next_if(|(of, _)| *of == row) {
                value = Some(*read);
            }
            values.push(value);
        }
        if values.iter().all(Option::is_none) {
            continue;
        }
        let column = column(&values);
        if !made.metrics.is_empty() && taken + column.text.len() > ROOM {
            made.left_out += 1;
            continue;
        }
        taken += column.text.len();
        made.metrics.push((it.metric.clone(), vec![made.columns.len()]));
        made.columns.push(column);
    }
    made.add_sums();
    made
}

impl Columns {
    /// Adds a column, unless no observation has it; its index.
    fn add(&mut self, values: impl Iterator<Item = Option<f64>>) -> Option<usize> {
        let values: Vec<Option<f64>> = values.collect();
        if values.iter().all(Option::is_none) {
            return None;
        }
        self.columns.push(column(&values));
        Some(self.columns.len() - 1)
    }

    #[allow(clippy::cast_precision_loss, reason = "numbers of rows and iterations")]
    fn add_places(&mut self, data: &Dataset, drawn: &[Drawn]) {
        let place = |it: &Drawn| data.rows.place(it.row as usize);
        let is_thinned = drawn.len() < data.len();
        let thinned = || drawn.iter().filter(|_| is_thinned);
        self.places = Places {
            benchmark: self.add(drawn.iter().map(|it| Some(it.benchmark as f64))).unwrap_or(0),
            order: self.add(thinned().map(|it| Some(it.order as f64))),
            extreme: self.add(thinned().map(|it| Some(f64::from(u8::from(it.extreme))))),
            block: self.add(drawn.iter().map(|it| Some(f64::from(place(it)?.block)))),
            turn: self.add(drawn.iter().map(|it| Some(f64::from(place(it)?.turn?)))),
            iterations: self.add(
                drawn.iter().map(|it| data.rows.iterations(it.row as usize).map(|n| n as f64)),
            ),
            outcome: None,
        };
    }

    #[allow(clippy::cast_precision_loss, reason = "outcomes are few")]
    fn add_outcomes(&mut self, data: &Dataset, drawn: &[Drawn]) {
        let mut outcomes = vec![said(&Outcome::Ok)];
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut of = |it: &Drawn| {
            let outcome = data.rows.outcome(it.row as usize);
            if *outcome == Outcome::Ok {
                return Some(0.0);
            }
            let at = *known.entry(said(outcome)).or_insert_with_key(|text| {
                outcomes.push(text.clone());
                outcomes.len() - 1
            });
            Some(at as f64)
        };
        let column: Vec<Option<f64>> = drawn.iter().map(&mut of).collect();
        if outcomes.len() > 1 {
            self.places.outcome = self.add(column.into_iter());
        }
        self.outcomes = outcomes;
    }

    /// Sums of what is there, where the sum itself is not.
    fn add_sums(&mut self) {
        let recorded: Vec<Metric> = self.metrics.iter().map(|(metric, _)| metric.clone()).collect();
        for sum in [metrics::CPU, metrics::FAULTS, metrics::CSW] {
            if recorded.iter().any(|it| it.name == sum) {
                continue;
            }
            let Some(metric) = metric_called(&recorded, sum) else { continue };
            let terms = terms(sum);
            let of = self.metrics.iter().filter(|(it, _)| terms.contains(&it.name));
            let columns = of.flat_map(|(_, columns)| columns.clone()).collect();
            self.metrics.push((metric, columns));
        }
    }
}

fn said(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok => "ok".to_owned(),
        Outcome::Failed { code } => format!("exit code {code}"),
        Outcome::Killed { signal } => outcome.stopped_by().map_or_else(
            || format!("killed by signal {signal}"),
            |stopped| format!("stopped itself by {}", stopped.name()),
        ),
        Outcome::TimedOut => "timed out".to_owned(),
        Outcome::Suspended => "suspended".to_owned(),
        Outcome::NotStarted { why } => format!("not started: {}", clean(&why.to_string())),
    }
}
