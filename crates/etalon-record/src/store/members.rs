//! The history beside the store: where its database is, and which saved runs are in it.
//!
//! Owns the files that say of a run as what it was added, so that the history can be made anew from records. Refuses to
//! open the database: that is `etalon-history`'s.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::record::create_directory;
use super::side::{read_json, write_json};
use super::{MEMBERS, Store, StoreError, file_names};

/// The name of the database.
const DATABASE: &str = "history.sqlite";

/// As what a run is in the history.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Membership {
    /// The project.
    pub project: String,
    /// The name of its series, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
    /// The commit, where it is another than the record says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Its branch; empty where nobody said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub branch: String,
    /// The name of the machine, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// Commits before it in first-parent order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    /// When the commit was made, or else measured, in seconds since 1970.
    pub time: f64,
    /// Its metrics, where some were chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// Whether it is no point of its series, but says of two commits of it what they are to each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirms: bool,
}

impl Store {
    /// The file of the history, its owner's alone; an empty one is made where there is none.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new_history(&self) -> Result<PathBuf, StoreError> {
        create_directory(&self.home)?;
        let path = self.history();
        let made = OpenOptions::new().create(true).append(true).mode(0o600).open(&path);
        made.map_err(|error| StoreError::io("create", &path, &error))?;
        Ok(path)
    }

    /// Where the history is, if there is one.
    #[must_use]
    pub fn history(&self) -> PathBuf {
        self.home.join(DATABASE)
    }

    /// Whether a run of this id is saved.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    /// Keeps that a run is in the history; that it is there twice as the same is said once.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep_membership(&self, id: &str, membership: &Membership) -> Result<(), StoreError> {
        let mut all = self.memberships(id);
        if all.contains(membership) {
            return Ok(());
        }
        all.push(membership.clone());
        write_json(&self.member_file(id), &all)
    }

    /// As what a run is in the history; nothing of one that is not.
    #[must_use]
    pub fn memberships(&self, id: &str) -> Vec<Membership> {
        read_json(&self.member_file(id)).unwrap_or_default()
    }

    /// The saved runs that are in the history, oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn members(&self) -> Result<Vec<(String, PathBuf)>, StoreError> {
        let mut ids: Vec<String> = file_names(&self.home.join(MEMBERS))?
            .iter()
            .filter_map(|name| Some(name.strip_suffix(".json")?.to_owned()))
            .collect();
        ids.sort();
        Ok(ids.into_iter().filter_map(|id| self.find(&id).map(|path| (id, path))).collect())
    }

    fn member_file(&self, id: &str) -> PathBuf {
        self.home.join(MEMBERS).join(format!("{id}.json"))
    }
}
