//! Whether the builds of a side agree: what the comparison of two sides rests on.
//!
//! Owns what a moved control is, and that no verdict is given beside one. Refuses to compute: builds are compared like
//! everything else, as the columns of a table; over all rows together besides ([`super::whole`]), because what befalls
//! a build (its path, its environment, its place in the order) befalls all of its rows.

use super::whole::{Whole, wholes};
use super::{Cell, Labels, Method, Query, QuerySpec, Tables, tabulate};
use crate::criteria::{Criteria, Levels};
use crate::dataset::Dataset;
use crate::estimate::Estimate;
use crate::family;
use crate::model::Sides;
use crate::notes::{Moved, Note, NoteKind, SidesNote, Visible};
use crate::query::{Key, Order, Projection};
use crate::stats::Correction;
use crate::verdict::{Assessment, Decision, Reason};

/// The alpha of controls. Because: a verdict that is withheld without need costs a run of the experiment. Where builds
/// are compared as a whole too, half of it is for that, and half for the rows.
const ALPHA: f64 = 0.01;

/// Moved controls that are named; more are counted.
const NAMED: usize = 5;

/// The controls of two sides.
#[derive(Debug, Clone, PartialEq)]
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
    /// Units that scatter, of which so few blocks show no change, however large.
    pub unchecked: Vec<String>,
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

    /// The controls in data by that query and that method. The pairs of builds in all units are one family; where there
    /// are several rows two, of half the alpha each: those of the rows, and those of all rows together.
    #[must_use]
    pub fn from_data(data: &Dataset, query: Query, method: &Method) -> Controls {
        let mut wholes = wholes(data, query.clone(), method);
        let mut builds = tabulate(data, query, method);
        let alpha = if wholes.is_empty() { ALPHA } else { ALPHA / 2.0 };
        let criteria = Criteria { alpha, ..method.criteria };
        family::assess(builds.assessments(), &criteria);
        family::assess(wholes.iter_mut().map(|whole| &mut whole.assessment), &criteria);
        // The first key of a row is its side.
        let keys = builds.table_keys.iter().chain(builds.row_keys.iter().skip(1)).cloned();
        let mut controls = Controls {
            compared: wholes.len(),
            keys: keys.collect(),
            rows: Vec::new(),
            moved: Vec::new(),
            visible: Vec::new(),
            unchecked: Vec::new(),
        };
        for Whole { unit, side, assessment } in &wholes {
            controls.look(assessment, || (unit.clone(), side.clone(), None));
        }
        for table in &builds.tables {
            let mut visible: Option<f64> = None;
            for row in &table.rows {
                let compared =
                    row.cells.iter().flatten().filter_map(|cell| cell.comparison.as_ref());
                for assessment in compared.filter_map(|it| it.assessment.as_deref()) {
                    controls.compared += 1;
                    visible = larger(visible, assessment.smallest_visible);
                    let is_blind =
                        !assessment.evidence.exact && assessment.smallest_visible.is_none();
                    if is_blind && !controls.unchecked.contains(&table.unit) {
                        controls.unchecked.push(table.unit.clone());
                    }
                    let mut labels = row.labels.iter().cloned();
                    let side = labels.next().flatten().unwrap_or_default();
                    let labels: Labels = table.labels.iter().cloned().chain(labels).collect();
                    controls.rows.extend(assessment.evidence.shown().ratio.map(|ratio| Control {
                        unit: table.unit.clone(),
                        side: side.clone(),
                        row: labels.clone(),
                        ratio,
                    }));
                    controls.look(assessment, || (table.unit.clone(), side, Some(labels)));
                }
            }
            let of_unit = wholes.iter().filter(|whole| whole.unit == table.unit);
            let whole = of_unit.map(|it| it.assessment.smallest_visible).fold(None, larger);
            if let Some(row) = visible {
                controls.see(Visible { unit: table.unit.clone(), row, whole });
            }
        }
        controls
    }

    /// Notes on the controls, on the change of the leading quantity that they would have shown, and on what no control
    /// shows.
    #[must_use]
    pub fn notes(&self, leading: Option<&str>) -> Vec<Note> {
        let note =
            |about: &str, what| Note { about: about.to_owned(), what: NoteKind::Sides(what) };
        let named = self.moved.iter().take(NAMED);
        let mut notes: Vec<Note> =
            named.map(|moved| note(&moved.side, SidesNote::Moved(moved.clone()))).collect();
        if self.moved.len() > NAMED {
            let count = self.moved.len() - NAMED;
            notes.push(note("controls", SidesNote::MoreMoved { count }));
        }
        if self.moved.is_empty() {
            let visible = self.visible.iter().find(|it| Some(it.unit.as_str()) == leading).cloned();
            let compared = self.compared;
            let is_blind = self.unchecked.iter().any(|unit| Some(unit.as_str()) == leading);
            let what = match is_blind {
                true => SidesNote::BuildsUnchecked { compared },
                false => SidesNote::BuildsAgree { compared, visible },
            };
            notes.push(note("controls", what));
        }
        notes.push(note("sides", SidesNote::BuildsAveraged));
        notes
    }

    /// Adds the visible changes of a table: of a unit the largest of all its tables count.
    fn see(&mut self, of_table: Visible) {
        match self.visible.iter_mut().find(|it| it.unit == of_table.unit) {
            Some(known) => known.row = known.row.max(of_table.row),
            None => self.visible.push(of_table),
        }
    }

    /// Adds a pair of builds that differs.
    fn look(
        &mut self,
        assessment: &Assessment,
        place: impl FnOnce() -> (String, String, Option<Labels>),
    ) {
        if assessment.decision.is_difference() {
            let (unit, side, row) = place();
            let ratio = assessment.evidence.shown().ratio.map(|ratio| ratio.value);
            self.moved.push(Moved { unit, side, row, ratio });
        }
    }
}

fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(f64::max)
}

impl Tables {
    /// Gives no verdict where a control moved.
    pub fn withhold(&mut self, controls: &Controls) {
        if controls.moved.is_empty() {
            return;
        }
        for assessment in self.assessments() {
            assessment.decision = Decision::withheld(Reason::ControlMoved);
        }
        let rows = self.tables.iter_mut().flat_map(|table| &mut table.rows);
        rows.flat_map(|row| row.cells.iter_mut().flatten()).for_each(Cell::note_tails);
    }

    /// Says of every comparison which smallest change it will show with so many values a side, in place of which it
    /// shows now.
    pub fn foresee(&mut self, values: usize) {
        self.assessments().for_each(|it| it.smallest_visible = it.visible_with(values));
    }

    fn assessments(&mut self) -> impl Iterator<Item = &mut Assessment> {
        let rows = self.tables.iter_mut().flat_map(|table| &mut table.rows);
        let cells = rows.flat_map(|row| row.cells.iter_mut().flatten());
        cells.filter_map(|cell| cell.comparison.as_mut()?.assessment.as_deref_mut())
    }
}
