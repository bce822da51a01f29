//! Estimates: a number with its interval, level and method, or the reason there is none.

use crate::sample::Sample;
use crate::stats::{self, InsufficientData, Interval, Stretch, Widening};

/// How an estimate was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Sample median with the interval between two order statistics.
    MedianOrderStatistics,
    /// One-sample Hodges–Lehmann of within-block values, interval inverting the signed-rank test.
    HodgesLehmannPaired,
    /// Arithmetic mean with Student's interval.
    MeanStudent,
    /// The value itself, which repeats: its interval has no width.
    Exact,
    /// Two-sample Hodges–Lehmann, interval inverting the Brunner–Munzel test.
    HodgesLehmannIndependent,
    /// Difference of the means over runs, widened by the scatter between them.
    BetweenRuns,
    /// The middle of what nodes say, Student's t.
    OverNodes,
    /// Difference of the means over layouts, Welch's t.
    OverLayouts,
}

impl Method {
    /// A short name, stable: it stands in `--json`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::MedianOrderStatistics => "median, order statistics",
            Method::HodgesLehmannPaired => "Hodges-Lehmann, signed-rank",
            Method::MeanStudent => "mean, Student's t",
            Method::Exact => "exact",
            Method::HodgesLehmannIndependent => "Hodges-Lehmann, Brunner-Munzel",
            Method::OverLayouts => "mean of layouts, Welch's t",
            Method::OverNodes => "mean of nodes, Student's t",
            Method::BetweenRuns => "mean of runs, scatter between runs",
        }
    }
}

/// A number with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The point estimate, base units or a plain ratio.
    pub value: f64,
    /// Its interval, or why there is none.
    pub interval: Result<Interval, InsufficientData>,
    /// How both were made.
    pub method: Method,
}

impl Estimate {
    /// An exact value, which has no error.
    #[must_use]
    pub(crate) fn point(value: f64, level: f64) -> Estimate {
        let interval = Ok(Interval { lo: value, hi: value, level });
        Estimate { value, interval, method: Method::Exact }
    }

    /// Half the interval's width over the value's magnitude; absent without an interval or for 0.
    #[must_use]
    pub fn relative_half_width(&self) -> Option<f64> {
        let interval = self.interval.ok()?;
        (self.value != 0.0).then(|| interval.half_width() / self.value.abs())
    }
}

/// The median of a sample with its order-statistic interval, wider where the readings depend on the ones before
/// them, and never narrower than ± `resolution`. `None` for an empty sample.
#[must_use]
pub fn median(sample: &Sample, level: f64, resolution: Option<f64>) -> Option<Estimate> {
    median_widened(sample, level, resolution).map(|(estimate, _)| estimate)
}

/// The median and its interval, with the widening that serial dependence makes.
pub(crate) fn median_widened(
    sample: &Sample,
    level: f64,
    resolution: Option<f64>,
) -> Option<(Estimate, Option<Widening>)> {
    let value = stats::median(sample.sorted())?;
    let of_dependent = |times| stats::median_interval_of_dependent(sample.sorted(), level, times);
    let plain = of_dependent(1.0);
    // What has no interval is not looked at.
    let stretch =
        plain.ok().and_then(|_| Stretch::from_dependence(sample.len(), sample.dependence(), None));
    let interval = stretch.map_or(plain, |stretch| of_dependent(stretch.scatter_factor()));
    let widening =
        stretch.zip(plain.ok()).zip(interval.ok()).and_then(|((stretch, plain), wide)| {
            let factor = wide.half_width() / plain.half_width();
            (factor.is_finite() && factor >= WORTH_SAYING)
                .then_some(Widening { r1: stretch.r1, factor })
        });
    let interval = interval.map(|i| at_least_as_wide(i, value, resolution.unwrap_or(0.0)));
    let estimate = Estimate { value, interval, method: Method::MedianOrderStatistics };
    Some((estimate, widening))
}

/// A widening by less is not worth a word.
pub(crate) const WORTH_SAYING: f64 = 1.05;

/// The interval, widened where needed to reach `step` to both sides of `value`: no reading can be
/// known better than the clock's resolution.
#[must_use]
pub(crate) fn at_least_as_wide(interval: Interval, value: f64, step: f64) -> Interval {
    Interval { lo: interval.lo.min(value - step), hi: interval.hi.max(value + step), ..interval }
}
