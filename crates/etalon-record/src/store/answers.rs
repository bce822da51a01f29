//! What came out of saved runs, in a few words, for listings.
//!
//! Owns the files they are in: a listing does not read whole records. They follow from the records; what is
//! removed of them is made again. Refuses to make them: that takes an analysis.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::side::{read_json, write_json};
use super::{Store, StoreError};

/// What came out of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The benchmark it is about, where it is about one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// What is said of it, such as `1.18 × faster`.
    pub text: String,
}

impl Store {
    /// What came out of a run, if that was kept.
    #[must_use]
    pub fn answer(&self, id: &str) -> Option<Answer> {
        read_json(&self.answer_file(id))
    }

    /// Keeps what came out of a run.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn keep_answer(&self, id: &str, answer: &Answer) -> Result<(), StoreError> {
        write_json(&self.answer_file(id), answer)
    }

    pub(super) fn forget_answer(&self, id: &str) {
        let _made_again_if_needed = fs::remove_file(self.answer_file(id));
    }

    fn answer_file(&self, id: &str) -> PathBuf {
        self.home.join("answers").join(format!("{id}.json"))
    }
}
