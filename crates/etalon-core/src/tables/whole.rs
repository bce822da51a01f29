//! Builds of a side as a whole: all rows of a table together.
//!
//! Owns what stands for several rows: in every block the geometric mean of their readings, so that what slows all of
//! them by the same share is seen through the scatter of each. The k-th common block of a row stands beside the k-th of
//! the others: rows that share their blocks are paired by them, rows that do not are independent. Refuses rows that
//! have no logarithm, exact values (a row shows those alone), and one row, which is itself. Rows whose calls do nothing that
//! can be seen are left out.

use super::gather::{Gathered, gather};
use super::grid::{Grid, grids};
use super::nothing::is_idle;
use super::{Method, Numbers, Query, labels};
use crate::compare::family_dependence;
use crate::dataset::Dataset;
use crate::family::{Family, Pair, Side};
use crate::model::{Kind, Level};
use crate::sample::{Sample, pairs};
use crate::verdict::Assessment;

/// A side's second build against its first, over all rows.
#[derive(Debug, Clone)]
pub(super) struct Whole {
    pub(super) unit: String,
    pub(super) side: String,
    /// By itself; its family follows.
    pub(super) assessment: Assessment,
}

/// Those of all tables of a query whose rows begin with the side, and whose columns are builds.
pub(super) fn wholes(data: &Dataset, query: Query, method: &Method) -> Vec<Whole> {
    let gathered = gather(data, query, Numbers::Nearest);
    let grids = grids(&gathered);
    grids.iter().flat_map(|grid| table_wholes(&gathered, grid, method)).collect()
}

fn table_wholes(gathered: &Gathered<'_>, grid: &Grid, method: &Method) -> Vec<Whole> {
    let metric = &grid.metric;
    if metric.kind == Kind::Exact {
        return Vec::new();
    }
    let mut sides: Vec<(String, Vec<[usize; 2]>)> = Vec::new();
    for (row, cells) in grid.rows.iter().zip(&grid.cells) {
        let [Some(first), Some(second), ..] = cells[..] else { continue };
        if [first, second].iter().any(|cell| is_idle((gathered, grid), *cell)) {
            continue;
        }
        let side = labels(gathered, gathered.query.row, *row).into_iter().next().flatten();
        let side = side.unwrap_or_default();
        match sides.iter_mut().find(|(known, _)| *known == side) {
            Some((_, rows)) => rows.push([first, second]),
            None => sides.push((side, vec![[first, second]])),
        }
    }
    let several = sides.into_iter().filter(|(_, rows)| rows.len() > 1);
    let sampled: Vec<(String, usize, (Sample, Sample))> = several
        .filter_map(|(side, rows)| Some((side, rows[0][0], together(gathered, &rows)?)))
        .collect();
    let dependence = family_dependence(sampled.iter().map(|(.., (a, b))| (a, b)), sampled.len());
    let criteria = method.criteria.for_unit(&gathered.base(&metric.name));
    let family = Family { metric, scales: method.scales, dependence };
    let whole = |(side, cell, (first, second)): (String, usize, (Sample, Sample))| {
        let run_set = gathered.cells[cell].run_set(gathered.data);
        // Of means over rows nothing is known to step.
        let (level, values) = (criteria.confidence, Level::Readings);
        let of = |sample| Side { sample, run_set, resolution: None, level, values };
        let pair = Pair { base: of(&first), candidate: of(&second) };
        let assessment = Assessment::in_family(family.evidence(&pair, &[], &criteria)?, &criteria);
        Some(Whole { unit: metric.name.clone(), side, assessment })
    };
    sampled.into_iter().filter_map(whole).collect()
}

/// The readings of two builds, of all rows together: as many blocks as the row with the fewest has. Absent where a row
/// has no common block, or a value that is not above 0.
#[allow(clippy::cast_precision_loss)] // rows of a table
fn together(gathered: &Gathered<'_>, rows: &[[usize; 2]]) -> Option<(Sample, Sample)> {
    let mut of_rows: Vec<[Vec<f64>; 2]> = Vec::with_capacity(rows.len());
    for cells in rows {
        let sample = |cell: usize| gathered.sample(cell, gathered.values(cell));
        let [first, second] = [sample(cells[0])?, sample(cells[1])?];
        if !first.is_positive() || !second.is_positive() {
            return None;
        }
        let common = pairs(&first, &second)?;
        of_rows.push([
            common.within_blocks(|first, _| first.ln()),
            common.within_blocks(|_, second| second.ln()),
        ]);
    }
    let blocks = of_rows.iter().map(|row| row[0].len()).min()?;
    let side = |at: usize| {
        let mean = |block: usize| {
            let sum: f64 = of_rows.iter().map(|row| row[at][block]).sum();
            (sum / of_rows.len() as f64).exp()
        };
        let numbers = (0..u32::try_from(blocks).ok()?).collect();
        Sample::new((0..blocks).map(mean).collect(), numbers).ok()
    };
    Some((side(0)?, side(1)?))
}
