//! Suites: the cases that are compared with each other, and the tests of their means.

use etalon_core::analysis::{self, MeansFinding, Tested};
use etalon_core::metrics;
use etalon_core::stats::{self, Fate, NEGLIGIBLE_D};
use serde::Serialize;

use super::parts::Ordered;

/// The cases that are compared: those of a file, of a group in it, and of a job.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Suite<'a> {
    /// The file.
    suite: &'a str,
    /// The group in it.
    group: Option<&'a str>,
    /// The parameters that are the job, with their values.
    job: Ordered<'a, &'a str>,
    /// The `id`s of its cases.
    benchmarks: &'a [usize],
    /// The one that the others are compared with.
    baseline: Option<usize>,
    /// Tests of mean times; `null` with fewer than two cases of two blocks.
    means: Option<Means<'a>>,
}

impl<'a> Suite<'a> {
    pub(super) fn new(suite: &'a analysis::Suite) -> Suite<'a> {
        let job = suite.scope.job.iter();
        Suite {
            suite: &suite.scope.file,
            group: suite.scope.group.as_deref(),
            job: Ordered::from_pairs(job.map(|(name, value)| (name.as_str(), value.as_str()))),
            benchmarks: &suite.members,
            baseline: suite.baseline,
            means: suite.means.as_ref().map(Means::new),
        }
    }
}

/// Tests of mean times.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Means<'a> {
    /// `wall`.
    metric: &'static str,
    /// Welch's up to five cases, Scott and Knott's clusters from six on.
    #[cfg_attr(test, schemars(extend("enum" = ["welch", "scott_knott_esd"])))]
    test: &'static str,
    /// Significance level.
    alpha: f64,
    /// The `id`s of the compared cases.
    benchmarks: &'a [usize],
    /// Their mean times, in seconds.
    values: &'a [f64],
    /// `welch`: the correction over the pairs.
    correction: Option<&'static str>,
    /// `welch`: every pair.
    pairs: Option<Vec<Pair>>,
    /// `scott_knott_esd`: Cohen's d below which neighbours are not parted.
    negligible_d: Option<f64>,
    /// `scott_knott_esd`: the clusters; `null` if they could not be computed.
    clustering: Option<Clustering>,
}

impl<'a> Means<'a> {
    fn new(means: &'a analysis::Means) -> Means<'a> {
        let none = Means {
            metric: metrics::WALL,
            test: "welch",
            alpha: means.alpha,
            benchmarks: &means.members,
            values: &means.values,
            correction: None,
            pairs: None,
            negligible_d: None,
            clustering: None,
        };
        match &means.tested {
            Tested::Welch { pairs, correction } => Means {
                correction: Some(correction.name()),
                pairs: Some(pairs.iter().map(Pair::new).collect()),
                ..none
            },
            Tested::ScottKnott(found) => Means {
                test: "scott_knott_esd",
                negligible_d: Some(NEGLIGIBLE_D),
                clustering: found.as_ref().ok().map(|it| Clustering::new(it, means)),
                ..none
            },
        }
    }
}

/// Two cases by Welch's test.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Pair {
    /// The `id` of the case declared earlier.
    base: usize,
    /// The `id` of the other one.
    candidate: usize,
    /// Candidate minus base, in seconds.
    difference: Option<f64>,
    /// The lower end of its interval.
    lo: Option<f64>,
    /// The upper end.
    hi: Option<f64>,
    /// The level of that interval.
    level: Option<f64>,
    /// The statistic.
    t: Option<f64>,
    /// Its degrees of freedom.
    df: Option<f64>,
    /// Its p.
    p: Option<f64>,
    /// p after the correction.
    p_adjusted: Option<f64>,
    /// The difference in standard deviations.
    cohens_d: Option<f64>,
    /// Whether the adjusted p is at most alpha.
    different: Option<bool>,
    /// Why there is no test.
    lacking: Option<String>,
}

impl Pair {
    fn new(pair: &analysis::Pair) -> Pair {
        let test = pair.welch.as_ref().ok();
        Pair {
            base: pair.base,
            candidate: pair.candidate,
            difference: test.map(|t| -t.difference),
            lo: test.map(|t| -t.interval.hi),
            hi: test.map(|t| -t.interval.lo),
            level: test.map(|t| t.interval.level),
            t: test.map(|t| -t.t),
            df: test.map(|t| t.df),
            p: test.map(|t| t.p),
            p_adjusted: pair.adjusted_p,
            cohens_d: test.map(|t| -t.cohens_d),
            different: pair.found.map(|found| found == MeansFinding::Difference),
            lacking: pair.welch.as_ref().err().map(ToString::to_string),
        }
    }
}

/// Cases in clusters.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Clustering {
    /// The cluster of each compared case; 1 is the fastest.
    clusters: Vec<usize>,
    /// Every test.
    splits: Vec<Split>,
    /// Neighbours that the tests parted.
    boundaries: Vec<Boundary>,
}

/// A test of a run of cases.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Split {
    /// The `id`s of the cases by ascending mean.
    benchmarks: Vec<usize>,
    /// How many are in the lower part.
    lower: usize,
    /// The statistic.
    lambda: f64,
    /// Its degrees of freedom.
    df: f64,
    /// Its p.
    p: f64,
    /// Whether the parts are apart.
    apart: bool,
}

/// Two neighbours by mean that the tests parted.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Boundary {
    /// The `id` of the lower one.
    below: usize,
    /// The `id` of the upper one.
    above: usize,
    /// Their difference in standard deviations.
    cohens_d: Option<f64>,
    /// Whether that is not negligible.
    apart: bool,
}

impl Clustering {
    fn new(found: &stats::Clustering, means: &analysis::Means) -> Clustering {
        let member = |place: usize| means.members[place];
        let split = |split: &stats::Split| Split {
            benchmarks: found.order[split.from..split.to].iter().map(|at| member(*at)).collect(),
            lower: split.cut - split.from,
            lambda: split.lambda,
            df: split.df,
            p: split.p,
            apart: split.fate == Fate::Apart,
        };
        let boundary = |boundary: &stats::Boundary| Boundary {
            below: member(boundary.below),
            above: member(boundary.above),
            cohens_d: boundary.d.as_ref().ok().copied(),
            apart: boundary.fate == Fate::Apart,
        };
        Clustering {
            clusters: found.clusters.clone(),
            splits: found.splits.iter().map(split).collect(),
            boundaries: found.boundaries.iter().map(boundary).collect(),
        }
    }
}
