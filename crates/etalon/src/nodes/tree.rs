//! The tree of a copy of a side, as it is sent.
//!
//! Owns how much is sent of all copies at most. Refuses what git keeps of its own, and what is no file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use etalon_record::entries::entries;
use etalon_report::text::clean;
use etalon_run::nodes::Parcel;

use crate::failure::Failure;

/// More files and bytes of copies are not sent: somebody who sends as many has forgotten what lies there.
pub(super) const OF_COPIES: Most = Most { files: 200_000, bytes: 4 << 30 };

/// How much is sent at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Most {
    files: u64,
    bytes: u64,
}

/// A copy of a side, of which everything is sent but what git keeps of its own.
pub(super) struct Tree<'a> {
    pub(super) side: &'a str,
    pub(super) root: &'a Path,
    /// How much more is sent.
    pub(super) left: Most,
}

impl Tree<'_> {
    /// Adds everything below a directory, to be at a path below the directory there.
    ///
    /// # Errors
    /// If it cannot be read, or is more than is sent.
    pub(super) fn walk(
        &mut self,
        from: &Path,
        to: &Path,
        files: &mut BTreeMap<PathBuf, Parcel>,
    ) -> Result<(), Failure> {
        let about =
            |path: &Path, error| Failure::about(path.display(), format!("cannot be sent: {error}"));
        let mut is_empty = true;
        for entry in entries(from).map_err(|error| about(from, error))? {
            let entry = entry.map_err(|error| about(from, error))?;
            let (from, to) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type().map_err(|error| about(&from, error))?;
            if entry.file_name() == ".git" {
                continue;
            }
            is_empty = false;
            if kind.is_dir() {
                self.walk(&from, &to, files)?;
                continue;
            }
            let parcel = match kind {
                kind if kind.is_file() => {
                    let bytes = entry.metadata().map_err(|error| about(&from, error))?.len();
                    self.takes(bytes)?;
                    Parcel::pack(&from, &to)
                }
                kind if kind.is_symlink() => {
                    self.takes(0)?;
                    Parcel::without_content(&from, &to)
                }
                // A socket or a pipe is of who has made it.
                _ => continue,
            };
            files.insert(to, parcel.map_err(|error| about(&from, error))?);
        }
        if is_empty {
            self.takes(0)?;
            let parcel = Parcel::without_content(from, to).map_err(|error| about(from, error))?;
            files.insert(to.to_owned(), parcel);
        }
        Ok(())
    }

    /// Counts a file, before its content is read.
    fn takes(&mut self, bytes: u64) -> Result<(), Failure> {
        let left = &mut self.left;
        match (left.files.checked_sub(1), left.bytes.checked_sub(bytes)) {
            (Some(files), Some(bytes)) => *left = Most { files, bytes },
            _ => {
                let most = format!("{} GB or {} files", OF_COPIES.bytes >> 30, OF_COPIES.files);
                return Err(Failure::about(
                    "--on",
                    format!(
                        "the copies of both sides are more than {most}, which each machine would be sent (most of {}: {}): \
                         have the build remove what is not needed, or build each side once (--no-control)",
                        self.side,
                        largest(self.root)
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// The entry of a directory that has most below it, with its size.
fn largest(root: &Path) -> String {
    fn bytes(path: &Path) -> u64 {
        let Ok(about) = fs::symlink_metadata(path) else { return 0 };
        let below = || entries(path).into_iter().flatten().flatten();
        match about.is_dir() {
            true => below().map(|entry| bytes(&entry.path())).fold(0, u64::saturating_add),
            false => about.len(),
        }
    }
    let entries = entries(root).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| (bytes(&entry.path()), entry.file_name()));
    let (bytes, name) = sizes.max().unwrap_or_default();
    format!("{}, {} MB", clean(&name.to_string_lossy()), bytes >> 20)
}
