//! Notes on a table's cell, comparison or summary, in words.

use etalon_core::tables::{Difference, Need, Note};

use super::remark;
use crate::number::{percent, significance};
use crate::text::clean;

/// A note, as a sentence without its full stop.
pub(crate) fn cell_note(note: &Note) -> String {
    match note {
        Note::Varies(keys) => {
            format!(
                "values of one cell differ in {}: project, filter or ignore it",
                clean(&keys.join(", "))
            )
        }
        Note::Copies { runs } => super::copies(*runs),
        Note::IntervalNeeds { need, level } => {
            format!("an interval at {} needs {} values", super::level(*level), needed(*need))
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
        Note::Remark(found) => remark(*found),
        Note::Picked { level, asked } => format!(
            "interval of level {:.1} %: of those of the changed rows {} hold",
            100.0 * level,
            percent(*asked)
        ),
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

fn difference(Difference { key, base, other }: &Difference) -> String {
    let value = |value: &Option<String>| value.as_ref().map_or("-".to_owned(), |text| clean(text));
    format!("{} {} → {}", clean(key), value(base), value(other))
}
