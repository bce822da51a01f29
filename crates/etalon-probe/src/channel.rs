//! A channel between etalon and a process of its own: a line of JSON for each message, over a socket.
//!
//! Owns what both ends do to send and receive. Refuses to decide what it means that the other end is gone.

use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// One end.
#[derive(Debug)]
pub(crate) struct Channel(BufReader<UnixStream>);

impl Channel {
    /// Of a socket of which nothing that follows was read.
    pub(crate) fn new(socket: UnixStream) -> Channel {
        Channel(BufReader::new(socket))
    }

    /// The socket, for what is passed beside messages.
    pub(crate) fn socket(&self) -> &UnixStream {
        self.0.get_ref()
    }

    /// The socket's descriptor, to wait for it and others. What [`Channel::has_more`] tells is not seen there.
    pub(crate) fn descriptor(&self) -> RawFd {
        self.socket().as_raw_fd()
    }

    /// Whether something was read already that is not received yet.
    pub(crate) fn has_more(&self) -> bool {
        !self.0.buffer().is_empty()
    }

    /// Waits until there is something to receive, without a time as long as it takes. False if the time is over, or
    /// a signal came.
    pub(crate) fn is_readable(&self, patience: Option<Duration>) -> io::Result<bool> {
        if self.has_more() {
            return Ok(true);
        }
        let milliseconds =
            patience.map_or(-1, |time| i32::try_from(time.as_millis()).unwrap_or(i32::MAX));
        let fd = self.descriptor();
        let mut polled = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        // SAFETY: one writable pollfd, of an open descriptor.
        match unsafe { libc::poll(&raw mut polled, 1, milliseconds) } {
            0 => Ok(false),
            1.. => Ok(true),
            _ => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => Ok(false),
                error => Err(error),
            },
        }
    }

    /// Sends a message; [`is_gone`] tells whether an error means that nobody is there.
    pub(crate) fn send<T: Serialize>(&mut self, message: &T) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.0.get_mut().write_all(&line)
    }

    /// The next message; absent when the other end is gone, in the middle of one too.
    pub(crate) fn receive<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let mut line = Vec::new();
        match self.0.read_until(b'\n', &mut line) {
            Ok(_) if line.ends_with(b"\n") => {}
            Ok(_) => return Ok(None),
            Err(error) if is_gone(&error) => return Ok(None),
            Err(error) => return Err(error),
        }
        serde_json::from_slice(&line).map(Some).map_err(io::Error::from)
    }

    /// Closes both directions: the other end receives nothing more.
    pub(crate) fn hang_up(&self) {
        // It may be closed already.
        let _ = self.socket().shutdown(std::net::Shutdown::Both);
    }
}

/// Whether an error says that the other end is gone.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

/// The time until then as `poll` takes it, rounded up; −1 if there is no such time.
pub(crate) fn milliseconds(deadline: Option<Instant>) -> i32 {
    let Some(deadline) = deadline else { return -1 };
    let left = deadline.saturating_duration_since(Instant::now()).as_micros().div_ceil(1000);
    i32::try_from(left).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    /// Would catch a message that is lost because it was read together with the one before, and half a message that is
    /// taken for a whole one.
    #[test]
    fn messages_arrive_one_by_one_and_whole() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (mut ours, mut theirs) = (Channel::new(ours), Channel::new(theirs));
        assert!(!theirs.is_readable(Some(Duration::ZERO)).unwrap());
        ours.send(&1).unwrap();
        ours.send(&"two\nlines").unwrap();
        ours.0.get_mut().write_all(b"{\"torn\":").unwrap();
        assert!(theirs.is_readable(None).unwrap());
        assert_eq!(theirs.receive::<u32>().unwrap(), Some(1));
        assert!(theirs.has_more() && theirs.is_readable(Some(Duration::ZERO)).unwrap());
        assert_eq!(theirs.receive::<String>().unwrap().as_deref(), Some("two\nlines"));
        ours.hang_up();
        assert_eq!(theirs.receive::<serde_json::Value>().unwrap(), None);
        assert!(is_gone(&theirs.send(&3).unwrap_err()));
    }
}
