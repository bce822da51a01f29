//! A check: all comparisons it is about, in all tables, as one family.
//!
//! Owns what a check asks of a row, the one-sided tests it is made of, and which cells count once: those
//! that are functions of one another, as Go's `ns/op` and `MB/s` are. The words in its tables are those of
//! the check: what it calls worse fails it, and nothing else does. Refuses units of which neither direction
//! is better, and to say what follows for an exit code: that is the binary's.

use std::collections::HashMap;

use super::about::About;
use super::gather::Gathered;
use super::grid::Grid;
use super::{Cell, Labels, Table};
use crate::criteria::{Criteria, Levels, Margin};
use crate::model::Direction;
use crate::verdict::{self, Assessment, Member};

/// A check's questions.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Level of the intervals of ratios: 1 − 2 alpha belongs to one-sided tests at alpha.
    pub level: f64,
    /// Rows that may not be worse. Of several that are about a row, those that name most of it hold (its benchmark before
    /// its unit), and of these the one that tolerates least.
    pub thresholds: Vec<Threshold>,
}

/// One thing that may not be worse.
#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    /// Which rows.
    pub about: About,
    /// How much worse they may be, as a share: what is tested against, and what counts as the same, in place of
    /// the margin.
    pub share: Option<f64>,
    /// Its effect beside others.
    pub force: Force,
    /// As it was asked for, in words.
    pub condition: String,
}

/// The effect of a threshold beside others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// It holds, if it names most of a row.
    Holds,
    /// It holds besides: a row is held against what tolerates less. That is of a side that may not loosen its own check.
    Tightens,
}

impl Threshold {
    fn tolerated(&self) -> f64 {
        self.share.unwrap_or(0.0)
    }
}

impl Check {
    /// The threshold of a row of a unit's table.
    #[must_use]
    pub fn threshold(&self, unit: &str, row: &Labels) -> Option<&Threshold> {
        self.strictest(|about| about.is_of(unit, row))
    }

    /// The threshold of every row of a unit's table for which there is no other.
    #[must_use]
    pub fn threshold_of_unit(&self, unit: &str) -> Option<&Threshold> {
        self.strictest(|about| about.benchmark.is_none() && about.has_unit(unit))
    }

    fn strictest(&self, is_about: impl Fn(&About) -> bool) -> Option<&Threshold> {
        let of = |force: Force| {
            let about =
                self.thresholds.iter().filter(|it| it.force == force && is_about(&it.about));
            about.min_by(|a, b| {
                let precision = b.about.precision().cmp(&a.about.precision());
                precision.then(a.tolerated().total_cmp(&b.tolerated()))
            })
        };
        let both = [of(Force::Holds), of(Force::Tightens)].into_iter().flatten();
        both.min_by(|a, b| a.tolerated().total_cmp(&b.tolerated()))
    }

    /// The criteria of what a threshold is about in a table; `criteria` are those of the table.
    pub(super) fn criteria(
        &self,
        threshold: Option<&Threshold>,
        direction: Direction,
        criteria: &Criteria,
    ) -> Option<Criteria> {
        let threshold = threshold.filter(|_| direction != Direction::Neither)?;
        Some(Criteria {
            margin: threshold.share.map_or(criteria.margin, Margin::Relative),
            confidence: self.level,
            levels: Levels::Common,
            ..criteria.one_sided(threshold.share)
        })
    }
}

/// Where a comparison stands: table, row, column.
type At = (usize, usize, usize);

/// Assesses all comparisons of the tables that are in the check, together; `repeats` says which of them count
/// in another's place.
pub(super) fn assess(tables: &mut [Table], repeats: &HashMap<At, At>, criteria: &Criteria) {
    let family: Vec<(At, &mut Assessment)> = comparisons(tables).collect();
    let places: HashMap<At, usize> = family.iter().map(|(at, _)| *at).zip(0..).collect();
    let leader = |at: &At| repeats.get(at).and_then(|leader| places.get(leader)).copied();
    let member = |(at, assessment)| Member { repeats: leader(&at), assessment };
    let mut members: Vec<Member<'_>> = family.into_iter().map(member).collect();
    verdict::assess(&mut members, &criteria.one_sided(None));
    let cells = tables.iter_mut().flat_map(|table| &mut table.rows).flat_map(|row| &mut row.cells);
    cells.flatten().for_each(Cell::note_tails);
}

/// Every comparison that is in the check, with its place.
fn comparisons(tables: &mut [Table]) -> impl Iterator<Item = (At, &mut Assessment)> {
    tables.iter_mut().enumerate().flat_map(|(number, table)| {
        let checked = table.rows.iter_mut().enumerate().filter(|(_, row)| row.is_checked());
        checked.flat_map(move |(row, cells)| {
            cells.cells.iter_mut().enumerate().filter_map(move |(column, cell)| {
                let comparison = cell.as_mut()?.comparison.as_mut()?;
                Some(((number, row, column), comparison.assessment.as_deref_mut()?))
            })
        })
    })
}

/// Comparisons of rates that say what those of the times beside them say, and the latter: `MB/s` is the
/// bytes of an operation over its `ns/op`. They count once if all readings are in the opposite order.
pub(super) fn counted_once(
    gathered: &Gathered<'_>,
    grids: &[Grid],
    tables: &[Table],
    check: &Check,
) -> HashMap<At, At> {
    let mut once = HashMap::new();
    let checked = || tables.iter().enumerate().filter(|(_, table)| table.is_checked());
    let is_rate = |unit: &str| unit.ends_with("/s") || unit.ends_with("/sec");
    for (at_rate, rates) in checked().filter(|(_, table)| is_rate(&table.unit)) {
        let beside = |(_, times): &(usize, &Table)| {
            times.unit.starts_with("sec/") && times.labels == rates.labels
        };
        let Some((at_time, times)) = checked().find(beside) else { continue };
        let rows: HashMap<_, usize> = times.rows.iter().map(|row| &row.labels).zip(0..).collect();
        for (row, rate) in rates.rows.iter().enumerate() {
            let Some(&time_row) = rows.get(&rate.labels) else { continue };
            let share =
                |unit: &str| check.threshold(unit, &rate.labels).map(|threshold| threshold.share);
            if share(&times.unit).is_none() || share(&times.unit) != share(&rates.unit) {
                continue;
            }
            for column in 1..rates.columns.len() {
                let same = |labels: &Labels| *labels == rates.columns[column];
                let Some(time_column) = times.columns.iter().position(same) else { continue };
                let base = times.columns[0] == rates.columns[0];
                let readings = |grid: usize, row: usize, column: usize| {
                    let cells = &grids[grid].cells[row];
                    let pair = cells[0].zip(cells[column])?;
                    Some([gathered.values(pair.0), gathered.values(pair.1)])
                };
                let of_time = readings(at_time, time_row, time_column);
                let pair = of_time.zip(readings(at_rate, row, column));
                if base && time_column > 0 && pair.is_some_and(|(t, r)| falls_with(&t, &r)) {
                    once.insert((at_rate, row, column), (at_time, time_row, time_column));
                }
            }
        }
    }
    once
}

/// Whether readings were made together, and none of `rates` rises where that of `times` does.
fn falls_with(times: &[Vec<f64>; 2], rates: &[Vec<f64>; 2]) -> bool {
    let together = times.iter().zip(rates).all(|(t, r)| t.len() == r.len());
    let mut pairs: Vec<(f64, f64)> = times.concat().into_iter().zip(rates.concat()).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let mut lowest = f64::INFINITY;
    let falls = pairs.chunk_by(|a, b| a.0 == b.0).all(|tied| {
        let highest = tied[0].1;
        let fell = highest <= lowest;
        lowest = tied[tied.len() - 1].1;
        fell
    });
    together && falls
}
