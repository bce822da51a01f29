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
        let works = self.tables.iter().filter(|table| table.is_of_work());
        let rows = works.flat_map(|work| work.rows.iter().map(move |row| (work, &row.labels)));
        rows.filter_map(|(work, row)| self.moved_in(work, row, column)).collect()
    }

    /// Whether count or time moved in a row of counted work: the time is that of wall clock, or CPU time's where that
    /// speaks for it.
    #[must_use]
    pub fn moved_in(&self, work: &Table, row: &Labels, column: &Labels) -> Option<Moved> {
        let beside = |is_it: fn(&str) -> bool| {
            let mut tables = self.tables.iter().filter(|it| it.labels == work.labels);
            tables.find(|it| is_it(&it.unit)).and_then(|it| it.assessment(row, column))
        };
        let count = work.is_of_work().then(|| work.assessment(row, column)).flatten()?;
        let wall = beside(is_wall)?;
        let time = beside(is_cpu).filter(|cpu| cpu.speaks_for(wall)).unwrap_or(wall);
        Moved::by_verdicts(count.decision.verdict, time.decision.verdict)
    }
}
