//! The outcome of a check of a history: reasons to fail, and series of which nothing can be told.

use etalon_core::history::{Answer, Finding, Series, Standing, State, Way};
use etalon_core::notes::{Change, CheckNote, Note, NoteKind};
use etalon_core::stats::Interval;
use etalon_core::tables::{About, Check, Force, Labels, Threshold, Waiver};
use etalon_report::json::{self, WaiverOutcome, WaiverState};

use super::LEVEL;
use crate::cli::{FailOn, HistoryCheck};
use crate::compare::checks::declared::Declared;
use crate::failure::Exit;

/// Thresholds that a history is held against.
pub(super) struct Demand {
    pub(super) check: Check,
    /// Whether what is only suspected, or too short, leaves the check open.
    unclear: bool,
}

impl Demand {
    /// As `--fail-on` and `--checks` ask for it; nothing may be worse without them.
    pub(super) fn new(asked: &HistoryCheck, declared: Option<&Declared>) -> Demand {
        let threshold = |unit: Option<&str>, share, condition| Threshold {
            about: About::unit(unit),
            share,
            force: Force::Holds,
            condition,
        };
        let typed = asked.fail_on.iter().filter_map(|it| match it {
            FailOn::Worse { unit, share, typed } => {
                Some(threshold(unit.as_deref(), *share, format!("--fail-on {typed}")))
            }
            FailOn::Unclear => None,
        });
        let mut thresholds: Vec<Threshold> = typed.collect();
        thresholds.extend(declared.into_iter().flat_map(|it| it.declarations().thresholds()));
        if thresholds.is_empty() {
            thresholds.push(threshold(None, None, "worse".to_owned()));
        }
        let unclear = asked.fail_on.contains(&FailOn::Unclear);
        Demand { check: Check { level: LEVEL, thresholds }, unclear }
    }
}

/// The outcome of a check.
#[derive(Default)]
pub(super) struct Outcome {
    /// Why it has not passed: what failed, then what cannot be told.
    pub(super) failed: Vec<json::Finding>,
    /// Findings that passed, and have to be known.
    pub(super) unchecked: Vec<json::Finding>,
    /// The outcomes of waivers.
    pub(super) waivers: Vec<WaiverOutcome>,
    fails: bool,
    is_open: bool,
}

impl Outcome {
    /// Of series, the worst first.
    pub(super) fn new(
        answers: &[(Series, Answer)],
        demand: &Demand,
        declared: Option<&Declared>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let (mut used, mut beyond) = (Vec::new(), Vec::new());
        for (series, answer) in answers {
            for finding in answer.changes().filter(|it| it.way == Way::Worse) {
                match &finding.standing {
                    Standing::Known(waiver) => used.push(waiver.clone()),
                    Standing::NotWaived(waiver, _) => beyond.push(waiver.clone()),
                    Standing::New => {}
                }
                outcome.hold(series, finding, demand);
            }
            outcome.tell(series, answer, demand);
        }
        let looked_at = |answer: &Answer| answer.findings.is_ok();
        outcome.is_open |= !answers.iter().any(|(_, answer)| looked_at(answer));
        if let Some(declared) = declared {
            outcome.waivers = declared.outcomes(&used, &beyond);
            let gone = |it: &&WaiverOutcome| it.state == WaiverState::Unused;
            let told = |it: &WaiverOutcome| {
                finding("", CheckNote::Gone { waiver: Waiver::to_string(&it.waiver) })
            };
            outcome.unchecked.extend(outcome.waivers.iter().filter(gone).map(told));
        }
        outcome
    }

    /// Its exit code.
    pub(super) fn exit(&self) -> Exit {
        match (self.fails, self.is_open) {
            (true, _) => Exit::Failed,
            (false, true) => Exit::Unclear,
            (false, false) => Exit::Done,
        }
    }

    /// Holds a worsening against what is asked.
    fn hold(&mut self, series: &Series, found: &Finding, demand: &Demand) {
        let labels: Labels = vec![Some(series.name.benchmark.clone())];
        let Some(threshold) = demand.check.threshold(&series.name.unit, &labels) else { return };
        let condition = threshold.condition.clone();
        let change = Some(change(found));
        let about = about(series);
        match &found.standing {
            Standing::Known(waiver) => {
                let (reason, waiver) = (waiver.reason.clone(), waiver.to_string());
                let note = CheckNote::Waived { condition, change, waiver, reason };
                self.unchecked.push(finding(&about, note));
            }
            Standing::NotWaived(waiver, why) if found.fails(series, threshold.share) => {
                let (waiver, why) = (waiver.to_string(), *why);
                let note = CheckNote::NotWaived { condition, change, waiver, why };
                self.fail(finding(&about, note));
            }
            Standing::New if found.fails(series, threshold.share) => {
                self.fail(finding(&about, CheckNote::Worse { condition, change }));
            }
            Standing::NotWaived(waiver, why) => {
                let (waiver, why) = (waiver.to_string(), *why);
                let note = CheckNote::NotWaived { condition, change, waiver, why };
                self.unchecked.push(finding(&about, note));
                self.leave_open(demand, None);
            }
            Standing::New if demand.unclear => {
                let condition = "--fail-on unclear".to_owned();
                let note = CheckNote::Unclear { condition, change };
                self.leave_open(demand, Some(finding(&about, note)));
            }
            Standing::New => {}
        }
    }

    /// Tells what cannot be told of a series.
    fn tell(&mut self, series: &Series, answer: &Answer, demand: &Demand) {
        let about = about(series);
        if answer.is_stale {
            self.is_open = true;
            self.failed.push(finding(&about, CheckNote::Stale));
        }
        if answer.state() == State::Short {
            let note = finding(&about, CheckNote::TooShort { points: series.points.len() });
            match demand.unclear {
                true => self.leave_open(demand, Some(note)),
                false => self.unchecked.push(note),
            }
        }
    }

    fn fail(&mut self, why: json::Finding) {
        self.fails = true;
        self.failed.push(why);
    }

    fn leave_open(&mut self, demand: &Demand, why: Option<json::Finding>) {
        self.is_open |= demand.unclear;
        self.failed.extend(why);
    }
}

fn finding(about: &str, what: CheckNote) -> json::Finding {
    json::Finding {
        note: Note { about: about.to_owned(), what: NoteKind::Check(what) },
        place: None,
    }
}

fn about(series: &Series) -> String {
    format!("{}, {}", series.name.benchmark, series.name.unit)
}

/// A change as ratios.
fn change(found: &Finding) -> Change {
    let Interval { lo, hi, level } = found.interval;
    let interval = Interval { lo: lo.exp(), hi: hi.exp(), level };
    Change { ratio: found.size.exp(), interval: Some(interval) }
}
