//! Whom a process connects to, in words.

use std::fs::File;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::os::unix::fs::FileExt;

use etalon_record::Text;

/// Sockets of the system that nearly every program asks for users, names and logs: they say nothing of what is
/// measured.
const OF_THE_SYSTEM: [&str; 4] = ["/run/nscd/", "/var/run/nscd/", "/run/systemd/", "/dev/log"];

/// The port that names are asked for at.
const NAMES: u16 = 53;

/// The longest address that is read: `struct sockaddr_un` has 110 bytes.
const LONGEST: usize = 128;

/// The address in a process's memory; nothing of one that does not matter.
pub(super) fn peer(pid: libc::pid_t, address: u64, length: u64) -> Option<Text> {
    let mut bytes = [0; LONGEST];
    let length = usize::try_from(length).ok()?.min(LONGEST);
    let memory = File::open(format!("/proc/{pid}/mem")).ok()?;
    memory.read_exact_at(&mut bytes[..length], address).ok()?;
    named(&bytes[..length])
}

fn named(address: &[u8]) -> Option<Text> {
    let (family, rest) = address.split_first_chunk::<2>()?;
    let port = |rest: &[u8]| Some(u16::from_be_bytes(*rest.first_chunk()?));
    match i32::from(u16::from_ne_bytes(*family)) {
        libc::AF_UNIX => {
            let path = match rest.split_first()? {
                // Without a file.
                (0, name) => [b"@", name].concat(),
                _ => rest.split(|byte| *byte == 0).next()?.to_vec(),
            };
            let of_system = |start: &&str| path.starts_with(start.as_bytes());
            (!OF_THE_SYSTEM.iter().any(of_system)).then_some(Text(path))
        }
        libc::AF_INET => {
            let host = Ipv4Addr::from(*rest.get(2..6)?.first_chunk::<4>()?);
            let port = port(rest).filter(|port| ![0, NAMES].contains(port))?;
            Some(Text::from(format!("{host}:{port}")))
        }
        libc::AF_INET6 => {
            let host = Ipv6Addr::from(*rest.get(6..22)?.first_chunk::<16>()?);
            let port = port(rest).filter(|port| ![0, NAMES].contains(port))?;
            Some(Text::from(format!("[{host}]:{port}")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch bytes of an address in the wrong place, and a socket of the system that is told of every program.
    #[test]
    fn an_address_is_named() {
        let of = |family: i32, rest: &[u8]| {
            let family = u16::try_from(family).unwrap().to_ne_bytes();
            named(&[&family, rest].concat()).map(|text| text.to_string_lossy().into_owned())
        };
        assert_eq!(of(libc::AF_UNIX, b"/tmp/s\0xx").as_deref(), Some("/tmp/s"));
        assert_eq!(of(libc::AF_UNIX, b"\0name").as_deref(), Some("@name"));
        assert_eq!(of(libc::AF_UNIX, b"/var/run/nscd/socket\0"), None);
        assert_eq!(of(libc::AF_INET, &[31, 144, 127, 0, 0, 1]).as_deref(), Some("127.0.0.1:8080"));
        assert_eq!(of(libc::AF_INET, &[0, 53, 127, 0, 0, 1]), None);
        let mut six = [0; 22];
        (six[0], six[1], six[21]) = (31, 144, 1);
        assert_eq!(of(libc::AF_INET6, &six).as_deref(), Some("[::1]:8080"));
        assert_eq!(of(libc::AF_INET, &[31]), None);
        assert_eq!(named(&[]), None);
    }
}
