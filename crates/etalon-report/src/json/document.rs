//! The document: one shape for everything that is measured or reported.
//!
//! Owns its keys and their order: every document has them, but for those of four kinds. Refuses to know where they come from:
//! [`super::ranking`], [`super::tables`] and [`super::forecasts`] fill them in.

use etalon_core::analysis;
use etalon_core::model::Context;
use serde::Serialize;

use super::benchmark::Benchmark;
use super::bisection::Bisection;
use super::check::Check;
use super::comparison::Comparison;
use super::controls::Control;
use super::executions::{self, Execution, Settings};
use super::history::History;
use super::layout::Table;
use super::noise::Noise;
use super::note::Note;
use super::parts::Each;
use super::plan::Plan;
use super::suites::Suite;

/// The version: another one means that a field has another meaning.
const VERSION: u32 = 3;

/// The one document that `--json` prints, of every command that measures or reports. Values are in base units (`s`, `B`,
/// `count`; of times s, of shares 0 to 1) with full precision. An absent value is `null`. Later editions of this version
/// may add keys.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "A document of etalon"))]
pub(super) struct Document<'a> {
    /// Another number means that a field has another meaning.
    #[cfg_attr(test, schemars(extend("const" = 3)))]
    pub(super) version: u32,
    /// Its subject.
    pub(super) kind: Kind,
    /// The answer in one line; `null` where there is none.
    pub(super) headline: Option<String>,
    /// Facts about machine and tool of the first run, by key.
    pub(super) context: Option<&'a Context>,
    /// The settings in force.
    pub(super) settings: Settings<'a>,
    /// The seed of the first run, as a string: doubles would lose bits of it.
    pub(super) seed: Option<String>,
    /// The end of the first run; `null` if its record has none.
    #[cfg_attr(test, schemars(extend("enum" = ["runs", "precision", "decided", "budget", "failure", "interrupt", "error", null])))]
    pub(super) stopped_by: Option<String>,
    /// The runs.
    pub(super) executions: Vec<Execution<'a>>,
    /// Every note, once.
    pub(super) notes: Vec<Note>,
    /// Everything that was measured.
    pub(super) benchmarks: Each<'a, Benchmark<'a>>,
    /// Which of it was compared.
    pub(super) comparisons: Each<'a, Comparison<'a>>,
    /// Which cases are compared with each other; empty without cases.
    pub(super) suites: Vec<Suite<'a>>,
    /// How benchmarks and comparisons stand in tables; empty of a ranking.
    pub(super) tables: Vec<Table<'a>>,
    /// Each side against its own second build, by unit; empty without second builds.
    pub(super) controls: Vec<Control<'a>>,
    /// The outcome of `--fail-on`, `--new` and `--require`; `null` where none was asked for.
    pub(super) check: Option<Check<'a>>,
    /// Of kind `noise` only: the noise of identical programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) noise: Option<Noise<'a>>,
    /// Of kind `plan` only: the blocks that a comparison takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plan: Option<Plan<'a>>,
    /// Of kind `history` only: what a check says of series over time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) history: Option<History<'a>>,
    /// Of kind `bisection` only: which commit changed a metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bisection: Option<Bisection<'a>>,
}

/// The subject of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Kind {
    /// Benchmarks in an order, compared by one metric.
    Ranking,
    /// Two sides of a project.
    Sides,
    /// Data sets, or the cells of an experiment file.
    Tables,
    /// The noise of identical programs.
    Noise,
    /// The blocks that a comparison takes.
    Plan,
    /// Series over time.
    History,
    /// A search among commits.
    Bisection,
}

impl<'a> Document<'a> {
    /// One that says how it came about, and nothing else yet.
    pub(super) fn new(
        kind: Kind,
        runs: &'a [analysis::Execution],
        settings: Settings<'a>,
    ) -> Document<'a> {
        let first = runs.first();
        Document {
            version: VERSION,
            kind,
            headline: None,
            context: first.map(|run| &run.context),
            settings,
            seed: first.and_then(executions::seed),
            stopped_by: first.and_then(executions::stopped_by),
            executions: runs.iter().map(Execution::new).collect(),
            notes: Vec::new(),
            benchmarks: Each::none(),
            comparisons: Each::none(),
            suites: Vec::new(),
            tables: Vec::new(),
            controls: Vec::new(),
            check: None,
            noise: None,
            plan: None,
            history: None,
            bisection: None,
        }
    }
}
