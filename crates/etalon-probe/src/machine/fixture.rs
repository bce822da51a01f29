//! Fixture trees for the tests of this module: files by name and content under a fresh directory
//! that is removed with the returned handle.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// A directory with these files; missing directories on the way are made.
pub(crate) fn fixture(files: &[(&str, &str)]) -> TempDir {
    let dir = TempDir::new().unwrap();
    for (name, content) in files {
        put(dir.path(), name, content);
    }
    dir
}

/// One more file.
pub(crate) fn put(root: &Path, name: &str, content: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}
