//! The blocks that comparisons need before any of them can have a verdict: known, and said, before anything is measured.
//!
//! Owns how many comparisons are corrected together in what is about to be measured, whichever door it is from. How many
//! blocks so many take is [`etalon_core::criteria::Criteria::fewest_blocks`]'; what a check is about
//! [`crate::compare::families`]'.

use std::collections::{BTreeSet, HashSet};

use etalon_core::analysis::largest_family;
use etalon_core::criteria::Criteria;
use etalon_core::dataset::Dataset;
use etalon_core::model::{BUILD, Case, SIDE};
use etalon_core::plan::{Order, Plan, Settings, Stage};
use etalon_core::scope::Declaration;
use etalon_core::stats::{
    BLOCKS_A_NODE, ENOUGH_BLOCKS, ENOUGH_NODES, nodes_needed, reach_of_nodes,
};
use etalon_record::BenchmarkLine;
use etalon_report::number::counted;
use etalon_run::Experiment;

use crate::failure::Failure;

/// Comparisons that will be corrected together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Family {
    /// How many; none where nothing is compared within blocks.
    pub(crate) comparisons: usize,
    pub(crate) criteria: Criteria,
    pub(crate) smaller: Smaller,
}

/// How somebody gets fewer comparisons of what is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Smaller {
    /// All pairs are compared: by naming fewer subjects, or the one that all others are held against.
    ByReference,
    /// By naming fewer subjects, whose rows or cells they are.
    BySubjects,
}

impl Smaller {
    fn text(self) -> &'static str {
        match self {
            Smaller::ByReference => "fewer subjects or a --reference take fewer",
            Smaller::BySubjects => "fewer of them take fewer",
        }
    }
}

impl Family {
    /// The largest one of a ranking of what is measured.
    pub(crate) fn of_ranking(experiment: &Experiment) -> Family {
        let Experiment { benchmarks, stages, settings, .. } = experiment;
        // Cases have a baseline, which all others are held against.
        let have_one =
            settings.reference.is_some() || benchmarks.iter().any(|it| it.case.is_some());
        let smaller = if have_one { Smaller::BySubjects } else { Smaller::ByReference };
        let comparisons = ranked(benchmarks, stages, settings);
        Family { comparisons, criteria: settings.criteria, smaller }
    }

    /// That of an experiment whose blocks answer another question than a comparison.
    pub(crate) fn without_comparisons(experiment: &Experiment) -> Family {
        let criteria = experiment.settings.criteria;
        Family { comparisons: 0, criteria, smaller: Smaller::BySubjects }
    }

    /// The fewest blocks with which some of it can have a verdict, of those that are all looked at once.
    pub(crate) fn needed(&self) -> u32 {
        self.criteria.fewest_blocks(self.comparisons)
    }

    /// The fewest blocks with which some of it can have a verdict.
    fn needs(&self, plan: &Plan) -> u32 {
        plan.stopping.fewest_blocks(self.comparisons, &self.criteria)
    }
}

/// The comparisons of the largest family of a ranking of what is measured in stages.
pub(crate) fn ranked(benchmarks: &[BenchmarkLine], stages: &[Stage], settings: &Settings) -> usize {
    let members: BTreeSet<usize> =
        stages.iter().flat_map(|stage| &stage.subjects).copied().collect();
    let declared = |at: usize| {
        let line = benchmarks.get(at)?;
        let BenchmarkLine { name, params, case, .. } = line;
        Some(Declaration { name, params, case: case.as_ref() })
    };
    let declared: Vec<Declaration<'_>> = members.into_iter().filter_map(declared).collect();
    largest_family(&declared, settings)
}

/// The rows of a table of two sides: what differs in more than its side and build.
pub(crate) fn rows_of_sides(benchmarks: &[BenchmarkLine]) -> usize {
    let is_other = |param: &&(String, String)| ![SIDE, BUILD].contains(&param.0.as_str());
    let row = |line: &'_ BenchmarkLine| -> (_, Vec<(String, String)>, _) {
        let place = line.case.as_ref().map(Case::place);
        let place = place.map(|(file, group)| (file.to_owned(), group.map(str::to_owned)));
        (line.name.clone(), line.params.iter().filter(is_other).cloned().collect(), place)
    };
    benchmarks.iter().map(row).collect::<HashSet<_>>().len()
}

/// Says that no verdict can come of the number of blocks that was asked for, and what it would take.
pub(crate) fn said(plan: &Plan, family: &Family) -> Option<String> {
    if plan.order == Order::Sequential || family.comparisons == 0 {
        return None;
    }
    let (most, needed) = (plan.most_blocks()?, family.needs(plan));
    (most < needed).then(|| too_few(most, needed, family))
}

/// Says of how many machines are too few, and whether blocks are too few for them.
pub(crate) fn said_of_nodes(nodes: usize, plan: &Plan, family: &Family) -> Vec<String> {
    let Family { comparisons, criteria, .. } = *family;
    if nodes < 2 || plan.order == Order::Sequential || comparisons == 0 {
        return Vec::new();
    }
    let blocks = nodes * ENOUGH_BLOCKS;
    let few = plan.most_blocks().filter(|most| (*most as usize) < blocks).map(|most| {
        let most = counted(most as usize, "block", "blocks");
        format!(
            "{most} on {nodes} machines: one counts from {ENOUGH_BLOCKS} blocks on; `-r {}` gives each as many",
            nodes * BLOCKS_A_NODE
        )
    });
    let needed = nodes_needed(comparisons, criteria.alpha);
    let reach = reach_of_nodes(nodes, comparisons, criteria.alpha);
    let compared = counted(comparisons, "comparison", "comparisons");
    let weak = match nodes {
        _ if nodes < ENOUGH_NODES => Some(format!(
            "{nodes} machines say something of themselves alone; {needed} say something of machines like them"
        )),
        _ if nodes < needed => Some(format!(
            "{compared} on {nodes} machines see nothing below {reach:.1} standard deviations of what machines say; \
             {needed} machines see as much as {ENOUGH_NODES} do in one comparison"
        )),
        _ => None,
    };
    few.into_iter().chain(weak).collect()
}

fn too_few(blocks: u32, needed: u32, family: &Family) -> String {
    let blocks = counted(blocks as usize, "block", "blocks");
    let cure = format!("`-r {needed}` measures as many");
    match family.comparisons {
        1 => format!("{blocks} cannot tell two apart: a comparison takes {needed}; {cure}"),
        of => format!(
            "{blocks} cannot tell any apart: {of} comparisons together take {needed}; {cure}, {}",
            family.smaller.text()
        ),
    }
}

/// Says that the time that was asked for is enough for so many blocks only, of which no verdict can come.
pub(crate) fn said_of_time(blocks: u32, plan: &Plan, family: &Family) -> Option<String> {
    if plan.order == Order::Sequential || family.comparisons == 0 {
        return None;
    }
    let needed = family.needs(plan);
    (blocks < needed).then(|| {
        let blocks = counted(blocks as usize, "block", "blocks");
        format!("the time allows {blocks}: too few to tell any apart, which takes {needed}; give it more time")
    })
}

/// Why what is asked for cannot come of a run, by its first block.
pub(crate) type Refusal = Box<dyn Fn(&Dataset) -> Option<Failure>>;

/// The families that the first block shows: of what is compared, and of the second builds beside it.
type FamiliesOf = dyn Fn(&Dataset) -> Option<(Family, Option<Family>)>;

/// The families of a harness, whose benchmarks are known after the first block.
pub(crate) struct AfterFirst {
    /// Of what the first block has.
    pub(crate) of: Box<FamiliesOf>,
    /// Whether somebody asked for a number of blocks, which stays.
    pub(crate) is_fixed: bool,
}

impl AfterFirst {
    /// The number of blocks in place of the planned one, and what is said of it, unless that was `declared` before.
    pub(crate) fn blocks(
        &self,
        data: &Dataset,
        (plan, declared): (&Plan, &Family),
        planned: u32,
    ) -> (u32, Option<String>) {
        let found = (self.of)(data).filter(|(family, _)| family.comparisons > 0);
        let Some((family, builds)) = found else { return (planned, None) };
        let needed = family.needs(plan);
        if self.is_fixed {
            let is_said = said(plan, declared).is_some() && declared.needs(plan) == needed;
            let few = needed > planned && !is_said;
            return (planned, few.then(|| too_few(planned, needed, &family)));
        }
        // A verdict whose second builds cannot show that it is none of the change's rests on nothing.
        let of_builds = builds.map_or(0, |builds| builds.needs(plan));
        let (all, beside) = (needed.max(of_builds), of_builds > needed);
        let compared = counted(family.comparisons, "comparison", "comparisons");
        let beside = if beside { " and the second builds beside them" } else { "" };
        let said = || {
            format!("{all} blocks in place of {planned}: {compared} together{beside} take as many")
        };
        (all.max(planned), (all > planned).then(said))
    }
}

#[cfg(test)]
mod tests {
    use etalon_core::plan::{BlockLimits, Stopping};

    use super::*;

    fn plan(stopping: Stopping, max: Option<u32>) -> Plan {
        let limits = BlockLimits { max, ..BlockLimits::default() };
        Plan { limits, ..Plan::new(Order::Blocks, stopping, 1) }
    }

    fn family(comparisons: usize) -> Family {
        Family { comparisons, criteria: Criteria::default(), smaller: Smaller::ByReference }
    }

    /// Would catch a number of blocks that is found too small only when everything is measured, and a warning where there
    /// is nothing to warn of.
    #[test]
    fn too_few_blocks_are_told_before_they_are_measured() {
        let runs = |n| plan(Stopping::Runs(n), None);
        let of = |n, comparisons| said(&runs(n), &family(comparisons));
        assert_eq!(
            of(10, 199).unwrap_or_default(),
            "10 blocks cannot tell any apart: 199 comparisons together take 13; `-r 13` measures as many, fewer \
             subjects or a --reference take fewer"
        );
        assert_eq!(
            of(3, 1).unwrap_or_default(),
            "3 blocks cannot tell two apart: a comparison takes 6; `-r 6` measures as many"
        );
        assert_eq!([of(13, 199), of(6, 1), of(1, 0)], [None, None, None]);
        let sequential = Plan { order: Order::Sequential, ..runs(3) };
        assert_eq!(said(&sequential, &family(1)), None);
        let precise = |max| plan(Stopping::Precision { target: 0.02, budget: 1.0 }, max);
        assert_eq!(said(&precise(None), &family(199)), None, "as many as it takes");
        assert!(said(&precise(Some(12)), &family(199)).is_some());
        assert!(said_of_time(5, &runs(30), &family(1)).is_some());
        assert_eq!(said_of_time(6, &runs(30), &family(1)), None);
    }

    /// Would catch a table that cannot see anything on few machines and is measured all the same, blocks that are too few
    /// for each of them, and a warning where there is nothing to warn of.
    #[test]
    fn too_few_machines_are_told_before_they_are_measured() {
        let runs = |n| plan(Stopping::Runs(n), None);
        let of = |nodes, n, comparisons| said_of_nodes(nodes, &runs(n), &family(comparisons));
        assert_eq!(
            of(3, 30, 10),
            [
                "10 comparisons on 3 machines see nothing below 8.1 standard deviations of what machines say; 6 machines \
                 see as much as 3 do in one comparison"
            ]
        );
        assert_eq!(
            of(2, 12, 1),
            [
                "12 blocks on 2 machines: one counts from 10 blocks on; `-r 30` gives each as many",
                "2 machines say something of themselves alone; 3 say something of machines like them"
            ]
        );
        for none in [of(3, 30, 1), of(6, 60, 10), of(1, 3, 1), of(3, 3, 0)] {
            assert_eq!(none, [] as [&str; 0]);
        }
    }

    /// Would catch a harness whose many benchmarks end without a verdict because nobody counted them, and a number that
    /// was asked for and is not measured.
    #[test]
    fn a_harness_gets_as_many_blocks_as_its_benchmarks_need() {
        let after = |is_fixed| AfterFirst { of: Box::new(|_| Some((family(60), None))), is_fixed };
        let plan = plan(Stopping::Runs(10), None);
        let data = Dataset::default();
        let (blocks, said) = after(false).blocks(&data, (&plan, &family(1)), 10);
        assert_eq!(
            (blocks, said.as_deref()),
            (12, Some("12 blocks in place of 10: 60 comparisons together take as many"))
        );
        let (blocks, said) = after(true).blocks(&data, (&plan, &family(1)), 10);
        assert!(blocks == 10 && said.is_some_and(|said| said.contains("take 12")));
        assert_eq!(after(false).blocks(&data, (&plan, &family(1)), 30), (30, None));
    }

    /// Would catch a verdict on one of thirty packages in so few blocks that its second build could not have shown to be as
    /// far off.
    #[test]
    fn second_builds_get_as_many_blocks_as_they_need_to_show_anything() {
        let strict = Criteria { alpha: 0.005, confidence: 0.99, ..Criteria::default() };
        let builds = Some(Family { criteria: strict, ..family(60) });
        let after =
            |is_fixed| AfterFirst { of: Box::new(move |_| Some((family(30), builds))), is_fixed };
        let plan = plan(Stopping::Runs(10), None);
        let data = Dataset::default();
        let (blocks, said) = after(false).blocks(&data, (&plan, &family(1)), 10);
        assert_eq!(blocks, 15, "2 × ½¹⁵ ≤ 0.005 ÷ 60");
        assert_eq!(
            said.as_deref(),
            Some(
                "15 blocks in place of 10: 30 comparisons together and the second builds beside them take as many"
            )
        );
        let (blocks, said) = after(true).blocks(&data, (&plan, &family(1)), 10);
        assert!(blocks == 10 && said.is_some_and(|said| said.contains("take 11")));
        assert_eq!(after(true).blocks(&data, (&plan, &family(1)), 11), (11, None));
    }
}
