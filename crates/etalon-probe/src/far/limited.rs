//! Pipes of a session that are not waited for without an end.
//!
//! Refuses to end anything: that a pipe is silent is an error of kind `TimedOut`, and its reader decides.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use libc::{POLLIN, POLLOUT};

/// The output of a session, up to a moment.
pub(super) struct Until<'p> {
    pub(super) pipe: &'p mut ChildStdout,
    pub(super) end: Instant,
}

impl Read for Until<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        wait(self.pipe.as_fd(), POLLIN, self.end)?;
        self.pipe.read(buffer)
    }
}

/// Where a session is told something, as long as it takes some of it within so long.
#[derive(Debug)]
pub struct Pipe {
    pipe: ChildStdin,
    limit: Duration,
}

impl Pipe {
    /// Its other end, which is another process's, blocks as before.
    pub(super) fn new(pipe: ChildStdin, limit: Duration) -> io::Result<Pipe> {
        let descriptor = pipe.as_raw_fd();
        // SAFETY: reads and sets a flag of an open descriptor; no memory preconditions.
        let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFL) };
        if flags < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: as above.
        if unsafe { libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_NONBLOCK) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Pipe { pipe, limit })
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = Instant::now() + self.limit;
        loop {
            match self.pipe.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.pipe.as_fd(), POLLOUT, end)?;
                }
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits until something can be read or written, or the other end is closed.
fn wait(pipe: BorrowedFd<'_>, events: i16, end: Instant) -> io::Result<()> {
    let mut polled = libc::pollfd { fd: pipe.as_raw_fd(), events, revents: 0 };
    loop {
        let left = end.saturating_duration_since(Instant::now()).as_millis() + 1;
        let left = i32::try_from(left).unwrap_or(i32::MAX);
        // SAFETY: one element, owned by this frame.
        match unsafe { libc::poll(&raw mut polled, 1, left) } {
            0 if Instant::now() >= end => return Err(io::ErrorKind::TimedOut.into()),
            -1 if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted => {
                return Err(io::Error::last_os_error());
            }
            -1 | 0 => {}
            _ => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    /// Would catch a pipe that is waited for without an end, and one whose bytes are lost where it is full for a while.
    #[test]
    fn silence_is_an_error() {
        let started = |program: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped());
            command.spawn().unwrap()
        };
        let told = |child: &mut std::process::Child, limit| {
            Pipe::new(child.stdin.take().unwrap(), limit).unwrap()
        };
        let mut silent = started("exec sleep 1000");
        let limit = Duration::from_millis(20);
        let mut pipe = silent.stdout.take().unwrap();
        let mut until = Until { pipe: &mut pipe, end: Instant::now() + limit };
        assert_eq!(until.read(&mut [0; 9]).unwrap_err().kind(), io::ErrorKind::TimedOut);
        let written = told(&mut silent, limit).write_all(&vec![b'x'; 1 << 20]);
        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut);
        silent.kill().unwrap();
        silent.wait().unwrap();

        let mut slow = started("sleep 0.1; wc -c");
        told(&mut slow, Duration::from_secs(60)).write_all(&vec![b'x'; 1 << 20]).unwrap();
        let mut said = String::new();
        slow.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said.trim(), "1048576");
        slow.wait().unwrap();
    }
}
