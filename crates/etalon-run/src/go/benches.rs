//! Benchmarks of one copy of a package on the code of another, and whether two copies have the same.
//!
//! Owns what belongs to benchmarks: files whose names end in `_test.go`, and what lies below `testdata`. Refuses to change
//! a copy: Go is told with `-overlay` which file stands for which, and what a binary reads is where it is executed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use etalon_record::entries::entries;
use serde::Serialize;

/// The ending of the names of test files.
const TESTS: &str = "_test.go";

/// The directory of what they read.
const DATA: &str = "testdata";

/// Files of the benchmarks of two copies of a package that differ, by path below it.
#[must_use]
pub fn differing(one: &Path, other: &Path) -> Vec<PathBuf> {
    let all: BTreeSet<PathBuf> = files(one).into_iter().chain(files(other)).collect();
    let differ = |file: &PathBuf| fs::read(one.join(file)).ok() != fs::read(other.join(file)).ok();
    all.into_iter().filter(differ).collect()
}

/// A file as `-overlay` takes it, after which the benchmarks of packages are those of others: for each, its directory and
/// that of the other.
#[must_use]
pub fn overlay(packages: &[(PathBuf, PathBuf)]) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "PascalCase")]
    struct Overlay {
        /// An empty path says that a file is not there.
        replace: BTreeMap<PathBuf, PathBuf>,
    }
    let mut replace = BTreeMap::new();
    for (own, other) in packages {
        replace.extend(files(own).into_iter().map(|file| (own.join(file), PathBuf::new())));
        replace.extend(files(other).into_iter().map(|file| (own.join(&file), other.join(&file))));
    }
    serde_json::to_string(&Overlay { replace }).unwrap_or_default()
}

/// The files of a package's benchmarks, by path below it.
fn files(package: &Path) -> BTreeSet<PathBuf> {
    let mut all = BTreeSet::new();
    let entries = entries(package).into_iter().flatten().flatten();
    let names = entries.map(|entry| PathBuf::from(entry.file_name()));
    all.extend(names.filter(|name| name.to_string_lossy().ends_with(TESTS)));
    below(package, Path::new(DATA), &mut all);
    all
}

fn below(package: &Path, directory: &Path, all: &mut BTreeSet<PathBuf>) {
    let entries = entries(package.join(directory)).into_iter().flatten().flatten();
    for entry in entries {
        let path = directory.join(entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => below(package, &path, all),
            _ => drop(all.insert(path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a test file of the one that stays beside those of the other, and code that is taken for a benchmark.
    #[test]
    fn benchmarks_are_test_files_and_their_data() {
        let scratch = tempfile::tempdir().unwrap();
        let (one, two) = (scratch.path().join("one"), scratch.path().join("two"));
        for (root, text) in [(&one, "1"), (&two, "2")] {
            fs::create_dir_all(root.join("testdata/deep")).unwrap();
            for (file, text) in [
                ("code.go", text),
                ("same_test.go", ""),
                ("other_test.go", text),
                ("testdata/deep/in", text),
                ("testdata/same", ""),
            ] {
                fs::write(root.join(file), text).unwrap();
            }
        }
        fs::write(one.join("old_test.go"), "").unwrap();
        let expected = ["old_test.go", "other_test.go", "testdata/deep/in"].map(PathBuf::from);
        assert_eq!(differing(&one, &two), expected);
        let text = overlay(&[(one.clone(), two.clone())]);
        let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
        let stands_for = |file: &str| parsed["Replace"][one.join(file).to_str().unwrap()].clone();
        assert_eq!(stands_for("old_test.go"), "");
        assert_eq!(stands_for("other_test.go"), two.join("other_test.go").to_str().unwrap());
        assert_eq!(stands_for("testdata/same"), two.join("testdata/same").to_str().unwrap());
        assert!(stands_for("code.go").is_null());
    }
}
