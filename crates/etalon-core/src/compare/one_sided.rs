//! The one-sided tests of a check: is the candidate worse, or better, by more than is tolerated?

use super::design::Compared;
use super::{Evidence, Scale};
use crate::model::Direction;
use crate::stats::{Alternative, InsufficientData, Test};

/// The two one-sided tests of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneSided {
    /// p of "worse by more than is tolerated".
    pub worse: f64,
    /// p of "better by more than that".
    pub better: f64,
    /// How much worse it may be, as a share, where that was said.
    pub tolerated: Option<f64>,
    /// Whether the estimate lies on the worse side.
    pub is_worse: bool,
}

/// The evidence with its one-sided tests: its test is then the one of the side its estimate lies on.
pub(super) fn asked(
    mut evidence: Evidence,
    compared: &Compared<'_>,
    tolerated: Option<f64>,
) -> Evidence {
    let lies_above = match (evidence.scale, &evidence.differing.ratio) {
        (Scale::Ratio, Some(ratio)) => ratio.value >= 1.0,
        _ => evidence.differing.difference.is_some_and(|difference| difference.value >= 0.0),
    };
    let is_worse = lies_above == (evidence.direction != Direction::Higher);
    match both(&evidence, compared, tolerated.unwrap_or(0.0)) {
        Err(lacking) => evidence.test = Err(lacking),
        Ok((worse, better)) => {
            evidence.test = Ok(if is_worse { worse } else { better });
            let (worse, better) = (worse.p, better.p);
            let sides = OneSided { worse, better, tolerated, is_worse };
            evidence.one_sided = Some(Box::new(sides));
        }
    }
    evidence
}

/// The tests of "worse" and of "better" by more than a share, on the scale of the evidence: of ratios beyond
/// 1 + share or 1/(1 + share), of differences beyond that share of the base's median.
fn both(
    evidence: &Evidence,
    compared: &Compared<'_>,
    share: f64,
) -> Result<(Test, Test), InsufficientData> {
    let size = match evidence.scale {
        Scale::Ratio => share.ln_1p(),
        Scale::Difference => share * evidence.base_median.abs(),
    };
    let above = compared.test_beyond(evidence.scale, size, Alternative::Greater)?;
    let below = compared.test_beyond(evidence.scale, -size, Alternative::Less)?;
    Ok(match evidence.direction {
        Direction::Higher => (below, above),
        Direction::Lower | Direction::Neither => (above, below),
    })
}
