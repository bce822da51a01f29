//! Runs that share what the machine did: histories of few and many occasions, sides in stretches, and another state of the machine.

use std::sync::Arc;

use etalon_core::compare::{
    Contrast, Design, EarlierRun, EarlierRuns, Origin, Scales, ScatterFrom, SideRuns, Spread,
    compare,
};
use etalon_core::criteria::Criteria;
use etalon_core::random::Random;
use etalon_core::sample::{Clock, Moment, RunEnd, Sample};
use etalon_core::verdict::{Assessment, assess_all};

use crate::figure::{Bound, Kind};
use crate::judge::{covers, metric, unpaired};
use crate::noise::normal;
use crate::table::{Row, Table, Weight};

/// Readings of a run, and how much they scatter within it.
const READINGS: usize = 15;
const WITHIN: f64 = 0.01;
/// How much runs of one occasion scatter.
const RUN: f64 = 0.005;
/// How much occasions of a history scatter, and stretches of two sides.
const OCCASION: f64 = 0.03;
const STRETCH: f64 = 0.02;

const MINUTE: f64 = 60.0;
const DAY: f64 = 86_400.0;

/// Runs that are measured before two sides, and how those lie in time.
#[derive(Debug, Clone, Copy)]
enum Runs {
    /// Two versions, each in one occasion of so many runs; the sides are one more run of each.
    OfTheSides(usize),
    /// Occasions of one version a day apart, with so many runs each; the sides lie a day apart behind them.
    Before(&'static [usize]),
    /// So many occasions of one run, in which the machine scattered by this share of what it does now, within runs as well.
    OtherState(usize, f64),
    /// Runs of two sides in this order, six hours apart, after so many occasions of one run each, a day apart.
    Stretches(&'static str, usize),
}

const DESIGNS: [Runs; 33] = [
    Runs::OfTheSides(5),
    Runs::OfTheSides(6),
    Runs::OfTheSides(10),
    Runs::Before(&[9, 1]),
    Runs::Before(&[5, 5]),
    Runs::Before(&[8, 1, 1]),
    Runs::Before(&[4, 3, 3]),
    Runs::Before(&[10, 5, 3, 1, 1]),
    Runs::Before(&[2; 6]),
    Runs::Before(&[4; 10]),
    Runs::Before(&[1; 5]),
    Runs::Before(&[1; 6]),
    Runs::Before(&[1; 10]),
    Runs::Before(&[1; 20]),
    Runs::Before(&[1; 50]),
    Runs::OtherState(10, 1.0 / 3.0),
    Runs::OtherState(10, 0.5),
    Runs::OtherState(10, 0.7),
    Runs::OtherState(10, 2.0),
    Runs::Stretches("ABABAB", 0),
    Runs::Stretches("ABBAAB", 0),
    Runs::Stretches("AABBAABB", 0),
    Runs::Stretches("AABBBBAA", 0),
    Runs::Stretches("AAABBB", 0),
    Runs::Stretches("AAABBBAAA", 0),
    Runs::Stretches("AAAABBBBAAAA", 0),
    Runs::Stretches("ABBAABBAABBA", 0),
    Runs::Stretches("BAABABBAAB", 0),
    Runs::Stretches("AB", 10),
    Runs::Stretches("ABAB", 10),
    Runs::Stretches("AAABBB", 10),
    Runs::Stretches("AABBBBAA", 10),
    Runs::Stretches("AAABBBAAA", 10),
];

impl Runs {
    fn name(self) -> String {
        match self {
            Runs::OfTheSides(runs) => {
                format!("two versions, {runs} earlier runs in the occasion of each")
            }
            Runs::Before([first, rest @ ..]) if rest.iter().all(|runs| runs == first) => {
                format!("{} earlier occasions of {first}", rest.len() + 1)
            }
            Runs::Before(occasions) => {
                let each: Vec<String> = occasions.iter().map(usize::to_string).collect();
                format!("earlier occasions of {}", each.join("+"))
            }
            Runs::OtherState(runs, share) => {
                format!("{runs} earlier occasions of one, {share:.2} of the scatter")
            }
            Runs::Stretches(order, 0) => order.to_owned(),
            Runs::Stretches(order, earlier) => {
                format!("{order}, {earlier} earlier occasions of one")
            }
        }
    }

    /// Whether 5 % can be reached: where the machine scattered by 0.7 of what it does now, readings of two runs do not
    /// show it in every experiment.
    fn is_within_reach(self) -> bool {
        !matches!(self, Runs::OtherState(_, share) if (0.6..1.0).contains(&share))
    }
}

/// Designs of runs.
#[must_use]
pub(super) fn table() -> Table {
    let columns = ["false verdicts", "ratio covered", "scatter assumed", "found: 5 %", "20 %"];
    Table {
        title: "Occasions and stretches".to_owned(),
        about: format!(
            "Runs of {READINGS} readings that scatter by {} % within a run. Levels scatter by {} % from one occasion to another (before two \
             sides, and of the sides) or by {} % from one stretch to another (letters: the order of runs of two sides), and by {} % from run to run \
             of one. Runs of an occasion lie a minute apart, occasions a day. Where earlier runs do not say how much runs scatter, that is \
             assumed.",
            100.0 * WITHIN,
            100.0 * OCCASION,
            100.0 * STRETCH,
            100.0 * RUN
        ),
        of: "runs".to_owned(),
        columns: columns.iter().map(|name| ((*name).to_owned(), Kind::Share)).collect(),
        rows: DESIGNS.into_iter().map(row).collect(),
    }
}

fn row(runs: Runs) -> Row {
    let asked = match runs.is_within_reach() {
        true => [Bound::AtMost(0.05), Bound::AtLeast(0.95)],
        false => [Bound::Shown; 2],
    };
    Row {
        title: runs.name(),
        asked: [&asked[..], &[Bound::Shown; 3]].concat(),
        weight: Weight::Usual,
        replicate: Box::new(move |random| replicate(runs, random)),
    }
}

/// A run: when it began, and the logarithms of its readings.
struct Run {
    began: f64,
    logs: Vec<f64>,
}

/// Simulated data: earlier runs with their versions, and the two sides.
#[derive(Default)]
struct Measured {
    earlier: Vec<(usize, Run)>,
    sides: [Vec<Run>; 2],
}

/// A run of an occasion of this level, everything in it scattered by a share.
fn run(began: f64, level: f64, share: f64, random: &mut Random) -> Run {
    let level = level + share * RUN * normal(random);
    Run { began, logs: (0..READINGS).map(|_| level + share * WITHIN * normal(random)).collect() }
}

fn measured(runs: Runs, random: &mut Random) -> Measured {
    match runs {
        Runs::OfTheSides(runs) => one_occasion_a_side(runs, random),
        Runs::Before(occasions) => before(occasions, 1.0, random),
        Runs::OtherState(runs, share) => before(&vec![1; runs], share, random),
        Runs::Stretches(order, earlier) => stretches(order, earlier, random),
    }
}

#[allow(clippy::cast_precision_loss)] // tens
fn one_occasion_a_side(runs: usize, random: &mut Random) -> Measured {
    let mut measured = Measured::default();
    for side in 0..2 {
        let level = OCCASION * normal(random);
        let at = |run: usize| side as f64 * DAY + 5.0 * MINUTE * run as f64;
        measured.earlier.extend((0..runs).map(|it| (side, run(at(it), level, 1.0, random))));
        measured.sides[side].push(run(at(runs), level, 1.0, random));
    }
    measured
}

/// Occasions of one version with so many runs, everything in them scattered by a share, and two sides behind them.
#[allow(clippy::cast_precision_loss)] // tens
fn before(occasions: &[usize], share: f64, random: &mut Random) -> Measured {
    let mut measured = Measured::default();
    for (day, runs) in occasions.iter().enumerate() {
        let level = share * OCCASION * normal(random);
        let at = |run: usize| day as f64 * DAY + MINUTE * run as f64;
        measured.earlier.extend((0..*runs).map(|it| (0, run(at(it), level, share, random))));
    }
    for side in 0..2 {
        let level = OCCASION * normal(random);
        let began = (occasions.len() + side) as f64 * DAY;
        measured.sides[side].push(run(began, level, 1.0, random));
    }
    measured
}

#[allow(clippy::cast_precision_loss)] // tens
fn stretches(order: &str, earlier: usize, random: &mut Random) -> Measured {
    let mut measured = Measured::default();
    for day in 0..earlier {
        let level = STRETCH * normal(random);
        measured.earlier.push((0, run(-DAY * (day + 1) as f64, level, 1.0, random)));
    }
    let (mut before, mut level) = (None, 0.0);
    for (at, side) in order.chars().enumerate() {
        if before != Some(side) {
            level = STRETCH * normal(random);
        }
        before = Some(side);
        let began = DAY / 4.0 * at as f64;
        measured.sides[usize::from(side == 'B')].push(run(began, level, 1.0, random));
    }
    measured
}

fn sample(runs: &[Run], change: f64) -> Sample {
    let values = runs.iter().flat_map(|run| &run.logs).map(|log| 0.01 * (1.0 + change) * log.exp());
    let end = |(run, at): (&Run, usize)| RunEnd {
        end: at * READINGS,
        began: Some(Moment { clock: Clock::Calendar, at: run.began }),
        waited: 0.0,
    };
    unpaired(values.collect()).in_runs(runs.iter().zip(1..).map(end).collect())
}

/// The history that these runs are.
fn history(runs: &[(usize, Run)]) -> EarlierRuns {
    let earlier = |(source, (version, run)): (usize, &(usize, Run))| {
        let side = SideRuns::from_sample(&sample(std::slice::from_ref(run), 0.0))?;
        Some(EarlierRun {
            name: Arc::from(""),
            version: *version,
            source,
            began: Some(run.began),
            value: *side.values.centres.first()?,
            spread: Spread { sd: *side.values.spreads.first()?, readings: READINGS },
        })
    };
    EarlierRuns { runs: runs.iter().enumerate().filter_map(earlier).collect(), copies: 0 }
}

fn replicate(runs: Runs, random: Random) -> Vec<Option<u32>> {
    let criteria = Criteria::default();
    let metric = metric("s", 1e-9);
    let Measured { earlier, sides: [base, candidate] } = measured(runs, &mut random.stream(1));
    let earlier = [history(&earlier)];
    let base = sample(&base, 0.0);
    let judged = |change: f64| -> Option<Assessment> {
        let contrast = Contrast {
            metric: &metric,
            base: &base,
            candidate: &sample(&candidate, change),
            origin: Origin::DifferentRunSets,
            earlier: &earlier,
            dependence: None,
            scales: Scales::OfVerdict,
        };
        assess_all(vec![compare(&contrast, &criteria)?], &criteria).pop()
    };
    let is_different = |of: Option<Assessment>| Some(u32::from(of?.decision.is_difference()));
    let Some(equal) = judged(0.0) else { return Vec::new() };
    let is_assumed = match &equal.evidence.design {
        Design::Runs(runs) => matches!(runs.scatter, ScatterFrom::Assumed(_)),
        Design::Blocks | Design::Nodes(_) | Design::Layouts(_) | Design::Independent => false,
    };
    let ratio = equal.evidence.differing.ratio;
    vec![
        is_different(Some(equal)),
        covers(ratio, 1.0),
        Some(u32::from(is_assumed)),
        is_different(judged(0.05)),
        is_different(judged(0.2)),
    ]
}
