//! Reading ahead: pieces of a text are read and parsed by other threads while the piece before is taken.
//!
//! Owns the threads, the buffers that pass between them, and that pieces come back in their order, so that
//! what is read does not depend on the number of threads. Refuses to know what a line says: that is the
//! [`Piece`]'s.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

/// Threads at most. Because: taking what they parsed is one thread's work, and a third of theirs.
const MOST: usize = 3;

/// Pieces that are parsed and wait to be taken. Because: fewer keep nobody waiting, and each takes memory.
const AHEAD: usize = 2;

/// How many threads beside the one that takes there are for a large file.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(0, |there| (there.get() - 1).min(MOST))
}

/// Some lines of a text.
pub(crate) trait Piece: Default + Send {
    /// What is known when lines are parsed.
    type Known: Send + Sync;

    /// Reads the next lines, replacing what was there; whether any may follow.
    fn fill(&mut self, reader: &mut impl BufRead) -> bool;

    /// Parses the lines it has.
    fn parse(&mut self, known: &Self::Known);
}

/// A text as pieces in their order.
pub(crate) struct Ahead<'s, 'e, R, P: Piece> {
    shared: Arc<Shared<R, P>>,
    scope: &'s Scope<'s, 'e>,
    threads: usize,
    /// What threads parsed; absent before they are started.
    parsed: Option<Receiver<(usize, P)>>,
    /// Pieces that came before their turn.
    early: BTreeMap<usize, P>,
    /// How many pieces were taken.
    taken: usize,
}

/// What the threads share.
struct Shared<R, P: Piece> {
    source: Mutex<Source<R>>,
    known: Mutex<Arc<P::Known>>,
    /// Buffers to be used again: new ones would cost more than parsing.
    free: Mutex<Vec<P>>,
}

/// What is read from.
struct Source<R> {
    reader: R,
    /// How many pieces were read.
    read: usize,
    /// Whether the last one was.
    at_end: bool,
}

impl<R: BufRead, P: Piece> Shared<R, P> {
    /// Reads and parses the next piece; with it, its number.
    fn next(&self) -> Option<(usize, P)> {
        let mut piece = locked(&self.free).pop().unwrap_or_default();
        let number = {
            let mut source = locked(&self.source);
            if source.at_end {
                return None;
            }
            source.at_end = !piece.fill(&mut source.reader);
            source.read += 1;
            source.read - 1
        };
        let known = Arc::clone(&locked(&self.known));
        piece.parse(&known);
        Some((number, piece))
    }

    /// Hands pieces on until there are no more, or nobody takes them.
    fn all(&self, to: &SyncSender<(usize, P)>) {
        while let Some(piece) = self.next() {
            if to.send(piece).is_err() {
                break;
            }
        }
    }
}

/// What a mutex holds. A thread that panics ends the scope with its panic, whatever is done by then.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'s, 'e, R, P> Ahead<'s, 'e, R, P>
where
    R: BufRead + Send + 's,
    P: Piece + 's,
{
    /// Reads what follows in `reader`, on so many threads beside this one if it is long.
    pub(crate) fn new(
        scope: &'s Scope<'s, 'e>,
        threads: usize,
        reader: R,
        known: Arc<P::Known>,
    ) -> Ahead<'s, 'e, R, P> {
        let source = Mutex::new(Source { reader, read: 0, at_end: false });
        let (known, free) = (Mutex::new(known), Mutex::default());
        let shared = Arc::new(Shared { source, known, free });
        Ahead { shared, scope, threads, parsed: None, early: BTreeMap::new(), taken: 0 }
    }

    /// The next piece, absent behind the last.
    pub(crate) fn next(&mut self) -> Option<P> {
        // Most files are one piece, and are read before a thread would have started.
        if self.taken == 1 && self.threads > 0 {
            self.start();
        }
        let wanted = self.taken;
        self.taken += 1;
        let Some(parsed) = &self.parsed else {
            return self.shared.next().map(|(_, piece)| piece);
        };
        loop {
            if let Some(piece) = self.early.remove(&wanted) {
                return Some(piece);
            }
            // While the threads are behind, this one does their work.
            let next = match parsed.try_recv() {
                Ok(piece) => Some(piece),
                Err(TryRecvError::Empty) => self.shared.next().or_else(|| parsed.recv().ok()),
                Err(TryRecvError::Disconnected) => None,
            };
            let (number, piece) = next?;
            self.early.insert(number, piece);
        }
    }

    /// Takes a piece back when its lines are used.
    pub(crate) fn give_back(&mut self, piece: P) {
        locked(&self.shared.free).push(piece);
    }

    /// What pieces that are not parsed yet are parsed with.
    pub(crate) fn now_known(&mut self, known: &Arc<P::Known>) {
        let mut last = locked(&self.shared.known);
        if !Arc::ptr_eq(&last, known) {
            *last = Arc::clone(known);
        }
    }

    /// Starts the threads: fewer, or none, where the system has no more. What was read is parsed here then.
    fn start(&mut self) {
        if locked(&self.shared.source).at_end {
            return;
        }
        let (to, parsed) = sync_channel(AHEAD);
        let started = (0..self.threads).take_while(|_| {
            let (shared, to) = (Arc::clone(&self.shared), to.clone());
            Builder::new()
                .name("reader".to_owned())
                .spawn_scoped(self.scope, move || shared.all(&to))
                .is_ok()
        });
        self.parsed = (started.count() > 0).then_some(parsed);
    }
}
