//! Measurements of any source as one table-friendly value: what the table engine groups, filters and
//! compares.
//!
//! Owns the rows in the order they came, each with its benchmark's name, the configuration it was
//! measured under and its values as they were written; units by name and what is declared about them;
//! and what could not be used. Plain data, filled by [`add`](Dataset::add_row) (the Go benchmark format,
//! in `etalon-record`) or from run sets ([`Dataset::add_run_set`]). Refuses to group, to filter and to
//! compute: that is the engine's; and to touch files.
//!
//! What repeats is stored once and named by its index (`u32`): a row costs 20 bytes (12 more where it
//! has a place), a value 9.
//!
//! Queries look at it through [`Measured`], which is their [`Subject`](crate::query::Subject).

mod add;
mod ending;
mod name;
mod number;
mod problem;
mod run_set;
mod subject;
mod unit;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

pub use crate::strings::{Strings, Symbol};

pub use add::{Entry, Full};
use add::{OTHER, index};
pub use ending::{Ended, Ending};
pub use name::Name;
pub use number::{NumberError, Parsed, Written, nearest, parse, plain_prefix, write_number};
pub use problem::{Problem, Problems, Reason};
pub use subject::Measured;
pub use unit::{Tidied, UnitMetadata, direction_by_name, tidy};

/// Measurements, in the order they came.
#[derive(Debug, Clone, Default)]
pub struct Dataset {
    /// Configuration keys and values.
    pub strings: Strings,
    /// The sources, in the order they were given.
    pub files: Vec<DataFile>,
    /// Every configuration some row was measured under.
    pub configurations: Vec<Configuration>,
    /// Every benchmark's name.
    pub benchmarks: Vec<Name>,
    /// Every unit, tidied: what `.unit` says.
    pub units: Vec<String>,
    /// Every unit as it was written.
    pub writings: Vec<Writing>,
    /// Every sequence of units that some row has.
    pub shapes: Vec<Vec<Slot>>,
    /// The rows.
    pub rows: Rows,
    /// The values of all rows, row by row.
    pub values: Values,
    /// What the sources declare about units, in the order declared.
    pub metadata: Vec<UnitMetadata>,
    /// What could not be used, or not as it stands there.
    pub problems: Problems,
    /// Lines of a harness about how packages ended, for writing them again.
    pub marks: Vec<Mark>,
    /// Steps of clocks, in tidied units, by benchmark, configuration and unit as written: no reading of these
    /// is known better.
    pub resolutions: HashMap<(u32, u32, u32), f64>,
    index: Index,
}

/// A source.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DataFile {
    /// Where it was read from, as the user named it; problems are told with it.
    pub path: String,
    /// What `.file` says.
    pub label: String,
    /// Lines read, 0 for a source that has none.
    pub lines: u64,
    /// Rows that came of it.
    pub rows: u64,
    /// Results whose lines were torn apart and could be put together.
    pub joined: u64,
    /// The looks at verdicts that it is the result of; absent if nobody looked.
    pub looked: Option<Looked>,
}

/// What looking at verdicts until there were some has cost data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Looked {
    /// How often.
    pub looks: u32,
    /// The significance level that all looks share, as recorded.
    pub alpha: f64,
}

/// A line of a harness about how a package or a benchmark ended, as it stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Rows that stand before it.
    pub rows_before: u32,
    /// The line.
    pub text: Box<str>,
}

/// Marks kept. Because: a file has a few for each package, and one that is damaged must not fill the
/// memory; without those beyond, what is written again reads as cut, which no check passes.
const MOST_MARKS: usize = 100_000;

/// Facts that hold for the rows measured under them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// Index into [`Dataset::files`].
    pub file: u32,
    /// Key and value, each key once, in the order they turned up.
    pub entries: Vec<(Symbol, Symbol)>,
}

/// A unit as it was written, and the tidied one it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Writing {
    /// As written, such as `ns/op`.
    pub text: String,
    /// Index into [`Dataset::units`], such as that of `sec/op`.
    pub unit: u32,
    /// The tidied number is the written one times ten to this power.
    pub power: i32,
    /// The same as a factor, as golang.org/x/perf multiplies by it.
    pub factor: f64,
}

/// One place of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Index into [`Dataset::writings`].
    pub writing: u32,
    /// Whether there is a value.
    pub state: State,
}

/// Whether a place of a row holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// It does.
    Present,
    /// A NaN or an infinity is written there: typed absent. The text is in [`Values::absent`].
    Absent,
}

/// The rows, by column; all of the same length, except `places`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// Index into [`Dataset::benchmarks`].
    pub benchmark: Vec<u32>,
    /// Index into [`Dataset::configurations`].
    pub configuration: Vec<u32>,
    /// Index into [`Dataset::shapes`].
    pub shape: Vec<u32>,
    /// Index of the first value.
    pub first: Vec<u32>,
    /// How often the operation was executed for the reading: [`Dataset::iterations`]. One number is
    /// that of all the others, which are beside it: few rows have as many.
    iterations: Vec<u32>,
    other_iterations: BTreeMap<u32, i64>,
    /// The place of each row within its file's experiment; empty if no row has one.
    pub places: Vec<Option<Place>>,
}

/// Where in an experiment a row was measured. Two rows pair only if file, block and turn are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The block.
    pub block: u32,
    /// The turn within it, where a block holds several readings of a benchmark.
    pub turn: Option<u32>,
}

/// Values, row by row, places without one left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values {
    /// Finite numbers, in the units they were written in.
    pub number: Vec<f64>,
    /// How each was written, packed: [`Values::written`].
    written: Vec<u8>,
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
}

/// One value of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// Index into [`Dataset::writings`].
    pub writing: u32,
    /// Index into [`Dataset::values`].
    pub index: u32,
}

/// Ways back from a value to its index.
#[derive(Debug, Clone, Default)]
struct Index {
    benchmarks: HashMap<Name, u32>,
    configurations: HashMap<Configuration, u32>,
    units: HashMap<String, u32>,
    writings: HashMap<String, u32>,
    shapes: HashMap<Vec<Slot>, u32>,
    metadata: HashMap<(String, String), usize>,
}

impl Dataset {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.benchmark.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.benchmark.is_empty()
    }

    /// A row's places in the order written.
    #[must_use]
    pub fn slots(&self, row: usize) -> &[Slot] {
        &self.shapes[self.rows.shape[row] as usize]
    }

    /// A row's values in the order written. A unit may occur twice.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Value> + '_ {
        let present = self.slots(row).iter().filter(|slot| slot.state == State::Present);
        let first = self.rows.first[row];
        present.zip(first..).map(|(slot, index)| Value { writing: slot.writing, index })
    }

    /// How often a row's operation was executed for the reading, as written.
    #[must_use]
    pub fn iterations(&self, row: usize) -> i64 {
        match self.rows.iterations[row] {
            OTHER => index(row).ok().and_then(|row| self.rows.other_iterations.get(&row)).copied(),
            few => Some(i64::from(few)),
        }
        .unwrap_or(0)
    }

    /// The row a value is from. O(log n).
    #[must_use]
    pub fn row_of(&self, value: Value) -> usize {
        // Of rows that begin at the same value, all but the last have none.
        self.rows.first.partition_point(|first| *first <= value.index).saturating_sub(1)
    }

    /// The index of a value's tidied unit.
    #[must_use]
    pub fn unit(&self, value: Value) -> u32 {
        self.writings[value.writing as usize].unit
    }

    /// A value in its tidied unit: the double nearest to what is written. O(1).
    #[must_use]
    pub fn number(&self, value: Value) -> f64 {
        let index = value.index as usize;
        let power = self.writings[value.writing as usize].power;
        match self.values.written(index) {
            Written::Text if power != 0 => {
                let text = self.values.texts.get(&value.index).map_or("", |text| text);
                number::shifted(text, power).unwrap_or_else(|| self.reference_number(value))
            }
            written => nearest(self.values.number[index], written, power),
        }
    }

    /// A value in its tidied unit as golang.org/x/perf computes it, with two roundings; what benchstat
    /// prints is made of these.
    #[must_use]
    pub fn reference_number(&self, value: Value) -> f64 {
        self.values.number[value.index as usize] * self.writings[value.writing as usize].factor
    }

    /// A configuration's value of a key.
    #[must_use]
    pub fn fact(&self, configuration: u32, key: &str) -> Option<&str> {
        let key = self.strings.find(key)?;
        let entries = &self.configurations[configuration as usize].entries;
        let entry = entries.iter().find(|(known, _)| *known == key);
        entry.map(|(_, value)| self.strings.text(*value))
    }

    /// The label of the file a row is from: what `.file` says.
    #[must_use]
    pub fn file(&self, row: usize) -> &str {
        let configuration = self.rows.configuration[row] as usize;
        &self.files[self.configurations[configuration].file as usize].label
    }

    /// Where in its file's experiment a row was measured, if that is known.
    #[must_use]
    pub fn place(&self, row: usize) -> Option<Place> {
        self.rows.places.get(row).copied().flatten()
    }
}
