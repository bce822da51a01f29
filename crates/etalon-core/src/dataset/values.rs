//! The numbers, as they were written.
//!
//! Owns the ways from a number as written to the one in its tidied unit, which tables show, and to that in
//! base units, which reports compute with; each is the double nearest to what is written. Refuses to round
//! twice.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ids::SpellingId;
use super::number::{self, Written, nearest, nearest_whole};
use super::{Dataset, Quantity};
use crate::units::Unit;

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
    #[inline]
    fn shifted(&self, index: u32, power: i32) -> f64 {
        let (number, written) = (self.number[index as usize], self.written(index as usize));
        match written {
            Written::Decimals(0) => nearest_whole(number, power),
            _ => self.shifted_fraction(index, power),
        }
    }

    /// The same of a number that is not written as a whole one. Apart, so that what most are is inlined.
    #[inline(never)]
    fn shifted_fraction(&self, index: u32, power: i32) -> f64 {
        let (number, written) = (self.number[index as usize], self.written(index as usize));
        if written != Written::Text || power == 0 {
            return nearest(number, written, power);
        }
        let text = self.texts.get(&index).map_or("", |text| text);
        number::shifted(text, power).unwrap_or_else(|| nearest(number, Written::Computed, power))
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

/// How values in a unit become values in base units: found once for a unit, and used for every value in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conversion<'d> {
    /// The power of ten to shift by.
    power: i32,
    /// What converts the rest, where no power of ten does.
    unit: Option<&'d Unit>,
    /// Whether a value is of all iterations of its row together.
    per_iteration: bool,
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
        let conversion = self.conversion(value.spelling);
        let row = if conversion.per_iteration { self.rows.of_value(value.index) } else { 0 };
        self.in_base(row, value.index, conversion)
    }

    /// How values in a unit become values in base units.
    pub(super) fn conversion(&self, spelling: SpellingId) -> Conversion<'_> {
        let spelling = &self.spellings[spelling.at()];
        match &spelling.quantity {
            Quantity::Unit(of_unit) => {
                let (power, unit) = (spelling.power, of_unit.converting());
                Conversion { power, unit, per_iteration: false }
            }
            Quantity::Metric(declared) => {
                let (unit, per_iteration) = (&declared.metric.unit, declared.is_per_iteration());
                match unit.power() {
                    Some(power) => Conversion { power, unit: None, per_iteration },
                    None => Conversion { power: 0, unit: Some(unit), per_iteration },
                }
            }
        }
    }

    /// A value of this row in base units. O(1).
    #[inline]
    #[allow(clippy::cast_precision_loss)] // a count of calls
    pub(super) fn in_base(&self, row: usize, index: u32, conversion: Conversion<'_>) -> f64 {
        let shifted = self.values.shifted(index, conversion.power);
        let number = conversion.unit.map_or(shifted, |unit| unit.to_base(shifted));
        match conversion.per_iteration {
            true => number / self.rows.iterations(row).unwrap_or(1) as f64,
            false => number,
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
