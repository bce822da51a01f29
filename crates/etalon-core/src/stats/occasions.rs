//! How much runs of unchanged code differ from one occasion to another.
//!
//! Owns the estimate: runs of one occasion share what the machine did then, so that only runs of different occasions
//! say how much occasions differ. Refuses to tell occasions apart: the caller brings them.

/// The values of runs of one version of the code, by occasion.
pub type Occasions = Vec<Vec<f64>>;

/// The scatter between occasions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OccasionScatter {
    /// Standard deviation of a run's value from one occasion to another, in the unit of the values.
    pub sd: f64,
    /// Its degrees of freedom: occasions less versions.
    pub df: f64,
}

/// The scatter of runs between occasions: for each pair of occasions of one version the mean over its pairs of runs of
/// (v − w)²/2, and of these the mean over all pairs of occasions. Of occasions of one run each, of one version, that is
/// the sample variance. Absent if no version has two occasions. O(k²) in the runs of a version.
#[must_use]
pub fn occasion_scatter(versions: &[Occasions]) -> Option<OccasionScatter> {
    scatter_without(versions, None)
}

/// The scatter without one occasion of a version: the number of that, and of the occasion in it.
#[must_use]
#[allow(clippy::cast_precision_loss)] // numbers of occasions
pub fn scatter_without(
    versions: &[Occasions],
    left_out: Option<(usize, usize)>,
) -> Option<OccasionScatter> {
    let (mut sum, mut pairs, mut df) = (0.0, 0_usize, 0_usize);
    for (version, occasions) in versions.iter().enumerate() {
        let kept = (0..occasions.len()).filter(|at| left_out != Some((version, *at)));
        let kept: Vec<&Vec<f64>> =
            kept.map(|at| &occasions[at]).filter(|runs| !runs.is_empty()).collect();
        for (at, one) in kept.iter().enumerate() {
            sum += kept[..at].iter().map(|other| half_mean_square(one, other)).sum::<f64>();
        }
        pairs += kept.len() * kept.len().saturating_sub(1) / 2;
        df += kept.len().saturating_sub(1);
    }
    (pairs > 0).then(|| OccasionScatter { sd: (sum / pairs as f64).sqrt(), df: df as f64 })
}

/// Half the mean square of the differences between the runs of two occasions.
#[allow(clippy::cast_precision_loss)] // numbers of runs
fn half_mean_square(one: &[f64], other: &[f64]) -> f64 {
    let squares = one.iter().flat_map(|v| other.iter().map(move |w| (v - w).powi(2)));
    squares.sum::<f64>() / (2 * one.len() * other.len()) as f64
}
