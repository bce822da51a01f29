//! A node as the collector sees it: what it was asked for, and whether it is there.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::Duration;

use etalon_probe::far::{Closer, Ground};
use etalon_probe::launcher::awake_ns;

use super::agreement::Account;
use super::attendant::Shipment;
use super::desk::line_of;
use super::protocol::{Ready, Request};
use super::route::Input;

/// A node.
pub(super) struct Member {
    /// As it was named.
    pub(super) name: String,
    /// Its number in the record, once that is known.
    pub(super) number: u32,
    pub(super) place: Place,
    /// Requests without an answer, and when they were made.
    pub(super) asked: VecDeque<(Request, u64)>,
    /// The numbers that the record has for the benchmarks of its worker.
    pub(super) numbers: Vec<usize>,
    /// Blocks of the stage under way that it has delivered, and of all stages.
    pub(super) blocks: u32,
    pub(super) delivered: u32,
    /// How many of its requests it was told to end, and since when.
    pub(super) ending: Option<(usize, u64)>,
    /// The thread that attends to it, and what is told to that.
    pub(super) thread: Option<JoinHandle<()>>,
    pub(super) orders: Sender<Option<Arc<Shipment>>>,
    pub(super) is_unwanted: Arc<AtomicBool>,
    /// Ends its connection, if it has one.
    pub(super) closer: Arc<OnceLock<Closer>>,
}

/// Where a node stands.
pub(super) enum Place {
    /// It is being connected to.
    Coming,
    /// There is a directory on it.
    Reached(Ground),
    /// Its worker waits for requests.
    Here(Box<Ready>, Ground, Input),
    /// It is left out.
    Gone,
}

impl Member {
    pub(super) fn is_here(&self) -> bool {
        matches!(self.place, Place::Here(..))
    }

    pub(super) fn is_gone(&self) -> bool {
        matches!(self.place, Place::Gone)
    }

    /// Its worker has nothing to do but so much.
    pub(super) fn has_room(&self, most: usize) -> bool {
        self.is_here() && self.asked.len() < most
    }

    /// Whether it is waited for: it is being connected to, or in a queue.
    pub(super) fn is_coming(&self) -> bool {
        matches!(self.place, Place::Coming)
    }

    /// Its boot number, once it is reached.
    pub(super) fn boot(&self) -> Option<&str> {
        match &self.place {
            Place::Reached(ground) | Place::Here(_, ground, _) => Some(&ground.boot),
            Place::Coming | Place::Gone => None,
        }
    }

    /// Its own account, if it is here.
    pub(super) fn account(&self) -> Option<Account<'_>> {
        match &self.place {
            Place::Here(ready, ground, _) => {
                Some(Account { name: &self.name, boot: &ground.boot, ready })
            }
            _ => None,
        }
    }

    /// Asks its worker for something. Where that cannot be told, its thread says why in a moment.
    pub(super) fn ask(&mut self, request: Request) {
        let Place::Here(_, _, input) = &mut self.place else { return };
        if let Ok(line) = line_of(&request) {
            let _told = input.write_all(&line);
        }
        if request != Request::Interrupt {
            self.asked.push_back((request, awake_ns()));
        }
    }

    /// Has it end all that it was asked for.
    pub(super) fn interrupt(&mut self) {
        if !self.asked.is_empty() {
            self.ask(Request::Interrupt);
            let since = self.ending.map_or_else(awake_ns, |(_, since)| since);
            self.ending = Some((self.asked.len(), since));
        }
    }

    /// Its next answer came: the request, and when that was made.
    pub(super) fn answered(&mut self) -> Option<(Request, u64)> {
        self.ending = self.ending.filter(|(left, _)| *left > 1).map(|(left, at)| (left - 1, at));
        self.asked.pop_front()
    }

    /// Whether it has gone on for so long with what it was told to end.
    pub(super) fn is_stuck(&self, limit: Duration) -> bool {
        let is_over = |since| u128::from(awake_ns().saturating_sub(since)) > limit.as_nanos();
        self.ending.is_some_and(|(_, since)| is_over(since))
    }

    /// Whether it was asked for this block, and when.
    pub(super) fn under_way(&self, block: u32) -> Option<u64> {
        let is_it = |request: &Request| match request {
            Request::Execute(work) => !work.is_warmup && work.first == block,
            _ => false,
        };
        self.asked.iter().find(|(request, _)| is_it(request)).map(|(_, since)| *since)
    }

    /// Lets it go: its worker ends when its input does.
    pub(super) fn leave(&mut self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
        let _told = self.orders.send(None);
        self.asked.clear();
        self.ending = None;
        self.place = Place::Gone;
    }
}
