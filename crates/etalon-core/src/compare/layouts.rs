//! Evidence of sides whose code was placed otherwise in each of their builds: the layout is the unit of replication.
//!
//! Owns when builds are layouts, and that the answer is about the code however it is placed. The formulas are
//! [`stats::layout_values`] and [`stats::layouts_like`]. Refuses to pair layouts of two sides.

use super::replicated::Replicated;
use super::{Contrast, Design, Evidence, Scale};
use crate::criteria::Criteria;
use crate::estimate::Method;
use crate::sample::Pairs;
use crate::stats::{self, BetweenRuns, ENOUGH_LAYOUTS, InsufficientData, PMethod};

/// A comparison over layouts.
#[derive(Debug, Clone, PartialEq)]
pub struct OverLayouts {
    /// How many there are of each side.
    pub layouts: usize,
    /// The values of the base's and of the candidate's on the scale of the verdict, ratios as logarithms: what each
    /// differs by from the middle of all.
    pub values: [Vec<f64>; 2],
    /// The comparison on the scale of the verdict; absent where there is none.
    pub compared: Option<BetweenRuns>,
}

impl OverLayouts {
    /// The standard deviation of layouts of one side, pooled over both; absent without values.
    #[must_use]
    pub fn scatter(&self) -> Option<f64> {
        let squares = |of: &Vec<f64>| stats::stddev(of).map(|sd| sd * sd);
        let [base, candidate] = &self.values;
        squares(base).zip(squares(candidate)).map(|(a, b)| f64::midpoint(a, b).sqrt())
    }
}

/// Whether pairs are of layouts: no two builds that are made in the same way are so many.
pub(super) fn are_layouts(pairs: &Pairs) -> bool {
    pairs.builds.len() >= ENOUGH_LAYOUTS
}

/// The evidence of blocks as evidence of the layouts that they executed; as it is of builds that are none.
pub(super) fn over_layouts(
    evidence: Evidence,
    contrast: &Contrast<'_>,
    pairs: &Pairs,
    criteria: &Criteria,
) -> Evidence {
    if !are_layouts(pairs) {
        return evidence;
    }
    let on = |scale| values(pairs, scale).ok_or(InsufficientData::NotFinite);
    let methods = (Method::OverLayouts, PMethod::StudentT);
    let compared = Replicated::new((&evidence, contrast), methods, |scale| {
        let [base, candidate] = on(scale)?;
        stats::layouts_like(&base, &candidate)
    });
    let design = Design::Layouts(Box::new(OverLayouts {
        layouts: pairs.builds.len(),
        values: on(evidence.scale).unwrap_or_default(),
        compared: compared.decisive(evidence.scale).ok(),
    }));
    Evidence {
        // Layouts themselves say how they scatter.
        dependence: None,
        shape: None,
        p_with_lost: None,
        ..compared.judged(&evidence, design, criteria.sides)
    }
}

/// The values of each side's layouts on a scale.
fn values(pairs: &Pairs, scale: Scale) -> Option<[Vec<f64>; 2]> {
    let on = |of: &[f64]| match scale {
        Scale::Ratio => of.iter().map(|value| value.ln()).collect(),
        Scale::Difference => of.to_vec(),
    };
    let blocks: Vec<_> = pairs.builds.iter().map(Pairs::by_block).collect();
    let base = blocks.iter().map(|(base, _)| on(base));
    let both: Vec<Vec<f64>> = base.chain(blocks.iter().map(|(_, other)| on(other))).collect();
    let mut base = stats::layout_values(&both.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    let candidate = base.split_off(pairs.builds.len());
    Some([base, candidate])
}
