//! The headline about the metric that is ranked, in words.

use etalon_core::analysis::{Analysis, Headline, OtherView};
use etalon_core::estimate::Estimate;
use etalon_core::verdict::Verdict;

use super::amounts::ratio_text;
use super::names::case_name;
use crate::figures::changed;

/// The headline about the metric that is ranked, as a sentence.
pub(crate) fn headline(analysis: &Analysis, headline: Headline) -> String {
    match headline {
        Headline::Parallel { ratio } => format!(
            "CPU time, which is ranked here, is up to {ratio:.1} × wall clock: work ran in parallel; \
             --metric wall ranks by wall clock."
        ),
        Headline::WallRanksDifferently(view) => format!(
            "By wall clock {}; CPU time is ranked here, --metric wall ranks by wall clock.",
            pair(analysis, view)
        ),
        Headline::CpuRanksDifferently(view) => {
            format!("By CPU time {}; --metric cpu ranks by it.", pair(analysis, view))
        }
        Headline::CpuIsNarrower(view) => {
            let ranking = analysis.rankings.first();
            let own = ranking.and_then(|ranking| ranking.versus(view.of, view.base));
            let what = match view.ratio {
                // The answer has said who they are.
                Some(ratio) if own.is_some_and(|own| own.verdict() == view.verdict) => {
                    ratio_text(&ratio)
                }
                _ => pair(analysis, view),
            };
            format!("More narrowly by CPU time: {what}; --metric cpu ranks by it.")
        }
    }
}

/// The answer of CPU time in place of wall clock's, of whatever it is said: `slower by 4.6 % (CPU time); wall clock unclear: the
/// machine was busy`. Of equal ones the margin, within which they are.
pub(crate) fn by_cpu(
    word: &str,
    ratio: Option<&Estimate>,
    within: Option<&str>,
    is_busy: bool,
) -> String {
    let by = match (within, ratio) {
        (Some(within), _) => format!(" within {within}"),
        (None, Some(ratio)) => format!(" by {}", changed((ratio.value - 1.0).abs())),
        (None, None) => String::new(),
    };
    let why = if is_busy { ": the machine was busy" } else { "" };
    format!("{word}{by} (CPU time); wall clock unclear{why}")
}

/// A pair by the other metric: `gzip -1 is faster than gzip -9, 1.05 × (1.03 … 1.07)`.
fn pair(analysis: &Analysis, view: OtherView) -> String {
    let (of, base) = (case_name(analysis, view.of), case_name(analysis, view.base));
    let said = match view.verdict {
        Verdict::Faster | Verdict::Slower => {
            format!("{of} is {} than {base}", view.verdict.name())
        }
        Verdict::Same => format!("{of} and {base} are the same"),
        Verdict::Unclear => format!("{of} against {base} is unclear"),
    };
    view.ratio.map_or(said.clone(), |ratio| format!("{said}, {}", ratio_text(&ratio)))
}
