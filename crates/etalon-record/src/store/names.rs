//! Names for saved runs.
//!
//! Owns what a name or a tag may be, and where names are kept: one small file per name, holding an id, so
//! that naming never touches a record. Refuses names that could be mistaken for a position
//! (`last`, digits) or that are not plain file names.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs;
use std::io::ErrorKind;

use super::record::create_directory;
use super::{Store, StoreError, file_names, side};

/// Longest name. Because: most file systems take 255 bytes; a listing wants a column.
const LONGEST: usize = 100;

impl Store {
    /// Names a saved run. A name that another run had moves to this one.
    ///
    /// Returns the id of the run that had the name before, if that was another one.
    ///
    /// # Errors
    /// If there is no such run, the name cannot be one, or a file cannot be written.
    pub fn set_name(&self, id: &str, name: &str) -> Result<Option<String>, StoreError> {
        check("name", name)?;
        if self.find(id).is_none() {
            return Err(self.unknown(id));
        }
        let names = self.names();
        create_directory(&names)?;
        let before = self.named(name)?;
        let path = names.join(name);
        side::write(&names, &path, format!("{id}\n").as_bytes())
            .map_err(|error| StoreError::io("write", &path, &error))?;
        Ok(before.filter(|other| other != id))
    }

    /// Removes a name; the run stays. The id it stood for; a name that does not exist stood for none.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn remove_name(&self, name: &str) -> Result<Option<String>, StoreError> {
        check("name", name)?;
        let before = self.named(name)?;
        let path = self.names().join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(StoreError::io("remove", &path, &error))
            }
            _ => Ok(before),
        }
    }

    /// The id a name stands for; nothing if there is no such name.
    ///
    /// # Errors
    /// If it cannot be one, or cannot be read.
    pub fn id_of_name(&self, name: &str) -> Result<Option<String>, StoreError> {
        check("name", name)?;
        self.named(name)
    }

    /// The run of a text that may be no name.
    pub(super) fn named(&self, name: &str) -> Result<Option<String>, StoreError> {
        if check("name", name).is_err() {
            return Ok(None);
        }
        let path = self.names().join(name);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text.trim_end().to_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("read", &path, &error)),
        }
    }

    /// All names and the ids they stand for. A name that cannot be read stands for none.
    pub(super) fn all_names(&self) -> Result<Vec<(String, String)>, StoreError> {
        let mut names = file_names(&self.names())?;
        names.retain(|name| check("name", name).is_ok());
        names.sort_unstable();
        Ok(names
            .into_iter()
            .filter_map(|name| Some((name.clone(), self.named(&name).ok()??)))
            .collect())
    }

    /// The names of one run.
    pub(super) fn names_of(&self, id: &str) -> Result<Vec<String>, StoreError> {
        let names = self.all_names()?;
        Ok(names.into_iter().filter(|(_, other)| other == id).map(|(name, _)| name).collect())
    }
}

/// Whether this can be a name, or a tag.
pub(super) fn check(kind: &'static str, name: &str) -> Result<(), StoreError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let reason = if name.is_empty() || !name.chars().all(allowed) {
        "it consists of letters, digits, `.`, `_` and `-`"
    } else if name.starts_with(['-', '.']) {
        "it starts with a letter, a digit or `_`"
    } else if name.chars().all(|c| c.is_ascii_digit()) {
        "a number alone is easily taken for a position such as @-2"
    } else if name == "last" {
        "@last is the newest run"
    } else if name.len() > LONGEST {
        "it has at most 100 characters"
    } else {
        return Ok(());
    };
    Err(StoreError::BadName { kind, name: name.to_owned(), reason })
}
