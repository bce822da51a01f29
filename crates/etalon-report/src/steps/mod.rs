//! A check of a history: one screen, the worst series first, and a document for programs.
//!
//! Owns what has room on the screen. Refuses to look for steps: [`etalon_core::history`] does.

mod words;

use std::io::{self, Write};

use etalon_core::history::{Answer, Critical, FalseAlarms, Series, SeriesName, State};
use etalon_core::notes::{CheckNote, Note, NoteKind};

use crate::document::{self, Document, Part};
use crate::json::{self, CheckOutcome, HistoryDocument, Settings};
use crate::number::counted;
use crate::table::{Align, Cell, Column, Table};
use crate::text::clean;
use crate::view::View;
use crate::words::note_sentence;
use words::{Names, allowed, ends, headline, steps};
pub(crate) use words::{facts_line, title, told};

/// So many series have a line. Because: a screen has no more.
const LINES: usize = 24;

/// A check of a history, with what is needed to word it.
#[derive(Debug, Clone, Copy)]
pub struct HistoryReport<'a> {
    /// Each series with what is said of it, the worst first.
    pub answers: &'a [(Series, Answer)],
    /// How many false alarms are allowed.
    pub allowed: FalseAlarms,
    /// How far a step has to stand out for that.
    pub critical: Critical,
    /// The outcome of the check.
    pub outcome: CheckOutcome<'a>,
    /// Steps that were confirmed between commits that are no neighbours.
    pub spans: &'a [Span],
    /// Whether every series has a line, also what is fine.
    pub is_full: bool,
}

/// Commits that lie between two which were measured against each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// Of which series.
    pub name: SeriesName,
    /// How many.
    pub commits: usize,
    /// The commit before all of them.
    pub before: String,
    /// The one behind.
    pub after: String,
    /// The line that measures these two.
    pub line: String,
}

/// Writes the screen.
///
/// # Errors
/// Errors of the writer.
pub fn write(report: &HistoryReport<'_>, view: View, out: &mut dyn Write) -> io::Result<()> {
    for line in document::terminal(&screen(report), view) {
        writeln!(out, "{}", view.charset.spell(&line))?;
    }
    out.flush()
}

/// Writes the screen as Markdown.
///
/// # Errors
/// Errors of the writer.
pub fn markdown(report: &HistoryReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    for line in document::markdown(&screen(report)) {
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// Writes the document for programs.
///
/// # Errors
/// Errors of the writer.
pub fn json(
    report: &HistoryReport<'_>,
    settings: Settings<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let HistoryReport { answers, allowed, critical, outcome, .. } = *report;
    let headline = headline(answers);
    json::history(HistoryDocument { headline, answers, allowed, critical, outcome }, settings, out)
}

/// A page in two parts: the answer, and everything below the points that it shows.
pub(crate) fn page(report: &HistoryReport<'_>) -> (Document, Document) {
    let Document { mut parts } = screen(&HistoryReport { is_full: true, ..*report });
    let rest = parts.split_off(1);
    (Document { parts }, Document { parts: rest })
}

fn screen(report: &HistoryReport<'_>) -> Document {
    let mut parts = vec![Part::Answer(headline(report.answers))];
    let table = table(report);
    parts.extend((!table.rows.is_empty()).then(|| Part::Tables(vec![table])));
    parts.extend(rest(report).map(Part::Sentence));
    parts.push(Part::Sentence(allowed(report)));
    parts.extend(ends(report).map(Part::Sentence));
    let CheckOutcome { failed, unchecked, .. } = report.outcome;
    let notes = failed.iter().chain(unchecked).map(|finding| &finding.note);
    let notes = notes.filter(|note| !is_in_table(note)).map(note_sentence);
    let notes: Vec<String> = notes.chain(report.spans.iter().map(words::between)).collect();
    parts.extend((!notes.is_empty()).then_some(Part::Notes(notes)));
    parts.extend(words::more(report.answers).map(Part::More));
    Document { parts }
}

/// Whether a series' line says it: there may be a thousand of them.
fn is_in_table(note: &Note) -> bool {
    matches!(note.what, NoteKind::Check(CheckNote::Stale | CheckNote::TooShort { .. }))
}

/// Whether a series has a line.
fn is_listed(report: &HistoryReport<'_>, answer: &Answer) -> bool {
    report.is_full || answer.state() != State::Fine
}

/// A line a series.
fn table(report: &HistoryReport<'_>) -> Table {
    let names = Names::apart(report.answers);
    let columns = vec![
        Column::new("", Align::Left),
        Column::new("series", Align::Left),
        Column::new("points", Align::Right),
        Column::new("changes", Align::Left),
    ];
    let row = |(series, answer): &(Series, Answer)| {
        vec![
            Cell::words(answer.state().name()),
            Cell::words(clean(&names.name(&series.name))),
            Cell::words(series.points.len().to_string()),
            Cell::words(steps(series, answer)),
        ]
    };
    let most = if report.is_full { usize::MAX } else { LINES };
    let listed = report.answers.iter().filter(|(_, answer)| is_listed(report, answer));
    Table { columns, rows: listed.take(most).map(row).collect(), ..Table::default() }
}

/// How many series have no line.
fn rest(report: &HistoryReport<'_>) -> Option<String> {
    if report.is_full {
        return None;
    }
    let listed = report.answers.iter().filter(|(_, answer)| is_listed(report, answer)).count();
    let fine = report.answers.len() - listed;
    let more = listed.saturating_sub(LINES);
    let fine = (fine > 0).then(|| format!("{} fine", counted(fine, "series is", "series are")));
    let more = (more > 0).then(|| format!("{} no line here: --full", counted(more, "has", "have")));
    let both: Vec<String> = fine.into_iter().chain(more).collect();
    (!both.is_empty()).then(|| format!("{}.", both.join("; ")))
}
