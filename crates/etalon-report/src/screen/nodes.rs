//! The lines before the answer where machines disagree: their own answers.

use etalon_core::analysis::{Analysis, Comparison, Ranking};

use super::verdicts;
use crate::document::Part;
use crate::words;

/// Comparisons that have lines of their own; the notes name every one.
const TOLD: usize = 3;

/// For each comparison on which nodes disagree a sentence that says so, and a line a node.
pub(super) fn disagreements(analysis: &Analysis, ranking: &Ranking) -> Vec<Part> {
    let all = ranking.comparisons.iter();
    let disagreeing = all.filter_map(|comparison| said(analysis, ranking, comparison));
    disagreeing.take(TOLD).flatten().collect()
}

fn said(analysis: &Analysis, ranking: &Ranking, comparison: &Comparison) -> Option<Vec<Part>> {
    let over = words::over_nodes(&comparison.assessment)?;
    let disagreement = words::disagreement(over)?;
    let pair = [comparison.candidate, comparison.base];
    let [of, base] = verdicts::names(analysis, ranking, pair);
    let first = Part::Answer(format!("{of} against {base}: {disagreement}."));
    let each = words::each_node(over).map(|node| Part::Sentence(format!("  {node}")));
    Some(std::iter::once(first).chain(each).collect())
}
