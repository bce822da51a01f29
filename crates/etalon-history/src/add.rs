//! Adding what a run measured: all of it in one transaction, nothing twice, repeats pooled.
//!
//! A source is what points came from: a record by its id, another file by its content. The same source again changes
//! nothing; a record that grew replaces what it said before; a copy with the same readings under another name counts
//! once. The point's row is what all its sources say together ([`crate::pooled`]).

use std::collections::HashMap;
use std::hash::Hasher;

use etalon_core::model::{Context, Direction};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use twox_hash::XxHash3_64;

use crate::database::Database;
use crate::error::HistoryError;
use crate::numbers::{Numbers, Place, number, source_number, version};
use crate::pool::{LEVEL, Part, pooled};
use crate::read::{Kind, SeriesKey};

/// A point as a run gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The benchmark's name, with parameters and where it stands.
    pub benchmark: String,
    /// The metric's name.
    pub metric: String,
    /// The unit of absolute values.
    pub unit: String,
    /// Which way is better.
    pub direction: Direction,
    /// The commit that was measured, where the data say it.
    pub commit: Option<String>,
    /// The commit that it is a ratio to; absent of an absolute value.
    pub anchor: Option<String>,
    /// The machine, as far as the data say.
    pub machine: String,
    /// Facts of toolchain, libraries and system.
    pub facts: Context,
    /// The value with its interval.
    pub part: Part,
    /// The readings behind it: ratios of blocks, or base units.
    pub readings: Vec<f64>,
}

/// A measurement with the place that it has in a history.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The series.
    pub series: SeriesKey,
    /// The commit.
    pub commit: String,
    /// Commits before it in first-parent order, where that is known.
    pub position: Option<i64>,
    /// When it was made, or else measured, in seconds since 1970.
    pub time: f64,
    /// The point itself.
    pub measured: Measurement,
}

/// Where points came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A record of this id.
    Record(String),
    /// Anything else, which its content identifies.
    Content,
}

/// Points that were added, by how they changed the history.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Added {
    /// New points.
    pub new: usize,
    /// Points that were there, of another run, and now are of one more.
    pub pooled: usize,
    /// Points whose record says something else than when it was added before.
    pub replaced: usize,
    /// Points that had this in them before.
    pub known: usize,
}

impl Database {
    /// Adds what a source says, all of it or nothing. A process that is killed has added it if this returned.
    ///
    /// # Errors
    /// If there is no room, another etalon writes for long, or the file is damaged; then nothing was added.
    pub fn add(&mut self, source: &Source, placed: &[Placed]) -> Result<Added, HistoryError> {
        let added = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|transaction| {
                let added = all(&transaction, source, placed)?;
                transaction.commit()?;
                Ok(added)
            });
        added.map_err(|error| self.failed(&error))
    }
}

/// The name of a source.
pub(crate) fn source_name(source: &Source, placed: &[Placed]) -> String {
    match source {
        Source::Record(id) => id.clone(),
        Source::Content => format!("content:{:016x}", content(placed)),
    }
}

fn all(to: &Transaction<'_>, source: &Source, placed: &[Placed]) -> rusqlite::Result<Added> {
    let mut added = Added::default();
    if placed.is_empty() {
        return Ok(added);
    }
    let source = source_number(to, &source_name(source, placed))?;
    let mut turns: HashMap<Place, i64> = HashMap::new();
    let mut known = Numbers::default();
    for point in placed {
        let place = place(to, point, &mut known)?;
        let turn = turns.entry(place).or_default();
        let is_first = *turn == 0 && known.is_new(place.1);
        let outcome = part(to, place, (source, *turn, is_first), &point.measured)?;
        *turn += 1;
        let is_new = matches!(outcome, Outcome::New);
        match outcome {
            Outcome::New => added.new += 1,
            Outcome::Pooled => added.pooled += 1,
            Outcome::Replaced => added.replaced += 1,
            Outcome::Known => {
                added.known += 1;
                continue;
            }
        }
        let facts = known.facts(to, &point.measured.facts)?;
        match is_new {
            true => write(to, place, &[point.measured.part], facts)?,
            false => write(to, place, &parts(to, place)?, facts)?,
        }
        if is_new {
            to.prepare_cached(
                "UPDATE series SET points = points + 1, first = min(first, ?2), latest = max(latest, ?2) \
                 WHERE id = ?1",
            )?
            .execute(params![place.0, point.time])?;
        }
    }
    Ok(added)
}

/// The numbers of series, version and anchor of a point.
pub(crate) fn place<'a>(
    to: &Connection,
    point: &'a Placed,
    known: &mut Numbers<'a>,
) -> rusqlite::Result<Place> {
    let Placed { series, commit, position, time, measured } = point;
    let at = known.version(to, (&series.project, commit), (*position, *time))?;
    let anchor = match &measured.anchor {
        Some(anchor) => version(to, (&series.project, anchor), (None, *time))?.0,
        None => 0,
    };
    Ok((number(to, series, measured.direction, *time)?, at, anchor))
}

/// How one point changed the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    New,
    Pooled,
    Replaced,
    Known,
}

/// Adds what a source says of a point, unless that is known; of the first that anybody says of a new version nothing is.
fn part(
    to: &Connection,
    (series, version, anchor): Place,
    (source, turn, is_first): (i64, i64, bool),
    measured: &Measurement,
) -> rusqlite::Result<Outcome> {
    let readings: Vec<u8> = measured.readings.iter().flat_map(|it| it.to_le_bytes()).collect();
    let print = print(measured, &readings);
    let known = if is_first { Vec::new() } else { prints(to, (series, version, anchor))? };
    let own = known.iter().find(|it| (it.0, it.1) == (source, turn));
    let outcome = match own {
        Some((.., before)) if *before == print => return Ok(Outcome::Known),
        Some(_) => Outcome::Replaced,
        None if known.iter().any(|it| it.0 != source && it.2 == print) => {
            return Ok(Outcome::Known);
        }
        None if known.is_empty() => Outcome::New,
        None => Outcome::Pooled,
    };
    let (lo, hi) = measured.part.interval.unzip();
    let n = i64::try_from(measured.part.n).unwrap_or(i64::MAX);
    to.prepare_cached("INSERT OR REPLACE INTO part VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?
        .execute(params![
            series,
            version,
            anchor,
            source,
            turn,
            measured.part.value,
            lo,
            hi,
            n,
            print,
            readings
        ])?;
    Ok(outcome)
}

/// Sources and turns of what is said of a point, with the numbers by which copies are known.
fn prints(
    to: &Connection,
    (series, version, anchor): Place,
) -> rusqlite::Result<Vec<(i64, i64, i64)>> {
    to.prepare_cached(
        "SELECT source, turn, print FROM part WHERE series = ?1 AND version = ?2 AND anchor = ?3",
    )?
    .query_map([series, version, anchor], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
    .collect()
}

/// All that is said of a point.
fn parts(to: &Connection, (series, version, anchor): Place) -> rusqlite::Result<Vec<Part>> {
    to.prepare_cached(
        "SELECT value, lo, hi, n FROM part WHERE series = ?1 AND version = ?2 AND anchor = ?3",
    )?
    .query_map([series, version, anchor], crate::read::part)?
    .collect()
}

/// Writes a point anew from all that is said of it.
fn write(
    to: &Connection,
    (series, version, anchor): Place,
    parts: &[Part],
    facts: i64,
) -> rusqlite::Result<()> {
    let Some(all) = pooled(parts) else { return Ok(()) };
    let (lo, hi) = all.interval.unzip();
    let n = i64::try_from(all.n).unwrap_or(i64::MAX);
    let runs = i64::try_from(parts.len()).unwrap_or(i64::MAX);
    to.prepare_cached("INSERT OR REPLACE INTO point VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?
        .execute(params![series, version, anchor, all.value, lo, hi, LEVEL, n, runs, facts])?;
    Ok(())
}

/// A number for what was read, by which a copy is known.
#[allow(clippy::cast_possible_wrap)] // all bits count, whatever they are called
fn print(measured: &Measurement, readings: &[u8]) -> i64 {
    let mut hasher = XxHash3_64::new();
    hasher.write(readings);
    hasher.write(&measured.part.value.to_le_bytes());
    hasher.finish() as i64
}

/// A number for everything that a source says.
fn content(placed: &[Placed]) -> u64 {
    let mut hasher = XxHash3_64::new();
    for point in placed {
        let Placed { commit, measured, .. } = point;
        for text in [commit, &measured.benchmark, &measured.metric, &measured.machine] {
            hasher.write(text.as_bytes());
            hasher.write(&[0]);
        }
        hasher.write(&measured.part.value.to_le_bytes());
        measured.readings.iter().for_each(|it| hasher.write(&it.to_le_bytes()));
    }
    hasher.finish()
}

impl Measurement {
    /// The nature of its value.
    #[must_use]
    pub fn kind(&self) -> Kind {
        if self.anchor.is_some() { Kind::Ratio } else { Kind::Absolute }
    }
}
