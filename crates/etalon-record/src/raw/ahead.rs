//! Reading ahead: pieces of a record are parsed by other threads while the piece before is taken.
//!
//! Owns the threads, the buffers that pass between them, and that pieces come back in their order, so that
//! what is read does not depend on the number of threads. Refuses to decide anything about a line: what is
//! not of the [plain form](super::plain) is left to whoever takes the piece.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope};

use super::lines::{self, Ended, Line};
use super::observation::{LineValues, Measured, ObservationLine};
use super::plain::Keys;

/// Threads at most. Because: taking what they parsed is one thread's work, and a third of theirs.
const MOST: usize = 4;

/// Pieces under way for each thread: one that is parsed and one that waits for it or to be taken.
const UNDER_WAY: usize = 2;

/// How many threads there are for a large record.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MOST)
}

/// Some lines of a record.
#[derive(Debug, Default)]
pub(super) struct Piece {
    text: Vec<u8>,
    lines: Vec<Parsed>,
    values: Vec<Measured>,
    ended: Ended,
}

/// A line of a piece.
#[derive(Debug)]
struct Parsed {
    /// Where it ends, with its newline.
    end: usize,
    /// What it says, if it is plain, and where its values end.
    plain: Option<(ObservationLine, usize)>,
}

/// A line to be taken.
pub(super) enum Taken<'p> {
    Plain(ObservationLine, LineValues<'p>),
    /// Any line, without its newline.
    Other(&'p [u8]),
}

impl Piece {
    /// Reads the next lines of a record.
    fn fill(&mut self, reader: &mut impl BufRead) {
        self.ended = lines::several(reader, &mut self.text);
    }

    /// Parses the lines that are plain.
    fn parse(&mut self, keys: &Keys) {
        self.lines.clear();
        self.values.clear();
        let mut from = 0;
        while from < self.text.len() {
            let rest = &self.text[from..];
            let plain = keys.parse(rest, &mut self.values);
            let length = plain.as_ref().map_or_else(|| length_of_line(rest), |(_, length)| *length);
            from += length;
            let plain = plain.map(|(line, _)| (line, self.values.len()));
            self.lines.push(Parsed { end: from, plain });
        }
    }

    /// Why no more could be read behind its lines, if that failed.
    pub(super) fn failed(&mut self) -> Option<io::Error> {
        match std::mem::take(&mut self.ended) {
            Ended::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// Its lines in order.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (Line, Taken<'_>)> {
        let Piece { text, lines, values, ended } = self;
        let (text, values, ended) = (&text[..], &values[..], &*ended);
        let (mut from, mut first) = (0, 0);
        lines.drain(..).map(move |Parsed { end, plain }| {
            let bytes = &text[std::mem::replace(&mut from, end)..end];
            let (kind, bytes) = match (bytes.strip_suffix(b"\n"), ended) {
                (Some(whole), _) => (Line::Whole, whole),
                (None, Ended::TooLong) => return (Line::TooLong, Taken::Other(bytes)),
                (None, _) => (Line::Last, bytes),
            };
            let Some((observed, last)) = plain else { return (kind, Taken::Other(bytes)) };
            let all = &values[std::mem::replace(&mut first, last)..last];
            (kind, Taken::Plain(observed, LineValues { all, texts: &[] }))
        })
    }
}

/// The length of the first line, with its newline if it has one.
fn length_of_line(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| at + 1)
}

/// A thread that parses, and the way to it and back.
struct Worker {
    to: Sender<(Piece, Arc<Keys>)>,
    from: Receiver<Piece>,
}

/// A record as pieces in their order.
pub(super) struct Ahead<'s, 'e, R> {
    reader: R,
    scope: &'s Scope<'s, 'e>,
    threads: usize,
    workers: Vec<Worker>,
    /// What was parsed on this thread: the first piece, and every one where there are no others.
    here: VecDeque<Piece>,
    /// How many pieces went to the workers, and how many came back.
    sent: usize,
    taken: usize,
    /// Buffers to be used again: new ones would cost more than parsing.
    free: Vec<Piece>,
    begun: bool,
    /// Whether the last piece was read.
    at_end: bool,
}

impl<'s, 'e, R: BufRead> Ahead<'s, 'e, R> {
    /// Reads what follows in `reader`, on so many threads beside this one if it is long.
    pub(super) fn new(scope: &'s Scope<'s, 'e>, threads: usize, reader: R) -> Ahead<'s, 'e, R> {
        let (workers, here, free) = (Vec::new(), VecDeque::new(), Vec::new());
        let (begun, at_end) = (false, false);
        Ahead { reader, scope, threads, workers, here, sent: 0, taken: 0, free, begun, at_end }
    }

    /// The next piece, absent behind the last. `keys` are those of the metrics that earlier lines declare; a
    /// line that says more than these is not read as a plain one.
    pub(super) fn next(&mut self, keys: &Arc<Keys>) -> Option<Piece> {
        while !self.at_end && self.under_way() < (UNDER_WAY * self.workers.len()).max(1) {
            self.read(keys);
        }
        if let Some(piece) = self.here.pop_front() {
            return Some(piece);
        }
        if self.taken == self.sent {
            return None;
        }
        let worker = &self.workers[self.taken % self.workers.len()];
        self.taken += 1;
        // A worker that is gone has panicked, which ends the scope with its panic.
        worker.from.recv().ok()
    }

    /// Takes a piece back when its lines are used.
    pub(super) fn give_back(&mut self, piece: Piece) {
        self.free.push(piece);
    }

    fn under_way(&self) -> usize {
        self.here.len() + self.sent - self.taken
    }

    fn read(&mut self, keys: &Arc<Keys>) {
        let mut piece = self.free.pop().unwrap_or_default();
        piece.fill(&mut self.reader);
        self.at_end = matches!(piece.ended, Ended::End | Ended::Failed(_));
        // Most records are one piece, and are read before a thread would have started.
        if self.begun && self.workers.is_empty() {
            self.start();
        }
        self.begun = true;
        if self.workers.is_empty() {
            piece.parse(keys);
            self.here.push_back(piece);
            return;
        }
        let worker = &self.workers[self.sent % self.workers.len()];
        self.sent += 1;
        let _gone = worker.to.send((piece, Arc::clone(keys)));
    }

    /// Starts the threads: fewer, or none, where the system has no more.
    fn start(&mut self) {
        let threads = if self.threads > 1 { self.threads } else { 0 };
        for _ in 0..threads {
            let (to, pieces) = channel::<(Piece, Arc<Keys>)>();
            let (back, from) = channel();
            let parse = move || {
                for (mut piece, keys) in pieces {
                    piece.parse(&keys);
                    if back.send(piece).is_err() {
                        break;
                    }
                }
            };
            if Builder::new().spawn_scoped(self.scope, parse).is_err() {
                break;
            }
            self.workers.push(Worker { to, from });
        }
    }
}
