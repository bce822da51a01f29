//! Saved runs, a line each: id, start, what was measured, what came out, label, size.
//!
//! Owns how a line fits its width. Refuses to read whole records, but those few that are shown and came
//! without their answer.

use etalon_core::model::Answer;
use etalon_record::store::{Saved, Store};
use etalon_report::number::counted;
use etalon_report::text::{clean, shortened, width};
use etalon_report::view::Charset;
use jiff::tz::TimeZone;

use super::answer::{self, Effort};
use super::columns::{Side, line};
use super::words::{in_words, label, size};
use super::{json, measured, search};
use crate::cli::Listing;
use crate::failure::Failure;
use crate::{output, saved};

/// Columns of a start, `2026-11-21 04:11`.
const START: usize = 16;
/// The fewest columns left to a name before what is said of it; below, the name is left out.
const NAME: usize = 5;

/// Lists those that are meant.
pub(super) fn run(words: &[String], asked: &Listing) -> Result<(), Failure> {
    let store = saved::store()?;
    let catalogue = store.catalogue().map_err(Failure::new)?;
    let number = if asked.all { usize::MAX } else { asked.number };
    let narrowed = !words.is_empty() || asked.since.is_some();
    let mut meant = catalogue.runs().filter(|run| search::is_meant(run, words, asked.since));
    let runs: Vec<Saved> = meant.by_ref().take(number).collect();
    // The others are looked at only where that decides how many they are.
    let more = if narrowed { meant.count() } else { catalogue.len() - runs.len() };
    if asked.json {
        return json::write(&store, &runs);
    }
    if runs.is_empty() && more == 0 {
        let which = if narrowed { "no such run among the" } else { "no saved runs" };
        let many = counted(catalogue.len(), "saved run", "saved runs");
        let which = if narrowed { format!("{which} {many}") } else { which.to_owned() };
        output::remark(&format!("{which} in {}", store.home().display()));
        return Ok(());
    }
    let mut lines = table(&store, &runs);
    if more > 0 {
        lines.push(format!("{more} more: --all lists them, -n N so many"));
    }
    output::lines(&lines)
}

/// The lines of these runs, with a header.
pub(super) fn table(store: &Store, runs: &[Saved]) -> Vec<String> {
    let charset = output::charset();
    let row = |(place, run)| Row::new(run, answer::answer(store, run, Effort::at(place)), charset);
    let rows: Vec<Row> = runs.iter().enumerate().map(row).collect();
    lines(&rows, output::width(), charset)
}

/// A run as it is shown, before anything is shortened.
struct Row {
    short: String,
    started: String,
    measured: Vec<String>,
    answer: Answer,
    label: String,
    size: String,
}

impl Row {
    fn new(run: &Saved, found: Answer, charset: Charset) -> Row {
        Row {
            short: run.short.clone(),
            started: started(run),
            measured: measured::names(run),
            answer: Answer {
                about: found.about.map(|about| clean(&about)),
                text: charset.spell(&clean(&found.text)),
            },
            label: label(run),
            size: run.bytes.map(size).unwrap_or_default(),
        }
    }
}

fn lines(rows: &[Row], columns: usize, charset: Charset) -> Vec<String> {
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
    let cells = |cells: [String; 6]| {
        let sides = [Side::Left, Side::Left, Side::Left, Side::Left, Side::Left, Side::Right];
        let widths = [id, START, widths[0], widths[1], widths[2], bytes];
        let cells: Vec<(String, usize, Side)> =
            cells.into_iter().zip(widths).zip(sides).map(|((c, w), s)| (c, w, s)).collect();
        line(&cells)
    };
    let header =
        cells(["run", "started", "measured", "answer", "label", "size"].map(str::to_owned));
    let row = |row: &Row| {
        cells([
            row.short.clone(),
            row.started.clone(),
            measured::within(&row.measured, widths[0], charset),
            fitted(&row.answer, widths[1], charset),
            shortened(&row.label, widths[2], charset.ellipsis()),
            row.size.clone(),
        ])
    };
    std::iter::once(header).chain(rows.iter().map(row)).collect()
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

/// When it started, by the clock on the wall.
fn started(run: &Saved) -> String {
    let local = run.started().map(|at| at.to_zoned(TimeZone::system()));
    local.map_or_else(|| "-".to_owned(), |at| at.strftime("%Y-%m-%d %H:%M").to_string())
}
