//! Adjusting p values for a family of tests.

/// How the p values of a family are adjusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correction {
    /// Holm's step-down: the chance of any false alarm in the family is at most alpha, whatever
    /// the dependence.
    Holm,
    /// Benjamini–Hochberg's step-up: of the alarms, at most a share of alpha is expected false.
    BenjaminiHochberg,
    /// No adjustment.
    None,
}

impl Correction {
    /// All of them.
    pub const ALL: [Correction; 3] =
        [Correction::Holm, Correction::BenjaminiHochberg, Correction::None];

    /// Its name in options and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Correction::Holm => "holm",
            Correction::BenjaminiHochberg => "bh",
            Correction::None => "none",
        }
    }

    /// The one of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Correction> {
        Correction::ALL.into_iter().find(|correction| correction.name() == name)
    }
}

/// Adjusted p values in the order of the input, each in [p, 1] and in the same order of size as
/// the originals: compare them with alpha directly. Empty in, empty out. O(k log k).
///
/// With p₍₁₎ ≤ … ≤ p₍ₖ₎: Holm max over j ≤ i of (k + 1 − j)·p₍ⱼ₎; Benjamini–Hochberg min over
/// j ≥ i of (k/j)·p₍ⱼ₎; both at most 1. The family is what is given: absent p values are the
/// caller's to count or not.
///
/// Holm, Scandinavian J. of Statistics 6 (1979); Benjamini & Hochberg, J. Royal Statistical
/// Society B 57 (1995).
#[must_use]
pub fn adjust(p: &[f64], correction: Correction) -> Vec<f64> {
    adjust_by(p, correction, |step| step)
}

/// Adjusted p where p has to be smaller by another factor than alpha is: `factor` of what a step divides alpha by, not
/// below that, ascending, 1 at 1. It is asked only of steps whose p could still be below 1.
#[must_use]
pub(crate) fn adjust_by(
    p: &[f64],
    correction: Correction,
    factor: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let k = p.len();
    let mut adjusted = p.to_vec();
    let mut order: Vec<usize> = (0..k).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let times = |p: f64, step: f64| if p * step >= 1.0 { 1.0 } else { p * factor(step) };
    match correction {
        Correction::None => {}
        Correction::Holm => {
            let mut largest = 0.0_f64;
            for (j, &at) in order.iter().enumerate() {
                largest = largest.max(times(p[at], (k - j) as f64)).min(1.0);
                adjusted[at] = largest;
            }
        }
        Correction::BenjaminiHochberg => {
            let mut smallest = 1.0_f64;
            for (j, &at) in order.iter().enumerate().rev() {
                smallest = smallest.min(times(p[at], k as f64 / (j + 1) as f64));
                adjusted[at] = smallest;
            }
        }
    }
    adjusted
}
