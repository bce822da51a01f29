//! The answer of a check about a series: its findings held against what the project accepts, and whether anything can be said.
//!
//! Owns what fails, and which state of a series is worse than which. Refuses to measure: who confirms a finding says so in
//! its [`Evidence`].

use super::finding::{Evidence, Finding, Origin, Standing, Way, drift_findings, step_findings};
use super::series::{Series, SeriesName};
use super::watch::{Check, suspected};
use crate::stats::InsufficientData;
use crate::tables::{Declarations, Labels};

/// A question to a series.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// How it is looked at.
    pub check: Check,
    /// Seconds since 1970.
    pub now: f64,
    /// A series whose last point is older than so many seconds is stale.
    pub recent: f64,
    /// Waivers and thresholds of the project, if it declares some.
    pub declared: Option<&'a Declarations>,
}

/// The answer of a check about a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The index of the first point that was looked at: the ones before it were never linked to it.
    pub start: usize,
    /// Steps and drifts in the order of points; or why nothing was looked for.
    pub findings: Result<Vec<Finding>, InsufficientData>,
    /// Whether it has no recent point: then it is not fine, whatever was found.
    pub is_stale: bool,
}

/// The word for a series, the worst one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It got worse, nobody has accepted that, and it was confirmed.
    Worse,
    /// It seems to have got worse, and nobody has accepted that.
    Suspected,
    /// It seems to have got worse slowly.
    Drifted,
    /// Facts of toolchain or libraries changed where it got worse.
    Facts,
    /// It has no recent point.
    Stale,
    /// Nothing can be looked for in its values.
    Unusable,
    /// It has too few points to look for anything.
    Short,
    /// All that got worse is accepted.
    Known,
    /// It changed, and not for the worse.
    Changed,
    /// It seemed to have changed, and its neighbours, measured against each other, do not differ like that.
    Refuted,
    /// Nothing was found.
    Fine,
}

impl State {
    /// Its word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            State::Worse => "confirmed",
            State::Suspected => "suspected",
            State::Drifted => "drifted",
            State::Facts => "toolchain",
            State::Stale => "stale",
            State::Unusable => "unusable",
            State::Short => "too short",
            State::Known => "known",
            State::Changed => "changed",
            State::Refuted => "not confirmed",
            State::Fine => "fine",
        }
    }
}

/// Looks at a series.
#[must_use]
pub fn answer(series: &Series, asked: &Question<'_>) -> Answer {
    let scale = series.scale();
    let last = series.points.last();
    let is_stale = last.is_none_or(|point| asked.now - point.time > asked.recent);
    let found = suspected(&scale.values, &asked.check);
    let findings = found.map(|changes| {
        let critical = asked.check.watch.critical().value;
        let mut findings = step_findings(series, &scale, critical, changes.steps);
        findings.extend(drift_findings(series, &scale, changes.drifts));
        findings.sort_by_key(Finding::start);
        findings
    });
    let mut answer = Answer { start: scale.start, findings, is_stale };
    answer.hold(series, asked.declared);
    answer
}

impl Answer {
    /// Holds what was found against what is accepted: again, when findings were confirmed.
    pub fn hold(&mut self, series: &Series, declared: Option<&Declarations>) {
        let Some((declared, findings)) = declared.zip(self.findings.as_mut().ok()) else { return };
        for finding in findings {
            let far_end = finding.far_end(series.direction);
            if finding.way == Way::Worse {
                finding.standing = standing(declared, &series.name, far_end);
            }
        }
    }

    /// The word for the series.
    #[must_use]
    pub fn state(&self) -> State {
        let findings = match &self.findings {
            Ok(findings) => findings.iter().map(Finding::state).min(),
            Err(InsufficientData::TooFew { .. } | InsufficientData::Empty) => Some(State::Short),
            Err(_) => Some(State::Unusable),
        };
        let stale = self.is_stale.then_some(State::Stale);
        findings.into_iter().chain(stale).min().unwrap_or(State::Fine)
    }

    /// Findings that nobody has refuted.
    pub fn changes(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.findings.iter().flatten();
        findings.filter(|finding| !matches!(finding.evidence, Evidence::Refuted(_)))
    }
}

impl Finding {
    /// The word for a series in which nothing else was found.
    #[must_use]
    pub fn state(&self) -> State {
        match (&self.evidence, self.way, &self.standing, &self.origin) {
            (Evidence::Refuted(_), ..) => State::Refuted,
            (_, Way::Better | Way::Other, ..) => State::Changed,
            (_, _, Standing::Known(_), _) => State::Known,
            (Evidence::Confirmed(_), ..) => State::Worse,
            (.., Origin::Facts(_)) => State::Facts,
            _ if self.statistic.is_none() => State::Drifted,
            _ => State::Suspected,
        }
    }

    /// Whether it fails a check that tolerates so much, as a share: it is confirmed, surely worse than that, and nobody
    /// has accepted it.
    #[must_use]
    pub fn fails(&self, series: &Series, tolerated: Option<f64>) -> bool {
        let near = self.near_end(series.direction);
        self.state() == State::Worse && near.is_some_and(|near| near > tolerated.unwrap_or(0.0))
    }
}

/// Whether a worsening is accepted.
fn standing(declared: &Declarations, name: &SeriesName, far_end: Option<f64>) -> Standing {
    let labels: Labels = vec![Some(name.benchmark.clone())];
    match declared.waives((&name.unit, &labels), far_end) {
        None => Standing::New,
        Some(Ok(waiver)) => Standing::Known(waiver.clone()),
        Some(Err((waiver, why))) => Standing::NotWaived(waiver.clone(), why),
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::super::finding::{Change, FactChange};
    use super::super::series::{Link, Point};
    use super::super::watch::Watch;
    use super::*;
    use crate::model::{Context, Direction};
    use crate::notes::NotWaivedReason;
    use crate::random::Random;
    use crate::stats::Interval;
    use crate::tables::{About, BenchmarkPattern, Day, DeclaredChecks, Waiver};

    /// A hundred points of 1 % scatter, from `at` on higher by `size`; a day apart.
    fn stepped(at: usize, size: f64) -> Series {
        let mut random = Random::new(7);
        let noise = |random: &mut Random| (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0;
        let point = |i: usize| Point {
            value: 0.01 * noise(&mut random) + if i < at { 0.0 } else { size },
            half_width: None,
            commit: None,
            time: 86_400.0 * f64::from(u32::try_from(i).unwrap()),
            anchor: Some(if i < at { "a" } else { "b" }.to_owned()),
            facts: Some(0),
        };
        let name = SeriesName {
            project: None,
            benchmark: "Sum-8".to_owned(),
            unit: "sec/op".to_owned(),
            branch: None,
            machine: None,
        };
        let links = vec![linked(0.0)];
        let facts = vec![Context::from([("go".to_owned(), "1.25".to_owned())])];
        let points = (0..100).map(point).collect();
        Series { name, direction: Direction::Lower, points, links, facts }
    }

    fn linked(half_width: f64) -> Link {
        Link { from: "a".to_owned(), to: "b".to_owned(), shift: 0.0, half_width }
    }

    fn asked(declared: Option<&Declarations>) -> Question<'_> {
        let check = Check { watch: Watch::Once, margin: 0.01_f64.ln_1p(), level: 0.95 };
        Question { check, now: 100.0 * 86_400.0, recent: 30.0 * 86_400.0, declared }
    }

    fn only(series: &Series, declared: Option<&Declarations>) -> (Finding, State) {
        let answer = answer(series, &asked(declared));
        let [finding] = &answer.findings.as_ref().unwrap()[..] else { panic!("{answer:?}") };
        (finding.clone(), answer.state())
    }

    /// Would catch a direction that is taken the wrong way round.
    #[test]
    fn what_got_worse_is_suspected_by_its_direction() {
        let ways = [
            (Direction::Lower, 0.05, State::Suspected),
            (Direction::Lower, -0.05, State::Changed),
            (Direction::Higher, 0.05, State::Changed),
            (Direction::Higher, -0.05, State::Suspected),
            (Direction::Neither, 0.05, State::Changed),
        ];
        for (direction, size, expected) in ways {
            let series = Series { direction, ..stepped(50, size) };
            let (finding, state) = only(&series, None);
            assert_eq!(state, expected, "{direction:?} {size}");
            assert!(matches!(finding.change, Change::Step { at: 49..=51, .. }), "{finding:?}");
            assert!(finding.interval.contains(size));
        }
        assert_eq!(answer(&stepped(50, 0.0), &asked(None)).state(), State::Fine);
    }

    /// A worsening of 5 % with an interval to less than 6 %.
    #[test]
    fn a_waiver_holds_until_its_day_and_up_to_the_far_end() {
        let waiver = |up_to: f64, day: u8| Waiver {
            about: About {
                benchmark: Some(BenchmarkPattern::Named("Sum".to_owned())),
                ..About::default()
            },
            up_to,
            reason: "safer".to_owned(),
            expires: Day { year: 2026, month: 6, day },
        };
        let declared = |waivers: &[Waiver], of_head: &[Waiver]| {
            let of = |waivers: &[Waiver]| DeclaredChecks {
                thresholds: Vec::new(),
                waivers: waivers.to_vec(),
            };
            let today = Some(Day { year: 2026, month: 6, day: 15 });
            let path = "checks.toml".to_owned();
            Declarations { path, base: of(waivers), head: of(of_head), today }
        };
        let series = stepped(50, 0.05);
        let of = |waivers: &[Waiver], of_head: &[Waiver]| {
            let (finding, state) = only(&series, Some(&declared(waivers, of_head)));
            (finding.standing, state)
        };
        let (good, late, small) = (waiver(0.06, 15), waiver(0.06, 14), waiver(0.051, 15));
        let refused =
            |waiver: &Waiver, why| (Standing::NotWaived(waiver.clone(), why), State::Suspected);
        assert_eq!(
            of(&[late.clone(), good.clone()], &[]),
            (Standing::Known(good.clone()), State::Known)
        );
        assert_eq!(of(slice::from_ref(&late), &[]), refused(&late, NotWaivedReason::Expired));
        assert_eq!(of(&[late, small.clone()], &[]), refused(&small, NotWaivedReason::Beyond));
        assert_eq!(of(&[], slice::from_ref(&good)), refused(&good, NotWaivedReason::OfHead));
        assert_eq!(of(&[], &[]), (Standing::New, State::Suspected));
    }

    /// Would catch a commit that is blamed for what a new toolchain did, and a toolchain for what came later.
    #[test]
    fn a_step_where_facts_change_is_theirs() {
        let mut series = stepped(50, 0.05);
        series.facts.push(Context::from([("go".to_owned(), "1.26".to_owned())]));
        series.points[50..].iter_mut().for_each(|point| point.facts = Some(1));
        let (finding, state) = only(&series, None);
        let (before, after) = (Some("1.25".to_owned()), Some("1.26".to_owned()));
        let change = FactChange { key: "go".to_owned(), before, after };
        assert_eq!((finding.origin, state), (Origin::Facts(vec![change]), State::Facts));
        series.points[..70].iter_mut().for_each(|point| point.facts = Some(0));
        let (finding, state) = only(&series, None);
        assert_eq!((finding.origin, state), (Origin::Commits, State::Suspected));
        series.points[..50].iter_mut().for_each(|point| point.facts = None);
        assert_eq!(only(&series, None).0.origin, Origin::Commits);
    }

    #[test]
    fn a_step_at_a_link_has_to_exceed_its_interval() {
        let of = |half_width: f64| {
            let series = Series { links: vec![linked(half_width)], ..stepped(50, 0.05) };
            answer(&series, &asked(None)).findings.unwrap()
        };
        let (exact, wide) = (of(0.0), of(0.02));
        assert_eq!((exact.len(), wide.len(), of(0.04).len()), (1, 1, 0));
        let width = |finding: &Finding| finding.interval.half_width();
        assert!(width(&wide[0]) > 0.02 && width(&exact[0]) < 0.005, "{wide:?}");
        // The same, away from the link.
        let mut series = Series { links: vec![linked(0.04)], ..stepped(50, 0.05) };
        series.points[30..].iter_mut().for_each(|point| point.anchor = Some("b".to_owned()));
        assert_eq!(answer(&series, &asked(None)).findings.unwrap().len(), 1);
    }

    #[test]
    fn what_cannot_be_looked_at_is_not_fine() {
        let mut series = stepped(50, 0.0);
        let later = Question { now: 130.0 * 86_400.0, ..asked(None) };
        assert_eq!(answer(&series, &later).state(), State::Stale);
        let worse = answer(&stepped(50, 0.05), &later);
        assert_eq!((worse.state(), worse.is_stale), (State::Suspected, true));
        series.points[3].value = f64::NEG_INFINITY;
        assert_eq!(answer(&series, &asked(None)).state(), State::Unusable);
        series.points.drain(..61);
        assert_eq!(answer(&series, &asked(None)).state(), State::Short);
        series.points.clear();
        let nothing = answer(&series, &asked(None));
        assert_eq!((nothing.state(), nothing.is_stale), (State::Stale, true));
    }

    /// Would catch a suspicion that counts as confirmed by a wide interval, one that is refuted by a wide one, a step the
    /// other way that confirms it, and a change below the margin that is called a step.
    #[test]
    fn neighbours_confirm_refute_or_leave_a_step_open() {
        let (up, _) = only(&stepped(50, 0.05), None);
        let (down, _) = only(&Series { direction: Direction::Higher, ..stepped(50, -0.05) }, None);
        let (unclear, refuted, confirmed) = (
            Evidence::Unclear as fn(_) -> _,
            Evidence::Refuted as fn(_) -> _,
            Evidence::Confirmed as fn(_) -> _,
        );
        for (lo, hi, expected) in [
            (0.04, 0.06, confirmed),
            (0.01, 0.30, confirmed),
            (-0.01, 0.02, refuted),
            (-0.06, -0.04, refuted),
            (0.001, 0.003, refuted),
            (-0.01, 0.06, unclear),
            (-0.30, 0.30, unclear),
        ] {
            let measured = Interval { lo, hi, level: 0.95 };
            let size = f64::midpoint(lo, hi);
            assert_eq!(up.weighed(size, measured, 0.01), expected(measured), "{lo} {hi}");
            let reversed = Interval { lo: -hi, hi: -lo, level: 0.95 };
            assert_eq!(down.weighed(-size, reversed, 0.01), expected(reversed), "{lo} {hi}");
        }
    }

    /// A suspicion never fails a check, however large it is.
    #[test]
    fn only_what_was_confirmed_fails() {
        let series = stepped(50, 0.5);
        let (finding, _) = only(&series, None);
        assert!(!finding.fails(&series, None));
        let interval = Interval { lo: 0.03, hi: 0.05, level: 0.95 };
        let mut confirmed = Finding { evidence: Evidence::Confirmed(interval), ..finding };
        assert!(confirmed.fails(&series, None) && confirmed.fails(&series, Some(0.03)));
        assert!(!confirmed.fails(&series, Some(0.031)));
        let higher = Series { direction: Direction::Higher, ..series.clone() };
        assert!(!Finding { way: Way::Better, ..confirmed.clone() }.fails(&higher, None));
        confirmed.evidence = Evidence::Refuted(interval);
        assert_eq!((confirmed.state(), confirmed.fails(&series, None)), (State::Refuted, false));
    }
}
