//! The likelihood of a commit's level by a block of which any execution may have been disturbed.
//!
//! An execution scatters normally, or, if it was disturbed, ten times as far. All patterns of disturbed executions of a block
//! are weighed, each with the block's own state of the machine left free: a block of which an end was disturbed still
//! compares the commit with the other end, and one whose commit was disturbed says next to nothing.

use super::centre::spread;
use crate::stats::{Sorted, median};

/// The chance that an execution is disturbed, and how much further it scatters then. Because: what is clean loses next to
/// nothing by a tenth, and a fifth is found by it as well.
const CHANCE: f64 = 0.1;
const WIDER: f64 = 10.0;
/// Steps of the expectation–maximisation: changes are below a thousandth of the scatter then.
const STEPS: usize = 40;

/// The change between the ends, and the scatter of an execution that was not disturbed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub change: f64,
    pub scatter: f64,
}

impl Scale {
    /// By differences of the ends, one a block; `None` of fewer than six or of equal ones.
    pub(super) fn from_ends(differences: &[f64]) -> Option<Scale> {
        if differences.len() < 6 {
            return None;
        }
        let mut change = median(&Sorted::new(differences).ok()?)?;
        let mut scatter = spread(differences)? / std::f64::consts::SQRT_2;
        let least = scatter.max(change.abs() * 1e-6) / 4.0;
        for _ in 0..STEPS {
            let variances = variances_of_two(scatter);
            let (mut moved, mut weight, mut squares, mut clean) = (0.0, 0.0, 0.0, 0.0);
            for value in differences {
                let apart = value - change;
                let terms = variances
                    .map(|(chance, v)| chance * (-apart * apart / (2.0 * v)).exp() / v.sqrt());
                let all: f64 = terms.iter().sum::<f64>().max(f64::MIN_POSITIVE);
                for (term, (_, v)) in terms.iter().zip(variances) {
                    moved += term / all * value / v;
                    weight += term / all / v;
                }
                squares += terms[0] / all * apart * apart;
                clean += terms[0] / all;
            }
            change = moved / weight;
            scatter = (squares / (2.0 * clean.max(1.0))).sqrt().max(least);
        }
        (scatter > 0.0).then_some(Scale { change, scatter })
    }

    /// The values without their levels: the state of the machine, as each saw it. One that lies further
    /// off than disturbed executions do counts as if it lay there, or an execution of ten times the time would decide.
    fn rests(self, [good, bad, middle]: [f64; 3], level: f64) -> [f64; 3] {
        let rests = [good, bad - self.change, middle - level * self.change];
        let mut sorted = rests;
        sorted.sort_by(f64::total_cmp);
        let far = WIDER * self.scatter;
        rests.map(|rest| rest.clamp(sorted[1] - far, sorted[1] + far))
    }

    /// The logarithm of how likely a block is, but for a constant, if its commit is on a level: 0 as the good end, 1 as the
    /// bad one.
    pub(super) fn likelihood(self, [good, bad, middle]: [f64; 3], level: f64) -> f64 {
        let rests = self.rests([good, bad, middle], level);
        let narrow = self.scatter * self.scatter;
        let wide = narrow * WIDER * WIDER;
        let pattern = |number: usize| {
            let is_disturbed = |it: usize| number >> it & 1 == 1;
            let variance = |it: usize| if is_disturbed(it) { wide } else { narrow };
            let chance = |it: usize| if is_disturbed(it) { CHANCE } else { 1.0 - CHANCE };
            let all = 0..rests.len();
            let precision: f64 = all.clone().map(|it| 1.0 / variance(it)).sum();
            let middle = all.clone().map(|it| rests[it] / variance(it)).sum::<f64>() / precision;
            let squares: f64 =
                all.clone().map(|it| (rests[it] - middle).powi(2) / variance(it)).sum();
            let chances: f64 = all.map(|it| chance(it) / variance(it).sqrt()).product();
            chances / precision.sqrt() * (-squares / 2.0).exp()
        };
        (0..1 << rests.len()).map(pattern).sum::<f64>().max(f64::MIN_POSITIVE).ln()
    }
}

/// Of a difference of two executions: none, one and both of them disturbed, each with its chance and variance.
fn variances_of_two(scatter: f64) -> [(f64, f64); 3] {
    let narrow = scatter * scatter;
    let wide = narrow * WIDER * WIDER;
    let clean = 1.0 - CHANCE;
    [
        (clean * clean, 2.0 * narrow),
        (2.0 * CHANCE * clean, narrow + wide),
        (CHANCE * CHANCE, 2.0 * wide),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sum over states of the machine, each execution by itself.
    fn slowly(scale: Scale, values: [f64; 3], level: f64) -> f64 {
        let [good, bad, middle] = scale.rests(values, level);
        let normal = |apart: f64, sd: f64| (-apart * apart / (2.0 * sd * sd)).exp() / sd;
        let one = |apart: f64| {
            (1.0 - CHANCE) * normal(apart, scale.scatter)
                + CHANCE * normal(apart, WIDER * scale.scatter)
        };
        let step = scale.scatter / 50.0;
        let states = (-60_000..60_000).map(|it| f64::from(it) * step);
        let all = states.map(|state| one(good - state) * one(bad - state) * one(middle - state));
        (all.sum::<f64>() * step / std::f64::consts::TAU.sqrt()).ln()
    }

    /// Would catch a pattern that is left out or weighed twice, and a state of the machine that is not free.
    #[test]
    fn a_block_says_what_all_states_of_the_machine_say_together() {
        let scale = Scale { change: 0.03, scatter: 0.02 };
        let blocks = [
            [0.0, 0.03, 0.0],
            [0.5, 0.51, 0.53],
            [0.0, 0.4, 0.01],
            [0.3, 0.0, 0.03],
            [0.0, 0.03, 0.6],
        ];
        for values in blocks {
            for level in [0.0, 0.5, 1.0, -0.5] {
                let (fast, slow) = (scale.likelihood(values, level), slowly(scale, values, level));
                assert!((fast - slow).abs() < 1e-9, "{values:?} {level}: {fast} {slow}");
            }
        }
    }

    #[test]
    fn far_off_values_say_next_to_nothing() {
        let scale = Scale { change: 0.03, scatter: 0.02 };
        let between = |values| scale.likelihood(values, 1.0) - scale.likelihood(values, 0.0);
        assert!(between([0.0, 0.03, 0.03]) > 0.5 && between([0.0, 0.03, 0.0]) < -0.5);
        assert!(between([0.0, 0.03, 5.0]).abs() < 1e-9);
        // An end that was disturbed: the other one still tells.
        assert!(between([0.0, 2.0, 0.0]) < -0.1 && between([2.0, 0.03, 0.03]) > 0.1);
    }

    #[test]
    fn the_scale_is_that_of_clean_executions() {
        let clean =
            |it: usize| 0.03 + 0.02 * (f64::from(u8::try_from(it % 21).unwrap()) - 10.0) / 10.0;
        let values: Vec<f64> = (0..210).map(clean).collect();
        let scale = Scale::from_ends(&values).unwrap();
        let disturbed: Vec<f64> = values
            .iter()
            .enumerate()
            .map(|(at, it)| if at % 6 == 0 { it + 0.5 } else { *it })
            .collect();
        let again = Scale::from_ends(&disturbed).unwrap();
        assert!(
            (scale.change - 0.03).abs() < 1e-6 && (again.change - 0.03).abs() < 0.003,
            "{scale:?} {again:?}"
        );
        assert!((again.scatter / scale.scatter - 1.0).abs() < 0.2, "{scale:?} {again:?}");
        assert_eq!(Scale::from_ends(&values[..5]), None);
        assert_eq!(Scale::from_ends(&[0.0; 9]), None);
    }
}
