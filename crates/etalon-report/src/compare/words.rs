//! The words of a comparison: notes, reasons, labels.

use etalon_core::analysis;
use etalon_core::tables::{Difference, Judged, Labels, Need, Note};
use etalon_core::verdict::{Reason, Verdict};

use crate::number::{counted, percent, significance};
use crate::terminal::why;
use crate::text::clean;

/// The values of keys, side by side.
pub(super) fn label(labels: &Labels) -> String {
    let shown: Vec<String> = labels.iter().flatten().map(|text| clean(text)).collect();
    shown.join(" ")
}

/// Keys with their values.
pub(super) fn named(keys: &[String], labels: &Labels) -> String {
    let pair = |(key, label): (&String, &Option<String>)| {
        label.as_ref().map(|label| format!("{}: {}", clean(key), clean(label)))
    };
    keys.iter().zip(labels).filter_map(pair).collect::<Vec<_>>().join(", ")
}

/// A note, as a sentence without its full stop.
pub(super) fn note(note: &Note) -> String {
    match note {
        Note::Varies(keys) => {
            format!(
                "values of one cell differ in {}: project, filter or ignore it",
                clean(&keys.join(", "))
            )
        }
        Note::IntervalNeeds { need, level } => {
            format!("an interval at {} needs {} values", percent(*level), needed(*need))
        }
        Note::NotExact { lo, hi } => {
            format!("declared exact, but values range from {lo} to {hi}")
        }
        Note::AllEqual => "all values of both sides are equal".to_owned(),
        Note::DifferenceNeeds { need, alpha } => {
            format!("a difference at alpha {} needs {} values", significance(*alpha), needed(*need))
        }
        Note::SetDiffers => "the rows are not those of the base".to_owned(),
        Note::NotPositive => "a geometric mean needs values above 0".to_owned(),
        Note::RatiosNotPositive => "a geometric mean needs ratios above 0".to_owned(),
        Note::LeftOut { not_positive, unmatched } => left_out(*not_positive, *unmatched),
        Note::OtherMachine(differences) => {
            let each: Vec<String> = differences.iter().map(difference).collect();
            format!("measured under other circumstances than the base: {}", each.join("; "))
        }
    }
}

fn needed(need: Need) -> String {
    match need {
        Need::AtLeast(n) => format!("at least {n}"),
        Need::MoreThan(n) => format!("more than {n}"),
    }
}

fn left_out(not_positive: usize, unmatched: usize) -> String {
    let mut parts = Vec::new();
    if not_positive > 0 {
        parts.push(format!("{} not above 0", counted(not_positive, "value", "values")));
    }
    if unmatched > 0 {
        let rows = counted(unmatched, "row", "rows");
        parts.push(format!("{rows} without a counterpart above 0"));
    }
    format!("the geometric mean leaves out {}", parts.join(" and "))
}

fn difference(Difference { key, base, other }: &Difference) -> String {
    let value = |value: &Option<String>| value.as_ref().map_or("-".to_owned(), |text| clean(text));
    format!("{} {} → {}", clean(key), value(base), value(other))
}

/// The word of a verdict; a unit of which neither direction is better only differs.
pub(super) fn verdict(judged: &Judged) -> &'static str {
    let decision = &judged.decision;
    match decision.verdict {
        Verdict::Unclear if decision.reasons == [Reason::BeyondChance] => "differs",
        verdict => verdict.word(),
    }
}

/// What stands behind a verdict, or in its way; nothing where its word says it all.
pub(super) fn reasons(judged: &Judged) -> Option<String> {
    match (&judged.evidence, judged.adjusted) {
        (Some(evidence), Some(adjusted)) => why(&analysis::Comparison {
            base: 0,
            candidate: 1,
            evidence: evidence.clone(),
            adjusted,
            decision: judged.decision.clone(),
        }),
        _ => judged.decision.reasons.iter().find_map(|reason| match reason {
            Reason::RealButBelowMargin => Some("real, but below the margin".to_owned()),
            Reason::NotBeyond { at_least } => {
                Some(format!("not wholly beyond 1 ± {}", percent(*at_least)))
            }
            _ => None,
        }),
    }
}
