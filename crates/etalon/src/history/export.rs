//! All points as a file for other programs.

use std::io::{self, Write};

use etalon_history::written::{Csv, json_lines};
use etalon_history::{Database, PointRow, SeriesRow};
use etalon_report::number::counted;

use super::there;
use crate::cli::{HistoryExport, HistoryTo};
use crate::failure::Failure;
use crate::output;
use crate::replace::Target;

/// Writes them.
pub(super) fn run(asked: &HistoryExport) -> Result<(), Failure> {
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

/// Writes the points of series; how many they are.
fn write(
    database: &Database,
    all: &[SeriesRow],
    to: HistoryTo,
    out: &mut dyn Write,
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
    }
    Ok(count)
}
