//! Work beside time: rankings by what was counted exactly, and what the answer's pair says by both.

use super::answer::Versus;
use super::headline::CpuAnswer;
use super::notes::answered;
use super::ranking::{self, Ranking};
use super::subject::{Samples, Subject};
use crate::compare::Scales;
use crate::estimate::Estimate;
use crate::metrics;
use crate::plan::Settings;
use crate::verdict::{Assessment, Moved, Verdict};

/// Work and time of the answer's pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work<'a> {
    /// Index of the one that is spoken of among the benchmarks.
    pub of: usize,
    /// Index of the one that it is held against.
    pub base: usize,
    /// Its work over that of the other; absent where that is none.
    pub ratio: Option<Estimate>,
    /// The comparison of their work, from whichever side.
    pub assessment: &'a Assessment,
    /// The side of both that moved; absent where that cannot be said.
    pub moved: Option<Moved>,
}

/// The rankings by counted work; none where nothing was counted, or it is ranked anyway.
pub(super) fn rankings(subjects: &[Subject<'_>], settings: &Settings) -> Vec<Ranking> {
    let is_counted = |subject: &Subject<'_>| {
        subject.measure(metrics::INSTRUCTIONS).is_some_and(|it| it.metric.is_of_work())
    };
    if settings.metric == metrics::INSTRUCTIONS || !subjects.iter().any(is_counted) {
        return Vec::new();
    }
    let samples = Samples::new(subjects, metrics::INSTRUCTIONS);
    ranking::rank(&samples, settings, Scales::Both).unwrap_or_default()
}

impl Ranking {
    /// The verdict on the time of a pair: CPU time's, where that speaks for wall clock.
    #[must_use]
    pub fn time(&self, pair: &Versus<'_>) -> Verdict {
        let is_it = |it: &CpuAnswer| {
            [[pair.of, pair.base], [pair.base, pair.of]].contains(&[it.of, it.base])
        };
        self.by_cpu.filter(is_it).map_or(pair.verdict(), |by_cpu| by_cpu.verdict)
    }

    /// The pair of this ranking's answer by the work that `works` rank, the one with more of it first.
    #[must_use]
    pub fn work<'a>(&self, works: &'a [Ranking]) -> Option<Work<'a>> {
        let pair = answered(self)?;
        let is_it = |it: &&Ranking| it.scope == self.scope && it.machine == self.machine;
        let work = works.iter().find(is_it)?;
        let seen = work.versus(pair.of, pair.base)?;
        let seen = match seen.ratio().is_some_and(|ratio| ratio.value < 1.0) {
            true => work.versus(pair.base, pair.of)?,
            false => seen,
        };
        let moved = Moved::by_verdicts(seen.verdict(), self.time(&pair));
        let (of, base, ratio) = (seen.of, seen.base, seen.ratio());
        Some(Work { of, base, ratio, assessment: seen.assessment, moved })
    }
}
