//! Tags and a note of a saved run.
//!
//! Owns the files they are in, one per run beside its record, which is never rewritten. Names are
//! [`super::names`]': they have to be found by what they are called.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs::File;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::record::create_directory;
use super::side::{read_json, remove, write_json};
use super::{LABELS, Store, StoreError, names};

/// The longest note, in bytes. Because: it is one line of a list; a text of pages belongs into a file.
const LONGEST_NOTE: usize = 4096;

/// Tags and note of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// Tags, in alphabetical order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The user's note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Labels {
    /// Whether nothing was said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.note.is_none()
    }

    /// Adds tags.
    ///
    /// # Errors
    /// If one cannot be one.
    pub fn add(&mut self, tags: &[String]) -> Result<(), StoreError> {
        for tag in tags {
            names::check("tag", tag)?;
        }
        self.tags.extend_from_slice(tags);
        self.tags.sort_unstable();
        self.tags.dedup();
        Ok(())
    }

    /// Sets the note; an empty text removes it.
    ///
    /// # Errors
    /// If it is too long.
    pub fn set_note(&mut self, text: &str) -> Result<(), StoreError> {
        if text.len() > LONGEST_NOTE {
            return Err(StoreError::LongNote { bytes: text.len(), most: LONGEST_NOTE });
        }
        self.note = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        Ok(())
    }
}

impl Store {
    /// The labels of a run; none, if there are none or they cannot be read.
    pub(super) fn labels_of(&self, id: &str) -> Labels {
        read_json(&self.labels_file(id)).unwrap_or_default()
    }

    /// Changes what is said of a run; what it is then. Two that change it at once do so one after the other.
    ///
    /// # Errors
    /// If there is no such run, `change` fails, or a file cannot be written.
    pub fn label(
        &self,
        id: &str,
        change: impl FnOnce(&mut Labels) -> Result<(), StoreError>,
    ) -> Result<Labels, StoreError> {
        if self.find(id).is_none() {
            return Err(self.unknown(id));
        }
        let directory = self.home.join(LABELS);
        create_directory(&directory)?;
        // Where there are no locks, the later of two wins.
        let lock = File::open(&directory).map_err(|e| StoreError::io("read", &directory, &e))?;
        let _unlocked = lock.lock();
        let mut labels = self.labels_of(id);
        change(&mut labels)?;
        match labels.is_empty() {
            true => remove(&self.labels_file(id))?,
            false => write_json(&self.labels_file(id), &labels)?,
        }
        Ok(labels)
    }

    fn labels_file(&self, id: &str) -> PathBuf {
        self.home.join(LABELS).join(format!("{id}.json"))
    }
}
