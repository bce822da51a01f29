//! Notes on the cells and columns of tables, in words.

use etalon_core::notes::{CellNote, ColumnNote, Difference, Need};

use super::super::verdicts::level;
use super::cases::OPTIMISED_AWAY;
use crate::text::clean;

/// A note on a cell.
pub(super) fn cell(note: &CellNote) -> String {
    match note {
        CellNote::Varies(keys) => {
            format!(
                "values of one cell differ in {}: project, filter or ignore it",
                clean(&keys.join(", "))
            )
        }
        CellNote::IntervalNeeds { need, level: of } => {
            format!("an interval at {} needs {} values", level(*of), needed(*need))
        }
        CellNote::NotExact { lo, hi } => {
            format!("declared exact, but values range from {lo} to {hi}")
        }
        CellNote::OptimisedAway => OPTIMISED_AWAY.to_owned(),
        CellNote::BelowLoop => "less than 0.5 ns an operation, as an empty loop takes: probably optimised away, unless \
                                operations ran in parallel"
            .to_owned(),
    }
}

/// A note on a column.
pub(super) fn column(note: &ColumnNote) -> String {
    match note {
        ColumnNote::SetDiffers => "the rows are not those of the base".to_owned(),
        ColumnNote::NotPositive => "a geometric mean needs values above 0".to_owned(),
        ColumnNote::RatiosNotPositive => "a geometric mean needs ratios above 0".to_owned(),
        ColumnNote::OtherMachine(differences) => {
            let each: Vec<String> = differences.iter().map(difference).collect();
            format!("measured under other circumstances than the base: {}", each.join("; "))
        }
    }
}

/// How many values would do.
pub(super) fn needed(need: Need) -> String {
    match need {
        Need::AtLeast(n) => format!("at least {n}"),
        Need::MoreThan(n) => format!("more than {n}"),
    }
}

fn difference(Difference { key, base, other }: &Difference) -> String {
    let value = |value: &Option<String>| value.as_ref().map_or("-".to_owned(), |text| clean(text));
    format!("{} {} → {}", clean(key), value(base), value(other))
}
