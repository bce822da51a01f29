//! Filling a dataset.
//!
//! Owns the numbering of what repeats: the same name, configuration, unit or sequence of units gets the
//! same index. What the row before has is looked at first: in most data it is that again. Refuses to parse.

use super::number::Written;
use super::problem::{Problem, Reason};
use super::unit::{UnitMetadata, tidy};
use super::{Configuration, DataFile, Dataset, Name, Place, Slot, State, Writing};
use crate::strings::Symbol;

/// One place of a row to be added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry<'a> {
    /// The unit as written.
    pub unit: &'a str,
    /// The number as written; `None` if it is not finite.
    pub number: Option<(f64, Written)>,
    /// Its text.
    pub text: &'a str,
}

/// Why nothing more can be added: an index would not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

/// A number that is to be an index.
pub(super) fn index(length: usize) -> Result<u32, Full> {
    u32::try_from(length).map_err(|_| Full)
}

/// In place of a number of iterations that is kept beside the others.
pub(super) const OTHER: u32 = u32::MAX;

impl Dataset {
    /// Adds a source; its index.
    ///
    /// # Errors
    /// If there are 2³².
    pub fn add_file(&mut self, path: &str, label: &str) -> Result<u32, Full> {
        let at = index(self.files.len())?;
        let (path, label) = (path.to_owned(), label.to_owned());
        self.files.push(DataFile { path, label, ..DataFile::default() });
        Ok(at)
    }

    /// The index of a configuration, which is added if it is new.
    ///
    /// # Errors
    /// If there are 2³².
    pub fn configuration(&mut self, file: u32, entries: &[(Symbol, Symbol)]) -> Result<u32, Full> {
        let configuration = Configuration { file, entries: entries.to_vec() };
        if let Some(known) = self.index.configurations.get(&configuration) {
            return Ok(*known);
        }
        let at = index(self.configurations.len())?;
        self.configurations.push(configuration.clone());
        self.index.configurations.insert(configuration, at);
        Ok(at)
    }

    /// The index of a benchmark, which is added if it is new.
    ///
    /// # Errors
    /// If there are 2³².
    pub fn benchmark(&mut self, name: Name) -> Result<u32, Full> {
        if let Some(known) = self.index.benchmarks.get(&name) {
            return Ok(*known);
        }
        let at = index(self.benchmarks.len())?;
        self.benchmarks.push(name.clone());
        self.index.benchmarks.insert(name, at);
        Ok(at)
    }

    /// Adds a row at the end: of this benchmark and configuration, with so many iterations, at this place
    /// of its experiment. Numbers are finite, also when tidied.
    ///
    /// # Errors
    /// If there are 2³² rows or values.
    pub fn add_row<'e>(
        &mut self,
        (benchmark, configuration): (u32, u32),
        (iterations, place): (i64, Option<Place>),
        entries: impl ExactSizeIterator<Item = Entry<'e>> + Clone,
    ) -> Result<(), Full> {
        let (row, first) = (index(self.len())?, index(self.values.number.len())?);
        index(self.values.number.len() + entries.len())?;
        let shape = self.shape(entries.clone())?;
        for (place, entry) in (0_u32..).zip(entries) {
            match entry.number {
                Some((number, written)) => {
                    if written == Written::Text {
                        let at = index(self.values.number.len())?;
                        self.values.texts.insert(at, entry.text.into());
                    }
                    self.values.number.push(number);
                    self.values.written.push(written.packed());
                }
                None => {
                    self.values.absent.insert((row, place), entry.text.into());
                }
            }
        }
        self.rows.benchmark.push(benchmark);
        self.rows.configuration.push(configuration);
        self.rows.shape.push(shape);
        self.rows.first.push(first);
        let few = u32::try_from(iterations).ok().filter(|few| *few != OTHER);
        if few.is_none() {
            self.rows.other_iterations.insert(row, iterations);
        }
        self.rows.iterations.push(few.unwrap_or(OTHER));
        if place.is_some() || !self.rows.places.is_empty() {
            self.rows.places.resize(self.rows.benchmark.len() - 1, None);
            self.rows.places.push(place);
        }
        let file = self.configurations[configuration as usize].file;
        self.files[file as usize].rows += 1;
        Ok(())
    }

    /// Keeps a line about how something ended, behind the rows that are there.
    pub fn mark(&mut self, text: &str) {
        if self.marks.len() < super::MOST_MARKS
            && let Ok(rows_before) = index(self.len())
        {
            self.marks.push(super::Mark { rows_before, text: text.into() });
        }
    }

    /// The index of the sequence of units that these have.
    fn shape<'e>(
        &mut self,
        entries: impl ExactSizeIterator<Item = Entry<'e>> + Clone,
    ) -> Result<u32, Full> {
        if let Some(&last) = self.rows.shape.last() {
            let slots = &self.shapes[last as usize];
            let same = |(slot, entry): (&Slot, Entry<'_>)| {
                self.writings[slot.writing as usize].text == entry.unit
                    && (slot.state == State::Present) == entry.number.is_some()
            };
            if slots.len() == entries.len() && slots.iter().zip(entries.clone()).all(same) {
                return Ok(last);
            }
        }
        let mut slots = Vec::with_capacity(entries.len());
        for entry in entries {
            let state = if entry.number.is_some() { State::Present } else { State::Absent };
            slots.push(Slot { writing: self.writing(entry.unit)?, state });
        }
        if let Some(known) = self.index.shapes.get(&slots) {
            return Ok(*known);
        }
        let at = index(self.shapes.len())?;
        self.shapes.push(slots.clone());
        self.index.shapes.insert(slots, at);
        Ok(at)
    }

    /// The index of a unit as written.
    pub(super) fn writing(&mut self, text: &str) -> Result<u32, Full> {
        if let Some(known) = self.index.writings.get(text) {
            return Ok(*known);
        }
        let at = index(self.writings.len())?;
        let tidied = tidy(text);
        let unit = match self.index.units.get(&tidied.unit) {
            Some(known) => *known,
            None => {
                let unit = index(self.units.len())?;
                self.units.push(tidied.unit.clone());
                self.index.units.insert(tidied.unit, unit);
                unit
            }
        };
        let (power, factor) = (tidied.power, tidied.factor);
        self.writings.push(Writing { text: text.to_owned(), unit, power, factor });
        self.index.writings.insert(text.to_owned(), at);
        Ok(at)
    }

    /// Declares something about a unit. What was declared first holds, across files; another value for
    /// it, or one that a known key does not have, is a problem.
    pub fn declare(
        &mut self,
        (file, line): (u32, Option<u64>),
        written: &str,
        key: &str,
        value: &str,
    ) {
        let owned = str::to_owned;
        let unit = tidy(written).unit;
        let at = (unit.clone(), owned(key));
        if let Some(known) = self.index.metadata.get(&at) {
            let first = &self.metadata[*known].value;
            if first != value {
                let reason = Reason::Conflict {
                    unit: owned(written),
                    key: owned(key),
                    first: first.clone(),
                    second: owned(value),
                };
                self.problems.add(Problem { file, line, reason });
            }
            return;
        }
        let unknown = match key {
            "better" => !matches!(value, "lower" | "higher" | "neither"),
            "assume" => !matches!(value, "nothing" | "exact"),
            _ => false,
        };
        if unknown {
            let reason = Reason::UnknownValue { key: owned(key), value: owned(value) };
            self.problems.add(Problem { file, line, reason });
        }
        self.index.metadata.insert(at, self.metadata.len());
        let (written, key, value) = (owned(written), owned(key), owned(value));
        self.metadata.push(UnitMetadata { unit, written, key, value, file, line });
    }
}
