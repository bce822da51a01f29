//! The tests for each cause, and what each would take off the readings.

use super::{CauseKind, Mode, Readings, Waiting};
use crate::stats::{self, Sorted};

/// Readings as points in time: each by itself, or the means of blocks.
#[derive(Debug, Clone)]
pub(super) struct Points {
    /// Values that are not explained yet.
    values: Vec<f64>,
    /// As they were read, to say where things are.
    read: Vec<f64>,
    /// Readings in each.
    sizes: Vec<f64>,
    /// Squares within all of them, which no cause explains.
    within: f64,
    resolution: f64,
    waiting: Option<Vec<f64>>,
    taken: Option<Vec<f64>>,
    faults: Option<Vec<f64>>,
    switches: Option<Vec<f64>>,
    others: Option<Vec<f64>>,
}

/// A cause that was looked for.
#[derive(Debug, Clone)]
pub(super) struct CauseTest {
    pub(super) kind: CauseKind,
    pub(super) p: f64,
    /// Its value at each point.
    pub(super) fit: Vec<f64>,
}

impl Points {
    /// At most about so many; absent without readings.
    pub(super) fn new(readings: &Readings, most: usize) -> Option<Points> {
        let ends = ends(readings);
        let every = ends.len().div_ceil(most).max(1);
        let firsts = std::iter::once(0).chain(ends.iter().copied());
        let spans: Vec<(usize, usize)> = firsts.zip(ends.iter().copied()).step_by(every).collect();
        let means = |values: &[f64]| -> Option<Vec<f64>> {
            let of = |(first, end): &(usize, usize)| stats::mean(values.get(*first..*end)?);
            spans.iter().map(of).collect()
        };
        let optional = |values: &Option<Vec<f64>>| values.as_deref().and_then(means);
        let values = means(&readings.values)?;
        let within = spans.iter().zip(&values).map(|((first, end), mean)| {
            readings.values[*first..*end].iter().map(|value| (value - mean).powi(2)).sum::<f64>()
        });
        let (waiting, taken) = match &readings.waiting {
            Some(Waiting::Counted(seconds)) => (means(seconds), None),
            Some(Waiting::AtMost { seconds, taken }) => (means(seconds), Some(means(taken)?)),
            None => (None, None),
        };
        Some(Points {
            within: within.sum(),
            read: values.clone(),
            values,
            sizes: spans.iter().map(|(first, end)| (end - first) as f64).collect(),
            resolution: readings.resolution.unwrap_or(0.0),
            waiting,
            taken,
            faults: optional(&readings.faults),
            switches: optional(&readings.switches),
            others: optional(&readings.others),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Squares of what is not explained, of all readings.
    pub(super) fn squares(&self) -> f64 {
        let all: f64 = self.sizes.iter().sum();
        let weighted = || self.values.iter().zip(&self.sizes);
        let mean = weighted().map(|(value, size)| value * size).sum::<f64>() / all;
        self.within + weighted().map(|(value, size)| size * (value - mean).powi(2)).sum::<f64>()
    }

    /// The points less what a cause explains.
    pub(super) fn less(&self, fit: &[f64]) -> Points {
        let values = self.values.iter().zip(fit).map(|(value, fit)| value - fit).collect();
        Points { values, ..self.clone() }
    }
}

/// The ends of the points among readings.
fn ends(readings: &Readings) -> Vec<usize> {
    let all = readings.values.len();
    let is_end = |at: &usize| {
        *at == all
            || readings.blocks.len() != all
            || readings.blocks[*at] != readings.blocks[at - 1]
    };
    (1..=all).filter(is_end).collect()
}

/// Whether two are of one kind.
pub(super) fn is_alike(a: &CauseKind, b: &CauseKind) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// How much a kind says of a cause: what slow readings did, when they were, that others were slow then, that there are
/// some.
pub(super) fn rank(kind: &CauseKind) -> u8 {
    match kind {
        CauseKind::Waiting | CauseKind::Faults | CauseKind::Switches => 3,
        CauseKind::First { .. } | CauseKind::Step { .. } | CauseKind::Drift { .. } => 2,
        CauseKind::Together => 1,
        CauseKind::Modes(_) => 0,
    }
}

/// All causes that can be looked for in these points.
pub(super) fn seen(points: &Points) -> Vec<CauseTest> {
    let going_with =
        |with: &Option<Vec<f64>>, kind| goes_with(points, with.as_deref()?, None, kind);
    let waiting = || {
        goes_with(points, points.waiting.as_deref()?, points.taken.as_deref(), CauseKind::Waiting)
    };
    let all = [
        waiting(),
        going_with(&points.faults, CauseKind::Faults),
        going_with(&points.switches, CauseKind::Switches),
        going_with(&points.others, CauseKind::Together),
        first(points),
        step(points),
        drift(points),
        modes(points),
    ];
    all.into_iter().flatten().collect()
}

/// Slow points have more of something, and of what else has to go with them.
fn goes_with(
    points: &Points,
    with: &[f64],
    and: Option<&[f64]>,
    kind: CauseKind,
) -> Option<CauseTest> {
    let p = stats::rises_with(with, &points.values)?.p;
    // Without any of the other, nothing goes with it.
    let of_other = |and| stats::rises_with(and, &points.values).map_or(1.0, |test| test.p);
    let p = and.map_or(p, |and| p.max(of_other(and)));
    let (x, y) = (stats::mean(with)?, stats::mean(&points.values)?);
    let pairs = || with.iter().zip(&points.values);
    let products: f64 = pairs().map(|(a, b)| (a - x) * (b - y)).sum();
    let squares: f64 = with.iter().map(|a| (a - x).powi(2)).sum();
    let slope = products / squares;
    (slope.is_finite() && slope > 0.0).then(|| CauseTest {
        kind,
        p,
        fit: with.iter().map(|a| slope * (a - x)).collect(),
    })
}

/// The first point is above all others. p: that it is the largest of n alike has the chance 1/n; that the largest is
/// r times as far above the median as the next has at most 1/r in tails that fall no slower than 1/x.
fn first(points: &Points) -> Option<CauseTest> {
    let (first, others) = points.values.split_first()?;
    let sorted = Sorted::new(others).ok()?;
    let (median, largest) = (stats::median(&sorted)?, sorted.max()?);
    let (excess, next) = (first - median, (largest - median).max(points.resolution));
    if excess <= next {
        return None;
    }
    let mut fit = vec![0.0; points.len()];
    fit[0] = excess;
    let read = Sorted::new(&points.read[1..]).ok()?;
    let kind = CauseKind::First { value: points.read[0], others: stats::median(&read)? };
    // Of values all alike but one, no more is claimed than of others.
    let ratio = if next > 0.0 { (excess / next).min(1e3) } else { 1e3 };
    Some(CauseTest { kind, p: 1.0 / (points.len() as f64 * ratio), fit })
}

/// Points change level once.
fn step(points: &Points) -> Option<CauseTest> {
    let found = stats::pettitt(&points.values)?;
    let (before, behind) = points.values.split_at(found.at);
    let levels = [stats::mean(before)?, stats::mean(behind)?];
    let level = |at: usize| levels[usize::from(at >= found.at)];
    let (before, behind) = points.read.split_at(found.at);
    let kind = CauseKind::Step {
        after: found.at,
        before: stats::median(&Sorted::new(before).ok()?)?,
        behind: stats::median(&Sorted::new(behind).ok()?)?,
    };
    Some(CauseTest { kind, p: found.p, fit: (0..points.len()).map(level).collect() })
}

/// Points go one way.
fn drift(points: &Points) -> Option<CauseTest> {
    let p = stats::mann_kendall(&points.values)?.p;
    let slope = stats::theil_sen(&points.values)?;
    let fit: Vec<f64> = (0..points.len()).map(|at| slope * at as f64).collect();
    Some(CauseTest { kind: CauseKind::Drift { change: *fit.last()? }, p, fit })
}

/// Points come in groups: the dip says whether, the split with the least squares within says which.
fn modes(points: &Points) -> Option<CauseTest> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points.values[a].total_cmp(&points.values[b]));
    let sorted: Vec<f64> = order.iter().map(|at| points.values[*at]).collect();
    let spread = spread(&sorted, points.resolution);
    let p = stats::dip(&Sorted::new(&spread).ok()?)?.p;
    let mut ends = Vec::new();
    split(&sorted, &spread, 0, &mut ends);
    let mut fit = vec![0.0; points.len()];
    let (mut modes, mut first) = (Vec::new(), 0);
    for end in ends {
        let group = &sorted[first..end];
        let mean = stats::mean(group)?;
        order[first..end].iter().for_each(|at| fit[*at] = mean);
        let read: Vec<f64> = order[first..end].iter().map(|at| points.read[*at]).collect();
        let at = stats::median(&Sorted::from_vec(read).ok()?)?;
        modes.push(Mode { at, share: group.len() as f64 / points.len() as f64 });
        first = end;
    }
    Some(CauseTest { kind: CauseKind::Modes(modes), p, fit })
}

/// Splits in two, and either part again if it has several modes itself. Adds the ends of the groups, from `first` on.
fn split(sorted: &[f64], spread: &[f64], first: usize, ends: &mut Vec<usize>) {
    let all: f64 = sorted.iter().sum();
    let (mut sum, mut best, mut at) = (0.0, f64::NEG_INFINITY, 1);
    for (count, value) in (1..sorted.len()).zip(sorted) {
        sum += value;
        let (below, above) = (count as f64, (sorted.len() - count) as f64);
        let between = (sum / below - (all - sum) / above).powi(2) * below * above;
        if between > best {
            (best, at) = (between, count);
        }
    }
    for range in [0..at, at..sorted.len()] {
        let part = &spread[range.clone()];
        let found = Sorted::new(part).ok().and_then(|part| stats::dip(&part));
        match found.is_some_and(|found| found.p <= super::ALPHA / 5.0) {
            true => split(&sorted[range.clone()], part, first + range.start, ends),
            false => ends.push(first + range.end),
        }
    }
}

/// Ascending values of which equal ones are spread evenly over the step that they were rounded to: the least distance
/// of two different values. Heaps of equal values are no modes.
fn spread(sorted: &[f64], resolution: f64) -> Vec<f64> {
    let largest = sorted.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
    let step = gaps.filter(|gap| *gap > 1e-9 * largest).fold(f64::INFINITY, f64::min);
    let step = if step.is_finite() { step.max(resolution) } else { resolution };
    let mut all = Vec::with_capacity(sorted.len());
    for equal in sorted.chunk_by(|a, b| b - a <= 1e-9 * largest) {
        let count = equal.len() as f64;
        let place = |i: usize| ((i as f64 + 0.5) / count - 0.5) * step;
        all.extend(equal.iter().enumerate().map(|(i, value)| value + place(i)));
    }
    all
}
