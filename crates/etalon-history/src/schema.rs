//! The tables, and how a database of an older etalon gets them.
//!
//! A step is never changed once it was released: the next one is written below it. All steps that a database lacks are
//! taken in one transaction.

use rusqlite::{Connection, TransactionBehavior};

/// The mark of a history in SQLite's header: `etal`.
pub(crate) const APPLICATION: i64 = 0x6574_616c;

/// The steps from an empty file to the newest schema; a database that took them all says their number.
pub(crate) const STEPS: &[&str] = &[FIRST, CONFIRMATIONS];

/// Series, versions of the code, sources, facts; a row a point, and behind it a row for each run that is pooled in
/// it, with the raw readings. Names of commits, machines and records stand once.
const FIRST: &str = "
CREATE TABLE series(
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    benchmark TEXT NOT NULL,
    metric TEXT NOT NULL,
    unit TEXT NOT NULL,
    branch TEXT NOT NULL,
    machine TEXT NOT NULL,
    kind TEXT NOT NULL CHECK(kind IN ('ratio', 'absolute')),
    better TEXT NOT NULL CHECK(better IN ('lower', 'higher', 'neither')),
    points INTEGER NOT NULL,
    first REAL NOT NULL,
    latest REAL NOT NULL,
    UNIQUE(project, benchmark, metric, unit, branch, machine, kind)
) STRICT;
CREATE TABLE version(
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER,
    time REAL NOT NULL,
    UNIQUE(project, name)
) STRICT;
CREATE TABLE facts(
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE source(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE point(
    series INTEGER NOT NULL,
    version INTEGER NOT NULL,
    anchor INTEGER NOT NULL,
    value REAL NOT NULL,
    lo REAL,
    hi REAL,
    level REAL NOT NULL,
    n INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    PRIMARY KEY(series, version, anchor)
) STRICT, WITHOUT ROWID;
CREATE TABLE part(
    series INTEGER NOT NULL,
    version INTEGER NOT NULL,
    anchor INTEGER NOT NULL,
    source INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    value REAL NOT NULL,
    lo REAL,
    hi REAL,
    n INTEGER NOT NULL,
    print INTEGER NOT NULL,
    readings BLOB NOT NULL,
    PRIMARY KEY(series, version, anchor, source, turn)
) STRICT, WITHOUT ROWID;
";

/// Two commits of a series that were measured against each other, a row a run: `version` over `anchor`.
const CONFIRMATIONS: &str = "
CREATE TABLE confirmation(
    series INTEGER NOT NULL,
    version INTEGER NOT NULL,
    anchor INTEGER NOT NULL,
    source INTEGER NOT NULL,
    value REAL NOT NULL,
    lo REAL,
    hi REAL,
    n INTEGER NOT NULL,
    PRIMARY KEY(series, version, anchor, source)
) STRICT, WITHOUT ROWID;
";

/// Takes the steps that a database lacks, all or none.
pub(crate) fn migrate(connection: &mut Connection, steps: &[&str]) -> rusqlite::Result<()> {
    if version(connection)? >= number(steps) {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another etalon may have taken some meanwhile.
    let taken = usize::try_from(version(&transaction)?).unwrap_or(0);
    for step in steps.iter().skip(taken) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", number(steps).max(version(&transaction)?))?;
    transaction.commit()
}

/// The schema of a database that took these steps.
pub(crate) fn number(steps: &[&str]) -> i64 {
    i64::try_from(steps.len()).unwrap_or(i64::MAX)
}

/// The number of steps that a database took.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch an older database whose points are lost, a step that is taken twice, and half a migration.
    #[test]
    fn an_older_database_takes_the_steps_that_it_lacks_or_none() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &STEPS[..1]).unwrap();
        connection.execute("INSERT INTO source(name) VALUES('kept')", []).unwrap();
        let then = [STEPS[0], "ALTER TABLE source ADD COLUMN more INTEGER NOT NULL DEFAULT 7"];
        let broken = [then[0], then[1], "ALTER TABLE nowhere ADD COLUMN x"];
        migrate(&mut connection, &broken).unwrap_err();
        assert_eq!(version(&connection).unwrap(), 1);
        for _ in 0..2 {
            migrate(&mut connection, &then).unwrap();
            assert_eq!(version(&connection).unwrap(), 2);
        }
        let kept = connection.query_row("SELECT name, more FROM source", [], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))
        });
        assert_eq!(kept.unwrap(), ("kept".to_owned(), 7));
    }
}
