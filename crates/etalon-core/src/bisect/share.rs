//! How much of the change between the ends a pair of neighbours explains.

use super::centre::centre;

/// The part of a change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// 1: all of it.
    pub estimate: f64,
    /// The interval's lower end.
    pub lo: f64,
    /// The interval's upper end.
    pub hi: f64,
}

/// The share of the change between the ends that a step is, by differences of the neighbours, one a block, and of the ends:
/// Fieller's interval of a ratio, with robust centres in place of means. `None` with fewer than six of either, or where the
/// ends are not seen to differ.
#[must_use]
pub fn share(steps: &[f64], ends: &[f64], level: f64) -> Option<Share> {
    let (step, whole) = (centre(steps, level)?, centre(ends, level)?);
    let half = |lo: f64, hi: f64| (hi - lo) / 2.0;
    let (of_step, of_whole) = (half(step.lo, step.hi), half(whole.lo, whole.hi));
    // (step − s·whole)² ≤ of_step² + s²·of_whole², solved for s.
    let a = whole.estimate * whole.estimate - of_whole * of_whole;
    if a <= 0.0 {
        return None;
    }
    let b = step.estimate * whole.estimate;
    let c = step.estimate * step.estimate - of_step * of_step;
    let root = (b * b - a * c).max(0.0).sqrt();
    Some(Share { estimate: step.estimate / whole.estimate, lo: (b - root) / a, hi: (b + root) / a })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a wrong root: the interval holds those shares, and only those, that its definition holds.
    #[test]
    fn the_interval_solves_its_inequality() {
        let value = |it: u32, by: f64| f64::from(it * 7919 % 31) / 31.0 * by;
        let steps: Vec<f64> = (0..25).map(|it| 0.02 + value(it, 0.03)).collect();
        let ends: Vec<f64> = (0..60).map(|it| 0.05 + value(it, 0.04)).collect();
        for (steps, ends) in
            [(steps.clone(), ends.clone()), (steps, ends.iter().map(|it| -it).collect())]
        {
            let found = share(&steps, &ends, 0.95).unwrap();
            let (step, whole) = (centre(&steps, 0.95).unwrap(), centre(&ends, 0.95).unwrap());
            let [of_step, of_whole] = [step, whole].map(|it| (it.hi - it.lo) / 2.0);
            for number in -2000..2000 {
                let s = f64::from(number) / 500.0 + 1e-7;
                let holds = (step.estimate - s * whole.estimate).powi(2)
                    <= of_step.powi(2) + s * s * of_whole.powi(2);
                assert_eq!(holds, found.lo <= s && s <= found.hi, "{s} {found:?}");
            }
            assert!(found.lo < found.estimate && found.estimate < found.hi);
        }
    }

    #[test]
    fn without_a_whole_there_is_no_share() {
        let around: Vec<f64> = (0..20).map(|it| f64::from(it) - 9.5).collect();
        assert_eq!(share(&[1.0; 20], &around, 0.95), None);
        assert_eq!(share(&[1.0; 5], &[1.0; 20], 0.95), None);
        let exact = share(&[0.5; 20], &[1.0; 20], 0.95).unwrap();
        assert_eq!((exact.lo, exact.estimate, exact.hi), (0.5, 0.5, 0.5));
    }
}
