//! Saved runs in a list, a line each, and the facts of one.
//!
//! Owns how a line fits its width. Refuses to read records.

pub(crate) mod columns;
mod names;

use etalon_core::model::Answer;

use crate::text::{clean, left, shortened, width};
use crate::view::Charset;
use columns::{Side, line};
use names::within;

/// Columns of a start, `2026-11-21 04:11`.
const START: usize = 16;
/// The fewest columns left to a name before what is said of it; below, the name is left out.
const NAME: usize = 5;

/// The most columns of a key of a fact; longer ones push their value to the right.
const WIDEST_KEY: usize = 40;

/// A run as it is shown, before anything is shortened.
#[derive(Debug, Clone)]
pub struct Row {
    /// The short form of its id.
    pub short: String,
    /// When it started.
    pub started: String,
    /// Its subjects.
    pub measured: Vec<String>,
    /// What came out.
    pub answer: Answer,
    /// Names and tags.
    pub label: String,
    /// Its size on disk.
    pub size: String,
}

/// The lines of runs within so many columns, under a header; each is made when it is taken.
pub fn lines(rows: Vec<Row>, columns: usize, charset: Charset) -> impl Iterator<Item = String> {
    let widest = |of: fn(&Row) -> usize, title: &str| {
        rows.iter().map(of).max().unwrap_or(0).max(width(title))
    };
    let id = widest(|row| width(&row.short), "run");
    let bytes = widest(|row| width(&row.size), "size");
    let label = match rows.iter().all(|row| row.label.is_empty()) {
        true => 0,
        false => widest(|row| width(&row.label), "label"),
    };
    let measured = widest(|row| width(&row.measured.join(", ")), "measured");
    let answer = widest(|row| width(&in_words(&row.answer)), "answer");
    let gaps = if label == 0 { 4 } else { 5 };
    let room = columns.saturating_sub(id + START + bytes + 2 * gaps);
    let widths = widths(room, [measured, answer, label]);
    let cells = move |cells: [String; 6]| {
        let sides = [Side::Left, Side::Left, Side::Left, Side::Left, Side::Left, Side::Right];
        let widths = [id, START, widths[0], widths[1], widths[2], bytes];
        let cells: Vec<(String, usize, Side)> =
            cells.into_iter().zip(widths).zip(sides).map(|((c, w), s)| (c, w, s)).collect();
        line(&cells)
    };
    let header =
        cells(["run", "started", "measured", "answer", "label", "size"].map(str::to_owned));
    let row = move |row: Row| {
        cells([
            row.short,
            row.started,
            within(&row.measured, widths[0], charset),
            fitted(&row.answer, widths[1], charset),
            shortened(&row.label, widths[2], charset.ellipsis()),
            row.size,
        ])
    };
    std::iter::once(header).chain(rows.into_iter().map(row))
}

/// How wide what was measured, what came out and the label are. What was measured gives way first: names can be
/// told apart when they are shortened, numbers cannot.
fn widths(room: usize, [measured, answer, label]: [usize; 3]) -> [usize; 3] {
    let label = label.min(room / 4);
    let rest = room - label;
    let answer = answer.min((rest * 3 / 5).max(rest.saturating_sub(measured)));
    [measured.min(rest - answer), answer, label]
}

/// The answer in so many columns: of a name and what is said of it, the name gives way.
fn fitted(answer: &Answer, columns: usize, charset: Charset) -> String {
    let room = columns.saturating_sub(width(&answer.text) + 1);
    match &answer.about {
        Some(about) if room >= NAME.min(width(about)) => {
            format!("{} {}", shortened(about, room, charset.ellipsis()), answer.text)
        }
        _ => shortened(&answer.text, columns, charset.ellipsis()),
    }
}

/// The answer in words.
#[must_use]
pub fn in_words(answer: &Answer) -> String {
    match &answer.about {
        Some(about) => format!("{about} {}", answer.text),
        None => answer.text.clone(),
    }
}

/// Facts of a run, each on a line behind its key.
#[must_use]
pub fn facts(facts: &[(String, String)]) -> Vec<String> {
    let widest = facts.iter().map(|(key, _)| width(&clean(key))).max().unwrap_or(0).min(WIDEST_KEY);
    let line = |(key, value): &(String, String)| {
        format!("{}  {}", left(&clean(key), widest), clean(value))
    };
    facts.iter().map(line).collect()
}

/// A size with a unit that fits, in at most seven columns.
#[must_use]
pub fn size(bytes: u64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    #[allow(clippy::cast_precision_loss)] // three digits are shown
    let bytes_shown = bytes as f64;
    let unit = units.into_iter().find(|(_, one)| bytes_shown >= *one);
    unit.map_or_else(
        || format!("{bytes} B"),
        |(name, one)| {
            let value = bytes_shown / one;
            format!("{value:.*} {name}", usize::from(value < 9.95))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        let shown = [0, 999, 1000, 9949, 9951, 12_345, 3_400_000, 1_200_000_000].map(size);
        assert_eq!(
            shown,
            ["0 B", "999 B", "1.0 kB", "9.9 kB", "10 kB", "12 kB", "3.4 MB", "1.2 GB"]
        );
    }
}
