//! Work beside time: what moved, in one sentence.

use etalon_core::analysis::Work;
use etalon_core::criteria::Criteria;
use etalon_core::verdict::{Assessment, Moved, Verdict};

use super::amounts::times;
use super::verdicts::hindrances;
use crate::number::{percent, share};

/// From this ratio on a factor says more than a percentage.
const FACTOR: f64 = 1.1;

/// The sentence on two by work and time together: `gzip -9 executes 1.35 × the instructions of gzip -1: count and time
/// moved.`
pub(crate) fn work(names: [&str; 2], work: &Work<'_>, criteria: &Criteria) -> String {
    let [of, base] = names;
    let same = || {
        let margin = percent(criteria.count_margin);
        format!("{of} and {base} execute the same instructions within {margin}")
    };
    let more = || match work.ratio.map(|ratio| ratio.value) {
        Some(ratio) if ratio >= FACTOR => {
            format!("{of} executes {} the instructions of {base}", times(ratio))
        }
        Some(ratio) => {
            format!("{of} executes {} more instructions than {base}", change(ratio - 1.0))
        }
        None => format!("{of} executes more instructions than {base}"),
    };
    match work.moved {
        Some(moved @ (Moved::Both | Moved::CountOnly | Moved::CountFirst)) => {
            format!("{}: {}.", more(), moved_text(moved))
        }
        Some(moved @ (Moved::TimeOnly | Moved::Neither)) => {
            format!("{}: {}.", same(), moved_text(moved))
        }
        None if work.assessment.decision.verdict == Verdict::Same => {
            format!("{}; time cannot tell yet.", same())
        }
        None => format!("Instructions cannot tell {of} from {base}: {}.", open(work.assessment)),
    }
}

/// Words of one comparison.
pub(crate) fn moved_text(moved: Moved) -> &'static str {
    match moved {
        Moved::Both => "count and time moved",
        Moved::CountOnly => "only the count moved, time is the same",
        Moved::CountFirst => "the count moved, time cannot tell yet",
        Moved::TimeOnly => {
            "only time moved: layout, memory, waiting or the machine (--counters, --explain-noise)"
        }
        Moved::Neither => "neither count nor time moved",
    }
}

/// Words of many comparisons, of which each kind is counted.
pub(crate) fn moved_word(moved: Moved) -> &'static str {
    match moved {
        Moved::Both => "both moved",
        Moved::CountOnly => "count only",
        Moved::CountFirst => "count, time unclear",
        Moved::TimeOnly => "time only",
        Moved::Neither => "neither",
    }
}

fn open(assessment: &Assessment) -> String {
    hindrances(assessment).join("; ")
}

/// A change of a count, which may be small.
fn change(change: f64) -> String {
    if change.abs() < 0.001 { percent((change * 1e6).round() / 1e6) } else { share(change) }
}
