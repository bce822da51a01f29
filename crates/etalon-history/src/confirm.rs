//! Two commits of a series that were measured against each other because a step was suspected between them.
//!
//! Owns that such a run is no point of the series, and that it is remembered. Refuses to say what follows from it.

use rusqlite::{TransactionBehavior, params};

use crate::add::{Placed, Source, place, source_name};
use crate::database::Database;
use crate::error::HistoryError;
use crate::numbers::{Numbers, source_number};
use crate::pool::{Part, pooled};
use crate::read::{SeriesId, part};

/// Two commits of a series with the ratio of the later one to the earlier one, in the same blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Confirmation {
    /// The earlier commit.
    pub before: String,
    /// The later one.
    pub after: String,
    /// The ratio by all runs, with the interval that points have.
    pub ratio: Part,
}

impl Database {
    /// Remembers what a run says of two commits, the anchor being the earlier one; once, however often it is told.
    ///
    /// # Errors
    /// If there is no room, another etalon writes for long, or the file is damaged; then nothing was remembered.
    pub fn confirm(&mut self, source: &Source, placed: &[Placed]) -> Result<(), HistoryError> {
        let mut write = || -> rusqlite::Result<()> {
            let to = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let name = source_name(source, placed);
            let source = source_number(&to, &name)?;
            let mut known = Numbers::default();
            for point in placed.iter().filter(|point| point.measured.anchor.is_some()) {
                let (series, version, anchor) = place(&to, point, &mut known)?;
                let Part { value, interval, n } = point.measured.part;
                let (lo, hi) = interval.unzip();
                let n = i64::try_from(n).unwrap_or(i64::MAX);
                to.prepare_cached(
                    "INSERT OR REPLACE INTO confirmation VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                )?
                .execute(params![series, version, anchor, source, value, lo, hi, n])?;
            }
            to.commit()
        };
        write().map_err(|error| self.failed(&error))
    }

    /// All that is remembered of a series, pooled as repeats of a point are.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn confirmations(&self, series: SeriesId) -> Result<Vec<Confirmation>, HistoryError> {
        let read = || -> rusqlite::Result<Vec<(String, String, Part)>> {
            let mut rows = self.connection.prepare_cached(
                "SELECT c.value, c.lo, c.hi, c.n, a.name, v.name FROM confirmation c \
                 JOIN version v ON v.id = c.version JOIN version a ON a.id = c.anchor \
                 WHERE c.series = ?1 ORDER BY c.anchor, c.version, c.source",
            )?;
            rows.query_map([series.0], |row| Ok((row.get(4)?, row.get(5)?, part(row)?)))?.collect()
        };
        let rows = read().map_err(|error| self.failed(&error))?;
        let pairs = rows.chunk_by(|one, other| (&one.0, &one.1) == (&other.0, &other.1));
        let pooled = pairs.filter_map(|rows| {
            let parts: Vec<Part> = rows.iter().map(|row| row.2).collect();
            let (before, after, _) = rows.first()?.clone();
            Some(Confirmation { before, after, ratio: pooled(&parts)? })
        });
        Ok(pooled.collect())
    }
}
