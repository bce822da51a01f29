//! Nodes come together: each is reached, told apart from the others and made ready, or left out with its reason.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::thread::Builder;
use std::time::{Duration, Instant};

use etalon_probe::batch::{Array, Task};
use etalon_probe::far::{Closer, Host};
use etalon_probe::limits::explained;
use etalon_probe::{clock, program};

use super::agreement::Account;
use super::attendant::{Attendant, Event, Shipment};
use super::cargo::Cargo;
use super::collector::{Collector, PATIENCE, Reach};
use super::member::{Member, Place};
use super::protocol::Ready;
use super::route::{ByFiles, BySsh, Route, WORKER};
use crate::error::{NodesError, RunError};

/// A node that measures nothing.
#[derive(Debug)]
pub struct Visited {
    /// Its name.
    pub name: String,
    /// Its account of itself.
    pub ready: Ready,
}

/// How long the first node of a job waits for the others; they come later, or never.
const STRAGGLERS: Duration = Duration::from_secs(30);

/// When it is said for the first time that a job waits, and how often.
const QUEUED: Duration = Duration::from_secs(5);
const STILL_QUEUED: Duration = Duration::from_secs(300);

impl Collector {
    /// Tries to reach all nodes, for what they will be sent later: why some cannot be is said at once. Of a cluster, whether
    /// it would take the job.
    ///
    /// # Errors
    /// If none can be reached.
    pub fn reach(&mut self) -> Result<(), RunError> {
        let none = |reasons: Vec<String>| RunError::Nodes(NodesError::None(reasons));
        if let Reach::Slurm(wishes) = &self.setup.reach {
            let taken = Array::test(wishes, self.setup.path.as_deref());
            return taken.map_err(|error| none(vec![error.to_string()]));
        }
        self.connect()?;
        self.wait_while(Member::is_coming)?;
        match self.is_hopeless() {
            true => Err(none(std::mem::take(&mut self.reasons))),
            false => Ok(()),
        }
    }

    /// Sends this to the nodes that are reached, and to those that will be.
    pub fn take_along(&mut self, cargo: Cargo) {
        self.setup.cargo = cargo;
    }

    /// Has the luggage ready, for a run set that was begun then.
    pub(super) fn loads(&mut self, seed: u64, started_ns: u64) {
        let cargo = self.setup.cargo.clone();
        let hash = program::hash(&cargo.program.path).map(String::from).unwrap_or_default();
        let put = OnceLock::new();
        self.sent = Some(Arc::new(Shipment { cargo, hash, seed, started_ns, put }));
    }

    /// Has all nodes reached, side by side, unless that was begun before.
    ///
    /// # Errors
    /// If Slurm refuses the job.
    pub(super) fn connect(&mut self) -> Result<(), RunError> {
        if !self.members.is_empty() {
            return Ok(());
        }
        let setup = &self.setup;
        let path = setup.path.clone();
        match &setup.reach {
            Reach::Ssh { hosts, sockets } => {
                let sockets = sockets.clone();
                for (number, host) in hosts.clone().into_iter().enumerate() {
                    self.connect_to(host, sockets.join(number.to_string()), path.clone());
                }
            }
            Reach::Slurm(wishes) => {
                let program = (&*setup.cargo.program.path, WORKER);
                let array = Array::submit(wishes, program, path.as_deref())
                    .map_err(|error| RunError::Nodes(NodesError::None(vec![error.to_string()])))?;
                let (array, nodes) = (Arc::new(array), wishes.nodes);
                self.array = Some(Arc::clone(&array));
                for number in 1..=nodes {
                    let route = ByFiles::new(Task::new(Arc::clone(&array), number));
                    self.attend(Box::new(route), Arc::default());
                }
            }
        }
        Ok(())
    }

    fn connect_to(&mut self, host: Host, sockets: PathBuf, path: Option<OsString>) {
        let closer = Arc::new(OnceLock::new());
        let (reached, session, patience) = (None, None, self.setup.patience);
        let ended_by = Arc::clone(&closer);
        let route = BySsh { host, sockets, path, patience, closer: ended_by, reached, session };
        self.attend(Box::new(route), closer);
    }

    /// Has a node attended to, which is reached this way.
    pub(super) fn attend(&mut self, route: Box<dyn Route>, closer: Arc<OnceLock<Closer>>) {
        let (orders, told) = channel();
        let is_unwanted = Arc::new(AtomicBool::new(false));
        let name = route.name();
        let attendant = Attendant {
            route,
            program: self.setup.cargo.program.clone(),
            events: (self.members.len(), self.sender.clone()),
            orders: told,
            is_unwanted: Arc::clone(&is_unwanted),
        };
        let started = Builder::new().spawn(move || attendant.attend());
        let refusal = started.as_ref().err().map(explained);
        self.members.push(Member {
            name,
            number: 0,
            numbers: Vec::new(),
            place: Place::Coming,
            asked: VecDeque::new(),
            blocks: 0,
            delivered: 0,
            ending: None,
            thread: started.ok(),
            orders,
            is_unwanted,
            closer,
        });
        if let Some(why) = refusal {
            self.refuse(self.members.len() - 1, &why);
        }
    }

    /// Has all nodes say what they are: those that do, and why others do not.
    ///
    /// # Errors
    /// If none does.
    pub fn visit(&mut self) -> Result<(Vec<Visited>, Vec<String>), RunError> {
        self.connect()?;
        self.loads(0, clock::now_ns());
        self.gather(&[])?;
        for member in 0..self.members.len() {
            if !self.members[member].is_here() {
                self.refuse(member, "it was not ready when the others were");
            }
        }
        let place = |member: &mut Member| std::mem::replace(&mut member.place, Place::Gone);
        let visited = self.members.iter_mut().filter_map(|member| match place(member) {
            Place::Here(ready, ..) => Some(Visited { name: member.name.clone(), ready: *ready }),
            _ => None,
        });
        let visited: Vec<Visited> = visited.collect();
        match visited.is_empty() {
            true => Err(RunError::Nodes(NodesError::None(std::mem::take(&mut self.reasons)))),
            false => Ok((visited, std::mem::take(&mut self.reasons))),
        }
    }

    /// Waits until some node is ready and none is about to be.
    pub(super) fn gather(&mut self, benchmarks: &[String]) -> Result<(), RunError> {
        while self.here() == 0 && !self.is_hopeless() {
            self.wait_while(Member::is_coming)?;
            self.without_doubles();
            self.wait_while(|member| matches!(member.place, Place::Reached(_)))?;
            self.with_the_same(benchmarks);
        }
        Ok(())
    }

    /// Waits as long as there is such a node, but not for long once another is further: the rest comes later, or never.
    fn wait_while(&mut self, is_waited_for: fn(&Member) -> bool) -> Result<(), RunError> {
        let began = Instant::now();
        let (mut first, mut said): (Option<Instant>, Option<Instant>) = (None, None);
        while self.members.iter().any(is_waited_for) {
            let is_queue = self.array.is_some() && self.members.iter().any(Member::is_coming);
            let is_some = match is_queue {
                true => self.members.iter().any(|member| member.boot().is_some()),
                false => self.here() > 0,
            };
            if first.is_none() && is_some {
                first = Some(Instant::now());
            }
            let most = if is_queue { STRAGGLERS } else { self.setup.patience };
            if first.is_some_and(|first| first.elapsed() > most) {
                return Ok(());
            }
            let next = said.map_or(began + QUEUED, |said| said + STILL_QUEUED);
            if is_queue && Instant::now() > next {
                said = Some(Instant::now());
                self.say_queued();
            }
            self.hear();
            if (self.setup.interrupted)() {
                return Err(RunError::Nodes(NodesError::Interrupted));
            }
        }
        Ok(())
    }

    fn say_queued(&mut self) {
        let Some(array) = &self.array else { return };
        let Some((waiting, reason)) = array.waiting() else { return };
        let said = format!(
            "job {}: {waiting} of {} nodes wait in Slurm's queue ({reason}); Ctrl-C cancels the job",
            array.id(),
            self.members.len()
        );
        (self.setup.tell)(&said);
    }

    /// Takes the next event before anything is measured.
    fn hear(&mut self) {
        match self.events.recv_timeout(PATIENCE) {
            Ok((member, Event::Ground(name, ground))) => {
                let member = &mut self.members[member];
                if member.is_coming() {
                    (member.name, member.place) = (name, Place::Reached(ground));
                }
            }
            Ok((member, Event::Ready(ready, input))) => {
                let place = std::mem::replace(&mut self.members[member].place, Place::Gone);
                if let Place::Reached(ground) = place {
                    self.members[member].place = Place::Here(ready, ground, input);
                }
            }
            Ok((member, Event::Gone(loss))) => {
                self.refuse(member, &loss.why);
                if let Some(route) = loss.again {
                    self.attend(route, Arc::default());
                }
            }
            Ok((_, Event::Done(..))) | Err(_) => {}
        }
    }

    /// Leaves a node out before it has measured anything.
    pub(super) fn refuse(&mut self, member: usize, why: &str) {
        if self.members[member].is_gone() {
            return;
        }
        let told = format!("{}: {why}", self.members[member].name);
        self.members[member].leave();
        // The error names all reasons where none is left.
        if !self.is_hopeless() {
            (self.setup.tell)(&format!("{told}; the others go on without it"));
        }
        self.reasons.push(told);
    }

    /// Two names of one machine are one node.
    pub(super) fn without_doubles(&mut self) {
        for number in 0..self.members.len() {
            if let Place::Reached(ground) = &self.members[number].place {
                let boot = ground.boot.clone();
                self.admit(number, &boot);
            }
        }
    }

    /// Has a node that is reached go on, unless it has another name already.
    fn admit(&mut self, number: usize, boot: &str) {
        let is_same = |(place, member): &(usize, &Member)| {
            let is_before = *place < number || member.is_here();
            is_before && *place != number && member.boot() == Some(boot)
        };
        let same = self.members.iter().enumerate().find(is_same);
        match same.map(|(_, member)| member.name.clone()) {
            Some(first) => self.refuse(number, &format!("it is the same machine as {first}")),
            None => {
                let numbers = self.register.first_numbers();
                let member = &mut self.members[number];
                member.numbers = numbers;
                let _told = member.orders.send(self.sent.clone());
            }
        }
    }

    /// Leaves out nodes that make something else of the same words.
    pub(super) fn with_the_same(&mut self, names: &[String]) {
        for number in 0..self.members.len() {
            let Place::Here(ready, ..) = &self.members[number].place else { continue };
            if !ready.benchmarks.iter().map(|(name, _)| name).eq(names) {
                let others = ready.benchmarks.iter().map(|(name, _)| name.as_str());
                let others = others.collect::<Vec<_>>().join(", ");
                let why = ready.fails.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
                let why = format!("it makes other benchmarks of the same words: {others}{why}");
                self.refuse(number, &why);
            }
        }
    }

    pub(super) fn told(&self) -> Vec<Account<'_>> {
        self.members.iter().filter_map(Member::account).collect()
    }
}
