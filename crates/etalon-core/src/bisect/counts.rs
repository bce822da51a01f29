//! The search by counts of work, which repeat: two counts of a commit say where it belongs.
//!
//! Owns which commit is counted next and what the counts say, in logarithms. The part of the range that changes most is
//! halved until it is one commit, or too small a part of the change. Refuses to say anything of time.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Candidate, Change, Culprit, Left, Share};
use crate::compare::COUNTS_NEEDED;

/// Counts of a commit, and of an end before it is known whether the ends differ.
const EACH: usize = 2;

/// Parts that change less than this share of the whole are not searched. Because: of a change that is spread every commit
/// would be counted.
const SMALLEST: f64 = 0.05;

/// A change is wider than so many times what counts of one commit differ by, as anywhere where counts are compared.
const SPREADS: f64 = 3.0;

/// Counts of commits.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    last: usize,
    /// The logarithm that counts of one work may differ by.
    margin: f64,
    /// Logarithms by commit.
    values: BTreeMap<usize, Vec<f64>>,
    lacking: BTreeSet<usize>,
}

/// The state of a search.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CountStep {
    /// This commit is to be counted.
    Count(usize),
    /// The ends do not differ.
    Alike,
    /// The search is over.
    Over(Answer),
}

/// Counted commits that follow each other.
#[derive(Debug, Clone, Copy)]
struct Part {
    before: usize,
    at: usize,
    change: f64,
    /// A commit between them that can be counted.
    middle: Option<usize>,
}

impl Counts {
    pub(super) fn new(last: usize, margin: f64) -> Counts {
        let (values, lacking) = (BTreeMap::new(), BTreeSet::new());
        Counts { last, margin: margin.ln_1p(), values, lacking }
    }

    pub(super) fn add(&mut self, commit: usize, value: f64) {
        self.values.entry(commit).or_default().push(value);
    }

    pub(super) fn lacks(&mut self, commit: usize) {
        self.lacking.insert(commit);
        self.values.remove(&commit);
    }

    pub(super) fn number(&self) -> usize {
        self.values.values().map(Vec::len).sum()
    }

    pub(super) fn next(&self) -> CountStep {
        for needed in [EACH, COUNTS_NEEDED] {
            let ends = [0, self.last];
            if let Some(end) = ends.into_iter().find(|end| self.times(*end) < needed) {
                return CountStep::Count(end);
            }
            // Counts that scatter are made as often as others before they are called anything.
            let is_enough = needed == COUNTS_NEEDED || self.are_within_margin();
            if is_enough && !self.ends_differ() {
                return CountStep::Alike;
            }
        }
        if let Some((begun, _)) = self.values.iter().find(|(_, counts)| counts.len() < EACH) {
            return CountStep::Count(*begun);
        }
        let parts = self.parts();
        let open = parts.iter().filter(|part| self.is_large(part.change));
        let open = open.filter_map(|part| Some((part.change.abs(), part.middle?)));
        match open.max_by(|one, other| one.0.total_cmp(&other.0)) {
            Some((_, middle)) => CountStep::Count(middle),
            None => CountStep::Over(self.answer(&parts)),
        }
    }

    fn answer(&self, parts: &[Part]) -> Answer {
        let mut steps: Vec<&Part> =
            parts.iter().filter(|part| self.is_large(part.change)).collect();
        steps.sort_by(|one, other| other.change.abs().total_cmp(&one.change.abs()));
        let rest = self.change() - steps.iter().map(|part| part.change).sum::<f64>();
        let culprit = |part: &&Part| {
            let (before, at) = (part.before, part.at);
            Culprit { before, at, share: self.share(part.change) }
        };
        let named: Vec<Culprit> = steps.iter().map(culprit).collect();
        if !self.is_large(rest) {
            return Answer::Steps(named);
        }
        let is_of_rest =
            |part: &&Part| !self.is_large(part.change) && part.change.abs() > self.reach();
        let of_rest: Vec<&Part> = parts.iter().filter(is_of_rest).collect();
        Answer::Spread {
            from: of_rest.first().map_or(0, |part| part.before),
            to: of_rest.last().map_or(self.last, |part| part.at),
            steps: named,
        }
    }

    /// The commits one of which did it, as far as is known.
    pub(super) fn left(&self) -> Option<Left> {
        if self.times(0).min(self.times(self.last)) < COUNTS_NEEDED {
            return None;
        }
        let parts: Vec<Part> =
            self.parts().into_iter().filter(|part| self.is_large(part.change)).collect();
        let commits = parts.iter().map(|part| part.at - part.before).sum();
        Some(Left { before: parts.first()?.before, to: parts.last()?.at, commits })
    }

    /// The ends' change, and how often each was counted.
    pub(super) fn whole(&self) -> Option<(usize, Change)> {
        Some((self.times(0).min(self.times(self.last)), self.between(0, self.last)?))
    }

    /// One commit over another; as far as counts of one commit differ.
    pub(super) fn between(&self, before: usize, at: usize) -> Option<Change> {
        let estimate = self.level(at)? - self.level(before)?;
        let scatter = self.scatter();
        Some(Change { estimate, lo: estimate - scatter, hi: estimate + scatter })
    }

    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let between = self.values.iter().filter(|(commit, _)| ![0, self.last].contains(commit));
        let of = |(commit, counts): (&usize, &Vec<f64>)| Candidate {
            commit: *commit,
            blocks: counts.len(),
            good: self.between(0, *commit),
            bad: self.between(self.last, *commit),
        };
        between.map(of).collect()
    }

    /// The largest change of a part that was not searched: no single commit does more, where changes of a part do not
    /// cancel.
    pub(super) fn largest_step(&self) -> f64 {
        let parts = self.parts().into_iter().map(|part| part.change.abs());
        parts.filter(|change| !self.is_large(*change)).fold(0.0, f64::max)
    }

    fn times(&self, commit: usize) -> usize {
        self.values.get(&commit).map_or(0, Vec::len)
    }

    fn level(&self, commit: usize) -> Option<f64> {
        let mut counts = self.values.get(&commit)?.clone();
        counts.sort_by(f64::total_cmp);
        let middle = counts.len() / 2;
        match counts.len() % 2 {
            1 => counts.get(middle).copied(),
            _ => Some(f64::midpoint(*counts.get(middle.checked_sub(1)?)?, *counts.get(middle)?)),
        }
    }

    /// Commits that were counted, in their order, by twos.
    fn parts(&self) -> Vec<Part> {
        let known: Vec<(usize, f64)> =
            self.values.keys().filter_map(|commit| Some((*commit, self.level(*commit)?))).collect();
        let part = |pair: &[(usize, f64)]| {
            let [(before, one), (at, other)] = [pair[0], pair[1]];
            let can = (before + 1..at).filter(|commit| !self.lacking.contains(commit));
            let can: Vec<usize> = can.collect();
            Part { before, at, change: other - one, middle: can.get(can.len() / 2).copied() }
        };
        known.windows(2).map(part).collect()
    }

    fn change(&self) -> f64 {
        self.level(self.last).zip(self.level(0)).map_or(0.0, |(bad, good)| bad - good)
    }

    /// The widest counts of one commit, as a multiple that a change has to exceed.
    fn scatter(&self) -> f64 {
        let width = |counts: &Vec<f64>| {
            let (least, most) = counts
                .iter()
                .fold((f64::MAX, f64::MIN), |(least, most), it| (least.min(*it), most.max(*it)));
            most - least
        };
        SPREADS * self.values.values().map(width).fold(0.0, f64::max)
    }

    /// Counts that differ by no more are the same.
    fn reach(&self) -> f64 {
        self.scatter().max(self.margin)
    }

    fn ends_differ(&self) -> bool {
        self.change().abs() > self.reach()
    }

    /// Whether all counts of the ends are of one work.
    fn are_within_margin(&self) -> bool {
        let ends = [0, self.last].into_iter().filter_map(|end| self.values.get(&end)).flatten();
        let (least, most) =
            ends.fold((f64::MAX, f64::MIN), |(least, most), it| (least.min(*it), most.max(*it)));
        most - least <= self.margin
    }

    fn is_large(&self, change: f64) -> bool {
        change.abs() > self.reach().max(SMALLEST * self.change().abs())
    }

    fn share(&self, change: f64) -> Share {
        let (estimate, reach) = (change / self.change(), self.reach() / self.change().abs());
        Share { estimate, lo: estimate - reach, hi: estimate + reach }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search among commits with these counts; what it says, and how many counts it took.
    fn searched(levels: &[f64], lacking: &[usize]) -> (CountStep, usize) {
        let mut counts = Counts::new(levels.len() - 1, 1e-4);
        for _ in 0..1000 {
            match counts.next() {
                CountStep::Count(commit) if lacking.contains(&commit) => counts.lacks(commit),
                CountStep::Count(commit) => counts.add(commit, (1e6 * levels[commit]).ln()),
                over => return (over, counts.number()),
            }
        }
        panic!("no end");
    }

    fn steps(of: &CountStep) -> Vec<(usize, usize)> {
        match of {
            CountStep::Over(Answer::Steps(steps) | Answer::Spread { steps, .. }) => {
                steps.iter().map(|it| (it.before, it.at)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Every place of a step among 64 commits, and of two.
    #[test]
    fn steps_are_found_with_two_counts_a_commit() {
        for place in 1..=64 {
            let levels: Vec<f64> =
                (0..=64).map(|at| if at < place { 1.0 } else { 1.001 }).collect();
            let (found, counts) = searched(&levels, &[]);
            assert_eq!(steps(&found), [(place - 1, place)]);
            assert!(counts <= 2 * COUNTS_NEEDED + 2 * 6, "{counts}");
            for other in place + 1..=64 {
                let levels: Vec<f64> =
                    (0..=64).map(|at| levels[at] + if at < other { 0.0 } else { 0.003 }).collect();
                assert_eq!(
                    steps(&searched(&levels, &[]).0),
                    [(other - 1, other), (place - 1, place)]
                );
            }
        }
    }

    #[test]
    fn what_cannot_be_counted_widens_the_answer() {
        let levels: Vec<f64> = (0..=16).map(|at| if at < 9 { 1.0 } else { 0.9 }).collect();
        assert_eq!(steps(&searched(&levels, &[8, 9, 10]).0), [(7, 11)]);
    }

    /// Would catch a drift of which every commit is counted, and ends that are the same.
    #[test]
    fn a_drift_has_no_culprit_and_the_same_has_none() {
        let levels: Vec<f64> = (0..=64).map(|at| 1.0 + f64::from(at) / 1000.0).collect();
        let (found, counts) = searched(&levels, &[]);
        let CountStep::Over(Answer::Spread { from: 0, to: 64, steps }) = found else {
            panic!("{found:?}")
        };
        assert!(steps.is_empty() && counts < 90, "{counts}");
        assert_eq!(searched(&[1.0; 9], &[]), (CountStep::Alike, 4));
        assert_eq!(searched(&[1.0, 1.5, 1.000_05], &[]), (CountStep::Alike, 4));
    }

    /// Counts that scatter need a change that is three times as wide.
    #[test]
    fn counts_that_scatter_hide_what_is_smaller() {
        let of = |change: f64| {
            let mut counts = Counts::new(1, 1e-4);
            for at in 0..COUNTS_NEEDED {
                let wave = at as f64 / 1000.0;
                counts.add(0, wave);
                counts.add(1, wave + change);
            }
            counts.next()
        };
        assert_eq!(of(0.011), CountStep::Alike);
        assert_eq!(steps(&of(0.013)), [(0, 1)]);
    }
}
