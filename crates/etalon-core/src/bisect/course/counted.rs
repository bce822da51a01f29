//! The course where commits are searched by counts of work: first all counts, then blocks of the neighbours of each step.
//!
//! Times say what a step costs, and decide nothing. Refuses to search: that is [`Counts`]'.

use super::{Course, Ending, Step};
use crate::bisect::change::Change;
use crate::bisect::counts::{CountStep, Counts};
use crate::bisect::{Answer, CONFIRMING, Culprit};

impl Course {
    /// Adds a count of a commit's work, if it is the one that is next; whether it was.
    pub fn count(&mut self, commit: usize, instructions: f64) -> bool {
        if self.step() != Step::Count(commit) || !(instructions > 0.0 && instructions.is_finite()) {
            return false;
        }
        self.next = None;
        self.counts.iter_mut().for_each(|counts| counts.add(commit, instructions.ln()));
        true
    }

    /// Its end, if it has one and somebody asked for the next step.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        match &self.next {
            Some(Step::Over(ending)) => Some(ending),
            _ => None,
        }
    }

    /// How many counts there are, where commits are searched by them.
    #[must_use]
    pub fn counted(&self) -> Option<usize> {
        self.counts.as_ref().map(Counts::number)
    }

    /// The change between the ends, and in how many blocks or counts of each it was seen.
    #[must_use]
    pub fn whole(&self) -> Option<(usize, Change)> {
        match &self.counts {
            Some(counts) => counts.whole(),
            None => self.ends().map(|ends| (self.done().0, ends.change)),
        }
    }

    pub(super) fn by_counts(&self, counts: &Counts) -> Step {
        match counts.next() {
            CountStep::Count(commit) => Step::Count(commit),
            CountStep::Alike => Step::Over(Ending::NotSeen),
            CountStep::Over(answer) => match self.untimed(&answer) {
                Some((before, at)) => {
                    let builds = |commit| (0..self.rules.builds).map(move |build| (commit, build));
                    Step::Block(builds(before).chain(builds(at)).collect())
                }
                None => Step::Over(Ending::Found(answer)),
            },
        }
    }

    /// The neighbours that a block is of, where commits are searched by counts.
    pub(super) fn timed(&self) -> Option<(usize, usize)> {
        match self.counts.as_ref()?.next() {
            CountStep::Over(answer) => self.untimed(&answer),
            CountStep::Count(_) | CountStep::Alike => None,
        }
    }

    /// The first neighbours of a step that are not timed yet.
    fn untimed(&self, answer: &Answer) -> Option<(usize, usize)> {
        let steps = match answer {
            Answer::Steps(steps) | Answer::Spread { steps, .. } => &steps[..],
            Answer::Alike => &[],
        };
        let wanted = CONFIRMING * self.rules.builds;
        let is_timed = |it: &Culprit| {
            self.pairs.get(&(it.before, it.at)).is_some_and(|pairs| pairs.len() >= wanted)
        };
        steps.iter().find(|it| !is_timed(it)).map(|it| (it.before, it.at))
    }
}
