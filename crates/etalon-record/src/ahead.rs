//! Reading ahead: pieces of a text are read and parsed by other threads while the piece before is taken.
//!
//! Owns the threads, the buffers that pass between them, and that pieces come back in their order, so that
//! what is read does not depend on the number of threads. Refuses to know what a line says: that is the
//! [`Piece`]'s.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

/// Threads at most. Because: taking what they parsed is one thread's work, and a third of theirs.
const MOST: usize = 3;

/// Pieces that are parsed and wait to be taken. Because: fewer keep nobody waiting, and each takes memory.
const AHEAD: usize = 2;

/// Pieces that are read and not yet taken, in all. Because: who parses the next one may lose the CPU meanwhile, and
/// the whole file would be read into memory behind it.
const PLACES: usize = 8;

/// How many threads beside the one that takes there are for a large file.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(0, |there| (there.get() - 1).min(MOST))
}

/// Some lines of a text.
pub(crate) trait Piece: Default + Send {
    /// Knowledge by which lines are parsed.
    type Declarations: Send + Sync;

    /// Reads the next lines, replacing what was there; whether any may follow.
    fn fill(&mut self, reader: &mut impl BufRead) -> bool;

    /// Parses the lines it has.
    fn parse(&mut self, known: &Self::Declarations);
}

/// A text as pieces in their order.
pub(crate) struct Ahead<'s, 'e, R, P: Piece> {
    shared: Arc<Shared<R, P>>,
    scope: &'s Scope<'s, 'e>,
    threads: usize,
    /// Pieces that threads parsed; absent before they are started.
    parsed: Option<Receiver<(usize, P)>>,
    /// Pieces that came before their turn.
    early: BTreeMap<usize, P>,
    /// How many pieces were taken.
    taken: usize,
}

/// The state that the threads share.
struct Shared<R, P: Piece> {
    places: Places,
    source: Mutex<Source<R>>,
    known: Mutex<Arc<P::Declarations>>,
    /// Buffers to be used again: new ones would cost more than parsing.
    free: Mutex<Vec<P>>,
}

/// Places for pieces. Whoever has one reads the next piece there is, so those that wait for their turn never keep the
/// one that is wanted out.
struct Places {
    /// How many are free; absent when nothing is left to be read, or nobody takes pieces any more.
    free: Mutex<Option<usize>>,
    freed: Condvar,
}

impl Places {
    /// Takes one if there is one.
    fn try_take(&self) -> bool {
        let mut free = locked(&self.free);
        let left = free.and_then(|free| free.checked_sub(1));
        if left.is_some() {
            *free = left;
        }
        left.is_some()
    }

    /// Takes one as soon as there is one; whether it could.
    fn take(&self) -> bool {
        let free = self.freed.wait_while(locked(&self.free), |free| *free == Some(0));
        let mut free = free.unwrap_or_else(PoisonError::into_inner);
        *free = free.map(|free| free - 1);
        free.is_some()
    }

    fn give_back(&self) {
        let mut free = locked(&self.free);
        *free = free.map(|free| free + 1);
        self.freed.notify_one();
    }

    fn close(&self) {
        *locked(&self.free) = None;
        self.freed.notify_all();
    }
}

/// The source that is read.
struct Source<R> {
    reader: R,
    /// How many pieces were read.
    read: usize,
    /// Whether the last one was.
    at_end: bool,
}

impl<R: BufRead, P: Piece> Shared<R, P> {
    /// Reads and parses the next piece, for which there is a place; with it, its number.
    fn next(&self) -> Option<(usize, P)> {
        let mut piece = locked(&self.free).pop().unwrap_or_default();
        let number = {
            let mut source = locked(&self.source);
            if source.at_end {
                return None;
            }
            source.at_end = !piece.fill(&mut source.reader);
            source.read += 1;
            if source.at_end {
                self.places.close();
            }
            source.read - 1
        };
        let known = Arc::clone(&locked(&self.known));
        piece.parse(&known);
        Some((number, piece))
    }

    /// Hands pieces on until there are no more, or nobody takes them.
    fn all(&self, to: &SyncSender<(usize, P)>) {
        while self.places.take()
            && let Some(piece) = self.next()
        {
            if to.send(piece).is_err() {
                break;
            }
        }
    }
}

/// The contents of a mutex. A thread that panics ends the scope with its panic, whatever is done by then.
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
        known: Arc<P::Declarations>,
    ) -> Ahead<'s, 'e, R, P> {
        let source = Mutex::new(Source { reader, read: 0, at_end: false });
        let places = Places { free: Mutex::new(Some(PLACES)), freed: Condvar::new() };
        let (known, free) = (Mutex::new(known), Mutex::default());
        let shared = Arc::new(Shared { places, source, known, free });
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
                self.shared.places.give_back();
                return Some(piece);
            }
            // While the threads are behind, this one does their work.
            let next = match parsed.try_recv() {
                Ok(piece) => Some(piece),
                Err(TryRecvError::Empty) if self.shared.places.try_take() => {
                    self.shared.next().or_else(|| parsed.recv().ok())
                }
                Err(TryRecvError::Empty) => parsed.recv().ok(),
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

    /// Sets the knowledge by which pieces are parsed that are not yet.
    pub(crate) fn now_known(&mut self, known: &Arc<P::Declarations>) {
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

impl<R, P: Piece> Drop for Ahead<'_, '_, R, P> {
    fn drop(&mut self) {
        self.shared.places.close();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    /// One byte, and whether parsing it lasted.
    #[derive(Default)]
    struct Byte(u8, bool);

    /// How many bytes were parsed, and how many behind the first of another thread.
    #[derive(Default)]
    struct Parsed {
        all: AtomicUsize,
        behind: Mutex<Option<usize>>,
    }

    impl Piece for Byte {
        type Declarations = Parsed;

        fn fill(&mut self, reader: &mut impl BufRead) -> bool {
            let mut byte = [0];
            reader.read_exact(&mut byte).expect("a byte");
            self.0 = byte[0];
            reader.fill_buf().is_ok_and(|rest| !rest.is_empty())
        }

        /// The first one on another thread lasts until all others are parsed, or none is for a while; the one that
        /// takes lets it begin.
        fn parse(&mut self, parsed: &Parsed) {
            let wait_while = |waits: &mut dyn FnMut() -> bool| {
                let mut turns = 0..300;
                while waits() && turns.next().is_some() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            };
            let behind = || locked(&parsed.behind);
            if std::thread::current().name() != Some("reader") {
                wait_while(&mut || self.0 > 0 && behind().is_none());
            } else if behind().replace(0).is_none() {
                let before = parsed.all.load(Ordering::SeqCst);
                wait_while(&mut || parsed.all.load(Ordering::SeqCst) < 99);
                *behind() = Some(parsed.all.load(Ordering::SeqCst) - before);
                self.1 = true;
            }
            parsed.all.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// The bytes that are taken of so many, until one that `ends`.
    fn taken(threads: usize, bytes: u8, known: &Arc<Parsed>, ends: fn(&Byte) -> bool) -> Vec<u8> {
        std::thread::scope(|scope| {
            let reader = Cursor::new((0..bytes).collect::<Vec<u8>>());
            let mut ahead = Ahead::<_, Byte>::new(scope, threads, reader, Arc::clone(known));
            let mut taken = Vec::new();
            while let Some(byte) = ahead.next() {
                taken.push(byte.0);
                if ends(&byte) {
                    break;
                }
            }
            taken
        })
    }

    /// Would catch a file that is read into memory behind a piece whose thread lost the CPU, and pieces in another
    /// order.
    #[test]
    fn few_pieces_are_read_behind_one_that_lasts() {
        for threads in [1, 3] {
            let known = Arc::default();
            assert!(taken(threads, 100, &known, |_| false).into_iter().eq(0..100));
            let behind = locked(&known.behind).expect("another thread parses, too");
            // Those before it may be parsed meanwhile, too.
            assert!(behind < PLACES + threads, "{behind} with {threads} threads");
        }
    }

    /// Would catch threads that wait for ever at the end, or when nobody takes pieces any more: scopes would not end.
    #[test]
    fn nobody_waits_for_ever() {
        // While it lasts, all places are taken, and the other threads wait for one.
        assert!(taken(3, 100, &Arc::default(), |byte| byte.1).len() < 100);
        let known = Arc::new(Parsed { behind: Mutex::new(Some(0)), ..Parsed::default() });
        for bytes in (1..40).cycle().take(400) {
            assert!(taken(3, bytes, &known, |_| false).into_iter().eq(0..bytes));
        }
    }
}
