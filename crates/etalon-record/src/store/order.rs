//! The order in which runs were saved.
//!
//! Owns the file `order`, an id a line: a run stands behind those that were there when it was saved, whatever any clock said.
//! Runs that it does not have (of an earlier etalon, or put there by hand) stand behind those it has, by their ids, and
//! are entered when somebody looks. An id that stands there twice counts where it stands last; one of no run counts nowhere.
//! Refuses to fail: where the file cannot be read or written, runs are in the order of their ids.

use std::io::{self, Read};

use super::journal::Journal;
use super::{Store, StoreError, file_names, id_of};

/// So many more lines than twice the runs, and the file is written again without those of removed runs. Because: a small
/// file is not worth it.
const SLACK: usize = 1000;

/// Ids in the order in which they were saved, oldest first.
struct Ordered {
    ids: Vec<String>,
    /// How many of them, from the oldest on, the file has.
    known: usize,
    /// How many lines the file has.
    lines: usize,
}

impl Store {
    /// All ids, newest first. A directory that does not exist holds none.
    pub(super) fn ids(&self) -> Result<Vec<String>, StoreError> {
        let mut ordered = Ordered::new(self.there()?, &self.order().contents());
        if ordered.known < ordered.ids.len() {
            self.enter_all(None);
        }
        ordered.ids.reverse();
        Ok(ordered.ids)
    }

    /// Enters a run that is about to be there, behind all that are.
    pub(super) fn enter(&self, id: &str) {
        self.enter_all(Some(id));
    }

    /// Enters runs that are not there yet; a file that cannot be written goes without them.
    fn enter_all(&self, id: Option<&str>) {
        let _they_are_by_their_ids = self.try_to_enter(id);
    }

    fn try_to_enter(&self, id: Option<&str>) -> io::Result<()> {
        let order = self.order();
        let locked = order.lock()?;
        let mut known = Vec::new();
        locked.file().read_to_end(&mut known)?;
        // What is there is looked at under the lock: another etalon may just have entered it.
        let there = self.there().map_err(io::Error::other)?;
        let Ordered { ids, known, lines } = Ordered::new(there, &known);
        let all = ids.iter().map(String::as_str).chain(id);
        let text = |ids: &mut dyn Iterator<Item = &str>| -> String {
            ids.flat_map(|id| [id, "\n"]).collect()
        };
        if lines > 2 * ids.len() + SLACK {
            let text = text(&mut { all });
            return locked.replace(|out| out.write_all(text.as_bytes()));
        }
        locked.append(text(&mut all.skip(known)).as_bytes())
    }

    /// The ids of files, in lexical order.
    fn there(&self) -> Result<Vec<String>, StoreError> {
        let names = file_names(&self.runs())?;
        let mut ids: Vec<String> =
            names.iter().filter_map(|name| id_of(name)).map(str::to_owned).collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }

    fn order(&self) -> Journal {
        Journal::at(self.home().join("order"))
    }
}

impl Ordered {
    /// Puts ids, which come in lexical order, into that of the file.
    fn new(ids: Vec<String>, file: &[u8]) -> Ordered {
        let mut places = vec![None; ids.len()];
        let mut lines = 0;
        for line in file.split(|byte| *byte == b'\n') {
            lines += 1;
            if let Ok(at) = ids.binary_search_by(|id| id.as_bytes().cmp(line)) {
                places[at] = Some(lines);
            }
        }
        let known = places.iter().flatten().count();
        let mut placed: Vec<(Option<usize>, String)> = places.into_iter().zip(ids).collect();
        // Stable: those without a place stay in the order of their ids.
        placed.sort_by_key(|(place, _)| place.unwrap_or(usize::MAX));
        Ordered { ids: placed.into_iter().map(|(_, id)| id).collect(), known, lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a torn or damaged line that hides a run, takes another one's place, or shifts all.
    #[test]
    fn the_file_decides_and_the_rest_follows_by_id() {
        let ids = || ["a1", "b1", "c1", "d1"].map(str::to_owned).to_vec();
        let order = |file: &[u8]| Ordered::new(ids(), file);
        assert_eq!(order(b"").ids, ["a1", "b1", "c1", "d1"]);
        assert_eq!(order(b"d1\nb1\n").ids, ["d1", "b1", "a1", "c1"]);
        assert_eq!(order(b"d1\nb1\n").known, 2);
        assert_eq!(order(b"d1\nb1\nd1\n").ids, ["b1", "d1", "a1", "c1"], "entered again");
        assert_eq!(order(b"gone\nc\n\xff\0\nc1\nb").ids, ["c1", "a1", "b1", "d1"]);
    }
}
