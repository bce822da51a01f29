//! Questions: which series there are, and the points of one.

use etalon_core::model::{Context, Direction};
use rusqlite::Row;

use crate::database::Database;
use crate::error::HistoryError;
use crate::pool::Part;

/// The nature of a series' values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Ratios to an anchor that was measured in the same blocks.
    Ratio,
    /// Values as they were read, in base units.
    Absolute,
}

impl Kind {
    /// Its word, as the database and exports have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Ratio => "ratio",
            Kind::Absolute => "absolute",
        }
    }
}

/// The identity of a series: points that share it are one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SeriesKey {
    /// The project.
    pub project: String,
    /// The benchmark's name, with parameters and where it stands.
    pub benchmark: String,
    /// The metric.
    pub metric: String,
    /// The unit of absolute values.
    pub unit: String,
    /// The branch; empty where nobody says.
    pub branch: String,
    /// The machine; empty where nobody says.
    pub machine: String,
    /// The nature of its values.
    pub kind: Kind,
}

/// The number of a series in this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SeriesId(pub(crate) i64);

/// A series, without its points.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesRow {
    /// Its number.
    pub id: SeriesId,
    /// Its identity.
    pub key: SeriesKey,
    /// Which way is better.
    pub direction: Direction,
    /// How many points it has.
    pub points: u64,
    /// The time of the oldest of them, in seconds since 1970.
    pub first: f64,
    /// The time of the newest.
    pub latest: f64,
}

/// A point.
#[derive(Debug, Clone, PartialEq)]
pub struct PointRow {
    /// The commit.
    pub commit: String,
    /// Commits before it in first-parent order, where that is known.
    pub position: Option<i64>,
    /// When it was made, or else measured, in seconds since 1970.
    pub time: f64,
    /// The commit that it is a ratio to; absent of an absolute value.
    pub anchor: Option<String>,
    /// A ratio, or base units.
    pub value: f64,
    /// Its interval, where there is one.
    pub interval: Option<(f64, f64)>,
    /// The interval's level.
    pub level: f64,
    /// Readings behind it.
    pub n: u64,
    /// Runs that are pooled in it.
    pub runs: u64,
    /// Facts of toolchain, libraries and system.
    pub facts: Context,
}

impl Database {
    /// The series that have all of these words in project, benchmark, metric, branch, machine or kind, or whose
    /// benchmark is the one word; those whose newest point is newest first. Linear in the number of series.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn series(&self, words: &[String]) -> Result<Vec<SeriesRow>, HistoryError> {
        let read = || -> rusqlite::Result<Vec<SeriesRow>> {
            let mut rows = self.connection.prepare_cached(
                "SELECT id, project, benchmark, metric, unit, branch, machine, kind, better, points, first, \
                 latest FROM series WHERE points > 0 ORDER BY latest DESC, project, benchmark, id",
            )?;
            rows.query_map([], series)?.collect()
        };
        let all = read().map_err(|error| self.failed(&error))?;
        Ok(if words.is_empty() { all } else { chosen(&all, words) })
    }

    /// The points of a series, one a commit and anchor: in first-parent order where that is known of all, else by time.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn points(&self, series: SeriesId) -> Result<Vec<PointRow>, HistoryError> {
        let read = || -> rusqlite::Result<Vec<PointRow>> {
            let mut rows = self.connection.prepare_cached(
                "SELECT v.name, v.position, v.time, a.name, p.value, p.lo, p.hi, p.n, p.level, p.runs, f.text \
                 FROM point p JOIN version v ON v.id = p.version LEFT JOIN version a ON a.id = p.anchor \
                 JOIN facts f ON f.id = p.facts WHERE p.series = ?1",
            )?;
            rows.query_map([series.0], point)?.collect()
        };
        let mut points = read().map_err(|error| self.failed(&error))?;
        let are_placed = points.iter().all(|point| point.position.is_some());
        points.sort_by(|one, other| {
            let placed = one.position.cmp(&other.position);
            let placed = if are_placed { placed } else { std::cmp::Ordering::Equal };
            placed
                .then(one.time.total_cmp(&other.time))
                .then_with(|| one.commit.cmp(&other.commit))
                .then_with(|| one.anchor.cmp(&other.anchor))
        });
        Ok(points)
    }

    /// The raw readings of a series' points of one commit, run by run.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn readings(&self, series: SeriesId, commit: &str) -> Result<Vec<Vec<f64>>, HistoryError> {
        let read = || -> rusqlite::Result<Vec<Vec<f64>>> {
            let mut rows = self.connection.prepare_cached(
                "SELECT r.readings FROM part r JOIN version v ON v.id = r.version \
                 WHERE r.series = ?1 AND v.name = ?2",
            )?;
            rows.query_map(rusqlite::params![series.0, commit], |row| {
                Ok(readings(&row.get::<_, Vec<u8>>(0)?))
            })?
            .collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// The names of the sources of a series' points of one commit, the newest first: of records their ids.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn sources(&self, series: SeriesId, commit: &str) -> Result<Vec<String>, HistoryError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut rows = self.connection.prepare_cached(
                "SELECT DISTINCT s.id, s.name FROM part r JOIN version v ON v.id = r.version \
                 JOIN source s ON s.id = r.source WHERE r.series = ?1 AND v.name = ?2 ORDER BY s.id DESC",
            )?;
            rows.query_map(rusqlite::params![series.0, commit], |row| row.get(1))?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// How many points there are.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn count_points(&self) -> Result<u64, HistoryError> {
        let sum = self
            .connection
            .query_row("SELECT sum(points) FROM series", [], |row| row.get::<_, Option<i64>>(0));
        let sum = sum.map_err(|error| self.failed(&error))?;
        Ok(u64::try_from(sum.unwrap_or(0)).unwrap_or(0))
    }
}

/// Those of some series that [`Database::series`] gives for these words.
#[must_use]
pub fn chosen(all: &[SeriesRow], words: &[String]) -> Vec<SeriesRow> {
    let named = |row: &&SeriesRow| matches!(words, [only] if *only == row.key.benchmark);
    if all.iter().any(|row| named(&row)) {
        return all.iter().filter(named).cloned().collect();
    }
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    all.iter().filter(|row| has_all(&row.key, &words)).cloned().collect()
}

fn has_all(key: &SeriesKey, words: &[String]) -> bool {
    let SeriesKey { project, benchmark, metric, unit: _, branch, machine, kind } = key;
    let text = [project, benchmark, metric, branch, machine, kind.name()].map(str::to_lowercase);
    words.iter().all(|word| text.iter().any(|text| text.contains(word.as_str())))
}

fn series(row: &Row<'_>) -> rusqlite::Result<SeriesRow> {
    let (kind, better): (String, String) = (row.get(7)?, row.get(8)?);
    Ok(SeriesRow {
        id: SeriesId(row.get(0)?),
        key: SeriesKey {
            project: row.get(1)?,
            benchmark: row.get(2)?,
            metric: row.get(3)?,
            unit: row.get(4)?,
            branch: row.get(5)?,
            machine: row.get(6)?,
            kind: if kind == Kind::Ratio.name() { Kind::Ratio } else { Kind::Absolute },
        },
        direction: match &*better {
            "lower" => Direction::Lower,
            "higher" => Direction::Higher,
            _ => Direction::Neither,
        },
        points: number(row.get(9)?),
        first: row.get(10)?,
        latest: row.get(11)?,
    })
}

fn point(row: &Row<'_>) -> rusqlite::Result<PointRow> {
    let facts: String = row.get(10)?;
    let (lo, hi): (Option<f64>, Option<f64>) = (row.get(5)?, row.get(6)?);
    Ok(PointRow {
        commit: row.get(0)?,
        position: row.get(1)?,
        time: row.get(2)?,
        anchor: row.get(3)?,
        value: row.get(4)?,
        interval: lo.zip(hi),
        level: row.get(8)?,
        n: number(row.get(7)?),
        runs: number(row.get(9)?),
        facts: serde_json::from_str(&facts).unwrap_or_default(),
    })
}

/// Readings as they are kept, one behind the other.
pub(crate) fn readings(bytes: &[u8]) -> Vec<f64> {
    let number = |eight: &[u8]| eight.try_into().map(f64::from_le_bytes).ok();
    bytes.chunks_exact(8).filter_map(number).collect()
}

/// A part from value, ends of the interval and number of readings.
pub(crate) fn part(row: &Row<'_>) -> rusqlite::Result<Part> {
    let (lo, hi): (Option<f64>, Option<f64>) = (row.get(1)?, row.get(2)?);
    Ok(Part { value: row.get(0)?, interval: lo.zip(hi), n: number(row.get(3)?) })
}

fn number(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}
