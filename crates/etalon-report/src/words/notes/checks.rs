//! Notes on checks, in words: the condition, the place, and what is wrong there.

use etalon_core::notes::{Change, CheckNote, UncomparedReason, WithheldReason};

use crate::number::{bounded, decimals_apart};

/// A note on a check, with its place.
pub(super) fn check(note: &CheckNote, about: &str) -> String {
    match note {
        CheckNote::Worse { condition, change } | CheckNote::Unclear { condition, change } => {
            format!("{condition}: {about}{}", measured(change.as_ref()))
        }
        CheckNote::Withheld { condition, why } => {
            format!("{condition}: {about}: {}", withheld(why))
        }
        CheckNote::NothingCompared { condition } => {
            format!("{condition}: nothing was compared with anything in a unit that can be worse")
        }
        CheckNote::UnclearPasses { unclear, compared } => {
            format!("unclear, which `worse` passes: {unclear} of {compared} rows")
        }
        CheckNote::WithoutDirection { unit } => format!(
            "not checked: {unit} has no direction; add `Unit {unit} better=lower` (or higher) to the base's file"
        ),
        CheckNote::Missing => format!("missing: {about}"),
        CheckNote::New { refused_by: None } => format!("new: {about}"),
        CheckNote::New { refused_by: Some(condition) } => format!("{condition}: new: {about}"),
        CheckNote::Required { condition, why } => match why {
            UncomparedReason::Missing => format!("{condition}: missing: {about}"),
            UncomparedReason::Alone => format!("{condition}: compared with nothing: {about}"),
            UncomparedReason::Unknown => format!("{condition}: no such benchmark in the data"),
        },
        CheckNote::Broken { reason } => format!("{about}: {reason}"),
        CheckNote::Negative { name, unit } => format!("{about}: {name}: a value below 0 {unit}"),
        CheckNote::More { count } => format!("and {count} more of this kind"),
    }
}

fn withheld(why: &WithheldReason) -> String {
    match why {
        WithheldReason::Needs { at_least } => format!("not enough data: needs at least {at_least}"),
        WithheldReason::FamilyNeeds { at_least, family } => {
            format!("not enough data: needs at least {at_least} for {family} comparisons")
        }
        WithheldReason::BelowTheClock(change) => {
            let change = measured(change.as_ref());
            format!("below the clock: readings of a time that never differ{change}")
        }
        WithheldReason::NoRawData => "no raw data: a harness wrote centres alone".to_owned(),
        WithheldReason::ControlMoved => "a side differs from its own second build".to_owned(),
    }
}

fn measured(change: Option<&Change>) -> String {
    match change {
        Some(Change { ratio, interval: Some(interval) }) => {
            let decimals = decimals_apart(1.0, [interval.lo, interval.hi], 3);
            let [value, lo, hi] =
                [*ratio, interval.lo, interval.hi].map(|number| bounded(number, decimals));
            format!(": ratio {value} ({lo} to {hi})")
        }
        Some(Change { ratio, interval: None }) => format!(": ratio {}", bounded(*ratio, 3)),
        None => String::new(),
    }
}
