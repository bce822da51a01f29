//! Records from elsewhere.
//!
//! Owns that a record is saved under its own id, whole, and never over another one.

#![expect(clippy::disallowed_methods, reason = "the store is made of files")]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use super::record::create_directory;
use super::{FINISHED, PARTIAL, Store, StoreError, is_id, saved};
use crate::fresh::{self, Readers};

/// The fate of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// It is saved.
    New,
    /// It was there already.
    There,
}

impl Store {
    /// Saves a record under its id.
    ///
    /// # Errors
    /// If `id` is not one, a record that differs has it, what is read is no record, or a file cannot be written.
    pub fn import(&self, id: &str, record: impl Read) -> Result<Imported, StoreError> {
        if !is_id(id) {
            return Err(StoreError::NotAnId { id: id.to_owned() });
        }
        let runs = self.runs();
        create_directory(&runs)?;
        fresh::sweep(&runs);
        let failed = |error: io::Error| StoreError::io("write a record to", &runs, &error);
        let (mut file, hidden) = fresh::create(&runs, Readers::Owner).map_err(failed)?;
        io::copy(&mut { record }, &mut file).map_err(failed)?;
        file.rewind().map_err(failed)?;
        if let Some(there) = self.find(id) {
            return match is_same(&file, &there).map_err(failed)? {
                true => Ok(Imported::There),
                false => Err(StoreError::Exists { path: there }),
            };
        }
        let named = |end| runs.join(format!("{id}{end}"));
        saved::header(&mut BufReader::new(&file), &named(FINISHED))
            .map_err(|reason| StoreError::NoRecord { reason })?;
        let bytes = file.metadata().map_err(failed)?.len();
        let end = saved::last_end(&file, bytes).map_err(failed)?;
        self.enter(id);
        hidden.take_name(&named(if end.is_some() { FINISHED } else { PARTIAL })).map_err(failed)?;
        Ok(Imported::New)
    }
}

/// Whether two files hold the same.
fn is_same(one: &File, other: &Path) -> io::Result<bool> {
    let other = File::open(other)?;
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (a, b) = (one.fill_buf()?, other.fill_buf()?);
        let common = a.len().min(b.len());
        if common == 0 || a[..common] != b[..common] {
            return Ok(common == 0);
        }
        one.consume(common);
        other.consume(common);
    }
}
