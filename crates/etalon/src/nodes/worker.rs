//! The worker: this program on another machine, executing what its command line says there when it is asked to.
//!
//! It is told the command line over its standard input, makes the same experiment of it by the same door, and gives its
//! blocks to whoever asks. Refuses to be started by a user.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;

use clap::{ArgMatches, FromArgMatches};
use etalon_probe::launcher::{Launcher, LauncherError};
use etalon_probe::{far, program, shared};
use etalon_run::nodes::Desk;
use etalon_run::nodes::protocol::{Hello, Job};

use crate::cli::{Checks, Cli, Command, Exports, Nodes, Page, Recording, Resumption, go_flags};
use crate::failure::{Exit, Failure};
use crate::tool;

/// The word that asks for one.
pub(crate) const WORD: &str = "worker";

/// The beginning of the name of the directory that it is started in.
const ROOM: &str = "etalon-node-";

/// The word that asks for one without an operand, and with one for the process between it and files that are shared.
pub(crate) fn asked(words: &[String]) -> Option<Option<&str>> {
    match words {
        [word] if word == WORD => Some(None),
        [word, life] if word == WORD => Some(Some(life)),
        _ => None,
    }
}

/// Actions that a worker has in common with any other etalon.
pub(crate) struct Ways {
    /// The definition of what can be typed.
    pub(crate) command_line: fn(&[String]) -> clap::Command,
    /// Does what was typed.
    pub(crate) obeyed: fn(Cli, &ArgMatches, Option<Split>) -> Result<Exit, Failure>,
}

/// A launcher that was split off.
type Split = Result<Launcher, LauncherError>;

/// Executes a job for somebody else, who is heard by way of files in this directory if there is one.
///
/// # Errors
/// If nobody else started it, or it cannot be executed; that was said, too.
pub(crate) fn run(ways: &Ways, life: Option<&str>) -> Result<Exit, Failure> {
    let room = tool::here()?;
    let name = room.file_name().unwrap_or_default();
    if !name.to_string_lossy().starts_with(ROOM) {
        return Err(Failure::new(
            "etalon starts its workers by itself: --on ssh:HOST or --on slurm asks for one",
        ));
    }
    if let Some(life) = life {
        let own = Path::new("/proc/self/exe");
        let relayed = shared::relay(Path::new(life), own, WORD);
        return relayed.map(|()| Exit::Done).map_err(|error| Failure::about(life, error));
    }
    let streams = far::own_streams().map_err(|error| Failure::about("standard streams", error))?;
    let hash = program::hash(Path::new("/proc/self/exe")).map(String::from).unwrap_or_default();
    let hello = Hello { tool: tool::name(), program: hash };
    let desk = Desk::open(streams, hello).map_err(Failure::new)?;
    let desk = Rc::new(RefCell::new(Some(desk)));
    let done = executed(&desk, ways);
    if let (Err(failure), Some(mut desk)) = (&done, desk.take()) {
        desk.refuse(failure.message()).map_err(Failure::new)?;
    }
    done
}

fn executed(desk: &Rc<RefCell<Option<Desk>>>, ways: &Ways) -> Result<Exit, Failure> {
    let job = match desk.borrow_mut().as_mut() {
        Some(desk) => {
            std::fs::create_dir("job").map_err(|error| Failure::about("job", error))?;
            desk.job(Path::new("job")).map_err(Failure::new)?
        }
        None => return Ok(Exit::Done),
    };
    std::env::set_current_dir("job").map_err(|error| Failure::about("job", error))?;
    let Job { words, seed, copies, .. } = job;
    let words = go_flags::translated(words.into_iter().map(OsString::from));
    let words: Vec<OsString> = words.map_err(Failure::new)?;
    let plain: Vec<String> =
        words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let is_commands = plain.first().is_some_and(|word| word == "cmd");
    let launcher = is_commands.then(Launcher::split_off);
    let parsed = (ways.command_line)(&plain).try_get_matches_from(words);
    let parsed = parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (mut cli, matches) = parsed.map_err(|error| Failure::new(error.render()))?;
    let nodes = Nodes { desk: Rc::clone(desk), copies, ..Nodes::default() };
    only_measures(&mut cli.command, seed, nodes)?;
    (ways.obeyed)(cli, &matches, launcher)
}

/// Leaves out of a command line what is not measuring: where results go, and who measures.
fn only_measures(command: &mut Command, seed: u64, nodes: Nodes) -> Result<(), Failure> {
    let recording = Recording { no_save: true, ..Recording::default() };
    match command {
        Command::Cmd(cmd) => {
            (cmd.nodes, cmd.recording, cmd.resumption) = (nodes, recording, Resumption::default());
            cmd.reporting.exports = Exports::default();
            cmd.schedule.seed = Some(seed);
            Ok(())
        }
        Command::Ab(ab) => {
            (ab.nodes, ab.recording, ab.amount.seed) = (nodes, recording, Some(seed));
            (ab.show.page, ab.checks) = (Page::default(), Checks::default());
            // What was found out where the copies were made.
            (ab.build, ab.same_output) = (None, false);
            Ok(())
        }
        Command::Go(go) => {
            (go.nodes, go.recording, go.amount.seed) = (nodes, recording, Some(seed));
            (go.show.page, go.checks) = (Page::default(), Checks::default());
            Ok(())
        }
        Command::Doctor(doctor) => {
            doctor.nodes = nodes;
            Ok(())
        }
        Command::Run(run) => {
            (run.nodes, run.recording, run.resumption) = (nodes, recording, Resumption::default());
            (run.reporting.exports, run.based.checks) = (Exports::default(), Checks::default());
            run.sides.build = None;
            run.schedule.seed = Some(seed);
            Ok(())
        }
        _ => Err(Failure::new("this is not measured on other machines")),
    }
}
