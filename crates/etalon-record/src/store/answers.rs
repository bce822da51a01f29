//! What came out of saved runs, in a few words, for listings.
//!
//! Owns the files they are in: a listing does not read whole records. They follow from the records; what is
//! removed of them is made again. Refuses to make them: that takes an analysis.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs;
use std::path::PathBuf;

use etalon_core::model::Answer;
use serde::{Deserialize, Serialize};

use super::side::{read_json, write_json};
use super::{Store, StoreError};

/// An answer as its file has it.
#[derive(Serialize, Deserialize)]
struct AnswerWire {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    text: String,
}

impl Store {
    /// What came out of a run, if that was kept.
    #[must_use]
    pub fn answer(&self, id: &str) -> Option<Answer> {
        let AnswerWire { about, text } = read_json(&self.answer_file(id))?;
        Some(Answer { about, text })
    }

    /// Keeps what came out of a run.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn keep_answer(&self, id: &str, answer: &Answer) -> Result<(), StoreError> {
        let Answer { about, text } = answer.clone();
        write_json(&self.answer_file(id), &AnswerWire { about, text })
    }

    pub(super) fn forget_answer(&self, id: &str) {
        let _made_again_if_needed = fs::remove_file(self.answer_file(id));
    }

    fn answer_file(&self, id: &str) -> PathBuf {
        self.home.join("answers").join(format!("{id}.json"))
    }
}
