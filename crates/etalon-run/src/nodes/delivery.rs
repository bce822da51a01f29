//! Files of a job on their way: each content is sent once, and is what it was on the other side.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use etalon_probe::program;

use super::protocol::{File, Job};

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
            mode: about.permissions().mode() & 0o777,
            length: about.len(),
            hash: hash.into(),
        };
        Ok(Parcel { from: from.to_owned(), file })
    }
}

/// Bytes that such files take on their way: each content once.
pub(super) fn length(parcels: &[Parcel]) -> u64 {
    let contents: BTreeMap<&str, u64> =
        parcels.iter().map(|it| (it.file.hash.as_str(), it.file.length)).collect();
    contents.values().sum()
}

/// Sends contents, each once, in the order of the files. A file that has another length by now is an error.
pub(super) fn send(parcels: &[Parcel], to: &mut impl Write) -> io::Result<()> {
    let mut sent = BTreeSet::new();
    let mut to = BufWriter::with_capacity(1 << 20, to);
    for parcel in parcels {
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
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!((sent.as_slice(), length(&parcels)), (&b"onetwo"[..], 6));
        let job = |files: Vec<File>| Job { words: Vec::new(), seed: 0, elapsed_ns: 0, files };
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
