//! Points that are withheld: a side of the run differs from its own second build in the metric of that row, so that its
//! ratio to the other side is of builds, and no commit's.
//!
//! By the rule for verdicts, which is core's. Such a point is not added: beside others it would be one more, and a step
//! that it takes part in would be a commit's. The saved run keeps everything.

use std::collections::BTreeSet;

use etalon_core::criteria::Criteria;
use etalon_core::dataset::{Dataset, Group, Measured, RunSetId, SpellingId};
use etalon_core::model::Sides;
use etalon_core::query::{
    ByUnit, Evaluator, Filter, Key, Projection, ProjectionId, ProjectionSpace, Subject,
};
use etalon_core::tables::{Controls, Labels, Method, Query, Style, natural_beside};

/// The controls of a run, and how its rows are called there.
pub(crate) struct Withheld<'d> {
    /// With one value of a side in a block.
    joined: &'d Dataset,
    controls: Controls,
    evaluator: Evaluator,
    /// The keys that tell rows of controls apart.
    rows: ProjectionId,
}

impl<'d> Withheld<'d> {
    /// Of a run of two sides that were built more than once; `joined` is the same with one value of a side in a block.
    pub(crate) fn new(
        data: &Dataset,
        joined: &'d Dataset,
        (run_set, sides): (RunSetId, Sides),
    ) -> Withheld<'d> {
        let [side, build] = [sides.key(), sides.build_key()].map(Key::from_word);
        let asked = natural_beside(joined, &[&Projection::keys([side.clone()])]);
        let usual = Method::new(Style::Etalon);
        let recorded = data.run_sets[run_set.at()].settings.as_ref().map(|it| it.criteria);
        let criteria = recorded.map_or(usual.criteria, |recorded| Criteria {
            correction: recorded.correction.or(usual.criteria.correction),
            ..recorded
        });
        let method = Controls::method(Method { criteria, means: false, ..usual });
        let query = Query::new(Controls::query(asked, sides));
        let controls = Controls::from_data(data, query, &method);
        let mut space = ProjectionSpace::new();
        let keys = controls.keys.iter().map(|key| Key::from_word(key));
        let rows = space.add(&Projection::keys(keys), ByUnit::No);
        space.ignore(&Projection::keys([side, build]));
        let evaluator = Evaluator::new(Filter::everything(), space);
        Withheld { joined, controls, evaluator, rows }
    }

    /// Which metrics of which groups are withheld.
    pub(crate) fn all(
        mut self,
        groups: &[Group],
        metrics: &[Vec<SpellingId>],
    ) -> BTreeSet<(usize, usize)> {
        let places = (0..groups.len()).flat_map(|at| (0..metrics.len()).map(move |of| (at, of)));
        let places: Vec<(usize, usize)> = places.collect();
        let rows: Vec<Option<(String, Labels)>> =
            places.iter().map(|(at, of)| self.row(&groups[*at], &metrics[*of])).collect();
        // Where a row that moved is none of these, it may be any.
        for moved in &mut self.controls.moved {
            let is_it =
                |row: &&(String, Labels)| row.0 == moved.unit && moved.row.as_ref() == Some(&row.1);
            if moved.row.is_some() && rows.iter().flatten().find(is_it).is_none() {
                moved.row = None;
            }
        }
        let is_withheld = |row: &Option<(String, Labels)>| {
            row.as_ref().is_some_and(|(unit, row)| self.controls.withholds(unit, row))
        };
        let all = places.into_iter().zip(&rows).filter(|(_, row)| is_withheld(row));
        all.map(|(place, _)| place).collect()
    }

    /// The unit and the labels that a group's metric has in controls; nothing of one without values.
    fn row(&mut self, group: &Group, of: &[SpellingId]) -> Option<(String, Labels)> {
        let data = self.joined;
        let rows = group.rows.iter().map(|row| *row as usize);
        let mut values = rows.flat_map(|row| data.row(row).map(move |value| (row, value)));
        let (row, value) = values.find(|(_, value)| of.contains(&value.spelling))?;
        let measured = Measured { data, row, value };
        let place = self.evaluator.place(&measured)?;
        let tuple = self.evaluator.tuple(place, self.rows);
        let labels = self.evaluator.values(self.rows, tuple);
        let labels = labels.into_iter().map(|label| label.map(str::to_owned)).collect();
        Some((measured.unit().tidied.to_owned(), labels))
    }
}
