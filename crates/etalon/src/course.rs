//! The one way of measuring: a job is executed into a record and shown, and the exit follows from both.
//!
//! Owns the order of these steps, and what is said between them. Refuses to know what is measured ([`crate::doors`]), and
//! how it is shown ([`Show`]).

use std::any::Any;

use etalon_core::plan::Plan;
use etalon_core::shell::copied;
use etalon_run::nodes::Elsewhere;
use etalon_run::{Executor, Experiment, Files};

use crate::cli::{Nodes, Recording};
use crate::destination::{self, Destination};
use crate::enough::{AfterFirst, Family, Refusal};
use crate::executed::Executed;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::keeping::{self, Saving};
use crate::nodes::luggage::Luggage;
use crate::progress::{Foresight, Watch, Watched, Weighed};
use crate::showing::Show;
use crate::{enough, nodes, output, services, stopped};

/// An experiment that is ready to be executed.
pub(crate) struct Job<'a> {
    pub(crate) experiment: Experiment,
    /// It executes the subjects, with services around it.
    pub(crate) executor: Box<dyn Executor + 'a>,
    /// The lines of a terminal; absent where commands write there themselves.
    pub(crate) watched: Option<Watched>,
    /// Said before it begins.
    pub(crate) remarks: Vec<String>,
    /// Said after the first blocks.
    pub(crate) foresight: Option<Foresight>,
    /// Its largest family of comparisons, as far as that is known before anything is measured.
    pub(crate) family: Family,
    /// Seconds that it was said to take.
    pub(crate) promised: Option<f64>,
    /// The family of a harness, which is known after the first block.
    pub(crate) after_first: Option<AfterFirst>,
    /// Ends it after the first block, if that has not what is asked for.
    pub(crate) refusal: Option<Refusal>,
    /// The machines that it is executed on, if those are others.
    pub(crate) nodes: Nodes,
    /// Files that these are sent.
    pub(crate) luggage: Luggage,
    /// There until everything is executed: copies of sides, test binaries, files.
    pub(crate) holds: Vec<Box<dyn Any>>,
}

impl<'a> Job<'a> {
    /// An experiment and its executor, with nothing said and nothing held.
    pub(crate) fn new(experiment: Experiment, executor: Box<dyn Executor + 'a>) -> Job<'a> {
        let (remarks, holds) = (Vec::new(), Vec::new());
        let family = Family::of_ranking(&experiment);
        Job {
            experiment,
            executor,
            watched: None,
            remarks,
            foresight: None,
            family,
            promised: None,
            after_first: None,
            refusal: None,
            nodes: Nodes::default(),
            luggage: Luggage::default(),
            holds,
        }
    }
}

/// Watches for the user from before anything is prepared: what is refused of the file for the record is refused now.
///
/// # Errors
/// If that file cannot be written to, or signals cannot be taken over.
pub(crate) fn watch<'a>(
    recording: &Recording,
    quiet: bool,
    interim: Interim<'a>,
) -> Result<Watch<'a>, Failure> {
    destination::check(recording)?;
    Watch::new(quiet, interim)
}

/// Executes a job into a new record, shows it, and says where it is.
///
/// # Errors
/// If nothing could be measured, something went wrong around it, or it cannot be shown.
pub(crate) fn run(
    job: Job<'_>,
    recording: &Recording,
    watch: &mut Watch<'_>,
    showing: &mut dyn Show,
) -> Result<Exit, Failure> {
    let desk = job.nodes.desk.take();
    if let Some(desk) = desk {
        let Job { experiment, mut executor, holds, .. } = job;
        let served = nodes::serve(desk, &experiment, &mut *executor, watch);
        drop((executor, holds));
        return served;
    }
    let nodes = job.nodes.count();
    let job = elsewhere(job, watch)?;
    let Job { experiment, mut executor, watched, remarks, foresight, holds, .. } = job;
    let (family, promised, after_first) = (job.family, job.promised, job.after_first);
    if let Some(refusal) = job.refusal {
        watch.may_refuse(refusal);
    }
    let second = destination::asked(recording)?;
    if !watch.is_quiet() {
        let told = second.as_ref().and_then(Destination::format_told);
        let foreseen = match showing.is_pilot() {
            true => Vec::new(),
            false => foreseen(&experiment.plan, &family, (nodes, after_first.as_ref())),
        };
        foreseen.iter().chain(&remarks).chain(&told).for_each(|remark| output::remark(remark));
    }
    // A pilot has the blocks that it has; how long they take is told as of any other.
    let after_first = after_first.filter(|_| !showing.is_pilot());
    watch.weighs(Weighed { plan: experiment.plan.clone(), family, after_first, promised });
    if let Some(watched) = watched {
        watch.now_watches(watched);
    }
    if let Some(foresight) = foresight {
        watch.foresees(foresight);
    }
    let saving = Saving::unless(recording.no_save);
    let executed = execute(&experiment, &mut *executor, (saving, second.as_ref()), watch)?;
    drop((executor, holds));
    if let Some(refused) = watch.take_refused() {
        return Err(refused.after_saving(executed.kept.reference.as_deref()));
    }
    let data = executed.read()?;
    let has_failed = data.has_failures();
    let checked = showing.show(&executed, data)?;
    executed.damage()?;
    if executed.finished.failure.as_ref().is_some_and(stopped::cannot_start) {
        return Err(Failure::new("nothing was measured: a command cannot be started"));
    }
    if !showing.is_silent() {
        say_saved(&executed, recording, showing.is_pilot());
    }
    Ok(match executed.ending() {
        Exit::Done if has_failed && !showing.expects_failures() => Exit::Failed,
        Exit::Done => checked,
        stopped => stopped,
    })
}

/// Remarks on what cannot come of so few blocks, or machines. After the first block there may be as many as are needed.
fn foreseen(
    plan: &Plan,
    family: &Family,
    (nodes, after_first): (usize, Option<&AfterFirst>),
) -> Vec<String> {
    let stays = after_first.is_none_or(|after| after.is_fixed);
    enough::said(plan, family)
        .filter(|_| stays)
        .into_iter()
        .chain(enough::said_of_nodes(nodes, plan, family))
        .collect()
}

/// The job, executed on other machines if that is asked for.
fn elsewhere<'a>(mut job: Job<'a>, watch: &Watch<'_>) -> Result<Job<'a>, Failure> {
    let Some(on) = job.nodes.on.clone() else { return Ok(job) };
    let plan = &mut job.experiment.plan;
    plan.limits = plan.limits.for_nodes(plan.stopping, job.nodes.count());
    let luggage = std::mem::take(&mut job.luggage);
    job.remarks.extend(luggage.remarks());
    let asked = (&job.nodes, &on);
    let (collector, room) = nodes::collector(asked, luggage, &mut job.experiment, watch)?;
    job.executor = Box::new(Elsewhere::new(collector, job.executor));
    job.holds.push(room);
    Ok(job)
}

/// Executes into a new record, and says what stopped it. Where nothing could be measured, nothing is left.
fn execute(
    experiment: &Experiment,
    executor: &mut dyn Executor,
    (saving, second): (Saving, Option<&Destination>),
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
    let second = second.filter(|second| second.output.is_in_place());
    let kept = keeping::settle(record, &finished, second);
    if let Some(stopped) = &finished.failure {
        output::remark(&format!("etalon: {}", stopped::describe(stopped, experiment)));
    }
    Ok(Executed { finished, kept })
}

/// Says where the data are, unless they are in the file that was named for them.
fn say_saved(executed: &Executed, recording: &Recording, is_pilot: bool) {
    let Some(reference) = &executed.kept.reference else { return };
    let is_saved = executed.kept.is_saved();
    if recording.output.is_some() && is_saved {
        return;
    }
    let reference = copied(reference);
    let saved = match (is_saved, is_pilot) {
        (false, _) => "",
        (true, false) => "saved; ",
        (true, true) => "the pilot is saved; ",
    };
    let again = if is_pilot { "it" } else { "this again" };
    output::remark(&format!("{saved}`etalon report {reference}` shows {again}"));
}
