//! The change between two sides beside what builds of one side differ by: a change within that is none.
//!
//! Owns which rows are drawn: the clearest and largest changes of each unit that have a control.

use etalon_core::estimate::Estimate;
use etalon_core::tables::{Control, Controls, Row as Compared, Table};

use super::{Row, Scale, Still, rows_of, top};
use crate::compare::words::{self, Columns};
use crate::number::counted;
use crate::tidied::{change, in_percent};

/// Rows of a picture.
const ROWS: usize = 8;
/// From one change to the next.
const LINE: f64 = 36.0;

/// Whether the picture of a table has all of its changes, beside their controls.
pub(super) fn has_all(table: &Table, controls: &Controls) -> bool {
    let rows = || table.rows.iter().filter(|row| ratio(row).is_some());
    table.columns.len() == 2
        && rows().count() <= ROWS
        && rows().all(|row| !row_controls(table, row, controls).is_empty())
}

/// The controls of a row.
fn row_controls<'a>(table: &Table, row: &Compared, controls: &'a Controls) -> Vec<&'a Control> {
    let is_own = |it: &&Control| {
        it.unit == table.unit && it.row.iter().eq(table.labels.iter().chain(&row.labels))
    };
    controls.rows.iter().filter(is_own).collect()
}

/// A change, as shares of what it is from.
struct Entry<'a> {
    name: String,
    ratio: &'a Estimate,
    class: &'static str,
}

/// The picture of a table whose rows, the largest change first, have controls.
pub(super) fn still(
    table: &Table,
    controls: &Controls,
    title: &str,
    names: &Columns,
) -> Option<Still> {
    let [base, head] = &table.columns[..] else { return None };
    let (base, head) = (names.label(base), names.label(head));
    let found: Vec<(&Compared, &Estimate, Vec<&Control>)> = table
        .rows
        .iter()
        .filter_map(|row| {
            let own = row_controls(table, row, controls);
            (!own.is_empty()).then_some((row, ratio(row)?, own))
        })
        .collect();
    let mut entries = Vec::new();
    for (row, ratio, own) in found.iter().take(ROWS) {
        let name = words::label(&row.labels);
        let name = if name.is_empty() { head.clone() } else { format!("{name}, {head}") };
        entries.push(Entry { name: format!("{name} against {base}"), ratio, class: "mark" });
        entries.extend(own.iter().map(|it| Entry {
            name: format!("{} and its own second build", it.side),
            ratio: &it.ratio,
            class: "control",
        }));
    }
    let margin = found.iter().find_map(|(row, ..)| margin(row));
    let all = entries.iter().flat_map(|it| ends(it.ratio)).chain(margin.into_iter().flatten());
    let scale = Scale::over(all.chain((!entries.is_empty()).then_some(0.0)), "%")?;
    let rows: Vec<Row> = entries.iter().enumerate().map(|it| drawn(&scale, it)).collect();
    let level =
        found.iter().flat_map(|(.., own)| own).find_map(|it| it.ratio.interval.as_ref().ok());
    let level = level
        .map_or(String::new(), |it| format!(" (intervals of {})", crate::words::level(it.level)));
    let shaded = if margin.is_some() { "; shaded: what counts as the same" } else { "" };
    let more = match found.len() > ROWS {
        true => format!("; {ROWS} of {}", counted(found.len(), "row", "rows")),
        false => String::new(),
    };
    let caption = format!(
        "{title}: the change from {base} to {head}; grey: each side's second build against its first{level}, at 0 unless building \
         alone makes a difference{shaded}{more}"
    );
    let behind = |bottom: f64| behind(&scale, margin, bottom);
    Some(rows_of(LINE, ("controls", &caption), &rows, &scale, behind))
}

fn ratio(row: &Compared) -> Option<&Estimate> {
    let comparison = row.cells.get(1)?.as_ref()?.comparison.as_ref()?;
    comparison.assessment.as_ref()?.evidence.shown().ratio.as_ref()
}

/// The margin in percent, where it is a share.
fn margin(row: &Compared) -> Option<[f64; 2]> {
    let comparison = row.cells.get(1)?.as_ref()?.comparison.as_ref()?;
    let bounds = super::forest::bounds(&comparison.assessment.as_ref()?.evidence)?;
    Some([bounds.lo, bounds.hi].map(in_percent))
}

fn ends(ratio: &Estimate) -> [f64; 3] {
    let (lo, hi) = ratio.interval.as_ref().map_or((ratio.value, ratio.value), |it| (it.lo, it.hi));
    [lo, ratio.value, hi].map(in_percent)
}

fn drawn(scale: &Scale, (at, it): (usize, &Entry<'_>)) -> Row {
    let y = top(at, LINE) + 25.0;
    let [lo, value, hi] = ends(it.ratio).map(|end| scale.at(end));
    let class = it.class;
    Row {
        name: it.name.clone(),
        figures: change(it.ratio.value, it.ratio.interval.ok()).to_string(),
        drawn: format!(
            "<line class=\"{class}\" x1=\"{lo:.1}\" x2=\"{hi:.1}\" y1=\"{y}\" y2=\"{y}\"/>\
             <circle class=\"{class}\" cx=\"{value:.1}\" cy=\"{y}\" r=\"3\"/>"
        ),
    }
}

/// The margin, and the line of no change.
fn behind(scale: &Scale, margin: Option<[f64; 2]>, bottom: f64) -> String {
    let zero = scale.at(0.0);
    let band = margin.map_or(String::new(), |[lo, hi]| {
        let (from, to) = (scale.at(lo), scale.at(hi));
        format!(
            "<rect class=\"band\" x=\"{from:.1}\" width=\"{:.1}\" y=\"18\" height=\"{}\"/>\n",
            (to - from).max(1.0),
            bottom - 18.0
        )
    });
    format!(
        "{band}<line class=\"one\" x1=\"{zero:.1}\" x2=\"{zero:.1}\" y1=\"18\" y2=\"{bottom}\"/>\n"
    )
}
