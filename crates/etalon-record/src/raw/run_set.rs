//! A run set as a record.
//!
//! Owns the way back from columns to lines, for run sets that came from elsewhere. Values are
//! written in the unit they were recorded in where that gives the same double again, else in base
//! units. Refuses to invent what a run set does not keep: notes say it.

use std::io::{self, Write};

use etalon_core::model::{
    Coordinates, Metric, Note, Number, Observation, Outcome, Phase, RunSet, Series,
};
use etalon_core::units::Unit;

use super::write;
use crate::foreign::table::Rows;
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
        let mut rows = Rows::of(series);
        let mut number = 0;
        while let Some(row) = rows.next() {
            let observation = Observation {
                benchmark,
                phase: Phase::Measured,
                coordinates: Coordinates { block: series.blocks.get(number).copied(), at_ns: None },
                outcome: Outcome::Ok,
                leftovers: 0,
                values: values(row, &metrics),
            };
            write::observation(&mut buffer, &observation, &metrics, None);
            number += 1;
            if buffer.len() >= CHUNK {
                out.write_all(&buffer)?;
                buffer.clear();
            }
        }
    }
    set.looks.iter().for_each(|look| write::look(&mut buffer, look));
    let lost = lost(set);
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

/// What a run set does not keep of its source, in words: which execution ended how, and everything
/// about those that are no rows.
pub(crate) fn lost(set: &RunSet) -> Vec<Note> {
    let mut notes = Vec::new();
    for (benchmark, series) in set.benchmarks.iter().zip(&set.series) {
        let mut note = |text: String| {
            notes.push(Note { about: benchmark.key.name.clone(), text });
        };
        if let Some(text) = outcomes(series) {
            note(text);
        }
        let warmups = series.warmup_outcomes.ok + series.warmup_outcomes.not_ok();
        if warmups > 0 {
            note(format!("{warmups} warm-ups are not in the converted data"));
        }
    }
    notes
}

fn outcomes(series: &Series) -> Option<String> {
    let counts = &series.outcomes;
    let kinds = [
        (counts.failed, "exited with a non-zero code"),
        (counts.killed, "killed by a signal"),
        (counts.timed_out, "timed out"),
        (counts.not_started, "not started"),
    ];
    let kinds = kinds.iter().filter(|(count, _)| *count > 0);
    let texts: Vec<String> = kinds.map(|(count, what)| format!("{count} {what}")).collect();
    let all = counts.ok + counts.not_ok();
    (!texts.is_empty()).then(|| {
        format!(
            "of {all} executions before the conversion: {}; the converted data do not say which",
            texts.join(", ")
        )
    })
}

/// The metric in the unit it was recorded in, if each of its values can be written in that and gives
/// the same double again; else in base units.
fn recorded(set: &RunSet, index: usize) -> Metric {
    let metric = &set.metrics[index];
    let mut values = set.series.iter().filter_map(|s| s.columns.get(index)).flat_map(|c| &c.values);
    if values.all(|value| in_unit(*value, &metric.unit).is_some()) {
        return metric.clone();
    }
    Metric { unit: Unit::new(&metric.unit.base().to_string()), ..metric.clone() }
}

fn values(row: &[Option<f64>], metrics: &[Metric]) -> Vec<(usize, Number)> {
    let values = row.iter().zip(metrics).enumerate();
    let number = |value: f64, unit: &Unit| in_unit(value, unit).unwrap_or(Number::Float(value));
    values.filter_map(|(at, (value, metric))| Some((at, number((*value)?, &metric.unit)))).collect()
}

/// The number that, written in this unit, is read as exactly this value in base units.
fn in_unit(value: f64, unit: &Unit) -> Option<Number> {
    let near = unit.from_base(value);
    let exact = |written: f64| unit.to_base(written).to_bits() == value.to_bits();
    let whole = near.round();
    if whole.abs() < EXACT && exact(whole + 0.0) {
        #[allow(clippy::cast_possible_truncation)] // whole, and below 2^53
        return Some(Number::Integer(whole as i64));
    }
    [near, near.next_up(), near.next_down()].into_iter().find(|x| exact(*x)).map(Number::Float)
}

/// Up to here every integer is a double.
const EXACT: f64 = 9_007_199_254_740_992.0;
