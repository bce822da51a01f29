//! Saved data as the user refers to it: files, `@last`, `@-2`, `@NAME`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_core::model::RunSet;
use etalon_record::open::{From, open_as};
use etalon_record::store::Store;
use etalon_record::{Strictness, open};

use crate::failure::Failure;

/// The store the environment asks for.
pub fn store() -> Result<Store, Failure> {
    Store::locate(|name| std::env::var_os(name)).map_err(Failure::new)
}

/// The path behind a reference. A file whose name starts with `@` is reached as `./@…`.
pub fn path(data: &OsStr) -> Result<PathBuf, Failure> {
    match data.as_bytes().first() {
        Some(b'@') => {
            let reference = data.to_str().ok_or_else(|| {
                Failure::about(data.display(), "not a saved run: `etalon runs` lists them")
            })?;
            store()?.resolve(reference).map_err(Failure::new)
        }
        _ => Ok(Path::new(data).to_owned()),
    }
}

/// Reads data as the user refers to it. What a file is may be known better than its beginning says
/// it; saved runs are etalon's.
pub fn data(data: &OsStr, from: From, strictness: Strictness) -> Result<RunSet, Failure> {
    let saved = data.as_bytes().starts_with(b"@");
    let from = if saved { From::Auto } else { from };
    open_as(&path(data)?, from, strictness).map_err(Failure::new)
}

/// Reads a record.
pub fn read(path: &Path, strictness: Strictness) -> Result<RunSet, Failure> {
    open(path, strictness).map_err(Failure::new)
}
