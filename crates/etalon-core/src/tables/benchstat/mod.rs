//! Tables as benchstat computes them: its numbers, its tests, its notes.
//!
//! The reference is golang.org/x/perf's `benchmath` and benchstat's tables; numbers have the same bits, so
//! that what is printed of them has the same bytes. Owns the order of notes, too. Refuses verdicts:
//! benchstat has none (`super::verdicts`).

mod geomean;
mod median;
mod u_test;

use super::grid::{Grid, Sampled};
use super::{Cell, ColumnSummary, Comparison, Method};
use crate::model::Kind;
use crate::notes::{CellNote, ColumnNote, ComparisonNote, NoteKind};

/// The cells of one row.
pub(super) fn row(row: &[Option<Sampled>], kind: Kind, method: &Method) -> Vec<Option<Cell>> {
    let sort = |sampled: &Sampled| {
        let mut sorted = sampled.values.clone();
        sorted.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        sorted
    };
    let sorted: Vec<Option<Vec<f64>>> = row.iter().map(|cell| cell.as_ref().map(sort)).collect();
    let base = sorted.first().and_then(Option::as_ref);
    let cell = |(at, sampled): (usize, &Option<Sampled>)| {
        let (sampled, values) = (sampled.as_ref()?, sorted[at].as_ref()?);
        let (centre, own) = match kind {
            Kind::Exact => median::exact(values),
            Kind::Noisy => median::median(values, method.criteria.confidence),
        };
        let varies = (!sampled.varying.is_empty())
            .then(|| NoteKind::Cell(CellNote::Varies(sampled.varying.clone())));
        let comparison = base.filter(|_| at > 0).map(|base| compare(base, values, kind, method));
        Some(Cell {
            n: values.len(),
            centre,
            mean: None,
            notes: varies.into_iter().chain(own).collect(),
            comparison,
        })
    };
    row.iter().enumerate().map(cell).collect()
}

fn compare(base: &[f64], values: &[f64], kind: Kind, method: &Method) -> Comparison {
    let n = (base.len(), values.len());
    let of = |p, notes| Comparison {
        n,
        p,
        significant: p.is_none_or(|p| p <= method.criteria.alpha),
        notes,
        assessment: None,
    };
    if kind == Kind::Exact {
        return of(None, Vec::new());
    }
    match u_test::p(base, values) {
        None => of(Some(1.0), vec![NoteKind::Comparison(ComparisonNote::AllEqual)]),
        // A p of 0 is told like an exact result.
        Some(0.0) => of(None, Vec::new()),
        Some(p) => of(Some(p), u_test::too_few(n, p, method.criteria.alpha).into_iter().collect()),
    }
}

/// The summary of each column: the geometric mean of its centres, and of its ratios to the base.
pub(super) fn summaries(grid: &Grid, rows: &[Vec<Option<Cell>>]) -> Vec<ColumnSummary> {
    let bases = rows.iter().filter(|row| row.first().is_some_and(Option::is_some)).count();
    (0..grid.cols.len()).map(|column| summary(rows, column, bases)).collect()
}

fn summary(rows: &[Vec<Option<Cell>>], column: usize, bases: usize) -> ColumnSummary {
    let centre = |row: &[Option<Cell>], at: usize| row[at].as_ref().map(|cell| cell.centre.value);
    let centres = rows.iter().filter_map(|row| centre(row, column));
    let mean = geomean::geometric_mean(centres);
    let mut notes = Vec::new();
    let pairs: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((centre(row, column)?, centre(row, 0)?))).collect();
    if column > 0 && pairs.len() != bases {
        notes.push(NoteKind::Column(ColumnNote::SetDiffers));
    }
    if mean.is_none() {
        notes.push(NoteKind::Column(ColumnNote::NotPositive));
    }
    let mut ratio = None;
    // A ratio to 0 does not exist, and with it no mean.
    let exists = pairs.iter().all(|(value, base)| value == base || *base != 0.0);
    if column > 0 && exists {
        let ratios =
            pairs.iter().map(|(value, base)| if value == base { 1.0 } else { value / base });
        ratio = geomean::geometric_mean(ratios);
        if ratio.is_none() {
            notes.push(NoteKind::Column(ColumnNote::RatiosNotPositive));
        }
    }
    ColumnSummary { mean, ratio, interval: None, total: None, notes }
}
