//! Two sides of a project in the Go format: the fact `side`, whose values say which is the base.
//!
//! Owns that the base stands first where lines are written: whoever reads them without knowing sides takes what comes
//! first for the base. Refuses to move anything past a line about how a package ended.

use std::collections::BTreeSet;

use etalon_core::dataset::{Dataset, RunSetId};
use etalon_core::model::{SIDE, SaidBy, Sides, place_of};

/// The sides of a file that is read: its results name both, and no third.
pub(super) fn declared(data: &Dataset, run_set: RunSetId) -> Option<Sides> {
    let measured = data.series.iter().filter(|series| {
        let has_values = !data.schemas[series.schema.at()].is_empty();
        has_values && data.configurations[series.configuration.at()].run_set == run_set
    });
    let named: BTreeSet<Option<&str>> =
        measured.map(|series| data.fact(series.configuration, SIDE)).collect();
    let both = Sides::ORDER.map(Some).into();
    (named == both).then_some(Sides { said_by: SaidBy::Fact })
}

/// The rows in an order in which the base comes first; absent where they are in one. Rows of blocks stay in the order
/// of these. O(n log n) where there are sides.
pub(super) fn base_first(data: &Dataset) -> Option<Vec<usize>> {
    let of_facts = |run_set: RunSetId| {
        let sides = data.run_sets[run_set.at()].sides;
        sides.is_some_and(|sides| sides.said_by == SaidBy::Fact)
    };
    let is_said = data.run_sets.iter().any(|set| set.sides.is_some());
    if !is_said || !data.marks.is_empty() {
        return None;
    }
    let place = |row: usize| {
        let run_set = data.run_set_of(row);
        let side = || data.fact(data.series_of(row).configuration, SIDE).map_or(0, place_of);
        let block = data.rows.place(row).map(|place| place.block);
        (run_set, block, if of_facts(run_set) { side() } else { 0 })
    };
    // Of lines that were read, those of a base that came first stay as they were.
    let is_placed = |row: usize| data.rows.place(row).is_some();
    let mut firsts = BTreeSet::new();
    let is_led = |row: usize| !firsts.insert(place(row).0) || place(row).2 == 0;
    let rows = 0..data.len();
    if !rows.clone().any(is_placed) && rows.clone().all(is_led) {
        return None;
    }
    let mut rows: Vec<usize> = rows.collect();
    rows.sort_by_cached_key(|row| place(*row));
    Some(rows)
}
