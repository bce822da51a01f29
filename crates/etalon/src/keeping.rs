//! Where the record of an execution is: in the store, and where that cannot be, somewhere that is told.
//!
//! Owns: that measuring never fails for want of a place to save; that an execution ends with its whole
//! record somewhere, and says where, whatever somebody did to its files meanwhile. Refuses to say that
//! something is saved which is not.

use std::env::temp_dir;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use etalon_core::dataset::Dataset;
use etalon_core::shell::copied;
use etalon_probe::stored;
use etalon_record::altered::Altered;
use etalon_record::store::{NewRecord, make_id};
use etalon_record::{ReadError, Strictness, open};
use etalon_run::{Finished, Format, RunError};

use crate::destination::Destination;
use crate::failure::Failure;
use crate::{output, saved};

/// Whether runs are saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Saving {
    /// In the store.
    Store,
    /// `--no-save`: nowhere.
    Nowhere,
}

impl Saving {
    /// As `--no-save` says.
    pub(crate) fn unless(no_save: bool) -> Saving {
        if no_save { Saving::Nowhere } else { Saving::Store }
    }
}

/// A new record: in the store; in the directory for temporary files if that is not possible; in memory
/// if that is not possible either, or nothing is to be saved.
pub(crate) fn create(saving: Saving) -> Result<NewRecord, Failure> {
    let id = make_id(etalon_run::now(), entropy());
    if saving == Saving::Nowhere {
        return in_memory(&id);
    }
    let stored = saved::store().and_then(|store| store.create(&id).map_err(Failure::new));
    let Err(why) = stored else { return stored };
    match NewRecord::elsewhere(&temp_dir(), &id) {
        Ok(record) => {
            let path = record.path.display();
            output::remark(&format!(
                "etalon: this run is not saved: {why}; the record is {path}; ETALON_HOME names a \
                 directory to save runs in, --no-save asks for none"
            ));
            Ok(record)
        }
        Err(other) => {
            output::remark(&format!(
                "etalon: this run is not saved: {why}; {other}; the record is in memory, and gone at \
                 the end: -o FILE keeps it, ETALON_HOME names a directory to save runs in"
            ));
            in_memory(&id)
        }
    }
}

fn in_memory(id: &str) -> Result<NewRecord, Failure> {
    let file = etalon_probe::memory_file::create()
        .map_err(|error| Failure::about("a record in memory", error))?;
    Ok(NewRecord::in_memory(file, id))
}

/// Something random: the operating system gives keys of hash maps.
fn entropy() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// The record of an execution that is over.
#[derive(Debug)]
pub(crate) struct FinishedRecord {
    record: NewRecord,
    /// The output file, where it is a whole copy and the record is none.
    copy: Option<PathBuf>,
    /// The name by which `etalon report` shows it; absent if it is kept nowhere.
    pub reference: Option<String>,
    /// Damage that somebody did to the files, and where everything is.
    pub damage: Vec<String>,
}

/// Gives the record its last name, or finds out where all of it is.
pub(crate) fn settle(
    record: NewRecord,
    finished: &Finished,
    second: Option<&Destination>,
) -> FinishedRecord {
    let mut kept = FinishedRecord { record, copy: None, reference: None, damage: Vec::new() };
    match finished.damage.record {
        None => kept.finish(finished),
        Some(altered) => kept.make_up_for(altered, finished, second),
    }
    if let (Some(altered), Some(second)) = (finished.damage.second, second) {
        kept.tell_of(altered, second, finished);
    }
    let path = kept.record.path.display().to_string();
    let files = [(path.as_str(), &kept.record.file)].into_iter();
    let files = files.chain(second.map(|it| (it.option.as_str(), &it.output.file)));
    let lost = files.filter_map(|(name, file)| Some((name, stored::ask(file).err()?)));
    let lost = lost.map(|(name, error)| format!("{name}: its end is not stored: {error}"));
    kept.damage.extend(lost.collect::<Vec<_>>());
    kept
}

impl FinishedRecord {
    /// The data that it holds.
    pub(crate) fn read(&self) -> Result<Dataset, ReadError> {
        match &self.copy {
            Some(path) => open(path, Strictness::Lenient),
            None => etalon_run::read(&self.record, &self.record.path.display().to_string()),
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.record.id
    }

    /// Whether it is in the store.
    pub(crate) fn is_saved(&self) -> bool {
        self.record.is_in_store() && self.copy.is_none() && self.reference.is_some()
    }

    fn finish(&mut self, finished: &Finished) {
        if self.record.is_in_memory() {
            return;
        }
        // A record that could not be written to its end stays what it is: unfinished.
        let stays =
            matches!(&finished.error, Some(RunError::Write(e)) if e.path == self.record.path);
        if !stays && let Err(error) = self.record.finish() {
            self.damage.push(error.to_string());
        }
        self.reference = Some(match self.record.is_in_store() {
            true => "@last".to_owned(),
            false => self.record.path.display().to_string(),
        });
    }

    /// The file of the record is not what it was: a copy, or saving it again, makes up for that.
    fn make_up_for(&mut self, altered: Altered, finished: &Finished, second: Option<&Destination>) {
        let path = self.record.path.display();
        let second = second.filter(|_| finished.damage.second.is_none()).map(|s| &s.output);
        let told = match second {
            Some(output)
                if output.format == Format::Record
                    && is_complete(finished, output.path.as_path()) =>
            {
                self.copy = Some(output.path.clone());
                self.reference = Some(output.path.display().to_string());
                format!("{path} {altered}; the whole record is {}", output.path.display())
            }
            _ if altered.is_whole_while_open() => match self.save_again() {
                Ok(again) => {
                    let again = again.display().to_string();
                    let told = format!("{path} {altered}; all of it is saved again as {again}");
                    self.reference = Some(again);
                    told
                }
                Err(error) => format!("{path} {altered}; {error}: it ends with this report"),
            },
            Some(output) => {
                format!("{path} {altered}; all rows are in {}", output.path.display())
            }
            None => format!("{path} {altered}, and no other copy was asked for with -o"),
        };
        self.damage.push(told);
    }

    /// The output file is not what it was.
    fn tell_of(&mut self, altered: Altered, second: &Destination, finished: &Finished) {
        let option = &second.option;
        let record_is_whole = finished.damage.record.is_none_or(Altered::is_whole_while_open);
        if !record_is_whole {
            return self.damage.push(format!("{option}: {altered}"));
        }
        if self.reference.is_none()
            && let Ok(path) = self.record.keep_in(&temp_dir())
        {
            self.reference = Some(path.display().to_string());
        }
        let whole = match self.reference.as_deref() {
            Some("@last") => self.record.path.display().to_string(),
            Some(path) => path.to_owned(),
            None => return self.damage.push(format!("{option}: {altered}")),
        };
        let again = match second.output.format {
            Format::Rows => {
                format!(" (`etalon convert {} --to bestguess` writes its rows)", copied(&whole))
            }
            Format::Record => String::new(),
        };
        self.damage.push(format!("{option}: {altered}; the whole record is {whole}{again}"));
    }

    fn save_again(&self) -> Result<PathBuf, Failure> {
        if self.record.is_in_store() {
            let again = saved::store()?.save_again(&self.record).map_err(Failure::new);
            if again.is_ok() {
                return again;
            }
        }
        self.record.keep_in(&temp_dir()).map_err(Failure::new)
    }
}

/// Whether the output file got everything: it did if no write to it failed.
fn is_complete(finished: &Finished, path: &Path) -> bool {
    !matches!(&finished.error, Some(RunError::Write(error)) if error.path == path)
}
