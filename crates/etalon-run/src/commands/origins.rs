//! Commands on two sides of a project: whether each side executes what is its own, found out before anything is measured.
//!
//! Owns: one execution of each command on each side under a tracer, as [`super::once`] has it executed. What that says
//! is [`crate::sides::origin`]'s. Where nothing can be traced, it says so, and what the words of the command
//! name decides. Refuses to record executions.

mod findings;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use etalon_core::model::{BASE, HEAD};
use etalon_core::model::{Context, Outcome};
use etalon_probe::launcher::protocol::Over;
use etalon_probe::memory_file;
use etalon_probe::trace::{Report, Trace};
use etalon_record::Text;

use super::once::Once;
use super::setup::CommandSetup;
use crate::error::{OriginError, RunError};
use crate::sides::contents::Contents;
use crate::sides::origin::{Execution, Origin, Project, origin};
pub use findings::facts;
use findings::{Findings, Untraced};

/// The sides, in the order of a pair's subjects.
const SIDES: [&str; 2] = [BASE, HEAD];

/// Commands on two sides that are to be traced.
pub struct Origins {
    /// The commands.
    pub pairs: Vec<Pair>,
    /// The tops of the copies that they are executed in, the base's first.
    pub roots: [PathBuf; 2],
    /// The project's name: that of the directory it is in, where that is known.
    pub project: OsString,
    /// Where it is besides: its other copies, and the working tree.
    pub elsewhere: Vec<PathBuf>,
    /// How many commands there are besides, of which it is known that they are built for this run.
    pub others: usize,
    /// Says whether the user has asked to stop since it was called last.
    pub interrupted: Box<dyn FnMut() -> bool>,
}

/// A command on both sides.
#[derive(Debug, Clone)]
pub struct Pair {
    /// Its name in messages.
    pub name: String,
    /// The subjects that it is, the base's first.
    pub subjects: [usize; 2],
    /// The program and the files that its words name.
    pub named: Named,
}

/// The files that a command's words name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// A file of each side.
    Own,
    /// Of some side, nothing but a file outside.
    Outside(PathBuf),
}

impl fmt::Debug for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Origins").field("pairs", &self.pairs).finish_non_exhaustive()
    }
}

/// Both copies: where they are, and what they hold.
struct Copies {
    /// Their tops, links resolved.
    roots: [PathBuf; 2],
    project: Project,
    contents: Contents,
}

impl Copies {
    fn of(origins: &Origins) -> Copies {
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let roots = [real(&origins.roots[0]), real(&origins.roots[1])];
        let contents = Contents::of(roots.clone());
        // What one side has is elsewhere for the other.
        let elsewhere = origins.elsewhere.iter().map(real).chain(roots.iter().cloned()).collect();
        let project = Project::new(origins.project.clone(), elsewhere, contents.files());
        Copies { roots, project, contents }
    }

    fn origin(&mut self, opened: [&BTreeSet<PathBuf>; 2], seen: [&BTreeSet<PathBuf>; 2]) -> Origin {
        let Copies { roots, project, contents } = self;
        let execution = |at: usize| {
            let (root, opened, seen) = (&roots[at], opened[at], seen[at]);
            Execution { side: SIDES[at], root, opened, seen }
        };
        origin([execution(0), execution(1)], project, &mut |file| contents.differ(file))
    }
}

/// A reason why there is no trace of a command.
enum NoTrace {
    /// It cannot be traced, or did not come to a good end.
    Untraced(Untraced),
    /// Nothing more can be executed.
    Failed(RunError),
}

impl From<RunError> for NoTrace {
    fn from(error: RunError) -> NoTrace {
        NoTrace::Failed(error)
    }
}

impl Origins {
    /// Executes the commands among these subjects, and says what to record.
    ///
    /// # Errors
    /// If a side does not execute what is its own, or the launcher cannot be had.
    pub fn find(
        &mut self,
        setup: &CommandSetup,
        among: impl Fn(usize) -> bool,
    ) -> Result<Context, RunError> {
        let mut copies = Copies::of(self);
        let mut findings = Findings::beside(self.others);
        findings.are_named_otherwise = !copies.contents.are_named_alike();
        let is_asked = |pair: &&Pair| pair.subjects.iter().all(|subject| among(*subject));
        let pairs: Vec<Pair> = self.pairs.iter().filter(is_asked).cloned().collect();
        for pair in pairs {
            let traces = match self.both(setup, &pair) {
                Ok(traces) => traces,
                Err(NoTrace::Untraced(untraced)) => {
                    findings.lack(untraced, &pair)?;
                    continue;
                }
                Err(NoTrace::Failed(error)) => return Err(error),
            };
            let opened = [0, 1].map(|at| opened(&traces[at], &copies.roots[at], &copies.project));
            let executed = setup.commands.get(pair.subjects[0]).map(|it| &it.execute.path);
            let program = executed.map_or("it".into(), |path| path.to_string_lossy());
            let seen = [0, 1].map(|at| seen(&traces[at], &copies.roots[at], &copies.project));
            let found = copies.origin([&opened[0], &opened[1]], [&seen[0], &seen[1]]);
            let look_alike = |path: &Path| copies.contents.look_alike(path);
            findings.add(found, &pair.name, &program, look_alike).map_err(RunError::Origin)?;
            let peers = traces.iter().flat_map(|trace| &trace.peers);
            findings.peers.extend(peers.map(|peer| peer.to_string_lossy().into_owned()));
        }
        Ok(findings.facts())
    }

    /// Judges files that were compiled on both sides, the base's first, into what `name` says; facts for the record.
    ///
    /// # Errors
    /// If a side has compiled another file in place of its own.
    pub fn compiled(
        &self,
        name: &str,
        files: [&BTreeSet<PathBuf>; 2],
    ) -> Result<Context, OriginError> {
        let mut findings = Findings::beside(self.others);
        let nothing = BTreeSet::new();
        let found = Copies::of(self).origin(files, [&nothing, &nothing]);
        findings.add(found, name, name, |_| true)?;
        Ok(findings.facts())
    }

    /// A command on both sides.
    fn both(&mut self, setup: &CommandSetup, pair: &Pair) -> Result<[Trace; 2], NoTrace> {
        let [base, head] = pair.subjects;
        let base = self.whole(setup, base)?;
        Ok([base, self.whole(setup, head)?])
    }

    /// One execution of which everything was seen.
    fn whole(&mut self, setup: &CommandSetup, subject: usize) -> Result<Trace, NoTrace> {
        let trace = self.traced(setup, subject)?;
        match trace.gaps.first() {
            Some(gap) => Err(NoTrace::Untraced(Untraced::Gap(gap.to_string()))),
            None => Ok(trace),
        }
    }

    /// One execution.
    fn traced(&mut self, setup: &CommandSetup, subject: usize) -> Result<Trace, NoTrace> {
        let not_executed = || NoTrace::Untraced(Untraced::not_executed());
        let mut setup = setup.alone(subject).ok_or_else(not_executed)?;
        let gap = |error: std::io::Error| NoTrace::Untraced(Untraced::Gap(error.to_string()));
        let (report, record) = (Report::new().map_err(gap)?, memory_file::create().map_err(gap)?);
        for command in &mut setup.commands {
            command.execute = report.around(&command.execute);
        }
        match Once::new(&setup, &record, &mut self.interrupted)?.execute()? {
            Over::Done => {}
            Over::Interrupted => return Err(RunError::Origin(OriginError::Interrupted).into()),
            Over::Stopped(failure) => {
                let what = if failure.hook.is_some() { "what is executed around it" } else { "it" };
                let how = format!("{what} {}", ended(&failure.outcome));
                return Err(NoTrace::Untraced(Untraced::Ended(how)));
            }
            Over::DeadlinePassed | Over::WriteFailed { .. } => return Err(not_executed()),
        }
        let cut = || NoTrace::Untraced(Untraced::Ended("its tracer ended before it".to_owned()));
        report.read().ok_or_else(cut)
    }
}

/// Files that were opened, and were there before or are still: those that programs make for themselves have other names
/// each time. The input counts where it is the side's: another one is that of both, as it was asked for.
fn opened(trace: &Trace, root: &Path, project: &Project) -> BTreeSet<PathBuf> {
    let input = trace.input.iter().filter(|path| Path::new(path.as_os_str()).starts_with(root));
    let paths = trace.opened.iter().chain(input).map(|path| PathBuf::from(path.as_os_str()));
    let was_there = |path: &Path| path.strip_prefix(root).is_ok_and(|file| project.has(file));
    paths.filter(|path| path.is_file() || was_there(path)).collect()
}

/// Names below the top that were seen without opening them, and were there before: of files that were asked about, and
/// of directories that were listed. Python lists wherever it looks for modules, whether or not one is there, and nothing
/// follows from that.
fn seen(trace: &Trace, root: &Path, project: &Project) -> BTreeSet<PathBuf> {
    let below =
        |path: &Text| Path::new(path.as_os_str()).strip_prefix(root).ok().map(Path::to_owned);
    let asked_about = trace.asked_about.iter().filter_map(below);
    let asked_about = asked_about.filter(|path| project.has(path));
    let listed = trace.listed.iter().filter(|(_, program)| !is_python(program));
    let listed = listed.filter_map(|(directory, _)| below(directory));
    asked_about.chain(listed.filter(|path| project.has_below(path))).collect()
}

fn is_python(program: &Text) -> bool {
    let name = Path::new(program.as_os_str()).file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| ["python", "pypy"].iter().any(|start| name.starts_with(start)))
}

/// How an execution that says nothing ended.
fn ended(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok => "ended".to_owned(),
        Outcome::Failed { code } => format!("failed with exit code {code} when it was traced"),
        Outcome::Killed { signal } => outcome.stopped_by().map_or_else(
            || format!("was ended by signal {signal} when it was traced"),
            |stopped| format!("{stopped} when it was traced"),
        ),
        Outcome::TimedOut => "took longer than it may when it was traced".to_owned(),
        Outcome::Suspended => "was suspended when it was traced".to_owned(),
        Outcome::NotStarted { why } => format!("could not be started: {why}"),
    }
}
