//! What every execution has in common: a record, and a report at its end.

use etalon_core::analysis::Analysis;
use etalon_core::dataset::Dataset;
use etalon_core::run_set::StoppedBy;
use etalon_core::shell::copied;
use etalon_report::view::Again;
use etalon_run::{Executor, Experiment, Files, Finished, RunError};

use crate::cli::Compare;
use crate::destination::Destination;
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::keeping::{self, Kept, Saving};
use crate::progress::Watch;
use crate::{cli, compare, output, report, runs, services, sides, stopped};

/// An execution that is over.
pub(crate) struct Executed {
    /// How it ended.
    pub finished: Finished,
    pub kept: Kept,
}

/// How it is shown.
pub(crate) struct Shown<'a> {
    /// How it is analysed.
    pub analysis: &'a cli::Analysis,
    /// How it is shown.
    pub view: &'a cli::View,
    /// What else is written.
    pub exports: &'a Exports<'a>,
    /// Whether the saved record is the only place where the data are.
    pub saved_only: bool,
}

impl<'a> Shown<'a> {
    pub(crate) fn new(
        reporting: &'a cli::Reporting,
        exports: &'a Exports<'a>,
        saved_only: bool,
    ) -> Shown<'a> {
        let cli::Reporting { analysis, view, .. } = reporting;
        Shown { analysis, view, exports, saved_only }
    }
}

/// Where its data are kept.
pub(crate) struct Keeping<'a> {
    pub saving: Saving,
    /// A second file.
    pub second: Option<&'a Destination>,
}

/// Executes into a new record, and says what stopped it. Where nothing could be measured, nothing is left.
pub(crate) fn execute(
    experiment: &Experiment,
    executor: &mut dyn Executor,
    Keeping { saving, second }: Keeping<'_>,
    watch: &mut Watch<'_>,
) -> Result<Executed, Failure> {
    let record = keeping::create(saving)?;
    let files = Files { record: &record, second: second.map(|second| &second.output) };
    let finished = etalon_run::execute(experiment, executor, files, watch);
    watch.done();
    let finished = finished.map_err(|error| {
        if let Some(second) = second {
            second.withdraw();
        }
        services::failure(error)
    })?;
    if let Some(second) = second.filter(|_| finished.damage.second.is_none()) {
        second.settle();
    }
    let kept = keeping::settle(record, &finished, second);
    if let Some(stopped) = &finished.failure {
        output::remark(&stopped::describe(stopped, experiment));
    }
    Ok(Executed { finished, kept })
}

/// Shows what there is; nothing, if nothing was measured before it was stopped. One that went to its
/// end is shown whatever it measured: that everything failed is a result.
pub(crate) fn show(executed: &Executed, shown: &Shown<'_>) -> Result<Option<Analysis>, Failure> {
    let Executed { finished, kept } = executed;
    let data = match kept.read() {
        Ok(data) => data,
        Err(error) => return failure(executed).and(Err(Failure::new(error))),
    };
    let nothing = (0..data.len()).all(|row| !data.counts(row));
    let cut_short =
        matches!(finished.stopped_by, StoppedBy::Failure | StoppedBy::Interrupt | StoppedBy::Error);
    let interrupted = finished.stopped_by == StoppedBy::Interrupt;
    let analysis = if nothing && cut_short {
        None
    } else {
        let again = if kept.reference.is_some() { Again::Saved } else { Again::Options };
        match report::show(data, shown.analysis, shown.view, shown.exports, again) {
            Ok(analysis) => Some(analysis),
            Err(failure) if interrupted && failure.follows_interrupt() => None,
            Err(failure) => return Err(failure.after_saving(kept.reference.as_deref())),
        }
    };
    if let Some(analysis) = analysis.as_ref().filter(|_| kept.is_saved()) {
        runs::keep(kept.id(), analysis);
    }
    failure(executed).map(|()| analysis)
}

/// What went wrong around it. A file that cannot be read because somebody cut it is told as that.
pub(crate) fn failure(executed: &Executed) -> Result<(), Failure> {
    let mut messages = executed.kept.damage.clone();
    match &executed.finished.error {
        Some(RunError::Read(_)) if !messages.is_empty() => {}
        Some(error) => messages.push(error.to_string()),
        None => {}
    }
    if messages.is_empty() { Ok(()) } else { Err(Failure::new(messages.join("\n"))) }
}

/// Says where the data are.
pub(crate) fn say_saved(executed: &Executed, shown: &Shown<'_>) {
    let Some(reference) = &executed.kept.reference else { return };
    let is_saved = executed.kept.is_saved();
    if !shown.view.quiet && !shown.view.json && (shown.saved_only || !is_saved) {
        let saved = if is_saved { "saved; " } else { "" };
        let reference = copied(reference);
        output::remark(&format!("{saved}`etalon report {reference}` shows this again"));
    }
}

/// The exit of an execution that is shown.
pub(crate) fn exit(executed: &Executed, analysis: Option<Analysis>) -> Exit {
    match executed.finished.stopped_by {
        StoppedBy::Failure => Exit::Failed,
        StoppedBy::Interrupt => Exit::Interrupted,
        _ if executed.finished.failure.is_some() => Exit::Failed, // a cleanup, after all was done
        _ => analysis.map_or(Exit::Done, |a| report::exit(&a, &executed.finished.stopped_by)),
    }
}

/// Whether a side has a reading: of one that was built twice, all builds in one block.
fn has_readings(data: &Dataset) -> Result<bool, Failure> {
    let counts = |data: &Dataset| (0..data.len()).any(|row| data.counts(row));
    match counts(data) && data.has_builds() {
        true => Ok(counts(&data.with_builds_joined().map_err(Failure::new)?)),
        false => Ok(counts(data)),
    }
}

/// Shows what was measured on two sides.
pub(crate) fn shown_sides(executed: &Executed, options: &Compare) -> Result<Exit, Failure> {
    let data = match executed.kept.read() {
        Ok(data) => data,
        Err(error) => return failure(executed).and(Err(Failure::new(error))),
    };
    let is_silent = options.show.quiet || options.show.json;
    let checked = match has_readings(&data)? {
        true => compare::of_sides(options, data)?,
        // What stopped it was told.
        false if exit(executed, None) != Exit::Done => Exit::Done,
        false => return Err(Failure::new(sides::NOTHING)),
    };
    if let Some(reference) = executed.kept.reference.as_ref().filter(|_| !is_silent) {
        let saved = if executed.kept.is_saved() { "saved; " } else { "" };
        let reference = copied(reference);
        output::remark(&format!("{saved}`etalon report {reference}` shows this again"));
    }
    Ok(match executed.finished.stopped_by {
        StoppedBy::Interrupt => Exit::Interrupted,
        _ => match exit(executed, None) {
            Exit::Done => checked,
            exit => exit,
        },
    })
}

/// Says below tables why readings differ.
pub(crate) fn explain_noise(executed: &Executed) -> Result<(), Failure> {
    report::explain_readings(&executed.kept.read().map_err(Failure::new)?)
}
