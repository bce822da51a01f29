//! The numbers of series, versions, sources and facts: what stands once and is named by number elsewhere.

use etalon_core::model::{Context, Direction};
use rusqlite::{Connection, OptionalExtension, params};

use crate::read::SeriesKey;

/// The place of a point: the numbers of its series, its version and its anchor, which is 0 of an absolute value.
pub(crate) type Place = (i64, i64, i64);

/// Numbers of what most points of a source have in common.
#[derive(Debug, Default)]
pub(crate) struct Numbers<'a> {
    /// Of the version that was last looked for, and whether it is new.
    version: Option<((&'a str, &'a str), i64, bool)>,
    /// Of the facts that were last looked for.
    facts: Option<(&'a Context, i64)>,
}

impl<'a> Numbers<'a> {
    /// The number of a version of the code.
    pub(crate) fn version(
        &mut self,
        to: &Connection,
        named: (&'a str, &'a str),
        at: (Option<i64>, f64),
    ) -> rusqlite::Result<i64> {
        match self.version {
            Some((last, number, _)) if last == named => Ok(number),
            _ => {
                let (number, is_new) = version(to, named, at)?;
                self.version = Some((named, number, is_new));
                Ok(number)
            }
        }
    }

    /// Whether a version was not there before this source.
    pub(crate) fn is_new(&self, version: i64) -> bool {
        self.version.is_some_and(|(_, number, is_new)| is_new && number == version)
    }

    /// The number of facts.
    pub(crate) fn facts(&mut self, to: &Connection, facts: &'a Context) -> rusqlite::Result<i64> {
        match self.facts {
            Some((last, number)) if last == facts => Ok(number),
            _ => {
                let text = serde_json::to_string(facts).unwrap_or_default();
                let number = facts_number(to, &text)?;
                self.facts = Some((facts, number));
                Ok(number)
            }
        }
    }
}

/// The number of a series, which is added if it is new.
pub(crate) fn number(
    to: &Connection,
    key: &SeriesKey,
    direction: Direction,
    time: f64,
) -> rusqlite::Result<i64> {
    let SeriesKey { project, benchmark, metric, unit, branch, machine, kind } = key;
    let (kind, better) = (kind.name(), better(direction));
    let known = to
        .prepare_cached(
            "SELECT id FROM series WHERE project = ?1 AND benchmark = ?2 AND metric = ?3 AND unit = ?4 AND \
             branch = ?5 AND machine = ?6 AND kind = ?7",
        )?
        .query_row(params![project, benchmark, metric, unit, branch, machine, kind], |row| {
            row.get(0)
        })
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    to.prepare_cached("INSERT INTO series VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)")?
        .execute(params![
            project, benchmark, metric, unit, branch, machine, kind, better, time, time
        ])?;
    Ok(to.last_insert_rowid())
}

/// The number of a version of the code, whose place is noted as soon as somebody knows it. Most are new: only one that is
/// not is looked for. Whether it is new.
pub(crate) fn version(
    to: &Connection,
    (project, name): (&str, &str),
    (position, time): (Option<i64>, f64),
) -> rusqlite::Result<(i64, bool)> {
    let new = to
        .prepare_cached("INSERT INTO version VALUES(NULL, ?, ?, ?, ?) ON CONFLICT DO NOTHING")?
        .execute(params![project, name, position, time])?;
    if new > 0 {
        return Ok((to.last_insert_rowid(), true));
    }
    let (id, known): (i64, Option<i64>) = to
        .prepare_cached("SELECT id, position FROM version WHERE project = ?1 AND name = ?2")?
        .query_row([project, name], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if known.is_none() && position.is_some() {
        to.prepare_cached("UPDATE version SET position = ?2, time = ?3 WHERE id = ?1")?
            .execute(params![id, position, time])?;
    }
    Ok((id, false))
}

/// The number of a source, most of which are new.
pub(crate) fn source_number(to: &Connection, name: &str) -> rusqlite::Result<i64> {
    let new = to
        .prepare_cached("INSERT INTO source(name) VALUES(?1) ON CONFLICT DO NOTHING")?
        .execute([name])?;
    if new > 0 {
        return Ok(to.last_insert_rowid());
    }
    to.prepare_cached("SELECT id FROM source WHERE name = ?1")?.query_row([name], |row| row.get(0))
}

/// The number of facts, most of which are known.
fn facts_number(to: &Connection, text: &str) -> rusqlite::Result<i64> {
    let known = to
        .prepare_cached("SELECT id FROM facts WHERE text = ?1")?
        .query_row([text], |row| row.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    to.prepare_cached("INSERT INTO facts(text) VALUES(?1)")?.execute([text])?;
    Ok(to.last_insert_rowid())
}

/// The word for a direction, as the database has it.
pub(crate) fn better(direction: Direction) -> &'static str {
    match direction {
        Direction::Lower => "lower",
        Direction::Higher => "higher",
        Direction::Neither => "neither",
    }
}
