//! `etalon history`: series of points by commit, added, listed, shown and handed on.
//!
//! Here: the course of things. Which points data give is `etalon-history`'s, where they belong [`place`]'s. Refuses
//! to say whether a series has a step, and to know which door measures: that is handed in.

mod add;
mod check;
mod export;
mod list;
mod place;
mod rebuild;
mod show;
mod shown;

use etalon_history::{Access, Database};
use etalon_record::store::Store;

use crate::cli::{History, HistoryAction, HistoryList};
use crate::failure::{Exit, Failure};
use crate::{output, saved};

pub(crate) use check::{Line, Measure};
pub(crate) use shown::IntoHistory;

/// Runs the subcommand.
///
/// `measure` measures two commits against each other.
pub(crate) fn run(asked: &History, measure: Measure<'_>) -> Result<Exit, Failure> {
    if let Some(check) = asked.html.as_deref().and_then(History::page) {
        return check::run(&check, measure).map(|_| Exit::Done);
    }
    match &asked.action {
        None => list::run(&HistoryList { words: Vec::new(), number: 20, all: false })?,
        Some(HistoryAction::Add(asked)) => add::run(asked)?,
        Some(HistoryAction::Import(asked)) => add::import(asked)?,
        Some(HistoryAction::List(asked)) => list::run(asked)?,
        Some(HistoryAction::Show(asked)) => show::run(asked)?,
        Some(HistoryAction::Check(asked)) => return check::run(asked, measure),
        Some(HistoryAction::Export(asked)) => export::run(asked)?,
        Some(HistoryAction::Rebuild) => rebuild::run()?,
    }
    Ok(Exit::Done)
}

/// The history to write to, made where there is none.
fn written(store: &Store) -> Result<Database, Failure> {
    let path = store.new_history().map_err(Failure::new)?;
    let database = Database::open(&path, Access::Write).map_err(Failure::new)?;
    database.ok_or_else(|| Failure::about(path.display(), "no history"))
}

/// The history to read; where there is none, that is said.
fn there() -> Result<Option<Database>, Failure> {
    let store = saved::store()?;
    let path = store.history();
    let database = Database::open(&path, Access::Read).map_err(Failure::new)?;
    if database.is_none() {
        output::remark(&format!(
            "no history yet in {}: `etalon history add @last` adds the last run",
            store.home().display()
        ));
    }
    Ok(database)
}
