//! Whether a service answers: a connection to an address, or an HTTP request.
//!
//! Owns: one attempt, and why it failed. Refuses: to try again, TLS, and to follow redirections.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// How long a connection may take to come about. Because: on one machine it takes some µs.
const CONNECTING: Duration = Duration::from_secs(1);

/// How long an answer may take; then it is asked again.
const ANSWERING: Duration = Duration::from_secs(5);

/// How often whoever waits is asked whether to go on.
const PATIENCE: Duration = Duration::from_millis(50);

/// The longest first line of an answer that is read.
const LONGEST: usize = 4096;

/// Where a service listens, as it is written: `HOST:PORT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

/// A request to a service, as it is written: `http://HOST:PORT/PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    url: String,
    address: Address,
    host: String,
    path: String,
}

/// Why a text is no address, or no request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is no address.
    #[error("not an address: write HOST:PORT, such as 127.0.0.1:9000 or [::1]:9000")]
    Address,
    /// It is no URL of HTTP.
    #[error("not a URL of HTTP: write one such as http://127.0.0.1:9000/health")]
    Url,
    /// It would be encrypted.
    #[error("https is not spoken here: use a command, such as `curl -sfk https://…`")]
    Encrypted,
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        let (host, port) = text.rsplit_once(':').ok_or(AddressError::Address)?;
        let is_name = !host.is_empty()
            && !host.contains(['/', ' ', '@'])
            && (!host.contains(':') || host.starts_with('[') && host.ends_with(']'));
        match port.parse::<u16>() {
            Ok(1..) if is_name => Ok(Address(text.to_owned())),
            _ => Err(AddressError::Address),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Address {
    /// Whether something listens there.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn try_connecting(&self) -> Result<(), String> {
        self.connect().map(drop).map_err(|error| error.to_string())
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let mut last = io::Error::other("the name has no address");
        for address in self.0.to_socket_addrs()? {
            match connect_to(&address) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

fn connect_to(address: &SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(address, CONNECTING)?;
    // Where nobody listens, a connection may by chance get its own end as the other one.
    if stream.local_addr()? == stream.peer_addr()? {
        return Err(io::ErrorKind::ConnectionRefused.into());
    }
    Ok(stream)
}

impl FromStr for Request {
    type Err = AddressError;

    fn from_str(url: &str) -> Result<Request, AddressError> {
        let scheme = |name: &str| {
            let start = url.get(..name.len())?;
            start.eq_ignore_ascii_case(name).then(|| &url[name.len()..])
        };
        if scheme("https://").is_some() {
            return Err(AddressError::Encrypted);
        }
        let rest = scheme("http://").ok_or(AddressError::Url)?;
        let at = rest.find(['/', '?']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(at);
        let slash = if path.starts_with('/') { "" } else { "/" };
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| !port.contains(']'));
        let address = if has_port { host.to_owned() } else { format!("{host}:80") };
        if !path.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(AddressError::Url);
        }
        Ok(Request {
            url: url.to_owned(),
            address: address.parse().map_err(|_| AddressError::Url)?,
            host: host.to_owned(),
            path: format!("{slash}{path}"),
        })
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl Request {
    /// Where it is sent.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Sends it; the status of the answer. Gives up when `goes_on` says no, which is asked many times a second.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn send(&self, goes_on: &mut dyn FnMut() -> bool) -> Result<u16, String> {
        self.exchange(goes_on).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => "no answer yet".to_owned(),
            _ => error.to_string(),
        })
    }

    fn exchange(&self, goes_on: &mut dyn FnMut() -> bool) -> io::Result<u16> {
        let mut stream = self.address.connect()?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(CONNECTING))?;
        let Request { host, path, .. } = self;
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: etalon\r\nAccept: */*\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes())?;
        let began = Instant::now();
        let mut answer = Vec::new();
        let mut piece = [0; 512];
        while !answer.contains(&b'\n') && answer.len() < LONGEST {
            match stream.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => answer.extend_from_slice(&piece[..read]),
                Err(error) if is_pause(&error) => {
                    if !goes_on() || began.elapsed() > ANSWERING {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                }
                Err(error) => return Err(error),
            }
        }
        status(&answer).ok_or_else(|| io::Error::other("what answers does not speak HTTP"))
    }
}

/// Whether nothing was there to be read yet.
fn is_pause(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

/// The status in the first line of an answer.
fn status(answer: &[u8]) -> Option<u16> {
    let line = answer.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_ascii_whitespace();
    words.next().filter(|version| version.starts_with("HTTP/"))?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn addresses_and_urls_are_what_they_are_written() {
        for text in ["127.0.0.1:9000", "localhost:1", "[::1]:65535"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        for text in ["", "9000", ":9000", "x:", "x:0", "x:65536", "::1:80", "http://x:80", "a b:1"]
        {
            assert_eq!(text.parse::<Address>(), Err(AddressError::Address), "{text}");
        }
        let parts = |url: &str| {
            let Request { address, host, path, .. } = url.parse::<Request>().unwrap();
            (address.to_string(), host, path)
        };
        let all = |address: &str, host: &str, path: &str| {
            (address.to_owned(), host.to_owned(), path.to_owned())
        };
        assert_eq!(parts("http://x:9/a?b=c"), all("x:9", "x:9", "/a?b=c"));
        assert_eq!(parts("HTTP://x"), all("x:80", "x", "/"));
        assert_eq!(parts("http://[::1]?q"), all("[::1]:80", "[::1]", "/?q"));
        assert_eq!("https://x".parse::<Request>(), Err(AddressError::Encrypted));
        for text in ["x:80", "ftp://x", "http://", "http://x/a b", "http://x:y/"] {
            assert_eq!(text.parse::<Request>(), Err(AddressError::Url), "{text}");
        }
    }

    /// Would catch an answer that comes in pieces read as none, and one of something else taken for HTTP.
    #[test]
    fn the_status_is_that_of_the_first_line() {
        for (said, expected) in [
            (&["HTTP/1.1 20", "4 No Content\r\nX: HTTP/1.1 500 \r\n\r\n"][..], Ok(204)),
            (&["HTTP/1.0 503 Busy\n"], Ok(503)),
            (&["SSH-2.0-OpenSSH\r\n"], Err("what answers does not speak HTTP".to_owned())),
            (&[], Err("what answers does not speak HTTP".to_owned())),
        ] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            let answers = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = [0; 1024];
                let read = stream.read(&mut request).unwrap();
                for piece in said {
                    stream.write_all(piece.as_bytes()).unwrap();
                }
                String::from_utf8(request[..read].to_vec()).unwrap()
            });
            let request: Request = format!("http://127.0.0.1:{port}/ready").parse().unwrap();
            assert_eq!(request.send(&mut || true), expected);
            let asked = answers.join().unwrap();
            assert!(asked.starts_with("GET /ready HTTP/1.1\r\nHost: 127.0.0.1:"), "{asked}");
            assert!(asked.ends_with("\r\n\r\n"), "{asked}");
        }
    }

    /// Would catch waiting for an answer for ever, and a port where nobody listens taken for an answer.
    #[test]
    fn who_waits_may_give_up() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let request: Request = format!("http://{address}/").parse().unwrap();
        assert_eq!(request.send(&mut || false), Err("no answer yet".to_owned()));
        assert_eq!(request.address().try_connecting(), Ok(()));
        // No port of a listener that was closed: another test may have it by now.
        "127.0.0.1:1".parse::<Address>().unwrap().try_connecting().unwrap_err();
    }
}
