//! A comparison: the same fields whichever engine or table it stands in.
//!
//! Owns the fields. Refuses to say which two are compared: [`super::ranking`] and [`super::layout`] do.

use etalon_core::compare::{
    self, Beyond, Design, Evidence, Replication, Scale, ScatterFrom, Unused, WorseSide,
};
use etalon_core::criteria::Criteria;
use etalon_core::estimate::Estimate;
use etalon_core::units::Base;
use etalon_core::verdict::{self, Assessment, More, Moved};
use serde::Serialize;

use super::layouts::Layouts;
use super::nodes::Nodes;
use super::parts::Margin;
use crate::words::{reason_text, verdict_word};

/// Which two are compared, and by which metric.
#[derive(Clone, Copy)]
pub(super) struct Compared<'a> {
    pub(super) id: usize,
    pub(super) metric: &'a str,
    /// Base and candidate.
    pub(super) benchmarks: [usize; 2],
    pub(super) names: [&'a str; 2],
    /// Whether count or time moved, if it is of work.
    pub(super) moved: Option<Moved>,
}

/// A comparison of two benchmarks by one metric.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Comparison<'a> {
    /// Its place in `comparisons`, to which `tables` and `notes` refer.
    id: usize,
    /// The compared metric; of tables the unit.
    metric: &'a str,
    /// The `id` of the base among the benchmarks.
    base: usize,
    /// The `id` of the candidate.
    candidate: usize,
    /// The `label` of the base.
    base_name: &'a str,
    /// The `label` of the candidate.
    candidate_name: &'a str,
    /// The candidate is `faster` than the base (better by the metric's direction), `slower` (worse), `same` or `unclear`;
    /// it `differs` without a better direction.
    #[cfg_attr(test, schemars(extend("enum" = ["faster", "slower", "same", "unclear", "differs"])))]
    verdict: &'static str,
    /// The word in reports: `less` and `more` of quantities other than times and rates; otherwise as `verdict`.
    word: &'static str,
    /// Candidate over base; `null` if a value is ≤ 0.
    ratio: Option<f64>,
    /// The lower end of the ratio's interval.
    lo: Option<f64>,
    /// The upper end.
    hi: Option<f64>,
    /// The level of intervals, 0 to 1; 1 − 2 alpha where the verdict is `same`, and in units that a check is about.
    level: f64,
    /// How estimate and interval were made.
    method: Option<&'static str>,
    /// Candidate minus base.
    difference: Option<Difference>,
    /// The scale of the verdict.
    #[cfg_attr(test, schemars(extend("enum" = ["ratio", "difference"])))]
    scale: &'static str,
    /// p of "no difference"; one-sided in units that a check is about; `null` for exact values.
    p: Option<f64>,
    /// That p after the family's correction.
    p_adjusted: Option<f64>,
    /// p of "differs by more than the margin" (TOST).
    p_same: Option<f64>,
    /// That p after the correction in its own family.
    p_same_adjusted: Option<f64>,
    /// The correction.
    #[cfg_attr(test, schemars(extend("enum" = ["holm", "bh", "none"])))]
    correction: &'static str,
    /// The number of comparisons corrected together; `null` for exact values.
    family: Option<usize>,
    /// Probability that the candidate's value is the lower one, 0 to 1.
    superiority: f64,
    /// Ratio of the two medians.
    ratio_of_medians: Option<f64>,
    /// Values of base and candidate; if `paired`, the pairs twice.
    n: [usize; 2],
    /// Whether blocks pair.
    paired: bool,
    /// The runs that are compared; `null` unless runs are.
    runs: Option<Runs<'a>>,
    /// The machines that it was made over; `null` unless there are several.
    nodes: Option<Nodes<'a>>,
    /// The layouts that it was made over; `null` unless sides were built so.
    layouts: Option<Layouts>,
    /// Blocks that lack a side.
    dropped_blocks: usize,
    /// The margin in force.
    margin: Margin,
    /// Slow readings; `null` for exact values and without a direction.
    tail: Option<Tail>,
    /// Slow readings after the typical difference is taken off; `null` without a note of them.
    tail_apart: Option<Tail>,
    /// Reasons of the verdict, the most important first.
    reasons: Vec<Reason>,
    /// Further blocks that would settle an open verdict, the estimate taken as it is; `null` where that is as good as unknown.
    more_blocks: Option<usize>,
    /// From where to where it reaches: at most to ten times the lower end.
    more_blocks_between: Option<(usize, usize)>,
    /// Of counted work, what moved with time: `both`, `count_only`, `time_only`, `neither`, or `count_first` where time is
    /// open; `null` where that cannot be said.
    #[cfg_attr(test, schemars(extend("enum" = ["both", "count_only", "time_only", "neither", "count_first", null])))]
    moved: Option<&'static str>,
    /// The smallest visible change: a share if `scale` is `ratio`, else an amount.
    smallest_visible: Option<f64>,
}

impl<'a> Comparison<'a> {
    /// The fields, values in base units; `criteria` are those that the comparison is held against.
    pub(super) fn new(
        compared: Compared<'a>,
        assessment: &'a Assessment,
        criteria: &Criteria,
        unit: &Base,
    ) -> Comparison<'a> {
        let Compared { id, metric, benchmarks: [base, candidate], names, moved } = compared;
        let [base_name, candidate_name] = names;
        let Assessment { evidence, adjusted, decision, smallest_visible } = assessment;
        let interval = evidence.ratio_interval();
        let reason = |it| Reason::new(it, evidence);
        let more = decision.more.as_deref();
        Comparison {
            id,
            metric,
            base,
            candidate,
            base_name,
            candidate_name,
            verdict: decision.name(),
            word: verdict_word(assessment, unit),
            ratio: evidence.shown().ratio.map(|ratio| ratio.value),
            lo: interval.map(|i| i.lo),
            hi: interval.map(|i| i.hi),
            level: evidence.shown().level,
            method: evidence.shown().difference.map(|difference| difference.method.name()),
            difference: evidence.shown().difference.as_ref().map(Difference::new),
            scale: match evidence.scale {
                Scale::Ratio => "ratio",
                Scale::Difference => "difference",
            },
            p: evidence.test.ok().map(|test| test.p),
            p_adjusted: adjusted.p,
            p_same: evidence.tost_p,
            p_same_adjusted: adjusted.tost_p,
            correction: adjusted.correction.name(),
            family: (!evidence.exact).then_some(adjusted.family),
            superiority: evidence.superiority,
            ratio_of_medians: evidence.ratio_of_medians,
            n: [evidence.n.0, evidence.n.1],
            paired: evidence.design.is_in_blocks(),
            runs: Runs::new(evidence),
            nodes: Nodes::new(evidence),
            layouts: Layouts::new(evidence),
            dropped_blocks: evidence.dropped,
            margin: Margin::new(criteria.margin),
            tail: evidence.tail.as_ref().map(Tail::new),
            tail_apart: evidence.tail_apart.as_deref().map(Tail::new),
            reasons: decision.reasons.iter().map(reason).collect(),
            more_blocks: more.and_then(More::told_about),
            more_blocks_between: more.and_then(More::told),
            moved: moved.map(Moved::name),
            smallest_visible: *smallest_visible,
        }
    }
}

/// Candidate minus base.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Difference {
    /// In the metric's base unit.
    value: f64,
    /// The lower end of its interval.
    lo: Option<f64>,
    /// The upper end.
    hi: Option<f64>,
}

impl Difference {
    fn new(of: &Estimate) -> Difference {
        let interval = of.interval.ok();
        Difference { value: of.value, lo: interval.map(|i| i.lo), hi: interval.map(|i| i.hi) }
    }
}

/// A reason of a verdict.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Reason {
    /// Its code, which does not change.
    #[cfg_attr(test, schemars(extend("enum" = super::codes::reason_codes())))]
    code: &'static str,
    /// In words, which may change.
    text: String,
}

impl Reason {
    fn new(reason: &verdict::Reason, evidence: &Evidence) -> Reason {
        Reason { code: reason.code(), text: reason_text(reason, evidence) }
    }
}

/// Runs that are compared, and how much they scatter.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Runs<'a> {
    /// Runs of base and candidate.
    n: [usize; 2],
    /// Stretches of base and candidate.
    stretches: [usize; 2],
    /// The source of the scatter.
    #[cfg_attr(test, schemars(extend("enum" = ["alternating", "said", "earlier", "assumed"])))]
    scatter: &'static str,
    /// The scatter, of logarithms.
    sd: Option<f64>,
    /// How many earlier runs say so.
    earlier: Option<usize>,
    /// In how many occasions these are.
    occasions: Option<usize>,
    /// Seconds from the first to the last of one version.
    span: Option<f64>,
    /// How far apart the logarithms of two of one version lie.
    range: Option<f64>,
    /// The run that makes the scatter three times what it is without its occasion.
    odd: Option<Odd<'a>>,
    /// How many earlier runs are copies of others and were left out.
    copies: Option<usize>,
    /// Why earlier runs do not say how much runs scatter.
    unused: Option<UnusedRuns>,
    /// The share of wall clock that base and candidate spent waiting for a CPU; 0 where not known.
    waited: [f64; 2],
}

/// A run unlike the others.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Odd<'a> {
    /// The name of its source.
    run: &'a str,
    /// The scatter without its occasion.
    sd_without: f64,
}

/// Why earlier runs do not say how much runs scatter.
#[derive(Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum UnusedRuns {
    /// They are of too few occasions.
    FewOccasions {
        /// How many runs.
        runs: usize,
        /// In how many occasions.
        occasions: usize,
        /// Of how many versions of the code.
        versions: usize,
        /// How many more are copies.
        copies: usize,
    },
    /// Those of one version do not reach as far as the sides lie apart.
    Short {
        /// How many runs.
        runs: usize,
        /// Seconds from the first to the last of one version.
        span: Option<f64>,
    },
    /// The machine was in another state.
    OtherState {
        /// How many runs.
        runs: usize,
        /// The scatter of readings within them, and within those of now.
        within: [f64; 2],
    },
}

impl<'a> Runs<'a> {
    /// Absent of what is not compared between runs.
    fn new(evidence: &'a Evidence) -> Option<Runs<'a>> {
        let Design::Runs(replication) = &evidence.design else { return None };
        let Replication { base, candidate, stretches, scatter, waited, .. } = &**replication;
        let (from, sd, earlier, unused) = match scatter {
            ScatterFrom::Alternating => ("alternating", None, None, None),
            ScatterFrom::Said(share) => ("said", Some(*share), None, None),
            ScatterFrom::Earlier(earlier) => ("earlier", Some(earlier.sd), Some(earlier), None),
            ScatterFrom::Assumed(unused) => ("assumed", None, None, *unused),
        };
        let odd = earlier.and_then(|it| it.odd.as_ref());
        Some(Runs {
            n: [*base, *candidate],
            stretches: *stretches,
            scatter: from,
            sd,
            earlier: earlier.map(|it| it.runs),
            occasions: earlier.map(|it| it.occasions),
            span: earlier.and_then(|it| it.span),
            range: earlier.map(|it| it.range),
            odd: odd.map(|odd| Odd { run: &odd.name, sd_without: odd.sd_without }),
            copies: earlier.map(|it| it.copies),
            unused: unused.map(UnusedRuns::new),
            waited: *waited,
        })
    }
}

impl UnusedRuns {
    fn new(unused: Unused) -> UnusedRuns {
        match unused {
            Unused::FewOccasions { runs, occasions, versions, copies } => {
                UnusedRuns::FewOccasions { runs, occasions, versions, copies }
            }
            Unused::Short { runs, span } => UnusedRuns::Short { runs, span },
            Unused::OtherState { runs, then, now } => {
                UnusedRuns::OtherState { runs, within: [then, now] }
            }
        }
    }
}

/// Slow readings of two sides.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Tail {
    /// Blocks in which only the base, and only the candidate, is slow; readings of independent samples.
    found: [u32; 2],
    /// Out of how many.
    of: [u32; 2],
    /// Where a slow reading begins.
    beyond: Beginning,
    /// The side that is slow more often beyond chance.
    #[cfg_attr(test, schemars(extend("enum" = ["base", "candidate", null])))]
    worse: Option<&'static str>,
    /// The largest share that so few values could hide; `null` from 100 on.
    unseen: Option<f64>,
}

/// Where a tail begins.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum Beginning {
    /// At so many times the median.
    Times(f64),
    /// So much from the median, in base units.
    Amount(f64),
}

impl Tail {
    fn new(tail: &compare::Tail) -> Tail {
        Tail {
            found: [tail.found.0, tail.found.1],
            of: [tail.of.0, tail.of.1],
            beyond: match tail.beyond {
                Beyond::Times(times) => Beginning::Times(times),
                Beyond::Amount(amount) => Beginning::Amount(amount),
            },
            worse: tail.worse.map(|it| if it == WorseSide::Base { "base" } else { "candidate" }),
            unseen: tail.unseen(),
        }
    }
}
