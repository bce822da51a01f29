//! Executions added to a series one by one.

use crate::columns::{Series, Uncounted};
use etalon_core::model::{Accept, Outcome};

impl Series {
    /// Adds an execution; its row, if it counts.
    pub(crate) fn add(
        &mut self,
        accept: &Accept,
        outcome: Outcome,
        block: Option<u32>,
    ) -> Option<u32> {
        let row = self.rows;
        if !accept.accepts(&outcome) {
            self.uncounted.push(Uncounted { rows_before: row, block, outcome });
            return None;
        }
        self.rows += 1;
        self.blocks.extend(block);
        if let Outcome::Failed { code } = outcome {
            self.exits.push((row, code));
        }
        Some(row)
    }
}
