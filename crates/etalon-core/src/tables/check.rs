//! A check: all comparisons it is about, in all tables, as one family.
//!
//! Owns what a check asks of a unit, the one-sided tests it is made of, and which cells count once: those
//! that are functions of one another, as Go's `ns/op` and `MB/s` are. The words in its tables are those of
//! the check: what it calls worse fails it, and nothing else does. Refuses units of which neither direction
//! is better, and to say what follows for an exit code: that is the binary's.

use std::collections::HashMap;

use super::gather::Gathered;
use super::grid::Grid;
use super::verdicts::Judged;
use super::{Method, Table};
use crate::compare::{Beyond, Evidence, Origin, Scale, one_sided};
use crate::model::{Direction, Metric};
use crate::plan::{Conditions, Margin};
use crate::sample::Sample;
use crate::stats::{self, Test};
use crate::verdict::{Adjusted, Reason, Rules, Sides, Verdict, decide};

/// What a check asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Level of the intervals of ratios: 1 − 2 alpha belongs to one-sided tests at alpha.
    pub level: f64,
    /// What may not be worse. Of several that are about a unit, those that name it hold, and of these the
    /// one that tolerates least.
    pub thresholds: Vec<Threshold>,
}

/// One thing that may not be worse.
#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    /// The tidied unit; all units if absent.
    pub unit: Option<String>,
    /// How much worse it may be, as a share: what is tested against, and what counts as the same, in place of
    /// the margin.
    pub share: Option<f64>,
}

impl Check {
    /// The threshold for a unit.
    #[must_use]
    pub fn of(&self, unit: &str) -> Option<&Threshold> {
        let least = |named: bool| {
            let about = self.thresholds.iter().filter(move |threshold| match &threshold.unit {
                Some(of) => named && of == unit,
                None => !named,
            });
            let share = |threshold: &&Threshold| threshold.share.unwrap_or(0.0);
            about.min_by(|a, b| share(a).total_cmp(&share(b)))
        };
        least(true).or_else(|| least(false))
    }
}

/// How a table's comparisons are made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    /// The method, with the margin that the unit has.
    pub method: Method,
    /// Level of the intervals of ratios.
    pub level: f64,
    /// The share of the check; absent where the unit is in none.
    pub checked: Option<Option<f64>>,
}

impl Held {
    /// A unit's.
    pub fn new(
        method: Method,
        check: Option<&Check>,
        (unit, direction): (&str, Direction),
    ) -> Held {
        let threshold = check.filter(|_| direction != Direction::Neither).and_then(|c| c.of(unit));
        let Some((check, threshold)) = check.zip(threshold) else {
            return Held { method, level: method.confidence, checked: None };
        };
        let margin = threshold.share.map_or(method.margin, Margin::Relative);
        let method = Method { margin, ..method };
        Held { method, level: check.level, checked: Some(threshold.share) }
    }
}

/// The two one-sided tests of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneSided {
    /// p of "worse by more than the share".
    pub worse: f64,
    /// p of "better by more than the share".
    pub better: f64,
    /// How much worse it may be, where that was said.
    pub share: Option<f64>,
    /// On which side the estimate lies.
    pub estimated: Verdict,
}

/// The one-sided tests of a comparison, which then has the one of the side its estimate lies on. Nothing where
/// the samples are too small for a test.
pub(super) fn test(
    samples: (&Sample, &Sample),
    of: (&Metric, Origin),
    evidence: &mut Evidence,
    share: Option<f64>,
) -> Option<OneSided> {
    let direction = of.0.direction;
    let tolerated = share.unwrap_or(0.0);
    let above = one_sided(samples, of, evidence, Beyond::Above(tolerated)).ok()?;
    let below = one_sided(samples, of, evidence, Beyond::Below(tolerated)).ok()?;
    let lies_above = match (evidence.scale, &evidence.ratio) {
        (Scale::Ratio, Some(ratio)) => ratio.value >= 1.0,
        _ => evidence.difference.value >= 0.0,
    };
    let (worse, better) = match direction {
        Direction::Higher => (below, above),
        Direction::Lower | Direction::Neither => (above, below),
    };
    let is_worse = lies_above == (direction != Direction::Higher);
    let own: Test = if is_worse { worse } else { better };
    evidence.test = Ok(own);
    let estimated = if is_worse { Verdict::Slower } else { Verdict::Faster };
    Some(OneSided { worse: worse.p, better: better.p, share, estimated })
}

/// Where a comparison stands: table, row, column.
type At = (usize, usize, usize);

/// Decides all comparisons of the tables that are in the check, together. One without a test counts as p = 1.
pub(super) fn judge(tables: &mut [Table], once: &HashMap<At, At>, method: &Method) {
    let mut family: Vec<At> = Vec::new();
    let mut raw: Vec<[f64; 3]> = Vec::new();
    each(tables, &mut |at, judged, _| {
        let Some(evidence) = judged.evidence.as_ref().filter(|_| !once.contains_key(&at)) else {
            return;
        };
        let sides = judged.one_sided;
        family.push(at);
        raw.push([
            sides.map_or(1.0, |sides| sides.worse),
            sides.map_or(1.0, |sides| sides.better),
            evidence.same_p.unwrap_or(1.0),
        ]);
    });
    let adjust = |which: usize| {
        let p: Vec<f64> = raw.iter().map(|p| p[which]).collect();
        stats::adjust(&p, method.correction)
    };
    let (worse, better, same) = (adjust(0), adjust(1), adjust(2));
    let places: HashMap<At, usize> = family.iter().copied().zip(0..).collect();
    each(tables, &mut |at, judged, direction| {
        let leader = once.get(&at).unwrap_or(&at);
        let Some((evidence, place)) = judged.evidence.as_ref().zip(places.get(leader)) else {
            return;
        };
        let p = judged.one_sided.map(|sides| match sides.estimated {
            Verdict::Slower => worse[*place],
            _ => better[*place],
        });
        let adjusted = Adjusted {
            p,
            same_p: evidence.same_p.map(|_| same[*place]),
            family: family.len(),
            correction: method.correction,
        };
        let rules = Rules {
            alpha: method.alpha,
            at_least: method.at_least,
            conditions: Conditions::default(),
            direction,
            sides: Sides::One,
        };
        judged.decision = decide(evidence, adjusted, rules);
        judged.adjusted = Some(adjusted);
        let share = judged.one_sided.and_then(|sides| sides.share);
        if let Some(at_least) = share.filter(|_| judged.decision.is_difference())
            && !lies_beyond_band(judged)
        {
            judged.decision.verdict = Verdict::Unclear;
            judged.decision.reasons = vec![Reason::NotBeyond { at_least }];
        }
    });
}

/// Whether the interval lies wholly beyond what the check tolerates: ties and the step of a clock can keep it
/// within although the test rejects.
fn lies_beyond_band(judged: &Judged) -> bool {
    let Some(evidence) = &judged.evidence else { return true };
    let interval = match evidence.scale {
        Scale::Ratio => judged.interval,
        Scale::Difference => evidence.difference.interval.as_ref().ok().copied(),
    };
    interval.zip(evidence.band).is_none_or(|(i, band)| i.lo > band.hi || i.hi < band.lo)
}

/// Every comparison that is in the check.
fn each(tables: &mut [Table], visit: &mut impl FnMut(At, &mut Judged, Direction)) {
    for (number, table) in tables.iter_mut().enumerate().filter(|(_, table)| table.checked) {
        let direction = table.direction;
        for (row, cells) in table.rows.iter_mut().enumerate() {
            for (column, cell) in cells.cells.iter_mut().enumerate() {
                let comparison = cell.as_mut().and_then(|cell| cell.comparison.as_mut());
                if let Some(judged) = comparison.and_then(|c| c.judged.as_deref_mut()) {
                    visit((number, row, column), judged, direction);
                }
            }
        }
    }
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
    let checked = || tables.iter().enumerate().filter(|(_, table)| table.checked);
    let is_rate = |unit: &str| unit.ends_with("/s") || unit.ends_with("/sec");
    for (at_rate, rates) in checked().filter(|(_, table)| is_rate(&table.unit)) {
        let beside = |(_, times): &(usize, &Table)| {
            times.unit.starts_with("sec/")
                && times.labels == rates.labels
                && check.of(&times.unit).map(|t| t.share) == check.of(&rates.unit).map(|t| t.share)
        };
        let Some((at_time, times)) = checked().find(beside) else { continue };
        let rows: HashMap<_, usize> = times.rows.iter().map(|row| &row.labels).zip(0..).collect();
        for (row, rate) in rates.rows.iter().enumerate() {
            let Some(&time_row) = rows.get(&rate.labels) else { continue };
            for column in 1..rates.columns.len() {
                let same = |labels: &super::Labels| *labels == rates.columns[column];
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
