//! The projection space: several projections that share out what there is to know of a subject.
//!
//! A key that one of them names is taken out of `.config` and `.fullname` in all of them. What none
//! mentions is the residue. Only what is asked for is here; subjects come in with
//! [`super::Evaluator`].

use super::key::{Key, Mention};
use super::order::Order;
use super::projection::{Field, Projection};

/// One projection of a space, by number in the order they were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProjectionId(pub(super) usize);

/// Whether a projection also tells units apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByUnit {
    /// Its tuples end in the unit.
    Yes,
    /// It does not look at units.
    No,
}

/// Several projections, and what is ignored.
#[derive(Debug, Clone, Default)]
pub struct ProjectionSpace {
    pub(super) projections: Vec<ProjectionSpec>,
    ignored: Vec<Field>,
    /// Keys named by any of them, groups excluded.
    pub(super) separate: Vec<Key>,
    /// Fields whose order is a list, in order.
    pub(super) listed: Vec<(Key, Vec<String>)>,
    has_config: bool,
    has_full_name: bool,
}

/// One projection as asked for.
#[derive(Debug, Clone)]
pub(super) struct ProjectionSpec {
    pub(super) fields: Vec<Field>,
    pub(super) by_unit: ByUnit,
}

impl ProjectionSpace {
    /// A space in which everything is residue.
    #[must_use]
    pub fn new() -> ProjectionSpace {
        ProjectionSpace::default()
    }

    /// Adds a projection.
    pub fn add(&mut self, projection: &Projection, by_unit: ByUnit) -> ProjectionId {
        let fields = projection.fields().to_vec();
        self.share_out(&fields);
        self.projections.push(ProjectionSpec { fields, by_unit });
        ProjectionId(self.projections.len() - 1)
    }

    /// Takes keys out of the residue without projecting them. A list of values still filters.
    pub fn ignore(&mut self, projection: &Projection) {
        self.share_out(projection.fields());
        self.ignored.extend_from_slice(projection.fields());
    }

    /// Puts values of a key before all others where they would come as they first appear: what leads by its role does
    /// so whatever was measured first.
    pub(crate) fn lead(&mut self, key: &Key, leaders: &[String]) {
        let fields = self.projections.iter_mut().flat_map(|projection| &mut projection.fields);
        for field in fields.filter(|field| field.mention.key == *key) {
            if field.order == Order::First {
                field.order = Order::Led(leaders.to_vec());
            }
        }
    }

    /// The fields that are ignored.
    #[must_use]
    pub(crate) fn ignored(&self) -> &[Field] {
        &self.ignored
    }

    fn share_out(&mut self, fields: &[Field]) {
        for field in fields {
            let key = &field.mention.key;
            match key {
                Key::AllConfig => self.has_config = true,
                Key::FullName => self.has_full_name = true,
                _ => self.separate.push(key.clone()),
            }
            if let Order::Fixed(values) = &field.order {
                self.listed.push((key.clone(), values.clone()));
            }
        }
    }

    /// The projection of what no other mentions.
    pub(super) fn residue(&self) -> ProjectionSpec {
        let groups = [(Key::AllConfig, self.has_config), (Key::FullName, self.has_full_name)];
        let left = groups.into_iter().filter(|(_, has)| !has);
        let field = |key| Field { mention: Mention { key, at: 0 }, order: Order::First };
        ProjectionSpec { fields: left.map(|(key, _)| field(key)).collect(), by_unit: ByUnit::No }
    }
}
