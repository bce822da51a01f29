//! What is kept of one benchmark's executions.
//!
//! Owns the columns, and how every execution of the measured phase ended: nothing is written down for
//! an exit code of 0, so that data without failures cost their values and no more. Refuses to keep the
//! values of executions that do not count: no statistic may ever see them.

use std::fmt;

use super::{Accept, Outcome};

/// One metric's readings of one benchmark, in base units and time order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Column {
    /// Row numbers within the series, ascending.
    pub rows: Vec<u32>,
    /// Values in base units, finite.
    pub values: Vec<f64>,
}

/// Everything recorded for one benchmark's measured phase, by column: a million rows cost about
/// 12 bytes per value, and 8 for each that ended with another exit code than 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// The block of each counted observation; empty when the source has no blocks.
    pub blocks: Vec<u32>,
    /// The turn of each within its block; empty when a block holds one.
    pub turns: Vec<u32>,
    /// How often each repeated the benchmark; empty when that is once.
    pub iterations: Vec<u64>,
    /// Number of counted rows.
    pub rows: u32,
    /// One column per metric of the run set, in its order.
    pub columns: Vec<Column>,
    /// Rows that ended with an accepted non-zero exit code, ascending, and that code.
    pub exits: Vec<(u32, i32)>,
    /// Executions of the measured phase that are no rows, in time order.
    pub uncounted: Vec<Uncounted>,
    /// What the first of those that said anything said, with its index among them.
    pub said: Option<(usize, String)>,
    /// Outcomes of the warm-up phase.
    pub warmup_outcomes: OutcomeCounts,
    /// Descendants that had to be killed, over all executions.
    pub leftovers: u64,
    /// How many executions left any behind.
    pub with_leftovers: u64,
}

/// An execution that is no row, because its outcome is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncounted {
    /// How many rows of the series come before it.
    pub rows_before: u32,
    /// Its block, where the source has blocks.
    pub block: Option<u32>,
    /// How it ended.
    pub outcome: Outcome,
}

/// A series has as many rows as it can have, 2³² − 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyRows;

impl fmt::Display for TooManyRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more than 2^32 rows")
    }
}

impl std::error::Error for TooManyRows {}

impl Series {
    /// Adds an execution of the measured phase. If its outcome is accepted, it is a row, and this is
    /// the number under which columns take its values.
    ///
    /// # Errors
    /// If there is no number left; nothing is added then.
    pub fn add(
        &mut self,
        accept: &Accept,
        outcome: Outcome,
        block: Option<u32>,
    ) -> Result<Option<u32>, TooManyRows> {
        let row = self.rows;
        if !accept.accepts(&outcome) {
            self.uncounted.push(Uncounted { rows_before: row, block, outcome });
            return Ok(None);
        }
        self.rows = row.checked_add(1).ok_or(TooManyRows)?;
        self.blocks.extend(block);
        if let Outcome::Failed { code } = outcome {
            self.exits.push((row, code));
        }
        Ok(Some(row))
    }

    /// Notes the turn and the iterations of the row added last. A row that says neither, in a series
    /// in which some do, is the first turn's and one iteration.
    pub fn add_place(&mut self, turn: Option<u32>, iterations: Option<u64>) {
        let rows = self.rows as usize;
        if turn.is_some() || !self.turns.is_empty() {
            self.turns.resize(rows.saturating_sub(1), 0);
            self.turns.push(turn.unwrap_or(0));
        }
        if iterations.is_some() || !self.iterations.is_empty() {
            self.iterations.resize(rows.saturating_sub(1), 1);
            self.iterations.push(iterations.unwrap_or(1));
        }
    }

    /// Outcomes of the measured phase, those that do not count included. Linear in the latter.
    #[must_use]
    pub fn outcomes(&self) -> OutcomeCounts {
        let failed = self.exits.len();
        let ok = (self.rows as usize).saturating_sub(failed);
        let mut counts = OutcomeCounts { ok, failed, ..OutcomeCounts::default() };
        self.uncounted.iter().for_each(|execution| counts.add(&execution.outcome));
        counts
    }

    /// Gives back memory that growing columns hold in reserve.
    pub fn shrink_to_fit(&mut self) {
        self.blocks.shrink_to_fit();
        self.turns.shrink_to_fit();
        self.iterations.shrink_to_fit();
        self.exits.shrink_to_fit();
        self.uncounted.shrink_to_fit();
        for column in &mut self.columns {
            column.rows.shrink_to_fit();
            column.values.shrink_to_fit();
        }
    }
}

/// Outcomes counted by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    /// Exit code 0.
    pub ok: usize,
    /// Non-zero exit codes, accepted ones included.
    pub failed: usize,
    /// Ended by a signal.
    pub killed: usize,
    /// Ended by the timeout.
    pub timed_out: usize,
    /// Stopped and continued on the way.
    pub suspended: usize,
    /// Could not be started.
    pub not_started: usize,
}

impl OutcomeCounts {
    /// Counts one more.
    pub fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Ok => self.ok += 1,
            Outcome::Failed { .. } => self.failed += 1,
            Outcome::Killed { .. } => self.killed += 1,
            Outcome::TimedOut => self.timed_out += 1,
            Outcome::Suspended => self.suspended += 1,
            Outcome::NotStarted { .. } => self.not_started += 1,
        }
    }

    /// Everything that is not `ok`.
    #[must_use]
    pub fn not_ok(&self) -> usize {
        self.failed + self.killed + self.timed_out + self.suspended + self.not_started
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    /// Would catch an outcome that is counted twice or not at all, and a place that is off by one.
    #[test]
    fn every_execution_keeps_its_place_and_is_counted_once() {
        let killed = Outcome::Killed { signal: 9 };
        let executions = [
            (Outcome::TimedOut, None),
            (Outcome::Ok, Some(0)),
            (Outcome::Failed { code: 3 }, Some(1)),
            (Outcome::Failed { code: 4 }, None),
            (killed.clone(), None),
            (Outcome::Suspended, None),
            (Outcome::Failed { code: 3 }, Some(2)),
        ];
        let mut series = Series::default();
        for (block, (outcome, row)) in (10..).zip(executions) {
            assert_eq!(series.add(&Accept::Codes(vec![3]), outcome, Some(block)), Ok(row));
        }
        let uncounted = |rows_before, block, outcome| Uncounted { rows_before, block, outcome };
        assert_eq!(
            series.uncounted,
            [
                uncounted(0, Some(10), Outcome::TimedOut),
                uncounted(2, Some(13), Outcome::Failed { code: 4 }),
                uncounted(2, Some(14), killed),
                uncounted(2, Some(15), Outcome::Suspended),
            ]
        );
        assert_eq!((series.rows, &series.blocks), (3, &vec![11, 12, 16]));
        assert_eq!(series.exits, [(1, 3), (2, 3)]);
        let counts = OutcomeCounts {
            ok: 1,
            failed: 3,
            killed: 1,
            timed_out: 1,
            suspended: 1,
            not_started: 0,
        };
        assert_eq!(series.outcomes(), counts);
    }

    #[test]
    fn a_row_too_many_changes_nothing() {
        let mut full = Series { rows: u32::MAX, ..Series::default() };
        let before = full.clone();
        assert_eq!(full.add(&Accept::Any, Outcome::Failed { code: 1 }, Some(1)), Err(TooManyRows));
        assert_eq!(full, before);
    }
}
