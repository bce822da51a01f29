//! A presented table as colours: how warm each cell is, by what its cells show.
//!
//! Owns what a colour is of: a share of the row, a ratio, or the place of a value among all. Refuses to draw.

use etalon_core::plots::Axis;
use etalon_core::tables::Tables;

use super::super::CellView;
use super::super::words::{self, Columns};
use super::page::Page;
use super::{Presentation, titled};

/// A table.
pub(crate) struct Heat {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<(String, Vec<Warm>)>,
    /// The meaning of a full colour.
    pub(crate) scale: &'static str,
}

/// A cell.
pub(crate) struct Warm {
    /// The text of the table there.
    pub(crate) text: String,
    /// From 0, of a ratio below 1 from −1, to 1; absent without a value.
    pub(crate) warmth: Option<f64>,
}

/// The tables that have two rows and two columns at least.
pub(crate) fn heat(tables: &Tables, wanted: &Presentation<'_>) -> Vec<Heat> {
    let names = Columns::new(tables);
    let of_table = |of| {
        let page = Page::new(of, of, wanted);
        if page.rows.len() < 2 || page.columns.len() < 2 {
            return None;
        }
        let warmth = warmths(&page);
        let row = |at: usize| {
            let cells = (0..page.columns.len())
                .map(|column| Warm { text: page.text(at, column), warmth: warmth(at, column) });
            (words::label(page.rows[at].labels), cells.collect())
        };
        let title = titled(wanted.look.title, tables, of);
        let columns = page.columns.iter().map(|(labels, _)| names.label(labels)).collect();
        let rows = (0..page.rows.len()).map(row).collect();
        Some(Heat { title, columns, rows, scale: scale(wanted.view) })
    };
    tables.tables.iter().filter_map(of_table).collect()
}

fn scale(view: CellView) -> &'static str {
    match view {
        CellView::OfMax => "the stronger the colour, the nearer to the largest of its row",
        CellView::OfMin => "the stronger the colour, the further above the smallest of its row",
        CellView::Ratio => {
            "the stronger the colour, the further from the first column: up to twice, or half"
        }
        CellView::Delta | CellView::Mean | CellView::Plain => {
            "the stronger the colour, the larger among all cells"
        }
    }
}

/// How warm the cells of a table are.
fn warmths<'a>(page: &'a Page<'_>) -> impl Fn(usize, usize) -> Option<f64> + 'a {
    let places =
        (0..page.rows.len()).flat_map(|row| (0..page.columns.len()).map(move |it| (row, it)));
    let values = places.filter_map(|(row, column)| page.value(row, column));
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
    let axis = Axis::suiting(low, high);
    move |row, column| {
        let relative = || Some(page.relative(row, column)?.value);
        let warmth = match page.wanted.view {
            CellView::OfMax => relative()?,
            CellView::OfMin => 1.0 - 1.0 / relative()?,
            CellView::Ratio => relative()?.log2(),
            CellView::Delta | CellView::Mean | CellView::Plain => {
                axis.share(page.value(row, column)?, low, high)
            }
        };
        warmth.is_finite().then(|| warmth.clamp(-1.0, 1.0))
    }
}
