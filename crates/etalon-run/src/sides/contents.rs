//! Two copies of a project as their files are now: which there are, and which differ.
//!
//! Owns: that contents are compared, and each file once. Refuses to read what nobody asks about.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::origin::is_evidence;

/// Bytes that are compared at a time.
const PIECE: usize = 64 << 10;

/// Both copies.
#[derive(Debug)]
pub(crate) struct Contents {
    roots: [PathBuf; 2],
    compared: BTreeMap<PathBuf, bool>,
}

impl Contents {
    pub(crate) fn of(roots: [PathBuf; 2]) -> Contents {
        Contents { roots, compared: BTreeMap::new() }
    }

    /// Paths of files that one of them has or both have. What cannot be read is not in it.
    pub(crate) fn files(&self) -> BTreeSet<PathBuf> {
        let mut all = BTreeSet::new();
        for root in &self.roots {
            walk(root, Path::new(""), &mut all);
        }
        all
    }

    /// Whether a file has another content in one than in the other, or one has it alone.
    pub(crate) fn differ(&mut self, file: &Path) -> bool {
        if let Some(known) = self.compared.get(file) {
            return *known;
        }
        let [one, two] = [0, 1].map(|at| self.roots[at].join(file));
        let differ = !are_equal(&one, &two).unwrap_or(false);
        self.compared.insert(file.to_owned(), differ);
        differ
    }
}

/// Regular files below a directory, links to files included, but no directory behind a link.
fn walk(root: &Path, below: &Path, all: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = fs::read_dir(root.join(below)) else { return };
    for entry in entries.flatten() {
        let path = below.join(entry.file_name());
        let is_evidence = is_evidence(Path::new::<OsStr>(&entry.file_name()));
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && is_evidence => walk(root, &path, all),
            Ok(_) if entry.path().is_file() => drop(all.insert(path)),
            _ => {}
        }
    }
}

fn are_equal(one: &Path, two: &Path) -> io::Result<bool> {
    let open = |path: &Path| -> io::Result<_> {
        let about = fs::metadata(path)?;
        if !about.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok((about.len(), BufReader::with_capacity(PIECE, File::open(path)?)))
    };
    let ((size, mut one), (other, mut two)) = (open(one)?, open(two)?);
    if size != other {
        return Ok(false);
    }
    let (mut of_one, mut of_two) = (Vec::new(), Vec::new());
    loop {
        of_one.clear();
        of_two.clear();
        (&mut one).take(PIECE as u64).read_to_end(&mut of_one)?;
        (&mut two).take(PIECE as u64).read_to_end(&mut of_two)?;
        if of_one != of_two {
            return Ok(false);
        }
        if of_one.is_empty() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch contents of one size that are taken for the same, and a file of one side that is not seen to differ.
    #[test]
    fn files_are_compared_by_content() {
        let scratch = tempfile::tempdir().unwrap();
        let (one, two) = (scratch.path().join("one"), scratch.path().join("two"));
        for (root, text) in [(&one, "1"), (&two, "2")] {
            fs::create_dir_all(root.join("a/.git")).unwrap();
            fs::write(root.join("a/same"), vec![7; 3 * PIECE]).unwrap();
            fs::write(root.join("a/other"), text).unwrap();
            fs::write(root.join("a/.git/HEAD"), text).unwrap();
        }
        fs::write(two.join("alone"), "").unwrap();
        let mut contents = Contents::of([one, two.clone()]);
        let files: Vec<PathBuf> = contents.files().into_iter().collect();
        assert_eq!(files, ["a/other", "a/same", "alone"].map(PathBuf::from));
        let differing: Vec<_> = files.iter().filter(|file| contents.differ(file)).collect();
        assert_eq!(differing, [Path::new("a/other"), Path::new("alone")]);
    }
}
