//! A file of a project on both sides, read before anything is copied or built.
//!
//! Refuses what leads out of the working tree, and follows no link. What the file says is whoever's that asked for it.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::copies::State;
use super::error::SidesError;
use super::git::Git;
use super::view::View;

/// The path of a file from the top of the working tree, of one that is named in the directory `prefix` below it.
///
/// # Errors
/// If it leads out of the working tree.
pub(super) fn from_top(path: &Path, (top, prefix): (&Path, &Path)) -> Result<PathBuf, SidesError> {
    let outside = || SidesError::Elsewhere(path.to_owned());
    let named = match path.is_absolute() {
        true => path.strip_prefix(top).map_err(|_| outside())?.to_owned(),
        false => prefix.join(path),
    };
    let mut plain = PathBuf::new();
    for part in named.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir if plain.pop() => {}
            _ => return Err(outside()),
        }
    }
    Ok(plain)
}

/// The content of a file in two states; nothing where there is no such file.
///
/// # Errors
/// If git or the file cannot be read.
pub(super) fn on_sides(
    git: &mut Git<'_>,
    view: &View,
    path: &Path,
    states: [State<'_>; 2],
) -> Result<[Option<Vec<u8>>; 2], SidesError> {
    let mut content = |state| match (state, path.to_str()) {
        (State::Commit(commit), Some(path)) => git.file(view, commit, path),
        (State::Commit(_), None) => Ok(None),
        (State::WorkingTree, _) => now(&view.repository.top.join(path)),
    };
    let [base, head] = states;
    Ok([content(base)?, content(head)?])
}

fn now(path: &Path) -> Result<Option<Vec<u8>>, SidesError> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
    let content = is_file.then(|| fs::read(path)).transpose();
    content.map_err(|error| SidesError::Io { path: path.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a file outside that is read, and one inside that is named from below and refused.
    #[test]
    fn a_path_stays_in_the_working_tree() {
        let top = Path::new("/p");
        for (path, prefix, expected) in [
            ("c.toml", "", Some("c.toml")),
            ("./c.toml", "sub", Some("sub/c.toml")),
            ("../c.toml", "sub", Some("c.toml")),
            ("/p/sub/c.toml", "x", Some("sub/c.toml")),
            ("../../c.toml", "sub", None),
            ("/etc/passwd", "", None),
            ("/p/../etc/passwd", "", None),
        ] {
            let found = from_top(Path::new(path), (top, Path::new(prefix))).ok();
            assert_eq!(found, expected.map(PathBuf::from), "{path} in {prefix}");
        }
    }
}
