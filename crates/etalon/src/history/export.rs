//! All points as a file for other programs, or in a database of a team.

use std::io::{self, Write};
use std::thread::Builder;

use etalon_history::written::{Csv, Parquet, json_lines};
use etalon_history::{Database, Handed, PointRow, SeriesRow, Server, SharedError};
use etalon_probe::limits::explained;
use etalon_report::number::counted;

use super::there;
use crate::cli::{HistoryExport, HistoryTo};
use crate::failure::Failure;
use crate::output;
use crate::replace::Target;

/// The password of a URL that has none, as PostgreSQL's own programs take it.
const PASSWORD: &str = "PGPASSWORD";

/// Writes them.
pub(super) fn run(asked: &HistoryExport) -> Result<(), Failure> {
    if asked.to == HistoryTo::Postgres {
        return merge(asked);
    }
    let instead = "`etalon history show SERIES --format csv` prints the points of one series";
    let target = Target::check("export", &asked.file, instead)?;
    if target.holds_something() && !asked.force {
        return Err(Failure::about(target.subject(), "is there already: --force replaces it"));
    }
    let Some(database) = there()? else { return Ok(()) };
    let all = database.series(&[]).map_err(Failure::new)?;
    let count = target.replace(|out| write(&database, &all, asked.to, out))?;
    let (points, series) =
        (counted(count, "point", "points"), counted(all.len(), "series", "series"));
    output::lines([format!("{points} of {series}")])
}

/// Merges them into a database.
fn merge(asked: &HistoryExport) -> Result<(), Failure> {
    if asked.force {
        let why = "nothing is replaced in a database: leave it out";
        return Err(Failure::about("--force", why));
    }
    // No message repeats the URL: a password may be in it.
    let failed = |error: SharedError| match error {
        SharedError::History(error) => Failure::new(error),
        error => Failure::about("export --to postgres", error),
    };
    let url = asked.file.to_str().filter(|url| is_url(url));
    let url = url.ok_or_else(|| {
        let why = "the database is named by a URL: postgres://USER@HOST/DATABASE";
        Failure::about("export --to postgres", why)
    })?;
    let password = std::env::var(PASSWORD).ok();
    let server = Server::new(url, password.as_deref()).map_err(failed)?;
    // Its client looks up a name on a thread, and panics where it has none.
    let thread = Builder::new().spawn(|| {});
    thread.map_err(|error| Failure::about("export --to postgres", explained(&error)))?;
    let Some(database) = there()? else { return Ok(()) };
    let Handed { points, new } = database.hand_to(&server).map_err(failed)?;
    let points = counted(usize::try_from(points).unwrap_or(usize::MAX), "point", "points");
    output::lines([format!("{points}, {new} of them new there")])
}

fn is_url(text: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
}

/// Writes the points of series; how many they are.
fn write(
    database: &Database,
    all: &[SeriesRow],
    to: HistoryTo,
    out: &mut (dyn Write + Send),
) -> io::Result<usize> {
    let mut count = 0;
    let mut each = |add: &mut dyn FnMut(&SeriesRow, &[PointRow]) -> io::Result<()>| {
        all.iter().try_for_each(|series| {
            let points = database.points(series.id).map_err(io::Error::other)?;
            count += points.len();
            add(series, &points)
        })
    };
    match to {
        HistoryTo::Csv => {
            let mut csv = Csv::new(out)?;
            each(&mut |series, points| csv.add(series, points))?;
        }
        HistoryTo::Jsonl => each(&mut |series, points| json_lines(series, points, out))?,
        HistoryTo::Parquet => {
            let mut table = Parquet::new(out)?;
            each(&mut |series, points| table.add(series, points))?;
            table.finish()?;
        }
        HistoryTo::Postgres => {}
    }
    Ok(count)
}
