//! Notes as data: remarks that every report makes, with their numbers. `etalon-report` words them, in one place.
//!
//! A file a kind of thing that notes are about. Owns the codes that programs read, and which notes change how an answer
//! is read. Refuses words, and to decide how often one is shown.

mod cases;
mod cells;
mod checks;
mod codes;
mod comparisons;
mod design;
mod executions;
mod metrics;
mod runs;
mod sides;

pub use cases::{CaseNote, Course, Growth, PassedReason, RuntimeNote};
pub use cells::{CellNote, ColumnNote, Difference, Need};
pub use checks::{Change, CheckNote, NotWaivedReason, UncomparedReason, WithheldReason};
pub use comparisons::{ComparisonNote, MeansTest};
pub use design::DesignNote;
pub use executions::{ExecutionNote, Failing};
pub use metrics::MetricNote;
pub use runs::{cut_short, load_changed, often_waited};
pub use sides::{
    BenchmarksOf, BuiltSide, KeptBuilds, ListedFiles, Moved, OpenedFiles, SidesNote, Visible,
};

use crate::model::{self, NoteCode};

/// A remark about something, said once by every report. Several may say the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// The subject: a benchmark, a comparison, a part of the experiment, a place in a table.
    pub about: String,
    /// The remark.
    pub what: NoteKind,
}

/// The remark. Cells and comparisons of tables have it without a subject, which is the place where they stand.
#[derive(Debug, Clone, PartialEq)]
pub enum NoteKind {
    /// A remark recorded with the data, in the words of then.
    Recorded {
        /// The words.
        text: String,
        /// Its kind, where something follows from it.
        code: Option<NoteCode>,
    },
    /// Of a benchmark's executions.
    Executions(ExecutionNote),
    /// Of a metric of a benchmark.
    Metric(MetricNote),
    /// Of the design of the experiment.
    Design(DesignNote),
    /// Of a comparison.
    Comparison(ComparisonNote),
    /// Of what the runtime had to do without.
    Runtime(RuntimeNote),
    /// Of a case.
    Case(CaseNote),
    /// Of a cell.
    Cell(CellNote),
    /// Of a column.
    Column(ColumnNote),
    /// Of two sides of a project.
    Sides(SidesNote),
    /// Of a check.
    Check(CheckNote),
}

impl From<&model::Note> for Note {
    fn from(model::Note { about, text, code }: &model::Note) -> Note {
        let what = NoteKind::Recorded { text: text.clone(), code: *code };
        Note { about: about.clone(), what }
    }
}

impl NoteKind {
    /// The code that programs read.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            NoteKind::Recorded { code: None, .. } => codes::RECORDED,
            NoteKind::Recorded { code: Some(code), .. } => code.word(),
            NoteKind::Executions(note) => note.code(),
            NoteKind::Metric(note) => note.code(),
            NoteKind::Design(note) => note.code(),
            NoteKind::Comparison(note) => note.code(),
            NoteKind::Runtime(note) => note.code(),
            NoteKind::Case(note) => note.code(),
            NoteKind::Cell(note) => note.code(),
            NoteKind::Column(note) => note.code(),
            NoteKind::Sides(note) => note.code(),
            NoteKind::Check(note) => note.code(),
        }
    }

    /// Whether it changes how the answer of a ranking is read; the others say how numbers came about.
    #[must_use]
    pub fn changes_reading(&self) -> bool {
        match self {
            NoteKind::Executions(note) => !matches!(note, ExecutionNote::SharedCounters { .. }),
            NoteKind::Metric(note) => matches!(
                note,
                MetricNote::NearResolution
                    | MetricNote::LauncherFloor { .. }
                    | MetricNote::Varies { .. }
            ),
            // That nodes disagree stands before the answer.
            NoteKind::Comparison(note) => !matches!(
                note,
                ComparisonNote::Disagreement { .. } | ComparisonNote::NodesDisagree(_)
            ),
            NoteKind::Runtime(note) => matches!(note, RuntimeNote::ClockOfProcess),
            // A tenth more or less is another number.
            NoteKind::Case(
                CaseNote::FindsStrings { alloc, bytes } | CaseNote::GivesBack { alloc, bytes },
            ) => *bytes > 0.1 * alloc,
            NoteKind::Case(note) => matches!(
                note,
                CaseNote::PassedOver { .. }
                    | CaseNote::OptimisedAway
                    | CaseNote::MostlyClock { .. }
                    | CaseNote::Slows
                    | CaseNote::GetsFaster
                    | CaseNote::Course { .. }
                    | CaseNote::GrowsWithBatch(_)
                    | CaseNote::Compiles
                    | CaseNote::Interpreted { .. }
                    | CaseNote::CollectorOff
            ),
            NoteKind::Recorded { .. }
            | NoteKind::Design(_)
            | NoteKind::Cell(_)
            | NoteKind::Column(_)
            | NoteKind::Sides(_)
            | NoteKind::Check(_) => true,
        }
    }
}
