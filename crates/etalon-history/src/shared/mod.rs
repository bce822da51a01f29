//! A history that a team shares: the points of this file merged into a PostgreSQL, as often as anybody likes.
//!
//! Owns that nothing is there twice, whoever hands it on, and that repeats of several files are pooled. Batches are
//! copied into tables of the connection's own and merged, a transaction each: of a process that is killed, whole batches
//! are there, and the next export merges the rest. A statement a point takes a millisecond, a row of a batch one or two
//! microseconds. Refuses to read from there: a shared history is for other programs.
//!
//! There is no TLS, whose crates cost more than all of this: a server elsewhere is reached through a tunnel.

mod copied;
mod tables;

use postgres::binary_copy::BinaryCopyInWriter;
use postgres::types::Type;
use postgres::{Client, Config, NoTls, Transaction};
use rusqlite::Connection;

use crate::database::Database;
use crate::error::{HistoryError, SharedError};
use crate::pool::{LEVEL, Part, pooled};
use crate::schema::APPLICATION;
use copied::Numbers;
use tables::{
    BATCH, CONFIRMATION, CONFIRMATIONS, MIXED, NEW, PART, PARTS, POINT, POINTS, POOLED, RUNS, STEPS,
};

/// Points of a batch, and more where one series has more. Because: a transaction costs milliseconds, and what is copied is
/// kept twice until it ends.
const POINTS_A_BATCH: i64 = 100_000;

/// Points that were handed on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Handed {
    /// All points of the file.
    pub points: u64,
    /// Those that were not there.
    pub new: u64,
}

/// Why something failed, here or there.
#[derive(Debug)]
enum Broken {
    Here(rusqlite::Error),
    There(postgres::Error),
    Newer(i64),
}

impl From<rusqlite::Error> for Broken {
    fn from(error: rusqlite::Error) -> Broken {
        Broken::Here(error)
    }
}

impl From<postgres::Error> for Broken {
    fn from(error: postgres::Error) -> Broken {
        Broken::There(error)
    }
}

/// A PostgreSQL, and how it is called in messages: without the password.
#[derive(Debug, Clone)]
pub struct Server {
    config: Config,
}

impl Server {
    /// The server of a URL; `password` where that has none.
    ///
    /// # Errors
    /// If it is no such URL.
    pub fn new(url: &str, password: Option<&str>) -> Result<Server, SharedError> {
        let mut config: Config =
            url.parse().map_err(|error| SharedError::Postgres { why: words(&error) })?;
        config.application_name("etalon");
        if let Some(password) = password.filter(|_| config.get_password().is_none()) {
            config.password(password);
        }
        Ok(Server { config })
    }
}

impl Database {
    /// Merges all points into the tables of a server, which are made where there are none.
    ///
    /// # Errors
    /// If it cannot be reached or refuses, or its tables are a newer etalon's; then whole batches may have been merged.
    pub fn hand_to(&self, server: &Server) -> Result<Handed, SharedError> {
        self.merged(server).map_err(|broken| match broken {
            Broken::Here(error) => SharedError::History(HistoryError::new(self.path(), &error)),
            Broken::There(error) => SharedError::Postgres { why: words(&error) },
            Broken::Newer(found) => SharedError::Newer { found, known: number(STEPS.len()) },
        })
    }

    fn merged(&self, server: &Server) -> Result<Handed, Broken> {
        let mut client = server.config.connect(NoTls)?;
        let snapshot = self.connection.unchecked_transaction()?;
        let numbers = exclusively(&mut client, |to| {
            prepared(to)?;
            copied::names(&snapshot, to)
        })?;
        client.batch_execute(BATCH)?;
        let mut handed = Handed::default();
        for series in batches(&snapshot)? {
            exclusively(&mut client, |to| {
                handed.points += copied::rows(&snapshot, to, &POINT, series, &numbers)?;
                copied::rows(&snapshot, to, &PART, series, &numbers)?;
                let new: i64 = to.query_one(NEW, &[])?.get(0);
                handed.new += new.unsigned_abs();
                merge(to)
            })?;
        }
        confirmations(&snapshot, &mut client, &numbers)?;
        Ok(handed)
    }
}

/// Does something in one transaction, and not beside another export.
fn exclusively<T>(
    client: &mut Client,
    work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Broken>,
) -> Result<T, Broken> {
    let mut transaction = client.transaction()?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&APPLICATION])?;
    let done = work(&mut transaction)?;
    transaction.commit()?;
    Ok(done)
}

/// Takes the steps that the server lacks. Whoever may not make a schema finds it made.
fn prepared(to: &mut Transaction<'_>) -> Result<(), Broken> {
    let is_there = "SELECT to_regclass('etalon.steps') IS NOT NULL";
    let is_there: bool = to.query_one(is_there, &[])?.get(0);
    let taken: i64 = match is_there {
        true => to.query_one("SELECT taken FROM etalon.steps", &[])?.get(0),
        false => 0,
    };
    if taken > number(STEPS.len()) {
        return Err(Broken::Newer(taken));
    }
    let lacking = STEPS.iter().skip(usize::try_from(taken).unwrap_or(0));
    for step in lacking.clone() {
        to.batch_execute(step)?;
    }
    if lacking.len() > 0 {
        to.execute("UPDATE etalon.steps SET taken = $1", &[&number(STEPS.len())])?;
    }
    Ok(())
}

/// First and last series of each batch.
fn batches(from: &Connection) -> Result<Vec<(i64, i64)>, Broken> {
    let mut statement = from.prepare("SELECT id, points FROM series ORDER BY id")?;
    let mut series = statement.query([])?;
    let mut batches: Vec<(i64, i64)> = Vec::new();
    let mut room = 0;
    while let Some(row) = series.next()? {
        let (id, points): (i64, i64) = (row.get(0)?, row.get(1)?);
        match batches.last_mut() {
            Some((_, last)) if points <= room => *last = id,
            _ => {
                batches.push((id, id));
                room = POINTS_A_BATCH;
            }
        }
        room -= points;
    }
    Ok(batches)
}

/// Merges a batch; points that others have other runs of are what all of these say.
fn merge(to: &mut Transaction<'_>) -> Result<(), Broken> {
    to.batch_execute(PARTS)?;
    if to.execute(MIXED, &[])? > 0 {
        let all = to.query(RUNS, &[])?;
        let place = |row: &postgres::Row| -> [i64; 3] { [0, 1, 2].map(|at| row.get(at)) };
        let numbers = [&Type::INT8, &Type::FLOAT8].map(Clone::clone);
        let [whole, float] = &numbers;
        let types = [whole, whole, whole, float, float, float, float, whole, whole, whole];
        let sink = to.copy_in("COPY new_pooled FROM STDIN (FORMAT binary)")?;
        let mut out = BinaryCopyInWriter::new(sink, &types.map(Clone::clone));
        for runs in all.chunk_by(|one, other| place(one) == place(other)) {
            let parts: Vec<Part> = runs.iter().map(part).collect();
            let Some(point) = pooled(&parts) else { continue };
            let [series, version, anchor] = place(&runs[0]);
            let (lo, hi) = point.interval.unzip();
            let (n, count) = (i64::try_from(point.n).unwrap_or(i64::MAX), number(parts.len()));
            // Facts are of the batch.
            let none = 0_i64;
            out.write(&[
                &series,
                &version,
                &anchor,
                &point.value,
                &lo,
                &hi,
                &LEVEL,
                &n,
                &count,
                &none,
            ])?;
        }
        out.finish()?;
        to.execute(POOLED, &[])?;
    }
    to.batch_execute(POINTS)?;
    Ok(())
}

fn confirmations(from: &Connection, client: &mut Client, numbers: &Numbers) -> Result<(), Broken> {
    exclusively(client, |to| {
        copied::rows(from, to, &CONFIRMATION, (0, i64::MAX), numbers)?;
        Ok(to.batch_execute(CONFIRMATIONS)?)
    })
}

fn part(row: &postgres::Row) -> Part {
    let (lo, hi): (Option<f64>, Option<f64>) = (row.get(4), row.get(5));
    let n: i64 = row.get(6);
    Part { value: row.get(3), interval: lo.zip(hi), n: n.unsigned_abs() }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// An error in full: what it says, and why.
fn words(error: &postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        return error.message().to_owned();
    }
    let mut text = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        next = cause.source();
    }
    text
}
