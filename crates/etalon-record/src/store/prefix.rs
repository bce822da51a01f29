//! Beginnings of ids: what is short enough to type and stands for one run only.
//!
//! Owns that an id is found by the beginning of its random part, or of all of it. Refuses to choose where a
//! beginning stands for several.

use std::collections::HashMap;

use super::id::random_part;

/// The shortest beginning that stands for a run. Because: a mistyped name of one or two letters is not to be
/// taken for an id.
pub(super) const SHORTEST: usize = 4;

/// All ids by all that they may be called.
#[derive(Debug)]
pub(super) struct Prefixes<'i> {
    /// Beginnings by which an id may be called, in lexical order, and the id.
    keys: Vec<(&'i str, &'i str)>,
}

impl<'i> Prefixes<'i> {
    pub(super) fn new(ids: impl Iterator<Item = &'i str>) -> Prefixes<'i> {
        let mut keys: Vec<(&str, &str)> = ids
            .flat_map(|id| [Some(id), random_part(id)].into_iter().flatten().map(move |k| (k, id)))
            .collect();
        keys.sort_unstable();
        Prefixes { keys }
    }

    /// The ids a beginning may stand for, in no order, each at least once.
    pub(super) fn matching<'p>(&'p self, prefix: &'p str) -> impl Iterator<Item = &'i str> + 'p {
        let from = self.keys.partition_point(|(key, _)| *key < prefix);
        let of_this = move |(key, _): &&(&str, &str)| key.starts_with(prefix);
        self.keys[from..].iter().take_while(of_this).map(|(_, id)| *id)
    }

    /// The shortest beginning of an id that stands for it alone, and that `taken` does not hold of; the id if
    /// there is none.
    pub(super) fn shortest(&self, id: &'i str, taken: impl Fn(&str) -> bool) -> &'i str {
        let of_key = |key| {
            let at = self.keys.partition_point(|known| *known < (key, id));
            self.beginning(at, &taken)
        };
        [random_part(id), Some(id)].into_iter().flatten().find_map(of_key).unwrap_or(id)
    }

    /// The shortest beginning of each id that has one. Nothing is looked for: neighbours stand side by side.
    pub(super) fn all_shortest(&self, taken: impl Fn(&str) -> bool) -> HashMap<&'i str, &'i str> {
        let whole = |at: &usize| self.keys[*at].0 == self.keys[*at].1;
        let places = || 0..self.keys.len();
        let mut all = HashMap::with_capacity(self.keys.len() / 2);
        // Those of random parts replace those of whole ids.
        for at in places().filter(whole).chain(places().filter(|at| !whole(at))) {
            all.extend(self.beginning(at, &taken).map(|short| (self.keys[at].1, short)));
        }
        all
    }

    /// The shortest beginning of the key at this place that stands for its id alone.
    fn beginning(&self, at: usize, taken: impl Fn(&str) -> bool) -> Option<&'i str> {
        let (key, _) = self.keys[at];
        let shortest = SHORTEST.max(self.shared(at) + 1);
        (shortest..=key.len()).filter_map(|len| key.get(..len)).find(|prefix| !taken(prefix))
    }

    /// How many bytes at the beginning of a key another id's key has, too, at most: that of a neighbour has.
    fn shared(&self, at: usize) -> usize {
        let (key, id) = self.keys[at];
        let is_other = |(_, of): &&(&str, &str)| *of != id;
        let neighbours =
            [self.keys[at..].iter().find(is_other), self.keys[..at].iter().rfind(is_other)];
        let common = |(other, _): &(&str, &str)| {
            key.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
        };
        neighbours.into_iter().flatten().map(common).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_id_is_as_long_as_it_has_to_be() {
        let ids = [
            "20261121T031122.123456Z-kzmwqtbx",
            "20261121T031123.123456Z-kzmwqxbx",
            "20261121T031124.123456Z-1a2b",
            "20261122T031124.123456Z-1a2b",
            "by-hand",
            "a-b",
        ];
        let prefixes = Prefixes::new(ids.into_iter());
        let short = ids.map(|id| prefixes.shortest(id, |taken| taken == "hand"));
        assert_eq!(short, ["kzmwqt", "kzmwqx", "20261121T031124", "20261122", "by-h", "a-b"]);
        let all = prefixes.all_shortest(|taken| taken == "hand");
        let together = ids.map(|id| all.get(id).copied().unwrap_or(id));
        assert_eq!(together, short, "together as one by one");
        for (id, short) in ids.iter().zip(short) {
            assert!(prefixes.matching(short).all(|found| found == *id), "{short}");
        }
        assert_eq!(prefixes.matching("kzmw").count(), 2);
        assert_eq!(prefixes.matching("nothing").count(), 0);
    }
}
