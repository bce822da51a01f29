//! A series execution by execution, for writers.
//!
//! Owns the walk through columns that may lack rows, and where between the rows those executions stand
//! that are none. Refuses to convert values.

use etalon_core::model::{Outcome, RunSet, Series};

/// An execution of the measured phase.
pub(crate) struct Execution<'a> {
    /// Its block, where the source has blocks.
    pub(crate) block: Option<u32>,
    /// Its turn within the block, where a block holds several.
    pub(crate) turn: Option<u32>,
    /// How often it repeated the benchmark, where that is said.
    pub(crate) iterations: Option<u64>,
    /// How it ended.
    pub(crate) outcome: Outcome,
    /// What it had to say, where it failed and that is kept.
    pub(crate) said: Option<&'a str>,
    /// Values in base units, by metric of the run set; none of one that does not count.
    pub(crate) values: &'a [Option<f64>],
}

/// The executions of a series, in their order.
pub(crate) struct Executions<'a> {
    series: &'a Series,
    /// Per column: how many of its values lie before the next row.
    passed: Vec<usize>,
    /// How many exit codes lie before the next row.
    exits: usize,
    /// How many were no rows so far.
    uncounted: usize,
    next: u32,
    values: Vec<Option<f64>>,
}

impl<'a> Executions<'a> {
    pub(crate) fn of(series: &'a Series) -> Executions<'a> {
        let columns = series.columns.len();
        Executions {
            series,
            passed: vec![0; columns],
            exits: 0,
            uncounted: 0,
            next: 0,
            values: vec![None; columns],
        }
    }

    /// The next one.
    pub(crate) fn next(&mut self) -> Option<Execution<'_>> {
        match self.series.uncounted.get(self.uncounted) {
            Some(it) if it.rows_before <= self.next => {
                let said = self.series.said.as_ref().filter(|(at, _)| *at == self.uncounted);
                self.uncounted += 1;
                self.values.fill(None);
                Some(Execution {
                    block: it.block,
                    turn: None,
                    iterations: None,
                    outcome: it.outcome.clone(),
                    said: said.map(|(_, text)| text.as_str()),
                    values: &self.values,
                })
            }
            _ => self.next_row(),
        }
    }

    fn next_row(&mut self) -> Option<Execution<'_>> {
        let row = self.next;
        if row == self.series.rows {
            return None;
        }
        for (index, column) in self.series.columns.iter().enumerate() {
            let at = self.passed[index];
            let here = column.rows.get(at) == Some(&row);
            self.values[index] = if here { column.values.get(at).copied() } else { None };
            self.passed[index] += usize::from(here);
        }
        let outcome = match self.series.exits.get(self.exits) {
            Some((at, code)) if *at == row => {
                self.exits += 1;
                Outcome::Failed { code: *code }
            }
            _ => Outcome::Ok,
        };
        self.next += 1;
        Some(Execution {
            block: self.series.blocks.get(row as usize).copied(),
            turn: self.series.turns.get(row as usize).copied(),
            iterations: self.series.iterations.get(row as usize).copied(),
            outcome,
            said: None,
            values: &self.values,
        })
    }
}

/// The index of a metric of that name whose values have this base unit.
pub(crate) fn metric(set: &RunSet, name: &str, base: &str) -> Option<usize> {
    set.metrics.iter().position(|m| m.name == name && m.unit.base().to_string() == base)
}
