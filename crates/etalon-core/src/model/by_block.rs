//! A series whose blocks hold several readings, as one of blocks.
//!
//! Owns what stands for a block where a format or a test has one value for each: the median over its
//! readings of every metric. Refuses to touch a series without turns.

use super::{Column, Series};
use crate::sample::median;

impl Series {
    /// The same with a row for each block: its medians, and all iterations of its readings. Executions that
    /// are no rows are left out, because their places are between readings.
    #[must_use]
    pub fn by_block(&self) -> Series {
        if self.turns.is_empty() {
            return self.clone();
        }
        let mut blocks = self.blocks.clone();
        blocks.dedup();
        let number = |row: &u32| self.blocks.get(*row as usize);
        let place = |block: u32| blocks.binary_search(&block).ok();
        let column = |column: &Column| {
            let mut reduced = Column::default();
            let mut from = 0;
            for rows in column.rows.chunk_by(|a, b| number(a) == number(b)) {
                let median = median(&column.values[from..from + rows.len()]);
                from += rows.len();
                let at = number(&rows[0]).and_then(|block| place(*block));
                let at = at.and_then(|at| u32::try_from(at).ok());
                if let (Some(at), Some(median)) = (at, median) {
                    reduced.rows.push(at);
                    reduced.values.push(median);
                }
            }
            reduced
        };
        let mut iterations = vec![0_u64; blocks.len()];
        for (block, more) in self.blocks.iter().zip(&self.iterations) {
            if let Some(at) = place(*block) {
                iterations[at] = iterations[at].saturating_add(*more);
            }
        }
        Series {
            rows: u32::try_from(blocks.len()).unwrap_or(u32::MAX),
            columns: self.columns.iter().map(column).collect(),
            turns: Vec::new(),
            exits: Vec::new(),
            uncounted: Vec::new(),
            iterations: if self.iterations.is_empty() { Vec::new() } else { iterations },
            blocks,
            ..self.clone()
        }
    }
}
