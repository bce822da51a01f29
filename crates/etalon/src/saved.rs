//! Data as the user refers to it: files, `-`, and saved runs (`@last`, `@-2`, `@NAME`).

use std::ffi::OsStr;
use std::io::{self, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_core::dataset::Dataset;
use etalon_record::Strictness;
use etalon_record::open::{self, Opened, SourceFormat};
use etalon_record::store::{Store, StoreError};

use crate::failure::Failure;

/// The store the environment asks for.
pub(crate) fn store() -> Result<Store, Failure> {
    Store::locate(|name| std::env::var_os(name)).map_err(Failure::new)
}

/// The path behind a reference. A file whose name starts with `@` is reached as `./@…`.
pub(crate) fn path(data: &OsStr) -> Result<PathBuf, Failure> {
    match data.as_bytes().first() {
        Some(b'@') => {
            let reference = data.to_str().ok_or_else(|| {
                Failure::about(data.display(), "not a saved run: `etalon runs` lists them")
            })?;
            resolve(reference)
        }
        _ => Ok(Path::new(data).to_owned()),
    }
}

/// The file of a saved run; the `@` may be left out.
pub(crate) fn resolve(reference: &str) -> Result<PathBuf, Failure> {
    let about = |error: StoreError| match error {
        StoreError::NoHome | StoreError::Io { .. } => Failure::about(
            reference,
            format!("{error}; ETALON_HOME names the directory runs are saved in"),
        ),
        error => Failure::new(error),
    };
    let store = Store::locate(|name| std::env::var_os(name)).map_err(about)?;
    store.resolve(reference).map_err(about)
}

/// Opens data as the user refers to it; `-` is standard input, and a file of that name `./-`. What a
/// file is may be known better than its beginning says it; saved runs are etalon's.
pub(crate) fn opened(data: &OsStr, from: SourceFormat) -> Result<Opened<'static>, Failure> {
    let opened = match data.as_bytes() {
        b"-" => Opened::new(BufReader::new(io::stdin()), "standard input", from),
        [b'@', ..] => open::file(&path(data)?, SourceFormat::Auto),
        _ => open::file(&path(data)?, from),
    };
    opened.map_err(|error| {
        // Whoever copies an id from the list may leave its sign behind.
        let is_known = |name: &str| resolve(name).is_ok() || resolve(&format!("@{name}")).is_ok();
        let is_saved = |name: &&str| !Path::new(name).exists() && is_known(name);
        match data.to_str().filter(is_saved) {
            Some(name) => {
                Failure::about(name, format!("no such file; the saved run is @{name}: write it so"))
            }
            None => Failure::new(error),
        }
    })
}

/// Adds data, as the user refers to them, to what was read before.
pub(crate) fn add(
    data: &mut Dataset,
    name: &OsStr,
    from: SourceFormat,
    strictness: Strictness,
) -> Result<(), Failure> {
    let opened = opened(name, from)?;
    let label = name.to_string_lossy();
    opened.add_to(data, &label, strictness).map(|_| ()).map_err(Failure::new)
}

/// Reads a record.
pub(crate) fn read(path: &Path, strictness: Strictness) -> Result<Dataset, Failure> {
    open::open(path, strictness).map_err(Failure::new)
}
