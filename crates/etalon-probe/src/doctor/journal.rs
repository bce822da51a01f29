//! Changing settings so that they can be put back whatever happens in between.
//!
//! Owns the journal: every change is written to a file, and the file to the disk, before the first setting is touched.
//! The journal is in `/run`, which a restart of the machine empties together with all such settings; should it survive
//! one, it is known by the machine's boot. Where either boot cannot be told, nothing says that the machine was started
//! again, and settings are put back. A second change keeps what the first one found. Putting back goes backwards, may
//! be killed and begun again at any point, and removes the journal last, once everything is as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use etalon_record::fresh::{self, Readers};
use etalon_record::lock::{self, Lock};
use serde::{Deserialize, Serialize};

use super::chosen;
use crate::machine::bounded::Tree;

/// Where the journal is, and its name.
const DIRECTORY: &str = "run";
const NAME: &str = "etalon-doctor.json";

/// Longer than any journal: some thousand CPUs with a line each.
const LONGEST: u64 = 4 << 20;

/// A setting that is changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Its file, below the root.
    pub file: String,
    /// Its value before.
    pub old: String,
    /// Its value after.
    pub new: String,
}

/// Why a setting is not as it should be.
#[derive(Debug)]
pub struct Refused {
    /// Its file, below the root.
    pub file: String,
    /// Why.
    pub error: io::Error,
}

/// Why nothing was changed or put back.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The journal cannot be read, written or removed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The journal or its directory.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is none.
    #[error("{}: not a journal of settings ({why}); look at it, and remove it", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// Somebody else is at it.
    #[error("another etalon is changing settings; wait until it has finished")]
    Busy,
}

/// An outcome of putting settings back.
#[derive(Debug)]
pub enum Restoration {
    /// There was nothing to put back.
    Nothing,
    /// The machine was started again since, which has put everything back.
    Restarted,
    /// So many settings are as they were; others could not be changed, and the journal stays because of them.
    Done {
        /// How many are as they were.
        settings: usize,
        /// Those that are not.
        refused: Vec<Refused>,
    },
}

#[derive(Debug, Serialize, Deserialize)]
struct Journal {
    /// The `boot_id` of the kernel; absent where it could not be read.
    boot: Option<String>,
    changes: Vec<Change>,
}

/// Whether a setting may be written to: an attempt that writes nothing.
///
/// # Errors
/// Why not.
pub fn may_change(root: &Path, file: &str) -> io::Result<()> {
    OpenOptions::new().write(true).open(root.join(file)).map(drop)
}

/// Changes settings, after writing down what they were. Gives those that could not be changed.
///
/// # Errors
/// If nothing was changed, because it could not be written down.
pub fn change(root: &Path, changes: &[Change]) -> Result<Vec<Refused>, JournalError> {
    let place = Place::locked(root)?;
    let found = place.read()?.filter(|journal| !place.is_of_another_boot(journal));
    let mut all = found.map_or_else(Vec::new, |journal| journal.changes);
    for change in changes {
        match all.iter_mut().find(|known| known.file == change.file) {
            Some(known) => known.new.clone_from(&change.new),
            None => all.push(change.clone()),
        }
    }
    place.write(&Journal { boot: place.boot.clone(), changes: all })?;
    let refused = changes.iter().filter_map(|change| refused(root, &change.file, &change.new));
    Ok(refused.collect())
}

/// Puts back what was changed, also by a process that was killed.
///
/// # Errors
/// If it is not known what was changed.
pub fn put_back(root: &Path) -> Result<Restoration, JournalError> {
    let place = Place::locked(root)?;
    let Some(journal) = place.read()? else { return Ok(Restoration::Nothing) };
    if place.is_of_another_boot(&journal) {
        place.remove()?;
        return Ok(Restoration::Restarted);
    }
    let backwards = journal.changes.iter().rev();
    let refused: Vec<Refused> =
        backwards.filter_map(|change| refused(root, &change.file, &change.old)).collect();
    if refused.is_empty() {
        place.remove()?;
    }
    Ok(Restoration::Done { settings: journal.changes.len() - refused.len(), refused })
}

/// Gives a setting a value, unless it has it. Why it has another one after that.
fn refused(root: &Path, file: &str, value: &str) -> Option<Refused> {
    let tree = Tree::new(root);
    let has = || tree.value(file).map(|text| chosen(&text)).as_deref() == Some(value);
    if has() {
        return None;
    }
    let written = OpenOptions::new().write(true).truncate(true).open(root.join(file));
    let written = written.and_then(|mut open| open.write_all(format!("{value}\n").as_bytes()));
    let error = match written {
        Ok(()) if has() => return None,
        Ok(()) => io::Error::other("the kernel took the value and has another one"),
        Err(error) => error,
    };
    Some(Refused { file: file.to_owned(), error })
}

/// The directory of the journal, locked as long as this lives.
struct Place {
    directory: PathBuf,
    journal: PathBuf,
    boot: Option<String>,
    open: File,
}

impl Place {
    fn locked(root: &Path) -> Result<Place, JournalError> {
        let directory = root.join(DIRECTORY);
        let open = File::open(&directory).map_err(|error| about(&directory, error))?;
        if lock::take(&open) == Lock::Held {
            return Err(JournalError::Busy);
        }
        // What was being written when a process was killed.
        fresh::sweep(&directory);
        let boot = Tree::new(root).value("proc/sys/kernel/random/boot_id");
        Ok(Place { journal: directory.join(NAME), directory, boot, open })
    }

    /// Whether the machine was started again since a journal was written. Two boots are told apart where both are
    /// known.
    fn is_of_another_boot(&self, journal: &Journal) -> bool {
        let both = journal.boot.as_ref().zip(self.boot.as_ref());
        both.is_some_and(|(then, now)| then != now)
    }

    fn read(&self) -> Result<Option<Journal>, JournalError> {
        let mut text = String::new();
        let read =
            File::open(&self.journal).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
        match read {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(about(&self.journal, error)),
            Ok(_) => {}
        }
        let damaged = |why: String| JournalError::Damaged { path: self.journal.clone(), why };
        let journal: Journal =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        match journal.changes.iter().find(|change| !is_setting(&change.file)) {
            Some(change) => Err(damaged(format!("{} is no setting", change.file))),
            None => Ok(Some(journal)),
        }
    }

    /// Whole and on the disk, or not at all.
    fn write(&self, journal: &Journal) -> Result<(), JournalError> {
        let write = || -> io::Result<()> {
            let (mut file, hidden) = fresh::create(&self.directory, Readers::Umask)?;
            serde_json::to_writer(&mut file, journal)?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            hidden.take_name(&self.journal)?;
            self.open.sync_all()
        };
        write().map_err(|error| about(&self.journal, error))
    }

    fn remove(&self) -> Result<(), JournalError> {
        let remove = || fs::remove_file(&self.journal).and_then(|()| self.open.sync_all());
        remove().map_err(|error| about(&self.journal, error))
    }
}

fn about(path: &Path, error: io::Error) -> JournalError {
    JournalError::Io { path: path.to_owned(), error }
}

/// Whether a file is where settings are: nobody who can write a journal gets another file written.
fn is_setting(file: &str) -> bool {
    let known = file.starts_with("sys/") || file.starts_with("proc/sys/");
    known && file.split('/').all(|part| !part.is_empty() && part != "..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fixture::{fixture, put};

    const FILE: &str = "sys/setting";

    fn change(root: &Path, changes: &[Change]) -> Result<Vec<Refused>, JournalError> {
        unlocked(|| super::change(root, changes))
    }

    fn put_back(root: &Path) -> Result<Restoration, JournalError> {
        unlocked(|| super::put_back(root))
    }

    /// Tries again where the journal is locked: a child that another test has forked holds every lock of this process
    /// until it executes its program.
    fn unlocked<T>(act: impl Fn() -> Result<T, JournalError>) -> Result<T, JournalError> {
        loop {
            match act() {
                Err(JournalError::Busy) => std::thread::yield_now(),
                done => return done,
            }
        }
    }

    fn changed(old: &str, new: &str) -> Change {
        Change { file: FILE.to_owned(), old: old.to_owned(), new: new.to_owned() }
    }

    fn read(root: &Path, name: &str) -> String {
        fs::read_to_string(root.join(name)).unwrap()
    }

    /// Catches a second change that forgets what the first one found.
    #[test]
    fn what_was_found_first_is_put_back() {
        let dir = fixture(&[(FILE, "a\n"), ("run/other", "")]);
        assert!(change(dir.path(), &[changed("a", "b")]).unwrap().is_empty());
        assert!(change(dir.path(), &[changed("b", "c")]).unwrap().is_empty());
        assert_eq!(read(dir.path(), FILE), "c\n");
        let done = put_back(dir.path()).unwrap();
        assert!(matches!(done, Restoration::Done { settings: 1, refused } if refused.is_empty()));
        assert_eq!(read(dir.path(), FILE), "a\n");
        assert!(matches!(put_back(dir.path()).unwrap(), Restoration::Nothing));
        assert_eq!(fs::read_dir(dir.path().join("run")).unwrap().count(), 1);
    }

    /// Catches a setting that is gone, or takes no value, losing the others or the journal.
    #[test]
    fn one_that_cannot_be_changed_stops_no_other() {
        let dir = fixture(&[(FILE, "a\n"), ("sys/gone", "a\n"), ("run/x", "")]);
        let gone = Change { file: "sys/gone".to_owned(), ..changed("a", "b") };
        assert!(change(dir.path(), &[changed("a", "b"), gone]).unwrap().is_empty());
        fs::remove_file(dir.path().join("sys/gone")).unwrap();
        let Restoration::Done { settings, refused } = put_back(dir.path()).unwrap() else {
            panic!("nothing was put back")
        };
        assert_eq!((settings, refused.len(), refused[0].file.as_str()), (1, 1, "sys/gone"));
        assert_eq!(read(dir.path(), FILE), "a\n");
        put(dir.path(), "sys/gone", "b\n");
        assert!(matches!(put_back(dir.path()).unwrap(), Restoration::Done { settings: 2, .. }));
        assert!(matches!(put_back(dir.path()).unwrap(), Restoration::Nothing));
    }

    /// Catches old values written to a machine that was started again, and kept for the next change of it.
    #[test]
    fn a_restart_has_put_everything_back() {
        let boot = "proc/sys/kernel/random/boot_id";
        let dir = fixture(&[(FILE, "a\n"), ("run/x", ""), (boot, "one\n")]);
        change(dir.path(), &[changed("a", "b")]).unwrap();
        put(dir.path(), boot, "two\n");
        put(dir.path(), FILE, "z\n");
        change(dir.path(), &[changed("z", "b")]).unwrap();
        put_back(dir.path()).unwrap();
        assert_eq!(read(dir.path(), FILE), "z\n");
        change(dir.path(), &[changed("z", "b")]).unwrap();
        put(dir.path(), boot, "three\n");
        assert!(matches!(put_back(dir.path()).unwrap(), Restoration::Restarted));
        assert_eq!(read(dir.path(), FILE), "b\n");
        assert!(matches!(put_back(dir.path()).unwrap(), Restoration::Nothing));
    }

    /// Catches a boot that could not be read once, or at no time, taken for a restart: settings would stay changed, and
    /// nobody could put them back.
    #[test]
    fn a_boot_that_is_not_known_is_no_restart() {
        const BOOT: &str = "proc/sys/kernel/random/boot_id";
        let boots = [Some("one\n"), None, Some("\n")];
        let cases = boots.iter().flat_map(|then| boots.map(|now| (*then, now)));
        for (then, now) in cases {
            let dir = fixture(&[(FILE, "a\n"), ("sys/b", "a\n"), ("run/x", "")]);
            let boot = |text: Option<&str>| match text {
                Some(text) => put(dir.path(), BOOT, text),
                None => drop(fs::remove_file(dir.path().join(BOOT))),
            };
            boot(then);
            change(dir.path(), &[changed("a", "b")]).unwrap();
            boot(now);
            // A second change knows of the first one.
            let second = Change { file: "sys/b".to_owned(), ..changed("a", "b") };
            change(dir.path(), std::slice::from_ref(&second)).unwrap();
            boot(then);
            fs::remove_file(dir.path().join("sys/b")).unwrap();
            let done = put_back(dir.path()).unwrap();
            assert!(
                matches!(done, Restoration::Done { settings: 1, .. }),
                "{then:?}, {now:?}: {done:?}"
            );
            assert_eq!(read(dir.path(), FILE), "a\n");
            put(dir.path(), "sys/b", "b\n");
            boot(now);
            let done = put_back(dir.path()).unwrap();
            assert!(
                matches!(done, Restoration::Done { settings: 2, .. }),
                "{then:?}, {now:?}: {done:?}"
            );
            assert_eq!(read(dir.path(), "sys/b"), "a\n");
            assert!(matches!(put_back(dir.path()).unwrap(), Restoration::Nothing));
        }
    }

    /// Catches a journal that makes etalon write to a file that is no setting, and one that is believed in part.
    #[test]
    fn a_journal_of_something_else_is_refused() {
        for file in ["etc/passwd", "sys/../etc/passwd", "proc/sys//x", "/sys/x"] {
            assert!(!is_setting(file), "{file}");
        }
        let dir = fixture(&[("run/etalon-doctor.json", "{\"boot\":null,\"changes\":[{\"file\":")]);
        assert!(matches!(put_back(dir.path()), Err(JournalError::Damaged { .. })));
        let text = r#"{"boot":null,"changes":[{"file":"etc/passwd","old":"a","new":"b"}]}"#;
        put(dir.path(), "run/etalon-doctor.json", text);
        assert!(matches!(change(dir.path(), &[]), Err(JournalError::Damaged { .. })));
    }

    /// Catches two processes that change settings at once.
    #[test]
    fn one_at_a_time() {
        let dir = fixture(&[("run/x", "")]);
        let place = Place::locked(dir.path()).unwrap();
        assert!(matches!(super::put_back(dir.path()), Err(JournalError::Busy)));
        drop(place);
        assert!(matches!(put_back(dir.path()), Ok(Restoration::Nothing)));
    }
}
