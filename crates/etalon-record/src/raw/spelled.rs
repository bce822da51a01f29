//! Metrics that are no more than units of a foreign source, and numbers as such a source wrote them.
//!
//! Owns their names, and when a number needs its text beside it: where JSON would not give that back. Refuses to
//! know which rows they are of.

use std::collections::HashMap;

use etalon_core::dataset::{Dataset, SpellingId, Written, nearest, write_number};
use etalon_core::units::Unit;

use super::write;

/// The name of the metric of each unit as spelled, and of its second, third, … value in one row.
#[derive(Debug, Default)]
pub(crate) struct UnitMetrics(HashMap<(SpellingId, usize), String>);

impl UnitMetrics {
    /// The name of the metric of a place, which was declared.
    pub(crate) fn name(&self, place: (SpellingId, usize)) -> &str {
        &self.0[&place]
    }

    /// A metric that its source declares itself.
    pub(super) fn declared(&mut self, spelling: SpellingId, name: &str) {
        self.0.insert((spelling, 0), name.to_owned());
    }

    /// Appends the line of the metric of a place, unless there is one: named like the unit in its tidied form, as
    /// long as that is free.
    pub(crate) fn declare(
        &mut self,
        data: &Dataset,
        place: (SpellingId, usize),
        buffer: &mut Vec<u8>,
    ) {
        if self.0.contains_key(&place) {
            return;
        }
        let mut metric = data.metric(place.0);
        let spelling = &data.spellings[place.0.at()];
        let is_taken = |name: &str| self.0.values().any(|known| known == name);
        let candidates = [metric.name.clone(), spelling.text.clone()].into_iter();
        let numbered = (2..).map(|number| format!("{} ({number})", spelling.text));
        if let Some(free) = candidates.chain(numbered).find(|name| !is_taken(name)) {
            metric.name = free;
        }
        // Numbers are in the unit as spelled.
        if metric.unit.power() != Some(spelling.power) {
            metric.unit = Unit::new(&format!("({})", spelling.text));
        }
        write::spelled_metric(buffer, &metric, &spelling.text);
        self.0.insert(place, metric.name);
    }
}

/// A number of a foreign source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenNumber<'a> {
    /// In the unit as spelled.
    pub(crate) number: f64,
    /// How it was written.
    pub(crate) written: Written,
    /// Its text, where that has to be kept.
    pub(crate) kept: Option<&'a str>,
    /// Times ten to this power, it is in the tidied unit.
    pub(crate) power: i32,
}

/// Appends a number as it was written: plainly where that says as much.
pub(crate) fn number_as_written(buffer: &mut Vec<u8>, value: WrittenNumber<'_>) {
    let WrittenNumber { number, written, kept, power } = value;
    let mut text = String::new();
    match written {
        Written::Computed => return write::json(buffer, &number),
        Written::Decimals(_) | Written::Text => write_number(&mut text, number, written, kept),
    }
    if written == Written::Decimals(0) && !text.starts_with("-0") {
        return buffer.extend_from_slice(text.as_bytes());
    }
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
    let rounded_once =
        same(nearest(number, written, power), nearest(number, Written::Computed, power));
    // What is read from a plain number is written with the fewest digits.
    let mut shortest = String::new();
    write_number(&mut shortest, number, Written::Computed, None);
    if written != Written::Text && rounded_once && shortest == text {
        return write::json(buffer, &number);
    }
    write::as_written(buffer, number, &text);
}
