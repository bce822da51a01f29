//! A table as colours: a row that differs, or a column, is seen before a number is read.

use etalon_core::tables::Tables;

use super::{Still, WIDTH, top};
use crate::compare::presented::{self, Heat, Presentation, Warm};
use crate::markup::escaped;
use crate::text::shortened;

/// The height of a row, and of the names of the columns.
const ROW: f64 = 26.0;
const HEAD: f64 = 20.0;
/// Left of the cells: names of rows. Columns of such a name.
const LEFT: f64 = 132.0;
const NAME: usize = 18;
/// The least width of a cell that has its text in it, and the width of a letter.
const READABLE: f64 = 40.0;
const LETTER: f64 = 6.4;
/// From one line of names to the next.
const LINE: f64 = 14.0;
/// Rows and columns of a picture.
const ROWS: usize = 60;
const COLUMNS: usize = 24;

/// A picture of each table that has two rows and two columns at least.
pub(super) fn stills(tables: &Tables, wanted: &Presentation<'_>) -> Vec<Still> {
    presented::heat(tables, wanted).iter().map(still).collect()
}

#[allow(clippy::cast_precision_loss, reason = "columns are few")]
fn still(heat: &Heat) -> Still {
    let columns = &heat.columns[..heat.columns.len().min(COLUMNS)];
    let rows = &heat.rows[..heat.rows.len().min(ROWS)];
    let width = (WIDTH - LEFT) / columns.len() as f64;
    let mut drawn = String::new();
    // Names that are wider than their columns stand in two lines, one after the other.
    let is_wide = columns.iter().any(|name| name.chars().count() > letters(width));
    let (head, room) = if is_wide { (HEAD + LINE, 2.0 * width - LETTER) } else { (HEAD, width) };
    for (at, name) in columns.iter().enumerate() {
        let y = if at % 2 == 1 { head - 7.0 } else { 13.0 };
        let text = shortened(name, letters(room), "…");
        let half = text.chars().count() as f64 * LETTER / 2.0;
        let x = (LEFT + (at as f64 + 0.5) * width).min(WIDTH - half);
        drawn.push_str(&format!(
            "<text class=\"quiet middle\" x=\"{x:.1}\" y=\"{y}\">{}<title>{}</title></text>\n",
            escaped(&text),
            escaped(name)
        ));
    }
    let mut said = Vec::new();
    for (at, (name, cells)) in rows.iter().enumerate() {
        let y = head + top(at, ROW);
        drawn.push_str(&format!(
            "<text x=\"0\" y=\"{:.1}\">{}<title>{}</title></text>",
            y + 17.0,
            escaped(&shortened(name, NAME, "…")),
            escaped(name)
        ));
        for (column, warm) in cells.iter().take(columns.len()).enumerate() {
            drawn.push_str(&cell(warm, LEFT + column as f64 * width, y, width));
        }
        drawn.push('\n');
        let texts = columns.iter().zip(cells).map(|(name, it)| format!("{name} {}", it.text));
        said.push(format!("{name}: {}", texts.collect::<Vec<_>>().join(", ")));
    }
    let more = super::some_of(rows.len(), heat.rows.len());
    Still {
        name: "heat",
        caption: format!("{}: {}{more}", heat.title, heat.scale),
        said,
        height: head + top(rows.len(), ROW) + 4.0,
        drawn,
    }
}

/// A rectangle of the page's colour under one of the warmth's, its text upon it.
fn cell(warm: &Warm, x: f64, y: f64, width: f64) -> String {
    let class = match warm.warmth {
        None => "absent",
        Some(it) if it < 0.0 => "cold",
        Some(_) => "hot",
    };
    // The text stays readable on the warmest.
    let opacity = warm.warmth.map_or(0.0, |it| 0.04 + 0.5 * it.abs());
    let text = match width >= READABLE {
        true => format!(
            "<text class=\"quiet middle told\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + width / 2.0,
            y + 17.0,
            escaped(&shortened(&warm.text, letters(width), "…"))
        ),
        false => String::new(),
    };
    format!(
        "<rect class=\"{class}\" fill-opacity=\"{opacity:.2}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" \
         height=\"{}\"><title>{}</title></rect>{text}",
        x + 1.0,
        (width - 2.0).max(1.0),
        ROW - 2.0,
        escaped(&warm.text)
    )
}

/// How many letters fit a width.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0 and 80")]
fn letters(width: f64) -> usize {
    ((width / LETTER) as usize).max(2)
}
