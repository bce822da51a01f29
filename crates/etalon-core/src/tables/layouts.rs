//! Sides whose builds are placed otherwise: what the tables of them say of placement.

use super::{Cell, Tables};
use crate::compare::{Design, OverLayouts, Scale};
use crate::notes::{Note, NoteKind, SidesNote};

impl Tables {
    /// The remark on layouts, where sides have them: how many, and how far those of one side scatter in the first unit.
    #[must_use]
    pub fn layouts_note(&self) -> Option<Note> {
        let leading = &self.tables.first()?.unit;
        let tables = self.tables.iter().filter(|table| table.unit == *leading);
        let cells = tables.flat_map(|table| &table.rows).flat_map(|row| row.cells.iter().flatten());
        let evidence = cells.filter_map(Cell::assessment).map(|it| &it.evidence);
        let over: Vec<(&OverLayouts, Scale)> = evidence
            .filter_map(|it| match &it.design {
                Design::Layouts(over) => Some((&**over, it.scale)),
                _ => None,
            })
            .collect();
        let each = over.first()?.0.layouts;
        let shares = over.iter().filter(|(_, scale)| *scale == Scale::Ratio);
        let scatter = shares.filter_map(|(over, _)| over.scatter()).reduce(f64::max);
        let what = NoteKind::Sides(SidesNote::Layouts { each, scatter });
        Some(Note { about: "sides".to_owned(), what })
    }
}
