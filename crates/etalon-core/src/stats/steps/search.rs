//! The search: stretches are divided where the means of both sides stand out, again and again, and what does not stand
//! out against its neighbours is dropped.

use std::ops::Range;

use super::super::normal::normal_sf;
use super::super::student_t::student_t_quantile;
use super::line::{Line, better_than_steps};
use super::long_run::LongRun;
use super::place::most_likely;
use super::sums::Sums;

/// The fewest points on either side of a step.
const SIDE: usize = 5;
/// How much more a step has to stand out within a part of a stretch: there are more places to look at.
const IN_PARTS: f64 = 0.35;
/// A place is looked for so far from where the means differ most.
const NEAR: usize = 15;
/// Fewer points cannot tell a line from a step.
const FEWEST_OF_LINE: usize = 30;
/// Rounds of search and measuring the scatter around what was found, and by how much that has to grow for another.
const ROUNDS: usize = 5;
const GROWN: f64 = 1.02;

/// The result of a search.
pub(super) struct Division {
    /// First indices of new levels, ascending.
    pub(super) steps: Vec<usize>,
    /// Stretches that a line fits better, ascending.
    pub(super) drifts: Vec<(Range<usize>, Line)>,
    /// The scatter that they stand out from.
    pub(super) scatter: LongRun,
}

/// Searches, by the quantile of Student's t that is as rare as `critical` is of a normal distribution, because the
/// scatter is measured; and again with the scatter around what was found, while that grows.
pub(super) fn rounds(values: &[f64], sums: &Sums, scatter: LongRun, critical: f64) -> Division {
    let mut scatter = scatter;
    let mut round = 1;
    let mut known = 0;
    loop {
        let df = scatter.df(values.len(), known);
        let critical = -student_t_quantile(normal_sf(critical), df);
        let (steps, drifts) = once(values, sums, &scatter, critical);
        let around = LongRun::around(values, &steps);
        if steps.is_empty() || around.variance <= GROWN * scatter.variance || round == ROUNDS {
            return Division { steps, drifts, scatter };
        }
        (scatter, known) = (around, steps.len());
        round += 1;
    }
}

/// One search: binary segmentation, then what does not stand out against its neighbours is dropped.
fn once(
    values: &[f64],
    sums: &Sums,
    scatter: &LongRun,
    critical: f64,
) -> (Vec<usize>, Vec<(Range<usize>, Line)>) {
    let (mut steps, mut drifts) = (Vec::new(), Vec::new());
    let whole = 0..values.len();
    let mut left = vec![whole];
    while let Some(stretch) = left.pop() {
        let Some(rough) = outstanding(sums, &stretch, scatter, critical) else { continue };
        let at = placed(values, scatter, &stretch, rough);
        if let Some(line) = drifted(values, sums, scatter, (&stretch, at)) {
            drifts.push((stretch, line));
            continue;
        }
        steps.push(at);
        left.extend([stretch.start..at, at..stretch.end]);
    }
    steps.sort_unstable();
    drifts.sort_unstable_by_key(|(points, _)| points.start);
    drop_weak(sums, scatter, critical, &mut steps);
    (steps, drifts)
}

/// Where the means of both sides stand out in a stretch, or in half-overlapping parts of two thirds and a half of it: a
/// level that came and went differs little from the whole.
fn outstanding(
    sums: &Sums,
    stretch: &Range<usize>,
    scatter: &LongRun,
    critical: f64,
) -> Option<usize> {
    let deviation = scatter.variance.sqrt();
    let (mut largest, mut at) = sums.largest(stretch.clone(), SIDE)?;
    if largest > critical * deviation {
        return Some(at);
    }
    let n = stretch.len();
    for size in [2 * n / 3, n / 2].into_iter().filter(|size| *size >= 4 * SIDE) {
        let mut start = stretch.start;
        while start + size <= stretch.end {
            match sums.largest(start..start + size, SIDE) {
                Some(found) if found.0 > largest => (largest, at) = found,
                _ => {}
            }
            start += size / 2;
        }
    }
    (largest > (critical + IN_PARTS) * deviation).then_some(at)
}

/// The most likely place near one, if it leaves enough points a side.
fn placed(values: &[f64], scatter: &LongRun, stretch: &Range<usize>, rough: usize) -> usize {
    let near = stretch.start.max(rough.saturating_sub(NEAR))..stretch.end.min(rough + NEAR);
    match most_likely(values, scatter.phi, near) {
        Some(at) if at >= stretch.start + SIDE && at + SIDE <= stretch.end => at,
        _ => rough,
    }
}

/// The line through a stretch that drifted, for all that a step at `at` says, or one there and one on each side of it.
fn drifted(
    values: &[f64],
    sums: &Sums,
    scatter: &LongRun,
    (stretch, at): (&Range<usize>, usize),
) -> Option<Line> {
    if stretch.len() < FEWEST_OF_LINE {
        return None;
    }
    let beside = [stretch.start..at, at..stretch.end].map(|part| {
        let (_, rough) = sums.largest(part.clone(), SIDE)?;
        Some(placed(values, scatter, &part, rough))
    });
    let [before, after] = beside;
    let stairs = [before, Some(at), after].into_iter().flatten();
    let stairs: Vec<usize> = stairs.map(|place| place - stretch.start).collect();
    better_than_steps(&values[stretch.clone()], scatter, at - stretch.start, &stairs)
}

/// Drops the step that stands out least against its neighbours, until all do.
fn drop_weak(sums: &Sums, scatter: &LongRun, critical: f64, steps: &mut Vec<usize>) {
    let of = |steps: &[usize], number: usize| {
        let stretch = beside(steps, number, sums.count());
        let at = steps[number];
        let size = sums.mean(at..stretch.end) - sums.mean(stretch.start..at);
        size.abs() / scatter.error(at - stretch.start, stretch.end - at)
    };
    loop {
        let all = (0..steps.len()).map(|number| (of(steps, number), number));
        let weakest = all.reduce(|a, b| if b.0 < a.0 { b } else { a });
        match weakest {
            Some((statistic, number)) if statistic <= critical => drop(steps.remove(number)),
            _ => return,
        }
    }
}

/// From the step before one to the step behind it, or the ends of so many points.
pub(super) fn beside(steps: &[usize], number: usize, points: usize) -> Range<usize> {
    let before = if number == 0 { 0 } else { steps[number - 1] };
    before..steps.get(number + 1).copied().unwrap_or(points)
}
