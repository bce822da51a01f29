//! `etalon go`: from what was typed to test binaries and an experiment on their benchmarks; executed, saved and shown.
//!
//! Here: the course of things, and what is shown of such a run, also later. Sides, packages and subjects are
//! [`prepared`]'s.

mod origins;
mod prepared;
mod request;

use std::ffi::OsString;

use etalon_core::model::{SaidBy, Sides};
use etalon_core::plan::Stopping;
use etalon_core::run_set::StoppedBy;
use etalon_core::shell::copied;
use etalon_record::foreign;
use etalon_run::go::GoBenchmarks;

use crate::cli::{self, Compare};
use crate::destination::{self, Destination};
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::keeping::Saving;
use crate::packages::{tables, tell_failures};
use crate::progress::{Watch, Watched};
use crate::replace::Target;
use crate::session::{self, Executed, Keeping};
use crate::{compare, output, pages, pilot, planning, services};
use prepared::Prepared;

/// What a run on two sides is: a fact of each benchmark says which it is of.
const OF_FACTS: Sides = Sides { said_by: SaidBy::Fact };

/// What a run is called that was measured just now.
const LIVE: &str = "this run";

/// Runs the subcommand.
pub(crate) fn run(options: cli::Go) -> Result<Exit, Failure> {
    let cli::Go { packages, arguments, bench, base, base_binary, .. } = &options;
    let asked = request::Request {
        packages,
        arguments,
        bench,
        base: base.as_deref(),
        base_binary: base_binary.as_deref(),
        amount: &options.amount,
        building: &options.building,
    };
    let plan = options.amount.plan;
    let explain_noise = options.explain_noise;
    pilot::blocks(Some(options.amount.runs), plan)?;
    let target = target(&options.recording, plan)?;
    pages::check_beside(&options.show.page, options.recording.output.as_deref())?;
    let services = services::declared(&options.services)?;
    let mut watch = Watch::new(options.show.quiet, Interim::none())?;
    let recording = options.recording.record();
    let prepared = prepared::of(&asked, &watch)?;
    let second = destination::asked(&recording)?;
    let options = Compare::of_go(options.show, options.checks, options.judging);
    let Prepared { mut experiment, setup, room } = prepared;
    experiment.settings.criteria = compare::criteria(&options)?;
    if !options.show.quiet {
        output::remark(&prepared::announced(&experiment, &setup));
        let told = second.as_ref().and_then(Destination::format_told);
        told.iter().for_each(|told| output::remark(told));
    }
    watch.now_watches(Watched::commands(&experiment));
    let of_sides = experiment.sides;
    if let (Stopping::Runs(runs), Some(of_sides)) = (experiment.plan.stopping, of_sides) {
        watch.foresees(compare::foresight(&options, of_sides, runs));
    }
    let saving = Saving::unless(recording.no_save);
    let kept = Keeping { saving, second: second.as_ref() };
    let mut executor = services::around(GoBenchmarks::new(setup), services, &watch)?;
    let executed = session::execute(&experiment, &mut executor, kept, &mut watch)?;
    drop(executor);
    drop(room);
    if plan {
        return planning::of_sides(&executed, options, of_sides);
    }
    let exit = shown(&executed, options, target.as_ref())?;
    if explain_noise {
        session::explain_noise(&executed)?;
    }
    session::failure(&executed)?;
    Ok(exit)
}

/// The file for Go's lines, which is replaced as a whole.
fn target(recording: &cli::GoRecording, plan: bool) -> Result<Option<Target>, Failure> {
    let Some(name) = recording.output.as_ref().filter(|_| recording.is_of_go()) else {
        return Ok(None);
    };
    if plan {
        let why = "Go's lines are of a comparison, not of a pilot: leave it out, or name a .jsonl for the record";
        return Err(Failure::about("--plan with -o", why));
    }
    let target = Target::check("-o", name, "`etalon convert @last --to go` prints Go's lines")?;
    if target.holds_something() && !recording.force {
        let why = "exists and is not empty: choose another name, or replace it with --force";
        return Err(Failure::about(target.subject(), why));
    }
    Ok(Some(target))
}

/// Shows what was measured, and writes Go's lines.
fn shown(executed: &Executed, options: Compare, target: Option<&Target>) -> Result<Exit, Failure> {
    let mut data = match executed.kept.read() {
        Ok(data) => data,
        Err(error) => return session::failure(executed).and(Err(Failure::new(error))),
    };
    if let Some(target) = target {
        target.replace(|out| foreign::write_go(&data, out))?;
    }
    let has_failed = data.has_failures();
    let (quiet, json) = (options.show.quiet, options.show.json);
    let checked = match data.values.is_empty() {
        true => {
            tell_failures(&data);
            Exit::Done
        }
        false => {
            data.run_sets.iter_mut().for_each(|set| set.label = LIVE.to_owned());
            tables(options, data)?
        }
    };
    if let Some(reference) = executed.kept.reference.as_ref().filter(|_| !quiet && !json) {
        let saved = if executed.kept.is_saved() { "saved; " } else { "" };
        let reference = copied(reference);
        output::remark(&format!("{saved}`etalon report {reference}` shows this again"));
    }
    Ok(match executed.finished.stopped_by {
        StoppedBy::Interrupt => Exit::Interrupted,
        _ if has_failed => Exit::Failed,
        _ => match session::exit(executed, None) {
            Exit::Done => checked,
            exit => exit,
        },
    })
}

/// Words as the operating system takes them.
fn words<const N: usize>(words: [String; N]) -> Vec<OsString> {
    words.into_iter().map(OsString::from).collect()
}
