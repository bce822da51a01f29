//! Evidence about samples that were not interleaved: the run is the unit of replication.
//!
//! Owns which metrics scatter between runs, where the scatter is known from, and how evidence from readings becomes
//! evidence from runs. The formula is [`stats::between_runs`]; how runs lie in time is [`super::stretches`]'s, what
//! earlier ones say [`super::earlier`]'s. Refuses to look for earlier runs: the caller brings them.

use super::earlier::{Earlier, EarlierRuns, Spread, Unused, earlier};
use super::replicated::Replicated;
use super::stretches::Stretches;
use super::{Contrast, Design, Evidence, Scale};
use crate::criteria::Criteria;
use crate::estimate::{Estimate, Method, WORTH_SAYING};
use crate::model::{Kind, Metric};
use crate::sample::{Moment, Sample};
use crate::stats::{
    self, ASSUMED_SCATTER, BetweenRuns, ENOUGH_RUNS, InsufficientData, PMethod, RunsOfSide,
    Scatter, Sorted, Widening, Within,
};
use crate::units::Base;

/// Runs that were compared, each with one value.
#[derive(Debug, Clone, PartialEq)]
pub struct Replication {
    /// Runs of the base.
    pub base: usize,
    /// Runs of the candidate.
    pub candidate: usize,
    /// In how many stretches those of base and candidate are: series with none of the other side between them.
    pub stretches: [usize; 2],
    /// Where the scatter between runs comes from.
    pub scatter: ScatterFrom,
    /// Half the width of the interval of the log ratio that the readings alone give; absent without one.
    pub within: Option<f64>,
    /// The share of a typical reading for which an execution waited for a CPU: of the base, and of the candidate; 0
    /// where that is not known.
    pub waited: [f64; 2],
    /// The comparison on the scale of the verdict; absent where there is not enough for one.
    pub compared: Option<BetweenRuns>,
}

/// The runs of a side on the scale of logarithms.
#[derive(Debug, Clone, PartialEq)]
pub struct SideRuns {
    /// Centre and spread of each run.
    pub values: RunsOfSide,
    /// When each began.
    pub began: Vec<Option<Moment>>,
    /// How many readings each has.
    pub readings: Vec<usize>,
}

impl SideRuns {
    /// The runs of a sample; absent if a value is not above 0.
    #[must_use]
    pub fn from_sample(sample: &Sample) -> Option<SideRuns> {
        sample.is_positive().then(|| SideRuns {
            values: side(sample, Scale::Ratio),
            began: moments(sample),
            readings: sample.runs().map(|(values, _)| values.len()).collect(),
        })
    }

    /// How much the readings within each run spread.
    pub(crate) fn spreads(&self) -> impl Iterator<Item = Spread> {
        let both = self.values.spreads.iter().zip(&self.readings);
        both.map(|(sd, readings)| Spread { sd: *sd, readings: *readings })
    }
}

fn moments(sample: &Sample) -> Vec<Option<Moment>> {
    sample.runs().map(|(_, run)| run.began).collect()
}

/// The ratio of two sides of runs, each value of which may be a mean over benchmarks; `within` is what the readings
/// alone say of it. Absent if the formula has no values for it, or doubles do not hold it.
#[must_use]
pub fn ratio_of_runs(
    (base, candidate): (&SideRuns, &SideRuns),
    within: Result<Within, InsufficientData>,
    earlier: &[EarlierRuns],
    criteria: &Criteria,
) -> Option<Estimate> {
    let stretches = Stretches::from_moments([&base.began, &candidate.began]);
    let spreads = || base.spreads().chain(candidate.spreads()).collect();
    let scatter = from(&stretches, criteria.between, earlier, spreads);
    let values = |side: usize, of: &SideRuns| stretches.values(side, of.values.clone());
    let (base, candidate) = (values(0, base), values(1, candidate));
    let known = known(&scatter, 1.0);
    let runs = stats::between_runs(&base, &candidate, stretches.in_time(), known, within).ok()?;
    let interval = runs.interval(criteria.confidence).ok()?;
    let (value, lo, hi) = (runs.difference.exp(), interval.lo.exp(), interval.hi.exp());
    let interval = stats::Interval { lo, hi, ..interval };
    (value.is_finite() && hi.is_finite() && lo > 0.0).then_some(Estimate {
        value,
        interval: Ok(interval),
        method: Method::BetweenRuns,
    })
}

/// Where the scatter between runs comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum ScatterFrom {
    /// From the compared runs themselves, whose stretches alternate in time.
    Alternating,
    /// It was said.
    Said(f64),
    /// From earlier runs.
    Earlier(Earlier),
    /// It is assumed; where there are earlier runs, because of this.
    Assumed(Option<Unused>),
}

/// Whether runs are compared: of metrics that scatter between runs, unless it was said that they do not here and too
/// few runs could show it.
pub(super) fn is_of_runs(contrast: &Contrast<'_>, criteria: &Criteria) -> bool {
    let few =
        [contrast.base, contrast.candidate].iter().any(|side| side.runs().count() < ENOUGH_RUNS);
    scatters_between_runs(contrast.metric) && !(few && criteria.between == Some(0.0))
}

/// Whether values of a metric differ from run to run by more than they scatter within one: times and rates do,
/// sizes and counts do not.
fn scatters_between_runs(metric: &Metric) -> bool {
    let base = metric.unit.base();
    let is_tidied_time = matches!(base, Base::Other(unit) if unit.starts_with("sec/"));
    metric.kind == Kind::Noisy && (base.is_speed() || is_tidied_time)
}

/// The evidence of readings as evidence of runs.
pub(super) fn between(
    evidence: &Evidence,
    contrast: &Contrast<'_>,
    criteria: &Criteria,
) -> Evidence {
    let (base, candidate) = (moments(contrast.base), moments(contrast.candidate));
    let stretches = Stretches::from_moments([&base, &candidate]);
    let spreads = || {
        let sides = [contrast.base, contrast.candidate].map(SideRuns::from_sample);
        sides.iter().flatten().flat_map(SideRuns::spreads).collect()
    };
    let scatter = from(&stretches, criteria.between, contrast.earlier, spreads);
    let methods = (Method::BetweenRuns, PMethod::BetweenRuns);
    let runs = |scale| runs_on(evidence, contrast, (&stretches, &scatter), scale);
    let compared = Replicated::new((evidence, contrast), methods, runs);
    let within = evidence.differing.ratio_interval();
    let within = within.map(|interval| (interval.hi.ln() - interval.lo.ln()) / 2.0);
    let decisive = compared.decisive(evidence.scale).ok();
    let replication = Replication {
        base: base.len(),
        candidate: candidate.len(),
        stretches: stretches.counts(),
        scatter,
        within,
        waited: [contrast.base, contrast.candidate].map(waited),
        compared: decisive,
    };
    let design = Design::Runs(Box::new(replication));
    let dependence = decisive.zip(evidence.dependence).and_then(|(runs, of_readings)| {
        // The values of runs say it themselves where there are enough.
        let speaks = base.len().min(candidate.len()) < ENOUGH_RUNS;
        let of_interval = speaks.then(|| runs.widened_by(of_readings.factor, criteria.confidence));
        let factor = of_interval.filter(|factor| *factor >= WORTH_SAYING)?;
        Some(Widening { factor, ..of_readings })
    });
    Evidence { dependence, ..compared.judged(evidence, design, criteria.sides) }
}

/// Where the scatter comes from: the runs themselves; what the user says; earlier runs, for readings that spread so;
/// else it is assumed.
fn from(
    stretches: &Stretches,
    said: Option<f64>,
    runs: &[EarlierRuns],
    spreads: impl Fn() -> Vec<Spread>,
) -> ScatterFrom {
    if stretches.alternate() {
        return ScatterFrom::Alternating;
    }
    if let Some(share) = said {
        return ScatterFrom::Said(share);
    }
    match runs {
        [] => ScatterFrom::Assumed(None),
        runs => match earlier(runs, stretches, &spreads()) {
            Some(Ok(earlier)) => ScatterFrom::Earlier(earlier),
            Some(Err(unused)) => ScatterFrom::Assumed(Some(unused)),
            None => ScatterFrom::Assumed(None),
        },
    }
}

/// The comparison of runs on a scale; the readings' interval of the same scale says how well one run knows its
/// own value.
fn runs_on(
    evidence: &Evidence,
    contrast: &Contrast<'_>,
    (stretches, scatter): (&Stretches, &ScatterFrom),
    scale: Scale,
) -> Result<BetweenRuns, InsufficientData> {
    let of_readings = match scale {
        Scale::Ratio => evidence.differing.ratio.ok_or(InsufficientData::NotFinite)?.interval,
        Scale::Difference => {
            evidence.differing.difference.ok_or(InsufficientData::NotFinite)?.interval
        }
    };
    let on = |x: f64| match scale {
        Scale::Ratio => x.ln(),
        Scale::Difference => x,
    };
    let within = of_readings.map(|interval| Within {
        half_width: (on(interval.hi) - on(interval.lo)) / 2.0,
        level: interval.level,
        df: degrees_of_freedom(evidence.n),
    });
    let sides = [contrast.base, contrast.candidate].map(|sample| side(sample, scale));
    // Shares of a value, on the scale of differences.
    let size = match scale {
        Scale::Ratio => 1.0,
        Scale::Difference => {
            let centres = sides.iter().flat_map(|side| &side.centres).map(|c| c.abs());
            stats::mean(&centres.collect::<Vec<f64>>()).unwrap_or(0.0)
        }
    };
    let known = known(scatter, size);
    let [base, candidate] = sides;
    let (base, candidate) = (stretches.values(0, base), stretches.values(1, candidate));
    stats::between_runs(&base, &candidate, stretches.in_time(), known, within)
}

/// The scatter as it is known for values of a size.
fn known(scatter: &ScatterFrom, size: f64) -> Scatter {
    match scatter {
        ScatterFrom::Alternating | ScatterFrom::Assumed(_) => {
            Scatter::Assumed(ASSUMED_SCATTER * size)
        }
        ScatterFrom::Said(share) => Scatter::Known(share * size),
        ScatterFrom::Earlier(earlier) => Scatter::Earlier { sd: earlier.sd * size, df: earlier.df },
    }
}

#[allow(clippy::cast_precision_loss)] // sizes of samples
fn degrees_of_freedom((base, candidate): (usize, usize)) -> f64 {
    (base + candidate).saturating_sub(2).max(1) as f64
}

/// The runs of a side: of each the median, and the interquartile range over 1.349, of its readings on the scale, and
/// how much of the median it waited for a CPU.
fn side(sample: &Sample, scale: Scale) -> RunsOfSide {
    let quartiles = |sorted: &Sorted| match scale {
        Scale::Ratio => stats::quartiles_on(sorted, f64::ln),
        Scale::Difference => stats::quartiles(sorted),
    };
    let mut side = RunsOfSide { centres: Vec::new(), spreads: Vec::new(), waited: Vec::new() };
    for (values, run) in sample.runs() {
        let found = match values.len() == sample.len() {
            true => quartiles(sample.sorted()),
            false => Sorted::new(values).ok().and_then(|sorted| quartiles(&sorted)),
        };
        let Some(quartiles) = found else { continue };
        side.centres.push(quartiles.median);
        side.spreads.push((quartiles.q3 - quartiles.q1) / ROBUST);
        side.waited.push(match scale {
            Scale::Ratio => -(-run.waited).ln_1p(),
            Scale::Difference => run.waited * quartiles.median,
        });
    }
    side
}

/// The share of a typical reading that was waiting, in the mean of a side's runs.
fn waited(sample: &Sample) -> f64 {
    stats::mean(&sample.runs().map(|(_, run)| run.waited).collect::<Vec<_>>()).unwrap_or(0.0)
}

/// The interquartile range of normal values in standard deviations.
const ROBUST: f64 = 1.349;
