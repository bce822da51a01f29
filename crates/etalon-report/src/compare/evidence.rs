//! The lines under the answer: what the comparisons rest on, and what would show smaller changes.

use etalon_core::compare::{Design, ScatterFrom};
use etalon_core::model::Level;
use etalon_core::notes::{DesignNote, Note, NoteKind};
use etalon_core::tables::{Table, Tables};
use etalon_core::verdict::Assessment;

use super::headline::{quantity, units};
use super::rows::assessments;
use super::words;
use crate::words::{foreseen as foreseen_of, rests_on};

/// The kind of evidence and the smallest visible change, of the quantity that leads; before it, what all tables have
/// in common. Where nothing is compared that alone.
pub(super) fn sentence(tables: &Tables) -> Option<String> {
    let common = words::common_keys(tables);
    let Some(unit) = leading_unit(tables) else { return common.map(|common| format!("{common}.")) };
    let of = tables.tables.iter().filter(|table| table.unit == unit);
    let compared: Vec<&Assessment> = of.clone().flat_map(compared).collect();
    let quantity = (units(tables).len() > 1).then(|| quantity(unit));
    let base = &of.clone().next()?.base;
    let common = common.map_or_else(String::new, |common| format!("{common} · "));
    Some(format!("{common}{}.", rests_on(&compared, base, quantity.as_deref())?))
}

/// From which change on the comparisons would show one, of the quantity that leads; before all is measured.
#[must_use]
pub fn foreseen(tables: &Tables) -> Option<String> {
    let unit = leading_unit(tables)?;
    let of = tables.tables.iter().filter(|table| table.unit == unit);
    let assessed: Vec<&Assessment> = of.clone().flat_map(compared).collect();
    let quantity = (units(tables).len() > 1).then(|| quantity(unit));
    foreseen_of(&assessed, &of.clone().next()?.base, quantity.as_deref())
}

/// The command that would interleave, where that would show smaller changes.
pub(super) fn interleaved(tables: &Tables, command: Option<&str>) -> Option<String> {
    let mut all = tables.leading().flat_map(compared);
    let command = command.filter(|_| all.any(is_apart))?;
    Some(format!("Interleaved: {command}"))
}

/// Advice where runs are compared only because the data do not say that they took turns, which the caller knows.
#[must_use]
pub fn order_unsaid(tables: &Tables) -> Option<Note> {
    let mut all = tables.leading().flat_map(compared);
    let what = NoteKind::Design(DesignNote::OrderUnsaid);
    all.any(is_apart).then(|| Note { about: "order".to_owned(), what })
}

/// The unit whose evidence is told: the first that is compared between runs; else the first whose values scatter.
fn leading_unit(tables: &Tables) -> Option<&str> {
    let first = |is_meant: &dyn Fn(&Assessment) -> bool| {
        tables
            .leading()
            .find(|table| compared(table).any(is_meant))
            .map(|table| table.unit.as_str())
    };
    first(&is_of_runs).or_else(|| first(&|it| !it.evidence.exact)).or_else(|| first(&|_| true))
}

fn is_of_runs(assessment: &Assessment) -> bool {
    matches!(assessment.evidence.design, Design::Runs(_))
}

/// Whether runs are compared that do not alternate.
fn is_apart(assessment: &Assessment) -> bool {
    let Design::Runs(replication) = &assessment.evidence.design else {
        return false;
    };
    replication.scatter != ScatterFrom::Alternating
}

/// What is compared by readings: of centres nothing is tested.
fn compared(table: &Table) -> impl Iterator<Item = &Assessment> {
    let has_readings = |it: &&Assessment| it.evidence.level == Level::Readings;
    table.rows.iter().flat_map(assessments).filter(has_readings)
}
