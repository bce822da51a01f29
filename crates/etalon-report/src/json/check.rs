//! The outcome of a check, with the place of each of its findings.
//!
//! Refuses to judge: whoever checks does.

use etalon_core::notes::Note;
use etalon_core::tables::{Force, Threshold, Waiver};
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
    /// How many comparisons were corrected together.
    pub family: usize,
    /// What rows were held against.
    pub thresholds: &'a [Threshold],
    /// What became of waivers.
    pub waivers: &'a [WaiverOutcome],
    /// Why it has not passed.
    pub failed: &'a [Finding],
    /// Findings that passed without having been checked.
    pub unchecked: &'a [Finding],
}

/// What became of a waiver.
#[derive(Debug, Clone, PartialEq)]
pub struct WaiverOutcome {
    /// The waiver.
    pub waiver: Waiver,
    /// What became of it.
    pub state: WaiverState,
}

/// What became of a waiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WaiverState {
    /// It accepted a row that is worse.
    Used,
    /// Nothing that it is about is worse.
    Unused,
    /// A row is worse than it accepts.
    Exceeded,
    /// Its last day is over.
    Expired,
    /// The head's file alone has it: it accepts nothing.
    OfHead,
}

/// A threshold of a check.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CheckThreshold<'a> {
    /// As it was asked for.
    condition: &'a str,
    /// The benchmarks, by a name or `/re/`; `null` of all.
    benchmark: Option<String>,
    /// The unit; `null` of every unit with a direction.
    unit: Option<&'a str>,
    /// How much worse, as a share; `null` where the margin is what counts as the same.
    at_most: Option<f64>,
    /// Whether the head's file alone has it: it tightens, and loosens nothing.
    of_head: bool,
}

/// A waiver of a check.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CheckWaiver<'a> {
    /// The benchmarks, by a name or `/re/`.
    benchmark: Option<String>,
    /// The unit; `null` of every unit.
    unit: Option<&'a str>,
    /// The share that the far end of the interval may not exceed.
    up_to: f64,
    /// Why.
    reason: &'a str,
    /// The last day on which it holds, as YYYY-MM-DD.
    expires: String,
    /// What became of it.
    state: WaiverState,
}

/// The outcome of `--fail-on`, `--checks`, `--new` and `--require`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Check<'a> {
    /// Whether all of it holds.
    passed: bool,
    /// The exit code that it leads to: 0, 1, or 3 where it failed only because something is unclear.
    exit: u8,
    /// How many comparisons were corrected together; 0 where no row was held against anything.
    family: usize,
    /// What rows were held against, in the order in which it was asked for.
    thresholds: Vec<CheckThreshold<'a>>,
    /// What became of the waivers of a file.
    waivers: Vec<CheckWaiver<'a>>,
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
        let CheckOutcome { exit, family, thresholds, waivers, failed, unchecked } = outcome;
        let found = |finding: &'a Finding| CheckFinding::new(finding, index);
        Check {
            passed: exit == 0,
            exit,
            family,
            thresholds: thresholds.iter().map(CheckThreshold::new).collect(),
            waivers: waivers.iter().map(CheckWaiver::new).collect(),
            failed: failed.iter().map(found).collect(),
            unchecked: unchecked.iter().map(found).collect(),
        }
    }
}

impl<'a> CheckThreshold<'a> {
    fn new(threshold: &'a Threshold) -> CheckThreshold<'a> {
        let Threshold { about, share, force, condition } = threshold;
        CheckThreshold {
            condition,
            benchmark: about.benchmark.as_ref().map(ToString::to_string),
            unit: about.unit.as_deref(),
            at_most: *share,
            of_head: *force == Force::Tightens,
        }
    }
}

impl<'a> CheckWaiver<'a> {
    fn new(outcome: &'a WaiverOutcome) -> CheckWaiver<'a> {
        let Waiver { about, up_to, reason, expires } = &outcome.waiver;
        CheckWaiver {
            benchmark: about.benchmark.as_ref().map(ToString::to_string),
            unit: about.unit.as_deref(),
            up_to: *up_to,
            reason,
            expires: expires.to_string(),
            state: outcome.state,
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
