//! Metrics that are read in what commands print.
//!
//! Owns: their values of one execution, and which were never seen. Refuses: to guess: a number that is not where it was
//! declared to be, or in a unit of another kind, is absent.

use etalon_core::model::Number;
use etalon_record::printed::{Quantity, Reader};

use super::protocol::{Refusal, Setup};

/// The metrics that are read in printed text, and their last values.
#[derive(Default)]
pub(super) struct PrintedMetrics {
    wanted: Vec<PrintedMetric>,
    iterations: Option<Reader>,
    values: Vec<(usize, Number)>,
    repeated: Option<i64>,
}

struct PrintedMetric {
    metric: usize,
    unit: String,
    reader: Reader,
    seen: bool,
}

impl PrintedMetrics {
    pub(super) fn of(setup: &Setup) -> Result<PrintedMetrics, Refusal> {
        let reader = |place| {
            Reader::new(place).map_err(|why| Refusal {
                subject: etalon_record::Text::from("what commands print"),
                why,
            })
        };
        let mut wanted = Vec::with_capacity(setup.printed.len());
        for printed in &setup.printed {
            wanted.push(PrintedMetric {
                metric: printed.metric,
                unit: printed.unit.clone(),
                reader: reader(&printed.place)?,
                seen: false,
            });
        }
        let iterations = setup.iterations.as_ref().map(reader).transpose()?;
        let values = Vec::with_capacity(wanted.len());
        Ok(PrintedMetrics { wanted, iterations, values, repeated: None })
    }

    /// Nothing was printed that counts.
    pub(super) fn forget(&mut self) {
        self.values.clear();
        self.repeated = None;
    }

    /// Takes what one execution printed.
    pub(super) fn read(&mut self, output: &[u8]) {
        self.forget();
        let text = String::from_utf8_lossy(output);
        for wanted in &mut self.wanted {
            let found = wanted.reader.find(&text);
            if let Some(value) = found.and_then(|quantity| quantity.in_unit(&wanted.unit)) {
                wanted.seen = true;
                self.values.push((wanted.metric, value));
            }
        }
        let count = self.iterations.as_ref().and_then(|reader| reader.find(&text));
        self.repeated = count.and_then(|Quantity { value, .. }| match value {
            Number::Integer(count) => Some(count),
            Number::Float(_) => None,
        });
    }

    /// By metric of the run set, in ascending order.
    pub(super) fn values(&self) -> impl Iterator<Item = (usize, Number)> + '_ {
        self.values.iter().copied()
    }

    pub(super) fn iterations(&self) -> Option<i64> {
        self.repeated
    }

    /// The places of those that no execution has printed so far.
    pub(super) fn unseen(&self) -> Vec<usize> {
        let unseen = self.wanted.iter().enumerate().filter(|(_, wanted)| !wanted.seen);
        unseen.map(|(place, _)| place).collect()
    }
}
