//! Intervals and p values of dependent values: the limits of independent ones, stretched away from the estimate.
//!
//! Dividing a rank statistic instead would silence it: it is bounded, however large the effect.

use super::autocorrelation::{Dependence, serial_dependence};
use super::hodges_lehmann::Shift;
use super::hypothesis::Alternative;
use super::interval::Interval;
use super::moments::stddev;
use super::student_t::student_t_quantile;

/// By how much serial dependence moves limits away from the estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Lag-1 autocorrelation of the ranks; of two samples the stronger one.
    pub r1: f64,
    /// √((1 + r)/(1 − r)) with the autocorrelation r; of two samples the root of their mean square, by the
    /// variances of their means.
    root: f64,
    /// Degrees of freedom of so many values, and of so many independent ones as are worth as much.
    degrees: (f64, f64),
}

/// The effect of serial dependence on an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Widening {
    /// Lag-1 autocorrelation of the ranks.
    pub r1: f64,
    /// How many times as wide the interval is.
    pub factor: f64,
}

/// The values that are independent, of n with an autocorrelation of r: n(1 − r)/(1 + r), and not below 2.5, which
/// keeps a finite quantile.
fn effective(dependence: &Dependence) -> f64 {
    let r = dependence.autocorrelation();
    (dependence.n as f64 * (1.0 - r) / (1.0 + r)).max(2.5)
}

/// (1 + r)/(1 − r): how much larger the variance of a mean is.
fn inflation(dependence: &Dependence) -> f64 {
    let r = dependence.autocorrelation();
    (1.0 + r) / (1.0 - r)
}

impl Stretch {
    /// That of one sample's location, values in time order, which belongs to a `family` of samples that show this
    /// together; the stronger one counts. `None` where no dependence is seen.
    #[must_use]
    pub fn from_values(values: &[f64], family: Option<Dependence>) -> Option<Stretch> {
        Stretch::from_dependence(values.len(), serial_dependence(values), family)
    }

    /// That of so many values with a dependence of their own, in a `family` as above.
    pub(crate) fn from_dependence(
        n: usize,
        own: Option<Dependence>,
        family: Option<Dependence>,
    ) -> Option<Stretch> {
        let own = Some(own?).filter(Dependence::is_flagged);
        let family = family.map(|of| Dependence { n, ..of });
        let found = [own, family].into_iter().flatten().max_by(|a, b| a.r1.total_cmp(&b.r1))?;
        Some(Stretch {
            r1: found.r1,
            root: inflation(&found).sqrt(),
            degrees: (n as f64 - 1.0, effective(&found) - 1.0),
        })
    }

    /// That of the shift of two independent samples, values in time order, whose dependence is that of ranks and so the
    /// same on every scale. Asks for the values only where some is seen; `None` where none is.
    #[must_use]
    pub fn from_sides<V: AsRef<[f64]>>(
        found: [Option<Dependence>; 2],
        values: impl FnOnce() -> [V; 2],
    ) -> Option<Stretch> {
        let found = found.map(|found| found.filter(Dependence::is_flagged));
        let r1 = found.iter().flatten().map(|found| found.r1).max_by(f64::total_cmp)?;
        let values = values();
        let [x, y] = values.each_ref().map(AsRef::as_ref);
        let (mut plain, mut inflated, mut worth) = (0.0, 0.0, 0.0);
        for (values, found) in [x, y].into_iter().zip(&found) {
            let n = values.len() as f64;
            let variance = stddev(values).unwrap_or(0.0).powi(2) / n;
            plain += variance;
            inflated += variance * found.as_ref().map_or(1.0, inflation);
            worth += found.as_ref().map_or(n, effective);
        }
        let root = (inflated / plain).sqrt();
        let degrees = ((x.len() + y.len()) as f64 - 2.0, worth - 2.0);
        root.is_finite().then_some(Stretch { r1, root, degrees })
    }

    /// The factor for limits with this probability beyond each: root · t of the effective degrees of freedom
    /// over t of all.
    #[must_use]
    pub fn factor(&self, tail: f64) -> f64 {
        // Towards ½ both quantiles are 0, towards 0 infinite.
        let tail = tail.clamp(1e-300, 0.45);
        let t = |degrees| student_t_quantile(tail, degrees);
        self.root * (t(self.degrees.1) / t(self.degrees.0))
    }

    /// The widening of an interval of a level.
    #[must_use]
    pub(crate) fn widening(&self, level: f64) -> Widening {
        Widening { r1: self.r1, factor: self.factor((1.0 - level) / 2.0) }
    }

    /// By how much means and quantiles of the values scatter more than those of independent ones. A description
    /// needs no more; a verdict also allows for how little a few dependent values say of that.
    #[must_use]
    pub(crate) fn scatter_factor(&self) -> f64 {
        self.root
    }

    /// A shift with its limits moved.
    #[must_use]
    pub(crate) fn shift(&self, shift: Shift) -> Shift {
        let moved = |of: Interval| {
            let factor = self.factor((1.0 - of.level) / 2.0);
            let (below, above) = (shift.estimate - of.lo, of.hi - shift.estimate);
            let (lo, hi) = (shift.estimate - factor * below, shift.estimate + factor * above);
            Interval { lo, hi, level: of.level }
        };
        Shift { interval: shift.interval.map(moved), ..shift }
    }

    /// The p of "the shift is `none`" that belongs to the moved limits: the level at which one of them is
    /// `none`. `p_of` is the p of a shift without dependence. To six digits, or at most 10⁻¹².
    ///
    /// A moved limit excludes `none` where the plain one excludes the shift that lies as much closer to the
    /// estimate; how much depends on the level.
    pub fn p<E>(
        &self,
        estimate: f64,
        none: f64,
        alternative: Alternative,
        p_of: impl Fn(f64) -> Result<f64, E>,
    ) -> Result<f64, E> {
        let tails = if alternative == Alternative::TwoSided { 2.0 } else { 1.0 };
        let at = |p: f64| p_of(estimate - (estimate - none) / self.factor(p / tails));
        // A smaller p has a larger factor, and so a larger p of its own.
        let mut lo = at(1.0)?;
        let mut hi = at(lo)?.max(lo);
        // How far ln p of its own is from ln p, which is nearly straight: two probes of three aim, every third halves
        // what is left.
        let log = |p: f64| p.max(1e-15).ln();
        let mut seen = [(0.0, log(lo)), (log(lo), log(hi) - log(lo))];
        let mut step = 0_u32;
        while hi > 1e-12 && hi > lo * (1.0 + 1e-6) {
            let middle = f64::midpoint(log(lo), log(hi));
            let [before, last] = seen;
            let straight = last.0 - last.1 * (last.0 - before.0) / (last.1 - before.1);
            let aims = step % 3 != 2 && log(lo) < straight && straight < log(hi);
            let s = if aims { straight } else { middle };
            let p = s.exp();
            let own = at(p)?;
            seen = [last, (s, log(own) - s)];
            (lo, hi) = if own > p { (p, hi.min(own)) } else { (lo.max(own), p) };
            step += 1;
        }
        Ok(hi)
    }
}
