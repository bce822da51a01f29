//! Filling a dataset.
//!
//! Owns the numbering of what repeats: the same name, configuration, unit or sequence of units gets the
//! same index. What the row before has is looked at first: in most data it is that again. Refuses to parse.

use super::ids::{
    BenchmarkId, ConfigurationId, Full, RunSetId, SchemaId, SeriesId, SpellingId, UnitId,
};
use super::number::Written;
use super::problem::{Problem, Reason};
use super::unit::{UnitMetadata, tidy};
use super::{
    Configuration, Dataset, DeclaredBenchmark, Execution, Field, Mark, Name, Quantity, Series,
    State, UnitSpelling,
};
use crate::dataset::metric::OfUnit;
use crate::strings::Symbol;

/// One place of a row to be added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry<'a> {
    /// The unit it is written in.
    pub spelling: SpellingId,
    /// The number as written; `None` if it is not finite.
    pub number: Option<(f64, Written)>,
    /// Its text; not looked at where the number says how it was written.
    pub text: &'a str,
}

/// Marks kept. Because: a file has a few for each package, and one that is damaged must not fill the
/// memory; without those beyond, what is written again reads as cut, which no check passes.
const MOST_MARKS: usize = 100_000;

impl Dataset {
    /// The index of a configuration, which is added if it is new.
    ///
    /// # Errors
    /// If there are 2³².
    pub fn configuration(
        &mut self,
        run_set: RunSetId,
        entries: &[(Symbol, Symbol)],
    ) -> Result<ConfigurationId, Full> {
        let configuration = Configuration { run_set, entries: entries.to_vec() };
        if let Some(known) = self.index.configurations.get(&configuration) {
            return Ok(*known);
        }
        let at = ConfigurationId::new(self.configurations.len())?;
        self.configurations.push(configuration.clone());
        self.index.configurations.insert(configuration, at);
        Ok(at)
    }

    /// The index of a run set's benchmark that is no more than a name, which is added if it is new.
    ///
    /// # Errors
    /// If there are 2³².
    pub fn named_benchmark(&mut self, run_set: RunSetId, name: Name) -> Result<BenchmarkId, Full> {
        let key = (run_set, name);
        if let Some(known) = self.index.benchmarks.get(&key) {
            return Ok(*known);
        }
        let at = BenchmarkId::new(self.benchmarks.len())?;
        let name = key.1.clone();
        self.benchmarks.push(DeclaredBenchmark { run_set, name, benchmark: None, tally: None });
        self.index.benchmarks.insert(key, at);
        Ok(at)
    }

    /// Adds a row at the end: of this benchmark and configuration. Numbers are finite, also in base units.
    ///
    /// # Errors
    /// If there are 2³² rows or values.
    pub fn add_row<'e>(
        &mut self,
        (benchmark, configuration): (BenchmarkId, ConfigurationId),
        execution: Execution,
        entries: impl ExactSizeIterator<Item = Entry<'e>> + Clone,
    ) -> Result<(), Full> {
        let row = u32::try_from(self.len()).map_err(|_| Full)?;
        let first = u32::try_from(self.values.len()).map_err(|_| Full)?;
        u32::try_from(self.values.len() + entries.len()).map_err(|_| Full)?;
        let schema = self.schema(entries.clone())?;
        let series = self.series_id(Series { benchmark, configuration, schema })?;
        self.rows.push(series, first, execution)?;
        for (place, entry) in (0_u32..).zip(entries) {
            match entry.number {
                Some((number, written)) => {
                    if written == Written::Text {
                        let at = u32::try_from(self.values.len()).map_err(|_| Full)?;
                        self.values.texts.insert(at, entry.text.into());
                    }
                    self.values.push(number, written);
                }
                None => {
                    self.values.absent.insert((row, place), entry.text.into());
                }
            }
        }
        Ok(())
    }

    /// Keeps a line about how something ended, behind the rows that are there.
    pub fn mark(&mut self, text: &str) {
        if self.marks.len() < MOST_MARKS
            && let Ok(rows_before) = u32::try_from(self.len())
        {
            self.marks.push(Mark { rows_before, text: text.into() });
        }
    }

    /// The index of what a row shares with others.
    fn series_id(&mut self, series: Series) -> Result<SeriesId, Full> {
        if let Some(last) = self.rows.last_series().filter(|last| self.series[last.at()] == series)
        {
            return Ok(last);
        }
        if let Some(known) = self.index.series.get(&series) {
            return Ok(*known);
        }
        let at = SeriesId::new(self.series.len())?;
        self.series.push(series);
        self.index.series.insert(series, at);
        Ok(at)
    }

    /// The index of the sequence of units that these have.
    fn schema<'e>(
        &mut self,
        entries: impl ExactSizeIterator<Item = Entry<'e>> + Clone,
    ) -> Result<SchemaId, Full> {
        let field = |entry: Entry<'_>| Field {
            spelling: entry.spelling,
            state: if entry.number.is_some() { State::Present } else { State::Absent },
        };
        if let Some(last) = self.rows.last_series() {
            let schema = self.series[last.at()].schema;
            if self.schemas[schema.at()].iter().copied().eq(entries.clone().map(field)) {
                return Ok(schema);
            }
        }
        let fields: Vec<Field> = entries.map(field).collect();
        if let Some(known) = self.index.schemas.get(&fields) {
            return Ok(*known);
        }
        let at = SchemaId::new(self.schemas.len())?;
        self.schemas.push(fields.clone());
        self.index.schemas.insert(fields, at);
        Ok(at)
    }

    /// The index of a unit as written, which is added if it is new.
    ///
    /// # Errors
    /// If there are 2³².
    pub fn spelling(&mut self, text: &str) -> Result<SpellingId, Full> {
        if let Some(known) = self.index.spellings.get(text) {
            return Ok(*known);
        }
        let at = SpellingId::new(self.spellings.len())?;
        let tidied = tidy(text);
        let (power, factor) = (tidied.power, tidied.factor);
        let quantity = Quantity::Unit(OfUnit::new(text, &tidied.unit, power));
        let unit = self.unit_id(tidied.unit)?;
        self.spellings.push(UnitSpelling { text: text.to_owned(), unit, power, factor, quantity });
        self.index.spellings.insert(text.to_owned(), at);
        Ok(at)
    }

    /// The index of a tidied unit, which is added if it is new.
    pub(super) fn unit_id(&mut self, unit: String) -> Result<UnitId, Full> {
        if let Some(known) = self.index.units.get(&unit) {
            return Ok(*known);
        }
        let at = UnitId::new(self.units.len())?;
        self.units.push(unit.clone());
        self.index.units.insert(unit, at);
        Ok(at)
    }

    /// Declares something about a unit. What was declared first holds, across files; another value for
    /// it, or one that a known key does not have, is a problem.
    pub fn declare(
        &mut self,
        run_set: RunSetId,
        line: Option<u64>,
        written: &str,
        key: &str,
        value: &str,
    ) {
        let owned = str::to_owned;
        let unit = tidy(written).unit;
        if let Some(first) = self.declared(&unit, key).map(owned) {
            if first != value {
                let reason = Reason::Conflict {
                    unit: owned(written),
                    key: owned(key),
                    first,
                    second: owned(value),
                };
                self.problems.add(Problem { run_set, line, reason });
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
            self.problems.add(Problem { run_set, line, reason });
        }
        self.index.metadata.entry(unit.clone()).or_default().push(self.metadata.len());
        let (written, key, value) = (owned(written), owned(key), owned(value));
        self.metadata.push(UnitMetadata { unit, written, key, value, run_set, line });
    }
}
