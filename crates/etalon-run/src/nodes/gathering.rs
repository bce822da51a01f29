//! Nodes come together: each is connected to, told apart from the others and made ready, or left out with its reason.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::thread;

use etalon_probe::program;

use super::agreement::Account;
use super::attendant::{Attendant, Event, Shipment};
use super::collector::{Collector, CollectorSetup, PATIENCE};
use super::member::{Member, Place};
use crate::error::{NodesError, RunError};
use crate::experiment::Experiment;

impl Collector {
    /// Has all nodes connected to, side by side.
    pub(super) fn connect(&mut self, seed: u64, started_ns: u64) {
        let CollectorSetup { words, files, copies, program, path, .. } = &self.setup;
        let sent = Arc::new(Shipment {
            program: program.clone(),
            hash: program::hash(&program.path).map(String::from).unwrap_or_default(),
            files: files.clone(),
            copies: copies.clone(),
            words: words.clone(),
            seed,
            started_ns,
            path: path.clone(),
        });
        for (number, host) in self.setup.hosts.iter().enumerate() {
            let (orders, told) = channel();
            let is_unwanted = Arc::new(AtomicBool::new(false));
            let closer = Arc::new(OnceLock::new());
            let attendant = Attendant {
                host: host.clone(),
                sent: Arc::clone(&sent),
                sockets: self.setup.sockets.join(number.to_string()),
                events: (number, self.sender.clone()),
                orders: told,
                is_unwanted: Arc::clone(&is_unwanted),
                closer: Arc::clone(&closer),
            };
            self.members.push(Member {
                name: host.name().to_owned(),
                number: 0,
                place: Place::Coming,
                asked: VecDeque::new(),
                blocks: 0,
                thread: Some(thread::spawn(move || attendant.attend())),
                orders,
                is_unwanted,
                closer,
            });
        }
    }

    /// Waits until no node is in a place like this any more.
    pub(super) fn wait_while(&mut self, is_waited_for: fn(&Place) -> bool) -> Result<(), RunError> {
        while self.members.iter().any(|member| is_waited_for(&member.place)) {
            match self.events.recv_timeout(PATIENCE) {
                Ok((member, Event::Ground(ground))) => {
                    self.members[member].place = Place::Reached(ground);
                }
                Ok((member, Event::Ready(ready, input))) => {
                    let place = std::mem::replace(&mut self.members[member].place, Place::Gone);
                    if let Place::Reached(ground) = place {
                        self.members[member].place = Place::Here(ready, ground, input);
                    }
                }
                Ok((member, Event::Gone(why))) => self.refuse(member, &why),
                Ok((_, Event::Done(..))) | Err(_) => {}
            }
            if (self.setup.interrupted)() {
                return Err(RunError::Nodes(NodesError::Interrupted));
            }
        }
        Ok(())
    }

    /// Leaves a node out before anything is measured.
    fn refuse(&mut self, member: usize, why: &str) {
        if self.members[member].is_gone() {
            return;
        }
        let told = format!("{}: {why}", self.members[member].name);
        self.members[member].leave();
        (self.setup.tell)(&format!("{told}; the others go on without it"));
        self.reasons.push(told);
    }

    /// Two names of one machine are one node.
    pub(super) fn without_doubles(&mut self) {
        let boot = |member: &Member| match &member.place {
            Place::Reached(ground) => Some(ground.boot.clone()),
            _ => None,
        };
        for number in 0..self.members.len() {
            let Some(own) = boot(&self.members[number]) else { continue };
            let same = self.members[..number].iter().find(|it| boot(it).as_ref() == Some(&own));
            match same.map(|it| it.name.clone()) {
                Some(first) => {
                    self.refuse(number, &format!("it is the same machine as {first}"));
                }
                None => {
                    let _told = self.members[number].orders.send(true);
                }
            }
        }
    }

    /// Leaves out nodes that make something else of the same words.
    pub(super) fn with_the_same(&mut self, experiment: &Experiment) {
        let names = experiment.benchmarks.iter().map(|line| line.to_benchmark().label());
        let names: Vec<String> = names.collect();
        for number in 0..self.members.len() {
            let Place::Here(ready, ..) = &self.members[number].place else { continue };
            if !ready.benchmarks.iter().map(|(name, _)| name).eq(&names) {
                let others = ready.benchmarks.iter().map(|(name, _)| name.as_str());
                let others = others.collect::<Vec<_>>().join(", ");
                self.refuse(
                    number,
                    &format!("it makes other benchmarks of the same words: {others}"),
                );
            }
        }
    }

    pub(super) fn told(&self) -> Vec<Account<'_>> {
        let told = self.members.iter().filter_map(|member| match &member.place {
            Place::Here(ready, ground, _) => {
                Some(Account { name: &member.name, boot: &ground.boot, ready })
            }
            _ => None,
        });
        told.collect()
    }
}
