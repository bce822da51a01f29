//! Saved runs, a line each: id, start, what was measured, what came out, label, size.
//!
//! Refuses to read whole records, but those few that are shown and came without their answer.

use std::collections::VecDeque;

use etalon_core::model::Answer;
use etalon_record::store::{Saved, Store};
use etalon_report::number::counted;
use etalon_report::runs::{Row, lines, size};
use etalon_report::text::clean;
use jiff::tz::TimeZone;

use super::answer::{self, Effort};
use super::words::label;
use super::{json, measured, search};
use crate::cli::Listing;
use crate::failure::Failure;
use crate::{output, saved};

/// Lists those that are meant.
pub(super) fn run(words: &[String], asked: &Listing) -> Result<(), Failure> {
    let store = saved::store()?;
    let catalogue = store.catalogue().map_err(Failure::new)?;
    let number = if asked.all { usize::MAX } else { asked.number };
    let narrowed = !words.is_empty() || asked.since.is_some();
    let mut meant = catalogue.runs().filter(|run| search::is_meant(run, words, asked.since));
    if asked.json {
        return json::write(&store, meant.take(number));
    }
    let rows = rows(&store, meant.by_ref().take(number));
    // The others are looked at only where that decides how many they are.
    let more = if narrowed { meant.count() } else { catalogue.len() - rows.len() };
    if rows.is_empty() && more == 0 {
        let which = if narrowed { "no such run among the" } else { "no saved runs" };
        let many = counted(catalogue.len(), "saved run", "saved runs");
        let which = if narrowed { format!("{which} {many}") } else { which.to_owned() };
        output::remark(&format!("{which} in {}", store.home().display()));
        return Ok(());
    }
    let last = (more > 0).then(|| format!("{more} more: --all lists them, -n N so many"));
    write(rows, last)
}

/// The lines of these runs, newest first.
fn rows(store: &Store, runs: impl Iterator<Item = Saved>) -> Vec<Row> {
    runs.enumerate().map(|(place, run)| row(store, &run, Effort::at(place))).collect()
}

/// The line of a run, as the columns say.
fn row(store: &Store, run: &Saved, effort: Effort) -> Row {
    let charset = output::charset();
    let found = answer::answer(store, run, effort);
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

/// Lines of runs that come oldest first and are listed newest first. Only as many runs are held as may be read for
/// their answers.
pub(super) struct Reversed<'s> {
    store: &'s Store,
    /// The newest ones, oldest first.
    newest: VecDeque<Saved>,
    /// Those of all before, oldest first.
    rows: Vec<Row>,
}

impl<'s> Reversed<'s> {
    pub(super) fn new(store: &'s Store) -> Reversed<'s> {
        Reversed { store, newest: VecDeque::new(), rows: Vec::new() }
    }

    /// Adds a run, the newest one by now.
    pub(super) fn add(&mut self, run: Saved) {
        self.newest.push_back(run);
        if Effort::at(self.newest.len() - 1) == Effort::None
            && let Some(older) = self.newest.pop_front()
        {
            self.rows.push(row(self.store, &older, Effort::None));
        }
    }

    /// All lines, newest first.
    pub(super) fn rows(mut self) -> Vec<Row> {
        self.rows.extend(rows(self.store, self.newest.into_iter().rev()).into_iter().rev());
        self.rows.reverse();
        self.rows
    }
}

/// Writes lines of runs with a header, and what is said last.
pub(super) fn write(rows: Vec<Row>, last: Option<String>) -> Result<(), Failure> {
    output::lines(lines(rows, output::width(), output::charset()).chain(last))
}

/// When it started, by the clock on the wall.
fn started(run: &Saved) -> String {
    let local = run.started().map(|at| at.to_zoned(TimeZone::system()));
    local.map_or_else(|| "-".to_owned(), |at| at.strftime("%Y-%m-%d %H:%M").to_string())
}
