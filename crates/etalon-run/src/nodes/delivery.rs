//! Files of a job on their way: each content is sent once, and is what it was on the other side.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use etalon_probe::program;

use super::protocol::{File, Job, Kind};

/// A file that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    /// Where it is here.
    pub from: PathBuf,
    /// What the other side is told of it.
    pub file: File,
}

impl Parcel {
    /// A file here, to be at this path below the directory of the job.
    ///
    /// # Errors
    /// If it cannot be read as a regular file.
    pub fn pack(from: &Path, path: &Path) -> io::Result<Parcel> {
        let about = fs::metadata(from)?;
        let hash = program::hash(from).ok_or_else(|| io::Error::other("it cannot be read"))?;
        let file = File {
            path: path.as_os_str().into(),
            kind: Kind::Regular,
            mode: about.permissions().mode() & 0o777,
            length: about.len(),
            hash: hash.into(),
        };
        Ok(Parcel { from: from.to_owned(), file })
    }

    /// What has no content, to be at this path: a symbolic link, which stays one, or a directory.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn without_content(from: &Path, path: &Path) -> io::Result<Parcel> {
        let kind = match fs::symlink_metadata(from)?.is_symlink() {
            true => Kind::Link(fs::read_link(from)?.into_os_string().into()),
            false => Kind::Directory,
        };
        let (path, hash) = (path.as_os_str().into(), String::new());
        Ok(Parcel { from: from.to_owned(), file: File { path, kind, mode: 0, length: 0, hash } })
    }

    fn has_content(&self) -> bool {
        self.file.kind == Kind::Regular
    }
}

/// Bytes that such files take on the other side, where each is a file of its own.
pub(super) fn room(parcels: &[Parcel]) -> u64 {
    parcels.iter().map(|it| it.file.length).fold(0, u64::saturating_add)
}

/// Bytes that such files take on their way: each content once.
#[must_use]
pub fn length(parcels: &[Parcel]) -> u64 {
    let contents: BTreeMap<&str, u64> =
        parcels.iter().map(|it| (it.file.hash.as_str(), it.file.length)).collect();
    contents.values().sum()
}

/// Sends contents, each once, in the order of the files. A file that has another length by now is an error.
pub(super) fn send(parcels: &[Parcel], to: &mut impl Write) -> io::Result<()> {
    let mut sent = BTreeSet::new();
    let mut to = BufWriter::with_capacity(1 << 20, to);
    for parcel in parcels.iter().filter(|it| it.has_content()) {
        if !sent.insert(&parcel.file.hash) {
            continue;
        }
        let mut content = fs::File::open(&parcel.from)?.take(parcel.file.length);
        if io::copy(&mut content, &mut to)? != parcel.file.length {
            return Err(io::Error::other(format!("{} was cut meanwhile", parcel.from.display())));
        }
    }
    to.flush()
}

/// Takes the contents of a job's files, which follow it, into a directory.
///
/// # Errors
/// In words, if one of them is not what was sent, or cannot be written.
pub(super) fn take(job: &Job, from: &mut impl BufRead, directory: &Path) -> Result<(), String> {
    let mut there: BTreeMap<&str, PathBuf> = BTreeMap::new();
    // Last, so that nothing is written through one.
    let mut links = Vec::new();
    for file in &job.files {
        let name = PathBuf::from(std::ffi::OsString::from(file.path.clone()));
        let cannot =
            |error: io::Error| format!("{} cannot be written there: {error}", name.display());
        let is_below = name.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_below || name.as_os_str().is_empty() {
            return Err(format!("{} is outside of the job's directory", name.display()));
        }
        let path = directory.join(&name);
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(cannot)?;
        match &file.kind {
            Kind::Regular => {}
            Kind::Directory => {
                fs::create_dir_all(&path).map_err(cannot)?;
                continue;
            }
            Kind::Link(target) => {
                links.push((std::ffi::OsString::from(target.clone()), path, file));
                continue;
            }
        }
        match there.get(file.hash.as_str()) {
            Some(first) => fs::copy(first, &path).map(drop).map_err(cannot)?,
            None => {
                let mut options = fs::File::options();
                let mut new =
                    options.write(true).create_new(true).mode(0o600).open(&path).map_err(cannot)?;
                io::copy(&mut from.by_ref().take(file.length), &mut new).map_err(cannot)?;
                drop(new);
                if program::hash(&path).as_deref() != Some(file.hash.as_str()) {
                    return Err(format!(
                        "{} is not there what it is here: its hash is another",
                        name.display()
                    ));
                }
                there.insert(&file.hash, path.clone());
            }
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(file.mode)).map_err(cannot)?;
    }
    links.into_iter().try_for_each(|(target, path, file)| {
        let cannot =
            |error| format!("{} cannot be made there: {error}", file.path.to_string_lossy());
        symlink(target, path).map_err(cannot)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a link that becomes a file, one that a file is written through, and a directory that is lost because it
    /// is empty.
    #[test]
    fn trees_arrive_as_they_are() {
        let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let at = |name: &str| here.path().join(name);
        fs::create_dir_all(at("tree/empty")).unwrap();
        fs::write(at("tree/file"), "content").unwrap();
        symlink("file", at("tree/a-link")).unwrap();
        symlink("/nowhere", at("tree/dangling")).unwrap();
        let other = |name: &str| Parcel::without_content(&at(name), Path::new(name)).unwrap();
        let mut parcels: Vec<Parcel> =
            ["tree/a-link", "tree/dangling", "tree/empty"].map(other).into();
        parcels.push(Parcel::pack(&at("tree/file"), Path::new("tree/file")).unwrap());
        let mut sent = Vec::new();
        send(&parcels, &mut sent).unwrap();
        assert_eq!((sent.as_slice(), room(&parcels)), (&b"content"[..], 7));
        let files = parcels.iter().map(|it| it.file.clone()).collect();
        let (words, copies) = (Vec::new(), Vec::new());
        let job = Job { words, seed: 0, elapsed_ns: 0, files, copies, contents: None };
        take(&job, &mut &sent[..], there.path()).unwrap();
        let at = |name: &str| there.path().join(name);
        assert_eq!(fs::read_link(at("tree/a-link")).unwrap(), Path::new("file"));
        assert_eq!(fs::read_link(at("tree/dangling")).unwrap(), Path::new("/nowhere"));
        assert_eq!(fs::read_to_string(at("tree/a-link")).unwrap(), "content");
        assert!(at("tree/empty").is_dir());
    }

    /// Would catch a content that is sent twice, one that another takes the place of, a file outside of the directory,
    /// and a mode that is lost.
    #[test]
    fn files_arrive_as_they_are() {
        let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let names = ["a", "below/b", "c"];
        let mut parcels = Vec::new();
        for (name, content) in names.iter().zip(["one", "two", "one"]) {
            let path = here.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, content).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
            parcels.push(Parcel::pack(&path, Path::new(name)).unwrap());
        }
        let mut sent = Vec::new();
        send(&parcels, &mut sent).unwrap();
        assert_eq!((sent.as_slice(), length(&parcels), room(&parcels)), (&b"onetwo"[..], 6, 9));
        let job = |files: Vec<File>| {
            let (words, copies) = (Vec::new(), Vec::new());
            Job { words, seed: 0, elapsed_ns: 0, files, copies, contents: None }
        };
        let files: Vec<File> = parcels.iter().map(|it| it.file.clone()).collect();
        take(&job(files.clone()), &mut &sent[..], there.path()).unwrap();
        for (name, content) in names.iter().zip(["one", "two", "one"]) {
            let path = there.path().join(name);
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o750);
        }
        let elsewhere = tempfile::tempdir().unwrap();
        let wrong = take(&job(files.clone()), &mut &b"onetwi"[..], elsewhere.path()).unwrap_err();
        assert!(wrong.contains("its hash is another"), "{wrong}");
        for path in ["../a", "/tmp/a", ""] {
            let file = File { path: path.into(), ..files[0].clone() };
            assert!(take(&job(vec![file]), &mut &sent[..], there.path()).is_err(), "{path}");
        }
    }
}
