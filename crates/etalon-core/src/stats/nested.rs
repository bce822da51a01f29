//! Variance by level: how much of the scatter of readings is between runs, between processes of a run, and so on.

use super::moments::mean;

/// The variance between groups of each level, outermost first, and last that of readings within the innermost groups:
/// what each level adds to the variance of a reading. Estimates by the method of moments, without bias also where
/// groups have different sizes; one of a level that adds little may be below 0.
///
/// `levels` say of each reading which group it is in; readings of a group stand together, and every group is within
/// one of the level before. `None` without two groups in one of the next outer level, for every level, and without
/// two readings in a group. O(n) for each level.
///
/// Searle, Casella & McCulloch, Variance Components (1992), §5.2 (Henderson's method I); Kalibera & Jones, Rigorous
/// benchmarking in reasonable time, ISMM (2013), for levels of benchmarks.
#[must_use]
pub(crate) fn nested_variances(values: &[f64], levels: &[&[u32]]) -> Option<Vec<f64>> {
    let all = values.len();
    if all < 2 || levels.iter().any(|level| level.len() != all) {
        return None;
    }
    let parts: Vec<Vec<usize>> =
        (0..=levels.len() + 1).map(|depth| ends(all, levels, depth)).collect();
    let centre = mean(values)?;
    let centred: Vec<f64> = values.iter().map(|value| value - centre).collect();
    let between: Vec<f64> = parts.iter().map(|ends| squares(&centred, ends)).collect();
    let mut variances = vec![0.0; levels.len() + 1];
    for level in (0..variances.len()).rev() {
        let (outer, inner) = (&parts[level], &parts[level + 1]);
        // How often the variance of a level is in the expected squares of this one.
        let weight =
            |of: usize| sizes_within(&parts[of + 1], inner) - sizes_within(&parts[of + 1], outer);
        let from_below: f64 =
            (level + 1..variances.len()).map(|of| weight(of) * variances[of]).sum();
        let own = weight(level);
        if inner.len() == outer.len() || own <= 0.0 {
            return None;
        }
        variances[level] = (between[level + 1] - between[level] - from_below) / own;
    }
    Some(variances)
}

/// The ends of the groups at a depth: 0 is all readings together, the last one each reading by itself.
fn ends(all: usize, levels: &[&[u32]], depth: usize) -> Vec<usize> {
    let differ =
        |at: usize| levels[..depth.min(levels.len())].iter().any(|of| of[at] != of[at - 1]);
    let is_end = |at: &usize| *at == all || depth > levels.len() || differ(*at);
    (1..=all).filter(is_end).collect()
}

/// Σ size · mean² of groups.
fn squares(values: &[f64], ends: &[usize]) -> f64 {
    let mut first = 0;
    let of_group = |&end: &usize| {
        let group = &values[std::mem::replace(&mut first, end)..end];
        let sum: f64 = group.iter().sum();
        sum * sum / group.len() as f64
    };
    ends.iter().map(of_group).sum()
}

/// Σ over groups of Σ(size of a part)²/(size of the group).
fn sizes_within(parts: &[usize], groups: &[usize]) -> f64 {
    let (mut sum, mut first, mut part) = (0.0, 0, 0);
    for &end in groups {
        let (mut squares, mut from) = (0.0, first);
        while part < parts.len() && parts[part] <= end {
            let size = (parts[part] - from) as f64;
            squares += size * size;
            from = parts[part];
            part += 1;
        }
        sum += squares / (end - first) as f64;
        first = end;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::nested_variances;

    /// Would catch mean squares or divisors that differ from the textbook's, worked by hand.
    #[test]
    fn a_small_design_by_hand() {
        // Three groups of two: means 2, 5, 11; squares within 2 each, so the mean square within is 2.
        let values = [1.0, 3.0, 4.0, 6.0, 10.0, 12.0];
        let found = nested_variances(&values, &[&[0, 0, 1, 1, 2, 2]]).unwrap();
        // The mean square between is 2·(16 + 1 + 25)/2 = 42; (42 − 2)/2 = 20.
        assert!((found[0] - 20.0).abs() < 1e-12 && (found[1] - 2.0).abs() < 1e-12, "{found:?}");
        assert_eq!(nested_variances(&values, &[&[0; 6]]), None);
        assert_eq!(nested_variances(&values, &[&[0, 1, 2, 3, 4, 5]]), None);
        let spread = nested_variances(&values, &[]).unwrap();
        assert!((spread[0] - 18.0).abs() < 1e-12, "{spread:?}");
    }

    /// Would catch weights that hold for equal sizes only: groups of 1, 2 and 3, worked by hand.
    #[test]
    fn sizes_may_differ() {
        let values = [4.0, 1.0, 3.0, 7.0, 8.0, 9.0];
        let found = nested_variances(&values, &[&[0, 1, 1, 2, 2, 2]]).unwrap();
        // Within: (2 + 2)/3. Between: Σ n·m² − n·m² = 216 − 6·(32/6)²; n₀ = 6 − 14/6.
        let within = 4.0 / 3.0;
        let between = (216.0 - 1024.0 / 6.0 - 2.0 * within) / (6.0 - 14.0 / 6.0);
        assert!((found[1] - within).abs() < 1e-12, "{found:?}");
        assert!((found[0] - between).abs() < 1e-12, "{found:?} {between}");
    }
}
