//! Earlier runs, and how much runs of unchanged code differ by them.
//!
//! Owns occasions: runs of one version of the code between which there is less time than a quarter of that between the
//! sides share what the machine did then, and are one occasion. Only occasions say how much runs scatter over the time
//! that lies between the sides; and only where those of one version reach as far, and the machine was in the state that
//! it is in now. Refuses to find runs, and to know whose code they are of: [`crate::dataset::history`] does.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::stretches::Stretches;
use crate::stats::{self, OccasionScatter};

/// Earlier runs count from so many degrees of freedom on: occasions less versions of the code.
const ENOUGH_DF: f64 = 4.0;

/// At most so many occasions count, those nearest in time. Because: machines and their neighbours change.
const NEAREST: usize = 20;

/// Runs with less time between them than this share of the time between the sides are one occasion: in simulations of
/// histories of 5 to 10 occasions with 1 to 10 runs each, between 1.9 and 5.5 % of verdicts are false.
const SHARE_OF_DISTANCE: f64 = 0.25;

/// The significance of a difference between the spread within runs now and then.
const OTHER_STATE: f64 = 0.01;

/// The significance of a larger spread within runs now, from which on earlier runs make no interval narrower than the
/// assumed scatter does. Because: of a machine that scattered by half, 31 % of histories pass the test above, and their
/// intervals are too narrow.
const SUSPECT: f64 = 0.05;

/// Readings by which the interquartile range is as sure of a variance as n − 1 of the variance of samples is: 0.37 n,
/// asymptotically.
const EFFICIENCY: f64 = 0.37;

/// Of fewer readings the spread of a run says nothing.
const FEWEST_READINGS: usize = 5;

/// An occasion is odd if the scatter is this many times as large with it as without.
const ODD: f64 = 3.0;

/// The spread of readings within a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Their robust standard deviation, of logarithms.
    pub sd: f64,
    /// How many there are.
    pub readings: usize,
}

/// A run of the same benchmark, besides those that are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierRun {
    /// The name of its source.
    pub name: Arc<str>,
    /// The number of the version of the code that it measured.
    pub version: usize,
    /// The number of its source: runs of one source that do not say when they began are one occasion.
    pub source: usize,
    /// When it began, in seconds since 1970.
    pub began: Option<f64>,
    /// The median of the logarithms of its readings, or the mean of several benchmarks' medians.
    pub value: f64,
    /// How much they spread.
    pub spread: Spread,
}

/// Runs of one benchmark, of the machine and the code that is compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EarlierRuns {
    /// Each once.
    pub runs: Vec<EarlierRun>,
    /// How many repeat others, and were left out.
    pub copies: usize,
}

/// How much earlier runs of the same code scatter.
#[derive(Debug, Clone, PartialEq)]
pub struct Earlier {
    /// How many runs.
    pub runs: usize,
    /// In how many occasions.
    pub occasions: usize,
    /// The standard deviation of the logarithms of their values, between occasions.
    pub sd: f64,
    /// Its degrees of freedom: the occasions less the versions of the code among them.
    pub df: f64,
    /// Seconds from the first to the last of one version, of that for which it is longest; absent where that is not
    /// known.
    pub span: Option<f64>,
    /// How far apart the values of one version lie, on the scale of logarithms: the farthest two.
    pub range: f64,
    /// The run that makes the scatter three times what it is without it.
    pub odd: Option<Odd>,
    /// How many runs repeat others, and were left out.
    pub copies: usize,
}

/// A run unlike the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Odd {
    /// The name of its source.
    pub name: Arc<str>,
    /// The standard deviation without its occasion.
    pub sd_without: f64,
}

/// Why earlier runs do not say how much runs scatter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unused {
    /// They are of too few occasions.
    FewOccasions {
        /// How many runs.
        runs: usize,
        /// In how many occasions.
        occasions: usize,
        /// Of how many versions of the code.
        versions: usize,
        /// How many more repeat others, and were left out.
        copies: usize,
    },
    /// Those of one version do not reach as far as the sides lie apart.
    Short {
        /// How many runs.
        runs: usize,
        /// Seconds from the first to the last of one version; absent where they do not say when they were.
        span: Option<f64>,
    },
    /// Readings within them spread by another amount than they do now: the machine was in another state.
    OtherState {
        /// How many runs.
        runs: usize,
        /// The robust standard deviation within a run then.
        then: f64,
        /// The figure now.
        now: f64,
    },
}

/// The scatter by earlier runs of the base's benchmark, and of the candidate's where that is another, for sides that
/// lie so in time and whose readings spread so. Absent without earlier runs.
pub(super) fn earlier(
    of_sides: &[EarlierRuns],
    stretches: &Stretches,
    now: &[Spread],
) -> Option<Result<Earlier, Unused>> {
    let mut found = of_sides
        .iter()
        .map(|of| (!of.runs.is_empty()).then(|| benchmark_scatter(of, stretches, now)));
    let of_base = found.next()??;
    match found.next() {
        None => Some(of_base),
        Some(of_candidate) => {
            let of_candidate = of_candidate?;
            Some(of_base.and_then(|base| Ok(together(base, of_candidate?))))
        }
    }
}

/// Earlier runs of two benchmarks that are compared with one another.
fn together(base: Earlier, candidate: Earlier) -> Earlier {
    Earlier {
        runs: base.runs.min(candidate.runs),
        occasions: base.occasions.min(candidate.occasions),
        sd: (base.sd.powi(2) / 2.0 + candidate.sd.powi(2) / 2.0).sqrt(),
        df: base.df + candidate.df,
        span: base.span.zip(candidate.span).map(|(a, b)| a.min(b)),
        range: base.range.max(candidate.range),
        odd: base.odd.or(candidate.odd),
        copies: base.copies.max(candidate.copies),
    }
}

fn benchmark_scatter(
    of: &EarlierRuns,
    stretches: &Stretches,
    now: &[Spread],
) -> Result<Earlier, Unused> {
    let mut occasions = occasions(&of.runs, stretches);
    occasions.truncate(NEAREST);
    let versions = versions(&occasions);
    let few = || Unused::FewOccasions {
        runs: occasions.iter().map(|occasion| occasion.runs.len()).sum(),
        occasions: occasions.len(),
        versions: versions.len(),
        copies: of.copies,
    };
    // What was measured on one occasion only says nothing of how occasions differ.
    let told: Vec<&Version<'_>> = versions.iter().filter(|version| version.len() > 1).collect();
    let values: Vec<stats::Occasions> = told.iter().map(|version| values(version)).collect();
    let scatter = stats::occasion_scatter(&values).filter(|found| found.df >= ENOUGH_DF);
    let scatter = scatter.ok_or_else(few)?;
    let OccasionScatter { sd, df } = scatter;
    let runs = values.iter().flatten().map(Vec::len).sum();
    let span = told.iter().filter_map(|version| span(version)).max_by(f64::total_cmp);
    if stretches.apart.is_some_and(|apart| span.is_none_or(|span| span < apart)) {
        return Err(Unused::Short { runs, span });
    }
    let then: Vec<Spread> =
        told.iter().flat_map(|version| all(version)).map(|run| run.spread).collect();
    if let Some((then, now)) = other_state(&then, now, &scatter) {
        return Err(Unused::OtherState { runs, then, now });
    }
    Ok(Earlier {
        runs,
        occasions: told.iter().map(|version| version.len()).sum(),
        sd,
        df,
        span,
        range: values.iter().map(range).fold(0.0, f64::max),
        odd: odd(&told, &values, sd),
        copies: of.copies,
    })
}

/// Runs that share what the machine did then.
struct Occasion<'r> {
    version: usize,
    runs: Vec<&'r EarlierRun>,
}

/// The occasions of a version.
type Version<'o> = Vec<&'o Occasion<'o>>;

/// The occasions, those nearest to the sides first; of those without times, and if the sides have none, the last ones.
fn occasions<'r>(runs: &'r [EarlierRun], stretches: &Stretches) -> Vec<Occasion<'r>> {
    let shortest = stretches.apart.map_or(f64::INFINITY, |apart| SHARE_OF_DISTANCE * apart);
    let mut timed: BTreeMap<usize, Vec<(f64, &EarlierRun)>> = BTreeMap::new();
    let mut untimed: BTreeMap<(usize, usize), Vec<&EarlierRun>> = BTreeMap::new();
    for run in runs {
        match run.began {
            Some(began) => timed.entry(run.version).or_default().push((began, run)),
            None => untimed.entry((run.version, run.source)).or_default().push(run),
        }
    }
    let mut occasions: Vec<Occasion<'r>> = Vec::new();
    for (version, mut runs) in timed {
        runs.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        for chain in runs.chunk_by(|(a, _), (b, _)| b - a < shortest) {
            occasions.push(Occasion { version, runs: chain.iter().map(|(_, run)| *run).collect() });
        }
    }
    let of_sources = untimed.into_iter();
    occasions.extend(of_sources.map(|((version, _), runs)| Occasion { version, runs }));
    let distance = |occasion: &Occasion<'_>| {
        let began = occasion.runs.iter().filter_map(|run| run.began);
        let middle = stretches.middle.unwrap_or(f64::INFINITY);
        began.map(|began| (began - middle).abs()).fold(f64::INFINITY, f64::min)
    };
    let source = |occasion: &Occasion<'_>| occasion.runs.iter().map(|run| run.source).max();
    occasions.sort_by(|a, b| {
        distance(a).total_cmp(&distance(b)).then_with(|| source(b).cmp(&source(a)))
    });
    occasions
}

fn versions<'o>(occasions: &'o [Occasion<'o>]) -> Vec<Version<'o>> {
    let mut versions: BTreeMap<usize, Version<'o>> = BTreeMap::new();
    for occasion in occasions {
        versions.entry(occasion.version).or_default().push(occasion);
    }
    versions.into_values().collect()
}

fn values(version: &Version<'_>) -> stats::Occasions {
    version.iter().map(|occasion| occasion.runs.iter().map(|run| run.value).collect()).collect()
}

fn all<'o>(version: &Version<'o>) -> impl Iterator<Item = &'o EarlierRun> {
    version
        .iter()
        .flat_map(|occasion| occasion.runs.iter().copied())
        .collect::<Vec<_>>()
        .into_iter()
}

/// Seconds from the first start to the last.
fn span(version: &Version<'_>) -> Option<f64> {
    let began = || all(version).filter_map(|run| run.began);
    let first = began().min_by(f64::total_cmp)?;
    Some(began().max_by(f64::total_cmp)? - first)
}

fn range(occasions: &stats::Occasions) -> f64 {
    let values = || occasions.iter().flatten().copied();
    let (least, most) = (values().min_by(f64::total_cmp), values().max_by(f64::total_cmp));
    least.zip(most).map_or(0.0, |(least, most)| most - least)
}

/// The run that makes the scatter what it is: of the occasion without which it is a third or less, the run farthest
/// from the others.
fn odd(told: &[&Version<'_>], values: &[stats::Occasions], sd: f64) -> Option<Odd> {
    let places = told.iter().enumerate();
    let places = places.flat_map(|(version, of)| (0..of.len()).map(move |at| (version, at)));
    let without = places.filter_map(|place| {
        let found = stats::scatter_without(values, Some(place))?;
        (found.df > 1.0 && sd >= ODD * found.sd).then_some((place, found.sd))
    });
    let ((version, at), sd_without) = without.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let others = values[version].iter().enumerate().filter(|(other, _)| *other != at);
    let middle = stats::mean(&others.flat_map(|(_, runs)| runs).copied().collect::<Vec<f64>>())?;
    let distance = |run: &&EarlierRun| (run.value - middle).abs();
    let runs = told[version][at].runs.iter().copied();
    let run = runs.max_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some(Odd { name: Arc::clone(&run.name), sd_without })
}

/// The spread within runs then and now, if they differ by more than chance explains, and more than those of earlier
/// runs differ from one another: an F test whose degrees of freedom are fewer by as much as the earlier spreads are
/// more unequal than chance makes them. A larger spread now has to be only as sure as [`SUSPECT`] where the assumed
/// scatter makes the wider interval.
fn other_state(then: &[Spread], now: &[Spread], scatter: &OccasionScatter) -> Option<(f64, f64)> {
    let (then, now) = (Variance::from_spreads(then)?, Variance::from_spreads(now)?);
    let [df_now, df_then] = [&now, &then].map(|of| of.df / then.dispersion);
    let ratio = now.value / then.value;
    let spread = now.value.sqrt();
    let is_suspect = || stats::f_sf(ratio, df_now, df_then) < SUSPECT;
    let is_other = stats::f_two_sided(ratio, df_now, df_then) < OTHER_STATE
        || is_suspect() && stats::assumed_is_wider(spread, scatter);
    is_other.then(|| (then.value.sqrt(), spread))
}

/// The variance within runs.
struct Variance {
    value: f64,
    /// Degrees of freedom, if nothing but chance told the runs' apart.
    df: f64,
    /// How many times the variance of their variances is what it then would be; 1 at least.
    dispersion: f64,
}

impl Variance {
    /// That of some runs; absent where it is 0 or of too few readings.
    #[allow(clippy::cast_precision_loss)] // numbers of readings
    fn from_spreads(spreads: &[Spread]) -> Option<Variance> {
        let told = || spreads.iter().filter(|spread| spread.readings >= FEWEST_READINGS);
        let runs = told().count() as f64;
        let df = EFFICIENCY * told().map(|spread| spread.readings).sum::<usize>() as f64;
        let weighted = told().map(|it| EFFICIENCY * it.readings as f64 * it.sd.powi(2));
        let value = weighted.sum::<f64>() / df;
        let squares: Vec<f64> = told().map(|spread| spread.sd.powi(2)).collect();
        let by_chance = 2.0 * value.powi(2) / (df / runs);
        let found = stats::stddev(&squares).map_or(0.0, |sd| sd.powi(2) / by_chance);
        (value > 0.0 && value.is_finite()).then_some(Variance {
            value,
            df,
            dispersion: found.max(1.0),
        })
    }
}
