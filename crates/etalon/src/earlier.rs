//! Earlier runs of what is compared: those of the store, and those that `--history` names.
//!
//! Owns which saved runs are read: of the same machine and with a benchmark of the same name, nearest in time.
//! What they say about a comparison is core's. A store that cannot be read holds no earlier runs.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use etalon_core::dataset::history::History;
use etalon_core::dataset::{Dataset, MACHINE};
use etalon_core::plan::Order;
use etalon_core::run_set::RunSet;
use etalon_record::Strictness;
use etalon_record::entries::entries;
use etalon_record::open::SourceFormat;
use etalon_record::store::{Saved, State};

use crate::failure::Failure;
use crate::saved;

/// So many saved runs are read at most. Because: two for each occasion that is used, as not all have every benchmark.
const MOST: usize = 40;
/// So many of those of one version are read of an occasion. Because: more of them say no more of how occasions differ, and those of
/// today would leave no room for any other.
const OF_OCCASION: usize = 4;
/// Runs with less time between them than this share of that between the compared ones are of one occasion, as in core.
const SHARE_OF_DISTANCE: f64 = 0.25;
/// So many bytes of them are read at most. Because: a report must not take long for what only widens it.
const BYTES: u64 = 32 << 20;

/// Whether what is typed is there, before anything is measured.
pub(crate) fn check(typed: &[PathBuf]) -> Result<(), Failure> {
    typed.iter().try_for_each(|path| is_directory(path).map(drop))
}

/// Adds earlier runs to data that need them: those typed, and saved ones.
pub(crate) fn add(data: &mut Dataset, typed: &[PathBuf]) -> Result<(), Failure> {
    if typed.is_empty() && is_interleaved(data) {
        return Ok(());
    }
    let mut reader = Reader::of(data);
    for path in typed {
        if is_directory(path)? {
            // What else stands there is no data.
            files(path)?.iter().for_each(|file| drop(reader.add(file)));
        } else {
            reader.add(path)?;
        }
    }
    // One that is damaged or gone says nothing.
    saved_runs(data).iter().for_each(|path| drop(reader.add(path)));
    data.history = reader.history.unwrap_or_default();
    Ok(())
}

/// Reads earlier runs, each once.
struct Reader<'d> {
    /// The data that are compared.
    data: &'d Dataset,
    /// Made with the first run: data of millions of lines are looked through for it.
    history: Option<History>,
    /// Ids of the runs that are compared, and of those that were read.
    ids: HashSet<String>,
    /// The files of the same.
    files: HashSet<PathBuf>,
}

impl<'d> Reader<'d> {
    fn of(data: &'d Dataset) -> Reader<'d> {
        let ids = data.run_sets.iter().filter_map(|set| set.id.clone()).collect();
        let whole = |set: &RunSet| std::fs::canonicalize(&set.source).ok();
        let files = data.run_sets.iter().filter_map(whole).collect();
        Reader { data, history: None, ids, files }
    }

    fn add(&mut self, file: &Path) -> Result<(), Failure> {
        let mut earlier = Dataset::default();
        saved::add(&mut earlier, file.as_os_str(), SourceFormat::Auto, Strictness::Lenient)?;
        let is_new = match earlier.run_sets.first().and_then(|set| set.id.clone()) {
            Some(id) => self.ids.insert(id),
            None => std::fs::canonicalize(file).is_ok_and(|file| self.files.insert(file)),
        };
        if is_new {
            let history = self.history.get_or_insert_with(|| History::beside(self.data));
            history.add(&earlier);
        }
        Ok(())
    }
}

/// Whether the data are one interleaved run: then runs are not compared.
fn is_interleaved(data: &Dataset) -> bool {
    let is_in_blocks =
        |set: &RunSet| set.plan.as_ref().is_some_and(|plan| plan.order != Order::Sequential);
    data.run_sets.len() == 1 && data.run_sets.iter().all(is_in_blocks)
}

fn is_directory(path: &Path) -> Result<bool, Failure> {
    std::fs::metadata(path).map(|found| found.is_dir()).map_err(|error| unreadable(path, &error))
}

/// The files of a directory, by name.
fn files(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: std::io::Error| unreadable(directory, &error);
    let entries: Result<Vec<_>, _> = entries(directory).map_err(failed)?.collect();
    let mut files: Vec<PathBuf> = entries.map_err(failed)?.iter().map(|e| e.path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    Ok(files)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::about(path.display(), format!("--history: {error}"))
}

/// Saved runs of the same machine that measured one of the benchmarks, those nearest in time to the data.
fn saved_runs(data: &Dataset) -> Vec<PathBuf> {
    let Some(first) = data.run_sets.first() else { return Vec::new() };
    let here: Vec<Option<String>> =
        MACHINE.iter().map(|key| first.context.get(*key).cloned()).collect();
    if here.iter().all(Option::is_none) {
        return Vec::new();
    }
    let compared: HashSet<&str> =
        data.run_sets.iter().filter_map(|set| set.id.as_deref()).collect();
    let groups: HashSet<&str> = data
        .benchmarks
        .iter()
        .filter_map(|declared| Some(declared.benchmark.as_ref()?.key.name.as_str()))
        .collect();
    let is_earlier = |run: &Saved| {
        run.state == State::Complete
            && !compared.contains(run.id.as_str())
            && run.summary.as_ref().is_some_and(|run| {
                run.machine == here
                    && run.subjects.iter().any(|subject| groups.contains(subject.name.as_str()))
            })
    };
    let Ok(store) = saved::store() else { return Vec::new() };
    let Ok(catalogue) = store.catalogue() else { return Vec::new() };
    let mut commits = Commits::default();
    let mut runs: Vec<Earlier> = catalogue
        .runs()
        .filter(is_earlier)
        .map(|run| Earlier {
            started: run.started().map(|at| at.as_second()),
            commit: run.summary.and_then(|run| run.commit).map(|commit| commits.number(commit)),
            bytes: run.bytes,
            path: run.path,
        })
        .collect();
    if let Some(middle) = middle(data) {
        let away = |run: &Earlier| run.started.map_or(u64::MAX, |at| at.abs_diff(middle));
        runs.sort_by_key(away);
    }
    leave_out_of_occasions(&mut runs, distance(data));
    let mut left = BYTES;
    let has_room = |run: &Earlier| {
        let rest = left.checked_sub(run.bytes.unwrap_or(u64::MAX));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    runs.retain(has_room);
    runs.truncate(MOST);
    runs.into_iter().map(|run| run.path).collect()
}

/// A saved run, as far as it decides whether it is read. Because: a store has 100,000.
struct Earlier {
    /// In seconds since 1970.
    started: Option<i64>,
    /// The number of the version that it measured.
    commit: Option<usize>,
    bytes: Option<u64>,
    path: PathBuf,
}

/// Versions by number.
#[derive(Default)]
struct Commits(HashMap<String, usize>);

impl Commits {
    fn number(&mut self, commit: String) -> usize {
        let next = self.0.len();
        *self.0.entry(commit).or_insert(next)
    }
}

/// Keeps of each occasion the runs nearest to the data, [`OF_OCCASION`] of each version, for data whose runs lie so many seconds apart.
fn leave_out_of_occasions(runs: &mut Vec<Earlier>, apart: f64) {
    let nearby = SHARE_OF_DISTANCE * apart;
    let mut kept: Vec<(Option<usize>, i64)> = Vec::new();
    runs.retain(|run| {
        let Some(started) = run.started else { return true };
        #[allow(clippy::cast_precision_loss)] // seconds
        let is_of_one = |(commit, at): &&(Option<usize>, i64)| {
            *commit == run.commit && (at.abs_diff(started) as f64) < nearby
        };
        let is_kept = kept.iter().filter(is_of_one).count() < OF_OCCASION;
        if is_kept && kept.len() < MOST {
            kept.push((run.commit, started));
        }
        is_kept
    });
}

/// Seconds from the first of the times at which the data's runs began to the last; 0 where they do not say it.
fn distance(data: &Dataset) -> f64 {
    let began = || data.run_sets.iter().filter_map(|set| set.began);
    let first = began().min_by(f64::total_cmp);
    first.zip(began().max_by(f64::total_cmp)).map_or(0.0, |(first, last)| last - first)
}

/// The middle of the times at which the data's runs began, in seconds since 1970.
#[allow(clippy::cast_possible_truncation)] // seconds
fn middle(data: &Dataset) -> Option<i64> {
    let began = data.run_sets.iter().filter_map(|set| set.began);
    let (lo, hi) =
        began.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), at| (lo.min(at), hi.max(at)));
    lo.is_finite().then(|| f64::midpoint(lo, hi) as i64)
}
