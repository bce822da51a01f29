//! What every execution has in common: a record in the store, and a report at its end.

use std::path::PathBuf;

use etalon_core::analysis::Analysis;
use etalon_core::model::StoppedBy;
use etalon_core::random::Random;
use etalon_record::Strictness;
use etalon_record::store::{NewRecord, make_id};
use etalon_run::{Finished, RunError};

use crate::cli;
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::{output, report, saved};

/// An execution that is over.
pub struct Executed {
    /// How it ended.
    pub finished: Finished,
    /// Its record.
    pub path: PathBuf,
}

/// How it is shown.
pub struct Shown<'a> {
    /// How it is analysed.
    pub analysis: &'a cli::Analysis,
    /// How it is shown.
    pub view: &'a cli::View,
    /// What else is written.
    pub exports: &'a Exports<'a>,
    /// Whether the store is the only place where the data are.
    pub saved_only: bool,
}

/// Executes into a new record of the store. One in which nothing could be measured is removed.
pub fn execute(
    run: impl FnOnce(&NewRecord) -> Result<Finished, RunError>,
) -> Result<Executed, Failure> {
    let store = saved::store()?;
    let id = make_id(jiff::Timestamp::now(), entropy());
    let record = store.create(&id).map_err(Failure::new)?;
    let finished = match run(&record) {
        Ok(finished) => finished,
        Err(error) => {
            // Nothing was measured: an empty record would only be in the way.
            drop(record);
            let _still_there = store.remove(&id);
            return Err(Failure::new(error));
        }
    };
    // A record that could not be written to its end stays what it is: unfinished.
    let path = match &finished.error {
        Some(RunError::Write(error)) if error.path == record.path => record.path.clone(),
        _ => record.finish().map_err(Failure::new)?,
    };
    Ok(Executed { finished, path })
}

/// Shows what there is; nothing, if nothing was measured before it was stopped. One that went to its
/// end is shown whatever it measured: that everything failed is a result.
pub fn show(executed: &Executed, shown: &Shown<'_>) -> Result<Option<Analysis>, Failure> {
    let set = saved::read(&executed.path, Strictness::Lenient)?;
    let nothing = set.series.iter().all(|series| series.rows == 0);
    let cut_short = matches!(
        executed.finished.stopped_by,
        StoppedBy::Failure | StoppedBy::Interrupt | StoppedBy::Error
    );
    let interrupted = executed.finished.stopped_by == StoppedBy::Interrupt;
    let analysis = if nothing && cut_short {
        None
    } else {
        match report::show(vec![set], shown.analysis, shown.view, shown.exports) {
            Ok(analysis) => Some(analysis),
            Err(failure) if interrupted && failure.follows_interrupt() => None,
            Err(failure) => return Err(failure.after_saving()),
        }
    };
    match &executed.finished.error {
        Some(error) => Err(Failure::new(error)),
        None => Ok(analysis),
    }
}

/// Says where the data are.
pub fn say_saved(shown: &Shown<'_>) {
    if !shown.view.quiet && !shown.view.json && shown.saved_only {
        output::remark("saved; `etalon report @last` shows this again");
    }
}

/// The exit of an execution that is shown.
pub fn exit(executed: &Executed, analysis: Option<Analysis>) -> Exit {
    match executed.finished.stopped_by {
        StoppedBy::Failure => Exit::Failed,
        StoppedBy::Interrupt => Exit::Interrupted,
        _ if executed.finished.failure.is_some() => Exit::Failed, // a cleanup, after all was done
        _ => analysis.map_or(Exit::Done, |a| report::exit(&a, &executed.finished.stopped_by)),
    }
}

/// The tool and its version, as records name it.
pub fn tool() -> String {
    format!("etalon {}", env!("CARGO_PKG_VERSION"))
}

/// A seed nobody chose: from the clock and the process. It is recorded, so nothing is lost by it
/// being short enough to type.
pub fn new_seed() -> u64 {
    let now = jiff::Timestamp::now().as_nanosecond().unsigned_abs();
    let random = Random::new(u64::try_from(now & u128::from(u64::MAX)).unwrap_or_default());
    random.stream(std::process::id().into()).next_u64() % 1_000_000_000
}

/// Tells ids of the same microsecond apart.
fn entropy() -> u16 {
    u16::try_from(std::process::id() & 0xffff).unwrap_or_default()
}
