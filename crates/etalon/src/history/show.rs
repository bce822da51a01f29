//! The points of a series.

use std::io::Write;

use etalon_core::visible::Escapes;
use etalon_history::written::{Csv, object};
use etalon_history::{PointRow, SeriesRow};
use etalon_report::history::{PointLine, points};
use etalon_report::number::counted;
use etalon_report::text::clean;

use super::list::{day, scale};
use super::there;
use crate::cli::{HistoryFormat, HistoryShow};
use crate::failure::Failure;
use crate::output;

/// Series that are named where words mean several.
const NAMED: usize = 10;

/// Shows the one that is meant.
pub(super) fn run(asked: &HistoryShow) -> Result<(), Failure> {
    let Some(database) = there()? else { return Ok(()) };
    let found = database.series(&asked.words).map_err(Failure::new)?;
    let [series] = &found[..] else { return Err(several(&asked.words.join(" "), &found)) };
    let points = database.points(series.id).map_err(Failure::new)?;
    match asked.format {
        HistoryFormat::Terminal => output::lines(table(series, &points)),
        HistoryFormat::Csv => {
            let written =
                Csv::new(output::data(Escapes::Text)).and_then(|mut csv| csv.add(series, &points));
            written.map_err(|error| Failure::of_output(&error))
        }
        HistoryFormat::Json => {
            let objects: Vec<_> = points.iter().map(|point| object(series, point)).collect();
            let mut out = output::data(Escapes::Json);
            let written = serde_json::to_writer_pretty(&mut out, &objects)
                .map_err(std::io::Error::from)
                .and_then(|()| writeln!(out));
            written.map_err(|error| Failure::of_output(&error))
        }
    }
}

/// Why no series is shown.
fn several(words: &str, found: &[SeriesRow]) -> Failure {
    if found.is_empty() {
        return Failure::about(
            words,
            "no series has these words: `etalon history list` lists them",
        );
    }
    let named = found.iter().take(NAMED).map(|series| format!("\n  {}", clean(&title(series))));
    let more = found.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
    let count = counted(found.len(), "series", "series");
    let named: String = named.collect();
    Failure::about(words, format!("{count} have these words, write more of one:{named}{more}"))
}

/// The texts that tell a series from others.
fn title(series: &SeriesRow) -> String {
    let key = &series.key;
    let kind = key.kind.name();
    let all = [&key.project, &key.benchmark, &key.metric, &key.branch, &key.machine];
    let all = all.into_iter().map(String::as_str).filter(|it| !it.is_empty());
    all.chain([kind]).collect::<Vec<_>>().join(" · ")
}

fn table(series: &SeriesRow, all: &[PointRow]) -> Vec<String> {
    let charset = output::charset();
    let row = |point: &PointRow| PointLine {
        commit: point.commit.clone(),
        day: day(point.time),
        value: point.value,
        interval: point.interval,
        n: point.n,
        runs: point.runs,
        anchor: point.anchor.clone(),
    };
    let rows: Vec<PointLine> = all.iter().map(row).collect();
    let title = charset.spell(&clean(&title(series)));
    let table = points(&rows, &scale(series));
    let table = table.into_iter().map(|line| charset.spell(&line));
    [title, String::new()].into_iter().chain(table).collect()
}
