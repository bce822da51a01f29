//! Series, a line each.

use etalon_core::units::Unit;
use etalon_history::{Database, Kind, SeriesRow};
use etalon_report::history::{Scale, SeriesLine, series};

use super::there;
use crate::cli::HistoryList;
use crate::failure::Failure;
use crate::output;

/// Lists those that are meant.
pub(super) fn run(asked: &HistoryList) -> Result<(), Failure> {
    let Some(database) = there()? else { return Ok(()) };
    let all = database.series(&asked.words).map_err(Failure::new)?;
    if all.is_empty() {
        output::remark("no series has these words: `etalon history list --all` lists all");
        return Ok(());
    }
    let number = if asked.all { all.len() } else { asked.number };
    let rows: Vec<SeriesLine> =
        all.iter().take(number).map(|row| line(&database, row)).collect::<Result<_, _>>()?;
    let more = all.len() - rows.len();
    let last = (more > 0).then(|| format!("{more} more: --all lists them, -n N so many"));
    output::lines(series(&rows, output::width(), output::charset()).into_iter().chain(last))
}

fn line(database: &Database, row: &SeriesRow) -> Result<SeriesLine, Failure> {
    let points = database.points(row.id).map_err(Failure::new)?;
    let key = &row.key;
    Ok(SeriesLine {
        project: key.project.clone(),
        benchmark: key.benchmark.clone(),
        metric: key.metric.clone(),
        branch: key.branch.clone(),
        machine: key.machine.clone(),
        scale: scale(row),
        points: row.points,
        days: [row.first, row.latest].map(day),
        last: points.last().map(|point| point.value),
    })
}

/// The nature of a series' values.
pub(super) fn scale(row: &SeriesRow) -> Scale {
    match row.key.kind {
        Kind::Ratio => Scale::Ratio,
        Kind::Absolute => Scale::Absolute(Unit::new(&row.key.unit).base().clone()),
    }
}

/// The day of a moment in seconds since 1970, in UTC as commits of several people are.
#[allow(clippy::cast_possible_truncation)] // seconds
pub(super) fn day(seconds: f64) -> String {
    let moment = jiff::Timestamp::from_second(seconds as i64);
    moment.map_or_else(|_| "-".to_owned(), |moment| moment.strftime("%Y-%m-%d").to_string())
}
