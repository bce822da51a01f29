//! Benchmarks that nothing compares: a line each, and further facts on each.

use etalon_core::analysis::{Analysis, MetricSummary, Summary};
use etalon_core::metrics;

use super::about;
use crate::cases::script_metrics;
use crate::document::Part;
use crate::figures::{self, Figures};
use crate::number::counted;
use crate::text::clean;
use crate::words;

/// So many numbers of a script stand in its line: the other ones are among all figures.
const PRINTED: usize = 6;

/// The answer of every command, with what was executed where that was not what was asked for.
pub(super) fn parts(analysis: &Analysis) -> Vec<Part> {
    let commands =
        (0..analysis.benchmarks.len()).filter(|at| analysis.benchmarks[*at].case.is_none());
    let mut parts: Vec<Part> = commands.flat_map(|at| benchmark_parts(analysis, at)).collect();
    parts.extend(analysis.headline.map(|it| Part::Sentence(words::headline(analysis, it))));
    parts.extend(about::unusual(analysis).into_iter().map(Part::Sentence));
    parts
}

/// A line with the median, its interval and the range, and the other quantities under it.
pub(super) fn benchmark_parts(analysis: &Analysis, index: usize) -> Vec<Part> {
    let benchmark = &analysis.benchmarks[index];
    let name = words::name(analysis, index);
    let Some(judged) = benchmark.metric(&analysis.settings.metric) else {
        return vec![Part::Answer(format!("{name}: nothing measured."))];
    };
    let q = &judged.quartiles;
    let figures = Figures::new(judged.metric.unit.base(), [q.median]);
    let what = match judged.metric.name.as_str() {
        metrics::WALL => String::new(),
        _ => format!("{} ", words::column_title(&judged.metric)),
    };
    let count = match benchmark.case {
        Some(_) => counted(judged.readings, "sample", "samples"),
        None => counted(judged.readings, "execution", "executions"),
    };
    let ends = figures.telling_apart(q.min, q.max);
    let least = match ends.has_two_digits_of(q.min) {
        true => ends.digits(q.min),
        false => ends.show(q.min),
    };
    let range = format!("from {least} to {}, {count}", ends.show(q.max));
    let median = figures::median(judged, &figures);
    let others = [metrics::WALL, metrics::CPU, metrics::RSS, metrics::ALLOC].into_iter();
    let others = others.filter(|name| *name != judged.metric.name);
    let others = others.filter_map(|name| benchmark.metric(name));
    let printed = script_metrics(benchmark).filter(|own| own.metric.name != judged.metric.name);
    let others: Vec<String> = others.chain(printed.take(PRINTED)).map(beside).collect();
    let mut parts = vec![Part::Answer(format!("{name}   {what}{median}   {range}"))];
    parts.extend(command(benchmark).map(Part::Sentence));
    if !others.is_empty() {
        parts.push(Part::Sentence(others.join(" · ")));
    }
    parts
}

/// The command itself where the benchmark has another name: a display name must not hide it.
fn command(benchmark: &Summary) -> Option<String> {
    let declared = &benchmark.benchmark;
    let command = declared.command.as_ref().filter(|it| **it != declared.key.name)?;
    Some(format!("Command: {}", clean(command)))
}

/// Another quantity: `CPU 0.95 ms`.
fn beside(summary: &MetricSummary) -> String {
    let median = summary.median.value;
    let figures = Figures::new(summary.metric.unit.base(), [median]);
    let at_most = words::at_most(summary);
    format!("{} {at_most}{}", words::column_title(&summary.metric), figures.show(median))
}
