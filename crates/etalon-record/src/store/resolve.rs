//! References to saved runs: `@last`, `@-2`, `@NAME`, `@ID`, or the beginning of an id.
//!
//! Owns what a reference means and what is suggested when it means nothing. Looks at file names
//! only; what is in a file is its reader's business.

use std::path::PathBuf;

use super::prefix::SHORTEST;
use super::{Store, StoreError};

/// How many suggestions an error makes. Because: more is a listing, and there is one.
const SUGGESTED: usize = 3;

impl Store {
    /// The file a reference stands for, with or without its `@`: `last` is the newest run, `-1` the
    /// same, `-2` the one before it; else an id, else a name, else the beginning of one id or of its random
    /// part. Unfinished runs count.
    ///
    /// # Errors
    /// If there is no such run (naming similar ones), there are several, or the store cannot be read.
    pub fn resolve(&self, reference: &str) -> Result<PathBuf, StoreError> {
        let reference = reference.strip_prefix('@').unwrap_or(reference);
        let id = match position(reference) {
            Some(from_end) => {
                self.ids()?.into_iter().filter(|id| self.find(id).is_some()).nth(from_end)
            }
            None if self.find(reference).is_some() => Some(reference.to_owned()),
            None => match self.named(reference)? {
                Some(id) => Some(id),
                None => self.beginning_with(reference)?,
            },
        };
        id.and_then(|id| self.find(&id)).ok_or_else(|| self.unknown(reference))
    }

    /// The one run whose id, or the random part of it, begins like this.
    fn beginning_with(&self, beginning: &str) -> Result<Option<String>, StoreError> {
        if beginning.len() < SHORTEST {
            return Ok(None);
        }
        let catalogue = self.catalogue()?;
        let mut found = catalogue.beginning_with(beginning);
        if found.len() < 2 {
            return Ok(found.pop());
        }
        let called = |id: &String| format!("@{}", catalogue.short(id));
        Err(StoreError::Ambiguous {
            asked: format!("@{beginning}"),
            candidates: found.iter().take(SUGGESTED).map(called).collect(),
            count: found.len(),
        })
    }

    /// The error for a reference that means nothing, with what looks like it.
    pub(super) fn unknown(&self, asked: &str) -> StoreError {
        // A store that cannot be read has nothing to suggest; the caller's error stands.
        let names = self.all_names().unwrap_or_default().into_iter().map(|(name, _)| name);
        let known: Vec<String> = names.chain(self.ids().unwrap_or_default()).collect();
        StoreError::Unknown {
            asked: format!("@{asked}"),
            close: close(asked, &known),
            home: self.home.clone(),
        }
    }
}

/// The place from the newest (0) that `last` or `-N` stands for.
fn position(reference: &str) -> Option<usize> {
    if reference == "last" {
        return Some(0);
    }
    reference.strip_prefix('-')?.parse::<usize>().ok()?.checked_sub(1)
}

/// The known words that begin like `asked`, contain it, or are at most two edits away.
fn close(asked: &str, known: &[String]) -> Vec<String> {
    let wanted = asked.to_lowercase();
    let mut ranked: Vec<(usize, usize, &String)> = Vec::new();
    for (place, word) in known.iter().enumerate() {
        let candidate = word.to_lowercase();
        let distance = strsim::damerau_levenshtein(&wanted, &candidate);
        let contains = wanted.len() >= 2 && candidate.contains(&wanted);
        if distance <= 2.min(wanted.len() / 2) {
            ranked.push((distance, place, word));
        } else if contains {
            ranked.push((3, place, word));
        }
    }
    ranked.sort_unstable();
    ranked.into_iter().take(SUGGESTED).map(|(.., word)| format!("@{word}")).collect()
}
