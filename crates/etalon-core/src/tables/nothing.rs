//! Times of calls that do nothing that can be seen, in tables: they are marked, and no verdict is about them.

use super::gather::Gathered;
use super::grid::Grid;
use super::{Cell, Table};
use crate::metrics;
use crate::notes::{CellNote, NoteKind};
use crate::verdict::Decision;

/// An operation of a Go benchmark that takes less than this many seconds takes no longer than an empty loop. Because: that
/// is a cycle of a CPU at 2 GHz.
const LOOP: f64 = 0.5e-9;

/// Whether the cells of a grid are times of calls or operations, with what collecting their garbage takes.
fn are_times(grid: &Grid) -> bool {
    matches!(
        metrics::by_unit(&grid.metric.name),
        "sec" | metrics::WALL | metrics::CPU | metrics::GC_TIME
    )
}

/// Whether a cell of a grid is a time of calls that do nothing that can be seen.
pub(super) fn is_idle((gathered, grid): (&Gathered<'_>, &Grid), cell: usize) -> bool {
    are_times(grid) && gathered.is_idle(cell)
}

impl Cell {
    /// Whether it is a time of what does nothing that can be seen: a compiler removed it, or it takes no longer than an empty
    /// loop.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        use CellNote::{BelowLoop, OptimisedAway};
        self.notes.iter().any(|note| matches!(note, NoteKind::Cell(OptimisedAway | BelowLoop)))
    }
}

/// The note on a cell of times whose calls do nothing that can be seen. Where no empty loop was measured beside them,
/// only that is said which may be so.
pub(super) fn note(
    (gathered, grid): (&Gathered<'_>, &Grid),
    cell: usize,
    centre: f64,
) -> Option<CellNote> {
    if is_idle((gathered, grid), cell) {
        return Some(CellNote::OptimisedAway);
    }
    let is_below = grid.metric.name == "sec/op" && 0.0 < centre && centre < LOOP;
    (is_below && !gathered.is_of_cases(cell)).then_some(CellNote::BelowLoop)
}

/// Gives no verdict on times of calls that do nothing that can be seen. Where only the base's did nothing, the verdict
/// stays: that something is slower than nothing is what a check is for.
pub(super) fn withhold(gathered: &Gathered<'_>, grids: &[Grid], tables: &mut [Table]) {
    for (grid, table) in grids.iter().zip(tables).filter(|(grid, _)| are_times(grid)) {
        for (row, cells) in table.rows.iter_mut().zip(&grid.cells) {
            let is_idle = |column: usize| cells[column].is_some_and(|cell| gathered.is_idle(cell));
            for (column, cell) in row.cells.iter_mut().enumerate() {
                let nothing = Decision::on_nothing(false, is_idle(column));
                let comparison = cell.as_mut().and_then(|cell| cell.comparison.as_mut());
                let assessment = comparison.and_then(|it| it.assessment.as_deref_mut());
                if let Some((assessment, nothing)) = assessment.zip(nothing) {
                    assessment.decision = nothing;
                    cell.iter_mut().for_each(Cell::note_tails);
                }
            }
        }
    }
}
