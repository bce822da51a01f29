//! Checks of a comparison: `--fail-on`, `--checks`, `--new` and `--require`.
//!
//! Owns what comes of a check: what fails it, what is too unclear for it, and what has to be known of one that
//! passed. Refuses to pass what is missing (`absent`), what did not pass itself or cannot be read (`broken`),
//! and verdicts that are withheld (`rows`).

mod absent;
mod broken;
pub(crate) mod declared;
mod rows;
mod units;

use std::collections::HashSet;

use etalon_core::dataset::{Dataset, Problem, Reason, tidy};
use etalon_core::metrics;
use etalon_core::notes::{CheckNote, Note, NoteKind};
use etalon_core::tables::{About, Check, Force, Labels, Method, Row, Table, Tables, Threshold};
use etalon_report::json::{Finding, Place, WaiverOutcome};
use etalon_report::note_sentence;

use crate::cli::{Comparison, FailOn, NewArg};
use crate::failure::{Exit, Failure};
use declared::Declared;
pub(crate) use units::refuse_units;
pub(super) use units::{asked as asked_units, check_units, refuse_names, refuse_unmeasured};

/// Lines about one kind of thing. Because: a file of another set of benchmarks would fill the screen.
const LISTED: usize = 20;

/// Outcome of the checks.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// Checks that fail.
    failed: Vec<Finding>,
    /// Checks that unclear data leave open.
    unclear: Vec<Finding>,
    /// Findings that passed without having been checked.
    unchecked: Vec<Finding>,
    /// How many comparisons were corrected together.
    family: usize,
    /// The outcomes of the waivers of a file.
    waivers: Vec<WaiverOutcome>,
}

/// A check that is asked for, and what a project declares for it.
#[derive(Debug)]
pub(super) struct Demand {
    pub(super) check: Check,
    declared: Option<Declared>,
    /// Whether anything fails that is worse, and not only what is unclear.
    worse_fails: bool,
}

impl Checked {
    /// The exit code; a check that failed only because something is unclear has its own.
    pub(super) fn exit(&self) -> Exit {
        match (self.failed.is_empty(), self.unclear.is_empty()) {
            (false, _) => Exit::Failed,
            (true, false) => Exit::Unclear,
            (true, true) => Exit::Done,
        }
    }

    /// Why it did not pass, as a screen has room for it.
    pub(super) fn reasons(&self) -> Vec<Note> {
        in_brief(&self.not_passed())
    }

    /// Remarks about the checks, as a screen has room for them.
    pub(super) fn remarks(&self) -> Vec<Note> {
        in_brief(&self.unchecked)
    }

    /// Every finding that it did not pass for.
    pub(super) fn not_passed(&self) -> Vec<Finding> {
        [&self.failed[..], &self.unclear[..]].concat()
    }

    /// How many comparisons were corrected together.
    pub(super) fn family(&self) -> usize {
        self.family
    }

    /// The outcomes of the waivers of a file.
    pub(super) fn waivers(&self) -> &[WaiverOutcome] {
        &self.waivers
    }

    /// Every finding that it says nothing about.
    pub(super) fn unchecked(&self) -> &[Finding] {
        &self.unchecked
    }
}

/// The notes of findings: of some kinds the first ones, and how many more there are.
fn in_brief(findings: &[Finding]) -> Vec<Note> {
    let is_listed = |what: &NoteKind| {
        matches!(
            what,
            NoteKind::Check(
                CheckNote::Broken { .. }
                    | CheckNote::Negative { .. }
                    | CheckNote::WithoutDirection { .. }
                    | CheckNote::New { refused_by: None }
            )
        )
    };
    let of_kind = findings.chunk_by(|a, b| a.note.what.code() == b.note.what.code());
    let notes = of_kind.flat_map(|findings| {
        let notes: Vec<Note> = findings.iter().map(|finding| finding.note.clone()).collect();
        if is_listed(&notes[0].what) { listed(notes) } else { notes }
    });
    notes.collect()
}

/// Refuses a check that checks nothing.
pub(super) fn check(options: &Comparison) -> Result<(), Failure> {
    let is_new = options.checks.new == NewArg::Fail;
    match is_new && !are_asked(options) {
        true => Err(Failure::about("--new fail", "is part of a check: add --fail-on worse")),
        false => Ok(()),
    }
}

/// Whether checks are asked for.
pub(super) fn are_asked(options: &Comparison) -> bool {
    options.checks.are_of_rows() || !options.checks.require.is_empty()
}

/// The check that `--fail-on` and `--checks` ask for; nothing without them. Verdicts have one-sided tests also where only
/// what is unclear fails.
///
/// # Errors
/// If the file of `--checks` cannot be read, or holds nothing against anything.
pub(super) fn asked(
    options: &Comparison,
    method: &Method,
    data: &Dataset,
) -> Result<Option<Demand>, Failure> {
    let checks = &options.checks;
    if !checks.are_of_rows() {
        return Ok(None);
    }
    let threshold = |unit: Option<&str>, share, condition| {
        let about = About::unit(unit);
        Threshold { about, share, force: Force::Holds, condition }
    };
    let worse = |check: &FailOn| match check {
        FailOn::Worse { unit, share, typed } => {
            Some(threshold(unit.as_deref(), *share, format!("--fail-on {typed}")))
        }
        FailOn::Unclear => None,
    };
    let mut thresholds: Vec<Threshold> = checks.fail_on.iter().filter_map(worse).collect();
    let declared = declared::of(options, data)?;
    thresholds.extend(declared.iter().flat_map(|it| it.declarations().thresholds()));
    let worse_fails = !thresholds.is_empty();
    if !worse_fails {
        if checks.fail_on.is_empty() {
            let why = "has waivers and no threshold, so that nothing can fail: add --fail-on worse, or a [[threshold]]";
            return Err(Failure::about("--checks", why));
        }
        thresholds.push(threshold(None, None, UNCLEAR.to_owned()));
    }
    let level = options.judging.confidence.unwrap_or(1.0 - 2.0 * method.criteria.one_sided_alpha());
    let check = Check { level: level.clamp(0.5, 0.999_999), thresholds };
    Ok(Some(Demand { check, declared, worse_fails }))
}

/// The condition that nothing may be unclear.
const UNCLEAR: &str = "--fail-on unclear";

/// Whether a table is of what etalon reads only of executions that waited for a CPU.
fn is_sometimes_read(table: &Table) -> bool {
    let metric = table.unit.strip_suffix("-sec/op");
    metric.is_some_and(|name| [metrics::CPU_WAIT, metrics::CPU_WAIT_MAX].contains(&name))
}

fn tidied(unit: &str) -> String {
    tidy(unit).unit
}

/// Executes the checks that are asked for; nothing comes of it if none is.
pub(super) fn checked(
    options: &Comparison,
    asked: Option<&Demand>,
    (tables, data): (&Tables, &Dataset),
) -> Checked {
    let mut checked = Checked::default();
    if !are_asked(options) {
        return checked;
    }
    if let Some(asked) = asked {
        rows::check(options, asked, tables, &mut checked);
    }
    absent::check(options, tables, &mut checked);
    broken::check(options, tables, data, &mut checked);
    for list in [&mut checked.failed, &mut checked.unclear, &mut checked.unchecked] {
        let mut seen = HashSet::new();
        list.retain(|finding| seen.insert(note_sentence(&finding.note)));
    }
    checked
}

/// How packages and benchmarks ended that did not pass, with their places.
pub(super) fn endings(data: &Dataset) -> Vec<Note> {
    let has_ended = |problem: &&Problem| match &problem.reason {
        Reason::Ended(ended) => !ended.is_cut(),
        _ => false,
    };
    let ended = data.problems.listed.iter().filter(has_ended);
    listed(ended.map(|problem| broken_at(data, problem)).collect())
}

/// A note about a place.
fn note(about: impl Into<String>, what: CheckNote) -> Note {
    Note { about: about.into(), what: NoteKind::Check(what) }
}

/// A problem at its file and line.
fn broken_at(data: &Dataset, Problem { run_set, line, reason }: &Problem) -> Note {
    let line = line.map_or(String::new(), |line| format!(":{line}"));
    let about = format!("{}{line}", data.run_sets[run_set.at()].label);
    note(about, CheckNote::Broken { reason: reason.to_string() })
}

/// The first of them, and how many more there are.
fn listed(mut notes: Vec<Note>) -> Vec<Note> {
    let count = notes.len().saturating_sub(LISTED);
    notes.truncate(LISTED);
    notes.extend((count > 0).then(|| note("", CheckNote::More { count })));
    notes
}

fn label(labels: &Labels) -> String {
    labels.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Where something is that a check found, in words and as documents have it.
struct Spot {
    words: String,
    place: Option<Place>,
}

impl Spot {
    /// Where a cell is, or would be; of all rows without one.
    fn new((tables, table): (&Tables, &Table), row: Option<&Row>, column: &Labels) -> Spot {
        let row = row.map(|row| &row.labels);
        let names = [
            label(&table.labels),
            row.map_or(String::new(), label),
            table.unit.clone(),
            label(column),
        ];
        let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
        Spot { words: names.join(", "), place: Some(Place::new(tables, table, row, column)) }
    }

    /// Somewhere in a unit.
    fn in_unit(words: String, unit: &str) -> Spot {
        Spot { words, place: Some(Place::whole_unit(unit)) }
    }

    /// Not in tables.
    fn nowhere(words: &str) -> Spot {
        Spot { words: words.to_owned(), place: None }
    }

    fn finding(self, what: CheckNote) -> Finding {
        Finding { note: note(self.words, what), place: self.place }
    }
}
