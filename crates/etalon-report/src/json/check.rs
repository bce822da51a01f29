//! The outcome of a check, with the place of each of its findings.
//!
//! Refuses to judge: whoever checks does.

use etalon_core::notes::Note;
use serde::Serialize;

use super::layout::Index;
use super::parts::Ordered;
use super::place::Place;
use crate::words::note_sentence;

/// A finding of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The remark.
    pub note: Note,
    /// Where in the tables it is, if it is there.
    pub place: Option<Place>,
}

/// The outcome of checks.
#[derive(Debug, Clone, Copy)]
pub struct CheckOutcome<'a> {
    /// The exit code that it leads to.
    pub exit: u8,
    /// Why it has not passed.
    pub failed: &'a [Finding],
    /// Findings that passed without having been checked.
    pub unchecked: &'a [Finding],
}

/// The outcome of `--fail-on`, `--new` and `--require`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Check<'a> {
    /// Whether all of it holds.
    passed: bool,
    /// The exit code that it leads to: 0, 1, or 3 where it failed only because something is unclear.
    exit: u8,
    /// Why it has not passed.
    failed: Vec<CheckFinding<'a>>,
    /// All that it says nothing about: new benchmarks, units without a direction, unclear rows that `worse` passes.
    unchecked: Vec<CheckFinding<'a>>,
}

/// A finding of a check.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CheckFinding<'a> {
    /// Its kind; codes do not change.
    #[cfg_attr(test, schemars(extend("enum" = super::codes::check_codes())))]
    code: &'static str,
    /// The unit that it is about.
    unit: Option<&'a str>,
    /// The values of the keys of its place; `null` of the whole unit, or of all.
    labels: Option<Ordered<'a, Option<&'a str>>>,
    /// The `id` of the benchmark there; `null` of one that is missing.
    benchmark: Option<usize>,
    /// The `id` of the comparison there.
    comparison: Option<usize>,
    /// In words, which may change.
    text: String,
}

impl<'a> Check<'a> {
    pub(super) fn new(outcome: CheckOutcome<'a>, index: &Index<'_>) -> Check<'a> {
        let CheckOutcome { exit, failed, unchecked } = outcome;
        let found = |finding: &'a Finding| CheckFinding::new(finding, index);
        Check {
            passed: exit == 0,
            exit,
            failed: failed.iter().map(found).collect(),
            unchecked: unchecked.iter().map(found).collect(),
        }
    }
}

impl<'a> CheckFinding<'a> {
    fn new(Finding { note, place }: &'a Finding, index: &Index<'_>) -> CheckFinding<'a> {
        let labels = place.as_ref().filter(|place| !place.labels.is_empty()).map(|place| {
            let labels = place.labels.iter();
            Ordered::from_pairs(labels.map(|(key, value)| (key.as_str(), value.as_deref())))
        });
        let (benchmark, comparison) = place.as_ref().map_or((None, None), |it| index.ids(it));
        let unit = place.as_ref().map(|place| place.unit.as_str());
        let text = note_sentence(note);
        CheckFinding { code: note.what.code(), unit, labels, benchmark, comparison, text }
    }
}
