//! benchstat's words: notes, comparisons, labels.

use etalon_core::notes::{CellNote, ColumnNote, ComparisonNote, Need, NoteKind};
use etalon_core::tables::{Cell, Comparison, Labels};

use super::number::{change, plain};

/// A note as benchstat words it; those of etalon's own rules do not occur here.
pub(super) fn note(note: &NoteKind) -> String {
    match note {
        NoteKind::Cell(CellNote::Varies(keys)) => format!("benchmarks vary in {}", keys.join(", ")),
        NoteKind::Cell(CellNote::IntervalNeeds { need, level }) => format!(
            "need {} samples for confidence interval at level {}",
            needed(*need),
            plain(*level)
        ),
        NoteKind::Cell(CellNote::NotExact { lo, hi }) => format!(
            "exact distribution expected, but values range from {} to {}",
            plain(*lo),
            plain(*hi)
        ),
        NoteKind::Comparison(ComparisonNote::AllEqual) => "all samples are equal".to_owned(),
        NoteKind::Comparison(ComparisonNote::DifferenceNeeds { need, alpha }) => format!(
            "need {} samples to detect a difference at alpha level {}",
            needed(*need),
            plain(*alpha)
        ),
        NoteKind::Column(ColumnNote::SetDiffers) => {
            "benchmark set differs from baseline; geomeans may not be comparable".to_owned()
        }
        NoteKind::Column(ColumnNote::NotPositive) => {
            "summaries must be >0 to compute geomean".to_owned()
        }
        NoteKind::Column(ColumnNote::RatiosNotPositive) => {
            "ratios must be >0 to compute geomean".to_owned()
        }
        _ => String::new(),
    }
}

fn needed(need: Need) -> String {
    match need {
        Need::AtLeast(n) => format!(">= {n}"),
        Need::MoreThan(n) => format!("> {n}"),
    }
}

/// The difference of two centres, `~` where there is none to speak of.
pub(super) fn delta(base: &Cell, cell: &Cell, comparison: &Comparison) -> String {
    let (old, new) = (base.centre.value, cell.centre.value);
    if !comparison.significant {
        "~".to_owned()
    } else if old == new {
        "0.00%".to_owned()
    } else if old == 0.0 {
        "?".to_owned()
    } else {
        change(new / old)
    }
}

/// p, where there is one, and the numbers of values.
pub(super) fn evidence(comparison: &Comparison) -> String {
    let p = comparison.p.map_or(String::new(), |p| format!("p={p:.3} "));
    match comparison.n {
        (m, n) if m == n => format!("{p}n={m}"),
        (m, n) => format!("{p}n={m}+{n}"),
    }
}

/// The values of a row's keys.
pub(super) fn label(labels: &Labels) -> String {
    labels.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
}
