//! A listing of a directory: every file by size and times, so that a change of any is seen without reading it.
//!
//! Owns: how it is kept in a file, and how a directory becomes again what it was. Refuses to say whether a change
//! matters.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use etalon_record::entries::{Entry, entries};

/// Size, and times of the last change of content and of anything, in s and ns. None of a directory, whose times change
/// with what is in it.
type Stamp = Option<[i64; 5]>;

/// By path below the directory, what is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing(BTreeMap<PathBuf, Stamp>);

impl Listing {
    /// Of a directory as it is now. What cannot be read is not in it.
    #[must_use]
    pub fn of(root: &Path) -> Listing {
        let mut all = BTreeMap::new();
        let _complete = walk(root, &mut |path, about| {
            all.insert(inside(path, root), stamp(about));
            Ok(())
        });
        Listing(all)
    }

    /// The first path that is another, gone or new in a later listing.
    #[must_use]
    pub fn first_change<'a>(&'a self, later: &'a Listing) -> Option<&'a Path> {
        let changed = self.0.iter().find(|(path, stamp)| later.0.get(*path) != Some(*stamp));
        let added = || later.0.keys().find(|path| !self.0.contains_key(*path));
        changed.map(|(path, _)| path).or_else(added).map(PathBuf::as_path)
    }

    /// How many bytes the files have.
    pub(super) fn bytes(&self) -> u64 {
        let sizes = self.0.values().flatten().map(|[size, ..]| size.cast_unsigned());
        sizes.fold(0, u64::saturating_add)
    }

    /// Removes what is new in the directory; whether everything else is as it was.
    #[must_use]
    pub fn restore(&self, root: &Path) -> bool {
        let mut found = 0;
        let is_same = walk(root, &mut |path, about| {
            match self.0.get(&inside(path, root)) {
                Some(then) if *then == stamp(about) => found += 1,
                Some(_) => return Err(io::ErrorKind::InvalidData.into()),
                None if about.is_dir() => fs::remove_dir_all(path)?,
                None => fs::remove_file(path)?,
            }
            Ok(())
        });
        is_same.is_ok() && found == self.0.len()
    }

    /// As [`Listing::read`] takes it.
    pub(super) fn written(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for (path, stamp) in &self.0 {
            for number in stamp.iter().flatten() {
                text.extend_from_slice(format!("{number} ").as_bytes());
            }
            text.push(b'/');
            text.extend_from_slice(path.as_os_str().as_bytes());
            text.push(0);
        }
        text
    }

    /// Reads a listing that was written.
    pub(super) fn read(text: &[u8]) -> Option<Listing> {
        let mut all = BTreeMap::new();
        for entry in text.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
            let slash = entry.iter().position(|byte| *byte == b'/')?;
            let numbers = std::str::from_utf8(&entry[..slash]).ok()?;
            let numbers: Vec<i64> =
                numbers.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
            let stamp = match numbers[..] {
                [] => None,
                _ => Some(<[i64; 5]>::try_from(numbers).ok()?),
            };
            all.insert(PathBuf::from(OsStr::from_bytes(&entry[slash + 1..])), stamp);
        }
        Some(Listing(all))
    }
}

fn inside(path: &Path, root: &Path) -> PathBuf {
    path.strip_prefix(root).unwrap_or(path).to_owned()
}

fn stamp(about: &Metadata) -> Stamp {
    let size = about.len().cast_signed();
    let times = [about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec()];
    (!about.is_dir()).then(|| [size, times[0], times[1], times[2], times[3]])
}

/// Everything below a directory, a directory before what is in it, in the order of names.
pub(super) fn walk(
    directory: &Path,
    each: &mut dyn FnMut(&Path, &Metadata) -> io::Result<()>,
) -> io::Result<()> {
    let entries = entries(directory)?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<PathBuf> = entries.iter().map(Entry::path).collect();
    paths.sort();
    for path in paths {
        let about = fs::symlink_metadata(&path)?;
        each(&path, &about)?;
        if about.is_dir() && path.exists() {
            walk(&path, each)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a change that is not seen, and one file in place of another after it was kept in a file.
    #[test]
    fn what_is_new_goes_and_what_is_another_is_seen() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path();
        fs::create_dir_all(root.join("a/empty")).unwrap();
        fs::write(root.join("a/file\n"), "12345").unwrap();
        let then = Listing::of(root);
        assert_eq!(Listing::read(&then.written()), Some(then.clone()));
        assert_eq!(then.bytes(), 5);
        fs::create_dir_all(root.join("b/c")).unwrap();
        fs::write(root.join("a/new"), "").unwrap();
        assert_eq!(then.first_change(&Listing::of(root)), Some(Path::new("a/new")));
        assert!(then.restore(root));
        assert_eq!(Listing::of(root), then);
        fs::remove_dir(root.join("a/empty")).unwrap();
        assert!(!then.restore(root));
        fs::create_dir(root.join("a/empty")).unwrap();
        assert!(then.restore(root));
        fs::write(root.join("a/file\n"), "54321").unwrap();
        assert!(!then.restore(root));
    }
}
