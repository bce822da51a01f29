//! Notes on comparisons, in words.

use etalon_core::model::Metric;
use etalon_core::notes::{ComparisonNote, MeansTest};
use etalon_core::stats::Widening;
use etalon_core::verdict::Verdict;

use super::super::metric::{lower_first, metric_title};
use super::super::nodes;
use super::super::verdicts::more_often_beside;
use super::cells::needed;
use crate::number::{counted, fixed, percent, significance};
use crate::text::clean;

/// A note on a comparison, with its metric where that has to be said.
pub(super) fn comparison(note: &ComparisonNote, metric: Option<&Metric>) -> String {
    match note {
        ComparisonNote::Dropped { blocks } => {
            format!("{} with a side missing dropped out", counted(*blocks, "block", "blocks"))
        }
        ComparisonNote::RatioOfMediansOutside { ratio } => {
            format!("the ratio of medians, {ratio:.3}, lies outside the interval")
        }
        ComparisonNote::Unseen { share } => {
            format!("a slow share up to {:.0} % could be unseen", 100.0 * share)
        }
        ComparisonNote::MoreOftenWorse(tail) => {
            let [said, readings] = more_often_beside(tail);
            format!("{said} ({readings})")
        }
        ComparisonNote::SerialDependence(widening) => dependent(*widening, metric, "the interval"),
        ComparisonNote::NodesDisagree(over) => {
            let each: Vec<String> = nodes::each_node(over).collect();
            let said = nodes::disagreement(over).unwrap_or_default();
            format!("{said}: {}", each.join("; "))
        }
        ComparisonNote::NodesNotCounted { nodes, needs } => {
            let names: Vec<String> = nodes.iter().map(|name| clean(name)).collect();
            format!("not counted, with fewer than {needs} blocks on the node: {}", names.join(", "))
        }
        ComparisonNote::Waited { base, candidate } => format!(
            "waited for a CPU {:.0} % of its time, the base {:.0} %: the interval holds both, with that time and without",
            100.0 * candidate,
            100.0 * base
        ),
        ComparisonNote::RealButBelowMargin => {
            "the difference is real, but below the margin".to_owned()
        }
        ComparisonNote::NoCommonBlock => {
            "no block holds both: they are compared as runs one after the other".to_owned()
        }
        ComparisonNote::Disagreement { test, found, verdict, needs } => {
            disagreement(*test, *found, *verdict, *needs)
        }
        ComparisonNote::AllEqual => "all values of both sides are equal".to_owned(),
        ComparisonNote::DifferenceNeeds { need, alpha } => {
            format!("a difference at alpha {} needs {} values", significance(*alpha), needed(*need))
        }
        ComparisonNote::Picked { level, asked } => format!(
            "interval of level {:.1} %: of those of the changed rows {} hold",
            100.0 * level,
            percent(*asked)
        ),
    }
}

/// Neighbours that resemble each other.
pub(super) fn dependent(
    Widening { r1, factor }: Widening,
    metric: Option<&Metric>,
    interval: &str,
) -> String {
    let of = metric.map(metric_phrase).unwrap_or_default();
    format!(
        "neighbouring readings{of} resemble each other (lag-1 rank autocorrelation {r1:.2}): {interval} is \
         {factor:.1} times as wide for it"
    )
}

/// Behind "readings": of which metric they are.
fn metric_phrase(metric: &Metric) -> String {
    format!(" of {}", lower_first(&metric_title(metric)))
}

/// [`ComparisonNote::SerialDependence`] in several intervals of a metric, in one clause; `only` says that there is no other.
/// What independent readings look like in one sample of six is no finding: intervals allow for it.
pub(crate) fn widened(factors: &[f64], metric: Option<&Metric>, only: bool) -> Option<String> {
    let most = factors.iter().copied().reduce(f64::max)?;
    let most = fixed(most, usize::from(most < 9.95));
    let intervals = match factors.len() {
        1 if only => "the interval is".to_owned(),
        1 => "1 interval is".to_owned(),
        n => format!("{n} intervals are up to"),
    };
    let of = metric.map(metric_phrase).unwrap_or_default();
    Some(format!(
        "{intervals} {most} × as wide, for readings{of} that may resemble their neighbours"
    ))
}

/// [`ComparisonNote::RatioOfMediansOutside`] in several comparisons, in one clause.
pub(crate) fn medians_outside(comparisons: usize) -> Option<String> {
    let of = counted(comparisons, "comparison", "comparisons");
    (comparisons > 0).then(|| format!("the ratio of medians lies outside the interval of {of}"))
}

/// Why two sound procedures may say different things.
fn disagreement(
    test: MeansTest,
    found: Option<Verdict>,
    verdict: Verdict,
    needs: Option<usize>,
) -> String {
    let test = match test {
        MeansTest::Welch => "Welch's test",
        MeansTest::ScottKnott => "Scott-Knott ESD",
    };
    match (found, verdict, needs) {
        (Some(_), Verdict::Same, _) => format!(
            "{test} finds a difference, etalon's verdict is same: the test has no margin, and the \
             verdict says that the whole interval lies within it"
        ),
        (Some(_), Verdict::Unclear, Some(at_least)) => format!(
            "{test} finds a difference, etalon's verdict is unclear: it needs at least {at_least} \
             blocks, whatever they say; the test takes means to be normally distributed"
        ),
        (Some(_), Verdict::Unclear, None) => format!(
            "{test} finds a difference, etalon's verdict is unclear: the test compares means over all \
             blocks as if they were independent, the verdict the ratios within blocks, by ranks, \
             corrected over the comparisons with the baseline"
        ),
        (Some(found), _, _) => format!(
            "{test} finds it {}, etalon's verdict is {}: a few blocks can move a mean the other way, \
             the verdict is on the ratios within blocks, by ranks",
            found.name(),
            verdict.name()
        ),
        (None, _, _) => format!(
            "{test} finds no difference, etalon's verdict is {}: the verdict compares within blocks, \
             where what changes from block to block cancels; the test has to tell the means apart in \
             spite of it",
            verdict.name()
        ),
    }
}
