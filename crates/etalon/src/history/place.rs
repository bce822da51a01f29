//! Where points belong: project, commit, branch, time and machine, from what was typed, from the data and from git.
//!
//! Owns the order of these: what was typed, then what the data say, then what is checked out here. git says of a commit
//! how many come before it and when it was made.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etalon_core::run_set::RunSet;
use etalon_history::{Measurement, Placed, SeriesKey};
use etalon_record::store::Membership;
use etalon_run::sides::{Lineage, Standing, lineage};

use crate::cli::Belongs;
use crate::failure::Failure;
use crate::resume::DIRECTORY;
use crate::tool;

/// Points of one run with all that is known of where they belong.
pub(super) struct Origin<'a> {
    /// The options.
    pub(super) typed: &'a Belongs,
    /// The data's account of themselves.
    pub(super) set: &'a RunSet,
    /// The commit that the name of the file says.
    pub(super) named: Option<String>,
}

/// Points where they belong, and as what a saved run is in the history.
pub(super) struct Belonging {
    pub(super) placed: Vec<Placed>,
    pub(super) membership: Membership,
    /// Said to whoever adds them.
    pub(super) remarks: Vec<String>,
}

impl Origin<'_> {
    /// Finds out where points belong.
    ///
    /// # Errors
    /// If project, commit or time are not known.
    pub(super) fn belonging(&self, measured: Vec<Measurement>) -> Result<Belonging, Failure> {
        let commits = self.commits(&measured)?;
        let here = self.directory()?;
        let lineage = lineage_of(&commits, &here)?;
        let known: BTreeMap<&str, &Standing> = match &lineage {
            Some(lineage) => {
                let each = commits.iter().zip(&lineage.standings);
                each.filter_map(|(name, at)| Some((name.as_str(), at.as_ref()?))).collect()
            }
            None => BTreeMap::new(),
        };
        let lineage = lineage.as_ref().filter(|_| !known.is_empty());
        let mut remarks = Vec::new();
        let unknown = commits.iter().filter(|commit| !known.contains_key(commit.as_str()));
        if let (Some(lineage), Some(first)) = (lineage, unknown.clone().next()) {
            let (count, top) = (unknown.count(), lineage.top.display());
            remarks.push(format!(
                "{count} of {} commits are not in {top}, the first is {first}: their order is by time",
                commits.len()
            ));
        }
        let of_branch = lineage.and_then(|it| it.branch.clone());
        let membership = Membership {
            project: self.project(lineage)?,
            series: self.typed.series.clone(),
            branch: self.typed.branch.clone().or(of_branch).unwrap_or_default(),
            machine: self.typed.machine.clone(),
            ..Membership::default()
        };
        let benchmarks: BTreeSet<String> = measured.iter().map(|it| it.benchmark.clone()).collect();
        let is_one = benchmarks.len() == 1;
        let mut placed = Vec::with_capacity(measured.len());
        for point in measured {
            let commit = self.commit(&point).unwrap_or_else(|| HEAD.to_owned());
            let standing = known.get(commit.as_str());
            let time = self.time(&commit, standing.copied())?;
            let position = standing.and_then(|standing| standing.position);
            let commit = standing.map_or(commit, |standing| standing.commit.clone());
            placed.push(place(&membership, is_one, (commit, position, time), point));
        }
        let first = placed.first();
        // Of a record that says the commit, it stands there.
        let another = first.filter(|it| it.measured.commit.as_ref() != Some(&it.commit));
        let membership = Membership {
            commit: another.map(|it| it.commit.clone()),
            position: first.and_then(|it| it.position),
            time: first.map_or(0.0, |it| it.time),
            ..membership
        };
        Ok(Belonging { placed, membership, remarks })
    }

    /// The commit of a point, as typed or as the data say.
    fn commit(&self, point: &Measurement) -> Option<String> {
        let said = || point.commit.clone().or_else(|| self.named.clone());
        self.typed.commit.clone().or_else(said)
    }

    /// The commits of all points, each once.
    fn commits(&self, measured: &[Measurement]) -> Result<Vec<String>, Failure> {
        let said: BTreeSet<&String> = measured.iter().filter_map(|it| it.commit.as_ref()).collect();
        if said.len() > 1 && self.typed.commit.is_some() {
            let why = format!("is of one commit, and the data are of {}: leave it out", said.len());
            return Err(Failure::about("--commit", why));
        }
        let all = measured.iter().map(|point| self.commit(point));
        let all: BTreeSet<String> = all.map(|it| it.unwrap_or_else(|| HEAD.to_owned())).collect();
        Ok(all.into_iter().collect())
    }

    /// The directory whose project is meant: that of the run, if it is there, else this one.
    fn directory(&self) -> Result<PathBuf, Failure> {
        let then = self.set.context.get(DIRECTORY).map(PathBuf::from);
        match then.filter(|then| then.is_absolute() && then.is_dir()) {
            Some(then) => Ok(then),
            None => tool::here(),
        }
    }

    fn project(&self, lineage: Option<&Lineage>) -> Result<String, Failure> {
        if let Some(typed) = &self.typed.project {
            return Ok(typed.clone());
        }
        let top = lineage.and_then(|lineage| lineage.top.file_name());
        let top = top.map(|name| name.to_string_lossy().into_owned());
        top.ok_or_else(|| {
            let why = "of which project? None of its commits is in a repository of git around here: \
                       --project NAME says it";
            Failure::about(&self.set.source, why)
        })
    }

    /// When a commit was made, or else measured.
    #[allow(clippy::cast_precision_loss)] // seconds
    fn time(&self, commit: &str, standing: Option<&Standing>) -> Result<f64, Failure> {
        let typed = self.typed.time.map(|time| time.as_second() as f64);
        let made = standing.map(|standing| standing.time as f64);
        let said = || self.set.commit_times.get(commit).copied().or(self.set.began);
        if let Some(time) = typed.or(made).or_else(said) {
            return Ok(time);
        }
        let why = match commit {
            HEAD => {
                "of which commit? The data do not say it, and there is no repository of git around \
                     here: --commit and --time say it"
                    .to_owned()
            }
            commit => format!("when was {commit} made? --time says it"),
        };
        Err(Failure::about(&self.set.source, why))
    }
}

/// The commit that is checked out.
const HEAD: &str = "HEAD";

/// Points as a saved run is already in the history; of a record, whose points are of one commit.
pub(super) fn again(membership: &Membership, measured: Vec<Measurement>) -> Vec<Placed> {
    let benchmarks: BTreeSet<String> = measured.iter().map(|it| it.benchmark.clone()).collect();
    let is_one = benchmarks.len() == 1;
    let placed = |point: Measurement| {
        let commit = membership.commit.clone().or_else(|| point.commit.clone())?;
        let at = (commit, membership.position, membership.time);
        Some(place(membership, is_one, at, point))
    };
    measured.into_iter().filter_map(placed).collect()
}

fn place(
    membership: &Membership,
    is_one: bool,
    (commit, position, time): (String, Option<i64>, f64),
    measured: Measurement,
) -> Placed {
    let benchmark = match &membership.series {
        Some(name) if is_one => name.clone(),
        Some(name) => format!("{name}/{}", measured.benchmark),
        None => measured.benchmark.clone(),
    };
    let series = SeriesKey {
        project: membership.project.clone(),
        benchmark,
        metric: measured.metric.clone(),
        unit: measured.unit.clone(),
        branch: membership.branch.clone(),
        machine: membership.machine.clone().unwrap_or_else(|| measured.machine.clone()),
        kind: measured.kind(),
    };
    Placed { series, commit, position, time, measured }
}

/// The places of commits in the project around a directory; nothing where there is none.
fn lineage_of(commits: &[String], here: &Path) -> Result<Option<Lineage>, Failure> {
    if etalon_probe::machine::repository_around(here).is_none() {
        return Ok(None);
    }
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let places = (here, &*std::env::temp_dir());
    let commits: Vec<&str> = commits.iter().map(String::as_str).collect();
    lineage(&commits, &environment, places, &mut || false).map(Some).map_err(Failure::new)
}
