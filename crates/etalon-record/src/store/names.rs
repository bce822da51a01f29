//! Names for saved runs.
//!
//! Owns what a name or a tag may be, and where names are kept: one small file per name, holding an id, so
//! that naming never touches a record. Refuses names that could be mistaken for a position
//! (`last`, digits) or that are not plain file names.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs;
use std::io::ErrorKind;

use super::record::create_directory;
use super::{Store, StoreError, file_names, side};

/// Longest name. Because: most file systems take 255 bytes; a listing wants a column.
const LONGEST: usize = 100;

impl Store {
    /// Names a saved run. A name that another run had moves to this one.
    ///
    /// Returns the id of the run that had the name before, if that was another one.
    ///
    /// # Errors
    /// If there is no such run, the name cannot be one, or a file cannot be written.
    pub fn set_name(&self, id: &str, name: &str) -> Result<Option<String>, StoreError> {
        check("name", name)?;
        if self.find(id).is_none() {
            return Err(self.unknown(id));
        }
        let names = self.names();
        create_directory(&names)?;
        let before = self.named(name)?;
        let path = names.join(name);
        side::write(&names, &path, format!("{id}\n").as_bytes())
            .map_err(|error| StoreError::io("write", &path, &error))?;
        Ok(before.filter(|other| other != id))
    }

    /// Removes a name; the run stays. The id it stood for; a name that does not exist stood for none.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn remove_name(&self, name: &str) -> Result<Option<String>, StoreError> {
        check("name", name)?;
        let before = self.named(name)?;
        side::remove(&self.names().join(name))?;
        Ok(before)
    }

    /// The id a name stands for; nothing if there is no such name.
    ///
    /// # Errors
    /// If it cannot be one, or cannot be read.
    pub fn id_of_name(&self, name: &str) -> Result<Option<String>, StoreError> {
        check("name", name)?;
        self.named(name)
    }

    /// The run of a text that may be no name.
    pub(super) fn named(&self, name: &str) -> Result<Option<String>, StoreError> {
        if check("name", name).is_err() {
            return Ok(None);
        }
        let path = self.names().join(name);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text.trim_end().to_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("read", &path, &error)),
        }
    }

    /// All names and the ids they stand for. A name that cannot be read stands for none.
    pub(super) fn all_names(&self) -> Result<Vec<(String, String)>, StoreError> {
        let mut names = file_names(&self.names())?;
        names.retain(|name| check("name", name).is_ok());
        names.sort_unstable();
        Ok(names
            .into_iter()
            .filter_map(|name| Some((name.clone(), self.named(&name).ok()??)))
            .collect())
    }
}

/// Whether this can be a name, or a tag.
pub(super) fn check(kind: &'static str, name: &str) -> Result<(), StoreError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let reason = if name.is_empty() || !name.chars().all(allowed) {
        "it consists of letters, digits, `.`, `_` and `-`"
    } else if name.starts_with(['-', '.']) {
        "it starts with a letter, a digit or `_`"
    } else if name.chars().all(|c| c.is_ascii_digit()) {
        "a number alone is easily taken for a position such as @-2"
    } else if name == "last" {
        "@last is the newest run"
    } else if name.len() > LONGEST {
        "it has at most 100 characters"
    } else {
        return Ok(());
    };
    Err(StoreError::BadName { kind, name: name.to_owned(), reason })
}

#[cfg(test)]
mod tests {
    use std::path::{Component, Path};

    use proptest::prelude::*;

    use super::super::is_id;
    use super::*;

    /// Texts that are names, nearly are, or are to lead out of a directory.
    fn text() -> impl Strategy<Value = String> {
        let hostile = [
            "", ".", "..", "/", "a/b", "../x", "a\0b", "a\nb", "-r", ".x", "~", "last", "e\u{301}",
        ];
        prop_oneof![
            3 => "[A-Za-z0-9._-]{0,120}",
            2 => "\\PC{0,12}",
            1 => any::<String>(),
            1 => proptest::sample::select(hostile.to_vec()).prop_map(str::to_owned),
            1 => ("[A-Za-z0-9._-]{0,4}", proptest::sample::select(hostile.to_vec()), "[A-Za-z0-9._-]{0,4}")
                .prop_map(|(before, within, behind)| format!("{before}{within}{behind}")),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]
        /// Would catch a name or an id that leaves the directory of the store, that no file can have or that is another
        /// one there: every text is refused, or the whole name of a file.
        #[test]
        fn a_name_is_the_name_of_one_file(text in text()) {
            if check("name", &text).is_ok() || is_id(&text) {
                let parts: Vec<Component<'_>> = Path::new(&text).components().collect();
                prop_assert_eq!(parts, [Component::Normal(text.as_ref())]);
                // With the endings of records, of unfinished ones and of files being written.
                prop_assert!(text.len() + 64 <= 255, "too long");
                // Of ASCII alone, so that no file system has two of them as one form of a letter.
                prop_assert!(text.is_ascii() && !text.starts_with('.'));
            }
        }
    }

    /// Would catch a name that is kept as another one, or one that is refused and leaves a file.
    #[test]
    fn what_is_kept_under_a_name_is_found_under_it() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::at(home.path().to_owned());
        fs::create_dir_all(store.runs()).unwrap();
        fs::write(store.runs().join("x-1.jsonl"), "{}\n").unwrap();
        let longest = "n".repeat(LONGEST);
        for name in ["a", "A", "_", "a.b", "a-b", "v1.0", &longest] {
            assert_eq!(store.set_name("x-1", name).unwrap(), None, "{name}");
            assert_eq!(store.id_of_name(name).unwrap().as_deref(), Some("x-1"));
        }
        let longer = "n".repeat(LONGEST + 1);
        for name in ["", ".", "..", "../a", "a/b", "é", "a b", "a\0", "-a", "7", "last", &longer] {
            assert!(store.set_name("x-1", name).is_err(), "{name:?}");
        }
        let kept: Vec<String> =
            store.all_names().unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(kept, ["A", "_", "a", "a-b", "a.b", &longest, "v1.0"]);
    }
}
