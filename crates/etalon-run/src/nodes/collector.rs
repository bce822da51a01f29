//! The executor that has blocks executed elsewhere.
//!
//! Owns which node executes which block, that a block counts once, and what becomes of blocks whose node is gone. Refuses to
//! record part of a block.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use etalon_core::model::{Context, Node, Note, Phase};
use etalon_core::plan::Stage;
use etalon_probe::batch::{Array, Wishes};
use etalon_probe::far::Host;
use etalon_record::raw::{ToldLine, renumbered};

use super::agreement;
use super::answer::{Answer, understood};
use super::attendant::{Event, Loss, Shipment};
use super::cargo::Cargo;
use super::member::Member;
use super::prelude::Prelude;
use super::protocol::Request;
use super::register::Register;
use crate::error::{NodesError, RunError};
use crate::executor::{Batch, Executed, Executor, Flow, Stop};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;
use crate::state::Started;

/// How often the user is asked whether to stop.
pub(super) const PATIENCE: Duration = Duration::from_millis(50);

/// How long nodes have to end when nothing more is wanted of them, before their connections are closed.
pub(super) const LONG: Duration = Duration::from_secs(10);

/// Blocks handed over at once for each node: enough that the wait for the last of them is a small part.
const SHARE: usize = 32;

/// Something that all nodes have to have alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equal {
    /// The model of their CPUs.
    Cpu,
}

/// How nodes are reached.
#[derive(Debug)]
pub enum Reach {
    /// By ssh.
    Ssh {
        /// The nodes.
        hosts: Vec<Host>,
        /// A directory for sockets of ssh, the user's alone.
        sockets: PathBuf,
    },
    /// As tasks of a job of Slurm.
    Slurm(Wishes),
}

/// Settings of a collector.
pub struct CollectorSetup {
    /// The nodes.
    pub reach: Reach,
    /// The luggage that they are sent.
    pub cargo: Cargo,
    /// Where ssh and the programs of Slurm are looked for.
    pub path: Option<OsString>,
    /// A thing that nodes have to have alike.
    pub equal: Option<Equal>,
    /// How long a node is waited for that is silent, or does not do what others have done.
    pub patience: Duration,
    /// Tells the user something at once.
    pub tell: Box<dyn FnMut(&str)>,
    /// Whether the user asked to stop.
    pub interrupted: Box<dyn FnMut() -> bool>,
}

/// Executes blocks on nodes.
pub struct Collector {
    pub(super) setup: CollectorSetup,
    pub(super) members: Vec<Member>,
    pub(super) events: Receiver<(usize, Event)>,
    pub(super) sender: Sender<(usize, Event)>,
    /// How long the last blocks took, in ns.
    pub(super) took: Vec<u64>,
    /// Whether some block was delivered.
    pub(super) has_blocks: bool,
    /// Blocks that were delivered once more.
    pub(super) duplicates: u32,
    /// Why nodes were left out.
    pub(super) reasons: Vec<String>,
    /// The luggage of nodes, once they are reached.
    pub(super) sent: Option<Arc<Shipment>>,
    /// The job whose tasks they are, if they are.
    pub(super) array: Option<Arc<Array>>,
    /// The names of nodes in the record, by number.
    pub(super) roster: Vec<String>,
    /// Facts that the first nodes had in common.
    pub(super) common: Context,
    pub(super) prelude: Prelude,
    /// The metrics and benchmarks that are known.
    pub(super) register: Register,
}

impl Collector {
    /// On these nodes. Nothing is connected to yet.
    #[must_use]
    pub fn new(setup: CollectorSetup) -> Collector {
        let (sender, events) = channel();
        Collector {
            setup,
            members: Vec::new(),
            events,
            sender,
            took: Vec::new(),
            has_blocks: false,
            duplicates: 0,
            reasons: Vec::new(),
            sent: None,
            array: None,
            roster: Vec::new(),
            common: Context::default(),
            prelude: Prelude::default(),
            register: Register::default(),
        }
    }

    pub(super) fn here(&self) -> usize {
        self.members.iter().filter(|member| member.is_here()).count()
    }

    /// Leaves a node out while something is measured.
    pub(super) fn leave_out(
        &mut self,
        member: usize,
        why: &str,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), RunError> {
        if self.members[member].is_gone() {
            return Ok(());
        }
        let name = self.members[member].name.clone();
        self.members[member].leave();
        let told = format!("{name} is left out from here on: {why}");
        self.reasons.push(format!("{name}: {why}"));
        monitor.watcher.remark(&told);
        monitor.records.note(&Note::new("nodes", told))
    }

    /// Waits for the next answer for a moment. An interrupt is passed on.
    pub(super) fn next(&mut self, monitor: &mut Monitor<'_>) -> Result<Option<Answer>, RunError> {
        let event = self.events.recv_timeout(PATIENCE);
        if monitor.interrupted() {
            self.members.iter_mut().for_each(Member::interrupt);
        }
        let (member, done, bytes) = match event {
            Ok((member, Event::Done(done, bytes))) => (member, done, bytes),
            Ok((member, Event::Gone(loss))) => {
                let Loss { why, again } = loss;
                self.leave_out(member, &why, monitor)?;
                again.into_iter().for_each(|route| self.attend(route, Arc::default()));
                return Ok(None);
            }
            Ok((member, Event::Ground(name, ground))) => {
                self.reached(member, name, ground);
                return Ok(None);
            }
            Ok((member, Event::Ready(ready, input))) => {
                self.joined(member, (ready, input), monitor)?;
                return Ok(None);
            }
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => return Err(self.lost()),
        };
        let Some((request, since_ns)) = self.members[member].answered() else {
            return Ok(None);
        };
        let numbers = &mut self.members[member].numbers;
        match understood(&request, &done, &bytes, (&mut self.register, numbers)) {
            Ok(lines) => Ok(Some(Answer { member, request, since_ns, done, lines, bytes })),
            Err(why) => {
                let why = format!("what it delivered is not what it was asked for: {why}");
                self.leave_out(member, &why, monitor)?;
                Ok(None)
            }
        }
    }

    pub(super) fn lost(&self) -> RunError {
        RunError::Nodes(NodesError::Lost(self.reasons.clone()))
    }

    /// Records what a node delivered.
    pub(super) fn record(
        &mut self,
        answer: &Answer,
        monitor: &Monitor<'_>,
    ) -> Result<(), RunError> {
        let Collector { register, members, .. } = self;
        if let Some(mut unwritten) = register.unwritten() {
            monitor.records.lines(|lines| lines.append(&mut unwritten), |_| {})?;
        }
        let metrics = register.metrics();
        let Member { name, number, .. } = &members[answer.member];
        let bytes = answer.bytes.split_inclusive(|byte| *byte == b'\n');
        for (line, bytes) in answer.lines.iter().zip(bytes) {
            match line {
                ToldLine::Observed(observation, _) => monitor.records.lines(
                    |lines| renumbered(lines, bytes, observation.benchmark, Some(*number)),
                    |rows| monitor.records.row(rows, observation, metrics),
                )?,
                ToldLine::Noted(note) => {
                    // In the subject: what is said of several nodes is one note then.
                    let about = format!("{} ({name})", note.about);
                    monitor.records.note(&Note { about, ..note.clone() })?;
                }
                ToldLine::Declared(_) | ToldLine::Benchmark => {}
                ToldLine::Other(Some(about)) => {
                    monitor
                        .records
                        .lines(|lines| renumbered(lines, bytes, *about, None), |_| {})?;
                }
                ToldLine::Other(None) => {
                    monitor.records.lines(|lines| lines.extend_from_slice(bytes), |_| {})?;
                }
            }
        }
        Ok(())
    }
}

impl Executor for Collector {
    fn start(
        &mut self,
        experiment: &Experiment,
        _: &Records<'_>,
        started_ns: u64,
    ) -> Result<Started, RunError> {
        self.register = Register::new(experiment);
        self.connect()?;
        self.loads(experiment.plan.seed, started_ns);
        self.gather(&experiment.labels())?;
        if self.here() == 0 {
            return Err(RunError::Nodes(NodesError::None(self.reasons.clone())));
        }
        let told = self.told();
        if let Some(why) = self.setup.equal.and_then(|Equal::Cpu| agreement::unequal(&told)) {
            return Err(RunError::Nodes(NodesError::Unequal(format!("cpu: {why}"))));
        }
        let (facts, nodes) = agreement::facts(&told);
        let differ = agreement::differences(&told);
        let mut notes = agreement::notes(&told);
        notes.extend(differ.iter().map(|how| Note::new("nodes", how.clone())));
        notes.extend(self.reasons.iter().map(|why| Note::new("nodes", format!("left out: {why}"))));
        drop(told);
        differ.iter().for_each(|how| (self.setup.tell)(how));
        let known = experiment.resumed.as_ref().map_or(&[][..], |it| &it.record.nodes);
        self.roster = known.iter().map(|node| node.name.clone()).collect();
        let is_new = |node: &Node| !self.roster.contains(&node.name);
        let new: Vec<_> = nodes.into_iter().filter(is_new).collect();
        self.roster.extend(new.iter().map(|node| node.name.clone()));
        for member in self.members.iter_mut().filter(|member| member.is_here()) {
            let number = self.roster.iter().position(|name| *name == member.name);
            member.number = u32::try_from(number.unwrap_or(0)).unwrap_or(u32::MAX);
        }
        self.common.clone_from(&facts);
        Ok(Started { facts, notes, nodes: new, failed: Vec::new() })
    }

    fn batch_size(&self, _: &Stage) -> u32 {
        u32::try_from(self.here().max(1) * SHARE).unwrap_or(u32::MAX)
    }

    fn set_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        Ok(self.everywhere(&Request::SetUp(stage.subjects.clone()), monitor)?.flow)
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        if batch.phase == Phase::Measured {
            return self.blocks(batch, monitor);
        }
        self.everywhere(&Request::warm_up(batch), monitor)
    }

    fn clean_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        Ok(self.everywhere(&Request::CleanUp(stage.subjects.clone()), monitor)?.flow)
    }

    fn put_away(&mut self, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.names_the_idle(monitor)?;
        let flow = self.everywhere(&Request::PutAway, monitor)?.flow;
        if self.duplicates > 0 {
            let text = format!(
                "blocks that were executed twice, because a node was slow or gone: {}; the first delivery counts",
                self.duplicates
            );
            monitor.records.note(&Note::new("nodes", text))?;
        }
        // That it was interrupted is known.
        Ok(match flow {
            Flow::Break(Stop { failure: Some(failure), .. }) => Stop::failed(failure),
            _ => Flow::Continue(()),
        })
    }

    /// Workers end, and take with them what was sent.
    fn end(&mut self) {
        self.members.iter_mut().for_each(Member::leave);
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.end();
        let since = Instant::now();
        let is_there = |member: &Member| member.thread.as_ref().is_some_and(|it| !it.is_finished());
        while self.members.iter().any(is_there) && since.elapsed() < LONG {
            sleep(Duration::from_millis(5));
        }
        for member in &mut self.members {
            if let Some(closer) = member.closer.get().filter(|_| is_there(member)) {
                closer.close();
            }
            let thread = member.thread.take();
            let _ended = thread.map(thread::JoinHandle::join);
        }
    }
}
