//! The one form that every reader of a harness's results yields.
//!
//! The contract. A reader is a function of [`Source`] to [`Results`]; it changes no value, forms no mean, and drops
//! nothing without a remark. A [`Benchmark`] is what its user declared: name, parameters, and where it stands. Its
//! readings are in [`Run`]s: **a run is what was executed together** (a fork of JMH, a worker of pyperf, an invocation of
//! perf; of most harnesses the whole file is one), because iterations of one process are no independent values
//! (`docs/statistics.md`). Whoever executes a harness repeatedly takes each execution's runs as one block, and of each
//! benchmark the median of its readings as that block's value; a [`Level::Summary`] counts there as one reading.
//! Values stay in the unit that the file has them in ([`Quantity`]); a value that is no number keeps its text
//! ([`Cell::Absent`]). Readings of a run stand in the order of time, or say that they do not ([`Order`]).
//!
//! Plain data. Refuses to know any format, and datasets: the way there is `import`'s.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use etalon_core::model::{BenchmarkKey, Context, Direction, Outcome};
use etalon_core::units::{Base, Unit, is_rate};

pub use super::wire::{Cell, Refused};
use crate::raw::clipped;
pub use etalon_core::model::Level;

/// A file as a reader gets it, with what stands beside it.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The file itself first; of a directory, its files that the format is made of.
    pub parts: Vec<Part>,
}

/// A file's path, for errors and for what belongs together, and its bytes.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// As it was named, or below the directory that was.
    pub path: String,
    /// All of it, as UTF-8 without a byte order mark.
    pub text: Vec<u8>,
}

/// Everything that a file says which is data.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// The version of the harness, where the file says it.
    pub version: Option<String>,
    /// When it was started, as it is written there.
    pub started: Option<String>,
    /// Facts about machine, runtime and code, under etalon's names.
    pub facts: Context,
    /// The quantities that columns have values of.
    pub quantities: Vec<Quantity>,
    /// Benchmarks in their order.
    pub benchmarks: Vec<Benchmark>,
    /// When commits were made that benchmarks are of, in seconds since 1970, where the file says that.
    pub commit_times: BTreeMap<String, f64>,
    /// What is odd about the file or a part of it.
    pub remarks: Vec<Remark>,
    /// Quantities by name and unit: a file may have as many as it has bytes.
    pub(super) known: HashMap<(String, String), usize>,
}

/// A named quantity in the unit that the file has it in.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// etalon's name of the metric where it has one, else the harness's.
    pub name: String,
    /// A unit as etalon spells it.
    pub unit: String,
    /// Which way is better.
    pub direction: Direction,
    /// The smallest step that the source shows, in base units, where that is known.
    pub resolution: Option<f64>,
}

/// A benchmark as its user declared it, with its readings.
#[derive(Debug, Clone, Default)]
pub struct Benchmark {
    /// Name and parameters.
    pub key: BenchmarkKey,
    /// The whole command, where one was measured.
    pub command: Option<String>,
    /// The file that declares it, where that is said.
    pub file: Option<String>,
    /// Its group, where it has one.
    pub group: Option<String>,
    /// The commit, where one file holds results of several.
    pub commit: Option<String>,
    /// Whether readings are there.
    pub level: Level,
    /// The order of readings within a run.
    pub order: Order,
    /// Its runs in the order of the file.
    pub runs: Vec<Run>,
}

/// The order of readings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// As they were made.
    #[default]
    Time,
    /// Sorted by the harness: when each was made is lost.
    Sorted,
}

/// Readings that were executed together.
#[derive(Debug, Clone)]
pub struct Run {
    /// The process (fork, worker, invocation), numbered within the benchmark in the order of time. Two of one number are
    /// one run all the same: they differ in columns or in how they ended.
    pub process: u32,
    /// How it ended. One that gave no readings is a row all the same.
    pub outcome: Outcome,
    /// Calls in each reading.
    pub iterations: Iterations,
    /// Values by quantity, a cell for each reading; all of one length.
    pub columns: Vec<Column>,
}

/// Calls in a reading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Iterations {
    /// Nobody says.
    #[default]
    Unsaid,
    /// The same in all.
    Same(i64),
    /// Of each reading.
    Each(Vec<i64>),
}

impl Iterations {
    /// Those of a reading.
    #[must_use]
    pub fn of(&self, reading: usize) -> Option<i64> {
        match self {
            Iterations::Unsaid => None,
            Iterations::Same(all) => Some(*all),
            Iterations::Each(each) => each.get(reading).copied(),
        }
    }
}

/// The values of one quantity.
#[derive(Debug, Clone)]
pub struct Column {
    /// Index of the quantity.
    pub quantity: usize,
    /// A cell for each reading.
    pub cells: Vec<Cell>,
}

/// Something odd.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Which part: a benchmark, a line; empty for the whole file.
    pub about: String,
    /// The complaint.
    pub text: String,
    /// Whether something that was measured cannot be used for it.
    pub loses: bool,
}

impl Results {
    /// The index of a quantity, which is added if it is new.
    pub fn quantity(&mut self, quantity: Quantity) -> usize {
        let key = (quantity.name.clone(), quantity.unit.clone());
        let known = self.known.get(&key).copied();
        known.filter(|at| self.quantities[*at] == quantity).unwrap_or_else(|| {
            self.quantities.push(quantity);
            self.known.insert(key, self.quantities.len() - 1);
            self.quantities.len() - 1
        })
    }

    /// Adds a fact, if the file has it.
    pub fn fact(&mut self, name: &str, value: Option<impl Into<String>>) {
        if let Some(value) = value.map(Into::into).filter(|value| !value.is_empty()) {
            self.facts.insert(name.to_owned(), value);
        }
    }

    /// Leaves a reading one value of each quantity, the first: which of two is meant nobody can say.
    pub(super) fn leave_out_repeated(&mut self) {
        let mut benchmarks = std::mem::take(&mut self.benchmarks);
        for benchmark in &mut benchmarks {
            let mut repeated = BTreeSet::new();
            for run in benchmark.runs.iter_mut().filter(|run| run.columns.len() > 1) {
                let mut known: HashMap<&str, Vec<usize>> = HashMap::new();
                run.columns.retain(|column| {
                    let quantity = &self.quantities[column.quantity];
                    let of_name = known.entry(&quantity.name).or_default();
                    let is_new = !of_name.iter().any(|at| quantity.is_same(&self.quantities[*at]));
                    if is_new {
                        of_name.push(column.quantity);
                    } else {
                        repeated.insert(quantity.name.clone());
                    }
                    is_new
                });
            }
            for name in repeated {
                let about = clipped(&benchmark.key.label());
                let text = format!("a second value of {} in one reading; left out", clipped(&name));
                self.loss(&about, text);
            }
        }
        self.benchmarks = benchmarks;
    }

    /// Says what is odd, and costs nothing.
    pub fn remark(&mut self, about: &str, text: impl Into<String>) {
        let (about, text) = (about.to_owned(), text.into());
        self.remarks.push(Remark { about, text, loses: false });
    }

    /// Says what cannot be used.
    pub fn loss(&mut self, about: &str, text: impl Into<String>) {
        let (about, text) = (about.to_owned(), text.into());
        self.remarks.push(Remark { about, text, loses: true });
    }
}

impl Run {
    /// One that ended well.
    #[must_use]
    pub fn new(columns: Vec<Column>) -> Run {
        Run { process: 0, outcome: Outcome::Ok, iterations: Iterations::Unsaid, columns }
    }

    /// One without readings.
    #[must_use]
    pub fn failed(outcome: Outcome) -> Run {
        Run { outcome, ..Run::new(Vec::new()) }
    }

    /// The same of another process.
    #[must_use]
    pub fn of_process(self, number: usize) -> Run {
        Run { process: u32::try_from(number).unwrap_or(u32::MAX), ..self }
    }

    /// How many readings it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.iter().map(|column| column.cells.len()).max().unwrap_or(0)
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Quantity {
    /// Time per call of what is measured, which is better the shorter it is.
    #[must_use]
    pub fn wall(unit: &str) -> Quantity {
        Quantity::lower(etalon_core::metrics::WALL, unit)
    }

    /// One that is better the less it is.
    #[must_use]
    pub fn lower(name: &str, unit: &str) -> Quantity {
        let (name, unit) = (name.to_owned(), unit.to_owned());
        Quantity { name, unit, direction: Direction::Lower, resolution: None }
    }

    /// One that is better the more it is.
    #[must_use]
    pub fn higher(name: &str, unit: &str) -> Quantity {
        Quantity { direction: Direction::Higher, ..Quantity::lower(name, unit) }
    }

    /// Whether values of both are values of one metric.
    fn is_same(&self, other: &Quantity) -> bool {
        let (one, two) = (Unit::new(&self.unit), Unit::new(&other.unit));
        let is_of_one = one.symbol() == two.symbol() || one.power().and(two.power()).is_some();
        self.name == other.name && is_of_one && one.base() == two.base()
    }

    /// Whether a value below 0 can be no measurement: by its name, as records have it, or by its unit.
    #[must_use]
    pub fn is_amount(&self) -> bool {
        if etalon_core::metrics::NEVER_NEGATIVE.contains(&self.name.as_str()) {
            return true;
        }
        match Unit::new(&self.unit).base() {
            Base::Seconds | Base::Bytes => true,
            Base::Count => self.direction != Direction::Neither,
            Base::Other(name) => is_rate(name),
        }
    }

    /// One of which nobody says which way is better.
    #[must_use]
    pub fn neither(name: &str, unit: &str) -> Quantity {
        Quantity { direction: Direction::Neither, ..Quantity::lower(name, unit) }
    }
}

impl Source {
    /// The file itself.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.parts.first().map_or(&[], |part| &part.text)
    }

    /// The part whose path ends so, with its number.
    #[must_use]
    pub fn part(&self, end: &str) -> Option<(usize, &Part)> {
        self.parts.iter().enumerate().find(|(_, part)| part.path.ends_with(end))
    }
}
