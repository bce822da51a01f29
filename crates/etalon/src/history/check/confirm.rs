//! `--confirm`: the neighbours of suspected steps are measured against each other, and what that says is remembered.
//!
//! Owns the order of pairs, their budget, and that no pair is measured twice. Refuses to know how a pair is measured
//! ([`Measure`]), and to judge.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Instant;

use etalon_core::dataset::{Dataset, RunSetId};
use etalon_core::history::Unmeasured;
use etalon_history::{Database, Source, kind_of_machine, measurements};
use etalon_record::store::{Membership, Store};
use etalon_report::text::clean;
use etalon_run::sides::{SidesError, lineage};

use super::evidence::{Answers, Place};
use super::line::{Here, Line, Recipe, inside};
use crate::cli::Recording;
use crate::executed::Executed;
use crate::failure::{Exit, Failure};
use crate::history::add::chosen;
use crate::history::place::again;
use crate::interim::Interim;
use crate::progress::Watch;
use crate::showing::Show;
use crate::{course, output, tool};

/// A way to measure two commits against each other.
pub(crate) type Measure<'a> =
    &'a dyn Fn(&Line, &mut Watch<'_>, &mut dyn Show) -> Result<Exit, Failure>;

/// Where saved runs and points are, and how pairs are measured.
pub(super) struct Confirming<'a> {
    pub(super) store: &'a Store,
    pub(super) database: &'a mut Database,
    pub(super) measure: Measure<'a>,
    /// Seconds for all pairs together.
    pub(super) budget: Option<f64>,
    /// Lines that were tried in vain.
    pub(super) failed: BTreeMap<Vec<String>, Unmeasured>,
}

impl Confirming<'_> {
    /// Measures the neighbours of what is suspected, as long as there is time. Interrupted if the user ended it.
    ///
    /// # Errors
    /// If signals cannot be taken over, or the history cannot be read or written.
    pub(super) fn run(&mut self, of: &mut Answers<'_>) -> Result<Exit, Failure> {
        let open = of.open();
        if open.is_empty() {
            return Ok(Exit::Done);
        }
        let mut watch = course::watch(&Recording::default(), false, Interim::none())?;
        let began = Instant::now();
        let mut exit = Exit::Done;
        for place in open {
            // A run for another series of the same benchmarks may have said it meanwhile.
            if !of.is_open(place) {
                continue;
            }
            let why = match exit {
                Exit::Interrupted => Some(Unmeasured::Interrupted),
                _ => self.one(of, (place, began), &mut watch)?,
            };
            of.remember(self.database)?;
            if why == Some(Unmeasured::Interrupted) {
                exit = Exit::Interrupted;
            }
            of.leave(place, why.unwrap_or(Unmeasured::NoReadings));
        }
        Ok(exit)
    }

    /// Measures the neighbours of a step; why not, where it was not to be done.
    fn one(
        &mut self,
        of: &Answers<'_>,
        (place, began): (Place, Instant),
        watch: &mut Watch<'_>,
    ) -> Result<Option<Unmeasured>, Failure> {
        let (mut line, membership) = match self.line(of, place) {
            Ok(ready) => ready,
            Err(why) => return Ok(Some(why)),
        };
        if let Some(why) = self.failed.get(&line.words) {
            return Ok(Some(why.clone()));
        }
        let left = self.budget.map(|budget| budget - began.elapsed().as_secs_f64());
        if left.is_some_and(|left| left <= 0.0) {
            return Ok(Some(Unmeasured::NoTime));
        }
        let amount = &mut line.options.amount;
        amount.total_budget = amount.total_budget.into_iter().chain(left).min_by(f64::total_cmp);
        output::remark(&clean(&line.typed()));
        let why = self.pair(&line, &membership, watch)?;
        if let Some(why) = &why {
            self.failed.insert(line.words, why.clone());
        }
        Ok(why)
    }

    /// The line for the neighbours of a step, and where what it says belongs.
    fn line(&self, of: &Answers<'_>, place: Place) -> Result<(Line, Membership), Unmeasured> {
        let (before, after) = of.neighbours(place).ok_or(Unmeasured::NoReadings)?;
        let commits = [after.as_str(), before.as_str()];
        let recipe = Recipe::recorded((self.store, self.database), of.row(place), commits)?;
        recipe.refuse_elsewhere(&here(commits)?)?;
        let line = recipe.line(&before, &after)?;
        Ok((line, recipe.membership))
    }

    /// Measures a pair, and remembers what its run says; why there is nothing to remember of some of it.
    fn pair(
        &mut self,
        line: &Line,
        membership: &Membership,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Unmeasured>, Failure> {
        let mut run = PairRun::default();
        let ended = (self.measure)(line, watch, &mut run);
        let whole = match (ended, run.whole) {
            (Ok(Exit::Interrupted), _) => return Ok(Some(Unmeasured::Interrupted)),
            (Ok(_), Some(whole)) => whole,
            (Ok(_), None) => {
                return Ok(Some(Unmeasured::Failed("nothing was measured".to_owned())));
            }
            (Err(failure), _) if failure.is_interrupt() => {
                return Ok(Some(Unmeasured::Interrupted));
            }
            (Err(failure), _) => return Ok(Some(Unmeasured::Failed(failure.to_string()))),
        };
        let (id, data) = whole;
        let first = RunSetId::new(0).map_err(Failure::new)?;
        let measured =
            measurements(&data, first, &chosen(&membership.metrics)).map_err(Failure::new)?;
        let membership =
            Membership { confirms: true, commit: None, position: None, ..membership.clone() };
        if self.store.has(&id) {
            self.store.keep_membership(&id, &membership).map_err(Failure::new)?;
        }
        let placed = again(&membership, measured.given);
        self.database.confirm(&Source::Record(id), &placed).map_err(Failure::new)?;
        Ok((!measured.withheld.is_empty()).then_some(Unmeasured::ControlMoved))
    }
}

/// The run of a pair, of which nothing is shown.
#[derive(Default)]
struct PairRun {
    /// Its id and its data, if it went to its end.
    whole: Option<(String, Dataset)>,
}

impl Show for PairRun {
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure> {
        if !executed.was_cut_short() {
            self.whole = Some((executed.kept.id().to_owned(), data));
        }
        Ok(Exit::Done)
    }

    fn is_silent(&self) -> bool {
        true
    }
}

/// The machine and the directory that etalon was started on, in a repository that has these commits.
fn here(commits: [&str; 2]) -> Result<Here, Unmeasured> {
    let failed = |error: &dyn std::fmt::Display| Unmeasured::Failed(error.to_string());
    let directory = tool::here().map_err(|error| failed(&error))?;
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let places = (&*directory, &*std::env::temp_dir());
    let lineage = lineage(&commits, &environment, places, &mut || false);
    let lineage = match lineage {
        Ok(lineage) => lineage,
        Err(SidesError::NoRepository(_)) => {
            return Err(Unmeasured::NoCommit(commits[0].to_owned()));
        }
        Err(error) => return Err(failed(&error)),
    };
    let absent = commits.iter().zip(&lineage.standings).find(|(_, at)| at.is_none());
    if let Some((commit, _)) = absent {
        return Err(Unmeasured::NoCommit((*commit).to_owned()));
    }
    Ok(Here {
        machine: kind_of_machine(&etalon_probe::machine::facts(&directory, [])),
        inside: inside(&directory, &lineage.top),
        directory: directory.to_string_lossy().into_owned(),
    })
}
