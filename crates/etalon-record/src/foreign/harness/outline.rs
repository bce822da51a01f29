//! A cheap look at the beginning of a JSON text: which keys stand where.
//!
//! Owns that a format is recognised without reading the file, whatever order its keys have and wherever the look ends.
//! Refuses values, and to say that a text is valid.

use std::collections::BTreeSet;

/// An item of a list, as a step of a path.
pub(super) const ITEM: &str = "[]";

/// Levels that are looked at. Because: no rule asks for more.
const DEPTH: usize = 5;
/// Paths that are kept. Because: the beginning is 64 KiB, and a rule asks for a few.
const MOST: usize = 8_192;

/// The paths of the keys of the first value of a text.
#[derive(Debug, Default)]
pub(super) struct Outline {
    paths: BTreeSet<Vec<String>>,
    /// Whether it is a list.
    pub(super) is_list: bool,
    /// Whether it is an object.
    pub(super) is_object: bool,
}

impl Outline {
    /// That of the first value of a text.
    pub(super) fn of(text: &[u8]) -> Outline {
        let text = text.trim_ascii_start();
        let (is_list, is_object) = (text.starts_with(b"["), text.starts_with(b"{"));
        let mut outline = Outline { paths: BTreeSet::new(), is_list, is_object };
        if is_list || is_object {
            outline.scan(text);
        }
        outline
    }

    /// Whether this key is there.
    pub(super) fn has(&self, path: &[&str]) -> bool {
        self.paths.iter().any(|known| known.iter().eq(path.iter()))
    }

    /// The last steps of all paths of so many steps.
    pub(super) fn ends(&self, steps: usize) -> impl Iterator<Item = &str> {
        let paths = self.paths.iter().filter(move |path| path.len() == steps);
        paths.filter_map(|path| path.last().map(String::as_str))
    }

    /// How many paths have one that leads on from them, of those of so many steps; and how many have none.
    pub(super) fn inner_and_leaves(&self, steps: usize) -> (usize, usize) {
        let of = self.paths.iter().filter(|path| path.len() == steps);
        let leads_on = |path: &&Vec<String>| {
            self.paths.range((**path).clone()..).nth(1).is_some_and(|next| next.starts_with(path))
        };
        let (inner, leaves): (Vec<_>, Vec<_>) = of.partition(leads_on);
        (inner.len(), leaves.len())
    }

    fn scan(&mut self, text: &[u8]) {
        // What is open: of an object the key that is read last, of a list nothing.
        let mut open: Vec<Option<String>> = Vec::new();
        let mut expects_key = false;
        let mut at = 0;
        while let Some(byte) = text.get(at) {
            at += 1;
            match byte {
                b'{' | b'[' => {
                    open.push((*byte == b'{').then(String::new));
                    expects_key = *byte == b'{';
                }
                b'}' | b']' => {
                    open.pop();
                    if open.is_empty() {
                        return;
                    }
                }
                b',' => expects_key = matches!(open.last(), Some(Some(_))),
                b'"' => {
                    let Some(length) = string(&text[at..]) else { return };
                    if std::mem::take(&mut expects_key) {
                        let key = String::from_utf8_lossy(&text[at..at + length]).into_owned();
                        if let Some(Some(last)) = open.last_mut() {
                            *last = key;
                        }
                        self.add(&open);
                    }
                    at += length + 1;
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, open: &[Option<String>]) {
        if open.len() <= DEPTH && self.paths.len() < MOST {
            let step = |key: &Option<String>| key.clone().unwrap_or_else(|| ITEM.to_owned());
            self.paths.insert(open.iter().map(step).collect());
        }
    }
}

/// The length of a string whose quote came before; absent where the text ends within it.
fn string(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch strings taken for keys, and a look that ends within a value and forgets what came before.
    #[test]
    fn keys_of_the_first_value_however_far_it_is_seen() {
        let text = br#" {"a":[{"b":"c\"x","d":[1,"e"]},{"f":{}}],"g":{"h":1}} {"z":1}"#;
        let all = Outline::of(text);
        for path in
            [&["a"][..], &["a", ITEM, "b"], &["a", ITEM, "d"], &["a", ITEM, "f"], &["g", "h"]]
        {
            assert!(all.has(path), "{path:?}: {all:?}");
        }
        assert!(!all.has(&["z"]) && !all.has(&["a", ITEM, "c"]) && all.is_object && !all.is_list);
        assert_eq!(all.paths.len(), 6);
        assert_eq!((all.inner_and_leaves(1), all.ends(2).collect::<Vec<_>>()), ((2, 0), vec!["h"]));
        for cut in 0..text.len() {
            let some = Outline::of(&text[..cut]);
            assert!(some.paths.is_subset(&all.paths), "{cut}");
        }
        assert!(Outline::of(b"[{\"x\":1}]").has(&[ITEM, "x"]));
    }
}
