//! The document of tables: of two sides, of data sets, of an experiment file.

use std::collections::HashSet;
use std::io::{self, Write};

use etalon_core::analysis::Execution;
use etalon_core::notes;
use etalon_core::tables::Controls;

use super::benchmark::Benchmark;
use super::check::{Check, CheckOutcome};
use super::comparison::{Compared, Comparison};
use super::controls::Control;
use super::document::{Document, Kind};
use super::executions::Settings;
use super::layout::{Index, Paired, Table, Titled};
use super::note::Note;
use super::parts::Each;
use super::visible::write_document;

/// Tables with everything that is said beside them.
pub struct TableReport<'a> {
    /// Of two sides, or of others.
    pub kind: Kind,
    /// The answer in one line.
    pub headline: Option<String>,
    /// The runs that the data are of.
    pub executions: &'a [Execution],
    /// The settings of verdicts.
    pub settings: Settings<'a>,
    /// The tables.
    pub tables: &'a [Titled],
    /// Whether the builds of a side agree; absent without second builds.
    pub controls: Option<&'a Controls>,
    /// The outcome of a check; absent where none was asked for.
    pub check: Option<CheckOutcome<'a>>,
    /// Notes on the data as a whole.
    pub notes: &'a [notes::Note],
}

/// Writes the document of tables.
///
/// # Errors
/// Errors of the writer.
pub fn tables(report: TableReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut index = Index::default();
    let tables: Vec<Table<'_>> =
        report.tables.iter().flat_map(|titled| index.add(titled)).collect();
    let check = report.check.map(|outcome| Check::new(outcome, &index));
    let placed = std::mem::take(&mut index.notes);
    let (benchmarks, comparisons) = (&index.benchmarks[..], &index.comparisons[..]);
    let times = index.times();
    let comparison = |id: usize| {
        let it @ Paired { table, criteria, benchmarks: pair, assessment } = &comparisons[id];
        let names = pair.map(|at| benchmarks[at].label.as_str());
        let (metric, moved) = (&table.unit, it.moved(&times));
        let compared = Compared { id, metric, benchmarks: *pair, names, moved };
        Comparison::new(compared, assessment, criteria, &table.base)
    };
    let mut seen = HashSet::new();
    // A cell has its notes in every unit; most do not depend on that.
    let notes = report.notes.iter().map(Note::from_note).chain(placed);
    let notes = notes.filter(|note| seen.insert(note.clone())).collect();
    let correction = comparisons.first().map(|it| it.assessment.adjusted.correction);
    let document = Document {
        headline: report.headline,
        notes,
        benchmarks: Each::new(benchmarks.len(), |id| Benchmark::placed(id, &benchmarks[id])),
        comparisons: Each::new(comparisons.len(), comparison),
        tables,
        controls: report.controls.map(Control::all).unwrap_or_default(),
        check,
        ..Document::new(report.kind, report.executions, report.settings.corrected(correction))
    };
    write_document(&document, out)
}
