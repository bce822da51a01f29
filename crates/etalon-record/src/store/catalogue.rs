//! The contents of the store, seen once: ids and names. Records are looked at one by one, as they are asked for.

use std::path::PathBuf;

use super::prefix::Prefixes;
use super::{Saved, Store, StoreError};

/// The saved runs there were when it was made.
#[derive(Debug)]
pub struct Catalogue<'s> {
    store: &'s Store,
    /// Newest first.
    runs: Vec<(String, PathBuf)>,
    /// Names and the ids they stand for.
    names: Vec<(String, String)>,
}

impl Store {
    /// Lists the store. Reads directories and names, no records.
    ///
    /// # Errors
    /// If a directory of the store cannot be read.
    pub fn catalogue(&self) -> Result<Catalogue<'_>, StoreError> {
        let names = self.all_names()?;
        // Renamed or removed since the directory was read: the next catalogue has it right.
        let found = |id: String| self.find(&id).map(|path| (id, path));
        let runs = self.ids()?.into_iter().filter_map(found).collect();
        Ok(Catalogue { store: self, runs, names })
    }
}

impl Catalogue<'_> {
    /// How many runs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// All runs, newest first. Each is looked at when its turn comes: its first lines, its last, and what was
    /// said of it. Records that cannot be read are among them.
    pub fn runs(&self) -> impl Iterator<Item = Saved> + '_ {
        let prefixes = self.prefixes();
        self.runs.iter().map(move |(id, path)| {
            let short = prefixes.shortest(id, |short| self.is_name(short)).to_owned();
            let mut names: Vec<String> = self
                .names
                .iter()
                .filter(|(_, of)| of == id)
                .map(|(name, _)| name.clone())
                .collect();
            names.sort_unstable();
            let mut saved = Saved::look_at(id.clone(), path.clone());
            saved.labels = self.store.labels_of(id);
            Saved { short, names, ..saved }
        })
    }

    /// The run of this id.
    #[must_use]
    pub fn run(&self, id: &str) -> Option<Saved> {
        let of_this = self.runs.iter().filter(|(known, _)| known == id).cloned().collect();
        let names = self.names.clone();
        let short = self.short(id);
        let one = Catalogue { store: self.store, runs: of_this, names };
        let found = one.runs().next();
        found.map(|saved| Saved { short, ..saved })
    }

    /// The shortest beginning of an id that stands for it alone.
    #[must_use]
    pub fn short(&self, id: &str) -> String {
        let known = self.runs.iter().find(|(known, _)| known == id);
        let shortest = |id| self.prefixes().shortest(id, |short| self.is_name(short)).to_owned();
        known.map_or_else(|| id.to_owned(), |(id, _)| shortest(id))
    }

    /// The ids that begin like this, newest first.
    pub(super) fn beginning_with(&self, beginning: &str) -> Vec<String> {
        let mut found: Vec<String> =
            self.prefixes().matching(beginning).map(str::to_owned).collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found
    }

    fn prefixes(&self) -> Prefixes<'_> {
        Prefixes::new(self.runs.iter().map(|(id, _)| id.as_str()))
    }

    fn is_name(&self, text: &str) -> bool {
        self.names.iter().any(|(name, _)| name == text)
    }
}
