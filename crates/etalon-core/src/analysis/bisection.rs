//! A bisection as its record has it: the same course again, from the readings alone.
//!
//! Owns which rows are a block of it, and why a commit was not measured. Refuses to say what follows: that is
//! [`crate::bisect`]'s.

use std::collections::{BTreeMap, HashMap};

use super::derived::{self, Measure};
use crate::bisect::{Course, Member, Rules, Step};
use crate::dataset::Dataset;
use crate::model::{BUILD, Bisection, COMMIT, Metric, NotStarted, Outcome};
use crate::plan::Settings;

/// A bisection as far as a record has it.
#[derive(Debug)]
pub struct Bisected {
    asked: Bisection,
    metric: String,
    measure: Option<Measure>,
    course: Course,
    /// By short name.
    places: HashMap<String, usize>,
    /// Rows that were read.
    rows: usize,
    /// A block whose rows are still coming.
    open: Option<(u32, Vec<(Member, f64)>)>,
    skipped: BTreeMap<usize, Skipped>,
}

/// Why a commit was not measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// How it ended.
    pub outcome: Outcome,
    /// The last words of what failed.
    pub said: Option<String>,
}

impl Bisected {
    /// One of which nothing was measured yet; `None` if nothing can be named.
    #[must_use]
    pub fn new(asked: &Bisection, settings: &Settings) -> Option<Bisected> {
        let rules = Rules {
            last: asked.commits.len().checked_sub(1)?,
            confidence: asked.confidence,
            alpha: settings.criteria.alpha,
            proving: asked.proving,
            builds: asked.builds,
            whatever_it_takes: asked.whatever_it_takes,
        };
        let names = asked.short_names().into_iter().map(str::to_owned);
        Some(Bisected {
            course: Course::new(rules)?,
            places: names.zip(0..).collect(),
            asked: asked.clone(),
            metric: settings.metric.clone(),
            measure: None,
            rows: 0,
            open: None,
            skipped: BTreeMap::new(),
        })
    }

    /// That of a record of one; `None` of anything else.
    #[must_use]
    pub fn recorded(data: &Dataset) -> Option<Bisected> {
        let [set] = &data.run_sets[..] else { return None };
        let settings = set.settings.clone().unwrap_or_default();
        let mut found = Bisected::new(set.bisection.as_ref()?, &settings)?;
        found.read(data);
        Some(found)
    }

    /// Reads what is new in its record. Whole blocks count only.
    pub fn read(&mut self, data: &Dataset) {
        for row in self.rows..data.len() {
            self.row(data, row);
        }
        self.rows = data.len();
        self.close();
    }

    fn row(&mut self, data: &Dataset, row: usize) {
        let series = data.series_of(row);
        let declared = &data.benchmarks[series.benchmark.at()];
        let commit = declared.param(COMMIT).and_then(|name| self.places.get(name).copied());
        let Some(commit) = commit.filter(|_| !data.is_of_work(series)) else { return };
        let build = declared.param(BUILD).and_then(|build| build.parse::<usize>().ok());
        let member = (commit, build.unwrap_or(1).saturating_sub(1));
        let outcome = data.rows.outcome(row);
        if !data.counts(row) && *outcome == Outcome::Suspended {
            return;
        }
        // What was found out between two blocks came after the one before, live as in a record.
        let block = data.rows.place(row).map(|place| place.block);
        if self.open.as_ref().is_some_and(|(open, _)| Some(*open) != block) {
            self.close();
        }
        let value = data.counts(row).then(|| self.value(data, row)).flatten();
        let Some(value) = value.filter(|value| *value > 0.0) else {
            let outcome = match data.counts(row) {
                true => Outcome::NotStarted {
                    why: NotStarted::NoResult(format!("no {} above 0", self.metric)),
                },
                false => outcome.clone(),
            };
            let tally = declared.tally.as_ref();
            let said = tally.and_then(|tally| tally.said.as_ref()).map(|(_, said)| said.clone());
            self.skipped.entry(commit).or_insert(Skipped { outcome, said });
            self.course.lacks(commit);
            return;
        };
        let Some(block) = block else { return };
        if self.open.as_ref().is_none_or(|(open, _)| *open != block) {
            self.open = Some((block, Vec::new()));
        }
        if let Some((_, readings)) = &mut self.open {
            readings.push((member, value.ln()));
        }
    }

    /// Adds the block under way if it is whole.
    fn close(&mut self) {
        if let Some((_, readings)) = &self.open
            && self.course.add(readings)
        {
            self.open = None;
        }
    }

    fn value(&mut self, data: &Dataset, row: usize) -> Option<f64> {
        if self.measure.is_none() {
            let measures = derived::measures(data.metrics(data.run_set_of(row)));
            self.measure = measures.into_iter().find(|it| it.metric.name == self.metric);
        }
        let row = u32::try_from(row).ok()?;
        let columns = derived::columns(data, &[row], &[self.measure.as_ref()?]);
        columns.first()?.values.first().copied()
    }

    /// The request.
    #[must_use]
    pub fn asked(&self) -> &Bisection {
        &self.asked
    }

    /// The metric that it is about, where some row has it.
    #[must_use]
    pub fn metric(&self) -> Option<&Metric> {
        self.measure.as_ref().map(|measure| &*measure.metric)
    }

    /// Its course.
    #[must_use]
    pub fn course(&self) -> &Course {
        &self.course
    }

    /// Its next step.
    pub fn step(&mut self) -> Step {
        self.course.step()
    }

    /// Commits that were not measured, and why.
    #[must_use]
    pub fn skipped(&self) -> &BTreeMap<usize, Skipped> {
        &self.skipped
    }
}
