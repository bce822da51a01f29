//! Rows of which wall clock cannot tell what CPU time can.
//!
//! Owns which comparison by CPU time stands beside one by wall clock. Refuses to say when it speaks for that:
//! [`Assessment::speaks_for`] does.

use rustc_hash::FxHashMap;

use super::{Cell, Labels, Row, Tables};
use crate::metrics;
use crate::verdict::Assessment;

/// A comparison by wall clock that is open, and by CPU time that is not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ByCpu<'t> {
    /// By wall clock.
    pub wall: &'t Assessment,
    /// By CPU time.
    pub cpu: &'t Assessment,
}

/// Whether a unit is that of wall clock.
#[must_use]
pub fn is_wall(unit: &str) -> bool {
    [metrics::WALL, "sec"].contains(&metrics::by_unit(unit))
}

/// Whether a unit is that of CPU time.
#[must_use]
pub fn is_cpu(unit: &str) -> bool {
    metrics::by_unit(unit) == metrics::CPU
}

impl Tables {
    /// The rows of a column that are open by wall clock and settled by CPU time, which knows them at least twice as
    /// well. Linear in the rows of tables with the same labels.
    #[must_use]
    pub fn by_cpu(&self, column: &Labels) -> Vec<ByCpu<'_>> {
        let walls = self.tables.iter().filter(|table| is_wall(&table.unit));
        let pairs = walls.flat_map(|wall| {
            let is_beside = move |it: &&super::Table| is_cpu(&it.unit) && it.labels == wall.labels;
            self.tables.iter().filter(is_beside).map(move |cpu| (wall, cpu))
        });
        let mut found = Vec::new();
        for (wall, cpu) in pairs {
            let place = |of: &super::Table| of.columns.iter().position(|labels| labels == column);
            let Some((at, at_cpu)) = place(wall).zip(place(cpu)) else { continue };
            let beside: FxHashMap<&Labels, &Row> =
                cpu.rows.iter().map(|row| (&row.labels, row)).collect();
            for row in &wall.rows {
                let Some(wall) = row.cells[at].as_ref().and_then(Cell::assessment) else {
                    continue;
                };
                let beside = beside.get(&row.labels);
                let cpu = beside.and_then(|row| row.cells[at_cpu].as_ref()?.assessment());
                found.extend(cpu.filter(|cpu| cpu.speaks_for(wall)).map(|cpu| ByCpu { wall, cpu }));
            }
        }
        found
    }
}
