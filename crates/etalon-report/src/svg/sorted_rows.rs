//! The rows of every column, the least first: which column has the most of them below a value.

use etalon_core::plots::Axis;
use etalon_core::tables::{SortedColumn, SortedRows, Table};

use super::legend::{LINE, legend};
use super::panel::{LEFT, Panel, RIGHT};
use super::{Scale, Still, along, extent, said, some_of, top};
use crate::figures::Figures;
use crate::number::counted;
use crate::tidied::under_title;

/// The height of the plot.
const HEIGHT: f64 = 220.0;

/// One plot for a table, a line for each column; absent where nothing has an extent.
pub(super) fn still(
    table: &Table,
    rows: &SortedRows,
    title: &str,
    column: impl Fn(usize) -> String,
) -> Option<Still> {
    let ends = rows.columns.iter().flat_map(|it| [it.values.first(), it.values.last()]).flatten();
    let (low, high) = extent(ends.map(|(_, it)| *it));
    let (shown, unit) = along(&table.metric(), low.abs().max(high.abs()));
    let most = rows.columns.iter().map(|it| it.rows).max()?;
    let x = Scale::on(Axis::Linear, 1.0, place(most), "")?.between(LEFT + 8.0, RIGHT - 8.0);
    // The first row is number 1.
    let x = x.with_ticks_from(1.0);
    let y =
        Scale::on(rows.axis, shown.number(low), shown.number(high), &unit)?.between(HEIGHT, 8.0);
    let panel = Panel { x: &x, y: &y, top: 8.0, bottom: HEIGHT, across: "rows" };
    let mut drawn = panel.axes();
    for (at, SortedColumn { values, .. }) in rows.columns.iter().enumerate() {
        let points = values.iter().map(|(rank, value)| (place(*rank), shown.number(*value)));
        drawn.push_str(&panel.line(points, &format!("curve s{at}")));
    }
    let figures = |it: &SortedColumn| {
        let rows = counted(it.rows, "row", "rows");
        let median = Figures::new(&under_title(&table.base), [it.median]).show(it.median);
        format!("{rows}, half up to {median}")
    };
    let entry = |(at, it): (usize, &SortedColumn)| (at, column(it.column), figures(it));
    let entries: Vec<_> = rows.columns.iter().enumerate().map(entry).collect();
    drawn.push_str(&legend(&entries, HEIGHT + 42.0));
    let thinned = match rows.columns.iter().find(|it| it.values.len() < it.rows) {
        Some(it) => format!("; each line through {} of its rows", it.values.len()),
        None => String::new(),
    };
    let some = some_of(rows.columns.len(), rows.of);
    Some(Still {
        name: "sorted",
        caption: format!("{title}: the rows of each column, the least first{thinned}{some}"),
        said: entries.iter().map(|(_, name, figures)| said(name, figures)).collect(),
        height: HEIGHT + 34.0 + top(entries.len(), LINE),
        drawn,
    })
}

#[allow(clippy::cast_precision_loss, reason = "a place within a picture")]
fn place(rank: usize) -> f64 {
    rank as f64
}
