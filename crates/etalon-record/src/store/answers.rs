//! Answers of saved runs, in a few words, for listings.
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

/// Which comparisons an answer is made of: those that the report of its run shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerOf {
    /// Benchmarks ranked.
    #[default]
    Ranking,
    /// Tables: of two sides, of an experiment file, of Go benchmarks.
    Tables,
}

impl AnswerOf {
    fn is_ranking(&self) -> bool {
        *self == AnswerOf::Ranking
    }
}

/// An answer as its file has it.
#[derive(Serialize, Deserialize)]
struct AnswerWire {
    #[serde(default, skip_serializing_if = "AnswerOf::is_ranking")]
    of: AnswerOf,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    text: String,
}

impl Store {
    /// The answer of a run, if that was kept of such comparisons: earlier versions ranked what tables show.
    #[must_use]
    pub fn answer(&self, id: &str, of: AnswerOf) -> Option<Answer> {
        let AnswerWire { of: known, about, text } = read_json(&self.answer_file(id))?;
        (known == of).then_some(Answer { about, text })
    }

    /// Keeps what came out of a run.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn keep_answer(&self, id: &str, of: AnswerOf, answer: &Answer) -> Result<(), StoreError> {
        let Answer { about, text } = answer.clone();
        write_json(&self.answer_file(id), &AnswerWire { of, about, text })
    }

    pub(super) fn forget_answer(&self, id: &str) {
        let _made_again_if_needed = fs::remove_file(self.answer_file(id));
    }

    fn answer_file(&self, id: &str) -> PathBuf {
        self.home.join("answers").join(format!("{id}.json"))
    }
}
