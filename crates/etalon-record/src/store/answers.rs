//! Answers of saved runs, in a few words, for listings.
//!
//! Owns the files they are in: a listing does not read whole records. They follow from the records; what is
//! removed of them is made again. The index has them, too. Refuses to make them: that takes an analysis.

use std::path::PathBuf;

use etalon_core::model::Answer;
use serde::{Deserialize, Serialize};

use super::index::line_of;
use super::saved::Stamp;
use super::side::{read_json, write_json};
use super::{ANSWERS, AnswerOf, Saved, State, Store, StoreError};

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
        write_json(&self.answer_file(id), &AnswerWire { of, about, text })?;
        if let Some(path) = self.find(id) {
            let (saved, stamp) = self.look_at(id, path);
            let line = stamp.and_then(|stamp| line_of(&saved, stamp));
            self.add_to_index(&line.unwrap_or_default());
        }
        Ok(())
    }

    /// Looks at a record, and at what was kept of it.
    pub(super) fn look_at(&self, id: &str, path: PathBuf) -> (Saved, Option<Stamp>) {
        let (mut saved, stamp) = Saved::look_at(id.to_owned(), path);
        if saved.state == State::Complete
            && let Some(AnswerWire { of, about, text }) = read_json(&self.answer_file(id))
        {
            saved.answer = Some((of, Answer { about, text }));
        }
        (saved, stamp)
    }

    fn answer_file(&self, id: &str) -> PathBuf {
        self.home.join(ANSWERS).join(format!("{id}.json"))
    }
}
