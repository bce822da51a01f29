//! Building a run set from lines, one at a time.
//!
//! Owns what becomes of an observation (those of the measured phase go into the series, warm-ups are
//! only counted), the conversion to base units, and the rule that a series has blocks for all
//! its rows or for none. A line is applied whole or not at all. Refuses to parse bytes.

use etalon_core::model::{Column, End, Metric, Note, Number, Per, Phase, RunSet, Series};
use etalon_core::plan::{Plan, Settings};

use super::case::OutputWire;
use super::notes::Remarks;
use super::observation::{self, Values};
use super::read::Refused;
use super::wire::{EndWire, LookWire, MetricWire, NoteWire, PlanWire, SettingsWire};
use crate::raw::benchmark::BenchmarkLine;
use crate::raw::header::HeaderLine;

/// A run set in the making.
pub(super) struct Builder {
    set: RunSet,
    values: Values,
    /// Per series: whether some counted row has no block.
    without_block: Vec<bool>,
    /// Metrics whose values are kept, where not all are.
    kept: Option<Vec<String>>,
}

impl Builder {
    /// Starts with what the header says.
    pub(super) fn new(source: &str, header: HeaderLine) -> Builder {
        let set = RunSet {
            id: header.id,
            started: header.started,
            argv: header.argv.iter().map(|a| a.to_string_lossy().into_owned()).collect(),
            context: header.context,
            lost: header.lost,
            ..RunSet::empty(source)
        };
        Builder { set, values: Values::default(), without_block: Vec::new(), kept: None }
    }

    /// The same, and only the values of these metrics are kept.
    pub(super) fn keeping(source: &str, header: HeaderLine, kept: Vec<String>) -> Builder {
        Builder { kept: Some(kept), ..Builder::new(source, header) }
    }

    /// Whether lines of this type go to [`Builder::declaration`].
    pub(super) fn declares(&self, kind: &str) -> bool {
        matches!(
            kind,
            "metric" | "benchmark" | "plan" | "settings" | "look" | "note" | "output" | "end"
        )
    }

    /// Takes a line that is neither header nor observation.
    pub(super) fn declaration(&mut self, kind: &str, line: &str) -> Result<(), Refused> {
        match kind {
            "metric" => self.metric(serde_json::from_str::<MetricWire>(line)?.into())?,
            "benchmark" => self.benchmark(&serde_json::from_str(line)?),
            "plan" => {
                let plan = Plan::try_from(serde_json::from_str::<PlanWire>(line)?)?;
                first(&mut self.set.plan, plan, "plan")?;
            }
            "settings" => {
                let wire: SettingsWire = serde_json::from_str(line)?;
                let ranked = self.set.metrics.iter().find(|m| m.name == wire.metric());
                let unit = ranked.map(|metric| metric.unit.clone());
                let settings: Settings = wire.into_settings(unit.as_ref())?;
                first(&mut self.set.settings, settings, "settings line")?;
            }
            "look" => self.set.looks.push(serde_json::from_str::<LookWire>(line)?.into()),
            "output" => {
                let output: OutputWire = serde_json::from_str(line)?;
                self.set.outputs.extend(output.into_printed());
            }
            "note" => self.set.notes.push(serde_json::from_str::<NoteWire>(line)?.into()),
            _ => {
                let end: End = serde_json::from_str::<EndWire>(line)?.into();
                first(&mut self.set.end, end, "end")?;
            }
        }
        Ok(())
    }

    fn metric(&mut self, metric: Metric) -> Result<(), Refused> {
        if self.set.metrics.iter().any(|m| m.name == metric.name) {
            return Err(Refused::Line(format!("a second metric called `{}`", metric.name)));
        }
        self.set.metrics.push(metric);
        for series in &mut self.set.series {
            series.columns.push(Column::default());
        }
        Ok(())
    }

    fn benchmark(&mut self, line: &BenchmarkLine) {
        self.set.benchmarks.push(line.to_benchmark());
        self.set.series.push(Series {
            columns: vec![Column::default(); self.set.metrics.len()],
            ..Series::default()
        });
        self.without_block.push(false);
    }

    /// Takes an observation line.
    pub(super) fn observation(&mut self, line: &str, remarks: &mut Remarks) -> Result<(), Refused> {
        let observed = observation::parse(line, &self.set.metrics, &mut self.values)?;
        let (Some(benchmark), Some(series)) = (
            self.set.benchmarks.get(observed.benchmark),
            self.set.series.get_mut(observed.benchmark),
        ) else {
            return Err(Refused::Line(no_benchmark(observed.benchmark, self.set.benchmarks.len())));
        };
        all_finite(&self.values.numbers, &self.set.metrics)?;
        if let Some(kept) = &self.kept {
            let metrics = &self.set.metrics;
            self.values.numbers.retain(|(metric, _)| kept.contains(&metrics[*metric].name));
        }
        match observed.phase {
            Phase::Warmup => series.warmup_outcomes.add(&observed.outcome),
            Phase::Measured => {
                let nothing_said = series.said.is_none();
                let row = series.add(&benchmark.accept, observed.outcome, observed.block);
                if let Some(row) = row.map_err(|full| full.to_string())? {
                    self.without_block[observed.benchmark] |= observed.block.is_none();
                    series.add_place(observed.turn, observed.iterations);
                    let iterations = observed.iterations.unwrap_or(1);
                    add_values(series, (row, iterations), &self.values.numbers, &self.set.metrics);
                } else if let Some(said) = observed.stderr.filter(|_| nothing_said) {
                    let at = series.uncounted.len() - 1;
                    series.said = Some((at, said.to_string_lossy().trim_end().to_owned()));
                }
            }
        }
        series.leftovers += u64::from(observed.leftovers);
        series.with_leftovers += u64::from(observed.leftovers > 0);
        for (metric, text) in &self.values.absent {
            remarks.absent(&self.set.metrics[*metric].name, text);
        }
        Ok(())
    }

    /// The run set as far as it is read.
    pub(super) fn set(&self) -> &RunSet {
        &self.set
    }

    /// The run set with the reader's remarks after the record's own notes.
    pub(super) fn finish(mut self, remarks: Remarks) -> RunSet {
        self.set.lost = remarks.lost().or(self.set.lost);
        self.set.notes.extend(remarks.into_notes(&self.set.source));
        for (index, without) in self.without_block.iter().enumerate() {
            let series = &mut self.set.series[index];
            if *without && !series.blocks.is_empty() {
                series.blocks = Vec::new();
                self.set.notes.push(Note {
                    about: self.set.benchmarks[index].key.name.clone(),
                    text: "some observations name no block, so none of them is paired".to_owned(),
                });
            }
            series.shrink_to_fit();
        }
        self.set
    }
}

/// Sets what a record has once.
fn first<T>(field: &mut Option<T>, value: T, name: &str) -> Result<(), Refused> {
    if field.is_some() {
        return Err(Refused::Line(format!("a second {name}")));
    }
    *field = Some(value);
    Ok(())
}

fn no_benchmark(asked: usize, known: usize) -> String {
    format!("it refers to benchmark {asked}, and {known} are declared before it")
}

/// Refuses a value that only overflows when it is converted to base units.
fn all_finite(numbers: &[(usize, Number)], metrics: &[Metric]) -> Result<(), Refused> {
    for (metric, number) in numbers {
        let metric = &metrics[*metric];
        if !metric.unit.to_base(number.as_f64()).is_finite() {
            let reason =
                format!("the value of {} is infinite in {}", metric.name, metric.unit.base());
            return Err(Refused::Line(reason));
        }
    }
    Ok(())
}

/// Adds a row's values.
#[allow(clippy::cast_precision_loss)] // a count of calls
fn add_values(
    series: &mut Series,
    (row, iterations): (u32, u64),
    numbers: &[(usize, Number)],
    metrics: &[Metric],
) {
    for (metric, number) in numbers {
        let (metric, column) = (&metrics[*metric], &mut series.columns[*metric]);
        let total = metric.unit.to_base(number.as_f64());
        column.rows.push(row);
        column.values.push(match metric.per {
            Per::Observation => total,
            Per::Iteration => total / iterations as f64,
        });
    }
}
