//! The path of a side and the seeds, which are the same in all executions that are counted.
//!
//! A longer path alone has some programs execute more. Refuses to move what is executed: a link leads to it.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use etalon_probe::launcher::protocol::Command;
use etalon_record::Text;

/// The library that fixes seeds.
const SEEDS: &[u8] = include_bytes!(env!("ETALON_SEEDS"));

/// The length of all paths that programs are given: that of the room differs from run to run.
const LENGTH: usize = 72;

/// The one path at which both sides are executed.
pub(crate) struct Slot<'a> {
    path: PathBuf,
    root: Option<&'a Path>,
}

impl<'a> Slot<'a> {
    /// For a copy of a side, if it is one.
    pub(crate) fn new(room: &Path, root: Option<&'a Path>) -> Slot<'a> {
        Slot { path: padded(room, "side"), root }
    }

    /// Has it lead to that copy.
    pub(crate) fn place(&self) -> io::Result<()> {
        let Some(root) = self.root else { return Ok(()) };
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => symlink(root, &self.path),
        }
    }

    /// A path, in it where it is in the copy.
    pub(crate) fn moved(&self, path: &Path) -> PathBuf {
        let inside = self.root.and_then(|root| path.strip_prefix(root).ok());
        match inside {
            Some(inside) if inside.as_os_str().is_empty() => self.path.clone(),
            Some(inside) => self.path.join(inside),
            None => path.to_owned(),
        }
    }

    /// A text with its path wherever that of the copy stands.
    pub(crate) fn rewritten(&self, text: &Text) -> Text {
        let replaced = |root| Text(replaced(text.as_bytes(), root, &self.path));
        self.root.map_or_else(|| text.clone(), replaced)
    }

    /// Writes its path in a command wherever that of the copy stands.
    pub(crate) fn relocate(&self, command: &mut Command) {
        let moved = |text: &mut Text| *text = self.rewritten(text);
        let execute = &mut command.execute;
        moved(&mut execute.path);
        execute.argv.iter_mut().chain(&mut execute.environment).for_each(moved);
        execute.directory.iter_mut().for_each(moved);
        command.files.input.iter_mut().for_each(moved);
    }
}

/// Sets variables of a program, so that its seeds are fixed; what the user has set stays.
pub(crate) fn fix_seeds(room: &Path, given: &[Text], own: &mut Vec<Text>) -> io::Result<()> {
    let library = padded(room, "seeds");
    if !library.exists() {
        fs::write(&library, SEEDS)?;
    }
    let value = |name: &str| {
        let mut all = own.iter().chain(given).map(Text::as_bytes);
        all.find_map(|it| Some(it.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?.to_vec()))
    };
    let hashes = value("PYTHONHASHSEED").is_none().then(|| Text::from("PYTHONHASHSEED=0"));
    let others = value("LD_PRELOAD").filter(|others| !others.is_empty());
    let mut preload = b"LD_PRELOAD=".to_vec();
    preload.extend(library.as_os_str().as_encoded_bytes());
    preload.extend(others.into_iter().flat_map(|others| [b":".to_vec(), others].concat()));
    own.retain(|it| !it.as_bytes().starts_with(b"LD_PRELOAD="));
    own.push(Text(preload));
    own.extend(hashes);
    Ok(())
}

/// A path in a directory that is as long in every run.
fn padded(room: &Path, name: &str) -> PathBuf {
    let path = room.join(name);
    let lacking = LENGTH.saturating_sub(path.as_os_str().len());
    room.join(format!("{name}{}", "-".repeat(lacking)))
}

/// A text with one path in the place of another, wherever it stands as a whole.
fn replaced(text: &[u8], from: &Path, to: &Path) -> Vec<u8> {
    let (from, to) = (from.as_os_str().as_encoded_bytes(), to.as_os_str().as_encoded_bytes());
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let ends = |rest: &[u8]| rest.first().is_none_or(|byte| !is_of_name(*byte));
        match rest.strip_prefix(from).filter(|behind| ends(behind)) {
            Some(behind) => {
                out.extend(to);
                rest = behind;
            }
            None => {
                out.push(rest[0]);
                rest = &rest[1..];
            }
        }
    }
    out
}

/// Whether a byte behind a path would make it another one's.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a path of another directory that begins alike, and one that is left.
    #[test]
    fn a_path_is_replaced_where_it_stands_as_a_whole() {
        let replaced = |text: &str| {
            let text = replaced(text.as_bytes(), Path::new("/tmp/a"), Path::new("/slot"));
            String::from_utf8(text).unwrap()
        };
        assert_eq!(replaced("--in=/tmp/a/x:/tmp/a"), "--in=/slot/x:/slot");
        assert_eq!(replaced("/tmp/ab /tmp/a-1 /tmp/a.c"), "/tmp/ab /tmp/a-1 /tmp/a.c");
    }

    /// Would catch a library or a seed of the user's that is lost.
    #[test]
    fn what_the_user_has_set_stays() {
        let room = tempfile::tempdir().unwrap();
        let given = ["LD_PRELOAD=/a.so".into(), "PYTHONHASHSEED=7".into()];
        let mut own = Vec::new();
        fix_seeds(room.path(), &given, &mut own).unwrap();
        let [preload] = &own[..] else { panic!("{own:?}") };
        assert!(preload.to_string_lossy().ends_with("-:/a.so"), "{preload:?}");
        assert_eq!(preload.as_bytes().len(), "LD_PRELOAD=".len() + LENGTH + ":/a.so".len());
    }
}
