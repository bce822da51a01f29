//! The tables of an experiment file in text: as their author wants them, and on a screen no more rows than it has room for.
//!
//! Refuses to compute them, and to choose the rows: that is [`etalon_report::compare::presented`]'s.

use std::collections::HashSet;

use etalon_core::tables::{Centre as TableCentre, Labels, Tables};
use etalon_report::compare::presented::{self, Declared, Look, Presentation, Room, room};
use etalon_report::compare::{CellView as View, SummaryRow, count_and_time};
use etalon_report::json::Titled;
use etalon_report::number::counted;
use etalon_report::view::Detail;

use super::display::DisplayOptions;
use super::file::{CellView, Centre, Raw, Summary, Table};
use crate::cli::FormatArg;
use crate::output;

/// A part of a table: where its cells stand, and what is said below them.
pub(super) struct LaidOut<'t> {
    pub(super) table: &'t Table,
    pub(super) declared: Declared,
    pub(super) below: Vec<String>,
}

impl LaidOut<'_> {
    /// It under its title, with only those rows if that is said.
    pub(super) fn presentation<'a>(
        &'a self,
        title: &'a str,
        wanted: &DisplayOptions<'_>,
        only: Option<HashSet<Labels>>,
    ) -> Presentation<'a> {
        let table = self.table;
        Presentation {
            look: Look {
                title: Some(title),
                centre: Some(centre(table.centre)),
                raw: heading_of_raw(table),
                digits: table.digits,
                fastest: table.has_fastest(),
                letters: table.letters,
            },
            view: view(table.cells()),
            summary: match table.summary {
                Summary::Geomean => SummaryRow::GeometricMean,
                Summary::Total => SummaryRow::Total,
                Summary::None => SummaryRow::None,
            },
            verdicts: false,
            detail: output::detail(wanted.view.full),
            declared: Some(self.declared.clone()),
            only,
            brief: false,
            below: self.below.clone(),
        }
    }
}

/// Says below tables of counted work whether count, time, both or neither moved; the times may stand in other tables.
pub(super) fn add_moved(laid_out: &mut [Vec<LaidOut<'_>>], computed: &[Titled]) {
    let all: Vec<&Tables> = computed.iter().map(|it| &it.tables).collect();
    for (part, titled) in laid_out.iter_mut().flatten().zip(computed) {
        let others = titled.tables.columns.iter().skip(1);
        let moved =
            others.flat_map(|column| titled.tables.moved_beside(column, &all)).collect::<Vec<_>>();
        part.below.extend(count_and_time(&moved).map(|said| format!("{said}.")));
    }
}

/// Each table of a file with all of its parts, which are those that were computed, in the same order. Where a screen has no
/// room for all of their rows, those that it has together, and how many more there are.
pub(super) fn written(
    tables: &[Vec<LaidOut<'_>>],
    computed: &[Titled],
    wanted: &DisplayOptions<'_>,
) -> Vec<String> {
    let parts: Vec<(&LaidOut<'_>, &Titled)> = tables.iter().flatten().zip(computed).collect();
    let brief = wanted.view.format() == FormatArg::Terminal
        && output::detail(wanted.view.full) == Detail::Screen;
    let declared: Vec<_> = parts.iter().map(|(it, of)| (&of.tables, &it.declared)).collect();
    if let Some(room) = brief.then(|| room(&declared)).flatten() {
        return in_room(&parts, &room, wanted);
    }
    let text_of = |(part, titled): (&LaidOut<'_>, &Titled)| {
        let title = titled.title.as_deref().unwrap_or_default();
        let presentation = Presentation { brief, ..part.presentation(title, wanted, None) };
        match wanted.view.format {
            FormatArg::Markdown => presented::markdown(&titled.tables, &presentation),
            _ => {
                let view = output::table_view(true);
                presented::terminal(&titled.tables, &presentation, view).join("\n")
            }
        }
    };
    let mut all = parts.iter().copied();
    let of_table = |parts: &Vec<LaidOut<'_>>| {
        let texts: Vec<String> = all.by_ref().take(parts.len()).map(text_of).collect();
        texts.join("\n\n")
    };
    tables.iter().map(of_table).collect()
}

/// The rows that a screen has room for, and how many more there are.
fn in_room(
    parts: &[(&LaidOut<'_>, &Titled)],
    room: &Room,
    wanted: &DisplayOptions<'_>,
) -> Vec<String> {
    let shown = parts.iter().zip(&room.shown).filter(|(_, rows)| !rows.is_empty());
    let presentations: Vec<_> = shown
        .map(|((part, titled), rows)| {
            let title = titled.title.as_deref().unwrap_or_default();
            let own = part.presentation(title, wanted, Some(rows.clone()));
            (&titled.tables, Presentation { brief: true, ..own })
        })
        .collect();
    let all: Vec<_> = presentations.iter().map(|(tables, wanted)| (*tables, wanted)).collect();
    let text = presented::together(&all, output::table_view(true)).join("\n");
    let whole = match room.tables {
        0 => String::new(),
        tables => format!(", among them all of {}", counted(tables, "table", "tables")),
    };
    vec![text, format!("and {} more{whole}: --full", room.left_out)]
}

/// The heading of raw values.
pub(super) const RAW: &str = "raw value";

/// The heading of a table's raw values, if it has these.
fn heading_of_raw(table: &Table) -> Option<&str> {
    match &table.raw {
        Some(Raw::Called(heading)) => Some(heading),
        Some(Raw::Is(is_there)) => is_there.then_some(RAW),
        None => table.is_bare().then_some(RAW),
    }
}

pub(super) fn centre(centre: Centre) -> TableCentre {
    match centre {
        Centre::Median => TableCentre::Median,
        Centre::Mean => TableCentre::Mean,
    }
}

fn view(view: CellView) -> View {
    match view {
        CellView::OfMax => View::OfMax,
        CellView::OfMin => View::OfMin,
        CellView::Ratio => View::Ratio,
        CellView::Delta => View::Delta,
        CellView::Plain => View::Plain,
    }
}
