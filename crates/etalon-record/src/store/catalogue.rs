//! The contents of the store, seen once: ids in order, names, which runs have labels. What a run is comes from the index,
//! or its record is looked at, one by one, as they are asked for.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::index::{Index, line_of};
use super::prefix::{Prefixes, SHORTEST};
use super::saved::Stamp;
use super::{FINISHED, LABELS, PARTIAL, Saved, Store, StoreError, file_names, id::random_part};

/// So many bytes of new lines are held before the index gets them. Because: the last of 100,000 must not cost the memory
/// of all.
const HELD: usize = 1 << 20;

/// The saved runs there were when it was made.
#[derive(Debug)]
pub struct Catalogue<'s> {
    store: &'s Store,
    /// Newest first.
    runs: Vec<Entry>,
    /// Names, in alphabetical order, and the ids they stand for.
    names: Vec<(String, String)>,
    /// The ids of runs with tags or a note.
    labelled: HashSet<String>,
    index: OnceCell<Index>,
    /// Lines that the index is to get.
    found: RefCell<Vec<u8>>,
}

/// A file of the store.
#[derive(Debug)]
struct Entry {
    id: String,
    ending: &'static str,
    stamp: Stamp,
}

impl Store {
    /// Lists the store. Reads directories and names, no records.
    ///
    /// # Errors
    /// If a directory of the store cannot be read.
    pub fn catalogue(&self) -> Result<Catalogue<'_>, StoreError> {
        let names = self.all_names()?;
        let runs = self.ids()?.into_iter().filter_map(|id| self.entry(id)).collect();
        let labels = file_names(&self.home().join(LABELS)).unwrap_or_default();
        let labelled = labels.iter().filter_map(|name| name.strip_suffix(".json"));
        Ok(Catalogue {
            store: self,
            runs,
            names,
            labelled: labelled.map(str::to_owned).collect(),
            index: OnceCell::new(),
            found: RefCell::default(),
        })
    }

    /// What there is of an id; nothing if it was removed since its directory was read: the next catalogue has it right.
    fn entry(&self, id: String) -> Option<Entry> {
        let runs = self.runs();
        let found = |ending: &'static str| {
            let file = runs.join(format!("{id}{ending}")).metadata().ok()?;
            (file.is_file() && file.len() > 0).then(|| (ending, Stamp::new(&file)))
        };
        let (ending, stamp) = [FINISHED, PARTIAL].into_iter().find_map(found)?;
        Some(Entry { id, ending, stamp })
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

    /// The bytes of all records.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.runs.iter().map(|run| run.stamp.bytes).sum()
    }

    /// All runs, newest first, each when its turn comes, with what was said of it. Records that cannot be read are
    /// among them.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = Saved> + ExactSizeIterator + '_ {
        let shorts = Prefixes::new(self.ids()).all_shortest(|short| self.is_name(short));
        let names = self.names_by_id();
        self.runs.iter().map(move |entry| {
            let id = entry.id.as_str();
            let short = shorts.get(id).copied().unwrap_or(id).to_owned();
            let names = names.get(entry.id.as_str()).cloned().unwrap_or_default();
            Saved { short, names, ..self.seen(entry) }
        })
    }

    /// The run of this id.
    #[must_use]
    pub fn run(&self, id: &str) -> Option<Saved> {
        let entry = self.runs.iter().find(|entry| entry.id == id)?;
        let names = self.names_by_id().remove(id).unwrap_or_default();
        Some(Saved { short: self.short(id), names, ..self.seen(entry) })
    }

    /// The shortest beginning of an id that stands for it alone.
    #[must_use]
    pub fn short(&self, id: &str) -> String {
        let Some(id) = self.ids().find(|known| *known == id) else { return id.to_owned() };
        let taken = |short: &str| self.is_name(short);
        // Those that begin otherwise are in nobody's way; they are nearly all.
        let head = random_part(id).unwrap_or(id).get(..SHORTEST).unwrap_or(id);
        let is_near = |other: &&str| {
            other.starts_with(head) || random_part(other).is_some_and(|it| it.starts_with(head))
        };
        let near = Prefixes::new(self.ids().filter(is_near)).shortest(id, taken);
        match near.starts_with(head) {
            true => near.to_owned(),
            false => Prefixes::new(self.ids()).shortest(id, taken).to_owned(),
        }
    }

    /// The ids that begin like this, newest first.
    pub(super) fn beginning_with(&self, beginning: &str) -> Vec<String> {
        let prefixes = Prefixes::new(self.ids());
        let found: HashSet<&str> = prefixes.matching(beginning).collect();
        self.ids().filter(|id| found.contains(id)).map(str::to_owned).collect()
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().map(|entry| entry.id.as_str())
    }

    /// A run as the index has it, else as its record says.
    fn seen(&self, entry: &Entry) -> Saved {
        let Entry { id, ending, stamp } = entry;
        let path: PathBuf = self.store.runs().join(format!("{id}{ending}"));
        let index = self.index.get_or_init(|| self.store.index());
        let known = index.find(id, &path, *stamp);
        let mut saved = known.unwrap_or_else(|| self.looked_at(id, path));
        if self.labelled.contains(id) {
            saved.labels = self.store.labels_of(id);
        }
        saved
    }

    /// Looks at a record, which the index then gets.
    fn looked_at(&self, id: &str, path: PathBuf) -> Saved {
        let (saved, stamp) = self.store.look_at(id, path);
        let mut found = self.found.borrow_mut();
        found.extend(stamp.and_then(|stamp| line_of(&saved, stamp)).unwrap_or_default());
        if found.len() > HELD {
            self.store.add_to_index(&found);
            found.clear();
        }
        saved
    }

    fn names_by_id(&self) -> HashMap<&str, Vec<String>> {
        let mut names: HashMap<&str, Vec<String>> = HashMap::new();
        for (name, id) in &self.names {
            names.entry(id).or_default().push(name.clone());
        }
        names
    }

    fn is_name(&self, text: &str) -> bool {
        self.names.binary_search_by(|(name, _)| name.as_str().cmp(text)).is_ok()
    }
}

impl Drop for Catalogue<'_> {
    fn drop(&mut self) {
        let found = self.found.borrow();
        if !found.is_empty() {
            self.store.add_to_index(&found);
        }
        if let Some(index) = self.index.get() {
            let ids: Vec<&str> = self.ids().collect();
            self.store.tidy_index(index, &ids);
        }
    }
}
