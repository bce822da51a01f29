//! What goes into the record of Lua cases beside the lines that workers speak.

use std::cell::RefCell;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use etalon_core::model::{
    Coordinates, Direction, Kind, Metric, Note, Number, Observation, Outcome, Per, Phase,
};
use etalon_core::units::Unit;
use etalon_lua::{MetricLine, Reading};
use etalon_record::raw::write;
use etalon_record::rows::{self, Row};
use etalon_record::{HeaderLine, Text};

use super::discover::Broken;
use super::experiment::LuaExperiment;
use crate::error::RunError;
use crate::experiment::Format;
use crate::record::Records;

/// The record under way: its files, and its metrics, which suites may add to.
pub(super) struct Lines<'a> {
    pub(super) records: Records<'a>,
    pub(super) experiment: &'a LuaExperiment,
    metrics: RefCell<Vec<Metric>>,
}

impl<'a> Lines<'a> {
    /// Writes everything that comes before observations.
    pub(super) fn begin(
        records: Records<'a>,
        experiment: &'a LuaExperiment,
        now: &str,
    ) -> Result<Lines<'a>, RunError> {
        let header = HeaderLine {
            id: Some(records.record.id.clone()),
            tool: experiment.tool.clone(),
            started: Some(now.to_owned()),
            argv: experiment.argv.clone(),
            context: experiment.context.clone(),
            lost: None,
        };
        let mut lines = Vec::new();
        write::header(&mut lines, &header);
        experiment.metrics.iter().for_each(|metric| write::metric(&mut lines, metric));
        experiment.cases.iter().for_each(|case| write::benchmark(&mut lines, &case.line));
        write::plan(&mut lines, &experiment.plan);
        write::settings(&mut lines, &experiment.settings);
        for (file, text) in &experiment.printed {
            write::printed(&mut lines, file, text.clone());
        }
        experiment.notes.iter().for_each(|note| write::note(&mut lines, note));
        records.begin_with(&lines, || {
            let mut header = Vec::new();
            rows::header(&mut header);
            header
        })?;
        Ok(Lines { records, experiment, metrics: RefCell::new(experiment.metrics.clone()) })
    }

    /// An observation as its worker wrote it.
    pub(super) fn observed(&self, reading: &Reading) -> Result<(), RunError> {
        self.records.append(&reading.line)?;
        let Some(second) = self.records.second else { return Ok(()) };
        match second.format {
            Format::Record => self.records.append_second(second, &reading.line),
            Format::Rows => self.row(reading),
        }
    }

    /// A sample as a row of the CSV file: what one call takes.
    #[allow(clippy::cast_precision_loss)] // a count of calls
    fn row(&self, reading: &Reading) -> Result<(), RunError> {
        let (Some(wall), Some(second)) = (reading.value("wall"), self.records.second) else {
            return Ok(());
        };
        let Observation { benchmark, phase, iterations, .. } = reading.observation;
        let block = reading.observation.coordinates.block.unwrap_or(0);
        let per_call = wall / iterations.unwrap_or(1) as f64;
        let metrics = self.metrics.borrow();
        let Some(metric) = metrics.iter().position(|metric| metric.name == "wall") else {
            return Ok(());
        };
        let values = vec![(metric, Number::Float(per_call))];
        let observation = Observation { phase, values, ..plain(benchmark, block, Outcome::Ok) };
        let mut line = Vec::new();
        let benchmark = &self.experiment.cases[benchmark].line;
        rows::row(&mut line, &Row { benchmark, observation: &observation, metrics: &metrics });
        self.records.append_second(second, &line)
    }

    /// A case that did not get there.
    pub(super) fn broken(
        &self,
        (benchmark, block): (usize, u32),
        broken: &Broken,
    ) -> Result<(), RunError> {
        let leftovers = broken.leftovers;
        let observation =
            Observation { leftovers, ..plain(benchmark, block, broken.outcome.clone()) };
        let metrics = self.metrics.borrow();
        let stderr = Text::from(broken.message.as_str());
        let rows = |line: &mut Vec<u8>| {
            let benchmark = &self.experiment.cases[benchmark].line;
            rows::row(line, &Row { benchmark, observation: &observation, metrics: &metrics });
        };
        self.records.line_and_row(
            |line| write::observation(line, &observation, &metrics, Some(&stderr)),
            rows,
        )
    }

    /// What a process left running: an observation without a value.
    pub(super) fn left(
        &self,
        (benchmark, block): (usize, u32),
        leftovers: u32,
    ) -> Result<(), RunError> {
        if leftovers == 0 {
            return Ok(());
        }
        let observation = Observation { leftovers, ..plain(benchmark, block, Outcome::Ok) };
        let metrics = self.metrics.borrow();
        self.records
            .line_and_row(|line| write::observation(line, &observation, &metrics, None), |_| {})
    }

    /// Numbers of the suite's own.
    pub(super) fn own_metrics(
        &self,
        (benchmark, block): (usize, u32),
        own: &[MetricLine],
    ) -> Result<(), RunError> {
        if own.is_empty() {
            return Ok(());
        }
        let mut metrics = self.metrics.borrow_mut();
        let mut observation = plain(benchmark, block, Outcome::Ok);
        let mut lines = Vec::new();
        for line in own {
            let metric = metric_of(line);
            let known = metrics.iter().position(|known| known.name == metric.name);
            let at = known.unwrap_or(metrics.len());
            if let Some(at) = known {
                if let Some(text) = disagreement(&metrics[at], &metric) {
                    let about = self.experiment.cases[benchmark].line.to_benchmark().label();
                    write::note(&mut lines, &Note { about, text });
                }
                if metrics[at].unit.base() != metric.unit.base() {
                    continue;
                }
            } else {
                write::metric(&mut lines, &metric);
                metrics.push(metric.clone());
            }
            let value = match &metrics[at].unit {
                unit if *unit == metric.unit => line.value,
                unit => unit.from_base(metric.unit.to_base(line.value)),
            };
            observation.values.push((at, Number::Float(value)));
        }
        write::observation(&mut lines, &observation, &metrics, None);
        self.records.line_and_row(|line| line.extend_from_slice(&lines), |_| {})
    }

    /// A remark about a case.
    pub(super) fn note(&self, benchmark: usize, text: &str) -> Result<(), RunError> {
        let about = self.experiment.cases[benchmark].line.to_benchmark().label();
        self.records.note(&Note { about, text: text.to_owned() })
    }

    /// What a case printed.
    pub(super) fn printed(
        &self,
        benchmark: usize,
        output: etalon_lua::Output,
    ) -> Result<(), RunError> {
        if output.text.is_empty() {
            return Ok(());
        }
        let text = printed_text(output);
        self.records.line_and_row(|line| write::printed_by(line, benchmark, text), |_| {})
    }
}

/// What was printed; where it was too much, how much more there was.
#[must_use]
pub fn printed_text(output: etalon_lua::Output) -> Text {
    let mut bytes = output.text;
    if output.lost > 0 {
        bytes.extend_from_slice(format!("\n… {} bytes more\n", output.lost).as_bytes());
    }
    Text::from(OsString::from_vec(bytes))
}

fn plain(benchmark: usize, block: u32, outcome: Outcome) -> Observation {
    Observation {
        benchmark,
        phase: Phase::Measured,
        coordinates: Coordinates { block: Some(block), turn: Some(0), at_ns: None },
        outcome,
        leftovers: 0,
        iterations: None,
        values: Vec::new(),
    }
}

/// What is wrong with a metric of the suite's own that goes by the name of one before it.
fn disagreement(known: &Metric, metric: &Metric) -> Option<String> {
    let name = &metric.name;
    let (before, here) = (known.unit.symbol(), metric.unit.symbol());
    if known.unit.base() != metric.unit.base() {
        return Some(format!(
            "its metric {name} is in {here}, the one before in {before}: it is left out, give it \
             another name"
        ));
    }
    (known.direction != metric.direction).then(|| {
        format!("its metric {name} says another direction than the one before, which counts")
    })
}

/// A suite's own number is exact: it says what it says.
fn metric_of(line: &MetricLine) -> Metric {
    Metric {
        name: line.name.clone(),
        unit: Unit::new(&line.unit),
        direction: match line.direction.as_str() {
            "lower" => Direction::Lower,
            "higher" => Direction::Higher,
            _ => Direction::Neither,
        },
        kind: Kind::Exact,
        per: Per::Observation,
        resolution: None,
    }
}
