//! Builds that are kept from one etalon to the next, each at a path of its own.
//!
//! Owns: places `KEY-NN` below a directory of etalon's own, where KEY is what the build follows from ([`super::key`]),
//! and NN tells builds of one key apart. A build stays where it was built: programs know their paths. Beside each place
//! stand `KEY-NN.lock`, held by the etalon that uses it; `KEY-NN.building`, there while it is not built to its end, and
//! held by the programs that build it, so that no place is used that an orphan writes to; and `KEY-NN.built` with when
//! that was and what is in it. What a measured command added is removed before a build is used again; where it changed
//! something, it is built anew. Refuses: a build that failed, or was not finished.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use etalon_record::entries::entries;
use etalon_record::lock::{self, Lock};

use super::listing::Listing;
use super::{Earlier, SidesError};

/// How many builds of one key there are at most.
const MOST: usize = 99;

/// How many bytes are kept at most. Because: a few builds of a large project, on a disk that holds several.
const MOST_BYTES: u64 = 8 << 30;

/// How long a build is kept that nobody uses.
const MOST_AGE: Duration = Duration::from_secs(30 * 24 * 3600);

/// How often to look whether a process is gone, 10 ms apart.
const PATIENCE: u32 = 200;

/// The name of a copy in its place.
const COPY: &str = "side";

const LOCK: &str = "lock";
const BUILDING: &str = "building";
const BUILT: &str = "built";

/// The end of a file that was written whole.
const END: &[u8] = b"\0end\n";

/// A place for a build, this etalon's as long as it lives.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    lock: File,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Nothing of use.
    Empty,
    /// To be built; the file passes to what builds it.
    Building(File),
    /// Built, and when.
    Built(SystemTime),
}

/// Takes a place with a build that is finished, or an empty one. The first that nobody uses, in the order of numbers.
pub(super) fn take(builds: &Path, key: &str, earlier: Earlier) -> Result<Place, SidesError> {
    let places = || (1..=MOST).map(|number| builds.join(format!("{key}-{number:02}")));
    if earlier == Earlier::Used {
        for path in places().filter(|path| beside(path, BUILT).exists()) {
            if let Some(place) = Place::lock(&path).and_then(Place::finished) {
                return Ok(place);
            }
        }
    }
    let mut failed = None;
    for path in places() {
        let Some(place) = Place::lock(&path) else { continue };
        match place.emptied() {
            Ok(Some(place)) => return Ok(place),
            Ok(None) => {}
            Err(error) => failed = Some(error),
        }
    }
    let error = failed.unwrap_or_else(|| io::Error::other("every place for a build is in use"));
    Err(SidesError::Io { path: builds.to_owned(), error })
}

impl Place {
    /// Where the copy is, or is to be. What a build writes beside it is its own too.
    pub(super) fn root(&self) -> PathBuf {
        self.path.join(COPY)
    }

    /// When it was built, of a build from earlier.
    pub(super) fn built(&self) -> Option<SystemTime> {
        match self.state {
            State::Built(at) => Some(at),
            State::Empty | State::Building(_) => None,
        }
    }

    /// The file that a build has open to its end.
    pub(super) fn building(&self) -> Option<&File> {
        match &self.state {
            State::Building(file) => Some(file),
            State::Empty | State::Built(_) => None,
        }
    }

    /// Keeps what is there now as a finished build. Where that cannot be written down, it is not kept.
    pub(super) fn keep(&mut self, now: SystemTime) {
        if self.building().is_none() {
            return;
        }
        let listing = Listing::of(&self.path);
        let seconds = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let mut text = format!("{seconds} {}\0", listing.bytes()).into_bytes();
        text.extend(listing.written());
        text.extend_from_slice(END);
        let (new, built) = (beside(&self.path, "new"), beside(&self.path, BUILT));
        let written = fs::write(&new, text)
            .and_then(|()| fs::rename(&new, &built))
            .and_then(|()| fs::remove_file(beside(&self.path, BUILDING)));
        if written.is_ok() {
            self.state = State::Built(now);
        }
    }

    /// One that nobody else uses.
    fn lock(path: &Path) -> Option<Place> {
        let file = beside(path, LOCK);
        let mut options = OpenOptions::new();
        let lock = options.write(true).create(true).truncate(false).mode(0o600).open(&file).ok()?;
        let is_taken = lock::take(&lock) == Lock::Taken;
        // Whoever had it may have removed it.
        let inode = |about: io::Result<fs::Metadata>| about.ok().map(|it| (it.dev(), it.ino()));
        let both = inode(lock.metadata()).zip(inode(fs::metadata(&file)));
        let is_it = both.is_some_and(|(held, named)| held == named);
        (is_taken && is_it).then(|| Place { path: path.to_owned(), lock, state: State::Empty })
    }

    /// With its finished build, as that was.
    fn finished(mut self) -> Option<Place> {
        let built = finished(&self.path)?;
        if !Listing::read(&built.listing)?.restore(&self.path) {
            return None;
        }
        // The age of the lock says when it was used last.
        let _unknown = self.lock.set_modified(SystemTime::now());
        self.state = State::Built(built.at);
        Some(self)
    }

    /// Without anything in it; none where programs write to it that nobody waits for.
    fn emptied(mut self) -> io::Result<Option<Place>> {
        if is_being_built(&self.path) {
            return Ok(None);
        }
        self.remove()?;
        super::room::private(&self.path)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let building = options.open(beside(&self.path, BUILDING))?;
        if lock::take(&building) == Lock::Held {
            return Ok(None);
        }
        let _unknown = self.lock.set_modified(SystemTime::now());
        self.state = State::Building(building);
        Ok(Some(self))
    }

    fn remove(&self) -> io::Result<()> {
        let is_gone = |removed: io::Result<()>| match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        is_gone(fs::remove_file(beside(&self.path, BUILT)))?;
        is_gone(fs::remove_file(beside(&self.path, "new")))?;
        is_gone(fs::remove_dir_all(&self.path))?;
        is_gone(fs::remove_file(beside(&self.path, BUILDING)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.state, State::Empty) {
            State::Built(_) => return,
            // What was killed just now may take a moment to be gone.
            State::Building(building) => {
                drop(building);
                let mut patience = PATIENCE;
                while patience > 0 && is_being_built(&self.path) {
                    std::thread::sleep(Duration::from_millis(10));
                    patience -= 1;
                }
            }
            State::Empty => {}
        }
        if beside(&self.path, BUILT).exists() || is_being_built(&self.path) {
            return;
        }
        // What cannot be removed now, the next etalon removes.
        if self.remove().is_ok() {
            let _left = fs::remove_file(beside(&self.path, LOCK));
        }
    }
}

/// A file beside a place.
fn beside(path: &Path, what: &str) -> PathBuf {
    path.with_extension(what)
}

/// Whether programs that build there are alive.
fn is_being_built(path: &Path) -> bool {
    File::open(beside(path, BUILDING)).is_ok_and(|file| lock::is_held(&file))
}

/// When a build was finished, how many bytes it has, and its listing as it was written.
struct Built {
    at: SystemTime,
    bytes: u64,
    listing: Vec<u8>,
}

/// The end of a build as its file tells it.
fn finished(path: &Path) -> Option<Built> {
    let text = fs::read(beside(path, BUILT)).ok()?;
    let text = text.strip_suffix(END)?;
    let at = text.iter().position(|byte| *byte == 0)?;
    let (seconds, bytes) = std::str::from_utf8(&text[..at]).ok()?.split_once(' ')?;
    let seconds = Duration::from_secs(seconds.parse().ok()?);
    Some(Built {
        at: SystemTime::UNIX_EPOCH.checked_add(seconds)?,
        bytes: bytes.parse().ok()?,
        listing: text[at..].to_vec(),
    })
}

/// Removes what killed etalons have left, builds that nobody used for long, and of the others the longest unused until
/// they take at most so much. What is in use stays.
pub(super) fn sweep(builds: &Path, now: SystemTime) {
    let mut places = Vec::new();
    for entry in entries(builds).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension() != Some(OsStr::new(LOCK)) || !is_place(&path) {
            continue;
        }
        // One without a finished build goes when it is dropped.
        let Some(place) = Place::lock(&path.with_extension("")) else { continue };
        let used = place.lock.metadata().and_then(|about| about.modified()).unwrap_or(now);
        match finished(&place.path) {
            Some(built) => places.push((used, built.bytes, place)),
            None => discard(place),
        }
    }
    places.sort_by_key(|(used, ..)| std::cmp::Reverse(*used));
    let mut bytes = 0_u64;
    for (used, size, place) in places {
        bytes = bytes.saturating_add(size);
        let age = now.duration_since(used).unwrap_or_default();
        if age > MOST_AGE || bytes > MOST_BYTES {
            discard(place);
        }
    }
}

/// Removes a place with everything in it, unless somebody builds there.
fn discard(place: Place) {
    let _left = fs::remove_file(beside(&place.path, BUILT));
    drop(place);
}

/// Whether a name is one of a place: 16 digits, and a number.
fn is_place(path: &Path) -> bool {
    let name = path.file_stem().and_then(OsStr::to_str);
    let parts = name.and_then(|name| name.split_once('-'));
    parts.is_some_and(|(key, number)| {
        key.len() == 16 && number.len() == 2 && number.bytes().all(|it| it.is_ascii_digit())
    })
}
