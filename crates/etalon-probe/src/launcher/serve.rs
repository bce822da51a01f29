//! The launcher's own side: what the re-executed binary does instead of being etalon.
//!
//! Owns: the process's surroundings (its death with etalon's, adopting orphans, descriptors) and
//! the loop that answers etalon's messages. Refuses: everything that would make it large: it is the
//! size that every measured program starts at.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, RawFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use etalon_record::Text;

use super::available;
use super::batch::{BatchRunner, Subject};
use super::control;
use super::execute::Executor;
use super::exited::ExitedProcess;
use super::extras::{self, Extras};
use super::keeper::Keepers;
use super::metrics::{Source, metrics};
use super::orphans::Orphans;
use super::outputs::Outputs;
use super::parent::ParentLink;
use super::printed::PrintedMetrics;
use super::protocol::{
    Cgroup, Counters, Execute, Extent, Foreground, Hook, Input, Output, Over, Ready, Refusal,
    Reply, Request, Setup, Stdio,
};
use super::release::Releasable;
use super::signals;
use super::spawn::{Program, Spawner};
use super::streams::{self, Streams};
use super::terminal::Terminal;
use super::wire::{self, IDLE, MARKER, NAME, Wire};
use crate::channel::Channel;

/// Becomes the launcher, and does not return, if this process was started to be it. Call it as the
/// very first thing in `main`: whatever was done before counts into the launcher's size.
#[expect(clippy::disallowed_methods, reason = "here this process is the launcher, not etalon")]
pub fn run_if_asked() {
    let mut arguments = std::env::args_os();
    match arguments.next() {
        Some(name) if name == *MARKER => {}
        Some(name) if name == *IDLE => std::process::exit(0),
        _ => return,
    }
    let parent = arguments.next().and_then(|number| number.to_str()?.parse().ok());
    let Some(parent) = parent else { return };
    end(&serve(parent));
}

/// Ends this process, which is the launcher.
#[expect(clippy::disallowed_methods, reason = "here this process is the launcher, not etalon")]
pub(super) fn end(served: &io::Result<()>) -> ! {
    let code = match served {
        Ok(()) => 0,
        Err(_) => 1, // etalon is gone, or sees its launcher go
    };
    std::process::exit(code);
}

/// The launcher's life: `parent` is etalon, the socket to it standard input.
pub(super) fn serve(parent: libc::pid_t) -> io::Result<()> {
    settle(parent)?;
    let releasable = releasable();
    // A copy above the standard ones, which are not ours to keep.
    let control = UnixStream::from(rustix::stdio::stdin().try_clone_to_owned()?);
    let taken = wire::take(&control);
    let mut control = Channel::new(control);
    let Some(wire) = control.receive::<Wire>()? else { return Ok(()) };
    let mut files = match taken {
        Ok(files) => files.into_iter(),
        Err(error) => {
            let refusal = Refusal::about("the launcher", &error);
            return control.send(&Reply::Refused(refusal));
        }
    };
    let (Some(stdin), Some(record)) = (files.next(), files.next()) else { return Ok(()) };
    streams::put(stdin.as_fd(), 0)?;
    let outputs = Outputs::new(&wire, record.into(), files.next().map(File::from));
    let parent = ParentLink::new(control.descriptor());
    let (mut bench, ready) = match set_up(&wire.setup, outputs, parent) {
        Ok(set_up) => set_up,
        Err(refusal) => return control.send(&Reply::Refused(refusal)),
    };
    let foreground = wire.setup.stdio.foreground;
    drop(wire);
    bench.make_keepers(); // which hooks then get has the terminal, and these have not
    releasable.release();
    let floor_rss = bench.floor();
    bench.keepers.end(Extent::All);
    if let (Foreground::Lend, Some(terminal)) = (foreground, Terminal::from_parent()) {
        bench.executor.lend(terminal);
    }
    control.send(&Reply::Ready(Ready { floor_rss, ..ready }))?;
    while let Some(request) = control.receive::<Request>()? {
        if matches!(request, Request::Batch(_)) {
            bench.make_keepers();
        }
        releasable.release();
        let over = answer(request, &mut bench, &mut control)?;
        control.send(&over)?;
    }
    Ok(())
}

/// Does what is asked for.
fn answer(request: Request, bench: &mut BatchRunner, control: &mut Channel) -> io::Result<Reply> {
    let mut leftovers = Vec::new();
    let (blocks_finished, why) = match request {
        Request::Batch(batch) => bench.run(&batch),
        Request::End(extent) => {
            signals::clear_stop(); // one that comes from here on hurries it
            leftovers = bench.keepers.end(extent);
            (0, Over::Done)
        }
        Request::Perform(perform) => {
            if matches!(perform.role, Hook::Conclude | Hook::Cleanup) {
                signals::clear_stop();
            }
            control.send(&Reply::Begun)?; // fails if that stop was etalon's end
            (0, bench.perform(perform))
        }
    };
    let appended = bench.outputs.take_appended();
    let (given_up, unseen) = (std::mem::take(&mut bench.given_up), bench.printed.unseen());
    Ok(Reply::Over { blocks_finished, why, appended, given_up, unseen, leftovers })
}

/// Memory that can be given back, in pieces where executions need some of it: found out while etalon is busy, before it
/// has told anything.
fn releasable() -> Releasable {
    let releasable = Releasable::new();
    if let Ok(mut bench) = bare() {
        releasable.release();
        bench.rehearse();
        releasable.split();
    }
    releasable
}

/// A bench with nothing to execute and nowhere to record it, to rehearse on.
fn bare() -> io::Result<BatchRunner> {
    let stdio = Stdio {
        stdin: Input::Inherit,
        stdout: Output::Inherit,
        stderr: Output::Inherit,
        ..Stdio::default()
    };
    let metrics = metrics(None, Counters::Off, Cgroup::Off).into_iter().map(|metric| metric.name);
    let setup = Setup { stdio, metrics: metrics.collect(), ..Setup::default() };
    let wire = Wire { setup, record: Text::default(), second: None, rows: None };
    let nowhere = File::options().append(true).open("/dev/null")?;
    let outputs = Outputs::new(&wire, nowhere, None);
    let bench = set_up(&wire.setup, outputs, ParentLink::new(-1));
    bench.map(|(bench, _)| bench).map_err(|refusal| io::Error::other(refusal.why))
}

/// Arranges the process: whose death ends it, whose orphans it gets, what it passes on.
fn settle(parent: libc::pid_t) -> io::Result<()> {
    signals::install()?;
    // SAFETY: these calls have no memory preconditions. SIGCHLD may have been inherited as ignored,
    // which would take our children's statuses away.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        libc::prctl(libc::PR_SET_NAME, NAME.as_ptr());
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
        if libc::getppid() != parent {
            return Err(io::ErrorKind::NotConnected.into()); // etalon died before the line above
        }
    }
    keep_to_ourselves()
}

/// Nothing but 0, 1 and 2 passes to commands.
pub(crate) fn keep_to_ourselves() -> io::Result<()> {
    let flags = libc::CLOSE_RANGE_CLOEXEC.cast_signed();
    // SAFETY: sets a flag on our own descriptors; no memory preconditions.
    if unsafe { libc::close_range(3, u32::MAX, flags) } == 0 {
        return Ok(());
    }
    // Before Linux 5.11, or where a sandbox refuses what it does not know.
    for entry in std::fs::read_dir("/proc/self/fd")? {
        let fd = entry?.file_name().to_str().and_then(|name| name.parse::<RawFd>().ok());
        if let Some(fd) = fd.filter(|fd| *fd > 2) {
            // SAFETY: sets a flag on a descriptor of ours; no memory preconditions.
            unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
    Ok(())
}

fn set_up(
    setup: &Setup,
    outputs: Outputs,
    parent: ParentLink,
) -> Result<(BatchRunner, Ready), Refusal> {
    control::take_on(&setup.control)?;
    let mut hooks = setup.hooks.iter().map(program).collect::<Result<_, _>>()?;
    let subjects = subjects(setup, &mut hooks)?;
    let environment = bytes(&setup.environment);
    let spawner = Spawner::new(&environment).map_err(|e| Refusal::about("the environment", &e))?;
    let streams = Streams::set_up(&setup.stdio)?;
    if let Some(directory) = &setup.directory {
        std::env::set_current_dir(directory.as_os_str())
            .map_err(|e| Refusal::about_path(directory.as_os_str().as_ref(), &e))?;
    }
    let order = extras::wanted(setup);
    let printed = PrintedMetrics::of(setup)?;
    let mut executor = Executor {
        spawner,
        timeout: None,
        terminal: None, // lent after the rehearsal
        orphans: Orphans::default(),
        waiting: order.contains(&Some(Source::CpuWait)).then(ExitedProcess::open).flatten(),
        extras: Extras::default(),
    };
    let ready = available::set_up(setup, &order, &mut executor);
    executor.timeout = setup.timeout_ns.map(Duration::from_nanos); // the user's programs'
    let bench = BatchRunner {
        subjects,
        hooks,
        keepers: Keepers::default(),
        padding: None,
        parent,
        executor,
        streams,
        outputs,
        order,
        printed,
        given_up: Vec::new(),
        started_ns: setup.started_ns,
    };
    Ok((bench, ready))
}

/// The commands; what is executed around each goes to `hooks`.
fn subjects(setup: &Setup, hooks: &mut Vec<Program>) -> Result<Vec<Subject>, Refusal> {
    let mut placed = |hook: &Option<Execute>| {
        let Some(hook) = hook else { return Ok(None) };
        hooks.push(program(hook)?);
        Ok(Some(hooks.len() - 1))
    };
    let subject = |command: &super::protocol::Command| {
        Ok(Subject {
            program: program(&command.execute)?,
            prepare: placed(&command.prepare)?,
            conclude: placed(&command.conclude)?,
            accept: command.accept.clone(),
            files: command.files.clone(),
        })
    };
    setup.commands.iter().map(subject).collect()
}

fn program(execute: &Execute) -> Result<Program, Refusal> {
    let directory = execute.directory.as_ref().map(Text::as_bytes);
    Program::new(execute.path.as_bytes(), &bytes(&execute.argv))
        .and_then(|program| program.surrounded(&bytes(&execute.environment), directory))
        .map_err(|e| Refusal { subject: execute.path.clone(), why: e.to_string() })
}

fn bytes(texts: &[Text]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
