//! Whether the builds of a side agree: what the comparison of two sides rests on.
//!
//! Owns what a moved control is, and that no verdict is given beside one: about that metric of that row; of times and
//! rates about all in the row, which follow from one another; and in all rows where many moved. Refuses to compute:
//! builds are compared like everything else, as the columns of a table; over all rows together besides
//! ([`super::whole`]), because what befalls a build (its path, its environment, its place in the order) befalls all of
//! its rows.

use std::collections::BTreeMap;

use super::whole::{Whole, wholes};
use super::{Cell, Labels, Method, Query, QuerySpec, Row, Tables, tabulate};
use crate::criteria::{Criteria, Levels};
use crate::dataset::Dataset;
use crate::estimate::Estimate;
use crate::family;
use crate::model::Sides;
use crate::notes::{Moved, Note, NoteKind, SidesNote, Visible};
use crate::query::{Key, Order, Projection};
use crate::stats::Correction;
use crate::verdict::{Assessment, Decision, Reason, Verdict};

/// The alpha of controls. Because: a verdict that is withheld without need costs a run of the experiment. Where builds
/// are compared as a whole too, half of it is for that, and half for the rows.
const ALPHA: f64 = 0.01;

/// Moved controls that are named; more are counted.
const NAMED: usize = 5;

/// A metric moves as a whole where more than this share of its rows do, of at least so many: what befalls so many rows
/// of a build befalls the others, too.
const WIDE: (f64, usize) = (0.25, 8);

/// The controls of two sides.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Controls {
    /// How many pairs of builds were compared, in all units.
    pub compared: usize,
    /// The keys that tell rows apart: of tables, then of the rows in one.
    pub keys: Vec<String>,
    /// Those of rows that have a ratio, for who draws them.
    pub rows: Vec<Control>,
    /// Those that differ.
    pub moved: Vec<Moved>,
    /// The change that a moved build could be expected to show, once a unit. Of units that scatter.
    pub visible: Vec<Visible>,
    /// Units that scatter, of which so few blocks show no change in a row, however large.
    pub unchecked: Vec<Unchecked>,
    /// Those of each unit, counted.
    pub units: Vec<UnitControls>,
}

/// A unit of whose rows nothing was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Unchecked {
    /// Which.
    pub unit: String,
    /// How many pairs of builds were compared in its rows.
    pub compared: usize,
    /// The fewest blocks that show something in one of them.
    pub blocks: u32,
    /// The change that would have been seen in all rows alike.
    pub whole: Option<f64>,
}

/// The controls of a unit, counted.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitControls {
    /// Which.
    pub unit: String,
    /// Whether it is a time or a rate.
    pub is_speed: bool,
    /// How many pairs of builds were compared.
    pub compared: usize,
    /// Rows, each with both sides.
    pub rows: usize,
    /// Rows in which a side moved.
    pub moved: usize,
}

impl UnitControls {
    /// Whether so many rows moved that no verdict is given in any.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // rows of a table
    pub fn is_wide(&self) -> bool {
        self.rows >= WIDE.1 && self.moved as f64 > WIDE.0 * self.rows as f64
    }
}

/// A side's second build against its first, in a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Control {
    /// Of which quantity.
    pub unit: String,
    /// Which side.
    pub side: String,
    /// The row, as the values of [`Controls::keys`].
    pub row: Labels,
    /// The second over the first, with an interval of the level of controls.
    pub ratio: Estimate,
}

impl Controls {
    /// The queries for controls: a row for each benchmark and side, a column for each build.
    #[must_use]
    pub fn query(asked: QuerySpec, sides: Sides) -> QuerySpec {
        let row = match asked.row.is_empty() {
            true => QuerySpec::default().row,
            false => asked.row,
        };
        let build = Key::from_word(sides.build_key());
        let builds = Order::Fixed(vec!["1".to_owned(), "2".to_owned()]);
        QuerySpec {
            table: asked.table.without(&build),
            row: Projection::keys([Key::from_word(sides.key())]).and(&row),
            col: Projection::from_keys([(build, builds)]),
            ..asked
        }
    }

    /// How they are compared.
    #[must_use]
    pub fn method(method: Method) -> Method {
        let criteria = Criteria {
            alpha: ALPHA,
            confidence: 1.0 - ALPHA,
            levels: Levels::Common,
            correction: Some(Correction::Holm),
            ..method.criteria
        };
        Method { criteria, ..method }
    }

    /// The pairs of builds of so many rows of two sides, and the criteria by which they are told apart.
    #[must_use]
    pub fn family(rows: usize, method: &Method) -> (usize, Criteria) {
        let criteria = Controls::method(*method).criteria;
        (2 * rows, Criteria { alpha: alpha_for(rows > 1), ..criteria })
    }

    /// The controls in data by that query and that method. The pairs of builds in the rows of a metric are one family;
    /// where there are several rows two, of half the alpha each: those of the rows, and those of all rows together.
    #[must_use]
    pub fn from_data(data: &Dataset, query: Query, method: &Method) -> Controls {
        let mut wholes = wholes(data, query.clone(), method);
        let mut builds = tabulate(data, query, method);
        // The first key of a row is its side.
        let keys = builds.table_keys.iter().chain(builds.row_keys.iter().skip(1)).cloned();
        let mut controls = Controls { keys: keys.collect(), ..Controls::default() };
        let mut units: Vec<String> = Vec::new();
        for table in &builds.tables {
            if !units.contains(&table.unit) {
                units.push(table.unit.clone());
            }
        }
        for unit in units {
            let own = wholes.extract_if(.., |whole| whole.unit == unit).collect::<Vec<Whole>>();
            controls.add(&unit, own, &mut builds, method);
        }
        controls
    }

    /// Compares the builds in a unit, and adds what that shows.
    fn add(&mut self, unit: &str, mut wholes: Vec<Whole>, builds: &mut Tables, method: &Method) {
        let alpha = alpha_for(!wholes.is_empty());
        let criteria = Criteria { alpha, ..method.criteria };
        let of_unit = builds.tables.iter_mut().filter(|table| table.unit == unit);
        let cells = of_unit.flat_map(|table| &mut table.rows).flat_map(|row| &mut row.cells);
        family::assess(cells.flatten().filter_map(Cell::assessment_mut), &criteria);
        family::assess(wholes.iter_mut().map(|whole| &mut whole.assessment), &criteria);
        let tables = || builds.tables.iter().filter(|table| table.unit == unit);
        let is_speed = tables().any(|table| table.base.is_speed());
        let mut of = UnitControls {
            unit: unit.to_owned(),
            is_speed,
            compared: wholes.len(),
            rows: 0,
            moved: 0,
        };
        for Whole { side, assessment, .. } in &wholes {
            self.look(assessment, || (of.unit.clone(), side.clone(), None));
        }
        let (mut visible, mut is_blind): (Option<f64>, bool) = (None, false);
        let mut seen: BTreeMap<Labels, bool> = BTreeMap::new();
        for (table, row) in
            tables().flat_map(|table| table.rows.iter().map(move |row| (table, row)))
        {
            let mut labels = row.labels.iter().cloned();
            let side = labels.next().flatten().unwrap_or_default();
            let labels: Labels = table.labels.iter().cloned().chain(labels).collect();
            for assessment in row.cells.iter().flatten().filter_map(Cell::assessment) {
                of.compared += 1;
                visible = larger(visible, assessment.smallest_visible);
                // What was seen to be the same was seen, although values that are equal have no smallest visible change.
                let is_same = assessment.decision.verdict == Verdict::Same;
                is_blind |=
                    !assessment.evidence.exact && assessment.smallest_visible.is_none() && !is_same;
                let (unit, side, row) = (of.unit.clone(), side.clone(), labels.clone());
                self.rows.extend(assessment.evidence.shown().ratio.map(|ratio| Control {
                    unit: unit.clone(),
                    side: side.clone(),
                    row: row.clone(),
                    ratio,
                }));
                let is_moved = self.look(assessment, || (unit, side, Some(row)));
                *seen.entry(labels.clone()).or_default() |= is_moved;
            }
        }
        (of.rows, of.moved) = (seen.len(), seen.values().filter(|is_moved| **is_moved).count());
        let whole = wholes.iter().map(|it| it.assessment.smallest_visible).fold(None, larger);
        if is_blind {
            let compared = of.compared - wholes.len();
            let blocks = criteria.fewest_blocks(compared);
            self.unchecked.push(Unchecked { unit: of.unit.clone(), compared, blocks, whole });
        }
        let unit = of.unit.clone();
        self.visible.extend(visible.map(|row| Visible { unit, row, whole }));
        self.compared += of.compared;
        self.units.push(of);
    }

    /// Whether a verdict about a unit in a row is withheld: a build moved in it, or in the unit as a whole. Of times and
    /// rates one that moved tells against all.
    #[must_use]
    pub fn withholds(&self, unit: &str, row: &Labels) -> bool {
        let is_speed = |unit: &str| self.unit(unit).is_some_and(|of| of.is_speed);
        let concerns = |of: &Moved| of.unit == unit || (is_speed(&of.unit) && is_speed(unit));
        let is_here = |of: &Moved| of.row.as_ref() == Some(row) || self.withholds_all(&of.unit);
        self.moved.iter().any(|of| concerns(of) && is_here(of))
    }

    /// Whether no verdict is given about a unit in any row: so many rows moved, or all together did although none of that
    /// side did alone. One row that moves far moves the mean of all.
    #[must_use]
    pub fn withholds_all(&self, unit: &str) -> bool {
        let is_wide = self.unit(unit).is_some_and(UnitControls::is_wide);
        is_wide || self.moved.iter().any(|of| of.unit == unit && self.is_spread(of))
    }

    /// Whether all rows together moved, and none of them alone.
    fn is_spread(&self, of: &Moved) -> bool {
        let is_of_side = |it: &&Moved| it.unit == of.unit && it.side == of.side;
        of.row.is_none() && self.moved.iter().filter(is_of_side).all(|it| it.row.is_none())
    }

    /// The controls of a unit.
    #[must_use]
    pub fn unit(&self, unit: &str) -> Option<&UnitControls> {
        self.units.iter().find(|of| of.unit == unit)
    }

    /// Notes on the controls, on the change of the leading quantity that they would have shown, and on what no control
    /// shows.
    #[must_use]
    pub fn notes(&self, leading: Option<&str>) -> Vec<Note> {
        let note =
            |about: &str, what| Note { about: about.to_owned(), what: NoteKind::Sides(what) };
        let wide = self.units.iter().filter(|of| of.is_wide());
        let mut notes: Vec<Note> = wide
            .map(|of| {
                let (unit, moved, rows) = (of.unit.clone(), of.moved, of.rows);
                note("controls", SidesNote::ManyMoved { unit, moved, rows })
            })
            .collect();
        let is_told = |of: &&Moved| match of.row {
            Some(_) => self.unit(&of.unit).is_some_and(UnitControls::is_wide),
            None => !self.is_spread(of),
        };
        let single: Vec<&Moved> = self.moved.iter().filter(|of| !is_told(of)).collect();
        let named = single.iter().take(NAMED);
        notes.extend(named.map(|moved| note(&moved.side, SidesNote::Moved((*moved).clone()))));
        if single.len() > NAMED {
            let count = single.len() - NAMED;
            notes.push(note("controls", SidesNote::MoreMoved { count }));
        }
        if !notes.is_empty() {
            notes.push(note("controls", SidesNote::Repeat));
        }
        if !self.moved.iter().any(|of| Some(of.unit.as_str()) == leading) {
            let visible = self.visible.iter().find(|it| Some(it.unit.as_str()) == leading).cloned();
            let (compared, moved) = (self.compared, self.moved.len());
            let blind = self.unchecked.iter().find(|it| Some(it.unit.as_str()) == leading);
            let what = match blind {
                Some(Unchecked { unit, compared, blocks, whole }) => SidesNote::BuildsUnchecked {
                    compared: *compared,
                    blocks: *blocks,
                    whole: whole.map(|change| (unit.clone(), change)),
                },
                None => SidesNote::BuildsAgree { compared, moved, visible },
            };
            notes.push(note("controls", what));
        }
        notes.push(note("sides", SidesNote::BuildsAveraged));
        notes
    }

    /// Adds a pair of builds that differs; whether it does.
    fn look(
        &mut self,
        assessment: &Assessment,
        place: impl FnOnce() -> (String, String, Option<Labels>),
    ) -> bool {
        let is_moved = assessment.decision.is_difference();
        if is_moved {
            let (unit, side, row) = place();
            let ratio = assessment.evidence.shown().ratio.map(|ratio| ratio.value);
            self.moved.push(Moved { unit, side, row, ratio });
        }
        is_moved
    }
}

/// The alpha of the controls of rows, where all of them together are compared besides or not.
fn alpha_for(are_compared_together: bool) -> f64 {
    if are_compared_together { ALPHA / 2.0 } else { ALPHA }
}

/// The labels that tell a row apart from those of all tables.
fn labels(of_table: &Labels, row: &Row) -> Labels {
    of_table.iter().chain(&row.labels).cloned().collect()
}

fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(f64::max)
}

impl Tables {
    /// Gives no verdict about a metric of a row where a control moved; in no row where the row of one is none of these.
    pub fn withhold(&mut self, controls: &Controls) {
        let mut controls = controls.clone();
        let mut nowhere: Vec<String> = Vec::new();
        for moved in &controls.moved {
            let is_known = |row: &Labels| self.has_row(&moved.unit, row);
            if moved.row.as_ref().is_some_and(|row| !is_known(row)) {
                nowhere.push(moved.unit.clone());
            }
        }
        controls
            .moved
            .iter_mut()
            .filter(|of| nowhere.contains(&of.unit))
            .for_each(|of| of.row = None);
        for table in &mut self.tables {
            for row in &mut table.rows {
                let labels = labels(&table.labels, row);
                if !controls.withholds(&table.unit, &labels) {
                    continue;
                }
                for cell in row.cells.iter_mut().flatten() {
                    if let Some(assessment) = cell.assessment_mut() {
                        assessment.decision = Decision::withheld(Reason::ControlMoved);
                    }
                    cell.note_tails();
                }
            }
        }
    }

    fn has_row(&self, unit: &str, of: &Labels) -> bool {
        let mut tables = self.tables.iter().filter(|table| table.unit == unit);
        tables.any(|table| table.rows.iter().any(|row| labels(&table.labels, row) == *of))
    }

    /// Says of every comparison which smallest change it will show with so many values a side, in place of which it
    /// shows now.
    pub fn foresee(&mut self, values: usize) {
        self.assessments().for_each(|it| it.smallest_visible = it.visible_with(values));
    }

    fn assessments(&mut self) -> impl Iterator<Item = &mut Assessment> {
        let rows = self.tables.iter_mut().flat_map(|table| &mut table.rows);
        rows.flat_map(|row| row.cells.iter_mut().flatten()).filter_map(Cell::assessment_mut)
    }
}
