//! The price of looking at verdicts until there were some.
//!
//! Owns which looks count, and what several run sets leave together. Refuses to say what a look may call significant:
//! that is [`Looks`]'s.

use super::Dataset;
use super::ids::RunSetId;
use crate::criteria::Criteria;
use crate::plan::Stopping;
use crate::stats::Looks;

impl Dataset {
    /// The looks at the verdicts that a run set is the result of. Data that go on after the last look (an
    /// interrupt) count one more: analysing them is another look. A block that only one benchmark has shows nothing.
    pub(super) fn looks(&self, run_set: RunSetId) -> Option<Looks> {
        let set = &self.run_sets[run_set.at()];
        let Stopping::Decided { .. } = set.plan.as_ref()?.stopping else { return None };
        let taken = set.looks.iter().filter(|look| look.alpha.is_some());
        let mut looks: Looks = taken.map(|look| look.blocks).collect();
        let groups = self.groups();
        let of_set = groups.iter().filter(|group| group.run_set == run_set);
        let mut blocks: Vec<usize> = of_set.map(|group| group.blocks(self)).collect();
        blocks.sort_unstable();
        let shared = blocks.iter().rev().nth(1).copied().unwrap_or(0);
        looks.take(u32::try_from(shared).unwrap_or(u32::MAX));
        Some(looks)
    }

    /// The criteria that these data are held against: those asked for, or, where run sets were executed until decided,
    /// what the last look left of them; of several the strictest.
    #[must_use]
    pub(crate) fn left_of(&self, criteria: Criteria) -> Criteria {
        let mut all: Vec<Looks> = Vec::new();
        for looked in self.run_sets.iter().filter_map(|set| set.looked) {
            if !all.contains(&looked.looks) {
                all.push(looked.looks);
            }
        }
        let left = all.into_iter().map(|looks| criteria.after_looks(looks));
        left.min_by(|a, b| a.alpha.total_cmp(&b.alpha)).unwrap_or(criteria)
    }
}
