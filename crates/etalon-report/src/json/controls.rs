//! Controls: each side of a project against its own second build.

use etalon_core::notes::Moved;
use etalon_core::tables::{self, Controls, Labels, UnitControls};
use serde::Serialize;

use super::parts::Ordered;

/// The controls of a unit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Control<'a> {
    /// The unit.
    unit: &'a str,
    /// How many pairs of builds were compared.
    compared: usize,
    /// How many rows they are of.
    rows: usize,
    /// In how many of them a side moved: no verdict is given there about the unit, nor about another time or rate where
    /// it is one.
    moved: usize,
    /// Whether so many moved that no verdict is given in any row.
    withholds_all: bool,
    /// Each side against its second build, row by row, and over all rows together where that moved.
    builds: Vec<Build<'a>>,
    /// The smallest change of a build that would have been seen in one row, as a share; `null` of exact values.
    visible_in_a_row: Option<f64>,
    /// The smallest change in all rows alike that would have been seen; `null` of one row.
    visible_in_all: Option<f64>,
}

/// A side against its own second build.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Build<'a> {
    /// The side.
    #[cfg_attr(test, schemars(extend("enum" = ["base", "head"])))]
    side: &'a str,
    /// The values of the keys of its table and row, by key; `null` of all rows together.
    labels: Option<Ordered<'a, Option<&'a str>>>,
    /// The second build over the first; `null` if a value is ≤ 0.
    ratio: Option<f64>,
    /// The lower end of its interval.
    lo: Option<f64>,
    /// The upper end.
    hi: Option<f64>,
    /// The level of that interval, 0 to 1.
    level: Option<f64>,
    /// Whether the builds differ.
    moved: bool,
}

impl<'a> Control<'a> {
    /// Those of all units, in order of appearance.
    pub(super) fn all(controls: &'a Controls) -> Vec<Control<'a>> {
        controls.units.iter().map(|of| Control::new(controls, of)).collect()
    }

    fn new(controls: &'a Controls, of: &'a UnitControls) -> Control<'a> {
        let unit = of.unit.as_str();
        let moved = || controls.moved.iter().filter(|it| it.unit == unit);
        let rows = controls.rows.iter().filter(|it| it.unit == unit);
        let is_moved = |of: &tables::Control| moved().any(|it| is_it(it, of));
        let keys = &controls.keys;
        let builds = rows.clone().map(|of| Build::in_row((keys, of), is_moved(of)));
        let others = moved().filter(|it| !rows.clone().any(|of| is_it(it, of)));
        let visible = controls.visible.iter().find(|it| it.unit == unit);
        Control {
            unit,
            compared: of.compared,
            rows: of.rows,
            moved: of.moved,
            withholds_all: controls.withholds_all(unit),
            builds: builds.chain(others.map(|of| Build::moved(keys, of))).collect(),
            visible_in_a_row: visible.map(|it| it.row),
            visible_in_all: visible.and_then(|it| it.whole),
        }
    }
}

fn is_it(moved: &Moved, of: &tables::Control) -> bool {
    moved.side == of.side && moved.row.as_ref() == Some(&of.row)
}

fn by_key<'a>(keys: &'a [String], labels: &'a Labels) -> Ordered<'a, Option<&'a str>> {
    let values = labels.iter().map(Option::as_deref);
    Ordered::from_pairs(keys.iter().map(String::as_str).zip(values))
}

impl<'a> Build<'a> {
    fn in_row((keys, of): (&'a [String], &'a tables::Control), moved: bool) -> Build<'a> {
        let interval = of.ratio.interval.ok();
        Build {
            side: &of.side,
            labels: Some(by_key(keys, &of.row)),
            ratio: Some(of.ratio.value),
            lo: interval.map(|i| i.lo),
            hi: interval.map(|i| i.hi),
            level: interval.map(|i| i.level),
            moved,
        }
    }

    /// One of which only this is known.
    fn moved(keys: &'a [String], of: &'a Moved) -> Build<'a> {
        Build {
            side: &of.side,
            labels: of.row.as_ref().map(|row| by_key(keys, row)),
            ratio: of.ratio,
            lo: None,
            hi: None,
            level: None,
            moved: true,
        }
    }
}
