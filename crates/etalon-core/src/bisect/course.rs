//! The course of a bisection: the ends are proved to differ, then commits between are searched with the ends beside them,
//! and neighbours of a step are confirmed with second builds.
//!
//! Owns which builds of which commits a block holds, and what all blocks say together. It follows from the readings alone,
//! so that a record says the same again, and one that was cut short goes on where it was.

mod counted;

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, Control};
use super::counts::Counts;
use super::ends::{Ends, EndsBlock};
use super::{Answer, CONFIRMING, Culprit, Next, Search};
use crate::stats::Looks;

/// Searches of changes that are smaller than this share of the scatter of an execution are refused. Because: they take a
/// thousand executions and more, and the machine changes meanwhile.
const SMALLEST: f64 = 0.5;

/// The request for a bisection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// The place of the bad end; 0 is the good one.
    pub last: usize,
    /// The chance that naming a commit takes.
    pub confidence: f64,
    /// Of the test that the ends differ.
    pub alpha: f64,
    /// The most blocks of the ends alone.
    pub proving: u32,
    /// How often the ends and the neighbours of a step are built: once or twice.
    pub builds: usize,
    /// Whether changes that are small beside the scatter are searched all the same.
    pub whatever_it_takes: bool,
    /// The share that counts of one work may differ by, where commits are searched by counts.
    pub counting: Option<f64>,
}

/// A build of a commit, both from 0.
pub type Member = (usize, usize);

/// A step of the course.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A block of these.
    Block(Vec<Member>),
    /// A count of the work of this commit's first build.
    Count(usize),
    /// Nothing more is measured.
    Over(Ending),
}

/// How a bisection ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// An end cannot be measured.
    EndLacks(usize),
    /// The ends are not seen to differ.
    NotSeen,
    /// An end differs from its own second build by half of the change.
    Undermined,
    /// The change is too small beside the scatter.
    TooSmall,
    /// The search's.
    Found(Answer),
}

/// A bisection as far as it has come.
#[derive(Debug, Clone)]
pub struct Course {
    rules: Rules,
    ends: Vec<EndsBlock>,
    looks: Looks,
    /// The last look at the ends, and whether it was the proof.
    looked: Option<Ends>,
    is_proved: bool,
    search: Search,
    /// Where commits are searched by counts.
    counts: Option<Counts>,
    lacking: BTreeSet<usize>,
    /// By commit, how far it lies from the good end and from the bad one in each block.
    sides: BTreeMap<usize, Vec<[f64; 2]>>,
    /// Differences of neighbours while they were confirmed, and of their builds.
    pairs: BTreeMap<(usize, usize), Vec<f64>>,
    twins: BTreeMap<usize, Vec<f64>>,
    blocks: usize,
    executions: usize,
    next: Option<Step>,
}

/// A commit that was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Its place.
    pub commit: usize,
    /// In how many blocks beside both ends, or how often it was counted.
    pub blocks: usize,
    /// It over the good end.
    pub good: Option<Change>,
    /// It over the bad end.
    pub bad: Option<Change>,
}

/// A step that was named.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// Its place, and its share of the change between the ends.
    pub culprit: Culprit,
    /// The commit over the one before it, as blocks have measured it.
    pub change: Option<Change>,
    /// As counts have it, where commits are searched by them.
    pub count: Option<Change>,
    /// Both against their own second builds, where these are no ends.
    pub controls: Vec<Control>,
}

impl Named {
    /// Whether a second build differs from the first by half of the step: the layout of a build may be all of it. Of what
    /// counts have named it is nothing.
    #[must_use]
    pub fn undermined(&self) -> Option<&Control> {
        let change = self.change.filter(|_| self.count.is_none())?.estimate;
        self.controls.iter().find(|control| control.explains(change))
    }
}

/// The commits one of which did it, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// The last one that is before all of them.
    pub before: usize,
    /// The last of them.
    pub to: usize,
    /// How many there are.
    pub commits: usize,
}

impl Course {
    /// One at its beginning; `None` without a commit to name, or with rules that make no sense.
    #[must_use]
    pub fn new(rules: Rules) -> Option<Course> {
        Some(Course {
            search: Search::new(rules.last, rules.confidence)?,
            counts: rules.counting.map(|margin| Counts::new(rules.last, margin)),
            rules,
            ends: Vec::new(),
            looks: Looks::default(),
            looked: None,
            is_proved: false,
            lacking: BTreeSet::new(),
            sides: BTreeMap::new(),
            pairs: BTreeMap::new(),
            twins: BTreeMap::new(),
            blocks: 0,
            executions: 0,
            next: None,
        })
    }

    /// The next step; the same until something is added.
    pub fn step(&mut self) -> Step {
        match self.next.take() {
            Some(step) => self.next.insert(step).clone(),
            None => {
                let step = self.decide();
                self.next.insert(step).clone()
            }
        }
    }

    /// Adds the logarithms that a block measured, if it is the one that is next; whether it was.
    pub fn add(&mut self, readings: &[(Member, f64)]) -> bool {
        let Step::Block(wanted) = self.step() else { return false };
        let of = |member: Member| readings.iter().find(|it| it.0 == member).map(|it| it.1);
        if wanted.iter().any(|member| of(*member).is_none_or(|value| !value.is_finite())) {
            return false;
        }
        let Rules { last, builds: times, .. } = self.rules;
        let builds = |commit: usize| -> Vec<f64> {
            (0..times).filter_map(|build| of((commit, build))).collect()
        };
        self.next = None;
        self.blocks += 1;
        self.executions += wanted.len();
        if let Some(pair) = self.timed() {
            self.pair(pair, builds);
            return true;
        }
        let ends = [builds(0), builds(last)];
        let [good, bad] = [ends[0][0], ends[1][0]];
        let mut values = vec![(0, good), (last, bad)];
        if !self.is_proved {
            self.ends.push(ends);
            self.search.add(&values);
            return true;
        }
        let between: BTreeSet<usize> =
            wanted.iter().map(|it| it.0).filter(|it| *it != 0 && *it != last).collect();
        for commit in between {
            let builds = builds(commit);
            // Never their mean: one disturbed execution would spoil two.
            let value = builds[0];
            self.sides.entry(commit).or_default().push([value - good, value - bad]);
            values.push((commit, value));
        }
        if let Some(pair) = self.search.neighbours() {
            self.pair(pair, builds);
        }
        self.search.add(&values);
        true
    }

    /// Adds what a block says of neighbours and their second builds; of an end that is there once, the first.
    fn pair(&mut self, (before, at): (usize, usize), builds: impl Fn(usize) -> Vec<f64>) {
        let steps = builds(at).into_iter().zip(builds(before)).map(|(at, before)| at - before);
        self.pairs.entry((before, at)).or_default().extend(steps);
        for commit in [before, at] {
            if let [one, other] = builds(commit)[..] {
                self.twins.entry(commit).or_default().push(other - one);
            }
        }
    }

    /// A commit cannot be measured.
    pub fn lacks(&mut self, commit: usize) {
        if self.lacking.insert(commit) {
            self.search.lacks(commit);
            self.counts.iter_mut().for_each(|counts| counts.lacks(commit));
            self.next = None;
        }
    }

    /// Whether a commit cannot be measured.
    #[must_use]
    pub fn is_lacking(&self, commit: usize) -> bool {
        self.lacking.contains(&commit)
    }

    fn decide(&mut self) -> Step {
        let Rules { last, builds, proving, alpha, .. } = self.rules;
        if let Some(end) = [0, last].into_iter().find(|end| self.lacking.contains(end)) {
            return Step::Over(Ending::EndLacks(end));
        }
        if let Some(counts) = &self.counts {
            return self.by_counts(counts);
        }
        if !self.is_proved {
            let found = Ends::new(&self.ends, last, (proving, alpha), &mut self.looks);
            let is_last = self.ends.len() >= proving as usize;
            if let Some(found) = found {
                let over = self.over(&found, is_last);
                self.is_proved = over.is_none() && found.differ();
                self.looked = Some(found);
                if let Some(ending) = over {
                    return Step::Over(ending);
                }
            }
        }
        if !self.is_proved {
            let all = |end| (0..builds).map(move |build| (end, build));
            return Step::Block(all(0).chain(all(last)).collect());
        }
        match self.search.advance() {
            Next::Over(answer) => Step::Over(Ending::Found(answer)),
            Next::Block(commits) => {
                let neighbours = self.search.neighbours();
                let is_one =
                    |commit| neighbours.is_some_and(|(one, other)| [one, other].contains(&commit));
                let times = |commit: usize| match commit != 0 && commit != last && is_one(commit) {
                    true => builds,
                    false => 1,
                };
                let members = commits.into_iter();
                Step::Block(
                    members.flat_map(|it| (0..times(it)).map(move |build| (it, build))).collect(),
                )
            }
        }
    }

    /// Why a look at the ends is the last.
    fn over(&self, found: &Ends, is_last: bool) -> Option<Ending> {
        if !found.differ() {
            return is_last.then_some(Ending::NotSeen);
        }
        if found.undermined().is_some() {
            return Some(Ending::Undermined);
        }
        let is_small = found.noise_to_change() > 1.0 / SMALLEST;
        (is_small && !self.rules.whatever_it_takes).then_some(Ending::TooSmall)
    }

    /// Its request.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The ends, as they were looked at last.
    #[must_use]
    pub fn ends(&self) -> Option<&Ends> {
        self.looked.as_ref()
    }

    /// Whether the ends were proved to differ, so that commits between are searched.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.is_proved
    }

    /// Whole blocks, and executions in them.
    #[must_use]
    pub fn done(&self) -> (usize, usize) {
        (self.blocks, self.executions)
    }

    /// Executions that are still to be expected of one step that is as large as the change between the ends.
    #[must_use]
    pub fn expected(&self) -> usize {
        let ratio = self.looked.as_ref().map_or(0.0, Ends::noise_to_change);
        let neighbours = 2 + 2 * self.rules.builds;
        self.search.blocks_expected(ratio) * 3 + CONFIRMING * neighbours
    }

    /// The commits one of which did it with the chance that naming takes, while they are searched.
    #[must_use]
    pub fn left(&self) -> Option<Left> {
        if let Some(counts) = &self.counts {
            return counts.left();
        }
        let mut chances = self.search.chances();
        if !self.is_proved || chances.is_empty() {
            return None;
        }
        chances.sort_by(|a, b| b.2.total_cmp(&a.2));
        let whole: f64 = chances.iter().map(|it| it.2).sum();
        let mut held = 0.0;
        let enough = chances.iter().take_while(|it| {
            let is_wanted = held < self.rules.confidence * whole;
            held += it.2;
            is_wanted
        });
        let kept: Vec<&(usize, usize, f64)> = enough.collect();
        let before = kept.iter().map(|it| it.0).min()?;
        let to = kept.iter().map(|it| it.1).max()?;
        Some(Left { before, to, commits: kept.iter().map(|it| it.1 - it.0).sum() })
    }

    /// Commits between the ends that were measured, in their order.
    #[must_use]
    pub fn candidates(&self) -> Vec<Candidate> {
        if let Some(counts) = &self.counts {
            return counts.candidates();
        }
        let scatter = self.looked.as_ref().and_then(|ends| ends.scatter);
        let measured = self.sides.iter().filter(|(commit, _)| !self.lacking.contains(commit));
        let of = |(commit, sides): (&usize, &Vec<[f64; 2]>)| {
            let side = |at: usize| sides.iter().map(|it| it[at]).collect::<Vec<f64>>();
            let change = |at| Change::new(&side(at), scatter);
            Candidate { commit: *commit, blocks: sides.len(), good: change(0), bad: change(1) }
        };
        measured.map(of).collect()
    }

    /// A step that was named, with what its confirmation measured.
    #[must_use]
    pub fn named(&self, culprit: Culprit) -> Named {
        let steps = self.pairs.get(&(culprit.before, culprit.at));
        let change = steps.and_then(|steps| Change::new(steps, None));
        let twins = |commit: usize| Control::new(commit, self.twins.get(&commit)?);
        let controls = [culprit.before, culprit.at].into_iter().filter_map(twins).collect();
        let count = self.counts.as_ref().and_then(|it| it.between(culprit.before, culprit.at));
        Named { culprit, change, count, controls }
    }

    /// The largest step between measured commits that follow each other which the readings leave room for, as a logarithm:
    /// no single commit between does more. Bounds hold together.
    #[must_use]
    pub fn largest_step(&self) -> Option<f64> {
        if let Some(counts) = &self.counts {
            return Some(counts.largest_step());
        }
        let ends = self.looked.as_ref()?;
        let mut all = vec![Change { estimate: 0.0, lo: 0.0, hi: 0.0 }];
        all.extend(self.candidates().iter().filter_map(|it| it.good));
        all.push(ends.change);
        let error = |it: &Change| (it.hi - it.lo) / 2.0;
        let bound = |pair: &[Change]| {
            let apart = (pair[1].estimate - pair[0].estimate).abs();
            // Widened so that all bounds hold together, as far as Bonferroni's inequality says.
            apart + 1.6 * error(&pair[0]).hypot(error(&pair[1]))
        };
        all.windows(2).map(bound).reduce(f64::max)
    }
}
