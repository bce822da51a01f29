//! Taking in what commands write, so that no amount of it blocks or costs anything, and keeping
//! the first KB and the last 3 KB of standard error to show when a command fails: its reason stands
//! in either.
//!
//! Owns: the read ends of the pipes and the one thread that empties them. Refuses: to keep the
//! output, and to wait for its end (an orphan may hold a pipe open for ever).
//!
//! The hand-over has no race: whoever empties a pipe holds the lock while doing so, and what a dead
//! command wrote is in the pipe or already taken in. So [`Drain::said`], called after the end of a
//! command, empties what is there under the lock and has everything.

use std::io::{self, Read};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::signals::Mask;

/// How much of the beginning of standard error is kept.
const FIRST: usize = 1024;
/// How much of its end is: with the words between them, 4 KB at most.
const LAST: usize = 3000;
/// Bytes per read: large enough that gigabytes pass quickly, small enough not to raise the floor.
const CHUNK: usize = 16 * 1024;
/// Reads under one lock: a default pipe holds four chunks, the largest ordinary one 64.
const READS: usize = 64;
/// The thread's stack: it polls and reads; only what it touches costs memory.
const STACK: usize = 64 * 1024;

/// Two pipes being emptied.
pub(super) struct Drain {
    pipes: Arc<Mutex<Pipes>>,
}

/// The beginning and the end of a text.
struct Ends {
    first: Vec<u8>,
    last: Vec<u8>,
    /// Bytes between them, which are gone.
    gone: u64,
}

/// The read ends, non-blocking.
struct Pipes {
    kept: Option<Pipe>,
    dropped: Option<Pipe>,
    ends: Ends,
    chunk: Box<[u8]>,
}

type Pipe = io::PipeReader;

impl Drain {
    /// Empties the given pipes from now on: `kept` is standard error, whose beginning and end are kept.
    pub(super) fn start(kept: Option<Pipe>, dropped: Option<Pipe>) -> io::Result<Drain> {
        for pipe in [&kept, &dropped].into_iter().flatten() {
            set_nonblocking(pipe.as_raw_fd())?;
        }
        let waiting = [descriptor(kept.as_ref()), descriptor(dropped.as_ref())];
        let chunk = vec![0; CHUNK].into_boxed_slice();
        let ends = Ends::new();
        let pipes = Arc::new(Mutex::new(Pipes { kept, dropped, ends, chunk }));
        let shared = Arc::clone(&pipes);
        // Signals are for the main thread: a new thread inherits the mask.
        Mask::full().apply();
        let spawned = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || empty_for_ever(waiting, &shared));
        super::signals::working_mask().apply();
        spawned.map(|_| Drain { pipes })
    }

    /// Forgets what was written before the execution that comes.
    pub(super) fn reset(&self) {
        let mut pipes = self.lock();
        pipes.empty();
        pipes.ends.clear();
    }

    /// The beginning and the end of what was written to standard error since [`Drain::reset`].
    pub(super) fn said(&self) -> Vec<u8> {
        let mut pipes = self.lock();
        pipes.empty();
        pipes.ends.text()
    }

    fn lock(&self) -> MutexGuard<'_, Pipes> {
        self.pipes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread: waits without the lock, empties with it.
fn empty_for_ever(waiting: [RawFd; 2], pipes: &Mutex<Pipes>) {
    loop {
        let mut polled = waiting.map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
        // SAFETY: `polled` is a writable array of two; a negative descriptor is skipped. The
        // descriptors stay open as long as the process lives.
        unsafe { libc::poll(polled.as_mut_ptr(), 2, -1) };
        pipes.lock().unwrap_or_else(PoisonError::into_inner).empty();
    }
}

impl Pipes {
    fn empty(&mut self) {
        for _ in 0..READS {
            let kept = self.kept.as_mut().map_or(0, |pipe| pipe.read(&mut self.chunk).unwrap_or(0));
            self.ends.add(&self.chunk[..kept]);
            let dropped =
                self.dropped.as_mut().map_or(0, |pipe| pipe.read(&mut self.chunk).unwrap_or(0));
            if kept == 0 && dropped == 0 {
                return; // would block: the launcher itself holds the write ends, so never the end
            }
        }
    }
}

impl Ends {
    fn new() -> Ends {
        let (first, last) = (Vec::with_capacity(FIRST), Vec::with_capacity(LAST + CHUNK));
        Ends { first, last, gone: 0 }
    }

    fn clear(&mut self) {
        self.first.clear();
        self.last.clear();
        self.gone = 0;
    }

    fn add(&mut self, new: &[u8]) {
        let (first, rest) = new.split_at((FIRST - self.first.len()).min(new.len()));
        self.first.extend_from_slice(first);
        self.last.extend_from_slice(rest);
        let excess = self.last.len().saturating_sub(LAST);
        self.last.drain(..excess);
        self.gone += excess as u64;
    }

    /// Both, with a line between them where something is gone.
    fn text(&self) -> Vec<u8> {
        if self.gone == 0 {
            return [&self.first[..], &self.last[..]].concat();
        }
        let between = format!("\n… {} bytes …\n", self.gone);
        [&self.first[..], between.as_bytes(), &self.last[..]].concat()
    }
}

fn descriptor(pipe: Option<&Pipe>) -> RawFd {
    pipe.map_or(-1, AsRawFd::as_raw_fd)
}

fn set_nonblocking(fd: RawFd) -> io::Result<()> {
    // SAFETY: fcntl on an open descriptor with integer arguments. The flag belongs to the read
    // end's own description; the write end stays blocking for commands.
    let done = unsafe { libc::fcntl(fd, libc::F_SETFL, libc::O_NONBLOCK) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_beginning_and_the_end_of_a_long_text_are_kept() {
        // Would catch an off-by-one at the edges of the buffers: compared with the obvious way.
        let text: Vec<u8> = (0..40_000_u32).map(|i| (i % 251) as u8).collect();
        for length in [0, 1, 1023, 1024, 1025, 4095, 4096, 4097, 40_000] {
            let text = &text[..length];
            let obvious = match length.checked_sub(FIRST + LAST) {
                None | Some(0) => text.to_vec(),
                Some(gone) => {
                    let between = format!("\n… {gone} bytes …\n");
                    [&text[..FIRST], between.as_bytes(), &text[length - LAST..]].concat()
                }
            };
            for step in [1, 7, 1023, 1024, 1025, 4095, 4096, 4097, 16_384] {
                let mut ends = Ends::new();
                text.chunks(step).for_each(|part| ends.add(part));
                assert_eq!(ends.text(), obvious, "{length} in steps of {step}");
                ends.clear();
                assert_eq!(ends.text(), b"");
            }
        }
    }

    #[test]
    fn what_was_written_before_the_call_is_in_what_was_said() {
        // Would catch a text taken while the thread still holds part of it. Both orders occur.
        let (reader, mut writer) = io::pipe().unwrap();
        let drain = Drain::start(Some(reader), None).unwrap();
        for round in 0..200 {
            drain.reset();
            let text = format!("round {round}\n");
            writer.write_all(text.as_bytes()).unwrap();
            assert_eq!(drain.said(), text.as_bytes());
        }
        std::mem::forget(writer); // as in the launcher, the write end is never closed
    }
}
