//! Runs of the same, one after the other.

use std::sync::Arc;

use super::{Alarms, BLOCKS, judged, middle};
use crate::compare::{
    Contrast, Design, EarlierRun, EarlierRuns, Origin, Scales, ScatterFrom, SideRuns,
};
use crate::criteria::Criteria;
use crate::model::Metric;
use crate::sample::{Clock, Sample};
use crate::stats;
use crate::verdict::Assessment;

/// The standard error of a median of normal values, times the root of their number, in standard deviations: √(π/2).
const OF_MEDIAN: f64 = 1.253_314_137_315_500_3;

/// Comparisons of runs of the same, one a side.
#[derive(Debug, Clone, PartialEq)]
pub struct InSequence {
    /// How many.
    pub runs: usize,
    /// Readings of a run, in the middle.
    pub readings: usize,
    /// Seconds from the first start to the last, where that is known.
    pub span: Option<f64>,
    /// The standard deviation of the logarithms of the runs' medians.
    pub scatter: f64,
    /// The part of that which the readings of a run explain by themselves.
    pub explained: f64,
    /// The robust standard deviation of the logarithms of readings within a run, in the middle.
    pub within: f64,
    /// Every pair of runs, as if nothing differed between runs: by the readings alone.
    pub by_readings: Alarms,
    /// Every pair of runs by the rule for one run a side, with the other runs for a history where they are of enough
    /// occasions.
    pub by_runs: Alarms,
    /// Whether they are, of some pair.
    pub has_history: bool,
    /// The smallest change that one run a side could be expected to show.
    pub visible: OneRunASide,
}

/// The smallest visible change of one run a side, as a share, with power 0.9: the middle one of the pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct OneRunASide {
    /// With these runs for a history, and [`BLOCKS`] readings in each; absent where nothing is known of it.
    pub known: [Option<f64>; BLOCKS.len()],
    /// With an assumed scatter between runs, as many readings as there are.
    pub assumed: Option<f64>,
}

impl OneRunASide {
    /// With as many readings as the middle one of [`BLOCKS`]: with these runs for a history, else with an assumed
    /// scatter.
    #[must_use]
    pub fn usual(&self) -> Option<f64> {
        self.known[BLOCKS.len() / 2].or(self.assumed)
    }
}

impl InSequence {
    /// The comparisons of two or more runs; absent of fewer, and where a value is not above 0. Compares every pair
    /// three times: O(k² n log n).
    #[must_use]
    pub fn from_runs(metric: &Metric, runs: &[Sample], criteria: &Criteria) -> Option<InSequence> {
        let sides: Vec<SideRuns> = runs.iter().map(SideRuns::from_sample).collect::<Option<_>>()?;
        let values: Vec<f64> =
            sides.iter().map(|side| side.values.centres.first().copied()).collect::<Option<_>>()?;
        let spreads: Vec<f64> =
            sides.iter().filter_map(|side| side.values.spreads.first().copied()).collect();
        let scatter = stats::stddev(&values)?;
        let mut pairs = Pairs::new(metric, *criteria);
        let all: Vec<EarlierRun> = sides.iter().enumerate().filter_map(as_earlier).collect();
        for candidate in 1..runs.len() {
            for base in 0..candidate {
                pairs.add([&runs[base], &runs[candidate]], &others(&all, [base, candidate]));
            }
        }
        let lengths: Vec<f64> = runs.iter().map(length).collect();
        Some(InSequence {
            runs: runs.len(),
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
            readings: middle(&lengths)? as usize,
            span: span(&sides),
            scatter,
            explained: explained(&spreads, &lengths)?,
            within: middle(&spreads)?,
            by_readings: pairs.by_readings,
            by_runs: pairs.by_runs,
            has_history: pairs.has_history,
            visible: pairs.visible(),
        })
    }
}

#[allow(clippy::cast_precision_loss)] // numbers of readings
fn length(run: &Sample) -> f64 {
    run.len() as f64
}

/// The scatter of the runs' medians that readings alone would make, in quadratic mean.
fn explained(spreads: &[f64], lengths: &[f64]) -> Option<f64> {
    let of_one = |(spread, n): (&f64, &f64)| (OF_MEDIAN * spread).powi(2) / n;
    let squares: Vec<f64> = spreads.iter().zip(lengths).map(of_one).collect();
    stats::mean(&squares).map(f64::sqrt)
}

/// Seconds from the first start to the last.
fn span(sides: &[SideRuns]) -> Option<f64> {
    let began: Vec<f64> =
        sides.iter().map(|side| Some((*side.began.first()?)?.at)).collect::<Option<_>>()?;
    let lo = began.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = began.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (lo <= hi).then_some(hi - lo)
}

/// A run as it stands in the history of others, with its number for a source.
fn as_earlier((number, side): (usize, &SideRuns)) -> Option<EarlierRun> {
    let began = side.began.first().copied().flatten();
    Some(EarlierRun {
        name: Arc::from(""),
        version: 0,
        source: number,
        began: began.filter(|moment| moment.clock == Clock::Calendar).map(|moment| moment.at),
        value: *side.values.centres.first()?,
        spread: side.spreads().next()?,
    })
}

/// The runs besides a pair, as a history of it.
fn others(all: &[EarlierRun], pair: [usize; 2]) -> [EarlierRuns; 1] {
    let runs = all.iter().filter(|run| !pair.contains(&run.source)).cloned().collect();
    [EarlierRuns { runs, copies: 0 }]
}

/// Pairs of runs that are compared, and what came of it.
struct Pairs<'a> {
    metric: &'a Metric,
    /// As if the runs had been interleaved; as they were.
    criteria: [Criteria; 2],
    by_readings: Alarms,
    by_runs: Alarms,
    has_history: bool,
    known: [Vec<f64>; BLOCKS.len()],
    assumed: Vec<f64>,
}

impl<'a> Pairs<'a> {
    fn new(metric: &'a Metric, criteria: Criteria) -> Pairs<'a> {
        let criteria = criteria.for_unit(metric.unit.base());
        let interleaved = Criteria { between: Some(0.0), ..criteria };
        Pairs {
            metric,
            criteria: [interleaved, Criteria { between: None, ..criteria }],
            by_readings: Alarms::default(),
            by_runs: Alarms::default(),
            has_history: false,
            known: Default::default(),
            assumed: Vec::new(),
        }
    }

    fn add(&mut self, [base, candidate]: [&Sample; 2], earlier: &[EarlierRuns]) {
        let contrast = Contrast {
            metric: self.metric,
            base,
            candidate,
            origin: Origin::DifferentRunSets,
            earlier: &[],
            dependence: None,
            scales: Scales::OfVerdict,
        };
        let [interleaved, as_is] = &self.criteria;
        let by_readings = judged(&contrast, interleaved);
        by_readings.iter().for_each(|it| self.by_readings.count(it));
        let assumed = judged(&contrast, as_is);
        self.assumed.extend(assumed.as_ref().and_then(|it| it.smallest_visible));
        let known = judged(&Contrast { earlier, ..contrast }, as_is).filter(is_known);
        self.has_history |= known.is_some();
        let visible = |it: &Assessment| BLOCKS.map(|blocks| it.visible_at(blocks));
        let at = known.as_ref().map_or([None; BLOCKS.len()], visible);
        self.known.iter_mut().zip(at).for_each(|(known, at)| known.extend(at));
        known.or(assumed).iter().for_each(|it| self.by_runs.count(it));
    }

    fn visible(&self) -> OneRunASide {
        let known = [0, 1, 2].map(|at| middle(&self.known[at]));
        OneRunASide { known, assumed: middle(&self.assumed) }
    }
}

/// Whether the other runs say how much runs scatter.
fn is_known(assessment: &Assessment) -> bool {
    match &assessment.evidence.design {
        Design::Runs(runs) => matches!(runs.scatter, ScatterFrom::Earlier(_)),
        Design::Blocks | Design::Nodes(_) | Design::Layouts(_) | Design::Independent => false,
    }
}
