//! Presence: whether another etalon measures on this machine at the same time.
//!
//! Every measuring etalon binds one of sixteen abstract Unix datagram sockets,
//! `\0etalon-measuring-<k>`, and greets the fifteen others once. Of two that overlap, the one that
//! bound second reaches the first: it knows from the delivery, the first from the greeting. Holes
//! left by peers that ended do not matter, since all names are greeted and not only the lower ones.
//! Abstract names live in the kernel: no file is left behind, however a process ends.
//!
//! It does not see an etalon in another network namespace (most containers), because abstract
//! names belong to one. Announce once per process: a second presence would see the first.
//! Owns nothing but that socket; whoever asks writes the note.

use std::io::{Error, ErrorKind};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::atomic::{AtomicBool, Ordering};

/// How many can be present at once. Because more than a handful of measuring processes on one
/// machine is beyond rescue; the seventeenth still sees that all names are taken.
const NAMES: u8 = 16;

/// First part of a name.
const PREFIX: &str = "etalon-measuring-";

/// The text of a greeting; other datagrams are not counted.
const GREETING: &[u8] = b"etalon: here";

/// Other etalons that measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// None was there in the whole time.
    None,
    /// At least one was there for some of the time.
    Seen,
    /// It could not be found out: sockets are not permitted here.
    Unknown,
}

/// This process's presence, from [`Presence::announce`] until it is dropped.
#[derive(Debug)]
pub struct Presence {
    /// The bound socket; absent if every name was taken or sockets are refused.
    socket: Option<UnixDatagram>,
    /// Another was met: at the start, or in a greeting read since.
    met: AtomicBool,
    /// Something was refused, so not having met anyone means nothing.
    blind: bool,
}

/// The result of trying one name.
enum Attempt {
    Bound(UnixDatagram),
    Taken,
    Refused,
}

impl Presence {
    /// Becomes visible to others and greets those who are there. Never blocks and never fails;
    /// what could not be done shows as [`Others::Unknown`]. Takes about 50 µs.
    #[must_use = "the presence ends when it is dropped"]
    pub fn announce() -> Presence {
        Presence::announce_under(PREFIX)
    }

    /// [`Presence::announce`] with the first part of the names passed in.
    fn announce_under(prefix: &str) -> Presence {
        let mut met = false;
        for k in 0..NAMES {
            match attempt(prefix, k) {
                Attempt::Taken => met = true,
                Attempt::Refused => return Presence::without_socket(met, true),
                Attempt::Bound(socket) => {
                    let greeted = greet_all(&socket, prefix, k);
                    return Presence {
                        socket: Some(socket),
                        met: AtomicBool::new(met || greeted == Others::Seen),
                        blind: greeted == Others::Unknown,
                    };
                }
            }
        }
        Presence::without_socket(met, false)
    }

    fn without_socket(met: bool, blind: bool) -> Presence {
        Presence { socket: None, met: AtomicBool::new(met), blind }
    }

    /// Whether another was there at any time since the announcement. Ask at the end; asking
    /// earlier or twice does no harm.
    #[must_use]
    pub fn others(&self) -> Others {
        let mut blind = self.blind;
        if let Some(socket) = &self.socket {
            match read_greetings(socket) {
                Others::Seen => self.met.store(true, Ordering::Relaxed),
                Others::Unknown => blind = true,
                Others::None => {}
            }
        }
        match (self.met.load(Ordering::Relaxed), blind) {
            (true, _) => Others::Seen,
            (false, true) => Others::Unknown,
            (false, false) => Others::None,
        }
    }
}

/// The abstract address of name `k`.
fn address(prefix: &str, k: u8) -> Result<SocketAddr, Error> {
    SocketAddr::from_abstract_name(format!("{prefix}{k}"))
}

/// Tries to take name `k`.
fn attempt(prefix: &str, k: u8) -> Attempt {
    let bound = address(prefix, k).and_then(|address| UnixDatagram::bind_addr(&address));
    match bound {
        Ok(socket) if socket.set_nonblocking(true).is_ok() => Attempt::Bound(socket),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Attempt::Taken,
        Ok(_) | Err(_) => Attempt::Refused,
    }
}

/// Greets every name but our own. A full queue counts as someone being there.
fn greet_all(socket: &UnixDatagram, prefix: &str, own: u8) -> Others {
    let mut found = Others::None;
    for k in (0..NAMES).filter(|&k| k != own) {
        let sent = address(prefix, k).and_then(|address| socket.send_to_addr(GREETING, &address));
        match sent.map_err(|error| error.kind()) {
            Ok(_) | Err(ErrorKind::WouldBlock) => found = Others::Seen,
            Err(ErrorKind::ConnectionRefused) => {}
            Err(_) if found == Others::None => found = Others::Unknown,
            Err(_) => {}
        }
    }
    found
}

/// Takes everything out of the queue, which the kernel keeps to some ten datagrams.
fn read_greetings(socket: &UnixDatagram) -> Others {
    let mut found = Others::None;
    // One byte longer than a greeting, so that a longer datagram is not cut down to one.
    let mut buffer = [0_u8; GREETING.len() + 1];
    loop {
        match socket.recv(&mut buffer) {
            Ok(n) if &buffer[..n] == GREETING => found = Others::Seen,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return found,
            Err(_) if found == Others::None => return Others::Unknown,
            Err(_) => return found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prefix of this test process alone, so that tests and real etalons do not meet.
    fn prefix(test: &str) -> String {
        format!("etalon-test-{}-{test}-", std::process::id())
    }

    /// Catches a presence that meets itself.
    #[test]
    fn alone_it_sees_no_one() {
        let alone = Presence::announce_under(&prefix("alone"));
        assert_eq!(alone.others(), Others::None);
        assert_eq!(alone.others(), Others::None);
    }

    /// Catches a first that never learns of the second, a second that sends but does not note, and
    /// a sighting that is forgotten once read.
    #[test]
    fn two_see_each_other_and_remember_it() {
        let prefix = prefix("two");
        let first = Presence::announce_under(&prefix);
        let second = Presence::announce_under(&prefix);
        assert_eq!(second.others(), Others::Seen);
        drop(second);
        assert_eq!(first.others(), Others::Seen);
        assert_eq!(first.others(), Others::Seen);
    }

    /// Catches a peer that ended before the question being lost, or a name being kept after its end.
    #[test]
    fn after_the_end_the_name_is_free_again() {
        let prefix = prefix("free");
        drop(Presence::announce_under(&prefix));
        let next = Presence::announce_under(&prefix);
        assert_eq!(next.others(), Others::None);
    }

    /// Catches greeting only the lower names: the newcomer takes name 0, the old one has name 1.
    #[test]
    fn a_newcomer_in_a_hole_sees_the_one_above_and_is_seen() {
        let prefix = prefix("hole");
        let zero = UnixDatagram::bind_addr(&address(&prefix, 0).unwrap()).unwrap();
        let old = Presence::announce_under(&prefix);
        drop(zero);
        // The old one has seen the holder of name 0; forget that to see the newcomer alone.
        old.met.store(false, Ordering::Relaxed);
        let newcomer = Presence::announce_under(&prefix);
        assert_eq!(newcomer.others(), Others::Seen);
        assert_eq!(old.others(), Others::Seen);
    }

    /// Catches a seventeenth that finds no name and calls that being alone, and blocking on queues
    /// that have become full.
    #[test]
    fn with_every_name_taken_others_are_seen() {
        let prefix = prefix("full");
        let all: Vec<_> = (0..NAMES).map(|_| Presence::announce_under(&prefix)).collect();
        let late = Presence::announce_under(&prefix);
        assert!(late.socket.is_none());
        assert_eq!(late.others(), Others::Seen);
        assert!(all.iter().all(|one| one.others() == Others::Seen));
    }

    /// Catches any datagram being taken for a greeting, also one that merely begins like it.
    #[test]
    fn foreign_datagrams_are_not_greetings() {
        let prefix = prefix("foreign");
        let presence = Presence::announce_under(&prefix);
        let stranger = UnixDatagram::unbound().unwrap();
        let to = address(&prefix, 0).unwrap();
        let longer = [GREETING, b"!"].concat();
        for text in [&b"hello"[..], b"", &longer] {
            stranger.send_to_addr(text, &to).unwrap();
        }
        assert_eq!(presence.others(), Others::None);
    }

    /// Catches a refusal read as being alone. (A name too long for an address is refused.)
    #[test]
    fn refused_sockets_are_unknown() {
        let presence = Presence::announce_under(&"x".repeat(200));
        assert_eq!(presence.others(), Others::Unknown);
    }
}
