//! A check of the series of a history, as its document has it.

use etalon_core::history::{
    self, Answer, Change, Critical, Evidence, FactChange, Origin, Series, Standing, Way,
};
use serde::Serialize;

use crate::words;

/// Series of points, one a commit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct History<'a> {
    /// Which rate of false alarms the findings have.
    false_alarms: FalseAlarms,
    /// The worst first.
    series: Vec<SeriesAnswer<'a>>,
}

impl<'a> History<'a> {
    pub(super) fn new(
        answers: &'a [(Series, Answer)],
        allowed: history::FalseAlarms,
        critical: Critical,
    ) -> History<'a> {
        let false_alarms = FalseAlarms {
            a_year: allowed.a_year(),
            series: allowed.series(),
            points_a_year: allowed.points_a_year(),
            critical: critical.value,
            holds_for: critical.series,
        };
        History { false_alarms, series: answers.iter().map(SeriesAnswer::new).collect() }
    }
}

/// A rate of false alarms of series that are looked at after every point.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FalseAlarms {
    /// So many a year are allowed.
    a_year: f64,
    /// In so many series.
    series: u32,
    /// Of so many points a year each.
    points_a_year: f64,
    /// A step counts from so many standard errors on.
    critical: f64,
    /// For so many series the rate holds: fewer where the calibration ends.
    holds_for: u32,
}

/// A series and its answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SeriesAnswer<'a> {
    /// Its project; `null` where it is not known.
    project: Option<&'a str>,
    /// Its benchmark.
    benchmark: &'a str,
    /// Its unit, or metric.
    unit: &'a str,
    /// Its branch; `null` where it is not known.
    branch: Option<&'a str>,
    /// Its machine; `null` where it is not known.
    machine: Option<&'a str>,
    /// The word for it.
    #[cfg_attr(test, schemars(extend("enum" = ["confirmed", "suspected", "drifted", "toolchain", "stale", "unusable", "too short", "known", "changed", "not confirmed", "fine"])))]
    state: &'static str,
    /// Whether it has no recent point.
    stale: bool,
    /// How many points it has.
    points: usize,
    /// The index of the first that was looked at: those before it have an anchor that was never linked.
    first: usize,
    /// Its changes, in the order of points; `null` where nothing could be looked for.
    findings: Option<Vec<Finding<'a>>>,
}

/// A change of a series.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Finding<'a> {
    /// A step, or a slow drift.
    #[cfg_attr(test, schemars(extend("enum" = ["step", "drift"])))]
    kind: &'static str,
    /// The index of the first point on the new level, or of the drift.
    at: usize,
    /// The indices between which that lies at 95 %, or the first and the last of the drift.
    between: [usize; 2],
    /// The commit at `at`.
    commit: Option<&'a str>,
    /// The new level over the one before.
    ratio: f64,
    /// The lower end of its interval.
    lo: f64,
    /// The upper end.
    hi: f64,
    /// How many standard errors a step stands out.
    statistic: Option<f64>,
    /// Which way it is.
    #[cfg_attr(test, schemars(extend("enum" = ["worse", "better", "other"])))]
    way: &'static str,
    /// The evidence for it: the series alone, or its neighbours measured in blocks for or against it, or
    /// for neither.
    #[cfg_attr(test, schemars(extend("enum" = ["suspected", "confirmed", "refuted", "unclear"])))]
    evidence: &'static str,
    /// The ends of the ratio that was measured in blocks; `null` where nothing was.
    measured: Option<[f64; 2]>,
    /// Why nothing was measured though it was to be; `null` elsewhere.
    unmeasured: Option<String>,
    /// Facts of toolchain and libraries that changed there: then it is no commit's.
    facts: Vec<FactOf<'a>>,
    /// Whether it is accepted.
    #[cfg_attr(test, schemars(extend("enum" = ["new", "not_waived", "known"])))]
    standing: &'static str,
    /// The waiver that accepts it, or does not hold.
    waiver: Option<String>,
}

/// A fact that is another one from there on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FactOf<'a> {
    /// Its key.
    key: &'a str,
    /// Its value before.
    before: Option<&'a str>,
    /// Its value since.
    after: Option<&'a str>,
}

impl<'a> SeriesAnswer<'a> {
    fn new((series, answer): &'a (Series, Answer)) -> SeriesAnswer<'a> {
        let name = &series.name;
        let findings = answer.findings.as_ref().ok();
        let all = |findings: &'a Vec<history::Finding>| {
            findings.iter().map(|finding| Finding::new(series, finding)).collect()
        };
        SeriesAnswer {
            project: name.project.as_deref(),
            benchmark: &name.benchmark,
            unit: &name.unit,
            branch: name.branch.as_deref(),
            machine: name.machine.as_deref(),
            state: answer.state().name(),
            stale: answer.is_stale,
            points: series.points.len(),
            first: answer.start,
            findings: findings.map(all),
        }
    }
}

impl<'a> Finding<'a> {
    fn new(series: &'a Series, finding: &'a history::Finding) -> Finding<'a> {
        let (kind, between) = match &finding.change {
            Change::Step { places, .. } => ("step", [*places.start(), *places.end()]),
            Change::Drift { points } => ("drift", [points.start, points.end.saturating_sub(1)]),
        };
        let (evidence, measured) = match &finding.evidence {
            Evidence::Suspected | Evidence::Unmeasured(_) => ("suspected", None),
            Evidence::Confirmed(interval) => ("confirmed", Some(interval)),
            Evidence::Refuted(interval) => ("refuted", Some(interval)),
            Evidence::Unclear(interval) => ("unclear", Some(interval)),
        };
        let unmeasured = match &finding.evidence {
            Evidence::Unmeasured(why) => Some(words::unmeasured(why)),
            _ => None,
        };
        let (standing, waiver) = match &finding.standing {
            Standing::New => ("new", None),
            Standing::NotWaived(waiver, _) => ("not_waived", Some(waiver.to_string())),
            Standing::Known(waiver) => ("known", Some(waiver.to_string())),
        };
        let facts = match &finding.origin {
            Origin::Commits => &[][..],
            Origin::Facts(changes) => changes,
        };
        let at = finding.start();
        Finding {
            kind,
            at,
            between,
            commit: series.points.get(at).and_then(|point| point.commit.as_deref()),
            ratio: finding.size.exp(),
            lo: finding.interval.lo.exp(),
            hi: finding.interval.hi.exp(),
            statistic: finding.statistic,
            way: match finding.way {
                Way::Worse => "worse",
                Way::Better => "better",
                Way::Other => "other",
            },
            evidence,
            measured: measured.map(|interval| [interval.lo.exp(), interval.hi.exp()]),
            unmeasured,
            facts: facts.iter().map(FactOf::new).collect(),
            standing,
            waiver,
        }
    }
}

impl<'a> FactOf<'a> {
    fn new(change: &'a FactChange) -> FactOf<'a> {
        let FactChange { key, before, after } = change;
        FactOf { key, before: before.as_deref(), after: after.as_deref() }
    }
}
