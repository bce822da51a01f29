//! Files that an experiment file declares: written before everything, taken away after it.
//!
//! Owns that a file which a killed etalon has left is recognised, and that of several etalons at once the last one takes a
//! file away. A claim says both: a file of the store that names the file and its text, and that everybody who uses it has
//! locked. Refuses to touch a file that is somebody else's.

use std::fs::{self, File as Open, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read, Seek, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use etalon_record::fresh::{self, Readers};

use super::subjects::Site;
use crate::experiments::file::File;
use crate::failure::Failure;
use crate::saved;
use crate::toml_text::Source;

/// Why a file is refused that is there.
const OTHER: &str = "is there and says something else: choose another name for it, or take it away";

/// Why a file is refused that another etalon has written.
const IN_USE: &str =
    "is in use by another etalon with another text: wait until that ends, or choose another name";

/// The files that were written; dropping it takes them away.
pub(super) struct Generated(Vec<Written>);

/// A file that was written.
struct Written {
    path: PathBuf,
    text: String,
    /// Nothing where the file goes with its directory, or there is no store.
    claim: Option<Claim>,
}

impl Generated {
    /// Writes them, in the directory of the experiment file and those that correspond to it.
    ///
    /// # Errors
    /// If one cannot be written, or is there with another content; nothing is left then.
    pub(super) fn write(
        source: Source<'_>,
        file: &File,
        sites: &[Site],
    ) -> Result<Vec<Generated>, Failure> {
        sites.iter().map(|site| Generated::write_at(source, file, site)).collect()
    }

    fn write_at(source: Source<'_>, file: &File, site: &Site) -> Result<Generated, Failure> {
        let mut written = Generated(Vec::new());
        for (name, generated) in &file.file {
            let path = site.directory.join(name.get_ref());
            let refused =
                |why: String| source.at(name.span(), format!("the file {} {why}", path.display()));
            let axes = file.axes.keys().map(|axis| axis.get_ref().as_str());
            if let Some(axis) = crate::experiments::template::named(name.get_ref(), axes) {
                let why = format!("is there for all cells: name it without `{{{axis}}}`");
                return Err(refused(why));
            }
            let text = &generated.text;
            let is_own = site.copy.is_none();
            let claim = if is_own { Claim::on(&path, text).map_err(&refused)? } else { None };
            let is_ours = claim.as_ref().is_some_and(|claim| claim.is_ours);
            match fs::read(&path) {
                Ok(there) if there == text.as_bytes() && !is_ours => continue,
                Ok(there) if there == text.as_bytes() => {}
                Ok(_) if !is_ours => return Err(refused(OTHER.to_owned())),
                _ => put(&path, text)
                    .map_err(|error| refused(format!("cannot be written: {error}")))?,
            }
            let claim = claim.map(Claim::shared);
            written.0.push(Written { path, text: text.clone(), claim });
        }
        Ok(written)
    }
}

/// Writes a file as a whole.
fn put(path: &Path, text: &str) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(directory)?;
    let (mut file, hidden) = fresh::create(directory, Readers::Umask)?;
    file.write_all(text.as_bytes())?;
    hidden.take_name(path)
}

impl Drop for Written {
    fn drop(&mut self) {
        let is_last = self.claim.as_ref().is_none_or(|claim| claim.file.try_lock().is_ok());
        let is_unchanged = || fs::read(&self.path).is_ok_and(|it| it == self.text.as_bytes());
        if !is_last || !is_unchanged() {
            return;
        }
        let _gone_already = fs::remove_file(&self.path);
        if let Some(claim) = &self.claim {
            let _gone_already = fs::remove_file(&claim.path);
        }
    }
}

/// A claim on a generated file.
struct Claim {
    path: PathBuf,
    file: Open,
    /// Whether the file is etalon's: not there, left by a killed etalon, or in use by others with the same text.
    is_ours: bool,
}

impl Claim {
    /// Claims a file; nothing where claims cannot be kept.
    ///
    /// # Errors
    /// If another etalon uses it with another text.
    fn on(file: &Path, text: &str) -> Result<Option<Claim>, String> {
        let Some(path) = place(file) else { return Ok(None) };
        let claimed = [file.as_os_str().as_bytes(), b"\n", text.as_bytes()].concat();
        loop {
            let Ok(open) = open(&path) else { return Ok(None) };
            let is_alone = match open.try_lock() {
                Ok(()) => true,
                // It waits for one who looks, or until the last user is gone.
                Err(TryLockError::WouldBlock) if open.lock_shared().is_ok() => false,
                Err(_) => return Ok(None),
            };
            if !leads_to(&path, &open) {
                continue;
            }
            let before = content(&open).unwrap_or_default();
            let there = fs::read(file).ok();
            if !is_alone {
                let is_ours = before == claimed && there.as_deref() == Some(text.as_bytes());
                return match is_ours {
                    true => Ok(Some(Claim { path, file: open, is_ours })),
                    false => Err(IN_USE.to_owned()),
                };
            }
            let said = before.strip_prefix(file.as_os_str().as_bytes());
            let said = said.and_then(|rest| rest.strip_prefix(b"\n"));
            let is_ours = there.is_none() || there.as_deref() == said;
            if !is_ours || write(&open, &claimed).is_err() {
                let _gone_already = fs::remove_file(&path);
                return Ok(None);
            }
            return Ok(Some(Claim { path, file: open, is_ours }));
        }
    }

    /// As it is held while the file is used.
    fn shared(self) -> Claim {
        let _held_by_nobody_else = self.file.lock_shared();
        self
    }
}

/// Where the claim on a file is.
fn place(file: &Path) -> Option<PathBuf> {
    let directory = saved::store().ok()?.home().join("files");
    fs::create_dir_all(&directory).ok()?;
    let mut name = DefaultHasher::new();
    name.write(file.as_os_str().as_bytes());
    Some(directory.join(format!("{:016x}", name.finish())))
}

fn open(path: &Path) -> io::Result<Open> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Whether the name is still that of the open file.
fn leads_to(path: &Path, open: &Open) -> bool {
    let facts = |facts: fs::Metadata| (facts.dev(), facts.ino());
    let (there, own) = (fs::metadata(path).map(facts), open.metadata().map(facts));
    there.ok().zip(own.ok()).is_some_and(|(there, own)| there == own)
}

fn content(mut open: &Open) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open.rewind()?;
    open.read_to_end(&mut content)?;
    Ok(content)
}

fn write(mut open: &Open, content: &[u8]) -> io::Result<()> {
    open.set_len(0)?;
    open.rewind()?;
    open.write_all(content)
}
