//! Where a function of one variable crosses zero.
//!
//! Owns one search over a bracket. Refuses to find the bracket: the caller knows its function.

/// The x in [`lo`, `hi`] where a continuous `f` is 0, to two units in the last place of x. `f(lo)` and `f(hi)` have
/// different signs, or one is 0; infinite values only cost steps. Near a root, some six evaluations; never more
/// than a few hundred.
///
/// Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function",
/// Advances in Engineering Software 28 (1997).
pub(super) fn root(lo: f64, hi: f64, f: impl Fn(f64) -> f64) -> f64 {
    // `a` is the newest point, `b` the other end of the bracket, `c` the end that was given up last.
    let (mut a, mut b) = ((hi, f(hi)), (lo, f(lo)));
    for end in [a, b] {
        if end.1 == 0.0 {
            return end.0;
        }
    }
    let mut share = 0.5;
    for _ in 0..400 {
        let x = a.0 + share * (b.0 - a.0);
        let new = (x, f(x));
        let c = if (new.1 > 0.0) == (a.1 > 0.0) {
            a
        } else {
            let given_up = b;
            b = a;
            given_up
        };
        a = new;
        let best = if a.1.abs() < b.1.abs() { a } else { b };
        let tolerance = 2.0 * f64::EPSILON * best.0.abs() / (b.0 - a.0).abs();
        if best.1 == 0.0 || tolerance >= 0.5 || tolerance.is_nan() {
            return best.0;
        }
        let (along, up) = ((a.0 - b.0) / (c.0 - b.0), (a.1 - b.1) / (c.1 - b.1));
        let is_smooth = up * up < along && (1.0 - up) * (1.0 - up) < 1.0 - along;
        let inverse_quadratic = || {
            a.1 / (b.1 - a.1) * c.1 / (b.1 - c.1)
                + (c.0 - a.0) / (b.0 - a.0) * a.1 / (c.1 - a.1) * b.1 / (c.1 - b.1)
        };
        share = if is_smooth { inverse_quadratic() } else { 0.5 };
        share = share.clamp(tolerance, 1.0 - tolerance);
    }
    a.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known roots; catches a bracket that loses its root and steps that do not end.
    #[test]
    fn known_roots_are_found() {
        assert!((root(0.0, 4.0, |x| x * x - 2.0) - 2.0_f64.sqrt()).abs() < 1e-15);
        assert!((root(0.0, 4.0, |x| 2.0 - x * x) - 2.0_f64.sqrt()).abs() < 1e-15);
        assert!((root(0.0, 1.0, |x| x.cos() - x) - 0.739_085_133_215_160_6).abs() < 1e-15);
        // A step, a flat foot, infinite values, and roots at the ends.
        assert!((root(0.0, 1e9, |x| if x < 3.0 { -1.0 } else { 1.0 }) - 3.0).abs() < 1e-14);
        assert!((root(-1.0, 9.0, |x| (x - 1.0).powi(9)) - 1.0).abs() < 1e-2);
        assert!((root(0.0, 1e3, |x| x.exp().exp() - 3.0) - 3.0_f64.ln().ln()).abs() < 1e-15);
        assert_eq!(root(0.0, 7.0, |x| x), 0.0);
        assert_eq!(root(0.0, 7.0, |x| x - 7.0), 7.0);
    }
}
