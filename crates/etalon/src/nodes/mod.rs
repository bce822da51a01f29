//! `--on`: the blocks of a job are executed on other machines, and this program is what is executed there.
//!
//! Owns what belongs to a job that travels: its command line, the files that it names ([`luggage`]), the program; and the
//! worker that it becomes there ([`worker`]). Refuses to know what is measured.

pub(crate) mod binaries;
pub(crate) mod luggage;
mod modules;
mod tree;
pub(crate) mod worker;

use std::any::Any;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use etalon_core::model::Context;
use etalon_probe::travel::{Architecture, Payload, Traveller, built_for, traveller};
use etalon_probe::{machine, memory_file};
use etalon_record::Text;
use etalon_record::store::{NewRecord, make_id};
use etalon_report::text::clean;
use etalon_run::nodes::{Cargo, Collector, CollectorSetup, Desk, Equal, Reach};
use etalon_run::sides::Scratch;
use etalon_run::{Executor, Experiment};

use crate::cli::values::StdoutArg;
use crate::cli::{Connections, Control, Nodes, On, Recording, SameArg};
use crate::compare::sides::facts::is_of_sides;
use crate::failure::{Exit, Failure};
use crate::progress::Watch;
use crate::resume::DIRECTORY;
use crate::{output, services, tool};
use luggage::Luggage;

/// Has the blocks of an experiment executed on the machines that were asked for, which are sent this luggage. What
/// is there until the end.
///
/// # Errors
/// If there is nothing that could be sent, or not to these machines.
pub(crate) fn collector(
    asked: (&Nodes, &On),
    luggage: Luggage,
    experiment: &mut Experiment,
    watch: &Watch<'_>,
) -> Result<(Collector, Box<dyn Any>), Failure> {
    let program = program(luggage.payload())?;
    refuse_foreign(&luggage, experiment, program.architecture)?;
    let words = words(experiment);
    let (files, copies) = luggage.packed();
    let cargo = Cargo { words, files, copies, program };
    let Connections { collector, room } = match asked.0.reached.take() {
        Some(mut reached) => {
            reached.collector.take_along(cargo);
            reached
        }
        None => on(asked, cargo, watch)?,
    };
    experiment.context = facts(&experiment.context);
    // Nodes say what they think of themselves.
    experiment.notes.clear();
    Ok((collector, Box::new(room)))
}

/// Tries to reach the machines that were asked for, if others were, before something is copied or built that they will be
/// sent. Those that are reached stay so.
///
/// # Errors
/// If none can be reached, or Slurm would not take the job.
pub(crate) fn reach(nodes: &Nodes, watch: &Watch<'_>) -> Result<(), Failure> {
    let Some(asked) = nodes.on.as_ref().filter(|_| nodes.reached.borrow().is_none()) else {
        return Ok(());
    };
    let mut reached = on((nodes, asked), bare(Vec::new())?, watch)?;
    reached.collector.reach().map_err(services::failure)?;
    nodes.reached.replace(Some(reached));
    Ok(())
}

/// Has the machines that were asked for do what these words say, which measures nothing.
///
/// # Errors
/// If there is nothing that could be sent.
pub(crate) fn unmeasured(
    asked: (&Nodes, &On),
    words: Vec<Text>,
    watch: &Watch<'_>,
) -> Result<Connections, Failure> {
    on(asked, bare(words)?, watch)
}

/// This program with these words alone.
fn bare(words: Vec<Text>) -> Result<Cargo, Failure> {
    let program = program(Payload::Plain)?;
    Ok(Cargo { words, files: Vec::new(), copies: Vec::new(), program })
}

/// The machines that were asked for, to which nothing leads yet.
fn on((nodes, on): (&Nodes, &On), cargo: Cargo, watch: &Watch<'_>) -> Result<Connections, Failure> {
    let room = Scratch::new(&std::env::temp_dir()).map_err(Failure::new)?;
    let reach = match (on, nodes.wishes().map_err(Failure::new)?) {
        (On::Ssh(hosts), _) => Reach::Ssh { hosts: hosts.clone(), sockets: room.path.clone() },
        (On::Slurm(_), Some(wishes)) => Reach::Slurm(wishes),
        (On::Slurm(_), None) => return Err(Failure::new("--on slurm needs --nodes and --shared")),
    };
    let (interrupts, is_quiet) = (watch.interrupts(), watch.is_quiet());
    let setup = CollectorSetup {
        reach,
        cargo,
        path: std::env::var_os("PATH"),
        equal: nodes.same.map(|SameArg::Cpu| Equal::Cpu),
        patience: patience()?,
        tell: Box::new(move |said| {
            if !is_quiet {
                output::remark(said);
            }
        }),
        interrupted: Box::new(move || interrupts.come()),
    };
    Ok(Connections { collector: Collector::new(setup), room })
}

/// How long a machine is waited for that is silent, or is not ready when others are.
///
/// # Errors
/// If the user has set something that is no number of seconds.
pub(crate) fn patience() -> Result<Duration, Failure> {
    const NAME: &str = "ETALON_NODE_WAIT";
    let Some(text) = std::env::var_os(NAME) else { return Ok(Duration::from_secs(60)) };
    let seconds = text.to_str().and_then(|text| text.parse::<u32>().ok()).filter(|it| *it > 0);
    let seconds = seconds.ok_or_else(|| Failure::about(NAME, "write a number of seconds"))?;
    Ok(Duration::from_secs(seconds.into()))
}

/// This program, as it is sent for such a payload.
///
/// # Errors
/// If its file cannot be read.
pub(crate) fn program(payload: Payload) -> Result<Traveller, Failure> {
    let own = std::env::current_exe().and_then(|path| path.canonicalize());
    let own: PathBuf = own.map_err(|error| Failure::about("this program, which is sent", error))?;
    traveller(&own, payload).map_err(Failure::new)
}

/// Refuses rows of a CSV file, which are what a call takes: nodes tell what several take together.
///
/// # Errors
/// If they are asked for.
pub(crate) fn refuse_rows(recording: &Recording) -> Result<(), Failure> {
    let path = recording.output.as_deref().map(Path::new).and_then(Path::extension);
    match path.is_some_and(|it| it.eq_ignore_ascii_case("csv")) {
        true => {
            let why = "of functions on other machines has no rows: name a file .jsonl, and `etalon convert` makes rows of it";
            Err(Failure::about("-o FILE.csv", why))
        }
        false => Ok(()),
    }
}

/// Refuses output that is shown as it comes.
///
/// # Errors
/// If it is asked for, by the option that was typed.
pub(crate) fn refuse_terminal(control: &Control) -> Result<(), Failure> {
    let option = match (control.show_output, &control.stdout) {
        (true, _) => "--show-output",
        (false, StdoutArg::Inherit) => "--stdout inherit",
        _ => return Ok(()),
    };
    let why = "is of this terminal, and the commands are executed elsewhere: leave it out";
    Err(Failure::about(format!("--on with {option}"), why))
}

/// The command line that makes the experiment.
fn words(experiment: &Experiment) -> Vec<Text> {
    let resumed = experiment.resumed.as_ref().map(|resumed| &resumed.record.header.argv);
    resumed.unwrap_or(&experiment.argv).clone()
}

/// Facts of an experiment that are known here: where it was started, and of which sides of a project it is. All else is told by whoever executes it.
fn facts(here: &Context) -> Context {
    let directory = here.get(DIRECTORY).cloned();
    let commit = directory.as_ref().and_then(|it| machine::commit_of(Path::new(it)));
    let facts = [(DIRECTORY, directory), ("commit", commit)];
    let facts = facts.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    let of_sides = here.iter().filter(|(key, _)| is_of_sides(key));
    facts.chain(of_sides.map(|(key, value)| (key.clone(), value.clone()))).collect()
}

/// Refuses programs that are sent, and are built for other machines than this program is.
fn refuse_foreign(
    luggage: &Luggage,
    experiment: &Experiment,
    architecture: Architecture,
) -> Result<(), Failure> {
    for line in &experiment.benchmarks {
        let Some(path) = line.path.as_ref().map(|it| Path::new(OsStr::from_bytes(it.as_bytes())))
        else {
            continue;
        };
        let other = luggage.has(path).then(|| built_for(path)).flatten();
        if let Some(other) = other.filter(|other| *other != architecture) {
            let label = line.to_benchmark().label();
            let path = clean(&path.to_string_lossy());
            let why = format!(
                "{path} is built for {other}, and --on reaches machines that are {architecture}, as this one is: build it \
                 for these"
            );
            return Err(Failure::about(format!("command `{}`", clean(&label)), why));
        }
    }
    Ok(())
}

/// Executes blocks of an experiment for whoever asks for them.
///
/// # Errors
/// If it cannot; that was said at the desk.
pub(crate) fn serve(
    desk: Desk,
    experiment: &Experiment,
    executor: &mut dyn Executor,
    watch: &mut Watch<'_>,
) -> Result<Exit, Failure> {
    let file =
        memory_file::create().map_err(|error| Failure::about("a record in memory", error))?;
    let record = NewRecord::in_memory(file, &make_id(etalon_run::now(), tool::new_seed()));
    let served = desk.serve(experiment, executor, &record, watch);
    served.map(|()| Exit::Done).map_err(Failure::new)
}
