//! Student's t distribution with any positive degrees of freedom, whole or not.
//!
//! Tails are computed as tails. statrs 0.19 has the incomplete beta function, but from logarithms of
//! large gamma functions: 4e-9 off at a million degrees of freedom, where its t is no longer usable
//! beside the other p values of this module. Here the gamma functions appear as one ratio.

use std::f64::consts::PI;

use super::normal::normal_quantile;
use super::remembered::Remembered;

/// P(T > `t`), the upper tail. In [0, 1]; NaN if `t` is NaN or `df` is not above 0. Relative error
/// below 1e-12 (against `scipy.stats.t`, `df` from 1 to 1e6, `t` to 1e3), until it underflows.
/// Tens to hundreds of steps, whatever `df`.
#[must_use]
pub fn student_t_sf(t: f64, df: f64) -> f64 {
    let half = student_t_two_sided(t, df) / 2.0;
    if t < 0.0 { 1.0 - half } else { half }
}

/// P(|T| > |`t`|), the two-sided p: I_x(`df`/2, ½) at x = `df`/(`df` + `t`²), the regularised
/// incomplete beta function. Range, accuracy and NaN as [`student_t_sf`].
///
/// Abramowitz & Stegun, Handbook of Mathematical Functions, 26.7.1 and 26.5.
#[must_use]
pub fn student_t_two_sided(t: f64, df: f64) -> f64 {
    if t.is_nan() || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if t.is_infinite() {
        return 0.0;
    }
    Place::new(t.abs(), df, inverse_beta(df)).two_sided()
}

/// The t with P(T ≤ t) = `p`: −∞ at 0, ∞ at 1, NaN for a `p` outside [0, 1] or a `df` not above 0.
/// Accurate where `p` is: ask for small `p`, not for ones near 1. Relative error below 1e-12 (against
/// `scipy.stats.t.ppf` from 1e-100 to 0.4, and closed forms); towards ½, where t is 0, the error is absolute. A few
/// dozen evaluations of the tail.
#[must_use]
pub fn student_t_quantile(p: f64, df: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) || df.is_nan() || df <= 0.0 {
        f64::NAN
    } else if p == 0.5 {
        0.0
    } else if p < 0.5 {
        -upper(2.0 * p, df)
    } else {
        upper(2.0 * (1.0 - p), df)
    }
}

thread_local! {
    static FOUND: Remembered<f64> = const { Remembered::new() };
}

/// The t > 0 with P(|T| > t) = `p`.
fn upper(p: f64, df: f64) -> f64 {
    FOUND.with(|found| found.get((p, df), || searched(p, df)))
}

/// The t > 0 with P(|T| > t) = `p`, by Newton's method on ln P over ln t, where heavy tails are
/// straight, halving the bracket whenever a step leaves it.
fn searched(p: f64, df: f64) -> f64 {
    if p == 0.0 {
        return f64::INFINITY;
    }
    let inverse_beta = inverse_beta(df);
    // e^±700: all that a double holds.
    let (mut lo, mut hi) = (-700.0_f64, 700.0_f64);
    let mut s = expanded(-normal_quantile(p / 2.0), df).ln().clamp(lo, hi);
    for _ in 0..200 {
        let t = s.exp();
        let at = Place::new(t, df, inverse_beta);
        let tail = at.two_sided();
        let excess = (tail / p).ln();
        if excess > 0.0 {
            lo = s
        } else {
            hi = s
        }
        let slope = -2.0 * t * at.density(df) / tail;
        let newton = s - excess / slope;
        // The error after a step of Newton's is in the order of that step squared.
        if (newton - s).abs() <= 1e-7 {
            return newton.exp();
        }
        s = if newton > lo && newton < hi { newton } else { f64::midpoint(lo, hi) };
    }
    s.exp()
}

/// About t, from the normal quantile z > 0: the first two terms of the expansion, and for so many degrees of freedom
/// that they help two more, with which one step of Newton's is enough for most samples.
///
/// Abramowitz & Stegun, Handbook of Mathematical Functions, 26.7.5.
fn expanded(z: f64, df: f64) -> f64 {
    let square = z * z;
    let first = z + (square + 1.0) * z / (4.0 * df);
    if df < 10.0 {
        return first;
    }
    let second = ((5.0 * square + 16.0) * square + 3.0) * z / 96.0;
    let third = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) * z / 384.0;
    first + (second + third / df) / (df * df)
}

/// 1/B(`df`/2, ½).
fn inverse_beta(df: f64) -> f64 {
    gamma_ratio(df / 2.0) / PI.sqrt()
}

/// One argument of the incomplete beta functions I_x(a, ½) and I_y(½, a), y = 1 − x.
struct Place {
    /// Half the degrees of freedom.
    a: f64,
    /// `df`/(`df` + t²).
    x: f64,
    /// t²/(`df` + t²), not as 1 − x, which would lose it for small t.
    y: f64,
    /// xᵃ.
    power: f64,
    /// 1/B(a, ½).
    inverse_beta: f64,
}

impl Place {
    fn new(t: f64, df: f64, inverse_beta: f64) -> Place {
        let (a, root) = (df / 2.0, t / df.sqrt());
        let u = root * root;
        // ln(1 + u), also where u is beyond the largest number.
        let log = if root > 1e8 { 2.0 * root.ln() } else { u.ln_1p() };
        Place {
            a,
            x: 1.0 / (1.0 + u),
            y: if u > 1.0 { 1.0 / (1.0 + 1.0 / u) } else { u / (1.0 + u) },
            power: (-a * log).exp(),
            inverse_beta,
        }
    }

    /// P(|T| > t).
    fn two_sided(&self) -> f64 {
        // Where the series for the middle has few terms and the fraction for the tail many.
        if self.y <= 1.5 / (self.a + 2.5) { 1.0 - self.middle() } else { self.tail() }
    }

    /// xᵃ·y^½/B(a, ½), the factor that both expansions share.
    fn factor(&self) -> f64 {
        self.power * self.y.sqrt() * self.inverse_beta
    }

    /// The density of t: (1 + t²/df)^(−(df + 1)/2)/(√df·B(df/2, ½)).
    fn density(&self, df: f64) -> f64 {
        self.power * self.x.sqrt() * self.inverse_beta / df.sqrt()
    }

    /// I_y(½, a) = 2·factor·Σ yⁿ·(a + ½)ₙ/(3/2)ₙ; every term is positive.
    fn middle(&self) -> f64 {
        let (mut term, mut sum, mut n) = (1.0, 1.0, 0.0);
        while term > 1e-17 * sum {
            term *= self.y * (self.a + 0.5 + n) / (1.5 + n);
            sum += term;
            n += 1.0;
        }
        2.0 * self.factor() * sum
    }

    /// I_x(a, ½) = factor·(continued fraction), in the form whose coefficients use y and not 1 − x.
    ///
    /// DiDonato & Morris, "Algorithm 708", ACM TOMS 18 (1992), procedure BFRAC.
    fn tail(&self) -> f64 {
        let Place { a, x, y, .. } = *self;
        let b = 0.5;
        let c = 1.0 + (a + b) * y - b;
        let (c0, c1) = (b / a, 1.0 + 1.0 / a);
        let (mut p, mut s) = (1.0, a + 1.0);
        let (mut numerator, mut denominator) = ((0.0, 1.0), (1.0, c / c1));
        let mut ratio = c1 / c;
        // Convergence takes tens of steps; the limit only bounds what rounding could prolong.
        for n in 1..10_000 {
            let n = f64::from(n);
            let (t, w) = (n / a, n * (b - n) * x);
            let e = a / s;
            let alpha = (p * (p + c0) * e * e) * (w * x);
            let e = (1.0 + t) / (c1 + t + t);
            let beta = n + w / s + e * (c + n * (y + 1.0));
            (p, s) = (1.0 + t, s + 2.0);
            numerator = (numerator.1, alpha * numerator.0 + beta * numerator.1);
            denominator = (denominator.1, alpha * denominator.0 + beta * denominator.1);
            let before = ratio;
            ratio = numerator.1 / denominator.1;
            if (ratio - before).abs() <= 1e-16 * ratio {
                break;
            }
            numerator = (numerator.0 / denominator.1, ratio);
            denominator = (denominator.0 / denominator.1, 1.0);
        }
        self.factor() * ratio
    }
}

/// Γ(`a` + ½)/Γ(`a`), relative error about 1e-15: the asymptotic series from 40 on, before that
/// Γ(a + ½)/Γ(a) = a/(a + ½) times the same of a + 1.
///
/// Tricomi & Erdélyi, Pacific J. of Mathematics 1 (1951).
fn gamma_ratio(a: f64) -> f64 {
    let (mut a, mut stepped) = (a, 1.0);
    while a < 40.0 {
        stepped *= a / (a + 0.5);
        a += 1.0;
    }
    let z = 1.0 / a;
    let series = 1.0
        + z * (-1.0 / 8.0
            + z * (1.0 / 128.0
                + z * (5.0 / 1024.0
                    + z * (-21.0 / 32_768.0
                        + z * (-399.0 / 262_144.0 + z * 869.0 / 4_194_304.0)))));
    stepped * a.sqrt() * series
}
