//! Drawings of an analysis: a group for every ranking, and one of commands that none ranks.
//!
//! Owns how many are drawn: as many as a reader tells apart.

use super::Axis;
use super::pair::{JointLevel, Pair, pair};
use super::readings::{Plotted, Point, plotted};
use super::warmups::Warmups;
use crate::analysis::subject::{Subject, subjects};
use crate::analysis::{Analysis, Ranking};
use crate::dataset::{Column, Dataset};
use crate::model::Metric;

/// Benchmarks drawn in a group, comparisons drawn in it, groups drawn.
const BENCHMARKS: usize = 8;
const PAIRS: usize = 4;
const GROUPS: usize = 12;

/// Benchmarks that are drawn beside one another.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Index of their ranking; absent of commands that none ranks.
    pub ranking: Option<usize>,
    /// The metric that is drawn.
    pub metric: Metric,
    /// How values stand in all of its pictures.
    pub axis: Axis,
    /// The benchmarks, best first.
    pub benchmarks: Vec<Plotted>,
    /// Of so many.
    pub of: usize,
    /// Each beside what it is compared with.
    pub pairs: Vec<Pair>,
    /// Of so many.
    pub of_pairs: usize,
    /// Whether readings have blocks; otherwise they stand in the order in which they were measured.
    pub in_blocks: bool,
    /// Stretches of the axis over time that are the warm-up's, ascending; empty where none is drawn.
    pub warmups: Vec<(f64, f64)>,
}

/// The groups to draw of the data that were analysed. O(n log n) in the readings.
#[must_use]
pub fn analysis_groups(analysis: &Analysis, data: &Dataset) -> Vec<Group> {
    let subjects = subjects(data);
    if subjects.len() != analysis.benchmarks.len() {
        return Vec::new();
    }
    let is_ranked = analysis.rankings.iter().any(|it| it.scope.is_none());
    let commands = || (0..subjects.len()).filter(|at| analysis.benchmarks[*at].case.is_none());
    let unranked = (!is_ranked).then(|| (None, commands().collect::<Vec<usize>>()));
    let ranked = analysis.rankings.iter().enumerate().map(|(at, ranking)| {
        let members = ranking.by_value().iter().map(|row| row.benchmark).collect();
        (Some((at, ranking)), members)
    });
    let all = unranked.into_iter().chain(ranked).take(GROUPS);
    let order = InBlock::new(data, &subjects);
    all.filter_map(|(ranking, members)| group(analysis, &subjects, &order, ranking, &members))
        .collect()
}

fn group(
    analysis: &Analysis,
    subjects: &[Subject<'_>],
    order: &InBlock,
    ranking: Option<(usize, &Ranking)>,
    members: &[usize],
) -> Option<Group> {
    let metric = &analysis.settings.metric;
    let summary = |at: &usize| analysis.benchmarks[*at].metric(metric);
    let members: Vec<usize> = members.iter().copied().filter(|it| summary(it).is_some()).collect();
    let drawn = &members[..members.len().min(BENCHMARKS)];
    let ends = || drawn.iter().filter_map(summary).map(|it| &it.quartiles);
    let low = ends().map(|it| it.min).fold(f64::INFINITY, f64::min);
    let high = ends().map(|it| it.max).fold(f64::NEG_INFINITY, f64::max);
    let axis = Axis::suiting(low, high);
    let in_blocks = drawn.iter().all(|at| subjects[*at].group.placed);
    let warmups = match in_blocks {
        true => Warmups::new(&drawn.iter().map(|at| &subjects[*at]).collect::<Vec<_>>(), metric),
        false => Warmups::None,
    };
    let of_member = |at: &usize| {
        let [column] = subjects[*at].columns([metric.as_str()])?;
        let points = points(&subjects[*at], column, order, in_blocks.then_some(&warmups));
        plotted(*at, (points, warmups.points(&subjects[*at])), axis)
    };
    Some(Group {
        ranking: ranking.map(|(at, _)| at),
        metric: Metric::clone(&summary(members.first()?)?.metric),
        axis,
        benchmarks: drawn.iter().filter_map(of_member).collect(),
        of: members.len(),
        pairs: ranking.map_or_else(Vec::new, |(_, it)| pairs(analysis, subjects, it)),
        of_pairs: ranking.map_or(0, |(_, it)| compared(it).count()),
        in_blocks,
        warmups: warmups.stretches(),
    })
}

/// Every reading with its place, in order of those; where they stand in blocks, beside warm-ups.
fn points(
    subject: &Subject<'_>,
    Column { rows, values }: Column,
    order: &InBlock,
    in_blocks: Option<&Warmups>,
) -> Vec<Point> {
    let place = |row: u32| {
        let place = subject.data.rows.place(row as usize)?;
        Some(f64::from(place.block) + 1.0 + in_blocks?.measured(order.within(row)))
    };
    let point = |(number, (row, value)): (u32, (u32, f64))| Point {
        at: place(row).unwrap_or(f64::from(number) + 1.0),
        value,
    };
    let mut points: Vec<Point> = (0..).zip(rows.into_iter().zip(values)).map(point).collect();
    if !points.is_sorted_by(|a, b| a.at <= b.at) {
        points.sort_by(|a, b| a.at.total_cmp(&b.at));
    }
    points
}

/// Comparisons of the rows of a ranking with its first, in its order.
fn pairs(analysis: &Analysis, subjects: &[Subject<'_>], ranking: &Ranking) -> Vec<Pair> {
    let metric = &ranking.metric.name;
    let all = compared(ranking).count();
    let of = |it: &crate::analysis::Comparison| {
        let (base, candidate) = (&subjects[it.base], &subjects[it.candidate]);
        let samples = (base.sample(metric)?.sample, candidate.sample(metric)?.sample);
        let is_one_run = base.run_set == candidate.run_set;
        let both = (&samples.0, &samples.1);
        let level = base.confidence(&analysis.settings);
        let joint = JointLevel { level, pairs: all };
        Some(pair((it.base, it.candidate), both, is_one_run, (&it.assessment.evidence, joint)))
    };
    compared(ranking).take(PAIRS).filter_map(of).collect()
}

fn compared(ranking: &Ranking) -> impl Iterator<Item = &crate::analysis::Comparison> {
    ranking.rows.iter().filter_map(|row| ranking.comparisons.get(row.comparison?))
}

/// How far within its block each row was measured.
struct InBlock {
    of_row: Vec<f32>,
}

impl InBlock {
    /// Rows of a block stand in the order in which they were recorded. O(n log n).
    fn new(data: &Dataset, subjects: &[Subject<'_>]) -> InBlock {
        let mut of_row = vec![0.0; if data.rows.have_places() { data.len() } else { 0 }];
        let mut rows: Vec<(usize, u32, u32)> = Vec::new();
        for subject in subjects.iter().filter(|subject| subject.group.placed) {
            let block = |row: &u32| {
                let place = data.rows.place(*row as usize)?;
                Some((subject.run_set.at(), place.block, *row))
            };
            rows.extend(subject.group.rows.iter().filter_map(block));
        }
        rows.sort_unstable();
        for block in rows.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for (at, (_, _, row)) in block.iter().enumerate() {
                #[allow(clippy::cast_precision_loss, reason = "a place within a picture")]
                let share = (at as f32 + 0.5) / block.len() as f32;
                of_row[*row as usize] = share;
            }
        }
        InBlock { of_row }
    }

    fn within(&self, row: u32) -> f64 {
        f64::from(self.of_row.get(row as usize).copied().unwrap_or_default())
    }
}
