//! A run set as a record.
//!
//! Owns the way back from columns to lines, for run sets that came from elsewhere. Values are
//! written in the unit they were recorded in where that gives the same double again, else in base
//! units. Refuses to invent what a run set does not keep: notes say it.

use std::io::{self, Write};

use etalon_core::model::{
    Coordinates, Metric, Note, Number, Observation, OutcomeCounts, Per, Phase, RunSet, Series,
};
use etalon_core::units::Unit;

use super::write;
use crate::foreign::table::{Execution, Executions};
use crate::raw::benchmark::BenchmarkLine;
use crate::raw::header::HeaderLine;
use crate::text::Text;

/// Bytes collected before they are handed on.
const CHUNK: usize = 64 * 1024;

/// Writes a run set as a record; `tool` is what writes it. What a run set does not keep of
/// its source is said in note lines, which are returned as well. Linear.
///
/// # Errors
/// If `out` does not take it.
pub fn write_run_set(set: &RunSet, tool: &str, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let mut buffer = Vec::new();
    let metrics: Vec<Metric> = (0..set.metrics.len()).map(|index| recorded(set, index)).collect();
    declarations(&mut buffer, set, tool, &metrics);
    for (benchmark, series) in set.series.iter().enumerate() {
        let mut executions = Executions::of(series);
        while let Some(execution) = executions.next() {
            let observation = Observation {
                benchmark,
                phase: Phase::Measured,
                coordinates: Coordinates {
                    block: execution.block,
                    turn: execution.turn,
                    at_ns: None,
                },
                outcome: execution.outcome.clone(),
                leftovers: 0,
                iterations: execution.iterations,
                values: values(&execution, &metrics),
            };
            let said = execution.said.map(Text::from);
            write::observation(&mut buffer, &observation, &metrics, said.as_ref());
            if buffer.len() >= CHUNK {
                out.write_all(&buffer)?;
                buffer.clear();
            }
        }
    }
    for printed in &set.outputs {
        write::printed(&mut buffer, &printed.file, Text::from(printed.text.as_str()));
    }
    set.looks.iter().for_each(|look| write::look(&mut buffer, look));
    let mut lost = lost(set, "their values are not in the converted data");
    // A record that was made by a conversion has said it.
    lost.retain(|note| !set.notes.contains(note));
    set.notes.iter().chain(&lost).for_each(|note| write::note(&mut buffer, note));
    if let Some(end) = &set.end {
        write::end(&mut buffer, end);
    }
    out.write_all(&buffer)?;
    out.flush()?;
    Ok(lost)
}

/// Everything that comes before observations.
fn declarations(buffer: &mut Vec<u8>, set: &RunSet, tool: &str, metrics: &[Metric]) {
    let header = HeaderLine {
        id: set.id.clone(),
        tool: tool.to_owned(),
        started: set.started.clone(),
        argv: set.argv.iter().map(|word| Text::from(word.as_str())).collect(),
        context: set.context.clone(),
        lost: set.lost.clone(),
    };
    write::header(buffer, &header);
    metrics.iter().for_each(|metric| write::metric(buffer, metric));
    for benchmark in &set.benchmarks {
        let text = |text: &Option<String>| text.as_deref().map(Text::from);
        let line = BenchmarkLine {
            name: benchmark.key.name.clone(),
            params: benchmark.key.params.clone(),
            command: text(&benchmark.command),
            shell: text(&benchmark.shell),
            accept: benchmark.accept.clone(),
            case: benchmark.case.clone(),
            ..BenchmarkLine::default()
        };
        write::benchmark(buffer, &line);
    }
    if let Some(plan) = &set.plan {
        write::plan(buffer, plan);
    }
    if let Some(settings) = &set.settings {
        write::settings(buffer, settings);
    }
}

/// What a run set does not keep of its source, in words: `uncounted` says what becomes of executions
/// that are no rows.
pub(crate) fn lost(set: &RunSet, uncounted: &str) -> Vec<Note> {
    let mut notes = Vec::new();
    for (benchmark, series) in set.benchmarks.iter().zip(&set.series) {
        let mut note = |text: String| {
            notes.push(Note { about: benchmark.key.name.clone(), text });
        };
        if !series.uncounted.is_empty() {
            note(format!("{} and did not count; {uncounted}", kinds(series)));
        }
        let warmups = series.warmup_outcomes.ok + series.warmup_outcomes.not_ok();
        if warmups > 0 {
            note(format!("{warmups} warm-ups are not in the converted data"));
        }
    }
    notes
}

/// How many executions of which kind are no rows.
fn kinds(series: &Series) -> String {
    let mut counts = OutcomeCounts::default();
    series.uncounted.iter().for_each(|execution| counts.add(&execution.outcome));
    let kinds = [
        (counts.failed, "exited with a non-zero code"),
        (counts.killed, "killed by a signal"),
        (counts.timed_out, "timed out"),
        (counts.suspended, "suspended"),
        (counts.not_started, "not started"),
    ];
    let kinds = kinds.iter().filter(|(count, _)| *count > 0);
    kinds.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
}

/// The metric in the unit it was recorded in, if each of its values can be written in that and gives
/// the same double again; else in base units.
fn recorded(set: &RunSet, index: usize) -> Metric {
    let metric = &set.metrics[index];
    if metric.per == Per::Iteration {
        return metric.clone(); // what was recorded comes back by multiplication
    }
    let mut values = set.series.iter().filter_map(|s| s.columns.get(index)).flat_map(|c| &c.values);
    if values.all(|value| in_unit(*value, &metric.unit, 1).is_some()) {
        return metric.clone();
    }
    Metric { unit: Unit::new(&metric.unit.base().to_string()), ..metric.clone() }
}

fn values(execution: &Execution<'_>, metrics: &[Metric]) -> Vec<(usize, Number)> {
    let values = execution.values.iter().zip(metrics).enumerate();
    let number = |value: f64, metric: &Metric| match (metric.per, execution.iterations) {
        (Per::Iteration, Some(iterations)) => total(value, &metric.unit, iterations),
        _ => in_unit(value, &metric.unit, 1).unwrap_or(Number::Float(value)),
    };
    values.filter_map(|(at, (value, metric))| Some((at, number((*value)?, metric)))).collect()
}

/// What all iterations together come to: the number that is read as exactly this value of one, or
/// where there is none the nearest.
#[allow(clippy::cast_precision_loss)] // a count of calls
fn total(value: f64, unit: &Unit, iterations: u64) -> Number {
    let near = unit.from_base(value) * iterations as f64;
    in_unit(value, unit, iterations).unwrap_or(Number::Float(near))
}

/// The number that, written in this unit for so many iterations, is read as exactly this value of
/// one in base units.
#[allow(clippy::cast_precision_loss)] // a count of calls
fn in_unit(value: f64, unit: &Unit, iterations: u64) -> Option<Number> {
    let iterations = iterations as f64;
    let near = unit.from_base(value) * iterations;
    let exact = |written: f64| (unit.to_base(written) / iterations).to_bits() == value.to_bits();
    let whole = near.round();
    if whole.abs() < EXACT && exact(whole + 0.0) {
        #[allow(clippy::cast_possible_truncation)] // whole, and below 2^53
        return Some(Number::Integer(whole as i64));
    }
    [near, near.next_up(), near.next_down()].into_iter().find(|x| exact(*x)).map(Number::Float)
}

/// Up to here every integer is a double.
const EXACT: f64 = 9_007_199_254_740_992.0;
