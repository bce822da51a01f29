//! Two copies of a project as their files are now: which there are, and which differ.
//!
//! Owns: that contents are compared, and each file once. Refuses to read what nobody asks about.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileType};
use std::io::{self, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::origin::is_evidence;

use etalon_record::entries::entries;

/// Bytes that are compared at a time.
const PIECE: usize = 64 << 10;

/// Of a mode: the kind, and whether its owner may execute it. Other rights depend on who made a copy.
const SEEN: u32 = 0o170_100;

/// The files of two copies, and whether those that were asked about differ.
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

    /// Whether both have the same names, kinds, rights and links: a program sees these without opening a file.
    pub(crate) fn are_named_alike(&self) -> bool {
        let [one, two] = [0, 1].map(|at| {
            let mut all = BTreeMap::new();
            names(&self.roots[at], Path::new(""), &mut all);
            all
        });
        one == two
    }

    /// Whether a name is the same in both as far as programs see without opening it: its kind, its rights, where it
    /// leads to, the size of a file and the names in a directory, with their kinds.
    pub(crate) fn look_alike(&self, path: &Path) -> bool {
        let [one, two] = [0, 1].map(|at| look(&self.roots[at], path));
        one.is_some() && one == two
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

/// Whether two builds of one state have placed all code alike: no program or library of the machine's differs, or, where
/// there is none, no file at all.
#[must_use]
pub fn are_placed_alike(one: &Path, two: &Path) -> bool {
    let mut contents = Contents::of([one.to_owned(), two.to_owned()]);
    let files = contents.files();
    let mut code = files.iter().filter(|file| is_code(&one.join(file))).peekable();
    match code.peek() {
        Some(_) => !code.any(|file| contents.differ(file)),
        None => !files.iter().any(|file| contents.differ(file)),
    }
}

/// Whether a file is a linked program or library: an ELF file that is no object to be linked.
fn is_code(file: &Path) -> bool {
    const OBJECT: u16 = 1;
    let mut head = [0; 18];
    let is_read = File::open(file).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    is_read && head.starts_with(b"\x7fELF") && u16::from_le_bytes([head[16], head[17]]) != OBJECT
}

/// Regular files below a directory, links to files included, but no directory behind a link.
fn walk(root: &Path, below: &Path, all: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = entries(root.join(below)) else { return };
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

/// Names below a directory with their kinds and rights, and where links lead to.
fn names(root: &Path, below: &Path, all: &mut BTreeMap<PathBuf, (u32, Option<PathBuf>)>) {
    let Ok(entries) = entries(root.join(below)) else { return };
    for entry in entries.flatten() {
        let path = below.join(entry.file_name());
        let is_evidence = is_evidence(Path::new::<OsStr>(&entry.file_name()));
        let Some(about) = entry.metadata().ok().filter(|_| is_evidence) else { continue };
        if about.is_dir() {
            names(root, &path, all);
        }
        all.insert(path, (about.mode() & SEEN, target(root, &entry.path())));
    }
}

/// A name as it is seen: its mode and where it leads to, and of a file its size or of a directory its names.
type Look = (u32, Option<PathBuf>, u64, BTreeMap<OsString, Option<FileType>>);

fn look(root: &Path, path: &Path) -> Option<Look> {
    let place = root.join(path);
    let about = fs::symlink_metadata(&place).ok()?;
    // The size of a directory is the file system's, and that of a link follows from where the copy is.
    let size = if about.is_file() { about.len() } else { 0 };
    let entries = about.is_dir().then(|| entries(&place)).and_then(Result::ok);
    let entries = entries.into_iter().flatten().flatten();
    let entries = entries.map(|entry| (entry.file_name(), entry.file_type().ok()));
    let seen = entries.filter(|(name, _)| is_evidence(Path::new(name)));
    Some((about.mode() & SEEN, target(root, &place), size, seen.collect()))
}

/// Where a link leads to; below the top of its copy, as a path from there.
fn target(root: &Path, link: &Path) -> Option<PathBuf> {
    let target = fs::read_link(link).ok()?;
    Some(target.strip_prefix(root).unwrap_or(&target).to_owned())
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

    /// Would catch layouts that are told apart by a log or an object, and programs of which nobody looks whether they differ.
    #[test]
    fn code_is_placed_alike_where_no_program_differs() {
        let scratch = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| scratch.path().join(name));
        let elf = |kind: u8, code: &[u8]| {
            [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 9], &[kind, 0], code].concat()
        };
        let write = |root: &Path, name: &str, bytes: &[u8]| {
            fs::create_dir_all(root).unwrap();
            fs::write(root.join(name), bytes).unwrap();
        };
        write(&one, "text", b"1");
        write(&two, "text", b"1");
        assert!(are_placed_alike(&one, &two));
        write(&two, "text", b"2");
        assert!(!are_placed_alike(&one, &two));
        for root in [&one, &two] {
            write(root, "p", &elf(2, b"same"));
        }
        assert!(are_placed_alike(&one, &two));
        write(&one, "p.o", &elf(1, b"one"));
        write(&two, "p.o", &elf(1, b"two"));
        assert!(are_placed_alike(&one, &two));
        write(&two, "p", &elf(3, b"other"));
        assert!(!are_placed_alike(&one, &two));
    }

    /// Would catch a file that is only there, a link or a right to execute that differs and is told as nothing.
    #[test]
    fn what_is_seen_without_opening_files_is_compared() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let scratch = tempfile::tempdir().unwrap();
        let (one, two) = (scratch.path().join("one"), scratch.path().join("two"));
        for root in [&one, &two] {
            fs::create_dir_all(root.join("d")).unwrap();
            fs::write(root.join("d/a"), root.as_os_str().len().to_string()).unwrap();
            symlink(root.join("d/a"), root.join("own")).unwrap();
        }
        let alike = || Contents::of([one.clone(), two.clone()]).are_named_alike();
        let look =
            |path: &str| Contents::of([one.clone(), two.clone()]).look_alike(Path::new(path));
        assert!(look("d/a") && look("d") && look("own") && look(""));
        fs::write(two.join("d/a"), "another content").unwrap();
        assert!(alike());
        assert!(look("d") && !look("d/a"), "a size is seen, and not in a listing");
        fs::write(two.join("d/b"), "").unwrap();
        assert!(!alike() && !look("d") && !look("d/b") && look(""), "a name");
        fs::remove_file(two.join("d/b")).unwrap();
        fs::set_permissions(two.join("d/a"), fs::Permissions::from_mode(0o755)).unwrap();
        assert!(!alike(), "a right");
        fs::set_permissions(two.join("d/a"), fs::metadata(one.join("d/a")).unwrap().permissions())
            .unwrap();
        assert!(alike());
        symlink("1", one.join("link")).unwrap();
        symlink("2", two.join("link")).unwrap();
        assert!(!alike(), "where a link leads to");
    }
}
