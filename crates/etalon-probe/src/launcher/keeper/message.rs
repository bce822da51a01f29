//! Messages between a launcher and its keeper: four numbers each.
//!
//! Owns: the messages and their numbers. Refuses: JSON, as [`crate::channel`] has it: reading and writing that would
//! touch code that the launcher has given back, and every measured program starts at the launcher's size.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

/// Whether a hook gets the terminal's foreground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Foreground {
    Stays,
    Lent,
}

/// The event that the launcher waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// It has exited.
    Exited,
    /// It has exited or stopped.
    ExitedOrStopped,
    /// It has exited, or goes on after a stop.
    ExitedOrContinued,
}

/// How long what hooks started may take to end by itself before it is asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grace {
    /// Nobody has told it to end.
    None,
    /// A cleanup may have told it to end a moment ago.
    Moment,
}

/// A request of the launcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    /// Start a hook.
    Start { hook: usize, padding: Option<u32>, foreground: Foreground },
    /// Tell when this has come about.
    Wait(Until),
    /// Take the hook's status.
    Reap,
    /// End what hooks have started, and then yourself.
    End(Grace),
    /// End it without waiting any longer.
    Kill,
}

/// An answer of the keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    /// A hook's process was made; the error number of its `execve`, if that failed.
    Started { pid: libc::pid_t, failed: Option<i32> },
    /// It could not be made.
    NotStarted { errno: i32 },
    /// So much is still there of what earlier hooks started that no more is.
    Crowded { processes: u32 },
    /// The hook has exited.
    Exited,
    /// The hook has stopped, for this signal.
    Stopped { signal: i32 },
    /// The hook goes on.
    Continued,
    /// The hook's status.
    Reaped { status: i32 },
    /// There is no such hook.
    Unknown,
    /// Everything has ended; so many processes had to be asked to.
    Ended { processes: u32 },
}

/// Four numbers.
type Numbers = [i32; 4];

/// An absent number: no padding, no error.
const ABSENT: i32 = -1;

/// Sends a message.
pub(super) fn send(mut socket: &UnixStream, message: impl Into<Numbers>) -> io::Result<()> {
    let mut bytes = [0; 16];
    let numbers: Numbers = message.into();
    for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_ne_bytes());
    }
    socket.write_all(&bytes)
}

/// The next message, which a signal does not interrupt; an error where the other end is gone.
pub(super) fn receive<T: TryFrom<Numbers>>(mut socket: &UnixStream) -> io::Result<T> {
    let mut bytes = [0; 16];
    socket.read_exact(&mut bytes)?;
    let mut numbers = [0; 4];
    for (number, place) in numbers.iter_mut().zip(bytes.chunks_exact(4)) {
        *number = i32::from_ne_bytes([place[0], place[1], place[2], place[3]]);
    }
    T::try_from(numbers).map_err(|_| io::ErrorKind::InvalidData.into())
}

impl From<Request> for Numbers {
    fn from(request: Request) -> Numbers {
        let number = |number: usize| i32::try_from(number).unwrap_or(ABSENT);
        match request {
            Request::Start { hook, padding, foreground } => {
                let padding = padding.map_or(ABSENT, |length| number(length as usize));
                [0, number(hook), padding, i32::from(foreground == Foreground::Lent)]
            }
            Request::Wait(Until::Exited) => [1, 0, 0, 0],
            Request::Wait(Until::ExitedOrStopped) => [1, 1, 0, 0],
            Request::Wait(Until::ExitedOrContinued) => [1, 2, 0, 0],
            Request::Reap => [2, 0, 0, 0],
            Request::End(grace) => [3, i32::from(grace == Grace::Moment), 0, 0],
            Request::Kill => [4, 0, 0, 0],
        }
    }
}

impl TryFrom<Numbers> for Request {
    type Error = ();

    fn try_from(numbers: Numbers) -> Result<Request, ()> {
        Ok(match numbers {
            [0, hook, padding, lent] => Request::Start {
                hook: usize::try_from(hook).map_err(|_| ())?,
                padding: u32::try_from(padding).ok(),
                foreground: if lent == 1 { Foreground::Lent } else { Foreground::Stays },
            },
            [1, 0, ..] => Request::Wait(Until::Exited),
            [1, 1, ..] => Request::Wait(Until::ExitedOrStopped),
            [1, 2, ..] => Request::Wait(Until::ExitedOrContinued),
            [2, ..] => Request::Reap,
            [3, moment, ..] => Request::End(if moment == 1 { Grace::Moment } else { Grace::None }),
            [4, ..] => Request::Kill,
            _ => return Err(()),
        })
    }
}

impl From<Reply> for Numbers {
    fn from(reply: Reply) -> Numbers {
        let count = |processes: u32| i32::try_from(processes).unwrap_or(i32::MAX);
        match reply {
            Reply::Started { pid, failed } => [0, pid, failed.unwrap_or(ABSENT), 0],
            Reply::NotStarted { errno } => [1, errno, 0, 0],
            Reply::Crowded { processes } => [2, count(processes), 0, 0],
            Reply::Exited => [3, 0, 0, 0],
            Reply::Stopped { signal } => [4, signal, 0, 0],
            Reply::Continued => [5, 0, 0, 0],
            Reply::Reaped { status } => [6, status, 0, 0],
            Reply::Unknown => [7, 0, 0, 0],
            Reply::Ended { processes } => [8, count(processes), 0, 0],
        }
    }
}

impl TryFrom<Numbers> for Reply {
    type Error = ();

    fn try_from(numbers: Numbers) -> Result<Reply, ()> {
        let count = |processes: i32| u32::try_from(processes).map_err(|_| ());
        Ok(match numbers {
            [0, pid, failed, _] => {
                Reply::Started { pid, failed: Some(failed).filter(|it| *it > 0) }
            }
            [1, errno, ..] => Reply::NotStarted { errno },
            [2, processes, ..] => Reply::Crowded { processes: count(processes)? },
            [3, ..] => Reply::Exited,
            [4, signal, ..] => Reply::Stopped { signal },
            [5, ..] => Reply::Continued,
            [6, status, ..] => Reply::Reaped { status },
            [7, ..] => Reply::Unknown,
            [8, processes, ..] => Reply::Ended { processes: count(processes)? },
            _ => return Err(()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a message that arrives as another one.
    #[test]
    fn messages_arrive_as_they_were_sent() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let start = |padding, foreground| Request::Start { hook: 7, padding, foreground };
        for request in [
            start(None, Foreground::Stays),
            start(Some(0), Foreground::Lent),
            Request::Wait(Until::Exited),
            Request::Wait(Until::ExitedOrStopped),
            Request::Wait(Until::ExitedOrContinued),
            Request::Reap,
            Request::End(Grace::None),
            Request::End(Grace::Moment),
            Request::Kill,
        ] {
            send(&ours, request).unwrap();
            assert_eq!(receive::<Request>(&theirs).unwrap(), request);
        }
        for reply in [
            Reply::Started { pid: 5, failed: None },
            Reply::Started { pid: 5, failed: Some(2) },
            Reply::NotStarted { errno: 11 },
            Reply::Crowded { processes: 200 },
            Reply::Exited,
            Reply::Stopped { signal: 20 },
            Reply::Continued,
            Reply::Reaped { status: 0x0300 },
            Reply::Unknown,
            Reply::Ended { processes: 2 },
        ] {
            send(&theirs, reply).unwrap();
            assert_eq!(receive::<Reply>(&ours).unwrap(), reply);
        }
        drop(theirs);
        assert!(receive::<Reply>(&ours).is_err());
    }
}
