//! Notes on comparisons, and which of them follow from evidence besides its verdict.

use super::cells::Need;
use crate::compare::{Design, Evidence, OverNodes, ROUNDING, Replication, Scale, Tail, TailKind};
use crate::stats::{ENOUGH_BLOCKS, Widening};
use crate::verdict::{Assessment, Reason, Verdict};

/// Sides whose waiting differs by this share of their wall clock are told so.
const WAITING_WORTH_SAYING: f64 = 0.05;

/// A remark on a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum ComparisonNote {
    /// Blocks with a side missing dropped out.
    Dropped {
        /// How many.
        blocks: usize,
    },
    /// The ratio of medians lies outside the ratio's interval.
    RatioOfMediansOutside {
        /// The ratio of medians.
        ratio: f64,
    },
    /// Times are the same, but a side could be slow in a share of its readings, and none of that be seen.
    Unseen {
        /// The largest such share.
        share: f64,
    },
    /// A side is much worse far more often, which what typically differs does not explain.
    MoreOftenWorse(Tail),
    /// Neighbouring values resemble each other, and the interval is wider for it.
    SerialDependence(Widening),
    /// Nodes say different things, by more than chance explains.
    NodesDisagree(Box<OverNodes>),
    /// Nodes that have too few blocks to count.
    NodesNotCounted {
        /// Their names.
        nodes: Vec<String>,
        /// The fewest blocks with which one counts.
        needs: usize,
    },
    /// The sides waited for a CPU differently long, as shares of their wall clock: the interval holds the difference
    /// with that time and without.
    Waited {
        /// The base's.
        base: f64,
        /// The candidate's.
        candidate: f64,
    },
    /// All values of both samples are the same, and nothing can be tested.
    AllEqual,
    /// Too few values for any difference to be found.
    DifferenceNeeds {
        /// How many would do.
        need: Need,
        /// The significance level asked for.
        alpha: f64,
    },
    /// The correction picked this comparison of many: its interval has this level, for as many to hold as were asked.
    Picked {
        /// The level of the interval.
        level: f64,
        /// The share that is to hold.
        asked: f64,
    },
    /// The difference is real, but below the margin.
    RealButBelowMargin,
    /// No block holds both cases.
    NoCommonBlock,
    /// A test of means does not say what the verdict says.
    Disagreement {
        /// The test of means that disagrees.
        test: MeansTest,
        /// The difference it found, as a verdict; absent if it found none.
        found: Option<Verdict>,
        /// etalon's own.
        verdict: Verdict,
        /// The fewest blocks that a verdict needs, where there are fewer.
        needs: Option<usize>,
    },
}

/// A test of means beside etalon's own verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeansTest {
    /// Welch's, of every pair.
    Welch,
    /// Scott–Knott clusters.
    ScottKnott,
}

impl ComparisonNote {
    /// Notes that every report makes on evidence besides its verdict.
    #[must_use]
    pub fn on_evidence(evidence: &Evidence) -> Vec<ComparisonNote> {
        let mut notes = Vec::new();
        if let Design::Nodes(over) = &evidence.design {
            let disagree = over.disagree();
            notes.extend(disagree.then(|| ComparisonNote::NodesDisagree(over.clone())));
            let few = over.nodes.iter().filter(|node| !node.counts());
            let nodes: Vec<String> = few.map(|node| node.name.clone()).collect();
            let note = ComparisonNote::NodesNotCounted { nodes, needs: ENOUGH_BLOCKS };
            notes.extend(over.nodes.iter().any(|node| !node.counts()).then_some(note));
        }
        if evidence.dropped > 0 {
            notes.push(ComparisonNote::Dropped { blocks: evidence.dropped });
        }
        notes.extend(evidence.dependence.map(ComparisonNote::SerialDependence));
        if let Design::Runs(replication) = &evidence.design
            && let Replication { waited: [base, candidate], compared, .. } = **replication
            && compared.is_some_and(|runs| runs.waited != 0.0)
            && (candidate - base).abs() >= WAITING_WORTH_SAYING
        {
            notes.push(ComparisonNote::Waited { base, candidate });
        }
        if let (Scale::Ratio, Some(interval), Some(ratio)) =
            (evidence.scale, evidence.differing.ratio_interval(), evidence.ratio_of_medians)
            && (ratio < interval.lo * (1.0 - ROUNDING) || ratio > interval.hi * (1.0 + ROUNDING))
        {
            notes.push(ComparisonNote::RatioOfMediansOutside { ratio });
        }
        notes
    }

    /// A share of slow times that sameness could hide, because so few readings do not show it.
    #[must_use]
    pub fn on_unseen(assessment: &Assessment) -> Option<ComparisonNote> {
        let tail = assessment.evidence.tail.filter(|tail| tail.kind == TailKind::Slow)?;
        let is_same = assessment.decision.verdict == Verdict::Same;
        is_same.then(|| tail.unseen())?.map(|share| ComparisonNote::Unseen { share })
    }

    /// That a side is slow far more often, where the verdict does not rest on it.
    #[must_use]
    pub fn on_more_often_worse(assessment: &Assessment) -> Option<ComparisonNote> {
        let is_reason = |it: &Reason| {
            matches!(it, Reason::MoreOftenWorse(_) | Reason::ControlMoved | Reason::NoRawData)
        };
        let tail = assessment.evidence.tail_apart.as_deref()?;
        let is_said = assessment.decision.reasons.iter().any(is_reason);
        (!is_said).then_some(ComparisonNote::MoreOftenWorse(*tail))
    }
}
