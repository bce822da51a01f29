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

/// Values, row by row, places without one left out. Of a number that is written with at most nine digits or so,
/// only these are kept: 4 bytes, and one for where its point is if not all have none. Others take 13.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values {
    /// The digits of a number without its point, or where it is among the others.
    digits: Vec<u32>,
    /// How each was written, packed, with [`ELSEWHERE`] added where it is among the others; those behind the
    /// last are whole numbers that are their digits.
    written: Vec<u8>,
    /// Finite numbers that are not their digits: negative ones, long ones, computed ones.
    others: Vec<f64>,
    /// The text of numbers that are [`Written::Text`], by index.
    pub texts: BTreeMap<u32, Arc<str>>,
    /// Texts in place of numbers, by row and place.
    pub absent: BTreeMap<(u32, u32), Arc<str>>,
}

/// Added to the byte that says how a number was written, where the number is among the others.
const ELSEWHERE: u8 = 0x80;

impl Values {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.digits.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.digits.is_empty()
    }

    /// A number, in the unit it was written in. O(1).
    #[must_use]
    pub fn number(&self, index: usize) -> f64 {
        let packed = self.packed(index);
        match packed & ELSEWHERE {
            0 => nearest_whole(f64::from(self.digits[index]), -i32::from(packed)),
            _ => self.others[self.digits[index] as usize],
        }
    }

    /// How a number was written.
    #[must_use]
    pub fn written(&self, index: usize) -> Written {
        Written::unpacked(self.packed(index) & !ELSEWHERE)
    }

    #[inline]
    fn packed(&self, index: usize) -> u8 {
        self.written.get(index).copied().unwrap_or(0)
    }

    /// Adds a number, which is finite. There are less than 2³².
    pub(super) fn push(&mut self, number: f64, written: Written) {
        let (digits, packed) = match written.digits_of(number) {
            Some(digits) => (digits, written.packed()),
            None => {
                let at = u32::try_from(self.others.len()).unwrap_or(u32::MAX);
                self.others.push(number);
                (at, written.packed() | ELSEWHERE)
            }
        };
        if packed != 0 || !self.written.is_empty() {
            self.written.resize(self.digits.len(), 0);
            self.written.push(packed);
        }
        self.digits.push(digits);
    }

    /// A number times ten to a power, rounded once.
    #[inline]
    fn shifted(&self, index: u32, power: i32) -> f64 {
        let at = index as usize;
        let packed = self.packed(at);
        match packed & ELSEWHERE {
            0 => nearest_whole(f64::from(self.digits[at]), power - i32::from(packed)),
            _ => self.shifted_other(index, power),
        }
    }

    /// The shifted number of one of the others. Apart, so that what most are is inlined.
    #[inline(never)]
    fn shifted_other(&self, index: u32, power: i32) -> f64 {
        let (number, written) = (self.number(index as usize), self.written(index as usize));
        if written != Written::Text || power == 0 {
            return nearest(number, written, power);
        }
        let text = self.texts.get(&index).map_or("", |text| text);
        number::shifted(text, power).unwrap_or_else(|| nearest(number, Written::Computed, power))
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.digits.shrink_to_fit();
        self.written.shrink_to_fit();
        self.others.shrink_to_fit();
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

/// The unit that numbers are asked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InUnit {
    /// The base unit.
    Base,
    /// The tidied one.
    Tidied,
}

/// How values in a unit become values in base units: found once for a unit, and used for every value in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conversion<'d> {
    /// The power of ten to shift by.
    power: i32,
    /// The unit that converts the rest, where no power of ten does.
    unit: Option<&'d Unit>,
    /// Whether a value is of all iterations of its row together.
    pub(super) per_iteration: bool,
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
        let number = self.converted(value).unwrap_or(self.values.number(value.index as usize));
        number * self.spellings[value.spelling.at()].factor
    }

    /// A value in base units: the double nearest to what is written. Costs what [`Dataset::number`] does.
    #[must_use]
    pub fn base(&self, value: Value) -> f64 {
        let conversion = self.conversion(value.spelling);
        let row = if conversion.per_iteration { self.rows.row_of_value(value.index) } else { 0 };
        self.in_base(row, value.index, conversion)
    }

    /// How values in a unit become values in base units.
    pub(crate) fn conversion(&self, spelling: SpellingId) -> Conversion<'_> {
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
    pub(crate) fn in_base(&self, row: usize, index: u32, conversion: Conversion<'_>) -> f64 {
        let shifted = self.values.shifted(index, conversion.power);
        self.shifted_in_base(row, shifted, conversion)
    }

    /// A number that a value of this row was computed from, in base units.
    pub(super) fn part_in_base(&self, row: usize, part: f64, conversion: Conversion<'_>) -> f64 {
        let shifted = nearest(part, Written::Computed, conversion.power);
        self.shifted_in_base(row, shifted, conversion)
    }

    /// A number that a value of this row was computed from, in the value's tidied unit.
    pub(super) fn part_tidied(&self, row: usize, part: f64, spelling: SpellingId) -> f64 {
        let of = &self.spellings[spelling.at()];
        let number = match &of.quantity {
            Quantity::Unit(_) => part,
            Quantity::Metric(declared) => {
                let base = self.part_in_base(row, part, self.conversion(spelling));
                declared.in_spelling(base)
            }
        };
        nearest(number, Written::Computed, of.power)
    }

    #[inline]
    #[allow(clippy::cast_precision_loss)] // a count of calls
    fn shifted_in_base(&self, row: usize, shifted: f64, conversion: Conversion<'_>) -> f64 {
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
            None => (self.values.number(index), self.values.written(index)),
        }
    }

    /// A value of a metric in the unit that its spelling names; absent where it is written in that.
    fn converted(&self, value: Value) -> Option<f64> {
        match &self.spellings[value.spelling.at()].quantity {
            Quantity::Unit(_) => None,
            Quantity::Metric(declared) => Some(declared.in_spelling(self.base(value))),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dataset::{Parsed, parse};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5000, failure_persistence: None, ..ProptestConfig::default() })]
        /// Would catch a number that is not the one that was read, or that is shifted with two roundings.
        #[test]
        fn numbers_are_kept_to_the_bit(
            text in "-?(0|[1-9][0-9]{0,14}|00[0-9]|429496729[0-9])(\\.[0-9]{0,8})?([eE][+-]?[0-9])?",
            power in -20_i32..20,
            computed in any::<f64>(),
        ) {
            let Ok(Parsed::Finite(number, written)) = parse(&text) else { panic!("{text}") };
            let mut values = Values::default();
            values.texts.insert(0, text.as_str().into());
            values.push(number, written);
            values.push(if computed.is_finite() { computed } else { -0.0 }, Written::Computed);
            prop_assert_eq!(values.number(0).to_bits(), number.to_bits());
            prop_assert_eq!(values.written(0), written);
            prop_assert_eq!(values.written(1), Written::Computed);
            prop_assert!(computed.to_bits() == values.number(1).to_bits() || !computed.is_finite());
            let shifted = match written {
                Written::Text => number::shifted(&text, power).unwrap_or(number),
                _ => nearest(number, written, power),
            };
            prop_assert_eq!(values.shifted(0, power).to_bits(), shifted.to_bits());
        }
    }

    /// Would catch numbers as they mostly are kept as more than their digits.
    #[test]
    fn plain_numbers_are_their_digits() {
        let mut values = Values::default();
        for text in ["0", "399491", "1021.25", "0.007", "4294967295", "42949672.95"] {
            let Ok(Parsed::Finite(number, written)) = parse(text) else { panic!("{text}") };
            values.push(number, written);
        }
        assert_eq!((values.len(), values.others.len()), (6, 0));
        assert_eq!(values.written, [0, 0, 2, 3, 0, 2]);
        values.push(4_294_967_296.0, Written::Decimals(0));
        values.push(-0.0, Written::Decimals(0));
        assert_eq!(values.others.len(), 2);
    }
}
