//! Runs that are compared with one another: false verdicts, coverage and power by how much runs scatter, and by what
//! is known of that.

use std::sync::Arc;

use etalon_core::compare::{
    Contrast, EarlierRun, EarlierRuns, Origin, Scales, SideRuns, Spread, compare, ratio_of_runs,
};
use etalon_core::criteria::Criteria;
use etalon_core::random::Random;
use etalon_core::sample::{Clock, Moment, RunEnd, Sample};
use etalon_core::stats::{self, InsufficientData, RunsOfSide};
use etalon_core::verdict::{Assessment, Verdict, assess_all};

use crate::figure::{Bound, Kind};
use crate::judge::{covers, is, metric, unpaired};
use crate::noise::normal;
use crate::table::{Row, Table, Weight};

/// Readings of a run, and how much they scatter within it.
const READINGS: usize = 15;
const WITHIN: f64 = 0.02;

/// How runs of unchanged code differ.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scatter {
    /// Normal logarithms with this deviation.
    Normal(f64),
    /// Student's t with three degrees of freedom, of this deviation.
    T3(f64),
    /// 1 %, and one run in five is 5 % slower.
    SlowState,
}

impl Scatter {
    fn name(self) -> String {
        match self {
            Scatter::Normal(sd) => format!("normal, {} %", 100.0 * sd),
            Scatter::T3(sd) => format!("t₃, {} %", 100.0 * sd),
            Scatter::SlowState => "1 %, one run in five 5 % slower".to_owned(),
        }
    }

    /// The logarithm of a run's level.
    fn level(self, random: &mut Random) -> f64 {
        match self {
            Scatter::Normal(sd) => sd * normal(random),
            Scatter::T3(sd) => {
                let chi: f64 = (0..3).map(|_| normal(random).powi(2)).sum();
                // Its variance is 3.
                sd * normal(random) / chi.sqrt()
            }
            Scatter::SlowState => {
                let is_slow = random.uniform() < 0.2;
                0.01 * normal(random) + if is_slow { 0.05_f64.ln_1p() } else { 0.0 }
            }
        }
    }
}

/// Runs of the two sides, and earlier ones.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Runs {
    a_side: usize,
    alternating: bool,
    earlier: usize,
}

impl Runs {
    fn name(self) -> String {
        let order = match (self.a_side, self.alternating) {
            (1, _) => "",
            (_, true) => " alternating",
            (_, false) => " in sequence",
        };
        let earlier = match self.earlier {
            0 => String::new(),
            n => format!(", {n} earlier"),
        };
        format!("{} a side{order}{earlier}", self.a_side)
    }

    /// Whether 5 % can be reached: one run a side without earlier ones to a scatter of 2.5 %, with five for normal
    /// scatter, with ten where some runs are in a slow state.
    fn is_within_reach(self, scatter: Scatter) -> bool {
        match scatter {
            Scatter::Normal(_) => true,
            Scatter::T3(_) => self.earlier == 0,
            Scatter::SlowState => self.earlier != 5,
        }
    }
}

const DESIGNS: [Runs; 10] = [
    Runs { a_side: 1, alternating: false, earlier: 0 },
    Runs { a_side: 1, alternating: false, earlier: 5 },
    Runs { a_side: 1, alternating: false, earlier: 10 },
    Runs { a_side: 3, alternating: true, earlier: 0 },
    Runs { a_side: 3, alternating: false, earlier: 0 },
    Runs { a_side: 3, alternating: false, earlier: 10 },
    Runs { a_side: 5, alternating: true, earlier: 0 },
    Runs { a_side: 5, alternating: false, earlier: 0 },
    Runs { a_side: 10, alternating: true, earlier: 0 },
    Runs { a_side: 10, alternating: false, earlier: 0 },
];

const SCATTERS: [Scatter; 8] = [
    Scatter::Normal(0.0),
    Scatter::Normal(0.005),
    Scatter::Normal(0.01),
    Scatter::Normal(0.015),
    Scatter::Normal(0.02),
    Scatter::Normal(0.025),
    Scatter::T3(0.02),
    Scatter::SlowState,
];

/// One benchmark.
#[must_use]
pub(super) fn table() -> Table {
    let columns = [
        "false verdicts",
        "ratio covered",
        "`same` at 1 %",
        "found: 2 %",
        "5 %",
        "10 %",
        "20 %",
        "found at the smallest visible change",
    ];
    let all = SCATTERS.into_iter().flat_map(|scatter| DESIGNS.map(|runs| (scatter, runs)));
    Table {
        title: "Between runs".to_owned(),
        about: format!(
            "Runs of {READINGS} readings that scatter by {} % within a run; the rows say how unchanged code differs from run \
             to run. Earlier runs are of the same scatter. The last column is the power at the change that etalon calls the \
             smallest visible one, which is meant to be 90 %.",
            100.0 * WITHIN
        ),
        of: "scatter between runs, runs".to_owned(),
        columns: columns.iter().map(|name| ((*name).to_owned(), Kind::Share)).collect(),
        rows: all.map(|(scatter, runs)| row(scatter, runs)).collect(),
    }
}

fn row(scatter: Scatter, runs: Runs) -> Row {
    let asked = match runs.is_within_reach(scatter) {
        true => [Bound::AtMost(0.05), Bound::AtLeast(0.95), Bound::AtMost(0.05)],
        false => [Bound::Shown; 3],
    };
    Row {
        title: format!("{}, {}", scatter.name(), runs.name()),
        asked: [&asked[..], &[Bound::Shown; 5]].concat(),
        weight: Weight::Usual,
        replicate: Box::new(move |random| replicate(scatter, runs, random)),
    }
}

/// The readings of so many runs of a side.
fn side(scatter: Scatter, runs: usize, random: &mut Random) -> Vec<f64> {
    let mut values = Vec::with_capacity(runs * READINGS);
    for _ in 0..runs {
        let level = scatter.level(random);
        values.extend((0..READINGS).map(|_| 0.01 * (level + WITHIN * normal(random)).exp()));
    }
    values
}

/// When the runs of a side began: by turns with the other side's, or before or after them.
fn began(side: usize, runs: Runs) -> Vec<Option<Moment>> {
    let place = |run: usize| match runs.alternating {
        true => 2 * run + side,
        false => side * runs.a_side + run,
    };
    #[allow(clippy::cast_precision_loss)] // tens
    let moment = |run| Some(Moment { clock: Clock::Calendar, at: 60.0 * place(run) as f64 });
    (0..runs.a_side).map(moment).collect()
}

fn sample(values: Vec<f64>, began: &[Option<Moment>]) -> Sample {
    let ends = began.iter().zip(1..);
    let ends = ends.map(|(began, run)| RunEnd { end: run * READINGS, began: *began, waited: 0.0 });
    unpaired(values).in_runs(ends.collect())
}

/// Earlier runs with these values, the medians of their logarithms, and this spread of their readings: a minute apart, as those that are
/// compared.
#[allow(clippy::cast_precision_loss)] // tens
fn earlier(values: impl Iterator<Item = (f64, Spread)>) -> [EarlierRuns; 1] {
    let run = |(at, (value, spread)): (usize, (f64, Spread))| EarlierRun {
        name: Arc::from(""),
        version: 0,
        source: at,
        began: Some(-60.0 * (at + 1) as f64),
        value,
        spread,
    };
    [EarlierRuns { runs: values.enumerate().map(run).collect(), copies: 0 }]
}

/// The value of one run, and how much its readings spread.
fn one_run(scatter: Scatter, random: &mut Random) -> Option<(f64, Spread)> {
    let run = SideRuns::from_sample(&sample(side(scatter, 1, random), &[None]))?;
    let sd = *run.values.spreads.first()?;
    Some((*run.values.centres.first()?, Spread { sd, readings: READINGS }))
}

fn replicate(scatter: Scatter, runs: Runs, random: Random) -> Vec<Option<u32>> {
    let criteria = Criteria::default();
    let metric = metric("s", 1e-9);
    let base = side(scatter, runs.a_side, &mut random.stream(1));
    let candidate = side(scatter, runs.a_side, &mut random.stream(2));
    let mut before = random.stream(3);
    let earlier = earlier((0..runs.earlier).filter_map(|_| one_run(scatter, &mut before)));
    let sample_of = |values, side| sample(values, &began(side, runs));
    let base = sample_of(base, 0);
    let judged = |change: f64| -> Option<Assessment> {
        let slower = candidate.iter().map(|value| value * (1.0 + change)).collect();
        let candidate = sample_of(slower, 1);
        let contrast = Contrast {
            metric: &metric,
            base: &base,
            candidate: &candidate,
            origin: Origin::DifferentRunSets,
            earlier: &earlier,
            dependence: None,
            scales: Scales::OfVerdict,
        };
        assess_all(vec![compare(&contrast, &criteria)?], &criteria).pop()
    };
    let verdict = |change: f64, verdict: Verdict| Some(u32::from(is(&judged(change)?, verdict)));
    let Some(equal) = judged(0.0) else { return Vec::new() };
    let mut figures = vec![
        Some(u32::from(equal.decision.is_difference())),
        covers(equal.evidence.differing.ratio, 1.0),
        verdict(0.01, Verdict::Same),
    ];
    figures.extend([0.02, 0.05, 0.1, 0.2].map(|change| verdict(change, Verdict::Slower)));
    figures.push(equal.smallest_visible.and_then(|change| verdict(change, Verdict::Slower)));
    figures
}

/// Benchmarks of a run.
const ROWS: usize = 30;

/// Geometric means of many benchmarks.
#[must_use]
pub(super) fn geometric_means() -> Table {
    let designs = [
        Runs { a_side: 3, alternating: true, earlier: 0 },
        Runs { a_side: 5, alternating: true, earlier: 0 },
        Runs { a_side: 10, alternating: true, earlier: 0 },
        Runs { a_side: 1, alternating: false, earlier: 10 },
    ];
    let commons = [0.005, 0.01, 0.02];
    let all = commons.into_iter().flat_map(|common| designs.map(|runs| (common, runs)));
    let row = |(common, runs): (f64, Runs)| Row {
        title: format!("{} %, {}", 100.0 * common, runs.name()),
        asked: vec![Bound::AtMost(0.06), Bound::Shown],
        weight: Weight::Usual,
        replicate: Box::new(move |random| {
            [0.0, 0.01].map(|change| excludes_one(common, runs, change, random)).to_vec()
        }),
    };
    Table {
        title: "Geometric means".to_owned(),
        about: format!(
            "The geometric mean of {ROWS} benchmarks that scatter by 2 % each from run to run, and together by what the rows \
             say: how often its interval leaves 1 out where nothing changed, and where all take 1 % longer."
        ),
        of: "common scatter, runs".to_owned(),
        columns: ["false", "found: 1 %"].map(|name| (name.to_owned(), Kind::Share)).to_vec(),
        rows: all.map(row).collect(),
    }
}

/// Whether the interval of the ratio of geometric means leaves 1 out.
fn excludes_one(common: f64, runs: Runs, change: f64, random: Random) -> Option<u32> {
    #[allow(clippy::cast_precision_loss)] // tens
    let mean = |random: &mut Random| -> f64 {
        let of_rows: f64 = (0..ROWS).map(|_| 0.02 * normal(random)).sum();
        common * normal(random) + of_rows / ROWS as f64
    };
    let side = |side: usize, shift: f64, random: &mut Random| {
        let centres: Vec<f64> = (0..runs.a_side).map(|_| shift + mean(random)).collect();
        let spreads = vec![WITHIN; runs.a_side];
        let values = RunsOfSide { centres, spreads, waited: Vec::new() };
        SideRuns { values, began: began(side, runs), readings: vec![READINGS; runs.a_side] }
    };
    let base = side(0, 0.0, &mut random.stream(1));
    let candidate = side(1, change.ln_1p(), &mut random.stream(2));
    let mut before = random.stream(3);
    let spread = Spread { sd: WITHIN, readings: READINGS };
    let earlier = earlier((0..runs.earlier).map(|_| (mean(&mut before), spread)));
    // What the readings say of means over 30 benchmarks, where single runs are compared.
    let within = stats::Within { half_width: 0.0025, level: 0.95, df: 28.0 };
    let within: Result<_, InsufficientData> = Ok(within);
    let ratio = ratio_of_runs((&base, &candidate), within, &earlier, &Criteria::default())?;
    Some(u32::from(!ratio.interval.ok()?.contains(1.0)))
}
