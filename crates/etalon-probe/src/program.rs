//! The identity of a program, by its content: two builds are told apart although nothing else about them differs.
//!
//! Owns the hash that records hold of what is measured. Refuses what a program loads: libraries, modules, data.

use std::fs::File;
use std::hash::Hasher;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use twox_hash::XxHash3_64;

/// Longer programs have no hash: nobody wants to wait for it.
const MOST: u64 = 256 << 20;

/// A hash of the file's content in 16 hexadecimal digits (XXH3, 64 bits, seed 0). Absent for what cannot be read, is
/// no regular file or is longer than 256 MiB. 0.1 to 0.3 ms a MB.
#[must_use]
pub fn hash(path: &Path) -> Option<Box<str>> {
    hash_of(&[path])
}

/// The hash of several files, one behind the other. Absent if there are none, or one of them has no hash.
#[must_use]
pub fn hash_of(paths: &[&Path]) -> Option<Box<str>> {
    let mut hasher = XxHash3_64::new();
    for path in paths {
        enter(path, &mut hasher)?;
    }
    (!paths.is_empty()).then(|| format!("{:016x}", hasher.finish()).into())
}

fn enter(path: &Path, hasher: &mut XxHash3_64) -> Option<()> {
    let mut file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path).ok()?;
    let about = file.metadata().ok().filter(|about| about.is_file() && about.len() <= MOST)?;
    let size = usize::try_from(about.len()).unwrap_or(usize::MAX).clamp(1, 256 << 10);
    let mut buffer = vec![0; size];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(()),
            read => hasher.write(&buffer[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the xxhash package of Python: `xxhash.xxh3_64_hexdigest(…)`. Would catch a hash of parts of a file, and one
    /// that another version of this program computes otherwise: records would be of other code.
    #[test]
    fn it_is_of_the_whole_content() {
        let directory = tempfile::tempdir().unwrap();
        let hash_of = |content: &[u8]| {
            let path = directory.path().join("program");
            std::fs::write(&path, content).unwrap();
            hash(&path).unwrap()
        };
        assert_eq!(&*hash_of(b""), "2d06800538d394c2");
        assert_eq!(&*hash_of(b"etalon"), "eda05301273e0bbe");
        let long: Vec<u8> = (0..1_000_000_u32).map(|at| (at % 251) as u8).collect();
        assert_eq!(&*hash_of(&long), "df99c4163891c544");
        let parts = [&long[..100], &long[100..]].map(|part| {
            let path = directory.path().join(format!("{}", part.len()));
            std::fs::write(&path, part).unwrap();
            path
        });
        let parts: Vec<&Path> = parts.iter().map(AsRef::as_ref).collect();
        assert_eq!(super::hash_of(&parts).as_deref(), Some("df99c4163891c544"));
        assert_eq!(
            [super::hash_of(&[]), super::hash_of(&[parts[0], directory.path()])],
            [None, None]
        );
        assert_eq!(hash(directory.path()), None);
        assert_eq!(hash(&directory.path().join("none")), None);
        assert_eq!(hash(Path::new("/dev/zero")), None);
    }
}
