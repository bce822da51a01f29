//! The removal of saved runs, with the names that point to them and what was said of them.
//!
//! Owns that whatever there is beside the records is looked for once, however many of them go. Refuses to remove a record
//! that is being written.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};

use super::{BESIDE, Store, StoreError, file_names, side};
use crate::lock;

/// A removal of saved runs, one after the other, by what there was beside them when it began.
#[derive(Debug)]
pub struct Removal<'s> {
    store: &'s Store,
    /// The names that point to a run, by its id.
    names: HashMap<String, Vec<String>>,
    /// The files of each directory of [`BESIDE`].
    beside: Vec<(&'static str, HashSet<String>)>,
}

impl Store {
    /// Begins to remove saved runs. Because: to ask for the files of each of 100,000 that are not there takes longer than to
    /// remove those that are.
    ///
    /// # Errors
    /// If a directory of the store cannot be read.
    pub fn removal(&self) -> Result<Removal<'_>, StoreError> {
        let mut names: HashMap<String, Vec<String>> = HashMap::new();
        for (name, id) in self.all_names()? {
            names.entry(id).or_default().push(name);
        }
        let files = |directory: &&'static str| {
            let files = file_names(&self.home().join(directory))?;
            Ok((*directory, files.into_iter().collect()))
        };
        let beside = BESIDE.iter().map(files).collect::<Result<_, StoreError>>()?;
        Ok(Removal { store: self, names, beside })
    }

    /// Removes a saved run, as [`Removal::remove`] does.
    ///
    /// # Errors
    /// If there is no such run, it is being written, or a file cannot be read or removed.
    pub fn remove(&self, id: &str) -> Result<(), StoreError> {
        self.removal()?.remove(id)
    }
}

impl Removal<'_> {
    /// Removes a saved run, the names that point to it, and what was said of it.
    ///
    /// # Errors
    /// If there is no such run, it is being written, or a file cannot be removed.
    pub fn remove(&self, id: &str) -> Result<(), StoreError> {
        let store = self.store;
        let path = store.find(id).ok_or_else(|| store.unknown(id))?;
        let file = File::open(&path).map_err(|error| StoreError::io("read", &path, &error))?;
        if lock::is_held(&file) {
            return Err(StoreError::Running { path });
        }
        for name in self.names.get(id).into_iter().flatten() {
            // It may have been given to another run meanwhile.
            if store.named(name)?.as_deref() == Some(id) {
                store.remove_name(name)?;
            }
        }
        for (directory, files) in &self.beside {
            let name = format!("{id}.json");
            if files.contains(&name) {
                side::remove(&store.home().join(directory).join(name))?;
            }
        }
        // A file that is open while it goes costs the file system more.
        drop(file);
        fs::remove_file(&path).map_err(|error| StoreError::io("remove", &path, &error))
    }
}
