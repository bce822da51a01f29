//! Services that ran while something was measured, and how they ended.

use etalon_core::analysis::Analysis;
use etalon_core::model::{Outcome, Service, ServiceEnd};

use crate::number::counted;
use crate::table::{Align, Cell, Column, Table};
use crate::text::clean;

/// The table, a row for each service; absent without any.
pub(super) fn table(analysis: &Analysis) -> Option<Table> {
    let services = analysis.executions.iter().flat_map(|execution| &execution.services);
    let rows: Vec<Vec<Cell>> = services.map(row).collect();
    let columns = ["service", "command", "version", "end", "log"];
    let columns = columns.map(|title| Column::new(title, Align::Left));
    let table =
        Table { title: "Services".to_owned(), columns: columns.into(), rows, ..Table::default() };
    (!table.rows.is_empty()).then(|| table.without_empty_columns())
}

fn row(service: &Service) -> Vec<Cell> {
    let version = service.version.as_deref().unwrap_or("");
    let texts = [&service.name, &service.start, version, &end(service), &size(service.log_bytes)];
    texts.map(|text| Cell::words(clean(text))).into()
}

/// Why and how it ended.
fn end(service: &Service) -> String {
    let how = match &service.outcome {
        Outcome::Ok => "exit code 0".to_owned(),
        Outcome::Failed { code } => format!("exit code {code}"),
        Outcome::Killed { signal } => service.outcome.stopped_by().map_or_else(
            || format!("signal {signal}"),
            |stopped| format!("it stopped itself by {}", stopped.name()),
        ),
        Outcome::NotStarted { why } => why.to_string(),
        Outcome::TimedOut | Outcome::Suspended => "not known".to_owned(),
    };
    match service.ended {
        ServiceEnd::Stopped => format!("stopped ({how})"),
        ServiceEnd::Itself => format!("ended by itself ({how})"),
        ServiceEnd::Killed => {
            let killed = counted(service.killed as usize, "process", "processes");
            format!("killed ({killed})")
        }
    }
}

/// So many bytes.
#[allow(clippy::cast_precision_loss)] // for the eye
fn size(bytes: u64) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
