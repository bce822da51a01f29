//! Notes on checks, in words: the condition, the place, and what is wrong there.

use etalon_core::notes::{Change, CheckNote, NotWaivedReason, UncomparedReason, WithheldReason};
use etalon_core::stats::FEWEST_POINTS;

use crate::number::{bounded, decimals_apart};

/// A note on a check, with its place.
pub(super) fn check(note: &CheckNote, about: &str) -> String {
    match note {
        CheckNote::Worse { condition, change } | CheckNote::Unclear { condition, change } => {
            format!("{condition}: {about}{}", measured(change.as_ref()))
        }
        CheckNote::Waived { condition, change, waiver, reason } => {
            let change = measured(change.as_ref());
            format!("waived: {about}{change}, against {condition}; {waiver}: {reason}")
        }
        CheckNote::NotWaived { condition, change, waiver, why } => {
            let change = measured(change.as_ref());
            format!("{condition}: {about}{change}; {}: {waiver}", not_waived(*why))
        }
        CheckNote::Stale => format!("no recent point, so nothing can be told: {about}"),
        CheckNote::TooShort { points } => {
            format!("too short to look for steps, {points} of {FEWEST_POINTS} points: {about}")
        }
        CheckNote::Gone { waiver } => format!("no longer found, so the waiver can go: {waiver}"),
        CheckNote::Changed { file, added, removed } => changed(file, added, removed),
        CheckNote::AboutNothing { entry } => format!("about nothing that is compared: {entry}"),
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

fn not_waived(why: NotWaivedReason) -> &'static str {
    match why {
        NotWaivedReason::Expired => "the waiver has expired",
        NotWaivedReason::Beyond => "the far end of the interval is beyond the waiver",
        NotWaivedReason::OfHead => "the waiver is the head's alone, and waives nothing",
    }
}

/// Entries of a file that are listed. Because: the head may write any number of them.
const LISTED: usize = 10;

/// What the head's file of checks says otherwise.
fn changed(file: &str, added: &[String], removed: &[String]) -> String {
    let list = |what: &str, all: &[String]| {
        let shown = all.iter().take(LISTED).cloned();
        let more = all.len().saturating_sub(LISTED);
        let more = (more > 0).then(|| format!("{more} more"));
        let shown: Vec<String> = shown.chain(more).collect();
        (!all.is_empty()).then(|| format!("{what} {}", shown.join(" | ")))
    };
    let both = [list("adds", added), list("removes", removed)];
    let both: Vec<String> = both.into_iter().flatten().collect();
    format!(
        "{file}: the head {}; the base's holds, and what the head adds may only tighten",
        both.join(", and ")
    )
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
