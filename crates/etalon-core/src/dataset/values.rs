//! The numbers, as they were written.
//!
//! Owns the ways from a number as written to the one in its tidied unit, which tables show, and to that in
//! base units, which reports compute with; each is the double nearest to what is written. Refuses to round
//! twice.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ids::SpellingId;
use super::number::{self, Written, nearest};
use super::{Dataset, Quantity};

/// Values, row by row, places without one left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values {
    /// Finite numbers, in the units they were written in.
    pub number: Vec<f64>,
    /// How each was written, packed: [`Values::written`].
    pub(super) written: Vec<u8>,
    /// The text of numbers that are [`Written::Text`], by index.
    pub texts: BTreeMap<u32, Arc<str>>,
    /// What stands in place of a number, by row and place.
    pub absent: BTreeMap<(u32, u32), Arc<str>>,
}

impl Values {
    /// How a number was written.
    #[must_use]
    pub fn written(&self, index: usize) -> Written {
        Written::unpacked(self.written[index])
    }

    /// A number times ten to a power, rounded once.
    fn shifted(&self, index: u32, power: i32) -> f64 {
        let number = self.number[index as usize];
        match self.written(index as usize) {
            Written::Text if power != 0 => {
                let text = self.texts.get(&index).map_or("", |text| text);
                number::shifted(text, power)
                    .unwrap_or_else(|| nearest(number, Written::Computed, power))
            }
            written => nearest(number, written, power),
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.number.shrink_to_fit();
        self.written.shrink_to_fit();
    }
}

/// One value of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// The unit it is written in.
    pub spelling: SpellingId,
    /// Index into [`Dataset::values`].
    pub index: u32,
}

impl Dataset {
    /// A value in its tidied unit: the double nearest to what is written. O(1); of a metric read per
    /// iteration O(log n).
    #[must_use]
    pub fn number(&self, value: Value) -> f64 {
        let power = self.spellings[value.spelling.at()].power;
        match self.converted(value) {
            Some(number) => nearest(number, Written::Computed, power),
            None => self.values.shifted(value.index, power),
        }
    }

    /// A value in its tidied unit as golang.org/x/perf computes it, with two roundings; what benchstat
    /// prints is made of these.
    #[must_use]
    pub fn reference_number(&self, value: Value) -> f64 {
        let number = self.converted(value).unwrap_or(self.values.number[value.index as usize]);
        number * self.spellings[value.spelling.at()].factor
    }

    /// A value in base units: the double nearest to what is written. Costs what [`Dataset::number`] does.
    #[must_use]
    pub fn base(&self, value: Value) -> f64 {
        match &self.spellings[value.spelling.at()].quantity {
            Quantity::Metric(declared) if declared.is_per_iteration() => {
                self.base_in_row(self.rows.of_value(value.index), value)
            }
            _ => self.base_in_row(0, value),
        }
    }

    /// A value of this row in base units. O(1).
    #[allow(clippy::cast_precision_loss)] // a count of calls
    pub(super) fn base_in_row(&self, row: usize, value: Value) -> f64 {
        match &self.spellings[value.spelling.at()].quantity {
            Quantity::Unit(of_unit) => of_unit.to_base(self.number(value)),
            Quantity::Metric(declared) => {
                let total = match declared.metric.unit.power() {
                    Some(power) => self.values.shifted(value.index, power),
                    None => declared.metric.unit.to_base(self.values.number[value.index as usize]),
                };
                if !declared.is_per_iteration() {
                    return total;
                }
                total / self.rows.iterations(row).unwrap_or(1) as f64
            }
        }
    }

    /// How a value is to be written in the unit it is spelled in: as it was, or as computed.
    #[must_use]
    pub fn written(&self, value: Value) -> (f64, Written) {
        let index = value.index as usize;
        match self.converted(value) {
            Some(number) => (number, Written::Computed),
            None => (self.values.number[index], self.values.written(index)),
        }
    }

    /// A value of a metric in the unit that its spelling names; absent where it is written in that.
    fn converted(&self, value: Value) -> Option<f64> {
        match &self.spellings[value.spelling.at()].quantity {
            Quantity::Unit(_) => None,
            Quantity::Metric(declared) => Some(declared.spelled(self.base(value))),
        }
    }
}
