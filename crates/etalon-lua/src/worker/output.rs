//! The output of a worker.
//!
//! Owns the read end of the pipe that is both its standard output and error. Refuses to wait, and to keep without end.

use std::io::{self, Read};
use std::os::fd::{AsRawFd, RawFd};
use std::process::ChildStdout;

/// How much is kept between two calls of [`Drain::output`]: what a person would read.
const KEPT: usize = 64 << 10;

/// The text that was printed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    /// The first of it, both streams in the order they were written.
    pub text: Vec<u8>,
    /// How many bytes came after that and were not kept.
    pub lost: u64,
}

/// The pipe, and what was in it.
#[derive(Debug)]
pub(super) struct Drain {
    pipe: Option<ChildStdout>,
    output: Output,
}

impl Drain {
    pub(super) fn new(pipe: Option<ChildStdout>) -> io::Result<Drain> {
        let drain = Drain { pipe, output: Output::default() };
        never_block(drain.descriptor())?;
        Ok(drain)
    }

    /// The pipe's descriptor; −1 at its end.
    pub(super) fn descriptor(&self) -> RawFd {
        self.pipe.as_ref().map_or(-1, AsRawFd::as_raw_fd)
    }

    /// Takes what is in the pipe.
    pub(super) fn take(&mut self) {
        empty(&mut self.pipe, &mut self.output);
    }

    /// Takes the output since the last call.
    pub(super) fn output(&mut self) -> Output {
        std::mem::take(&mut self.output)
    }
}

/// Reads a pipe until there is nothing; at its end (or when it is broken) lets go of it.
fn empty<P: Read>(pipe: &mut Option<P>, output: &mut Output) {
    let mut piece = [0_u8; 8192];
    while let Some(open) = pipe {
        match open.read(&mut piece) {
            Ok(length @ 1..) => keep(output, &piece[..length]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
            Ok(0) | Err(_) => *pipe = None,
        }
    }
}

fn keep(output: &mut Output, piece: &[u8]) {
    let room = KEPT.saturating_sub(output.text.len()).min(piece.len());
    output.text.extend_from_slice(&piece[..room]);
    output.lost += (piece.len() - room) as u64;
}

fn never_block(descriptor: RawFd) -> io::Result<()> {
    if descriptor < 0 {
        return Ok(());
    }
    // SAFETY: no memory preconditions; the descriptor is open, and only this end gets the flag.
    let code = unsafe {
        let flags = libc::fcntl(descriptor, libc::F_GETFL);
        libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    if code < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
