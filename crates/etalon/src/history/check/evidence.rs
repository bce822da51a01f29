//! Evidence for steps: what is remembered of their neighbours, which were measured against each other.
//!
//! Owns which run says something of which step. Refuses to judge: [`Finding::weighed`] does.

use etalon_core::history::{Answer, Evidence, Finding, Series, State, Unmeasured};
use etalon_core::stats::Interval;
use etalon_core::tables::Declarations;
use etalon_history::{Confirmation, Database, SeriesRow};
use etalon_report::steps::Span;

use super::LEVEL;
use crate::failure::Failure;

/// Series with their answers, in the same order.
pub(super) struct Answers<'a> {
    pub(super) rows: &'a [SeriesRow],
    pub(super) answers: &'a mut [(Series, Answer)],
    /// Changes below are none.
    pub(super) margin: f64,
    /// Whatever the project accepts.
    pub(super) declared: Option<&'a Declarations>,
}

impl Answers<'_> {
    /// Weighs steps by what is remembered of their neighbours.
    pub(super) fn remember(&mut self, database: &Database) -> Result<(), Failure> {
        for (row, (series, answer)) in self.rows.iter().zip(self.answers.iter_mut()) {
            let all = database.confirmations(row.id).map_err(Failure::new)?;
            let Ok(findings) = &mut answer.findings else { continue };
            let steps: Vec<usize> = findings.iter().map(Finding::start).collect();
            for finding in findings.iter_mut().filter(|it| it.neighbours(series).is_some()) {
                let others: Vec<usize> =
                    steps.iter().copied().filter(|at| *at != finding.start()).collect();
                if let Some(known) = about(&all, (series, finding), &others) {
                    finding.evidence = weighed(finding, known, self.margin);
                }
            }
            answer.hold(series, self.declared);
        }
        Ok(())
    }

    /// Steps that are suspected, and whose neighbours nobody has measured or tried to.
    pub(super) fn open(&self) -> Vec<Place> {
        let findings = |answer: &Answer| answer.findings.as_ref().map_or(0, Vec::len);
        let all = self.answers.iter().enumerate();
        let places = all.flat_map(|(series, (_, answer))| {
            (0..findings(answer)).map(move |finding| Place { series, finding })
        });
        places.filter(|place| self.is_open(*place)).collect()
    }

    /// Whether a step is one of them.
    pub(super) fn is_open(&self, place: Place) -> bool {
        let (series, _) = &self.answers[place.series];
        self.finding(place).is_some_and(|finding| {
            finding.state() == State::Suspected
                && finding.evidence == Evidence::Suspected
                && finding.neighbours(series).is_some()
        })
    }

    /// Says of such a step why it stays suspected.
    pub(super) fn leave(&mut self, place: Place, why: Unmeasured) {
        if !self.is_open(place) {
            return;
        }
        let (_, answer) = &mut self.answers[place.series];
        if let Some(finding) = answer.findings.iter_mut().flatten().nth(place.finding) {
            finding.evidence = Evidence::Unmeasured(why);
        }
    }

    /// The series of a step.
    pub(super) fn row(&self, place: Place) -> &SeriesRow {
        &self.rows[place.series]
    }

    /// The neighbours of a step, the earlier commit first.
    pub(super) fn neighbours(&self, place: Place) -> Option<(String, String)> {
        let (series, _) = &self.answers[place.series];
        let (before, after) = self.finding(place)?.neighbours(series)?;
        Some((before.to_owned(), after.to_owned()))
    }

    fn finding(&self, place: Place) -> Option<&Finding> {
        self.answers[place.series].1.findings.as_ref().ok()?.get(place.finding)
    }

    /// Steps that were confirmed between commits with others between them, each with the line that `typed` gives.
    pub(super) fn spans(
        &self,
        database: &Database,
        typed: impl Fn(&SeriesRow, [&str; 2]) -> String,
    ) -> Result<Vec<Span>, Failure> {
        let mut spans = Vec::new();
        for (row, (series, answer)) in self.rows.iter().zip(self.answers.iter()) {
            let confirmed = answer.changes().filter(|it| it.state() == State::Worse);
            let confirmed: Vec<_> = confirmed.filter_map(|it| it.neighbours(series)).collect();
            if confirmed.is_empty() {
                continue;
            }
            let points = database.points(row.id).map_err(Failure::new)?;
            let position = |commit: &str| points.iter().find(|it| it.commit == commit)?.position;
            for (before, after) in confirmed {
                let Some((from, to)) = position(before).zip(position(after)) else { continue };
                let commits = usize::try_from(to - from - 1).unwrap_or(0);
                if commits > 0 {
                    let (name, line) = (series.name.clone(), typed(row, [before, after]));
                    let [before, after] = [before, after].map(str::to_owned);
                    spans.push(Span { name, commits, before, after, line });
                }
            }
        }
        Ok(spans)
    }
}

/// Where a step is: in which series, and which of its findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    series: usize,
    finding: usize,
}

/// The run that says something of a step: of its neighbours, or of two commits with this step and no other between.
fn about<'c>(
    all: &'c [Confirmation],
    (series, finding): (&Series, &Finding),
    others: &[usize],
) -> Option<&'c Confirmation> {
    let (before, after) = finding.neighbours(series)?;
    let place = |commit: &str| {
        series.points.iter().position(|point| point.commit.as_deref() == Some(commit))
    };
    let is_around = |it: &&Confirmation| {
        let Some((from, to)) = place(&it.before).zip(place(&it.after)) else { return false };
        let holds = |at: usize| from < at && at <= to;
        holds(finding.start()) && !others.iter().any(|at| holds(*at))
    };
    let exact = all.iter().find(|it| it.before == before && it.after == after);
    exact.or_else(|| all.iter().find(is_around))
}

fn weighed(finding: &Finding, known: &Confirmation, margin: f64) -> Evidence {
    let interval = known.ratio.interval.filter(|(lo, hi)| *lo > 0.0 && hi.is_finite());
    match interval {
        Some((lo, hi)) => {
            let measured = Interval { lo: lo.ln(), hi: hi.ln(), level: LEVEL };
            finding.weighed(known.ratio.value.ln(), measured, margin)
        }
        None => Evidence::Unmeasured(Unmeasured::NoReadings),
    }
}
