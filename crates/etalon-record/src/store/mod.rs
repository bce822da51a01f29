//! The store: where saved run sets live and how they are found again.
//!
//! Owns the directory layout: `runs/<id>.jsonl` (finished), `runs/<id>.jsonl.partial` (being written, or
//! interrupted), `names/<name>` (a file holding an id), `labels/<id>.json` (tags and a note), `answers/<id>.json`
//! (what came out, for listings), `noise/<id>.json` (what `etalon noise` found out), `history.sqlite` and
//! `history/<id>.json` (series over time, and as what a run is in them), `order` (in which runs were saved), `index`
//! (what listings need), all of it its owner's alone; and that a file with nothing in it is no run. One file below
//! this per concern: the record being written (`record`), its removal (`removal`), what there is (`catalogue`), in which
//! order (`order`), what a record says of itself (`saved`, `summary`), what is known without opening it (`index`),
//! records from elsewhere (`import`), references like `@last` (`resolve`), names (`names`), tags and notes (`labels`),
//! answers (`answers`), noise (`known_noise`), the history (`members`), ids (`id`) and their beginnings (`prefix`), small
//! files (`side`) and files of lines (`journal`). Refuses to read the environment (the caller passes a lookup) and to
//! interpret records beyond their first and last lines.

mod answers;
mod catalogue;
mod error;
mod id;
mod import;
mod index;
mod journal;
mod known_noise;
mod labels;
mod members;
mod names;
mod order;
mod prefix;
mod record;
mod removal;
mod resolve;
mod saved;
mod side;
mod summary;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::entries::entries;

pub use catalogue::Catalogue;
pub use error::StoreError;
pub use id::{is_id, make_id};
pub use import::Imported;
pub use known_noise::KnownNoise;
pub use labels::Labels;
pub use members::Membership;
pub use record::{Contents, NewRecord};
pub use removal::Removal;
pub use saved::{Saved, State};
pub use summary::{AnswerOf, Subject, Summary};

/// The ending of a finished record's file name.
const FINISHED: &str = ".jsonl";
/// The ending of a record's file name until it is finished.
const PARTIAL: &str = ".jsonl.partial";

/// The directory of tags and notes.
const LABELS: &str = "labels";
/// The directory of answers.
const ANSWERS: &str = "answers";
/// The directory of what `etalon noise` found out.
const NOISE: &str = "noise";
/// The directory of what runs are in the history.
const MEMBERS: &str = "history";
/// Directories with at most one file a run, `<id>.json`, which goes with it.
const BESIDE: [&str; 4] = [LABELS, ANSWERS, NOISE, MEMBERS];

/// The directory of saved run sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    home: PathBuf,
}

impl Store {
    /// The store the environment asks for: `$ETALON_HOME`, else `$XDG_STATE_HOME/etalon`, else
    /// `$HOME/.local/state/etalon`. An empty variable counts as unset; so does an
    /// `XDG_STATE_HOME` or `HOME` that is not absolute (the XDG base directory specification asks
    /// for that). Nothing is created.
    ///
    /// # Errors
    /// If none of them is set.
    pub fn locate(lookup: impl Fn(&str) -> Option<OsString>) -> Result<Store, StoreError> {
        let set = |name| lookup(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let absolute = |name| set(name).filter(|path| path.is_absolute());
        set("ETALON_HOME")
            .or_else(|| absolute("XDG_STATE_HOME").map(|path| path.join("etalon")))
            .or_else(|| absolute("HOME").map(|path| path.join(".local/state/etalon")))
            .map(Store::at)
            .ok_or(StoreError::NoHome)
    }

    /// The store in this directory, which is created when something is first saved.
    #[must_use]
    pub fn at(home: PathBuf) -> Store {
        Store { home }
    }

    /// The directory the store is in.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    fn runs(&self) -> PathBuf {
        self.home.join("runs")
    }

    fn names(&self) -> PathBuf {
        self.home.join("names")
    }

    /// The file of a saved run, finished or not. Empty ones are none: a record has a header.
    fn find(&self, id: &str) -> Option<PathBuf> {
        if !is_id(id) {
            return None;
        }
        [FINISHED, PARTIAL]
            .iter()
            .map(|end| self.runs().join(format!("{id}{end}")))
            .find(|path| path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0))
    }
}

/// The id in a record's file name; `None` for other files.
fn id_of(file_name: &str) -> Option<&str> {
    let id = file_name.strip_suffix(PARTIAL).or_else(|| file_name.strip_suffix(FINISHED))?;
    is_id(id).then_some(id)
}

/// The names of the files in a directory, in no order; none if there is no such directory. Names
/// that are not UTF-8 are none of etalon's.
fn file_names(directory: &Path) -> Result<Vec<String>, StoreError> {
    let entries = match entries(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("read", directory, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| StoreError::io("read", directory, &error))?;
        names.extend(entry.file_name().into_string().ok());
    }
    Ok(names)
}
