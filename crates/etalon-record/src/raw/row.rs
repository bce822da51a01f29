//! An observation line as the row of a dataset: place, number of calls, values.
//!
//! Owns which values cannot be: those that overflow in base units, amounts below nothing, calls below one; and what is
//! left of an observation that does not count: the words of the first.

use std::num::NonZeroU64;

use etalon_core::dataset::{
    BenchmarkId, ConfigurationId, Dataset, Entry, Execution, Full, Parsed, Place, SpellingId,
    WarmupBatch, Written, parse,
};
use etalon_core::metrics;
use etalon_core::model::{Metric, Number, Outcome, Per};

use super::observation::{LineValues, Measured, ObservationLine};
use super::refused::Refused;

/// A benchmark of the record, which rows are of.
pub(super) struct RecordedBenchmark {
    pub(super) benchmark: BenchmarkId,
    pub(super) configuration: ConfigurationId,
    /// The block of the last row that counts and has one.
    pub(super) last_block: Option<u32>,
    /// Whether some row that counts has none.
    pub(super) without_block: bool,
}

impl RecordedBenchmark {
    /// Adds an observation as a row: with its values if it counts, else with the words of the first that does not.
    pub(super) fn measured<'v>(
        &mut self,
        data: &mut Dataset,
        (observed, is_work): (&mut ObservationLine, bool),
        entries: impl ExactSizeIterator<Item = Entry<'v>> + Clone,
    ) -> Result<(), Full> {
        let outcome = std::mem::replace(&mut observed.outcome, Outcome::Ok);
        let accept = data.benchmarks[self.benchmark.at()].benchmark.as_ref();
        let counts = accept.is_some_and(|benchmark| benchmark.accept.accepts(&outcome));
        let (row, of) = (data.len(), (self.benchmark, self.configuration));
        if counts {
            self.last_block = observed.block.or(self.last_block);
            self.without_block |= observed.block.is_none() && !is_work;
            return data.add_row(of, execution(observed, outcome), entries);
        }
        data.add_row(of, execution(observed, outcome), std::iter::empty())?;
        if let (Some(said), Ok(row)) = (observed.stderr.take(), u32::try_from(row)) {
            let text = || said.to_string_lossy().trim_end().to_owned();
            data.tally(self.benchmark).said.get_or_insert_with(|| (row, text()));
        }
        Ok(())
    }
}

/// Everything of an observation but its values.
fn execution(observed: &ObservationLine, outcome: Outcome) -> Execution {
    let place = observed.block.map(|block| Place { block, turn: observed.turn });
    Execution { place, iterations: observed.iterations, outcome: Some(outcome) }
}

/// The batch of a line of the warm-up that says its time; without a number of calls it is one execution.
pub(super) fn warmup_batch(
    observed: &ObservationLine,
    values: LineValues<'_>,
    declared: &[Metric],
) -> Option<WarmupBatch> {
    let calls = match observed.iterations {
        None => NonZeroU64::MIN,
        Some(calls) => NonZeroU64::new(u64::try_from(calls).ok()?)?,
    };
    let is_wall = |(metric, _): &&Measured| declared[*metric].name == metrics::WALL;
    let (metric, number) = values.all.iter().find(is_wall)?;
    let seconds = declared[*metric].unit.to_base((*number)?.as_f64());
    Some(WarmupBatch { block: observed.block?, calls, seconds })
}

/// The values of a line as they are kept, in its order.
pub(super) fn entries<'v>(
    values: LineValues<'v>,
    spellings: &'v [SpellingId],
) -> impl ExactSizeIterator<Item = Entry<'v>> + Clone {
    values.all.iter().enumerate().map(move |(place, (metric, number))| {
        let text = values.text(place);
        let number = number.map(|number| as_written(number, text));
        Entry { spelling: spellings[*metric], number, text }
    })
}

/// Up to here every integer is a double, and the digits of the double are those of the integer.
const EXACT: u64 = 1 << 53;

/// A number with how it was written: by its text where the line has that, or by what JSON tells apart.
fn as_written(number: Number, text: &str) -> (f64, Written) {
    let double = number.as_f64();
    if !text.is_empty()
        && let Ok(Parsed::Finite(parsed, written)) = parse(text)
        && parsed.to_bits() == double.to_bits()
    {
        return (double, written);
    }
    match number {
        Number::Integer(integer) if integer.unsigned_abs() <= EXACT => {
            (double, Written::Decimals(0))
        }
        _ => (double, Written::Computed),
    }
}

/// Refuses iterations below 1 where values are divided by them.
pub(super) fn divisible(metrics: &[Metric]) -> Result<(), Refused> {
    match metrics.iter().find(|metric| metric.per == Per::Iteration) {
        Some(metric) => Err(Refused::Line(format!("no iterations to divide {} by", metric.name))),
        None => Ok(()),
    }
}

/// Refuses a value that only overflows when it is converted to base units, and less than nothing of what cannot be:
/// nobody measured that.
pub(super) fn possible(
    values: LineValues<'_>,
    metrics: &[Metric],
    amounts: &[bool],
) -> Result<(), Refused> {
    for (metric, number) in values.all {
        let Some(number) = *number else { continue };
        let (is_amount, metric) = (amounts[*metric], &metrics[*metric]);
        if number.as_f64() < 0.0 && is_amount {
            return Err(Refused::Line(format!("the value of {} is negative", metric.name)));
        }
        let Number::Float(number) = number else { continue }; // no unit is that large
        if !metric.unit.to_base(number).is_finite() {
            let reason =
                format!("the value of {} is infinite in {}", metric.name, metric.unit.base());
            return Err(Refused::Line(reason));
        }
    }
    Ok(())
}
