//! A bisection as its record has it: the same course again, from the readings alone.
//!
//! Owns which rows are a block of it, and why a commit was not measured. Refuses to say what follows: that is
//! [`crate::bisect`]'s.

mod followed;

use std::collections::{BTreeMap, HashMap};

use super::derived::{self, Measure};
use crate::bisect::{Answer, Course, Ending, Ends, Member, Rules, Step};
use crate::dataset::Dataset;
use crate::metrics;
use crate::model::{BUILD, Bisection, COMMIT, Metric, NotStarted, Outcome};
use crate::plan::Settings;
pub use followed::Undecided;
use followed::{Followed, Whose};

/// A bisection as far as a record has it.
#[derive(Debug)]
pub struct Bisected {
    asked: Bisection,
    metric: String,
    measure: Option<Measure>,
    count: Option<Measure>,
    course: Course,
    /// Of a harness.
    followed: Option<Followed>,
    /// By short name.
    places: HashMap<String, usize>,
    /// Rows that were read.
    rows: usize,
    /// A block whose rows are still coming.
    open: Option<Block>,
    skipped: BTreeMap<usize, Skipped>,
}

/// A block as far as it was read.
#[derive(Debug)]
struct Block {
    number: u32,
    readings: Vec<(Member, f64)>,
    /// Builds of which some benchmark was read, whichever it was.
    read: Vec<Member>,
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
            counting: asked.counts.then_some(settings.criteria.count_margin),
        };
        let names = asked.short_names().into_iter().map(str::to_owned);
        Some(Bisected {
            course: Course::new(rules)?,
            places: names.zip(0..).collect(),
            asked: asked.clone(),
            metric: settings.metric.clone(),
            measure: None,
            count: None,
            followed: asked.follows.as_deref().map(Followed::new),
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

    /// The change between the ends by CPU time, where that proves one and wall clock names none.
    #[must_use]
    pub fn by_cpu(&self, data: &Dataset) -> Option<Ends> {
        let [set] = &data.run_sets[..] else { return None };
        let is_blind = matches!(
            self.course.ending(),
            Some(Ending::NotSeen | Ending::TooSmall | Ending::Found(Answer::Alike))
        );
        if !is_blind || self.metric != metrics::WALL || self.followed.is_some() {
            return None;
        }
        let recorded = set.settings.clone().unwrap_or_default();
        let settings = Settings { metric: metrics::CPU.to_owned(), ..recorded };
        let mut found = Bisected::new(&self.asked, &settings)?;
        found.read(data);
        found.course.is_searching().then(|| found.course.ends().cloned()).flatten()
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
        let Some(&commit) = declared.param(COMMIT).and_then(|name| self.places.get(name)) else {
            return;
        };
        let build = declared.param(BUILD).and_then(|build| build.parse::<usize>().ok());
        let member = (commit, build.unwrap_or(1).saturating_sub(1));
        if data.is_of_work(series) {
            self.counted(data, row, commit);
            return;
        }
        let outcome = data.rows.outcome(row);
        if !data.counts(row) && *outcome == Outcome::Suspended {
            return;
        }
        // What was found out between two blocks came after the one before, live as in a record.
        let block = data.rows.place(row).map(|place| place.block);
        if self.open.as_ref().is_some_and(|open| Some(open.number) != block) {
            self.close();
        }
        // One that is not whole ends with the next.
        let is_new = |number: &u32| self.open.as_ref().is_none_or(|open| open.number != *number);
        if let Some(number) = block.filter(is_new) {
            self.open = Some(Block { number, readings: Vec::new(), read: Vec::new() });
        }
        match self.followed.as_mut().map(|it| it.whose(data, row)) {
            Some(Whose::Command) if data.counts(row) => return,
            Some(Whose::Another) => {
                self.open.iter_mut().for_each(|open| open.read.push(member));
                return;
            }
            _ => {}
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
            self.skip(commit, Skipped { outcome, said });
            return;
        };
        if let Some(open) = &mut self.open {
            open.readings.push((member, value.ln()));
        }
    }

    /// A count of a commit's work.
    fn counted(&mut self, data: &Dataset, row: usize, commit: usize) {
        let value = read(&mut self.count, metrics::INSTRUCTIONS, data, row);
        if let Some(value) = value.filter(|_| data.counts(row)) {
            self.course.count(commit, value);
        }
    }

    fn skip(&mut self, commit: usize, why: Skipped) {
        self.skipped.entry(commit).or_insert(why);
        self.course.lacks(commit);
    }

    /// Adds the block under way if it is whole. A build whose results were read and lack the benchmark has none.
    fn close(&mut self) {
        let Some(open) = &self.open else { return };
        if self.course.add(&open.readings) {
            self.open = None;
            self.followed.iter_mut().for_each(Followed::settle);
            return;
        }
        let name = self.followed.as_ref().and_then(Followed::name);
        let has = |member: &Member| open.readings.iter().any(|it| it.0 == *member);
        let lack: Vec<Member> = open.read.iter().copied().filter(|it| !has(it)).collect();
        for (commit, _) in lack.into_iter().filter(|_| name.is_some()) {
            let why = NotStarted::NoResult(format!("has no {}", name.clone().unwrap_or_default()));
            self.skip(commit, Skipped { outcome: Outcome::NotStarted { why }, said: None });
        }
    }

    fn value(&mut self, data: &Dataset, row: usize) -> Option<f64> {
        read(&mut self.measure, &self.metric, data, row)
    }

    /// Why no benchmark of a harness is followed, where a whole execution was read.
    #[must_use]
    pub fn undecided(&self) -> Option<Undecided> {
        self.followed.as_ref()?.undecided()
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

/// The value of a metric in a row; `known` is where its readings are, once that was found.
fn read(known: &mut Option<Measure>, name: &str, data: &Dataset, row: usize) -> Option<f64> {
    if known.is_none() {
        let measures = derived::measures(data.metrics(data.run_set_of(row)));
        *known = measures.into_iter().find(|it| it.metric.name == name);
    }
    let row = u32::try_from(row).ok()?;
    let columns = derived::columns(data, &[row], &[known.as_ref()?]);
    columns.first()?.values.first().copied()
}
