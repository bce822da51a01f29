//! The files of one life of a worker: of one process on one machine, never used again.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::pulse::{Pulse, Vigil};
use super::stream::{Incoming, Look, Outgoing, Pace};

/// Whoever asks gives signs of life here, in the directory above that of each life.
pub(crate) const LEASE: &str = "lease";

/// Facts about the machine, known before anything is executed there. The file comes as a whole.
pub(crate) const GROUND: &str = "ground";

/// A worker without a sign of whoever asks ends after so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A worker that gives no sign for so long is gone.
const SILENCE: Duration = Duration::from_secs(30);

/// How long a worker that nobody wants any more has to end.
const GRACE: Duration = Duration::from_secs(8);

/// How often is asked from elsewhere whether a worker is gone.
const SELDOM: Duration = Duration::from_secs(1);

/// The directory of a life.
#[derive(Debug, Clone)]
pub struct Life(PathBuf);

impl Life {
    /// In this directory.
    #[must_use]
    pub fn at(path: PathBuf) -> Life {
        Life(path)
    }

    /// A file of its own.
    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn streams(&self, name: &str, closed: &str) -> (PathBuf, PathBuf) {
        (self.file(name), self.file(closed))
    }

    /// Where the worker is told something.
    #[must_use]
    pub fn requests(&self) -> Outgoing {
        let (path, closed) = self.streams("requests", "asked");
        Outgoing::new(path, closed)
    }

    /// Where it reads that.
    pub(super) fn told(&self) -> Incoming {
        let (path, closed) = self.streams("requests", "asked");
        Incoming::new(path, closed)
    }

    /// Where the worker answers.
    pub(super) fn answering(&self) -> Outgoing {
        let (path, closed) = self.streams("answers", "answered");
        Outgoing::new(path, closed)
    }

    /// The answers of the worker. `ends` says from elsewhere that its process is gone, and `is_unwanted` that nobody wants it.
    #[must_use]
    pub fn answers<'a>(
        &self,
        ends: Box<dyn Fn() -> bool + 'a>,
        is_unwanted: &'a dyn Fn() -> bool,
    ) -> Answers<'a> {
        let incoming = Incoming::new(self.file("answers"), self.file("over"));
        let now = Instant::now();
        let alive = Vigil::begin(self.file("alive"), SILENCE, now);
        Answers {
            incoming,
            alive,
            ends,
            asked: now,
            is_unwanted,
            unwanted: None,
            pace: Pace::new(),
        }
    }

    /// Signs of life of the worker.
    pub(super) fn pulse(&self) -> Pulse {
        Pulse::new(self.file("alive"))
    }

    /// Whether whoever asks is there.
    pub(super) fn lease(&self) -> Vigil {
        Vigil::begin(self.lease_file(), PATIENCE, Instant::now())
    }

    /// Whether the lease was old when this life began, by the clock of whoever keeps both files.
    pub(super) fn is_late(&self) -> bool {
        let written = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
        match (written(&self.lease_file()), written(&self.file(GROUND))) {
            (Some(lease), Some(own)) => {
                own.duration_since(lease).is_ok_and(|before| before > PATIENCE)
            }
            (None, _) => true,
            (_, None) => false,
        }
    }

    fn lease_file(&self) -> PathBuf {
        self.0.parent().unwrap_or(&self.0).join(LEASE)
    }

    /// Says that the worker has ended, and why if it did so by itself.
    pub(super) fn end(&self, why: &str) -> io::Result<()> {
        let new = self.file("over.new");
        fs::write(&new, why)?;
        fs::rename(&new, self.file("over"))
    }

    /// Why the worker ended, in its words; nothing where it could not say that it ended.
    #[must_use]
    pub fn last_words(&self) -> Option<String> {
        fs::read_to_string(self.file("over")).ok()
    }
}

/// The answers of a worker, to be read until they end.
pub struct Answers<'a> {
    incoming: Incoming,
    alive: Vigil,
    ends: Box<dyn Fn() -> bool + 'a>,
    /// When that was asked for the last time.
    asked: Instant,
    is_unwanted: &'a dyn Fn() -> bool,
    unwanted: Option<Instant>,
    pace: Pace,
}

impl Answers<'_> {
    fn is_given_up(&mut self) -> bool {
        let now = Instant::now();
        if self.unwanted.is_none() && (self.is_unwanted)() {
            self.unwanted = Some(now);
        }
        if self.unwanted.is_some_and(|since| now - since > GRACE) || !self.alive.holds(now) {
            return true;
        }
        let is_time = now - self.asked > SELDOM;
        if is_time {
            self.asked = now;
        }
        is_time && (self.ends)()
    }
}

impl Read for Answers<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut bytes = Vec::new();
        loop {
            // A file server that does not answer for a moment is silent, as the machine would be.
            let look = self.incoming.some(&mut bytes, into.len()).unwrap_or(Look::Nothing);
            match look {
                Look::More => {
                    self.pace.moved();
                    into[..bytes.len()].copy_from_slice(&bytes);
                    return Ok(bytes.len());
                }
                Look::Closed => return Ok(0),
                Look::Nothing if self.is_given_up() => return Ok(0),
                Look::Nothing => self.pace.wait(),
            }
        }
    }
}
