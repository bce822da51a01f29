//! Rows of which work was counted beside time: what moved, count, time, both or neither.
//!
//! Owns which comparison by time stands beside one by work. Refuses to say what both mean: [`Moved`] does.

use super::{Cell, Labels, Table, Tables, is_cpu, is_wall};
use crate::metrics;
use crate::model::Kind;
use crate::verdict::{Assessment, Moved};

impl Table {
    /// Whether it is of counted work.
    #[must_use]
    pub fn is_of_work(&self) -> bool {
        self.kind == Kind::Exact && metrics::by_unit(&self.unit) == metrics::INSTRUCTIONS
    }

    fn assessment(&self, row: &Labels, column: &Labels) -> Option<&Assessment> {
        let at = self.columns.iter().position(|labels| labels == column)?;
        let row = self.rows.iter().find(|it| it.labels == *row)?;
        row.cells[at].as_ref().and_then(Cell::assessment)
    }
}

impl Tables {
    /// For each row of a column of which work was counted, whether count or time moved. Linear in the rows for each of
    /// them.
    #[must_use]
    pub fn moved(&self, column: &Labels) -> Vec<Moved> {
        self.moved_beside(column, &[self])
    }

    /// As [`Tables::moved`], of a column whose times may stand in other tables.
    #[must_use]
    pub fn moved_beside(&self, column: &Labels, all: &[&Tables]) -> Vec<Moved> {
        let works = self.tables.iter().filter(|table| table.is_of_work());
        let rows = works.flat_map(|work| work.rows.iter().map(move |row| (work, &row.labels)));
        rows.filter_map(|(work, row)| moved_in(work, (row, column), all)).collect()
    }
}

/// Whether count or time moved in a row of counted work.
fn moved_in(work: &Table, (row, column): (&Labels, &Labels), all: &[&Tables]) -> Option<Moved> {
    let beside = |is_it: fn(&str) -> bool| {
        let mut tables = all.iter().flat_map(|it| &it.tables);
        let of = |it: &&Table| it.labels == work.labels && is_it(&it.unit);
        tables.find(|it| of(it)).and_then(|it| it.assessment(row, column))
    };
    let count = work.assessment(row, column)?;
    Moved::by_assessments(count, beside(is_wall)?, beside(is_cpu))
}
