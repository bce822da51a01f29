//! Runs for somebody else: several in one file, and such a file saved.

use std::ffi::OsStr;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use etalon_core::shell::copied;
use etalon_record::bundle::{self, Bundled};
use etalon_record::store::{Imported, Labels, Saved, Store};
use etalon_report::number::counted;

use super::id;
use crate::failure::Failure;
use crate::replace::Target;
use crate::{output, saved};

/// Writes runs into one file, in the order they were asked for.
pub(super) fn write(runs: &[String], file: &OsStr, force: bool) -> Result<(), Failure> {
    let target = Target::check("-o", file, "name a file")?;
    if target.holds_something() && !force {
        return Err(Failure::about(
            target.subject(),
            "exists and is not empty: --force replaces it, another name keeps it",
        ));
    }
    let store = saved::store()?;
    let catalogue = store.catalogue().map_err(Failure::new)?;
    let mut found: Vec<Saved> = Vec::new();
    for run in runs {
        let run = catalogue.run(&id(run)?).ok_or_else(|| Failure::about(run, "was removed"))?;
        if found.iter().all(|other| other.id != run.id) {
            found.push(run);
        }
    }
    target.replace(|out| {
        bundle::begin(out)?;
        found.iter().try_for_each(|run| bundle::add(out, run))
    })?;
    let many = counted(found.len(), "run", "runs");
    let them = if found.len() == 1 { "it" } else { "them" };
    output::remark(&format!(
        "{many} in {0}; `etalon report {0}` shows {them}, `etalon runs import {0}` saves {them}",
        copied(&file.to_string_lossy())
    ));
    Ok(())
}

/// Saves the runs of files.
pub(super) fn import(files: &[PathBuf]) -> Result<(), Failure> {
    let store = saved::store()?;
    for path in files {
        let file = File::open(path).map_err(|error| Failure::about(path.display(), error))?;
        import_from(&store, path, file)?;
    }
    Ok(())
}

fn import_from(store: &Store, path: &Path, file: File) -> Result<(), Failure> {
    let source = path.display().to_string();
    bundle::each(BufReader::new(file), &source, |run, record| {
        let imported =
            store.import(&run.id, record).map_err(|error| Failure::about(&source, error))?;
        let short = store.catalogue().map_err(Failure::new)?.short(&run.id);
        output::remark(&match imported {
            Imported::New => format!("saved {short}"),
            Imported::There => format!("{short} is there already"),
        });
        label(store, run)
    })
}

/// Gives a run the labels it comes with. A name that another run has stays that one's, and so does a note.
fn label(store: &Store, run: &Bundled) -> Result<(), Failure> {
    for name in &run.names {
        match store.id_of_name(name).map_err(Failure::new)?.filter(|other| *other != run.id) {
            Some(other) => {
                let runs = store.catalogue().map_err(Failure::new)?;
                output::remark(&format!(
                    "@{name} stays {}; `etalon runs name {} NAME` gives it another name",
                    runs.short(&other),
                    runs.short(&run.id)
                ));
            }
            None => drop(store.set_name(&run.id, name).map_err(Failure::new)?),
        }
    }
    if !run.labels.is_empty() {
        let merge = |labels: &mut Labels| {
            labels.add(&run.labels.tags)?;
            match (&labels.note, &run.labels.note) {
                (None, Some(note)) => labels.set_note(note),
                _ => Ok(()),
            }
        };
        store.label(&run.id, merge).map_err(Failure::new)?;
    }
    Ok(())
}
