//! Signs of life: a number in a file that moves as long as whoever writes it is there.
//!
//! Whoever reads it looks whether it moves while its own clock does. Clocks of two machines are never compared.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often a sign is given.
const EVERY: Duration = Duration::from_secs(2);

/// The side that gives signs.
#[derive(Debug)]
pub struct Pulse {
    path: PathBuf,
    count: u64,
    last: Option<Instant>,
}

impl Pulse {
    /// Gives signs in this file, which it creates.
    #[must_use]
    pub fn new(path: PathBuf) -> Pulse {
        Pulse { path, count: 0, last: None }
    }

    /// Gives a sign if it is time for one. Call it several times a second.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn beat(&mut self) -> io::Result<()> {
        if self.last.is_some_and(|last| last.elapsed() < EVERY) {
            return Ok(());
        }
        self.last = Some(Instant::now());
        self.count += 1;
        // As a whole: nobody reads half a number.
        let new = self.path.with_extension("new");
        fs::write(&new, self.count.to_string())?;
        fs::rename(&new, &self.path)
    }
}

/// The side that looks for signs.
#[derive(Debug)]
pub(super) struct Vigil {
    path: PathBuf,
    patience: Duration,
    seen: Option<u64>,
    since: Instant,
}

impl Vigil {
    /// Begins at `now`, and waits for so long for each sign.
    pub(super) fn begin(path: PathBuf, patience: Duration, now: Instant) -> Vigil {
        let seen = count(&path);
        Vigil { path, patience, seen, since: now }
    }

    /// Whether there was a sign within the patience before `now`. A file that cannot be read for a moment is a number that
    /// does not move; one that was removed from its directory is an end at once.
    pub(super) fn holds(&mut self, now: Instant) -> bool {
        match count(&self.path) {
            Some(count) if self.seen != Some(count) => {
                (self.seen, self.since) = (Some(count), now);
                true
            }
            None if self.seen.is_some() && is_removed(&self.path) => false,
            _ => now.saturating_duration_since(self.since) < self.patience,
        }
    }
}

fn count(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.parse().ok()
}

fn is_removed(path: &Path) -> bool {
    path.parent().is_some_and(Path::is_dir) && path.try_exists().is_ok_and(|is_there| !is_there)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a worker that outlives whoever asks, one that ends although there are signs, a patience that counts from
    /// the start, and a directory that cannot be reached for a moment and is taken for an end.
    #[test]
    fn signs_are_waited_for_as_long_as_was_said() {
        let directory = tempfile::tempdir().unwrap();
        let [here, away] = ["here", "away"].map(|name| directory.path().join(name));
        fs::create_dir(&here).unwrap();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let sign = |count: u64| fs::write(here.join("lease"), count.to_string()).unwrap();
        let begin = || Vigil::begin(here.join("lease"), Duration::from_secs(10), start);
        let mut early = begin();
        assert!(early.holds(after(9)) && !early.holds(after(10)));
        sign(1);
        let mut vigil = begin();
        assert!(vigil.holds(after(9)));
        sign(2);
        assert!(vigil.holds(after(12)) && vigil.holds(after(21)) && !vigil.holds(after(22)));
        sign(3);
        assert!(vigil.holds(after(30)));
        fs::rename(&here, &away).unwrap();
        assert!(vigil.holds(after(39)));
        fs::rename(&away, &here).unwrap();
        assert!(vigil.holds(after(39)));
        fs::remove_file(here.join("lease")).unwrap();
        assert!(!vigil.holds(after(39)));
    }

    /// Would catch a sign at every look, which a file server would have to carry.
    #[test]
    fn a_sign_is_given_now_and_then() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("alive");
        let mut pulse = Pulse::new(path.clone());
        for _ in 0..100 {
            pulse.beat().unwrap();
        }
        assert!(count(&path).is_some_and(|count| count < 100));
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
