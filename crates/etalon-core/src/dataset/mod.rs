//! The one model of measured data: what every reader fills and every report, table and writer takes.
//!
//! Owns run sets with all that their sources say of themselves; the rows in the order they came, each with
//! its benchmark, the configuration it was measured under, its place in the experiment, how it ended, and
//! its values as they were written; units and metrics; and what could not be used. Plain data, filled by
//! [`add_row`](Dataset::add_row). Refuses to filter and to compute, and to touch files.
//!
//! A repeated thing is stored once and named by its index, of a type of its own ([`ids`]): a row costs 4 bytes for each
//! of block, turn and iterations that its source has, 4 where rows of several series are mixed, and 4 where rows differ
//! in how many values they have; a value costs 4 or 5, or 13 where it is negative, computed, or longer than nine digits
//! or so.
//!
//! Two ways lead to samples: [`groups`](Dataset::groups) (benchmark by benchmark, for reports) and the table
//! engine, which looks at single values through [`Measured`], the [`Subject`](crate::query::Subject) of
//! queries. Both end in [`Dataset::sample`].

mod add;
mod alpha_spent;
mod builds;
mod compact;
mod copies;
mod declarations;
mod ending;
mod equal;
mod excerpt;
mod facts;
mod group;
pub mod history;
mod idle;
pub mod ids;
mod load;
mod measured;
mod metric;
mod name;
mod number;
mod problem;
mod rows;
mod runs;
mod samples;
mod unit;
mod values;
mod waiting;

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU64;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::model::{Benchmark, Outcome, OutcomeCounts};
use crate::run_set::RunSet;
pub use crate::strings::{Strings, Symbol};

pub use add::Entry;
use builds::BuildReadings;
pub(crate) use copies::{Likeness, Print, WholeRuns};
pub use declarations::{GROUP, SUITE};
pub use ending::{Ended, Ending};
pub use equal::{numbers, with_number};
pub use facts::MACHINE;
pub use group::Group;
use history::History;
pub(crate) use idle::{does_nothing, smallest};
pub use ids::{
    BenchmarkId, ConfigurationId, Full, RunSetId, SchemaId, SeriesId, SpellingId, UnitId,
};
pub use load::{ChangingLoad, Waiting};
pub use measured::Measured;
pub use metric::Quantity;
pub use name::Name;
pub use number::{
    NumberError, Parsed, Written, nearest, parse, plain_number, plain_prefix, write_number,
};
pub use problem::{Problem, Problems, Reason};
pub use rows::{Execution, Place, Rows};
pub use runs::{RunOf, RunStart};
pub use samples::Column;
pub use unit::{Tidied, UnitMetadata, direction_by_name, tidy};
pub(crate) use values::InUnit;
pub use values::{Value, Values};

/// Measured data, in the order they came.
#[derive(Debug, Clone, Default)]
pub struct Dataset {
    /// Configuration keys and values.
    pub strings: Strings,
    /// The account that each source gives of itself, in the order they were given.
    pub run_sets: Vec<RunSet>,
    /// Every configuration some row was measured under.
    pub configurations: Vec<Configuration>,
    /// Every benchmark of every run set.
    pub benchmarks: Vec<DeclaredBenchmark>,
    /// Every unit, tidied: what `.unit` says.
    pub units: Vec<String>,
    /// Every unit as it was written, and every metric as it was declared.
    pub spellings: Vec<UnitSpelling>,
    /// Every sequence of fields that some row has.
    pub schemas: Vec<Vec<Field>>,
    /// Combinations of benchmark, configuration and schema that rows share.
    pub series: Vec<Series>,
    /// All observations, column by column.
    pub rows: Rows,
    /// Where runs begin in sources that hold several, ascending.
    pub run_starts: Vec<RunStart>,
    /// The values of all rows, row by row.
    pub values: Values,
    /// Declarations of units, in the order declared.
    pub metadata: Vec<UnitMetadata>,
    /// Problems: lines that could not be used, or not as they stand there.
    pub problems: Problems,
    /// Earlier runs of the same benchmarks, for how much they scatter.
    pub history: History,
    /// Lines of a harness about how packages ended, for writing them again.
    pub marks: Vec<Mark>,
    /// The readings of builds behind values that stand for several.
    build_readings: BuildReadings,
    index: Index,
}

/// A line of a harness about how a package or a benchmark ended, as it stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Rows that stand before it.
    pub rows_before: u32,
    /// The line as written.
    pub text: Box<str>,
}

/// Facts that hold for the rows measured under them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// Whose they are.
    pub run_set: RunSetId,
    /// Key and value, each key once, in the order they turned up.
    pub entries: Vec<(Symbol, Symbol)>,
}

/// A benchmark of a run set.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredBenchmark {
    /// Whose it is.
    pub run_set: RunSetId,
    /// Its name in pieces, with its parameters, as queries see it.
    pub name: Name,
    /// Its declaration; absent where that is no more than a name.
    pub benchmark: Option<Arc<Benchmark>>,
    /// Counts of its executions beside its rows; absent for none.
    pub tally: Option<Box<Tally>>,
}

/// Counts of a benchmark's executions that are not kept of each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// How those of the warm-up ended.
    pub warmup_outcomes: OutcomeCounts,
    /// The batches of the warm-up, in the order they were made.
    pub warmups: Vec<WarmupBatch>,
    /// Descendants that had to be killed, over all executions.
    pub orphans: u64,
    /// How many executions left any behind.
    pub with_orphans: u64,
    /// The message of the first that does not count and said anything, with its row.
    pub said: Option<(u32, String)>,
    /// Text that its processes printed.
    pub printed: Vec<ProcessOutput>,
    /// Traces that a JIT compiler gave up in its processes.
    pub aborts: Vec<TraceAborts>,
}

/// A batch of a warm-up: calls of a case, or one execution of a command.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmupBatch {
    /// Of a case the block, and so the process; executions of commands are in blocks of the warm-up alone, from 0.
    pub block: u32,
    /// Calls in it; 1 of a command.
    pub calls: NonZeroU64,
    /// Seconds that all of them took.
    pub seconds: f64,
}

impl WarmupBatch {
    /// Seconds per call.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // a count of calls
    pub fn per_call(&self) -> f64 {
        self.seconds / self.calls.get() as f64
    }
}

/// Traces that a JIT compiler gave up for one reason in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceAborts {
    /// Why, in its words.
    pub reason: String,
    /// Where it was recording: `file:line` of the code, or what else is there.
    pub at: String,
    /// How often, over all processes.
    pub count: u64,
    /// Processes in which it did.
    pub processes: u32,
}

/// Text that processes of a benchmark printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessOutput {
    /// All that one of them printed, lossy where it was not UTF-8.
    pub text: String,
    /// How many printed the same.
    pub processes: u32,
}

/// A unit as it was written, and the tidied one it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitSpelling {
    /// As written, such as `ns/op`.
    pub text: String,
    /// The tidied one, such as `sec/op`.
    pub unit: UnitId,
    /// The tidied number is the written one times ten to this power.
    pub power: i32,
    /// That power as a factor, as golang.org/x/perf multiplies by it.
    pub factor: f64,
    /// The quantity measured in it.
    pub quantity: Quantity,
}

/// The part of a row that others have, too: benchmark, configuration, and which units it has values in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Series {
    /// The benchmark of all its rows.
    pub benchmark: BenchmarkId,
    /// The configuration lines in force.
    pub configuration: ConfigurationId,
    /// The units, in the order written.
    pub schema: SchemaId,
}

/// One place of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field {
    /// The unit, as written.
    pub spelling: SpellingId,
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

/// Ways back from what is stored once to its index.
#[derive(Debug, Clone, Default)]
struct Index {
    benchmarks: HashMap<(RunSetId, Name), BenchmarkId>,
    configurations: HashMap<Configuration, ConfigurationId>,
    units: FxHashMap<String, UnitId>,
    spellings: FxHashMap<String, SpellingId>,
    schemas: HashMap<Vec<Field>, SchemaId>,
    /// Asked for almost every row.
    series: FxHashMap<Series, SeriesId>,
    /// Of each unit the few that are declared of it.
    metadata: FxHashMap<String, Vec<usize>>,
}

impl Dataset {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The series of a row.
    #[must_use]
    pub fn series_of(&self, row: usize) -> Series {
        self.series[self.rows.series(row).at()]
    }

    /// The name of a row's benchmark.
    #[must_use]
    pub fn name_of(&self, row: usize) -> &Name {
        &self.benchmarks[self.series_of(row).benchmark.at()].name
    }

    /// The number of processors that Go puts behind the name of a row's benchmark; absent where it puts none.
    pub(crate) fn processors_of(&self, row: usize) -> Option<u32> {
        let one = self.run_sets[self.run_set_of(row).at()].one_processor;
        self.name_of(row).processors().filter(|_| !one)
    }

    /// Whether Go ran a run set on one processor, so that `UTF-8` there is `UTF-8-8` on eight: some name of a result
    /// ends without a number, and no name that ends in one is there without it, as `-cpu 1,8` would have it. Results
    /// without their package are lines chosen by hand, maybe of several runs: nothing follows from them.
    #[must_use]
    pub fn is_of_one_processor(&self, run_set: RunSetId) -> bool {
        let of_set = |of: &&Series| self.benchmarks[of.benchmark.at()].run_set == run_set;
        // What ended without a result is called as its package, or as a function, which has no number either.
        let has_results = |of: &&Series| !self.schemas[of.schema.at()].is_empty();
        let own = || self.series.iter().filter(of_set).filter(has_results);
        let names = || own().map(|of| &self.benchmarks[of.benchmark.at()].name);
        let is_bare = |name: &&Name| name.processors().is_none();
        let bare: BTreeSet<&str> = names().filter(is_bare).map(Name::full).collect();
        let mut numbered = names().filter_map(Name::split_processors).peekable();
        !bare.is_empty()
            && numbered.peek().is_some()
            && numbered.all(|(name, _)| !bare.contains(name))
            && own().all(|of| self.fact(of.configuration, history::PACKAGE).is_some())
    }

    /// The run set a row is from.
    #[must_use]
    pub fn run_set_of(&self, row: usize) -> RunSetId {
        self.configurations[self.series_of(row).configuration.at()].run_set
    }

    /// A row's places in the order written.
    #[must_use]
    pub fn fields(&self, row: usize) -> &[Field] {
        &self.schemas[self.series_of(row).schema.at()]
    }

    /// A row's values in the order written. A unit may occur twice.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Value> + '_ {
        let present = self.fields(row).iter().filter(|field| field.state == State::Present);
        let first = self.rows.first(row);
        present.zip(first..).map(|(field, index)| Value { spelling: field.spelling, index })
    }

    /// The index of a value's tidied unit.
    #[must_use]
    pub fn unit(&self, value: Value) -> UnitId {
        self.spellings[value.spelling.at()].unit
    }

    /// A configuration's value of a key.
    #[must_use]
    pub fn fact(&self, configuration: ConfigurationId, key: &str) -> Option<&str> {
        let key = self.strings.find(key)?;
        let entries = &self.configurations[configuration.at()].entries;
        let entry = entries.iter().find(|(known, _)| *known == key);
        entry.map(|(_, value)| self.strings.text(*value))
    }

    /// The label of the source a row is from: what `.file` says.
    #[must_use]
    pub fn file(&self, row: usize) -> &str {
        &self.run_sets[self.run_set_of(row).at()].label
    }

    /// The rows whose execution failed, was killed or timed out, and does not count for that; ascending.
    pub(crate) fn lost(&self) -> impl Iterator<Item = usize> {
        let rows = self.rows.not_ok().filter(|(_, outcome)| outcome.is_failure());
        rows.map(|(row, _)| row).filter(|row| !self.counts(*row))
    }

    /// Whether something failed that does not count. That something is not installed, skipped or not asked for is no
    /// failure.
    #[must_use]
    pub fn has_failures(&self) -> bool {
        let fails =
            |(row, outcome): (usize, &Outcome)| outcome.fails_its_run() && !self.counts(row);
        self.rows.not_ok().any(fails)
    }

    /// Whether a row's execution counts: its outcome is accepted. One that does not has no values.
    #[must_use]
    pub fn counts(&self, row: usize) -> bool {
        let outcome = self.rows.outcome(row);
        let declared = &self.benchmarks[self.series_of(row).benchmark.at()].benchmark;
        match declared {
            Some(benchmark) => benchmark.accept.accepts(outcome),
            None => *outcome == Outcome::Ok,
        }
    }

    /// Gives back memory that growing columns hold in reserve.
    pub fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
        self.values.shrink_to_fit();
    }
}
