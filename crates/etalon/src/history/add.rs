//! Adding: saved runs and files, one transaction each; what is a saved run is noted in the store before.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use etalon_core::dataset::{Dataset, RunSetId};
use etalon_history::{Added, Database, MetricChoice, Placed, Points, Source, measurements};
use etalon_record::entries::entries;
use etalon_record::open::SourceFormat;
use etalon_record::store::Store;
use etalon_record::{ReadError, Strictness};
use etalon_report::number::counted;
use etalon_report::text::clean;

use super::place::{Belonging, Origin};
use super::written;
use crate::cli::{Belongs, HistoryAdd};
use crate::datasets::{self, Verbosity};
use crate::executed::Executed;
use crate::failure::Failure;
use crate::{output, saved};

/// Files beside results of asv that are none.
const BESIDE: [&str; 2] = ["benchmarks.json", "machine.json"];

/// The fewest digits of a commit's name.
const DIGITS: usize = 7;

/// Adds saved runs and files, each of one commit.
pub(super) fn run(asked: &HistoryAdd) -> Result<(), Failure> {
    let store = saved::store()?;
    let mut database = written(&store)?;
    let metrics = chosen(&asked.metrics);
    for name in &asked.data {
        let label = name.to_string_lossy().into_owned();
        let opened = saved::opened(name, SourceFormat::Auto)?;
        let data = datasets::read([Ok((opened, label))], Strictness::Lenient, Verbosity::All)?;
        let adding =
            Adding { store: &store, typed: &asked.belongs, metrics: &metrics, named: None };
        output::lines(adding.all(&mut database, name, &data)?)?;
    }
    Ok(())
}

/// Adds files of many commits.
pub(super) fn import(asked: &HistoryAdd) -> Result<(), Failure> {
    let store = saved::store()?;
    let mut database = written(&store)?;
    let metrics = chosen(&asked.metrics);
    let mut passed: Vec<String> = Vec::new();
    for name in &asked.data {
        let (files, is_directory) = files(name)?;
        for file in files {
            let mut data = Dataset::default();
            let opened = saved::opened(file.as_os_str(), SourceFormat::Auto)?;
            let label = file.to_string_lossy().into_owned();
            match opened.add_to(&mut data, &label, Strictness::Lenient) {
                Ok(_) => {}
                Err(error) if is_directory && is_no_result(&error) => {
                    passed.push(label);
                    continue;
                }
                Err(error) => return Err(Failure::new(error)),
            }
            datasets::tell(&data, Verbosity::All);
            let named = commit_named(&file);
            let adding = Adding { store: &store, typed: &asked.belongs, metrics: &metrics, named };
            output::lines(adding.all(&mut database, file.as_os_str(), &data)?)?;
        }
    }
    if let Some(first) = passed.first() {
        let count = counted(passed.len(), "file holds no results", "files hold no results");
        output::remark(&format!("{count}, the first is {}", clean(first)));
    }
    Ok(())
}

/// Adds a run that was measured just now, if it went to its end and is saved.
///
/// # Errors
/// If it cannot be added.
pub(super) fn measured(
    executed: &Executed,
    typed: &Belongs,
    is_silent: bool,
) -> Result<(), Failure> {
    if executed.was_cut_short() {
        output::remark("not added to the history: it was stopped before its end");
        return Ok(());
    }
    if !executed.kept.is_saved() {
        output::remark("not added to the history: it is not saved");
        return Ok(());
    }
    let (store, data) = (saved::store()?, executed.read()?);
    let metrics = MetricChoice::default();
    let adding = Adding { store: &store, typed, metrics: &metrics, named: None };
    let said = adding.all(&mut written(&store)?, OsStr::new("the history"), &data)?;
    if !is_silent {
        said.iter().for_each(|line| output::remark(line));
    }
    Ok(())
}

pub(super) fn chosen(names: &[String]) -> MetricChoice {
    if names.is_empty() { MetricChoice::Whole } else { MetricChoice::Named(names.to_vec()) }
}

/// Whether a file of a directory is passed over.
fn is_no_result(error: &ReadError) -> bool {
    matches!(
        error,
        ReadError::NotARecord { .. }
            | ReadError::Empty { .. }
            | ReadError::NoResults { .. }
            | ReadError::NothingUsable { .. }
    )
}

/// A file, or those below a directory, by name.
fn files(name: &OsStr) -> Result<(Vec<PathBuf>, bool), Failure> {
    let path = PathBuf::from(name);
    if !path.is_dir() {
        return Ok((vec![path], false));
    }
    let mut files = Vec::new();
    let mut directories = vec![path];
    while let Some(directory) = directories.pop() {
        let failed = |error| Failure::about(directory.display(), error);
        for entry in entries(&directory).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            // A link may lead back.
            if kind.is_dir() {
                directories.push(entry.path());
            } else if kind.is_file() && !BESIDE.iter().any(|name| entry.file_name() == *name) {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok((files, true))
}

/// The commit that the name of a file says: hexadecimal digits up to a dot or a hyphen.
fn commit_named(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let name = name.split(['.', '-', '_']).next()?;
    let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    (name.len() >= DIGITS && name.len() <= 64 && name.chars().all(is_hex)).then(|| name.to_owned())
}

/// How data are added.
struct Adding<'a> {
    store: &'a Store,
    typed: &'a Belongs,
    metrics: &'a MetricChoice,
    /// The commit that the name of the file says.
    named: Option<String>,
}

impl Adding<'_> {
    /// Adds every run set of data; what became of each.
    fn all(&self, to: &mut Database, name: &OsStr, data: &Dataset) -> Result<Vec<String>, Failure> {
        let mut lines = Vec::new();
        for (at, set) in data.run_sets.iter().enumerate() {
            let id = RunSetId::new(at).map_err(Failure::new)?;
            let Points { given, withheld } =
                measurements(data, id, self.metrics).map_err(Failure::new)?;
            let moved = moved(&withheld);
            moved.iter().for_each(|remark| output::remark(remark));
            if given.is_empty() && moved.is_some() {
                continue;
            }
            if given.is_empty() {
                let why = match self.metrics {
                    MetricChoice::Whole => "nothing in it gives a point".to_owned(),
                    MetricChoice::Named(names) => {
                        format!("it has no values of {}", names.join(", "))
                    }
                };
                return Err(Failure::about(clean(&name.to_string_lossy()), why));
            }
            let origin = Origin { typed: self.typed, set, named: self.named.clone() };
            let Belonging { placed, mut membership, remarks } = origin.belonging(given)?;
            remarks.iter().for_each(|remark| output::remark(remark));
            let source = match &set.id {
                Some(id) => Source::Record(id.clone()),
                None => Source::Content,
            };
            if let Some(id) = set.id.as_ref().filter(|id| self.store.has(id)) {
                if let MetricChoice::Named(names) = self.metrics {
                    membership.metrics.clone_from(names);
                }
                self.store.keep_membership(id, &membership).map_err(Failure::new)?;
            }
            let added = to.add(&source, &placed).map_err(Failure::new)?;
            lines.push(said(name, &placed, added));
        }
        Ok(lines)
    }
}

/// Why points are withheld; nothing where none are.
fn moved(withheld: &[(String, String)]) -> Option<String> {
    let (benchmark, metric) = withheld.first()?;
    let count = counted(withheld.len(), "point is", "points are");
    Some(format!(
        "{count} withheld, the first {} of {}: a side differs from its own second build",
        clean(metric),
        clean(benchmark)
    ))
}

/// A line about what was added.
fn said(name: &OsStr, placed: &[Placed], added: Added) -> String {
    let project = placed.first().map_or("", |it| it.series.project.as_str());
    let points = counted(added.new, "new point", "new points");
    let further = [
        (added.pooled, "pooled with earlier runs"),
        (added.replaced, "replaced"),
        (added.known, "known already"),
    ];
    let further = further.into_iter().filter(|(count, _)| *count > 0);
    let further: String = further.map(|(count, what)| format!(", {count} {what}")).collect();
    let name = clean(&name.to_string_lossy());
    format!("{name}: {points}{further} ({})", clean(project))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a version or a word that is taken for a commit.
    #[test]
    fn names_of_files_say_commits() {
        let named = |name: &str| commit_named(Path::new(name));
        assert_eq!(named("results/0801c67a-existing-py.json").as_deref(), Some("0801c67a"));
        assert_eq!(named("abcdef1.txt").as_deref(), Some("abcdef1"));
        for other in ["data.js", "abcdef.txt", "v1.2.3.txt", "deadbeefs.txt"] {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
