//! Whether the builds of a side agree: what the comparison of two sides rests on.
//!
//! Owns what a moved control is, and that no verdict is given beside one. Refuses to compute: builds are compared like
//! everything else, as the columns of a table.

use super::{Cell, Labels, Method, QuerySpec, Tables};
use crate::criteria::Criteria;
use crate::dataset::{BUILD, SIDE};
use crate::stats::Correction;
use crate::verdict::{Assessment, Decision, Member, Reason, assess};

/// The alpha of controls. Because: a verdict that is withheld without need costs a run of the experiment.
const ALPHA: f64 = 0.01;

/// What the controls of two sides say.
#[derive(Debug, Clone, PartialEq)]
pub struct Controls {
    /// How many pairs of builds were compared, in all units.
    pub compared: usize,
    /// Those that differ.
    pub moved: Vec<Moved>,
    /// By unit, the smallest change of a build that each pair could be expected to show, of the pair with the largest: a
    /// share. Of units that scatter.
    pub visible: Vec<(String, f64)>,
}

/// A side that differs from its own second build.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// Of which quantity.
    pub unit: String,
    /// Which side.
    pub side: String,
    /// The row of it: the values of its keys.
    pub row: Labels,
    /// The second build against the first, where there is a ratio.
    pub ratio: Option<f64>,
}

impl Controls {
    /// What to ask of the data: a row for each benchmark and side, a column for each build.
    #[must_use]
    pub fn query(asked: &QuerySpec) -> QuerySpec {
        let QuerySpec { filter, table, row, ignore, .. } = asked.clone();
        let row = if row.is_empty() { ".fullname".to_owned() } else { row };
        QuerySpec {
            filter,
            table,
            row: format!("/{SIDE},{row}"),
            col: format!("/{BUILD}@(1 2)"),
            ignore,
        }
    }

    /// How they are compared.
    #[must_use]
    pub fn method(method: Method) -> Method {
        let criteria = Criteria {
            alpha: ALPHA,
            confidence: 1.0 - ALPHA,
            correction: Some(Correction::Holm),
            ..method.criteria
        };
        Method { criteria, ..method }
    }

    /// What tables of that query by that method say. All pairs, in all units, are one family.
    #[must_use]
    pub fn of(mut builds: Tables, method: &Method) -> Controls {
        let members = builds.assessments().map(|assessment| Member { assessment, repeats: None });
        assess(&mut members.collect::<Vec<_>>(), &method.criteria);
        let mut controls = Controls { compared: 0, moved: Vec::new(), visible: Vec::new() };
        for table in &builds.tables {
            let mut visible: Option<f64> = None;
            for row in &table.rows {
                let compared =
                    row.cells.iter().flatten().filter_map(|cell| cell.comparison.as_ref());
                for assessment in compared.filter_map(|it| it.assessment.as_deref()) {
                    controls.compared += 1;
                    visible =
                        visible.into_iter().chain(assessment.smallest_visible).reduce(f64::max);
                    if assessment.decision.is_difference() {
                        let mut labels = row.labels.iter().cloned();
                        controls.moved.push(Moved {
                            unit: table.unit.clone(),
                            side: labels.next().flatten().unwrap_or_default(),
                            row: labels.collect(),
                            ratio: assessment.evidence.ratio.map(|ratio| ratio.value),
                        });
                    }
                }
            }
            controls.visible.extend(visible.map(|visible| (table.unit.clone(), visible)));
        }
        controls
    }
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
        rows.flat_map(|row| row.cells.iter_mut().flatten()).for_each(Cell::note_unseen);
    }

    fn assessments(&mut self) -> impl Iterator<Item = &mut Assessment> {
        let rows = self.tables.iter_mut().flat_map(|table| &mut table.rows);
        let cells = rows.flat_map(|row| row.cells.iter_mut().flatten());
        cells.filter_map(|cell| cell.comparison.as_mut()?.assessment.as_deref_mut())
    }
}
