//! The words of a check of a history.

use etalon_core::history::{
    Answer, Change, Evidence, FactChange, Finding, Origin, Series, SeriesName, Standing, State,
};
use etalon_core::model::Context;
use etalon_core::stats::{FEWEST_POINTS, Interval};

use super::{HistoryReport, Span};
use crate::number::{counted, fixed, separated};
use crate::text::clean;
use crate::words::unmeasured;

/// Digits of a commit that are shown.
const DIGITS: usize = 10;
/// Changes of a series that are told.
const TOLD: usize = 3;

/// The answer in one sentence.
pub(super) fn headline(answers: &[(Series, Answer)]) -> String {
    let count = |state: State| answers.iter().filter(|(_, it)| it.state() == state).count();
    let all = answers.len();
    let of_all = |some: usize| format!("{some} of {}", counted(all, "series", "series"));
    let first = |state: State| {
        let found = answers.iter().find(|(_, answer)| answer.state() == state);
        let worst = found.and_then(|(series, answer)| {
            let finding = answer.changes().find(|finding| finding.state() == state)?;
            Some(format!(": {} {}", clean(&series.name.benchmark), change(series, finding)))
        });
        worst.unwrap_or_default()
    };
    match (all, count(State::Worse), count(State::Suspected)) {
        (0, ..) => "There is no series to look at.".to_owned(),
        (_, 0, 0) => {
            let others =
                [State::Drifted, State::Facts, State::Stale, State::Unusable, State::Short];
            let others = others.map(|state| (count(state), state.name()));
            let told = others.iter().filter(|(count, _)| *count > 0);
            let told: Vec<String> = told.map(|(count, word)| format!("{count} {word}")).collect();
            let rest =
                if told.is_empty() { String::new() } else { format!("; {}", told.join(", ")) };
            format!("No step for the worse in {}{rest}.", counted(all, "series", "series"))
        }
        (_, 0, some) => {
            let seems = if some == 1 { "seems" } else { "seem" };
            format!("{} {seems} to have got worse{}.", of_all(some), first(State::Suspected))
        }
        (_, some, _) => format!("{} got worse{}.", of_all(some), first(State::Worse)),
    }
}

/// Changes of a series, the worst first.
pub(super) fn steps(series: &Series, answer: &Answer) -> String {
    let mut findings: Vec<&Finding> = answer.findings.iter().flatten().collect();
    findings.sort_by_key(|finding| finding.state());
    let more = findings.len().saturating_sub(TOLD);
    let told = findings.iter().take(TOLD).map(|finding| told(series, finding));
    let more = (more > 0).then(|| format!("{more} more"));
    let stale = answer.is_stale.then(|| "no recent point".to_owned());
    let short = matches!(answer.state(), State::Short)
        .then(|| format!("{} of {FEWEST_POINTS} points", series.points.len()));
    let apart = (answer.start > 0)
        .then(|| format!("the first {} points have an anchor of their own", answer.start));
    let all: Vec<String> = told.chain(more).chain(stale).chain(short).chain(apart).collect();
    all.join("; ")
}

/// A change with its interval, place, and what is said of it.
pub(crate) fn told(series: &Series, finding: &Finding) -> String {
    let said = match (&finding.evidence, &finding.origin, &finding.standing) {
        (Evidence::Confirmed(interval), ..) => format!(", measured again {}", range(*interval)),
        (Evidence::Refuted(interval), ..) => {
            format!(", measured again {}: no such step", range(*interval))
        }
        (Evidence::Unclear(interval), ..) => {
            format!(", measured again {}: open", range(*interval))
        }
        (Evidence::Unmeasured(why), ..) => format!(", not measured: {}", unmeasured(why)),
        (_, Origin::Facts(changes), _) => format!(", {}", facts(changes)),
        (.., Standing::Known(waiver)) => format!(", waived until {}", waiver.expires),
        _ => String::new(),
    };
    let drift = if finding.statistic.is_none() { "drift " } else { "" };
    format!("{drift}{}{said}", change(series, finding))
}

/// `+5.1 % (+4.6 to +5.7 %) at 3f2a91c08b (1 of 3)`.
fn change(series: &Series, finding: &Finding) -> String {
    let size = signed(finding.size, decimals(finding.interval));
    format!("{size}\u{a0}% ({}) {}", range(finding.interval), place(series, &finding.change))
}

/// Decimals of percents: two digits of an interval's width say where it ends.
fn decimals(interval: Interval) -> usize {
    match 100.0 * (interval.hi.exp_m1() - interval.lo.exp_m1()).abs() {
        width if width < 0.1 => 3,
        width if width < 1.0 => 2,
        width if width < 10.0 => 1,
        _ => 0,
    }
}

/// The logarithm of a ratio as a change in percent.
fn signed(size: f64, decimals: usize) -> String {
    let change = 100.0 * size.exp_m1();
    let sign = if change < 0.0 { "−" } else { "+" };
    format!("{sign}{}", separated(&fixed(change.abs(), decimals)))
}

fn range(interval: Interval) -> String {
    let decimals = decimals(interval);
    format!("{} to {}\u{a0}%", signed(interval.lo, decimals), signed(interval.hi, decimals))
}

/// Where a change is, by commits.
fn place(series: &Series, change: &Change) -> String {
    let commit = |at: usize| match series.points.get(at).and_then(|it| it.commit.as_deref()) {
        Some(commit) => digits(commit),
        None => format!("point {}", at + 1),
    };
    match change {
        Change::Step { at, places } => {
            let several = places.end() + 1 - places.start();
            let others = if several > 1 { format!(" (1 of {several})") } else { String::new() };
            format!("at {}{others}", commit(*at))
        }
        Change::Drift { points } => {
            format!("from {} to {}", commit(points.start), commit(points.end.saturating_sub(1)))
        }
    }
}

/// The first digits of a commit.
fn digits(commit: &str) -> String {
    clean(&commit.chars().take(DIGITS).collect::<String>())
}

/// `go 1.25 → 1.26`.
fn facts(changes: &[FactChange]) -> String {
    let value = |value: &Option<String>| clean(value.as_deref().unwrap_or("none"));
    let change = |change: &FactChange| {
        format!("{} {} → {}", clean(&change.key), value(&change.before), value(&change.after))
    };
    changes.iter().map(change).collect::<Vec<_>>().join(", ")
}

/// The false alarms that are allowed, and from where on a step counts.
pub(super) fn allowed(report: &HistoryReport<'_>) -> String {
    let allowed = report.allowed;
    format!(
        "Looked at after every point for {} a year in {} of {} points a year: a step counts from {} standard errors on. \
         It is suspected until its neighbours are measured against each other.",
        alarms(allowed.a_year()),
        counted(allowed.series() as usize, "series", "series"),
        separated(&fixed(allowed.points_a_year(), 0)),
        fixed(report.critical.value, 1)
    )
}

fn alarms(a_year: f64) -> String {
    let number = format!("{a_year:.2}");
    let number = number.trim_end_matches('0').trim_end_matches('.');
    format!("{number} false {}", if number == "1" { "alarm" } else { "alarms" })
}

/// For how many series the rate holds, where the calibration ends.
pub(super) fn ends(report: &HistoryReport<'_>) -> Option<String> {
    let holds = report.critical.series;
    (holds < report.allowed.series()).then(|| {
        format!(
            "The calibration ends here: that rate holds for {} of this kind, not for {}.",
            counted(holds as usize, "series", "series"),
            separated(&report.allowed.series().to_string())
        )
    })
}

/// The line to type that confirms the first suspicion.
pub(super) fn more(answers: &[(Series, Answer)]) -> Option<String> {
    let lines = answers.iter().filter_map(|(series, answer)| {
        let finding = answer.changes().find(|it| it.state() == State::Suspected)?;
        let (before, after) = finding.neighbours(series)?;
        let (before, after) = (clean(before), clean(after));
        let by_hand = "with the build and the commands of the series";
        match &finding.evidence {
            Evidence::Suspected => Some(format!(
                "To confirm: etalon history check --confirm, or etalon ab {before} {after}, {by_hand}."
            )),
            _ => Some(format!("To confirm: etalon ab {before} {after}, {by_hand}.")),
        }
    });
    lines.into_iter().next()
}

/// Commits between neighbours that differ: one of these changed it.
pub(super) fn between(span: &Span) -> String {
    let Span { name, commits, line, .. } = span;
    let [before, after] = [&span.before, &span.after].map(|commit| digits(commit));
    let commits = counted(*commits, "commit lies", "commits lie");
    let (benchmark, unit) = (clean(&name.benchmark), clean(&name.unit));
    format!(
        "{benchmark}, {unit}: {commits} between {before} and {after}. These two again: {}",
        clean(line)
    )
}

/// The whole name of a series.
pub(crate) fn title(name: &SeriesName) -> String {
    let others = parts(name).into_iter().flatten();
    clean(&std::iter::once(name.benchmark.as_str()).chain(others).collect::<Vec<_>>().join(", "))
}

/// `go 1.25, os Debian`.
pub(crate) fn facts_line(facts: &Context) -> String {
    let all = facts.iter().map(|(key, value)| format!("{} {}", clean(key), clean(value)));
    all.collect::<Vec<_>>().join(", ")
}

/// The parts of names that tell series apart.
pub(super) struct Names {
    has: [bool; 4],
}

impl Names {
    /// Of these, what is not the same in all.
    pub(super) fn apart(answers: &[(Series, Answer)]) -> Names {
        let differs = |part: usize| {
            let mut all = answers.iter().map(|(series, _)| parts(&series.name)[part]);
            let first = all.next();
            all.any(|other| Some(other) != first)
        };
        Names { has: [differs(0), differs(1), differs(2), differs(3)] }
    }

    /// `Sum, sec/op, main`.
    pub(super) fn name(&self, name: &SeriesName) -> String {
        let others = parts(name).into_iter().zip(self.has).filter(|(_, has)| *has);
        let others = others.filter_map(|(part, _)| part);
        std::iter::once(name.benchmark.as_str()).chain(others).collect::<Vec<_>>().join(", ")
    }
}

fn parts(name: &SeriesName) -> [Option<&str>; 4] {
    let SeriesName { project, unit, branch, machine, .. } = name;
    [Some(unit.as_str()), branch.as_deref(), machine.as_deref(), project.as_deref()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch ends of an interval with other digits than its size, and digits that it does not support.
    #[test]
    fn an_interval_says_how_many_digits_there_are() {
        let said = |size: f64, lo: f64, hi: f64| {
            let interval = Interval { lo: f64::ln(lo), hi: f64::ln(hi), level: 0.95 };
            format!("{} ({})", signed(f64::ln(size), decimals(interval)), range(interval))
        };
        assert_eq!(said(1.1, 1.098, 1.102), "+10.00 (+9.80 to +10.20\u{a0}%)");
        assert_eq!(said(1.1, 1.08, 1.12), "+10.0 (+8.0 to +12.0\u{a0}%)");
        assert_eq!(said(1.5, 0.98, 2.0), "+50 (−2 to +100\u{a0}%)");
        assert_eq!(said(12.0, 11.0, 13.0), "+1,100 (+1,000 to +1,200\u{a0}%)");
    }
}
